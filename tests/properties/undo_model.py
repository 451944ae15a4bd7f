"""A model of the undo list and of what is owed, written from the design with no code of the product, which is compared
with it.

The model keeps no state. Each question is answered from all events, read again from the first one, so that an answer
cannot depend on how the last one was reached:

- An action is on the undo list if it was done, or may have been done, and is not yet undone. It may have been done from
  its begin.
- A read changes nothing, so it is not listed. A skipped action was not done. A failed action may have been done,
  unless it was recorded as without effect. What undoes something else is not listed itself.
- Only an action that ended ok, uncontradicted, was certainly done.
- An end that contradicts a settled outcome puts an action back in doubt. Its undos that were settled by then no longer
  count: its effect may have come after them. A later end settles it.
- An action is undone if one undo succeeded. Else it is being undone while one runs; else it is in doubt if the outcome
  of one is unknown; else it failed if one failed. A skipped undo does not count.
- An action that was decided to be kept is off the list, unless after that an undo of it began, its outcome was
  contradicted, or the success of an undo of it was contradicted. Only what is on the list can be kept.
- An undo is not possible if the action is irreversible, or its time to be undone has passed, and none was tried.
- The order is the reverse of the begins, but an action that is known to depend on another comes before it. The current
  plan names the dependencies of a step; for a dropped step, the plan as it was when the step was last begun.
- It may be said later of an action without a step that it was a step, or that it undid an earlier action. From then on
  it counts as that, as if it had begun so. But the step's time to undo it counts from its begin, unless it was open.
- What was done while the execution was unwound, and is no step and no undo, may be an undo in other words.
  As long as nobody tried to undo it, it is listed last, the newest first, and nobody has to undo it.
- All of the list is owed once it was decided to unwind, stop or fail. Otherwise some of it is owed once the work was
  declared done, or was interrupted (everybody who took part in it is gone; whoever only said how something ended, or
  kept something, took no part): what is temporary, and what somebody began to undo. That is still being undone, or it
  failed, is in doubt, or undid only a part.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

ENDS = ("unwind", "stop", "fail", "done")
BEGUN_TO_UNDO = ("undoing", "in_doubt", "failed", "partly")
Revision = Mapping[str, tuple[str, ...]]
"""The steps after which each step of a revision comes."""


@dataclass(frozen=True)
class Begun:
    """An action, as it was on the day it began. `undoes` names what an undo is for; `until` is a span after the end."""

    action: str
    session: str
    at: int
    execution: str = ""
    undoes: tuple[str, ...] = ()
    temporary: bool = False
    step: str = ""
    revision: int = 0
    effect: str = "unsafe"
    cancellable: str = ""
    until: int = 0
    may_be_undo: bool = False


@dataclass(frozen=True)
class Ended:
    action: str
    outcome: str
    at: int
    without_effect: bool = False
    session: str = ""


@dataclass(frozen=True)
class Decided:
    """What was decided about an execution, and with `keep` about which actions. A person has no session. `was` is an
    action that had begun without a step, as what it was."""

    execution: str
    decision: str
    kept: tuple[str, ...] = ()
    session: str = ""
    was: Begun | None = None


@dataclass(frozen=True)
class Died:
    """A session is over, for any reason, recorded or not."""

    session: str


Happening = Begun | Ended | Decided | Died


@dataclass(frozen=True)
class Line:
    action: str
    state: str
    certain: bool
    expired: bool


@dataclass(frozen=True)
class Knowledge:
    """The state of one action. `settled_at`, `contradicted_at` and `denied_at` (a success was contradicted) are indexes
    of events, -1 for never.

    `over_by` is the latest time at which it was over, for a deadline: its first end, if it had not been in doubt
    before; else its begin, since it may have been over right then.
    """

    word: str
    over_by: int
    settled_at: int = -1
    contradicted_at: int = -1
    denied_at: int = -1


@dataclass
class Story:
    """Everything that happened, in order, and the plan by revision."""

    happenings: list[Happening] = field(default_factory=list)
    revisions: dict[int, Revision] = field(default_factory=dict)
    revision: int = 0

    def undo_list(self, execution: str, now: int, *, of_wanted_work: bool = False) -> list[Line]:
        """The exact list, in the one right order; `of_wanted_work`: what of it is to be undone all the same."""
        begun, said = self._begun()
        done = [event for event in begun if event.execution == execution and not event.undoes]
        known = self.knowledge() if done else {}
        known |= {id: replace(known[id], over_by=at) for id, at in self._over_by(said).items()} if done else {}
        listed = {
            event: line
            for event in done
            for line in _line(event, [undo for undo in begun if event.action in undo.undoes], known, now, said)
            if not of_wanted_work or event.temporary or line.state in BEGUN_TO_UNDO
            if not self._is_kept(event.action, known)
        }
        ordered = [listed[event] for event in _in_order(list(listed), self._after(list(listed)))]
        return sorted(ordered, key=lambda line: line.state == "may_be_undo")

    def _begun(self) -> tuple[list[Begun], dict[str, int]]:
        """The begins, each as what the action was said to be later; and the indexes at which that was said."""
        told = {
            event.was.action: (index, event.was)
            for index, event in enumerate(self.happenings)
            if isinstance(event, Decided) and event.was
        }
        begun = [event for event in self.happenings if isinstance(event, Begun)]
        events = [told[event.action][1] if event.action in told else event for event in begun]
        return events, {action: index for action, (index, _) in told.items()}

    def _over_by(self, said: Mapping[str, int]) -> dict[str, int]:
        """The begins of actions that were not open when it was said what they were, and had no time of their own."""
        began = {event.action: event.at for event in self.happenings if isinstance(event, Begun) and not event.until}
        states = {action: self.knowledge(index)[action].word for action, index in said.items() if action in began}
        return {action: began[action] for action, word in states.items() if word != "open"}

    def owed(self, execution: str, now: int) -> list[Line]:
        """What somebody still has to undo, in the one right order."""
        decisions = [
            event.decision
            for event in self.happenings
            if isinstance(event, Decided) and event.execution == execution and event.decision in ENDS
        ]
        if {"unwind", "stop", "fail"} & set(decisions):
            return self.undo_list(execution, now)
        if decisions or self.is_interrupted(execution):
            return self.undo_list(execution, now, of_wanted_work=True)
        return []

    def is_interrupted(self, execution: str) -> bool:
        """Whether everybody who took part in an execution that goes on is gone."""
        gone = {event.session for event in self.happenings if isinstance(event, Died)}
        took_part = {
            event.session
            for event in self.happenings
            if not isinstance(event, Died | Ended)
            and event.execution == execution
            and not (isinstance(event, Decided) and event.decision == "keep")
        }
        return (took_part - {""}) <= gone

    def _is_kept(self, action: str, known: "Mapping[str, Knowledge]") -> bool:
        kept, reopened = -1, known[action].contradicted_at
        for index, event in enumerate(self.happenings):
            if isinstance(event, Decided) and action in event.kept:
                kept = index
            begun = event.was if isinstance(event, Decided) else event
            if isinstance(begun, Begun) and action in begun.undoes:
                kept, reopened = -1, max(reopened, known[begun.action].denied_at)
        return kept > reopened

    def knowledge(self, before: int | None = None) -> dict[str, Knowledge]:
        """The state of each action, read from the start: open, in doubt, ok, failed, no effect, or skipped; now, or
        before an event."""
        known: dict[str, Knowledge] = {}
        owners: dict[str, list[str]] = {}
        for index, event in enumerate(self.happenings[:before]):
            if isinstance(event, Begun):
                known[event.action] = Knowledge("open", event.at)
                owners.setdefault(event.session, []).append(event.action)
            elif isinstance(event, Ended):
                known[event.action] = _after_word(known[event.action], event, index)
            elif isinstance(event, Died):
                left = [action for action in owners.get(event.session, ()) if known[action].word == "open"]
                known.update((action, replace(known[action], word="in doubt")) for action in left)
        return known

    def _after(self, listed: Sequence[Begun]) -> Revision:
        known: dict[str, tuple[str, ...]] = {}
        for number in sorted({event.revision for event in listed if event.step}):
            known.update(self.revisions[number])
        known.update(self.revisions.get(self.revision, {}))
        return known


def settled(word: str) -> str:
    """The outcome that a further end would confirm or contradict; empty when there is none."""
    return {"ok": "ok", "failed": "failed", "no effect": "failed", "skipped": "skipped"}.get(word, "")


def _after_word(known: Knowledge, event: Ended, index: int) -> Knowledge:
    before = settled(known.word)
    if before and before != event.outcome:
        denied = index if before == "ok" else known.denied_at
        return Knowledge("in doubt", known.over_by, contradicted_at=index, denied_at=denied)
    over_by = event.at if known.word == "open" else known.over_by
    if event.outcome == "unknown":
        return replace(known, word="in doubt", over_by=over_by, settled_at=-1)
    harmless = event.outcome == "failed" and (event.without_effect or known.word == "no effect")
    return replace(known, word="no effect" if harmless else event.outcome, over_by=over_by, settled_at=index)


def _line(
    begun: Begun, undos: Sequence[Begun], known: Mapping[str, Knowledge], now: int, said: Mapping[str, int]
) -> Iterator[Line]:
    own = known[begun.action]
    if begun.effect == "read" or own.word in ("skipped", "no effect"):
        return
    later = [known[undo.action] for undo in undos if said.get(undo.action, -1) > own.contradicted_at]
    tried = [known[undo.action] for undo in undos]
    words = {undo.word for undo in tried if undo in later or not 0 <= undo.settled_at < own.contradicted_at}
    state = _undone_or_not(words, begun.cancellable)
    expired = bool(begun.until) and own.over_by + begun.until <= now
    if state == "not_undone" and begun.may_be_undo:
        state = "may_be_undo"
    if state == "not_undone" and expired:
        state = "not_possible"
    if state != "undone":
        yield Line(begun.action, state, certain=own.word == "ok", expired=expired)


def _undone_or_not(undos: set[str], cancellable: str) -> str:
    if "ok" in undos:
        return "partly" if cancellable == "partially-reversible" else "undone"
    if "open" in undos:
        return "undoing"
    if "in doubt" in undos:
        return "in_doubt"
    if undos & {"failed", "no effect"}:
        return "failed"
    return "not_possible" if cancellable == "irreversible" else "not_undone"


def _in_order(listed: list[Begun], after: Revision) -> Iterator[Begun]:
    """Always the newest of those that nothing left on the list depends on."""
    needs = {step: _all_before(step, after) for step in after}
    left = list(listed)
    while left:
        needed = {step for other in left for step in needs.get(other.step, ())}
        chosen = next(one for one in reversed(left) if one.step not in needed)
        yield chosen
        left.remove(chosen)


def _all_before(step: str, after: Revision) -> set[str]:
    found: set[str] = set()
    left = list(after[step])
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left.extend(after.get(one, ()))
    return found
