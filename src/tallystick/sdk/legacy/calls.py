"""What each legacy call becomes: first those that record, each in one commit, then those that read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import to_builtins

from tallystick import operations
from tallystick.core.errors import InvalidArgument, NotPermitted, UnknownHandle
from tallystick.core.types import DUE, FINAL_STATUSES
from tallystick.operations.views.entries import MAX_ENTRIES
from tallystick.operations.views.execution_status import StepView
from tallystick.sdk.legacy.request import MAX_ITEMS, OVER, Answer, Request, pairs
from tallystick.sdk.legacy.steps import as_numbered, number_of, translate

NO_REASON = "No reason was given."
MAX_REASONS_READ = 20
"""Decisions of an execution among which the newest reason is looked for."""
_WORDS = """
control: start=begin complete_step=ok fail_step=failed pause=pause resume=resume cancel=stop
log: start_step=begin complete_step=ok fail_step=failed skip_step=skipped
action: started=begin stopped=failed failed=failed error=failed aborted=failed skipped=skipped rolled_back=undo
  cleaned_up=undo notified=note other=note
compensation: completed=ok success=ok ok=ok failed=failed skipped=skipped unknown=unknown in_progress= pending=
plan_status: pending=pause in_progress=continue blocked=pause completed=done failed=fail cancelled=stop
query: all=executions history=executions execution=status plan=plans events=journal logs=journal
  compensations=undo_list summary=stats
execution: in_progress=running active=running success=completed canceled=cancelled
plan: running=in_progress unwinding=in_progress paused=blocked closed=completed
ended: ok=complete_step failed=fail_step skipped=skip_step unknown=unknown_step
undone: ok=rolled_back failed=rollback_failed
row: entity_type=entity_type entity_id=entity_id before_state=before agent_confidence=confidence error_message=error
"""
"""What words mean: a step's begin, outcome, undo or note, a decision, a view; and what current words are called."""
WORDS = {name: pairs(words) for name, words in re.findall(r"^(\w+):((?:.|\n )+)", _WORDS, re.MULTILINE)}
WORDS["query"] |= {each.view: each.view for each in operations.CATALOGUE.values() if each.view not in ("", "brief")}


class Calls(Request):
    """One legacy call: the method with its name carries it out."""

    def save_plan(self, *, numbered: bool = False) -> Answer:
        self._save(numbered=numbered)
        answer = self.record()
        log = f"add_log(plan_id={answer.id}, action_type=start_step, step_number=...) before each step"
        execution, start = answer.get("execution_id"), f"execute_plan(plan_id={answer.id})"
        start = f"control(execution_id={execution}, action=start)" if execution else start
        return answer.then(log if numbered else start)

    def create_plan(self) -> Answer:
        return self.save_plan(numbered=True)

    def _save(self, *, numbered: bool) -> None:
        """Add a plan, and its start if it is numbered. Fields without effect go to its `reasoning`, and are named."""
        plan_steps, extra = translate(self.take("steps"), numbered=numbered)
        plan = {"start": numbered, **self.known("record_plan")}
        kind, task = plan.get("type") or "Plan", plan.get("task_id")
        title = {"title": f"{kind} for {task}" if task else kind} if numbered else {}
        reasoning, is_started = self.with_rest(plan.pop("reasoning", ""), steps=extra), plan.pop("start")
        self.without_effect += [f"steps.{step}.{name}" for step, fields in extra.items() for name in fields]
        saved = self.add("record_plan", **{**title, **plan, "steps": plan_steps, "reasoning": reasoning})
        if is_started:
            listed = plan_steps if isinstance(plan_steps, list) else []
            self.start(saved, [step for step in listed if isinstance(step, dict) and step.get("id")])

    def execute_plan(self) -> Answer:
        """Start an execution of a plan, or of steps that are saved first, and begin its first step. A server that
        carries out plans is asked to run it."""
        if self.rest.get("plan_id") or "steps" not in self.rest:
            if self.may_run and self.rest.get("plan_id"):
                return self._run_plan()
            self.start(self.take("plan_id"), notes=self.with_rest(self.take("notes", "")))
            return self._begin_next()
        self._save(numbered=True)
        answer = self._begin_next()
        call = f"add_log(plan_id={answer.plan_id}, step_number=..., action_type=complete_step, description=...)"
        step = "its first step is begun" if answer.get("state") == "open" else "see notes"
        return answer.then(f"nothing is run for you: {step}; do each step, then {call}")

    def _run_plan(self) -> Answer:
        run = self.ask("run_plan", plan_id=self.take("plan_id"), key=self.key)
        notes = self.with_rest(self.take("notes", ""))
        if notes and not run.repeated:
            self.ask("record_action", phase="note", execution_id=run.id, summary=notes)
        answer = self._answer({"ex": run.id, "pl": run.plan_id}, run, status=run.status, repeated=run.repeated)
        return answer.then(f"the server carries it out; status(execution_id={run.id}) shows how far it is")

    def _begin_next(self, *done: str) -> Answer:
        """Begin the next step, or end the execution when all its steps are done; then make the records."""
        ready, before = self.ready_steps(done), len(self.records)
        if self.execution_status == "running" and ready:
            self.move(ready[0].id, "begin", {})
        elif self.execution_status == "running" and not self.steps_left(done):
            self.decide("done", "")
        answer = self.record(first_optional=before, next_steps=())
        if ready and answer.get("state") == "open":
            return Answer(answer, next_steps=(ready[0].id,)).then(_complete(answer.execution_id, ready[0].id))
        is_over = answer.get("status") == "completed"
        return answer.then("all steps are done; record_compensation(step_id=...) undoes one" if is_over else "")

    def control(self) -> Answer:
        """Move an execution, or one of its steps, on."""
        action, why, step = self.take("action"), self.take("why", ""), self.take("step")
        if action == "start" and not self.rest.get("execution_id"):
            self.rest["notes"] = why
            return self.execute_plan()
        self.find_execution(self.take("execution_id"))
        meaning = "resume" if action == "start" and self.execution_status == "paused" else WORDS["control"][action]
        if meaning in ("begin", "ok", "failed"):
            return self._control_step(step, meaning, why)
        self.decide(meaning, self.with_rest(why or NO_REASON), step)
        if meaning == "resume" and not self.open_steps():
            self.execution_status = "running"
            return self._begin_next()
        answer = self.record()
        due = [item["step"] for item in answer.get("owed", ()) if item["state"] in DUE and item.get("step")]
        undo = f"record_compensation(execution_id={answer.execution_id}, step_id=...) for each of: "
        return answer.then(undo + ", ".join(due[:10]) if due else "")

    def _control_step(self, step: Any, meaning: str, why: Any) -> Answer:
        possible = [each.id for each in (self.ready_steps() if meaning == "begin" else self.open_steps())]
        if step is None and len(possible) != 1:
            hint = f"Name one of: {', '.join(possible[:10])}." if possible else "Name a step with action=start."
            raise InvalidArgument("step_id is missing.", hint=hint, field="step_id", allowed=possible[:20])
        step = possible[0] if step is None else step
        text = {"error": why or NO_REASON} if meaning == "failed" else {"summary": why} if why else {}
        self.move(step, meaning, {**text, **self.rest})
        if meaning == "ok":
            return self._begin_next(step)
        if meaning == "begin":
            return self.record().then(_complete(self.execution_id, step))
        retry = f"control(execution_id={self.execution_id}, action=start, step_id={step}) to try it again"
        return self.record().then(f"{retry}; action=cancel lists what to undo")

    def record_execution_start(self) -> Answer:
        """Record a start or a decision, with what has no field of its own in its notes or its reason."""
        operation, name = ("record_decision", "why") if "decision" in self.rest else ("record_execution_start", "notes")
        text, details = self.take(name, ""), self.take("details", "")
        if isinstance(details, str):
            text, details = "\n".join(filter(None, (text, details))), ""
        known = self.known(operation)
        self.add(operation, **known, **{name: self.with_rest(text, details=details)})
        answer = self.record()
        start = f"nothing was run, this is a journal: do each step, and record it in execution_id={answer.execution_id}"
        return answer.then(start if name == "notes" else "")

    record_decision = record_execution_start

    def record_action(self) -> Answer:
        """End a step, undo it, begin it, or add a note, by the word that says what was done."""
        self.find_execution(self.take("execution_id"))
        kind, step, given = self.take("action_type"), self.take("step"), self.rest
        view, meaning = self.steps.get(step), WORDS["action"].get(kind, "ok")
        if meaning == "undo" and view and view.action_id:
            return self._undo(view.action_id, "ok", {"action_type": kind, **given})
        is_undone = meaning != "note" and view is not None and self._was_undone(view)
        if meaning in ("undo", "note") or view is None or (view.actual == "done" and not is_undone):
            meaning, given = "note", {"tool": kind, **given}
        elif meaning != "begin":
            error = {"error": given.get("summary") or kind} if meaning == "failed" else {}
            given = {"action_type": kind, **error, **given}
        self.move(step, meaning, {"again": "It was undone before.", **given} if is_undone else given)
        return self.record().then()

    def _was_undone(self, view: StepView) -> bool:
        """Whether an undo of a step succeeded; one that was undone in part still counts as done."""
        if view.actual != "done":
            return view.actual == "undone"
        undo_state: str = self.ask("get_action", action_id=view.action_id).undo_state
        return undo_state in ("undone", "partly")

    def add_log(self) -> Answer:
        """Begin a step, end it, or add a note to it. Without a step, what changes something is an action of its own."""
        plan_id, kind, step = self.take("plan_id"), self.take("action_type"), self.take("step")
        given, meaning = self.rest, WORDS["log"].get(kind, "note")
        if step is None and meaning != "note":
            raise InvalidArgument("step_number is missing.", hint="Give step_number.", field="step_number")
        self.find_plan(plan_id)
        if step is None and not {"entity_type", "entity_id", "before", "after"}.isdisjoint(given):
            effect = {name: given[name] for name in ("entity_type", "entity_id", "summary") if name in given}
            meaning, given = "ok", {"tool": kind, "arguments": effect, **given}
        if meaning == "note" or (meaning == "begin" and step in [each.id for each in self.open_steps()]):
            meaning, given = "note", {"tool": kind, **given}
        elif meaning != "begin" and given.get("error"):
            meaning = "failed"
        self.move(step, meaning, given)
        call = f"do it, then add_log(plan_id={plan_id}, action_type=complete_step, step_number={step})"
        return self.record().then(call if kind == "start_step" else "")

    def record_compensation(self) -> Answer:
        self.find_execution(self.take("execution_id"))
        outcome, step = WORDS["compensation"][self.take("status", "completed")], self.take("step")
        view = self.steps.get(step)
        if view and view.action_id:
            return self._undo(view.action_id, outcome, self.rest)
        begun = [each.id for each in self.steps.values() if each.action_id]
        hint = f"Begun were: {', '.join(begun[:10])}." if begun else "No step was begun yet."
        hint += f" control(execution_id={self.execution_id}, action=start, step_id={step}) begins it." if view else ""
        problem = "was not begun: there is nothing to undo" if view else "is not there"
        message = f'Step "{step}" {problem}.' if step else "step_id is missing."
        raise InvalidArgument(message, hint=hint, field="step_id", allowed=begun[:20])

    def _undo(self, action: str, outcome: str, given: dict[str, Any]) -> Answer:
        """Begin and end an undo; only end it if it was begun before; only begin it if it has not ended."""
        target = self.ask("get_action", action_id=action)
        if target.undo_state in ("undoing", "in_doubt") and outcome:
            self.act("end", given, action_id=target.undone_by, outcome=outcome)
        else:
            self.act_whole(given, outcome, kind="undo", undoes=action)
        return self.record().then()

    def update_plan(self) -> Answer:
        """Record a status as a decision, and the step that is reached as begins and ends."""
        plan_id, status, step = self.take("plan_id"), self.take("status", ""), self.take("step")
        evidence, why = {"evidence": self.take("evidence")}, self.with_rest(self.take("why", ""))
        if not status and step is None and not why:
            hint, words = "Give current_step, status or agent_reasoning.", WORDS["plan_status"]
            raise InvalidArgument("This says nothing new of the plan.", hint=hint, field="status", allowed=words)
        if status == "cancelled" and self.newest_execution(plan_id) is None:
            self.add("retire_plan", plan_id=plan_id, status=status, reason=why or NO_REASON)
            return self.record()
        self.find_plan(plan_id, or_ended=status in FINAL_STATUSES)
        is_end = step == str(len(self.steps) + 1) and step not in self.steps
        step, is_paused = None if is_end else step, self.execution_status == "paused"
        goes_on = status == "in_progress" or (bool(why) and not status and not is_paused)
        if goes_on:
            self.decide("resume" if is_paused else "continue", why or NO_REASON, step)
        before = len(self.records)
        notes = self._move_steps(status, step, {**evidence, "error": why or None}, is_end=is_end)
        if not goes_on and (status or why or len(self.records) == before):
            self._decide_status(WORDS["plan_status"].get(status, "continue"), why, step)
        return self.record(notes)

    def _decide_status(self, decision: str, why: Any, step: Any) -> None:
        if self.execution_status == "paused" and decision in ("pause", "continue"):  # what leaves it paused is a note
            self.move(step, "note", {"tool": "update_plan", "summary": why or NO_REASON})
        else:  # `done` needs a reason only if something is left open, and then the operation asks for one
            self.decide(decision, why if decision == "done" else why or NO_REASON, step)

    def _move_steps(self, status: str, step: Any, given: dict[str, Any], *, is_end: bool) -> list[str]:
        """End the open steps, and begin the one that is reached; a note if it cannot begin. At the end all are done."""
        current, is_over = self.steps.get(step), is_end or status == "completed"
        if status == "failed" and current in self.open_steps():
            self.move(step, "failed", given)
        if status not in ("", "in_progress", "completed"):
            return []
        ends = self.steps_left() if is_end else self.open_steps()
        ends = [each for each in ends if is_over or (current and each.id in current.after)]
        for each in ends:
            self.move(each.id, "ok", {"evidence": given["evidence"]})
        if is_over or not current or current.actual not in ("planned", "failed"):
            return []
        missing = [each.id for each in self.steps_left({each.id for each in ends}) if each.id in current.after]
        if not missing:
            self.move(current.id, "begin", {})
        return [f"Step {current.id} was not begun: it comes after {', '.join(missing[:5])}."] if missing else []

    def set_context(self) -> Answer:
        """Record a value for the task. The stored key holds the type: the same key of another type is another value."""
        plan_id, value, metadata = self.take("plan_id"), self.take("context_value"), self.take("metadata", {})
        scope = self.scope(self.take("task_id"), plan_id)
        kind, key = self.take("type", "notes"), self.take("context_key")
        record = {"derived_from": [plan_id] if plan_id else None, **self.known("record_context"), **scope}
        self.without_effect += self.rest
        record |= {"key": f"{kind}.{key}", "type": kind, "value": value, "metadata": {**metadata, **self.rest} or None}
        self.add("record_context", **record)
        return self.record(context_key=key, context_type=kind)

    def status(self, limit: int) -> dict[str, Any]:
        found: dict[str, Any] = to_builtins(self.ask("get_status", execution_id=self.take("execution_id")))
        if not self.take("include_step_details", True):
            found.pop("steps", None)
        if self.take("include_events", False):
            newest = self.ask("read_entries", execution_id=found["execution"]["id"], newest_first=True, limit=limit)
            found["entries"] = to_builtins(newest.entries)
        return found

    def query_history(self, limit: int) -> dict[str, Any]:
        """A view of the journal. With an execution and no type of query, its status."""
        view = WORDS["query"].get(self.take("query_type"), "")
        if "execution_id" in self.rest and view in ("", "status"):
            return {"view": "status", **self.status(limit)}
        view = view or ("journal" if self.take("include_events") else "executions")
        operation = next(each for each in operations.CATALOGUE.values() if each.view == view)
        fields = operation.arguments.__struct_fields__
        word, offset, cursor = self.take("status"), self.take("offset", 0), self.take("cursor")
        filters: dict[str, Any] = {"execution_id": self.take("execution_id"), "cursor": cursor}
        filters |= {"status": [WORDS["execution"].get(word, word)] if word else None}
        filters |= {"limit": min(limit + offset, MAX_ITEMS)} if "limit" in fields else {"offset": offset or None}
        if view == "journal":
            filters |= {"after": number_of(filters.pop("cursor") or "0"), "newest_first": True}
        for name in [name for name, value in filters.items() if value and name not in fields]:
            raise InvalidArgument(f"{name} does not go with query_type={view}.", hint="Leave it out.", field=name)
        found: dict[str, Any] = to_builtins(self.ask(operation.name, **filters))
        items = {name: value[offset:] for name, value in found.items() if isinstance(value, list | tuple)}
        return {"view": view, **found, **items}

    def cleanup_history(self, limit: int) -> dict[str, Any]:
        hint = (
            "Entries are kept. A person with a credential erases texts: `tallystick erase`. The chain still verifies."
        )
        raise NotPermitted("An agent deletes nothing from an audit record.", hint=hint)

    def with_plan(self, answer: Answer) -> Answer:
        """The answer with the plan as it is now, in the words of its family."""
        plan_id = answer.get("plan_id") or answer.id
        plan, execution = self.ask("get_plan", plan_id=plan_id).revisions[0], self.newest_execution(plan_id)
        if execution:
            self.find_execution(execution.id)
        actual = {step.id: step.actual for step in self.steps.values()}
        left = [step["id"] for step in plan.steps if actual.get(step["id"]) not in OVER]
        shown = [as_numbered(step, actual.get(step["id"], "planned")) for step in plan.steps]
        more = {"current_step": number_of(left[0]) if left else len(shown) + 1, "plan_json": Answer(steps=shown)}
        return Answer({**answer, **self._plan_line(plan, execution), **more})

    def _plan_line(self, plan: Any, execution: Any) -> dict[str, Any]:
        return _plan_line(plan, execution) | {"agent_reasoning": self._reasoning(plan, execution)}

    def _reasoning(self, plan: Any, execution: Any) -> str:
        """The newest reason that was given: for a decision, in a note of `update_plan`, or for the plan itself."""
        found = [(plan.seq, plan.reasoning), (plan.seq + 1, "" if execution else plan.retired_reason)]
        for kind, tool in (("decision_recorded", None), ("action_noted", "update_plan")) if execution else ():
            newest = {"execution_id": execution.id, "newest_first": True, "limit": MAX_REASONS_READ}
            bodies = (
                (entry.seq, entry.body or {})
                for entry in self.ask("read_entries", kind=kind, tool=tool, **newest).entries
            )
            found += [(seq, body.get("why") or body.get("summary", "")) for seq, body in bodies]
        return max(((seq, text) for seq, text in found if text not in ("", NO_REASON)), default=(0, ""))[1]

    def get_plan(self, limit: int) -> dict[str, Any]:
        plan = {"plan_id": self.take("plan_id")}
        answer = self.with_plan(Answer(plan))
        for name, read in (("logs", self.query_logs), ("context", self.get_context)):
            if self.take(f"include_{name}", False):
                self.rest |= plan
                answer[name] = read(limit)[name]
        return answer

    def query_plans(self, limit: int) -> dict[str, Any]:
        word, filters = self.take("status"), {name: self.take(name) for name in ("task_id", "type", "cursor")}
        page = self.ask("list_plans", **filters, limit=MAX_ITEMS)
        lines = (self._plan_line(plan, self.newest_execution(plan.id)) for plan in page.plans)
        return _first("plans", (line for line in lines if word in (None, line["status"])), limit, page.next_cursor)

    def query_logs(self, limit: int) -> dict[str, Any]:
        kind, after = self.take("action_type"), number_of(self.take("cursor", "0"))
        filters = {name: self.take(name) for name in ("plan_id", "task_id", "since", "until")}
        page = self.ask("read_entries", **filters, after=after, newest_first=True, limit=MAX_ENTRIES)
        logs = (log for log in self._logs(page.entries) if kind in (None, log["action_type"]))
        return _first("logs", logs, limit, str(page.last_seq) if page.more else "")

    def _logs(self, entries: Sequence[Any]) -> Iterator[dict[str, Any]]:
        """Entries, the newest first, as logs. A begin that was recorded together with its end is one log with it."""
        begins = {(entry.id, entry.seq): entry for entry in entries if entry.kind == "action_begun"}
        for entry in entries:
            begin = begins.pop((entry.id, entry.seq - 1), None) if entry.kind == "action_ended" else None
            if entry.kind != "action_begun" or (entry.id, entry.seq) in begins:
                log = self._log(entry, begin.facts if begin else {})
                yield from [{**log, "id": str(begin.seq if begin else entry.seq)}] if log else []

    def _log(self, entry: Any, begun: Mapping[str, Any]) -> dict[str, Any] | None:
        """An entry in the words of this family, with the facts of its begin; None for what is no log."""
        facts, body, kind = dict(entry.facts), dict(entry.body or {}), ""
        if entry.kind == "action_ended":
            action = self.ask("get_action", action_id=entry.id)
            body, facts = {**action.begin_body, **body}, {"step": action.step, "tool": action.tool, **begun, **facts}
            words = WORDS["undone"] if action.kind == "undo" else WORDS["ended"] if action.step else {}
            kind = words.get(facts["outcome"], "")
        elif entry.kind == "action_begun":
            kind = "start_rollback" if facts.get("action_kind") == "undo" else "start_step" if facts.get("step") else ""
        elif entry.kind not in ("action_noted", "decision_recorded"):
            return None
        row = {"action_type": kind or facts.get("tool") or facts.get("decision") or "note", "actor": entry.actor}
        row |= {"step_number": number_of(facts["step"]) if facts.get("step") else None, "at": entry.at}
        row |= {"description": body.get("summary") or body.get("why") or ("erased" if entry.erased else None)}
        row |= {"after_state": body.get("after", body.get("result"))}
        row |= {name: {**body, **facts}.get(ours) for name, ours in WORDS["row"].items()}
        return {name: value for name, value in row.items() if value not in ("", None)}

    def get_context(self, limit: int) -> dict[str, Any]:
        """One value by its key, or all values of a task, by type and words."""
        kind, key, words = (self.take(name) for name in ("type", "context_key", "text"))
        task, plan_id, cursor = (self.take(name) for name in ("task_id", "plan_id", "cursor"))
        scope = self.scope(task, plan_id) if task or plan_id or key else {}
        if key and kind and not words:
            try:
                page = self.ask("get_context", **scope, key=f"{kind}.{key}")
            except UnknownHandle:  # as current tools record it
                page = self.ask("get_context", **scope, key=key)
            return {"context": [_remembered(value) for value in page.values]}
        most = MAX_ITEMS if key else limit
        page = self.ask("list_context", **scope, type=kind, text=words, cursor=cursor, limit=most)
        rows = [row for row in map(_remembered, page.values) if key in (None, row["context_key"])]
        return {"context": rows, **({"next_cursor": page.next_cursor} if page.next_cursor else {})}


def _complete(execution_id: str, step: str) -> str:
    call = f"control(execution_id={execution_id}, action=complete_step, step_id={step}), or action=fail_step"
    return f"nothing is run for you: do step {step}, then {call}"


def _plan_line(plan: Any, execution: Any) -> dict[str, Any]:
    word = "pending" if execution is None else WORDS["plan"].get(execution.status, execution.status)
    is_retired = plan.status == "cancelled" or (plan.status == "archived" and execution is None)
    line = {"id": plan.id, "plan_id": plan.id, "status": plan.status if is_retired else word, "title": plan.title}
    line |= {"task_id": plan.task_id, "plan_type": plan.type, "total_steps": plan.step_count, "created_at": plan.at}
    done = execution.done_steps + execution.skipped_steps if execution else 0
    execution_id = execution.id if execution else ""
    return line | {"current_step": done + 1, "execution_id": execution_id}


def _first(name: str, rows: Iterator[dict[str, Any]], limit: int, cursor: str) -> dict[str, Any]:
    """As many rows as wanted, and the cursor to go on: the id of the last of them, or the cursor of the page."""
    found = list(islice(rows, limit + 1))
    following = found[limit - 1]["id"] if len(found) > limit else cursor
    return {name: found[:limit], **({"next_cursor": following} if following else {})}


def _remembered(value: Any) -> dict[str, Any]:
    """A value under the key that was given."""
    row = {"context_key": value.key.removeprefix(f"{value.type}."), "context_type": value.type, "at": value.at}
    row |= {"context_value": value.value, "task_id": value.scope_id, "metadata": value.metadata, "erased": value.erased}
    return {name: item for name, item in row.items() if item or name == "context_value"}
