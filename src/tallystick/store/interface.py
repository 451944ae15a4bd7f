"""What every store promises. The conformance suite proves each sentence for memory, SQLite and PostgreSQL alike.

A store holds journals; each is a dense sequence of entries with the rows folded from them. All reading and writing
is done by a function that is handed a consistent picture: a `View`, or a `Ledger` that can also be appended to.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from tallystick.core.chain import Head
from tallystick.core.entries import Draft, Entry
from tallystick.core.search import Query
from tallystick.core.state import Row, Session

R = TypeVar("R", bound=Row)
T = TypeVar("T")
Outcome = tuple[Any, BaseException | None]
"""What a work returned, or the error that it raised."""
WhereValue = str | int | tuple[str, ...]


class Select(Struct, frozen=True, kw_only=True):
    """Which rows of a table: equal to, or among, these values; in the order of their ids.

    `after` is the id that the page begins behind, and `until_id` the one that it ends before, in the order asked for.
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


class Lease(Struct, frozen=True):
    """Until when a session counts as alive if nothing else tells, on the store's clock."""

    session: str
    expires: int
    seconds: float


class Credential(Struct, frozen=True):
    """What somebody may do in a journal; only the hash of its secret is kept.

    It is worth nothing from `expires` on (0 is never), and if it names tasks it is for those only. `observes` lets
    its holder record what was seen, not only what is claimed.
    """

    name: str
    hash: str
    scopes: tuple[str, ...]
    revoked: bool = False
    expires: int = 0
    tasks: tuple[str, ...] = ()
    observes: bool = False


class View(Protocol):
    """A consistent picture of one journal. Nothing in it changes while it is looked at."""

    journal: str

    def now(self) -> int:
        """The store's clock in microseconds; never earlier than the last entry."""

    def head(self) -> Head:
        """The end of the journal."""

    def get(self, table: type[R], id: str) -> R | None:
        """One row by its id."""

    def find(self, table: type[R], select: Select) -> list[R]:
        """Rows in the order of their ids, at most `select.limit`."""

    def count(self, table: type[Row], column: str, where: Mapping[str, WhereValue]) -> dict[str, int]:
        """How many rows there are for each value of a column."""

    def effect_is_new(self, execution: str, effect_key: str) -> bool:
        """True only if no action of the execution has this effect; False may also mean that `find` has to tell."""

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        """Entries behind `after` in sequence order, or before it (0 is the end) when newest first."""

    def entry(self, seq: int) -> Entry | None:
        """One entry by its sequence number."""

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        """The bodies at these places; what was erased, or never there, is left out."""

    def search(self, query: Query, *, before: int = 0, limit: int) -> list[int]:
        """Places of entries that the query finds, newest first; it sees the newest entry."""

    def lease(self, session: str) -> Lease | None:
        """The lease of a session."""

    def is_over(self, session: Session) -> bool:
        """Whether a session has ended, died or run out of its lease, as of now."""

    def credentials(self) -> list[Credential]:
        """All credentials, revoked ones too."""


class Ledger(View, Protocol):
    """A view that can be appended to. What one function appends is kept all or none."""

    def append(self, draft: Draft) -> Entry:
        """Seal the draft after the last entry, fold it, and return the entry."""

    def renew(self, session: str, seconds: float, at: int = 0) -> Lease:
        """Let a session count as alive for so long from now, or from when it was last heard, if that was before."""

    def erase(self, seqs: Iterable[int]) -> None:
        """Destroy bodies, their salts, and what the search index holds of them, along with what is appended."""

    def put_credential(self, credential: Credential) -> None:
        """Add a credential, or replace the one of the same name."""


class Store(Protocol):
    """Where journals live.

    - What `write` returned is durable, and is there for every later reader in any process.
    - Commit order is sequence order: a reader that follows never passes a gap.
    - Entries are final: the store itself refuses to change or delete one.
    - The work handed to `write` or `read` may run more than once; only its last run counts.
    """

    def write(self, journal: str, work: Callable[[Ledger], T]) -> T:
        """Run `work` on the journal as it is now, and keep what it appended, all or none."""

    def is_free(self) -> bool:
        """Whether a write would begin at once, as far as can be told without waiting for anybody."""

    def write_all(self, journal: str, works: Sequence[Callable[[Ledger], Any]]) -> list[Outcome]:
        """Run several works in as few commits as can be. Each is kept or not by itself, as if it were alone."""

    def read(self, journal: str, work: Callable[[View], T]) -> T:
        """Run `work` on a consistent picture. It writes nothing; a journal nobody wrote in is empty."""

    def wait(self, journal: str, *, after: int, seconds: float) -> int:
        """Return as soon as the journal is longer than `after`, or the time is over; the length it has."""

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        """Stored bytes in order, for verifying and exporting."""

    def scrub(self, journal: str) -> Literal["done", "pending"]:
        """Make sure that no byte of an erased body is left in the store's files.

        Pending means that nothing can be read any more, but bytes may remain until some reader is done.
        """

    def secret(self, journal: str) -> bytes:
        """The journal's own key for digests, kept outside the entries; the same for ever."""

    def journals(self) -> list[str]:
        """The names of all journals."""

    def credential(self, hash: str) -> tuple[str, Credential] | None:
        """The credential with this hash, and the name of its journal, whichever that is."""

    def rebuild(self, journal: str) -> int:
        """Drop the rows and fold them again from the entries; returns how many entries there were."""

    def claim_process_lock(self) -> tuple[str, int]:
        """Show that this process lives, until it dies: where that is known (a host), and the lock to look at.

        The number of the lock is another one each time, also where there is nothing to look at.
        """

    def heartbeat(self, journal: str, session: str, lock: int, seconds: float) -> None:
        """Keep renewing the lease of a session of this process, until it ends or the store is closed.

        The lock is the one of its `claim`: a session of this id with another lock is another's, since ours was refused.

        For those who cannot see the lock of `claim`; a store that only one machine can use need not do anything.
        """

    def close(self) -> None:
        """Let go of everything. Closing twice is fine."""
