"""Draws the timeline of a report as SVG, and builds escaped HTML and SVG elements.

Each agent has a lane, each action a bar, and an arrow leads from an undo to the undone action. Shape and colour both
show the state: a cross for a failure, hatching and an open end for doubt, an outline for an undo.
"""

from collections.abc import Iterable
from html import escape

from msgspec import Struct

from tallystick.core.formats import times as formats_times
from tallystick.core.formats.visible import escape_block
from tallystick.operations.reports.content import Account, action_duration, duration_text, truncate
from tallystick.operations.views.timeline import ActionLine


class Markup(str):
    """Text that is HTML already. Every other text is escaped by `el` and `text`."""

    __slots__ = ()


Child = str | None | Iterable["Child"]
_VOID_TAGS = frozenset({"meta", "rect", "line", "path", "br"})


def el(tag: str, /, *children: Child, **attributes: object) -> Markup:
    """Return an element. Empty attributes are left out; `class_` is class, `stroke_width` stroke-width."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(escape_block(str(value)), quote=True)}"'
        for key, value in attributes.items()
        if value not in (None, "")
    )
    if tag in _VOID_TAGS and not children:
        return Markup(f"<{tag}{written}>" if tag in ("meta", "br") else f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{text(children)}</{tag}>")


def text(child: Child) -> Markup:
    """Return children in order, escaped unless they are markup."""
    if child is None:
        return Markup()
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return Markup(escape(escape_block(child), quote=True))
    return Markup("".join(text(each) for each in child))


WIDTH, GUTTER, ROW, BAR, TOP = 1000, 150, 24, 14, 26
LETTER_WIDTH = 6.1
"""About the width of a letter of a label."""
MAX_ROWS = 12
"""Rows of a lane: bars that overlap beyond that are drawn in the last one."""
_TICK_SECONDS = (
    *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800),
    *(3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800),
)


class Bar(Struct):
    """The position of an action. `room` is where the next bar of its row begins."""

    line: ActionLine
    x: float
    end: float
    y: float
    open: bool
    room: float = 0.0


def timeline(account: Account) -> Markup:
    """Return the drawing; empty without actions."""
    if not account.actions:
        return Markup()
    start, scale, span = _scale(account)
    lanes: dict[tuple[str, str], list[ActionLine]] = {}
    for line in account.actions:
        lanes.setdefault((line.actor_kind, line.actor), []).append(line)
    bars: dict[str, Bar] = {}
    parts: list[Markup] = []
    y = float(TOP)
    for (kind, name), lines in lanes.items():
        rows = _lay_out(lines, start, scale, y, bars)
        height = rows * ROW + 10
        parts.append(el("line", class_="rule", x1=0, y1=y, x2=WIDTH, y2=y))
        parts.append(_label_at(8, y + 18, fit_width(name or "-", GUTTER - 16), "lane"))
        parts.append(_label_at(8, y + 31, kind, "faint") if rows > 1 or kind == "sub-agent" else Markup())
        y += max(height, 40 if kind == "sub-agent" else height)
    drawn = [*_ticks(span, scale, y), *parts, *(_bar(bar) for bar in bars.values()), *_arrows(bars)]
    label = f"Timeline of {len(account.actions)} actions over {duration_text(span)}; the table of actions has the same."
    return el("svg", _patterns(), drawn, viewBox=f"0 0 {WIDTH} {y + 6:g}", role="img", aria_label=label)


def fit_width(text: str, width: float) -> str:
    limit = max(int(width / LETTER_WIDTH), 1)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _scale(account: Account) -> tuple[int, float, float]:
    """Return the first time, the width of a second in units, and the number of seconds."""
    times = [_microseconds(word) for line in account.actions for word in (line.begun, line.ended, line.lost) if word]
    start, end = min(times), max(times)
    span = max((end - start) / formats_times.SECOND, 0.001)
    doubtful = any(not line.ended and not line.lost for line in account.actions)
    span *= 1.12 if doubtful else 1.02  # an open end needs room to be visible
    return start, (WIDTH - GUTTER - 12) / span, span


def _lay_out(lines: list[ActionLine], start: int, scale: float, top: float, bars: dict[str, Bar]) -> int:
    """Put the bars of a lane into rows so that they do not overlap; return the number of rows."""
    ends: list[Bar] = []
    for line in lines:
        x = GUTTER + (_microseconds(line.begun) - start) / formats_times.SECOND * scale
        unsettled = not line.lost and (not line.ended or line.state == "in_doubt")
        over = _microseconds(line.lost or line.ended or line.begun)
        end = WIDTH - 4.0 if unsettled else GUTTER + (over - start) / formats_times.SECOND * scale
        bar = Bar(line, x, max(end, x + 4), 0, unsettled, WIDTH - 4.0)
        free = (row for row, before in enumerate(ends) if before.end + 1 <= x)
        row = next(free, min(len(ends), MAX_ROWS - 1))
        if row < len(ends):
            ends[row].room = x
            ends[row] = bar
        else:
            ends.append(bar)
        bar.y = top + 7 + row * ROW
        bars[line.id] = bar
    return len(ends)


def _bar(bar: Bar) -> Markup:
    line, width = bar.line, bar.end - bar.x
    name = line.summary or line.tool or line.step or line.kind
    state = line.state.replace("_", " ")
    facts = [line.id, line.tool, line.step, state, action_duration(line), f"by {line.actor}", line.witness]
    title = el("title", truncate(name, 300), " (", ", ".join(fact for fact in facts if fact), ")")
    shape = f"s-{line.state} {'undo' if line.kind == 'undo' else ''} {'unplanned' if line.unplanned else ''}"
    if bar.open:
        path = f"M{bar.end:.1f} {bar.y:g} H{bar.x + 2:.1f} q-2 0 -2 2 v{BAR - 4} q0 2 2 2 H{bar.end:.1f}"
        drawn = el("path", d=path, class_=shape)
    else:
        drawn = el("rect", x=f"{bar.x:.1f}", y=f"{bar.y:g}", width=f"{width:.1f}", height=BAR, rx=2, class_=shape)
    marks = [_cross(bar.end - 2, bar.y)] if line.state == "failed" else []
    return el("g", title, drawn, marks, _label(bar, name, width))


def _label(bar: Bar, name: str, width: float) -> Markup:
    """Return the label inside the bar, or beside it if there is room; otherwise only the tooltip has it."""
    if width > 48:
        return _label_at(bar.x + 5, bar.y + 10.5, fit_width(name, width - 12), f"label on-{bar.line.state}")
    beside = bar.room - bar.end - 14
    return _label_at(bar.end + 8, bar.y + 10.5, fit_width(name, beside), "label") if beside > 40 else Markup()


def _cross(x: float, y: float) -> Markup:
    low, high = y + 3, y + BAR - 3
    path = f"M{x - 4:.1f} {low:g} L{x + 4:.1f} {high:g} M{x + 4:.1f} {low:g} L{x - 4:.1f} {high:g}"
    return el("path", d=path, class_="cross")


def _arrows(bars: dict[str, Bar]) -> list[Markup]:
    found = []
    for bar in bars.values():
        target = bars.get(bar.line.undoes)
        if target:
            x, y, to_x, to_y = bar.x, bar.y + BAR / 2, target.end, target.y + BAR
            path = f"M{x:.1f} {y:g} C{x - 30:.1f} {y + 18:g} {to_x + 10:.1f} {to_y + 24:g} {to_x - 3:.1f} {to_y + 2:g}"
            found.append(el("path", d=path, class_="arrow", marker_end="url(#arrow)"))
    return found


def _ticks(span: float, scale: float, bottom: float) -> list[Markup]:
    step = next((step for step in _TICK_SECONDS if span / step <= 7), span / 6)
    found: list[Markup] = []
    for number in range(int(span / step) + 1):
        x = GUTTER + number * step * scale
        found.append(el("line", class_="grid", x1=f"{x:.1f}", y1=18, x2=f"{x:.1f}", y2=f"{bottom:g}"))
        found.append(_label_at(x, 12, duration_text(number * step) if number else "0", "tick"))
    return found


def _patterns() -> Markup:
    lines = el("path", d="M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6", class_="hatching")
    hatch = el("pattern", lines, id="hatch", width=8, height=8, patternUnits="userSpaceOnUse")
    tip = el("path", d="M0 0 L8 4 L0 8 z", class_="tip")
    arrow = el(
        "marker", tip, id="arrow", viewBox="0 0 8 8", refX=7, refY=4, markerWidth=7, markerHeight=7, orient="auto"
    )
    return el("defs", hatch, arrow)


def _label_at(x: float, y: float, words: str, kind: str) -> Markup:
    return el("text", words, x=f"{x:.1f}", y=f"{y:g}", class_=kind)


def _microseconds(text: str) -> int:
    return formats_times.parse_time(text, "at")
