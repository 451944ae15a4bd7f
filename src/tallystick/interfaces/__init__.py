"""The interfaces: protocols through which operations are called. Each is generated from the catalogue."""
