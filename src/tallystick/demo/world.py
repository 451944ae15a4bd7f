"""The world of the demonstration: a bakery's web site, as real files in a folder."""

import fcntl
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from threading import Thread
from typing import Any

SERVER_STATE = "run/server.json"
"""Where a running web server says its process and port; it holds a lock on this file for as long as it lives."""

_WINTER = '<h1>Winter at the bakery</h1><p><a href="menu.html">Menu</a></p>\n'
SPRING_PAGES = {
    "index.html": '<h1>Spring at the bakery</h1><p><a href="menu.html">Menu</a> <a href="prices.html">Prices</a></p>\n',
    "menu.html": "<h1>Menu</h1><p>Rhubarb tart, wild garlic bread</p>\n",
}
"""What the agent writes. It links to prices.html and forgets to write it: an ordinary mistake."""


def build(folder: Path) -> None:
    """The site as the agents find it: the winter release is live."""
    winter = folder / "releases" / "winter"
    winter.mkdir(parents=True)
    (winter / "index.html").write_text(_WINTER)
    (winter / "menu.html").write_text("<h1>Menu</h1><p>Ginger bread, rye bread</p>\n")
    (folder / "run").mkdir()
    (folder / "current").symlink_to("releases/winter")


def picture(folder: Path) -> dict[str, str]:
    """Everything in a folder: each folder, each link and where it points, each file by its content."""
    found: dict[str, str] = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            found[str(path.relative_to(folder))] = _kind(path)
    return found


def _kind(path: Path) -> str:
    if path.is_symlink():
        return f"link to {path.readlink()}"
    if path.is_dir():
        return "folder"
    return f"file {hashlib.sha256(path.read_bytes()).hexdigest()}"


# ----------------------------------------------------------------------------------------------------------------------
# A real web server for one release, as a process that outlives the agent which started it.
#
# It says where it is in a state file and holds a lock on that file, which the system lets go of when the process is
# gone. Its standard input comes from the demonstration: when that ends, however it ends, so does the server.

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


# ----------------------------------------------------------------------------------------------------------------------
# The tools of the agents. Each does a real thing in the folder it runs in, and says what came of it.

Result = dict[str, Any]


class Failed(Exception):
    """A tool could not do what it was asked to."""


def make_folder(path: str) -> Result:
    Path(path).mkdir()
    return {"path": path}


def delete_folder(path: str) -> Result:
    """Only an empty one: whoever undoes in the wrong order meets an error."""
    Path(path).rmdir()
    return {"deleted": path}


def write_files(folder: str, files: dict[str, str]) -> Result:
    for name, text in files.items():
        Path(folder, name).write_text(text)
    return {"paths": [f"{folder}/{name}" for name in files]}


def delete_files(paths: list[str]) -> Result:
    for path in paths:
        Path(path).unlink()
    return {"deleted": len(paths)}


def start_server(folder: str, state: str) -> Result:
    """Returns when the server listens. It is in a session of its own, so that killing the agent leaves it alone."""
    command = [sys.executable, "-m", "tallystick.demo.world", folder, state]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    if process.stdout.readline().strip() != LISTENING:
        raise Failed(f"the server for {folder} did not start")
    return {"server": _state(state)}


def look_for_server(state: str) -> Result:
    """Whether a server runs, and how that was seen. Changes nothing."""
    if not is_held(state):
        return {"running": False, "seen": f"no living process holds {state}"}
    server = _state(state)
    status, text = _get(server["port"], "/")
    title = found[1] if (found := re.search(r"<h1>(.*?)</h1>", text)) else "no title"
    seen = f'process {server["process"]} holds {state}; GET / on port {server["port"]} answers {status} "{title}"'
    return {"running": True, "server": server, "seen": seen}


def stop_server(process: int, state: str) -> Result:
    if not is_held(state) or _state(state)["process"] != process:
        raise Failed(f"process {process} does not hold {state}")
    os.kill(process, signal.SIGTERM)
    with open(state) as file:
        fcntl.flock(file, fcntl.LOCK_SH)  # the system grants it when the process is gone
    Path(state).unlink()
    return {"stopped": process}


def point_link(link: str, target: str) -> Result:
    before = os.readlink(link)
    os.symlink(target, f"{link}.new")
    os.replace(f"{link}.new", link)
    return {"before": before, "target": target}


def check_links(state: str) -> Result:
    """Follow each link of the first page, as a visitor would."""
    port = _state(state)["port"]
    status, text = _get(port, "/")
    if status != 200:
        raise Failed(f"GET / answers {status}")
    links = re.findall(r'href="(.*?)"', text)
    for link in links:
        status, _ = _get(port, f"/{link}")
        if status != 200:
            raise Failed(f"GET /{link} answers {status}, and index.html links to it")
    return {"checked": links}


def answers(port: int) -> bool:
    """Whether anything listens on a port of this machine."""
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


def is_held(state: str) -> bool:
    """Whether a living process holds the lock on a state file."""
    try:
        with open(state) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _state(path: str) -> Result:
    state: Result = json.loads(Path(path).read_text())
    return state


def _get(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


TOOLS: dict[str, Callable[..., Result]] = {
    tool.__name__: tool
    for tool in (
        make_folder,
        delete_folder,
        write_files,
        delete_files,
        start_server,
        look_for_server,
        stop_server,
        point_link,
        check_links,
    )
}


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2])
