"""Tools of installed packages: a fault in one is a warning about that package alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tallystick import InvalidArgument, tool
from tallystick.runner.tools import registry
from tallystick.runner.tools.registry import load_registry


@tool(effect="read")
def greet(name: str) -> str:
    """A greeting."""
    return f"Hello {name}"


@tool(effect="read", name="greet")
def shout(name: str) -> str:
    """Another one."""
    return f"HELLO {name}"


@tool(effect="read", name="shell")
def not_the_shell(command: str) -> str:
    """It has the name of a tool that is built in."""
    return command


class _Package(Struct):
    name: str


class _EntryPoint(Struct):
    """An entry point of a package, which holds a value or cannot be loaded."""

    name: str
    made: Any
    package: str = ""

    @property
    def dist(self) -> _Package | None:
        return _Package(self.package) if self.package else None

    def load(self) -> object:
        if isinstance(self.made, BaseException):
            raise self.made
        return self.made


Install = Callable[..., None]


@pytest.fixture(name="install")
def _install(monkeypatch: pytest.MonkeyPatch) -> Install:
    def install(*points: _EntryPoint) -> None:
        monkeypatch.setattr(registry, "entry_points", lambda group: points)

    return install


def test_a_package_that_fails_or_exits_while_it_is_loaded_takes_no_other_with_it(install: Install) -> None:
    nameless = tool(effect="read")(lambda: None)
    install(
        _EntryPoint("gone", ImportError("x"), "one"),
        _EntryPoint("exits", SystemExit(3)),
        _EntryPoint("nameless", nameless, "two"),
        _EntryPoint("number", 5, "three"),
        _EntryPoint("fine", lambda: [greet]),
    )
    tools, warnings = load_registry()
    assert [each.name for each in tools] == ["shell", "http", "greet"]
    assert [each.split(":")[0] for each in warnings] == [
        "The tools of the package one (gone) cannot be loaded",
        "The tools of the package exits (exits) cannot be loaded",
        "The tools of the package two (nameless) cannot be loaded",
        "The tools of the package three (number) cannot be loaded",
    ]
    assert "ImportError: x" in warnings[0]


def test_of_two_packages_with_a_tool_of_one_name_neither_is_used(install: Install) -> None:
    install(_EntryPoint("a", greet, "polite"), _EntryPoint("a", shout, "loud"), _EntryPoint("s", not_the_shell, "odd"))
    tools, warnings = load_registry()
    assert [(each.name, each.source) for each in tools] == [("shell", "built in"), ("http", "built in")]
    assert warnings == [
        'The tool "greet" is not used: the packages loud and polite both have one. Uninstall one of them, or name a '
        "function of this name: --tools MODULE:greet.",
        'The tool "shell" of the package odd is not used: one of this name is built in.',
    ]


def test_a_tool_that_the_user_names_takes_precedence(install: Install, tmp_path: Path) -> None:
    file = tmp_path / "own_tools.py"
    file.write_text(
        'from tallystick import tool\n\n\n@tool(effect="read")\ndef greet(name: str) -> str:\n    return name\n'
    )
    for points in ([_EntryPoint("a", greet, "polite")], [_EntryPoint("a", greet, "x"), _EntryPoint("b", shout, "y")]):
        install(*points)
        tools, warnings = load_registry([str(file)])
        assert [each.source for each in tools if each.name == "greet"] == [str(file)]
        assert warnings == []
    with pytest.raises(InvalidArgument, match='Two tools are named "greet"'):
        load_registry([str(file), f"{__name__}:greet"])
