"""Where entries live. `port` says what a store promises; the others keep it."""
