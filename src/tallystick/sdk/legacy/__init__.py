"""The calls of two earlier designs as operations: a table of names (`table`), and a small interpreter (`request`).

Arguments that no operation knows are recorded as text or data. Nothing of it is loaded before a legacy name is used.
"""
