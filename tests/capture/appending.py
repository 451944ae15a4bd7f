"""A process that appends to a spool until it is told to stop: `python -m tests.capture.appending PATH NAME COUNT`.

It says on its output how far it came, after each record.
"""

import os
import sys

from tallystick.capture import spool


def main() -> None:
    path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    for number in range(count):
        spool.append(path, {"from": name, "number": number, "text": "x" * (number % 700)})
        os.write(1, b"%d\n" % number)


if __name__ == "__main__":
    main()
