"""The undos of executions that have ended, which a process remembers as digests: any call may be one of them, and to
read their texts for each call would take milliseconds.

A digest only narrows the search. What it finds is read and compared anew.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import Struct

from tallystick.core.state import Action, Execution
from tallystick.core.tools import SeenTool, has_mask, likeness
from tallystick.core.types import FINAL_STATUSES
from tallystick.core.undo import undo_list
from tallystick.operations.attribution.steps import masked_arguments
from tallystick.operations.attribution.undos import MAX_UNDOS_COMPARED, UndoFilter, is_exactly_undo
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import describe_undo_list, undo_list_of
from tallystick.store.interface import Select, Store, View, WhereValue

MAX_REMEMBERED = 64
"""Executions that a process remembers in one store."""
MAX_OWING_SCANNED = 20
"""Executions that owe something, the newest first."""
OWING: dict[str, WhereValue] = {"owing": ("yes", "rest", "maybe")}
"""Selects the executions that owe something, by their index."""
Stamp = tuple[int, int, int]


class _KnownUndos(Struct, frozen=True):
    """The actions on the undo list of one execution, by the digests of their undos. `stamp` tells whether anything was
    recorded in the execution since."""

    stamp: Stamp
    actions: Mapping[str, Sequence[str]]


_KNOWN: WeakKeyDictionary[Store, OrderedDict[tuple[str, str], _KnownUndos]] = WeakKeyDictionary()
_LOCK = Lock()


class UndoSearch(Struct, frozen=True):
    """A call that may be exactly an undo of an execution that has ended."""

    context: OperationContext
    view: View
    tool: SeenTool
    arguments: Any
    is_claimed: bool = False

    def undone(self, own: Sequence[Execution]) -> Action | None:
        """The action that the call undoes: of the executions of the same conversation, which are `own`; else the only
        one that the newest others still owe."""
        found = next(self._find([row for row in own if _has_undos(row)]), None)
        if found is not None:
            return found
        rows = self.view.find(Execution, Select(where=OWING, limit=MAX_OWING_SCANNED))
        others = {row.id: row for row in rows if row.status in FINAL_STATUSES and _has_undos(row) and row not in own}
        actions = self._find(list(others.values()))
        owed = [each for each in actions if others[each.execution].owes_all or each.to_put_back == "yes"]
        return owed[0] if len(owed) == 1 else None

    def _find(self, executions: Sequence[Execution]) -> Iterator[Action]:
        """The actions of these executions whose undo the call is, in the order to undo them."""
        if not executions:
            return
        masker = self.context.masker
        seen = masked_arguments(masker, self.arguments)
        if has_mask(seen):
            return
        fits = is_exactly_undo(masker, self.tool, self.arguments, is_claimed=self.is_claimed)
        names = dict.fromkeys(filter(None, (self.tool.name, self.tool.shown_as)))
        digests = [self.context.digest(likeness(name, seen)) for name in names]
        for execution in executions:
            known = self._known(execution)
            for id in dict.fromkeys(id for digest in digests for id in known.actions.get(digest, ())):
                yield from self._compare(id, fits)

    def _compare(self, id: str, fits: UndoFilter) -> Iterator[Action]:
        row = self.view.get(Action, id)
        items = undo_list([row] if row else [], (), now=self.view.now(), in_doubt=lambda action: False)
        for item, described in zip(items, describe_undo_list(self.view, items), strict=True):
            is_left = item.state in ("not_undone", "failed")
            if is_left and described.undo and fits(described.undo):
                yield item.action

    def _known(self, execution: Execution) -> _KnownUndos:
        stamp = (execution.last_seq, execution.last_at, execution.late)
        key = (self.context.journal, execution.id)
        with _LOCK:
            of_store = _KNOWN.setdefault(self.context.store, OrderedDict())
            known = of_store.get(key)
        if known is None or known.stamp != stamp:
            known = _KnownUndos(stamp, self._read(execution))
            with _LOCK:
                of_store[key] = known
                of_store.move_to_end(key)
                while len(of_store) > MAX_REMEMBERED:
                    of_store.popitem(last=False)
        return known

    def _read(self, execution: Execution) -> dict[str, list[str]]:
        listed = (item for item in undo_list_of(self.view, execution) if item.action.has_undo)
        actions: dict[str, list[str]] = {}
        for item in describe_undo_list(self.view, list(islice(listed, MAX_UNDOS_COMPARED))):
            if item.undo and item.undo.tool:
                digest = self.context.digest(likeness(item.undo.tool, item.undo.arguments))
                actions.setdefault(digest, []).append(item.action_id)
        return actions


def _has_undos(execution: Execution) -> bool:
    return "not_undone" in execution.undo_states or "failed" in execution.undo_states
