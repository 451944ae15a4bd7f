"""A real web server for one release, as a process that outlives the agent which started it.

It says where it is in a state file and holds a lock on that file, which the system lets go of when the process is
gone. Its standard input comes from the demonstration: when that ends, however it ends, so does the server.
"""

import fcntl
import json
import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import Thread
from typing import Any

LISTENING = "listening"


class Release(ThreadingHTTPServer):
    """Serves on a free port of this machine only."""

    daemon_threads = True

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # HTTPServer's own asks for a domain name, which can take seconds
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]


class Pages(SimpleHTTPRequestHandler):
    """Files of a folder, without a word on the terminal."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


def serve(folder: str, state: str) -> None:
    with Release(("127.0.0.1", 0), partial(Pages, directory=folder)) as server, open(state, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        json.dump({"process": os.getpid(), "port": server.server_port}, file)
        file.flush()
        print(LISTENING, flush=True)
        Thread(target=_end_with_the_demonstration, daemon=True).start()
        server.serve_forever()


def _end_with_the_demonstration() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2])
