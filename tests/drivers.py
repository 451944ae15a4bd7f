"""Test drivers: a driver for an interface is a `Caller`, so tests use the same `Journal` as users, through it."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from threading import Thread
from typing import Any

import msgspec

from tallystick import AsyncJournal, TallystickError
from tallystick.core import errors
from tallystick.interfaces import problems
from tallystick.interfaces.cli import run
from tallystick.interfaces.fields import Field, fields_of
from tallystick.operations import Operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.sessions import end_session
from tallystick.sdk.local import GroupCaller
from tallystick.sdk.local import Local as InProcess
from tallystick.sdk.remote import Remote

TIMEOUT_SECONDS = 60


class Local(InProcess):
    """In this process. The store is shared with other callers: closing this one ends only its session."""

    def close(self) -> None:
        if self.context.own.id:
            with suppress(TallystickError):  # it may be over, or its opening was refused along with the record
                end_session(self.context, {"session_id": self.context.own.id})
            self.context.own.id = ""


class Async:
    """Through `AsyncJournal`, awaited on a loop in another thread."""

    def __init__(self, caller: GroupCaller, loop: "Loop") -> None:
        self._journal = AsyncJournal(caller)
        self._loop = loop

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        return self._loop.wait(getattr(self._journal, operation.name)(**arguments))

    def close(self) -> None:
        self._loop.wait(self._journal.close())


class Rest(Remote):
    """Over REST. The first credential of a journal is made in process: there is none to send yet."""

    def __init__(self, url: str, context: OperationContext) -> None:
        principal = context.principal
        super().__init__(
            url,
            context.journal,
            actor=principal.actor,
            witness=principal.witness,
            session=principal.session,
            credential=principal.credential,
            lease_seconds=3e9,
        )
        self._local = Local(context)

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        if operation.name == "add_credential" and not self._local.context.principal.credential:
            return self._local.call(operation, arguments)
        return super().call(operation, arguments)

    def close(self) -> None:
        self._local.close()
        super().close()


COMMANDS = ("run",)


class Cli:
    """Through the command line: arguments become options, `--json` output the typed result or the typed error."""

    def __init__(self, context: OperationContext) -> None:
        self._context = context

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        principal = self._context.principal
        who = ["--actor", principal.actor.name, "--actor-kind", principal.actor.kind]
        path = operation.name.replace("_", " ", 1).replace("_", "-").split()
        if path[0] in COMMANDS:  # a command of its own has the first word
            path = ["-".join(path)]
        env = {"TALLYSTICK_SESSION": principal.session, "TALLYSTICK_CREDENTIAL": principal.credential}
        left = run([*who, *path, "--json", *_options(operation, arguments)], env=env, caller=InProcess(self._context))
        if left.stderr:
            raise _typed(left.stderr, left.exit_code)
        return msgspec.convert(msgspec.json.decode(left.stdout), operation.result)

    def close(self) -> None:
        """Nothing to close: each command is a process of its own, and their session continues."""


def _options(operation: Operation[..., Any], arguments: dict[str, Any]) -> Iterator[str]:
    fields = _fields(operation)
    for name, value in arguments.items():
        option = "--" + name.replace("_", "-")
        field = fields.get(name)
        if isinstance(value, bool) and field and field.kind == "flag":
            yield from [option] if value else []
        elif isinstance(value, str) and (field is None or field.kind in ("text", "word")):
            yield f"{option}={value}"
        elif value is not None or (field and field.kind == "any"):
            yield f"{option}={json.dumps(value, ensure_ascii=False, default=msgspec.to_builtins)}"


@cache
def _fields(operation: Operation[..., Any]) -> dict[str, Field]:
    return {field.name: field for field in fields_of(operation)}


def _typed(stderr: str, exit_code: int) -> TallystickError:
    problem = json.loads(stderr)
    call = problem.get("next")
    error = typed_error(problem, (call["operation"], call["arguments"]) if call else None)
    assert exit_code == problems.response_for(error).exit_code
    return error


def typed_error(problem: dict[str, Any], next_call: tuple[str, dict[str, Any]] | None) -> TallystickError:
    """The error of an interface, as the class that it has in process."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, TallystickError)]
    (kind,) = (kind for kind in kinds if kind.code == problem["code"] and kind is not errors.Refused)
    return kind(
        problem["message"],
        hint=problem.get("hint", ""),
        field=problem.get("field"),
        allowed=problem.get("allowed", ()),
        next_call=next_call,
    )


class Loop:
    """An event loop that runs in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="test-loop", daemon=True)
        self._thread.start()

    def wait(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(TIMEOUT_SECONDS)

    def close(self) -> None:
        self.wait(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(TIMEOUT_SECONDS)
        self._loop.close()
