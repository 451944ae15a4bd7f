"""Import the records of another program in one commit: all or none."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tallystick import Journal, Record

LOG = "\n".join(
    json.dumps({"tool": "resize", "picture": f"photo-{number}.jpg", "worked": number % 10 != 3})
    for number in range(200)
)


def records(log: str) -> tuple[Record, ...]:
    """One record for the execution, then a begin and an end for each line. `@n` is the id that record n returned."""
    found = [Record("record_execution_start", {"title": "Resized elsewhere", "key": "import-1"})]
    for line in map(json.loads, log.splitlines()):
        begin = {
            "phase": "begin",
            "execution_id": "@0",
            "tool": line["tool"],
            "arguments": {"picture": line["picture"]},
            "effect": "idempotent",
        }
        found.append(Record("record_action", begin))
        outcome = "ok" if line["worked"] else "failed"
        found.append(Record("record_action", {"phase": "end", "action_id": f"@{len(found) - 1}", "outcome": outcome}))
    return tuple(found)


def main(folder: Path) -> None:
    with Journal.open(f"sqlite:///{folder}/journal.db", actor="importer") as journal:
        batch = journal.record_batch(records=records(LOG))
        stats = journal.get_stats()
        print(f"{len(batch.receipts)} records in one commit; actions: {stats.actions}, failures: {stats.failures}")
        assert stats.actions == {"ok": 180, "failed": 20}
        assert journal.verify().ok


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
