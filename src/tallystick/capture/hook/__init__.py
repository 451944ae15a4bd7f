"""The hook program: standard library only, it is copied into the user's data folder."""
