"""Serving the page: paths, security headers and files."""

import re
from collections.abc import Iterator
from gzip import decompress

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tallystick.core.entries import KINDS
from tallystick.interfaces import dashboard
from tallystick.interfaces.dashboard.files import BUNDLE, FOLDER, SECURITY_HEADERS
from tallystick.interfaces.dashboard.routes import PATHS
from tools import vendor


@pytest.fixture(scope="module")
def browser() -> Iterator[TestClient]:
    snippets = {"clients": [{"client": "Codex", "text": "codex mcp add"}], "command": "/opt/tallystick", "store": ""}
    with TestClient(Starlette(routes=dashboard.routes(snippets))) as client:
        yield client


@pytest.mark.parametrize("path", PATHS)
def test_every_path_of_the_page_answers_with_the_page(browser: TestClient, path: str) -> None:
    answer = browser.get(re.sub(r"{\w+}", "some", path))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert re.search(r'src="/static/bundle/app-\w+\.js"', answer.text)


def test_the_page_is_also_served_as_plain_modules() -> None:
    with TestClient(Starlette(routes=dashboard.routes({}, plain=True))) as client:
        assert 'src="/static/app.js"' in client.get("/").text
        assert 'from "./timeline.js"' in client.get("/static/embed/tallystick.js").text


def test_the_browser_keeps_files_with_a_hash_in_their_name_and_asks_again_for_others(browser: TestClient) -> None:
    for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', browser.get("/").text):
        assert "immutable" in browser.get(path).headers["cache-control"], path
    for path in ("/", "/static/app.js", "/static/embed/tallystick.js"):
        assert browser.get(path).headers["cache-control"] == "no-cache", path


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, GZIP ;q=0.5", "gzip"),
        ("gzip;q=0.0", ""),
        ("identity", ""),
    ],
)
def test_a_file_is_compressed_in_a_way_that_the_browser_accepts(
    browser: TestClient, accepted: str, encoding: str
) -> None:
    script = next(path.name for path in BUNDLE.glob("app-*.js"))
    plain = (BUNDLE / script).read_bytes()
    with browser.stream("GET", f"/static/bundle/{script}", headers={"Accept-Encoding": accepted}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding", "") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    forms = {"": plain, "br": (BUNDLE / f"{script}.br").read_bytes()}
    assert (decompress(sent) if encoding == "gzip" else sent) == (plain if encoding == "gzip" else forms[encoding])


@pytest.mark.parametrize(
    "path", ["/", "/static/app.js", "/static/styles/base.css", "/static/missing.js", "/favicon.ico"]
)
def test_every_response_has_the_security_headers(browser: TestClient, path: str) -> None:
    answer = browser.get(path)
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_a_cached_file_is_not_sent_again(browser: TestClient) -> None:
    first = browser.get("/static/app.js")
    again = browser.get("/static/app.js", headers={"If-None-Match": f'"other", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../files.py",
        "/static/%2e%2e/files.py",
        "/static/..%2f..%2fdashboard/static/app.js%00.js",
        "/static//etc/hostname.js",
        "/static/vendor/README.md",
        "/static/ui",
        "/static/",
        "/static/bundle/",
        "/static/bundle/..%2fstatic%2fapp.js",
        "/static/bundle/missing-0000.js",
        "/embed/%2e%2e/%2e%2e/pages.html",
    ],
)
def test_only_files_of_the_page_are_served(browser: TestClient, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_client_snippets_are_returned_unchanged(browser: TestClient) -> None:
    snippets = browser.get("/clients").json()
    assert snippets == {
        "clients": [{"client": "Codex", "text": "codex mcp add"}],
        "command": "/opt/tallystick",
        "store": "",
    }


def test_values_in_the_login_page_are_escaped() -> None:
    answer = dashboard.login_page(next_path='/x/"><script>', problem="<b>no</b> such token", status=401)
    text = bytes(answer.body).decode()
    assert answer.status_code == 401
    assert "<script>" not in text
    assert "&lt;b&gt;no&lt;/b&gt; such token" in text
    assert 'value="/x/&quot;&gt;&lt;script&gt;"' in text


def test_no_document_has_inline_scripts_styles_or_foreign_addresses() -> None:
    for path in (*FOLDER.rglob("*.html"), *BUNDLE.rglob("*.html")):
        text = path.read_text()
        assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*src=)", text), path.name
        assert not re.search(r"(?:src|href|action)=\"(?!/(?!/)|#)", text), path.name


def test_the_page_knows_every_kind_of_entry() -> None:
    listed = re.search(r"KINDS = \[(.*?)\]", (FOLDER / "live.js").read_text(), re.DOTALL)
    assert listed
    assert set(re.findall(r'"(\w+)"', listed[1])) == set(KINDS)


def test_vendored_files_match_their_recorded_checksums() -> None:
    ours = (".md", ".ts")
    stored = {path.name: vendor.digest(path) for path in vendor.FOLDER.iterdir() if path.suffix not in ours}
    assert stored == vendor.sums()
    assert set(stored) == {name for library in vendor.LIBRARIES for name in library.files.values()}


def test_modules_are_short_and_begin_with_a_description() -> None:
    modules = [path for path in FOLDER.rglob("*.js") if not path.is_relative_to(vendor.FOLDER)]
    assert len(modules) > 20
    assert not [path.name for path in modules if len(path.read_text().splitlines()) > 300]
    assert not [path.name for path in modules if not path.read_text().startswith("/*")]


def test_nothing_in_the_page_makes_markup_from_text() -> None:
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|setAttribute\(\"style"
    )
    modules = [path for path in FOLDER.rglob("*.js") if not path.is_relative_to(vendor.FOLDER)]
    assert not [path.name for path in modules if re.search(forbidden, path.read_text())]


def test_no_two_stylesheets_style_the_same_class() -> None:
    found: dict[str, set[str]] = {}
    for path in (FOLDER / "styles").glob("*.css"):
        for selectors in re.findall(r"(?m)^\s*([^{}@/]+)\{", path.read_text()):
            for name in re.findall(r"^\.[\w-]+$", "\n".join(each.strip() for each in selectors.split(",")), re.M):
                found.setdefault(name, set()).add(path.name)
    assert len(found) > 100
    assert not {name: files for name, files in found.items() if len(files) > 1}


def test_the_page_and_the_server_know_the_same_paths() -> None:
    routed = re.findall(r'(?m)^  \["(/[^"]*)", ', (FOLDER / "app.js").read_text())
    assert sorted(re.sub(r":\w+", "*", path) for path in routed) == sorted(
        re.sub(r"{\w+}", "*", path) for path in PATHS
    )
