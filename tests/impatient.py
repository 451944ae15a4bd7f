"""`tallystick` with shorter waits, for tests in which something never answers: run as a program.

`python impatient.py MODULE.NAME=NUMBER ... COMMAND ...` sets the constants, then runs the command.
"""

import sys
from importlib import import_module

GATEWAY = {
    "tallystick.store.sqlite.file.BUSY_MILLISECONDS": 500,
    "tallystick.gateway.recording.writer.LOCK_WAIT_SECONDS": 0.6,
    "tallystick.gateway.recording.outcomes.RETRY_SECONDS": 0.2,
    "tallystick.gateway.gateway.DRAIN_INTERVAL_SECONDS": 0.5,
}
"""A tenth of what a gateway waits for a journal that is locked."""
POSTGRES = {
    "tallystick.store.postgres.pipeline.ANSWER_SECONDS": 0.3,
    "tallystick.store.postgres.store.RETRY_SECONDS": 1.0,
    "tallystick.store.postgres.store.AWAY_SECONDS": 0.5,
}
"""A tenth of what a store waits for a server that is away."""

WEBHOOKS = {
    "tallystick.outbound.webhooks.delivery.LEASE_SECONDS": 4.0,
    "tallystick.outbound.webhooks.delivery.RENEW_SECONDS": 0.5,
    "tallystick.outbound.webhooks.attempts.MAX_PAUSE_SECONDS": 0.2,
}
"""A killed process that delivers is soon taken over from, and an endpoint that is away soon tried again."""


def program(constants: dict[str, float]) -> tuple[str, ...]:
    """The command that stands for `tallystick`."""
    return (sys.executable, __file__, *(f"{name}={value}" for name, value in constants.items()))


def _set(name: str, value: str) -> None:
    module, _, constant = name.rpartition(".")
    before = getattr(import_module(module), constant)  # it fails if the constant has another name now
    setattr(import_module(module), constant, type(before)(value))


if __name__ == "__main__":
    while "=" in sys.argv[1]:
        name, _, value = sys.argv.pop(1).partition("=")
        _set(name, value)
    from tallystick.__main__ import main

    sys.exit(main())
