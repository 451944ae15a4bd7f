"""Checks a value against a JSON Schema (2020-12), without network and regular expressions.

A subset: `pattern` and other keywords that are not listed here are refused when a schema is given, so no schema claims
a check that nobody makes. The check is bounded: a schema that branches too much is refused.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from tallystick.core.errors import InvalidArgument, quote_words

MAX_CHECKS = 100_000
"""Schemas that one check applies. `anyOf` in `anyOf` doubles them at each level."""
MAX_DEPTH = 64
ANNOTATIONS = frozenset(
    (
        *("$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "examples"),
        *("deprecated", "readOnly", "writeOnly", "format"),
    )
)
"""Keywords that check nothing."""
_NOUNS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list, tuple),
    "null": (type(None),),
}
_BY_WORD = {
    **{name: name for name in _TYPES},
    "int": "integer",
    "float": "number",
    "str": "string",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}


class Unknown(Struct, frozen=True):
    """A value that is not known yet, such as the result of a step. `types`: what it may be; empty for anything."""

    types: tuple[str, ...] = ()


def type_named(word: str) -> str:
    """The JSON type that a word declares, such as `int` or `boolean`; empty if it declares none."""
    return _BY_WORD.get(word.lower(), "")


def check_value(value: Any, schema: Any, name: str, *, as_field: bool = True) -> None:
    """Raise InvalidArgument if the value does not fit the schema. The error names the place, never the value."""
    problem = _Check(schema).problem(value, schema, name)
    if problem is not None:
        place, message, allowed = problem
        fix = f"Use one of: {quote_words(allowed)}." if allowed else f"Give {name} as its schema says."
        raise InvalidArgument(message, hint=fix, field=place if as_field else name, allowed=allowed)


def check_type(value: Any, word: str, name: str) -> None:
    """Raise InvalidArgument if a word declares a JSON type and the value is of another one."""
    wanted = type_named(word)
    if wanted and not _is(value, wanted):
        raise InvalidArgument(
            f'{name} is {_noun(value)}, and type="{word}" declares {_NOUNS[wanted]}.',
            hint=f"Give {_NOUNS[wanted]}, or another type.",
            field=name,
        )


def check_schema(schema: Any, name: str) -> None:
    """Raise InvalidArgument for a schema that is not one, or that has keywords which are not supported."""
    for part, place in _parts(schema, name, 0):
        if isinstance(part, bool):
            continue
        if not isinstance(part, dict):
            raise InvalidArgument(f"{place} is no schema.", hint="Give an object, or true.", field=name)
        for keyword, argument in part.items():
            if keyword in ANNOTATIONS:
                continue
            if keyword not in _ARGUMENTS:
                allowed = sorted(_ARGUMENTS)
                hint = f"Supported are: {', '.join(allowed)}."
                raise InvalidArgument(f"{place}.{keyword} is not supported.", hint=hint, field=name, allowed=allowed)
            if not _ARGUMENTS[keyword](argument):
                raise InvalidArgument(f"{place}.{keyword} has a wrong value.", hint="See JSON Schema.", field=name)
            if keyword == "$ref":
                resolve(schema, argument, name)


def _parts(schema: Any, place: str, depth: int) -> Iterator[tuple[Any, str]]:
    """A schema and all schemas in it."""
    if depth > MAX_DEPTH:
        raise InvalidArgument("The schema is nested too deeply.", hint=f"Use at most {MAX_DEPTH} levels.", field=place)
    yield schema, place
    if not isinstance(schema, dict):
        return
    for keyword in ("properties", "$defs", "definitions"):
        named = schema.get(keyword)
        for name, part in named.items() if isinstance(named, dict) else ():
            yield from _parts(part, f"{place}.{keyword}.{name}", depth + 1)
    for keyword in ("items", "additionalProperties", "not"):
        if keyword in schema:
            yield from _parts(schema[keyword], f"{place}.{keyword}", depth + 1)
    for keyword in ("anyOf", "allOf", "oneOf"):
        several = schema.get(keyword)
        for number, part in enumerate(several if isinstance(several, list) else ()):
            yield from _parts(part, f"{place}.{keyword}[{number}]", depth + 1)


def resolve(root: Any, reference: str, name: str) -> Any:
    """The schema that `#/$defs/Name` refers to; raises InvalidArgument if it is not in the schema `root`."""
    found = root
    for part in reference.removeprefix("#").strip("/").split("/") if reference != "#" else ():
        key = part.replace("~1", "/").replace("~0", "~")
        if not reference.startswith("#") or not isinstance(found, dict) or key not in found:
            hint = "Refer to a part of the same schema, such as #/$defs/Name."
            raise InvalidArgument(f'"{reference[:80]}" is not in this schema.', hint=hint, field=name)
        found = found[key]
    return found


def _is_number(value: Any) -> bool:
    return _is(value, "number")


def _is_count(value: Any) -> bool:
    return _is(value, "integer") and value >= 0


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


def _are_schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


_ARGUMENTS: dict[str, Callable[[Any], bool]] = {
    "$ref": lambda value: isinstance(value, str),
    "type": lambda value: (
        {*(value if _are_names(value) else [value] if isinstance(value, str) else [""])} <= _TYPES.keys()
    ),
    "enum": lambda value: isinstance(value, list),
    "const": lambda value: True,
    "properties": _is_object,
    "required": _are_names,
    "additionalProperties": _is_schema,
    "items": _is_schema,
    "not": _is_schema,
    **dict.fromkeys(("anyOf", "allOf", "oneOf"), _are_schemas),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    "uniqueItems": lambda value: isinstance(value, bool),
}
"""The keywords that are checked, and what each takes."""
_BOUNDS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (lambda value, bound: value >= bound, "at least"),
    "maximum": (lambda value, bound: value <= bound, "at most"),
    "exclusiveMinimum": (lambda value, bound: value > bound, "more than"),
    "exclusiveMaximum": (lambda value, bound: value < bound, "less than"),
}
_LENGTHS = {"Length": ("string", "characters"), "Items": ("array", "items"), "Properties": ("object", "fields")}

Problem = tuple[str, str, tuple[str, ...]]
"""The place, the message, and the words that are allowed."""


class _Check:
    """One check of a value against a schema."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = MAX_CHECKS

    def problem(self, value: Any, schema: Any, place: str, depth: int = 0) -> Problem | None:
        """The first thing that is wrong; None if the value fits."""
        self._left -= 1
        if self._left < 0 or depth > 2 * MAX_DEPTH:
            raise InvalidArgument("The schema takes too long to check.", hint="Use fewer branches.", field=place)
        if isinstance(schema, bool):
            return None if schema else (place, f"{place} is not allowed.", ())
        if isinstance(value, Unknown):
            return self._of_unknown(value, schema, place, depth)
        parts = (self._of_value, self._of_size, self._of_object, self._of_list, self._of_branches)
        return next((found for part in parts if (found := part(value, schema, place, depth))), None)

    def _of_unknown(self, value: Unknown, schema: Mapping[str, Any], place: str, depth: int) -> Problem | None:
        """A problem if none of the types that the value may have is allowed."""
        names = _type_names(schema)
        if names and value.types and not any(_may_be(kind, name) for kind in value.types for name in names):
            part = " Refer to a part of it." if value.types == ("object",) else ""
            return place, f"{place} is {_either(value.types)}, not {_either(names)}.{part}", ()
        return self._of_branches(value, schema, place, depth)

    def _of_value(self, value: Any, schema: Mapping[str, Any], place: str, depth: int) -> Problem | None:
        names = _type_names(schema)
        if names and not any(_is(value, name) for name in names):
            return place, f"{place} is {_noun(value)}, not {_either(names)}.", ()
        for choices in ([schema["const"]] if "const" in schema else None, schema.get("enum")):
            if choices is None or has_unknown(value):
                continue
            if _comparable(value) not in map(_comparable, choices):
                words = tuple(choice for choice in choices if isinstance(choice, str))[:20]
                return place, f"{place} is none of the values that are allowed.", words
        return None

    def _of_size(self, value: Any, schema: Mapping[str, Any], place: str, depth: int) -> Problem | None:
        for keyword, (fits, words) in _BOUNDS.items():
            if keyword in schema and _is_number(value) and not fits(value, schema[keyword]):
                return place, f"{place} has to be {words} {schema[keyword]}.", ()
        for ending, (kind, unit) in _LENGTHS.items():
            least, most = schema.get(f"min{ending}", 0), schema.get(f"max{ending}")
            if _is(value, kind) and (len(value) < least or (most is not None and len(value) > most)):
                bounds = f"at least {least}" if len(value) < least else f"at most {most}"
                return place, f"{place} has to have {bounds} {unit}.", ()
        return None

    def _of_object(self, value: Any, schema: Mapping[str, Any], place: str, depth: int) -> Problem | None:
        if not isinstance(value, dict):
            return None
        for name in schema.get("required", ()):
            if name not in value:
                return f"{place}.{name}", f"{place}.{name} is missing.", ()
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        others = others if "patternProperties" not in schema else True
        for name, item in value.items():
            part = properties.get(name, others)
            if part is False:
                known = tuple(properties)[:20]
                return f"{place}.{name}", f"{place}.{name} is not a field of it.", known
            if found := self.problem(item, part, f"{place}.{name}", depth + 1):
                return found
        return None

    def _of_list(self, value: Any, schema: Mapping[str, Any], place: str, depth: int) -> Problem | None:
        if not isinstance(value, list | tuple):
            return None
        first, rest = schema.get("prefixItems", ()), schema.get("items", True)
        for number, item in enumerate(value if first or "items" in schema else ()):
            part = first[number] if number < len(first) else rest
            if found := self.problem(item, part, f"{place}[{number}]", depth + 1):
                return found
        if not schema.get("uniqueItems") or has_unknown(value):
            return None
        if len({_comparable(item) for item in value}) < len(value):
            return place, f"{place} has the same item twice.", ()
        return None

    def _is_type(self, value: Any, schema: Any) -> bool:
        """Whether a schema is for values of the type of this one."""
        if isinstance(schema, dict) and "$ref" in schema:
            schema = resolve(self._root, schema["$ref"], "schema")
        names = _type_names(schema) if isinstance(schema, dict) else ()
        return not isinstance(value, Unknown) and any(_is(value, name) for name in names)

    def _of_branches(self, value: Any, schema: Mapping[str, Any], place: str, depth: int) -> Problem | None:
        if "$ref" in schema:
            found = self.problem(value, resolve(self._root, schema["$ref"], place), place, depth + 1)
            if found:
                return found
        for part in schema.get("allOf", ()):
            if found := self.problem(value, part, place, depth + 1):
                return found
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                problems = [self.problem(value, part, place, depth + 1) for part in schema[keyword]]
                fitting = problems.count(None)
                if not fitting:  # the branch that is meant has the type of the value
                    meant = (
                        each for each, part in zip(problems, schema[keyword], strict=True) if self._is_type(value, part)
                    )
                    return next(filter(None, (*meant, *problems)))
                if keyword == "oneOf" and fitting > 1 and not has_unknown(value):
                    return place, f"{place} fits several of the schemas in oneOf.", ()
        if "not" in schema and not has_unknown(value) and self.problem(value, schema["not"], place, depth + 1) is None:
            return place, f"{place} is what the schema excludes.", ()
        return None


def has_unknown(value: Any) -> bool:
    """Whether a value is unknown, or has an unknown part."""
    if isinstance(value, dict | list | tuple):
        return any(map(has_unknown, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Unknown)


def _type_names(schema: Mapping[str, Any]) -> tuple[str, ...]:
    wanted = schema.get("type")
    return tuple(wanted) if isinstance(wanted, list) else (wanted,) if wanted else ()


def _may_be(kind: str, wanted: str) -> bool:
    """Whether a value of one type may be of the other: a whole number is a number, and a number may be whole."""
    return kind == wanted or {kind, wanted} == {"integer", "number"}


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(_NOUNS[name] for name in names)


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind]) or (kind == "integer" and isinstance(value, float) and value.is_integer())


def _noun(value: Any) -> str:
    return next((_NOUNS[kind] for kind in _TYPES if _is(value, kind)), "no JSON value")


def _comparable(value: Any) -> Any:
    """The value in a form that is equal for equal values of JSON: 1.0 is 1, and true is not."""
    if isinstance(value, dict):
        return "object", frozenset((name, _comparable(item)) for name, item in value.items())
    if isinstance(value, list | tuple):
        return "array", tuple(map(_comparable, value))
    return ("boolean", value) if isinstance(value, bool) else value
