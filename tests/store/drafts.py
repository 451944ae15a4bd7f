"""Short constructors of entry drafts for store tests."""

from typing import Any

from tallystick.core.entries import (
    ActionBegun,
    ActionEnded,
    ActionNoted,
    ContextRecorded,
    CredentialAdded,
    Draft,
    ExecutionStarted,
    Facts,
    PlanRecorded,
    SessionEnded,
    SessionOpened,
    StepFacts,
)
from tallystick.core.types import Actor, Outcome, SessionKind

AGENT = Actor(name="tester")


def draft(facts: Facts, **rest: Any) -> Draft:
    return Draft(facts=facts, actor=AGENT, **rest)


def note(body: str | None = None, **rest: Any) -> Draft:
    return draft(ActionNoted(), body=body, **rest)


def start(task_id: str = "", **rest: Any) -> Draft:
    return draft(ExecutionStarted(task_id=task_id), **rest)


def begin(execution: str, tool: str = "pay", *, effect_key: str = "", step: str = "", **rest: Any) -> Draft:
    return draft(ActionBegun(tool=tool, effect_key=effect_key, step=step), execution=execution, **rest)


def end(action: str, execution: str, outcome: Outcome = "ok", **rest: Any) -> Draft:
    return draft(ActionEnded(outcome=outcome), id=action, execution=execution, **rest)


def plan(*steps: str, task_id: str = "") -> Draft:
    facts = tuple(StepFacts(id=step, cancellable="reversible") for step in steps)
    return draft(PlanRecorded(revision=1, steps=facts, task_id=task_id))


def context(name: str, scope_id: str = "", **rest: Any) -> Draft:
    return draft(ContextRecorded(scope="project", key=name, scope_id=scope_id), **rest)


def open_session(kind: SessionKind = "handle", *, host: str = "", lock: int = 0) -> Draft:
    return draft(SessionOpened(session_kind=kind, host=host, lock=lock))


def end_session(session: str) -> Draft:
    return draft(SessionEnded(reason="done"), id=session)


def credential(name: str, hash: str, *scopes: str, **more: Any) -> Draft:
    return draft(CredentialAdded(name=name, scopes=scopes, secret_hash=hash, **more))
