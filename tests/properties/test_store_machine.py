"""Each real store is held to the memory store: random operations on both, the same answers and the same bytes.

The rules reopen the store, go through a second opening of it, set the clock back, let leases run out, repeat keys
and end sessions, in any order that hypothesis finds worth trying.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as set_seed
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tallystick.core.types import Choice, Outcome, Witness
from tests.memory_folders import quick_folder
from tests.properties.paired_stores import OPENINGS, Twins, same_salts
from tests.stores import Home, Kind

EXAMPLES = {"sqlite": 20, "postgres": 12}
"""Histories in each part. `make torture` goes through as many as there is time for."""
STEPS = 50
MUST_HAPPEN = ("record_plan", "record_execution_start", "record_action", "record_decision", "record_context")
"""So that it cannot pass by being refused."""
_journals = count(1)

which = st.integers(min_value=0, max_value=5)
"""Which one of what is there, counted from the newest."""
words = st.sampled_from(["", "alpha", "beta gamma", "Füße \N{SNOWMAN}"])
tools = st.sampled_from(["pay", "mail", "mkdir"])
small = st.sampled_from([None, 0, 1.5, "x", [1, {"a": None}], {"path": "/a", "n": 1}])
objects = st.sampled_from([{}, {"path": "/a"}, {"path": "/b", "deep": [1, 2]}])
keys = st.sampled_from([None, None, "k1", "k2", "k3"])
cancellable = st.sampled_from(["reversible", "partially-reversible", "irreversible"])
effects = st.sampled_from(["read", "idempotent", "probeable", "unsafe"])
OUTCOMES: tuple[Outcome, ...] = ("ok", "failed", "skipped", "unknown")
ONE_EXECUTION = ["get_status", "get_brief", "get_undo_list", "list_owed", "list_in_doubt"]
CHOICES: tuple[Choice, ...] = (
    "continue", "retry", "skip", "pause", "resume", "replan", "unwind", "ask_human", "stop", "fail", "done",
)  # fmt: skip
steps = st.lists(
    st.fixed_dictionaries(
        {"title": st.sampled_from(["One", "Two", "Three"]), "cancellable": cancellable},
        optional={
            "undo": st.sampled_from(["put it back", {"tool": "rm", "arguments": {"path": "${result.path}"}}]),
            "effect": effects,
            "failure_policy": st.sampled_from(["cancel_all", "cancel_dependent", "continue_others"]),
            "undo_until": st.sampled_from(["1m", "1h"]),
            "needs_approval": st.booleans(),
            "estimate": st.sampled_from([1.0, 7200.0]),
        },
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda step: str(step["title"]),
)


_MAY: list[st.SearchStrategy[tuple[str, dict[str, Any]]]] = []
M = TypeVar("M", bound=Callable[..., None])


def may(weight: int = 1, /, **arguments: st.SearchStrategy[Any]) -> Callable[[M], M]:
    """The operations, with how often each is drawn and with which arguments.

    They are one rule together: of many rules hypothesis would try only a few in one history.
    """

    def note(method: M) -> M:
        for _ in range(weight):  # one object each: hypothesis takes the same one twice for once
            _MAY.append(st.tuples(st.just(method.__name__), st.fixed_dictionaries(arguments)))
        return method

    return note


class Machine(RuleBasedStateMachine):
    """Random operations. The handles that they make are stored by kind, so that later ones can name them."""

    def __init__(self, home: Home) -> None:
        super().__init__()
        self.twins = Twins(home, f"machine-{next(_journals)}")
        self.made: dict[str, list[str]] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.session = ""
        self.witness: Witness = "claimed"
        self.opening = 0

    def teardown(self) -> None:
        try:
            self.twins.check_history()
            self.twins.rebuild()
            self.ask("verify")
            if len(self.twins.seen) % 3 == 0:  # it costs as much as half a history
                self.twins.check_views()
        finally:
            self.twins.close()

    def ask(self, operation: str, /, **optional: Any) -> Any:
        arguments = {name: value for name, value in optional.items() if value is not None}
        answer = self.twins.call(self.session, self.witness, self.opening, operation, arguments)
        if answer is None and self.twins.refusal == f"The session {self.session} is over.":
            self.session = self.made["se"][0]
            if f"{self.session} is over" in self.twins.refusal:
                self.opens_a_session("", 3600)
        id = getattr(answer, "id", "")
        if id and id not in self.made.setdefault(id[:2], []):
            self.made[id[:2]].append(id)
        if "key" in arguments and operation != "record_context":
            self.calls.append((operation, arguments))
        return answer

    def one(self, kind: str, index: int) -> str | None:
        """The handle of one thing that was made, counted from the newest, around and around; None before the first."""
        made = self.made.get(kind, [])
        return made[-1 - index % len(made)] if made else None

    @initialize()
    def begins(self) -> None:
        self.opens_a_session("second", 60)
        self.made.clear()
        self.opens_a_session("first", 100_000)
        one = {
            "title": "One",
            "cancellable": "reversible",
            "undo": {"tool": "rm", "arguments": {"p": "${result.path}"}},
        }
        self.ask("record_plan", title="Plan", steps=[one, {"title": "Two", "cancellable": "irreversible"}])
        self.ask("record_execution_start", plan_id=self.one("pl", 0))

    @rule(what=st.deferred(lambda: st.one_of(_MAY)), opening=st.integers(0, OPENINGS - 1))
    def happens(self, what: tuple[str, dict[str, Any]], opening: int) -> None:
        """One thing, through one opening of the store or the other, as two processes would."""
        name, arguments = what
        self.opening = opening
        getattr(self, name)(**arguments)

    # Session and opening

    @may(name=st.sampled_from(["", "first", "second"]), lease=st.sampled_from([60, 3600]))
    def opens_a_session(self, name: str, lease: float) -> None:
        self.session = ""
        answer = self.ask("open_session", name=name, lease_seconds=lease)
        self.session = answer.id if answer else ""

    @may(index=which, witness=st.sampled_from(["claimed", "claimed", "observed"]))
    def somebody_else_goes_on(self, index: int, witness: Witness) -> None:
        self.session = self.one("se", index) or self.session
        self.witness = witness

    @may(index=which)
    def a_session_ends(self, index: int) -> None:
        self.ask("end_session", session_id=self.one("se", index))

    @may(index=which)
    def a_session_is_renewed(self, index: int) -> None:
        self.ask("renew_session", session_id=self.one("se", index) or "se_none")

    @may()
    def reopens(self) -> None:
        self.twins.reopen()

    @may(seconds=st.sampled_from([0.001, 2, 59, 61, 4000]))
    def time_goes_by(self, seconds: float) -> None:
        self.twins.clock.advance(seconds)

    @may(seconds=st.sampled_from([0.5, 30, 7200]))
    def the_clock_goes_back(self, seconds: float) -> None:
        self.twins.clock.advance(-seconds)

    # Records

    @may(steps=steps, index=which, revises=st.booleans(), reason=words, task=st.sampled_from([None, "T-1"]), key=keys)
    def a_plan(self, steps: Any, index: int, revises: bool, reason: str, task: str | None, key: str | None) -> None:
        plan = self.one("pl", index) if revises else None
        self.ask("record_plan", title="Plan", steps=steps, plan_id=plan, reason=reason, task_id=task, key=key)

    @may(index=which, status=st.sampled_from(["cancelled", "archived"]))
    def a_plan_is_retired(self, index: int, status: str) -> None:
        self.ask("retire_plan", plan_id=self.one("pl", index) or "pl_none", status=status, reason="over")

    @may(index=which, title=words, task=st.sampled_from([None, "T-1"]), key=keys)
    def an_execution(self, index: int, title: str, task: str | None, key: str | None) -> None:
        plan = self.one("pl", index)
        self.ask("record_execution_start", plan_id=plan, title=None if plan else title, task_id=task, key=key)

    @may(3, index=which, step=st.sampled_from(["one", "two", "three"]), again=words, approved=st.booleans(), key=keys)
    def a_step_begins(self, index: int, step: str, again: str, approved: bool, key: str | None) -> None:
        self.ask(
            "record_action",
            phase="begin",
            execution_id=self.one("ex", index),
            step=step,
            again=again,
            approval_id=self.one("ap", 0) if approved else None,
            key=key,
        )

    @may(
        3,
        index=which,
        tool=tools,
        arguments=objects,
        cancellable=cancellable,
        effect=effects,
        again=words,
        summary=words,
        temporary=st.booleans(),
    )
    def an_action_begins(self, index: int, **arguments: Any) -> None:
        self.ask("record_action", phase="begin", execution_id=self.one("ex", index), undo="take it back", **arguments)

    @may(3, index=which, again=words, key=keys)
    def an_undo_begins(self, index: int, again: str, key: str | None) -> None:
        target = self.one("ac", index)
        if target:
            self.ask("record_action", phase="begin", kind="undo", undoes=target, tool="undo", again=again, key=key)

    @may(
        3,
        index=which,
        outcome=st.sampled_from(OUTCOMES),
        result=small,
        error=words,
        evidence=words,
        without_effect=st.booleans(),
        key=keys,
    )
    def an_action_ends(self, index: int, **arguments: Any) -> None:
        if self.made.get("ac"):
            self.ask("record_action", phase="end", action_id=self.one("ac", index), **arguments)

    @may(3, index=which, summary=words, outcome=st.sampled_from(OUTCOMES), result=small, arguments=objects)
    def work_is_done(self, index: int, summary: str, outcome: str, result: Any, arguments: Any) -> None:
        """Begun and ended, as most things are."""
        execution = self.one("ex", index)
        begun = self.ask(
            "record_action", phase="begin", execution_id=execution, tool="pay", arguments=arguments, again="needed"
        )
        if begun:
            self.ask("record_action", phase="end", action_id=begun.id, outcome=outcome, result=result, summary=summary)

    @may(2, index=which, of_action=st.booleans(), key=keys)
    def something_is_kept(self, index: int, of_action: bool, key: str | None) -> None:
        about = {"action_id": self.one("ac", index)} if of_action else {"execution_id": self.one("ex", index)}
        self.ask("record_decision", decision="keep", why="it is wanted", key=key, **about)

    @may(index=which, outcome=st.sampled_from(OUTCOMES))
    def a_doubt_is_settled(self, index: int, outcome: str) -> None:
        settle = {"decision": "settle", "action_id": self.one("ac", index), "outcome": outcome}
        self.ask("record_decision", **settle, evidence="I looked")

    @may(index=which, summary=words)
    def a_note(self, index: int, summary: str) -> None:
        self.ask("record_action", phase="note", action_id=self.one("ac", index), summary=summary)

    @may(
        3,
        index=which,
        decision=st.sampled_from(CHOICES),
        why=st.sampled_from(["", "because", "it is so"]),
        step=st.sampled_from([None, "one", "two"]),
        key=keys,
    )
    def a_decision(self, index: int, decision: str, why: str, step: str | None, key: str | None) -> None:
        answer = self.ask(
            "record_decision",
            execution_id=self.one("ex", index),
            decision=decision,
            why=why,
            step=step,
            question="May I?" if decision == "ask_human" else "",
            key=key,
        )
        if answer and answer.approval_id:
            self.made.setdefault("ap", []).append(answer.approval_id)

    @may(key=st.sampled_from(["a", "a.b"]), value=small, scope=st.sampled_from(["project", "task"]), expires=words)
    def something_to_remember(self, key: str, value: Any, scope: str, expires: str) -> None:
        task = "T-1" if scope == "task" else None
        until = "1m" if expires else None
        self.ask("record_context", key=key, value=value, scope=scope, task_id=task, expires=until)

    @may(index=which, tool=tools, arguments=objects, step=st.sampled_from([None, "one"]), expires=words)
    def a_question(self, index: int, tool: str, arguments: Any, step: str | None, expires: str) -> None:
        self.ask(
            "request_approval",
            execution_id=self.one("ex", index),
            question="May I?",
            tool=tool,
            arguments=arguments,
            step=step,
            expires="1m" if expires else "",
        )

    @may(index=which, verdict=st.sampled_from(["approve", "edit", "reject", "respond"]), arguments=objects)
    def an_answer(self, index: int, verdict: str, arguments: Any) -> None:
        edited = arguments if verdict == "edit" else None
        self.ask(
            "decide_approval",
            approval_id=self.one("ap", index) or "ap_none",
            verdict=verdict,
            reason="so",
            arguments=edited,
            answer="yes" if verdict == "respond" else None,
        )

    @may(seqs=st.lists(st.integers(1, 60), min_size=1, max_size=3), force=st.booleans())
    def something_is_erased(self, seqs: list[int], force: bool) -> None:
        self.ask("erase", seqs=tuple(seqs), force=force, reason="asked to")

    @may(index=which, summary=words, outcome=st.sampled_from(OUTCOMES))
    def a_batch(self, index: int, summary: str, outcome: str) -> None:
        execution = self.one("ex", index) or ""
        begin = {"phase": "begin", "execution_id": execution, "tool": "pay", "again": "yes", "summary": summary}
        end = {"phase": "end", "action_id": "@0", "outcome": outcome}
        records = [
            {"operation": "record_action", "arguments": begin},
            {"operation": "record_action", "arguments": end},
        ]
        self.ask("record_batch", records=records)

    @may(index=which, other=st.booleans())
    def the_same_key_again(self, index: int, other: bool) -> None:
        if index < len(self.calls):
            operation, arguments = self.calls[-1 - index]
            changed = {**arguments, "tool": "another"} if other and operation == "record_action" else arguments
            self.ask(operation, **changed)

    # Reads

    @may(index=which, view=st.sampled_from(ONE_EXECUTION))
    def one_execution_is_read(self, index: int, view: str) -> None:
        self.ask(view, execution_id=self.one("ex", index))

    @may(text=st.sampled_from([None, "alpha", "gam*", "pay füße", "one"]), back=st.booleans(), after=st.integers(0, 30))
    def entries_are_read(self, text: str | None, back: bool, after: int) -> None:
        self.ask("read_entries", text=text, newest_first=back, after=after, limit=7)

    @may(
        view=st.sampled_from(["list_plans", "list_executions", "list_approvals", "list_context"]),
        limit=st.sampled_from([1, 3, 50]),
        text=st.sampled_from([None, "plan", "alpha"]),
    )
    def things_are_listed(self, view: str, limit: int, text: str | None) -> None:
        self.ask(view, limit=limit, text=text)

    @may(view=st.sampled_from(["list_owed", "list_in_doubt", "list_sessions", "get_stats"]))
    def the_whole_is_read(self, view: str) -> None:
        self.ask(view)

    @may(index=which, key=st.sampled_from(["a", "a.b"]))
    def one_thing_is_read(self, index: int, key: str) -> None:
        self.ask("get_context", key=key)
        self.ask("get_plan", plan_id=self.one("pl", index) or "pl_none")

    @may()
    def the_rows_are_built_again(self) -> None:
        self.twins.rebuild()


def run(home: Home, examples: int, seed: str) -> Counter[str]:
    """Drive `home` through so many random histories, the same for the same seed.

    Returns how often each operation was carried out or refused.
    """
    met: Counter[str] = Counter()

    @set_seed(seed)
    class Driven(Machine):
        def __init__(self) -> None:
            super().__init__(home)
            self.twins.met = met

    with same_salts():
        run_state_machine_as_test(
            Driven,
            settings=settings(
                max_examples=examples,
                stateful_step_count=STEPS,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
                # Shrinking takes minutes; the history that failed is short enough to read.
                phases=[Phase.generate],
            ),
        )
    return met


@pytest.mark.parametrize(
    ("kind", "part", "entries_per_flush"),
    [("sqlite", "first", 1), ("sqlite", "second", 16), ("postgres", "first", 3), ("postgres", "second", 128)],
)
def test_a_real_store_answers_and_writes_like_the_memory_store(
    kind: Kind,
    part: str,
    entries_per_flush: int,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tallystick.store.sql.tail.ENTRIES_PER_FLUSH", entries_per_flush)
    with ExitStack() as stack:
        if kind == "sqlite":
            url = f"sqlite://{stack.enter_context(quick_folder())}/journal.db"
        else:
            url = stack.enter_context(request.getfixturevalue("postgres").database())
        home = Home(kind, url)
        stack.callback(home.close)
        met = run(home, EXAMPLES[kind], part)
    print(f"{EXAMPLES[kind]} histories: {dict(met)}")
    assert all(met[operation] >= EXAMPLES[kind] // 6 for operation in MUST_HAPPEN), met
