"""The spool: what hooks have seen and nobody has recorded yet."""
