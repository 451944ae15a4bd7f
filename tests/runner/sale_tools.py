"""Tools of a sale, which plans of the checks call. `CALLS` says which were called."""

from typing import Any

from msgspec import Struct

from tallystick.core.types import Undo
from tallystick.runner.tools.http import http_tool
from tallystick.runner.tools.python import tool
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.shell import shell_tool

CALLS: list[str] = []
PARAMETERS = {"order": "o-1", "limit": 10}


class Quote(Struct):
    total: int
    currency: str
    lines: list[str]
    rate: float = 1.0
    note: str | None = None


class Charge(Struct):
    id: str
    amount: int


@tool(effect="read")
def quote(order: str, express: bool = False) -> Quote:
    CALLS.append("quote")
    return Quote(total=3, currency="EUR", lines=["a", "b"])


@tool
def refund(charge: str, reason: str = "") -> None:
    CALLS.append("refund")


@tool(undo=Undo(tool="refund", arguments={"charge": "${result.id}"}))
def charge(order: str, amount: int, options: dict[str, int] | None = None) -> Charge:
    CALLS.append("charge")
    return Charge(id="c1", amount=amount)


@tool(effect="idempotent")
def announce(text: str) -> Any:
    CALLS.append("announce")


def tools() -> ToolRegistry:
    return ToolRegistry([quote, refund, charge, announce, shell_tool(), http_tool()])
