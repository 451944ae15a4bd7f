"""A release that a runner carries out: build, approve, migrate with a probe, switch, smoke test, and unwind on failure.

The migration loses its connection after it has happened: its probe finds that, so it is not repeated. The first release
passes its smoke test. The second one does not, and is undone in the order of the undo list.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tallystick import Journal, ToolError, Undo, tool

FOLDER = Path(tempfile.mkdtemp(prefix="release-"))
SCHEMA, CURRENT = FOLDER / "schema", FOLDER / "current"


@tool(effect="idempotent", undo=Undo(tool="remove", arguments={"path": "${result.path}"}))
def build(version: str) -> dict[str, str]:
    page = FOLDER / version / "index.html"
    page.parent.mkdir(exist_ok=True)
    page.write_text("works" if version != "2.0" else "")
    return {"path": str(page)}


@tool(effect="idempotent")
def remove(path: str) -> None:
    Path(path).unlink(missing_ok=True)


def find_migration(to: int) -> bool:
    return SCHEMA.read_text() == str(to)


@tool(effect="probeable", probe=find_migration, undo=Undo(tool="migrate_back", arguments={"to": "${arguments.to}"}))
def migrate(to: int) -> None:
    SCHEMA.write_text(str(to))
    raise ToolError("the connection broke", "lost")  # it happened, and no answer came


@tool(effect="idempotent")
def migrate_back(to: int) -> None:
    SCHEMA.write_text(str(to - 1))


@tool(undo=Undo(tool="switch_back", arguments={"to": "${result.before}"}))
def switch(to: str) -> dict[str, str]:
    before = CURRENT.read_text()
    CURRENT.write_text(to)
    return {"before": before}


@tool(effect="idempotent")
def switch_back(to: str) -> None:
    CURRENT.write_text(to)


@tool(effect="read")
def smoke_test() -> str:
    page = (FOLDER / CURRENT.read_text() / "index.html").read_text()
    if not page:
        raise ToolError("the page is empty")
    return page


PLAN: dict[str, Any] = {
    "title": "Release",
    "parameters": {
        "type": "object",
        "required": ["version", "schema"],
        "properties": {"version": {"type": "string"}, "schema": {"type": "integer"}},
    },
    "unwind": "on-failure",
    "steps": [
        {"id": "build", "tool": "build", "arguments": {"version": "${parameters.version}"}},
        {"id": "migrate", "tool": "migrate", "arguments": {"to": "${parameters.schema}"}, "needs_approval": True},
        {"id": "switch", "tool": "switch", "arguments": {"to": "${parameters.version}"}},
        {"id": "smoke_test", "tool": "smoke_test"},
    ],
}
TOOLS = [build, remove, migrate, migrate_back, switch, switch_back, smoke_test]


def release(journal: Journal, person: Journal, version: str, schema: int) -> str:
    """Carry out the plan. It stops at the question, and goes on with the same key when a person has answered."""
    options: dict[str, Any] = {"parameters": {"version": version, "schema": schema}, "key": f"release {version}"}
    run = journal.run(PLAN, tools=TOOLS, **options)
    print(f"{version}: {run.status}, waiting: {', '.join(run.waiting)}")
    (question,) = person.list_approvals(status="pending").approvals
    person.decide_approval(approval_id=question.id, verdict="approve", reason="the backup is there")
    run = journal.run(PLAN, tools=TOOLS, **options)
    print(f"{version}: {run.status}, failed: {run.failed}, owed: {len(run.owed)}, current: {CURRENT.read_text()}")
    return run.status


def main() -> int:
    SCHEMA.write_text("1")
    CURRENT.write_text("1.0")
    url = os.fspath(FOLDER / "journal.db")
    with Journal.open(url, journal="release", actor="ci") as journal:
        secret = journal.add_credential(name="ann").secret  # a person keeps it where no agent reads it
        with Journal.open(url, journal="release", actor="ann", credential=secret) as person:
            first = release(journal, person, "1.1", 2)
            second = release(journal, person, "2.0", 3)
    assert (first, second) == ("completed", "cancelled")
    assert (CURRENT.read_text(), SCHEMA.read_text()) == ("1.1", "2")
    assert not (FOLDER / "2.0" / "index.html").exists()
    print("2.0 was undone: 1.1 is current, with schema 2")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(FOLDER)
