"""Proving that the journal is whole, taking it elsewhere, and erasing from it."""

import re
from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct, json
from msgspec.structs import asdict

from tallystick.core import chain
from tallystick.core.chain import Head
from tallystick.core.entries import BodyErased, ContextRecorded, Entry
from tallystick.core.errors import InvalidArgument, MissingUndo, Tampered
from tallystick.core.state import Action, Context, Execution, Plan, Revision, revision_id
from tallystick.core.types import Key, Name
from tallystick.core.undo import DUE, OUTSTANDING
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.progress import MAX_ROWS
from tallystick.operations.runtime.receipts import EraseReceipt, Receipt
from tallystick.store.interface import Select, StoredEntry, View, WhereValue

ENTRIES_PER_READ = 100
"""Entries that are read at once. Each body may be a mebibyte."""
EXPORT_CHARACTERS = 16 * 2**20
"""About how long a part of an export grows, however many entries were asked for."""

_HASH = re.compile(r"s1:[A-Za-z0-9_-]{43}")


class Verification(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What holds. `problem` names the first thing that does not; a cut tail shows only against a kept `head`."""

    ok: bool
    entries: int
    bodies: int
    erased: int
    head: str
    problem: str = ""


class Export(Struct, frozen=True, kw_only=True):
    """Lines of an export; all of them together, one a line, are the file that the verifier reads.

    A part ends before its limit where the bodies are large: `more` says that there is more behind `last_seq`.
    """

    lines: tuple[str, ...]
    last_seq: int
    more: bool


@operation("read", "GET /v1/verification", view="verify", example={})
def verify(
    context: OperationContext,
    *,
    head: Annotated[str, Meta(description="A hash kept outside: it must be in the journal")] = "",
) -> Verification:
    """Check every entry and body against the chain of hashes, and say what holds.

    A chain that was cut at its end still verifies: keep a head outside the journal, and give it here.
    """
    if head and not _HASH.fullmatch(head):
        raise InvalidArgument(
            f'head "{head[:80]}" is no hash of an entry.',
            hint="Give one as `verify` and every receipt show it, s1:...; or leave it out.",
            field="head",
        )
    audit = ChainCheck(chain.genesis(context.journal), head)
    end = context.read(lambda view: view.head())
    try:
        while kept := context.stored_entries(after=audit.head.seq, limit=ENTRIES_PER_READ):
            audit.take(kept)
            context.progress(audit.head.seq, end.seq)
        audit.finish(end)
    except Tampered as problem:
        return audit.report(str(problem))
    return audit.report("")


class ChainCheck:
    """Walks the entries from the first, holding what has been proved so far."""

    def __init__(self, start: Head, sought: str) -> None:
        self.head = start
        self._sought = sought
        self._found = not sought or sought == start.hash
        self._bodies = 0
        self._gone: set[int] = set()
        self._erased: set[int] = set()

    def take(self, kept: Iterable[StoredEntry]) -> None:
        for each in kept:
            entry = chain.check(self.head, each.line, each.hash)
            self.head = Head(entry.seq, entry.hash, entry.at)
            self._found = self._found or entry.hash == self._sought
            if isinstance(entry.facts, BodyErased):
                self._erased.update(entry.facts.seqs)
            if entry.commitment and chain.check_body(entry, each.body, each.salt):
                self._bodies += 1
            elif entry.commitment:
                self._gone.add(entry.seq)

    def finish(self, end: Head) -> None:
        missing = sorted(self._gone - self._erased)
        if missing:
            raise Tampered(f"the body of entry {missing[0]} is gone, and no entry says that it was erased.")
        if self.head.seq < end.seq:
            raise Tampered(f"entry {self.head.seq + 1} is missing.")
        if not self._found:
            raise Tampered("the head that was kept outside is not in this journal: entries were cut off or rewritten.")

    def report(self, problem: str) -> Verification:
        return Verification(
            ok=not problem,
            entries=self.head.seq,
            bodies=self._bodies,
            erased=len(self._gone & self._erased),
            head=self.head.hash,
            problem=problem,
        )


@operation("read", "GET /v1/export", scope="audit", example={"limit": 1000})
def export(
    context: OperationContext,
    *,
    after: Annotated[int, Meta(ge=0, le=2**40, description="Behind this sequence number")] = 0,
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 1000,
) -> Export:
    """The journal as JSON lines, exactly as it is kept: whoever has them can verify them with no program of ours."""
    lines = [] if after else [_written({"tallystick": "export/1", "journal": context.journal})]
    place, left, room, more = after, limit, EXPORT_CHARACTERS, True
    while more and left and room > 0:
        kept = context.stored_entries(after=place, limit=min(left, ENTRIES_PER_READ))
        fresh = [_exported(each) for each in kept]
        more = len(kept) == min(left, ENTRIES_PER_READ)
        place, left, room = kept[-1].seq if kept else place, left - len(kept), room - sum(map(len, fresh))
        lines += fresh
    return Export(lines=tuple(lines), last_seq=place, more=more)


def _exported(kept: StoredEntry) -> str:
    body = {"body": kept.body, "salt": kept.salt.hex()} if kept.body is not None and kept.salt else {}
    return _written({"seq": kept.seq, "hash": kept.hash, "line": kept.line.decode(), **body})


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
    force: Annotated[bool, Meta(description="Even where an owed undo needs it")] = False,
    key: Key | None = None,
) -> EraseReceipt:
    """Erase bodies for good, as a person with a credential for it. The entries stay, and the chain still verifies.

    Erasing what an owed undo needs must be forced; the owed list then says that the way was erased. With state=pending
    bytes remain in the store's files while some program reads an older state: erase the same again when it is done.
    """
    task = context.masked_name(task_id)
    if not reason.strip():
        raise InvalidArgument("reason is missing.", hint="Say why it is erased.", field="reason")

    def work(transaction: Transaction) -> Entry:
        ledger = transaction.ledger
        context.require(ledger, "admin")
        wanted = sorted(_wanted(ledger, seqs, task))
        present = sorted(ledger.bodies(wanted))
        if not present:
            return transaction.already_recorded(_erased_by(ledger, wanted))  # what is pending is to be finished
        needed = _needed(ledger, present)
        if needed and not force:
            raise MissingUndo(
                f"The undo of {', '.join(needed[:5])} needs what would be erased.",
                hint="Undo it first, or erase with force; the owed list will then say that the way was erased.",
                field="force",
            )
        entry = transaction.write(
            BodyErased(seqs=tuple(present), task_id=task, forced=bool(needed)), body=context.body(reason=reason)
        )
        ledger.erase(present)
        return entry

    def describe(view: View, receipt: Receipt) -> EraseReceipt:
        entry = view.entry(receipt.seq)
        erased = len(entry.facts.seqs) if entry and isinstance(entry.facts, BodyErased) else 0
        return EraseReceipt(**asdict(receipt), erased=erased, state="pending")

    receipt = context.record(key, ["erase", reason, list(seqs), task_id, force], work, describe)
    return EraseReceipt(**{**asdict(receipt), "state": context.store.scrub(context.journal)})


def _erased_by(view: View, seqs: list[int]) -> Entry:
    """The newest entry by which one of these bodies was erased."""
    bodies = {seq for seq in seqs if (entry := view.entry(seq)) and entry.commitment}
    place = 0
    while bodies and (entries := view.entries(after=place, limit=ENTRIES_PER_READ, newest_first=True)):
        for entry in entries:
            if isinstance(entry.facts, BodyErased) and bodies.intersection(entry.facts.seqs):
                return entry
        place = entries[-1].seq
    raise InvalidArgument("There is no body to erase there.", hint="Name entries that have one.", field="seqs")


def _wanted(view: View, seqs: tuple[int, ...], task_id: str) -> set[int]:
    if bool(seqs) == bool(task_id):
        raise InvalidArgument("Give either seqs or task_id.", hint="Say what to erase, in one way.", field="seqs")
    return set(seqs) if seqs else _of_task(view, task_id)


def _of_task(view: View, task: str) -> set[int]:
    """Every entry that belongs to a task: its plans, its executions and all in them, what it remembered."""
    found: set[int] = set()
    for plan in view.find(Plan, Select(where={"task_id": task}, limit=MAX_ROWS)):
        found.add(plan.retired_seq)
        for number in range(1, plan.revision + 1):
            revision = view.get(Revision, revision_id(plan.id, number))
            found.add(revision.seq if revision else 0)
    for execution in view.find(Execution, Select(where={"task_id": task}, limit=MAX_ROWS)):
        found.add(execution.seq)
        place = 0
        while entries := view.entries(after=place, limit=ENTRIES_PER_READ, execution=execution.id):
            found.update(entry.seq for entry in entries)
            place = entries[-1].seq
    for row in view.find(Context, Select(where={"scope": "task", "scope_id": task}, limit=MAX_ROWS)):
        seq = row.seq
        while seq:
            found.add(seq)
            entry = view.entry(seq)
            seq = entry.facts.previous if entry and isinstance(entry.facts, ContextRecorded) else 0
    return found - {0}


def _needed(view: View, seqs: list[int]) -> list[str]:
    """Actions that are still due, whose undo would lose what it needs."""
    gone = set(seqs)
    executions: set[str] = set()
    for seq in seqs:
        entry = view.entry(seq)
        if entry and entry.execution:
            executions.add(entry.execution)
        elif entry and entry.kind == "plan_recorded":
            rows = view.find(Execution, Select(where={"plan_id": entry.id}, limit=MAX_ROWS))
            executions.update(row.id for row in rows)
    found: list[str] = []
    for execution in sorted(executions):
        where: dict[str, WhereValue] = {"execution": execution, "owed": OUTSTANDING}
        for action in view.find(Action, Select(where=where, limit=MAX_ROWS)):
            pinned = view.get(Revision, revision_id(action.plan_id, action.revision)) if action.plan_id else None
            places = {action.seq, action.end_seq, *action.earlier_ends, pinned.seq if pinned else 0}
            if action.owed in DUE and action.has_undo and places & gone:
                found.append(action.id)
    return found


def _written(value: dict[str, object]) -> str:
    return json.encode(value).decode()
