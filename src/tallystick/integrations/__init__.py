"""Adapters for agent frameworks: one module each, which imports its framework. This package itself imports nothing."""
