"""Defines an operation: one typed function, from which library, REST, MCP, CLI and reference docs are generated.

The function takes a context and keyword-only arguments; its docstring is what people and agents read; its return type
is a struct. The decorator adds the rest. The arguments become one struct, made from the signature or given as a class,
so that validation, JSON Schema and help cannot differ. They are validated once; from then on the struct is passed on.
"""

from collections.abc import Callable, Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    TypeVar,
    cast,
    get_args,
    get_type_hints,
)

import msgspec
from msgspec import Struct
from msgspec import convert as quick_convert
from msgspec.structs import asdict

from tallystick.core.errors import system_error
from tallystick.core.formats import canonical_json
from tallystick.core.types import CheckedValue, convert, read_aliases, to_plain
from tallystick.store.forks import computed_once

if TYPE_CHECKING:
    from inspect import Signature

    from tallystick.operations.runtime.operation_context import OperationContext

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A", bound=Struct)
Kind = Literal["record", "read"]
Scope = Literal["agent", "read", "approve", "audit", "admin", "run"]


class Document(Struct, frozen=True, kw_only=True):
    """A result that is a file: its name, media type and text. A web server sends the text in that media type.

    `MEDIA_TYPES` are the media types that a document of this class can have.
    """

    MEDIA_TYPES: ClassVar[tuple[str, ...]] = ()
    name: str
    media_type: str
    text: str


CATALOGUE: dict[str, "Operation[..., Any]"] = {}
"""Every operation by its name, in the order of definition."""


class Operation(Generic[P, R]):
    """An operation that a caller can ask for by name."""

    def __init__(
        self,
        function: Callable[..., R],
        *,
        kind: Kind,
        http: str,
        scope: Scope | None = None,
        approver: Mapping[str, tuple[str, ...]] | None = None,
        view: str = "",
        example: dict[str, Any] | None = None,
        arguments: Callable[..., Struct] | None = None,
        short: Callable[[Any], bool] | None = None,
        timeless: Callable[[Any], bool] | None = None,
    ) -> None:
        self.function = function
        self.name = self.__name__ = function.__name__
        self.kind = kind
        self.http = http
        self.scope: Scope = scope or ("agent" if kind == "record" else "read")
        self.approver = approver or {}
        """The values of arguments with which the scope `approve` is enough too."""
        self.view = view
        self.example = example or {}
        self.is_short = short or _never
        """Whether a read with these arguments takes about a millisecond at most, whatever the journal holds."""
        self.is_timeless = timeless or _never
        """Whether the result of a read with these arguments follows from the entries alone, not from the clock or from
        who lives."""
        self._takes_struct = arguments is not None
        if arguments is not None:
            self.arguments = cast("type[Struct]", arguments)
        CATALOGUE[self.name] = self

    @computed_once
    def doc(self) -> str:
        """The docstring, for people and agents."""
        from inspect import cleandoc  # slow to load, and not needed to record

        return cleandoc(self.function.__doc__ or "")

    @computed_once
    def is_groupable(self) -> bool:
        """Whether it only writes, once: then it can be grouped with others in one transaction."""
        return self.kind == "record" and self.scope == "agent" and self.name != "record_batch"

    @computed_once
    def hints(self) -> dict[str, Any]:
        """The types of the arguments, and of the result under "return"."""
        hints = get_type_hints(self.function, include_extras=True)
        return get_type_hints(self.arguments, include_extras=True) | hints if self._takes_struct else hints

    @computed_once
    def arguments(self) -> type[Struct]:
        """The struct of the arguments: it rejects unknown names and wrong types, with the path to them."""
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

    @computed_once
    def value_names(self) -> tuple[str, ...]:
        """The arguments that may be, or hold, values that a caller built."""
        return tuple(name for name in self.arguments.__struct_fields__ if _takes_values(self.hints[name]))

    @computed_once
    def result(self) -> type[R]:
        result: type[R] = self.hints["return"]
        return result

    @computed_once
    def __signature__(self) -> "Signature":
        """The signature that callers see: without the context."""
        from inspect import Parameter, Signature  # slow to load, and not needed to record

        required = Parameter.empty
        defaults = {field.name: field.default for field in msgspec.structs.fields(self.arguments) if not field.required}
        parameters = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=defaults.get(name, required), annotation=self.hints[name])
            for name in self.arguments.__struct_fields__
        ]
        return Signature(parameters, return_annotation=self.result)

    def validate(self, raw: Mapping[str, Any]) -> Struct:
        """The arguments checked and converted, or an error that names the field and what is allowed."""
        names = self.value_names
        given: list[str] = []
        for name, value in raw.items():
            if type(value) is str:
                if not value.isascii() or "\0" in value:
                    canonical_json.check_text(value, name)
            elif name in names or isinstance(value, str):
                given.append(name)
        if given:  # msgspec trusts a struct, whatever is in it, and keeps a subclass of str
            try:
                raw = {**raw, **{name: read_aliases(to_plain(raw[name])) for name in given}}
            except RecursionError:
                raise canonical_json.too_deep_error("One of the arguments") from None
        try:
            return quick_convert(raw, self.arguments)
        except Exception:  # whatever it is: the same again, with an error for the caller
            return convert(raw, self.arguments, self.name)

    def run(self, context: "OperationContext", arguments: Struct) -> R:
        """Carry it out with arguments that were validated."""
        try:
            if self._takes_struct:
                return self.function(context, arguments)
            return self.function(context, **asdict(arguments))
        except OSError as error:
            raise system_error(error) from error

    def __call__(self, context: "OperationContext", arguments: Mapping[str, Any]) -> R:
        try:
            checked = self.validate(arguments)
            return self.function(context, checked) if self._takes_struct else self.function(context, **asdict(checked))
        except OSError as error:  # a module that could not be loaded, for example
            raise system_error(error) from error


def _never(arguments: Any) -> bool:
    return False


def _takes_values(hint: Any) -> bool:
    return any(map(_takes_values, get_args(hint))) or (isinstance(hint, type) and issubclass(hint, CheckedValue))


def operation(
    kind: Kind,
    http: str,
    *,
    scope: Scope | None = None,
    approver: Mapping[str, tuple[str, ...]] | None = None,
    view: str = "",
    example: dict[str, Any] | None = None,
    short: Callable[[Any], bool] | None = None,
    timeless: Callable[[Any], bool] | None = None,
) -> Callable[[Callable[Concatenate["OperationContext", P], R]], Operation[P, R]]:
    """Make a function an operation: a `record` appends, a `read` changes nothing. `view` is its name for agents.
    With the values of arguments in `approver`, the scope `approve` is enough too. `short` and `timeless` say with
    which arguments a read is so."""
    more: dict[str, Any] = {"view": view, "example": example, "short": short, "timeless": timeless}

    def make(function: Callable[Concatenate["OperationContext", P], R]) -> Operation[P, R]:
        return Operation(function, kind=kind, http=http, scope=scope, approver=approver, **more)

    return make


def operation_on(
    arguments: Callable[P, A],
    kind: Kind,
    http: str,
    *,
    approver: Mapping[str, tuple[str, ...]] | None = None,
    example: dict[str, Any] | None = None,
) -> Callable[[Callable[["OperationContext", A], R]], Operation[P, R]]:
    """Make a function of an argument struct an operation, for one that passes its arguments on."""

    def make(function: Callable[["OperationContext", A], R]) -> Operation[P, R]:
        return Operation(function, kind=kind, http=http, approver=approver, example=example, arguments=arguments)

    return make
