"""What a policy allows `shell`, `http` and plans: anything else is found before the start, and never called."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.runner.checks import check_file
from tallystick.runner.tools.registry import ToolRegistry, load_closed_registry, load_registry
from tallystick.runner.tools.tool import CallContext

CALL = CallContext(execution="ex", step="a", attempt=1, idempotency_key="k")
OWN = "/usr/bin/env"


def closed(folder: Path, **policy: Any) -> ToolRegistry:
    file = folder / "policy.json"
    file.write_text(json.dumps(policy))
    return load_closed_registry(policy=str(file))


def problems(tools: ToolRegistry, tool: str, **arguments: Any) -> list[str]:
    steps = [{"id": "a", "tool": tool, "arguments": arguments}]
    return [str(each) for each in check_file({"title": "t", "steps": steps}, tools, {})]


def called(tools: ToolRegistry, tool: str, **arguments: Any) -> Any:
    async def call() -> Any:
        return await tools.require(tool).call(arguments, CALL)

    return asyncio.run(call())


def test_shell_and_http_are_no_tools_of_a_server_or_a_worker_unless_a_policy_lists_what_they_call(
    tmp_path: Path,
) -> None:
    assert [tool.name for tool in closed(tmp_path)] == []
    assert [tool.name for tool in closed(tmp_path, http={"allow": ["localhost"]}, shell={"lines": True})] == []
    assert [tool.name for tool in closed(tmp_path, http={"only": ["a.example"]}, shell={"only": []})] == [
        "shell",
        "http",
    ]
    (found,) = problems(closed(tmp_path), "shell", command=["id"])
    assert "steps.a.tool" in found
    assert "`only` under [shell] in the policy file" in found


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"command": ["rm", "-r", "/"]}, 'command: The program "rm" is not allowed here. Allowed are: echo'),
        ({"command": "echo hi"}, "command: Lines for /bin/sh are not allowed here. Give the command as a list"),
        ({"command": ["/tmp/echo"]}, 'The program "/tmp/echo" is not allowed'),
        ({"command": ["./echo"]}, 'The program "./echo" is not allowed'),
        ({"command": []}, 'The program "" is not allowed'),
        ({"command": ["echo"], "env": {"PATH": "/tmp"}}, 'env: The variable "PATH" may not be set here'),
        ({"command": ["echo"], "env": {"LD_PRELOAD": "/tmp/x.so"}}, 'The variable "LD_PRELOAD" may not be set'),
        ({"command": ["echo"], "env": {"TALLY_VALUE_1": "x"}}, 'The variable "TALLY_VALUE_1" may not be set'),
    ],
)
def test_shell_calls_only_the_programs_that_are_listed(tmp_path: Path, arguments: Any, problem: str) -> None:
    tools = closed(tmp_path, shell={"only": ["echo", OWN], "env": ["GREETING"]})
    (found,) = problems(tools, "shell", **arguments)
    assert problem in found
    answer = called(tools, "shell", **arguments)
    assert (answer.category, problem.partition("Allowed")[0].partition(": ")[2] in answer.error) == ("not_done", True)


def test_a_program_that_is_a_reference_is_refused_before_the_start(tmp_path: Path) -> None:
    tools = closed(tmp_path, shell={"only": ["echo"]})
    steps = [{"id": "a", "tool": "shell", "arguments": {"command": ["${parameters.what}"]}}]
    plan = {"title": "t", "steps": steps, "parameters": {"properties": {"what": {"type": "string"}}}}
    (found,) = check_file(plan, tools, {"what": "echo"})
    assert "is not allowed here" in str(found)


def test_a_listed_program_gets_its_arguments_and_none_of_our_own_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALLYSTICK_TOKEN", "a-token-of-the-server")
    tools = closed(tmp_path, shell={"only": ["echo", OWN], "env": ["GREETING"]})
    assert problems(tools, "shell", command=["echo", "a; id", "$(id)"]) == []
    assert called(tools, "shell", command=["echo", "a; id", "$(id)"]).result["stdout"] == "a; id $(id)\n"
    shown = called(tools, "shell", command=[OWN], env={"GREETING": "hello"}).result["stdout"]
    assert "GREETING=hello" in shown
    assert "a-token-of-the-server" not in shown


def test_a_policy_may_permit_lines_for_the_shell_and_their_references(tmp_path: Path) -> None:
    tools = closed(tmp_path, shell={"only": [], "lines": True})
    filled = tools.require("shell").fill({"command": "echo ${parameters.a}"}, {"parameters": {"a": "x; id"}}, "a")
    assert called(tools, "shell", **filled).result["stdout"] == "x; id\n"
    (found,) = problems(tools, "shell", command=["echo"])
    assert "Allowed are: none" in found


@pytest.mark.parametrize("name", ["", "./deploy.sh", "bin/deploy"])
def test_a_program_that_depends_on_the_folder_cannot_be_listed(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidArgument, match="is not a program"):
        closed(tmp_path, shell={"only": [name]})


def test_http_asks_only_the_hosts_that_are_listed(tmp_path: Path) -> None:
    tools = closed(tmp_path, http={"only": ["api.example"]})
    assert problems(tools, "http", url="https://api.example/v1") == []
    for url in ("https://other.example/v1", "https://api.example.evil/", "https://api.example@evil.example/"):
        (found,) = problems(tools, "http", url=url)
        assert "steps.a.arguments.url" in found
        assert "`only` under [http]" in found
        assert called(tools, "http", url=url).category == "not_done"


def test_a_secret_and_the_context_are_refused_before_the_start_and_when_a_step_is_due(tmp_path: Path) -> None:
    tools = closed(tmp_path, shell={"only": ["echo"]}, secrets=["ALLOWED"])
    (found,) = problems(tools, "shell", command=["echo", "secret://HOME"])
    assert "The secret HOME is not allowed here" in found
    steps: Any = [
        {"id": "a", "tool": "shell", "arguments": {"command": ["echo", "secret://${parameters.name}"]}},
        {"id": "b", "tool": "shell", "after": [], "arguments": {"command": ["echo", "hi"]}},
    ]
    with Journal.open("memory:") as journal:
        plan = {"title": "t", "steps": steps, "parameters": {"properties": {"name": {"type": "string"}}}}
        run = journal.run(plan, tools=tools, parameters={"name": "HOME"})
        assert "The secret HOME is not allowed here" in run.failed["a"]
        recorded: Any = [{"title": "c", "undo": "no", **steps[1], "arguments": {"command": ["echo", "${context.x}"]}}]
        execution = journal.run_plan(plan_id=journal.record_plan(title="c", steps=recorded).id, engine="caller").id
        again = journal.run(execution, tools=tools, execution=execution)
        assert "plans may not use the context here" in again.failed["b"]


def test_a_command_of_a_person_has_everything_unless_its_policy_limits_it(tmp_path: Path) -> None:
    tools, _ = load_registry()
    assert problems(tools, "shell", command="echo ${context.x}") == []
    (tmp_path / "p.toml").write_text('[shell]\nonly = ["echo"]\n')
    limited, _ = load_registry(policy=str(tmp_path / "p.toml"))
    assert len(problems(limited, "shell", command=["id"])) == 1
