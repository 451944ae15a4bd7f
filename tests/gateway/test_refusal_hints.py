"""The hints in refusals: each is possible with the tools that the client lists, or without them."""

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest

from tallystick import Journal
from tallystick.core.rules import SETTLE_OUTCOMES
from tallystick.gateway.messages import outcome_unknown
from tallystick.interfaces.mcp import embedded
from tallystick.interfaces.mcp.tools import PROFILES
from tallystick.sdk.local import Local
from tests import node
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of, text_of
from tests.gateway.refusals import RULES, WAYS, planned
from tests.interfaces.mcp.line_client import COMMAND, JOURNAL, environment

TOOLS = {"all": PROFILES["all"], "minimal": PROFILES["minimal"], "none": ()}
ERROR_TOKENS = 80
DOUBTS = (
    *("its server died", "it is in doubt", "it is in doubt elsewhere", "it was granted and is in doubt"),
    *("the step before is in doubt", "its step is in doubt"),
)


def _through(folder: Path, tools: str, **more: Any) -> GatewayClient:
    """A gateway at the user's own store, which a shell finds by itself."""
    program = folder / "tallystick"
    program.mkdir(exist_ok=True)
    server = ScriptedServer(program, "one")
    ours = config_for(server, tools=tools, servers={"one": {"tools": RULES}}, **more)
    return GatewayClient(program, ours, env={"XDG_DATA_HOME": str(folder)})


@pytest.mark.parametrize("tools", TOOLS)
@pytest.mark.parametrize("way", WAYS)
def test_a_refusal_names_only_tools_that_are_listed(way: str, tools: str, tmp_path: Path) -> None:
    with _through(tmp_path, tools) as client:
        result = WAYS[way](client)
    error, text = refusal_of(result), text_of(result)
    hidden = [name for name in PROFILES["all"] if name not in TOOLS[tools]]
    assert not [name for name in hidden if name in text + json.dumps(error)]
    assert error.get("hint") or "next" in error, "it does not say what to do"
    assert "next" not in error or "command" in error["next"] or error["next"]["tool"] in text
    assert node.count_tokens([text])[0] < ERROR_TOKENS
    assert way not in DOUBTS or "retry" not in json.dumps(error), "only settling lifts a doubt"
    if way in DOUBTS and tools == "none":
        action = error["next"]["command"].partition("--action-id ")[2].split()[0]
        assert f"tallystick record decision settle --action-id {action} " in text
    elif way in DOUBTS:
        assert (error["next"]["tool"], error["next"]["arguments"]["decision"]) == ("record_decision", "settle")


def test_a_doubt_is_settled_by_the_command_in_the_refusal(tmp_path: Path) -> None:
    with _through(tmp_path, "none") as client:
        client.result("die", a=1)
        text = text_of(client.result("die", a=1))
        _type(_command(text).replace(f"'{SETTLE_OUTCOMES}'", "skipped"), tmp_path)
        assert "call was under way" in text_of(client.result("die", a=1))  # it was made


def test_without_our_tools_an_edit_is_read_in_a_shell(tmp_path: Path) -> None:
    with _through(tmp_path, "none") as client:
        text = text_of(WAYS["a person has granted something else"](client))
        assert json.loads(_type(_command(text), tmp_path))["edited"] == {"a": 2}


def test_without_our_tools_a_pause_is_ended_in_a_shell(tmp_path: Path) -> None:
    with _through(tmp_path, "none") as client:
        text = text_of(WAYS["its execution is paused"](client))
        assert json.loads(_type(_command(text), tmp_path))["status"] == "running"


def test_without_our_tools_a_step_that_needs_approval_is_asked_about_in_a_shell(tmp_path: Path) -> None:
    step = {"id": "send", "tool": "fail", "arguments": {"a": 1}, "needs_approval": True}
    with _through(tmp_path, "none") as client, planned(client, step):
        _type(_command(text_of(client.result("fail", a=1))), tmp_path)
        assert "make the same call again" in client.refusal("fail", a=1)["hint"]
        client.decide(client.approvals()[0].id, "approve")
        assert text_of(client.result("fail", a=1)) == "it failed"  # it was made


@pytest.mark.parametrize("tools", TOOLS)
def test_a_recorded_result_names_the_way_to_repeat_the_call(tools: str, tmp_path: Path) -> None:
    with _through(tmp_path, tools) as client:
        client.result("fail", a=1)
        client.result("progress")
        text = text_of(client.result("progress"))
        execution = client.actions()[0].execution_id
    assert "recorded result" in text
    assert ("have a person decide retry" in text) == (tools == "none")
    assert execution in text


def test_a_store_that_no_shell_finds_by_itself_is_named_where_that_fits(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server, tools="none")) as client:
        result = client.result("die")
    command = refusal_of(result)["next"]["command"]
    assert f"--url {client.url}" in command
    assert command in text_of(result) or "Have a person " in text_of(result)


def test_a_command_is_shown_in_full_for_a_journal_with_a_long_name_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("TALLYSTICK_URL", raising=False)
    with Journal.open(journal="customer-portal-backend-0a1b2c3d") as journal:
        error = outcome_unknown("one was ended by signal 9 while the call was under way.", "ac_7k2mq")
        result = embedded.error_result(cast(Local, journal.caller), "none", error)
    text = text_of(result)
    assert _command(text) == refusal_of(result)["next"]["command"]
    assert text.startswith("in_doubt_open: ac_7k2mq is in doubt")
    assert node.count_tokens([text])[0] < ERROR_TOKENS


def _command(text: str) -> str:
    return text.partition("In a shell: ")[2]


def _type(command: str, home: Path) -> str:
    words = shlex.split(command)
    assert words[0] == "tallystick"
    done = subprocess.run(
        [*COMMAND, *words[1:], "--json"],
        env=environment({"XDG_DATA_HOME": str(home)}),
        cwd=home,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert JOURNAL in words
    return done.stdout
