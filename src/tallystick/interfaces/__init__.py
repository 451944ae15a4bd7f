"""The doors: protocols through which operations are asked for. Each is projected from the catalogue, by rule."""
