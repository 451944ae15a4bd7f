"""One draining, from the first record that waits to the spool's clearing."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

from tallystick.capture import clients
from tallystick.capture.clients.events import (
    AgentEnded,
    CallEnded,
    CallObserved,
    ConversationEnded,
    Observed,
    Prompted,
    Stopped,
    UnreadablePayload,
)
from tallystick.capture.hook.event import conversation_name, detect_client
from tallystick.capture.ingest import background, transcripts, user_rules
from tallystick.capture.ingest.drain import Drained
from tallystick.capture.ingest.matching import unsettled_actions
from tallystick.capture.ingest.recorder import EventRecorder, Outcomes
from tallystick.capture.ingest.sessions import ObservedSessions
from tallystick.capture.spool import file as spool_file
from tallystick.capture.spool.records import SpoolRecord, clean_text, read_record
from tallystick.core.errors import StorageUnavailable, TallystickError
from tallystick.core.formats.fast_json import dump
from tallystick.core.state import Action, IdempotencyKey, Session
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import Principal
from tallystick.operations.runtime.session_lifecycle import JOURNAL_ACTOR, UNSETTLED
from tallystick.sdk.local import Local
from tallystick.store.interface import Ledger, Select, View

# ----------------------------------------------------------------------------------------------------------------------
# One event that two of our hook lines were told.
#
# Copilot runs its own hooks and those in a project's `.claude/settings.json`. Where both are ours, each event is told
# twice, word for word and with the same time, and no call has an id. So what Copilot tells is known by its content: the
# second telling finds the first in the journal, whichever came first, and where only one line was run nothing is
# missing.
#
# Two calls that are the same in all, begun at once, are told twice by each line: so they are counted, line by line. If
# a
# drain cuts them apart, the second is taken for a twin; it then turns up with its end, which has a time of its own.


class Twins:
    """The ids of records, within one draining."""

    def __init__(self) -> None:
        self._told: Counter[tuple[str, str]] = Counter()

    def id(self, found: SpoolRecord) -> str:
        """What makes a record one: for most, what the hook has drawn for it."""
        if not isinstance(found.payload, dict) or not found.payload.get("timestamp"):
            return found.id
        if detect_client(found.client, found.payload) != "copilot":
            return found.id
        content = blake2b(dump(found.payload).encode(), digest_size=16).hexdigest()
        self._told[found.client, content] += 1
        return f"{content}.{self._told[found.client, content]}"


# ----------------------------------------------------------------------------------------------------------------------

AT_ONCE = 200
"""Records in one commit: enough that the commit costs little, few enough that other writers wait for moments only."""
ROUNDS = 100
"""How often the spool is read again because something came meanwhile; what comes then is for the next one."""
BRIEF_TOKENS = 400
MISTAKES = (TallystickError, LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What one record may fail with that says nothing about the store, and must not stop the records behind it."""
Reading = tuple[SpoolRecord, tuple[Observed, ...]]
_ENDS = {flag: json.encode({"open": flag})[1:] for flag in (True, False)}
"""How a prepared brief ends."""


class Written(Struct):
    """What one commit made: so many records, by so many calls. The lost ones are kept beside the spool."""

    records: int
    calls: int
    lost: list[tuple[SpoolRecord, str]]


class Draining:
    """By the one who has the lock."""

    def __init__(self, local: Local, place: str, env: Mapping[str, str], reached: Callable[[str], None]) -> None:
        self._context = local.context
        self._place = place
        self._reached = reached
        self._rules, self._warning = user_rules.load_rules(env)
        self._twins = Twins()
        self._recorded = 0
        self._torn = 0
        self._entered = 0
        self._turned = False

    def run(self) -> Drained:
        try:
            self._drain()
        except StorageUnavailable as error:
            return self._result(str(error))
        except OSError as error:
            return self._result(f"the spool cannot be used: {error.strerror or error}")
        return self._result("")

    def _drain(self) -> None:
        self._put_key()
        mark: spool_file.ReadMark | None = None
        for _ in range(ROUNDS):
            part = spool_file.read(self._place, mark)
            self._reached("read")
            readings = _looked_up([self._read(record) for record in part.records])
            self._record(readings)
            self._turned |= any(not isinstance(fact, CallObserved) for _, facts in readings for fact in facts)
            if part.torn:
                note = partial(self._note_torn, part.torn)
                _refusal(partial(self._context.store.write, self._context.journal, note))  # they are kept beside anyway
                self._torn += len(part.torn)
                self._entered += 1
            self._reached("committed")
            mark = part.mark
            cleared = spool_file.clear(self._place, mark)
            self._reached("cleared")
            if cleared:
                break
        if self._entered:
            self._put_brief()

    def _read(self, record: dict[str, Any]) -> Reading:
        digest = blake2b(dump(record).encode(), digest_size=16).hexdigest()
        found = read_record(record, digest, self._context.settings.limits)
        found = replace(found, id=self._twins.id(found))
        try:
            facts = clients.observe(found.client, found.event, found.payload)
            return found, tuple(_askable(fact) for fact in facts)
        except MISTAKES as error:
            return found, (UnreadablePayload(why=f"{type(error).__name__}: {error}"),)

    def _record(self, readings: list[Reading]) -> None:
        """In order, many in a commit. What needs a look at a transcript begins a commit: no file is read within one."""
        waiting: list[Reading] = []
        for reading in readings:
            if _closes(reading) or len(waiting) >= AT_ONCE:
                self._commit(waiting, {})
                waiting = []
            waiting.append(reading)
            if _closes(reading):
                self._commit(waiting, self._outcomes(reading))
                waiting = []
        self._commit(waiting, {})

    def _commit(self, readings: Sequence[Reading], outcomes: Outcomes) -> None:
        if not readings:
            return
        self._reached("before_commit")
        written = self._context.store.write(self._context.journal, partial(self._write, readings, outcomes))
        for each, why in written.lost:
            spool_file.append(
                spool_file.sibling(self._place, "torn"), {"why": why, "id": each.id, "payload": each.payload}
            )
        self._recorded += written.records
        self._entered += written.calls
        self._torn += len(written.lost)
        self._reached("after_commit")

    def _write(self, readings: Sequence[Reading], outcomes: Outcomes, ledger: Ledger) -> "Written":
        """All of these in one commit. It may be done again, so it remembers nothing."""
        context, sessions, records, calls = self._context.in_transaction(ledger), ObservedSessions(), 0, 0
        lost: list[tuple[SpoolRecord, str]] = []
        for found, facts in readings:
            recorder = EventRecorder(context, sessions, found, self._rules, outcomes)
            why = _refusal(partial(recorder.write, facts))
            more = why and _refusal(partial(recorder.keep, why))
            if more:
                lost.append((found, f"{why}; {more}"))
            records += not recorder.was_known
            calls += recorder.calls
        return Written(records=records - len(lost), calls=calls, lost=lost)

    def _outcomes(self, reading: Reading) -> Outcomes:
        """What the transcript says of the calls of this agent that nobody has settled. That of Claude Code is asked
        only of what went on in the background: it may be long."""
        found, facts = reading
        told: dict[str, dict[str, Any]] = {}
        is_codex = found.client == "codex"
        for fact in facts:
            name = conversation_name(found.client, fact.conversation)
            asked = partial(_unsettled_calls, name=name, actor=fact.agent or found.client, running=not is_codex)
            tell = transcripts.read_outcomes if is_codex else background.read_outcomes
            told.update(tell(getattr(fact, "transcript", ""), self._context.read(asked)))
        return told

    def _note_torn(self, torn: Sequence[bytes], ledger: Ledger) -> None:
        """Say in the journal that something was lost: a line that a crash cut short is kept, and cannot be read. Nobody
        saw anything then, so it is said by the journal itself, in a session that watches nobody."""
        lines = {f"spool:torn-{blake2b(line, digest_size=16).hexdigest()}": line for line in torn}
        context = self._context.in_transaction(ledger).for_principal(Principal(actor=JOURNAL_ACTOR))
        news = [(key, line) for key, line in lines.items() if ledger.get(IdempotencyKey, key) is None]
        if not news:
            return
        session = CATALOGUE["open_session"](context, {"kind": "client", "key": f"{news[0][0]}#session"}).id
        context = self._context.in_transaction(ledger).for_principal(Principal(actor=JOURNAL_ACTOR, session=session))
        for key, line in news:
            why = f"a record of {len(line)} bytes was torn by a crash; what is left of it is kept beside the spool"
            details = {"text": clean_text(line[:400].decode("ascii", "replace"))}
            said = {"event": "other", "summary": f"Unreadable: {why}", "details": details, "key": key}
            CATALOGUE["record_note"](context, said)
        CATALOGUE["end_session"](context, {"session_id": session, "reason": "noted"})

    def _put_key(self) -> None:
        """The journal's key for digests, where hooks can read it: they and the gateway compute the same ones."""
        place, key = (
            spool_file.sibling(self._place, "key"),
            self._context.store.secret(self._context.journal).hex().encode(),
        )
        if spool_file.read_file(place).strip() != key:
            with suppress(OSError):  # without it, hooks compute no effect keys; that is no reason to record nothing
                spool_file.replace_file(place, key)

    def _put_brief(self) -> None:
        """What a hook tells if nobody can be asked, and whether it should ask at all when an agent stops.

        Between the calls of one turn only the second matters.
        """
        place = spool_file.sibling(self._place, "brief")
        unsettled = self._context.read(lambda view: view.find(Action, Select(where={"state": UNSETTLED}, limit=1)))
        if not self._turned and spool_file.read_file(place).endswith(_ENDS[bool(unsettled)]):
            return
        brief = CATALOGUE["get_brief"](self._context, {"tokens": BRIEF_TOKENS})
        prepared = json.encode({"seq": brief.seq, "text": brief.text, "open": bool(unsettled)})
        with suppress(OSError):
            spool_file.replace_file(place, prepared)

    def _result(self, problem: str) -> Drained:
        waiting = spool_file.waiting_bytes(self._place)
        return Drained(
            recorded=self._recorded, torn=self._torn, waiting=waiting, problem=problem, warning=self._warning
        )


def _refusal(work: Callable[[], object]) -> str:
    """Why one record could not be written; empty when it was. A store that cannot be written stops everything."""
    try:
        work()
    except StorageUnavailable:
        raise
    except MISTAKES as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _askable(fact: Observed) -> Observed:
    """A stop names its transcript only if there is one: without, it is the last word on what is still open."""
    if isinstance(fact, Stopped) and fact.transcript and not transcripts.is_readable_file(fact.transcript):
        return replace(fact, transcript="")
    return fact


def _closes(reading: Reading) -> bool:
    """Whether a transcript may tell more about what is still open."""
    closing = Stopped | Prompted | ConversationEnded | AgentEnded
    return reading[0].client in ("codex", "claude-code") and any(
        isinstance(fact, closing) and getattr(fact, "transcript", "") for fact in reading[1]
    )


def _unsettled_calls(view: View, *, name: str, actor: str, running: bool) -> set[str]:
    """The ids of calls; only of those that have left something running, if so asked."""
    sessions = view.find(Session, Select(where={"name": name}, limit=5))
    rows = (action for row in sessions for action in unsettled_actions(view, row.id, actor) if action.call)
    return {action.call for action in rows if not running or background.background_task(view, action)}


def _looked_up(readings: list[Reading]) -> list[Reading]:
    """Ends that told no outcome, with that which their transcripts tell by now. Each transcript is read once."""
    wanted: dict[str, set[str]] = {}
    for _, facts in readings:
        for fact in facts:
            if isinstance(fact, CallEnded) and fact.unsaid and fact.transcript and fact.call_id:
                wanted.setdefault(fact.transcript, set()).add(fact.call_id)
    if not wanted:
        return readings
    told = {path: transcripts.Transcript(path, ids) for path, ids in wanted.items()}
    return [(found, tuple(_completed(fact, told) for fact in facts)) for found, facts in readings]


def _completed(fact: Observed, told: Mapping[str, transcripts.Transcript]) -> Observed:
    if not isinstance(fact, CallEnded) or not fact.unsaid or fact.transcript not in told:
        return fact
    came = told[fact.transcript].came(fact.call_id, fact.arguments.get("command"))
    if came is None or came["outcome"] == "unknown":
        return fact  # more may be written until its turn is over
    result = fact.result if fact.result not in (None, "") else came.get("result")
    return replace(fact, unsaid=False, outcome=came["outcome"], error=came.get("error", ""), result=result)
