"""Encoded secrets: a text in base64 or with percent escapes is masked only if it holds a secret."""

import random
import string
from base64 import b64encode, encodebytes, urlsafe_b64encode
from urllib.parse import quote, quote_plus

import pytest

from tallystick.core.redaction.masker import DEFAULT_MASKER, Masker
from tests.core.token_corpus import TOKEN_MAKERS, pem, run

MARK = "[masked:encoded_secret]"


@pytest.mark.parametrize("before", ["", "x", "KEY=", '{"a": "é", "b": "'])
@pytest.mark.parametrize("kind", TOKEN_MAKERS)
def test_each_token_format_is_recognized_in_base64_at_any_offset(kind: str, before: str) -> None:
    plain = f"{before}{' ' if before == 'x' else ''}{TOKEN_MAKERS[kind](random.Random(kind))}".encode()
    for token in (b64encode(plain), b64encode(plain).rstrip(b"="), urlsafe_b64encode(plain), b64encode(plain + b"\n")):
        for text in (token.decode(), f"x/{token.decode()}", f"data:text/plain;base64,{token.decode()}"):
            assert token.decode()[-16:] not in DEFAULT_MASKER.mask_text(text)


def test_base64_in_lines_is_masked_to_its_end() -> None:
    key = pem(random.Random(1), "RSA ")
    lines = encodebytes(f"key: |\n{key}\n".encode()).decode().splitlines()
    masked = DEFAULT_MASKER.mask_text("\n".join(["cat key | base64", *lines, "", "done"]))
    assert masked == f"cat key | base64\n{MARK}\n\ndone"


@pytest.mark.parametrize(
    "text",
    [
        "Nothing to see here, and much of it, all day long.",
        "def hello(world):\n    return [each for each in world if each.name]",
        "\x00\x01\x02" * 40,
    ],
)
def test_base64_without_a_secret_is_unchanged(text: str) -> None:
    token = b64encode(text.encode()).decode()
    assert DEFAULT_MASKER.mask_text(f"see {token} there") == f"see {token} there"


def test_text_that_is_encoded_twice_is_not_decoded() -> None:
    twice = b64encode(b64encode(b"password=hunter2-hunter2")).decode()
    assert DEFAULT_MASKER.mask_text(twice) == twice
    assert DEFAULT_MASKER.mask_text(quote(quote("password=hunter2-hunter2"))) == quote(
        quote("password=hunter2-hunter2")
    )


def test_extra_names_are_recognized_in_encoded_text() -> None:
    token = b64encode(b"customer_pin=4711-8822-x").decode()
    assert Masker(extra_names=("customer_pin",)).mask_text(f"a {token}") == f"a {MARK}"
    assert DEFAULT_MASKER.mask_text(f"a {token}") == f"a {token}"


@pytest.mark.parametrize("escaped", [lambda text: quote(text, safe=""), quote_plus])
@pytest.mark.parametrize(
    "text",
    [
        "https://hooks." + "slack.com/services/T1/B2/{}",
        "https://disc" + "ord.com/api/webhooks/" + "1" * 18 + "/{}{}",
        "1234567890:A" + "A{}{}",
        "postgres://app:{}@db.example.com/x",
        "password={}",
        '{{"password": "{}"}}',
        "AccountName=x;AccountKey={};E=y",
        "Cookie: sid={}; a=b",
        "Authorization: Bearer {}",
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
    ],
)
def test_a_secret_in_percent_escapes_is_masked(text: str, escaped: object) -> None:
    secret = run(random.Random(text), string.ascii_letters + string.digits, 30)
    whole = f"GET https://example.com/?a=1&next={escaped(text.format(secret, secret))}&page=2 failed"  # type: ignore[operator]
    masked = DEFAULT_MASKER.mask_text(whole)
    assert secret not in masked
    assert masked.startswith("GET https://example.com/?a=1&next=")
    assert masked.endswith("&page=2 failed")
    assert DEFAULT_MASKER.mask_text(masked) is masked


def test_only_the_escaped_secret_is_masked() -> None:
    text = "see https://example.com/?next=%2Fcb%3Ftoken%3Dabcdefgh12345678%26page%3D2&a=1"
    assert DEFAULT_MASKER.mask_text(text) == f"see https://example.com/?next=%2Fcb%3Ftoken%3D{MARK}%26page%3D2&a=1"
    plain = "see https://example.com/?q=a%20token%20is%20a%20word&a=100%25"
    assert DEFAULT_MASKER.mask_text(plain) is plain
