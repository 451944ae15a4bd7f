"""The contract of a store. The conformance suite proves each sentence for memory, SQLite and PostgreSQL alike.

A store holds journals; each is a dense sequence of entries with the rows folded from them. All reading and writing
is done by a function that receives a consistent snapshot: a `View`, or a `Ledger` that can also be appended to.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core.chain import Head
from tallystick.core.entries import CredentialAdded, CredentialRevoked, Draft, Entry
from tallystick.core.formats.search import Query
from tallystick.core.state import Row, Session

R = TypeVar("R", bound=Row)
T = TypeVar("T")
Outcome = tuple[Any, BaseException | None]
"""The result of one piece of work, or the error that it raised."""
CLOCK_STEPS = "clock"
"""Entries whose clock is behind the entry before are indexed as if they were an execution of this name."""


class WouldWait(Exception):
    """Another program or thread writes, so that a write which does not wait has done nothing."""


class Present(Struct, frozen=True):
    """As a value in `Select.where`: any text but the empty one."""


PRESENT = Present()
WhereValue = str | int | tuple[str, ...] | Present


class Select(Struct, frozen=True, kw_only=True):
    """Selects rows of a table by column values, in the order of their ids. A tuple in `where` matches any item of it,
    `PRESENT` any text but the empty one.

    `after` is the id that the page begins behind, and `until_id` the one that it ends before, in the requested order.
    `since` and `until` bound the column `at`.
    """

    where: Mapping[str, WhereValue] = {}
    since: int | None = None
    until: int | None = None
    newest_first: bool = True
    after: str = ""
    until_id: str = ""
    limit: int = 50


class StoredEntry(Struct, frozen=True):
    """An entry's exact bytes as they are stored, with its body and salt unless they were erased."""

    seq: int
    line: bytes
    hash: str
    body: str | None
    salt: bytes | None


class Found(Struct, frozen=True):
    """Sequence numbers that a search found. It looked at all entries behind `before`; 0 stands for all."""

    seqs: list[int]
    before: int = 0


class Lease(Struct, frozen=True):
    """The time until which a session counts as alive when its process cannot be seen, on the store's clock."""

    session: str
    expires: int
    seconds: float


class StoredDocument(Struct, frozen=True):
    """Text beside the entries that may change, such as a webhook's address or its position. It is not derived."""

    kind: str
    id: str
    content: str


class Credential(Struct, frozen=True):
    """The scopes that a token grants in a journal; only the hash of the token is stored. `seq` is its entry.

    It is rejected from `expires` on (0 means never). If it names tasks, it is limited to those. `observes` permits
    entries with the witness `observed`.
    """

    name: str
    hash: str
    scopes: tuple[str, ...]
    revoked: bool = False
    expires: int = 0
    tasks: tuple[str, ...] = ()
    observes: bool = False
    seq: int = 0


def fold_credential(known: dict[str, Credential], entry: Entry) -> None:
    """Apply an entry to the credentials, by name."""
    facts = entry.facts
    if isinstance(facts, CredentialAdded):
        known[facts.name] = Credential(
            name=facts.name,
            hash=facts.secret_hash,
            scopes=facts.scopes,
            expires=facts.expires,
            tasks=facts.tasks,
            observes=facts.observes,
            seq=entry.seq,
        )
    elif isinstance(facts, CredentialRevoked) and facts.name in known:
        known[facts.name] = replace(known[facts.name], revoked=True)


def is_proved(credential: Credential, entry: Entry | None) -> bool:
    """Whether a stored credential is the one that its entry made. Only `verify` proves that it was not revoked."""
    made: dict[str, Credential] = {}
    if entry is not None:
        fold_credential(made, entry)
    expected = made.get(credential.name)
    if expected is None or (expected.hash and expected.hash != credential.hash):
        return False
    return replace(expected, hash=credential.hash, revoked=credential.revoked) == credential


class View(Protocol):
    """A consistent snapshot of one journal. Nothing in it changes while it is read."""

    journal: str

    def now(self) -> int:
        """The store's clock of now in microseconds, whatever the last entry says: that clock may have been wrong."""

    def head(self) -> Head:
        """The end of the journal."""

    def get(self, table: type[R], id: str) -> R | None:
        """One row by its id."""

    def find(self, table: type[R], select: Select) -> list[R]:
        """Rows in the order of their ids, at most `select.limit`."""

    def count(self, table: type[Row], where: Mapping[str, WhereValue], limit: int) -> int:
        """The number of rows, counted up to `limit`."""

    def values(self, table: type[Row], column: str, where: Mapping[str, WhereValue]) -> set[str]:
        """The different values of a column. The cost grows with the rows."""

    def effect_is_new(self, execution: str, effect_key: str) -> bool:
        """True only if no action of the execution has this effect key. On False, check with `find`."""

    def may_be_unsettled(self, effect_key: str | None) -> bool:
        """False only if no action of the journal that is open or in doubt has this effect key, or any for None."""

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        """Entries behind `after` in sequence order, or before it (0 is the end) when newest first."""

    def entry(self, seq: int) -> Entry | None:
        """One entry by its sequence number."""

    def clock_steps(self, limit: int) -> list[Entry]:
        """The entries that are `behind` the one before, newest first. Between two of them, times never go back."""

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        """The bodies of these entries by sequence number, without those that were erased, never existed or are not
        what their entry commits to."""

    def altered_bodies(self, seqs: Iterable[int]) -> set[int]:
        """Those of these entries that have a stored body which is not the one that the entry commits to."""

    def search(self, query: Query, *, after: int = 0, before: int = 0, limit: int) -> Found:
        """Entries between two sequence numbers that match the query, newest first. The newest entry is included.

        The work is bounded: fewer than `limit` may be found although there are more.
        """

    def lease(self, session: str) -> Lease | None:
        """The lease of a session."""

    def is_over(self, session: Session) -> bool:
        """Whether a session has ended, died or run out of its lease, as of now."""

    def silent_since(self, session: Session, seen: int = 0) -> int:
        """Since when a living process has given no sign of life, because it is stopped or stuck; 0 if it gives one. It
        was seen alive at `seen`."""

    def document(self, kind: str, id: str) -> str:
        """The content of a document; empty if there is none."""

    def documents(self, kind: str, *, after: str = "", limit: int) -> list[StoredDocument]:
        """Documents of a kind in the order of their ids, behind `after`."""

    def credentials(self) -> list[Credential]:
        """All credentials, revoked ones too, without those that their entry does not prove."""


class Ledger(View, Protocol):
    """A view that can be appended to. All entries that one function appends are stored, or none."""

    def append(self, draft: Draft) -> Entry:
        """Seal the draft after the last entry, fold it, and return the entry. Credentials follow from their entries."""

    def renew(self, session: str, seconds: float, at: int = 0) -> Lease:
        """Extend a session's lease by `seconds` from now, or from `at` (its last sign of life) if that is earlier."""

    def put_document(self, kind: str, id: str, content: str) -> None:
        """Write a document, or delete it if its content is empty, in the same transaction as the appended entries."""

    def erase(self, seqs: Iterable[int]) -> None:
        """Delete bodies, their salts and their indexed words, in the same transaction as the appended entries."""


class StoredRow(Struct, frozen=True):
    """A row as it is stored: the columns that it can be found by, and the whole of it as JSON."""

    id: str
    columns: tuple[Any, ...]
    doc: str


class Snapshot(Protocol):
    """One journal as it is stored at one moment, for verifying. Nothing is corrected or left out."""

    def head(self) -> Head:
        """The end of the journal."""

    def flushed(self) -> int:
        """The sequence number up to which the rows are said to be written."""

    def indexed(self) -> int:
        """The sequence number up to which the words are said to be indexed."""

    def stored_entries(self, *, after: int, limit: int) -> Sequence[StoredEntry]:
        """Stored bytes in order."""

    def stored_rows(self, table: type[Row], *, after: str, limit: int) -> Sequence[StoredRow]:
        """Rows in the order of their ids."""

    def execution_index(self, *, after: tuple[str, int], limit: int) -> Sequence[tuple[str, int]]:
        """Executions with the sequence numbers of their entries, in order."""

    def credentials(self) -> list[Credential]:
        """All credentials, also those that no entry proves."""

    def leased_sessions(self) -> list[str]:
        """The ids of all sessions that have a lease."""

    def body_after(self, seq: int) -> int:
        """The sequence number of a body that is stored behind this entry; 0 if there is none."""


class Store(Protocol):
    """A store of journals.

    - What `write` returned is durable, and is there for every later reader in any process.
    - Commit order is sequence order: a reader that follows never passes a gap.
    - Entries are final: the store itself refuses to change or delete one.
    - The work handed to `write` or `read` may run more than once; only its last run counts.
    """

    is_on_this_machine: bool
    """Whether a read waits for no other machine."""

    def write(self, journal: str, work: Callable[[Ledger], T]) -> T:
        """Run `work` on the journal as it is now, and store what it appended, all or none."""

    def is_free(self) -> bool:
        """Whether a write would begin at once, as far as this can be known without waiting."""

    def write_all(self, journal: str, works: Sequence[Callable[[Ledger], Any]], *, waits: bool = True) -> list[Outcome]:
        """Run several pieces of work in as few commits as possible. Each succeeds or fails on its own.

        If `waits` is false and somebody else writes, the error of each may be WouldWait: it has not run.
        """

    def read(self, journal: str, work: Callable[[View], T]) -> T:
        """Run `work` on a consistent snapshot. It writes nothing; a journal without entries is empty."""

    def wait(self, journal: str, *, after: int, seconds: float) -> int:
        """Wait until the journal is longer than `after`, or the time is over; returns its length."""

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        """Stored bytes in order, for verifying and exporting."""

    def inspect(self, journal: str, work: Callable[[Snapshot], T]) -> T:
        """Run `work` on the journal as it is stored at one moment."""

    def scrub(self, journal: str) -> Literal["done", "pending"]:
        """Remove every byte of erased bodies from the store's files.

        "pending" means that no query returns them any more, but bytes may remain until an older reader has finished.
        """

    def secret(self, journal: str) -> bytes:
        """The journal's own key for digests, stored outside the entries. It never changes."""

    def journals(self) -> list[str]:
        """The names of all journals."""

    def orphans(self) -> list[int]:
        """The numbers of journals that have entries and have lost the row with their name: `rebuild` writes it."""

    def credential(self, hash: str) -> tuple[str, Credential] | None:
        """The credential with this hash in any journal, with the name of that journal."""

    def rebuild(self, journal: str) -> int:
        """Delete the rows and fold them again from the entries; returns the number of entries."""

    def flush(self, journal: str) -> int:
        """Write the rows of the newest entries, if some are not written yet; returns of how many entries."""

    def load(self, journal: str, source: "Store") -> int:
        """Copy a journal of another store with its exact bytes, key and credentials; returns the number of entries.

        All is copied or nothing. Raises WrongState if the journal has entries here.
        """

    def claim_process_lock(self) -> tuple[str, int]:
        """Take a lock that is held until this process ends; returns the host that can see it, and the lock's number.

        The number differs each time, also in a store without lock files.
        """

    def heartbeat(self, journal: str, session: str, lock: int, seconds: float) -> None:
        """Renew the lease of a session of this process, until the session ends or the store is closed.

        `lock` is the session's process lock: a session with the same id and another lock belongs to another process.
        Other machines cannot see the lock and need the lease; a store for one machine need not do anything.
        """

    def close(self) -> None:
        """Release all connections and threads. Closing twice is fine."""
