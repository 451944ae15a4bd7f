"""Pure values and rules of the journal: no IO, clock, randomness, logging or async in this package."""
