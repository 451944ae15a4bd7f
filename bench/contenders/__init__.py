"""The compared programs: one module each, with a context manager `open_contender` that yields a `Contender`.

`python -m bench.contenders NAME ADDRESS` runs one of them (see `__main__`). Modules of other libraries can only be
imported in the environments of `bench.peers_python`.
"""
