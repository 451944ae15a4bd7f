"""The list of tools, its schemas and hints, and whether responses match the schemas."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tallystick.interfaces.mcp.command import TOOLS
from tallystick.interfaces.mcp.query import VIEWS
from tallystick.interfaces.mcp.tools import PROFILES
from tests.interfaces.mcp.in_process_client import HANDSHAKE, MODERN, Lines, lines
from tests.interfaces.mcp.refusals import REFUSALS

TALLYSTICK = Path(sys.executable).with_name("tallystick")
HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"lines","version":"1"}}}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
)
PLAN = [
    {"id": "copy", "title": "Copy the files", "tool": "cp", "cancellable": "reversible", "undo": "delete the copy"},
    {"id": "switch", "title": "Switch over", "tool": "switch", "cancellable": "reversible"},
    {"id": "tell", "title": "Tell the customers", "tool": "mail", "cancellable": "irreversible"},
]


@pytest.mark.parametrize("profile", TOOLS)
def test_two_processes_list_the_same_tools_byte_for_byte(profile: str, tmp_path: Path) -> None:
    first, second = (_answers(profile, tmp_path / name, seed) for name, seed in (("one", "1"), ("two", "2")))
    assert len(first.splitlines()) == 2
    assert first == second


def test_listing_the_tools_loads_no_heavy_library(tmp_path: Path) -> None:
    code = (
        "import sys; from tallystick.interfaces.mcp.command import main; "
        f"main(['--url', 'sqlite://{tmp_path}/journal.db', '--journal', 'tests']); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=HELLO, capture_output=True, check=True, timeout=30)
    assert len(done.stdout.splitlines()) == 2
    loaded = {name.partition(".")[0] for name in done.stderr.decode().split()}
    assert "apsw" in loaded
    heavy = {"argparse", "asyncio", "click", "http", "logging", "mcp", "pydantic", "rich", "starlette", "uvicorn"}
    assert loaded & heavy == set()


@pytest.mark.parametrize("profile", TOOLS)
def test_each_tool_gives_all_four_hints_and_none_is_destructive(profile: str) -> None:
    with lines(profile=profile) as client:
        tools = client.ask("tools/list")["tools"]
    for tool in tools:
        hints = tool["annotations"]
        assert hints.keys() == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}, tool["name"]
        assert hints["destructiveHint"] is hints["openWorldHint"] is False
    assert {tool["name"] for tool in tools if tool["annotations"]["readOnlyHint"]} >= {"query_ledger"}
    assert not [tool["name"] for tool in tools if tool["annotations"]["readOnlyHint"] and "record" in tool["name"]]


@pytest.mark.parametrize("profile", TOOLS)
def test_the_schemas_are_of_json_schema_and_leave_room_for_a_refusal(profile: str) -> None:
    with lines(profile=profile) as client:
        tools = client.ask("tools/list")["tools"]
    for tool in tools:
        for name in ("inputSchema", "outputSchema"):
            assert tool[name]["type"] == "object"
            Draft202012Validator.check_schema(tool[name])
        refusal = {"error": {"code": "failure", "message": "no"}}
        assert Draft202012Validator(tool["outputSchema"]).is_valid(refusal), tool["name"]


@pytest.mark.parametrize("profile", PROFILES)
def test_an_agent_can_learn_from_the_schema_what_a_step_may_say_about_its_undo(profile: str) -> None:
    with lines(profile=profile) as client:
        (plan,) = (tool for tool in client.ask("tools/list")["tools"] if tool["name"] == "record_plan")
    fields = plan["inputSchema"]["properties"]["steps"]["items"]["properties"]
    assert "changes nothing" in fields["effect"]["description"]
    assert {"read", "unsafe"} < set(fields["effect"]["enum"])
    assert {"undo", "cancellable", "needs_approval", "temporary", "undoes"} <= fields.keys()


@pytest.mark.parametrize("era", [HANDSHAKE, MODERN])
def test_every_answer_of_a_whole_story_keeps_to_the_schema_of_its_tool(era: str) -> None:
    with lines(era=era) as client:
        checked = _Checked(client)
        _story(checked)
    assert checked.tools == set(PROFILES["all"])


@pytest.mark.parametrize("code", REFUSALS)
def test_an_error_matches_the_output_schema_too(code: str, tmp_path: Path) -> None:
    with lines(f"sqlite://{tmp_path / 'journal.db'}") as client:
        checked = _Checked(client)
        way = next(iter(REFUSALS[code].values()))
        assert way(checked)["isError"]


def test_the_schema_check_notices_a_wrong_response() -> None:
    with lines() as client:
        checked = _Checked(client)
    for tool, content in (("record_plan", {"id": "pl_1"}), ("query_ledger", {"view": "brief"}), ("record_plan", {})):
        assert checked.problems(tool, content)


class _Checked(Lines):
    """A client that checks what each tool answers, as a strict client does."""

    def __init__(self, client: Lines) -> None:
        self.__dict__.update(client.__dict__)
        listed = client.ask("tools/list")["tools"]
        self._schemas = {tool["name"]: Draft202012Validator(tool["outputSchema"]) for tool in listed}
        self.tools: set[str] = set()

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = super().call(tool, **arguments)
        self.tools.add(tool)
        assert not self.problems(tool, result["structuredContent"]), result
        return result

    def problems(self, tool: str, content: dict[str, Any]) -> list[str]:
        return [error.message for error in self._schemas[tool].iter_errors(content)]


def _story(client: Lines) -> None:
    """A plan that fails half-way, is doubted, settled and unwound; and a look at everything, in both lengths."""
    plan = client.result_of("record_plan", title="Move the site", goal="a new home", steps=PLAN)
    execution = client.result_of("record_execution_start", plan_id=plan["id"])["id"]
    _act(client, "cp", "copy", "ok", result={"path": "new/site"}, undo="rm new/site")
    _act(client, "switch", "switch", "unknown")
    doubted = client.result_of("query_ledger", view="in_doubt")["in_doubt"][0]["action_id"]
    seen = "the name still points at the old host"
    client.result_of(
        "record_action", phase="end", action_id=doubted, outcome="failed", summary="it did not", evidence=seen
    )
    client.result_of("record_action", phase="note", summary="the old host answers slowly", confidence=0.5)
    client.result_of("record_context", key="host", value={"name": "old"}, type="finding", scope="execution")
    arguments = {"question": "Shall I tell them?", "options": ["yes", "no"], "tool": "mail", "arguments": {"to": "all"}}
    client.result_of("record_decision", decision="ask_human", why="it cannot be taken back", **arguments)
    owed = client.result_of("record_decision", decision="unwind", why="the switch failed")["owed"]
    _act(client, "rm", "", "ok", kind="undo", undoes=owed[0]["action_id"])
    client.result_of("record_decision", decision="fail", why="unwound")
    for view in VIEWS:
        for detail in ("concise", "detailed"):
            client.result_of("query_ledger", view=view, detail=detail)
    client.result_of("query_ledger", view="status", execution_id=execution)
    client.result_of("query_ledger", view="journal", q="host", limit=1)
    client.result_of("query_ledger", view="context", execution_id=execution, filter="key:host scope:execution")


def _act(client: Lines, tool: str, step: str, outcome: str, result: Any = None, **more: Any) -> None:
    begun = client.result_of("record_action", phase="begin", tool=tool, step=step or None, summary=tool, **more)["id"]
    ended = {"action_id": begun, "outcome": outcome, "result": result}
    client.result_of("record_action", phase="end", summary=f"{tool} ended", **ended)


def _answers(profile: str, folder: Path, seed: str) -> bytes:
    """The output of a new server on a new journal."""
    url = f"sqlite://{folder}.db"
    command = [str(TALLYSTICK), "mcp", "--url", url, "--journal", "tests", "--tools", profile]
    done = subprocess.run(command, input=HELLO, env={"PYTHONHASHSEED": seed}, capture_output=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def test_several_finished_actions_are_recorded_in_one_call() -> None:
    with lines() as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        actions = [{"tool": "write", "arguments": {"path": path}, "undo": f"delete {path}"} for path in "abc"]
        made: dict[str, Any] = {"phase": "done", "summary": "wrote it", "execution_id": execution, "key": "once"}
        result = client.result_of("record_action", **made, actions=[*actions, {"tool": "rm", "outcome": "failed"}])
        again = client.result_of("record_action", **made, actions=[*actions, {"tool": "rm", "outcome": "failed"}])
        assert (len(result["receipts"]), again["id"], again["repeated"]) == (4, result["id"], True)
        listed = client.result_of("query_ledger", view="undo_list", execution_id=execution)["items"]
        assert [item["tool"] for item in listed] == ["rm", "write", "write", "write"]
        assert {item["summary"] for item in listed} == {"wrote it"}
        for wrong, field in (
            ({"actions": []}, "actions"),
            ({"actions": ["x"]}, "actions"),
            ({"actions": actions, "phase": "begin"}, "phase"),
            ({"actions": actions, "tool": "x"}, "tool"),
        ):
            refused = client.call("record_action", **{"phase": "done", "summary": "x", **wrong})
            assert refused["structuredContent"]["error"]["field"] == field


def test_several_finished_actions_are_answered_without_hashes_and_with_the_next_call() -> None:
    steps = [{"id": name, "title": name, "undo": f"undo {name}"} for name in ("one", "two", "three")]
    with lines() as client:
        client.result_of("record_plan", title="work", steps=steps, start=True)
        done = client.call("record_action", phase="done", summary="did it", actions=[{"step": "one"}])
        assert done["structuredContent"]["next"] == "two"
        assert "hash" not in str(done)
        receipt = done["structuredContent"]["receipts"][0]
        assert f"receipts (1):\n- id={receipt['id']} step=one state=ok\nNext: two" in done["content"][0]["text"]
        failed = [{"step": "two", "outcome": "failed"}, {"tool": "look", "effect": "read"}]
        result = client.result_of("record_action", phase="done", summary="tried it", actions=failed)
        assert result["next"].startswith("the plan leaves it to you: decide retry")
        detailed = client.result_of("record_action", phase="done", summary="x", actions=failed[1:], detail="detailed")
        assert detailed["receipts"][0]["hash"].startswith("s1:")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"actions": [{"summary": "x"}, {"summary": "y", "outcome": "well"}]}, "actions[1]: "),
        ({"actions": [{"summary": "x"}], "outcome": "ok"}, "outcome does not go with actions"),
    ],
)
def test_a_refused_list_of_actions_is_refused_in_its_own_words(more: dict[str, Any], said: str) -> None:
    with lines() as client:
        client.result_of("record_execution_start", title="work")
        refused = client.call("record_action", phase="done", summary="did it", **more)
        text = refused["content"][0]["text"]
        assert said in text
        assert "record_action(outcome=...)" not in text
        if "outcome" not in more:
            assert refused["structuredContent"]["error"]["field"] == "actions[1].outcome"
