"""A property that is computed when it is first read, without a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class computed_once(Generic[T]):
    """As `functools.cached_property`, which in Python 3.11 holds a lock while it computes: a process that is forked at
    that moment inherits the lock, and nobody releases it. Two threads may compute a value; the first one stays."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, holder: None, owner: type) -> computed_once[T]: ...
    @overload
    def __get__(self, holder: object, owner: type) -> T: ...
    def __get__(self, holder: object | None, owner: type) -> computed_once[T] | T:
        if holder is None:
            return self
        value: T = holder.__dict__.setdefault(self._name, self._compute(holder))
        return value
