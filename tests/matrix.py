"""The cells in which behaviour tests run: every store in process, and every interface on SQLite."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tallystick import Actor, Journal
from tallystick.core.types import Witness
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Caller
from tallystick.settings import Settings
from tallystick.store.interface import Store
from tests.drivers import Async, Cli, Local, Loop, Rest
from tests.mcp_driver import Mcp
from tests.stores import Clock

CELLS = ("local-memory", "local-sqlite", "local-postgres", "async-sqlite", "cli-sqlite", "mcp-sqlite", "rest-sqlite")
ENTRIES_PER_FLUSH = {
    "local-memory": 128,
    "local-sqlite": 1,
    "local-postgres": 3,
    "async-sqlite": 16,
    "cli-sqlite": 1,
    "mcp-sqlite": 128,
    "mcp2025-sqlite": 16,
    "rest-sqlite": 3,
}
"""After how many entries rows are written in each cell: it must make no difference."""

Interface = Callable[[Settings, Principal], Caller]


class Cell:
    """One journal on one store, through one interface, and the agents that share it."""

    def __init__(self, name: str, store: Store, clock: Clock, settings: Settings, interface: Interface) -> None:
        self.name = name
        self.store = store
        self.clock = clock
        self.settings = settings
        self._interface = interface
        self._opened: list[Journal] = []
        self._leases: dict[int, tuple[str, float]] = {}
        self.journal = self.another("agent")

    def another(
        self,
        actor: Actor | str = "second",
        *,
        witness: Witness = "claimed",
        session: str = "",
        credential: str = "",
        request: str = "",
        tasks: tuple[str, ...] = (),
        **settings: Any,
    ) -> Journal:
        """The same journal for another agent, in a session of its own unless one is named."""
        who = actor if isinstance(actor, Actor) else Actor(name=actor)
        principal = Principal(
            actor=who, witness=witness, session=session, credential=credential, request=request, tasks=tasks
        )
        journal = Journal(self._interface(replace(self.settings, actor=who.name, **settings), principal))
        self._opened.append(journal)
        return journal

    def mortal(self, actor: str = "mortal", *, lease_seconds: float = 600) -> Journal:
        """An agent in a session that is over when its lease runs out: see `kill`."""
        session = self.journal.open_session(name=f"{actor} session", lease_seconds=lease_seconds)
        journal = self.another(actor, session=session.id)
        self._leases[id(journal)] = (session.id, lease_seconds)
        return journal

    def session_of(self, journal: Journal) -> str:
        return self._leases[id(journal)][0]

    def kill(self, journal: Journal) -> None:
        """End an agent without a record: its lease runs out."""
        self.clock.advance(self._leases[id(journal)][1] + 1)

    def person(self, name: str = "ada") -> Journal:
        """A person with a credential to decide and to erase."""
        made = self.journal.add_credential(name=name)
        return self.another(Actor(kind="person", name=name), credential=made.secret)

    def operator(self, admin: Journal | None = None) -> Journal:
        """Somebody with a credential to run plans, which the administrator adds."""
        made = (admin or self.person("admin")).add_credential(name="operator", scopes=("run",))
        return self.another("operator", credential=made.secret)

    def close(self) -> None:
        for journal in self._opened:
            journal.close()
        self.store.close()


def local_interface(store: Store) -> Interface:
    return lambda settings, principal: Local(OperationContext(store, settings, principal))


def cli_interface(store: Store) -> Interface:
    """Through the command line, with leases that outlast the injected clock."""
    return lambda settings, principal: Cli(OperationContext(store, replace(settings, lease_seconds=3e9), principal))


def async_interface(store: Store, loop: Loop) -> Interface:
    return lambda settings, principal: Async(Local(OperationContext(store, settings, principal)), loop)


def rest_interface(store: Store, serve: Callable[[Store, Settings], str]) -> Interface:
    """Over REST, on a server with the settings, with leases that outlast the injected clock."""
    served: dict[Settings, str] = {}

    def interface(settings: Settings, principal: Principal) -> Caller:
        common = replace(settings, actor="")
        if common not in served:
            served[common] = serve(store, common)
        return Rest(served[common], OperationContext(store, common, principal))

    return interface


def mcp_interface(store: Store, *, modern: bool) -> Interface:
    """Over MCP, in the modern or the older version of the protocol."""
    return lambda settings, principal: Mcp(OperationContext(store, settings, principal), modern=modern)
