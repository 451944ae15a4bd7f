"""The base class of the commands, their help, and the options that every command takes."""

import inspect
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, get_args

import click

from tallystick.core.types import ActorKind
from tallystick.interfaces.cli.invoke import Invocation

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Run = Callable[[Invocation, dict[str, Any]], int]
"""The function of a command. It receives the values of its own options, and returns the exit code."""
HELP_COLUMNS = 100
"""Lines of help are no longer than this, however wide the terminal is."""


class WordChoice(click.ParamType[str]):
    """A word from a fixed list. Click shows and completes it; the operation validates it, as for every interface."""

    name = "word"

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self.words)}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem  # needed only while a shell completes

        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


class GeneralOption(click.Option):
    """An option that every command takes, before its name or after it. The last value counts."""

    def __init__(self, *names: str, **more: Any) -> None:
        super().__init__(names, expose_value=False, callback=_store_option, **more)


DISPLAY_OPTIONS = frozenset({"quiet", "no_color", "log", "verbose"})
"""General options that change only the output."""


def general_options(taken: Sequence[str] = ()) -> list[click.Option]:
    """The options of every command, without the names that a command uses for itself.

    An operation may have an argument of the same name (`--actor` of a list). Then the option after the command is the
    operation's, and the one before the command is the general one.
    """
    options = [
        GeneralOption("--json", is_flag=True, help="Print one JSON object; errors too, on standard error."),
        GeneralOption("--quiet", "-q", is_flag=True, help="Print ids only, or nothing."),
        GeneralOption("--no-color", is_flag=True, help="Print no colours; NO_COLOR does the same."),
        GeneralOption("--url", metavar="URL", help="The store. Default: TALLYSTICK_URL, else a file of this user."),
        GeneralOption(
            "--journal", metavar="NAME", help="The journal. Default: TALLYSTICK_JOURNAL, else the project's."
        ),
        GeneralOption(
            "--actor",
            metavar="NAME",
            help="The name of the actor that records. Default: TALLYSTICK_ACTOR, else the user name.",
        ),
        GeneralOption(
            "--actor-kind", type=WordChoice(get_args(ActorKind)), help="Default: person at a terminal, else agent."
        ),
        GeneralOption(
            "--session",
            metavar="ID|NAME",
            help="The session. Default: TALLYSTICK_SESSION, else the session of the calling shell.",
        ),
        GeneralOption("--credential", metavar="SECRET", help="A person's credential; or set TALLYSTICK_CREDENTIAL."),
        GeneralOption(
            "--credential-file", metavar="FILE", help="Read the credential from a file: no process list shows it."
        ),
        GeneralOption(
            "--log",
            type=WordChoice(("text", "json")),
            help="Log each call on standard error; or set TALLYSTICK_LOG.",
        ),
        GeneralOption("--verbose", "-v", is_flag=True, help="Log more, and show tracebacks."),
    ]
    return [option for option in options if not set(option.opts) & set(taken)]


def _store_option(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    invocation = ctx.find_object(Invocation)
    if invocation is not None and option.name and value:
        invocation.options[option.name] = value


class Command(click.Command):
    """One command. `run` receives the values of its own options, by name. The help begins with an example."""

    def __init__(
        self,
        name: str,
        run: Run,
        doc: str,
        *,
        example: str,
        params: Sequence[click.Parameter] = (),
        short: str = "",
        general: Collection[str] | None = None,
        loads_tools: bool = False,
    ) -> None:
        """`general` names the general options that the command takes, if it does not take all of them. `loads_tools`:
        what others print in this process is not its output."""
        taken = [spelling for param in params for spelling in param.opts]
        options = [each for each in general_options(taken) if general is None or each.name in general]
        super().__init__(
            name,
            params=[*params, *options],
            help=inspect.cleandoc(doc),
            short_help=short or inspect.cleandoc(doc).partition("\n")[0],
        )
        self.run = run
        self.example = example
        self.general = general
        self.loads_tools = loads_tools

    def invoke(self, ctx: click.Context) -> int:
        invocation = ctx.find_object(Invocation)
        assert invocation is not None
        for name, value in invocation.options.items():  # an ignored --url would record in the wrong store
            if value and self.general is not None and name not in self.general:
                raise click.UsageError(f"No such option: --{name.replace('_', '-')}", ctx)
        invocation.apply_options()
        if self.general is not None and "session" not in self.general:
            invocation.use_own_session()
        if self.loads_tools:
            invocation.terminal.keep_output()
        return self.run(invocation, {name: value for name, value in ctx.params.items() if value not in (None, ())})

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        return help_option()

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_example(formatter, self.example)
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            for number, paragraph in enumerate((self.help or "").split("\n\n")):
                if number:
                    formatter.write_paragraph()
                formatter.write_text(" ".join(paragraph.split()))
        params = self.get_params(ctx)
        write_options(formatter, "Options", [each for each in params if not isinstance(each, GeneralOption)], ctx)
        general = [each.opts[0] for each in params if isinstance(each, GeneralOption)]
        with formatter.section("Options of every command"):
            formatter.write_text(f"{', '.join(general)} (see tallystick --help)")


def help_option() -> click.Option:
    return click.Option(
        ["--help", "-h", "_help"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_on_help,
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
    rows = [record for record in records if record]
    if rows:
        with formatter.section(heading):
            formatter.write_dl(rows, col_max=26)


def print_help(ctx: click.Context) -> int:
    """Print the help of a command to the invocation's terminal."""
    invocation = ctx.find_object(Invocation)
    assert invocation is not None
    ctx.max_content_width = HELP_COLUMNS
    invocation.terminal.print(ctx.command.get_help(ctx), verbatim=True)
    return 0


def _on_help(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
        print_help(ctx)
        ctx.exit()
