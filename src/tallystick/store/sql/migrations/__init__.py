"""The schema, as numbered SQL files that only ever go forward."""
