"""Questions of a runner to a person: what has failed, cannot be undone, or was done by others, is asked about once.

A question names what it is about by tokens, such as `[ac_a4hx]`. So an answer counts for each of these, whatever else
has happened by the time that it is given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import Conflict, WrongState
from tallystick.operations.approvals import ApprovalView

if TYPE_CHECKING:
    from tallystick.runner.stepper import AsyncCall

MAX_ASKED = 20
"""What one question is about at most. The rest is asked about later."""
MAX_CHARACTERS_SHOWN = 300
"""Of what is said about each of them."""
MAX_QUESTIONS_READ = 100
"""Questions of one execution, the newest ones."""


class AskedQuestion(Struct, frozen=True, kw_only=True):
    """A question and its answer. `option` is the word that was chosen: empty without an answer, or with another one."""

    id: str
    status: str
    text: str
    option: str = ""
    by: str = ""
    said: str = ""

    @property
    def why(self) -> str:
        return f"{self.by or 'a person'} answered {self.id} with {self.option}"

    @property
    def waits_for(self) -> str:
        if self.status in ("pending", "expired"):
            return f"{self.id} is {'not answered' if self.status == 'pending' else 'expired'}"
        return f'{self.id} was answered with "{self.said or self.status}": record a decision'


class Questions:
    """Asks a person, with some options. `intro` is the text before what is asked about, `hint` the one after it.
    Without a `why`, the execution is not blocked until there is an answer."""

    def __init__(self, record: AsyncCall, options: Sequence[str], why: str, intro: str, hint: str) -> None:
        self._record = record
        self._options = tuple(options)
        self._why = why
        self._intro = intro
        self._hint = hint

    async def ask(
        self, execution: str, about: Mapping[str, str], used: Collection[str] = (), step: str = ""
    ) -> dict[str, AskedQuestion]:
        """The newest question about each token. One new question is asked about those that nobody was asked about, or
        whose answer is `used` up: it was carried out in vain. `step` is the one that waits for the answer."""
        asked = await self._asked(execution)
        found = {token: next((each for each in asked if f"[{token}]" in each.text), None) for token in about}
        new = [token for token, question in found.items() if question is None or question.id in used][:MAX_ASKED]
        if new:
            before = sorted({question.id for token in new if (question := found[token])})
            question = await self._ask(execution, {token: about[token] for token in new}, before, step)
            found |= dict.fromkeys(new, question)
        return {token: question for token, question in found.items() if question is not None}

    async def _ask(self, execution: str, about: Mapping[str, str], before: Sequence[str], step: str) -> AskedQuestion:
        shown = {token: text[:MAX_CHARACTERS_SHOWN].translate(_WITHOUT_BRACKETS) for token, text in about.items()}
        named = "; ".join(f"{text} [{token}]" for token, text in shown.items())
        text = f"{self._intro}: {named}. {self._hint}"
        digest = blake2b("\0".join((text, *before)).encode(), digest_size=12).hexdigest()
        key = f"ask:{execution}:{digest}"
        given: dict[str, Any] = {"execution_id": execution, "question": text, "options": self._options, "key": key}
        if self._why:
            decision = {**given, "decision": "ask_human", "why": self._why}
            approval = (await self._record(operations.decisions.record_decision, decision)).approval_id
        else:
            approval = (await self._record(operations.approvals.request_approval, {**given, "step": step})).id
        return self._read(await self._record(operations.approvals.get_approval, {"approval_id": approval}))

    async def _asked(self, execution: str) -> list[AskedQuestion]:
        wanted = {"execution_id": execution, "limit": MAX_QUESTIONS_READ}
        page = await self._record(operations.approvals.list_approvals, wanted)
        own = (each for each in page.approvals if each.actor_kind == "runner" and each.options == self._options)
        return [self._read(each) for each in own]

    def _read(self, approval: ApprovalView) -> AskedQuestion:
        said = approval.answer or approval.reason
        words = re.findall(r"[a-z]+", said.lower())
        is_answered = approval.status in ("approve", "respond") and bool(words) and words[0] in self._options
        return AskedQuestion(
            id=approval.id,
            status=approval.status,
            text=approval.question,
            option=words[0] if is_answered else "",
            by=approval.decided_by,
            said=said,
        )


_WITHOUT_BRACKETS = {ord("["): "(", ord("]"): ")"}
"""What others wrote must not look like a token."""


async def decide(record: AsyncCall, execution: str, decision: dict[str, Any]) -> bool:
    """Record a decision, unless the execution has moved on meanwhile; returns whether it is a new one."""
    try:
        receipt = await record(operations.decisions.record_decision, {"execution_id": execution, **decision})
    except (WrongState, Conflict):
        return False
    return not receipt.repeated


# ----------------------------------------------------------------------------------------------------------------------
# Calls of steps that somebody recorded without the step

SAME, AGAIN, SKIP = "same", "again", "skip"


class FoundCall(Struct, frozen=True):
    """What to do about such a call: `answer` is one of the options, or empty. `reason`: why, or what is waited for."""

    answer: str
    reason: str


class FoundCalls:
    """Asks about the calls of steps that somebody else made. A runner cannot decide that itself: what an agent claims,
    or a hook saw, must not make a run leave out a step. The answer may also be given as a decision on the step.

    | answer | decision | what follows |
    |---|---|---|
    | same | `continue` with the action | the call counts as the step |
    | again | `retry` | the call is made again |
    | skip | `skip` | the step is left out |
    """

    def __init__(self, record: AsyncCall) -> None:
        self._record = record
        hint = "Was it this step (same), is the call to be made again, or is the step left out (skip)?"
        self._questions = Questions(record, (SAME, AGAIN, SKIP), "", "Recorded without the step", hint)

    async def ask(self, execution: str, step: str, action_id: str) -> FoundCall | None:
        """Ask once about an action, and carry out the answer, except `again`. None if it belongs to a step, or to
        another execution."""
        action = await self._record(operations.actions.get_action, {"action_id": action_id})
        if action.execution_id != execution or action.step:
            return None
        now = await self._record(operations.runs.get_run, {"execution_id": execution, "steps": (step,)})
        if now.steps[0].decided == "retry":
            return FoundCall(AGAIN, "it was decided to retry the step")
        token = f"{action_id} as {step}"
        about = f"the call of step {step}, by {action.actor}, which is {action.state.replace('_', ' ')}"
        asked = (await self._questions.ask(execution, {token: about}, step=step))[token]
        if asked.option in (SAME, SKIP):
            decision = {"decision": "continue", "action_id": action_id} if asked.option == SAME else {"decision": SKIP}
            await decide(self._record, execution, {**decision, "step": step, "why": asked.why, "key": asked.id})
        waits = f"the same call was recorded as {action_id}, and not as this step: {asked.waits_for}"
        return FoundCall(asked.option, asked.why if asked.option else waits)
