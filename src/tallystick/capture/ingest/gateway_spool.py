"""Spool functions that `__main__` passes to the gateway: append a call, list waiting calls, lock, drain.

The gateway spools the calls that it makes while the journal cannot be written.
"""

import errno
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from tallystick.capture.hook import environment
from tallystick.capture.ingest.drain import SpoolWatcher, spool_lock
from tallystick.capture.spool import file as spool_file
from tallystick.sdk.local import Local

LOCK_SECONDS = 3.0
"""How long to wait for another gateway, which reads the spool and appends one record."""
BEGINS_LOCK = "begins"
"""The lock under which a gateway looks for a call and spools its begin."""


def spool_call(local: Local, event: str, payload: dict[str, Any]) -> None:
    """Spool the begin or the end of a call, beside the records of hooks."""
    record = {
        "v": 1,
        "id": os.urandom(16).hex(),
        "at": time.time_ns() // 1000,
        "client": "gateway",
        "event": event,
        "journal": local.context.journal,
        "cwd": os.getcwd(),
        "pid": os.getpid(),
        "payload": payload,
    }
    spool_file.append(_spool(local), record)


def waiting_calls(local: Local) -> list[dict[str, Any]]:
    """The calls that a gateway has begun and the journal does not know yet.

    Calls that failed or were skipped are left out: they may be tried again.
    """
    spool, mark = _spool(local), None
    calls: dict[str, dict[str, Any]] = {}
    while (part := spool_file.read(spool, mark)).records or part.torn:
        mark = part.mark
        for record in part.records:
            payload = record.get("payload")
            action = payload.get("action") if record.get("client") == "gateway" and isinstance(payload, dict) else None
            if not isinstance(action, dict):
                continue
            id = str(action.get("call_id", ""))
            if record.get("event") == "begin":
                calls[id] = action
            elif action.get("outcome") in ("failed", "skipped"):
                calls.pop(id, None)
    return list(calls.values())


@contextmanager
def lock_begins(local: Local) -> Iterator[list[dict[str, Any]]]:
    """Yield the waiting calls while no other gateway can spool a begin: looking and spooling become one step."""
    spool = _spool(local)
    os.makedirs(os.path.dirname(spool), 0o700, exist_ok=True)
    with spool_lock(spool, LOCK_SECONDS, BEGINS_LOCK) as is_locked:
        if not is_locked:
            raise TimeoutError(errno.ETIMEDOUT, "another gateway holds the spool")
        yield waiting_calls(local)


def drain_spool(local: Local, timeout: float) -> bool:
    """Drain what waits; returns whether nothing is left."""
    return _watcher(local).catch_up(timeout).waiting == 0


@lru_cache(1)
def _watcher(local: Local) -> SpoolWatcher:
    """Cached, since a gateway drains with every call and always for the same journal."""
    return SpoolWatcher(local, os.environ)


def _spool(local: Local) -> str:
    return spool_file.path(environment.spool_folder(_env(local)), local.context.journal)


def _env(local: Local) -> Mapping[str, str]:
    return environment.for_store(os.environ, local.context.settings.url)
