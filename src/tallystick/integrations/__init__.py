"""Adapters of agent frameworks: one module each, which imports its framework. Nothing is imported from here."""
