"""Delivers entries to webhooks: which ones, as which message, in which order, and when again."""
