"""Fifty journals in one store, each with a canary: no way to read shows the canary of another journal."""

import re
from collections.abc import Iterator

import pytest

from tallystick.core.errors import UnknownHandle
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.access import find_access
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tallystick.store.interface import Ledger
from tests.access.canaries import Planted, Planter
from tests.access.readers import PATHS, Reader, ReadPath, Served
from tests.stores import AnyStore

JOURNALS = 50
WORD = "canary"
THOROUGH = (17,)
"""Those that ask for everything that can be named; the others ask for what shows most."""


class Aviary:
    """The journals, each with what was planted in it and a token to read it."""

    def __init__(self, store: AnyStore) -> None:
        self.store = store
        self.planted: list[Planted] = []
        self.tokens: list[str] = []
        for number in range(JOURNALS):
            self._add(number)

    @staticmethod
    def name(number: int) -> str:
        return f"journal of {WORD}{number:02}"

    def context(self, number: int, credential: str = "") -> OperationContext:
        settings = Settings(url="", journal=self.name(number), actor="agent")
        return OperationContext(self.store, settings, Principal(credential=credential))

    def _add(self, number: int) -> None:
        """In one transaction, since durability is not what this is about."""
        word = f"{WORD}{number:02}"
        root = CATALOGUE["add_credential"](self.context(number), {"name": "root"}).secret
        reader = {"name": f"auditor {word}", "scopes": ["read", "audit"]}
        context = self.context(number, root)
        self.tokens.append(CATALOGUE["add_credential"](context, reader).secret)

        def work(ledger: Ledger) -> Planted:
            return Planter(context.in_transaction(ledger), word, f"task {word}", credential=root, together=True).plant()

        self.planted.append(self.store.write(self.name(number), work))


@pytest.fixture(scope="module")
def aviary(store: AnyStore) -> Aviary:
    return Aviary(store)


@pytest.fixture(scope="module")
def served(aviary: Aviary) -> Iterator[Served]:
    with Served(aviary.context(0)) as found:
        yield found


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.__name__)
def test_no_read_path_shows_the_canary_of_another_journal(aviary: Aviary, served: Served, path: ReadPath) -> None:
    for number in range(JOURNALS):
        other = (number * 7 + 1) % JOURNALS
        reader = Reader(
            number=number,
            context=aviary.context(number),
            token=aviary.tokens[number],
            port=served.port,
            own=aviary.planted[number],
            other=aviary.planted[other],
            other_journal=aviary.name(other),
            thorough=number in THOROUGH,
        )
        own, seen = f"{WORD}{number:02}", set()
        for request, text in path(reader):
            found = set(re.findall(rf"{WORD}\d\d", text))
            assert found <= {own}, (request, text)
            seen |= found
        assert seen == ({own} if path.__name__ != "searches" else set()), "who sees nothing at all proves nothing"


def test_a_token_is_for_the_journal_that_it_was_made_in(aviary: Aviary) -> None:
    found = [find_access(aviary.store, token) for token in aviary.tokens]
    assert [access.journal if access else "" for access in found] == [aviary.name(n) for n in range(JOURNALS)]


def test_a_handle_of_another_journal_is_unknown_or_by_chance_one_of_the_own(aviary: Aviary) -> None:
    reads = (
        ("execution_id", "get_status"),
        ("execution_id", "get_execution"),
        ("plan_id", "get_plan"),
        ("action_id", "get_action"),
    )
    for number, (ours, theirs) in enumerate(zip(aviary.planted, aviary.planted[1:], strict=False)):
        for name, operation in reads:
            for handle in theirs.handles[name]:
                # Its two check letters are ten bits of a hash: one in 1,024 is a handle here too, of something else.
                if handle in ours.handles[name]:
                    shown = str(CATALOGUE[operation](aviary.context(number), {name: handle}))
                    assert set(re.findall(rf"{WORD}\d\d", shown)) == {ours.canary}
                else:
                    with pytest.raises(UnknownHandle, match="There is no"):
                        CATALOGUE[operation](aviary.context(number), {name: handle})
