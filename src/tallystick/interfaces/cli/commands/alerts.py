"""The commands `alerts`, which lists what somebody should look at, `alerts silence` and `alerts test`."""

import logging
from typing import Any

import click

from tallystick.core.formats.visible import escape_line
from tallystick.interfaces import problems
from tallystick.interfaces.cli.app import Group
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.commands.notify import delivery_options
from tallystick.interfaces.cli.from_operations import make_command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.shell_words import answer_command, continue_command, settle_command, with_store
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations import CATALOGUE
from tallystick.operations.notifications.alerts import RULES, Alert


class AlertGroup(Group):
    """`alerts` alone lists them."""

    def invoke(self, ctx: click.Context) -> int:
        if ctx._protected_args or ctx.args:  # click keeps the next word apart from the rest
            return super().invoke(ctx)
        command = _list_command()
        return command.invoke(command.make_context("list", [], parent=ctx))


def group() -> Group:
    made = {
        "list": _list_command,
        "silence": lambda: make_command(
            CATALOGUE["silence_alert"], name="silence", example="tallystick alerts silence interrupted --until 8h"
        ),
        "test": _test_command,
    }
    return AlertGroup("alerts", ", ".join(made), list(made), lambda verb: made[verb]() if verb in made else None)


def _list_command() -> Command:
    return Command(
        "list",
        _list,
        """List what somebody should look at now: who, where, since when, and the command that deals with it.

        `serve` and `notify` send messages about these to the channels of --alert.""",
        example="tallystick alerts",
        short="List what somebody should look at now.",
    )


def _test_command() -> Command:
    return Command(
        "test",
        _test,
        "Send a test message to each channel.",
        example="tallystick alerts test --alert 'mailto://user:password@example.com?to=ada@example.com'",
        short="Send a test message to each channel.",
        params=[each for each in delivery_options() if each.name == "alert"],
    )


def _list(invocation: Invocation, arguments: dict[str, Any]) -> int:
    found = invocation.call("get_alerts", {"limit": 100})
    terminal = invocation.terminal
    if terminal.json:
        terminal.print_json(found)
    elif terminal.quiet:
        terminal.print("\n".join(each.about for each in found.alerts))
    elif found.alerts:
        terminal.print("\n".join(_shown(terminal, each) for each in found.alerts))
        for rule in found.more:
            terminal.print(f"There are more of {rule}.")
    else:
        terminal.print(with_store("No alerts. `tallystick status` shows what is open.", terminal.store))
    return problems.OK


def _shown(terminal: Terminal, alert: Alert) -> str:
    where = f' in "{alert.title}"' if alert.title else ""
    until = f" (silenced until {alert.silenced})" if alert.silenced else ""
    lines = [
        f"{terminal.style(alert.rule, bold=True)}: {escape_line(alert.text + where)}, since {alert.since}{until}",
        *(with_store(f"  {line}", terminal.store) for line in (escape_line(alert.to_do), *_commands(alert))),
    ]
    return "\n".join(lines)


def _commands(alert: Alert) -> list[str]:
    if alert.rule == "question_waits":
        return [answer_command(alert.about, has_options=False)]
    if alert.rule in ("in_doubt", "run_held"):
        return [settle_command(alert.about)]
    if alert.rule == "interrupted" and not alert.engine:
        return [continue_command(alert.execution_id)]
    return [f"tallystick show {alert.execution_id}"] if alert.execution_id else []


def _test(invocation: Invocation, arguments: dict[str, Any]) -> int:
    from tallystick.outbound.alerts.channels import open_channels
    from tallystick.outbound.alerts.messages import sample_message

    logging.getLogger("tallystick.outbound.alerts").addHandler(logging.NullHandler())  # it is said below
    addresses = arguments.get("alert") or invocation.settings.alerts
    terminal, code = invocation.terminal, problems.OK
    if not addresses:
        raise click.UsageError("Name a channel: --alert URL, or set TALLYSTICK_ALERTS.")
    for channel in open_channels(addresses):
        try:
            channel.notifier.send(sample_message(invocation.settings.journal, RULES))
        except Exception as error:  # of a service or a plug-in: the others are tried all the same
            terminal.print(f"{channel.name}: failed ({type(error).__name__}: {escape_line(str(error))[:200]})")
            code = problems.FAILURE
        else:
            terminal.print(f"{channel.name}: sent")
    return code
