"""Calls of operations on a server over REST, for `Journal.open("http://...")`.

Arguments are validated before they are sent, so a mistake gives the same error as in process and costs no request. Each
record carries an idempotency key, so a record that is sent twice is one entry.
"""

import os
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Lock
from time import sleep
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

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
    system_error,
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
"""Takes the place of an omitted argument in a path."""
MAX_TRIES = 4
RETRY_PAUSE_SECONDS = 0.05
"""Before the second attempt; it doubles with each further one."""
RESPONSE_SECONDS = 120.0
"""Read timeout, in addition to the `wait_seconds` of a call; verifying a large journal takes a while."""
TOO_MANY_REQUESTS = 429
MAX_BUSY_SECONDS = 60.0
"""How long calls are repeated while the server answers 429, before they raise."""
LEASE_SECONDS = 120.0
"""The lease of this process's session: the server cannot see whether the process lives, so it is renewed. When it runs
out, open actions are in doubt."""
MAX_CONNECTIONS = 128
MAX_CONCURRENT_RECORDS = 16
"""Records of one asynchronous journal that are sent at the same time; the server commits them together."""
_NEVER_RESENT = ("add_credential",)
"""Operations that are sent once: the secret is in the first response only."""
_SESSION_OPERATIONS = ("open_session", "renew_session", "end_session")
_IN_PATH = re.compile(r"\{(\w+)\}")
_NO_LIMITS = canonical_json.Limits(body_bytes=1 << 40, depth=1000)
"""The server limits the size and depth of a record."""


class Remote:
    """Calls operations of a journal on a server. Threads may share it; a forked process opens its own connections."""

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
        self._named_session = session
        self._lease = lease_seconds
        self._lock = Lock()
        self._opening = Lock()
        self._client: httpx2.Client | None = None
        self._process = 0
        self._own_session = ""
        self._opens_sessions = True
        self._threads: ThreadPoolExecutor | None = None
        self._heartbeat = Heartbeat(self._renew)
        self._closed = False

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        try:
            return self.call_as({}, operation, arguments)
        except OSError as error:
            raise system_error(error) from error

    def call_as(
        self, actor_headers: Mapping[str, str], operation: Operation[..., Any], arguments: dict[str, Any]
    ) -> Any:
        """Call an operation as another actor in the same session."""
        if self._closed:
            raise journal_closed_error()
        operation.validate(arguments)
        if operation.scope != "agent" or operation.name in _SESSION_OPERATIONS or self._named_session:
            return self._request(operation, arguments, self._named_session or self._known_session(), actor_headers)
        session = self._session_of_record()
        try:
            return self._request(operation, arguments, session, actor_headers)
        except WrongState as error:
            if not error.next_call or error.next_call[0] != "open_session":
                raise
        return self._request(
            operation, arguments, self._open_session(session), actor_headers
        )  # the session has ended or lapsed

    def as_observer(self, actor: Actor, client: str, *, executes_calls: bool = False) -> "RemoteObserver":
        """The same caller for a framework that reports what it saw an agent do."""
        return RemoteObserver(self, actor)

    def join(self, session: str) -> None:
        """Continue in a session that another program has opened and will end."""
        self._named_session = session

    def call_together(self, calls: "Sequence[OperationCall]") -> "list[Outcome]":
        return self.call_together_as({}, calls)

    def call_together_as(self, actor_headers: Mapping[str, str], calls: "Sequence[OperationCall]") -> "list[Outcome]":
        """Make records as another actor; each succeeds or fails by itself."""
        outcome = partial(self._outcome, actor_headers)
        if len(calls) == 1:
            return [outcome(calls[0])]
        if self._threads is None or self._process != process_id():
            self._threads = ThreadPoolExecutor(MAX_CONCURRENT_RECORDS, thread_name_prefix="tallystick-remote")
        return list(self._threads.map(outcome, calls))

    def close(self) -> None:
        """End the session that was opened, and close the connections."""
        own = self._known_session()
        if own and not self._closed:
            with suppress(TallystickError):  # an unreachable server ends it when its lease runs out
                self._request(CATALOGUE["end_session"], {"session_id": own}, own)
        self._closed, self._own_session = True, ""
        if self._client is not None and self._process == process_id():
            self._client.close()
        if self._threads is not None:
            self._threads.shutdown(wait=False)
        self._heartbeat.close()

    def _outcome(self, actor_headers: Mapping[str, str], call: "OperationCall") -> "Outcome":
        try:
            return self.call_as(actor_headers, *call), None
        except OSError as error:
            return None, system_error(error)
        except Exception as error:
            return None, error

    def _known_session(self) -> str:
        """The session that this process has opened; empty if it has not."""
        return self._own_session if self._process == process_id() else ""

    def _session_of_record(self) -> str:
        """The session of this process. Empty with a credential that may open none, such as an approver's: the server
        records in a session of that person."""
        if self._opens_sessions:
            try:
                return self._open_session("")
            except NotPermitted:
                self._opens_sessions = False
        return ""

    def _open_session(self, ended: str) -> str:
        """The session of this process; it is opened with its first record, and again after it has `ended`."""
        with self._opening:
            if self._known_session() in ("", ended):
                opening = {"client": "tallystick", "lease_seconds": self._lease}
                receipt = self._request(CATALOGUE["open_session"], opening, "")
                self._own_session = str(receipt.id)
                self._heartbeat.keep("", self._own_session, 0, self._lease)
            return self._own_session

    def _renew(self, journal: str, session: str, lock: int, seconds: float) -> bool:
        """Renew the lease of the session; returns whether to continue doing so."""
        if self._closed or session != self._known_session():
            return False
        try:
            self._request(CATALOGUE["renew_session"], {"session_id": session, "lease_seconds": seconds}, session)
        except (WrongState, UnknownHandle):
            return False
        except TallystickError:
            return not self._closed  # the server is unreachable or busy: the next renewal may succeed
        return True

    def _request(
        self,
        operation: Operation[..., Any],
        arguments: dict[str, Any],
        session: str,
        actor_headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Any:
        method, _, template = operation.http.partition(" ")
        path, rest = _path(template, arguments)
        headers = {**actor_headers, **({"tallystick-session": session} if session else {})}
        query, body = dict(self._journal), None
        if method == "GET":
            query |= _query(rest)
        else:
            body = _encode({name: _plain(value) for name, value in rest.items()})
            headers["content-type"] = "application/json"
            if not _has_key(operation, rest):
                headers["idempotency-key"] = "rq." + os.urandom(12).hex()
        may_resend = operation.name not in _NEVER_RESENT
        seconds = RESPONSE_SECONDS + float(arguments.get("wait_seconds") or 0)
        response = self._send(method, path, query, body, headers, seconds, may_resend)
        time_left = MAX_BUSY_SECONDS
        while response.status_code == TOO_MANY_REQUESTS and (wait := _retry_after(response)) <= time_left:
            sleep(wait)  # a server that answers 429 has done nothing
            time_left -= wait
            response = self._send(method, path, query, body, headers, seconds, may_resend)
        if response.status_code in (200, 201):
            return msgspec.json.decode(response.content, type=operation.result)
        raise error_from_problem(response.status_code, response.content)

    def _send(
        self,
        method: str,
        path: str,
        query: dict[str, Any],
        body: bytes | None,
        headers: dict[str, str],
        seconds: float,
        may_resend: bool,
    ) -> "httpx2.Response":
        import httpx2

        for attempt in range(MAX_TRIES):
            try:
                return self._connect().request(
                    method, path, params=query, content=body, headers=headers, timeout=httpx2.Timeout(10, read=seconds)
                )
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failure: Exception = error  # nothing was sent
            except (httpx2.TransportError, RuntimeError) as error:  # RuntimeError: the client was closed meanwhile
                if self._closed:
                    raise journal_closed_error() from None
                failure = error
                if not may_resend or isinstance(error, RuntimeError):
                    break
            if attempt < MAX_TRIES - 1:
                sleep(RETRY_PAUSE_SECONDS * 2**attempt)
        hint = "Start it with `tallystick serve`, or check the address."
        if method != "GET" and not isinstance(failure, httpx2.ConnectError | httpx2.ConnectTimeout):
            hint += " The record may have been made: repeat it with the same key to find out."
        raise StorageUnavailable(
            f"The server at {without_password(self._url)} cannot be reached ({type(failure).__name__}).", hint=hint
        ) from None

    def _connect(self) -> "httpx2.Client":
        with self._lock:
            if self._client is None or self._process != process_id():
                import httpx2

                token = self._headers.get("authorization", "")
                if not (token.isascii() and token.isprintable()):  # no header can hold it, and no server made it
                    raise NotPermitted(
                        "The credential is not one of a server: it holds characters that are not printable ASCII.",
                        hint="Give one that `tallystick credential add NAME` has made.",
                    )
                self._client = httpx2.Client(
                    base_url=self._url,
                    headers=self._headers,
                    limits=httpx2.Limits(
                        max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONCURRENT_RECORDS
                    ),
                )
                if self._process and self._process != process_id():
                    self._heartbeat = Heartbeat(self._renew)  # the thread stayed with the parent
                self._process, self._own_session = process_id(), ""
            return self._client


class RemoteObserver:
    """Reports what a framework saw an agent do, over the connections and in the session of its program."""

    def __init__(self, remote: Remote, actor: Actor) -> None:
        self._remote = remote
        self._actor_headers = _headers(actor, "observed", "")

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        return self._remote.call_as(self._actor_headers, operation, arguments)

    def call_together(self, calls: "Sequence[OperationCall]") -> "list[Outcome]":
        return self._remote.call_together_as(self._actor_headers, calls)

    def close(self) -> None:
        """Nothing to close: the connections belong to the program's own caller."""


def _retry_after(response: "httpx2.Response") -> float:
    seconds = response.headers.get("retry-after", "")
    return max(float(seconds), 0.1) if seconds.isascii() and seconds.isdigit() else 1.0


def error_from_problem(status: int, content: bytes) -> TallystickError:
    """The error of a problem details response, of the same class as in process."""
    try:
        problem = canonical_json.parse_leniently(content)
        kind = _ERRORS_BY_CODE.get(problem["code"], TallystickError)
        next_call = problem.get("next_call")
        return kind(
            problem["detail"],
            hint=problem.get("hint", ""),
            field=problem.get("field"),
            allowed=problem.get("allowed", ()),
            next_call=(next_call["operation"], next_call["arguments"]) if next_call else None,
        )
    except (ValueError, KeyError, TypeError):
        return StorageUnavailable(
            f"The server answered {status}, and not as a Tallystick server does.", hint="Check the address."
        )


_ERRORS_BY_CODE = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, TallystickError) and kind is not errors.Refused
}


def _headers(actor: Actor | None, witness: Witness, credential: str) -> dict[str, str]:
    headers = {"accept": "application/json"}
    if actor is not None:
        headers["tallystick-actor"] = canonical_json.to_readable(
            {"kind": actor.kind, "name": actor.name}, ascii_only=True
        )
    if witness != "claimed":
        headers["tallystick-witness"] = witness
    if credential:
        headers["authorization"] = f"Bearer {credential}"
    return headers


def _path(template: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The path with its arguments filled in, and the remaining arguments."""
    rest = dict(arguments)

    def fill(match: re.Match[str]) -> str:
        value = rest.pop(match[1], None)
        text = NO_PATH_ARGUMENT if value is None else quote(str(value), safe="")
        return text.replace(".", "%2E") if set(text) == {"."} else text  # a bare . or .. would name another folder

    return _IN_PATH.sub(fill, template), rest


def _query(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: _text(value) for name, value in arguments.items() if value is not None}


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return [_text(each) for each in value]
    return _encode(_plain(value)).decode()


def _plain(value: Any) -> Any:
    """An argument, or a field of a struct, without what a subclass of str or int adds: in process it is taken so."""
    if isinstance(value, str):
        return str.__str__(value)
    return int.__int__(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _encode(value: Any) -> bytes:
    try:
        return canonical_json.encode(_without_structs(value), _NO_LIMITS).encode()
    except RecursionError:
        deepest = canonical_json.DEFAULT_LIMITS.depth
        raise TooLarge(
            f"The JSON of this record is nested too deeply; the limit is {deepest} levels.", hint="Flatten it."
        ) from None


def _without_structs(value: Any) -> Any:
    """A value with structs as objects; a value that is not JSON stays as it is, so that the error can name it."""
    if isinstance(value, Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        pairs = ((name, getattr(value, field)) for name, field in names)
        return {name: _without_structs(_plain(item)) for name, item in pairs if item is not UNSET}
    if type(value) is dict:
        return {name: _without_structs(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_structs(item) for item in value]
    return value


def _has_key(operation: Operation[..., Any], arguments: dict[str, Any]) -> bool:
    name = "idempotency_key" if "idempotency_key" in operation.arguments.__struct_fields__ else "key"
    return arguments.get(name) is not None


def check_url(url: str) -> None:
    """Raise if the address is not valid; the server is not contacted before the first call."""
    try:
        is_valid = re.fullmatch(r"https?://[^/?#\s]+(/[^?#\s]*)?", url, re.IGNORECASE) and urlsplit(url).port != 0
    except ValueError:  # the port, or the address in brackets
        is_valid = False
    if not is_valid:
        raise InvalidArgument(
            "This is not the address of a server.", hint="Use http://host:port, as serve prints it.", field="url"
        )
