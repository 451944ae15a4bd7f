"""How an operation is defined and carried out."""
