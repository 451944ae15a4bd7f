"""The schema, as numbered SQL files that only ever go forward."""

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal
from zlib import crc32

from msgspec import Struct

from tallystick.core.errors import Unsupported

# ----------------------------------------------------------------------------------------------------------------------
# Bringing a database to the newest schema: numbered SQL files, forward only, each recorded with its digest.
#
# The caller holds a lock that keeps other processes out meanwhile. A database that is newer than this program is
# refused, and so is one whose past was changed.

Dialect = Literal["sqlite", "postgres"]
_TOKENS: dict[Dialect, dict[str, str]] = {
    "sqlite": {
        "autopk": "integer primary key",
        "placepk": "integer primary key",
        "blob": "blob",
        "clustered": "without rowid",
        "c": "",
    },
    "postgres": {
        "placepk": "bigint primary key",
        "autopk": "bigint generated always as identity primary key",
        "blob": "bytea",
        "clustered": "",
        # Handles sort by their bytes, whatever the language of the database.
        "c": 'collate "C"',
    },
}
LEDGER = """create table if not exists schema_versions (
    version bigint primary key, name text not null, digest text not null)"""


class Migration(Struct, frozen=True):
    version: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        """It tells an edited migration from the one that was run. Nobody is kept from forging it."""
        return f"{crc32(self.sql.encode()):08x}"


@cache
def migrations(dialect: Dialect) -> tuple[Migration, ...]:
    """All migrations for a dialect, in order."""
    folder = os.path.dirname(__file__)
    texts = {name: _text(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".sql")}
    found = []
    for name in sorted(name for name in texts if name.count(".") == 1):
        stem = name.removesuffix(".sql")
        shared = texts[name]
        for token, written in _TOKENS[dialect].items():
            shared = shared.replace("{" + token + "}", written)
        found.append(Migration(int(stem[:4]), stem, shared + "\n" + texts.get(f"{stem}.{dialect}.sql", "")))
    return tuple(found)


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def newest(dialect: Dialect) -> int:
    return migrations(dialect)[-1].version


def migrate(
    dialect: Dialect, applied: Sequence[tuple[int, str]], run: Callable[[str], Any], note: Callable[[Migration], Any]
) -> int:
    """Run what is missing behind `applied` (versions with digests); returns how many were run."""
    known = {each.version: each for each in migrations(dialect)}
    for version, digest in applied:
        if version not in known:
            raise Unsupported(
                f"This store has schema {version}; this program knows schemas up to {newest(dialect)}.",
                hint="Use a newer tallystick. Nothing was changed.",
            )
        if known[version].digest != digest:
            raise Unsupported(
                f"Schema {version} of this store was made by other SQL than this program's.",
                hint="Use the tallystick that made it. Nothing was changed.",
            )
    missing = [each for each in migrations(dialect) if each.version not in dict(applied)]
    for each in missing:
        run(each.sql)
        note(each)
    return len(missing)
