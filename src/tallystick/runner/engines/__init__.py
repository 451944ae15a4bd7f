"""Engines: each delivers "step S of execution X" to a worker, at least once."""
