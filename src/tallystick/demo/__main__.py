"""`python -m tallystick.demo`."""

import sys

from tallystick.demo import main

sys.exit(main(sys.argv[1:]))
