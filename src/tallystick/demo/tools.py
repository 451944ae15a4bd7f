"""The tools of the agents. Each does a real thing in the folder it runs in, and says what came of it."""

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tallystick.demo.server import LISTENING

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
    command = [sys.executable, "-m", "tallystick.demo.server", folder, state]
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
