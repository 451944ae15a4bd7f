"""A plan is carried out step by step, a step fails, and what was done is undone in the order the journal gives."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tallystick import Journal, Step, Undo

STEPS = [
    Step(
        id="folder",
        title="Make the folder",
        tool="make_folder",
        arguments={"path": "release"},
        cancellable="reversible",
        undo=Undo(tool="remove_folder", arguments={"path": "${result.path}"}),
    ),
    Step(
        id="page",
        title="Write the page",
        tool="write_page",
        arguments={"path": "release/index.html", "text": "hello"},
        cancellable="reversible",
        undo=Undo(tool="remove_page", arguments={"path": "${arguments.path}"}),
    ),
    Step(
        id="announce",
        title="Announce it",
        tool="announce",
        cancellable="irreversible",
        failure_policy="cancel_all",
    ),
]


class Tools:
    """Real tools in a folder. One of them fails, as tools do."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def use(self, tool: str, arguments: dict[str, Any]) -> Any:
        return getattr(self, tool)(**arguments)

    def make_folder(self, path: str) -> dict[str, str]:
        (self.folder / path).mkdir()
        return {"path": path}

    def remove_folder(self, path: str) -> None:
        (self.folder / path).rmdir()  # refuses while a page is in it: the order matters

    def write_page(self, path: str, text: str) -> None:
        (self.folder / path).write_text(text)

    def remove_page(self, path: str) -> None:
        (self.folder / path).unlink()

    def announce(self) -> None:
        raise ConnectionError("the mail server does not answer")


def main(folder: Path) -> None:
    tools = Tools(folder)
    with Journal.open(f"sqlite:///{folder}/journal.db") as journal:
        plan = journal.record_plan(title="Publish a page", steps=STEPS)
        for warning in plan.warnings:
            print("warning:", warning)

        status = journal.carry_out(plan, lambda step: tools.use(step["tool"], step.get("arguments", {})))
        execution = status.execution.id
        print("advice:", status.advice[0].text)

        decided = journal.record_decision(
            execution_id=execution, decision="unwind", why="nobody would hear of the page, and the plan says so"
        )
        for item in decided.owed:
            if item.undo is None:
                print("cannot be undone:", item.step, item.way)
                continue
            with journal.action(
                f"undo {item.step}",
                execution_id=execution,
                kind="undo",
                undoes=item.action_id,
                tool=item.undo.tool,
                arguments=item.undo.arguments,
            ):
                tools.use(item.undo.tool, item.undo.arguments)
                print("undone:", item.step)
        journal.record_decision(
            execution_id=execution, decision="done", why="the announcement failed before anything was sent"
        )
        assert not (folder / "release").exists()
        assert journal.list_owed(execution_id=execution).due == 0
        assert journal.get_status(execution_id=execution).execution.status == "cancelled"


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
