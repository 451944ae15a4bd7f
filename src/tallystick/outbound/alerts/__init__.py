"""Tells people of alerts: what changed since the last message, and the channels that take it there."""
