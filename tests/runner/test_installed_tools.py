"""Tools of installed packages: a fault in one is an error of that package alone."""

import pytest

from tallystick import tool
from tallystick.runner.tools import registry
from tallystick.runner.tools.registry import installed_tools


@tool(effect="read")
def greet(name: str) -> str:
    """A greeting."""
    return f"Hello {name}"


class _EntryPoint:
    def __init__(self, name: str, problem: BaseException | None = None) -> None:
        self.name = name
        self._problem = problem

    def load(self) -> object:
        if self._problem:
            raise self._problem
        return greet


def test_a_package_that_fails_or_exits_while_it_is_loaded_takes_no_other_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packages = [_EntryPoint("gone", ImportError("x")), _EntryPoint("exits", SystemExit(3)), _EntryPoint("fine")]
    monkeypatch.setattr(registry, "entry_points", lambda group: packages)
    tools, errors = installed_tools()
    assert [each.name for each in tools] == ["greet"]
    assert errors == {"gone": "ImportError: x", "exits": "SystemExit: 3"}
