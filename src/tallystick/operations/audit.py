"""verify, export and erase: proving that the journal is whole, copying it, and erasing bodies from it."""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Meta, Struct, json
from msgspec.structs import asdict

from tallystick.core.chain import Head, check, check_body, genesis
from tallystick.core.entries import BodyErased, ContextRecorded, Entry, SessionNoted, Unreadable
from tallystick.core.errors import InvalidArgument, MissingUndo, StorageUnavailable, Tampered
from tallystick.core.state import Action, Context, Execution, Plan, Revision, Session, Task, revision_id
from tallystick.core.types import DUE, FINAL_STATUSES, Handle, Key, Name
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.paging import all_rows
from tallystick.operations.runtime.progress import NOT_UNDONE, TO_PUT_BACK
from tallystick.operations.runtime.receipts import EraseReceipt, Receipt
from tallystick.store.interface import Snapshot, StoredEntry, View, WhereValue
from tallystick.store.row_check import RowCheck

ENTRIES_PER_READ = 100
"""Each body may be a mebibyte."""
EXPORT_CHARACTERS = 16 * 2**20
"""About the size of one part of an export, whatever its limit."""

MAX_UNREADABLE_LISTED = 100
ONLY_WITHOUT_CHAIN = ("rows", "credentials")
NEVER_CHECKED = ("search words", "leases", "the key of digests")
"""Parts that cannot be derived from the entries, or cost more than all the rest."""
_HASH = re.compile(r"s1:[A-Za-z0-9_-]{43}")


class Verification(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The result of a check. `problem` names the first thing that is wrong, `not_checked` what was not looked at.
    A cut tail is only found against a `head` stored outside.
    `unreadable` names up to 100 entries that are as they were written, but that this version cannot read."""

    ok: bool
    entries: int
    bodies: int
    erased: int
    head: str
    problem: str = ""
    unreadable: tuple[int, ...] = ()
    not_checked: tuple[str, ...] = ()


class Export(Struct, frozen=True, kw_only=True):
    """Lines of an export; all of them together, one a line, are the file that the verifier reads.

    A part may end before its limit where the bodies are large: `more` is true if there are entries after `last_seq`.
    """

    lines: tuple[str, ...]
    last_seq: int
    more: bool


@operation("read", "GET /v1/verification", view="verify", example={})
def verify(
    context: OperationContext,
    *,
    head: Annotated[str, Meta(description="A hash that was stored outside: it must be in the journal")] = "",
    chain: Annotated[bool, Meta(description="Only the chain and the bodies, in half the time")] = False,
) -> Verification:
    """Check every entry and body against the chain of hashes, and every row against the entries; say what holds.

    A chain that was cut at its end still verifies: store a head outside the journal, and give it here.
    """
    if head and not _HASH.fullmatch(head):
        raise InvalidArgument(
            f'head "{head[:80]}" is no hash of an entry.',
            hint="Give one as `verify` and every receipt show it, s1:...; or leave it out.",
            field="head",
        )

    def work(snapshot: Snapshot) -> Verification:
        links, rows, damage = ChainCheck(genesis(context.journal), head), None, ""
        end = snapshot.head()
        try:
            rows = None if chain else RowCheck(snapshot)
        except StorageUnavailable as error:  # the chain is checked all the same
            damage = str(error)
        try:
            while stored := snapshot.stored_entries(after=links.head.seq, limit=ENTRIES_PER_READ):
                entries = links.take(stored)
                if rows is not None:
                    rows.take(entries)
                context.progress(links.head.seq, end.seq)
            links.finish(end)
            if rows is not None:
                rows.compare()
        except (Tampered, StorageUnavailable) as problem:  # the driver's own errors are translated later
            return links.report(str(problem), rows)
        return links.report(damage, rows)

    return context.inspect(work)


class ChainCheck:
    """Checks the entries from the first, and counts what has been proved so far."""

    def __init__(self, start: Head, sought: str) -> None:
        self.head = start
        self._sought = sought
        self._found = not sought or sought == start.hash
        self._bodies = 0
        self._gone: set[int] = set()
        self._erased: set[int] = set()
        self._unreadable: list[int] = []

    def take(self, stored: Iterable[StoredEntry]) -> list[Entry]:
        """Check the next entries, and return them; raises Tampered."""
        entries: list[Entry] = []
        for each in stored:
            entry = check(self.head, each.line, each.hash)
            self.head = Head(entry.seq, entry.hash, entry.at)
            self._found = self._found or entry.hash == self._sought
            if each.seq != entry.seq:
                raise Tampered(f"entry {entry.seq} is stored as entry {each.seq}.")
            if check_body(entry, each.body, each.salt):
                self._bodies += 1
            elif entry.commitment:
                self._gone.add(entry.seq)
            if isinstance(entry.facts, Unreadable) and len(self._unreadable) < MAX_UNREADABLE_LISTED:
                self._unreadable.append(entry.seq)
            if isinstance(entry.facts, BodyErased):
                self._take_erasure(entry.seq, set(entry.facts.seqs))
            entries.append(entry)
        return entries

    def _take_erasure(self, seq: int, seqs: set[int]) -> None:
        present = sorted(seqs - self._gone - self._erased)
        if present:
            raise Tampered(f"the body of entry {present[0]} is there, and entry {seq} says that it was erased.")
        self._erased |= seqs

    def finish(self, end: Head) -> None:
        """Check what only shows at the end of the journal; raises Tampered."""
        missing = sorted(self._gone - self._erased)
        if missing:
            raise Tampered(f"the body of entry {missing[0]} is gone, and no entry says that it was erased.")
        if self.head.seq < end.seq:
            raise Tampered(f"entry {self.head.seq + 1} is missing.")
        if not self._found:
            raise Tampered(
                "the head that was stored outside is not in this journal: entries were cut off or rewritten."
            )

    def report(self, problem: str, rows: RowCheck | None) -> Verification:
        return Verification(
            ok=not problem,
            entries=self.head.seq,
            bodies=self._bodies,
            erased=len(self._gone & self._erased),
            head=self.head.hash,
            problem=problem,
            unreadable=tuple(self._unreadable),
            not_checked=(*(_unproved(rows) if rows else ONLY_WITHOUT_CHAIN), *NEVER_CHECKED),
        )


def _unproved(rows: RowCheck) -> list[str]:
    """Credentials from before entries held the hash of a secret: only their row has it."""
    return [f'the secret of credential "{name}", whose entry does not hold it' for name in rows.unproved]


@operation("read", "GET /v1/export", scope="audit", example={"limit": 1000})
def export(
    context: OperationContext,
    *,
    after: Annotated[int, Meta(ge=0, le=2**40, description="Behind this sequence number")] = 0,
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 1000,
) -> Export:
    """The journal as JSON lines, exactly as it is stored. They can be verified without Tallystick."""
    lines = [] if after else [_json_line({"tallystick": "export/1", "journal": context.journal})]
    seq, left, room, more = after, limit, EXPORT_CHARACTERS, True
    while more and left and room > 0:
        size = min(left, ENTRIES_PER_READ)
        stored = context.stored_entries(after=seq, limit=size)
        added = [_export_line(entry) for entry in stored]
        more = len(stored) == size
        seq, left, room = stored[-1].seq if stored else seq, left - len(stored), room - sum(map(len, added))
        lines += added
    return Export(lines=tuple(lines), last_seq=seq, more=more)


def _export_line(entry: StoredEntry) -> str:
    body = {}
    if entry.body is not None and entry.salt:
        body = {"body": _as_text(entry.body.encode(errors="surrogateescape")), "salt": entry.salt.hex()}
    return _json_line({"seq": entry.seq, "hash": entry.hash, "line": _as_text(entry.line), **body})


def _as_text(stored: bytes) -> str:
    """Stored bytes as text. Damaged ones are marked: the hash of such an entry does not hold anyway."""
    return stored.decode(errors="replace")


@operation("record", "POST /v1/erasures", scope="admin", example={"task_id": "T-17", "reason": "the customer asked"})
def erase(
    context: OperationContext,
    *,
    reason: Annotated[str, Meta(min_length=1)],
    seqs: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=2**40)], ...],
        Meta(max_length=10_000, description="Entries whose bodies to erase"),
    ] = (),
    task_id: Annotated[Name | None, Meta(description="Erase every body of this task")] = None,
    execution_id: Annotated[Handle | None, Meta(description="Every body of this execution; its plan stays")] = None,
    action_id: Annotated[Handle | None, Meta(description="The bodies of this action: its begin and its ends")] = None,
    force: Annotated[bool, Meta(description="Also what an undo needs that may still be made")] = False,
    key: Key | None = None,
) -> EraseReceipt:
    """Erase bodies for good, as a person with a credential for it. The entries stay, and the chain still verifies.
    With a prompt goes the title that was taken from it. Times, actors, handles, outcomes and the names of tools and
    steps remain.

    Erasing what an undo needs, of what is owed or of an open execution, must be forced; the undo list then says that it
    was erased. With state=pending bytes remain in the store's files while some program reads an older state: erase the
    same again when it is done.
    """
    task = context.masked_name(task_id)
    target = _Target(seqs, task, execution_id, action_id)
    if not reason.strip():
        raise InvalidArgument("reason is missing.", hint="Say why it is erased.", field="reason")

    def work(transaction: Transaction) -> Entry:
        ledger = transaction.ledger
        name = context.require(ledger, "admin")
        wanted = sorted(target.seqs_in(ledger))
        altered = (seq for seq in ledger.altered_bodies(wanted) if _has_body(ledger, seq))
        present = sorted({*ledger.bodies(wanted), *altered})
        if not present:
            return transaction.already_recorded(_erasure_of(ledger, wanted, target))  # scrubbing may be pending
        needed = _undos_needing(ledger, present)
        if needed and not force:
            raise MissingUndo(
                f"The undo of {', '.join(needed[:5])} needs what would be erased.",
                hint="Undo or keep it first, or give `force`; the undo list then says that the undo was erased.",
                field="force",
            )
        entry = transaction.write(
            BodyErased(seqs=tuple(present), task_id=task, forced=bool(needed), credential=name),
            body=context.body(reason=reason),
        )
        ledger.erase(present)
        return entry

    def describe(view: View, receipt: Receipt) -> EraseReceipt:
        entry = view.entry(receipt.seq)
        erased = len(entry.facts.seqs) if entry and isinstance(entry.facts, BodyErased) else 0
        return EraseReceipt(**asdict(receipt), erased=erased, state="pending")

    handles = [each for each in (execution_id, action_id) if each]
    receipt = context.record(key, ["erase", reason, list(seqs), task_id, force, *handles], work, describe)
    return EraseReceipt(**{**asdict(receipt), "state": context.store.scrub(context.journal)})


def _has_body(view: View, seq: int) -> bool:
    """Whether an entry was recorded with a body."""
    entry = view.entry(seq)
    return entry is not None and bool(entry.commitment)


class _Target:
    """What is to be erased: one of these. Raises InvalidArgument if it is none of them, or several."""

    def __init__(self, seqs: tuple[int, ...], task: str, execution_id: str | None, action_id: str | None) -> None:
        self._seqs, self._task, self._execution, self._action = seqs, task, execution_id or "", action_id or ""
        if sum(map(bool, (self._seqs, self._task, self._execution, self._action))) != 1:
            raise InvalidArgument(
                "Name one thing to erase: an execution, an action, a task, or entries.",
                hint="Give `execution_id`, `action_id`, `task_id` or `seqs`, and only one of them.",
                field="seqs",
            )

    def __str__(self) -> str:
        named = self._execution or self._action or (f'The task "{self._task}"' if self._task else "")
        return named or f"None of the entries {', '.join(map(str, self._seqs[:5]))}"

    def seqs_in(self, view: View) -> set[int]:
        if self._execution:
            return _seqs_of_execution(view, require_row(view, Execution, self._execution, "execution_id"))
        if self._action:
            action = require_row(view, Action, self._action, "action_id")
            return {action.seq, action.end_seq, *action.earlier_ends} - {0}
        return {*self._seqs, *_titles_of_prompts(view, self._seqs)} if self._seqs else _seqs_of_task(view, self._task)

    def nothing_error(self) -> InvalidArgument:
        has = "has" if self._seqs else "has no"
        return InvalidArgument(
            f"{self} {has} text to erase.",
            hint="Look with read_entries at what is recorded, and name that.",
            field="seqs" if self._seqs else "task_id" if self._task else None,
        )


def _erasure_of(view: View, seqs: list[int], target: _Target) -> Entry:
    """The newest entry by which one of these bodies was erased."""
    bodies = {seq for seq in seqs if _has_body(view, seq)}
    after = 0
    while bodies and (entries := view.entries(after=after, limit=ENTRIES_PER_READ, newest_first=True)):
        for entry in entries:
            if isinstance(entry.facts, BodyErased) and bodies.intersection(entry.facts.seqs):
                return entry
        after = entries[-1].seq
    raise target.nothing_error()


def _seqs_of_execution(view: View, execution: Execution) -> set[int]:
    found, after = {execution.seq}, 0
    while entries := view.entries(after=after, limit=ENTRIES_PER_READ, execution=execution.id):
        found.update(entry.seq for entry in entries)
        after = entries[-1].seq
    return found


def _titles_of_prompts(view: View, seqs: tuple[int, ...]) -> Iterator[int]:
    """The starts of executions that have one of these prompts as their title."""
    for seq in seqs:
        entry = view.entry(seq)
        if entry is None or not isinstance(entry.facts, SessionNoted) or entry.facts.event != "prompt":
            continue
        session = view.get(Session, entry.session)
        if session is None or session.prompt_seq != seq:
            continue
        same = all_rows(view, Session, {"name": session.name}) if session.name else [session]
        for row in same:
            yield from (
                each.seq for each in all_rows(view, Execution, {"session": row.id}) if each.witness == "observed"
            )


def _seqs_of_task(view: View, task: str) -> set[int]:
    """Every entry of a task: its plans, its executions with all their entries, and its context."""
    found: set[int] = set()
    for plan in all_rows(view, Plan, {"task_id": task}):
        found.add(plan.retired_seq)
        for number in range(1, plan.next_revision):
            revision = view.get(Revision, revision_id(plan.id, number))
            found.add(revision.seq if revision else 0)
    for execution in all_rows(view, Execution, {"task_id": task}):
        found |= _seqs_of_execution(view, execution)
    recorded = view.get(Task, task)
    if recorded is not None:
        found.update((recorded.seq, *recorded.earlier))
    for row in all_rows(view, Context, {"scope": "task", "scope_id": task}):
        seq = row.seq
        while seq:
            found.add(seq)
            entry = view.entry(seq)
            seq = entry.facts.previous if entry and isinstance(entry.facts, ContextRecorded) else 0
    return found - {0}


def _undos_needing(view: View, seqs: list[int]) -> list[str]:
    """The actions whose undo needs one of these bodies, of what is owed and of the undo lists of open executions."""
    erased = set(seqs)
    executions: set[str] = set()
    for seq in seqs:
        entry = view.entry(seq)
        if entry and entry.execution:
            executions.add(entry.execution)
        elif entry and entry.kind == "plan_recorded":
            rows = all_rows(view, Execution, {"plan_id": entry.id})
            executions.update(row.id for row in rows)
    found: list[str] = []
    for execution in sorted(executions):
        row = view.get(Execution, execution)
        is_listed = row is not None and (row.owes_all or row.status not in FINAL_STATUSES)
        where: dict[str, WhereValue] = {"execution": execution, **(NOT_UNDONE if is_listed else TO_PUT_BACK)}
        for action in all_rows(view, Action, where):
            pinned = view.get(Revision, revision_id(action.plan_id, action.revision)) if action.plan_id else None
            needed = {action.seq, action.end_seq, *action.earlier_ends, pinned.seq if pinned else 0}
            if action.undo_state in DUE and action.has_undo and needed & erased:
                found.append(action.id)
    return found


def _json_line(value: dict[str, object]) -> str:
    return json.encode(value).decode()
