"""The operations get_alerts (what somebody should look at now, found by rules) and silence_alert.

Each rule looks at a bounded number of rows. What an alert is about has a name that stays the same while it lasts, so
that whoever sends messages can tell a new one from an old one.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import sqrt
from typing import Annotated, Literal, cast, get_args

from msgspec import Meta, Struct, json
from msgspec.structs import asdict, replace

from tallystick.core.entries import AlertSilenced, Entry
from tallystick.core.errors import InvalidArgument, quote_words
from tallystick.core.formats import times
from tallystick.core.state import Action, Execution
from tallystick.core.types import Key, Name
from tallystick.operations.runtime.correlation import open_observer_sessions
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal, Transaction
from tallystick.operations.runtime.progress import execution_title, unsettled_actions
from tallystick.operations.runtime.receipts import Receipt
from tallystick.operations.views.coverage import describe_observer
from tallystick.operations.views.figures.stats import percentile
from tallystick.operations.views.inbox import InboxItem, Need, WaitingItem, cut, describe_waiting, find_waiting
from tallystick.store.interface import Select, View, WhereValue

Rule = Literal[
    "question_waits",
    "in_doubt",
    "interrupted",
    "run_held",
    "run_failed",
    "undo_expires",
    "undo_left",
    "hook_silent",
    "tool_failing",
    "step_slow",
    "verify_failed",
]
RULES: tuple[Rule, ...] = get_args(Rule)
SILENCE = "silence"
"""The kind of the document that holds until when a rule, or one alert, is silenced."""
VERIFIED = "verified"
"""The kind of the document that holds what the last verification of the journal found."""
MAX_SILENCES = 1000
MAX_ROWS = 200
"""Rows that one rule looks at."""
MAX_ACTIONS = 2000
"""The newest actions from which the usual failures and durations of a tool are known."""
MINUTE = 60_000_000
GRACE = {
    "question_waits": MINUTE,
    "in_doubt": MINUTE,
    "interrupted": 5 * MINUTE,
    "run_held": MINUTE,
    "undo_left": 5 * MINUTE,
}
"""How long something may be so before it is an alert."""
RECENT = 60 * MINUTE
"""In this time a tool has to fail."""
DAY = 24 * 60 * MINUTE
"""How long a run that failed is an alert."""
MIN_RECENT_CALLS = 5
MIN_DURATIONS = 20
DESCRIBED_AT_ONCE = 20


class Alert(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that somebody should look at. `about` names it within its rule; `who` is the actor; `to_do` says what
    ends the alert. `engine`: that of a run. With `silenced`, no messages are sent until then."""

    rule: Rule
    about: str
    text: str
    since: str
    to_do: str
    execution_id: str = ""
    title: str = ""
    who: str = ""
    engine: str = ""
    silenced: str = ""


class AlertList(Struct, frozen=True, kw_only=True):
    """The alerts of now, by rule and the oldest first, undos by their deadlines; those of one rule up to a bound, and
    `more` names the rules that have more."""

    alerts: tuple[Alert, ...]
    more: tuple[Rule, ...] = ()


@operation("read", "GET /v1/alerts", example={})
def get_alerts(
    context: OperationContext,
    *,
    rule: Annotated[Rule | None, Meta(description="Only those of one rule")] = None,
    limit: Annotated[int, Meta(ge=1, le=100, description="At most this many of each rule")] = 20,
) -> AlertList:
    """The alerts of now, for people to look at: questions, doubts, interrupted work, failing tools and the like.

    `serve` and `notify` send messages about them; `silence_alert` keeps them quiet.
    """

    def work(view: View) -> AlertList:
        found: list[Alert] = []
        more: list[Rule] = []
        silences = read_silences(view)
        for name in (rule,) if rule else RULES:
            alerts = list(islice(_FIND[name](view, context.principal), limit + 1))
            more += [name] if len(alerts) > limit else []
            found += (_with_silence(each, silences) for each in alerts[:limit])
        return AlertList(alerts=tuple(found), more=tuple(more))

    return context.read(work)


class SilenceReceipt(Receipt, frozen=True, kw_only=True):
    """`notes`: what to look at, such as a name that no alert has now."""

    notes: tuple[str, ...] = ()


@operation(
    "record",
    "POST /v1/alerts/silences",
    scope="approve",
    example={"rule": "interrupted", "until": "8h", "why": "night"},
)
def silence_alert(
    context: OperationContext,
    *,
    rule: Rule,
    about: Annotated[Name | None, Meta(description="Only this one, as get_alerts names it; all when left out")] = None,
    until: Annotated[str, Meta(description="A time, or a span from now such as 8h; now ends a silence")] = "8h",
    why: str = "",
    key: Key | None = None,
) -> SilenceReceipt:
    """Send no messages about a rule, or about one alert, until a time. It is still listed."""
    body = context.body(why=why)

    def work(transaction: Transaction) -> Entry:
        credential = context.require(transaction.ledger, "approve")
        now = transaction.ledger.now()
        end = 0 if until == "now" else times.resolve(until, "until", start=now)
        if end and end <= now:
            raise InvalidArgument(
                f'until "{until}" is in the past.', hint="Give a time in the future, or now to end it.", field="until"
            )
        name = f"{rule}/{about}" if about else rule
        for each in read_silences(transaction.ledger, over=True):
            transaction.ledger.put_document(SILENCE, each, "")
        transaction.ledger.put_document(SILENCE, name, str(end) if end else "")
        facts = AlertSilenced(rule=rule, about=context.masked_name(about), until=end, credential=credential)
        return transaction.write(facts, body=body)

    def with_notes(view: View, receipt: Receipt) -> SilenceReceipt:
        if not about or until == "now" or any(each.about == about for each in _FIND[rule](view, context.principal)):
            return SilenceReceipt(**asdict(receipt))
        named = quote_words([context.masked_name(about)])
        notes = (f"No {rule} alert is about {named} now.",)
        return SilenceReceipt(**asdict(receipt), notes=notes)

    return context.record(key, ["silence", rule, about, until, why], work, with_notes)


def read_silences(view: View, *, over: bool = False) -> dict[str, int]:
    """Until when rules and alerts (`rule/about`) are silenced; or those whose time is over."""
    found = {each.id: int(each.content) for each in view.documents(SILENCE, limit=MAX_SILENCES)}
    return {name: until for name, until in found.items() if (until <= view.now()) == over}


def _with_silence(alert: Alert, silences: dict[str, int]) -> Alert:
    until = max(silences.get(alert.rule, 0), silences.get(f"{alert.rule}/{alert.about}", 0))
    return replace(alert, silenced=times.iso(until)) if until else alert


def _of_inbox(need: Need) -> Callable[[View, Principal], Iterator[Alert]]:
    """Items of one kind of the inbox that have waited for a while."""

    def find(view: View, principal: Principal) -> Iterator[Alert]:
        waiting = (each for each in find_waiting(view, need, grace=GRACE.get(need, 0)) if not each.failed)
        return _described(view, cast("Rule", need), list(islice(waiting, MAX_ROWS)))

    return find


def _described(view: View, rule: Rule, waiting: Sequence[WaitingItem]) -> Iterator[Alert]:
    for start in range(0, len(waiting), DESCRIBED_AT_ONCE):
        for item in describe_waiting(view, waiting[start : start + DESCRIBED_AT_ONCE]):
            yield Alert(
                rule=rule,
                about=item.about,
                text=_text(item),
                since=item.since,
                to_do=item.to_do,
                execution_id=item.execution_id,
                title=item.title,
                who=item.who,
                engine=item.engine,
            )


def _text(item: InboxItem) -> str:
    if item.need == "question_waits":
        return f"{item.who or 'somebody'} asks: {item.text}"
    return f"{item.text} can be undone until {item.until}" if item.need == "undo_expires" else item.text


def _failed_runs(view: View, principal: Principal) -> Iterator[Alert]:
    """Runs that stopped at a failed step, or failed within a day, unless the same was completed since."""
    stopped = (each for each in find_waiting(view, "interrupted") if each.failed)
    yield from _described(view, "run_failed", list(islice(stopped, MAX_ROWS)))
    for row in view.find(Execution, Select(where={"status": "failed"}, limit=MAX_ROWS)):
        if row.engine and view.now() - row.last_at < DAY and not _was_completed_since(view, row):
            text = "a run has failed"
            yield _alert(view, "run_failed", row.id, text, row.last_at, "Look why, then run it again.", row.id)


def _was_completed_since(view: View, run: Execution) -> bool:
    """Whether a later run of the same plan, or of the same title and task, is completed: a plan file is recorded as
    another plan each time."""
    names: tuple[tuple[str, str], ...] = (("plan_id", run.plan_id), ("title_key", run.title_key))
    for column, value in names:
        where: dict[str, WhereValue] = {column: value, "status": "completed"}
        later = view.find(Execution, Select(where=where, limit=MAX_ROWS)) if value else []
        if any(row.engine and row.seq > run.seq for row in later):
            return True
    return False


def _silent_hooks(view: View, principal: Principal) -> Iterator[Alert]:
    nobody = Principal()
    for row in open_observer_sessions(view, MAX_ROWS):
        observer = describe_observer(view, row, nobody)
        if observer.silent:
            text = f"hooks of {observer.client or row.actor} fell silent: its calls are not recorded"
            since = times.parse_time(observer.last_event, "last_event")
            yield _alert(
                view, "hook_silent", row.id, text, since, "Run tallystick doctor on its machine.", "", row.actor
            )


def _failing_tools(view: View, principal: Principal) -> Iterator[Alert]:
    """Tools that failed more often within the last hour than before, beyond chance."""
    ended = [row for row in view.find(Action, Select(limit=MAX_ACTIONS)) if row.state in ("ok", "failed") and row.tool]
    start = view.now() - RECENT
    for tool in sorted({row.tool for row in ended if row.at >= start}):
        recent = [row for row in ended if row.tool == tool and row.at >= start]
        before = [row for row in ended if row.tool == tool and row.at < start]
        failed = [row for row in recent if row.state == "failed"]
        if len(recent) < MIN_RECENT_CALLS or len(before) < MIN_RECENT_CALLS:
            continue
        usual = sum(row.state == "failed" for row in before)
        if failure_interval(len(failed), len(recent))[0] > failure_interval(usual, len(before))[1]:
            text = f"{tool} failed {len(failed)} of {len(recent)} times in an hour; before, {usual} of {len(before)}"
            to_do = "Look at its newest errors."
            yield _alert(view, "tool_failing", tool, text, min(row.at for row in failed), to_do, recent[0].execution)


def failure_interval(failed: int, total: int) -> tuple[float, float]:
    """Wilson's interval for the share of failures, at 95 %."""
    z = 1.96
    share, spread = failed / total, z * sqrt(failed / total * (1 - failed / total) / total + (z / (2 * total)) ** 2)
    scale = 1 + z * z / total
    return (share + z * z / (2 * total) - spread) / scale, (share + z * z / (2 * total) + spread) / scale


def _slow_steps(view: View, principal: Principal) -> Iterator[Alert]:
    """Open actions of living sessions that last longer than 95 % of those with the same tool."""
    durations = _durations(view)
    for action, doubtful in islice(unsettled_actions(view), MAX_ROWS):
        usual = durations.get(action.tool, ())
        if doubtful or action.state != "open" or len(usual) < MIN_DURATIONS:
            continue
        lasting, longest = (view.now() - action.at) / 1_000_000, percentile(sorted(usual), 0.95)
        if lasting > max(longest, MINUTE / 1_000_000):
            text = f"{action.step or action.tool} has taken {times.age(view.now() - action.at)}"
            text += f"; 95 % of {len(usual)} calls took at most {times.age(int(longest * 1_000_000))}"
            to_do = "See whether it still works."
            yield _alert(view, "step_slow", action.id, text, action.at, to_do, action.execution, action.actor)


def _durations(view: View) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for row in view.find(Action, Select(limit=MAX_ACTIONS)):
        if row.duration is not None and row.state == "ok" and row.tool:
            found.setdefault(row.tool, []).append(row.duration)
    return found


class VerificationResult(Struct, frozen=True, omit_defaults=True):
    """What the last verification of a journal found: when, up to which entry, and the problem if there was one."""

    at: int
    seq: int
    problem: str = ""


def _failed_verification(view: View, principal: Principal) -> Iterator[Alert]:
    content = view.document(VERIFIED, "last")
    last = json.decode(content, type=VerificationResult) if content else None
    if last and last.problem:
        text = f"the journal does not verify: {cut(last.problem)}"
        yield _alert(view, "verify_failed", "journal", text, last.at, "Run tallystick verify, and keep a copy.")


_FIND: dict[Rule, Callable[[View, Principal], Iterator[Alert]]] = {
    "question_waits": _of_inbox("question_waits"),
    "in_doubt": _of_inbox("in_doubt"),
    "interrupted": _of_inbox("interrupted"),
    "run_held": _of_inbox("run_held"),
    "run_failed": _failed_runs,
    "undo_expires": _of_inbox("undo_expires"),
    "undo_left": _of_inbox("undo_left"),
    "hook_silent": _silent_hooks,
    "tool_failing": _failing_tools,
    "step_slow": _slow_steps,
    "verify_failed": _failed_verification,
}


def _alert(
    view: View, rule: Rule, about: str, text: str, since: int, to_do: str, execution: str = "", who: str = ""
) -> Alert:
    row = view.get(Execution, execution) if execution else None
    return Alert(
        rule=rule,
        about=about,
        text=text,
        since=times.iso(since),
        to_do=to_do,
        execution_id=execution,
        title=cut(execution_title(view, row)) if row else "",
        who=who,
    )
