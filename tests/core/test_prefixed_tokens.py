"""Secrets of services that are not listed: by a prefix and a random tail, or by a name such as `ACME_KEY`."""

import json
import random
import uuid

import pytest

from tallystick.core.redaction.masker import DEFAULT_MASKER
from tests.core.token_corpus import ALNUM, HEX, LOWER, URLSAFE, Make, prefixed, start

TOKENS: dict[str, Make] = {
    "live": prefixed(("acme", "_live_"), ALNUM, 24),
    "key in hex": prefixed(("acme", "_key_"), HEX, 32),
    "personal": prefixed(("acm", "_pat_"), URLSAFE, 32),
    "secret key": prefixed(("sk", "-acme-"), ALNUM, 32),
    "dashed": prefixed(("acme", "key-"), ALNUM, 24),
    "any prefix": prefixed(("acm", "x_"), ALNUM, 40),
    "any prefix in lower case": prefixed(("acm", "x_"), LOWER, 48),
    "base64": lambda rng: prefixed(("acme", "_token_"), ALNUM + "+/", 64)(rng) + "A==",
    "uuid": lambda rng: start("ac", "me-key-") + str(uuid.UUID(int=rng.getrandbits(128))),
}


@pytest.mark.parametrize("kind", TOKENS)
@pytest.mark.parametrize(
    "text", ["{}", "see {}.", "a/{}/b", "x={}&y=1", '"{}"', "\x1b[32m{}\x1b[0m", "first\n+{}\n", "é{}", "%7B{}%7D"]
)
def test_a_token_with_a_prefix_is_masked(kind: str, text: str) -> None:
    rng, missed = random.Random(kind), 0
    for _ in range(20):
        value = TOKENS[kind](rng)
        written = text.format(value)
        masked = DEFAULT_MASKER.mask_text(written)
        missed += value[-12:] in masked
        assert masked == written or not DEFAULT_MASKER.looks_clean(json.dumps(written))
        assert DEFAULT_MASKER.mask_text(masked) is masked
    assert missed <= 1


@pytest.mark.parametrize(
    "text",
    [
        *("toolu_01A09q90qw90lq917835lq9", "call_9f3kLmQ2xZ7vBn4TyUw8RsPd", "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT"),
        *("resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b", "req_011CQmJ8vXyZ1aBcDeFgHiJk"),
        *("msg_01XFDUDYJgAACzvnptvVoYEL", "cus_NffrFeUfNV2Hib", "pi_3MtwBwLkdIwHu7ix28a3tqPa"),
        *("cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u", "user_2g7np7Hrk0SN6kj5EDMLDaKNL0S"),
        *("dpl_FjvFJncQHQcZMznrUm9EoB8sFuPa", "ac_01J8Z6Q4T3WJ5X9K2M7N0P8R6S", "i-0123456789abcdef0"),
        *("rollout-2026-11-16T08-07-04-01a1e365-3aca-7862-9a78-8f6ab694116a", "web-6d4cf56db6-x7k2p"),
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
        *("cache_d41d8cd98f00b204e9800998ecf8427e", "my-repo/commit/391cc5b9b25cffe0cb2edcba3583414a771b4a15"),
        *("numpy-1.26.4-cp311-cp311-manylinux_2_17_x86_64", "test_a_document_of_2_pages_is_read_in_order"),
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ],
)
def test_ids_digests_and_names_of_files_stay(text: str) -> None:
    assert DEFAULT_MASKER.mask_text(f"see {text} there") == f"see {text} there"
    assert DEFAULT_MASKER.mask({"id": text}) == {"id": text}


KEY = "5o8ueg8zaxzwept2ikl4igzyewqgjmq8"


@pytest.mark.parametrize(
    "text",
    [
        *("OPENWEATHER_KEY={}", "openweatherKey: {}", '{{"openweather_key": "{}"}}', "X-Openweather-Key: {}"),
        *("--openweather-key {}", "?openweather_key={}&q=x", "openweather key: {} was refused", "api key: {}"),
        *('openweather_key: str = "{}"', "OPENWEATHER_KEY_PROD='{}'", "<openweather_key>{}</openweather_key>"),
    ],
)
def test_a_random_value_beside_the_key_of_any_service_is_masked(text: str) -> None:
    written = text.format(KEY)
    assert KEY not in DEFAULT_MASKER.mask_text(written)
    assert not DEFAULT_MASKER.looks_clean(json.dumps(written))


def test_a_random_value_under_the_key_of_any_service_is_masked_in_a_tree() -> None:
    for tree in (
        {"openweather_key": KEY},
        {"env": [{"name": "OPENWEATHER_KEY", "value": KEY}]},
        ["run", "--openweather-key", KEY],
    ):
        assert KEY not in json.dumps(DEFAULT_MASKER.mask(tree))
        assert not DEFAULT_MASKER.looks_clean(json.dumps(tree))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((f"{word}_key", KEY) for word in ("cache", "primary", "effect", "idempotency", "public", "object", "sort")),
        *(("openweather_key", value) for value in ("name", "weather:2024:hamburg", "uploads/2024/03/report-v2.pdf")),
        *(("openweather_key", value) for value in ("2024-03-01T10:00:00Z", "ArrowLeft", "correct horse battery")),
    ],
)
def test_other_keys_and_other_values_stay(name: str, value: str) -> None:
    tree = {name: value}
    assert DEFAULT_MASKER.mask(tree) is tree
    assert DEFAULT_MASKER.mask_text(f"{name} = '{value}'") == f"{name} = '{value}'"


def test_what_is_left_of_a_value_behind_a_token_is_masked_too() -> None:
    token = TOKENS["live"](random.Random(1))
    assert DEFAULT_MASKER.mask_text(f"SERVICE_TOKEN=x1 {token}.Zx9dkw02kdlwQ8 ok").endswith("[masked:service_token] ok")
    ghp = start("gh", "p_") + "aB3" * 12
    assert DEFAULT_MASKER.mask_text(f"GITHUB_TOKEN={ghp}_kQ8w") == "GITHUB_TOKEN=[masked:token]"
