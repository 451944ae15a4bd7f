"""`tallystick run` and `tallystick tools`: what they call, print and exit with, and how a run goes on."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal, StorageUnavailable
from tallystick.interfaces.cli import Result
from tallystick.interfaces.cli.commands.run import parse_values
from tests.interfaces.cli.conftest import Shell

TIMEOUT_SECONDS = 60
TOOLS = """
from pathlib import Path
from tallystick import Retry, ToolError, tool

LOG = Path(__file__).with_name("log")

@tool
def act(name: str, error: str = "") -> str:
    with LOG.open("a") as log:
        log.write(name + "\\n")
    if error:
        raise ToolError("on purpose", error)
    return name

@tool(effect="read", retry=Retry(3), timeout=30, at_most=4, per_second=100, resource="bank")
def count(text: str, base: int = 10) -> int:
    "Count the letters."
    return len(text)
"""


class Folder:
    """A folder with plans and tools, and the command `run` in it."""

    def __init__(self, path: Path, shell: Shell) -> None:
        self.path = path
        self.shell = shell
        (path / "tools.py").write_text(TOOLS)

    def plan(self, *steps: dict[str, Any], name: str = "plan.json", **fields: Any) -> str:
        file = self.path / name
        file.write_text(json.dumps({**fields, "steps": steps}))
        return str(file)

    def run(self, plan: str, *more: str) -> Result:
        return self.shell("run", plan, "--tools", str(self.path / "tools.py"), *more)

    @property
    def effects(self) -> list[str]:
        log = self.path / "log"
        return log.read_text().split() if log.exists() else []


@pytest.fixture
def folder(tmp_path: Path, shell: Shell) -> Folder:
    return Folder(tmp_path, shell)


def step(id: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "tool": "act", "after": [], "arguments": {"name": id} | fields.pop("arguments", {}), **fields}


def command(output: str, words: str) -> list[str]:
    """The command in an output that holds these words, as it is typed."""
    (line,) = [line for line in output.splitlines() if words in line]
    return shlex.split(line[line.index("tallystick ") :])[1:]


def test_a_plan_is_carried_out_and_each_step_has_its_lines(folder: Folder) -> None:
    plan = folder.plan(
        step("a", arguments={"name": "${parameters.who}"}),
        {"id": "b", "tool": "shell", "after": ["a"], "arguments": {"command": "echo ${steps.a.result}"}},
        title="Greet",
    )
    done = folder.run(plan, "--set", "who=Ada")
    assert done.exit_code == 0
    assert re.fullmatch(r'ex_\w+ "Greet": completed, 2 of 2 steps done, \d+\.\d s\.\n', done.stdout)
    first, *lines = done.stderr.splitlines()
    assert first.startswith("Started ex_")
    assert [line.split()[2:4] for line in lines] == [["a", "begun"], ["a", "done"], ["b", "begun"], ["b", "done"]]
    assert folder.effects == ["Ada"]


def test_a_parameter_that_is_left_out_has_its_default(folder: Folder) -> None:
    parameters = {"properties": {"who": {"type": "string", "default": "Eve"}}}
    plan = folder.plan(step("a", arguments={"name": "${parameters.who}"}), parameters=parameters)
    assert '"Eve"' in folder.run(plan, "--dry-run").stdout
    assert (folder.run(plan).exit_code, folder.run(plan, "--set", "who=Ada").exit_code) == (0, 0)
    assert folder.effects == ["Eve", "Ada"]


def test_what_is_held_is_settled_by_the_command_that_is_printed(folder: Folder) -> None:
    plan = folder.plan(step("a", arguments={"error": "lost"}), step("b", after=["a"]))
    held = folder.run(plan)
    assert held.exit_code == 5
    assert "no probe can look for it" in held.stdout
    again = folder.run(plan)
    assert (again.exit_code, folder.effects) == (5, ["a"])
    assert again.stderr.startswith("Going on with ex_")
    folder.shell.output(*command(held.stdout, "if it happened"))
    over = folder.shell(*command(held.stdout, "Go on"))
    assert (over.exit_code, folder.effects) == (0, ["a", "b"])


def test_a_new_run_names_the_doubt_of_another_run_that_holds_its_step(folder: Folder) -> None:
    plan = folder.plan(step("a", arguments={"error": "lost"}), step("b", after=["a"]))
    first = folder.run(plan)
    action, execution = (re.search(rf"{kind}_\w+", first.stdout)[0] for kind in ("ac", "ex"))  # type: ignore[index]
    held = folder.run(plan, "--new")
    assert (held.exit_code, folder.effects) == (5, ["a"])
    assert f"a  {action}  no probe can look for it. The same call is in doubt as {action} of {execution}" in held.stdout
    summary = json.loads(folder.run(plan, "--new", "--json").stdout.splitlines()[-1])
    assert [(note["step"], note["id"]) for note in summary["held"]] == [("a", action)]
    folder.shell.output(*command(held.stdout, "if it did not"))
    folder.shell(*command(held.stdout, "Go on"))
    assert folder.effects == ["a", "a"]


def test_what_waits_names_its_question_and_goes_on_with_the_same_command(folder: Folder, shell: Shell) -> None:
    plan = folder.plan(step("a", needs_approval=True), step("b"))
    waiting = folder.run(plan)
    assert (waiting.exit_code, folder.effects) == (5, ["b"])
    assert 'Carry out step "a" with act?' in waiting.stdout
    secret = shell.json("credential", "add", "ann")["secret"]
    shell.output(*command(waiting.stdout, "a person answers"), "--credential", secret)
    over = folder.run(plan)
    assert (over.exit_code, folder.effects) == (0, ["b", "a"])
    assert folder.run(plan).stderr.startswith("Started ex_")


@pytest.mark.parametrize("by", ["agent", "person"])
def test_a_step_of_somebody_else_is_done_with_the_command_that_is_printed(
    folder: Folder, shell: Shell, by: str
) -> None:
    plan = folder.plan({"id": "a", "by": by, "title": "Tell them"}, step("b", after=["a"]))
    waiting = folder.run(plan)
    assert (waiting.exit_code, folder.effects) == (5, [])
    shell.output(*command(waiting.stdout, "when it is done"))
    assert (folder.run(plan).exit_code, folder.effects) == (0, ["b"])


@pytest.mark.parametrize(
    ("label", "effects"),
    [("if it was this step", ["c"]), ("to make the call again", ["b", "c"]), ("to leave the step out", ["c"])],
)
def test_a_step_whose_call_was_recorded_without_it_goes_on_with_the_command_that_is_printed(
    folder: Folder, shell: Shell, label: str, effects: list[str]
) -> None:
    plan = folder.plan({"id": "a", "by": "agent", "after": []}, step("b", after=["a"]), step("c", after=["b"]))
    execution = json.loads(folder.run(plan, "--json").stdout)["execution_id"]
    about = ("record", "action", "done", "--execution-id", execution, "--outcome", "ok")
    made = shell.json(*about, "--tool", "act", "--arguments", '{"name": "b"}')["id"]
    shell.output(*about, "--step", "a")
    waiting = folder.run(plan)
    assert (waiting.exit_code, folder.effects) == (5, [])
    assert f"the same call was recorded as {made}, and not as this step" in waiting.stdout
    assert re.search(rf"  b +waiting +ap_\w+: Recorded without the step: .*\[{made} as b\]", waiting.stderr)
    shell.output(*command(waiting.stdout, label))
    assert (folder.run(plan).exit_code, folder.effects) == (0, effects)


def test_what_failed_is_tried_again_with_the_command_that_is_printed(folder: Folder, shell: Shell) -> None:
    plan = folder.plan(step("a", arguments={"error": "failed"}), step("b", after=["a"]))
    failed = folder.run(plan)
    assert (failed.exit_code, folder.effects) == (1, ["a"])
    assert "on purpose" in failed.stdout
    shown = folder.run(plan).stdout
    assert "on purpose" in shown
    shell.output(*command(shown, "try it again"))
    assert (folder.run(plan).exit_code, folder.effects) == (1, ["a", "a"])
    shell.output(*command(shown, "leave it out"))
    assert (folder.run(plan).exit_code, folder.effects) == (0, ["a", "a", "b"])


def test_a_run_that_waits_for_an_answer_is_shown_as_waiting_and_not_as_running(folder: Folder, shell: Shell) -> None:
    run = json.loads(folder.run(folder.plan(step("a", needs_approval=True)), "--json").stdout)["execution_id"]
    assert "waiting for a person (running)" in shell.output("status", run)
    found = json.loads(shell.output("get", "inbox", "--json"))
    assert (found["working_count"], [each["need"] for each in found["items"]]) == (0, ["question_waits"])


def test_a_failure_that_ends_the_run_shows_what_is_owed(folder: Folder) -> None:
    plan = folder.plan(
        step("a", undo="take it back"),
        step("b", after=["a"], arguments={"error": "failed"}, failure_policy="cancel_all", undo="nothing"),
    )
    failed = folder.run(plan)
    assert failed.exit_code == 1
    assert ": failed, 1 of 2 steps done" in failed.stdout
    assert "take it back" in folder.shell.output(*command(failed.stdout, "Owed (2)"))
    assert "Go on" not in failed.stdout


def test_a_failure_is_asked_about_and_unwound_with_the_command_that_is_printed(folder: Folder, shell: Shell) -> None:
    undo = {"tool": "act", "arguments": {"name": "back"}}
    plan = folder.plan(step("a", undo=undo), step("b", after=["a"], arguments={"error": "not_done"}, undo="nothing"))
    asked = folder.run(plan, "--unwind", "ask")
    assert (asked.exit_code, folder.effects) == (1, ["a", "b"])
    assert "try it again" not in asked.stdout
    assert folder.run(plan, "--unwind", "never").exit_code == 5
    secret = shell.json("credential", "add", "ann")["secret"]
    shell.output(*command(asked.stdout, "to unwind:"), "--credential", secret)
    over = folder.run(plan)
    assert (over.exit_code, folder.effects) == (1, ["a", "b", "back"])
    assert ": cancelled, 1 of 2 steps done" in over.stdout
    assert "Undone: 1." in over.stdout
    assert [line.split()[2:6] for line in over.stderr.splitlines()[-2:]] == [
        ["undo", "of", "a", "begun"],
        ["undo", "of", "a", "done"],
    ]


def test_a_question_about_a_failure_takes_only_its_options_and_decisions_lead_on_after_a_reject(
    folder: Folder, shell: Shell
) -> None:
    undo = {"tool": "act", "arguments": {"name": "back"}}
    plan = folder.plan(step("a", undo=undo), step("b", after=["a"], arguments={"error": "not_done"}, undo="nothing"))
    asked = folder.run(plan, "--unwind", "ask")
    secret = shell.json("credential", "add", "ann")["secret"]
    approval = re.findall(r"ap_\w+", asked.stdout)[0]
    answer = ("decide", "approval", approval, "--credential", secret, "--verdict")
    for words in (("respond", "--answer", "maybe"), ("approve",)):
        refused = shell(*answer, *words)
        assert (refused.exit_code, "retry, skip, unwind, stop" in refused.stderr) == (2, True)
    shell.output(*answer, "reject")
    again = folder.run(plan)
    assert "record decision retry" in again.stdout
    assert "record decision skip" in again.stdout
    shell.output(*command(again.stdout, "to undo what was done:"))
    over = folder.run(plan)
    assert (": cancelled" in over.stdout, folder.effects) == (True, ["a", "b", "back"])


def test_an_undo_whose_outcome_is_unknown_is_held_and_settled(folder: Folder, shell: Shell) -> None:
    undo = {"tool": "act", "arguments": {"name": "back", "error": "lost"}}
    plan = folder.plan(step("a", undo=undo), step("b", after=["a"], arguments={"error": "not_done"}))
    held = folder.run(plan, "--unwind", "on-failure")
    assert (held.exit_code, folder.effects) == (1, ["a", "b", "back"])
    assert "\n  undo of a  ac_" in held.stdout
    assert "\n  undo of a  ac_" in folder.run(plan).stdout
    shell.output(*command(held.stdout, "if it happened"))
    over = folder.run(plan)
    assert (over.exit_code, folder.effects) == (1, ["a", "b", "back"])
    assert ": cancelled" in over.stdout


def test_a_run_with_a_list_goes_on_with_the_same_command(folder: Folder, shell: Shell) -> None:
    each = step("a", for_each=["x", "y"], arguments={"name": "${item}"}, needs_approval=True)
    plan = folder.plan(each, step("b", after=["a"]))
    first = json.loads(folder.run(plan, "--json").stdout)
    again = json.loads(folder.run(plan, "--json").stdout)
    assert first["execution_id"] == again["execution_id"]
    assert [note["step"] for note in again["waiting"]] == ["a.1", "a.2"]


def test_a_paused_run_says_so_and_goes_on_when_it_is_resumed(folder: Folder, shell: Shell) -> None:
    plan = folder.plan(step("a", needs_approval=True), step("b", after=["a"]))
    execution = json.loads(folder.run(plan, "--json").stdout)["execution_id"]
    shell.output("record", "decision", "pause", "--execution-id", execution, "--why", "lunch")
    paused = folder.run(plan)
    assert (paused.exit_code, folder.effects) == (5, [])
    shell.output(*command(paused.stdout, "to resume"))
    assert "it was paused" not in folder.run(plan).stdout


def test_json_has_the_summary_and_quiet_only_the_handle(folder: Folder) -> None:
    plan = folder.plan(step("a", arguments={"error": "lost"}))
    found = folder.run(plan, "--json")
    summary = json.loads(found.stdout)
    assert (found.stderr, summary["status"], summary["total"]) == ("", "running", 1)
    assert summary["held"][0]["step"] == "a"
    assert summary["held"][0]["commands"]["if it happened"].startswith("tallystick record decision settle")
    assert folder.run(plan, "-q").stdout == summary["execution_id"] + "\n"


def test_other_values_are_another_run_and_a_changed_plan_is_named(folder: Folder) -> None:
    steps = [step("a", arguments={"name": "${parameters.day}"}), step("b", needs_approval=True)]
    plan = folder.plan(*steps, title="Import")
    first, second = (json.loads(folder.run(plan, "--set", f"day={day}", "--json").stdout) for day in ("x", "y"))
    assert first["execution_id"] != second["execution_id"]
    assert folder.effects == ["x", "y"]
    folder.plan(*steps, step("c"), title="Import")
    refused = folder.run(plan, "--set", "day=x")
    assert refused.exit_code == 5
    assert f"tallystick run --resume {first['execution_id']}" in refused.stderr
    assert folder.run(plan, "--set", "day=x", "--new").exit_code == 5
    assert folder.effects == ["x", "y", "x", "c"] or folder.effects == ["x", "y", "c", "x"]


def test_a_key_is_the_same_run_also_after_its_end(folder: Folder) -> None:
    plan = folder.plan(step("a"))
    first = json.loads(folder.run(plan, "--key", "k", "--json").stdout)
    again = json.loads(folder.run(plan, "--key", "k", "--json").stdout)
    assert first["execution_id"] == again["execution_id"]
    assert folder.effects == ["a"]


def test_a_recorded_plan_is_run_by_its_handle(folder: Folder, shell: Shell) -> None:
    steps = [{"title": "a", "tool": "act", "arguments": {"name": "a"}, "cancellable": "irreversible"}]
    plan = shell.json("record", "plan", "--title", "t", "--steps", json.dumps(steps))["id"]
    assert (folder.run(plan).exit_code, folder.effects) == (0, ["a"])
    assert "act" in folder.run(plan, "--dry-run").stdout


def test_a_parameter_that_the_plan_does_not_have_is_refused_with_the_near_ones_first(folder: Folder) -> None:
    parameters = {"properties": {"where": {"type": "string"}, "who": {"type": "string", "default": "Eve"}}}
    plan = folder.plan(step("a"), parameters=parameters)
    refused = folder.run(plan, "--set", "whoo=Ada")
    assert (refused.exit_code, folder.effects) == (2, [])
    assert "The plan has no parameter whoo. It has: who, where." in refused.stderr


@pytest.mark.parametrize("option", ["--check", "--dry-run"])
def test_looking_first_calls_and_records_nothing(folder: Folder, shell: Shell, option: str) -> None:
    plan = folder.plan(
        step("a", arguments={"name": "${parameters.who}"}),
        step("b", after=["a"], arguments={"name": "${steps.a.result}"}),
    )
    shown = folder.run(plan, "--set", "who=Ada", option)
    assert (shown.exit_code, shown.stderr) == (0, "")
    if option == "--dry-run":
        assert '{"name": "Ada"}' in shown.stdout
        assert '{"name": "${steps.a.result}"}' in shown.stdout
    assert folder.effects == []
    assert shell.journal.read_entries().entries == ()


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("a=5", 5),
        ("a=true", True),
        ("a=text with spaces", "text with spaces"),
        ("a=", ""),
        ("a=007", "007"),
        ('a={"b": [1]}', {"b": [1]}),
        ("a={broken", "{broken"),
        ('a="5"', "5"),
        ("a=x=y", "x=y"),
        ("text=1.10", "1.10"),
        ("text=null", "null"),
    ],
)
def test_a_value_is_json_if_it_can_be_unless_the_plan_says_text(typed: str, value: Any) -> None:
    schema = {"properties": {"text": {"type": "string"}}, "additionalProperties": True}
    assert list(parse_values([typed], schema).values()) == [value]


def test_a_value_can_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text('{"b": 1}\n')
    (tmp_path / "v.txt").write_text("two\nlines\n")
    values = parse_values([f"a=@{tmp_path}/v.json", f"b=@{tmp_path}/v.txt"], {})
    assert values == {"a": {"b": 1}, "b": "two\nlines"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Give a file such as plan.yaml"),
        (["nothing.yaml"], "nothing.yaml cannot be read"),
        (["plan.json", "--set", "who"], "Write --set name=value"),
        (["plan.json", "--set", "a=1", "--set", "a=2"], "given twice"),
        (["plan.json", "--set", "a=@nothing"], '"nothing" cannot be read'),
        (["plan.json"], 'There is no tool "act"'),
        (["plan.json", "--tools", "missing.py"], "missing.py cannot be loaded"),
        (["plan.json", "--tools", "broken.py"], "NameError: name 'nonsense' is not defined (broken.py, line 2)"),
        (["plan.json", "--tools", "empty.py"], "Put @tool above its functions"),
        (["plan.json", "--policy", "bad.toml"], "bad.toml: there is no field"),
        (["broken.yaml"], "broken.yaml, line 1"),
        (["list.json"], "list.json holds a list"),
        (["pl_a", "--resume", "ex_x"], "a plan's id does not fit --resume"),
        (["--resume", "ex_none"], 'There is no execution "ex_none"'),
        (["plan.json", "--at-once", "0"], "--at-once"),
        (["plan.json", "--session", "x"], "No such option '--session'"),
    ],
)
def test_nonsense_is_refused_with_the_fix(
    folder: Folder, shell: Shell, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(folder.path)
    folder.plan(step("a"))
    for name, text in {
        "broken.py": "\nnonsense\n",
        "empty.py": "",
        "bad.toml": "[tool]\n",
        "broken.yaml": "steps: [}",
        "list.json": "[]",
    }.items():
        (folder.path / name).write_text(text)
    refused = shell("run", *arguments)
    assert refused.exit_code in (2, 5)
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr
    assert shell.journal.read_entries().entries == ()


def test_the_tools_are_listed_with_effects_limits_and_arguments(folder: Folder, shell: Shell) -> None:
    (folder.path / "policy.toml").write_text("[tools.act]\nneeds_approval = true\ntimeout = 5\n")
    given = ["tools", "--tools", str(folder.path / "tools.py"), "--policy", str(folder.path / "policy.toml")]
    rows = {line.split()[0]: line for line in shell.output(*given).splitlines()}
    assert {"shell", "http", "act", "count"} < set(rows)
    assert all(word in rows["count"] for word in ("read", "30 s", "4 at once, 100 a second", "text, base?", "tools.py"))
    assert all(word in rows["act"] for word in ("unsafe", "5 s", "needs approval", "name, error?"))
    found = {each["name"]: each for each in shell.json(*given)["tools"]}
    assert found["count"]["description"] == "Count the letters."
    assert found["count"]["retry"]["attempts"] == 3
    assert shell.output(*given, "-q").split() == list(found)


# ----------------------------------------------------------------------------------------------------------------------
# As a process

SLOW = """
import os, time
from pathlib import Path
from tallystick import tool

FOLDER = Path(__file__).parent

def note(text):
    with (FOLDER / "log").open("a") as log:
        log.write(text + "\\n")

@tool(timeout=60)
def act(name: str, wait: bool = False) -> str:
    note(name)
    (FOLDER / f"begun-{name}").touch()
    while wait and not (FOLDER / f"go-{name}").exists():
        time.sleep(0.01)
    return name
"""


class Process:
    """`tallystick run` as a process in a folder."""

    def __init__(self, path: Path, env: dict[str, str]) -> None:
        self.path = path
        self._env = env
        self._running: list[subprocess.Popen[str]] = []
        (path / "tools.py").write_text(SLOW)
        steps = [step("a", arguments={"wait": True}), step("b", after=["a"])]
        (path / "plan.json").write_text(json.dumps({"steps": steps}))

    def start(self, *more: str) -> "subprocess.Popen[str]":
        words = [sys.executable, "-m", "tallystick", "run", "plan.json", "--tools", "tools.py", *more]
        started = subprocess.Popen(
            words, cwd=self.path, env=self._env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._running.append(started)
        return started

    def until(self, holds: Callable[[], bool]) -> None:
        for _ in range(TIMEOUT_SECONDS * 100):
            if holds():
                return
            if self._running[-1].poll() is not None:
                raise AssertionError(self._running[-1].communicate())
            signal.sigtimedwait([], 0.01)
        raise AssertionError("it takes too long")

    def end(self, process: "subprocess.Popen[str]") -> tuple[int, str, str]:
        out, err = process.communicate(timeout=TIMEOUT_SECONDS)
        return process.returncode, out, err

    def close(self) -> None:
        for process in self._running:
            if process.poll() is None:
                process.kill()
                process.communicate()

    @property
    def effects(self) -> list[str]:
        return (self.path / "log").read_text().split()


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    env = {**os.environ, "TALLYSTICK_URL": str(tmp_path / "journal.db"), "TALLYSTICK_JOURNAL": "run"}
    made = Process(tmp_path, env)
    yield made
    made.close()


def test_a_store_that_is_lost_in_the_middle_says_how_to_go_on(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(*given: object) -> None:
        raise StorageUnavailable("The disk is full.", hint="Free some space.")

    monkeypatch.setattr("tallystick.runner.stepper.Stepper.attempt", lose)
    lost = folder.run(folder.plan(step("a")))
    assert lost.exit_code == 4
    assert re.search(r"ex_\w+ is not over. Go on: tallystick run --resume ex_", lost.stderr)
    assert "The disk is full. Free some space." in lost.stderr


def test_a_killed_run_goes_on_with_the_same_command(process: Process) -> None:
    killed = process.start()
    process.until((process.path / "begun-a").exists)
    killed.kill()
    process.end(killed)
    (process.path / "go-a").touch()
    code, out, err = process.end(process.start())
    assert (code, process.effects) == (5, ["a"]), out + err
    assert err.startswith("Going on with ex_")
    with Journal.open(process.path / "journal.db", journal="run") as journal:
        (doubt,) = journal.list_in_doubt().in_doubt
        assert doubt.action_id in out
        journal.record_decision(decision="settle", action_id=doubt.action_id, outcome="ok", evidence="the log has it")
    code, out, err = process.end(process.start())
    assert (code, process.effects) == (0, ["a", "b"]), out + err


def test_ctrl_c_lets_calls_under_way_end_and_begins_no_new_one(process: Process) -> None:
    run = process.start()
    process.until((process.path / "begun-a").exists)
    assert run.stderr is not None
    first, begun = run.stderr.readline(), run.stderr.readline()
    run.send_signal(signal.SIGINT)
    assert "1 under way has 10 s to end" in run.stderr.readline(), first + begun
    (process.path / "go-a").touch()
    code, out, _ = process.end(run)
    assert (code, process.effects) == (130, ["a"])
    assert "1 of 2 steps done" in out
    assert "Go on: tallystick run --resume ex_" in out
    assert process.end(process.start())[0] == 0
    assert process.effects == ["a", "b"]


def test_ctrl_c_twice_stops_at_once_and_says_what_is_unknown(process: Process) -> None:
    run = process.start()
    process.until((process.path / "begun-a").exists)
    assert run.stderr is not None
    run.stderr.readline(), run.stderr.readline()
    run.send_signal(signal.SIGINT)
    run.stderr.readline()
    run.send_signal(signal.SIGINT)
    code, out, err = process.end(run)
    assert (code, process.effects) == (130, ["a"])
    assert "The outcome of 1 call" in err
    assert "--outcome ok --evidence" in out
    assert "Go on: tallystick run --resume ex_" in out


@pytest.mark.parametrize("ending", ["2>/dev/full", "2>&-", "2>&1 >/dev/null | true"])
def test_a_progress_that_cannot_be_written_does_not_stop_the_run(process: Process, ending: str) -> None:
    (process.path / "go-a").touch()
    line = f"{shlex.quote(sys.executable)} -m tallystick run plan.json --tools tools.py {ending}"
    subprocess.run(["bash", "-c", line], cwd=process.path, env=process._env, check=False, timeout=TIMEOUT_SECONDS)
    assert process.effects == ["a", "b"]


def test_a_terminal_gets_one_live_block_and_no_line_for_each_step(process: Process) -> None:
    pty = pytest.importorskip("pty")
    (process.path / "go-a").touch()
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "tallystick", "run", "plan.json", "--tools", "tools.py"]
    done = subprocess.run(
        words,
        cwd=process.path,
        env={**process._env, "TERM": "xterm"},
        stderr=theirs,
        stdout=subprocess.PIPE,
        check=True,
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:
        pass  # the other end is closed
    os.close(ours)
    assert b"2 of 2 done" in shown
    assert b"begun" not in shown
    assert b"completed, 2 of 2 steps done" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "other"), "Use one of: queue, temporal"),
        (("--temporal", "localhost:7233"), "Add --engine temporal"),
        (("--queues", " , "), "names no queue"),
    ],
)
def test_a_worker_with_wrong_options_says_what_is_allowed(shell: Shell, options: tuple[str, ...], message: str) -> None:
    refused = shell("worker", *options)
    assert refused.exit_code == 2
    assert message in refused.stderr
