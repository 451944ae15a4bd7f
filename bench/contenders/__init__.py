"""What is compared: one module each, with one context manager, `entered`, that yields a `Contestant`.

Run as `python -m bench.contenders NAME PLACE`, a contender takes its turns when asked (see `__main__`). The
modules of the peers import what only the peers' environment holds.
"""
