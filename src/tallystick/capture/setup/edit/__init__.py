"""Edits in the text of other programs' files."""
