"""The least that is worth having: two actions with their undos, and what the journal knows afterwards."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tallystick import Journal, Undo


def main(folder: Path) -> None:
    with Journal.open(f"sqlite:///{folder}/journal.db", actor="release-agent") as journal:
        with journal.execution("Move the site") as execution:
            with execution.action(
                "make a folder for it",
                tool="mkdir",
                arguments={"path": "new"},
                cancellable="reversible",
                undo=Undo(tool="rmdir", arguments={"path": "${result.path}"}),
            ) as made:
                (folder / "new").mkdir()
                made.result = {"path": "new"}
            with execution.action("count the visitors", tool="count", effect="read") as counted:
                counted.result = 41

        print(journal.get_brief().text)
        for item in journal.list_owed().owed:
            print("to undo it:", item.undo)
            assert item.undo is not None
            assert item.undo.arguments == {"path": "new"}
        assert journal.verify().ok


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
