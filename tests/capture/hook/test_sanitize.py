"""Sanitized payloads: secrets masked, long texts cut with length and digest, nothing that the journal refuses."""

import json
import random
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.capture.hook import main as program
from tallystick.capture.spool import file as spool_file
from tallystick.core.formats import canonical_json
from tallystick.core.redaction import sanitize
from tallystick.core.redaction.masker import DEFAULT_MASKER, Masker
from tallystick.core.redaction.sanitize import PayloadLimits
from tests.capture.hook.installed_hook import Hook
from tests.core.secret_corpus import Planted, planted_secrets
from tests.core.token_corpus import run, start
from tests.memory_folders import quick_folder

KEY = b"k" * 32
TEXTS = st.text(st.sampled_from('aé\0\ud800\udfff"\\\n=:'), max_size=8) | st.sampled_from(
    ["password", "token=abcdef12"]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=10
)


def sanitized(payload: dict[str, Any], key: bytes = KEY) -> tuple[dict[str, Any], list[str]]:
    return sanitize.sanitize_payload(json.dumps(payload), payload, DEFAULT_MASKER, keyed(key))


def keyed(key: bytes) -> Callable[[str], str] | None:
    return (lambda text: spool_file.digest(text.encode("utf-8", "surrogatepass"), key)) if key else None


def test_a_short_clean_payload_is_kept_as_it_is() -> None:
    payload = {"tool_input": {"content": "x" * PayloadLimits.text_characters, "n": [1, 2.5, None, True]}}
    assert sanitized(payload) == (payload, [])


def test_a_long_text_is_truncated_and_shows_its_length_and_digest() -> None:
    text = "é" * 300_000
    found, done = sanitized({"a": ["b", {"content": text}]})
    content = found["a"][1]["content"]
    digest = blake2b(text.encode(), digest_size=16, key=KEY).hexdigest()
    assert content.endswith(f"[cut: 300000 characters, digest {digest}]")
    assert content.startswith("é" * (PayloadLimits.text_characters - sanitize.MARGIN_CHARACTERS))
    assert len(content) <= PayloadLimits.text_characters + 100
    assert done == ["cut"]


def test_without_a_key_there_is_no_digest_that_could_be_guessed_back() -> None:
    found, _ = sanitized({"content": "x" * 100_000}, b"")
    assert found["content"].endswith("[cut: 100000 characters]")


@pytest.mark.parametrize("before", range(PayloadLimits.text_characters - 60, PayloadLimits.text_characters + 60, 7))
def test_a_secret_where_the_text_is_cut_is_masked_all_the_same(before: int) -> None:
    secret = start("gh", "p_") + run(random.Random(before), "abcdefghij0123456789", 36)
    found, _ = sanitized({"content": " " * before + secret + " " * 100_000})
    assert secret[4:12] not in found["content"]


def test_no_cut_lets_a_secret_through_that_the_masker_would_have_seen_whole() -> None:
    secret = start("gh", "p_") + run(random.Random(1), "abcdefghij0123456789", 36)
    many = " ".join([secret] * 5000)  # after masking, the text is shorter than the limit
    found, done = sanitized({"content": many})
    assert secret[4:12] not in found["content"]
    assert done == ["cut", "masked"]


def test_a_text_under_the_name_of_a_secret_is_masked_however_long() -> None:
    found, done = sanitized({"password": "x y" * 100_000})
    assert found == {"password": "[masked:password]"}
    assert done == ["cut", "masked"]


@pytest.mark.parametrize(
    "payload",
    [
        {"session_id": "s", "tool_input": {"numbers": list(range(300_000))}},
        {"session_id": "s", "tool_calls": [{"content": "x" * 60_000}] * 40},
        {"session_id": "s", **{f"name{i}": "x" * 100 for i in range(20_000)}},
        {"session_id": "s", "tool_input": {f"n{i}": "é" * 1000 for i in range(2_000)}},
        {"session_id": "s" * 1_000_000},
    ],
    ids=["numbers", "batch", "names", "unicode", "id"],
)
def test_a_record_is_bounded_and_still_names_its_session(payload: dict[str, Any]) -> None:
    found, done = sanitized(payload)
    assert len(json.dumps(found)) <= PayloadLimits.json_bytes + 1000
    assert "cut" in done
    assert found["session_id"][:1] in "s["


def test_a_payload_of_millions_of_small_secrets_takes_no_longer_than_its_beginning() -> None:
    secret = start("gh", "p_") + run(random.Random(6), "abcdefghij0123456789", 36)
    payload = {"session_id": "s", "tool_input": [secret] * 60_000, "password": ["hunter2"] * 50_000}
    masked: list[str] = []

    class Counting(Masker):
        """How many characters the masker looked at closely."""

        def mask_text(self, text: str) -> str:
            masked.append(text)
            return super().mask_text(text)

    found, done = sanitize.sanitize_payload(json.dumps(payload), payload, Counting(), keyed(KEY))
    assert sum(map(len, masked)) < 10 * PayloadLimits.scanned_bytes
    assert secret[4:12] not in json.dumps(found)
    assert found["password"] == "[masked:password]"
    assert done == ["cut", "masked"]


def test_the_largest_payload_is_kept_as_text(hook: Hook) -> None:
    hook_input = b'{"content": "' + b"x" * (program.MAX_PAYLOAD_BYTES + 10) + b'"}'
    assert hook.send(["claude-code"], hook_input).code == 0
    [record] = hook.records()
    assert record["event"] == "unreadable"
    assert record["payload"]["unreadable"].endswith("characters]")


@settings(deadline=None)
@given(st.dictionaries(TEXTS, TREES, max_size=3))
def test_the_journal_accepts_any_sanitized_payload(payload: dict[str, Any]) -> None:
    text = json.dumps(payload)
    parsed = json.loads(text)  # two adjacent surrogates are one character in JSON
    found, done = sanitize.sanitize_payload(text, parsed, DEFAULT_MASKER, keyed(KEY))
    canonical_json.encode(found, canonical_json.Limits(depth=1000))
    assert _parts(found) == _parts(parsed)
    if not done:
        assert found == parsed


@pytest.fixture(scope="module")
def spooled() -> list[tuple[Planted, str]]:
    """2,000 credentials, sent through the hook in each part of a payload; each with what reached the disk."""
    chosen = list(planted_secrets(each=9))
    random.Random(4).shuffle(chosen)
    found = []
    with quick_folder() as folder:
        env = {"TALLYSTICK_SPOOL": str(folder), "TALLYSTICK_JOURNAL": "j"}
        for at in range(0, 2000, 10):
            path = Path(spool_file.path(folder, "j"))
            assert program.answer(["claude-code"], _with(chosen[at : at + 10]), env) == (0, "{}\n", "")
            [record] = spool_file.read(path).records
            on_disk = path.read_text() + _text_of(record)
            path.unlink()
            found += [(each, on_disk) for each in chosen[at : at + 10]]
    return found


def test_of_2000_credentials_at_least_99_5_percent_never_reach_the_spool(spooled: list[tuple[Planted, str]]) -> None:
    left = [each for each, on_disk in spooled if each.survives(on_disk)]
    assert len(spooled) == 2000
    assert len(left) <= 10, sorted({f"{each.kind} / {each.place}" for each in left})


def test_the_hook_hides_all_that_the_masker_hides(spooled: list[tuple[Planted, str]]) -> None:
    hidden = [pair for pair in spooled if not pair[0].survives(_text_of(DEFAULT_MASKER.mask(pair[0].value)))]
    assert len(hidden) > 1900
    assert [each for each, on_disk in hidden if each.survives(on_disk)] == []


def test_an_unparsable_payload_is_masked_too(hook: Hook) -> None:
    secret = start("gh", "p_") + run(random.Random(2), "abcdefghij0123456789", 36)
    hook.send(["claude-code"], f'{{"tool_input": {{"command": "push {secret}", "password": "hunter2'.encode())
    assert secret[8:].encode() not in hook.bytes_on_disk()
    assert b"hunter2" not in hook.bytes_on_disk()
    assert hook.records()[0]["altered"] == ["masked"]


def test_names_and_patterns_of_the_journal_s_own_are_masked(hook: Hook) -> None:
    env = {"TALLYSTICK_SECRET_NAMES": "customer_pin,other", "TALLYSTICK_SECRET_PATTERNS": "K-\\d+\n(\nZ[0-9]{3}"}
    hook_input = {"hook_event_name": "PreToolUse", "tool_input": {"customerPin": "4711", "a": "K-123 and Z987"}}
    assert hook.send(["claude-code"], hook_input, env=env).errors == ""
    [record] = hook.records()
    assert record["payload"]["tool_input"] == {
        "customerPin": "[masked:customer_pin]",
        "a": "[masked:extra] and [masked:extra]",
    }


def _with(values: list[Planted]) -> bytes:
    """A call that holds them: as arguments, headers, in a URL, in a result and in an error."""
    parts = [each.value for each in values]
    payload = {
        "session_id": "s",
        "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash",
        "tool_input": {f"a{i}": value for i, value in enumerate(parts[:4])},
        "headers": {"accept": "*/*", "values": [{"part": value} for value in parts[4:6]]},
        "tool_response": [{"type": "text", "content": value} for value in parts[6:8]],
        "error": {"message": parts[8], "more": {"cause": parts[9]}},
    }
    return json.dumps(payload).encode()


def _texts(value: Any, found: list[str]) -> None:
    if isinstance(value, dict):
        for name, item in value.items():
            found.append(name)
            _texts(item, found)
    elif isinstance(value, list):
        for item in value:
            _texts(item, found)
    elif isinstance(value, str):
        found.append(value)


def _text_of(value: object) -> str:
    found: list[str] = []
    _texts(value, found)
    return "\n".join(found)


def _parts(value: object) -> int:
    """How many names and values there are."""
    if isinstance(value, dict):
        return sum(1 + _parts(item) for item in value.values())
    return sum(map(_parts, value)) if isinstance(value, list) else 1
