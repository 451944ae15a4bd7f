"""Options that every command takes, before its name or behind it; the last one said counts.

Where an operation has an argument of the same name (`--actor`, `--session` of a list), the name behind the command
is the operation's, and the one before the command is this.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

import click

from tallystick.core.model import ActorKind
from tallystick.doors.cli.door import Door

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


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
    door = ctx.find_object(Door)
    if door is not None and option.name and value:
        door.wishes[option.name] = value
