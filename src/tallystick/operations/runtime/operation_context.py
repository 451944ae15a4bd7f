"""Runs an operation's reads and writes: idempotency keys, masking, digests, credentials, transactions.

An `OperationContext` is one journal for one principal and session. It turns what an operation records into drafts: it
checks sizes, masks secrets, takes digests before masking, and recognises a record that was made before under the same
key.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cache, lru_cache, partial
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tallystick.core.entries import Draft, Entry, Facts, Unreadable
from tallystick.core.errors import Conflict, InvalidArgument, NotPermitted, TooLarge
from tallystick.core.formats import canonical_json, times
from tallystick.core.redaction.masker import Masker
from tallystick.core.redaction.prefilter import LITERALS, literal_search
from tallystick.core.redaction.repeats import SeenSecrets
from tallystick.core.state import Execution, IdempotencyKey, Session
from tallystick.core.types import FINAL_STATUSES, Actor, Witness
from tallystick.operations.runtime.access import credential_hash, is_expired, is_granted
from tallystick.operations.runtime.receipts import Receipt, receipt_of
from tallystick.operations.runtime.session_lifecycle import OwnSession, require_session, session_for, session_of_key
from tallystick.settings import Settings
from tallystick.store.interface import Credential, Ledger, Snapshot, Store, StoredEntry, View

T = TypeVar("T")
A = TypeVar("A", bound=Receipt)

_VALUES = frozenset({"value", "result", "before", "after"})
"""Parts of a body that hold any JSON value, also the empty text. Elsewhere an empty text is left out."""
RESEND_MICROSECONDS = 300_000_000
"""How long the same request id counts as the same request, sent again. A `key` counts for ever."""
_KEYS_OF_RUNNERS = re.compile(r"((run|skip|items|unwind|undo|nothing|ask|ask:undo):(ex|ac)|ap)_")
"""Keys of the records that a runner makes. They can be guessed: with another record under one of them, its run would
stand still."""
MAX_CLEAN_NAMES = 1024
"""Names that a context remembers to be free of secrets: tools are few, and each is named often."""
MAX_RECORDING_MASKERS = 256
"""Journals whose secrets a process remembers."""
_TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32}-[0-9a-f]{16})-[0-9a-f]{2}")
"""A W3C traceparent. Its trace id and the span id of the caller are stored."""


class Principal(Struct, frozen=True, kw_only=True):
    """The caller of an operation, as its interface identified it."""

    actor: Actor = Actor()
    witness: Witness = "claimed"
    session: str = ""
    """An open session that the caller named; empty for the session of this process."""
    session_key: str = ""
    """Opens a separate session under this key, for one of several clients that share the process."""
    conversation: str = ""
    """The name that a session gets when it is opened."""
    client: str = ""
    credential: str = ""
    request: str = ""
    """The id of the request: the same request sent twice is one record."""
    trace: str = ""
    spool_behind: int = 0
    """Bytes that hooks spooled and that are not in the journal yet."""
    spool_problem: str = ""
    """Why those bytes cannot be recorded now."""
    torn: int = 0
    """Events of which only a torn spool record is left."""
    missed: int = 0
    """Events that hooks saw and could not spool."""
    missed_at: int = 0
    tasks: tuple[str, ...] = ()
    """Limits the caller to what belongs to these tasks; empty for no limit."""
    all_arguments: dict[str, Any] | None = None
    """All arguments of the call at hand, where only a part of them can be recorded."""
    may_run: bool = True
    """Whether the caller may say what a runner does: a client of a server, only with the scope `run`."""
    executes_calls: bool = False
    """Whether the caller executes the calls that it reports, and so stands behind the gateway."""
    expects_hooks: bool = False
    """Whether the caller was told that hooks record its calls."""

    @property
    def is_intention(self) -> bool:
        """Whether its calls can still be held back: an agent announces them, the gateway and the runner have not made
        them."""
        return self.witness == "claimed" or self.actor.kind in ("gateway", "runner")


class ServerRuns(Protocol):
    """The runs that a server carries out itself, in one journal."""

    has_tools: bool

    def check(self, plan: Any, parameters: Mapping[str, Any]) -> None:
        """Raise InvalidArgument if a revision of a plan cannot be carried out, or if none can."""

    def end(self) -> None:
        """Begin nothing more: the server stops."""


class OperationContext:
    """One journal, for one principal. Contexts made by `for_principal` share the session of the process."""

    def __init__(self, store: Store, settings: Settings, principal: Principal, own: OwnSession | None = None) -> None:
        self.store = store
        self.journal = _checked_name(settings.journal, "journal")
        self.settings = settings
        self.own = own or OwnSession()
        self.masker = _masker(settings.secret_names, settings.secret_patterns)
        self.recording_masker = _recording_masker(settings.secret_names, settings.secret_patterns, self.journal)
        self.progress: Callable[[int, int], None] = _ignore_progress
        self.server_runs: ServerRuns | None = None
        """Set for the clients of a server."""
        self._secret = b""
        self._clean_names: set[str] = set()
        self.principal = self._without_secrets(_validated(principal))

    def for_principal(self, principal: Principal) -> "OperationContext":
        """The same context for another principal; what it has cached of the journal is shared."""
        other = copy(self)
        other.principal = self._without_secrets(_validated(principal))
        return other

    def enter(self, *, session: str = "", conversation: str = "") -> None:
        """Continue in a session or a conversation that was found for the principal of this context."""
        self.principal = replace(self.principal, session=session, conversation=conversation)

    def for_journal(self, name: str, principal: Principal) -> "OperationContext":
        """A context for another journal of the same store, with a session of its own."""
        return OperationContext(self.store, replace(self.settings, journal=name), principal)

    def in_transaction(self, ledger: Ledger) -> "OperationContext":
        """This context inside a transaction that has begun: all its reads and writes happen there."""
        return TransactionContext(self, ledger)

    def read(self, work: Callable[[View], T]) -> T:
        """Run `work` on what the principal may see of the journal. Raises UnknownHandle for an unknown session."""
        work = _limited(work, self.principal.tasks) if self.principal.tasks else work
        return self.store.read(self.journal, partial(self._in_session, work) if self.principal.session else work)

    def _in_session(self, work: Callable[[View], T], view: View) -> T:
        require_session(view, self.principal.session)
        return work(view)

    def write(self, work: Callable[["Transaction"], T]) -> T:
        """Run `work` in a transaction; all that it writes is committed, or none."""
        return self._commit(lambda ledger: work(Transaction(self, ledger)))

    def _commit(self, work: Callable[[Ledger], T]) -> T:
        return self.store.write(self.journal, work)

    def stored_entries(self, *, after: int, limit: int) -> Sequence[StoredEntry]:
        """Entries as they are stored."""
        self._require_whole()
        return self.store.stored_entries(self.journal, after=after, limit=limit)

    def inspect(self, work: Callable[[Snapshot], T]) -> T:
        """Run `work` on the journal as it is stored at one moment."""
        self._require_whole()
        return self.store.inspect(self.journal, work)

    def _require_whole(self) -> None:
        """Raise for a principal that is limited to tasks: a hash chain with gaps proves nothing."""
        if self.principal.tasks:
            raise NotPermitted(
                f"This is the whole journal, and you may see {', '.join(self.principal.tasks[:5])} only.",
                hint="Read the entries instead, or ask somebody whose credential is not limited to tasks.",
            )

    def reader_session(self, view: View) -> str:
        """The session of a reader, if it has one. The process's own session may belong to another conversation."""
        principal = self.principal
        if principal.session or principal.session_key:
            return principal.session or session_of_key(view, principal.session_key)
        own = view.get(Session, self.own.id) if self.own.id else None
        if own is None or own.lock != self.own.lock:  # not ours, if the transaction that opened ours was rolled back
            return ""
        return own.id if not principal.conversation or own.name == principal.conversation else ""

    def record(
        self,
        key: str | None,
        content: Any,
        work: Callable[["Transaction"], Entry],
        describe: Callable[[View, Receipt], A],
    ) -> A:
        """Make a record once for a key: the same content again gives the same receipt, other content a Conflict.

        `describe` makes the receipt, from the journal as it is right after the record.
        """
        name = key or self.principal.request
        if name and self.masked_name(name) != name:
            raise InvalidArgument("key holds what looks like a secret.", hint="Use another key.", field="key")
        digest = self.digest(content) if name else ""

        def once(ledger: Ledger) -> A:
            transaction = Transaction(self, ledger)
            ledger = transaction.ledger
            used = ledger.get(IdempotencyKey, name) if name else None
            if used is not None and (key or not _is_other_request(ledger, used)):
                return describe(ledger, _repeated_receipt(ledger, used, digest))
            if not self.principal.may_run and _KEYS_OF_RUNNERS.match(name):
                raise NotPermitted(
                    f'The key "{name}" is one that runners use: for it you need a credential with the scope `run`.',
                    hint="Use another key.",
                    field="key",
                )
            transaction.key, transaction.digest = name, digest
            receipt = receipt_of(work(transaction))
            return describe(ledger, replace(receipt, repeated=True) if transaction.repeated else receipt)

        return self._commit(once)

    def plan_body(self, **parts: Any) -> str | None:
        """The same for a plan, which may be larger."""
        return self.body(self.settings.limits.of_plan, **parts)

    def body(self, limits: canonical_json.Limits | None = None, /, **parts: Any) -> str | None:
        """The JSON text of a body, checked and masked; None when there is nothing to store."""
        return self._body(parts, limits or self.settings.limits)[0]

    def body_and_effect_key(self, tool: str | None, /, **parts: Any) -> tuple[str | None, str]:
        """The body of a call with these `arguments`, and its effect key. The arguments are looked through once."""
        body, is_simple = self._body(parts, self.settings.limits)
        return body, self.effect_key(tool, parts["arguments"], is_simple=is_simple)

    def _body(self, parts: dict[str, Any], limits: canonical_json.Limits) -> tuple[str | None, bool]:
        """The body, and whether all parts of it are simple JSON."""
        filled: dict[str, Any] = {}
        for name, value in parts.items():
            if value is not None and (value != "" or name in _VALUES):
                filled[name] = value
        if not filled:
            return None, False
        try:
            text, is_simple = canonical_json.encode_once(filled, limits, around=1)
        except TooLarge as error:
            error.field = error.field or _largest(filled)
            raise
        masker = self.recording_masker
        if not masker.looks_clean(text):
            masker.forget_oldest()
            text = canonical_json.encode(masker.mask(filled), limits, around=1)
        return text, is_simple

    def mask_value(self, name: str, value: Any) -> Any:
        """A value as it may be stored under a name: the name of a secret masks the whole value."""
        try:  # a value that is too large is rejected before it is searched
            canonical_json.encode({"value": value}, self.settings.limits, around=1)
        except TooLarge as error:
            error.field = error.field or "value"
            raise
        masked: Any = self.recording_masker.mask({name.rpartition(".")[2]: value})
        return next(iter(masked.values()))

    def masked_name(self, text: str | None) -> str:
        """A short name for the facts, with secrets masked; control characters are rejected."""
        if not text:
            return ""
        if text in self._clean_names:
            return text
        if not text.isprintable():
            raise InvalidArgument(f"The name {text!r} holds characters that cannot be shown.", hint="Use plain text.")
        masked = self.masker.mask_text(text)
        if masked == text and len(self._clean_names) < MAX_CLEAN_NAMES:
            self._clean_names.add(text)
        return masked

    def _without_secrets(self, principal: Principal) -> Principal:
        """Mask the actor's name: it is stored in every entry, which cannot be erased."""
        name = self.masked_name(principal.actor.name)
        return (
            principal if name == principal.actor.name else replace(principal, actor=replace(principal.actor, name=name))
        )

    def effect_key(self, tool: str | None, arguments: Any, *, is_simple: bool = False) -> str:
        """The effect key of a call: the same tool and arguments give the same key, in this journal only."""
        if not tool:
            return ""
        return "e1:" + self.digest([tool, arguments or {}], {"arguments": arguments}, is_simple=is_simple)

    def digest(self, value: Any, named: Any = None, *, is_simple: bool = False) -> str:
        """A keyed digest over the raw value, before masking: two secrets stay two values, and none can be guessed.

        `named` holds the same by argument name, for the error if it cannot be encoded.
        """
        try:
            content = canonical_json.canonical(value, is_simple=is_simple)
        except (TypeError, ValueError, RecursionError):
            canonical_json.encode(named or value, self.settings.limits, around=1)  # raises our own error
            raise
        return blake2b(content, digest_size=16, key=self._secret or self._key()).hexdigest()

    def digest_text(self, pieces: Iterable[str]) -> str:
        """The same for a long text in pieces: canonical JSON encodes a text letter by letter."""
        taken = blake2b(b'"', digest_size=16, key=self._key())
        for piece in pieces:
            taken.update(canonical_json.canonical(piece)[1:-1])
        taken.update(b'"')
        return taken.hexdigest()

    def _key(self) -> bytes:
        if not self._secret:
            self._secret = self.store.secret(self.journal)
        return self._secret

    def require(self, view: View, scope: str, task: str = "") -> str:
        """The name of the principal's credential, or NotPermitted if it does not grant the scope for this task."""
        secret = self.principal.credential
        known = next((each for each in view.credentials() if secret and _matches(secret, each.hash)), None)
        if known is not None and not known.revoked and is_granted(known.scopes, scope):
            _check_expiry_and_task(known, task, view.now())
            return known.name
        raise _not_granted(secret, known, scope)

    def checked_credential(self, view: View, scope: str, task: str = "") -> str:
        """The name of the principal's credential if it grants the scope for this task, else empty."""
        if not self.principal.credential:
            return ""
        try:
            return self.require(view, scope, task)
        except NotPermitted:
            return ""


class TransactionContext(OperationContext):
    """A context inside a transaction."""

    def __init__(self, context: OperationContext, ledger: Ledger) -> None:
        self.__dict__.update(context.__dict__)
        self._ledger = ledger

    def read(self, work: Callable[[View], T]) -> T:
        return _limited(work, self.principal.tasks)(self._ledger) if self.principal.tasks else work(self._ledger)

    def _commit(self, work: Callable[[Ledger], T]) -> T:
        return work(self._ledger)


class Transaction:
    """A ledger on which one principal writes. The first entry carries `key` and `digest`."""

    __slots__ = ("_session", "context", "digest", "key", "ledger", "repeated")

    def __init__(self, context: OperationContext, ledger: Ledger) -> None:
        self.context = context
        self.ledger = _limited_ledger(ledger, context.principal.tasks) if context.principal.tasks else ledger
        self.key = ""
        self.digest = ""
        self.repeated = False
        self._session = ""

    @property
    def session(self) -> str:
        """The session to write in; the process's own is opened when it is first needed."""
        if not self._session:
            key, digest, self.key, self.digest = self.key, self.digest, "", ""
            self._session = session_for(self)
            self.key, self.digest = key, digest
        return self._session

    def write(self, facts: Facts, *, id: str = "", execution: str = "", body: str | None = None) -> Entry:
        """Append one entry for the principal. The first one carries the key."""
        principal = self.context.principal
        draft = Draft(
            facts=facts,
            actor=principal.actor,
            id=id,
            session=self._session or self.session,
            execution=execution,
            witness=principal.witness,
            body=body,
            trace=_caller_span(principal.trace) if principal.trace else "",
            key=self.key,
            digest=self.digest,
        )
        self.key = self.digest = ""
        return self.ledger.append(draft)

    def write_ahead(self, facts: Facts, body: str | None) -> Entry:
        """Append an entry that the record depends on. The key stays for the record itself."""
        key, digest, self.key, self.digest = self.key, self.digest, "", ""
        entry = self.write(facts, body=body)
        self.key, self.digest = key, digest
        return entry

    def recorded_at(self, seq: int) -> Entry:
        """Return the entry with this number as `already_recorded`."""
        entry = self.ledger.entry(seq)
        assert entry is not None
        return self.already_recorded(entry)

    def already_recorded(self, entry: Entry) -> Entry:
        """Return the entry of a record that was made before; the receipt will say so."""
        self.repeated = True
        return entry


def _limited(work: Callable[[View], T], tasks: tuple[str, ...]) -> Callable[[View], T]:
    from tallystick.operations.runtime.task_scope import LimitedView  # only loaded for a limited principal

    return lambda view: work(LimitedView(view, tasks))


def _limited_ledger(ledger: Ledger, tasks: tuple[str, ...]) -> Ledger:
    from tallystick.operations.runtime.task_scope import LimitedLedger

    return LimitedLedger(ledger, tasks)


def _ignore_progress(done: int, total: int) -> None:
    """The default for `progress`."""


def _validated(principal: Principal) -> Principal:
    """The principal, if its fields are valid: entries are final, and must stay readable."""
    try:
        msgspec.convert(msgspec.to_builtins(principal), Principal)
    except msgspec.ValidationError as error:
        from tallystick.core.argument_errors import explain  # only needed after a mistake

        raise explain(str(error), "the principal", Principal) from None
    except (TypeError, ValueError, RecursionError):
        raise InvalidArgument(
            "The principal is not valid.",
            hint="actor is a name or an Actor, witness is claimed or observed, session and credential are text.",
            field="actor",
        ) from None
    for field, text in (
        ("actor", principal.actor.name),
        ("conversation", principal.conversation),
        ("client", principal.client),
    ):
        _checked_name(text or "-", field)
    return principal


def _checked_name(text: object, field: str) -> str:
    if not isinstance(text, str) or not 0 < len(text) <= 200 or not text.isprintable():
        raise InvalidArgument(f"{field} is not a name.", hint="Use 1 to 200 characters of plain text.", field=field)
    return text


def _largest(parts: dict[str, Any]) -> str:
    """The largest part of a body: the one to shorten."""
    sizes = {name: len(msgspec.json.encode(value)) for name, value in parts.items() if _is_json(value)}
    return max(sizes, key=sizes.__getitem__, default="")


def _is_json(value: Any) -> bool:
    try:
        msgspec.json.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


def receipt_only(view: View, receipt: Receipt) -> Receipt:
    """For a record whose receipt has no further fields."""
    return receipt


def _is_other_request(ledger: Ledger, used: IdempotencyKey) -> bool:
    """Whether the same request id means another request, since clients restart their numbering.

    That is so after some minutes. It is also so once the execution has ended: its client has had all answers, except
    maybe that to the end itself.
    """
    entry = ledger.entry(used.seq)
    if entry is None or abs(ledger.now() - entry.at) > RESEND_MICROSECONDS:
        return True
    execution = ledger.get(Execution, entry.execution or entry.id)
    return execution is not None and execution.status in FINAL_STATUSES and execution.decision_seq != entry.seq


def _repeated_receipt(ledger: Ledger, used: IdempotencyKey, digest: str) -> Receipt:
    if used.digest != digest:
        raise Conflict(
            f'The key "{used.id}" was used for entry {used.seq} with other content.',
            hint="Use a new key for a new record; the same key repeats the same one.",
            field="key",
            next_call=("read_entries", {"after": used.seq - 1, "limit": 1}),
        )
    entry = ledger.entry(used.seq)
    if entry is None or isinstance(entry.facts, Unreadable):
        raise Conflict(
            f'The key "{used.id}" was used for entry {used.seq}, which cannot be read any more.',
            hint="Look at what was done, then use a new key.",
            field="key",
            next_call=("read_entries", {"after": used.seq - 1, "limit": 1}),
        )
    return replace(receipt_of(entry), repeated=True)


def _caller_span(trace: str) -> str:
    found = _TRACE.fullmatch(trace)
    return found[1] if found else ""


def _matches(secret: str, stored_hash: str) -> bool:
    import hmac  # not needed to record

    return hmac.compare_digest(credential_hash(secret), stored_hash)


def _not_granted(secret: str, known: Credential | None, scope: str) -> NotPermitted:
    lacks = f'This needs a credential with the scope "{scope}", which an agent does not have.'
    if known is not None:
        word = "was revoked" if known.revoked else f"has the scope {' and '.join(known.scopes)} only"
        lacks = f'This needs a credential with the scope "{scope}", and "{known.name}" {word}.'
    elif secret:
        lacks = f'This needs a credential with the scope "{scope}", and the one that was given is not known here.'
    return NotPermitted(
        lacks,
        hint="A person makes one with `tallystick credential add NAME`, and gives it with --credential or "
        "Journal.open(credential=...).",
    )


def _check_expiry_and_task(known: Credential, task: str, now: int) -> None:
    if is_expired(known, now):
        raise NotPermitted(
            f'The credential "{known.name}" expired at {times.iso(known.expires)}.',
            hint="Somebody with the scope admin makes a new one: `tallystick credential add NAME`.",
        )
    if known.tasks and task not in known.tasks:
        raise NotPermitted(
            f'The credential "{known.name}" is for {", ".join(known.tasks[:5])} only.',
            hint="Ask somebody whose credential is for this task, or for all.",
        )


def _find_first_literals(low: bytes) -> object:
    """Build the search with the first record, and search from then on without this function."""
    try:
        from ahocorasick_rs import BytesAhoCorasick, Implementation
    except ImportError:  # no build for this system: all patterns are tried, as for a text with a literal
        literal_search.find = bool
    else:
        # Over bytes: for a text, it would first make a table of the places of all characters.
        literals = [literal.encode() for literal in LITERALS]
        literal_search.find = BytesAhoCorasick(literals, implementation=Implementation.DFA).find_matches_as_indexes
    return literal_search.find(low)


literal_search.find = _find_first_literals


@cache
def _masker(names: tuple[str, ...], patterns: tuple[str, ...]) -> Masker:
    """The masker for names and for comparisons: the same input gives the same output."""
    return Masker(names, patterns)


@lru_cache(MAX_RECORDING_MASKERS)
def _recording_masker(names: tuple[str, ...], patterns: tuple[str, ...], journal: str) -> Masker:
    """The masker for what is recorded: it also masks secrets that this process has masked before in this journal."""
    return Masker(names, patterns, seen=SeenSecrets())
