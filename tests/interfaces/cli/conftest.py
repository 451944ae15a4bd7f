"""A shell that runs commands in this process, over one journal in memory."""

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tallystick import Journal
from tallystick.interfaces import cli
from tallystick.interfaces.cli import Result

PLAN = [
    {"id": "copy", "title": "Copy the files", "cancellable": "reversible", "undo": "delete the copy", "tool": "cp"},
    {"id": "pay", "title": "Pay", "cancellable": "irreversible", "tool": "pay", "needs_approval": True},
]


class Shell:
    """Runs commands. All of them use the same journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def __call__(self, *argv: str, stdin: str = "", env: Mapping[str, str] | None = None) -> Result:
        data_home = {"XDG_DATA_HOME": os.environ["XDG_DATA_HOME"]}  # not the folder of this user's own hooks
        return cli.run(argv, stdin=stdin, env={**data_home, **(env or {})}, caller=self.journal.caller)

    def output(self, *argv: str, stdin: str = "") -> str:
        """The output of a command that succeeds."""
        result = self(*argv, stdin=stdin)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    def json(self, *argv: str, stdin: str = "") -> Any:
        """The JSON of a command that succeeds."""
        return json.loads(self.output(*argv, "--json", stdin=stdin))

    def work(self) -> tuple[str, str, str]:
        """A plan, an execution of it, and an action of its first step that ended well."""
        plan = self.json("record", "plan", "--title", "Move the site", "--steps", json.dumps(PLAN))["id"]
        execution = self.json("record", "execution-start", "--plan-id", plan)["id"]
        action = self.json("record", "action", "begin", "--step", "copy", "--tool", "cp", "--summary", "copying")["id"]
        self.output("record", "action", "end", "--action-id", action, "--outcome", "ok", "--result", '{"path": "/x"}')
        return plan, execution, action


@pytest.fixture
def shell() -> Iterator[Shell]:
    with Journal.open("memory:", journal="tests", actor="ada") as journal:
        yield Shell(journal)
