"""Reports of one execution."""
