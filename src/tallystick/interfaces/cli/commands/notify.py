"""The command `notify`: tells others what is recorded, beside any store, until it is stopped."""

import signal
from collections.abc import Mapping
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from tallystick.interfaces import problems
from tallystick.interfaces.cli.command import DISPLAY_OPTIONS, Command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.sdk.local import local_caller

if TYPE_CHECKING:
    from tallystick.outbound.otel.export import OtlpPart


def notify() -> Command:
    return Command(
        "notify",
        _notify,
        """Deliver webhooks and send alerts, and with --otlp OpenTelemetry, until it is stopped: for all journals of the
        store, or the one that --journal names.

        `tallystick serve` does the same; where both run, one of them does. Ctrl-C or SIGTERM stops it: what was not
        delivered then is delivered when it, or a server, is started again.""",
        example="tallystick notify --url postgresql://db.example/tallystick",
        short="Deliver webhooks and send alerts, as `serve` does.",
        general=("url", "journal", *DISPLAY_OPTIONS),
        params=[*delivery_options(), *otlp_options()],
    )


def delivery_options() -> list[click.Option]:
    """The options of a process that delivers: they are an operator's, and no caller can give them."""
    return [
        click.Option(
            ["--deliver-to"],
            multiple=True,
            metavar="HOST[:PORT]",
            help="A host that webhooks may go to without TLS, and at an address that is not public. May be repeated.",
        ),
        click.Option(["--public-url"], metavar="URL", help="Where people open the page, for links."),
        click.Option(
            ["--alert"],
            multiple=True,
            metavar="URL",
            help="Send alerts there: an address of apprise or of a plug-in. May be repeated; or set TALLYSTICK_ALERTS.",
        ),
    ]


def otlp_options() -> list[click.Option]:
    """The options that say to which OpenTelemetry receiver a process sends."""
    return [
        click.Option(["--otlp"], metavar="URL", help="Send what is recorded to this OpenTelemetry receiver."),
        click.Option(["--otlp-content"], is_flag=True, default=None, help="Send recorded text too, masked."),
        click.Option(
            ["--otlp-since"],
            metavar="TIME|N|now",
            help="Where to begin with a receiver that is new. Default: at the first entry.",
        ),
    ]


def load_otlp(context: OperationContext, values: Mapping[str, Any], *, only: bool = False) -> "list[OtlpPart]":
    """What sends to the receiver that these options name; the SDK is loaded only then."""
    if not values.get("otlp"):
        return []
    from tallystick.outbound.otel.export import otlp_parts

    content, since = bool(values.get("otlp_content")), values.get("otlp_since") or ""
    return otlp_parts(context, values["otlp"], content=content, since=since, only=only)


def _notify(invocation: Invocation, values: dict[str, Any]) -> int:
    from tallystick.outbound import make_service
    from tallystick.outbound.service import outbound_options

    invocation.start_log("info")
    context = local_caller(invocation.caller).context
    options = outbound_options(
        context.settings, values.get("deliver_to", ()), values.get("public_url", ""), values.get("alert", ())
    )
    only = bool(invocation.options.get("journal"))
    stopped = Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    otlp = load_otlp(context, values, only=only)
    with make_service(context, options, otlp, only=only).running():
        which = f"the journal {context.journal}" if only else "all journals of the store"
        invocation.announce(f"Delivering the webhooks and alerts of {which}. Stop it with Ctrl-C.")
        stopped.wait()
    return problems.OK
