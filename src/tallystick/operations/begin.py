"""An action that is about to begin: whether it may, and what its begin states."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core import rules
from tallystick.core.entries import ActionBegun, ActionNoted, Entry, StepFacts
from tallystick.core.errors import AlreadyDone, InvalidArgument, Refused
from tallystick.core.model import ENDED, ActionKind, Cancellable, Effect
from tallystick.core.state import Action, Execution, Keyed, Progress, progress_id
from tallystick.core.toolnames import SeenTool
from tallystick.operations.allowing import Call, Wanted
from tallystick.operations.attaching import execution_for, fits_call, step_seen, undo_seen
from tallystick.operations.desk import Sheet
from tallystick.operations.handles import known, meant
from tallystick.operations.joining import action_of_call, call_key, claimed_twin, is_clients
from tallystick.operations.presence import is_in_doubt
from tallystick.operations.standing import step_named
from tallystick.operations.witnesses import begun_by_gateway, begun_by_hook, may_be
from tallystick.store.port import View


class Intent(Struct, frozen=True, kw_only=True):
    """One action as the caller put it, before it begins."""

    execution_id: str | None
    step: str
    kind: ActionKind
    undoes: str
    again: str
    approval_id: str
    tool: str
    effect_key: str
    effect: Effect | None
    cancellable: Cancellable | None
    has_undo: bool
    undo_until: str
    entity_type: str
    entity_id: str
    confidence: float | None
    body: str | None
    arguments: Any = None
    call_id: str = ""
    shown_as: str = ""
    seen_at: int = 0

    def write(self, sheet: Sheet) -> Entry:
        """Begin it. An intention that a rule refuses does not begin; what was observed did, and is marked."""
        ledger, observed = sheet.ledger, sheet.desk.asker.witness == "observed"
        known_call = action_of_call(ledger, self.call_id) if self.call_id else None
        if known_call is not None and self._is_anothers(sheet, known_call):
            begun = ledger.entry(known_call.seq)
            assert begun is not None
            return sheet.found(begun)
        if known_call is None and observed and self.kind == "do":
            known_call = self._seen_by_another(sheet)
        if known_call is not None:
            return self._joined(sheet, known_call)
        target = known(ledger, Action, self.undoes, "undoes") if self.undoes else None
        if self.kind == "undo" and target is None:
            raise InvalidArgument("undoes is missing.", hint="Name the action that this undoes.", field="undoes")
        named = self.execution_id or (target.execution if target else None)
        execution = self._placed(sheet) if observed and not named else meant(ledger, named, sheet.session)
        if observed and self.call_id and not self.step and self.tool:
            twin = claimed_twin(ledger, execution, self._seen(sheet), self.arguments)
            if twin is not None:
                return self._joined(sheet, twin)
        if observed and self.kind == "do" and self.tool and execution.status == "unwinding":
            undone = undo_seen(ledger, sheet.desk.masker, execution, self._seen(sheet), self.arguments)
            if undone:
                return replace(self, kind="undo", undoes=undone, execution_id=execution.id).write(sheet)
        step = step_named(ledger, execution, self.step) if self.step else None
        if observed and step is None and self.tool and target is None and execution.plan_id:
            step = step_seen(ledger, sheet.desk.masker, execution, self._seen(sheet), self.arguments)
        repeated = out_of_order = False
        try:
            self._check(sheet, execution, step, target)
        except Refused as refused:
            if _is_intention(sheet):
                raise
            repeated, out_of_order = isinstance(refused, AlreadyDone), not isinstance(refused, AlreadyDone)
        facts = self._facts(sheet, execution, step, repeated=repeated, out_of_order=out_of_order)
        self._sign(sheet)
        return sheet.write(facts, execution=execution.id, body=self.body)

    def _placed(self, sheet: Sheet) -> Execution:
        """The execution in which a call was seen."""
        if self.kind == "undo" or not self.tool:
            return execution_for(sheet)
        return execution_for(sheet, fits_call(sheet.ledger, sheet.desk.masker, self._seen(sheet), self.arguments))

    def _seen(self, sheet: Sheet) -> SeenTool:
        """The tool, by all the names that a plan may have for it."""
        return SeenTool(self.tool, self.shown_as, behind=sheet.desk.asker.actor.lets_through)

    def _seen_by_another(self, sheet: Sheet) -> Action | None:
        """The action of this call that a hook, or the gateway, has begun under another name or none."""
        actor = sheet.desk.asker.actor
        if actor.kind == "gateway" and self.call_id and not is_clients(self.call_id):
            return begun_by_hook(sheet, self.tool, self.shown_as, self.arguments)
        if actor.looks_on and self.seen_at:
            return begun_by_gateway(sheet, self.tool, self.arguments, self.seen_at)
        return None

    def _is_anothers(self, sheet: Sheet, action: Action) -> bool:
        """Whether the id names another call. The gateway, which can still draw an id of its own, is told so."""
        by_gateway = sheet.desk.asker.actor.kind == "gateway"
        return by_gateway and not may_be(sheet.ledger, action, sheet.session, self.tool, self.shown_as)

    def _joined(self, sheet: Sheet, action: Action) -> Entry:
        """Somebody else has seen or said that it begins. Whoever could still hold it back is asked once more."""
        ledger, by = sheet.ledger, sheet.desk.asker.actor.kind
        seen = action_of_call(ledger, self.call_id) if self.call_id else None
        again = ledger.get(Keyed, call_key(self.call_id, by)) if seen else None
        news = _is_intention(sheet) or (sheet.desk.asker.actor.looks_on and action.through and not action.onlooker)
        if again is not None or (seen is not None and (not news or _begun_by(ledger, seen) == by)):
            begun = ledger.entry(again.seq if again else action.seq)
            assert begun is not None
            return sheet.found(begun)
        if _is_intention(sheet):
            execution = known(ledger, Execution, action.execution, "execution_id")
            step = step_named(ledger, execution, action.step) if action.step else None
            self._check(sheet, execution, step, None, joins=action.id)
        note = ActionNoted(
            about=action.id,
            step=action.step,
            tool=self.tool,
            call=sheet.desk.name(self.call_id) if seen or not action.onlooker else "",
            saw="begin" if sheet.desk.asker.actor.looks_on else "",
            effect=(self.effect or "unsafe") if _is_intention(sheet) else None,
            effect_key=self.effect_key,
            approval_id=self.approval_id,
            shown_as=self.shown_as,
        )
        self._sign(sheet, by if seen else "")
        return sheet.write(note, id=action.id, execution=action.execution, body=self.body)

    def _sign(self, sheet: Sheet, by: str = "") -> None:
        if self.call_id:
            sheet.key, sheet.digest = call_key(self.call_id, by), ""

    def _check(
        self, sheet: Sheet, execution: Execution, step: StepFacts | None, target: Action | None, joins: str = ""
    ) -> None:
        rules.check_begin(execution, undo=self.kind == "undo")
        if target:
            self._check_undo(sheet.ledger, target)
            return
        call = Call(sheet.desk, self.tool, self.arguments)
        wanted = Wanted(self.step, self.approval_id, self.effect, self.effect_key, self.again, call)
        wanted.check(sheet.ledger, execution, step, joins, sheet.ledger.effect_is_new)

    def _check_undo(self, view: View, target: Action) -> None:
        undo = view.get(Action, target.undone_by) if target.undone_by else None
        rules.check_undo(
            target,
            undo is not None and is_in_doubt(view, undo),
            target.state == "open" and not is_in_doubt(view, target),
            again=self.again,
        )

    def _facts(
        self, sheet: Sheet, execution: Execution, step: StepFacts | None, *, repeated: bool, out_of_order: bool
    ) -> ActionBegun:
        view, undoing = sheet.ledger, self.kind == "undo"
        planned = step if not undoing else None
        progress = view.get(Progress, progress_id(execution.id, planned.id)) if planned else None
        return ActionBegun(
            action_kind=self.kind,
            undoes=self.undoes,
            tool=self.tool or (planned.tool if planned else ""),
            step=step.id if step else "",
            plan_id=execution.plan_id if step else "",
            revision=execution.revision if step else 0,
            effect=self.effect or (planned.effect if planned else "unsafe"),
            effect_key=self.effect_key,
            cancellable=self.cancellable or (planned.cancellable if planned else None),
            has_undo=self.has_undo or (planned is not None and planned.has_undo),
            undo_until=self.undo_until or (planned.undo_until if planned else ""),
            attempt=progress.attempts + 1 if progress else 1,
            approval_id=self.approval_id,
            entity_type=self.entity_type,
            entity_id=self.entity_id,
            again=repeated or bool(self.again),
            out_of_order=out_of_order,
            late=execution.status in ENDED,
            confidence=self.confidence,
            call=sheet.desk.name(self.call_id) if self.call_id else "",
            shown_as=self.shown_as,
        )


def _is_intention(sheet: Sheet) -> bool:
    """Whether it can still be held back: an agent says what it will do, the gateway and the runner have not done it."""
    asker = sheet.desk.asker
    return asker.witness == "claimed" or asker.actor.kind in ("gateway", "runner")


def _begun_by(view: View, action: Action) -> str:
    entry = view.entry(action.seq)
    return entry.actor.kind if entry else ""
