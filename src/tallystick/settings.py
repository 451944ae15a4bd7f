"""What a user can set by environment variables, read once into one frozen `Settings`."""

import os
from collections.abc import Mapping

from msgspec import Struct

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.canonical_json import Limits, check_text
from tallystick.paths import default_url, journal_name, sqlite_file, store_url

LEASE_SECONDS = 3600.0


class Settings(Struct, frozen=True, kw_only=True):
    """All settings. The variable of a field is `TALLYSTICK_` and its name in capitals."""

    url: str
    journal: str
    actor: str
    session: str = ""
    credential: str = ""
    lease_seconds: float = LEASE_SECONDS
    limits: Limits = Limits()
    secret_names: tuple[str, ...] = ()
    secret_patterns: tuple[str, ...] = ()
    log: str = "text"
    token: str = ""
    alerts: tuple[str, ...] = ()
    deliver_to: tuple[str, ...] = ()
    public_url: str = ""


def load(environment: Mapping[str, str] | None = None, folder: str | os.PathLike[str] | None = None) -> Settings:
    """The settings of a process that was started in `folder`, which is the current folder by default."""
    env = os.environ if environment is None else environment
    return Settings(
        url=store_url(env.get("TALLYSTICK_URL", "")) or default_url(env),
        journal=env.get("TALLYSTICK_JOURNAL", "") or journal_name(folder or os.getcwd()),
        actor=env.get("TALLYSTICK_ACTOR", "") or _user_name(),
        session=env.get("TALLYSTICK_SESSION", ""),
        credential=env.get("TALLYSTICK_CREDENTIAL", ""),
        lease_seconds=_number(env, "TALLYSTICK_LEASE_SECONDS", LEASE_SECONDS),
        limits=Limits(
            body_bytes=int(_number(env, "TALLYSTICK_BODY_BYTES", Limits().body_bytes)),
            depth=int(_number(env, "TALLYSTICK_DEPTH", Limits().depth)),
            steps=int(_number(env, "TALLYSTICK_STEPS", Limits().steps)),
            plan_bytes=int(_number(env, "TALLYSTICK_PLAN_BYTES", Limits().plan_bytes)),
        ),
        secret_names=tuple(filter(None, env.get("TALLYSTICK_SECRET_NAMES", "").split(","))),
        secret_patterns=tuple(filter(None, env.get("TALLYSTICK_SECRET_PATTERNS", "").split("\n"))),
        log=env.get("TALLYSTICK_LOG", "text"),
        token=env.get("TALLYSTICK_TOKEN", ""),
        alerts=tuple(env.get("TALLYSTICK_ALERTS", "").split()),
        deliver_to=tuple(filter(None, env.get("TALLYSTICK_DELIVER_TO", "").split(","))),
        public_url=env.get("TALLYSTICK_PUBLIC_URL", ""),
    )


def sqlite_path(url: str) -> str:
    """The path in `sqlite:///absolute/path` or `sqlite:relative/path`; raises for any other form."""
    path = url[len("sqlite:") :]
    if path.startswith("//") and not path.startswith("///"):
        raise InvalidArgument(
            f'"{url}" names a host, but SQLite uses files only.',
            hint="Use sqlite:///absolute/path/journal.db, or sqlite:relative/journal.db.",
            field="url",
        )
    if not path.strip("/"):
        raise InvalidArgument(f'"{url}" names no file.', hint="Use sqlite:///path/to/journal.db.", field="url")
    file = sqlite_file(url)
    check_text(file, "url")
    return file


def _user_name() -> str:
    name = next(filter(None, map(os.environ.get, ("LOGNAME", "USER", "USERNAME"))), None)
    if name:
        return name
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
    """A URL without its password, to be shown."""
    from urllib.parse import urlsplit  # slow to load, and rarely needed

    parts = urlsplit(url)
    if parts.password is None:
        return url
    return parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":***@", 1)).geturl()
