"""The gateway's place in the spool, for calls that it made while the journal could not be written."""

import errno
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from tallystick.capture.hook import environment
from tallystick.capture.ingest.drain import SpoolWatcher
from tallystick.capture.ingest.drain import spool_lock as drain_alone
from tallystick.capture.spool import file as spool_file
from tallystick.sdk.local import Local

LOCK_SECONDS = 3.0
"""Seconds to wait for another gateway, which looks through the spool and puts one record there."""
BEGINS = "begins"
"""The name of the lock under which a gateway looks for a call and spools its begin."""


def spool_call(local: Local, event: str, payload: dict[str, Any]) -> None:
    """Keep the begin or the end of a call, beside what hooks have seen."""
    journal = local.context.journal
    record = {
        "v": 1,
        "id": os.urandom(16).hex(),
        "at": time.time_ns() // 1000,
        "client": "gateway",
        "event": event,
        "journal": journal,
        "cwd": os.getcwd(),
        "pid": os.getpid(),
        "payload": payload,
    }
    spool_file.append(spool_file.path(environment.spool_folder(_env(local)), journal), record)


def waiting_calls(local: Local) -> list[dict[str, Any]]:
    """The calls that a gateway has begun and that the journal does not know yet; not those that came to nothing, which
    may be tried again."""
    place, mark = spool_file.path(environment.spool_folder(_env(local)), local.context.journal), None
    found: dict[str, dict[str, Any]] = {}
    while (part := spool_file.read(place, mark)).records or part.torn:
        mark = part.mark
        for record in part.records:
            payload = record.get("payload")
            action = payload.get("action") if record.get("client") == "gateway" and isinstance(payload, dict) else None
            if not isinstance(action, dict):
                continue
            id = str(action.get("call_id", ""))
            if record.get("event") == "begin":
                found[id] = action
            elif action.get("outcome") in ("failed", "skipped"):
                found.pop(id, None)
    return list(found.values())


@contextmanager
def lock_begins(local: Local) -> Iterator[list[dict[str, Any]]]:
    """What waits, while no other gateway can put a begin beside it: who looks first and spools then does both."""
    place = spool_file.path(environment.spool_folder(_env(local)), local.context.journal)
    os.makedirs(os.path.dirname(place), 0o700, exist_ok=True)
    with drain_alone(place, LOCK_SECONDS, BEGINS) as nobody_else:
        if not nobody_else:
            raise TimeoutError(errno.ETIMEDOUT, "another gateway holds the spool")
        yield waiting_calls(local)


def drain_spool(local: Local, patience: float) -> bool:
    """Take in what waits. Whether nothing is left."""
    return _lookout(local).catch_up(patience).waiting == 0


@lru_cache(1)
def _lookout(local: Local) -> SpoolWatcher:
    """A gateway asks with every call, and always for the same journal."""
    return SpoolWatcher(local, os.environ)


def _env(local: Local) -> Mapping[str, str]:
    return environment.for_store(os.environ, local.context.settings.url)
