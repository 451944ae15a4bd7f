"""The tree of commands. Each is made when it is asked for, so that starting stays quick."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click
from msgspec import Struct

from tallystick.interfaces.cli.command import Command, everywhere, help_option, say_help, write_example, write_options
from tallystick.interfaces.cli.from_operations import command_of, example_of, operation_at
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.fields import command_words
from tallystick.operations import CATALOGUE, Operation

CURATED: dict[str, tuple[str, str]] = {
    "status": ("show:status", "How things stand: the brief."),
    "show": ("show:show", "One execution whole, for a person."),
    "tail": ("show:tail", "The newest entries; -f goes on."),
    "owed": ("show:owed", "What is not undone, as a checklist."),
    "report": ("show:report", "One execution as a document: Markdown, HTML, CSV or JSON lines."),
    "verify": ("audit:verify", "Check the journal, or an export, against its hashes."),
    "export": ("audit:export", "The journal as JSON lines."),
    "erase": ("audit:erase", "Erase bodies for good, with a credential."),
    "doctor": ("doctor:command", "Check store and journal, and say what to do."),
    "journals": ("maintenance:journals", "The journals in the store."),
    "rebuild": ("maintenance:rebuild", "Fold the derived rows again."),
    "completion": ("maintenance:completion", "The completion script for a shell."),
    "version": ("maintenance:version", "The version of this program."),
}
"""Commands for people beside the projected ones: where each is made, and its line in the help."""
PACKAGE = "tallystick.interfaces.cli.commands"
FIRST_EXAMPLE = """tallystick record execution-start --title "Clean up"
tallystick record action begin --tool rm --summary "delete the old logs"
tallystick status"""
EXIT_CODES = """0 done. 1 a failure, or verify or doctor found a problem. 2 the call was wrong. 3 it needs a credential.
4 the store cannot be used. 5 the journal said no. 130 interrupted. 141 the pipe was closed."""


class Elsewhere(Struct, frozen=True):
    """A command that is not this door's: it gets its arguments as they were typed. Its help begins with an example."""

    short: str
    run: Callable[[list[str]], int]
    example: str = ""


class Group(click.Group):
    """Commands under one word. `make` finds one by the words behind it."""

    def __init__(
        self, name: str, short: str, names: Sequence[str], make: Callable[[str], click.Command | None]
    ) -> None:
        super().__init__(name, params=list(everywhere()), short_help=short, invoke_without_command=True)
        self.names = tuple(names)
        self.make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.make(cmd_name.replace("_", "-"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = self.get_command(ctx, args[0])
        if found is None and not ctx.resilient_parsing:
            raise click.UsageError(f'There is no command "{ctx.command_path} {args[0]}".{self.meant(args[0])}', ctx)
        return args[0], found, args[1:]

    def meant(self, name: str) -> str:
        near = get_close_matches(name, self.names, 3, 0.5) or list(self.names)
        return f" Did you mean: {', '.join(near)}?"

    def invoke(self, ctx: click.Context) -> int:
        code = super().invoke(ctx)
        return int(code) if ctx.invoked_subcommand else say_help(ctx)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        return help_option()

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first = self.get_command(ctx, self.names[0])
        if isinstance(first, Command):
            write_example(formatter, first.example)
        self.format_usage(ctx, formatter)
        shown = [(name, self.get_command(ctx, name)) for name in self.names]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.short_help or "") for name, command in shown if command])


class Root(Group):
    """`tallystick` itself. `more` are commands that other rooms have, by name."""

    def __init__(self, more: Mapping[str, Elsewhere]) -> None:
        self.more = dict(more)
        self.verbs = _verbs()
        single = [verb for verb, nouns in self.verbs.items() if not nouns and verb not in CURATED]
        groups = [verb for verb, nouns in self.verbs.items() if nouns]
        super().__init__("tallystick", "", [*CURATED, *single, *self.more, *groups, "credential"], self._make)
        self.params.append(_version_option())

    def _make(self, name: str) -> click.Command | None:
        if name in CURATED:
            module, _, function = CURATED[name][0].partition(":")
            made: click.Command = getattr(import_module(f"{PACKAGE}.{module}"), function)()
            return made
        if name in self.more:
            return _elsewhere(name, self.more[name])
        operation = operation_at([name])  # `verify`; or a whole name such as record_plan, as hints write it
        if operation is not None:
            return command_of(operation)
        return _credential() if name == "credential" else self._verb(name)

    def _verb(self, verb: str) -> Group | None:
        nouns = self.verbs.get(verb)
        if not nouns:
            return None
        return Group(verb, ", ".join(nouns), nouns, lambda noun: _projected(operation_at([verb, noun])))

    def meant(self, name: str) -> str:
        whole = {noun: f"{verb} {noun}" for verb, nouns in self.verbs.items() for noun in nouns}
        near = get_close_matches(name, self.names, 3, 0.6)
        near += [whole[noun] for noun in get_close_matches(name, whole, 2, 0.7)]
        return f" Did you mean: {', '.join(near)}?" if near else ""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_text("Tallystick: an execution journal for AI agents. It records; it undoes nothing by itself.")
        write_example(formatter, FIRST_EXAMPLE)
        self.format_usage(ctx, formatter)
        shorts = {name: short for name, (_, short) in CURATED.items()}
        shorts.update({name: each.short for name, each in self.more.items()})
        with formatter.section("For people"):
            formatter.write_dl([*shorts.items(), ("credential", "add, list, revoke: who may decide and erase.")])
        with formatter.section("Every operation of the journal"):
            rows = [(verb, ", ".join(nouns)) for verb, nouns in self.verbs.items() if nouns]
            formatter.write_dl([*rows, *self._singles()])
        write_options(formatter, "Options of every command", self.get_params(ctx), ctx)
        with formatter.section("Exit codes"):
            formatter.write_text(EXIT_CODES)

    def _singles(self) -> list[tuple[str, str]]:
        names = [verb for verb, nouns in self.verbs.items() if not nouns and verb not in CURATED]
        return [(name, CATALOGUE[name].doc.partition(".")[0] + ".") for name in names]


def _verbs() -> dict[str, list[str]]:
    """The first words of all commands, each with the second words that follow it."""
    found: dict[str, list[str]] = {}
    for operation in CATALOGUE.values():
        verb, *noun = command_words(operation)
        found.setdefault(verb, []).extend(noun)
    return dict(sorted(found.items()))


def _projected(operation: Operation[..., Any] | None) -> Command | None:
    return command_of(operation) if operation else None


def _credential() -> Group:
    """`credential add` beside `add credential`: people look for the noun."""
    named = {
        command_words(each)[0]: each for each in CATALOGUE.values() if each.name.rstrip("s").endswith("_credential")
    }
    return Group(
        "credential",
        "add, list, revoke",
        list(named),
        lambda verb: _credential_command(named, verb),
    )


def _credential_command(named: Mapping[str, Operation[..., Any]], verb: str) -> Command | None:
    if verb not in named:
        return None
    return command_of(named[verb], name=verb, example=example_of(named[verb], ("credential", verb)))


SHOWING = frozenset({"quiet", "no_color", "log", "verbose"})
"""Options that change only what is shown; a command that knows nothing of them does the same."""


def _elsewhere(name: str, command: Elsewhere) -> click.Command:
    """It gets what was said before its name too, and refuses what it does not know: `--url` must not be dropped."""

    def run(arguments: tuple[str, ...]) -> int:
        invocation = click.get_current_context().find_object(Invocation)
        wishes = invocation.wishes.items() if invocation is not None else ()
        said = [("--" + wish.replace("_", "-"), value) for wish, value in wishes if value and wish not in SHOWING]
        before = [word for flag, value in said for word in ((flag,) if value is True else (flag, str(value)))]
        if invocation is not None and command.example and arguments[:1] in (("-h",), ("--help",)):
            invocation.terminal.say(f"Example:\n  {command.example}\n", exact=True)
            invocation.terminal.flush()
        return command.run([*arguments, *before])

    return click.Command(
        name,
        callback=run,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        short_help=command.short,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    )


def _version_option() -> click.Option:
    def say(ctx: click.Context, option: click.Parameter, value: Any) -> None:
        invocation = ctx.find_object(Invocation)
        if value and invocation is not None:
            from tallystick.version import __version__

            invocation.terminal.say(f"tallystick {__version__}")
            ctx.exit()

    return click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=say, help="Print the version."
    )
