"""The page about secrets lists exactly what the masker recognizes."""

import random
import re
from base64 import b64encode
from pathlib import Path

from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.core.redaction.prefilter import KEY_OF
from tallystick.core.redaction.token_formats import TOKEN_FORMATS
from tests.core.documented_formats import DOCUMENTED, JUDGED_FORMATS, draw_secret
from tests.core.token_corpus import TOKEN_MAKERS

PAGE = (Path(__file__).parents[2] / "docs" / "secrets.md").read_text()


def _named(start: str, end: str) -> list[str]:
    return re.findall(r"`([a-z0-9_]+)`", PAGE.partition(start)[2].partition(end)[0])


def test_the_page_lists_exactly_the_kinds_that_have_a_format() -> None:
    assert _named("with no name beside it:", "Some kinds are") == sorted({kind for kind, _, _ in TOKEN_FORMATS})


def test_each_listed_kind_is_measured() -> None:
    values = [make(random.Random(kind)) for kind, make in {**TOKEN_MAKERS, **DOCUMENTED}.items()]
    values += [draw_secret(form.pattern, random.Random(form.pattern))[0] for form in JUDGED_FORMATS]
    masked = " ".join(DEFAULT_MASKER.mask_text(f"see {value} there") for value in values)
    apart = {"private_key"}  # the corpus has it elsewhere
    assert {kind for kind, _, _ in TOKEN_FORMATS} - set(re.findall(r"\[masked:([a-z0-9_]+)\]", masked)) == apart


def test_each_listed_word_makes_a_name_a_secrets() -> None:
    assert _named("after one of", "After any other word") == sorted(KEY_OF.split())
    random_text = "Zk4vQ7pLm2Xt9RbN"
    names = [name for name in _named("The words are", "and `key` after") if name not in ("db", "pass")]
    assert len(names) > 10
    phrase = " ".join(["marble"] * 12)
    for name in (*names, "db_pass"):
        assert random_text not in str(DEFAULT_MASKER.mask({name: random_text})) or phrase not in str(
            DEFAULT_MASKER.mask({name: phrase})
        ), name


def test_the_listed_names_need_a_value_in_the_listed_form() -> None:
    random_text, short = "Zk4vQ7pLm2Xt9RbN", "Zk4vQ7pLm2Xt9Rb"
    for name in _named("only if it has this form", "- `recovery_code`"):
        assert random_text not in str(DEFAULT_MASKER.mask({name: random_text}))
        assert short in str(DEFAULT_MASKER.mask({name: short})), name
    for name, value, less in (
        ("recovery_code", "abcde1", "abcd1"),
        ("seed_phrase", "marble " * 12, "marble " * 11),
        ("mnemonic", "marble " * 24, "marbles a " * 12),
    ):
        assert value not in str(DEFAULT_MASKER.mask({name: value}))
        assert less in str(DEFAULT_MASKER.mask({name: less}))


def test_the_examples_that_the_page_lists_as_unmasked_are_not_masked() -> None:
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
