r"""What a value says of itself: that it only refers to a secret, or that it looks drawn by lot.

Standard library only: a hook takes this file along.
"""

from __future__ import annotations

from binascii import a2b_base64

from tallystick.core.patterns import rx as _rx

# Values that stay although they stand under a secret's name.
_REFERENCE = (
    r"\[masked:[a-z0-9_]+\]|\$(?:[A-Z][A-Z0-9_]*|[a-z_]+)|\$?\{\{?[^{}]*\}?\}|\$\(.*|%\w+%|<[^<>]*>"
    r"|[xX*.#\u2022-]+|(?i:\[?(?:none|null|nil|true|false|undefined|redacted|masked|hidden|filtered)\]?|bearer|basic"
    r"|your[-_ ].*|replace[-_ ]?me)|(?:os\.|process\.|self\.|ENV\[|env[.:(]|getenv|secrets\.|vault:|op://|https?://).*"
)
_FILLED_IN_LATER = r"\$?\{\{?[^{}]{0,100}\}?\}|%\(\w{1,50}\)s|%s|\$[A-Z_]{4,50}"


def is_reference(value: str) -> bool:
    """A value that names a secret, or stands for one, and holds none."""
    value = value.strip()
    if not value or len(value) > 256:
        return not value
    rest, holes = _rx(_FILLED_IN_LATER).subn("", value)
    return (holes > 0 and len(rest) < 8) or _rx(_REFERENCE).fullmatch(value) is not None


def is_harmless(name: str, value: object) -> bool:
    """PWD is also the working directory, a test run counts what did `pass`, and git's signing key is an identifier."""
    if not isinstance(value, str) or name.lower() == "pass":
        return name.lower() == "pass" and (not isinstance(value, str) or value.isdigit())
    if name.lower() == "user.signingkey":
        return True
    return name.lower() in ("pwd", "oldpwd") and _rx(r"[~/.]|[A-Za-z]:[\\/]").match(value) is not None


def is_opaque(text: str) -> bool:
    return len(text) >= 24 or (any(c.isdigit() for c in text) and any(c.isalpha() for c in text))


def decoded(text: str) -> str:
    try:
        return a2b_base64(text.translate({45: "+", 95: "/"}) + "==").decode("ascii")
    except ValueError:
        return ""


def is_user_and_password(value: object) -> bool:
    """Whether it is `user:password` in base64, as clients of registries keep it under `auth`."""
    if not isinstance(value, str) or not _rx("[A-Za-z0-9+/]{8,}={0,2}").fullmatch(value):
        return False
    return ":" in decoded(value) and decoded(value).isprintable()


def is_drawn(value: object) -> bool:
    """Whether it looks drawn by lot, and not written: a name and a blank before it are then enough."""
    if not isinstance(value, str) or not _rx("[A-Za-z0-9+/=_-]{16,}").fullmatch(value):
        return False
    mixed = value != value.lower() and value != value.upper()
    return (mixed or value.isalnum()) and any(map(str.isdigit, value)) and any(map(str.isalpha, value))
