"""A process that appends to a spool: `python -I -S spool_writer.py BUNDLE PATH NAME COUNT`, with the hook's bundle.

It prints its progress after each record.
"""

import os
import sys


def main() -> None:
    spool_path, path, name, count = *sys.argv[1:4], int(sys.argv[4])
    sys.path.insert(0, spool_path)
    from tallystick.capture.spool import file as spool_file

    for number in range(count):
        spool_file.append(path, {"from": name, "number": number, "text": "x" * (number % 700)})
        os.write(1, b"%d\n" % number)


if __name__ == "__main__":
    main()
