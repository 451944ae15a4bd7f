"""The schema as numbered SQL files, and applying those that a database does not have yet.

Migrations only go forward; each is recorded with a digest of its text. The caller holds a lock that keeps other
processes out. A database that is newer than this program is refused, and so is one with an edited migration.
"""

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal
from zlib import crc32

from msgspec import Struct

from tallystick.core.errors import Unsupported

Dialect = Literal["sqlite", "postgres"]
_DIALECT_WORDS: dict[Dialect, dict[str, str]] = {
    "sqlite": {
        "autopk": "integer primary key",
        "placepk": "integer primary key",
        "blob": "blob",
        "clustered": "without rowid",
        "c": "",
        # In the views (0016): JSON, times, and the steps of a plan as rows.
        "json": "",
        "object(": "json_object(",
        "array(": "json_group_array(",
        "to_json(": "",
        "to_json)": "",
        "join_steps(": "join json_each(coalesce(",
        "join_steps)": "), '$.steps')",
        "time(": "strftime('%Y-%m-%dT%H:%M:%fZ', (",
        "time)": ") / 1000 / 1000.0, 'unixepoch')",
        "position(": "instr(",
        "is_number(": "",
        "is_number)": " not glob '*[^0-9]*'",
        "false": "0",
    },
    "postgres": {
        "placepk": "bigint primary key",
        "autopk": "bigint generated always as identity primary key",
        "blob": "bytea",
        "clustered": "",
        # Handles sort by their bytes, whatever the language of the database.
        "c": 'collate "C"',
        "json": "::json",
        "object(": "json_build_object(",
        "array(": "json_agg(",
        "to_json(": "to_json(",
        "to_json)": ")",
        "join_steps(": "cross join lateral (select n - 1 as key, value from json_array_elements(coalesce(",
        "join_steps)": ")::json -> 'steps') with ordinality as step (value, n))",
        "time(": "('epoch'::timestamptz + (",
        "time)": ") * interval '1 microsecond')",
        "position(": "strpos(",
        "is_number(": "",
        "is_number)": " !~ '[^0-9]'",
        "false": "false",
    },
}
CREATE_VERSIONS_TABLE = """create table if not exists schema_versions (
    version bigint primary key, name text not null, digest text not null)"""


class Migration(Struct, frozen=True):
    version: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        """Shows an accidental edit of a migration that was run. It does not protect from forgery."""
        return f"{crc32(self.sql.encode()):08x}"


@cache
def migrations(dialect: Dialect) -> tuple[Migration, ...]:
    """All migrations for a dialect, in order."""
    folder = os.path.dirname(__file__)
    texts = {name: _read_text(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".sql")}
    ordered = []
    for name in sorted(name for name in texts if name.count(".") == 1):
        stem = name.removesuffix(".sql")
        shared = texts[name]
        for placeholder, words in _DIALECT_WORDS[dialect].items():
            shared = shared.replace("{" + placeholder + "}", words)
        ordered.append(Migration(int(stem[:4]), stem, shared + "\n" + texts.get(f"{stem}.{dialect}.sql", "")))
    return tuple(ordered)


def _read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def newest(dialect: Dialect) -> int:
    return migrations(dialect)[-1].version


def migrate(
    dialect: Dialect, applied: Sequence[tuple[int, str]], run: Callable[[str], Any], record: Callable[[Migration], Any]
) -> int:
    """Run the migrations that are not in `applied` (versions with digests); returns how many were run."""
    known = {each.version: each for each in migrations(dialect)}
    for version, digest in applied:
        if version not in known:
            raise Unsupported(
                f"This store has schema {version}; this program knows schemas up to {newest(dialect)}.",
                hint="Use a newer tallystick. Nothing was changed.",
            )
        if known[version].digest != digest:
            raise Unsupported(
                f"Schema {version} of this store was created by different SQL than this program has.",
                hint="Use the tallystick version that created it. Nothing was changed.",
            )
    missing = [each for each in migrations(dialect) if each.version not in dict(applied)]
    for each in missing:
        run(each.sql)
        record(each)
    return len(missing)
