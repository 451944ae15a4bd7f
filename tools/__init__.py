"""Programs for those who work on Tallystick."""
