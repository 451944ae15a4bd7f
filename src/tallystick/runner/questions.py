"""Questions of a runner to a person: what has failed, or cannot be undone, is asked about once.

A question names what it is about by tokens, such as `[ac_a4hx]`. So an answer counts for each of these, whatever else
has happened by the time that it is given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import Conflict, WrongState
from tallystick.operations.approvals import ApprovalView
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
    """Asks a person, with some options. `intro` is the text before what is asked about, `hint` the one after it."""

    def __init__(self, record: AsyncCall, options: Sequence[str], why: str, intro: str, hint: str) -> None:
        self._record = record
        self._options = tuple(options)
        self._why = why
        self._intro = intro
        self._hint = hint

    async def ask(
        self, execution: str, about: Mapping[str, str], used: Collection[str] = ()
    ) -> dict[str, AskedQuestion]:
        """The newest question about each token. One new question is asked about those that nobody was asked about, or
        whose answer is `used` up: it was carried out in vain."""
        asked = await self._asked(execution)
        found = {token: next((each for each in asked if f"[{token}]" in each.text), None) for token in about}
        new = [token for token, question in found.items() if question is None or question.id in used][:MAX_ASKED]
        if new:
            before = sorted({question.id for token in new if (question := found[token])})
            question = await self._ask(execution, {token: about[token] for token in new}, before)
            found |= dict.fromkeys(new, question)
        return {token: question for token, question in found.items() if question is not None}

    async def _ask(self, execution: str, about: Mapping[str, str], before: Sequence[str]) -> AskedQuestion:
        shown = {token: text[:MAX_CHARACTERS_SHOWN].translate(_WITHOUT_BRACKETS) for token, text in about.items()}
        named = "; ".join(f"{text} [{token}]" for token, text in shown.items())
        text = f"{self._intro}: {named}. {self._hint}"
        digest = blake2b("\0".join((text, *before)).encode(), digest_size=12).hexdigest()
        asked = await self._record(
            operations.decisions.record_decision,
            {
                "execution_id": execution,
                "decision": "ask_human",
                "question": text,
                "options": self._options,
                "why": self._why,
                "key": f"ask:{execution}:{digest}",
            },
        )
        found = await self._record(operations.approvals.get_approval, {"approval_id": asked.approval_id})
        return self._read(found)

    async def _asked(self, execution: str) -> list[AskedQuestion]:
        wanted = {"execution_id": execution, "limit": MAX_QUESTIONS_READ}
        page = await self._record(operations.approvals.list_approvals, wanted)
        return [self._read(each) for each in page.approvals if each.options == self._options]

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
