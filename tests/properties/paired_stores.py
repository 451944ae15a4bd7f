"""One journal in two stores: in memory, which is the model, and in a real store. Every call goes to both.

With the same clock, salts and key both write the very same bytes, so answers, refusals, entries and rows are compared
as they are, ids and hashes too.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from tallystick.core import chain
from tallystick.core.chain import Head
from tallystick.core.errors import TallystickError
from tallystick.core.state import TABLES, Row
from tallystick.core.types import Actor, Witness
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.access import credential_hash
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.receipts import EraseReceipt
from tallystick.sdk.journal import Journal
from tallystick.settings import Settings
from tallystick.store import memory, uncommitted_changes
from tallystick.store.interface import Ledger, Select, Store, StoredEntry
from tallystick.store.memory import MemoryStore
from tallystick.store.postgres.store import PostgresStore
from tallystick.store.sql import store as sql_store
from tallystick.store.sqlite.store import SqliteStore
from tallystick.store.uncommitted_changes import Batch, BatchLedger
from tests.drivers import Local
from tests.sql_views import check_views
from tests.store.drafts import credential
from tests.stores import AnyStore, Clock, Home

T = TypeVar("T")
CREDENTIAL = "a person's secret"
ALL = 1_000_000
OPENINGS = 2
"""How many times the real store is open at once: as in two processes, neither knows what the other has in memory."""


@contextmanager
def same_salts() -> Iterator[None]:
    """Bodies are committed to with the same salt in every store, so that equal entries have equal hashes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "urandom", bytes)
        patch.setattr(sql_store, "urandom", bytes)
        patch.setattr(uncommitted_changes, "urandom", bytes)
        yield


class Hesitant(MemoryStore):
    """A memory store that runs all work twice and forgets the first time, as every store may."""

    def write(self, journal: str, work: Callable[[Ledger], T]) -> T:
        with suppress(TallystickError):
            self.read(journal, lambda view: work(BatchLedger(Batch(view, bytes))))
        return super().write(journal, work)


class Twins:
    """Both stores, and the desks of each agent at each."""

    def __init__(self, home: Home, journal: str) -> None:
        self.home = home
        self.clock = Clock()
        self.settings = Settings(url="", journal=journal, actor="agent")
        self.model = Hesitant(self.clock)
        self.reals: list[AnyStore] = []
        self.contexts: dict[tuple[str, Witness, int], tuple[Journal, Journal]] = {}
        self.seen: list[StoredEntry] = []
        self.head = chain.genesis(journal)
        self.counts: dict[str, int] = {}
        self.met: Counter[str] = Counter()
        self.refusal = ""
        self.reopen()
        self.model._journal(journal).secret = self.real.secret(journal)
        person = credential("ada", credential_hash(CREDENTIAL), "approve", "admin")
        for store in (self.model, self.real):
            store.write(journal, lambda ledger: ledger.append(person))

    @property
    def real(self) -> AnyStore:
        return self.reals[0]

    @property
    def journal(self) -> str:
        return self.settings.journal

    def call(self, session: str, witness: Witness, opening: int, name: str, arguments: dict[str, Any]) -> Any:
        """Ask both for an operation; the answer that both gave, or None when both refused for the same reason."""
        model, real = (_outcome(journal, name, arguments) for journal in self._journals(session, witness, opening))
        assert real == model, f"{name}({arguments})\n  model: {model}\n  real:  {real}"
        self._compare_new()
        refused = isinstance(model, dict)
        self.refusal = model["message"] if refused else ""
        self.met[f"refused: {model['code']}" if refused else name] += 1
        return None if refused else model

    def reopen(self) -> None:
        """Close the real store and open it again, with nothing left in memory."""
        self.close()
        self.reals = [self.home.open(clock=self.clock) for _ in range(OPENINGS)]
        self.contexts.clear()

    def close(self) -> None:
        for store in self.reals:
            store.close()
        self.reals = []

    def rebuild(self) -> None:
        """The state that was folded during writing equals that of folding all entries again."""
        before = _rows(self.real, self.journal)
        assert before == _rows(self.model, self.journal)
        self.real.rebuild(self.journal)
        assert _rows(self.real, self.journal) == before

    def check_views(self) -> None:
        """The SQL views show what the operations answer."""
        assert isinstance(self.real, SqliteStore | PostgresStore)
        _, journal = self._journals("", "claimed", 0)
        self.met += Counter(
            {f"rows of {view}": rows for view, rows in check_views(self.real, journal, self.journal).items()}
        )

    def check_history(self) -> None:
        """Every entry that was ever seen is there with the bytes it had; only bodies may have been erased."""
        stored = list(self.real.stored_entries(self.journal, after=0, limit=ALL))
        assert stored == list(self.model.stored_entries(self.journal, after=0, limit=ALL))
        assert [(each.seq, each.line, each.hash) for each in stored] == [
            (each.seq, each.line, each.hash) for each in self.seen
        ]
        for now, then in zip(stored, self.seen, strict=True):
            assert (now.body, now.salt) in ((then.body, then.salt), (None, None))

    def _compare_new(self) -> None:
        """New entries are dense, chained and the same in both stores; no older one is gone."""
        fresh = list(self.real.stored_entries(self.journal, after=self.head.seq, limit=ALL))
        assert fresh == list(self.model.stored_entries(self.journal, after=self.head.seq, limit=ALL))
        for each in fresh:
            entry = chain.check(self.head, each.line, each.hash)
            self.head = Head(entry.seq, entry.hash, entry.at)
        self.seen += fresh
        counts = {table.TABLE: len(_all(self.model, self.journal, table)) for table in TABLES}
        assert all(counts[name] >= count for name, count in self.counts.items())
        self.counts = counts

    def _journals(self, session: str, witness: Witness, opening: int) -> tuple[Journal, Journal]:
        key = (session, witness, opening)
        if key not in self.contexts:
            principal = Principal(actor=Actor(name="agent"), witness=witness, session=session, credential=CREDENTIAL)
            stores: tuple[Store, Store] = (self.model, self.reals[opening])
            model, real = (Journal(Local(OperationContext(store, self.settings, principal))) for store in stores)
            self.contexts[key] = (model, real)
        return self.contexts[key]


def _outcome(journal: Journal, name: str, arguments: dict[str, Any]) -> Any:
    """The result of a call, or the text of its error."""
    verb: Callable[..., Any] = getattr(journal, name)
    assert name in CATALOGUE
    try:
        answer = verb(**arguments)
    except TallystickError as error:
        return error.as_dict()
    # How soon the bytes are gone from the disk is the store's own affair.
    return replace(answer, state="done") if isinstance(answer, EraseReceipt) else answer


def _rows(store: Store, journal: str) -> dict[str, list[Any]]:
    return {table.TABLE: _all(store, journal, table) for table in TABLES}


def _all(store: Store, journal: str, table: type[Row]) -> list[Any]:
    return store.read(journal, lambda view: view.find(table, Select(limit=ALL)))
