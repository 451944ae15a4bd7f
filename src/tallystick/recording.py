"""The common case in three lines: scopes for executions and actions, and carrying out a plan.

What to call is decided once, in plain values (`Ask`), and driven by a caller that waits or by one that awaits. A
scope that is left by an exception records it and lets it pass; a process that dies leaves its actions open, and they
are in doubt from that moment. Nothing is retried and nothing is undone here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextvars import Token
from functools import wraps
from itertools import takewhile
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from tallystick import operations
from tallystick.core import canonical
from tallystick.core.canonical import Limits
from tallystick.core.cuts import at_a_word, beginning
from tallystick.core.errors import ApprovalPending, InvalidArgument, TallystickError
from tallystick.core.secrets import DEFAULT
from tallystick.current import Current, current, current_execution, owner_of
from tallystick.operations import Operation

if TYPE_CHECKING:
    from tallystick.operations.executions import Status
    from tallystick.operations.receipts import ActionReceipt, ExecutionReceipt

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

KEPT = Limits(body_bytes=Limits().body_bytes - 4096, depth=Limits().depth - 2)
"""How much of a user's value is kept as it is, so that it fits a body beside what else stands there."""
LINE = 2000
"""Characters that are kept of what is only shown: an exception, or a value that is no JSON."""
LOOKED_AT = 32 << 10
"""Characters that such a line is made of at most: most of them may be blanks."""
_FEW = 1000
"""Parts of a value that such a line is made of at most."""

_HOLDERS = (dict, list, tuple)


class Ask(Struct, frozen=True):
    """One call to make."""

    operation: Operation[..., Any]
    arguments: dict[str, Any]


class Run(Struct, frozen=True):
    """One step of an execution for the user's own function."""

    step: dict[str, Any]
    execution: str


class Ran(Struct, frozen=True):
    """What came of it, as the end of its action says it; and what interrupted it, which is let pass then."""

    end: dict[str, Any]
    interrupted: BaseException | None = None


Call = Callable[[Operation[..., Any], dict[str, Any]], Any]
AsyncCall = Callable[[Operation[..., Any], dict[str, Any]], Awaitable[Any]]


class Scope(Generic[T]):
    """Something that begins and ends, in a `with` block or an `async with` block."""

    def __init__(self, call: Call | AsyncCall) -> None:
        self._call = call

    def begins(self) -> Ask:
        raise AssertionError("each scope says how it begins")

    def began(self, answer: Any) -> T:
        raise AssertionError("each scope says what it gives")

    def ends(self, error: BaseException | None) -> Ask | None:
        raise AssertionError("each scope says how it ends")

    def left(self) -> None:
        """Put back what entering changed."""

    def is_settled(self, problem: TallystickError) -> bool:
        """Whether there was nothing to record at the end, because somebody had done it."""
        return False

    def __enter__(self) -> T:
        ask = self.begins()
        return self.began(self._call(ask.operation, ask.arguments))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.left()
        ask = self.ends(error)
        if ask is None:
            return
        try:
            self._call(ask.operation, ask.arguments)
        except TallystickError as problem:
            if not self.is_settled(problem):
                _keep_first(error, problem)

    async def __aenter__(self) -> T:
        return self.began(await self._awaited(self.begins()))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.left()
        ask = self.ends(error)
        if ask is None:
            return
        try:
            await self._awaited(ask)
        except TallystickError as problem:
            if not self.is_settled(problem):
                _keep_first(error, problem)

    async def _awaited(self, ask: Ask) -> Any:
        """The answer; a journal that waits has it at once, also where somebody awaits."""
        answer = self._call(ask.operation, ask.arguments)
        return await answer if hasattr(answer, "__await__") else answer


def _keep_first(error: BaseException | None, problem: TallystickError) -> None:
    """An error of the user's own is never hidden by one of ours: ours becomes a note on it."""
    if error is None:
        raise problem
    error.add_note(f"tallystick could not record this: {problem}")


class ExecutionScope(Scope["ExecutionScope"]):
    """An execution: done when the block ends well, paused when it is left by an exception.

    What was decided inside stands: an execution that has ended, was paused or waits for a person is left as it is.
    """

    def __init__(self, call: Call | AsyncCall, arguments: dict[str, Any]) -> None:
        super().__init__(call)
        self._arguments = arguments
        self._token: Token[Current | None] | None = None
        self._decided = ""
        self.id = ""

    def begins(self) -> Ask:
        return Ask(operations.executions.record_execution_start, self._arguments)

    def began(self, answer: ExecutionReceipt) -> ExecutionScope:
        self.id = answer.id
        self._token = current.set(Current(answer.id, owner_of(self._call)))
        return self

    def ends(self, error: BaseException | None) -> Ask | None:
        if error is None:
            return None if self._decided in ("pause", "ask_human") else self.deciding("done", "")
        return self.deciding("pause", f"left by {described(error)}")

    def left(self) -> None:
        if self._token is not None:
            current.reset(self._token)

    def is_settled(self, problem: TallystickError) -> bool:
        # It has ended: only then another one is to be started, or what it owes to be looked at.
        return problem.next_call is not None and problem.next_call[0] in ("record_execution_start", "list_owed")

    def deciding(self, decision: str, why: str, **more: Any) -> Ask:
        return Ask(
            operations.decisions.record_decision, {"execution_id": self.id, "decision": decision, "why": why, **more}
        )

    def action(self, summary: str = "", **arguments: Any) -> ActionScope:
        """An action of this execution, as a scope: takes what `record_action` takes at its beginning."""
        return ActionScope(self._call, {"execution_id": self.id, "summary": summary, **arguments})

    def step(self, step: str, summary: str = "", **arguments: Any) -> ActionScope:
        """A planned step of this execution, as a scope."""
        return self.action(summary, step=step, **arguments)

    def decide(self, decision: str, why: str, **more: Any) -> Any:
        """Record a decision, for its receipt; with an asynchronous journal, await what this returns."""
        self._decided = decision
        ask = self.deciding(decision, why, **more)
        return self._call(ask.operation, ask.arguments)

    def remember(self, key: str, value: Any, **more: Any) -> Any:
        """Remember a fact in the scope of this execution; with an asynchronous journal, await what this returns."""
        arguments = {"key": key, "value": value, "scope": "execution", "execution_id": self.id, **more}
        return self._call(operations.contexts.record_context, arguments)


class ActionScope(Scope["ActionScope"]):
    """An action: ends ok with its `result`, failed with the exception, and stays open when the process dies."""

    def __init__(self, call: Call | AsyncCall, arguments: dict[str, Any]) -> None:
        super().__init__(call)
        self._arguments = arguments
        self.id = ""
        self.result: Any = None
        self.after: Any = None
        self._outcome = "ok"
        self._words = ""

    def begins(self) -> Ask:
        arguments = {"execution_id": current_execution() or None, **self._arguments, "phase": "begin"}
        return Ask(operations.actions.record_action, arguments)

    def began(self, answer: ActionReceipt) -> ActionScope:
        self.id = answer.id
        return self

    def failed(self, error: str) -> None:
        """Say that it failed, without an exception."""
        self._outcome, self._words = "failed", error

    def skipped(self, reason: str) -> None:
        """Say that it was not done after all."""
        self._outcome, self._words = "skipped", reason

    def unknown(self, reason: str) -> None:
        """Say that nobody knows what came of it: it is in doubt."""
        self._outcome, self._words = "unknown", reason

    def ends(self, error: BaseException | None) -> Ask | None:
        if _interrupts(error):
            self.unknown(f"interrupted by {described(error)}")
        elif error is not None:
            self.failed(described(error))
        arguments: dict[str, Any] = {"phase": "end", "action_id": self.id, "outcome": self._outcome}
        if self._outcome == "ok":
            arguments |= {"result": as_json(self.result), "after": as_json(self.after)}
        elif self._outcome == "skipped":
            arguments["summary"] = self._words
        else:
            arguments["error"] = self._words
        return Ask(operations.actions.record_action, arguments)


def _interrupts(error: BaseException | None) -> bool:
    """Whether a call was broken off, as by a cancelled task: it may or may not have reached the world."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        return True
    return type(error).__name__ == "CancelledError"


def recorded(call: Call | AsyncCall, given: dict[str, Any]) -> Callable[[F], F]:
    """A decorator that makes each call of a function an action; the function's name is the tool.

    A generator's action lasts from its first item to its last; one that is closed before that is in doubt.
    """

    def decorate(function: F) -> F:
        import inspect  # only who decorates pays for it
        from contextlib import aclosing

        signature = inspect.signature(function)
        awaited = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
        if inspect.iscoroutinefunction(call) and not awaited:
            raise InvalidArgument(
                f"{function.__qualname__} cannot await its record.",
                hint="Decorate it with a Journal, or make it a coroutine function.",
                field="function",
            )

        def scope(args: tuple[Any, ...], kwargs: dict[str, Any]) -> ActionScope:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            arguments = {name: as_json(value) for name, value in bound.arguments.items() if name != "self"}
            return ActionScope(call, {"tool": function.__qualname__, "arguments": arguments, **given})

        @wraps(function)
        def waits(*args: Any, **kwargs: Any) -> Any:
            with scope(args, kwargs) as action:
                action.result = function(*args, **kwargs)
            return action.result

        @wraps(function)
        async def awaits(*args: Any, **kwargs: Any) -> Any:
            async with scope(args, kwargs) as action:
                action.result = await function(*args, **kwargs)
            return action.result

        @wraps(function)
        def yields(*args: Any, **kwargs: Any) -> Any:
            with scope(args, kwargs) as action:
                action.result = yield from function(*args, **kwargs)
            return action.result

        @wraps(function)
        async def yields_awaited(*args: Any, **kwargs: Any) -> Any:
            async with scope(args, kwargs), aclosing(function(*args, **kwargs)) as items:
                async for item in items:
                    yield item

        if awaited:
            return cast("F", awaits if inspect.iscoroutinefunction(function) else yields_awaited)
        return cast("F", yields if inspect.isgeneratorfunction(function) else waits)

    return decorate


def carrying_out(plan_id: str, arguments: dict[str, Any]) -> Generator[Ask | Run, Any, Status]:
    """Carry out a plan step by step: each is begun, handed to the user's function, and ended with what came of it.

    It stops at the first failure, and at a step that waits for a person, and hands back the status; what to do then is
    for the caller to decide. A step that was interrupted is in doubt, and what interrupted it passes.
    """
    started: ExecutionReceipt = yield Ask(
        operations.executions.record_execution_start, {"plan_id": plan_id, **arguments}
    )
    history = yield Ask(operations.plans.get_plan, {"plan_id": plan_id})
    steps = {step["id"]: step for step in history.revisions[0].steps}
    look = Ask(operations.executions.get_status, {"execution_id": started.id})
    ready = started.next_steps
    called: list[tuple[Any, Any]] = []
    while ready:
        step = steps[ready[0]]
        call = (step.get("tool"), step.get("arguments"))
        again = "the plan has this call in several steps" if call[0] and call in called else ""
        try:
            begun: ActionReceipt = yield Ask(operations.actions.record_action, _begins(step, started.id, again))
        except ApprovalPending:
            break
        called.append(call)
        ran: Ran = yield Run(step, started.id)
        yield from _ended(begun.id, ran)
        if ran.end["outcome"] != "ok":
            break
        status: Status = yield look
        ready = status.next_steps
    final: Status = yield look
    if final.execution.done_steps < final.execution.total_steps:
        return final
    yield Ask(operations.decisions.record_decision, {"execution_id": started.id, "decision": "done"})
    final = yield look
    return final


def _ended(action: str, ran: Ran) -> Generator[Ask, Any, None]:
    try:
        yield Ask(operations.actions.record_action, {"phase": "end", "action_id": action, **ran.end})
    except TallystickError as problem:
        _keep_first(ran.interrupted, problem)
    if ran.interrupted is not None:
        raise ran.interrupted


def _begins(step: dict[str, Any], execution: str, again: str) -> dict[str, Any]:
    return {
        "phase": "begin",
        "execution_id": execution,
        "step": step["id"],
        "tool": step.get("tool") or None,
        "arguments": step.get("arguments") or None,
        "summary": step.get("title", ""),
        "again": again,
    }


def outcome_of(result: Any) -> Ran:
    return Ran({"outcome": "ok", "result": as_json(result)})


def failure_of(error: BaseException) -> Ran:
    passes = None if isinstance(error, Exception) else error
    if _interrupts(error):
        return Ran({"outcome": "unknown", "error": f"interrupted by {described(error)}"}, passes)
    return Ran({"outcome": "failed", "error": described(error)}, passes)


def described(error: BaseException | None) -> str:
    """An exception in one line."""
    return as_text(f"{type(error).__name__}: {error}") if error is not None else ""


def as_json(value: Any) -> Any:
    """What can be kept of a Python value: JSON as it is, structured values as JSON, the rest as its text."""
    if _is_too_large(value):  # found out first: to encode all of it would hold the caller up for seconds
        if type(value) is not dict or len(value) > _FEW:
            return _shown(_few(value, [_FEW]))
        value = {name: as_json(item) for name, item in value.items()}  # one large member costs no other
    try:
        plain = msgspec.to_builtins(value, str_keys=True, enc_hook=_as_plain)
    except Exception:  # it may be too deep, or of a kind that cannot even be shown
        return _shown(value)
    try:
        canonical.encode(plain, KEPT)
    except Exception:  # a member may be too large, or no JSON: that is no reason to lose the others
        from tallystick.core.pruning import pruned

        return pruned(plain, KEPT, _shown)
    return plain


def _is_too_large(value: Any) -> bool:
    """Whether its lists and names alone are more than is kept. Each item takes two bytes, with its comma."""
    room, todo = KEPT.body_bytes, [value]
    while todo and room > 0:
        node = todo.pop()
        kind = type(node)
        if kind is dict:
            room -= 5 * len(node)
            todo += [item for item in node.values() if type(item) in _HOLDERS]
        elif kind in _HOLDERS:
            room -= 2 * len(node)
            todo += [item for item in node if type(item) in _HOLDERS]
    return room <= 0


def _few(value: Any, left: list[int]) -> Any:
    """The beginning of a value of very many parts."""
    left[0] -= 1
    if type(value) is dict:
        return {name: _few(item, left) for name, item in takewhile(lambda _: left[0] > 0, value.items())}
    if type(value) in _HOLDERS:
        return [_few(item, left) for item in takewhile(lambda _: left[0] > 0, value)]
    return value


def _as_plain(item: Any) -> Any:
    """What msgspec does not know: pydantic's models, of which most frameworks are made, can say what they hold."""
    dump = getattr(item, "model_dump", None)
    return dump(mode="json") if callable(dump) and not isinstance(item, type) else _shown(item)


def _shown(value: Any) -> str:
    """A value as text. Code of the user's says how it looks; a mistake there is no reason to stop."""
    try:
        text = repr(value)
        mark = f" {_told_apart(text)}" if len(text) > LINE else ""
        return at_a_word(as_text(text), LINE - len(mark)) + mark
    except Exception:
        return f"<{type(value).__name__}>"


def _told_apart(text: str) -> str:
    """What is cut is told apart by all of it: else two calls would count as the same one."""
    from tallystick.core.pruning import told_apart  # few values are that long

    return told_apart(text)


def as_text(text: str) -> str:
    """One line that any store can hold, masked before it is cut."""
    kept = beginning(text, LOOKED_AT, DEFAULT).encode(errors="backslashreplace").decode().replace("\x00", "\\x00")
    line = " ".join(kept.split())
    if len(text) <= LOOKED_AT and len(line) <= LINE:
        return line
    return f"{at_a_word(line, LINE - 1)}…"
