"""A minimal client of the event stream."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
from msgspec import Struct


class Event(Struct, frozen=True):
    """One event as a browser would see it; a comment has no name."""

    id: str
    name: str
    data: Any


@contextmanager
def stream(client: httpx2.Client, *, last: int | None = None, **query: Any) -> Iterator[Iterator[Event]]:
    """The events of a stream, as they come."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    with client.stream("GET", "/events", params=query, headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        yield events(answer.iter_lines())


def events(lines: Iterator[str]) -> Iterator[Event]:
    id, name, data = "", "", ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "id":
            id = value
        elif field == "event":
            name = value
        elif field == "data":
            data += value
        elif not line and data:
            yield Event(id, name, json.loads(data))
            name, data = "", ""
