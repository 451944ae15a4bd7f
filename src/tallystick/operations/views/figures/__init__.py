"""Figures of a journal: counts as of now, and figures over time."""
