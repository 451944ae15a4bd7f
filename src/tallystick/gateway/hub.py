"""What all clients of one gateway share: its configuration, its hand in the journal, and the calls under way."""

import sys
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from tallystick.calls import Local
from tallystick.core.errors import AlreadyDone, TallystickError
from tallystick.core.model import Outcome
from tallystick.gateway.configuration import Configuration
from tallystick.gateway.loop import Loop, Timer
from tallystick.gateway.parts import Parts
from tallystick.gateway.policy import Policies
from tallystick.gateway.scribe import Scribe
from tallystick.gateway.toolcall import ToolCall
from tallystick.operations.attaching import execution_seen

if TYPE_CHECKING:
    from tallystick.gateway.front import Front

RETRY_SECONDS = 2.0
"""How often an outcome that could not be written is tried again."""
DRAIN_SECONDS = 5.0
PATIENCE, SOON = 5.0, 0.5
"""Seconds to wait for another one who drains; while a call waits for it, only a moment."""
REMEMBERED = 10_000
_OURS = ("effect_key", "execution_id", "approval_id", "call_id")
"""What is made by us, or a name of the client's: it holds no secret, and has to be found again."""


class Hub:
    """One gateway."""

    def __init__(
        self, loop: Loop, configuration: Configuration, caller: Local, env: Mapping[str, str], parts: Parts
    ) -> None:
        self.loop = loop
        self.configuration = configuration
        self.caller = caller
        self.env = env
        self.parts = parts
        self.policies = Policies(configuration)
        self.scribe = Scribe(caller, env)
        self.keys: dict[str, str] = {}
        self.questions: dict[str, int] = {}
        self.unfinished: OrderedDict[tuple[str, str, str], tuple[str, Local]] = OrderedDict()
        self._in_spool: OrderedDict[str, str] = OrderedDict()
        self._calls: set[ToolCall] = set()
        self._timer: Timer | None = None
        self._due = float("inf")
        self._retrying = False
        self.fronts: list[Front] = []
        loop.turn_ends += [self.scribe.write, self._flush]
        if parts.drain:
            loop.later(0, self._drain)

    def _flush(self) -> bool:
        """Send what has been written down. Not `any`: each has its turn."""
        return sum(upstream.flush() for front in self.fronts for upstream in front.upstreams) > 0

    def say(self, text: str) -> None:
        """Tell whoever reads standard error."""
        print(f"tallystick gateway: {text}", file=sys.stderr, flush=True)

    def under_way(self, call: ToolCall) -> None:
        self._calls.add(call)
        if call.deadline < self._due:
            self._watch(call.deadline)

    def finished(self, call: ToolCall) -> None:
        self._calls.discard(call)

    def end_calls(self, why: str) -> None:
        for call in list(self._calls):
            call.leave_behind(why)
        self._calls.clear()
        while self.scribe.write():
            pass

    @property
    def busy(self) -> bool:
        return bool(self._calls)

    def owe(self, local: Local, end: dict[str, Any]) -> None:
        """Try an outcome again until it is written."""
        self.scribe.owe(local, end)
        if not self._retrying:
            self._retrying = True
            self.loop.later(RETRY_SECONDS, self._retry)

    def note_refusal(self, call: ToolCall, error: TallystickError) -> None:
        """What was held back is in the journal too."""
        said = {
            "event": "denied",
            "summary": f"{call.name} was not called: {error.message}"[:2000],
            "details": {"tool": call.name, "code": error.code},
        }
        self.scribe.put(call.local, "record_note", said, self._noted)

    def spooled_begin(self, call: ToolCall) -> bool:
        """Keep the begin of a call for later. Whether it is kept."""
        effect = call.local.desk.effect_key(call.name, call.arguments)
        if effect in self._in_spool:
            return False
        said = {"execution_id": _execution(call), **call.said, "effect_key": effect}
        kept = self._spooled("begin", call, said)
        if kept and call.ruling.effect not in ("read", "idempotent"):
            self._in_spool[effect] = said["execution_id"]
            if len(self._in_spool) > REMEMBERED:
                self._in_spool.popitem(last=False)
        return kept

    def check_spooled(self, call: ToolCall) -> None:
        """What was done while the journal could not be written is not done again before the journal knows of it."""
        if self._in_spool and call.local.desk.effect_key(call.name, call.arguments) in self._in_spool:
            why = "The same call was made while the journal could not be written, and waits in the spool."
            raise AlreadyDone(why, hint="Look at the real system, or wait until the journal has taken it in.")

    def spooled_end(self, call: ToolCall, outcome: Outcome, said: dict[str, Any]) -> None:
        if call.ruling.on_failure == "spool":
            if outcome in ("failed", "skipped"):  # that may be tried again, as it may when the journal knows of it
                self._in_spool.pop(call.local.desk.effect_key(call.name, call.arguments), None)
            end = {"phase": "end", "tool": call.name, "call_id": call.said["call_id"], "outcome": outcome, **said}
            self._spooled("end", call, end)

    def _spooled(self, event: str, call: ToolCall, said: dict[str, Any]) -> bool:
        if self.parts.spool is None:
            return False
        desk, asker = call.local.desk, call.local.desk.asker
        try:
            masked = cast(dict[str, Any], desk.masker.mask(said))
            payload = {
                "journal": desk.journal,
                "conversation": asker.conversation,
                "client": asker.client,
                "action": {**masked, **{name: said[name] for name in _OURS if name in said}},
            }
            self.parts.spool(event, payload)
        except (OSError, TallystickError) as error:
            self.say(f"{call.name} could not be spooled either: {error}")
            return False
        return True

    def _noted(self, receipt: Any, error: BaseException | None) -> None:
        if error is not None:
            self.say(f"a refusal could not be recorded: {error}")

    def _retry(self) -> None:
        self._retrying = not self.scribe.catch_up()
        if self._retrying:
            self.loop.later(RETRY_SECONDS, self._retry)

    def _watch(self, due: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._due = due
        self._timer = self.loop.later(max(0.0, due - monotonic()), self._sweep)

    def _sweep(self) -> None:
        """Give up the calls whose time is over."""
        self._due, now = float("inf"), monotonic()
        for call in [each for each in self._calls if each.deadline <= now]:
            self._calls.discard(call)
            call.time_out()
        due = min((call.deadline for call in self._calls), default=float("inf"))
        if due < float("inf"):
            self._watch(due)

    def take_in(self) -> None:
        """What hooks have seen, before a call is recorded that they may have seen begin."""
        if self.parts.drain:
            with suppress(Exception):
                self.parts.drain(self.caller, SOON)

    def _drain(self) -> None:
        assert self.parts.drain is not None
        with suppress(Exception):  # it stays where it is, and the next one tries
            if self.parts.drain(
                self.caller, PATIENCE
            ):  # the journal knows them, and the same call there, by its execution
                self._in_spool = OrderedDict((key, none) for key, none in self._in_spool.items() if not none)
        self.loop.later(DRAIN_SECONDS, self._drain)


def _execution(call: ToolCall) -> str:
    """The execution that a call belongs to, as far as the journal can still be read."""
    desk = call.local.desk
    with suppress(TallystickError):
        found = desk.read(lambda view: execution_seen(view, desk.reads_in(view), desk.asker.actor))
        return found.id if found else ""
    return ""
