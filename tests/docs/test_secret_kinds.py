"""The page about secrets lists what the masker knows, no more and no less."""

import random
import re
from base64 import b64encode
from pathlib import Path

from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.core.redaction.prefilter import KEY_OF
from tallystick.core.redaction.token_formats import TOKEN_FORMATS
from tests.core.token_corpus import SHAPED

PAGE = (Path(__file__).parents[2] / "docs" / "secrets.md").read_text()


def _named(start: str, end: str) -> list[str]:
    return re.findall(r"`([a-z0-9_]+)`", PAGE.partition(start)[2].partition(end)[0])


def test_the_kinds_that_are_listed_are_those_that_are_known_by_their_shape() -> None:
    assert _named("with no name beside it:", "Beside these") == sorted({kind for kind, _, _ in TOKEN_FORMATS})


def test_each_kind_that_is_listed_is_measured() -> None:
    masked = " ".join(
        DEFAULT_MASKER.mask_text(f"see {make(random.Random(kind))} there") for kind, make in SHAPED.items()
    )
    apart = {"private_key"}  # it has places of its own there
    assert {kind for kind, _, _ in TOKEN_FORMATS} - set(re.findall(r"\[masked:([a-z0-9_]+)\]", masked)) == apart


def test_the_words_that_are_listed_make_a_name_a_secrets() -> None:
    assert _named("behind one of", "Names and patterns") == sorted(KEY_OF.split())
    drawn = "Zk4vQ7pLm2Xt9RbN"
    names = [name for name in _named("a secret's, in any", "and `key`\nbehind") if name not in ("env", "db", "pass")]
    assert len(names) > 10
    phrase = " ".join(["marble"] * 12)
    for name in (*names, "db_pass"):
        assert drawn not in str(DEFAULT_MASKER.mask({name: drawn})) or phrase not in str(
            DEFAULT_MASKER.mask({name: phrase})
        ), name


def test_the_names_that_need_a_value_to_look_like_a_secret_are_those_that_are_listed() -> None:
    drawn, short = "Zk4vQ7pLm2Xt9RbN", "Zk4vQ7pLm2Xt9Rb"
    for name in _named("must be a text that looks", "- `recovery_code`"):
        assert drawn not in str(DEFAULT_MASKER.mask({name: drawn}))
        assert short in str(DEFAULT_MASKER.mask({name: short})), name
    for name, value, less in (
        ("recovery_code", "abcde1", "abcd1"),
        ("seed_phrase", "marble " * 12, "marble " * 11),
        ("mnemonic", "marble " * 24, "marbles a " * 12),
    ):
        assert value not in str(DEFAULT_MASKER.mask({name: value}))
        assert less in str(DEFAULT_MASKER.mask({name: less}))


def test_what_is_said_not_to_be_masked_is_not() -> None:
    for text in (
        "hunter2",
        "db.internal:5432:prod:app:hunter2",
        'assert secret == "hunter2"',
        "X-Hub-Signature-256: a1b2",
        "password:\n  hunter\n",
        b64encode(b64encode(b"password=hunter2-hunter2")).decode(),
        "login --with ghp_" + "a1" * 6 + "\\\n" + "b2" * 12,
    ):
        assert DEFAULT_MASKER.mask_text(text) is text
