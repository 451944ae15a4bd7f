"""Edits of configuration files as text, so that every other byte stays."""
