"""One frozen `Settings`, read once from the environment; everything else is handed what it needs."""

import os
from collections.abc import Mapping

from msgspec import Struct

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.canonical_json import Limits
from tallystick.paths import default_url, journal_name, sqlite_file


class Settings(Struct, frozen=True, kw_only=True):
    """What can be set from outside. Names of variables are `TALLYSTICK_` and the field's name."""

    url: str
    journal: str
    actor: str
    session: str = ""
    credential: str = ""
    lease_seconds: float = 3600.0
    limits: Limits = Limits()
    secret_names: tuple[str, ...] = ()
    secret_patterns: tuple[str, ...] = ()
    log: str = "text"
    token: str = ""


def load(environment: Mapping[str, str] | None = None, folder: str | os.PathLike[str] | None = None) -> Settings:
    """The settings for a process that was started in `folder`."""
    env = os.environ if environment is None else environment
    here = folder or os.getcwd()
    return Settings(
        url=env.get("TALLYSTICK_URL", "") or default_url(env),
        journal=env.get("TALLYSTICK_JOURNAL", "") or journal_name(here),
        actor=env.get("TALLYSTICK_ACTOR", "") or _user(),
        session=env.get("TALLYSTICK_SESSION", ""),
        credential=env.get("TALLYSTICK_CREDENTIAL", ""),
        lease_seconds=_number(env, "TALLYSTICK_LEASE_SECONDS", 3600.0),
        limits=Limits(
            body_bytes=int(_number(env, "TALLYSTICK_BODY_BYTES", Limits().body_bytes)),
            depth=int(_number(env, "TALLYSTICK_DEPTH", Limits().depth)),
            steps=int(_number(env, "TALLYSTICK_STEPS", Limits().steps)),
        ),
        secret_names=tuple(filter(None, env.get("TALLYSTICK_SECRET_NAMES", "").split(","))),
        secret_patterns=tuple(filter(None, env.get("TALLYSTICK_SECRET_PATTERNS", "").split("\n"))),
        log=env.get("TALLYSTICK_LOG", "text"),
        token=env.get("TALLYSTICK_TOKEN", ""),
    )


def sqlite_path(url: str) -> str:
    """The path in `sqlite:///absolute/path` or `sqlite:relative/path`, if it can be one."""
    path = url.removeprefix("sqlite:")
    if path.startswith("//") and not path.startswith("///"):
        raise InvalidArgument(
            f'"{url}" names a host, and SQLite has none.',
            hint="Use sqlite:///absolute/path/journal.db, or sqlite:relative/journal.db.",
            field="url",
        )
    if not path.strip("/"):
        raise InvalidArgument(f'"{url}" names no file.', hint="Use sqlite:///path/to/journal.db.", field="url")
    return sqlite_file(url)


def _user() -> str:
    found = next(filter(None, map(os.environ.get, ("LOGNAME", "USER", "USERNAME"))), None)
    if found:
        return found
    from pwd import getpwuid

    try:
        return getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _number(env: Mapping[str, str], name: str, default: float) -> float:
    text = env.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not value > 0:
        raise InvalidArgument(f'{name} is "{text}".', hint="Set it to a number above zero, or unset it.", field=name)
    return value


def without_password(url: str) -> str:
    """A URL as it may be shown."""
    from urllib.parse import urlsplit  # slow to load, and seldom needed

    parts = urlsplit(url)
    if parts.password is None:
        return url
    return parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":***@", 1)).geturl()
