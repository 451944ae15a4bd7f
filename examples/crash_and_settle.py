"""A process dies between doing something and recording it. The next one finds the action in doubt and settles it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tallystick import InDoubtOpen, Journal


def pay(folder: Path) -> None:
    (folder / "receipt-17.txt").write_text("paid")


def die_in_the_middle(folder: Path) -> None:
    """The first agent pays, and is killed before it records that."""
    journal = Journal.open(f"sqlite:///{folder}/journal.db", actor="first")
    journal.record_execution_start(title="Pay the invoice")
    journal.record_action(phase="begin", tool="pay", arguments={"invoice": 17}, summary="pay invoice 17")
    pay(folder)
    os.kill(os.getpid(), signal.SIGKILL)


def settle(folder: Path) -> None:
    """The second agent, which would have paid again."""
    with Journal.open(f"sqlite:///{folder}/journal.db", actor="second") as journal:
        brief = journal.get_brief()
        print(brief.text)
        try:
            journal.record_action(phase="begin", execution_id=brief.execution_id, tool="pay", arguments={"invoice": 17})
        except InDoubtOpen as refusal:
            print("refused:", refusal)

        (doubt,) = journal.list_in_doubt().in_doubt
        paid = (folder / "receipt-17.txt").exists()
        ended = journal.record_action(
            phase="end",
            action_id=doubt.action_id,
            outcome="ok" if paid else "skipped",
            evidence="receipt-17.txt is there" if paid else "there is no receipt",
        )
        assert ended.state == "ok"
        assert journal.list_in_doubt().in_doubt == ()
        journal.record_decision(execution_id=brief.execution_id, decision="done", why="it was paid once")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        die_in_the_middle(Path(sys.argv[1]))
    else:
        with TemporaryDirectory() as folder:
            died = subprocess.run([sys.executable, __file__, folder], check=False)
            assert died.returncode == -signal.SIGKILL
            settle(Path(folder))
