"""Channels that take a message to people: plug-ins by the scheme of their address, and everything that apprise knows.

An address is the operator's own: it comes from options and the environment, never from a request. It may hold a
password, so a channel is named by its scheme and a digest.
"""

import logging
from collections.abc import Callable, Sequence
from hashlib import blake2b
from importlib.metadata import EntryPoint, entry_points
from threading import Thread
from typing import Protocol

from msgspec import Struct

from tallystick.core.errors import InvalidArgument, Unsupported
from tallystick.logs import log_event
from tallystick.outbound.alerts.messages import AlertMessage

PLUGINS = "tallystick.notifiers"
"""The group of entry points: each is a function of an address that returns a `Notifier`; its name is the scheme."""
SEND_SECONDS = 25.0
"""After which a channel that does not return has failed. Less than the lease of the follower that sends."""
log = logging.getLogger("tallystick.outbound.alerts")


class Notifier(Protocol):
    """Takes messages somewhere."""

    def send(self, message: AlertMessage) -> None:
        """Deliver a message, or raise. It may be called again with the same one."""


class AlertChannel(Struct, frozen=True):
    """A notifier with the name that shows nothing of its address, such as `mailto-3f9a`."""

    name: str
    notifier: Notifier


class AppriseNotifier:
    """A service that apprise knows: chat, mail, push, desktop. Loaded with the first message."""

    def __init__(self, address: str) -> None:
        try:
            import apprise
        except ImportError:
            raise Unsupported(
                "Alerts to chat and mail need a package that is not installed.",
                hint="Install tallystick[alerts] (in a checkout: make install EXTRAS=alerts).",
            ) from None
        logging.getLogger("apprise").propagate = False  # it logs addresses, which may hold passwords
        self._apprise = apprise.Apprise()
        if not self._apprise.add(address):
            raise InvalidArgument(
                f"The address of an alert channel ({address.partition(':')[0][:20]}:...) is none that apprise knows.",
                hint="Give one such as mailto://user:password@host?to=ada@example.com, slack://..., ntfy://...",
                field="alert",
            )

    def send(self, message: AlertMessage) -> None:
        import apprise

        kind = apprise.NotifyType.WARNING if message.raised or message.lasting else apprise.NotifyType.SUCCESS
        with apprise.LogCapture(level=logging.WARNING, fmt="%(message)s") as log_text:  # type: ignore[no-untyped-call]
            sent = self._apprise.notify(
                title=message.title, body=message.text, notify_type=kind, body_format=apprise.NotifyFormat.TEXT
            )
            reason = " ".join(log_text.getvalue().split())
        if not sent:
            raise ConnectionError(reason or "the message was not taken")


class PluginNotifier:
    """A notifier of another package. It may fail in any way when it is loaded or called. Of two packages with the same
    scheme, neither is used."""

    def __init__(self, plugins: Sequence[EntryPoint], address: str) -> None:
        self._plugins = plugins
        self._address = address
        self._made: Notifier | None = None

    def load(self) -> Notifier:
        if len(self._plugins) > 1:  # the address may hold a password: nobody has chosen who gets it
            raise InvalidArgument(
                f"The packages {_packages(self._plugins)} both take {self._plugins[0].name}:// addresses.",
                hint="Uninstall one of them.",
                field="alert",
            )
        if self._made is None:
            self._made = self._plugins[0].load()(self._address)
        return self._made

    def send(self, message: AlertMessage) -> None:
        self.load().send(message)


class BoundedNotifier:
    """Calls a notifier in a thread of its own, which is left alone if it does not return: nothing else waits for it."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._thread: Thread | None = None

    def send(self, message: AlertMessage) -> None:
        self.call(lambda: self._notifier.send(message))

    def call(self, work: Callable[[], object]) -> None:
        """Do something with the notifier. Raises what it raises, or TimeoutError."""
        if self._thread and self._thread.is_alive():
            raise TimeoutError("the call before has not returned yet")
        problems: list[BaseException] = []

        def run() -> None:
            try:
                work()
            except BaseException as error:  # SystemExit too: a plug-in may raise anything
                problems.append(error)

        self._thread = Thread(target=run, name="alert channel", daemon=True)
        self._thread.start()
        self._thread.join(SEND_SECONDS)
        if self._thread.is_alive():
            raise TimeoutError(f"no end within {SEND_SECONDS:g} s")
        for problem in problems:
            raise problem if isinstance(problem, Exception) else RuntimeError(type(problem).__name__)


def open_channels(addresses: Sequence[str]) -> tuple[AlertChannel, ...]:
    """The channels at these addresses. Raises if apprise does not know one. A plug-in that cannot be loaded is logged
    and fails with each message."""
    plugins: dict[str, list[EntryPoint]] = {}
    for each in entry_points(group=PLUGINS):
        plugins.setdefault(each.name, []).append(each)
    return tuple(_open(each, plugins.get(each.partition(":")[0].lower(), ())) for each in dict.fromkeys(addresses))


def _open(address: str, plugins: Sequence[EntryPoint]) -> AlertChannel:
    scheme = address.partition(":")[0].lower()[:20]
    name = f"{scheme}-{blake2b(address.encode(), digest_size=4).hexdigest()}"
    if not plugins:
        return AlertChannel(name, BoundedNotifier(AppriseNotifier(address)))
    notifier = PluginNotifier(plugins, address)
    bounded = BoundedNotifier(notifier)
    try:
        bounded.call(notifier.load)
    except Exception as error:
        fields = {"channel": name, "packages": _packages(plugins), "error": type(error).__name__}
        log_event(log, logging.ERROR, "plug-in cannot be loaded", **fields)
    return AlertChannel(name, bounded)


def _packages(plugins: Sequence[EntryPoint]) -> str:
    return " and ".join(sorted(each.dist.name for each in plugins if each.dist))
