"""Sizes and shapes: folders, modules, functions and class names stay small and clear; ARCHITECTURE.md is true."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tallystick"
FOLDERS = ("src", "tests", "bench", "tools", "examples")

MAX_MODULES_IN_A_FOLDER = 13
MAX_MODULE_LINES = 600
SMALL_MODULE_LINES = 60
MAX_SMALL_MODULES = 11
MAX_FUNCTION_LINES = 60
MAX_DECISIONS = 20
"""Branches of a function, those in its conditions and comprehensions too. ruff counts statements only (C901)."""

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


def test_a_folder_reads_like_a_table_of_contents() -> None:
    modules = Counter(path.parent for path in _source_modules() if path.stem != "__init__")
    assert not {_name(folder): count for folder, count in modules.items() if count > MAX_MODULES_IN_A_FOLDER}


def test_a_module_can_be_read_in_one_sitting() -> None:
    assert not {_name(path): lines for path in _python_files() if (lines := _lines(path)) > MAX_MODULE_LINES}


def test_few_modules_are_too_small_to_be_a_chapter_of_their_own() -> None:
    small = {_name(path) for path in _source_modules() if _is_small(path)}
    assert len(small) <= MAX_SMALL_MODULES, small


def test_a_function_fits_one_screen() -> None:
    lengths = {name: _code_lines(node) for name, node in _functions(_python_files())}
    assert not {name: lines for name, lines in lengths.items() if lines > MAX_FUNCTION_LINES}


def test_a_function_does_not_hide_its_branches_in_conditions() -> None:
    counted = {name: _decisions(node) for name, node in _functions(_source_modules())}
    assert not {name: count for name, count in counted.items() if count > MAX_DECISIONS}


def test_class_names_are_unique() -> None:
    modules = defaultdict(list)
    for path in _source_modules():
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(f"{_name(path)}:{node.lineno}")
    assert not {name: found for name, found in modules.items() if len(found) > 1}


def test_the_architecture_names_every_package() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    packages |= {path.parent.name for path in SOURCE.glob("*/*/__init__.py")}
    assert packages
    assert sorted(name for name in packages if f"{name}/" not in text) == []


def test_the_architecture_names_only_existing_modules() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    named = set(re.findall(r"`([\w/]+\.py)`", text))
    files = [path.relative_to(SOURCE).as_posix() for path in _source_modules()]
    assert len(named) > 20
    assert sorted(name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in files)) == []


@cache
def _python_files() -> tuple[Path, ...]:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    outside = ("node_modules", "__pycache__")
    return tuple(sorted(path for path in files if not any(part in outside or part[0] == "." for part in path.parts)))


@cache
def _source_modules() -> tuple[Path, ...]:
    modules = tuple(path for path in _python_files() if path.is_relative_to(SOURCE))
    assert len(modules) > 200, "the source is not where this test looks for it"
    return modules


def _is_small(path: Path) -> bool:
    return path.stem not in ("__init__", "__main__") and _lines(path) < SMALL_MODULE_LINES


def _functions(paths: tuple[Path, ...]) -> Iterator[tuple[str, AnyFunction]]:
    for path in paths:
        for node in ast.walk(_tree(path)):
            if isinstance(node, AnyFunction):
                yield f"{_name(path)}:{node.lineno} {node.name}", node


def _code_lines(node: AnyFunction) -> int:
    """Lines from `def` to the end, less the docstring, which for an operation is product copy."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node) is not None:
        lines -= (node.body[0].end_lineno or node.body[0].lineno) - node.body[0].lineno + 1
    return lines


def _decisions(function: AnyFunction) -> int:
    return sum(_branches(node) for node in ast.walk(function))


def _branches(node: ast.AST) -> int:
    match node:
        case ast.BoolOp(values=values):
            return len(values) - 1
        case ast.comprehension(ifs=ifs):
            return len(ifs)
        case ast.If() | ast.IfExp() | ast.For() | ast.AsyncFor() | ast.While() | ast.ExceptHandler() | ast.match_case():
            return 1
    return 0


def _lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
