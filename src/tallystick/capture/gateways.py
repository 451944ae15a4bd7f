"""The gateway's place in the spool, for calls that it made while the journal could not be written."""

import os
import time
from collections.abc import Mapping
from typing import Any

from tallystick.calls import Local
from tallystick.capture import home, spool
from tallystick.capture.drain import is_home, keep_up, spooling_apart


def put(local: Local, event: str, payload: dict[str, Any]) -> None:
    """Keep the begin or the end of a call, beside what hooks have seen."""
    journal = local.desk.journal
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
    spool.append(spool.path(home.spools(_env(local)), journal), record)


def waiting(local: Local) -> list[dict[str, Any]]:
    """The calls that a gateway has begun and that the journal does not know yet."""
    records = spool.read(spool.path(home.spools(_env(local)), local.desk.journal)).records
    ours = [each["payload"] for each in records if each.get("client") == "gateway" and each.get("event") == "begin"]
    return [payload["action"] for payload in ours if isinstance(payload.get("action"), dict)]


def drain(local: Local, patience: float) -> bool:
    """Take in what waits. Whether nothing is left."""
    return keep_up(local, _env(local), patience).waiting == 0


def _env(local: Local) -> Mapping[str, str]:
    return os.environ if is_home(local, os.environ) else spooling_apart(local, os.environ)
