"""Masking of secrets: standard library only, since the hook program takes this folder along."""
