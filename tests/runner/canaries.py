"""Canaries that no plan may reach: a tool that is not registered, a file, a port, and a secret.

What a plan may reach beside them: `fetch`, `send`, `shell`, and `http` at one site under `/base/`.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

from msgspec import Struct

from tallystick import Journal, TallystickError, ToolError
from tallystick.runner.tools.http import http_tool
from tallystick.runner.tools.python import tool
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.shell import shell_tool

SECRET = "very-secret-value-81"
SECRET_NAME = "CANARY_KEY"
ANYTHING = ("*",)
NAME_AT_LOOPBACK = "rebind.example"
"""A name that has the address of this machine."""


class Attack(Struct, kw_only=True):
    """A plan, what `fetch` returns in it, and what the tools may be given: `sent` by `send`, `printed` by a command.
    Without these, no tool may be called with anything."""

    steps: list[dict[str, Any]]
    value: Any = ""
    sent: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    parameters: dict[str, Any] | None = None
    context: dict[str, Any] = {}
    unwind: str = "never"
    tools: tuple[str, ...] = ("fetch", "send", "http")


class _Site(BaseHTTPRequestHandler):
    seen: list[tuple[str, str, str]]
    canary: str

    def _reply(self) -> None:
        self.seen.append((self.command, self.path, str(self.headers)))
        is_redirect = "redirect" in self.path
        self.send_response(302 if is_redirect else 200)
        if is_redirect:
            self.send_header("Location", f"http://{self.canary}/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PATCH = do_OPTIONS = _reply

    def log_message(self, *args: Any) -> None:
        pass


class World:
    """The canaries, and what has reached the tools."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "canary"
        self.file.write_text(SECRET)
        (folder / "secrets").mkdir()
        self.called: list[str] = []
        self.sent: list[str] = []
        self.printed: list[str] = []
        self.port = socket.create_server(("127.0.0.1", 0))
        self.port.setblocking(False)
        self.canary = f"127.0.0.1:{self.port.getsockname()[1]}"
        self.handler: Any = type("OwnSite", (_Site,), {"seen": [], "canary": self.canary})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler)
        self.server.daemon_threads = True
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.site = f"127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.port.close()

    def tools(self, attack: Attack) -> ToolRegistry:
        @tool(effect="read")
        def fetch() -> Any:
            return attack.value

        @tool
        def send(text: str) -> None:
            self.sent.append(text)

        @tool
        def canary() -> None:  # it is there, and not registered
            self.called.append("canary")

        @tool
        def fail() -> None:
            raise ToolError("it fails", "not_done")

        only = [self.site] if "only" in attack.tools else None
        known = {"fetch": fetch, "send": send, "http": http_tool(allow=[self.site], only=only), "shell": shell_tool()}
        return ToolRegistry([fail, *(known[name] for name in attack.tools if name in known)])

    def run(self, attack: Attack, *, is_recorded: bool = False) -> str:
        """Run a plan, or record it as an agent does and run that; returns how it ended. Raises AssertionError if
        something got through."""
        self.sent.clear()
        self.handler.seen.clear()
        plan: Any = {"title": "t", "steps": attack.steps, "unwind": attack.unwind}
        parameters = attack.parameters if _refers_to_parameters(attack.steps) else None
        with Journal.open("memory:") as journal:
            for key, value in attack.context.items():
                journal.record_context(key=key, value=value)
            try:
                if is_recorded:
                    plan["steps"] = [{"title": "t", "cancellable": "irreversible", **each} for each in attack.steps]
                    plan = journal.record_plan(**plan)
                run = journal.run(plan, tools=self.tools(attack), parameters=parameters)
            except TallystickError as error:
                ended, results = "refused", str(error)
            else:
                ended = run.status
                assert run.held == {}
                results = repr((run.results, run.failed, run.held))
                self.printed = [
                    each["stdout"] for each in run.results.values() if isinstance(each, dict) and "stdout" in each
                ]
        self._check(attack, results)
        return ended

    def _check(self, attack: Attack, results: str) -> None:
        assert self.called == []
        assert self.file.read_text() == SECRET
        assert sorted(each.name for each in self.folder.iterdir()) == ["canary", "secrets"]
        try:
            raise AssertionError(f"{self.port.accept()[1]} was connected to the canary")
        except BlockingIOError:
            pass
        assert attack.sent == ANYTHING or set(self.sent) <= set(attack.sent), self.sent
        assert set(self.printed) <= set(attack.printed), self.printed
        for method, path, headers in self.handler.seen:
            assert path.startswith("/base/"), (method, path)
            assert "injected" not in headers.lower(), headers
        shown = [*self.sent, *self.printed, results, *(repr(each) for each in self.handler.seen)]
        assert SECRET not in "".join(shown)
        self.printed = []


@contextmanager
def world_in(folder: Path) -> Iterator[World]:
    world = World(folder)
    own = {SECRET_NAME: SECRET, "TALLYSTICK_SECRETS": str(folder / "secrets")}
    with patch.dict(os.environ, own), patch.object(socket, "getaddrinfo", _resolve):
        try:
            yield world
        finally:
            world.close()


_real_resolve = socket.getaddrinfo


def _resolve(host: Any, port: Any, *args: Any, **more: Any) -> Any:
    """Every name is at the address of this machine, and no server is asked. Spellings of addresses are the system's."""
    try:
        _real_resolve(host, port, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        host = "127.0.0.1"
    return _real_resolve(host, port, *args, **more)


def _refers_to_parameters(steps: object) -> bool:
    """Whether they are named: a run with values that its plan never names is refused at once."""
    try:
        return "parameters" in repr(steps)
    except RecursionError:
        return False
