"""Puts a word into every text of a journal: a reader who sees the word has seen too much."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from tallystick import Actor, Journal
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local

UNDO: dict[str, Any] = {"tool": "rm", "arguments": {"path": "${result.path}"}}


class Planted(Struct, frozen=True, kw_only=True):
    """A journal with the word in every text, and the handles to read it by."""

    canary: str
    task: str
    handles: dict[str, tuple[str, ...]]

    @property
    def telling(self) -> tuple[str, ...]:
        """Texts that give away that one has seen it."""
        return (self.canary, *(id for name in self.handles if name.endswith("_id") for id in self.handles[name]))


class Planter:
    """An agent that works on one task and writes the canary into every text. With `together` it works inside one
    transaction."""

    def __init__(
        self, context: OperationContext, canary: str, task: str, *, credential: str = "", together: bool = False
    ) -> None:
        self.word = canary
        self.together = together
        self.task = task
        self.used: set[str] = set()
        agent = Actor(name=f"agent {canary}")
        opener = Journal(Local(context.for_principal(Principal(actor=agent))))
        self.session = opener.open_session(name=f"session {canary}", client=f"client {canary}").id
        self.agent = Journal(Local(context.for_principal(Principal(actor=agent, session=self.session))))
        person = Actor(kind="person", name=f"person {canary}")
        principal = Principal(actor=person, session=self.session, credential=credential)
        self.person = Journal(Local(context.for_principal(principal)))
        self.used.add("open_session")

    def do(self, name: str, /, **arguments: Any) -> Any:
        self.used.add(name)
        operation = CATALOGUE[name]
        ask: Callable[..., Any] = getattr(self.agent if operation.scope == "agent" else self.person, name)
        return ask(**arguments)

    def plant(self) -> Planted:
        """Put the word into every text."""
        word, task = self.word, self.task
        self.do("record_task", task_id=task, title=f"task of {word}", type=word, parent=f"parent {word}")
        plan, other = self._plans()
        execution = self.do("record_execution_start", plan_id=plan, title=f"do {word}", notes=f"so {word}").id
        free = self.do("record_execution_start", title=f"freely {word}", task_id=task).id
        self._run()
        actions = self._actions(execution)
        approval = self.do(
            "request_approval",
            question=f"may {word}?",
            tool=f"pay-{word}",
            arguments={"to": word},
            options=(word,),
            execution_id=execution,
        ).id
        self._contexts(execution)
        self.do("record_note", event="prompt", summary=f"seen {word}", details={"what": word})
        self.do("record_decision", decision="continue", why=f"since {word}", rejected=word, execution_id=free)
        batched = {"operation": "record_action", "arguments": {"phase": "note", "summary": word, "execution_id": free}}
        self.do("record_batch", records=[batched])
        self.do("retire_plan", plan_id=other, status="archived", reason=f"over {word}")
        self.do("renew_session", session_id=self.session)
        self._of_people(approval)
        if not self.together:
            self.erase()
        return Planted(
            canary=word,
            task=task,
            handles={
                "execution_id": (execution, free),
                "plan_id": (plan, other),
                "action_id": actions,
                "approval_id": (approval,),
                "session_id": (self.session,),
            },
        )

    def _run(self) -> None:
        word = self.word
        step = {"id": f"each-{word}", "title": f"each {word}", "tool": f"tool-{word}", "undo": f"undo {word}"}
        plan = self.do("record_plan", title=f"list {word}", steps=[{**step, "for_each": [word]}], task_id=self.task).id
        run = self.do(
            "run_plan", plan_id=plan, title=f"run {word}", parameters={"what": word}, task_id=self.task, engine="caller"
        ).id
        self.do("record_items", execution_id=run, items={f"each-{word}": [word]})

    def _plans(self) -> tuple[str, str]:
        word = self.word
        step = {
            "id": f"step-{word}",
            "title": f"step {word}",
            "tool": f"tool-{word}",
            "cancellable": "reversible",
            "undo": {"tool": f"undo-{word}", "arguments": {"what": word}},
        }
        arguments = {"title": f"plan {word}", "goal": word, "type": word, "task_id": self.task, "reasoning": word}
        first = self.do("record_plan", steps=[step], **arguments).id
        self.do("record_plan", steps=[step], plan_id=first, reason=f"better {word}", **arguments)
        return first, self.do("record_plan", steps=[step], **arguments).id

    def _actions(self, execution: str) -> tuple[str, ...]:
        word = self.word
        call = {
            "tool": f"tool-{word}",
            "arguments": {"path": word},
            "summary": f"call {word}",
            "entity_type": word,
            "entity_id": word,
            "execution_id": execution,
            "cancellable": "reversible",
        }
        done = self.do("record_action", phase="begin", step=f"step-{word}", undo=UNDO, before=word, **call).id
        self.do("record_action", phase="end", action_id=done, outcome="ok", result={"path": word}, after=word)
        call["arguments"] = {"path": word, "again": word}
        failed = self.do("record_action", phase="begin", undo=UNDO, **call).id
        self.do("record_action", phase="end", action_id=failed, outcome="failed", error=f"no {word}")
        call["arguments"] = {"path": word, "open": word}
        left = self.do("record_action", phase="begin", undo=f"by hand {word}", **call).id
        self.do("record_action", phase="end", action_id=left, outcome="unknown", evidence=f"not seen {word}")
        return done, failed, left

    def _contexts(self, execution: str) -> None:
        scopes: tuple[dict[str, Any], ...] = (
            {"scope": "task", "task_id": self.task},
            {"scope": "execution", "execution_id": execution},
            {"scope": "project"},
        )
        for each in scopes:
            self.do("record_context", key=f"key-{self.word}", value=self.word, metadata={"of": self.word}, **each)

    def _of_people(self, approval: str) -> None:
        word = self.word
        self.do("add_credential", name=f"reader {word}", scopes=("read",), tasks=(self.task,))
        self.do("revoke_credential", name=f"reader {word}")
        self.do("silence_alert", rule="tool_failing", about=f"tool {word}", why=word)
        hook = f"hook-{word}"
        self.do("add_webhook", name=hook, address="https://hooks.example/x", tool=word, actor=word, task_id=self.task)
        for name in ("test_webhook", "rotate_webhook", "replay_webhook", "remove_webhook"):
            self.do(name, name=hook)
        self.do("decide_approval", approval_id=approval, verdict="edit", reason=word, arguments={"to": f"not {word}"})

    def erase(self) -> None:
        """Erase one body; its bytes are cleaned away outside of any transaction."""
        seq = self.agent.read_entries(newest_first=True, kind="execution_started", limit=1).entries[0].seq
        self.do("erase", seqs=(seq,), reason=f"asked by {self.word}", force=True)
