"""The MCP servers that are measured, each on its own store, filled with the same number of entries.

All stores have the same shape and content: the subject, an execution with a tenth of the entries that all calls are
about, and other executions that have ended.
"""

from __future__ import annotations

import json
import os
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import apsw

from bench import recording
from bench.contenders import rows
from bench.fill import PAIRS_OF_OTHERS, fill
from bench.mcp_client import NAME, Answer, Client
from bench.payload import TOOL, Half, begin_half, end_half, read_pair
from bench.processes import REPOSITORY
from tallystick import Journal

FILL_SECONDS = 600.0
"""Never reached: filling takes a quarter of a minute."""
OWED = 4
JOURNAL = "bench"
SUBJECT = "the subject"
SMALL = 10
"""The size at which a store is trimmed, if its server can do it."""


class Recorded(NamedTuple):
    """The seconds of a durable begin, and of the end after it."""

    begin: float
    end: float


class Server(ABC):
    """One server on one store. The store is filled by the constructor."""

    name: ClassVar[str]
    durability: ClassVar[str]
    record_as: ClassVar[str]

    def __init__(self, program: Sequence[str], folder: Path, entries: int) -> None:
        folder.mkdir()
        self.program = list(program)
        self.folder = folder
        self.entries = entries
        self.of_subject = entries - 2 if entries == SMALL else entries // 10
        self.others = (entries - self.of_subject) // (2 * PAIRS_OF_OTHERS)
        self.number = 0
        self.fill()

    def start(self) -> Client:
        """Start a process of the server, without the user's environment and files."""
        env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.folder), **self.variables()}
        return Client(self.command(), env, self.folder)

    def record(self, client: Client) -> Recorded:
        """Begin one more payment, and end it."""
        self.number += 1
        begun = self.begin(client, begin_half(self.number))
        return Recorded(begun.seconds, self.end(client, begun.result, end_half(self.number)).seconds)

    @abstractmethod
    def command(self) -> list[str]: ...

    def variables(self) -> dict[str, str]:
        return {}

    @abstractmethod
    def fill(self) -> None: ...

    @abstractmethod
    def begin(self, client: Client, half: Half) -> Answer: ...

    @abstractmethod
    def end(self, client: Client, begun: dict[str, Any], half: Half) -> Answer: ...

    @abstractmethod
    def tidy(self, client: Client) -> None:
        """After a turn of records, bring the store back to its size, if the server can."""


class Queried(Server):
    """A server that can also be queried; the floor only writes."""

    query_as: ClassVar[str]

    @abstractmethod
    def query(self, client: Client) -> Answer: ...


class Ours(Queried):
    name = "tallystick"
    durability = "SQLite, WAL, synchronous=FULL, durable before the answer"
    record_as = "record_action, phase=begin"
    query_as = "query_ledger, view=brief"

    def command(self) -> list[str]:
        return [*self.program, "mcp", "--url", self._url, "--journal", JOURNAL]

    def fill(self) -> None:
        with Journal.open(self._url, journal=JOURNAL) as journal:
            self.subject = fill(journal, self.entries, self.of_subject, FILL_SECONDS, OWED).execution

    def begin(self, client: Client, half: Half) -> Answer:
        return client.call("record_action", {"phase": "begin", "execution_id": self.subject, **half})

    def end(self, client: Client, begun: dict[str, Any], half: Half) -> Answer:
        return client.call("record_action", {"phase": "end", "action_id": begun["structuredContent"]["id"], **half})

    def query(self, client: Client) -> Answer:
        return client.call("query_ledger", {"execution_id": self.subject})

    def tidy(self, client: Client) -> None:
        """A journal only grows."""

    @property
    def _url(self) -> str:
        return recording.url_of(self.folder / "journal.db")


class Floor(Server):
    """The bare commit and the protocol: no server in Python on this disk can be much quicker."""

    name = "bare server"
    durability = "SQLite by bare apsw, WAL, synchronous=FULL, one row committed before the answer"
    record_as = "one row, committed"

    def command(self) -> list[str]:
        create = f"{rows.CREATE.format(autopk='integer primary key')}; {rows.INDEX}"
        script = str(REPOSITORY / "bench" / "mcp_floor.py")
        return [*self.program, "-I", script, str(self._path), create, rows.INSERT.format("?")]

    def fill(self) -> None:
        connection = apsw.Connection(str(self._path))
        connection.pragma("journal_mode", "wal")
        connection.execute(rows.CREATE.format(autopk="integer primary key"))
        connection.execute(rows.INDEX)
        numbered = enumerate(half for number in range(self.entries // 2) for half in read_pair(number))
        with connection:
            connection.executemany(
                rows.INSERT.format("?"), (("ex_", seq, "action", 0, json.dumps(half)) for seq, half in numbered)
            )
        connection.close()

    def begin(self, client: Client, half: Half) -> Answer:
        return client.call("record", {"phase": "begin", **half})

    def end(self, client: Client, begun: dict[str, Any], half: Half) -> Answer:
        return client.call("record", {"phase": "end", **half})

    def tidy(self, client: Client) -> None:
        """It grows as a journal does."""

    @property
    def _path(self) -> Path:
        return self.folder / "floor.db"


class Memory(Queried):
    """The official memory server. An action is an entity; its begin and its end are observations."""

    name = "memory server"
    durability = "one file of JSON lines, rewritten whole and renamed for each record, without an fsync"
    record_as = "create_entities with one entity"
    query_as = "open_nodes, the cheapest of its reads: the subject and four of its actions by name"

    def command(self) -> list[str]:
        return self.program

    def variables(self) -> dict[str, str]:
        return {"MEMORY_FILE_PATH": str(self.folder / "memory.jsonl")}

    def fill(self) -> None:
        lines = (json.dumps({"type": "entity", **entity}) for entity in self._entities())
        (self.folder / "memory.jsonl").write_text("\n".join(lines))

    def begin(self, client: Client, half: Half) -> Answer:
        return client.call("create_entities", {"entities": [_entity(self._recorded, half["tool"], half)]})

    def end(self, client: Client, begun: dict[str, Any], half: Half) -> Answer:
        added = {"entityName": self._recorded, "contents": [json.dumps(half)]}
        return client.call("add_observations", {"observations": [added]})

    def query(self, client: Client) -> Answer:
        return client.call("open_nodes", {"names": [SUBJECT, *(f"action {number}" for number in range(4))]})

    def tidy(self, client: Client) -> None:
        names = [f"payment {number}" for number in range(1, self.number + 1)]
        client.call("delete_entities", {"entityNames": names})

    @property
    def _recorded(self) -> str:
        return f"payment {self.number}"

    def _entities(self) -> Iterator[dict[str, Any]]:
        yield _entity(SUBJECT, "execution", {"title": SUBJECT})
        for number in range(self.entries // 2):
            begin, answered = read_pair(number)
            yield _entity(f"action {number}", begin["tool"], begin, answered)


class Continuum(Queried):
    """continuum-agent. An execution is a run, and an action is claimed and completed."""

    name = "continuum-agent"
    durability = "SQLite, WAL, synchronous=FULL, durable before the answer"
    record_as = "continuum_intercept_action, which claims it, under an explicit key"
    query_as = "continuum_resume"
    run = SUBJECT

    def command(self) -> list[str]:
        return [*self.program, "-m", "continuum.mcp", "--db", str(self._path)]

    def variables(self) -> dict[str, str]:
        return {"CONTINUUM_MCP_MUTATING_CLIENTS": NAME}

    def fill(self) -> None:
        counts = (self.of_subject // 2, self.others, PAIRS_OF_OTHERS)
        command = [*self.program, "-m", "bench.mcp_continuum", str(self._path), SUBJECT, *map(str, counts)]
        subprocess.run(command, cwd=REPOSITORY, check=True)

    def begin(self, client: Client, half: Half) -> Answer:
        claim = {"run_id": self.run, "action_type": TOOL, "arguments": half, "key": f"payment {self.number}"}
        return client.call("continuum_intercept_action", claim)

    def end(self, client: Client, begun: dict[str, Any], half: Half) -> Answer:
        claimed = json.loads(begun["content"][0]["text"])
        done = {"run_id": self.run, "action_key": claimed["action_key"], "result": half}
        return client.call("continuum_complete_action", done)

    def query(self, client: Client) -> Answer:
        return client.call("continuum_resume", {"run_id": self.run})

    def tidy(self, client: Client) -> None:
        if self.entries == SMALL:  # each call folds all of the run, so a small one must stay small
            self.run = f"{SUBJECT} {self.number}"
            client.call("continuum_record_progress", {"run_id": self.run, "completed": 0, "goal": "bench"})
            for _ in range(self.of_subject // 2):
                self.record(client)

    @property
    def _path(self) -> Path:
        return self.folder / "continuum.db"


def _entity(name: str, kind: str, *observed: Half) -> dict[str, Any]:
    return {"name": name, "entityType": kind, "observations": [json.dumps(each) for each in observed]}
