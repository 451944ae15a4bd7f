"""`tallystick export --otlp` and `serve --otlp` as processes of their own, killed in the middle."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tests.behaviour.scenarios import do, entries, start
from tests.interfaces.mcp.http_client import COMMAND, served
from tests.outbound.collector import TIMEOUT_SECONDS, Collector, Verdict, attributes
from tests.outbound.otel_scene import running_collector

JOURNAL = "test"
KILLED_AGENT = """
import os, signal, sys
from tallystick import Journal
journal = Journal.open(sys.argv[1], journal="test", actor="killed")
journal.record_execution_start(title="until the end")
journal.record_action(phase="begin", tool="pay")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with running_collector() as collector:
        yield collector


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'journal.db'}"


@pytest.fixture
def journal(url: str) -> Iterator[Journal]:
    with Journal.open(url, journal=JOURNAL, actor="agent") as journal:
        yield journal


def export(url: str, collector: Collector, *options: str) -> "subprocess.Popen[str]":
    command = [str(COMMAND), "export", "--url", url, "--journal", JOURNAL, "--otlp", collector.url, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("at", ["/v1/traces", "/v1/metrics"])
def test_a_sender_that_is_killed_sends_the_same_again(
    url: str, journal: Journal, collector: Collector, at: str
) -> None:
    start(journal)
    do(journal, "pay")
    journal.record_decision(decision="done", why="done")
    running: list[subprocess.Popen[str]] = []

    def kill(path: str, message: Any) -> Verdict | None:
        if path == at:  # it has arrived, and the sender never knows
            collector.judge = lambda path, message: None
            running[0].send_signal(signal.SIGKILL)
            running[0].wait(TIMEOUT_SECONDS)
        return None

    collector.judge = kill
    running.append(export(url, collector))
    assert running[0].wait(TIMEOUT_SECONDS) == -signal.SIGKILL
    running[0].communicate()
    again = export(url, collector, "--json")
    output, problem = again.communicate(timeout=TIMEOUT_SECONDS)
    assert again.returncode == 0, problem
    assert json.loads(output)["rejected"] == {}
    sent = [(span.span_id, span.SerializeToString()) for span in collector.spans()]
    assert len({id for id, _ in sent}) == len(set(sent)) == 3
    assert set(collector.sequence_numbers()) == {entry.seq for entry in entries(journal)}
    (point,) = collector.metrics()["tallystick.actions"].sum.data_points
    assert point.as_int == 1


def test_a_notifier_sends_live_without_a_server(url: str, journal: Journal, collector: Collector) -> None:
    command = [str(COMMAND), "notify", "--url", url, "--journal", JOURNAL, "--otlp", collector.url]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as notifier:
        start(journal)
        do(journal, "pay")
        collector.wait_for(lambda: bool(collector.spans()))
        notifier.send_signal(signal.SIGTERM)
        assert notifier.wait(TIMEOUT_SECONDS) == 0
    assert collector.span("execute_tool pay")


def test_a_server_sends_live_and_shows_a_killed_agent_as_in_doubt(url: str, collector: Collector) -> None:
    with served(url, "--otlp", collector.url):
        done = subprocess.run([sys.executable, "-c", KILLED_AGENT, url], check=False, timeout=TIMEOUT_SECONDS)
        assert done.returncode == -signal.SIGKILL
        collector.wait_for(lambda: bool(collector.spans()))
    found = attributes(collector.span("execute_tool pay"))
    assert (found["tallystick.outcome"], found["tallystick.reason"]) == ("in_doubt", "session gone")
    assert attributes(collector.span("unfinished killed"))["tallystick.reason"] == "gone"


def test_a_server_that_is_killed_is_followed_by_one_that_goes_on(
    url: str, journal: Journal, collector: Collector
) -> None:
    start(journal)
    with served(url, "--otlp", collector.url) as server:
        collector.wait_for(lambda: bool(collector.logs()))
        collector.stop()
        do(journal, "pay")
        assert server.process
        server.process.send_signal(signal.SIGKILL)
        server.process.wait(TIMEOUT_SECONDS)
    collector.start()
    do(journal, "mail")
    # The lease of the killed one lasts for half a minute; --since does not wait for it.
    sender = export(url, collector, "--since", "0")
    output, problem = sender.communicate(timeout=TIMEOUT_SECONDS)
    assert (sender.returncode, problem) == (0, "")
    assert set(collector.sequence_numbers()) == {entry.seq for entry in entries(journal)}
    assert {span.name for span in collector.spans()} == {"execute_tool pay", "execute_tool mail"}
    assert "2 spans" in output


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--otlp", "http://127.0.0.1:1"], 4, "cannot be reached"),
        (["--otlp", "not a url"], 2, "not the URL of an OTLP receiver"),
        (["--since", "1h"], 2, "go with --otlp"),
    ],
)
def test_what_is_wrong_is_said(url: str, journal: Journal, options: list[str], code: int, words: str) -> None:
    start(journal)
    command = [str(COMMAND), "export", "--url", url, "--journal", JOURNAL, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bare_install_imports_nothing_of_it_and_says_what_is_missing(url: str) -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None; sys.modules['requests'] = None\n"
        f"sys.argv = ['tallystick', 'export', '--url', {url!r}, '--otlp', 'http://127.0.0.1:1']\n"
        "from tallystick.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
        env=os.environ,
    )
    assert "tallystick[otel]" in done.stderr
    assert done.returncode == 4
