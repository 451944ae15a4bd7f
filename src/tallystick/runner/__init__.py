"""Carries out the steps of a plan through registered tools, when asked to. The journal stays the truth."""
