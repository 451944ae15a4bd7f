"""References and conditions: `${steps.x.result.y}`, `${parameters.z}`, `${context.key}`, `${item}`, and CEL.

A reference that is a plain path needs nothing else. Any other expression, and every `when`, is CEL
(`tallystick[runner]`). A `${...}` that is the whole text keeps the type of its value; inside a text it is written out.
`$${` stands for `${`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from tallystick.core.errors import InvalidArgument, Unsupported
from tallystick.core.formats import canonical_json
from tallystick.core.formats.cut_marks import has_cut
from tallystick.core.tools import SECRET, has_mask, secrets_named, texts_in

ROOTS = ("steps", "parameters", "context", "item", "index")
UNDO_ROOTS = ("result", "arguments")
"""What an undo may refer to as well: the recorded result and arguments of the action that it undoes."""
_UNDO_REFERENCE = re.compile(rf"\$\{{(?:{'|'.join(UNDO_ROOTS)})\b[^{{}}]*\}}")
UNRECORDED = "unrecorded"
"""Beside the variables: by step that is done without a recorded result, the action that has none."""
MAX_EXPRESSION_CHARACTERS = 2000
MAX_MAPS = 1
"""`map` in `map` grows a value exponentially, and no limit of the CEL library stops that."""
MAX_CONTEXT_DEPTH = 64
MAX_LIST_ITEMS = 100_000
_QUOTED = r"""\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\]"""
_PLAIN = re.compile(rf"[A-Za-z_]\w*(?:\.[\w-]+|\[\d+\]|{_QUOTED})*")
_PART = re.compile(r"""\.?([\w-]+)|\[\s*(?:(\d+)|"([^"\\]*)"|'([^'\\]*)')\s*\]""")
_TOKEN = re.compile(
    r"""(?P<text>[rRbB]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'))"""
    r"""|(?P<name>[A-Za-z_]\w*)|(?P<number>\d[\w.]*)|(?P<space>\s+|//[^\n]*)|(?P<other>.)""",
    re.DOTALL,
)
_CEL_PART = re.compile(rf"\s*(?:\.\s*([A-Za-z_]\w*)(?!\w|\s*\()|\[\s*(\d+)\s*\]|({_QUOTED}))")
_SHELL_NAME = re.compile(r"[A-Za-z_]\w*")
_MAP = re.compile(r"\.\s*map\s*\(")
_LOOP_VARIABLE = re.compile(r"\.\s*(?:all|exists|exists_one|existsOne|map|filter)\s*\(\s*(\w+)\s*,")


class Path(Struct, frozen=True):
    """A value that an expression names, such as `steps.x.result.y`: its parts, and where it stands.

    `quoted` are the places of parts in brackets and quotes, such as `["y"]`.
    """

    parts: tuple[str, ...]
    text: str
    start: int = 0
    quoted: tuple[int, ...] = ()

    @property
    def root(self) -> str:
        return self.parts[0]

    @property
    def name(self) -> Path:
        """The path up to its first index."""
        end = next((n for n, part in enumerate(self.parts) if n in self.quoted or not part.isidentifier()), None)
        return Path(self.parts[:end], self.text, self.start)


FillFunction = Callable[[Mapping[str, Any], Mapping[str, Any], str], dict[str, Any]]
"""Fills the references in the arguments of a step, given the variables and the name of the field for errors."""


class Reference(Struct, frozen=True):
    """One `${...}` in a text, from `start` to `end`."""

    start: int
    end: int
    expression: str


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
    for text in texts_in(value):
        for reference in references_in(text):
            yield reference.expression


def path_of(expression: str, roots: Collection[str] = ROOTS) -> Path | None:
    """The path that the whole expression is; None for any other expression."""
    if _PLAIN.fullmatch(expression) is None:
        return None
    matches = list(_PART.finditer(expression))
    parts = tuple(next(filter(None, match.groups()), "") for match in matches)
    quoted = tuple(place for place, match in enumerate(matches) if match.lastindex in (3, 4))
    return Path(parts, expression, 0, quoted) if parts[0] in roots else None


def paths_in(expression: str) -> list[Path]:
    """The values that the expression of a reference names."""
    whole = path_of(expression)
    return [whole] if whole is not None else cel_paths_in(expression)


def cel_paths_in(expression: str) -> list[Path]:
    """The values that a CEL expression names. Variables of `all`, `map` and the like are none."""
    bound = set(_LOOP_VARIABLE.findall(expression))
    found: list[Path] = []
    before = ""
    for token in _TOKEN.finditer(expression):
        name = token[0]
        if token.lastgroup == "name" and before != "." and name in ROOTS and name not in bound:
            found.append(_cel_path(expression, token))
        if token.lastgroup != "space":
            before = name
    return found


def _cel_path(expression: str, root: re.Match[str]) -> Path:
    parts, quoted, end = [root[0]], [], root.end()
    while match := _CEL_PART.match(expression, end):
        if match[3]:
            quoted.append(len(parts))
        parts.append(match[1] or match[2] or match[3].strip("[] \t\n")[1:-1])
        end = match.end()
    return Path(tuple(parts), expression[root.start() : end], root.start(), tuple(quoted))


def steps_named(expression: str) -> set[str]:
    """The steps whose results an expression refers to."""
    return {path.parts[1] for path in paths_in(expression) if path.root == "steps" and len(path.parts) > 1}


def context_keys_named(expression: str) -> set[str]:
    """The keys of the context that an expression refers to."""
    return {path.parts[1] for path in paths_in(expression) if path.root == "context" and len(path.parts) > 1}


def roots_of(value: Any) -> set[str]:
    """What the references in a value begin with, such as `steps` or `parameters`."""
    return {path.root for each in expressions_in(value) for path in paths_in(each)}


def fill(value: Any, variables: Mapping[str, Any], field: str = "arguments") -> Any:
    """A JSON value with its references replaced; raises InvalidArgument for one that has no value, or a masked one."""
    if isinstance(value, str):
        return _fill_text(value, variables, field)
    if isinstance(value, Mapping):
        return {name: fill(item, variables, f"{field}.{name}") for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [fill(item, variables, f"{field}[{place}]") for place, item in enumerate(value)]
    return value


def fill_known(
    value: Any, variables: Mapping[str, Any], fill: FillFunction, field: str, *, is_filled_again: bool = False
) -> dict[str, Any]:
    """Arguments with those references replaced that have a value, by `fill`; the other references stay as they are.

    `is_filled_again`: so does a reference to a value that looks like one of an undo, and would be taken for one later.
    """

    def escape_unknown(text: str) -> str:
        for reference in reversed(list(references_in(text))):
            if not _is_known(reference.expression, variables, is_filled_again):
                text = f"{text[: reference.start]}${text[reference.start :]}"
        return text

    return fill(map_texts(value, escape_unknown), variables, field)


def _is_known(expression: str, variables: Mapping[str, Any], is_filled_again: bool) -> bool:
    try:
        found = evaluate(expression, variables, "")
    except (InvalidArgument, Unsupported):
        return False
    return not (is_filled_again and _UNDO_REFERENCE.search(as_text(found)))


def map_texts(value: Any, change: Callable[[str], str], with_names: bool = False) -> Any:
    """A JSON value with each text in it changed; `with_names`: the names in objects too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {
            change(name) if with_names else name: map_texts(item, change, with_names) for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [map_texts(item, change, with_names) for item in value]
    return value


def unescape(text: str) -> str:
    """The text itself, where it is no reference."""
    return text.replace("$${", "${")


def _fill_text(text: str, variables: Mapping[str, Any], field: str) -> Any:
    found = list(references_in(text)) if "${" in text else []
    if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)):
        return evaluate(found[0].expression, variables, field)
    parts, at = [], 0
    for reference in found:
        written = as_text(evaluate(reference.expression, variables, field))
        parts += [unescape(text[at : reference.start]), written]
        at = reference.end
    whole = "".join([*parts, unescape(text[at:])])
    require_planned_secret(whole, found, field)
    return whole


def require_planned_secret(text: str, references: Collection[Reference], field: str) -> None:
    """Raise InvalidArgument if a text that was put together names a secret, and not only by the plan and its
    parameters."""
    for reference in references if text.startswith(SECRET) else ():
        _require_parameter(reference.expression, field)


def as_text(value: Any) -> str:
    """A value inside a text: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else canonical_json.encode(value)


def evaluate(expression: str, variables: Mapping[str, Any], field: str) -> Any:
    """The value of an expression."""
    path = path_of(expression, (*ROOTS, *UNDO_ROOTS))
    _require_uncut([path] if path else cel_paths_in(expression), variables, field)
    value = _value_of(expression, path, variables, field)
    if has_mask(value):
        raise InvalidArgument(
            f"{field} refers to {expression}, which is masked in the journal.",
            hint="A masked value cannot be used again. Hand secrets over by name: secret://NAME.",
            field=field,
        )
    if secrets_named(value):
        _require_parameter(expression, field)
    return value


def _value_of(expression: str, path: Path | None, variables: Mapping[str, Any], field: str) -> Any:
    try:
        return _look_up(path, variables, field) if path else _evaluate_cel(expression, variables, field)
    except InvalidArgument:
        _require_results(expression, variables, field)
        raise


def _require_uncut(paths: Iterable[Path], variables: Mapping[str, Any], field: str) -> None:
    """Raise for a value of which the journal has only a part, or which would be in the part that it does not have."""
    for path in paths:
        is_result = path.root == "result" or (path.root == "steps" and len(path.parts) > 1)
        if is_result and has_cut(_deepest(path, variables)):
            raise InvalidArgument(
                f"{field} refers to {path.text}, which was too large: the journal has only a part of it.",
                hint="Have the step write it to a file, and pass on the name of the file.",
                field=field,
            )


def _deepest(path: Path, variables: Mapping[str, Any]) -> Any:
    """The value of a path, as far down as there is one."""
    value: Any = variables
    for part in path.parts:
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            break
    return value


def _require_results(expression: str, variables: Mapping[str, Any], field: str) -> None:
    """Raise if an expression that cannot be computed refers to a step that has no result: it was skipped, or nobody has
    recorded what came of it."""
    steps, unrecorded = variables.get("steps", {}), variables.get(UNRECORDED, {})
    for name in sorted(steps_named(expression)):
        if name in unrecorded:
            raise InvalidArgument(
                f'{field} refers to the result of "{name}", which nobody has recorded.',
                hint=f"Add it, then retry: tallystick record action end --action-id {unrecorded[name]} --outcome ok "
                "--result ...",
                field=field,
            )
        if steps.get(name, {}).get("state") == "skipped":
            raise InvalidArgument(
                f'{field} refers to the step "{name}", which was skipped and has no result.',
                hint=f'Ask for that first: steps.{name}.state == "done" && ...',
                field=field,
            )


def _require_parameter(expression: str, field: str) -> None:
    path = path_of(expression)
    if path is not None and path.root == "parameters":
        return
    raise InvalidArgument(
        f"{field} refers to {expression}, whose value would name a secret.",
        hint=f"Write {SECRET}NAME in the plan itself, or give it as a parameter.",
        field=field,
    )


def _look_up(path: Path, variables: Mapping[str, Any], field: str) -> Any:
    value: Any = variables
    for place, part in enumerate(path.parts):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise _missing(path, place, value, field)
    return value


def _missing(path: Path, place: int, value: Any, field: str) -> InvalidArgument:
    there = f"It has: {', '.join(map(str, list(value)[:10]))}." if isinstance(value, Mapping) and value else ""
    whole = ".".join(path.parts[:place]) or "the plan"
    return InvalidArgument(
        f'{field} refers to {path.text}, and {whole} has no "{path.parts[place]}".',
        hint=there or "Refer to steps, parameters, context or item.",
        field=field,
    )


def is_true(condition: str, variables: Mapping[str, Any], field: str) -> bool:
    """Whether a condition holds; raises InvalidArgument if it is neither true nor false."""
    _require_uncut(cel_paths_in(condition), variables, field)
    value = _value_of(condition, None, variables, field)
    if value is True or value is False:
        return value
    raise InvalidArgument(
        f"{field} is neither true nor false: {condition!r} gives {as_text(value)[:80]}.",
        hint="Write a condition, such as steps.price.result.total > 0.",
        field=field,
    )


# ----------------------------------------------------------------------------------------------------------------------
# CEL. Errors of cel-expr-python come back as values, and deep or large contexts can crash it: both are checked here.

CelNames = tuple[tuple[str, str], ...]
"""Names with the types that they are declared with: `INT`, `DYN`, ..., `MAP`, or `LIST:` and the type of the items."""
_DYNAMIC: CelNames = tuple((name, "DYN") for name in ROOTS)
_CEL_ERROR = re.compile(r"<input>:\d+:(\d+): (.*?)(?: \(in container ''\))?(?: \||$)", re.MULTILINE)
_OVERLOAD = re.compile(r"found no matching overload for '_?(.*?)_?' applied to '\((.*)\)'")
_COMPARED_NUMBERS = re.compile(r"[<>=!]=? does not take \((?:int|uint|double), (?:int|uint|double)\)")


@lru_cache(64)
def _environment(names: CelNames) -> Any:
    cel = _cel()
    return cel.NewEnv(variables={name: _cel_type(cel.Type, kind) for name, kind in names})


def _cel_type(types: Any, kind: str) -> Any:
    if kind.startswith("LIST:"):
        return types.List(_cel_type(types, kind.removeprefix("LIST:")))
    return types.Map(types.STRING, types.DYN) if kind == "MAP" else getattr(types, kind)


def _cel() -> Any:
    try:
        from cel_expr_python import cel
    except ImportError:
        raise Unsupported(
            "Conditions and expressions need the CEL library, which is not installed.",
            hint="Install tallystick[runner] (in a checkout: make install EXTRAS=runner); plain references such as "
            "${steps.x.result.y} need nothing.",
        ) from None
    return cel


def result_type(expression: str, names: CelNames) -> str:
    """The CEL type of an expression's value, given the types of what it names; raises InvalidArgument with the place of
    a mistake."""
    declared = dict(_DYNAMIC) | dict(names)
    asked = _HAS.sub(lambda match: "(true" + " " * (len(match[0]) - 6) + ")", expression)
    try:
        return str(_compile(asked, tuple(declared.items())).return_type().name())
    except InvalidArgument as error:
        if not _COMPARED_NUMBERS.search(error.message):
            raise
    # Whole numbers and fractions can be compared when their types are not declared, as when the expression is computed.
    loose = {name: "DYN" if kind == "INT" else kind for name, kind in declared.items()}
    return str(_compile(asked, tuple(loose.items())).return_type().name())


_HAS = re.compile(r"\bhas\(\s*[\w.]+\s*\)")
"""With declared names, `has` is no question any more: its type would be that of the value."""


@lru_cache(1024)
def compile_expression(expression: str) -> Any:
    """The compiled expression, with types that are known only when it is computed; raises InvalidArgument with the
    place of the mistake."""
    return _compile(expression, _DYNAMIC)


def _compile(expression: str, names: CelNames) -> Any:
    if len(expression) > MAX_EXPRESSION_CHARACTERS:
        raise InvalidArgument(
            f"An expression has {len(expression):,} characters.", hint=f"Use at most {MAX_EXPRESSION_CHARACTERS:,}."
        )
    if len(_MAP.findall(expression)) > MAX_MAPS:
        raise InvalidArgument(
            f"The expression {shorten(expression)} has several map().", hint="Use one, and other steps for the rest."
        )
    try:
        return _environment(names).compile(expression)
    except Unsupported:
        raise
    except Exception as error:
        raise _not_valid(expression, str(error)) from None


def _not_valid(expression: str, said: str) -> InvalidArgument:
    found = _CEL_ERROR.search(said)
    overload = _OVERLOAD.search(said)
    reason = found[2] if found else " ".join(said.split())[:300]
    if overload:
        reason = f"{overload[1]} does not take ({overload[2]})"
        hint = "Convert one side with int(), double() or string(); dyn() leaves the check to the run."
    elif _SHELL_NAME.fullmatch(expression) and expression not in ROOTS:
        hint = f"For a variable of the shell write ${expression} or $${{{expression}}}. A reference is such as "
        hint += "${steps.x.result.y} or ${parameters.z}."
    else:
        hint = "See docs/running.md for examples."
    column = f" (column {found[1]})" if found else ""
    return InvalidArgument(f"The expression {shorten(expression)} is not valid: {reason}{column}.", hint=hint)


def shorten(expression: str, most: int = 80) -> str:
    """The expression in quotes, cut."""
    return repr(expression if len(expression) <= most else f"{expression[:most]}...")


def _evaluate_cel(expression: str, variables: Mapping[str, Any], field: str) -> Any:
    compiled = compile_expression(expression)
    for name in ROOTS:
        _check_size(variables.get(name), field)
    given = {name: variables.get(name) for name in ROOTS}
    try:
        result = compiled.eval(data=given)
    except RuntimeError as error:  # loops over too many items
        raise _not_computed(expression, str(error), field) from None
    if result.type().name() == "ERROR":
        raise _not_computed(expression, str(result.value()), field)
    value = result.plain_value()
    if not canonical_json.is_json(value):
        canonical_json.explain_not_json(value, field)
    return value


def _not_computed(expression: str, said: str, field: str) -> InvalidArgument:
    return InvalidArgument(
        f"{field} cannot be computed: {expression!r}: {' '.join(said.split())[:300]}",
        hint="Check the names; has(steps.x.result.y) asks whether a value is there.",
        field=field,
    )


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
