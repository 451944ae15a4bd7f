"""The hook, killed at its n-th use of the system: `python -I -S killed.py N RUN CLIENT`.

Before the use, and a write in the middle: half of what it has to write is written.
"""

import fcntl
import os
import signal
import sys
from typing import Any

USES = ("open", "read", "pread", "fstat", "write", "fsync", "urandom", "close")
_left = int(sys.argv[1])


def _counted(use: Any, name: str) -> Any:
    def counted(*arguments: Any, **named: Any) -> Any:
        global _left
        _left -= 1
        if _left <= 0:
            if name == "write":
                use(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return use(*arguments, **named)

    return counted


for each in USES:
    setattr(os, each, _counted(getattr(os, each), each))
fcntl.flock = _counted(fcntl.flock, "flock")
path = sys.argv[2]
sys.argv = sys.argv[2:]
with open(path) as file:
    exec(compile(file.read(), path, "exec"), {"__name__": "__main__", "__file__": path})
