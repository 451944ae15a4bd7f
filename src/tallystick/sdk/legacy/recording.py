"""The legacy calls that record: what each becomes, in one commit."""

from typing import Any

from tallystick.core.errors import InvalidArgument
from tallystick.core.types import FINAL_STATUSES
from tallystick.sdk.legacy import steps
from tallystick.sdk.legacy.request import Answer, Reply, Request, Target, pairs

NO_REASON = "No reason was given."
CONTROLS = pairs("pause=pause resume=resume cancel=stop")
LOG_WORDS = pairs("start_step=begin complete_step=ok fail_step=failed skip_step=skipped")
ACTION_WORDS = pairs(
    "started=begin stopped=failed failed=failed error=failed aborted=failed skipped=skipped rolled_back=undo "
    "cleaned_up=undo notified=note other=note"
)
"""What a word says of a step: that it begins, its outcome, that it is undone, or nothing but a note."""
COMPENSATIONS = pairs(
    "completed=ok success=ok ok=ok failed=failed skipped=skipped unknown=unknown in_progress= pending="
)
"""The outcome for each status of a compensation; empty if it has not ended."""
DECISIONS = pairs("pending=pause in_progress=continue blocked=pause completed=done failed=fail cancelled=stop")
"""The decision that each status of a plan stands for. `pending` and `blocked` are both read back as blocked."""


def save_plan(request: Request) -> Reply:
    answer = _save(request, {"title": request.take("name"), "goal": request.take("description")}, numbered=False)
    return Reply(answer, f"execute_plan(plan_id={answer.id})")


def create_plan(request: Request, *, begin: bool = False) -> Reply:
    task, kind = request.id("task_id"), request.take("plan_type")
    title = f"{kind or 'Plan'} for {task}" if task else kind or "Plan"
    answer = _save(request, {"title": title, "type": kind, "task_id": task}, numbered=True, begin=begin)
    return Reply(answer, f"add_log(plan_id={answer.id}, action_type=start_step, step_number=...) before each step")


def _save(request: Request, plan: dict[str, Any], *, numbered: bool, begin: bool = False) -> Answer:
    """Record a plan, and its start if it is numbered. Fields without an effect go to its `reasoning`, and are named."""
    plan_steps, extra = steps.translate(request.take("steps"), numbered=numbered)
    plan |= request.known("record_plan")
    names = [*request.rest, *(f"steps.{step}.{name}" for step, fields in extra.items() for name in fields)]
    note = f"Recorded as text in `reasoning`, without any effect: {', '.join(names[:10])}."
    reasoning = request.with_rest(plan.pop("reasoning", ""), steps=extra)
    is_started = plan.pop("start", numbered)
    saved = request.add("record_plan", **plan, steps=plan_steps, reasoning=reasoning)
    started = request.add("record_execution_start", plan_id=saved) if is_started else ""
    listed = [step for step in plan_steps if isinstance(step, dict)] if isinstance(plan_steps, list) else []
    for first in [step for step in listed if begin and not step.get("after")][:1]:
        request.optional_from_here()
        request.act("begin", {"summary": first.get("title")}, execution_id=started, step=first["id"])
    return request.record("pl", notes=(note,) if names else ())


def record_execution_start(request: Request) -> Reply:
    notes, known = request.take("notes", ""), request.known("record_execution_start")
    request.add("record_execution_start", **known, notes=request.with_rest(notes))
    answer = request.record("ex")
    return Reply(answer, f"nothing was run, this is a journal: do each step, and record it in execution_id={answer.id}")


def execute_plan(request: Request) -> Reply:
    """Start an execution of a plan, or of steps that are saved first, and begin its first step."""
    if "plan_id" in request.rest or "steps" not in request.rest:
        return _start(request, request.take("plan_id"), request.take("notes", ""))
    answer = create_plan(request, begin=True).answer
    call = f"add_log(plan_id={answer.id}, step_number=..., action_type=complete_step, description=...)"
    step = "its first step is begun" if answer.get("state") == "open" else "see notes"
    return Reply(answer, f"nothing is run for you: {step}; do each step, then {call}")


def _start(request: Request, plan_id: Any, notes: Any) -> Reply:
    if not plan_id:
        raise InvalidArgument("plan_id is missing.", hint="Give plan_id.", field="plan_id")
    return _begin_next(request, request.start(plan_id, notes=request.with_rest(notes)))


def _begin_next(request: Request, target: Target, *done: str) -> Reply:
    """Begin the next step, or end the execution when all its steps are done; then make the records."""
    ready = target.ready_steps(done)
    if target.status == "running" and (ready or not target.steps_left(done)):
        request.optional_from_here()
        if ready:
            request.begin(target, ready[0].id, {})
        else:
            request.decide(target, "done", "")
    answer = request.record("ex", next_steps=())
    if answer.get("state") == "open" and ready:
        answer["next_steps"] = (ready[0].id,)
        return Reply(answer, f"nothing is run for you: do step {ready[0].id}, then {_complete(answer, ready[0].id)}")
    if answer.get("status") == "completed":
        return Reply(answer, "all steps are done; record_compensation(step_id=...) records the undo of one")
    return Reply(answer, f"status(execution_id={answer.execution_id}) shows what is left")


def _complete(answer: Answer, step: str) -> str:
    return f"control(execution_id={answer.execution_id}, action=complete_step, step_id={step}), or action=fail_step"


def control(request: Request) -> Reply:
    """Move an execution, or one of its steps, on."""
    action, reason, step = request.take("action"), request.take("reason", ""), request.id("step_id")
    if action == "start" and not request.rest.get("execution_id"):
        return _start(request, request.take("plan_id"), reason)
    target = request.steps_of(request.take("execution_id"))
    if action in ("complete_step", "fail_step"):
        return _end_step(request, target, action, step or _only_open_step(target), reason)
    ready = [step] if step else [each.id for each in target.ready_steps()[:1]]
    if action == "start" and target.status != "paused" and ready:
        request.begin(target, ready[0], {**request.action(), **({"summary": reason} if reason else {})})
        answer = request.record("ex", next_steps=tuple(ready))
        return Reply(answer, f"do it, then {_complete(answer, ready[0])}")
    decision = CONTROLS.get(action, "resume" if target.status == "paused" else "continue")
    request.decide(target, decision, request.with_rest(reason or NO_REASON), step)
    answer = request.record("ex")
    owed = ", ".join(item["step"] for item in answer.get("owed", ())[:10] if item.get("step"))
    undo = f"record_compensation(execution_id={answer.execution_id}, step_id=...) for each of: {owed}"
    return Reply(answer, undo if owed else f"status(execution_id={answer.execution_id}) shows what is left")


def _end_step(request: Request, target: Target, action: str, step: str, reason: Any) -> Reply:
    given = request.action()
    if reason or action == "fail_step":
        given.setdefault("error" if action == "fail_step" else "summary", reason or NO_REASON)
    request.finish(target, step, LOG_WORDS[action], given)
    if action == "complete_step":
        return _begin_next(request, target, step)
    answer = request.record("ex")
    retry = f"control(execution_id={answer.execution_id}, action=start, step_id={step}) to try it again"
    return Reply(answer, f"{retry}; or action=cancel, which lists what to undo")


def _only_open_step(target: Target) -> str:
    names = [step.id for step in target.open_steps() or target.ready_steps()]
    if len(target.open_steps()) == 1:
        return names[0]
    hint = f"Name one of: {', '.join(names[:10])}." if names else "All its steps are done."
    raise InvalidArgument("step_id is missing.", hint=hint, field="step_id", allowed=names[:20])


def record_decision(request: Request) -> Reply:
    decision = {"decision": request.take("action"), "step": request.id("step_id")}
    why, details = request.take("reason"), request.take("details", "")
    decision |= request.known("record_decision")
    if isinstance(details, str):
        why, details = "\n".join(filter(None, (why, details))), ""
    request.add("record_decision", why=request.with_rest(why, details=details), **decision)
    return Reply(request.record("de"))


def record_action(request: Request) -> Reply:
    """End a step, undo it, begin it, or add a note, by the word that says what was done."""
    kind, step, execution = request.take("action_type"), request.id("step_id"), request.take("execution_id")
    target, given, meaning = request.steps_of(execution), request.action(), ACTION_WORDS.get(kind, "ok")
    view = target.steps.get(step)
    if meaning == "undo" and view and view.action_id:
        return _undo(request, view.action_id, "ok", {"action_type": kind, **given})
    if meaning == "undo" or view is None or view.actual in ("done", "skipped"):
        meaning = "note"
    elif meaning not in ("begin", "note"):
        error = {"error": given.get("summary") or kind} if meaning == "failed" else {}
        given = {"action_type": kind, **error, **given}
    return _act(request, target, step, meaning, {"tool": kind, **given} if meaning == "note" else given)


def add_log(request: Request) -> Reply:
    """Begin a step, end it, or add a note to it. Without a step, what changes something is an action of its own."""
    plan_id, kind, step = request.take("plan_id"), request.take("action_type"), request.id("step_number")
    given, meaning = request.action(), LOG_WORDS.get(kind, "note")
    if step is None and meaning != "note":
        raise InvalidArgument("step_number is missing.", hint="Give step_number.", field="step_number")
    target = request.target(plan_id)
    view = target.steps.get(step)
    if step is None and not {"entity_type", "entity_id", "before", "after"}.isdisjoint(given):
        effect = {name: given[name] for name in ("entity_type", "entity_id", "summary") if name in given}
        meaning, given = "ok", {"tool": kind, "arguments": effect, **given}
    if meaning == "note" or (meaning == "begin" and view and view.actual == "running"):
        meaning, given = "note", {"tool": kind, **given}
    elif meaning != "begin" and given.get("error"):
        meaning = "failed"
    reply = _act(request, target, step, meaning, given)
    call = f"do it, then add_log(plan_id={plan_id}, action_type=complete_step, step_number={step})"
    return Reply(reply.answer, call if kind == "start_step" else "")


def _act(request: Request, target: Target, step: Any, meaning: str, given: dict[str, Any]) -> Reply:
    if meaning == "begin":
        request.begin(target, step, given)
    elif meaning == "note":
        about = next((each.action_id for each in target.open_steps() if each.id == step), None)
        request.act("note", given, execution_id=target.execution_id, step=step, action_id=about)
    else:
        request.finish(target, step, meaning, given)
    return Reply(request.record("ac"))


def record_compensation(request: Request) -> Reply:
    outcome, execution = COMPENSATIONS[request.take("status", "completed")], request.take("execution_id")
    target, step = request.steps_of(execution), request.id("step_id")
    view = target.steps.get(step)
    if view and view.action_id:
        return _undo(request, view.action_id, outcome, request.action())
    begun = [each.id for each in target.steps.values() if each.action_id]
    hint = f"Begun were: {', '.join(begun[:10])}." if begun else "No step was begun yet."
    hint += f" control(execution_id={target.execution_id}, action=start, step_id={step}) begins it." if view else ""
    problem = "was not begun: there is nothing to undo" if view else "is not there"
    raise InvalidArgument(f'Step "{step}" {problem}.', hint=hint, field="step_id", allowed=begun[:20])


def _undo(request: Request, action: str, outcome: str, given: dict[str, Any]) -> Reply:
    """Begin and end an undo; only end it if it was begun before; only begin it if it has not ended."""
    target = request.ask("get_action", action_id=action)
    names = ("summary", "tool", "arguments", "again", "approval_id")
    first = {name: value for name, value in given.items() if name in names}
    last = {name: value for name, value in given.items() if name not in names}
    if target.undo_state == "undoing" and outcome:
        request.act("end", given, action_id=target.undone_by, outcome=outcome)
    else:
        begun = request.act("begin", first if outcome else {**last, **first}, kind="undo", undoes=action)
        if outcome:
            request.act("end", last, action_id=begun, outcome=outcome)
    answer = request.record("ac")
    return Reply(answer, f"status(execution_id={answer.execution_id}) shows what is left")


def update_plan(request: Request) -> Reply:
    """Record a status as a decision, and the step that is reached as begins and ends."""
    plan_id, status, step = request.take("plan_id"), request.take("status", ""), request.id("current_step")
    evidence, reason = request.take("evidence"), request.take("agent_reasoning", "")
    if not status and step is None and not reason:
        hint = "Give current_step, status or agent_reasoning."
        raise InvalidArgument("This says nothing new of the plan.", hint=hint, field="status", allowed=DECISIONS)
    why = request.with_rest(reason)
    if status == "cancelled" and request.newest_execution(plan_id) is None:
        request.add("retire_plan", plan_id=plan_id, status=status, reason=why or NO_REASON)
        return Reply(request.record("pl"))
    target = request.target(plan_id, or_ended=status in FINAL_STATUSES)
    is_end = step == str(len(target.steps) + 1) and step not in target.steps
    goes_on = status == "in_progress" or (bool(why) and not status and target.status != "paused")
    if goes_on:
        decision = "resume" if target.status == "paused" else "continue"
        request.decide(target, decision, why or NO_REASON, None if is_end else step)
    before = len(request.records)
    notes = _move_steps(request, target, status, "end" if is_end else step, {"evidence": evidence}, why)
    if not goes_on and (status or why or len(request.records) == before):
        _decide(request, target, DECISIONS.get(status, "continue"), why, None if is_end else step)
    return Reply(request.record("pl", notes=notes))


def _decide(request: Request, target: Target, decision: str, why: Any, step: Any) -> None:
    """Add the decision; what leaves a paused execution paused is a note."""
    if target.status == "paused" and decision in ("pause", "continue"):
        note = {"tool": "update_plan", "summary": why or NO_REASON}
        request.act("note", note, execution_id=target.execution_id, step=step)
    else:
        # `done` needs a reason only if something is left open. So none is made up: the operation asks for one.
        request.decide(target, decision, why if decision == "done" else why or NO_REASON, step)


def _move_steps(
    request: Request, target: Target, status: str, step: Any, given: dict[str, Any], why: Any
) -> tuple[str, ...]:
    """End the open steps, and begin the one that is reached; a note if it cannot begin. At the `end` all are done."""
    current = target.steps.get(step)
    if status == "failed":
        if current in target.open_steps():
            request.finish(target, step, "failed", {**given, "error": why or None})
    elif status in ("", "in_progress", "completed"):
        ends = target.steps_left() if step == "end" else target.open_steps()
        if status != "completed" and step != "end":
            ends = [each for each in ends if current and each.id in current.after]
        for each in ends:
            request.finish(target, each.id, "ok", given)
        if current and status != "completed" and current.actual in ("planned", "failed"):
            missing = [each.id for each in target.steps_left({each.id for each in ends}) if each.id in current.after]
            if missing:
                return (f"Step {current.id} was not begun: it comes after {', '.join(missing[:5])}.",)
            request.begin(target, current.id, {})
    return ()


def set_context(request: Request) -> Reply:
    """Record a value for the task. The stored key holds the type: the same key of another type is another value."""
    plan_id, value, metadata = request.take("plan_id"), request.take("context_value"), request.take("metadata", {})
    scope = scope_of(request, request.id("task_id"), plan_id)
    kind, key = request.take("context_type", "notes"), request.take("context_key")
    record = {"derived_from": [plan_id] if plan_id else None, **request.known("record_context")}
    record |= {"key": f"{kind}.{key}", "type": kind, **scope, "metadata": {**metadata, **request.rest} or None}
    request.add("record_context", **record)
    request.records[-1][1]["value"] = value  # null is a value too
    return Reply(request.record("cx", context_key=key, context_type=kind))


def scope_of(request: Request, task: Any, plan_id: Any) -> dict[str, Any]:
    """The scope of a task's context. A plan without a task is a task of its own."""
    if not task and plan_id:
        task = request.ask("get_plan", plan_id=plan_id).revisions[0].task_id or plan_id
    return {"scope": "task", "task_id": task} if task else {"scope": "project"}
