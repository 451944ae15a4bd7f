"""The public names of the package, and what importing it loads."""

import json
import subprocess
import sys
from types import ModuleType

import pytest

import tallystick
from tallystick.core import errors

HEAVY = (
    "aiohttp", "anyio", "asyncio", "click", "fastapi", "httpx", "mcp", "psycopg", "requests", "rich", "sqlite3",
    "starlette", "uvicorn",
)  # fmt: skip


def test_everything_public_is_listed_and_everything_listed_is_there() -> None:
    public = {
        name
        for name, value in vars(tallystick).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert set(tallystick.__all__) - public - LOADED_LATE == {"__version__"}
    assert public - set(tallystick.__all__) == set()


LOADED_LATE = {"ToolError", "tool"}


def test_what_the_runner_needs_is_loaded_when_it_is_asked_for() -> None:
    from tallystick import Retry, ToolError, tool
    from tallystick.runner.tools.tool import ToolError as Same

    def act(name: str) -> str:
        return name

    assert tool(retry=Retry(3))(act)("x") == "x"
    assert ToolError is Same
    assert set(tallystick.__all__) <= set(dir(tallystick))
    with pytest.raises(AttributeError, match="no attribute 'tols'"):
        tallystick.tols  # type: ignore[attr-defined]  # noqa: B018


def test_the_list_is_sorted_and_has_no_doubles() -> None:
    assert tallystick.__all__ == sorted(set(tallystick.__all__))


def test_every_error_can_be_imported_from_the_top() -> None:
    found = {name for name, value in vars(errors).items() if _is_error(value)}
    assert found <= set(tallystick.__all__)


def test_every_error_that_is_raised_has_a_code_of_its_own() -> None:
    kinds = [value for value in vars(errors).values() if _is_error(value) and value is not errors.Refused]
    codes = [kind.code for kind in kinds]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("opening", ["", "tallystick.Journal.open('memory:')", "opened"])
def test_importing_and_opening_a_file_pulls_in_nothing_heavy(opening: str, tmp_path: object) -> None:
    if opening == "opened":
        opening = (
            f"journal = tallystick.Journal.open('sqlite:///{tmp_path}/journal.db'); "
            "journal.record_execution_start(title='x'); journal.close()"
        )
    code = f"import sys\nimport tallystick\nimport json; {opening}\nprint(json.dumps(sorted(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(found.stdout)}
    assert loaded.intersection(HEAVY) == set()


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.TallystickError)
