"""The commands `run`, which carries out a plan in this process, and `tools`, which lists what a plan can call."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import click
import msgspec

from tallystick.core import plans as core_plans
from tallystick.core.errors import InvalidArgument, TallystickError, WrongState
from tallystick.core.formats import canonical_json
from tallystick.core.formats.shell_text import join_words
from tallystick.core.formats.visible import escape_line
from tallystick.core.schedule import Schedule
from tallystick.core.types import FINAL_STATUSES, UnwindMode
from tallystick.interfaces import problems
from tallystick.interfaces.cli import tables
from tallystick.interfaces.cli.command import Command, WordChoice, general_options
from tallystick.interfaces.cli.commands.plan_revisions import take_revision
from tallystick.interfaces.cli.commands.same_runs import SameRuns
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.run_progress import LiveBlock, LogLines, show_progress
from tallystick.interfaces.cli.run_summary import (
    RunSummary,
    describe_run,
    format_summary,
    note_lines,
    resume_command,
    words_for_tools,
)
from tallystick.interfaces.cli.shell_words import with_store
from tallystick.interfaces.cli.terminal import Stopwatch
from tallystick.operations import CATALOGUE
from tallystick.operations.runs import RunEngine

if TYPE_CHECKING:
    from tallystick.runner.checks import PlanProblem
    from tallystick.runner.plan_files import PlanFile
    from tallystick.runner.run import LocalRun, Run
    from tallystick.runner.tools.registry import ToolRegistry
    from tallystick.runner.tools.tool import RunnerTool
    from tallystick.sdk.local import GroupCaller

GRACE_SECONDS = 10.0
ENTRIES_PER_PAGE = 100
WAIT_SECONDS = 2.0
"""How long one read waits for entries of a run that others carry out."""
GENERAL = tuple(str(option.name) for option in general_options() if option.name != "session")
"""A run has the session of its own process: what is under way when it is killed is in doubt at once."""


def run() -> Command:
    return Command(
        "run",
        carry_out_plan,
        """Carry out a plan through tools, in this process, and show what came of it.

        The plan is a YAML or JSON file, or the handle of a recorded plan. Steps can call `shell`, `http`, and what
        --tools and --mcp add.

        It returns when nothing is left to do here. The same command goes on with a run that was killed or that waited:
        what is done is not done again, and what is unknown is held. Ctrl-C begins nothing more and lets calls under
        way end; twice, it stops at once.

        It exits with 0 if all is done, with 1 if something failed, and with 5 if it is not over: held or waiting.

        With --engine queue or temporal, workers carry it out: it exits with 0 as soon as the run is recorded, or with
        --wait as above when it is over.""",
        example="tallystick run release.yaml --set env=prod --tools tools.py",
        short="Carry out a plan through tools.",
        general=GENERAL,
        loads_tools=True,
        params=[
            click.Argument(["plan"], required=False, metavar="[FILE|PLAN_ID]"),
            _option("--set", "values", metavar="NAME=VALUE", help="A parameter: JSON, else text; @FILE reads a file."),
            *tool_options(),
            click.Option(["--check"], is_flag=True, help="Check the plan, and call and record nothing."),
            click.Option(["--dry-run"], is_flag=True, help="Show what would be called; call and record nothing."),
            click.Option(["--at-once"], type=click.IntRange(1), metavar="N", help="Calls at a time. Default: 16."),
            click.Option(["--unwind"], type=WordChoice(get_args(UnwindMode)), help="What follows a failure."),
            click.Option(["--wait"], is_flag=True, help="Stay until it is over, also while somebody else has to act."),
            click.Option(
                ["--resume"], metavar="EXECUTION_ID", help="Go on with this run; with a FILE, as its plan from now on."
            ),
            click.Option(["--new"], is_flag=True, help="Start another run, even if one of this plan is open."),
            click.Option(["--key"], metavar="TEXT", help="The same key is the same run, also after its end."),
            click.Option(
                ["--engine"], type=WordChoice(get_args(RunEngine)), help="What delivers steps. Default: local."
            ),
            click.Option(["--title"], metavar="TEXT", help="The title of the run. Default: the plan's."),
            click.Option(["--task-id"], metavar="TEXT", help="The task that it serves."),
            click.Option(
                ["--grace"],
                type=click.FloatRange(0),
                metavar="SECONDS",
                help="How long calls under way may take after Ctrl-C. Default: 10.",
            ),
        ],
    )


def tools() -> Command:
    return Command(
        "tools",
        _tools,
        """List the tools that a plan can call, with their effects, limits and arguments.

        An argument with a question mark may be left out.""",
        example="tallystick tools --tools tools.py",
        short="List the tools that a plan can call.",
        general=("json", "quiet", "no_color", "verbose", "log"),
        loads_tools=True,
        params=tool_options(),
    )


def _option(name: str, field: str, **more: Any) -> click.Option:
    return click.Option([name, field], multiple=True, **more)


def tool_options() -> list[click.Parameter]:
    """The options that say which tools there are."""
    return [
        _option("--tools", "tools", metavar="FILE|MODULE", help="Functions with @tool. May be repeated."),
        click.Option(["--mcp"], metavar="FILE", help="A file with mcpServers: their tools can be called."),
        click.Option(["--policy"], metavar="FILE", help="Limits, retries and approvals by tool, in TOML."),
    ]


def load_tools(invocation: Invocation, arguments: Mapping[str, Any]) -> "ToolRegistry":
    """The tools of the options that a command has for them."""
    from tallystick.runner.tools.registry import load_registry  # the runner is loaded only now

    named = {name: arguments[name] for name in ("mcp", "policy") if name in arguments}
    registry, warnings = load_registry(arguments.get("tools", ()), **named)
    for each in warnings:
        invocation.terminal.print_stderr(each)
    return registry


# ----------------------------------------------------------------------------------------------------------------------
# run


def carry_out_plan(invocation: Invocation, arguments: dict[str, Any]) -> int:
    """Check the plan that the arguments of `run` name, and carry it out."""
    from tallystick.runner.checks import check_plan

    _check_options(arguments)
    registry = load_tools(invocation, arguments)
    if "resume" in arguments:
        if "plan" in arguments and (found := take_revision(invocation, registry, arguments)):
            return report_problems(invocation, arguments["plan"], found)
        return _carry_out(
            invocation, registry, None, {**_options(arguments), "execution": arguments["resume"]}, arguments
        )
    plan = _load_plan(invocation, arguments["plan"], registry)
    parameters = parse_values(arguments.get("values", ()), plan.parameters)
    are_values_known = "values" in arguments or not arguments["check"]
    found = check_plan(plan, registry, parameters if are_values_known else None)
    if found:
        return report_problems(invocation, arguments["plan"], found)
    if arguments["check"]:
        return _report_check(invocation, arguments["plan"], plan)
    if arguments["dry_run"]:
        return _report_calls(invocation, plan, parameters)
    options = {**_options(arguments), "parameters": parameters or None}
    same = None
    if not arguments["new"] and "key" not in arguments:
        same = SameRuns(invocation, plan, parameters, arguments)
    source = arguments["plan"] if arguments["plan"].startswith("pl_") else plan
    return _carry_out(invocation, registry, source, options, arguments, same)


def _check_options(arguments: Mapping[str, Any]) -> None:
    if "plan" not in arguments and "resume" not in arguments:
        raise InvalidArgument(
            "There is no plan to carry out.",
            hint="Give a file such as plan.yaml, or --resume EXECUTION_ID.",
            field="plan",
        )
    fixed = [name for name in ("values", "key", "title", "task_id", "unwind", "new") if arguments.get(name)]
    fixed += ["plan"] if arguments.get("plan", "").startswith("pl_") else []
    fixed += [name for name in ("check", "dry_run") if arguments.get(name) and "plan" in arguments]
    if "resume" in arguments and fixed:
        named = {"plan": "a plan's id", "values": "--set"}.get(fixed[0], f"--{fixed[0].replace('_', '-')}")
        raise InvalidArgument(
            f"A run that goes on has its plan and values already: {named} does not fit --resume.",
            hint=f"Leave one of them out: `tallystick run --resume {arguments['resume']}`.",
            field="resume",
        )


def _options(arguments: Mapping[str, Any]) -> dict[str, Any]:
    names = ("at_once", "unwind", "key", "engine", "wait", "title", "task_id", "grace")
    return {name: arguments[name] for name in names if name in arguments}


def _load_plan(invocation: Invocation, source: str, registry: "ToolRegistry") -> "PlanFile":
    from tallystick.runner.plan_files import load_plan, recorded_plan

    if not source.startswith("pl_"):
        return load_plan(source, registry)
    return recorded_plan(invocation.call("get_plan", {"plan_id": source}).revisions[0])


def parse_values(typed: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of `--set`: a value is JSON if it can be, unless the plan declares it as text."""
    values: dict[str, Any] = {}
    for each in typed:
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise InvalidArgument(f"--set {each} has no value.", hint="Write --set name=value.", field="set")
        if name in values:
            raise InvalidArgument(f"--set {name} is given twice.", hint="Give it once.", field="set")
        declared = _declared(name, schema)
        is_text = isinstance(declared, Mapping) and declared.get("type") == "string"
        values[name] = _parse_value(name, value, is_text)
    return values


def _declared(name: str, schema: Mapping[str, Any]) -> Any:
    """The schema of a parameter; raises InvalidArgument for one that the plan does not have."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    if name not in properties and "additionalProperties" not in schema:
        near = get_close_matches(name, properties, 3, 0.5)
        names = [*near, *sorted(properties.keys() - near)][:10]
        raise InvalidArgument(
            f"The plan has no parameter {name}.", hint=f"It has: {', '.join(names)}.", field="set", allowed=names
        )
    return properties.get(name, {})


def _parse_value(name: str, value: str, is_text: bool) -> Any:
    if value.startswith("@"):
        try:
            value = Path(value[1:]).expanduser().read_text(encoding="utf-8").removesuffix("\n")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not text"
            raise InvalidArgument(
                f'--set {name}: the file "{value[1:]}" cannot be read: {why}.',
                hint=f"""Name a file, or write '{name}="@text"' for a text that begins with @.""",
                field="set",
            ) from None
    if is_text and not value.startswith('"'):
        return value
    with suppress(InvalidArgument):
        return canonical_json.parse(value, name)
    return value


def report_problems(invocation: Invocation, source: str, found: "Sequence[PlanProblem]") -> int:
    count = "a problem" if len(found) == 1 else f"{len(found)} problems"
    lines = "\n".join(f"  {tables.format_value(str(each), tables.MAX_FIELD_CHARACTERS)}" for each in found)
    error = InvalidArgument(f"{source} has {count}; nothing was done.")
    if invocation.terminal.json:
        invocation.terminal.print_json({**error.as_dict(), "problems": msgspec.to_builtins(found)})
    else:
        invocation.terminal.print_stderr(f"tallystick: {error.code}: {error.message}\n{lines}")
    return problems.USAGE


def _report_check(invocation: Invocation, source: str, plan: "PlanFile") -> int:
    names = sorted({step.tool for step in plan.steps if step.by == "runner"})
    if invocation.terminal.json:
        invocation.terminal.print_json({"steps": len(plan.steps), "tools": names, "problems": []})
    elif not invocation.terminal.quiet:
        steps = f"{len(plan.steps)} steps" if len(plan.steps) != 1 else "1 step"
        invocation.terminal.print(f"{source}: {steps}, tools: {', '.join(names) or 'none'}. No problem was found.")
    return problems.OK


# ----------------------------------------------------------------------------------------------------------------------
# --dry-run


def _report_calls(invocation: Invocation, plan: "PlanFile", parameters: Mapping[str, Any]) -> int:
    from tallystick.runner.expressions import fill, fill_known
    from tallystick.runner.plan_files import default_parameters

    variables = {"parameters": {**default_parameters(plan.parameters), **parameters}}
    rows = []
    for step in _in_order(core_plans.normalize_steps(plan.steps, invocation.settings.limits.steps)):
        call = {
            "step": str(step.id),
            "tool": step.tool if step.by == "runner" else f"(by the {step.by})",
            "arguments": fill_known(step.arguments, variables, fill, f"steps.{step.id}.arguments"),
            "after": list(step.after or ()),
            "when": step.when,
            "needs_approval": step.needs_approval,
        }
        rows.append({name: value for name, value in call.items() if value})
    terminal = invocation.terminal
    if terminal.json:
        terminal.print_json({"calls": rows})
        return problems.OK
    names = ("step", "tool", "arguments", "after", "when", "needs_approval")
    cells = [[tables.format_value(row.get(name)) for name in names] for row in rows]
    terminal.print(tables.draw_table(terminal, [tables.column_heading(name) for name in names], cells), verbatim=True)
    terminal.print("Nothing was called or recorded.")
    return problems.OK


def _in_order(steps: Sequence[Any]) -> Iterator[Any]:
    """The steps in the order in which one worker would carry them out."""
    schedule, by_name = Schedule(steps), {str(step.id): step for step in steps}
    while ready := schedule.ready():
        yield by_name[ready[0]]
        schedule.update(ready[0], "done")


# ----------------------------------------------------------------------------------------------------------------------
# Carrying out


def _carry_out(
    invocation: Invocation,
    registry: "ToolRegistry",
    plan: Any,
    options: dict[str, Any],
    arguments: Mapping[str, Any],
    same: SameRuns | None = None,
) -> int:
    from tallystick.runner.run import local_run

    watch = Stopwatch()
    caller = cast("GroupCaller", invocation.caller)
    display: LogLines | LiveBlock
    make = partial(local_run, caller, tools=registry, on_entry=lambda entry: display.progress.take(entry))
    run: Run | None = None
    known = options.get("execution", "")
    if same is not None and not (known := same.find()):
        local = make(**options)
        run, known = same.start_once(local, plan)
    if known and (engine := _engine_elsewhere(caller, known, arguments)):
        return _leave_to_others(invocation, known, engine, arguments, goes_on=True)
    if run is None:
        local = make(**options | {"execution": known})
        run = local.start(plan)
    state = caller.call(CATALOGUE["get_run"], {"execution_id": run.id})
    if not local.is_here and state.status not in FINAL_STATUSES:
        return _leave_to_others(invocation, run.id, state.engine, arguments, goes_on=bool(state.steps))
    goes_on = bool(known or state.steps)
    display = show_progress(invocation.terminal, after=state.seq if goes_on else 0, total=state.total_steps)
    if state.status in FINAL_STATUSES:
        display.say(f"{run.id} has ended: nothing is left to do.")
    else:
        display.say(f"{'Going on with' if goes_on else 'Started'} {run.id}.")
    try:
        was_stopped = asyncio.run(_until_over(local, run, display, options.get("grace", GRACE_SECONDS)))
    except TallystickError:
        display.say(with_store(f"{run.id} is not over. Go on: {resume_command(run.id, arguments)}", invocation.options))
        raise
    finally:
        display.close()
    summary = describe_run(caller, run, watch.milliseconds / 1000, resume_command(run.id, arguments))
    exit_code = _report_run(invocation, summary)
    return problems.INTERRUPTED if was_stopped and not summary.is_over else exit_code


def _engine_elsewhere(caller: "GroupCaller", execution: str, arguments: Mapping[str, Any]) -> str:
    """The engine that delivers the steps of an open run to others; empty if this process is to carry it out."""
    state = caller.call(CATALOGUE["get_run"], {"execution_id": execution})
    if state.status in FINAL_STATUSES:
        return ""
    if not state.engine:
        raise WrongState(
            f"{execution} was not started as a run: its agent carries it out.",
            hint=f"Start a run of its plan: `tallystick run {state.plan_id or 'PLAN_ID'} --new`.",
        )
    if arguments.get("engine", state.engine) != state.engine:
        raise WrongState(
            f"{execution} was started with the engine {state.engine}, not {arguments['engine']}.",
            hint="Leave --engine out to go on with it, or start another run with --new.",
        )
    return "" if state.engine == "local" else str(state.engine)


def _leave_to_others(
    invocation: Invocation, execution: str, engine: str, arguments: Mapping[str, Any], *, goes_on: bool
) -> int:
    """Wait for the end of a run that workers or a server carry out, or say what it waits for and how to follow it."""
    terminal, options = invocation.terminal, invocation.options
    if arguments.get("wait"):
        return _wait_for_others(invocation, execution)
    if terminal.json:
        terminal.print_json(msgspec.to_builtins(_read_others(invocation, execution)[0]))
    elif terminal.quiet:
        terminal.print(execution)
    else:
        words = ["tallystick", "worker", *([] if engine == "queue" else ["--engine", engine])]
        work = with_store(join_words([*words, *words_for_tools(arguments)]), options)
        others = "The server that was asked carries it out." if engine == "server" else f"Workers carry it out: {work}"
        lines = [f"{'Going on with' if goes_on else 'Recorded'} {execution}. {others}"]
        lines += [f"{escape_line(step)} waits: {why}." for step, why in _unserved(invocation, execution).items()]
        lines += _note_lines(invocation, _read_others(invocation, execution)[0])
        lines.append(f"Follow it with: {with_store(f'tallystick show {execution}', options)}")
        terminal.print("\n".join(lines), verbatim=True)
    return problems.OK


def _unserved(invocation: Invocation, execution: str) -> dict[str, str]:
    """The steps that no living worker can carry out, each with the reason."""
    steps = invocation.call("get_status", {"execution_id": execution}).steps
    return {step.id: step.unserved for step in steps if step.unserved}


def _read_others(invocation: Invocation, execution: str, seconds: float = 0.0) -> tuple[RunSummary, frozenset[str]]:
    """How a run stands that others carry out, and the steps that they have to begin."""
    from tallystick.runner.run import Run

    caller = cast("GroupCaller", invocation.caller)
    run = Run(caller, execution)
    due = run.read_open()
    return describe_run(caller, run, seconds, ""), due


def _note_lines(invocation: Invocation, summary: RunSummary) -> list[str]:
    return note_lines(invocation.terminal, summary, lambda text: with_store(text, invocation.options))


def _wait_for_others(invocation: Invocation, execution: str) -> int:
    """Show what others do for a run until it is over, then what came of it."""
    watch, caller = Stopwatch(), cast("GroupCaller", invocation.caller)
    state = caller.call(CATALOGUE["get_run"], {"execution_id": execution})
    display = show_progress(invocation.terminal, after=0, total=state.total_steps)
    seq, said = 0, ""
    try:
        display.say(f"Waiting for {execution}, which others carry out. Ctrl-C does not stop it.")
        while state.status not in FINAL_STATUSES:
            wanted = {"execution_id": execution, "after": seq, "limit": ENTRIES_PER_PAGE, "wait_seconds": WAIT_SECONDS}
            page = caller.call(CATALOGUE["read_entries"], wanted)
            seq = page.last_seq
            for entry in page.entries:
                display.progress.take(entry)
            if not page.entries and (stopped := _what_stops(invocation, execution)) not in ("", said):
                said = stopped
                display.say(said)
            state = caller.call(CATALOGUE["get_execution"], {"execution_id": execution})
    finally:
        display.close()
    return _report_run(invocation, _read_others(invocation, execution, watch.milliseconds / 1000)[0])


def _what_stops(invocation: Invocation, execution: str) -> str:
    """The steps that are held or wait, with their commands, if nothing else of a run is open; else an empty text."""
    summary, due = _read_others(invocation, execution)
    unserved = _unserved(invocation, execution) if due else {}
    if summary.is_over or summary.under_way or due - unserved.keys():
        return ""
    lines = [f"{escape_line(step)} waits: {unserved[step]}." for step in sorted(due)]
    return "\n".join(lines + (_note_lines(invocation, summary) if summary.held or summary.waiting else []))


def _report_run(invocation: Invocation, summary: RunSummary) -> int:
    """Print what came of a run; returns the exit code."""
    terminal = invocation.terminal
    if terminal.json:
        terminal.print_json(msgspec.to_builtins(summary))
    elif terminal.quiet:
        terminal.print(summary.execution_id)
    else:
        terminal.print(
            format_summary(terminal, summary, lambda text: with_store(text, invocation.options)), verbatim=True
        )
    return summary.exit_code


async def _until_over(local: "LocalRun", run: "Run", display: LogLines | LiveBlock, grace: float) -> bool:
    """Carry out a run, and return whether it was stopped by a signal. The second signal stops it at once."""
    loop = asyncio.get_running_loop()
    stops: list[asyncio.Task[None]] = []

    def stop() -> None:
        if len(stops) > 1:
            return
        calls = max(local.steps_under_way, len(display.progress.running))  # undos are no steps, and are shown late
        if not stops:
            left = (
                f"{calls} under way {'has' if calls == 1 else 'have'} {grace:g} s to end"
                if calls
                else "none is under way"
            )
            display.say(f"Stopping: no new call begins, {left}. Ctrl-C again stops at once.")
        else:
            display.say(f"Stopped at once. The outcome of {calls} calls that were under way is unknown.")
        stops.append(loop.create_task(local.stop(0 if stops else grace)))

    with _on_signals(loop, stop):
        await local.carry_out(run, is_own_loop=True)
    return bool(stops)


@contextmanager
def _on_signals(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` for Ctrl-C and SIGTERM. Only the main thread of a process gets signals."""
    numbers = (signal.SIGINT, signal.SIGTERM) if threading.current_thread() is threading.main_thread() else ()
    for number in numbers:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


# ----------------------------------------------------------------------------------------------------------------------
# tools


def _tools(invocation: Invocation, arguments: dict[str, Any]) -> int:
    terminal, found = invocation.terminal, list(load_tools(invocation, arguments))
    if terminal.json:
        terminal.print_json({"tools": [_describe_tool(each) for each in found]})
        return problems.OK
    if terminal.quiet:
        terminal.print("\n".join(escape_line(each.name) for each in found))
        return problems.OK
    names = ("name", "effect", "source", "timeout", "retry", "limits", "arguments")
    rows = []
    for each in found:
        shown = {**_describe_tool(each), "arguments": _signature(each.input_schema), "limits": _limits(each)}
        shown["retry"] = each.retry.attempts if each.retry else ""
        shown["timeout"] = f"{each.timeout:g} s" if each.timeout else ""
        shown["effect"] = each.effect or "as the plan says"
        rows.append([tables.format_value(shown.get(name)) for name in names])
    terminal.print(tables.draw_table(terminal, names, rows), verbatim=True)
    return problems.OK


def _describe_tool(tool: "RunnerTool") -> dict[str, Any]:
    names = ("name", "description", "source", "effect", "retry", "timeout", "undo", "at_most", "per_second", "resource")
    values = {name: getattr(tool, name) for name in (*names, "needs_approval", "input_schema", "output_schema")}
    values["has_probe"] = tool.probe is not None
    values["retry"] = msgspec.structs.asdict(tool.retry) if tool.retry else None
    return {name: msgspec.to_builtins(value) for name, value in values.items() if value}


def _limits(tool: "RunnerTool") -> str:
    limits = (
        f"{tool.at_most} at once" if tool.at_most else "",
        f"{tool.per_second:g} a second" if tool.per_second else "",
        f"resource {tool.resource}" if tool.resource else "",
        "needs approval" if tool.needs_approval else "",
    )
    return ", ".join(filter(None, limits))


def _signature(schema: Mapping[str, Any] | None) -> str:
    """The arguments of a tool; those with a question mark may be left out."""
    if schema is None:
        return "any"
    required = schema.get("required", ())
    return ", ".join(f"{name}{'' if name in required else '?'}" for name in schema.get("properties", {}))
