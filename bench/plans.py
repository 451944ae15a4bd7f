"""The plans that the runner and its peers carry out: a chain, a graph in layers, and steps that depend on nothing.

It imports nothing, so that the peers can use it in their own environments.
"""

from __future__ import annotations

from typing import Any

WIDTH = 10
"""Steps in a layer of the graph; each comes after three of the layer before."""
BEFORE = 3


def chain(count: int) -> list[dict[str, Any]]:
    return [step(number, [number - 1] if number else []) for number in range(count)]


def graph(count: int) -> list[dict[str, Any]]:
    return [step(number, before(number)) for number in range(count)]


def wide(count: int) -> list[dict[str, Any]]:
    return [step(number, []) for number in range(count)]


def before(number: int) -> list[int]:
    """The steps of the layer before that a step of the graph comes after."""
    layer, place = divmod(number, WIDTH)
    return [(layer - 1) * WIDTH + (place + offset) % WIDTH for offset in range(BEFORE)] if layer else []


def behind(number: int) -> list[int]:
    """The steps of the layer behind that come after a step of the graph."""
    layer, place = divmod(number, WIDTH)
    return [(layer + 1) * WIDTH + (place - offset) % WIDTH for offset in range(BEFORE)]


def layers(count: int) -> list[range]:
    return [range(first, min(first + WIDTH, count)) for first in range(0, count, WIDTH)]


def step(number: int, after: list[int]) -> dict[str, Any]:
    return {
        "id": f"s{number}",
        "title": f"Step {number}",
        "tool": "work",
        "arguments": {"number": number, "path": f"releases/{number}/index.html"},
        "after": [f"s{each}" for each in after],
        "cancellable": "irreversible",
    }
