"""References and conditions: `${steps.x.result.y}`, `${parameters.z}`, `${context.key}`, `${item}`, and CEL.

A reference that is a plain path needs nothing else. Any other expression, and every `when`, is CEL
(`tallystick[runner]`). A `${...}` that is the whole text keeps the type of its value; inside a text it is written out.
`$${` stands for `${`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from tallystick.core.errors import InvalidArgument, Unsupported
from tallystick.core.formats import canonical_json
from tallystick.core.tools import has_mask

ROOTS = ("steps", "parameters", "context", "item", "index")
MAX_EXPRESSION_CHARACTERS = 2000
MAX_CONTEXT_DEPTH = 64
MAX_LIST_ITEMS = 100_000
_PLAIN = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*")
_PART = re.compile(r"[\w-]+")
_STEP = re.compile(r"\bsteps\.([\w-]+)|\bsteps\[\s*(['\"])(.+?)\2\s*\]")
_CONTEXT = re.compile(r"\bcontext\.([\w.-]+)|\bcontext\[\s*(['\"])(.+?)\2\s*\]")


class Reference(Struct, frozen=True):
    """One `${...}` in a text, from `start` to `end`."""

    start: int
    end: int
    expression: str

    @property
    def is_path(self) -> bool:
        return _PLAIN.fullmatch(self.expression) is not None and self.expression.split(".")[0].split("[")[0] in ROOTS


def references_in(text: str) -> Iterator[Reference]:
    """The references of a text; raises InvalidArgument for one that does not end."""
    place = 0
    while (start := text.find("${", place)) >= 0:
        if start and text[start - 1] == "$":  # escaped
            place = start + 2
            continue
        end = _end_of(text, start + 2)
        yield Reference(start, end + 1, text[start + 2 : end].strip())
        place = end + 1


def _end_of(text: str, place: int) -> int:
    """The place of the brace that closes an expression; braces inside quotes do not count."""
    depth, quote, start = 0, "", place - 2
    while place < len(text):
        letter = text[place]
        if quote:
            place += letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "{":
            depth += 1
        elif letter == "}":
            if not depth:
                return place
            depth -= 1
        place += 1
    raise InvalidArgument(
        f"A reference has no end: {text[start : start + 60]!r}.", hint="Close it with }, or write $${ for the text ${."
    )


def expressions_in(value: Any) -> Iterator[str]:
    """All expressions in a JSON value."""
    if isinstance(value, str):
        for reference in references_in(value):
            yield reference.expression
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from expressions_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from expressions_in(item)


def steps_named(expression: str) -> set[str]:
    """The steps whose results an expression refers to."""
    return {match[1] or match[3] for match in _STEP.finditer(expression)}


def context_keys_named(expression: str) -> set[str]:
    """The keys of the context that an expression refers to."""
    return {match[1] or match[3] for match in _CONTEXT.finditer(expression)}


def fill(value: Any, variables: Mapping[str, Any], field: str = "arguments") -> Any:
    """A JSON value with its references replaced; raises InvalidArgument for one that has no value, or a masked one."""
    if isinstance(value, str):
        return _fill_text(value, variables, field)
    if isinstance(value, Mapping):
        return {name: fill(item, variables, f"{field}.{name}") for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [fill(item, variables, f"{field}[{place}]") for place, item in enumerate(value)]
    return value


def fill_known(value: Any, variables: Mapping[str, Any]) -> Any:
    """The same, as far as the values are known; the other references stay as they are."""
    if isinstance(value, str):
        try:
            return _fill_text(value, variables, "")
        except (InvalidArgument, Unsupported):
            return value
    if isinstance(value, Mapping):
        return {name: fill_known(item, variables) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [fill_known(item, variables) for item in value]
    return value


def _fill_text(text: str, variables: Mapping[str, Any], field: str) -> Any:
    found = list(references_in(text)) if "${" in text else []
    if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)):
        return evaluate(found[0].expression, variables, field)
    parts, at = [], 0
    for reference in found:
        written = as_text(evaluate(reference.expression, variables, field))
        parts += [text[at : reference.start].replace("$${", "${"), written]
        at = reference.end
    return "".join([*parts, text[at:].replace("$${", "${")])


def as_text(value: Any) -> str:
    """A value inside a text: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else canonical_json.encode(value)


def evaluate(expression: str, variables: Mapping[str, Any], field: str) -> Any:
    """The value of an expression."""
    reference = Reference(0, 0, expression)
    value = _look_up(expression, variables, field) if reference.is_path else _evaluate_cel(expression, variables, field)
    if has_mask(value):
        raise InvalidArgument(
            f"{field} refers to {expression}, which is masked in the journal.",
            hint="A masked value cannot be used again. Hand secrets over by name: secret://NAME.",
            field=field,
        )
    return value


def _look_up(path: str, variables: Mapping[str, Any], field: str) -> Any:
    value: Any = variables
    known: list[str] = []
    for part in _PART.findall(path):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise _missing(path, known, part, value, field)
        known.append(part)
    return value


def _missing(path: str, known: list[str], part: str, value: Any, field: str) -> InvalidArgument:
    there = f"It has: {', '.join(map(str, list(value)[:10]))}." if isinstance(value, Mapping) and value else ""
    return InvalidArgument(
        f'{field} refers to {path}, and {".".join(known) or "the plan"} has no "{part}".',
        hint=there or "Refer to steps, parameters, context or item.",
        field=field,
    )


def is_true(condition: str, variables: Mapping[str, Any], field: str) -> bool:
    """Whether a condition holds; raises InvalidArgument if it is neither true nor false."""
    value = _evaluate_cel(condition, variables, field)
    if value is True or value is False:
        return value
    raise InvalidArgument(
        f"{field} is neither true nor false: {condition!r} gives {as_text(value)[:80]}.",
        hint="Write a condition, such as steps.price.result.total > 0.",
        field=field,
    )


# ----------------------------------------------------------------------------------------------------------------------
# CEL. Errors of cel-expr-python come back as values, and deep or large contexts can crash it: both are checked here.


@lru_cache(64)
def _environment(names: tuple[tuple[str, str], ...]) -> Any:
    cel = _cel()
    return cel.NewEnv(variables={name: getattr(cel.Type, kind) for name, kind in names})


def _cel() -> Any:
    try:
        from cel_expr_python import cel
    except ImportError:
        raise Unsupported(
            "Conditions and expressions need the CEL library, which is not installed.",
            hint="Install tallystick[runner]; plain references such as ${steps.x.result.y} need nothing.",
        ) from None
    return cel


_DYNAMIC = tuple((name, "DYN") for name in ROOTS)


@lru_cache(1024)
def compile_expression(expression: str, names: tuple[tuple[str, str], ...] = _DYNAMIC) -> Any:
    """The compiled expression; raises InvalidArgument with the place of the mistake."""
    if len(expression) > MAX_EXPRESSION_CHARACTERS:
        raise InvalidArgument(
            f"An expression has {len(expression):,} characters.", hint=f"Use at most {MAX_EXPRESSION_CHARACTERS:,}."
        )
    try:
        return _environment(names).compile(expression)
    except (InvalidArgument, Unsupported):
        raise
    except Exception as error:
        said = " ".join(str(error).split())
        raise InvalidArgument(
            f"The expression {expression!r} is not valid: {said[:300]}", hint="See docs/running.md for examples."
        ) from None


def _evaluate_cel(expression: str, variables: Mapping[str, Any], field: str) -> Any:
    compiled = compile_expression(expression)
    for name in ROOTS:
        _check_size(variables.get(name), field)
    given = {name: variables.get(name) for name in ROOTS}
    result = compiled.eval(data=given)
    if result.type().name() == "ERROR":
        raise InvalidArgument(
            f"{field} cannot be computed: {expression!r}: {' '.join(str(result.value()).split())[:300]}",
            hint="Check the names; has(steps.x.result.y) asks whether a value is there.",
            field=field,
        )
    return result.plain_value()


def _check_size(value: Any, field: str, depth: int = 0) -> None:
    if depth > MAX_CONTEXT_DEPTH or (isinstance(value, list) and len(value) > MAX_LIST_ITEMS):
        raise InvalidArgument(
            f"{field} refers to a value that is too deep or too long to compute with.",
            hint=f"Use at most {MAX_CONTEXT_DEPTH} levels and {MAX_LIST_ITEMS:,} items.",
            field=field,
        )
    children: Any = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for child in children:
        _check_size(child, field, depth + 1)
