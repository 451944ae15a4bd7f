"""A reader who is limited to tasks: no way to read shows the canary of another task."""

import re
from collections.abc import Iterator

import pytest

from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tests.access.canaries import Planted, Planter
from tests.access.readers import PATHS, Reader, ReadPath, Served
from tests.stores import AnyStore

JOURNAL = "shared"
OURS, THEIRS = "canary01", "canary02"


class Office:
    """One journal, in which two work on a task each, and a reader of the first one's."""

    def __init__(self, context: OperationContext, served: Served, secret: str, planted: dict[str, Planted]) -> None:
        self.reader = Reader(
            number=0,
            context=context.for_principal(Principal(credential=secret, tasks=(planted[OURS].task,))),
            token=secret,
            port=served.port,
            own=planted[OURS],
            other=planted[THEIRS],
            other_journal="elsewhere",
            thorough=True,
        )


@pytest.fixture(scope="module")
def office(store: AnyStore) -> Iterator[Office]:
    context = OperationContext(store, Settings(url="", journal=JOURNAL, actor="agent"), Principal())
    root = CATALOGUE["add_credential"](context, {"name": "root"}).secret
    keeper = context.for_principal(Principal(credential=root))
    planted = {word: Planter(keeper, word, f"task {word}", credential=root).plant() for word in (OURS, THEIRS)}
    limited = {"name": "rita", "scopes": ["read"], "tasks": [planted[OURS].task]}
    secret = CATALOGUE["add_credential"](keeper, limited).secret
    with Served(context) as served:
        yield Office(keeper, served, secret, planted)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.__name__)
def test_no_read_path_shows_the_canary_of_another_task(office: Office, path: ReadPath) -> None:
    seen: set[str] = set()
    for request, text in path(office.reader):
        found = set(re.findall(r"canary\d\d", text))
        assert found <= {OURS}, (request, text)
        seen |= found
    assert seen == ({OURS} if path.__name__ != "searches" else set()), "who sees nothing at all proves nothing"
