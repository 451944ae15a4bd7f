"""The kinds of entry with the facts of each, and the handles that entries give to things.

Facts are what the rules need: ids, words from closed lists, digests, times. Free text and JSON are in the body, which
an entry only commits to. The name of a kind never changes. A new field needs a default, and a default never changes.

An older version cannot read a new kind, or a new word in a closed list: the entry says in `needs` which version can.
"""

from typing import Any, ClassVar, Literal

from msgspec import Struct, json

from tallystick.core.types import (
    ActionKind,
    Actor,
    Cancellable,
    Choice,
    Effect,
    ExecutionStatus,
    FailureAction,
    Outcome,
    Permission,
    PlanStatus,
    Scope,
    SessionEvent,
    SessionKind,
    Verdict,
    Witness,
)

# ----------------------------------------------------------------------------------------------------------------------
# Handles: `ac_b1fq7`. They show their kind, sort by time and are short enough for a model to copy.
#
# A handle is the kind's prefix, the sequence number of the entry that made it, and two check letters from the hash of
# the entry before. The number is written in base 32 with its length in front, so that text order is number order. The
# check letters make a guessed handle, or one from before a restored backup, an unknown one.

PLAN = "pl"
EXECUTION = "ex"
ACTION = "ac"
DECISION = "de"
CONTEXT = "cx"
APPROVAL = "ap"
SESSION = "se"
TASK = "ta"
JOURNAL = "jo"

# Crockford's alphabet, in ASCII order: no i, l, o or u to misread.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
CHECK_LETTERS = 2
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_LETTERS = {letter: ALPHABET[value & 31] for value, letter in enumerate(_BASE64)}


def mint(prefix: str, seq: int, before: str) -> str:
    """The handle of what entry `seq` creates; `before` is the hash of the entry before it."""
    return f"{prefix}_{_ordered(seq)}{_LETTERS[before[3]]}{_LETTERS[before[4]]}"


def seq_of(handle: str) -> int | None:
    """The sequence number inside a handle; None when it is not one."""
    _, _, tail = handle.partition("_")
    digits = tail[1:-CHECK_LETTERS]
    if len(tail) < 2 + CHECK_LETTERS or ord(tail[0]) - 96 != len(digits):
        return None
    number = 0
    for letter in digits:
        value = ALPHABET.find(letter)
        if value < 0:
            return None
        number = number * 32 + value
    return number


def handle_lower_bound(prefix: str, seq: int) -> str:
    """A text that sorts before every handle made by entry `seq` or a later one, and after those of earlier ones."""
    return f"{prefix}_{_ordered(seq)}"


def _ordered(number: int) -> str:
    digits = ""
    while True:
        number, rest = divmod(number, 32)
        digits = ALPHABET[rest] + digits
        if not number:
            return chr(96 + len(digits)) + digits


# ----------------------------------------------------------------------------------------------------------------------
# Facts


class Facts(Struct, frozen=True, omit_defaults=True):
    """The facts of an entry. `PREFIX` is that of the handle it is about.

    `NEEDS`: the version that brought the kind. Raise `ROW_FORMAT` with it: older versions then stop writing.
    """

    KIND: ClassVar[str]
    PREFIX: ClassVar[str]
    NEEDS: ClassVar[str] = ""


class StepFacts(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The facts of a planned step. `guarded` is the effect key of the call that needs approval, `undoes` the step that
    this one puts back."""

    id: str
    cancellable: Cancellable
    after: tuple[str, ...] = ()
    tool: str = ""
    effect: Effect = "unsafe"
    failure_policy: FailureAction = "manual_decision"
    propagate_to: tuple[str, ...] = ()
    has_undo: bool = False
    undo_until: str = ""
    needs_approval: bool = False
    guarded: str = ""
    has_probe: bool = False
    estimate: float | None = None
    temporary: bool = False
    undoes: str = ""


class PlanRecorded(Facts, frozen=True):
    """A plan, or a revision of it. `template`: it is a template of this name. `for_tasks`: each new task of this type
    gets a plan made from it."""

    KIND = "plan_recorded"
    PREFIX = PLAN
    revision: int
    steps: tuple[StepFacts, ...]
    type: str = ""
    task_id: str = ""
    template: str = ""
    for_tasks: str = ""


class PlanRetired(Facts, frozen=True):
    KIND = "plan_retired"
    PREFIX = PLAN
    status: PlanStatus


class TaskRecorded(Facts, frozen=True):
    """An item of somebody's work, by its id in their own system. `plan_id`: the plan that a template made for it."""

    KIND = "task_recorded"
    PREFIX = TASK
    task_id: str
    type: str = ""
    parent: str = ""
    plan_id: str = ""


class SessionOpened(Facts, frozen=True):
    KIND = "session_opened"
    PREFIX = SESSION
    session_kind: SessionKind
    client: str = ""
    name: str = ""
    host: str = ""
    process: int = 0
    process_started: int = 0
    lock: int = 0


class SessionEnded(Facts, frozen=True):
    KIND = "session_ended"
    PREFIX = SESSION
    reason: str


class SessionNoted(Facts, frozen=True):
    """An event that a harness saw in a session and that is not an action. `agent` is the sub-agent it is about."""

    KIND = "session_noted"
    PREFIX = SESSION
    event: SessionEvent
    agent: str = ""
    call: str = ""


class ExecutionStarted(Facts, frozen=True):
    """The start of an execution. `title_key`: a keyed digest of its title and task, by which the same work is found.

    `engine`: the engine by which a runner carries it out; empty when none was asked to.
    """

    KIND = "execution_started"
    PREFIX = EXECUTION
    plan_id: str = ""
    revision: int = 0
    steps: int = 0
    task_id: str = ""
    title_key: str = ""
    engine: str = ""


class ExecutionEnded(Facts, frozen=True):
    """The end of an execution. `left` counts what was unfinished then, such as open actions."""

    KIND = "execution_ended"
    PREFIX = EXECUTION
    status: ExecutionStatus
    left: dict[str, int] = {}


class ActionBegun(Facts, frozen=True):
    """The begin of an action. `shown_as`: the client's name for the tool if it differs, such as one with a prefix.

    `undoes_too`: earlier attempts at the step that the action `undoes` was an attempt at.
    `after_the_fact`: it was over when its begin was recorded, and its end follows at once.
    `permission`: of a call that was made, whether a person had permitted it; empty if nobody had to.
    `while_unwinding`: it was done while its execution was unwound, and fits no undo: it may be one all the same.
    `repeats`: the action of the same effect that was in doubt when this call was made.
    """

    KIND = "action_begun"
    PREFIX = ACTION
    action_kind: ActionKind = "do"
    undoes: str = ""
    tool: str = ""
    step: str = ""
    plan_id: str = ""
    revision: int = 0
    effect: Effect = "unsafe"
    effect_key: str = ""
    cancellable: Cancellable | None = None
    has_undo: bool = False
    undo_until: str = ""
    attempt: int = 1
    approval_id: str = ""
    entity_type: str = ""
    entity_id: str = ""
    again: bool = False
    out_of_order: bool = False
    late: bool = False
    confidence: float | None = None
    call: str = ""
    shown_as: str = ""
    temporary: bool = False
    undoes_too: tuple[str, ...] = ()
    after_the_fact: bool = False
    permission: Permission = ""
    while_unwinding: bool = False
    repeats: str = ""


class ActionEnded(Facts, frozen=True):
    """The end of an action. `settles`: it was in doubt before. `contradicts`: another outcome was recorded before.

    `credential` is the name of the approver's that was checked, where it settles a doubt.
    """

    KIND = "action_ended"
    PREFIX = ACTION
    outcome: Outcome
    without_effect: bool = False
    settles: bool = False
    contradicts: bool = False
    late: bool = False
    duration: float | None = None
    confidence: float | None = None
    credential: str = ""


class ActionDoubted(Facts, frozen=True):
    KIND = "action_doubted"
    PREFIX = ACTION
    reason: str


class ActionNoted(Facts, frozen=True):
    """A note on an action, a step or the execution; `about` is the action's id, or empty.

    `call`: a harness saw the call of an action that another session began.
    `effect`: the note is the gateway's, which knows the call best; it may use an approval too.
    `saw`: a hook saw the begin or the end of a call through the gateway, whose outcome takes precedence.
    """

    KIND = "action_noted"
    PREFIX = ACTION
    about: str = ""
    step: str = ""
    tool: str = ""
    entity_type: str = ""
    entity_id: str = ""
    late: bool = False
    confidence: float | None = None
    call: str = ""
    effect: Effect | None = None
    effect_key: str = ""
    approval_id: str = ""
    shown_as: str = ""
    saw: Literal["", "begin", "end"] = ""


class DecisionRecorded(Facts, frozen=True):
    """A decision. `kept`: with `keep`, the actions that are taken off the undo list.

    `credential` is the name of the approver's credential that was checked, if any: the actor is only a label.
    `action_id`: an action that was recorded without a step, and was this `step`, or undid `undoes` and `undoes_too`.
    `used`: the approval that it used. `permission`: whether a person had permitted it. `cancellable`: the step's.
    """

    KIND = "decision_recorded"
    PREFIX = DECISION
    decision: Choice
    status: ExecutionStatus
    step: str = ""
    approval_id: str = ""
    revision: int = 0
    late: bool = False
    credential: str = ""
    kept: tuple[str, ...] = ()
    action_id: str = ""
    undoes: str = ""
    undoes_too: tuple[str, ...] = ()
    used: str = ""
    permission: Permission = ""
    cancellable: Cancellable | None = None


DIGEST_PREFIX = "k1:"
"""In front of a keyed digest that stands for a key."""


def is_digest(scope: str, key: str) -> bool:
    """Whether the key of a context is a digest of the key that was given."""
    return scope != "project" and key.startswith(DIGEST_PREFIX)


class ContextRecorded(Facts, frozen=True):
    """A value under a key. `previous` is the sequence number of the value before it: history is a chain backwards.

    The key of a value that belongs to a task or an execution is a digest: the body has the key itself.
    """

    KIND = "context_recorded"
    PREFIX = CONTEXT
    scope: Scope
    key: str
    scope_id: str = ""
    type: str = ""
    previous: int = 0
    expires: int = 0
    derived_from: tuple[str, ...] = ()


class ApprovalRequested(Facts, frozen=True):
    """A question. `about`: the step that waits for its answer, if a yes does not permit the call of that step."""

    KIND = "approval_requested"
    PREFIX = APPROVAL
    step: str = ""
    about: str = ""
    tool: str = ""
    effect_key: str = ""
    expires: int = 0


class ApprovalDecided(Facts, frozen=True):
    """The answer to an approval. `effect_key` is new when the arguments were edited: it is what is granted.

    `credential` is the name of the one that was checked. It is empty for the `channel` "client": then a gateway reports
    what the client said, which its actor names.
    """

    KIND = "approval_decided"
    PREFIX = APPROVAL
    verdict: Verdict
    effect_key: str = ""
    credential: str = ""
    channel: str = ""


class BodyErased(Facts, frozen=True):
    """`credential` is the name of the one that was checked: the actor is only a label."""

    KIND = "body_erased"
    PREFIX = JOURNAL
    seqs: tuple[int, ...]
    task_id: str = ""
    forced: bool = False
    credential: str = ""


class CredentialAdded(Facts, frozen=True):
    """`credential` is the name of the administrator's that was checked, "" for the first one of a journal.

    `secret_hash` is empty in journals from before entries held it.
    """

    KIND = "credential_added"
    PREFIX = JOURNAL
    name: str
    scopes: tuple[str, ...]
    expires: int = 0
    tasks: tuple[str, ...] = ()
    observes: bool = False
    credential: str = ""
    secret_hash: str = ""


class CredentialRevoked(Facts, frozen=True):
    """`credential` is the name of the administrator's that was checked."""

    KIND = "credential_revoked"
    PREFIX = JOURNAL
    name: str
    credential: str = ""


class AlertSilenced(Facts, frozen=True):
    """No messages about a rule of alerts, or about one thing (`about`), until a time; 0 ends a silence.

    `credential` is the name of the person's that was checked.
    """

    KIND = "alert_silenced"
    PREFIX = JOURNAL
    rule: str
    about: str = ""
    until: int = 0
    credential: str = ""


class WebhookAdded(Facts, frozen=True):
    """A webhook, with the entries that it is for. Its address and its secret stand in no entry, only the host.

    `needs_person`: entries after which a person has to act. `credential`: as for credentials.
    """

    KIND = "webhook_added"
    PREFIX = JOURNAL
    name: str
    host: str
    kinds: tuple[str, ...] = ()
    execution_id: str = ""
    task_id: str = ""
    tool: str = ""
    actor: str = ""
    needs_person: bool = False
    credential: str = ""


class WebhookRotated(Facts, frozen=True):
    """A webhook has a new secret; the one before signs too for a day."""

    KIND = "webhook_rotated"
    PREFIX = JOURNAL
    name: str
    credential: str = ""


class WebhookTested(Facts, frozen=True):
    """An entry that is delivered to this webhook alone, whatever it is for."""

    KIND = "webhook_tested"
    PREFIX = JOURNAL
    name: str
    credential: str = ""


class WebhookReplayed(Facts, frozen=True):
    """A webhook delivers again: from the entry `since` on, what it gave up (`dead`), or else what waits, at once."""

    KIND = "webhook_replayed"
    PREFIX = JOURNAL
    name: str
    since: int = 0
    dead: bool = False
    credential: str = ""


class WebhookRemoved(Facts, frozen=True):
    KIND = "webhook_removed"
    PREFIX = JOURNAL
    name: str
    credential: str = ""


class Unreadable(Facts, frozen=True):
    """Stands for an entry whose line cannot be read; never written. `needs`: a newer version reads it, if known which.

    `stored_kind` is the kind in the line. The line's hash says whether it is as it was written.
    """

    KIND = "unreadable"
    PREFIX = JOURNAL
    problem: str
    stored_kind: str = ""
    needs: str = ""


KINDS: dict[str, type[Facts]] = {kind.KIND: kind for kind in Facts.__subclasses__()}
_DECODERS = {name: json.Decoder(kind) for name, kind in KINDS.items() if kind is not Unreadable}
READS_VERSION = (0, 1)
"""The newest version whose kinds and words are known here."""
UNKNOWN_VERSION = "newer"


class Draft(Struct, frozen=True, kw_only=True):
    """An entry before it is appended. `id` is empty when the entry creates something.

    `key` is the caller's idempotency key, `digest` that of the content it was used for.
    """

    facts: Facts
    actor: Actor
    id: str = ""
    session: str = ""
    execution: str = ""
    witness: Witness = "claimed"
    body: str | None = None
    trace: str = ""
    key: str = ""
    digest: str = ""


class Entry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One final line of the journal. Its fields, in this order and without `hash`, are written and hashed.

    `trace`: the trace id and the span id of the caller, as in its `traceparent`.
    `behind`: by how many microseconds its clock was behind the entry before, if by more than
    `chain.MAX_REPEATED_MICROSECONDS`.
    """

    seq: int
    id: str
    at: int
    kind: str
    actor: Actor
    facts: Facts
    session: str = ""
    execution: str = ""
    witness: Witness = "claimed"
    commitment: str = ""
    trace: str = ""
    key: str = ""
    digest: str = ""
    behind: int = 0
    needs: str = ""
    hash: str = ""


def decode_facts(kind: str, raw: Any) -> Facts:
    """The typed facts of a stored entry."""
    return _DECODERS[kind].decode(raw)


def needed_version(kind: str, needs: str) -> str:
    """The version that an entry needs and that is newer than this one; empty if this version should read it."""
    if kind not in _DECODERS:
        return needs or UNKNOWN_VERSION
    try:
        return needs if needs and tuple(map(int, needs.split("."))) > READS_VERSION else ""
    except ValueError:
        return needs
