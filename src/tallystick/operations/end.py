"""Decides what the end of an action means, and writes it."""

from typing import TYPE_CHECKING

from tallystick.core import rules
from tallystick.core.entries import ActionEnded, ActionNoted, Entry
from tallystick.core.errors import InvalidArgument
from tallystick.core.fold_actions import SETTLED
from tallystick.core.state import UNSETTLED, Action, Execution
from tallystick.core.types import FINAL_STATUSES, Outcome
from tallystick.operations.runtime.correlation import is_client_id, require_action_of_call
from tallystick.operations.runtime.lookup import MAX_HANDLES_SHOWN, OPEN_STATUSES, ActionTexts, require_row
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.run_rights import check_end
from tallystick.operations.runtime.session_lifecycle import is_in_doubt
from tallystick.store.interface import Select, View, WhereValue

if TYPE_CHECKING:
    from tallystick.operations.actions import ActionArguments

NO_GATEWAY_END = "The gateway reported no outcome."


class ActionEnd:
    """The end of one action, made from the arguments of its caller."""

    def __init__(self, context: OperationContext, args: "ActionArguments") -> None:
        if not args.outcome:
            allowed = ("ok", "failed", "skipped", "unknown")
            hint = f"Use one of: {', '.join(allowed)}."
            raise InvalidArgument("outcome is missing.", hint=hint, field="outcome", allowed=allowed)
        self._context = context
        self._args = args
        self._outcome: Outcome = args.outcome
        self._body = self._body_with(args.error)

    def write(self, transaction: Transaction) -> Entry:
        """Append the end; if another one has recorded it already, return that entry."""
        ledger, args = transaction.ledger, self._args
        if args.action_id:
            action = require_row(ledger, Action, args.action_id, "action_id")
        elif args.call_id:
            action = require_action_of_call(ledger, args.call_id)
        else:
            action = _only_open_action(transaction, args)
        if args.tool or args.step or args.undoes or args.execution_id or args.kind == "undo":
            _check_same_action(ledger, action, args)
        check_end(transaction, action)
        if action.gateway_session and self._is_behind_gateway():
            return self._write_client_view(transaction, action)
        is_repeated = action.state == self._outcome and self._repeats_end(action)
        if is_repeated or (not args.action_id and self._is_known_end(action)):
            return transaction.recorded_at(action.end_seq)
        if action.state == self._outcome and self._adds_result(ledger, action):
            return self._append(transaction, action, is_own=action.session == transaction.session)
        is_own = action.session == transaction.session
        is_known = is_own and action.state in UNSETTLED
        is_doubted = action.state != "open" if is_known else is_in_doubt(ledger, action)
        contradicts = self._contradicts(action, is_own=is_own, is_doubted=is_doubted)
        return self._append(transaction, action, is_own=is_own, settles=is_doubted, contradicts=contradicts)

    def _body_with(self, error: str) -> str | None:
        args = self._args
        return self._context.body(
            summary=args.summary,
            result=args.result,
            error=error,
            after=args.after,
            before=args.before,
            evidence=args.evidence,
            seen_at=args.seen_at,
        )

    def _is_known_end(self, action: Action) -> bool:
        """Whether another observer has recorded the end, or the call was never made, whatever its caller received."""
        if action.state not in (*SETTLED, "unknown"):
            return False
        return _was_never_made(action) or self._outcome in (action.state, "unknown")

    def _adds_result(self, view: View, action: Action) -> bool:
        """Whether it only adds a result to an end with the same outcome, which had none."""
        args = self._args
        says_more = args.error or args.without_effect or args.before is not None or args.after is not None
        is_same = action.state in SETTLED and args.result is not None
        return is_same and not says_more and ActionTexts(view, [action]).result(action) is None

    def _repeats_end(self, action: Action) -> bool:
        """Whether a claim settles what has ended, with the same outcome, and adds nothing."""
        is_claimed = self._context.principal.witness == "claimed"
        is_same = action.state in SETTLED
        return is_claimed and is_same and bool(self._args.evidence) and not self._adds_to(action)

    def _adds_to(self, action: Action) -> bool:
        """Whether it says more about an action than how it ended."""
        args = self._args
        texts = (args.error, args.result, args.before, args.after)
        return any(each not in (None, "") for each in texts) or (args.without_effect and not action.without_effect)

    def _contradicts(self, action: Action, *, is_own: bool, is_doubted: bool) -> bool:
        """Whether it contradicts the settled outcome. A claim has to follow the rules, unless it repeats an outcome
        that was observed."""
        is_claimed = self._context.principal.witness == "claimed"
        is_addition = action.call or (self._args.evidence and self._adds_to(action))
        if is_claimed and not (is_addition and action.state == self._outcome):
            return rules.check_end(
                action, outcome=self._outcome, own=is_own, in_doubt=is_doubted, evidence=self._args.evidence
            )
        return action.state in SETTLED and action.state != self._outcome

    def _is_behind_gateway(self) -> bool:
        """Whether a hook or the framework of a client reports a call of the gateway: it only knows what that answered.
        A framework names the call; a caller that settles a doubt names the action."""
        principal = self._context.principal
        if principal.witness != "observed" or principal.executes_calls:
            return False
        return principal.actor.is_hook or (not self._args.action_id and principal.actor.kind == "agent")

    def _write_client_view(self, transaction: Transaction, action: Action) -> Entry:
        """Record the outcome that a client received. The gateway's takes precedence over it: only an outcome that
        contradicts a settled one is recorded as an end of its own, which puts the action in doubt."""
        if action.end_seq and self._adds_nothing(action):
            if action.hook_saw_end or is_client_id(action.call):  # its id finds it again, however often
                return transaction.recorded_at(action.end_seq)
            note = ActionNoted(about=action.id, saw="end")
            return transaction.write(note, id=action.id, execution=action.execution, body=self._body)
        if action.state in SETTLED:
            return self._append(transaction, action, is_own=action.session == transaction.session, contradicts=True)
        error = f"{NO_GATEWAY_END} The client received ({self._outcome}): {self._args.error or 'a result'}"
        facts = ActionEnded(
            outcome="unknown",
            settles=is_in_doubt(transaction.ledger, action),
            late=_is_late(transaction.ledger, action),
            duration=self._args.duration,
            confidence=self._args.confidence,
        )
        return transaction.write(facts, id=action.id, execution=action.execution, body=self._body_with(error))

    def _adds_nothing(self, action: Action) -> bool:
        """Whether the client's view agrees with the gateway's end. `skipped` without effect means that the call was not
        made as the client asked for it: the gateway saw how it was made."""
        was_changed = self._outcome == "skipped" and self._args.without_effect
        if was_changed or _was_never_made(action) or action.state not in SETTLED:
            return True
        return self._outcome in (action.state, "unknown")

    def _append(
        self,
        transaction: Transaction,
        action: Action,
        *,
        is_own: bool,
        settles: bool = False,
        contradicts: bool = False,
    ) -> Entry:
        args = self._args
        facts = ActionEnded(
            outcome=self._outcome,
            without_effect=args.without_effect,
            settles=settles,
            contradicts=contradicts,
            late=_is_late(transaction.ledger, action),
            duration=args.duration,
            confidence=args.confidence,
            credential=self.credential(transaction.ledger, action) if settles or not is_own else "",
        )
        return transaction.write(facts, id=action.id, execution=action.execution, body=self._body)

    def credential(self, view: View, action: Action) -> str:
        """The name of the principal's credential if it grants `approve` for the task of an action; else empty."""
        execution = view.get(Execution, action.execution)
        return self._context.checked_credential(view, "approve", execution.task_id if execution else "")


def _is_late(view: View, action: Action) -> bool:
    execution = view.get(Execution, action.execution)
    return execution is not None and execution.status in FINAL_STATUSES


def _was_never_made(action: Action) -> bool:
    return action.state == "skipped" and action.without_effect


def _only_open_action(transaction: Transaction, args: "ActionArguments") -> Action:
    """The open action of the session, for an end that names none; raises InvalidArgument if it is not clear which."""
    where: dict[str, WhereValue] = {"session": transaction.session, "state": "open"}
    if args.execution_id:
        where["execution"] = args.execution_id
    found = transaction.ledger.find(Action, Select(where=where, limit=MAX_HANDLES_SHOWN + 1))
    is_clear = len(found) == 1 and (args.execution_id or not _may_be_of_other_program(transaction, found[0]))
    if is_clear:
        return found[0]
    if not found and (others := _open_elsewhere(transaction, args)):
        named = ", ".join(f"{action.id} of session {action.session}" for action in others)
        raise InvalidArgument(
            "action_id is missing, and no action of this session is open.",
            hint=f"Open is {named}. Give its action_id if you began it there, or use that session.",
            field="action_id",
            allowed=tuple(action.id for action in others),
            next_call=("record_action", {"phase": "end", "action_id": "...", "outcome": "..."}),
        )
    ids = tuple(action.id for action in found[:MAX_HANDLES_SHOWN])
    several = "several actions are open" if len(ids) > 1 else "several executions are or were open in this session"
    named = ", ".join(f"{action.id} ({action.execution})" for action in found[:MAX_HANDLES_SHOWN])
    raise InvalidArgument(
        f"action_id is missing, and {several}." if ids else "action_id is missing.",
        hint=f"Give the action_id of your begin. Open are: {named}."
        if ids
        else "No action of this session is open. phase=done records one that is over.",
        field="action_id",
        allowed=ids,
        next_call=(
            "record_action",
            {"phase": "end", "action_id": ids[0] if len(ids) > 1 else "...", "outcome": "..."}
            if ids
            else {"phase": "done", "outcome": "...", "summary": "..."},
        ),
    )


def _open_elsewhere(transaction: Transaction, args: "ActionArguments") -> list[Action]:
    """The open actions of other sessions: of the execution that is named; without one, the only one there is."""
    where: dict[str, WhereValue] = {"state": "open"}
    if args.execution_id:
        where["execution"] = args.execution_id
    found = transaction.ledger.find(Action, Select(where=where, limit=MAX_HANDLES_SHOWN))
    return found if args.execution_id or len(found) == 1 else []


def _may_be_of_other_program(transaction: Transaction, action: Action) -> bool:
    """Whether a session that several programs may share had another execution while an action was open."""
    ledger, session = transaction.ledger, transaction.session
    newest = ledger.find(Execution, Select(where={"session": session}, limit=1))
    if newest and newest[0].seq > action.seq:
        return True
    where: dict[str, WhereValue] = {"session": session, "status": OPEN_STATUSES}
    return any(row.id != action.execution for row in ledger.find(Execution, Select(where=where, limit=2)))


def _check_same_action(view: View, action: Action, args: "ActionArguments") -> None:
    """Raise if an end repeats a fact of the begin with another value: it may name the wrong action."""
    begun = {"tool": action.tool, "step": action.step, "undoes": action.undoes, "execution_id": action.execution}
    undone = view.get(Action, action.undoes) if args.undoes and action.undoes else None
    if undone and undone.step == args.undoes:
        begun["undoes"] = undone.step
    repeated = {name: getattr(args, name) for name in begun if getattr(args, name)}
    if args.kind == "undo":  # `do` is also the default
        begun["kind"], repeated["kind"] = action.action_kind, args.kind
    for name, value in repeated.items():
        if value != begun[name]:
            raise InvalidArgument(
                f'{action.id} was begun with {name}={begun[name] or "nothing"}, not "{value}".',
                hint="Is it the right action_id? Leave out what the begin said.",
                field=name,
            )
