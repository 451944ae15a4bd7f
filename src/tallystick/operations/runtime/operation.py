"""What makes a function an operation: one definition, from which every door is projected.

The function is keyword-only behind its desk, its docstring is what people and agents read, its return type is a
struct. The decorator adds the rest. Arguments are one struct made from the signature, so that validation, JSON
Schema and help say the same thing because they are the same thing.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from tallystick.core.formats import canonical_json

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext

P = ParamSpec("P")
R = TypeVar("R")
Kind = Literal["record", "read"]
Scope = Literal["agent", "read", "approve", "audit", "admin"]

CATALOGUE: dict[str, "Operation[..., Any]"] = {}
"""Every operation by its name, in the order of definition."""


class Operation(Generic[P, R]):
    """Something a caller can ask for, by name."""

    def __init__(
        self, function: Callable[..., R], *, kind: Kind, http: str, scope: Scope, view: str, example: dict[str, Any]
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.kind = kind
        self.http = http
        self.scope = scope
        self.view = view
        self.example = example

    @cached_property
    def doc(self) -> str:
        """What people and agents read."""
        from inspect import cleandoc  # slow to load, and not needed to record

        return cleandoc(self.function.__doc__ or "")

    @cached_property
    def is_groupable(self) -> bool:
        """Whether it does nothing but write, once: then it can be done together with others, in one transaction."""
        return self.kind == "record" and self.scope == "agent" and self.name != "record_batch"

    @cached_property
    def hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def arguments(self) -> type[Struct]:
        """The arguments as one struct: unknown names are refused, and so are wrong types, with the path to them."""
        fields: list[Any] = []
        function: Any = self.function
        defaults = function.__kwdefaults__ or {}
        first = function.__code__.co_argcount
        for name in function.__code__.co_varnames[first : first + function.__code__.co_kwonlyargcount]:
            hint = self.hints[name]
            fields.append((name, hint, defaults[name]) if name in defaults else (name, hint))
        return msgspec.defstruct(
            f"{self.name}_arguments", fields, kw_only=True, frozen=True, forbid_unknown_fields=True
        )

    @cached_property
    def result(self) -> type[R]:
        found: type[R] = self.hints["return"]
        return found

    def read_arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments checked and converted, or an error that names the field and what is allowed."""
        for name, value in given.items():
            if type(value) is str and (not value.isascii() or "\0" in value):
                canonical_json.check_text(value, name)
        try:
            struct = msgspec.convert(given, self.arguments)
        except msgspec.ValidationError as error:
            from tallystick.operations.runtime.argument_errors import explain  # nobody waits for it who makes none

            raise explain(str(error), self.name, self.arguments) from None
        except RecursionError:
            raise canonical_json.too_deep_error("One of the arguments") from None
        return {name: getattr(struct, name) for name in given}

    def __call__(self, context: "OperationContext", given: dict[str, Any]) -> R:
        return self.function(context, **self.read_arguments(given))


def operation(
    kind: Kind, http: str, *, scope: Scope | None = None, view: str = "", example: dict[str, Any] | None = None
) -> Callable[[Callable[Concatenate["OperationContext", P], R]], Operation[P, R]]:
    """Make a function an operation: a `record` appends, a `read` changes nothing. `view` is its name for agents."""

    def make(function: Callable[Concatenate["OperationContext", P], R]) -> Operation[P, R]:
        made: Operation[P, R] = Operation(
            function,
            kind=kind,
            http=http,
            scope=scope or ("agent" if kind == "record" else "read"),
            view=view,
            example=example or {},
        )
        CATALOGUE[made.name] = made
        return made

    return make
