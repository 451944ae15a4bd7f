"""The world of the demo: a bakery's web site in a folder, a real web server, and the tools of the agents."""

import fcntl
import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import closing, suppress
from functools import partial
from http.client import HTTPConnection
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tallystick.core.formats import fast_json

SPRING_PAGES = {
    "index.html": '<h1>Spring at the bakery</h1><p><a href="menu.html">Menu</a> <a href="prices.html">Prices</a></p>\n',
    "menu.html": "<h1>Menu</h1><p>Rhubarb tart, wild garlic bread</p>\n",
}
"""The pages that the agent writes. It links to prices.html and forgets to write it: an ordinary mistake."""

Result = dict[str, Any]


def build(folder: Path) -> None:
    """Make the site as the agents find it: the winter release is live."""
    (folder / "releases" / "winter").mkdir(parents=True)
    (folder / "releases" / "winter" / "index.html").write_text("<h1>Winter at the bakery</h1>\n")
    (folder / "run").mkdir()
    (folder / "current").symlink_to("releases/winter")


def picture(folder: Path) -> dict[str, str]:
    """Everything below a folder: each folder, each link with its target, each file with its digest."""
    return {str(path.relative_to(folder)): _describe(path) for path in folder.rglob("*")}


def _describe(path: Path) -> str:
    if path.is_symlink():
        return f"link to {path.readlink()}"
    return "folder" if path.is_dir() else f"file {hashlib.sha256(path.read_bytes()).hexdigest()}"


def serve(folder: str, state: str) -> None:
    """Serve a folder on a free port, until standard input, which comes from the demo, ends. Lock the state file."""
    pages = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), pages) as server, open(state, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(fast_json.dump({"process": os.getpid(), "port": server.server_port}))
        file.flush()
        print("listening", flush=True)
        Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.buffer.read()


def is_listening(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


def _server(state: Path) -> Result:
    """The content of the state file of a living server; empty if there is none."""
    with suppress(FileNotFoundError), open(state) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:  # the server holds the lock
            return dict(fast_json.parse(file.read()))
    return {}


def _get(port: int, path: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()


class Tools:
    """The tools of the agents. They work in the folder of the site, and return what they did."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def make_folder(self, path: str) -> Result:
        (self.folder / path).mkdir()
        return {"path": path}

    def delete_folder(self, path: str) -> Result:
        (self.folder / path).rmdir()  # fails if it is not empty, as when undoing in the wrong order
        return {"deleted": path}

    def write_files(self, folder: str, files: dict[str, str]) -> Result:
        for name, text in files.items():
            (self.folder / folder / name).write_text(text)
        return {"paths": [f"{folder}/{name}" for name in files]}

    def delete_files(self, paths: list[str]) -> Result:
        for path in paths:
            (self.folder / path).unlink()
        return {"deleted": len(paths)}

    def start_server(self, folder: str, state: str) -> Result:
        """Start the web server and wait until it listens. It has its own session, so it survives a killed agent."""
        command = [sys.executable, "-m", "tallystick.demo.world", folder, state]
        process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        if not process.stdout or process.stdout.readline() != b"listening\n":
            raise RuntimeError(f"the server for {folder} did not start")
        return {"server": _server(self.folder / state)}

    def look_for_server(self, state: str) -> Result:
        """Say whether the server runs, with the evidence. Changes nothing."""
        server = _server(self.folder / state)
        if not server:
            return {"server": None, "seen": f"no living process holds {state}"}
        status, text = _get(server["port"], "/")
        title = found[1] if (found := re.search(r"<h1>(.*?)</h1>", text)) else "no title"
        seen = f'process {server["process"]} holds {state}; GET / on port {server["port"]} answers {status} "{title}"'
        return {"server": server, "seen": seen}

    def stop_server(self, process: int, state: str) -> Result:
        if _server(self.folder / state).get("process") != process:
            raise RuntimeError(f"process {process} does not hold {state}")
        os.kill(process, signal.SIGTERM)
        with open(self.folder / state) as file:
            fcntl.flock(file, fcntl.LOCK_SH)  # granted when the process is gone
        (self.folder / state).unlink()
        return {"stopped": process}

    def point_link(self, link: str, target: str) -> Result:
        before = os.readlink(self.folder / link)
        (self.folder / "new").symlink_to(target)
        (self.folder / "new").replace(self.folder / link)
        return {"before": before, "target": target}

    def check_links(self, state: str) -> Result:
        """Follow each link of the first page, as a visitor would."""
        port = _server(self.folder / state)["port"]
        links = re.findall(r'href="(.*?)"', _get(port, "/")[1])
        for link in links:
            if (status := _get(port, f"/{link}")[0]) != 200:
                raise RuntimeError(f"GET /{link} answers {status}, and index.html links to it")
        return {"checked": links}


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2])
