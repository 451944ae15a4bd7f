"""The end of a run: what is done, failed, held, waiting and owed, each with the command that moves it on."""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick.core.formats.shell_text import join_words, quote_word
from tallystick.core.types import FINAL_STATUSES
from tallystick.interfaces import problems
from tallystick.interfaces.cli.run_progress import format_seconds
from tallystick.interfaces.cli.tables import COLOURS, MAX_FIELD_CHARACTERS, format_value
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations import CATALOGUE
from tallystick.operations.executions import ExecutionView, steps_text
from tallystick.operations.runs import RunState, RunStep
from tallystick.operations.runtime.receipts import DoubtItem
from tallystick.sdk.local import Caller

if TYPE_CHECKING:
    from tallystick.runner.run import Run

NOT_OVER = 5
"""The exit code of a run that is held or waits: the journal does not let it go on yet."""
MAX_STEPS_SHOWN = 10
MAX_DOUBTS = 100
_FILL_IN = '"..."'
_QUESTION = re.compile(r"\bap_\w+")
_ACTION = re.compile(r"\bac_\w+")
FAILURE, UNWINDING = "failure", "unwinding"
"""Names of what a run waits for beside steps: a decision about a failure, or about what cannot be undone."""
BY_OTHERS = "to be done by the "
"""How the reason begins why a run waits for a step of an agent or a person."""
UNDO_OF = "undo of "
_ANSWER_LABELS = {"keep": "to leave it as it is", "done": "to end and leave it owed"}


class StepNote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step that needs somebody. `id` is its action or question, `commands` by what they do. `is_pending`: the
    question waits for its answer."""

    step: str
    text: str = ""
    id: str = ""
    commands: dict[str, str] = {}
    is_pending: bool = False


class RunSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One execution at the end of a command. `go_on` is the command that goes on with it."""

    execution_id: str
    status: str
    title: str = ""
    done: int = 0
    skipped: int = 0
    undone_steps: int = 0
    total: int = 0
    seconds: float = 0.0
    failed: tuple[StepNote, ...] = ()
    held: tuple[StepNote, ...] = ()
    waiting: tuple[StepNote, ...] = ()
    under_way: tuple[str, ...] = ()
    undone: int = 0
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
    about = {"execution_id": run.id}
    execution: ExecutionView = caller.call(CATALOGUE["get_execution"], about)
    state: RunState = caller.call(CATALOGUE["get_run"], about)
    doubts = caller.call(CATALOGUE["list_in_doubt"], {**about, "limit": MAX_DOUBTS}).in_doubt
    is_over = execution.status in FINAL_STATUSES
    waiting = () if is_over else tuple(_waiting(caller, run, name) for name in run.waiting)
    is_asked = any(note.step == FAILURE and note.is_pending for note in waiting)
    is_decided = is_over or is_asked or execution.status == "unwinding"
    steps = {step.id: step for step in state.steps}
    doubtful = {doubt.action_id for doubt in doubts}
    unknown = {name: step.attempts for name, step in steps.items() if name in run.failed and step.action_id in doubtful}
    return RunSummary(
        execution_id=run.id,
        status=execution.status,
        title=execution.title,
        done=execution.done_steps,
        skipped=execution.skipped_steps,
        undone_steps=execution.undone_steps,
        total=execution.total_steps,
        seconds=round(seconds, 3),
        failed=tuple(_failed(run, name, steps.get(name), is_decided, unknown.get(name, 0)) for name in run.failed),
        held=(*(_held(run, each) for each in _newest(doubts, steps, unknown)), *_held_elsewhere(run, doubts)),
        waiting=() if is_over else (*_paused(execution), *waiting),
        under_way=tuple(step.id for step in state.steps if step.state == "running" and step.id not in run.waiting),
        undone=execution.undo_states.get("undone", 0),
        owed=execution.owed,
        go_on="" if is_over else go_on,
    )


def _newest(doubts: Sequence[DoubtItem], steps: Mapping[str, RunStep], failed: Container[str]) -> Iterator[DoubtItem]:
    """The doubts without those of steps that stand among the failed ones; of several attempts at a step, the last."""
    doubtful = {doubt.action_id for doubt in doubts}
    for doubt in doubts:
        last = steps[doubt.step].action_id if doubt.kind == "do" and doubt.step in steps else ""
        if last not in doubtful or (doubt.action_id == last and doubt.step not in failed):
            yield doubt


def _failed(run: "Run", name: str, step: RunStep | None, is_decided: bool, unknown: int) -> StepNote:
    """A step that failed; `unknown`: after so many attempts its outcome is unknown."""
    action = step.action_id if step else ""
    about = f"--execution-id {run.id} --step {quote_word(name)} --why {_FILL_IN}"
    commands = {
        "try it again": f"tallystick record decision retry {about}",
        "leave it out": f"tallystick record decision skip {about}",
    }
    text, commands = run.failed[name], {} if is_decided else commands
    if unknown:
        attempts = f"{unknown} attempts" if unknown > 1 else "1 attempt"
        text = f"{text.rstrip('.')}. After {attempts} nobody knows whether it happened. Its effect may be repeated."
        commands |= _settle_commands(run, name, action)
    return StepNote(step=name, text=text, id=action, commands=commands)


def _held(run: "Run", doubt: DoubtItem) -> StepNote:
    reasons = ((name, text) for name, text in run.held.items() if name == doubt.step or doubt.action_id in text)
    name, text = next(reasons, (doubt.step or doubt.tool, doubt.why))
    shown = f"{UNDO_OF}{name.removeprefix(UNDO_OF)}" if doubt.kind == "undo" else name
    commands = _settle_commands(run, doubt.step if doubt.kind == "do" else "", doubt.action_id)
    return StepNote(step=shown, text=text, id=doubt.action_id, commands=commands)


def _held_elsewhere(run: "Run", doubts: Sequence[DoubtItem]) -> Iterator[StepNote]:
    """Steps that the doubt of another execution holds."""
    own = {doubt.action_id for doubt in doubts}
    steps = {doubt.step for doubt in doubts}
    for name, text in run.held.items():
        action = _ACTION.search(text)
        if name not in steps and action and action[0] not in own:
            yield StepNote(step=name, text=text, id=action[0], commands=_settle_commands(run, name, action[0]))


def _settle_commands(run: "Run", step: str, action_id: str) -> dict[str, str]:
    settle = f"tallystick record decision settle --action-id {action_id}"
    return {
        "if it happened": f"{settle} --outcome ok --evidence {_FILL_IN}{_result_option(run, step)}",
        "if it did not": f"{settle} --outcome skipped --evidence {_FILL_IN}",
    }


def _result_option(run: "Run", step: str) -> str:
    """The option for the result of a step, if another step refers to it."""
    return f" --result {_FILL_IN}" if step in run.needs_result else ""


def _paused(execution: ExecutionView) -> tuple[StepNote, ...]:
    if execution.status != "paused":
        return ()
    resume = f"tallystick record decision resume --execution-id {execution.id} --why {_FILL_IN}"
    return (StepNote(step="pause", text="it was paused", commands={"to resume": resume}),)


def _waiting(caller: Caller, run: "Run", name: str) -> StepNote:
    """A step, a failure or an unwinding that waits. Its text names the question, if it waits for an answer."""
    text = run.waiting[name]
    found = _QUESTION.search(text)
    if found is None:
        return _left_to_others(run, name, text)
    asked = caller.call(CATALOGUE["get_approval"], {"approval_id": found[0]})
    if made := _ACTION.search(text):
        return StepNote(step=name, text=text, id=asked.id, commands=_made_commands(run.id, name, made[0]))
    if asked.status != "pending":
        return StepNote(step=name, text=text, id=asked.id, commands=_decision_commands(run.id, name))
    answer = f"tallystick decide approval {asked.id} --verdict"
    commands = {
        _ANSWER_LABELS.get(option, f"to {option}"): f"{answer} respond --answer {quote_word(option)}"
        for option in asked.options
    }
    commands = commands or {"a person answers": f"{answer} approve --reason {_FILL_IN}"}
    return StepNote(step=name, text=asked.question, id=asked.id, commands=commands, is_pending=True)


def _made_commands(execution: str, name: str, action: str) -> dict[str, str]:
    """The decisions about a step whose call was recorded without it."""
    about = f"--execution-id {execution} --step {quote_word(name)}"
    decide = f"tallystick record decision {{}} {about} --why {_FILL_IN}"
    return {
        "if it was this step": decide.format(f"continue --action-id {action}"),
        "to make the call again": decide.format("retry"),
        "to leave the step out": decide.format("skip"),
    }


def _decision_commands(execution: str, name: str) -> dict[str, str]:
    """The decisions that lead on when the answer to a question does not. Each failed step has its own beside them."""
    decide = f"tallystick record decision {{}} --execution-id {execution} --why {_FILL_IN}"
    labels = {
        FAILURE: {"to undo what was done": "unwind", "to end it": "stop"},
        UNWINDING: {"to leave the rest as it is": "keep"},
    }
    return {label: decide.format(decision) for label, decision in labels.get(name, {}).items()}


def _left_to_others(run: "Run", name: str, text: str) -> StepNote:
    """A step of an agent or a person, with the command that records it as done. Its text names its action, if it was
    begun."""
    begun = _ACTION.search(text)
    if name in (FAILURE, UNWINDING) or not (begun or text.startswith(BY_OTHERS)):
        return StepNote(step=name, text=text)
    about = f"end --action-id {begun[0]}" if begun else f"done --execution-id {run.id} --step {quote_word(name)}"
    command = f"tallystick record action {about} --outcome ok{_result_option(run, name)}"
    return StepNote(step=name, text=text, commands={"when it is done": command})


# ----------------------------------------------------------------------------------------------------------------------
# As text


def format_summary(terminal: Terminal, summary: RunSummary, with_store: Callable[[str], str]) -> str:
    """The summary as text. `with_store` names the store in a command, if it is not the default one."""
    status = summary.status if summary.is_over else f"not over ({summary.status})"
    shown = terminal.style(status, COLOURS.get(summary.status if summary.is_over else "waiting", ""), bold=True)
    steps = steps_text(summary.done, summary.undone_steps, summary.skipped, summary.total)
    title = f' "{format_value(summary.title)}"' if summary.title else ""
    parts = [f"{summary.execution_id}{title}: {shown}, {steps}, {format_seconds(summary.seconds)}."]
    parts += note_lines(terminal, summary, with_store)
    if summary.under_way:
        parts.append(f"Under way in another process: {format_value(summary.under_way)}.")
    if summary.undone:
        parts.append(f"Undone: {summary.undone}.")
    if summary.owed:
        parts.append(with_store(f"Owed ({summary.owed}): tallystick owed {summary.execution_id}"))
    if summary.go_on:
        parts.append(with_store(f"Go on: {summary.go_on}"))
    return "\n".join(parts)


def note_lines(terminal: Terminal, summary: RunSummary, with_store: Callable[[str], str]) -> list[str]:
    """The notes on all that needs somebody, each with its commands."""
    parts: list[str] = []
    for name, heading, notes in (
        ("failed", "Failed", summary.failed),
        ("in_doubt", "Held: nobody knows whether it happened, and nothing repeats it", summary.held),
        ("waiting", "Waiting for somebody", summary.waiting),
    ):
        if notes:
            parts.append(f"{terminal.style(heading, COLOURS[name], bold=True)} ({len(notes)}):")
            parts += _note_lines(notes, with_store)
    return parts


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
    return join_words(["tallystick", "run", "--resume", execution, *words_for_tools(options)])


def words_for_tools(options: Mapping[str, Any]) -> list[str]:
    """The options of a command that has the same tools."""
    words = [word for name in options.get("tools", ()) for word in ("--tools", name)]
    for name in ("mcp", "policy"):
        words += [f"--{name}", options[name]] if name in options else []
    return words
