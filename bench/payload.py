"""The recorded example: a payment, with the arguments of an agent and the result of a payment service.

As JSON with its ids, each half is about 650 bytes. Every number gives different content, so that no two payments are
the same effect.
"""

from __future__ import annotations

from typing import Any

TOOL = "pay_invoice"

Half = dict[str, Any]
"""The arguments of begin or end, built beforehand: building them is not part of any figure."""


def arguments(number: int) -> dict[str, Any]:
    return {
        "invoice": f"INV-2026-{number:08d}",
        "amount": {"value": 1000 + number % 977, "currency": "EUR", "minor_units": 2},
        "payee": {"name": "Northwind Traders GmbH", "account": f"DE02-1203-{number:08d}", "country": "DE"},
        "lines": [
            {"item": "bolts M8 x 40, zinc plated", "quantity": 400, "price": 12},
            {"item": "washers M8, stainless", "quantity": 400, "price": 4},
            {"item": "freight to Hamburg", "quantity": 1, "price": 3900},
        ],
        "due": "2026-12-01",
        "memo": "Order 7741, delivered complete on 2026-11-03, checked by the warehouse against the note.",
    }


def begin_summary(number: int) -> str:
    return f"Pay invoice INV-2026-{number:08d} to Northwind Traders"


def result(number: int) -> dict[str, Any]:
    return {
        "payment": f"PAY-{number:010d}",
        "state": "accepted",
        "booked_at": "2026-11-15T10:31:07Z",
        "fees": {"value": 35, "currency": "EUR", "minor_units": 2},
        "balance": {"before": 8_312_044, "after": 8_311_044 - number % 977, "currency": "EUR"},
        "route": ["SEPA instant", "clearing 3", "bank of the payee"],
        "message": (
            "Accepted for execution. The payment is final once it is booked by the bank of the payee; "
            "a return within ten days is possible against a fee, after that by agreement only."
        ),
        "links": {
            "receipt": f"/payments/PAY-{number:010d}/receipt",
            "status": f"/payments/PAY-{number:010d}",
        },
    }


def end_summary(number: int) -> str:
    return f"Payment PAY-{number:010d} was accepted"


def begin_half(number: int) -> Half:
    return {"tool": TOOL, "arguments": arguments(number), "summary": begin_summary(number)}


def end_half(number: int) -> Half:
    return {"outcome": "ok", "result": result(number), "summary": end_summary(number)}


def read_pair(number: int) -> tuple[Half, Half]:
    """Return both halves of a small action that leaves nothing owed, for filling stores."""
    begin = {"tool": "read_file", "effect": "read", "arguments": {"path": f"/data/{number}.csv"}}
    return begin, {"outcome": "ok", "result": {"bytes": 1000 + number}}
