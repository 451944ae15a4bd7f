"""From the spool into the journal."""
