"""`tallystick gateway` that is killed at a point between a call's intent and its outcome: run as a program.

`python killed_gateway.py POINT NUMBER ...` kills itself with SIGKILL when the point is passed for the NUMBERth time.
The other arguments are the gateway's own.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from tallystick import wiring  # noqa: F401  # how a journal is opened
from tallystick.gateway.calls import call
from tallystick.gateway.client import stdio
from tallystick.gateway.command import main
from tallystick.gateway.dependencies import Dependencies
from tallystick.gateway.io.pipes import LineWriter
from tallystick.gateway.recording import writer
from tallystick.gateway.upstream import process
from tallystick.interfaces.mcp import embedded
from tallystick.sdk.local import call_together_for

POINTS = ("intended", "written", "sent", "answered", "ending", "ended", "responded")


class Killing:
    """Counts how often a point is passed."""

    def __init__(self, left: int) -> None:
        self.left = left

    def before(self, function: Callable[..., Any], fits: Callable[..., bool]) -> Callable[..., Any]:
        def killing(*arguments: Any, **named: Any) -> Any:
            self._passed(fits(*arguments))
            return function(*arguments, **named)

        return killing

    def after(self, function: Callable[..., Any], fits: Callable[..., bool]) -> Callable[..., Any]:
        def killing(*arguments: Any, **named: Any) -> Any:
            result = function(*arguments, **named)
            self._passed(fits(*arguments))
            return result

        return killing

    def _passed(self, fits: bool) -> None:
        self.left -= fits
        if self.left <= 0 and fits:
            os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str, number: int) -> None:
    killing = Killing(number)

    def any_phase(calls: Any, phase: str) -> bool:
        return any(arguments.get("phase") == phase for _, _, arguments in calls)

    def is_call(child: Any, line: bytes) -> bool:
        return b'"tools/call"' in line

    if point == "intended":  # nothing is on disk
        _put(writer, "call_together_for", killing.before(call_together_for, lambda calls: any_phase(calls, "begin")))
    elif point == "written":  # the intent is on disk, and the call has not left
        _put(writer, "call_together_for", killing.after(call_together_for, lambda calls: any_phase(calls, "begin")))
    elif point == "sent":  # it is in the pipe
        _put(LineWriter, "flush", killing.after(LineWriter.flush, _has_put(process.ServerProcess, "send", is_call)))
    elif point == "answered":  # the answer is here
        _put(call.ToolCall, "on_answer", killing.before(call.ToolCall.on_answer, _always))
    elif point == "ending":
        _put(writer, "call_together_for", killing.before(call_together_for, lambda calls: any_phase(calls, "end")))
    elif point == "ended":  # the outcome is on disk, and no response was sent
        _put(writer, "call_together_for", killing.after(call_together_for, lambda calls: any_phase(calls, "end")))
    elif point == "responded":
        _put(LineWriter, "flush", killing.after(LineWriter.flush, _has_put(stdio.StdioFrontend, "_emit", _always)))
    else:
        raise ValueError(point)


def _put(owner: object, name: str, function: Callable[..., Any]) -> None:
    setattr(owner, name, function)


def _always(*arguments: Any) -> bool:
    return True


def _has_put(owner: Any, name: str, fits: Callable[..., bool]) -> Callable[[LineWriter], bool]:
    """Whether a writer has just sent one of these lines, which the method `name` of `owner` puts."""
    lines: list[LineWriter] = []
    put = getattr(owner, name)

    def putting(child: Any, line: bytes, *rest: Any) -> Any:
        if fits(child, line):
            lines.append(child._writer)
        return put(child, line, *rest)

    _put(owner, name, putting)

    def has_sent(writer: LineWriter) -> bool:
        found, lines[:] = writer in lines, [each for each in lines if each is not writer]
        return found

    return has_sent


if __name__ == "__main__":
    arm(sys.argv[1], int(sys.argv[2]))
    sys.exit(main(sys.argv[3:], Dependencies(make_own_server=embedded.connect, error_result=embedded.error_result)))
