"""The tree of commands. Each command is built only when it is needed, so that the program starts quickly."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click
from msgspec import Struct

from tallystick.interfaces.cli.command import (
    DISPLAY_OPTIONS,
    Command,
    general_options,
    help_option,
    print_help,
    write_example,
    write_options,
)
from tallystick.interfaces.cli.from_operations import find_operation, format_example, make_command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.fields import command_words
from tallystick.operations import CATALOGUE, Operation

OTHER_NAMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("log", "logs", "history", "journal", "entries"), ("tail", "read entries")),
    **dict.fromkeys(("ls", "ps", "jobs"), ("status", "list executions")),
    **dict.fromkeys(("brief", "info"), ("status",)),
    **dict.fromkeys(("undo", "rollback", "revert", "unwind"), ("undo-list", "owed", "record decision unwind")),
    **dict.fromkeys(("approve", "reject", "answer"), ("list approvals", "decide approval")),
    **dict.fromkeys(("resume", "continue"), ("run --resume", "record decision resume")),
    **dict.fromkeys(("stop", "cancel", "abort", "kill"), ("record decision stop",)),
    **dict.fromkeys(("start", "begin"), ("record execution-start", "record action begin")),
    "diff": ("compare executions",),
}
"""Commands for the names under which other programs have them."""
CURATED: dict[str, tuple[str, str]] = {
    "run": ("run:run", "Carry out a plan through tools."),
    "template": ("template:group", "Plans that are run by name: add, list, show, run, schema."),
    "tools": ("run:tools", "List the tools that a plan can call."),
    "worker": ("worker:worker", "Carry out steps of runs, as one of several workers."),
    "workers": ("worker:workers", "List the living workers."),
    "notify": ("notify:notify", "Deliver webhooks, as `serve` does, beside any store."),
    "status": ("show:status", "Show the brief: open work, in doubt, owed, next step."),
    "show": ("show:show", "Show one execution in full."),
    "tail": ("show:tail", "Show the newest entries; -f follows new ones."),
    "undo-list": ("show:undo_list", "Show what an execution has not undone, in the order to undo it."),
    "owed": ("show:owed", "Show what somebody still has to undo, as a checklist."),
    "report": ("show:report", "Write one execution as Markdown, HTML, CSV or JSON lines."),
    "alerts": ("alerts:group", "List what somebody should look at now; silence, test."),
    "verify": ("audit:verify", "Check the journal, or an export, against its hashes."),
    "export": ("audit:export", "Export the journal as JSON lines."),
    "erase": ("audit:erase", "Erase recorded text for good; needs a credential."),
    "setup": ("setup:command", "Add hooks and the MCP server to your agents' clients."),
    "doctor": ("doctor:command", "Check the store, the journal and the hooks; suggest fixes."),
    "journals": ("maintenance:journals", "List the journals in the store."),
    "backup": ("backup:backup", "Copy all journals to one file, verified, while others record."),
    "restore": ("backup:restore", "Put a backup in the place of the store."),
    "rebuild": ("maintenance:rebuild", "Rebuild the derived tables from the entries."),
    "completion": ("maintenance:completion", "Print the completion script for a shell."),
    "version": ("maintenance:version", "Print the version."),
}
"""Commands for people: the function that builds each ("module:function"), and its line in the help."""
NOUNS: dict[str, tuple[str, dict[str, str]]] = {
    "credential": ("Add, list or revoke credentials.", {}),
    "webhook": ("Tell an address what is recorded: add, list, test, ...", {"dead": "list_dead_deliveries"}),
}
"""Things with a group of commands for their operations: its line in the help, and further words in it."""
PACKAGE = "tallystick.interfaces.cli.commands"
FIRST_EXAMPLE = """tallystick record execution-start --title "Clean up"
tallystick record action begin --tool rm --summary "delete the old logs"
tallystick status"""
EXIT_CODES = """0 success. 1 failure, or verify or doctor found a problem. 2 invalid call. 3 a credential is needed.
4 the store cannot be used. 5 rejected by the journal, or a run is held or waits. 130 interrupted. 141 the pipe was
closed."""


class ExternalCommand(Struct, frozen=True):
    """A command of another package. It receives its arguments as typed. Its help begins with the example."""

    short: str
    run: Callable[[list[str]], int]
    example: str = ""


class LazyCommand(Struct, frozen=True):
    """A command of another package, which is built when it is needed."""

    short: str
    make: Callable[[], click.Command]


class Group(click.Group):
    """Commands that share their first word. `make` builds the command for the second word."""

    def __init__(
        self, name: str, short: str, names: Sequence[str], make: Callable[[str], click.Command | None]
    ) -> None:
        super().__init__(name, params=list(general_options()), short_help=short, invoke_without_command=True)
        self.names = tuple(names)
        self.make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.make(cmd_name.replace("_", "-"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        command = self.get_command(ctx, args[0])
        if command is None and not ctx.resilient_parsing:
            raise click.UsageError(f'There is no command "{ctx.command_path} {args[0]}".{self.suggest(args[0])}', ctx)
        return args[0], command, args[1:]

    def suggest(self, name: str) -> str:
        """The commands that a mistyped name may stand for, as a question."""
        near = get_close_matches(name, self.names, 3, 0.5) or list(self.names)
        return f" Did you mean: {', '.join(near)}?"

    def invoke(self, ctx: click.Context) -> int:
        code = super().invoke(ctx)
        return int(code) if ctx.invoked_subcommand else print_help(ctx)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        return help_option()

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first = self.get_command(ctx, self.names[0])
        if isinstance(first, Command):
            write_example(formatter, first.example)
        self.format_usage(ctx, formatter)
        commands = [(name, self.get_command(ctx, name)) for name in self.names]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.short_help or "") for name, command in commands if command])


class Root(Group):
    """`tallystick` itself. `external` are commands of other packages, by name."""

    def __init__(self, external: Mapping[str, ExternalCommand | LazyCommand]) -> None:
        self.external = dict(external)
        self.verbs = _verbs()
        groups = [verb for verb, nouns in self.verbs.items() if nouns]
        names = [*CURATED, *self._single_words(), *self.external, *groups, *NOUNS]
        super().__init__("tallystick", "", names, self._make)
        self.params.append(_version_option())

    def _make(self, name: str) -> click.Command | None:
        if name in CURATED:
            module, _, function = CURATED[name][0].partition(":")
            made: click.Command = getattr(import_module(f"{PACKAGE}.{module}"), function)()
            return made
        if name in self.external:
            external = self.external[name]
            return external.make() if isinstance(external, LazyCommand) else _external_command(name, external)
        operation = find_operation([name])  # `verify`, or a full name such as record_plan, as hints write it
        if operation is not None:
            return make_command(operation)
        return _noun_group(name) if name in NOUNS else self._verb_group(name)

    def _verb_group(self, verb: str) -> Group | None:
        nouns = self.verbs.get(verb)
        if not nouns:
            return None
        return Group(verb, ", ".join(nouns), nouns, lambda noun: _operation_command([verb, noun]))

    def suggest(self, name: str) -> str:
        commands = {noun: f"{verb} {noun}" for verb, nouns in self.verbs.items() for noun in nouns}
        near = list(OTHER_NAMES.get(name, ())) or get_close_matches(name, self.names, 3, 0.6)
        near += [commands[noun] for noun in get_close_matches(name, commands, 2, 0.7)]
        return f" Did you mean: {', '.join(near)}?" if near else ""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_text("Tallystick: an execution journal for AI agents. It records, and acts only when asked to.")
        write_example(formatter, FIRST_EXAMPLE)
        self.format_usage(ctx, formatter)
        lines = {name: short for name, (_, short) in CURATED.items()}
        lines.update({name: command.short for name, command in self.external.items()})
        with formatter.section("For people"):
            formatter.write_dl([*lines.items(), *((noun, short) for noun, (short, _) in NOUNS.items())])
        with formatter.section("Every operation of the journal"):
            rows = [(verb, ", ".join(nouns)) for verb, nouns in self.verbs.items() if nouns]
            single = [
                (name, CATALOGUE[name.replace("-", "_")].doc.partition(".")[0] + ".") for name in self._single_words()
            ]
            formatter.write_dl([*rows, *single])
        write_options(formatter, "Options of every command", self.get_params(ctx), ctx)
        with formatter.section("Exit codes"):
            formatter.write_text(EXIT_CODES)

    def _single_words(self) -> list[str]:
        """The operations with a name of one word that have no command for people."""
        return [verb for verb, nouns in self.verbs.items() if not nouns and verb not in CURATED]


def _verbs() -> dict[str, list[str]]:
    """The first words of all commands, each with the second words that may follow it."""
    nouns: dict[str, list[str]] = {}
    for operation in CATALOGUE.values():
        verb, *noun = command_words(operation)
        nouns.setdefault(verb, []).extend(noun)
    return dict(sorted(nouns.items()))


def _operation_command(path: Sequence[str]) -> Command | None:
    operation = find_operation(path)
    return make_command(operation) if operation else None


def _noun_group(noun: str) -> Group:
    """`credential add` beside `add credential`: people look for the noun first."""
    operations = {
        command_words(each)[0]: each for each in CATALOGUE.values() if each.name.rstrip("s").endswith(f"_{noun}")
    }
    operations |= {verb: CATALOGUE[name] for verb, name in NOUNS[noun][1].items()}
    return Group(noun, ", ".join(operations), list(operations), lambda verb: _noun_command(operations, noun, verb))


def _noun_command(operations: Mapping[str, Operation[..., Any]], noun: str, verb: str) -> Command | None:
    if verb not in operations:
        return None
    return make_command(operations[verb], name=verb, example=format_example(operations[verb], (noun, verb)))


def _external_command(name: str, command: ExternalCommand) -> click.Command:
    """The general options before its name are passed on too: it must reject an unknown `--url`, not ignore it."""

    def run(arguments: tuple[str, ...]) -> int:
        invocation = click.get_current_context().find_object(Invocation)
        assert invocation is not None
        if command.example and arguments[:1] in (("-h",), ("--help",)):
            invocation.terminal.print(f"Example:\n  {command.example}\n", verbatim=True)
            invocation.terminal.flush()
        return command.run([*arguments, *_as_arguments(invocation.options)])

    return click.Command(
        name,
        callback=run,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        short_help=command.short,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    )


def _as_arguments(options: Mapping[str, Any]) -> list[str]:
    """General options as they are typed."""
    arguments: list[str] = []
    for name, value in options.items():
        if value and name not in DISPLAY_OPTIONS:
            flag = "--" + name.replace("_", "-")
            arguments += [flag] if value is True else [flag, str(value)]
    return arguments


def _version_option() -> click.Option:
    def print_version(ctx: click.Context, option: click.Parameter, value: Any) -> None:
        invocation = ctx.find_object(Invocation)
        if value and invocation is not None:
            from tallystick.version import __version__

            invocation.terminal.print(f"tallystick {__version__}")
            ctx.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=print_version,
        help="Print the version.",
    )
