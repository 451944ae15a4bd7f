"""The commands `template add`, `list`, `show`, `run` and `schema`: plans that are run by name, and their schema."""

from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from tallystick.core.errors import UnknownHandle
from tallystick.interfaces import problems
from tallystick.interfaces.cli import tables
from tallystick.interfaces.cli.app import Group
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.commands import run as run_command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations.plans import PlanView

MAX_TEMPLATES = 100


def group() -> Group:
    made = {
        "add": _add_command,
        "list": _list_command,
        "show": _show_command,
        "run": _run_command,
        "schema": _schema_command,
    }
    return Group("template", ", ".join(made), list(made), lambda verb: made[verb]() if verb in made else None)


def _add_command() -> Command:
    return Command(
        "add",
        _add,
        """Record a plan file as a template. A changed file is a new revision of it; an unchanged one changes nothing.

        With --for-tasks, each new task of that type gets a plan from it.""",
        example="tallystick template add release.yaml --for-tasks release",
        short="Record a plan file as a template.",
        loads_tools=True,
        params=[
            click.Argument(["file"], metavar="FILE"),
            click.Option(["--name"], metavar="TEXT", help="Its name. Default: that of the file."),
            click.Option(["--for-tasks"], metavar="TYPE", help="The type of tasks that get a plan from it."),
            click.Option(
                ["--tools"], multiple=True, metavar="FILE|MODULE", help="Tools that say how steps are undone."
            ),
        ],
    )


def _list_command() -> Command:
    return Command(
        "list", _list, "List the templates.", example="tallystick template list", short="List the templates."
    )


def _show_command() -> Command:
    return Command(
        "show",
        _show,
        "Print a template as a plan file, in JSON.",
        example="tallystick template show release",
        short="Print a template as a plan file.",
        params=[_name_argument(), click.Option(["--revision"], type=click.IntRange(1), help="Default: the newest.")],
    )


def _run_command() -> Command:
    whole = run_command.run()
    return Command(
        "run",
        _run,
        "Carry out a template; takes what `tallystick run` takes.",
        example="tallystick template run release --set env=prod",
        short="Carry out a template.",
        general=run_command.GENERAL,
        loads_tools=True,
        params=[_name_argument(), *(each for each in whole.params if each.name not in (*run_command.GENERAL, "plan"))],
    )


def _schema_command() -> Command:
    return Command(
        "schema",
        _schema,
        """Print the JSON Schema of plan files, for editors.

        A YAML file names it in its first line: # yaml-language-server: $schema=plan.schema.json""",
        example="tallystick template schema > plan.schema.json",
        short="Print the JSON Schema of plan files.",
        general=("json", "quiet", "no_color"),
    )


def _name_argument() -> click.Argument:
    return click.Argument(["name"], metavar="NAME")


def _add(invocation: Invocation, arguments: dict[str, Any]) -> int:
    from tallystick.runner.checks import NO_TOOL, check_plan
    from tallystick.runner.plan_files import load_plan

    registry = run_command.load_tools(invocation, arguments)
    plan = load_plan(arguments["file"], registry)
    found = check_plan(plan, registry, with_secrets=False)
    if wrong := [each for each in found if not each.message.startswith(NO_TOOL)]:  # who runs it has the tools
        return run_command.report_problems(invocation, arguments["file"], wrong)
    given = {**plan.arguments(), "template": arguments.get("name") or Path(arguments["file"]).stem}
    receipt = invocation.call("record_plan", {**given, "for_tasks": arguments.get("for_tasks", "")})
    if invocation.terminal.json:
        invocation.terminal.print_json(msgspec.to_builtins(receipt))
    elif not invocation.terminal.quiet:
        word = "is unchanged" if receipt.repeated else "recorded"
        invocation.terminal.print(f"{given['template']}: {receipt.id} {word}, revision {receipt.revision}")
    return problems.OK


def _list(invocation: Invocation, arguments: dict[str, Any]) -> int:
    page = invocation.call("list_plans", {"template": "*", "status": "active", "limit": MAX_TEMPLATES})
    terminal = invocation.terminal
    if terminal.json:
        terminal.print_json(msgspec.to_builtins(page))
        return problems.OK
    if not page.plans:
        terminal.print("There are no templates. Record one: `tallystick template add FILE`.")
        return problems.OK
    cells = [
        [plan.template, str(plan.revision), str(plan.step_count), plan.for_tasks, tables.format_value(plan.title)]
        for plan in page.plans
    ]
    headings = ["name", "revision", "steps", "for tasks", "title"]
    terminal.print(tables.draw_table(terminal, headings, cells), verbatim=True)
    return problems.OK


def _show(invocation: Invocation, arguments: dict[str, Any]) -> int:
    from tallystick.runner.plan_files import recorded_plan

    found = _find(invocation, arguments["name"])
    revision = {"revision": arguments["revision"]} if "revision" in arguments else {}
    plan = recorded_plan(invocation.call("get_plan", {"plan_id": found.id, **revision}).revisions[0])
    invocation.terminal.print_json(msgspec.to_builtins(replace(plan, reasoning="")))
    return problems.OK


def _run(invocation: Invocation, arguments: dict[str, Any]) -> int:
    found = _find(invocation, arguments.pop("name"))
    return run_command.carry_out_plan(invocation, {**arguments, "plan": found.id})


def _schema(invocation: Invocation, arguments: dict[str, Any]) -> int:
    from tallystick.runner.plan_files import plan_schema

    invocation.terminal.print_json(plan_schema())
    return problems.OK


def _find(invocation: Invocation, name: str) -> PlanView:
    page = invocation.call("list_plans", {"template": name, "status": "active", "limit": 1})
    if page.plans:
        found: PlanView = page.plans[0]
        return found
    exist = [plan.template for plan in invocation.call("list_plans", {"template": "*", "status": "active"}).plans]
    hint = f"There are: {', '.join(exist)}." if exist else "Record one: `tallystick template add FILE`."
    raise UnknownHandle(f'There is no template "{name}".', hint=hint, field="name", allowed=exist)
