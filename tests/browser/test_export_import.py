"""Exporting an execution, and viewing an imported one."""

import csv
import io
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.axe import barriers
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 2")

NASTY = "<img src=//elsewhere.invalid/x onerror=alert(1)>=1+1"


@pytest.fixture
def execution(journal: Journal) -> str:
    """An execution with something of everything that a report shows."""
    execution = scenarios.planned(journal, "copy", "switch")
    scenarios.do(journal, "cp", {"path": "new/site"}, execution_id=execution, step="copy", summary=NASTY)
    scenarios.fail(journal, "dns", "no such host", execution_id=execution, step="switch")
    journal.record_decision(execution_id=execution, decision="retry", why="it was restarting", step="switch")
    journal.record_decision(execution_id=execution, decision="unwind", why="it is down for good")
    return execution


def test_an_html_report_opens_from_the_disk_without_requests(visit: Visit, execution: str, tmp_path: Path) -> None:
    page = visit.open(f"/x/{execution}")
    path = _download(page, "HTML file", tmp_path)
    assert path.suffix == ".html"
    visit.watch.allows_files()
    requests: list[str] = []
    report = visit.context.new_page()
    report.on("request", lambda request: requests.append(request.url))
    report.goto(path.as_uri())
    expect(report.get_by_role("heading", level=1)).to_be_visible()
    for text in (NASTY, "no such host", "it was restarting"):
        expect(report.locator("body")).to_contain_text(text)
    owed = report.locator("section", has=report.get_by_role("heading", name="Owed"))
    expect(owed.locator("tbody tr")).to_have_count(2)
    for text in ("take back switch", "take back copy"):
        expect(owed).to_contain_text(text)
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert barriers(report) == []


def test_the_other_report_forms_contain_the_entries(visit: Visit, execution: str, tmp_path: Path) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=visit.origin)
    page = visit.open(f"/x/{execution}")
    lines = [json.loads(line) for line in _download(page, "JSONL", tmp_path).read_text().splitlines()]
    assert len(lines) > 5
    rows = list(csv.reader(io.StringIO(_download(page, "CSV", tmp_path).read_text())))
    assert any("no such host" in cell for row in rows for cell in row)
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "\t", "\r"))]
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Copy for a model").click()
    expect(page.get_by_text("Copied as Markdown.")).to_be_visible()
    assert "it was restarting" in page.evaluate("navigator.clipboard.readText()")


def test_an_export_is_imported_and_an_altered_one_is_reported(
    visit: Visit, journal: Journal, execution: str, tmp_path: Path
) -> None:
    whole = journal.export(limit=1000)
    path = tmp_path / "export.jsonl"
    path.write_text("".join(f"{line}\n" for line in whole.lines))
    page = visit.open("/import")
    page.get_by_label("JSONL file").set_input_files(path)
    expect(page.get_by_text("The chain verifies")).to_be_visible()
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("link", name="a plan").first.click()
    expect(page.get_by_role("heading", name="a plan", level=1)).to_be_visible()
    expect(page.get_by_role("note").filter(has_text="This is an imported export")).not_to_contain_text(
        "does not verify"
    )
    path.write_text(path.read_text().replace("it was restarting", "it was something else"))
    page = visit.open("/import")
    page.get_by_label("JSONL file").set_input_files(path)
    expect(page.get_by_text("It does not verify")).to_be_visible()
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("link", name="a plan").first.click()
    expect(page.get_by_role("note").filter(has_text="This is an imported export")).to_contain_text("Do not rely on it")


def test_the_json_lines_of_one_execution_can_be_imported(visit: Visit, execution: str, tmp_path: Path) -> None:
    page = visit.open(f"/x/{execution}")
    path = _download(page, "JSONL", tmp_path)
    page = visit.open("/import")
    page.get_by_label("JSONL file").set_input_files(path)
    expect(page.get_by_text("only a whole export can be verified")).to_be_visible()
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("link", name="a plan").first.click()
    expect(page.get_by_role("heading", name="a plan", level=1)).to_be_visible()


def _download(page: Page, form: str, folder: Path) -> Path:
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as started:
        page.get_by_role("button", name=form).click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path
