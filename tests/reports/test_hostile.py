"""Reports show hostile text as text: in each form, in every field that models and tools write."""

import csv
import json
from html.parser import HTMLParser
from io import StringIO
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tallystick import Actor, Journal, Step, Undo
from tallystick.core.formats.visible import escape_block
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tallystick.settings import Settings
from tallystick.store.memory import MemoryStore
from tests import hostile_text

PAYLOADS = hostile_text.payloads(220, seed=5)
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "p", "h1", "h2", "dl"),
    *("div", "dt", "dd", "ul", "li", "b", "code", "table", "thead", "tbody", "tr", "th", "td", "span", "time", "i"),
    *("details", "summary", "pre", "svg", "defs", "pattern", "marker", "g", "rect", "path", "line", "text"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "id", "scope", "datetime", "aria-hidden", "x", "y"),
    *("aria-label", "role", "viewbox", "x1", "y1", "x2", "y2", "width", "height", "rx", "d", "refx", "refy", "orient"),
    *("markerwidth", "markerheight", "patternunits", "marker-end"),
}
HEADINGS = ["In doubt", "Owed", "Plan against actual", "Actions", "Decisions", "Approvals", "Journal"]
Form = Any


@pytest.fixture(scope="module")
def reports() -> dict[str, str]:
    """Return one execution with hostile text in every field, in every form."""
    store = MemoryStore()
    try:
        execution, reader = _record(store)
        forms: tuple[Form, ...] = ("html", "markdown", "csv", "jsonl")
        return {form: reader.get_report(execution_id=execution, form=form).text for form in forms}
    finally:
        store.close()


def _who(store: MemoryStore, name: str, kind: Any = "agent", **more: Any) -> Journal:
    principal = Principal(actor=Actor(kind=kind, name=name), client=hostile_text.printable(PAYLOADS[3]), **more)
    return Journal(Local(OperationContext(store, Settings(url="memory:", journal="hostile", actor=name), principal)))


def _record(store: MemoryStore) -> tuple[str, Journal]:
    agent = _who(store, hostile_text.printable(PAYLOADS[0]))
    person = _who(store, "ada", "person", credential=agent.add_credential(name="<b>ada").secret)
    names = [hostile_text.printable(each) for each in PAYLOADS]
    steps = [
        Step(id=f"{number}{names[number]}"[:200], title=payload, tool=name, cancellable="reversible", undo=payload)
        for number, (payload, name) in enumerate(list(zip(PAYLOADS, names, strict=True))[:40])
    ]
    plan = agent.record_plan(title=PAYLOADS[1], goal=PAYLOADS[2], steps=steps, task_id=names[4], type=names[5])
    execution = agent.record_execution_start(plan_id=plan.id, title=PAYLOADS[6]).id
    for number, payload in enumerate(PAYLOADS):
        other = PAYLOADS[-number]
        action = agent.record_action(
            phase="begin",
            execution_id=execution,
            tool=names[number],
            summary=payload,
            arguments={payload: [other, {"n": number}]},
            undo=Undo(tool=names[-number], words=payload, arguments={"x": other}),
            step=plan.steps[number] if number == 0 else None,
            again="it is another one",
        ).id
        ends: dict[str, Any] = {"outcome": "failed", "error": payload} if number % 3 else {"outcome": "unknown"}
        agent.record_action(phase="end", action_id=action, **ends, result=payload, before=payload, after={"x": other})
        if number % 5 == 0:
            approval = agent.request_approval(
                execution_id=execution, question=payload, tool=names[number], arguments={"x": other}, options=(payload,)
            )
            person.decide_approval(approval_id=approval.id, verdict="respond", answer=payload, reason=other)
            agent.record_decision(execution_id=execution, decision="continue", why=payload, alternatives=(other,))
    listed = agent.get_undo_list(execution_id=execution, limit=100).items
    undo = agent.record_action(phase="begin", execution_id=execution, kind="undo", undoes=listed[0].action_id)
    agent.record_action(phase="end", action_id=undo.id, outcome="failed", error=PAYLOADS[7])
    agent.record_decision(execution_id=execution, decision="unwind", why=PAYLOADS[8])
    return execution, agent


class _Seen(HTMLParser):
    """Collects tags, attributes and text of a page, as a browser would see them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.others: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)


def test_the_page_holds_no_element_and_no_attribute_but_its_own(reports: dict[str, str]) -> None:
    seen = _Seen()
    seen.feed(reports["html"])
    seen.close()
    assert seen.tags <= TAGS
    assert {name for name, _ in seen.attributes} <= ATTRIBUTES
    assert seen.others == []
    policies = [value for name, value in seen.attributes if name == "content" and value.startswith("default-src")]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policies[0]


def test_the_page_shows_every_text_completely(reports: dict[str, str]) -> None:
    seen = _Seen()
    seen.feed(reports["html"])
    seen.close()
    words = "".join(seen.words)
    assert [payload for payload in PAYLOADS if escape_block(payload) not in words] == []


def test_nothing_in_the_page_hides_or_turns_text(reports: dict[str, str]) -> None:
    for form in ("html", "markdown", "csv"):
        assert escape_block(reports[form].replace("\r\n", "\n")) == reports[form].replace("\r\n", "\n"), form
    assert all(line.isprintable() for line in reports["jsonl"].split("\n"))


def test_markdown_has_no_heading_link_image_or_element_but_its_own(reports: dict[str, str]) -> None:
    tokens = MarkdownIt("commonmark").parse(reports["markdown"])
    headings = [index for index, token in enumerate(tokens) if token.tag == "h2" and token.nesting == 1]
    assert [tokens[index + 1].content for index in headings] == HEADINGS
    assert sum(token.tag == "h1" and token.nesting == 1 for token in tokens) == 1
    kinds = {each.type for token in tokens for each in (token, *(token.children or ()))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "hr", "code_block", "blockquote_open"}
    outside = "".join(each.content for token in tokens for each in token.children or () if each.type == "text")
    assert hostile_text.HOST not in outside
    assert "obey" not in outside.lower()


def test_no_cell_of_the_sheet_is_a_formula(reports: dict[str, str]) -> None:
    head, *rows = csv.reader(StringIO(reports["csv"], newline=""))
    assert len(rows) > 400
    assert {len(row) for row in rows} == {len(head)}
    alike = [cell for row in rows for cell in row if cell.lstrip(" \"'").startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert len(alike) > 40
    assert [cell for cell in alike if not cell.startswith("'")] == []


def test_lines_give_back_every_text_as_it_was_recorded(reports: dict[str, str]) -> None:
    entries = [json.loads(line) for line in reports["jsonl"].splitlines()]
    summaries = [entry["body"]["summary"] for entry in entries if "summary" in (entry.get("body") or {})]
    assert summaries == PAYLOADS
