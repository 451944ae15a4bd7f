"""The stores of entries. `interface` states what every store promises; the others implement it."""
