"""Servers over HTTP that die: what had left is in doubt, and what could not leave has not happened."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, json

from tallystick.gateway.outcomes import of_result
from tests.gateway.through import Through, text_of

WEBSITE = Path(__file__).with_name("website.py")


class Website:
    def __init__(self, log: Path) -> None:
        self._log = log
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(WEBSITE), str(self.port), str(self._log)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def end(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=30)


@pytest.fixture
def website(tmp_path: Path) -> Iterator[Website]:
    site = Website(tmp_path / "web.log")
    yield site
    site.end()


@pytest.mark.parametrize("way", ["die_streaming", "die_silent"])
def test_a_server_that_dies_during_a_call_leaves_it_in_doubt_and_the_agent_is_told(
    way: str, website: Website, tmp_path: Path
) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    with Through(tmp_path, config, era="legacy") as client:
        error = client.refusal(way)
        (action,) = client.actions()
    assert error["code"] == "in_doubt_open"
    assert action.id in error["message"]
    assert action.state == "in_doubt"


def test_a_call_for_which_no_connection_can_be_made_has_failed_without_effect_and_may_be_made_again(
    website: Website, tmp_path: Path
) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    with Through(tmp_path, config, era="legacy") as client:
        client.result("echo", a=0)
        website.end()
        assert client.refusal("echo", a=1)["code"] == "wrong_state"
        states = [(each.state, each.owed) for each in client.actions()]
        website.start()
        assert text_of(client.result("echo", a=1)) == "done"
    assert states == [("ok", "owed"), ("failed", "")]


def test_a_server_that_has_started_anew_between_two_calls_is_given_another_session(
    website: Website, tmp_path: Path
) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    with Through(tmp_path, config, era="legacy") as client:
        client.result("echo", a=0)
        website.end()
        website.start()
        assert "forgotten the session" in client.refusal("echo", a=1)["message"]
        assert text_of(client.result("echo", a=1)) == "done"
        states = [(each.state, each.owed) for each in client.actions()]
    assert states == [("ok", "owed"), ("failed", ""), ("ok", "owed")]


@pytest.mark.parametrize("said", [0, 1, "yes", []])
def test_an_is_error_that_is_neither_true_nor_false_says_nothing(said: Any) -> None:
    result = Raw(json.encode({"content": [], "isError": said}))
    assert of_result(result, "modern")[0] == "no result"
