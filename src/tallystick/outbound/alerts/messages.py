"""Messages about alerts: which alerts are new, last on or are over, and the text that says so.

One message tells of everything that changed since the last one, so a burst is one message. An alert that lasts is told
again after a while, and its end is told once. What was told is known by rule and name alone: no recorded text is kept.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from tallystick.core.formats.visible import escape_line
from tallystick.operations.notifications.alerts import Alert, AlertList

REMIND_MICROSECONDS = 4 * 3600 * 1_000_000
"""How long after a message an alert that lasts is told again."""
MAX_LISTED = 20
"""Alerts in one message, of each rule in turn; the others are counted."""
RULE_NAMES = {
    "question_waits": "A question waits",
    "in_doubt": "In doubt",
    "interrupted": "Interrupted",
    "run_held": "A run is held",
    "run_failed": "A run failed",
    "undo_expires": "An undo expires",
    "undo_left": "Not undone",
    "hook_silent": "Hooks are silent",
    "tool_failing": "A tool fails more than usual",
    "step_slow": "A step takes long",
    "verify_failed": "Verification failed",
}


class AlertMessage(Struct, frozen=True, kw_only=True):
    """One message. `title` is one line; `text` has a line or two for each alert, as plain text."""

    title: str
    text: str
    journal: str
    raised: tuple[Alert, ...] = ()
    lasting: tuple[Alert, ...] = ()
    resolved: tuple[str, ...] = ()
    """Names of alerts that are over: `rule/about`."""


class Changes(Struct, frozen=True, kw_only=True):
    """What has to be told."""

    raised: tuple[Alert, ...] = ()
    lasting: tuple[Alert, ...] = ()
    resolved: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.raised or self.lasting or self.resolved)


def name_of(alert: Alert) -> str:
    return f"{alert.rule}/{alert.about}"


def find_changes(found: AlertList, told: Mapping[str, int], now: int, silences: Collection[str] = ()) -> Changes:
    """Compare the alerts of now with those that were told, by name and time of the last message. The end of what is
    silenced now is told later."""
    current = {name_of(each): each for each in found.alerts}
    loud = {name: each for name, each in current.items() if not each.silenced}
    kept = {*found.more, *silences}
    over = [name for name in told if name not in current and not kept & {name, name.partition("/")[0]}]
    return Changes(
        raised=tuple(each for name, each in loud.items() if name not in told),
        lasting=tuple(each for name, each in loud.items() if name in told and now - told[name] >= REMIND_MICROSECONDS),
        resolved=tuple(over),
    )


def make_message(journal: str, changes: Changes, base: str = "") -> AlertMessage:
    """The message about changes, with links to the page at `base`."""
    shown = [*changes.raised, *changes.lasting]
    parts = [
        *(_paragraph(each, journal, base) for each in _choose(shown)),
        *([f"And {len(shown) - MAX_LISTED} more."] if len(shown) > MAX_LISTED else []),
        *(_resolved_line(name) for name in changes.resolved[:MAX_LISTED]),
        *([f"And {len(changes.resolved) - MAX_LISTED} more over."] if len(changes.resolved) > MAX_LISTED else []),
        *(() if base or not shown else ("See: tallystick alerts",)),
    ]
    return AlertMessage(
        title=_title(journal, changes),
        text="\n".join(parts),
        journal=journal,
        raised=changes.raised,
        lasting=changes.lasting,
        resolved=changes.resolved,
    )


def _choose(alerts: Sequence[Alert]) -> list[Alert]:
    """As many as are listed, in their order: the first of each rule, then the second, so that none hides another."""
    counts: Counter[str] = Counter()
    ranks: list[tuple[int, int]] = []
    for index, each in enumerate(alerts):
        ranks.append((counts[each.rule], index))
        counts[each.rule] += 1
    return [alerts[index] for index in sorted(index for _, index in sorted(ranks)[:MAX_LISTED])]


def _title(journal: str, changes: Changes) -> str:
    if changes.raised:
        first, count = changes.raised[0], len(changes.raised)
        what = RULE_NAMES[first.rule] if _is_one_rule(changes.raised) else "Something needs a person"
        return f"Tallystick {journal}: {what}{f' ({count})' if count > 1 else ''}"
    if changes.lasting:
        return f"Tallystick {journal}: still open ({len(changes.lasting)})"
    return f"Tallystick {journal}: over ({len(changes.resolved)})"


def _is_one_rule(alerts: Sequence[Alert]) -> bool:
    return len({each.rule for each in alerts}) == 1


def _paragraph(alert: Alert, journal: str, base: str) -> str:
    where = f' in "{alert.title}"' if alert.title else ""
    link = f"\n  {link_to(alert.rule, alert.about, alert.execution_id, journal, base)}" if base else ""
    line = f"{RULE_NAMES[alert.rule]}: {alert.text}{where}, since {alert.since}. {alert.to_do}"
    return f"{escape_line(line)}{link}"


def _resolved_line(name: str) -> str:
    rule, _, about = name.partition("/")
    return escape_line(f"Over: {RULE_NAMES.get(rule, rule)} ({about})")


def link_to(rule: str, about: str, execution: str, journal: str, base: str) -> str:
    """The address of the page about an alert."""
    if rule == "question_waits":
        path = f"/approvals/{about}"
    elif execution:
        path = f"/x/{execution}"
    else:
        path = "/alerts"
    return f"{base.rstrip('/')}{path}?journal={quote(journal, safe='')}"


def sample_message(journal: str, names: Iterable[str]) -> AlertMessage:
    """A message that shows that a channel works."""
    return AlertMessage(
        title=f"Tallystick {journal}: a test",
        text=f"This is a test. Messages about {', '.join(names)} come here.",
        journal=journal,
    )
