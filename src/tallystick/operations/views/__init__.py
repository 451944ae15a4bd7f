"""Reads that are computed from several rows."""
