"""Shell tools of OpenAI Agents in this process: commands, ids and outcomes."""

import asyncio
import logging
from typing import Any

import pytest
from agents import Agent, LocalShellTool, Runner, ShellCallOutcome, ShellCommandOutput, ShellResult, ShellTool
from openai.types.responses import ResponseFunctionShellToolCall
from openai.types.responses.response_output_item import LocalShellCall, LocalShellCallAction

from tallystick import Journal
from tests.integrations.test_openai_agents import Scripted, Wired
from tests.integrations.world import World, actions_of, facts

pytestmark = pytest.mark.usefixtures("no_processors")


def _local(id: str, *command: str) -> Any:
    action = LocalShellCallAction(type="exec", command=list(command), env={})
    return LocalShellCall(id=id, call_id=id, type="local_shell_call", status="completed", action=action)


def _shell(id: str, *commands: str) -> Any:
    action: Any = {"commands": list(commands)}
    return ResponseFunctionShellToolCall(id=id, call_id=id, type="shell_call", status="completed", action=action)


def _agent(tool: Any, *calls: Any) -> Agent[Any]:
    return Agent(name="clerk", model=Scripted(list(calls)), tools=[tool])


def _exits(code: int | None, kind: Any = "exit") -> Any:
    payload = ShellCommandOutput(command="make", stdout="", stderr="no", outcome=ShellCallOutcome(kind, code))
    return lambda _: ShellResult(output=[payload])


def _breaks(_: Any) -> str:
    raise RuntimeError("no shell")


@pytest.mark.parametrize("way", ["both", "hooks", "untraced"])
@pytest.mark.parametrize(
    ("executor", "outcome"),
    [
        (_exits(0), "ok"),
        (_exits(1), "failed"),
        (_exits(None, "timeout"), "unknown"),
        (_breaks, "failed"),
        (lambda _: "printed", "unknown"),
    ],
    ids=["exit 0", "exit 1", "timeout", "raises", "no exit code"],
)
def test_a_command_is_recorded_with_its_id_and_by_its_exit_code(
    journal: Journal, way: str, executor: Any, outcome: str
) -> None:
    Wired(way, journal).run(_agent(ShellTool(executor=executor), _shell("s1", "make")))
    assert [(each.tool, each.arguments, each.call, each.outcome) for each in actions_of(journal)] == [
        ("shell", {"commands": ["make"]}, "s1", outcome)
    ]


def test_the_trace_alone_leaves_a_command_in_doubt(journal: Journal) -> None:
    Wired("processor", journal).run(_agent(ShellTool(executor=_exits(1)), _shell("s1", "make")))
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("shell", "unknown")]


@pytest.mark.parametrize("way", ["both", "untraced"])
def test_local_shells_at_the_same_time_stay_apart_and_no_processor_fails(
    journal: Journal, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        Wired(way, journal).run(
            _agent(LocalShellTool(executor=lambda _: "done"), _local("s1", "rm", "a"), _local("s2", "rm", "b"))
        )
    assert not caplog.records
    assert [(each.arguments, each.call, each.outcome) for each in actions_of(journal)] == [
        ({"command": ["rm", "a"]}, "s1", "unknown"),
        ({"command": ["rm", "b"]}, "s2", "unknown"),
    ]


def test_a_local_shell_that_raises_failed(journal: Journal) -> None:
    with pytest.raises(RuntimeError):
        Wired("both", journal).run(_agent(LocalShellTool(executor=_breaks), _local("s1", "rm", "a")))
    assert facts(journal) == [("local_shell", {"command": ["rm", "a"]}, "failed", "RuntimeError: no shell")]


def test_a_local_shell_that_is_cancelled_is_in_doubt(journal: Journal, world: World) -> None:
    async def hangs(_: Any) -> str:
        await world.hang()
        return ""

    wired = Wired("both", journal)
    asyncio.run(
        world.cut_off(
            Runner.run(_agent(LocalShellTool(executor=hangs), _local("s1", "rm", "a")), "go", hooks=wired.hooks)
        )
    )
    assert [each.outcome for each in actions_of(journal)] == ["unknown"]


def test_a_run_without_hooks_is_not_recorded_although_the_tool_is_shared(journal: Journal) -> None:
    tool = ShellTool(executor=_exits(0))
    wired = Wired("untraced", journal)
    wired.run(_agent(tool, _shell("s1", "make")))
    asyncio.run(Runner.run(_agent(tool, _shell("s2", "make")), "go", run_config=wired.config))
    assert [each.call for each in actions_of(journal)] == ["s1"]


def test_strict_refuses_a_command_that_cannot_be_recorded(unwritable: Journal) -> None:
    ran: list[Any] = []

    def runs(request: Any) -> str:
        ran.append(request)
        return ""

    Wired("both", unwritable, strict=True).run(_agent(ShellTool(executor=runs), _shell("s1", "make")))
    assert not ran
