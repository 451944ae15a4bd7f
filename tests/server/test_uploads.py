"""Uploaded exports: each a read-only journal for its uploader only, for an hour."""

from typing import Any

import pytest

from tallystick import Journal
from tallystick.core.errors import Busy
from tallystick.interfaces.journals import JournalContexts
from tallystick.operations.runtime.access import Access
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tallystick.server.uploads import (
    IMPORT_SECONDS,
    MAX_BYTES_PER_OWNER,
    MAX_EXPORT_BYTES,
    MAX_IMPORTS_PER_OWNER,
    MAX_TOTAL_BYTES,
    Imports,
)
from tallystick.settings import Settings
from tallystick.store import archive
from tallystick.store.memory import MemoryStore
from tests.server.test_login import Now
from tests.server.web_server import NAME, Browser, RunningServer, running_server

FORM = {"content-type": "application/x-ndjson"}
VALUE = "a line\u2028that some would break"


def _lines() -> list[str]:
    context = OperationContext(MemoryStore(), Settings(url="memory:", journal="taken", actor="x"), Principal())
    journal = Journal(Local(context))
    journal.record_context(key="text", value=VALUE)
    return list(journal.export().lines)


EXPORT = "\n".join(_lines()).encode()
BROKEN = EXPORT.replace(b"would break", b"would brake")


def _upload(found: RunningServer, text: bytes = EXPORT, **who: Any) -> str:
    answer = found.ask("/v1/imports", text, headers=FORM, **who)
    assert answer.status == 200, answer.body
    name: str = answer.json["journal"]
    return name


def _shown(found: RunningServer, name: str, **who: Any) -> Any:
    answer = found.ask(f"/v1/context/text?journal={name}", **who)
    return answer.json["values"][0]["value"] if answer.status == 200 else answer.status


def test_an_import_can_be_read_and_not_written() -> None:
    with running_server() as found:
        name = _upload(found)
        assert _shown(found, name) == VALUE
        assert found.ask("/v1/context", {"key": "a", "value": 1}, headers={"tallystick-journal": name}).status in (
            401,
            403,
        )
        assert name in found.ask("/v1/journals").json["journals"]
        assert found.journal().read_entries().entries == ()


def test_entries_that_do_not_verify_are_shown_and_reported() -> None:
    with running_server() as found:
        imported = found.ask("/v1/imports", BROKEN, headers=FORM).json
        assert (imported["entries"], imported["verified"]) == (2, False)
        assert "entry 2" in imported["problem"].lower()
        assert found.ask(f"/v1/entries?journal={imported['journal']}").json["entries"][-1]["seq"] == 2


def test_the_list_of_imports_repeats_the_verification_problem() -> None:
    with running_server() as found:
        good, broken = _upload(found), _upload(found, BROKEN)
        imports = {each["journal"]: each for each in found.ask("/v1/imports").json["imports"]}
        assert (imports[good]["verified"], imports[good]["problem"], imports[good]["of"]) == (True, "", "taken")
        assert not imports[broken]["verified"]
        assert imports[broken]["problem"]


def test_a_report_of_an_unverified_journal_is_marked() -> None:
    context = OperationContext(MemoryStore(), Settings(url="memory:", journal="taken", actor="x"), Principal())
    journal = Journal(Local(context))
    execution = journal.record_execution_start(title="Small work").id
    export = "\n".join(journal.export().lines)
    for text, warned in ((export, False), (export.replace("Small work", "FORGED"), True)):
        imported = archive.read_export(text.split("\n"))
        copy = Journal(
            Local(OperationContext(imported.store, Settings(url="", journal="taken", actor="x"), Principal()))
        )
        for form in ("markdown", "html"):
            report = copy.get_report(execution_id=execution, form=form).text
            assert ("does not verify" in report) == warned


def test_an_import_is_visible_to_its_uploader_only() -> None:
    with running_server(login=True) as found:
        one, two, three = found.token("read"), found.token("admin"), Browser()
        found.ask("/login", {"token": found.token("read")}, browser=three)
        three.csrf = found.ask("/session", browser=three).json["csrf"]
        name, shown = _upload(found, token=one), _upload(found, browser=three)
        assert (_shown(found, name, token=one), _shown(found, shown, browser=three)) == (VALUE, VALUE)
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
        (b"\xff\xfe", "application/x-ndjson", 400),
        (b"", "application/x-ndjson", 400),
        (EXPORT, "text/plain", 400),
        (EXPORT + b" " * MAX_EXPORT_BYTES, "application/x-ndjson", 413),
    ],
    ids=("nonsense", "no text", "nothing", "another type", "too large"),
)
def test_a_file_that_is_not_an_export_is_rejected(text: bytes, kind: str, status: int) -> None:
    with running_server() as found:
        answer = found.ask("/v1/imports", text, headers={"content-type": kind})
        assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")


def _imports(now: Now) -> tuple[Imports, JournalContexts]:
    contexts = JournalContexts(
        Local(OperationContext(MemoryStore(), Settings(url="memory:", journal="test", actor="x"), Principal()))
    )
    return Imports(contexts, now), contexts


def test_the_oldest_import_of_the_same_owner_makes_room_and_an_old_one_is_gone() -> None:
    now = Now()
    imports, contexts = _imports(now)
    hers = imports.add("hers", 1, archive.read_export(_lines()))
    names = [imports.add("his", 1, archive.read_export(_lines())) for _ in range(MAX_IMPORTS_PER_OWNER + 1)]
    assert imports.names("his") == names[1:]
    assert imports.names("hers") == [hers]
    access = Access(name="", journal="test", scopes=frozenset({"agent", "read", "audit"}))
    granted = imports.access(hers, "hers", access)
    assert granted is not None
    assert granted.scopes == {"read", "audit"}
    assert contexts.local(granted, hers).context.journal == "taken"
    now.time = IMPORT_SECONDS + 1
    assert imports.names("hers") == imports.names("his") == []
    assert imports.access(hers, "hers", access) is None


def test_all_imports_together_have_a_bound() -> None:
    imports, _ = _imports(Now())
    each = MAX_BYTES_PER_OWNER // 2
    for number in range(MAX_TOTAL_BYTES // each):
        imports.add(str(number), each, archive.read_export(_lines()))
    with pytest.raises(Busy):
        imports.add("late", each, archive.read_export(_lines()))
