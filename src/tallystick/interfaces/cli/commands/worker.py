"""The commands `worker`, which carries out steps of runs of a shared engine, and `workers`, which lists workers."""

import asyncio
import signal
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import click

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.shell_text import quote_word
from tallystick.core.formats.visible import escape_line
from tallystick.core.types import convert
from tallystick.interfaces import problems
from tallystick.interfaces.cli import tables
from tallystick.interfaces.cli.command import Command, WordChoice
from tallystick.interfaces.cli.commands.run import GENERAL, tool_options
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations import runs
from tallystick.operations.runs import WORKER_CLIENT
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.operations.sessions import SessionView
    from tallystick.runner.worker import Worker
    from tallystick.sdk.local import GroupCaller

SESSIONS_PER_PAGE = 100
MAX_JOURNALS_READ = 100
"""Other journals in which workers are looked for."""


def worker() -> Command:
    return Command(
        "worker",
        _serve,
        """Carry out steps of runs with the engine queue or temporal, until it is stopped.

        For the queue, the journal has to be in PostgreSQL. Start as many workers as you like, on any machine: each step
        is begun once. When a worker dies, others take over once its lease is over; what is unknown is held.

        With --engine temporal a Temporal cluster delivers the steps. Namespace, key and certificates come from
        Temporal's own environment variables and configuration file.

        It carries out what others ask for: only the tools that you name can be called. `shell`, `http`, secrets and
        values of the context are among them if the policy file lists them.

        Ctrl-C or SIGTERM begins nothing more: calls under way may end within --grace, and what waits is left to other
        workers.""",
        example="tallystick worker --queues default,gpu --at-once 16 --tools tools.py",
        short="Carry out steps of runs, as one of several workers.",
        general=GENERAL,
        loads_tools=True,
        params=[
            click.Option(
                ["--engine"], type=WordChoice(("queue", "temporal")), help="What delivers steps. Default: queue."
            ),
            click.Option(
                ["--temporal"],
                metavar="HOST:PORT",
                help="The Temporal cluster. Default: TEMPORAL_ADDRESS, else localhost:7233.",
            ),
            click.Option(["--queues"], metavar="NAMES", help="The queues to serve. Default: default."),
            click.Option(["--at-once"], type=click.IntRange(1), metavar="N", help="Calls at a time. Default: 16."),
            *tool_options(),
            click.Option(
                ["--lease"],
                type=click.FloatRange(0.5),
                metavar="SECONDS",
                help="How long it counts as alive without a word. Default: 30.",
            ),
            click.Option(
                ["--grace"],
                type=click.FloatRange(0),
                metavar="SECONDS",
                help="How long calls under way may take when it is stopped. Default: 25.",
            ),
        ],
    )


def workers() -> Command:
    return Command(
        "workers",
        _list_workers,
        "List the living workers of the journal, with their queues and what they have under way.",
        example="tallystick workers",
        short="List the living workers.",
    )


def _serve(invocation: Invocation, arguments: dict[str, Any]) -> int:
    from tallystick.runner.tools.registry import load_closed_registry
    from tallystick.runner.worker import Worker, WorkerOptions

    options = convert(_options(arguments), WorkerOptions, "worker")
    invocation.start_log("info")
    named = {name: arguments[name] for name in ("mcp", "policy") if name in arguments}
    registry = load_closed_registry(arguments.get("tools", ()), **named)
    asyncio.run(_until_stopped(Worker(cast("GroupCaller", invocation.caller), registry, options), invocation))
    return problems.OK


def _options(arguments: Mapping[str, Any]) -> dict[str, Any]:
    names = ("engine", "temporal", "at_once", "lease", "grace")
    options: dict[str, Any] = {name: arguments[name] for name in names if name in arguments}
    if "queues" in arguments:
        options["queues"] = tuple(name.strip() for name in arguments["queues"].split(",") if name.strip())
        if not options["queues"]:
            raise InvalidArgument("--queues names no queue.", hint="Give --queues default,gpu.", field="queues")
    if "temporal" in options and options.get("engine") != "temporal":
        raise InvalidArgument(
            "--temporal is the address of a cluster, and this worker serves the queue.",
            hint="Add --engine temporal, or leave --temporal out.",
            field="temporal",
        )
    return options


async def _until_stopped(worker: "Worker", invocation: Invocation) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    invocation.announce(f"The worker {worker.name} serves the journal {invocation.settings.journal}.")
    await worker.run(stopping)
    invocation.announce("The worker has stopped.")


def _list_workers(invocation: Invocation, arguments: dict[str, Any]) -> int:
    found = living_workers(invocation)
    terminal = invocation.terminal
    if terminal.json:
        names = ("name", "open_actions", "silent_since", "queues", "tools")
        shown = [{"session": each.id, **{name: getattr(each, name) for name in names}} for each in found]
        terminal.print_json({"workers": shown})
    elif terminal.quiet:
        terminal.print("\n".join(each.id for each in found))
    elif found:
        columns = ["worker", "tools", "under way", "since", "lease until", "session"]
        rows = [
            [
                *(escape_line(each.name), tables.format_value(each.tools)),
                *(str(each.open_actions), each.opened, each.expires, each.id),
            ]
            for each in found
        ]
        if any(each.silent_since for each in found):
            columns.append("no sign of life since")
            rows = [[*row, each.silent_since] for row, each in zip(rows, found, strict=True)]
        terminal.print(tables.draw_table(terminal, columns, rows))
    else:
        lines = ["No worker serves this journal: tallystick worker --tools tools.py"]
        lines += [
            f"Workers serve another journal: --journal {quote_word(name)}" for name in _other_journals(invocation)
        ]
        terminal.print("\n".join(lines))
    return problems.OK


def _other_journals(invocation: Invocation) -> list[str]:
    """Other journals of the store that have living workers: one may have been started with the wrong journal."""
    if not isinstance(invocation.caller, Local):
        return []
    context = invocation.caller.context
    names = [name for name in context.store.journals() if name != context.journal][:MAX_JOURNALS_READ]
    return [name for name in names if context.store.read(name, runs.living_workers)]


def living_workers(invocation: Invocation) -> list["SessionView"]:
    found: list[SessionView] = []
    cursor: str | None = None
    while cursor != "":
        page = invocation.call("list_sessions", {"status": "open", "limit": SESSIONS_PER_PAGE, "cursor": cursor})
        found += [each for each in page.sessions if each.alive and each.client == WORKER_CLIENT]
        cursor = page.next_cursor
    return found
