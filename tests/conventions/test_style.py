"""The coding style that every file keeps. Reads source as text and as syntax trees, and imports none of it."""

import ast
import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tallystick"

NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}

# Written with brackets where the text itself would match, since this file is searched too.
REGISTRY = re.compile(
    r"pypi[.]org|pythonhosted[.]org|registry[.]npmjs|registry[.]yarnpkg|deb[.]debian[.]org"
    r"|https?://[^\s/]+/(?:\S*/)?simple\b"
    r"|(?:--|_|\b)(?:extra[-_])?index[-_]url\b|--find[-]links\b|\bUV_INDEX[_A-Z]*\b",
    re.IGNORECASE,
)
MACHINE_PATH = re.compile(r"(?<![\w.~*>)}\]-])/(?:home|root|work|Users|farm)/[\w.]")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK|NotImplementedError)\b")

# What a pure module may need. The types and arithmetic of dates are pure; asking for the time is not.
PURE_MODULES = {
    "__future__", "_json", "abc", "base64", "binascii", "bisect", "collections", "copy", "dataclasses", "datetime",
    "decimal", "difflib", "enum", "errno", "fractions", "functools", "graphlib", "hashlib", "heapq", "hmac",
    "itertools", "json", "keyword", "math", "msgspec", "operator", "re", "string", "struct", "textwrap", "types",
    "typing", "unicodedata",
}  # fmt: skip
IMPURE_FUNCTIONS = {"open", "print", "input", "exec", "eval", "__import__"}
IMPURE_METHODS = {"now", "utcnow", "today"}


def test_no_module_has_a_vague_name() -> None:
    parts = {part.strip("_").lower(): path for path in _python_files() for part in _module_parts(path)}
    assert not {name: str(path) for name, path in parts.items() if name in NAMES_THAT_SAY_NOTHING}


def test_each_source_module_has_a_docstring() -> None:
    assert not [_name(path) for path in _source_files() if not ast.get_docstring(_tree(path))]


def test_nothing_in_the_source_is_left_unfinished() -> None:
    assert not [found for path in _source_files() for found in _matches(UNFINISHED, path)]


def test_the_core_imports_only_pure_modules() -> None:
    assert not [
        f"{_name(path)} imports {module}"
        for path in _core_files()
        for module in _imports(_tree(path))
        if module.partition(".")[0] not in PURE_MODULES and not f"{module}.".startswith("tallystick.core.")
    ]


def test_the_core_asks_the_world_for_nothing() -> None:
    assert not [
        f"{_name(path)}:{node.lineno} calls {ast.unparse(node.func)}"
        for path in _core_files()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Call) and _is_impure(node.func)
    ]


def test_no_file_names_a_registry() -> None:
    assert not [found for path in _repository_files() for found in _matches(REGISTRY, path)]


def test_no_file_names_a_path_of_one_machine() -> None:
    assert not [found for path in _repository_files() for found in _matches(MACHINE_PATH, path)]


@pytest.mark.parametrize("name", ["dev", "run"])
def test_a_lock_names_no_host(name: str) -> None:
    assert "://" not in _text(ROOT / "requirements" / f"{name}.lock")


def test_the_lock_for_running_is_part_of_the_lock_for_development() -> None:
    run, dev = _pinned("run"), _pinned("dev")
    assert 20 < len(run) < len(dev)
    assert run.items() <= dev.items()


@pytest.mark.parametrize("folder", ["tests/node", "bench/node"])
def test_the_lock_of_the_node_packages_names_no_registry(folder: str) -> None:
    packages = json.loads(_text(ROOT / folder / "package-lock.json"))["packages"]
    assert len(packages) > 10
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert not [name for name, package in packages.items() if name and "integrity" not in package]


def test_the_lock_pins_every_declared_dependency_to_a_version_that_it_allows() -> None:
    pinned = _pinned("dev")
    wanted = [Requirement(text) for text in _declared_dependencies()]
    assert len(wanted) > 10
    assert not [
        str(requirement)
        for requirement in wanted
        if not requirement.specifier.contains(pinned.get(canonicalize_name(requirement.name), "0"))
    ]


def _pinned(lock: str) -> dict[str, str]:
    """Package to version."""
    text = _text(ROOT / "requirements" / f"{lock}.lock")
    return dict(re.findall(r"(?m)^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)", text))


def _declared_dependencies() -> list[str]:
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))
    extras = project["project"]["optional-dependencies"].values()
    groups = project["dependency-groups"].values()
    declared = [*project["project"]["dependencies"], *(each for names in (*extras, *groups) for each in names)]
    return [each for each in declared if isinstance(each, str)]  # the others include a group, which is listed too


@cache
def _repository_files() -> tuple[Path, ...]:
    """Every file that is tracked, or would be by `git add .`, and is still there."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = sorted({ROOT / name for name in listing.stdout.split("\0") if name})
    assert paths, "git lists no files: the house tests would pass by reading nothing"
    return tuple(path for path in paths if path.is_file())


def _python_files() -> Iterator[Path]:
    return (path for path in _repository_files() if path.suffix == ".py")


def _source_files() -> list[Path]:
    return [path for path in _python_files() if path.is_relative_to(SOURCE)]


def _core_files() -> list[Path]:
    files = [path for path in _source_files() if path.is_relative_to(SOURCE / "core")]
    assert files, "the core is not where this test looks for it"
    return files


def _module_parts(path: Path) -> tuple[str, ...]:
    return path.relative_to(ROOT).with_suffix("").parts


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _text(path: Path) -> str:
    """The file's text; empty for a file that is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(_text(path), filename=str(path))


def _matches(pattern: re.Pattern[str], path: Path) -> Iterator[str]:
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if found := pattern.search(line):
            yield f"{_name(path)}:{number} {found.group()}"


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # A relative import could leave the core; an absolute one shows where it goes.
            yield "." * node.level + (node.module or "")


def _is_impure(function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name):
            return name in IMPURE_FUNCTIONS
        case ast.Attribute(attr=name):
            return name in IMPURE_METHODS
    return False
