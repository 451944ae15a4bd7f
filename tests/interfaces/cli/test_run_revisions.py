"""`tallystick run` with what was missing or mended: results, a changed plan file, a template that cannot run."""

import re

from tests.interfaces.cli.test_run import Folder, folder

__all__ = ["folder"]


def test_the_commands_for_a_step_whose_result_is_needed_ask_for_it(folder: Folder) -> None:
    asked = {"id": "choose", "by": "person", "title": "Choose", "after": []}
    lost = {"id": "lose", "tool": "act", "arguments": {"name": "a", "error": "lost"}, "undo": "none", "after": []}
    names = ("choose", "lose")
    users = [
        {"id": f"use_{name}", "tool": "act", "arguments": {"name": f"${{steps.{name}.result}}"}, "after": [name]}
        for name in names
    ]
    needed = folder.run(folder.plan(asked, lost, *users)).stdout
    assert "--step choose --outcome ok --result" in needed
    assert re.search(r"settle .* --outcome ok --evidence \"...\" --result", needed)
    assert "--result" not in folder.run(folder.plan(asked, lost, name="other.json")).stdout


def test_an_open_run_goes_on_with_a_mended_file(folder: Folder) -> None:
    call = {"tool": "act", "undo": "none"}
    first = {"id": "a", **call, "arguments": {"name": "a"}}
    wrong = {"id": "b", **call, "arguments": {"name": "b", "error": "failed"}}
    folder.run(folder.plan(first, wrong))
    execution = folder.shell("list", "executions", "-q").stdout.strip()
    plan = folder.plan(first, wrong | {"arguments": {"name": "c"}}, {**call, "id": "d", "arguments": {"name": "d"}})
    refused = folder.run(plan)
    assert "with this plan if you name the file too" in refused.stderr
    unknown = folder.plan({**first, "tool": "nothing"}, name="wrong.json")
    assert folder.run(unknown, "--resume", execution).exit_code == 2
    for _ in range(2):  # the second time it is the plan already
        assert "record decision retry" in folder.run(plan, "--resume", execution).stdout
    assert "revision 2" in folder.shell("show", execution).stdout
    folder.shell("record", "decision", "retry", "--execution-id", execution, "--step", "b", "--why", "mended")
    assert folder.run(plan).exit_code == 0
    assert folder.effects == ["a", "b", "c", "d"]
    assert "takes no other plan" in folder.run(plan, "--resume", execution).stderr


def test_a_template_that_can_never_run_is_not_recorded(folder: Folder) -> None:
    first = {"id": "a", "tool": "elsewhere", "undo": "none", "after": []}
    second = {**first, "id": "b", "arguments": {"x": "${steps.a.result}"}}
    refused = folder.shell("template", "add", folder.plan(first, second))
    assert refused.exit_code == 2
    assert '"a" does not come before "b"' in refused.stderr
    assert folder.shell("template", "add", folder.plan(first, second | {"after": ["a"]})).exit_code == 0
