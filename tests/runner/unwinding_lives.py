"""A random plan that a runner carries out and unwinds while it is killed at random points, held to a model.

A process is a runner with a session of its own. It is killed before or after any call of the journal and any effect in
the world. After each kill the undo list of the product is compared with the model of `tests/properties/undo_model.py`,
which reads the entries. The world knows what has really happened, also of calls without an answer.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from tallystick import Actor, Journal, TallystickError, Undo, UnknownHandle
from tallystick.core.types import FINAL_STATUSES, Step
from tallystick.operations import Operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.sessions import end_session
from tallystick.operations.views.entries import EntryView
from tallystick.runner.engines.interface import Work
from tallystick.runner.engines.local import LocalEngine
from tallystick.runner.runner import Runner
from tallystick.runner.tools.python import tool
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.tool import ToolError
from tallystick.sdk.local import OperationCall
from tallystick.settings import Settings
from tallystick.store.interface import Outcome
from tallystick.store.memory import MemoryStore
from tests.drivers import Local
from tests.properties.undo_model import Begun, Decided, Died, Ended, Story

EFFECTS = ("unsafe", "unsafe", "probeable", "idempotent")
ENDS = ("",) * 12 + ("not_done", "failed", "lost", "lost, and done")
"""What comes of a call. A lost one may have happened."""
MAX_PROCESSES = 40


class Killed(BaseException):
    """The process is gone: nothing that it would still do happens."""


class UnwoundLife:
    """One random plan, and the processes that carry it out and unwind it."""

    def __init__(self, seed: str) -> None:
        self.chance = Random(seed)
        self.commits_together = Random(f"{seed}/order").random() < 0.7
        self.store = MemoryStore()
        self.settings = Settings(url="", journal="life", actor="ann")
        self.person = Journal(Local(self._context(Actor(kind="person", name="ann"))))
        self.seen: Counter[str] = Counter()
        self.effects: Counter[str] = Counter()
        """How often each step was really done, less how often it was undone; an undo of nothing counts too."""
        self.undone: Counter[str] = Counter()
        self.problems: list[str] = []
        self.left_to_live = 0
        self.until_unwind = -1
        self.steps = {each.id: each for each in self._steps()}
        plan = self.person.record_plan(title="t", steps=tuple(self.steps.values()))
        mode: Any = self.chance.choice(("never", "on-failure"))
        self.execution = self.person.run_plan(plan_id=plan.id, unwind=mode, engine="caller").id

    def live(self) -> Counter[str]:
        """Run, kill and run again until everything is undone that can be; the doubts are settled by what is true."""
        self.until_unwind = self.chance.randint(0, 60)
        for _ in range(MAX_PROCESSES):
            survives = self.process(self.chance.randint(0, 50) if self.chance.random() < 0.8 else 10_000)
            self._compare(survives)
            self.seen["killed"] += not survives
            if self.status in FINAL_STATUSES:
                break
            if survives:
                self._help()
        assert self.status in FINAL_STATUSES, f"it is {self.status} after {MAX_PROCESSES} processes"
        self._check_world()
        self.seen["lives"] += 1
        return self.seen

    @property
    def status(self) -> str:
        return self.person.get_execution(execution_id=self.execution).status

    # ------------------------------------------------------------------------------------------------------------------
    # Processes

    def process(self, points: int) -> bool:
        """Carry out what can be, for so many points of time; returns whether it survived."""
        self.left_to_live = points
        context = self._context(Actor(kind="runner", name="runner"), witness="observed", executes_calls=True)
        try:
            asyncio.run(self._run(context))
        except Killed:
            return False
        finally:
            self.left_to_live = 0
            with suppress(UnknownHandle):  # its opening was refused along with the first record
                end_session(self.person.caller.context, {"session_id": context.own.id or "none"})  # type: ignore[attr-defined]
        return True

    async def _run(self, context: OperationContext) -> None:
        async def call(operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
            self._point()
            result = operation(context, arguments)
            self._point()
            return result

        async def call_in_order(calls: Sequence[OperationCall]) -> list[Outcome]:
            outcomes: list[Outcome] = []
            for each in calls:
                try:
                    outcomes.append((await call(*each), None))
                except TallystickError as error:
                    outcomes.append((None, error))
            return outcomes

        engine = self._engine = LocalEngine(self.chance.choice((1, 3)))
        in_order = call_in_order if self.commits_together else None
        runner = Runner(call, ToolRegistry(self._tools()), engine, call_in_order=in_order)
        await engine.submit(Work(self.execution))
        serving = asyncio.create_task(engine.serve(runner.handle))
        idle = asyncio.create_task(engine.idle.wait())
        await asyncio.wait({serving, idle}, return_when=asyncio.FIRST_COMPLETED)
        idle.cancel()
        error = serving.exception() if serving.done() else None
        if error is not None:
            self.left_to_live = 0
        await engine.stop()
        with suppress(Killed):
            await serving
        if error is not None:
            raise error

    def _point(self) -> None:
        """A point of time: the process may be killed here, or somebody may decide to unwind."""
        if self.left_to_live <= 0:
            raise Killed
        self.left_to_live -= 1
        self.until_unwind -= 1
        if self.until_unwind == 0 and self.status not in FINAL_STATUSES:
            self.person.record_decision(execution_id=self.execution, decision="unwind", why="it was wrong")
            self._looking = asyncio.ensure_future(self._engine.submit(Work(self.execution)))

    def _context(self, actor: Actor, **principal: Any) -> OperationContext:
        return OperationContext(self.store, self.settings, Principal(actor=actor, **principal))

    # ------------------------------------------------------------------------------------------------------------------
    # The plan and the world

    def _steps(self) -> list[Any]:
        names = [f"s{number}" for number in range(self.chance.randint(2, 6))]
        steps = []
        for place, name in enumerate(names):
            after = tuple(each for each in names[:place] if self.chance.random() < 0.4)
            policy: Any = self.chance.choice(("cancel_all", "continue_others", "manual_decision"))
            undo = self._undo()
            cancellable: dict[str, Any] = {} if undo else {"cancellable": "irreversible"}
            do = self.chance.choice(("read", *EFFECTS))
            fields: dict[str, Any] = {"title": name, "id": name, "tool": f"do_{do}", "after": after, "undo": undo}
            steps.append(Step(**fields, arguments={"name": name}, failure_policy=policy, **cancellable))
        return [*steps, Step(title="last", id="last", by="agent", after=tuple(names), undo="by hand")]

    def _undo(self) -> str | Undo | None:
        kind = self.chance.choice(("call",) * 8 + ("words", "missing", "never"))
        if kind in ("words", "never"):
            return "by hand" if kind == "words" else None
        name = "${result.nothing}" if kind == "missing" else self.chance.choice(("${result.name}", "${arguments.name}"))
        return Undo(tool=f"undo_{self.chance.choice(EFFECTS)}", arguments={"name": name})

    def _tools(self) -> list[Any]:
        return [self._tool(kind, effect) for kind in ("do", "undo") for effect in sorted({"read", *EFFECTS})]

    def _tool(self, kind: str, effect: Any) -> Any:
        async def act(name: str) -> dict[str, str]:
            self._point()
            await asyncio.sleep(0)
            end = self.chance.choice(ENDS)
            if end in ("", "lost, and done"):
                self._happen(kind, name, effect)
            self._point()
            if end:
                raise ToolError("on purpose", end.partition(",")[0])  # type: ignore[arg-type]
            return {"name": name}

        def look(name: str) -> bool:
            self.seen["probed"] += 1
            return bool(self.effects[name] > 0) if kind == "do" else bool(self.undone[name])

        return tool(name=f"{kind}_{effect}", effect=effect, probe=look if effect == "probeable" else None)(act)

    def _happen(self, kind: str, name: str, effect: str) -> None:
        if kind == "do":
            self.effects[name] = 1 if effect == "idempotent" else self.effects[name] + (effect != "read")
            return
        self.seen["undone"] += 1
        self.undone[name] += 1
        if self.undone[name] > 1 and effect != "idempotent":
            self.problems.append(f"{name} was undone twice")
        if not self.effects[name] and effect != "idempotent":
            self.problems.append(f"{name} was undone and had not happened")
        behind = [each for each, step in self.steps.items() if name in self._all_before(step)]
        there = [each for each in behind if self.effects[each] and not self._is_let_through(each)]
        if there:
            self.problems.append(f"{name} was undone before {there}")
        self.effects[name] = 0

    def _all_before(self, step: Any) -> set[str]:
        return {*step.after, *(each for name in step.after for each in self._all_before(self.steps[name]))}

    def _is_let_through(self, name: str) -> bool:
        """Whether an effect that is still there holds nothing up: it is kept, has no undo, or its step is known as
        failed."""
        kept = self.person.get_undo_list(execution_id=self.execution, state="kept").items
        if self.steps[name].cancellable == "irreversible" or name in {item.step for item in kept}:
            return True
        rows = {row.id: row for row in self.person.get_run(execution_id=self.execution).steps}
        return name in rows and rows[name].state in ("failed", "skipped", "")

    # ------------------------------------------------------------------------------------------------------------------
    # People

    def _help(self) -> None:
        """Settle by what is true, answer questions, and end what nobody unwinds."""
        doubts = self.person.list_in_doubt(execution_id=self.execution).in_doubt
        rows = {row.id: row for row in self.person.get_run(execution_id=self.execution).steps}
        for doubt in doubts:
            self.seen["settled"] += 1
            happened = self.undone[doubt.arguments["name"]]
            if doubt.kind == "do":  # attempts at an idempotent step are one effect: the newest stands for it
                row = rows[doubt.step]
                is_other = row.action_id != doubt.action_id and row.state in ("done", "in_doubt")
                happened = 0 if is_other else self.effects[doubt.step]
            outcome: dict[str, Any] = {"outcome": "ok"} if happened else {"outcome": "failed", "without_effect": True}
            self.person.record_decision(decision="settle", action_id=doubt.action_id, evidence="looked", **outcome)
        for asked in self.person.list_approvals(execution_id=self.execution, status="pending").approvals:
            self.seen["asked"] += 1
            uncertain = [
                item.step for item in self.person.get_undo_list(execution_id=self.execution).items if not item.certain
            ]
            words = ("retry", "keep", "done") if all(self.effects[name] for name in uncertain) else ("keep", "done")
            self._answer(asked.id, self.chance.choice(words))
        if self.status == "running":
            self.person.record_decision(execution_id=self.execution, decision="unwind", why="it cannot go on")

    def _answer(self, approval: str, word: str) -> None:
        from tallystick.core.entries import ApprovalDecided

        context = self.person.caller.context  # type: ignore[attr-defined]
        body = context.body(answer=word)
        context.write(
            lambda transaction: transaction.write(
                ApprovalDecided(verdict="respond"), id=approval, execution=self.execution, body=body
            )
        )

    # ------------------------------------------------------------------------------------------------------------------
    # The model

    def _entries(self) -> list[EntryView]:
        found: list[EntryView] = []
        more = True
        while more:
            page = self.person.read_entries(after=found[-1].seq if found else 0, limit=500)
            found += page.entries
            more = page.more
        return found

    def _compare(self, survived: bool) -> None:
        """Compare the undo list with the model, and each undo that was begun with the list before it."""
        assert not self.problems, self.problems
        story = Story(revision=1, revisions={1: {str(name): step.after for name, step in self.steps.items()}})
        self._with_result = set[str]()
        self._to_repeat = set[str]()
        """Actions with an undo that was found to have had no effect."""
        undoes: dict[str, str] = {}
        newest: dict[str, str] = {}
        retry, retried = False, set[str]()
        for entry in self._entries():
            body = entry.body or {}
            if entry.facts.get("action_kind") == "undo":
                self.seen["compared undos"] += 1
                expected = self._next_undos(story, False)[0]
                if retry:  # each undo that failed is tried once more; after a kill perhaps again
                    expected |= self._next_undos(story, True)[0] | self._next_undos(story, True, retried)[0]
                undoes[entry.id] = entry.facts["undoes"]
                retried.add(undoes[entry.id])
                assert undoes[entry.id] in expected, f"{entry.seq}: {story.undo_list(self.execution, 0)}"
                self._to_repeat.discard(undoes[entry.id])
                newest[undoes[entry.id]] = entry.id
            if "result" in body:
                self._with_result.add(entry.id)
            if entry.kind == "action_ended" and entry.id in newest.values() and "error" not in body:
                self._to_repeat.add(undoes[entry.id])
            if body.get("answer") == "retry":
                retry, retried = True, set()
            if entry.kind in _READ:
                _READ[entry.kind](story, entry)
        model = [(line.action, line.state, line.certain) for line in story.undo_list(self.execution, 0)]
        page = self.person.get_undo_list(execution_id=self.execution, limit=100)
        assert [(item.action_id, item.state, item.certain) for item in page.items] == model
        if survived and self.status == "unwinding":
            left = self._next_undos(story, False)[1]
            assert not left, f"{left} could be undone, and was not"

    def _next_undos(self, story: Story, retry: bool, retried: Collection[str] = ()) -> tuple[set[str], str]:
        """What a runner may undo next, and what of it comes first for sure: the first action on the list whose undo
        can be called. An action that cannot be undone now holds up what its step comes after."""
        known, held = story.knowledge(), set[str]()
        begun = {event.action: event for event in story.happenings if isinstance(event, Begun)}
        possible: set[str] = set()
        for line in story.undo_list(self.execution, 0):
            event = begun[line.action]
            step = self.steps[event.step]
            if line.state in ("not_possible", "partly"):
                continue
            undo = step.undo if isinstance(step.undo, Undo) else None
            failed = known[line.action].word == "failed"
            if failed and not retry:
                if step.tool == "do_probeable" and event.step not in held:
                    possible.add(line.action)
                continue
            is_open = line.state == "not_undone"
            if line.state == "failed":
                is_open = (retry and line.action not in retried) or line.action in self._to_repeat
            can_be = (line.certain or failed) and event.step not in held and self._has_way(line.action, undo)
            if is_open and can_be:
                return {*possible, line.action}, line.action
            if line.state == "in_doubt" and can_be and undo and "idempotent" in undo.tool:  # repeated with each look
                possible.add(line.action)
            held |= self._all_before(step)
        return possible, ""

    def _has_way(self, action: str, undo: Undo | None) -> bool:
        if undo is None or "nothing" in undo.arguments["name"]:
            return False
        return "arguments" in undo.arguments["name"] or action in self._with_result

    def _check_world(self) -> None:
        """What is still there in the end is on the undo list, or was kept by an answer."""
        listed = {item.step for item in self.person.get_undo_list(execution_id=self.execution, limit=100).items}
        kept = self.person.get_undo_list(execution_id=self.execution, state="kept", limit=100).items
        there = {name for name, count in self.effects.items() if count > 0}
        lost = there - listed - {item.step for item in kept}
        assert self.status == "completed" or not lost, f"{lost} are there and on no list"


def _read_begin(story: Story, entry: EntryView) -> None:
    facts = entry.facts
    undoes = (facts["undoes"], *facts.get("undoes_too", ())) if facts.get("undoes") else ()
    story.happenings.append(
        Begun(
            entry.id,
            entry.session,
            0,
            entry.execution_id,
            undoes,
            step=facts.get("step", ""),
            revision=facts.get("revision", 0),
            effect=facts.get("effect", "unsafe"),
            cancellable=facts.get("cancellable") or "",
        )
    )


def _read_end(story: Story, entry: EntryView) -> None:
    without_effect = bool(entry.facts.get("without_effect"))
    story.happenings.append(Ended(entry.id, entry.facts["outcome"], 0, without_effect, entry.session))


def _read_decision(story: Story, entry: EntryView) -> None:
    kept = tuple(entry.facts.get("kept", ()))
    story.happenings.append(Decided(entry.execution_id, entry.facts["decision"], kept, entry.session))


def _read_death(story: Story, entry: EntryView) -> None:
    story.happenings.append(Died(entry.id))


_READ: dict[str, Callable[[Story, EntryView], None]] = {
    "action_begun": _read_begin,
    "action_ended": _read_end,
    "decision_recorded": _read_decision,
    "session_ended": _read_death,
}
