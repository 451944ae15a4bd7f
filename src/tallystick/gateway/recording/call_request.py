"""A tools/call as a client has requested it: its tool, its arguments, and the caller that the journal records."""

import os
from collections.abc import Callable
from typing import Any

from tallystick.core.tools import SeenTool, bare_name
from tallystick.core.types import Effect
from tallystick.gateway.upstream.names import MAX_NAME
from tallystick.sdk.local import Local

PROCESS_PREFIX = "process "


def process_caller_id() -> str:
    """The caller id where a client names no conversation: the client that started this process."""
    return f"{PROCESS_PREFIX}{os.getpid()}"


class CallRequest:
    """One requested call, whether or not it can be made."""

    def __init__(
        self,
        *,
        local: Local,
        name: str,
        shown: str,
        params: dict[str, Any],
        client_key: str,
        new_call_id: Callable[[], str],
    ) -> None:
        self.local = local
        """Calls operations as the gateway, in the conversation that the call belongs to."""
        self.name = name
        """The tool's name in the journal."""
        self.shown = shown
        """The tool's name as the client knows it."""
        self.params = params
        self.meta: dict[str, Any] = params["_meta"]
        self.client_key = client_key
        """Tells clients apart where several share the gateway; "" where there is one."""
        self.new_call_id = new_call_id
        self.arguments: dict[str, Any] = {}
        self.effect: Effect = "unsafe"
        self.client_call_id = ""
        """The client's own id of the call, "" if it sent none that can be used."""
        self.begin: dict[str, Any] = {}
        """The arguments of the begin record; empty until the policy has let the call through."""

    @property
    def seen(self) -> SeenTool:
        """The tool under all names that an agent may use for it."""
        return SeenTool(self.name, self.shown_as, behind_gateway=True)

    @property
    def shown_as(self) -> str:
        """The client's name for the tool, where it does not follow from the name in the journal."""
        return "" if self.shown == bare_name(self.name) else self.shown[:MAX_NAME]

    @property
    def effect_key(self) -> str:
        return self.local.context.effect_key(self.name, self.arguments)

    @property
    def caller_id(self) -> str:
        """The caller. The same call of another client, or of another conversation, is a different call."""
        principal = self.local.context.principal
        if self.client_key:
            return f"{self.client_key} {principal.client} {principal.conversation}"
        return principal.conversation or process_caller_id()
