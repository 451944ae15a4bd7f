"""A command of ours: its help begins with an example, and is written to the terminal at hand."""

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, get_args

import click

from tallystick.core.types import ActorKind
from tallystick.interfaces.cli.invoke import Invocation

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


# ----------------------------------------------------------------------------------------------------------------------
# Options that every command takes, before its name or behind it; the last one said counts.
#
# Where an operation has an argument of the same name (`--actor`, `--session` of a list), the name behind the command
# is the operation's, and the one before the command is this.


class Words(click.ParamType[str]):
    """A word from a closed list. It is shown and completed here, and checked where every door checks it."""

    name = "word"

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self.words)}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem  # only a shell that completes needs it

        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


class Everywhere(click.Option):
    """An option that every command takes."""

    def __init__(self, *names: str, **more: Any) -> None:
        super().__init__(names, expose_value=False, callback=_wished, **more)


def everywhere(taken: Sequence[str] = ()) -> list[click.Option]:
    """The options of every command, less the names that are taken by its own."""
    options = [
        Everywhere("--json", is_flag=True, help="Print one JSON object; errors too, on standard error."),
        Everywhere("--quiet", "-q", is_flag=True, help="Print ids only, or nothing."),
        Everywhere("--no-color", is_flag=True, help="Print no colours; NO_COLOR does the same."),
        Everywhere("--url", metavar="URL", help="The store; TALLYSTICK_URL, else a file of the user's."),
        Everywhere("--journal", metavar="NAME", help="The journal; TALLYSTICK_JOURNAL, else the project's."),
        Everywhere("--actor", metavar="NAME", help="Who records; TALLYSTICK_ACTOR, else the user."),
        Everywhere(
            "--actor-kind", type=Words(get_args(ActorKind)), help="Person at a terminal, else agent, when left out."
        ),
        Everywhere(
            "--session", metavar="ID|NAME", help="The session; TALLYSTICK_SESSION, else that of the calling shell."
        ),
        Everywhere("--credential", metavar="SECRET", help="A person's credential; TALLYSTICK_CREDENTIAL."),
        Everywhere("--credential-file", metavar="FILE", help="The same, from a file: it shows in no process list."),
        Everywhere("--log", type=Words(("text", "json")), help="Log each call on standard error; TALLYSTICK_LOG."),
        Everywhere("--verbose", "-v", is_flag=True, help="Log more."),
    ]
    return [option for option in options if not set(option.opts) & set(taken)]


def _wished(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    invocation = ctx.find_object(Invocation)
    if invocation is not None and option.name and value:
        invocation.wishes[option.name] = value


# ----------------------------------------------------------------------------------------------------------------------

Run = Callable[[Invocation, dict[str, Any]], int]
"""What a command does with its own options; it returns the exit code."""
HELP_WIDTH = 100
"""Lines of help are no longer than this, however wide the terminal is."""


class Command(click.Command):
    """One command. `run` gets what was given of its own options, by name."""

    def __init__(
        self, name: str, run: Run, doc: str, *, example: str, params: Sequence[click.Parameter] = (), short: str = ""
    ) -> None:
        own = list(params)
        taken = [spelling for param in own for spelling in param.opts]
        super().__init__(
            name,
            params=[*own, *everywhere(taken)],
            help=inspect.cleandoc(doc),
            short_help=short or inspect.cleandoc(doc).partition("\n")[0],
        )
        self.run = run
        self.example = example

    def invoke(self, ctx: click.Context) -> int:
        invocation = ctx.find_object(Invocation)
        assert invocation is not None
        invocation.begin()
        return self.run(invocation, {name: value for name, value in ctx.params.items() if value not in (None, ())})

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        return help_option()

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_example(formatter, self.example)
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            for place, paragraph in enumerate((self.help or "").split("\n\n")):
                if place:
                    formatter.write_paragraph()
                formatter.write_text(" ".join(paragraph.split()))
        write_options(formatter, "Options", [each for each in self.get_params(ctx) if not _is_general(each)], ctx)
        general = [each.opts[0] for each in self.get_params(ctx) if isinstance(each, Everywhere)]
        with formatter.section("Options of every command"):
            formatter.write_text(f"{', '.join(general)} (see tallystick --help)")


def help_option() -> click.Option:
    return click.Option(
        ["--help", "-h", "_help"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_help,
        help="Show this and exit.",
    )


def write_example(formatter: click.HelpFormatter, example: str) -> None:
    with formatter.section("Example"):
        for row in example.split("\n"):
            formatter.write(f"{'':>{formatter.current_indent}}{row}\n")
    formatter.write_paragraph()


def write_options(
    formatter: click.HelpFormatter, heading: str, params: Sequence[click.Parameter], ctx: click.Context
) -> None:
    records = [each.get_help_record(ctx) for each in params if isinstance(each, click.Option)]
    shown = [record for record in records if record]
    if shown:
        with formatter.section(heading):
            formatter.write_dl(shown, col_max=26)


def say_help(ctx: click.Context) -> int:
    """Print the help of a command to the terminal at hand."""
    invocation = ctx.find_object(Invocation)
    assert invocation is not None
    ctx.max_content_width = HELP_WIDTH
    invocation.terminal.say(ctx.command.get_help(ctx), exact=True)
    return 0


def _show_help(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
        say_help(ctx)
        ctx.exit()


def _is_general(param: click.Parameter) -> bool:
    return isinstance(param, Everywhere)
