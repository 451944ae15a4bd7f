"""Where entries live. `interface` says what a store promises; the others implement it."""
