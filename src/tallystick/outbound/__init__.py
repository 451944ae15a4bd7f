"""Tells other systems what is recorded: it follows the journal and never delays a record."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallystick.operations.runtime.operation_context import OperationContext
    from tallystick.outbound.service import FollowedJournals, OutboundOptions, OutboundService, Part


def make_service(
    context: "OperationContext", options: "OutboundOptions", more: "Sequence[Part]" = (), *, only: bool = False
) -> "OutboundService":
    """The service with all its parts, for all journals of the store, or only for that of the context; and `more`."""
    from tallystick.outbound.service import FollowedJournals, OutboundService  # `serve` and `notify` alone need them
    from tallystick.outbound.webhooks.part import WebhookPart

    journals = FollowedJournals(context, only=only)
    return OutboundService([WebhookPart(journals, options), *_alert_parts(journals, options), *more])


def _alert_parts(journals: "FollowedJournals", options: "OutboundOptions") -> "list[Part]":
    """What sends alerts; nothing without a channel. Raises if apprise does not know an address."""
    if not options.alerts:
        return []
    from tallystick.outbound.alerts.channels import open_channels
    from tallystick.outbound.alerts.part import AlertPart

    return [AlertPart(journals, open_channels(options.alerts), options.public_url)]
