"""How the laws are tried: the same cases each time in CI, new ones elsewhere, and never against the clock."""

import os

from hypothesis import settings

settings.register_profile("laws", max_examples=60, deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("laws")
