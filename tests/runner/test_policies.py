"""A policy that would have no effect is refused: a misspelt tool, resource or field."""

from pathlib import Path
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, tool
from tallystick.runner.checks import check_file
from tallystick.runner.tools.registry import (
    Policy,
    ResourcePolicy,
    ToolPolicy,
    ToolRegistry,
    load_closed_registry,
    load_policy,
    load_registry,
)

PLAN: dict[str, Any] = {"title": "t", "steps": [{"id": "a", "tool": "charge", "resource": "bank"}]}


@tool
def charge() -> None: ...


@pytest.mark.parametrize(
    ("content", "message", "fix"),
    [
        ("[tools.shell]\ntime_out = 5\n", '[tools.shell]: there is no field "time_out"', "timeout"),
        ("[tools.shell]\nat_most = 0\n", "[tools.shell]: at_most", "Correct it"),
        ("[tools.shell]\neffect = 'reads'\n", 'effect "reads" is not allowed', "read"),
        ("[tools]\nshell = 3\n", "[tools.shell] is no table", "timeout"),
        ("[resources.bank]\nat_mots = 1\n", '[resources.bank]: there is no field "at_mots"', "at_most"),
        ("[resource.bank]\nat_most = 1\n", 'there is no field "resource"', "resources"),
        ("[http]\nalow = []\n", 'there is no field "http.alow"', "allow"),
        ("unwnd = 'ask'\n", 'there is no field "unwnd"', "unwind"),
        ("tools = 3\n", "tools: expected an object", "Correct it"),
        ("[tools.shel]\ntimeout = 5\n", 'the tool "shel", which is not registered', "[tools.shell]"),
        ("[tools.pay]\ntimeout = 5\n", 'the tool "pay", which is not registered', "optional = true"),
    ],
)
def test_a_mistake_in_a_policy_is_refused_with_the_nearest_name(
    tmp_path: Path, content: str, message: str, fix: str
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(content)
    with pytest.raises(InvalidArgument) as refused:
        load_registry(policy=str(file))
    assert message in refused.value.message
    assert fix in refused.value.hint


def test_a_limit_on_a_built_in_tool_that_a_worker_lacks_is_refused_with_the_list_to_write(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    for name, listed in {"shell": "programs", "http": "hosts"}.items():
        file.write_text(f"[tools.{name}]\ntimeout = 5\n")
        with pytest.raises(InvalidArgument) as refused:
            load_closed_registry(policy=str(file))
        assert f"Name the {listed} that it may call: `only = [...]` under [{name}]." in refused.value.hint


def test_a_tool_that_only_other_machines_have_is_optional(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(
        "[tools.pay]\nneeds_approval = true\noptional = true\n[tools.shell]\ntimeout = 5\noptional = true\n"
    )
    registry, _ = load_registry(policy=str(file))
    shell = registry.get("shell")
    assert shell is not None
    assert shell.timeout == 5
    assert load_policy(file).tools["pay"].needs_approval


def test_the_policy_of_a_call_is_held_against_its_tools() -> None:
    policy = Policy(tools={"chrge": ToolPolicy(needs_approval=True)})
    with Journal.open("memory:") as journal, pytest.raises(InvalidArgument, match=r"\[tools.charge\]"):
        journal.run(PLAN, tools=[charge], policy=policy)


def test_a_limit_on_a_resource_with_a_similar_name_is_found_with_the_plan() -> None:
    for name, problems in (("bnak", 1), ("bank", 0), ("gpu", 0), ("bank2", 0)):
        registry = ToolRegistry([charge], Policy(resources={name: ResourcePolicy(at_most=1)}))
        found = check_file(PLAN, registry)
        assert [each.place for each in found] == ["steps.a.resource"] * problems, found
