"""Reads spool records, adds outcomes from transcripts, commits the records in groups, and clears the file."""

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
    Compacted,
    Compacting,
    ConversationEnded,
    ConversationStarted,
    Observed,
    Prompted,
    Stopped,
    UnreadablePayload,
)
from tallystick.capture.hook.event import conversation_name, detect_client
from tallystick.capture.ingest import background, transcripts, user_rules
from tallystick.capture.ingest.drain import Drained
from tallystick.capture.ingest.recorder import EventRecorder, Outcomes
from tallystick.capture.ingest.sessions import ObservedSessions
from tallystick.capture.spool import file as spool_file
from tallystick.capture.spool.records import SpoolRecord, read_record
from tallystick.core.errors import StorageUnavailable, TallystickError
from tallystick.core.formats.fast_json import dump
from tallystick.core.redaction.sanitize import clean_text
from tallystick.core.state import UNSETTLED, Action, IdempotencyKey, Session
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.correlation import unsettled_actions
from tallystick.operations.runtime.operation_context import Principal, Transaction
from tallystick.operations.runtime.session_lifecycle import (
    JOURNAL_ACTOR,
    MAX_SESSIONS_CHECKED,
    end_dead_sessions,
    end_or_finish_session,
)
from tallystick.sdk.local import Local
from tallystick.store.interface import Ledger, Select, View

RECORDS_PER_COMMIT = 200
"""Enough that a commit costs little per record, few enough that other writers wait only briefly."""
MAX_ROUNDS = 100
"""How often the spool is read again because records arrived meanwhile. Later ones are for the next drain."""
BRIEF_TOKENS = 400
RECORD_ERRORS = (TallystickError, LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""Errors of one record that say nothing about the store, and must not stop the records behind it."""
ReadRecord = tuple[SpoolRecord, tuple[Observed, ...]]
"""A record and what its client's event says."""
_TURN_EVENTS = ConversationStarted | ConversationEnded | Prompted | Stopped | Compacting | Compacted
_BRIEF_ENDS = {is_open: json.encode({"open": is_open})[1:] for is_open in (True, False)}
"""The last bytes of a prepared brief: whether an action has no known outcome."""


class RecordIds:
    """Ids of records within one drain, the same for two records of one event.

    Copilot runs its own hooks and those in a project's `.claude/settings.json`. If both are ours, each event is spooled
    twice, word for word and with the same time, and calls have no id. So a record of Copilot's is identified by its
    content: the second one finds the first in the journal, and nothing is missing if only one line was run.

    Two equal calls that begin at once are spooled twice by each line, so equal records are counted line by line. If a
    drain separates them, the second is taken for a duplicate; it appears when its end arrives, which has its own time.
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def id_for(self, record: SpoolRecord) -> str:
        """The record's own random id; for Copilot, a digest of its content and a count."""
        if not isinstance(record.payload, dict) or not record.payload.get("timestamp"):
            return record.id
        if detect_client(record.client, record.payload) != "copilot":
            return record.id
        content = blake2b(dump(record.payload).encode(), digest_size=16).hexdigest()
        self._counts[record.client, content] += 1
        return f"{content}.{self._counts[record.client, content]}"


class SpoolCommit(Struct):
    """The counts of one commit, and its sessions. The lost records are kept beside the spool, with the reason."""

    records: int
    calls: int
    sessions: set[str]
    lost: list[tuple[SpoolRecord, str]]


class SpoolDrainer:
    """Drains a spool. The caller holds its lock."""

    def __init__(self, local: Local, spool: str, env: Mapping[str, str], on_crash_point: Callable[[str], None]) -> None:
        self._context = local.context
        self._spool = spool
        self._on_crash_point = on_crash_point
        self._rules, self._warning = user_rules.load_rules(env)
        self._ids = RecordIds()
        self._recorded = 0
        self._torn = 0
        self._calls = 0
        self._sessions: set[str] = set()
        self._turn_changed = False

    def run(self) -> Drained:
        """Drain, and report what could not be done."""
        try:
            self._drain()
        except StorageUnavailable as error:
            return self._result(str(error))
        except OSError as error:
            return self._result(f"the spool cannot be used: {error.strerror or error}")
        return self._result("")

    def _drain(self) -> None:
        self._publish_key()
        mark: spool_file.ReadMark | None = None
        for _ in range(MAX_ROUNDS):
            part = spool_file.read(self._spool, mark)
            self._on_crash_point("read")
            records = _with_transcript_outcomes([self._read(record) for record in part.records])
            self._context.own.is_draining = True
            try:
                self._record(records)
            finally:
                self._context.own.is_draining = False
            self._finish_sessions()
            self._turn_changed |= any(isinstance(fact, _TURN_EVENTS) for _, facts in records for fact in facts)
            if part.torn:
                note = partial(self._note_torn, part.torn)
                _try_record(partial(self._context.store.write, self._context.journal, note))  # kept beside anyway
                self._torn += len(part.torn)
                self._calls += 1
            self._on_crash_point("committed")
            mark = part.mark
            is_cleared = spool_file.clear(self._spool, mark)
            self._on_crash_point("cleared")
            if is_cleared:
                break
        if self._calls:
            self._publish_brief()

    def _read(self, raw: dict[str, Any]) -> ReadRecord:
        digest = blake2b(dump(raw).encode(), digest_size=16).hexdigest()
        record = read_record(raw, digest, self._context.settings.limits)
        record = replace(record, id=self._ids.id_for(record))
        try:
            facts = clients.observe(record.client, record.event, record.payload)
            return record, tuple(_without_missing_transcript(fact) for fact in facts)
        except RECORD_ERRORS as error:
            return record, (UnreadablePayload(why=f"{type(error).__name__}: {error}"),)

    def _record(self, records: list[ReadRecord]) -> None:
        """Record in order, many in a commit.

        A record that needs a transcript begins a commit of its own, since no file is read within a commit.
        """
        batch: list[ReadRecord] = []
        for record in records:
            needs_transcript = _needs_transcript(record)
            if needs_transcript or len(batch) >= RECORDS_PER_COMMIT:
                self._commit(batch, {})
                batch = []
            batch.append(record)
            if needs_transcript:
                self._commit(batch, self._transcript_outcomes(record))
                batch = []
        self._commit(batch, {})

    def _commit(self, records: Sequence[ReadRecord], outcomes: Outcomes) -> None:
        if not records:
            return
        self._on_crash_point("before_commit")
        written = self._context.store.write(self._context.journal, partial(self._write, records, outcomes))
        for record, why in written.lost:
            spool_file.append(
                spool_file.sibling(self._spool, "torn"), {"why": why, "id": record.id, "payload": record.payload}
            )
        self._recorded += written.records
        self._calls += written.calls
        self._sessions |= written.sessions
        self._torn += len(written.lost)
        self._on_crash_point("after_commit")

    def _write(self, records: Sequence[ReadRecord], outcomes: Outcomes, ledger: Ledger) -> SpoolCommit:
        """Write these records in one commit. The store may run it again, so it keeps no state."""
        context, sessions, count, calls = self._context.in_transaction(ledger), ObservedSessions(), 0, 0
        written_in: set[str] = set()
        lost: list[tuple[SpoolRecord, str]] = []
        for record, facts in records:
            recorder = EventRecorder(context, sessions, record, self._rules, outcomes)
            error = _try_record(partial(recorder.write, facts))
            note_error = error and _try_record(partial(recorder.note_unrecorded, error))
            if note_error:
                lost.append((record, f"{error}; {note_error}"))
            count += not recorder.was_known
            calls += recorder.calls
            written_in |= recorder.sessions
        return SpoolCommit(records=count - len(lost), calls=calls, sessions=written_in, lost=lost)

    def _finish_sessions(self) -> None:
        """End the sessions that are over, and finish those whose end was recorded before their last events.

        It comes before the spool is cleared: a drain that is killed before is made again.
        """
        written_in, self._sessions = self._sessions, set()
        open_ones = Select(where={"status": "open"}, newest_first=False, limit=MAX_SESSIONS_CHECKED)

        def are_over(view: View) -> list[Session]:
            rows = (view.get(Session, id) for id in sorted(written_in))
            return [row for row in rows if row and row.session_kind == "client" and view.is_over(row)]

        def is_any_over(view: View) -> bool:
            return bool(are_over(view)) or any(map(view.is_over, view.find(Session, open_ones)))

        def finish(transaction: Transaction) -> None:
            for row in are_over(transaction.ledger):
                end_or_finish_session(transaction.ledger, row)
            end_dead_sessions(transaction)

        if self._context.read(is_any_over):
            self._context.write(finish)

    def _transcript_outcomes(self, read: ReadRecord) -> Outcomes:
        """The outcomes of this agent's unsettled calls in its transcript.

        Claude Code's transcript may be long: it is read only for calls that went on in the background.
        """
        record, facts = read
        outcomes: dict[str, dict[str, Any]] = {}
        is_codex = record.client == "codex"
        read_outcomes = transcripts.read_outcomes if is_codex else background.read_outcomes
        for fact in facts:
            name = conversation_name(record.client, fact.conversation)
            find = partial(_unsettled_calls, name=name, actor=fact.agent or record.client, in_background=not is_codex)
            outcomes.update(read_outcomes(getattr(fact, "transcript", ""), self._context.read(find)))
        return outcomes

    def _note_torn(self, torn: Sequence[bytes], ledger: Ledger) -> None:
        """Note each line that a crash cut short: it is kept beside the spool and cannot be read.

        No client is known for it, so the journal itself notes it, in a session of its own.
        """
        lines = {f"spool:torn-{blake2b(line, digest_size=16).hexdigest()}": line for line in torn}
        context = self._context.in_transaction(ledger).for_principal(Principal(actor=JOURNAL_ACTOR))
        new = [(key, line) for key, line in lines.items() if ledger.get(IdempotencyKey, key) is None]
        if not new:
            return
        session = CATALOGUE["open_session"](context, {"kind": "client", "key": f"{new[0][0]}#session"}).id
        context = self._context.in_transaction(ledger).for_principal(Principal(actor=JOURNAL_ACTOR, session=session))
        for key, line in new:
            why = f"a record of {len(line)} bytes was torn by a crash; what is left of it is kept beside the spool"
            details = {"text": clean_text(line[:400].decode("ascii", "replace"))}
            note = {"event": "other", "summary": f"Unreadable: {why}", "details": details, "key": key}
            CATALOGUE["record_note"](context, note)
        CATALOGUE["end_session"](context, {"session_id": session, "reason": "noted"})

    def _publish_key(self) -> None:
        """Write the journal's digest key beside the spool, so that hooks compute the gateway's effect keys."""
        path = spool_file.sibling(self._spool, "key")
        key = self._context.store.secret(self._context.journal).hex().encode()
        if spool_file.read_file(path).strip() != key:
            with suppress(OSError):  # without it hooks compute no effect keys; that must not stop the recording
                spool_file.replace_file(path, key)

    def _publish_brief(self) -> None:
        """Write what a hook shows the agent when the journal cannot be asked, and whether a stop needs a reminder.

        The text is made anew only where a turn begins or ends. Tool calls change the last field alone, because the
        hook reads it at every stop, and a brief costs as much as recording a call.
        """
        path = spool_file.sibling(self._spool, "brief")
        unsettled = self._context.read(lambda view: view.find(Action, Select(where={"state": UNSETTLED}, limit=1)))
        is_open = bool(unsettled)
        prepared = spool_file.read_file(path)
        if not self._turn_changed and prepared.endswith(_BRIEF_ENDS[is_open]):
            return
        if not self._turn_changed and prepared.endswith(_BRIEF_ENDS[not is_open]):
            prepared = prepared.removesuffix(_BRIEF_ENDS[not is_open]) + _BRIEF_ENDS[is_open]
        else:
            brief = CATALOGUE["get_brief"](self._context, {"tokens": BRIEF_TOKENS})
            prepared = json.encode({"seq": brief.seq, "text": brief.text, "open": is_open})
        with suppress(OSError):
            spool_file.replace_file(path, prepared)

    def _result(self, problem: str) -> Drained:
        waiting = spool_file.waiting_bytes(self._spool)
        return Drained(
            recorded=self._recorded, torn=self._torn, waiting=waiting, problem=problem, warning=self._warning
        )


def _try_record(work: Callable[[], object]) -> str:
    """Do it; returns why one record could not be written. A store that cannot be written raises."""
    try:
        work()
    except StorageUnavailable:
        raise
    except RECORD_ERRORS as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _without_missing_transcript(fact: Observed) -> Observed:
    """Drop the transcript of a stop if there is no such file: then the stop is the last word on what is still open."""
    if isinstance(fact, Stopped) and fact.transcript and not transcripts.is_readable_file(fact.transcript):
        return replace(fact, transcript="")
    return fact


def _needs_transcript(read: ReadRecord) -> bool:
    """Whether a transcript may have outcomes of calls that are still open."""
    record, facts = read
    return record.client in ("codex", "claude-code") and any(
        isinstance(fact, Stopped | Prompted | ConversationEnded | AgentEnded) and fact.transcript for fact in facts
    )


def _unsettled_calls(view: View, *, name: str, actor: str, in_background: bool) -> set[str]:
    """The call ids of an agent's unsettled actions; if so asked, only of those that left something running."""
    sessions = view.find(Session, Select(where={"name": name}, limit=5))
    actions = (action for row in sessions for action in unsettled_actions(view, row.id, actor) if action.call)
    return {action.call for action in actions if not in_background or background.background_task(view, action)}


def _with_transcript_outcomes(records: list[ReadRecord]) -> list[ReadRecord]:
    """Add the outcome from the transcript to ends without one. Each transcript is read once."""
    wanted: dict[str, set[str]] = {}
    for _, facts in records:
        for fact in facts:
            if isinstance(fact, CallEnded) and fact.outcome_missing and fact.transcript and fact.call_id:
                wanted.setdefault(fact.transcript, set()).add(fact.call_id)
    if not wanted:
        return records
    found = {path: transcripts.Transcript(path, ids) for path, ids in wanted.items()}
    return [(record, tuple(_with_outcome(fact, found) for fact in facts)) for record, facts in records]


def _with_outcome(fact: Observed, found: Mapping[str, transcripts.Transcript]) -> Observed:
    if not isinstance(fact, CallEnded) or not fact.outcome_missing or fact.transcript not in found:
        return fact
    end = found[fact.transcript].outcome(fact.call_id, fact.arguments.get("command"))
    if end is None or end["outcome"] == "unknown":
        return fact  # more may be written until its turn is over
    result = fact.result if fact.result not in (None, "") else end.get("result")
    return replace(fact, outcome_missing=False, outcome=end["outcome"], error=end.get("error", ""), result=result)
