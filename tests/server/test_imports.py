"""Exports that are looked at: each a journal of its own, for who uploaded it alone, and for a while."""

from typing import Any

import pytest

from tallystick import Journal
from tallystick.calls import Local
from tallystick.core.errors import Busy, InvalidArgument
from tallystick.doors.desks import Desks
from tallystick.operations.access import Access
from tallystick.operations.desk import Asker, Desk
from tallystick.server import imports
from tallystick.server.imports import BYTES, OF_ONE, SECONDS, Imported, Imports
from tallystick.settings import Settings
from tallystick.store.memory import MemoryStore
from tests.server.site import NAME, Browser, Site, site
from tests.server.test_logins import Now

FORM = {"content-type": "application/x-ndjson"}


def read(text: bytes) -> Imported:
    """Stands for the reader of exports, which has tests of its own: a store with the text in it."""
    if not text.startswith(b"{"):
        raise InvalidArgument("This is not an export.", hint="Choose another file.")
    store = MemoryStore()
    desk = Desk(store, Settings(url="memory:", journal="taken", actor="x"), Asker())
    Journal(Local(desk)).record_context(key="text", value=text.decode()[:100])
    return Imported(store=store, journal="taken", entries=2, problem="entry 2 is missing" if b"cut" in text else "")


def _upload(found: Site, text: bytes = b'{"a":1}', **who: Any) -> str:
    answer = found.ask("/v1/imports", text, headers=FORM, **who)
    assert answer.status == 200, answer.body
    name: str = answer.json["journal"]
    return name


def _shown(found: Site, name: str, **who: Any) -> Any:
    answer = found.ask(f"/v1/context/text?journal={name}", **who)
    return answer.json["values"][0]["value"] if answer.status == 200 else answer.status


def test_what_is_imported_can_be_read_and_not_written() -> None:
    with site(importing=read) as found:
        name = _upload(found)
        assert _shown(found, name) == '{"a":1}'
        assert found.ask("/v1/context", {"key": "a", "value": 1}, headers={"tallystick-journal": name}).status in (
            401,
            403,
        )
        assert name in found.ask("/v1/journals").json["journals"]
        assert found.journal().read_entries().entries == ()


def test_what_does_not_verify_is_shown_and_told() -> None:
    with site(importing=read) as found:
        told = found.ask("/v1/imports", b'{"cut":1}', headers=FORM).json
        assert (told["entries"], told["verified"], told["problem"]) == (2, False, "entry 2 is missing")
        assert _shown(found, told["journal"]) == '{"cut":1}'


def test_an_import_is_for_who_uploaded_it() -> None:
    with site(importing=read, login=True) as found:
        one, two, three = found.token("read"), found.token("admin"), Browser()
        found.ask("/login", {"token": found.token("read")}, browser=three)
        three.csrf = found.ask("/session", browser=three).json["csrf"]
        name, shown = _upload(found, token=one), _upload(found, browser=three)
        assert (_shown(found, name, token=one), _shown(found, shown, browser=three)) == ('{"a":1}', '{"a":1}')
        assert {
            _shown(found, name, token=two),
            _shown(found, name, browser=three),
            _shown(found, shown, token=one),
        } == {404}
        assert found.ask("/v1/journals", token=two).json == {"journals": [NAME]}
        assert _shown(found, name) == 401


@pytest.mark.parametrize(
    ("text", "kind", "status"),
    [
        (b"nonsense", "application/x-ndjson", 400),
        (b"{}", "text/plain", 400),
        (b"{" + b" " * BYTES, "application/x-ndjson", 413),
    ],
    ids=("nonsense", "another type", "too large"),
)
def test_what_is_no_export_is_refused(text: bytes, kind: str, status: int) -> None:
    with site(importing=read) as found:
        answer = found.ask("/v1/imports", text, headers={"content-type": kind})
        assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")


def _imports(now: Now) -> tuple[Imports, Desks]:
    desks = Desks(Local(Desk(MemoryStore(), Settings(url="memory:", journal="test", actor="x"), Asker())))
    return Imports(desks, read, now), desks


def test_the_oldest_import_of_the_same_owner_makes_room_and_an_old_one_is_gone() -> None:
    now = Now()
    kept, desks = _imports(now)
    hers = kept._keep("hers", 1, read(b"{}"))
    names = [kept._keep("his", 1, read(b"{}")) for _ in range(OF_ONE + 1)]
    assert kept.names("his") == names[1:]
    assert kept.names("hers") == [hers]
    access = Access(name="", journal="test", scopes=frozenset({"agent", "read", "audit"}))
    granted = kept.access(hers, "hers", access)
    assert granted is not None
    assert granted.scopes == {"read", "audit"}
    assert desks.local(granted, hers).desk.journal == "taken"
    now.time = SECONDS + 1
    assert kept.names("hers") == kept.names("his") == []
    assert kept.access(hers, "hers", access) is None


def test_all_imports_together_have_a_bound() -> None:
    kept, _ = _imports(Now())
    each = imports.BYTES_OF_ONE // 2
    for number in range(imports.BYTES_OF_ALL // each):
        kept._keep(str(number), each, read(b"{}"))
    with pytest.raises(Busy):
        kept._keep("late", each, read(b"{}"))
