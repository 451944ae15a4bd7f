"""The hash chain: every entry that is changed, removed, inserted or swapped is detected."""

import base64
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core import chain
from tallystick.core.chain import Head
from tallystick.core.entries import (
    ActionBegun,
    ActionEnded,
    ActionNoted,
    ContextRecorded,
    Draft,
    Entry,
    Facts,
    PlanRecorded,
    StepFacts,
)
from tallystick.core.errors import InvalidArgument, Tampered
from tallystick.core.types import Actor
from tests.core.values import texts

SALT = b"\x07" * chain.SALT_BYTES
facts: st.SearchStrategy[Facts] = st.one_of(
    st.builds(ActionBegun, tool=texts, step=texts, effect=st.sampled_from(["read", "unsafe"])),
    st.builds(ActionEnded, outcome=st.sampled_from(["ok", "failed"]), late=st.booleans()),
    st.builds(ActionNoted, about=texts),
    st.builds(ContextRecorded, scope=st.just("project"), key=texts, expires=st.integers(0, 2**53)),
)
drafts = st.builds(
    Draft,
    facts=facts,
    actor=st.builds(Actor, name=texts),
    id=st.sampled_from(["", "ac_a1zz"]),
    session=texts,
    execution=texts,
    witness=st.sampled_from(["claimed", "observed"]),
    body=st.none() | texts,
    key=texts,
    digest=texts,
)
histories = st.lists(drafts, min_size=1, max_size=6)
Sealed = list[tuple[Entry, bytes]]


def seal_all(history: list[Draft]) -> Sealed:
    head = chain.genesis("law")
    sealed: Sealed = []
    for at, draft in enumerate(history, 1):
        entry, line = chain.seal(head, draft, at=at, salt=SALT)
        head = Head(entry.seq, entry.hash, entry.at)
        sealed.append((entry, line))
    return sealed


def check_all(lines: list[tuple[bytes, str]]) -> list[Entry]:
    head = chain.genesis("law")
    checked: list[Entry] = []
    for line, hash in lines:
        entry = chain.check(head, line, hash)
        head = Head(entry.seq, entry.hash, entry.at)
        checked.append(entry)
    return checked


@given(histories)
def test_a_sealed_entry_is_read_back_and_verifies(history: list[Draft]) -> None:
    sealed = seal_all(history)
    assert check_all([(line, entry.hash) for entry, line in sealed]) == [entry for entry, _ in sealed]


@pytest.mark.parametrize(
    "unreadable",
    [
        ActionEnded(outcome="done"),  # type: ignore[arg-type]
        ActionEnded(outcome="ok", duration="long"),  # type: ignore[arg-type]
        ActionBegun(tool="\ud800"),
        ActionBegun(tool=type("Name", (str,), {})("pay")),
        ActionBegun(attempt=10**5000),
        PlanRecorded(1, (StepFacts(id="a", cancellable="yes"),)),  # type: ignore[arg-type]
        PlanRecorded(1, ("a",)),  # type: ignore[arg-type]
    ],
    ids=["word", "number", "surrogate", "subclass", "huge", "nested", "struct"],
)
def test_what_could_not_be_read_back_is_refused(unreadable: Facts) -> None:
    with pytest.raises(InvalidArgument, match="Nothing was recorded"):
        chain.seal(chain.genesis("law"), Draft(facts=unreadable, actor=Actor()), at=1, salt=b"")


@given(histories, st.data())
def test_any_changed_byte_is_detected(history: list[Draft], data: st.DataObject) -> None:
    sealed = seal_all(history)
    position = data.draw(st.integers(0, len(sealed) - 1))
    line = bytearray(sealed[position][1])
    spot = data.draw(st.integers(0, len(line) - 1))
    line[spot] ^= data.draw(st.integers(1, 255))
    lines = [(stored, entry.hash) for entry, stored in sealed]
    lines[position] = (bytes(line), lines[position][1])
    with pytest.raises(Tampered):
        check_all(lines)


@given(st.lists(drafts, min_size=3, max_size=6), st.data())
def test_a_missing_duplicate_or_swapped_entry_is_detected(history: list[Draft], data: st.DataObject) -> None:
    lines = [(line, entry.hash) for entry, line in seal_all(history)]
    position = data.draw(st.integers(0, len(lines) - 2))
    change = data.draw(st.sampled_from(["left out", "twice", "swapped"]))
    if change == "left out":
        del lines[position]
    elif change == "twice":
        lines.insert(position, lines[position])
    else:
        lines[position], lines[position + 1] = lines[position + 1], lines[position]
    with pytest.raises(Tampered):
        check_all(lines)


@given(histories, st.data())
def test_a_forged_line_with_a_new_hash_breaks_the_next_one(history: list[Draft], data: st.DataObject) -> None:
    sealed = seal_all([*history, history[0]])
    position = data.draw(st.integers(0, len(sealed) - 2))
    line = sealed[position][1]
    before = sealed[position - 1][0].hash if position else chain.genesis("law").hash
    forged = line.replace(b'"at":', b'"at": ', 1)
    lines = [(stored, each.hash) for each, stored in sealed]
    lines[position] = (forged, chain.hash_line(before, forged))
    with pytest.raises(Tampered):
        check_all(lines)


@given(drafts)
def test_another_journal_is_another_chain(draft: Draft) -> None:
    entry, line = chain.seal(chain.genesis("law"), draft, at=1, salt=SALT)
    with pytest.raises(Tampered):
        chain.check(chain.genesis("another"), line, entry.hash)


@given(texts, texts, st.binary(min_size=32, max_size=32))
def test_a_body_matches_its_commitment_and_may_be_erased(body: str, other: str, salt: bytes) -> None:
    entry, _ = chain.seal(chain.genesis("law"), Draft(facts=ActionNoted(), actor=Actor(), body=body), at=1, salt=salt)
    assert chain.check_body(entry, body, salt)
    assert not chain.check_body(entry, None, None)
    if other != body:
        with pytest.raises(Tampered):
            chain.check_body(entry, other, salt)


def test_a_time_that_goes_back_has_to_say_by_how_much() -> None:
    before = Head(4, chain.genesis("law").hash, at=10**9)
    draft = Draft(facts=ActionNoted(), actor=Actor())
    entry, line = chain.seal(before, draft, at=before.at - chain.MAX_REPEATED_MICROSECONDS, salt=b"")
    assert (entry.at, entry.behind, b"behind" in line) == (before.at, 0, False)
    entry, line = chain.seal(before, draft, at=1, salt=b"")
    assert (entry.at, entry.behind) == (1, before.at - 1)
    assert chain.check(before, line, entry.hash) == entry
    for at in (1, before.at - 1, before.at + 1):
        with pytest.raises(Tampered, match="by what it says"):
            chain.check(Head(before.seq, before.hash, at=at), line, entry.hash)


@given(drafts)
def test_the_law_of_the_chain_can_be_restated_with_the_standard_library(draft: Draft) -> None:
    entry, line = chain.seal(chain.genesis("law"), draft, at=7, salt=SALT)
    genesis = _tagged("s1:", b"tallystick journal law")
    assert entry.hash == _tagged("s1:", genesis.encode() + b"\n" + line)
    stated: dict[str, Any] = json.loads(line)
    assert (stated["seq"], stated["id"], stated["at"], stated["kind"]) == (1, entry.id, 7, entry.kind)
    if draft.body is not None:
        assert stated["commitment"] == _tagged("c1:", SALT + draft.body.encode())


def _tagged(tag: str, content: bytes) -> str:
    return tag + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
