"""How complete the record is, said by the journal itself."""

from msgspec import Struct

from tallystick.core import spans
from tallystick.core.state import Execution
from tallystick.store.port import View


class Coverage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Calls seen begun and seen ended, calls that fit no step, and since when nothing was heard."""

    begun: int
    ended: int
    open: int
    unplanned: int
    silent_for: str


def coverage_of(view: View, execution: Execution) -> Coverage:
    counts = [execution.actions, execution.undos]
    begun = sum(sum(count.values()) for count in counts)
    ended = sum(count.get(word, 0) for count in counts for word in ("ok", "failed", "skipped"))
    return Coverage(
        begun=begun,
        ended=ended,
        open=sum(count.get("open", 0) for count in counts),
        unplanned=execution.unplanned,
        silent_for=spans.age(view.now() - execution.last_at),
    )
