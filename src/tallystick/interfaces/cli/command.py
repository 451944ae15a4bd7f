"""A command of ours: its help begins with an example, and is written to the terminal at hand."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import click

from tallystick.doors.cli.door import Door
from tallystick.doors.cli.options import Everywhere, everywhere

Run = Callable[[Door, dict[str, Any]], int]
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
        door = ctx.find_object(Door)
        assert door is not None
        door.begin()
        return self.run(door, {name: value for name, value in ctx.params.items() if value not in (None, ())})

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
    door = ctx.find_object(Door)
    assert door is not None
    ctx.max_content_width = HELP_WIDTH
    door.terminal.say(ctx.command.get_help(ctx), exact=True)
    return 0


def _show_help(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
        say_help(ctx)
        ctx.exit()


def _is_general(param: click.Parameter) -> bool:
    return isinstance(param, Everywhere)
