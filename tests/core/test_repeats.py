"""A secret is masked again where it stands without its name, and an ordinary word never."""

import random
import re
import string
import sysconfig
from pathlib import Path

import pytest

from tallystick.core.redaction.masker import DEFAULT_MASKER, Masker
from tallystick.core.redaction.repeats import MAX_REMEMBERED, SeenSecrets, is_distinctive
from tallystick.core.tools import same_call

SECRET = "Zx9dkw02kdlw"


@pytest.mark.parametrize(
    ("record", "masked"),
    [
        ({"out": f"({SECRET})", "password": SECRET}, {"out": "([masked:password])", "password": "[masked:password]"}),
        ([f"DB_PASSWORD={SECRET}", SECRET], ["DB_PASSWORD=[masked:password]", "[masked:password]"]),
        ([f"https://ada:{SECRET}@host", SECRET], ["https://ada:[masked:url_password]@host", "[masked:url_password]"]),
        ([["mysql", f"-p{SECRET}"], SECRET], [["mysql", "-p[masked:password]"], "[masked:password]"]),
        ([f"Cookie: sid={SECRET}; a=b", SECRET], ["Cookie: [masked:cookie]", "[masked:cookie]"]),
        (f'{{"token": "{SECRET}"}}\nsent {SECRET}', '{"token": "[masked:token]"}\nsent [masked:token]'),
    ],
)
def test_a_secret_is_masked_in_the_rest_of_its_record(record: object, masked: object) -> None:
    assert DEFAULT_MASKER.mask(record) == masked
    assert DEFAULT_MASKER.mask([SECRET]) == [SECRET], "nothing is remembered"


def test_keys_ids_and_names_of_tools_stay() -> None:
    record = {"password": SECRET, SECRET: 1, "tool_name": SECRET, "id": SECRET, "call_id": SECRET, "userId": SECRET}
    assert DEFAULT_MASKER.mask(record) == {**record, "password": "[masked:password]"}


def test_a_masker_with_a_memory_masks_the_newest_secrets_in_later_records() -> None:
    masker = Masker(seen=SeenSecrets())
    values = [f"Zx9dkw02k{i:04}q" for i in range(100)]
    masker.mask([{"password": value} for value in values])
    assert masker.mask(values) == ["[masked:password]"] * 100
    masker.forget_oldest()
    kept = [value for value in values if not masker.looks_clean(value)]
    assert len(kept) == MAX_REMEMBERED
    assert masker.mask_text(kept[0]) == "[masked:password]"


@pytest.mark.parametrize(
    "value",
    [
        *("production", "Production1!", "production2024", "password123", "changeme123", "12345678", "correct-horse-9"),
        *("us-east-1", "x86_64-linux-gnu", "v1.2.3-rc1", "getUserById2", "sha256sum", "python3.11", "localhost:5432"),
        *("2024-01-01T00:00:00", "192.168.0.1:5432", "/etc/ssl/cert1.pem", "admin@example.com", "feature/JIRA-1234"),
        *("short1x", "a" * 600, "Ünicode9x8kq2"),
    ],
)
def test_a_value_that_may_be_an_ordinary_word_does_not_look_random(value: str) -> None:
    assert not is_distinctive(value)


def test_no_word_of_the_standard_library_looks_random() -> None:
    words: set[str] = set()
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        words.update(re.findall("[A-Za-z_]{8,}", path.read_text(errors="replace")))
    alphabets = {word for word in words if "pqrst" in word.lower() or "ghijk" in word.lower()}
    assert len(words) > 5000
    assert [word for word in words - alphabets if is_distinctive(word)] == []


@pytest.mark.parametrize(
    ("alphabet", "length"),
    [
        (string.ascii_letters + string.digits, 16),
        (string.ascii_lowercase + string.digits, 12),
        (string.ascii_letters + string.digits + "!#$%&*?", 12),
        (string.hexdigits.lower(), 32),
    ],
)
def test_a_random_value_looks_random(alphabet: str, length: int) -> None:
    rng = random.Random(length)
    made = ["".join(rng.choices(alphabet, k=length)) for _ in range(2000)]
    assert sum(map(is_distinctive, made)) > 0.94 * len(made)


def test_a_stated_argument_with_a_mask_fits_the_call_that_shows_the_value() -> None:
    stated = {"command": "connect --as [masked:password] now"}
    assert same_call({"command": f"connect --as {SECRET} now"}, stated)
    assert same_call(stated, stated)
    assert not same_call({"command": "connect --as me now"}, stated)
    assert not same_call({"command": f"connect --as {SECRET} later"}, stated)
