"""Calls to a server: what is behind `Journal.open("http://...")`, so that a journal over REST is used as one on a file.

Arguments are checked here first, so that a mistake is told as everywhere and costs no way. A record carries a key that
is made for it, so that one which has to be sent again is one entry all the same.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from time import sleep
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
from msgspec import UNSET, Struct

from tallystick.core import errors
from tallystick.core.errors import (
    InvalidArgument,
    NotPermitted,
    StorageUnavailable,
    TallystickError,
    TooLarge,
    UnknownHandle,
    WrongState,
    journal_closed_error,
)
from tallystick.core.formats import canonical_json
from tallystick.core.types import Actor, Witness
from tallystick.operations import CATALOGUE, Operation
from tallystick.settings import without_password
from tallystick.store.forks import process_id
from tallystick.store.liveness import Heartbeat

if TYPE_CHECKING:
    import httpx2

    from tallystick.sdk.local import OperationCall
    from tallystick.store.interface import Outcome

NO_PATH_ARGUMENT = "-"
"""Stands in a path for an argument that is left out."""
MAX_TRIES = 4
RETRY_PAUSE_SECONDS = 0.05
"""Before the second try; each further one waits twice as long."""
RESPONSE_SECONDS = 120.0
"""How long an answer is waited for, beside what a call asks to wait; verifying a large journal takes a while."""
TOO_MANY_REQUESTS = 429
MAX_BUSY_SECONDS = 60.0
"""How long a server may say that it has too much to do, before the caller is told."""
LEASE_SECONDS = 120.0
"""A server cannot see whether this process lives, so it is told again and again. When it has not been told for so long,
what was open is in doubt."""
MAX_CONNECTIONS = 128
MAX_CONCURRENT_RECORDS = 16
"""How many records of one asynchronous journal are on their way at the same time; the server commits them together."""
_ONCE = ("add_credential",)
"""What is not sent again: its answer is told once, and a second one would lack the secret."""
_SESSIONS = ("open_session", "renew_session", "end_session")
_IN_PATH = re.compile(r"\{(\w+)\}")
_ROOMY = canonical_json.Limits(body_bytes=1 << 40, depth=1000)
"""How large and how deep a record may be is for the server to say."""


class Remote:
    """A way to the operations of a journal that some server keeps. Threads may share it, and a fork has its own."""

    def __init__(
        self,
        url: str,
        journal: str,
        *,
        actor: Actor | None = None,
        witness: Witness = "claimed",
        session: str = "",
        credential: str = "",
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._url = url.rstrip("/")
        self._journal = {"journal": journal} if journal else {}
        self._headers = _headers(actor, witness, credential)
        self._given = session
        self._lease = lease_seconds
        self._lock = Lock()
        self._opening = Lock()
        self._client: httpx2.Client | None = None
        self._process = 0
        self._own = ""
        self._threads: ThreadPoolExecutor | None = None
        self._heartbeat = Heartbeat(self._renewed)
        self._closed = False

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        return self.call_as({}, operation, arguments)

    def call_as(self, said_by: Mapping[str, str], operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """`said_by` are headers that name another speaker in the same session."""
        if self._closed:
            raise journal_closed_error()
        operation.validate(arguments)
        if operation.scope != "agent" or operation.name in _SESSIONS or self._given:
            return self._asked(operation, arguments, self._given or self._known(), said_by)
        session = self._opened("")
        try:
            return self._asked(operation, arguments, session, said_by)
        except WrongState as error:
            if not error.next_call or error.next_call[0] != "open_session":
                raise
        return self._asked(operation, arguments, self._opened(session), said_by)  # its own was ended, or has lapsed

    def as_observer(self, actor: Actor, client: str, *, executes_calls: bool = False) -> "RemoteObserver":
        """The same way for a framework, which tells what it saw an agent do."""
        return RemoteObserver(self, actor)

    def join(self, session: str) -> None:
        """Go on in a session that somebody else has opened, and will end."""
        self._given = session

    def call_together(self, calls: "Sequence[OperationCall]") -> "list[Outcome]":
        if len(calls) == 1:
            return [self._outcome(calls[0])]
        if self._threads is None or self._process != process_id():
            self._threads = ThreadPoolExecutor(MAX_CONCURRENT_RECORDS, thread_name_prefix="tallystick-remote")
        return list(self._threads.map(self._outcome, calls))

    def close(self) -> None:
        """End the session that was opened, and let go of the connections."""
        own = self._known()
        if own and not self._closed:
            with suppress(TallystickError):  # a server that is away ends it when its lease has run out
                self._asked(CATALOGUE["end_session"], {"session_id": own}, own)
        self._closed, self._own = True, ""
        if self._client is not None and self._process == process_id():
            self._client.close()
        if self._threads is not None:
            self._threads.shutdown(wait=False)
        self._heartbeat.close()

    def _outcome(self, call: "OperationCall") -> "Outcome":
        try:
            return self.call(*call), None
        except Exception as error:
            return None, error

    def _known(self) -> str:
        """The session that this process has opened, if it has."""
        return self._own if self._process == process_id() else ""

    def _opened(self, over: str) -> str:
        """The session of this process; it is opened with its first record, or when the one it had is over."""
        with self._opening:
            if self._known() in ("", over):
                opening = {"client": "tallystick", "lease_seconds": self._lease}
                receipt = self._asked(CATALOGUE["open_session"], opening, "")
                self._own = str(receipt.id)
                self._heartbeat.keep("", self._own, 0, self._lease)
            return self._own

    def _renewed(self, journal: str, session: str, lock: int, seconds: float) -> bool:
        """Tell the server that this process lives. Whether to go on with that."""
        if self._closed or session != self._known():
            return False
        try:
            self._asked(CATALOGUE["renew_session"], {"session_id": session, "lease_seconds": seconds}, session)
        except (WrongState, UnknownHandle):
            return False
        except TallystickError:
            return not self._closed  # the server is away, or has no room: it is as much worth trying as it was before
        return True

    def _asked(
        self,
        operation: Operation[..., Any],
        arguments: dict[str, Any],
        session: str,
        said_by: Mapping[str, str] = MappingProxyType({}),
    ) -> Any:
        method, _, template = operation.http.partition(" ")
        path, rest = _path(template, arguments)
        headers = {**said_by, **({"tallystick-session": session} if session else {})}
        query, body = dict(self._journal), None
        if method == "GET":
            query |= _query(rest)
        else:
            body = _encoded(rest)
            headers["content-type"] = "application/json"
            if not _has_key(operation, rest):
                headers["idempotency-key"] = "rq." + os.urandom(12).hex()
        again = operation.name not in _ONCE
        seconds = RESPONSE_SECONDS + float(arguments.get("wait_seconds") or 0)
        answer = self._sent(method, path, query, body, headers, seconds, again)
        patience = MAX_BUSY_SECONDS
        while answer.status_code == TOO_MANY_REQUESTS and (wait := _retry_after(answer)) <= patience:
            sleep(wait)  # a server that has too much to do has done nothing
            patience -= wait
            answer = self._sent(method, path, query, body, headers, seconds, again)
        if answer.status_code == 200:
            return msgspec.json.decode(answer.content, type=operation.result)
        raise error_from_problem(answer.status_code, answer.content)

    def _sent(
        self,
        method: str,
        path: str,
        query: dict[str, Any],
        body: bytes | None,
        headers: dict[str, str],
        seconds: float,
        again: bool,
    ) -> "httpx2.Response":
        import httpx2

        for attempt in range(MAX_TRIES):
            try:
                return self._connected().request(
                    method, path, params=query, content=body, headers=headers, timeout=httpx2.Timeout(10, read=seconds)
                )
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                trouble: Exception = error  # nothing was sent
            except (httpx2.TransportError, RuntimeError) as error:  # a client that was closed meanwhile is the latter
                if self._closed:
                    raise journal_closed_error() from None
                trouble = error
                if not again or isinstance(error, RuntimeError):
                    break
            if attempt < MAX_TRIES - 1:
                sleep(RETRY_PAUSE_SECONDS * 2**attempt)
        hint = "Start it with `tallystick serve`, or check the address."
        if method != "GET" and not isinstance(trouble, httpx2.ConnectError | httpx2.ConnectTimeout):
            hint += " The record may have been made: its key tells."
        raise StorageUnavailable(
            f"The server at {without_password(self._url)} cannot be reached ({type(trouble).__name__}).", hint=hint
        ) from None

    def _connected(self) -> "httpx2.Client":
        with self._lock:
            if self._client is None or self._process != process_id():
                import httpx2

                if not self._headers.get("authorization", "").isascii():  # no header can hold it, and no server gave it
                    raise NotPermitted(
                        "The credential that was given is not one of a server: it holds more than plain letters.",
                        hint="Give one that `tallystick credential add` has made.",
                    )
                self._client = httpx2.Client(
                    base_url=self._url,
                    headers=self._headers,
                    limits=httpx2.Limits(
                        max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONCURRENT_RECORDS
                    ),
                )
                if self._process and self._process != process_id():
                    self._heartbeat = Heartbeat(self._renewed)  # the thread stayed with the parent
                self._process, self._own = process_id(), ""
            return self._client


class RemoteObserver:
    """What a framework saw an agent do, told over the connections and in the session of its program."""

    def __init__(self, remote: Remote, actor: Actor) -> None:
        self._remote = remote
        self._said_by = _headers(actor, "observed", "")

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        return self._remote.call_as(self._said_by, operation, arguments)

    def close(self) -> None:
        """Nothing here is its own."""


def _retry_after(answer: "httpx2.Response") -> float:
    said = answer.headers.get("retry-after", "")
    return max(float(said), 0.1) if said.isascii() and said.isdigit() else 1.0


def error_from_problem(status: int, content: bytes) -> TallystickError:
    """The error that problem details tell of, of the same class as in process."""
    try:
        said = json.loads(content)
        kind = _KINDS.get(said["code"], TallystickError)
        following = said.get("next_call")
        return kind(
            said["detail"],
            hint=said.get("hint", ""),
            field=said.get("field"),
            allowed=said.get("allowed", ()),
            next_call=(following["operation"], following["arguments"]) if following else None,
        )
    except (ValueError, KeyError, TypeError):
        return StorageUnavailable(
            f"The server answered {status}, and not as a Tallystick server does.", hint="Check the address."
        )


_KINDS = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, TallystickError) and kind is not errors.Refused
}


def _headers(actor: Actor | None, witness: Witness, credential: str) -> dict[str, str]:
    headers = {"accept": "application/json"}
    if actor is not None:
        headers["tallystick-actor"] = json.dumps({"kind": actor.kind, "name": actor.name})
    if witness != "claimed":
        headers["tallystick-witness"] = witness
    if credential:
        headers["authorization"] = f"Bearer {credential}"
    return headers


def _path(template: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The path with its arguments in it, and those that are left."""
    rest = dict(arguments)

    def filled(match: re.Match[str]) -> str:
        value = rest.pop(match[1], None)
        text = NO_PATH_ARGUMENT if value is None else quote(str(value), safe="")
        return text.replace(".", "%2E") if set(text) == {"."} else text  # which would name another folder

    return _IN_PATH.sub(filled, template), rest


def _query(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: _text(value) for name, value in arguments.items() if value is not None}


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return [_text(each) for each in value]
    return _encoded(value).decode()


def _encoded(value: Any) -> bytes:
    try:
        return canonical_json.encode(_plain(value), _ROOMY).encode()
    except RecursionError:
        deepest = canonical_json.DEFAULT_LIMITS.depth
        raise TooLarge(
            f"The JSON of this record is nested too deeply; the limit is {deepest} levels.", hint="Flatten it."
        ) from None


def _plain(value: Any) -> Any:
    """A value with structs as objects; what is no JSON stays as it is, to be refused by its name."""
    if isinstance(value, Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        pairs = ((name, getattr(value, field)) for name, field in names)
        return {name: _plain(item) for name, item in pairs if item is not UNSET}
    if type(value) is dict:
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _has_key(operation: Operation[..., Any], arguments: dict[str, Any]) -> bool:
    name = "idempotency_key" if "idempotency_key" in operation.arguments.__struct_fields__ else "key"
    return arguments.get(name) is not None


def check_url(url: str) -> None:
    """Refuse an address that is none; it is not asked before the first call."""
    if not re.fullmatch(r"https?://[^/?#\s]+(/[^?#\s]*)?", url, re.IGNORECASE):
        raise InvalidArgument(
            "This is not the address of a server.", hint="Use http://host:port, as serve prints it.", field="url"
        )
