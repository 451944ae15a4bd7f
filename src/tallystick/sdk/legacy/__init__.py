"""The calls of two earlier designs as operations: a table (`table`), and what each call becomes (`calls`)."""
