"""What a person is asked, bound to an exact call: to the one that is given, else to the one that the step plans."""

from typing import Any

from msgspec import json

from tallystick.core import spans
from tallystick.core.entries import ApprovalRequested, Entry
from tallystick.core.state import Execution
from tallystick.operations.desk import Desk, Sheet
from tallystick.operations.standing import plan_text, steps_of
from tallystick.store.port import View


class Question:
    """One question, before it is written. Where neither it nor the plan names a call, it grants the first call that is
    made with it in its step."""

    def __init__(
        self, desk: Desk, question: str, options: tuple[str, ...], tool: str | None, arguments: Any, expires: str
    ) -> None:
        self._desk = desk
        self._said = {"question": question, "options": list(options) or None}
        self._tool = desk.name(tool)
        self._arguments = arguments
        self._effect_key = desk.effect_key(tool, arguments)
        self._expires = expires
        desk.body(**self._said, arguments=arguments)  # what cannot be kept is refused before anything is written

    def write(self, sheet: Sheet, execution: Execution, step: str) -> Entry:
        tool, arguments, effect_key = self._tool, self._arguments, self._effect_key
        if step and not tool and arguments is None:
            tool, arguments, effect_key = self._planned(sheet.ledger, execution, step)
        facts = ApprovalRequested(
            step=self._desk.name(step),
            tool=tool,
            effect_key=effect_key,
            expires=spans.resolve(self._expires, "expires", start=sheet.ledger.now()) if self._expires else 0,
        )
        return sheet.write(facts, execution=execution.id, body=self._desk.body(**self._said, arguments=arguments))

    def _planned(self, view: View, execution: Execution, name: str) -> tuple[str, Any, str]:
        """The call of a step, as the plan says it when the question is asked: a revision changes no answer. With no
        arguments in the plan, or with secrets that only a step that needs approval has the key of, it is the tool."""
        step = next((each for each in steps_of(view, execution) if each.id == name), None)
        if step is None or not step.tool:
            return "", None, ""
        texts = plan_text(view, execution).get("steps", ())
        arguments = next((each.get("arguments") for each in texts if each["id"] == name), None)
        known = bool(arguments) and b"[masked:" not in json.encode(arguments)
        key = step.guarded or (self._desk.effect_key(step.tool, arguments) if known else "")
        return step.tool, arguments or None, key
