"""Approvals: durable questions to a person, bound to an exact call, answered once and used once."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, json
from msgspec.structs import asdict, replace

from tallystick.core import rules
from tallystick.core.entries import ApprovalDecided, ApprovalRequested, Entry
from tallystick.core.errors import InvalidArgument, NotPermitted, WrongState, quote_words
from tallystick.core.formats import times
from tallystick.core.state import Approval, Execution, Progress, progress_id
from tallystick.core.tools import unplanned_names
from tallystick.core.types import FINAL_STATUSES, JSON, ActorKind, Handle, Key, Name, Verdict
from tallystick.operations.attribution.executions import resolve_execution
from tallystick.operations.executions import newest_questions, next_steps
from tallystick.operations.runtime.lookup import ERASED, erased_among, require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.paging import Cursor, Limit, Page, Since, Text, find_page, search_ids
from tallystick.operations.runtime.progress import (
    approval_status,
    as_of_now,
    execution_title,
    plan_text,
    step_named,
    steps_of,
)
from tallystick.operations.runtime.receipts import ApprovalReceipt, Receipt
from tallystick.operations.runtime.run_rights import check_question
from tallystick.store.interface import Select, View, WhereValue

MAX_PENDING_COMPARED = 100
"""Pending questions of an execution, the newest first, that are compared with a new one."""
MAX_WAITING_NAMED = 5


class Question:
    """One question, before it is written. It is bound to the call that is given, else to the call that its step plans;
    without either, it grants the first call that is made with it in its step. Without a step and a tool it is about the
    only step that waits for approval, if there is one; but a question with options is about something else."""

    def __init__(
        self,
        context: OperationContext,
        question: str,
        options: tuple[str, ...],
        tool: str | None,
        arguments: Any,
        expires: str,
    ) -> None:
        self._context = context
        self._body = {"question": question, "options": list(options) or None}
        self._tool = context.masked_name(tool)
        self._arguments = arguments
        self._effect_key = context.effect_key(tool, arguments)
        self._expires = expires
        context.body(**self._body, arguments=arguments)  # raises before anything is written

    def write(self, transaction: Transaction, execution: Execution, step: str) -> Entry:
        facts, body = self._bound(transaction.ledger, execution, step)
        check_question(transaction, execution, facts.step, facts.tool)
        return transaction.write(facts, execution=execution.id, body=body)

    def find_pending(self, view: View, execution: Execution, step: str) -> Approval | None:
        """The same question about the same step or call, if it waits for an answer already. Without options to choose
        from, a yes to either permits the same. Of questions about neither, nobody knows whether they are the same."""
        if not execution.pending:
            return None
        facts, body = self._bound(view, execution, step)
        where: dict[str, WhereValue] = {"execution": execution.id, "status": ("pending",)}
        found = view.find(Approval, Select(where=where, limit=MAX_PENDING_COMPARED))
        rows = [row for row in found if row.step or row.tool]
        is_bound = False
        if step or self._tool:  # else the step may have been filled in
            bound = (facts.step, facts.tool, facts.effect_key)
            rows = [row for row in rows if (row.step, row.tool, row.effect_key) == bound]
            is_bound = bool(facts.step or self._arguments)
        bodies = view.bodies(row.seq for row in rows)
        same = (row for row in rows if _asks_same(bodies.get(row.seq), body, is_bound=is_bound))
        return next((row for row in same if approval_status(view, row) == "pending"), None)

    def _bound(self, view: View, execution: Execution, step: str) -> tuple[ApprovalRequested, str | None]:
        """The facts and the body of the question, bound to its call."""
        tool, arguments, effect_key = self._tool, self._arguments, self._effect_key
        if not step and not tool and not self._body["options"]:
            waiting = steps_to_approve(view, execution)
            step = waiting[0] if len(waiting) == 1 else ""
        name, about = self._context.masked_name(step), ""
        if step and not tool and self._body["options"] and self._context.principal.actor.kind == "runner":
            name, about = "", name
        elif step and not tool and arguments is None:
            tool, arguments, effect_key = self._planned(view, execution, step)
        facts = ApprovalRequested(
            step=name,
            about=about,
            tool=tool,
            effect_key=effect_key,
            expires=times.resolve(self._expires, "expires", start=view.now()) if self._expires else 0,
        )
        return facts, self._context.body(**self._body, arguments=arguments)

    def _planned(self, view: View, execution: Execution, name: str) -> tuple[str, Any, str]:
        """The tool, arguments and effect key of a step, as the plan has them now: a later revision changes no answer.

        The effect key is empty where the plan has no arguments, or masked ones; but a step that needs approval stores
        the key of its call.
        """
        step = next((each for each in steps_of(view, execution) if each.id == name), None)
        if step is None or not step.tool:
            return "", None, ""
        texts = plan_text(view, execution).get("steps", ())
        arguments = next((each.get("arguments") for each in texts if each["id"] == name), None)
        is_known = bool(arguments) and b"[masked:" not in json.encode(arguments)
        key = step.guarded or (self._context.effect_key(step.tool, arguments) if is_known else "")
        return step.tool, arguments or None, key


def _asks_same(body: str | None, other: str | None, *, is_bound: bool) -> bool:
    """Whether two questions have the same words and options. Of two that are bound to the same step or call, without
    options, the words do not matter."""
    one, two = (json.decode(each) if each else {} for each in (body, other))
    names = ("options",) if is_bound and not one.get("options") else ("question", "options")
    return all(one.get(name) == two.get(name) for name in names)


def steps_to_approve(view: View, execution: Execution) -> list[str]:
    """The steps that are due, need approval, and have neither an answer nor a question."""
    needed = {step.id for step in steps_of(view, execution) if step.needs_approval}
    due = next_steps(view, execution, limit=len(needed) + MAX_WAITING_NAMED) if needed else ()
    asked = newest_questions(view, execution) if needed else {}
    return [step for step in due if step in needed and (step not in asked or asked[step].status == "used")]


def note_on_question(view: View, approval_id: str, *, is_named: bool) -> str:
    """A note on a question: that its step was done already; else what a yes permits, where it was asked without a step
    or a tool."""
    row = require_row(view, Approval, approval_id, "approval_id")
    if overtaken := _overtaken(view, view.get(Execution, row.execution), row):
        return f"{overtaken}: a yes is no reason to do it again."
    if is_named:
        return ""
    if row.step:
        what = "as it is planned" if row.granted else _unbound(row)
        return f"It asks about step {quote_words([row.step])}, which waits for approval: a yes permits it, {what}."
    execution = view.get(Execution, row.execution)
    waiting = steps_to_approve(view, execution) if execution else []
    steps = f" Waiting for approval: {quote_words(waiting[:MAX_WAITING_NAMED])}; name one in `step`." if waiting else ""
    return f"A yes permits no call: it names neither step nor tool.{steps}"


class ApprovalView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A question and its answer. `status` is pending, expired, closed (its execution ended before anybody answered),
    approve, edit, reject, respond or used.

    `title` is the execution's or its plan's, `actor` the one who asks. `cancellable` and `undo` are the step's.
    `digest` identifies the call that is asked for, or that was granted: an edit grants another one. `unbound` says what
    a yes would grant where no exact call is named. `decided_by` is the approver's credential; an answer without one has
    `answered_in`: the client of a gateway that said so.
    """

    id: str
    status: str
    asked: str
    execution_id: str = ""
    title: str = ""
    plan_id: str = ""
    task_id: str = ""
    actor: str = ""
    actor_kind: ActorKind | Literal[""] = ""
    step: str = ""
    step_title: str = ""
    cancellable: str = ""
    undo: str | dict[str, Any] | None = None
    question: str = ""
    options: tuple[str, ...] = ()
    tool: str = ""
    arguments: Any = None
    digest: str = ""
    unbound: str = ""
    edited: Any = None
    answer: str = ""
    reason: str = ""
    decided: str = ""
    decided_by: str = ""
    answered_in: str = ""
    expires: str = ""
    used_by: str = ""
    overtaken: str = ""


class ApprovalPage(Page, frozen=True, kw_only=True):
    approvals: tuple[ApprovalView, ...]


@operation(
    "record",
    "POST /v1/approvals",
    example={"question": "Pay 40 EUR?", "tool": "pay", "arguments": {"amount": 40}},
)
def request_approval(
    context: OperationContext,
    *,
    question: Annotated[str, Meta(min_length=1)],
    execution_id: Handle | None = None,
    step: Name | None = None,
    tool: Name | None = None,
    arguments: Annotated[dict[str, JSON] | None, Meta(description="Exactly what is to be approved")] = None,
    options: Annotated[tuple[str, ...], Meta(max_length=20)] = (),
    expires: Annotated[str, Meta(description="When it lapses: a time, or a span such as 2h. Never a yes")] = "",
    key: Key | None = None,
) -> ApprovalReceipt:
    """Ask a person, durably. The answer is bound to exactly this tool and these arguments, and is used once.

    Nothing waits: do other work, and list the approvals to read the answer. No answer is not a yes.
    """
    if arguments and not tool:
        raise InvalidArgument("arguments without a tool are no call.", hint="Name the tool as well.", field="tool")
    to_ask = Question(context, question, options, tool, arguments, expires)

    def work(transaction: Transaction) -> Entry:
        execution = resolve_execution(transaction.ledger, execution_id, transaction.session)
        if execution.status in FINAL_STATUSES:
            raise rules.execution_ended_error(execution)
        if step:
            step_named(transaction.ledger, execution, step)
        pending = to_ask.find_pending(transaction.ledger, execution, step or "")
        entry = transaction.ledger.entry(pending.seq) if pending else None
        return transaction.already_recorded(entry) if entry else to_ask.write(transaction, execution, step or "")

    def describe(view: View, receipt: Receipt) -> ApprovalReceipt:
        note = note_on_question(view, receipt.id, is_named=bool(step or tool))
        return replace(_approval_receipt(view, receipt), notes=(note,) if note else ())

    content = ["approval", question, execution_id, step, tool, arguments, list(options), expires]
    return context.record(key, content, work, describe)


@operation(
    "record",
    "POST /v1/approvals/{approval_id}/decision",
    scope="approve",
    example={"approval_id": "ap_a3kx", "verdict": "approve", "reason": "it is what we agreed"},
)
def decide_approval(
    context: OperationContext,
    *,
    approval_id: Handle,
    verdict: Verdict,
    reason: str = "",
    answer: Annotated[str, Meta(description="With respond: the answer to the agent")] = "",
    arguments: Annotated[
        dict[str, JSON] | None, Meta(description="With edit: the call that is granted instead")
    ] = None,
    key: Key | None = None,
) -> ApprovalReceipt:
    """Answer an approval, as a person with a credential for it. It is answered once; an edit grants other arguments."""
    _check_verdict(verdict, answer, arguments)
    body = context.body(reason=reason, answer=answer, arguments=arguments)

    def work(transaction: Transaction) -> Entry:
        ledger = transaction.ledger
        approval = require_row(ledger, Approval, approval_id, "approval_id")
        execution = ledger.get(Execution, approval.execution)
        name = context.require(ledger, "approve", execution.task_id if execution else "")
        _check_open(ledger, approval, execution)
        _check_offered(ledger, approval, verdict, answer or reason)
        if arguments is not None and execution and execution.engine:
            _check_edit(ledger, approval, arguments)
        granted = context.effect_key(approval.tool, arguments) if verdict == "edit" else ""
        if verdict == "edit" and (not approval.tool or granted == approval.effect_key):
            raise InvalidArgument(
                "There is no call in it to edit."
                if not approval.tool
                else "These are the arguments that were asked for.",
                hint="Answer with respond." if not approval.tool else "To grant them as they are, answer with approve.",
                field="arguments",
            )
        facts = ApprovalDecided(verdict=verdict, effect_key=granted, credential=name)
        return transaction.write(facts, id=approval_id, execution=approval.execution, body=body)

    return context.record(key, ["verdict", approval_id, verdict, reason, answer, arguments], work, _approval_receipt)


def record_client_answer(
    context: OperationContext, *, approval_id: str, verdict: Literal["approve", "reject"], reason: str
) -> ApprovalReceipt:
    """Record what the client of a gateway said to a question, which may or may not be what a person said.

    This is no operation, so that no interface offers it: only a gateway calls it, for a rule with `approve_in: client`.
    """
    if context.principal.actor.kind != "gateway":
        raise NotPermitted(
            "Only a gateway reports what its client said.", hint="Answer it with the credential of an approver."
        )
    body = context.body(reason=reason)

    def work(transaction: Transaction) -> Entry:
        approval = require_row(transaction.ledger, Approval, approval_id, "approval_id")
        _check_open(transaction.ledger, approval, transaction.ledger.get(Execution, approval.execution))
        facts = ApprovalDecided(verdict=verdict, channel="client")
        return transaction.write(facts, id=approval_id, execution=approval.execution, body=body)

    return context.record(None, None, work, _approval_receipt)


def _check_open(view: View, approval: Approval, execution: Execution | None) -> None:
    """Raise if a question takes no answer any more."""
    if approval.status != "pending":
        raise WrongState(f"{approval.id} was answered with {approval.status}.", hint="An approval is answered once.")
    if execution and approval_status(view, approval) == "closed":
        is_over = execution.status in FINAL_STATUSES
        why = _ended(execution) if is_over else f"{approval.about or approval.step} is settled"
        raise WrongState(
            f"{approval.id} is closed: {why}. An answer permits nothing.",
            hint="Nobody waits for it any more.",
            next_call=("get_execution", {"execution_id": execution.id}),
        )
    if rules.is_expired(approval, view.now()):
        raise WrongState(f"{approval.id} has expired.", hint="The agent has to ask again.")


def _check_verdict(verdict: Verdict, answer: str, arguments: dict[str, JSON] | None) -> None:
    """Raise if an argument is missing, or given with a verdict that ignores it."""
    if verdict == "edit" and arguments is None:
        raise InvalidArgument("arguments is missing.", hint="Give the arguments that you grant.", field="arguments")
    if verdict != "edit" and arguments is not None:
        raise InvalidArgument(
            f"{verdict} takes no arguments: it would not grant them.",
            hint="To grant other arguments than were asked for, answer with edit.",
            field="arguments",
        )
    if verdict == "respond" and not answer:
        raise InvalidArgument("answer is missing.", hint="Give the answer to the agent.", field="answer")
    if verdict != "respond" and answer:
        raise InvalidArgument(
            f"{verdict} takes no answer: the agent would not receive it.",
            hint="Give a reason, which the agent receives; or answer with respond, which grants nothing.",
            field="answer",
        )


def _check_offered(view: View, approval: Approval, verdict: Verdict, answer: str) -> None:
    """Raise if a question has options and the answer begins with none of them. A question about a step or a call may
    also be answered with approve, and each one with reject."""
    is_bound = bool(approval.step or approval.tool)
    body = view.bodies([approval.seq]).get(approval.seq)
    options: list[str] = (json.decode(body).get("options") or []) if body else []
    if not options or verdict in ("reject", "edit") or (verdict == "approve" and is_bound):
        return
    said = answer.strip().casefold()
    for option in options:
        offered = option.strip().casefold()
        if said.startswith(offered) and not said[len(offered) : len(offered) + 1].isalnum():
            return
    raise InvalidArgument(
        f"{approval.id} offers {quote_words(options)}: this answer is none of them.",
        hint="Answer with respond and one of these, or with reject.",
        field="answer" if verdict == "respond" else "verdict",
        allowed=options,
    )


def _check_edit(view: View, approval: Approval, arguments: dict[str, JSON]) -> None:
    """Raise if other arguments for a call in a run name a secret or a value that a runner did not ask about: it would
    hand the secret over. What an agent asked about is not the plan's word."""
    asked, body = view.entry(approval.seq), view.bodies([approval.seq]).get(approval.seq)
    is_of_runner = asked is not None and asked.actor.kind == "runner"
    names = unplanned_names(arguments, json.decode(body).get("arguments") if body and is_of_runner else None)
    if names:
        raise InvalidArgument(
            f"The arguments name {names[0]}, which the plan does not name.",
            hint="Leave it out. Only the plan and its parameters name secrets and values: to use another, revise it.",
            field="arguments",
        )


@operation("read", "GET /v1/approvals", view="approvals", example={"status": "pending"})
def list_approvals(
    context: OperationContext,
    *,
    status: Literal["pending", "expired", "closed", "approve", "edit", "reject", "respond", "used"] | None = None,
    execution_id: Handle | None = None,
    tool: Name | None = None,
    task_id: Name | None = None,
    plan_id: Handle | None = None,
    since: Since = None,
    until: Since = None,
    text: Text = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> ApprovalPage:
    """Questions to people and their answers, the newest first."""

    def work(view: View) -> ApprovalPage:
        stored = "pending" if status in ("expired", "closed") else status
        where: dict[str, WhereValue | None] = {"status": stored, "execution": execution_id}
        among = search_ids(view, text, {ApprovalRequested.KIND, ApprovalDecided.KIND}) if text else None

        def fits(row: Approval) -> bool:
            return status in (None, approval_status(view, row)) and _is_wanted(view, row, tool, task_id, plan_id)

        rows, cursor_next = find_page(view, Approval, where, since, until, limit, cursor, among, fits=fits)
        return ApprovalPage(
            approvals=tuple(describe_approval(view, row) for row in rows),
            next_cursor=cursor_next,
        )

    return context.read(work)


def _is_wanted(view: View, row: Approval, tool: str | None, task_id: str | None, plan_id: str | None) -> bool:
    if tool not in (None, row.tool):
        return False
    if task_id is None and plan_id is None:
        return True
    execution = view.get(Execution, row.execution)
    return execution is not None and task_id in (None, execution.task_id) and plan_id in (None, execution.plan_id)


@operation("read", "GET /v1/approvals/{approval_id}", example={"approval_id": "ap_a3kx"})
def get_approval(context: OperationContext, *, approval_id: Handle) -> ApprovalView:
    """One question to a person, and its answer if there is one."""
    return context.read(lambda view: describe_approval(view, require_row(view, Approval, approval_id, "approval_id")))


def describe_call(approval: ApprovalView) -> str:
    """The call that an answer permits, as text: the words of a question are those of whoever asks."""
    arguments = json.encode(approval.arguments).decode() if approval.arguments else ""
    return f"{approval.tool} {arguments}".rstrip()


def describe_approval(view: View, row: Approval) -> ApprovalView:
    bodies = {seq: json.decode(body) for seq, body in view.bodies({row.seq, row.decided_seq} - {0}).items()}
    asked, decided = bodies.get(row.seq, {}), bodies.get(row.decided_seq, {})
    execution = view.get(Execution, row.execution)
    entry = view.entry(row.seq)
    name = row.step or row.about
    step = _step(view, execution, name) if execution and name else {}
    return ApprovalView(
        id=row.id,
        status=approval_status(view, row),
        asked=times.iso(row.at),
        execution_id=row.execution,
        title=execution_title(view, execution) if execution else "",
        plan_id=execution.plan_id if execution else "",
        task_id=execution.task_id if execution else "",
        actor=entry.actor.name if entry else "",
        actor_kind=entry.actor.kind if entry else "",
        step=name,
        step_title=step.get("title", ""),
        cancellable=step.get("cancellable", ""),
        undo=step.get("undo"),
        question=asked.get("question") or (ERASED if erased_among(view, (row.seq,)) else ""),
        options=tuple(asked.get("options", ())),
        tool=row.tool,
        arguments=asked.get("arguments"),
        digest=row.granted,
        unbound=_unbound(row),
        edited=decided.get("arguments"),
        answer=decided.get("answer", ""),
        reason=decided.get("reason", ""),
        decided=times.iso(row.decided_at) if row.decided_at else "",
        decided_by=row.credential,
        answered_in=f"a client that could have answered by itself: {row.client}" if row.client else "",
        expires=times.iso(row.expires) if row.expires else "",
        used_by=row.used_by,
        overtaken=_overtaken(view, execution, row),
    )


def _ended(execution: Execution) -> str:
    return f"{execution.id} has ended ({execution.status})"


_UNDER_WAY = {"done": "was done as", "running": "is under way as", "in_doubt": "may have been done as"}


def _overtaken(view: View, execution: Execution | None, row: Approval) -> str:
    """Why nothing is to be carried out for an unused approval: its step was done without it, or may have been."""
    if execution is None or row.status not in ("pending", "approve", "edit"):
        return ""
    if execution.status in FINAL_STATUSES:
        return _ended(execution)
    progress = view.get(Progress, progress_id(execution.id, row.step)) if row.step else None
    status = as_of_now(view, progress).status if progress else ""
    if progress and status in _UNDER_WAY:
        return f"{row.step} {_UNDER_WAY[status]} {progress.action}"
    return f"{row.step} was skipped" if status == "skipped" else ""


def _unbound(row: Approval) -> str:
    if row.granted or not row.step:
        return ""
    return f"any arguments of {row.tool}, once" if row.tool else "the first call that is made with it, whatever it is"


def _step(view: View, execution: Execution, name: str) -> dict[str, Any]:
    """The text of a step in the current revision of the plan."""
    return next((step for step in plan_text(view, execution).get("steps", ()) if step["id"] == name), {})


def _approval_receipt(view: View, receipt: Receipt) -> ApprovalReceipt:
    row = require_row(view, Approval, receipt.id, "approval_id")
    shown = describe_approval(view, row)
    return ApprovalReceipt(
        **asdict(receipt),
        status=shown.status,
        execution_id=row.execution,
        arguments=shown.edited if shown.edited is not None else shown.arguments,
    )
