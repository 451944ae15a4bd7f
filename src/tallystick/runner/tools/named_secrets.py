"""Secrets that a plan names: where they come from, and how they are kept out of what is recorded."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from tallystick.core.formats import canonical_json
from tallystick.core.tools import SECRET
from tallystick.runner.expressions import map_texts

SECRETS_FOLDER = "TALLYSTICK_SECRETS"
"""The environment variable with a folder that holds one file for each secret."""
SECRETS_RULE = "The operator lists the names that plans may use: `secrets` in the policy file."
MIN_HIDDEN_CHARACTERS = 4
"""A shorter secret is not masked in what a tool says: it would be found in words and numbers."""


class SecretMissing(KeyError):
    """There is no secret of a name that may be used."""


def resolve_secrets(value: Any, allowed: Collection[str] | None = None) -> tuple[Any, set[str]]:
    """A value with the secrets that it names, and these: from the environment, or a file in the folder of secrets.
    Raises KeyError for one that is not there, or not among those that are allowed."""
    found: set[str] = set()

    def resolve(text: str) -> str:
        if not text.startswith(SECRET):
            return text
        found.add(secret := _secret(text.removeprefix(SECRET), allowed))
        return secret

    return map_texts(value, resolve), found


def secrets_folder(environment: Mapping[str, str]) -> str:
    """The folder that holds a file for each secret; empty if there is none."""
    return environment.get(SECRETS_FOLDER, "")


def _secret(name: str, allowed: Collection[str] | None) -> str:
    if allowed is not None and name not in allowed:
        raise KeyError(f"The secret {name} is not allowed here. {SECRETS_RULE}")
    found = find_secret(name)
    if found is None:
        raise SecretMissing(f"There is no secret {name}: set the variable, or a file in {SECRETS_FOLDER}.")
    return found


def find_secret(name: str) -> str | None:
    """The value of a secret; None if there is none of this name."""
    if name in os.environ:
        return os.environ[name]
    folder = secrets_folder(os.environ)
    if folder and name and "/" not in name and name not in (".", ".."):
        file = Path(folder, name)
        if file.is_file():
            return file.read_text(encoding="utf-8").rstrip("\n")
    return None


def hide_secrets(value: Any, secrets: Collection[str]) -> Any:
    """What a tool said, with the secrets masked that it was given, also as texts of JSON, of Python and of URLs have
    them, and in one line."""
    forms = {form for each in secrets for form in _forms(each)}
    hidden = sorted((each for each in forms if len(each) >= MIN_HIDDEN_CHARACTERS), key=len, reverse=True)

    def hide(text: str) -> str:
        for secret in hidden:
            text = text.replace(secret, "[masked:secret]")
        return text

    return map_texts(value, hide, with_names=True) if hidden else value


def _forms(secret: str) -> Iterator[str]:
    yield from (secret, secret.strip(), " ".join(secret.split()))
    yield from (
        canonical_json.to_readable(secret)[1:-1],
        canonical_json.to_readable(secret, ascii_only=True)[1:-1],
        repr(secret)[1:-1],
    )
    yield from (quote(secret, safe=""), quote_plus(secret), b64encode(secret.encode()).decode())
