"""The end of a run: what is done, failed, held, waiting and owed, each with the command that moves it on."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick.core.types import FINAL_STATUSES
from tallystick.interfaces import problems
from tallystick.interfaces.cli.run_progress import format_seconds
from tallystick.interfaces.cli.tables import COLOURS, MAX_FIELD_CHARACTERS, format_value
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations import CATALOGUE
from tallystick.operations.executions import ExecutionView
from tallystick.operations.runs import RunState, RunStep
from tallystick.sdk.local import Caller

if TYPE_CHECKING:
    from tallystick.runner.run import Run

NOT_OVER = 5
"""The exit code of a run that is held or waits: the journal does not let it go on yet."""
MAX_STEPS_SHOWN = 10
_FILL_IN = '"..."'


class StepNote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step that needs somebody. `id` is its action or question, `commands` by what they do."""

    step: str
    text: str = ""
    id: str = ""
    commands: dict[str, str] = {}


class RunSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One execution at the end of a command. `go_on` is the command that goes on with it."""

    execution_id: str
    status: str
    title: str = ""
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    failed: tuple[StepNote, ...] = ()
    held: tuple[StepNote, ...] = ()
    waiting: tuple[StepNote, ...] = ()
    under_way: tuple[str, ...] = ()
    owed: int = 0
    go_on: str = ""

    @property
    def is_over(self) -> bool:
        return self.status in FINAL_STATUSES

    @property
    def exit_code(self) -> int:
        if self.status == "completed":
            return problems.OK
        return problems.FAILURE if self.is_over or self.failed else NOT_OVER


def describe_run(caller: Caller, run: "Run", seconds: float, go_on: str) -> RunSummary:
    """How a run stands in the journal, with the reasons that its runner has found out."""
    execution: ExecutionView = caller.call(CATALOGUE["get_execution"], {"execution_id": run.id})
    state: RunState = caller.call(CATALOGUE["get_run"], {"execution_id": run.id})
    is_over = execution.status in FINAL_STATUSES
    steps = {step.id: step for step in state.steps}
    failed = [_failed(run, step) for step in _in_state(state, "failed", run.failed) if step.decided != "skip"]
    held = [_held(run, step) for step in _in_state(state, "in_doubt", run.held)]
    waiting = [] if is_over else [_waiting(caller, run, name, steps.get(name)) for name in run.waiting]
    return RunSummary(
        execution_id=run.id,
        status=execution.status,
        title=execution.title,
        done=execution.done_steps,
        total=execution.total_steps,
        seconds=round(seconds, 3),
        failed=tuple(_without_commands(each) if is_over else each for each in failed),
        held=tuple(held),
        waiting=tuple(waiting),
        under_way=tuple(step.id for step in state.steps if step.state == "running"),
        owed=execution.owed,
        go_on="" if is_over else go_on,
    )


def _in_state(state: RunState, word: str, named: "dict[str, str]") -> list[RunStep]:
    """The steps in a state, and those that the runner names: a rejected step has no action that failed."""
    found = [step for step in state.steps if step.state == word]
    known = {step.id for step in state.steps}
    rejected = [step for step in state.steps if step.id in named and not step.state]
    return [*found, *rejected, *(RunStep(id=name) for name in named if name not in known)]


def _failed(run: "Run", step: RunStep) -> StepNote:
    about = f"--execution-id {run.id} --step {shlex.quote(step.id)} --why {_FILL_IN}"
    commands = {
        "try it again": f"tallystick record decision retry {about}",
        "leave it out": f"tallystick record decision skip {about}",
    }
    return StepNote(step=step.id, text=run.failed.get(step.id, ""), id=step.action_id, commands=commands)


def _without_commands(note: StepNote) -> StepNote:
    return StepNote(step=note.step, text=note.text, id=note.id)


def _held(run: "Run", step: RunStep) -> StepNote:
    settle = f"tallystick record decision settle --action-id {step.action_id}"
    commands = {
        "if it happened": f"{settle} --outcome ok --evidence {_FILL_IN}",
        "if it did not": f"{settle} --outcome failed --without-effect --evidence {_FILL_IN}",
    }
    text = run.held.get(step.id, "it was under way when the run was stopped")
    return StepNote(step=step.id, text=text, id=step.action_id, commands=commands)


def _waiting(caller: Caller, run: "Run", name: str, step: RunStep | None) -> StepNote:
    if step is None or step.answer != "pending":
        begin = f"tallystick record action begin --execution-id {run.id} --step {shlex.quote(name)}"
        return StepNote(step=name, text=run.waiting[name], commands={"to begin it": begin})
    asked = caller.call(CATALOGUE["get_approval"], {"approval_id": step.approval_id})
    answer = f"tallystick decide approval {asked.id} --verdict approve --reason {_FILL_IN}"
    return StepNote(step=name, text=asked.question, id=asked.id, commands={"a person answers": answer})


# ----------------------------------------------------------------------------------------------------------------------
# As text


def format_summary(terminal: Terminal, summary: RunSummary, with_store: Callable[[str], str]) -> str:
    """The summary as text. `with_store` names the store in a command, if it is not the default one."""
    status = summary.status if summary.is_over else f"not over ({summary.status})"
    shown = terminal.style(status, COLOURS.get(summary.status if summary.is_over else "waiting", ""), bold=True)
    steps = f"{summary.done} of {summary.total} steps done"
    title = f' "{format_value(summary.title)}"' if summary.title else ""
    parts = [f"{summary.execution_id}{title}: {shown}, {steps}, {format_seconds(summary.seconds)}."]
    for name, heading, notes in (
        ("failed", "Failed", summary.failed),
        ("in_doubt", "Held: nobody knows whether it happened, and nothing repeats it", summary.held),
        ("waiting", "Waiting for somebody", summary.waiting),
    ):
        if notes:
            parts.append(f"{terminal.style(heading, COLOURS[name], bold=True)} ({len(notes)}):")
            parts += _note_lines(notes, with_store)
    if summary.under_way:
        parts.append(f"Under way in another process: {format_value(summary.under_way)}.")
    if summary.owed:
        parts.append(with_store(f"Owed ({summary.owed}): tallystick owed {summary.execution_id}"))
    if summary.go_on:
        parts.append(with_store(f"Go on: {summary.go_on}"))
    return "\n".join(parts)


def _note_lines(notes: Sequence[StepNote], with_store: Callable[[str], str]) -> list[str]:
    lines: list[str] = []
    for note in notes[:MAX_STEPS_SHOWN]:
        words = (format_value(note.step), note.id, format_value(note.text, MAX_FIELD_CHARACTERS))
        lines.append("  " + "  ".join(filter(None, words)))
        width = max(map(len, note.commands), default=0)
        lines += [f"    {label + ':':{width + 1}} {with_store(text)}" for label, text in note.commands.items()]
    if len(notes) > MAX_STEPS_SHOWN:
        lines.append(f"  and {len(notes) - MAX_STEPS_SHOWN} more")
    return lines


def resume_command(execution: str, options: Mapping[str, Any]) -> str:
    """The command that goes on with a run, with the tools that it had."""
    words = ["tallystick", "run", "--resume", execution]
    for name in options.get("tools", ()):
        words += ["--tools", name]
    for name in ("mcp", "policy"):
        words += [f"--{name}", options[name]] if name in options else []
    return shlex.join(words)
