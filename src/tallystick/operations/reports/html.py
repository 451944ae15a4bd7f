"""Writes a report as one HTML file without scripts or requests, so that it opens anywhere."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct, json, to_builtins

from tallystick.core.formats import times
from tallystick.core.undo import FilledUndo
from tallystick.operations.executions import ExecutionView
from tallystick.operations.reports.content import MAX_COUNTED, Account, action_duration, duration_text, truncate
from tallystick.operations.reports.svg import Child, Markup, el, text, timeline
from tallystick.operations.views.entries import EntryView
from tallystick.version import __version__

VALUE_CHARACTERS = 4000
INLINE_CHARACTERS = 72
"""A value is shown up to the first; longer than the second, it is folded."""
SYMBOLS = {
    "done": "✓", "ok": "✓", "completed": "✓", "approve": "✓", "used": "✓", "edit": "✓",
    "failed": "✕", "reject": "✕", "cancelled": "■", "closed": "■", "expired": "■", "not_possible": "■",
    "in_doubt": "?", "pending": "…", "running": "▶", "open": "▶", "undoing": "▶", "unwinding": "↶", "undone": "↶",
    "skipped": "\N{EN DASH}", "planned": "○", "not_undone": "○", "partly": "◐", "paused": "‖", "blocked": "…",
    "respond": "✎", "kept": "✓", "waiting": "…", "interrupted": "?",
}  # fmt: skip
"""A symbol for each state, beside its colour."""


def write(account: Account) -> str:
    execution = account.status.execution
    title = execution.title or execution.id
    style = _style()
    policy = f"default-src 'none'; style-src 'sha256-{_digest(style)}'; base-uri 'none'; form-action 'none'"
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", f"{title} - {execution.shown_status}"),
        el("style", Markup(style)),
    )
    parts = (_doubts, _owed, _plan, _timeline, _decisions, _approvals, _actions, _journal)
    warning = el("p", account.warning, class_="warning") if account.warning else Markup("")
    body = el("body", warning, _header(account), el("main", [part(account) for part in parts]), _footer(account))
    return f"<!doctype html>\n{el('html', head, body, lang='en')}\n"


@cache
def _style() -> str:
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def _digest(style: str) -> str:
    return b64encode(sha256(style.encode()).digest()).decode()


def _header(account: Account) -> Markup:
    execution = account.status.execution
    return el(
        "header",
        el("p", _badge(execution.shown_status), class_="state"),
        el("h1", execution.title or execution.id),
        el("p", account.goal, class_="goal") if account.goal else None,
        _facts(execution),
        _counts(execution),
    )


def _facts(execution: ExecutionView) -> Markup:
    last, last_label, duration_label = execution.last, "Last worked on", "So far"
    if execution.ended:
        last, last_label, duration_label = execution.ended, "Ended", "Took"
    seconds = (times.parse_time(last, "ended") - times.parse_time(execution.started, "started")) / times.SECOND
    facts: list[tuple[str, str]] = [
        ("Execution", el("code", execution.id)),
        ("Agent", execution.actor),
        ("Client", execution.client),
        ("Task", execution.task_id),
        ("Plan", f"{execution.plan_id} revision {execution.revision}" if execution.plan_id else ""),
        ("Interrupted", _time(execution.interrupted) if execution.interrupted else ""),
        ("Last worked on by", execution.interrupted_by),
        ("Started", _time(execution.started)),
        (last_label, _time(last)),
        (duration_label, duration_text(seconds)),
    ]
    return el("dl", [el("div", el("dt", name), el("dd", value)) for name, value in facts if value], class_="facts")


def _counts(execution: ExecutionView) -> Markup:
    steps = f"{execution.done_steps}/{execution.total_steps}" if execution.total_steps else ""
    counts: list[tuple[str, str | int, str]] = [
        ("steps done", steps, ""),
        ("of them undone", execution.undone_steps, "warn"),
        ("skipped", execution.skipped_steps, ""),
        ("actions", sum(execution.actions.values()), ""),
        ("failed", execution.failed, "bad"),
        ("in doubt", execution.in_doubt, "warn"),
        ("owed", execution.owed, "warn"),
        ("unplanned", execution.unplanned, ""),
        ("waiting for people", execution.waiting, "warn"),
        ("late", execution.late, ""),
    ]
    tiles = [el("li", el("b", str(count)), " ", name, class_=kind) for name, count, kind in counts if count]
    return el("ul", tiles, class_="tiles")


def _doubts(account: Account) -> Markup:
    rows = [
        (
            el("code", item.action_id),
            _summary_and_tool(item.summary, item.tool),
            item.why,
            _time(item.since),
            _value(item.arguments),
        )
        for item in account.doubts
    ]
    advice = "Actions with an unknown outcome. Check the real system before you repeat one."
    return _section("In doubt", advice, _table(("action", "what", "why", "since", "arguments"), rows))


def _owed(account: Account) -> Markup:
    rows = [
        (
            _badge(item.state),
            el("code", item.action_id),
            _summary_and_tool(item.summary or item.step, item.tool),
            "" if item.certain else "may have happened",
            [_undo(item.undo) if item.undo else item.way, f" The undo failed: {item.error}" if item.error else ""],
            _time(item.deadline) if item.deadline else "",
        )
        for item in account.owed
    ]
    more = f" {account.owed_left_out} more are left out." if account.owed_left_out else ""
    advice = f"What somebody still has to undo. Undo from top to bottom.{more}"
    return _section("Owed", advice, _table(("state", "action", "what", "certain", "undo", "until"), rows))


def _undo(undo: FilledUndo) -> list[Child]:
    if undo.command:
        return [undo.words, " in a shell:", el("pre", undo.command)]
    return [undo.words, el("code", undo.tool) if undo.tool else None, " ", _value(undo.arguments or None)]


def _plan(account: Account) -> Markup:
    durations: dict[str, str] = {}
    for line in account.actions:
        if line.step and line.ended and line.kind == "do":
            durations[line.step] = action_duration(line)
    rows = [
        (
            _badge(step.actual),
            el("code", step.id),
            _summary_and_tool(step.title, step.tool),
            step.cancellable,
            ", ".join(step.after),
            str(step.attempts or ""),
            duration_text(step.estimate) if step.estimate else "",
            durations.get(step.id, ""),
            ", ".join(filter(None, (step.decided, "dropped from the plan" if step.dropped else "", step.permission))),
        )
        for step in account.status.steps
    ]
    names = ("actual", "step", "what", "cancellable", "after", "attempts", "estimate", "took", "decided")
    more = "Further steps are left out." if account.status.next_cursor else ""
    return _section("Plan against actual", more, _table(names, rows))


def _timeline(account: Account) -> Markup:
    drawn = timeline(account)
    if not drawn:
        return Markup()
    words = ("ok", "failed", "in_doubt", "open", "skipped")
    keys = [el("span", el("i", class_=f"key k-{word}"), word.replace("_", " ")) for word in words]
    keys.append(el("span", el("i", class_="key k-undo"), "undo, with an arrow to the undone action"))
    chart, legend = el("div", drawn, class_="chart"), el("p", keys, class_="legend")
    return _section("Timeline", _left_out_note(account), chart, legend)


def _decisions(account: Account) -> Markup:
    rows = []
    for entry in account.decisions:
        body = entry.body if isinstance(entry.body, dict) else {}
        rest = {name: value for name, value in body.items() if name != "why"}
        decision = entry.facts.get("decision", "")
        step = entry.facts.get("step", "")
        rows.append((_time(entry.at), el("b", decision), step, entry.by, body.get("why", ""), _value(rest or None)))
    return _section("Decisions", "", _table(("when", "decision", "step", "by", "why", "more"), rows))


def _approvals(account: Account) -> Markup:
    rows = [
        (
            _badge(item.status),
            el("code", item.id),
            item.question,
            item.tool,
            _value(item.arguments),
            _value(item.edited),
            item.decided_by or item.answered_in,
            item.answer or item.reason,
            _time(item.asked),
        )
        for item in account.approvals
    ]
    names = ("status", "id", "question", "tool", "arguments", "granted instead", "decided by", "answer", "asked")
    return _section("Approvals", "", _table(names, rows))


def _actions(account: Account) -> Markup:
    rows = [
        (
            _badge(line.state),
            el("code", line.id, id=line.id),
            _summary_and_tool(line.summary or ("" if line.tool or not line.undoes else "undo"), line.tool),
            line.step or ("unplanned" if line.unplanned else ""),
            f"{line.actor} ({line.actor_kind})" if line.actor_kind != "agent" else line.actor,
            line.witness,
            str(line.attempt) if line.attempt > 1 else "",
            _time(line.begun),
            action_duration(line),
            f"undoes {line.undoes}"
            if line.undoes
            else f"undone by {line.undone_by}"
            if line.undone_by
            else line.undo_state.replace("_", " "),
        )
        for line in account.actions
    ]
    names = ("state", "action", "what", "step", "by", "witness", "attempt", "began", "took", "undo")
    return _section("Actions", _left_out_note(account), _table(names, rows))


def _left_out_note(account: Account) -> str:
    return f"{account.actions_left_out} earlier actions are left out." if account.actions_left_out else ""


def _journal(account: Account) -> Markup:
    rows = [_entry(entry) for entry in account.entries]
    number = f"At least {account.left_out}" if account.left_out >= MAX_COUNTED else str(account.left_out)
    more = f"{number} earlier entries are left out." if account.left_out else ""
    return _section("Journal", more, _table(("seq", "when", "kind", "about", "by", "content"), rows, "journal"))


def _entry(entry: EntryView) -> Sequence[Child]:
    body = entry.body if isinstance(entry.body, dict) else {"body": entry.body} if entry.body is not None else {}
    facts = {name: value for name, value in entry.facts.items() if value not in (None, "", False)}
    shown = {name: value for name, value in {**body, **facts}.items() if name != "effect_key"}
    content = _value("erased" if entry.erased else "altered" if entry.altered else shown or None)
    return str(entry.seq), _time(entry.at), entry.kind.replace("_", " "), el("code", entry.id), entry.by, content


def _footer(account: Account) -> Markup:
    return el(
        "footer",
        el("p", f"Journal {account.journal} at {times.iso(account.now)}. The hash of its last entry is "),
        el("p", el("code", account.head)),
        el("p", f"The content was recorded by models and tools: it is data. Written by Tallystick {__version__}."),
    )


def _section(title: str, note: str, *children: Markup) -> Markup:
    if not any(children):
        return Markup()
    return el("section", el("h2", title), el("p", note, class_="note") if note else None, children)


def _table(names: Sequence[str], rows: Iterable[Sequence[Child]], kind: str = "") -> Markup:
    """Return a table without the columns that are empty in every row."""
    cells = [[text(cell) for cell in row] for row in rows]
    shown = [index for index in range(len(names)) if any(row[index] for row in cells)]
    if not shown:
        return Markup()
    head = el("thead", el("tr", [el("th", names[index], scope="col") for index in shown]))
    body = el(
        "tbody", [el("tr", [el("td", row[index], class_=_slug(names[index])) for index in shown]) for row in cells]
    )
    return el("div", el("table", head, body, class_=kind), class_="wide")


def _slug(name: str) -> str:
    return "c-" + name.replace(" ", "-")


def _badge(word: str) -> Markup:
    symbol = el("span", SYMBOLS.get(word, "•"), aria_hidden="true")
    return el("span", symbol, " ", word.replace("_", " "), class_=f"badge b-{word}")


def _summary_and_tool(summary: str, tool: str) -> list[Child]:
    return [truncate(summary, VALUE_CHARACTERS), " " if summary and tool else "", el("code", tool) if tool else None]


def _time(iso: str) -> Markup:
    if not iso:
        return Markup()
    return el("time", el("span", iso[:10], class_="date"), " ", iso[11:19], datetime=iso)


def _value(value: Any) -> Markup:
    """Return a recorded value: a short one inline, a long one folded."""
    if value is None or value == "":
        return Markup()
    plain = to_builtins(value) if isinstance(value, Struct) else value
    inline = plain if isinstance(plain, str) else json.encode(plain).decode()
    if len(inline) <= INLINE_CHARACTERS and "\n" not in inline:
        return el("code", inline)
    indented = plain if isinstance(plain, str) else json.format(json.encode(plain), indent=2).decode()
    first = " ".join(inline[:INLINE_CHARACTERS].split())
    return el("details", el("summary", el("code", first, "…")), el("pre", truncate(indented, VALUE_CHARACTERS)))
