"""Passwords on command lines are masked, in a text and in a list of words; what only looks like one stays."""

import json
import random
from base64 import b64encode

import pytest

from tallystick.core.redaction.masker import DEFAULT_MASKER
from tests.core.benign_lines import ORDINARY_LINES
from tests.core.command_corpus import (
    COMMANDS_WITH_SECRETS,
    HARMLESS_COMMANDS,
    QUOTING,
    SETTING_COMMANDS,
    SHELL_ONLY,
    words_of,
)
from tests.core.secret_corpus import password, random_value


def _password(line: str) -> str:
    return password(random.Random(line)).replace("$", "s")


@pytest.mark.parametrize("line", [*COMMANDS_WITH_SECRETS, *SETTING_COMMANDS])
def test_a_password_on_a_command_line_is_masked_in_any_context(line: str) -> None:
    secret = random_value(random.Random(line)) if line in SETTING_COMMANDS else _password(line)
    text = line.replace("{}", secret)
    for tree in (
        {"command": text},
        {"stdout": f"$ {text}\ndone"},
        {"body": json.dumps({"a": text})},
        {"error": f"Error: Command failed with exit code 1: {text}"},
        {"command": f"bash -lc {json.dumps(text)}"},
        ["sh", "-c", text],
    ):
        masked = DEFAULT_MASKER.mask(tree)
        assert secret not in json.dumps(masked)
        assert not DEFAULT_MASKER.looks_clean(json.dumps(tree))
        assert DEFAULT_MASKER.mask(masked) is masked
    assert DEFAULT_MASKER.mask_text(text).startswith(line.partition(" ")[0])


@pytest.mark.parametrize(
    "line",
    [each for each in (*COMMANDS_WITH_SECRETS, *SETTING_COMMANDS) if not any(mark in each for mark in SHELL_ONLY)],
)
def test_a_password_in_a_command_that_is_a_list_of_words_is_masked_to_its_last_character(line: str) -> None:
    words = words_of(line)
    quoting = line in SETTING_COMMANDS or any(mark in word for mark in QUOTING for word in words)
    secret = random_value(random.Random(line)) if quoting else 'two words; "and more'
    words = [word.replace("{}", secret) for word in words]
    masked = DEFAULT_MASKER.mask(words)
    assert isinstance(masked, list)
    assert not [word for word in masked if secret[:3] in word or secret[-4:] in word]
    assert len(masked) == len(words)
    assert not DEFAULT_MASKER.looks_clean(json.dumps(words))
    assert DEFAULT_MASKER.mask(masked) is masked
    plain = words if quoting else [word.replace('"', "") for word in words]
    for text in (f"Command '{words}' returned non-zero exit status 1.", f"spawn {json.dumps(plain)} failed"):
        assert secret[-4:] not in DEFAULT_MASKER.mask_text(text)


@pytest.mark.parametrize("line", HARMLESS_COMMANDS)
def test_an_option_that_takes_no_password_stays(line: str) -> None:
    assert DEFAULT_MASKER.mask_text(line) == line
    assert DEFAULT_MASKER.mask(words_of(line)) == words_of(line)


def test_an_everyday_command_stays_as_a_list_of_words() -> None:
    commands = [words_of(line) for line in ORDINARY_LINES if line[:1].islower() and line.count("'") != 1]
    assert len(commands) > 400
    assert not [(words, after) for words in commands if (after := DEFAULT_MASKER.mask(words)) is not words]


def test_user_and_password_in_base64_under_auth_are_masked_and_other_values_are_not() -> None:
    header = b64encode(b"me:" + _password("registry").encode()).decode()
    for tree in (
        {"auths": {"registry.example.com": {"auth": header}}},
        json.dumps({"auths": {"registry.example.com": {"auth": header}}}, indent=2),
        f"//registry.example.com/:_auth={header}",
    ):
        assert header not in json.dumps(DEFAULT_MASKER.mask(tree))
        assert not DEFAULT_MASKER.looks_clean(json.dumps(tree))
    plain = {"auth": "required", "other": {"auth": b64encode(b"no colon here").decode()}}
    assert DEFAULT_MASKER.mask(plain) is plain


@pytest.mark.parametrize("name", ["X-Amz-Signature", "x-goog-signature"])
def test_the_signature_of_a_signed_request_is_masked_under_its_name(name: str) -> None:
    signature = "0a1b2c3d" * 8
    for tree in ({"query": {name: signature}}, f"{name}: {signature}"):
        assert signature not in json.dumps(DEFAULT_MASKER.mask(tree))
        assert not DEFAULT_MASKER.looks_clean(json.dumps(tree))
    function = {"signature": "def f(a: int) -> str"}
    assert DEFAULT_MASKER.mask(function) is function
