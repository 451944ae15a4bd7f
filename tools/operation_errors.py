"""Finds the errors that an operation can raise, by static analysis of the source.

It follows names from function to function through the packages `operations` and `core`: a named function may be called.
So it finds slightly more than can happen, and never less, except errors of the store, which every operation shares.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import tallystick
from tallystick.core import errors
from tallystick.operations import CATALOGUE, Operation

ROOT = Path(tallystick.__file__).parent
PACKAGES = ("operations", "core")
_CONTEXT = "operations.runtime.operation_context"
RECEIVERS = {"context": (_CONTEXT, "OperationContext"), "transaction": (_CONTEXT, "Transaction")}
"""Classes of variables, by the name of the variable."""
ERRORS = {
    name: kind.code
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.TallystickError)
}
Location = tuple[str, str]
"""A module inside the package, and a function or `Class.method` in it."""


class Module:
    """The functions that a module defines, and the names that it imports."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name = name
        self.functions: dict[str, ast.AST] = {}
        self.names: dict[str, Location] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tallystick"):
                origin = (node.module or "").removeprefix("tallystick").removeprefix(".")
                self.names.update({each.asname or each.name: (origin, each.name) for each in node.names})
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef):
                        self.functions[f"{node.name}.{inner.name}"] = inner


@cache
def modules() -> dict[str, Module]:
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            found[name] = Module(name, ast.parse(path.read_text()))
    return found


def codes(operation: Operation[..., object]) -> tuple[str, ...]:
    """Return the error codes of an operation, in the order of the error tree."""
    module = operation.function.__module__.removeprefix("tallystick.")
    found = _errors_from((module, operation.name))
    if operation.name == "record_batch":  # it calls other operations by their names
        others = (each for each in CATALOGUE.values() if each.kind == "record" and each.scope == "agent")
        found |= {name for each in others if each.name != "record_batch" for name in _error_names(codes(each))}
    return tuple(code for name, code in ERRORS.items() if name in found)


def _error_names(found: tuple[str, ...]) -> set[str]:
    return {name for name, code in ERRORS.items() if code in found}


def _errors_from(location: Location) -> set[str]:
    """The errors of a function: those that it creates, and those of what it names, without those that it catches.

    Functions name each other in circles, so the sets grow until none changes any more.
    """
    reached = _reached(location)
    found: dict[Location, set[str]] = {each: set() for each in reached}
    changed = True
    while changed:
        changed = False
        for each, (node, targets) in reached.items():
            errors_of = {target[1] for target in targets if target[1] in ERRORS}
            grown = errors_of.union(*(found[target] for target in targets if target in found)) - _caught(node)
            changed = changed or grown != found[each]
            found[each] = grown
    return found.get(location, set())


def _reached(location: Location) -> dict[Location, tuple[ast.AST, set[Location]]]:
    """Every function that is named from this one on, with what it names."""
    reached: dict[Location, tuple[ast.AST, set[Location]]] = {}
    waiting = [location]
    while waiting:
        each = waiting.pop()
        module = modules().get(each[0])
        node = module.functions.get(each[1]) if module else None
        if module is None or node is None or each in reached:
            continue
        targets = _targets(node, module, each[1].partition(".")[0])
        reached[each] = node, targets
        waiting += [target for target in targets if target[1] not in ERRORS]
    return reached


@cache
def _targets(node: ast.AST, module: Module, owner: str) -> set[Location]:
    """Return what a function names: errors that it creates, functions, and all methods of a class."""
    found: set[Location] = set()
    for each in _code(node):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in ERRORS:
            found.add(("core.errors", each.func.id))
        elif isinstance(each, ast.Name) and each.id not in ERRORS:
            found |= _definitions(module, each.id)
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            found |= _attribute(module, each.value.id, each.attr, owner)
    return found


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without annotations and decorators, which call nothing."""
    yield node
    skipped = {"annotation", "returns", "decorator_list"}
    for field, value in ast.iter_fields(node):
        if field not in skipped:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _code(child)


def _definitions(module: Module, name: str) -> set[Location]:
    origin, original = module.names.get(name, (module.name, name))
    home = modules().get(origin)
    if home is None or (origin, original) in RECEIVERS.values():
        return set()
    return {(origin, each) for each in home.functions if each == original or each.startswith(f"{original}.")}


def _attribute(module: Module, receiver: str, attribute: str, owner: str) -> set[Location]:
    if receiver == "self":
        return {(module.name, f"{owner}.{attribute}")}
    if receiver in RECEIVERS:
        origin, name = RECEIVERS[receiver]
        return {(origin, f"{name}.{attribute}")}
    origin, name = module.names.get(receiver, ("", ""))
    return {(f"{origin}.{name}".lstrip("."), attribute)} if name else set()


@cache
def _caught(node: ast.AST) -> set[str]:
    """Return the errors that a function catches and does not raise again."""
    caught: set[str] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.ExceptHandler) and not any(isinstance(inner, ast.Raise) for inner in ast.walk(each)):
            caught |= {name.id for name in ast.walk(each.type) if isinstance(name, ast.Name)} if each.type else set()
    return caught
