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
        undo=Undo(tool="remove_folder", arguments={"path": "${result.path}"}),
    ),
    Step(
        id="page",
        title="Write the page",
        tool="write_page",
        arguments={"path": "release/index.html", "text": "hello"},
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

        try:
            journal.carry_out(plan, lambda step: tools.use(step.tool, step.arguments), key="publish")
        except ConnectionError as error:
            print("failed:", error)
        status = journal.get_status()
        print("advice:", status.advice[0].text)

        undo_tools = {"remove_folder": tools.remove_folder, "remove_page": tools.remove_page}
        unwound = journal.unwind(status.execution.id, undo_tools, why="nobody would hear of the page")
        print("undone:", len(unwound.undone))
        for left in unwound.left:
            print("left:", left.item.step, left.reason)
        assert unwound.status == "cancelled"
        assert not (folder / "release").exists()


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
