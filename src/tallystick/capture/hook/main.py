"""The hook program: a client runs it at every event. It masks the event, appends it to the spool and answers.

    python -I -S <data folder>/hook/run.py CLIENT [--strict] [--event NAME]

It exits 0 whatever goes wrong, writes nothing but JSON, and every wait has a bound. With `--strict` a call that cannot
be recorded is refused instead. Standard library only, and as little of it as possible: a plain tool call loads nothing
that it does not need. It runs from a copy of the modules that it needs, see `hook_bundle`.
"""

from __future__ import annotations

import os
import sys
from time import monotonic, time_ns

from tallystick.capture.hook import environment, responses
from tallystick.capture.spool import file as spool_file
from tallystick.core.formats.fast_json import canonical, dump, parse
from tallystick.paths import journal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tallystick.core.redaction.masker import Masker

BUNDLE = os.path.abspath(__file__).rsplit(os.sep, 4)[0]
"""The folder of the copied modules. The compiled patterns are in it, and `home.json` is beside it."""
MAX_PAYLOAD_BYTES = 32 << 20
TAIL_BYTES = 4 << 10
"""How much is read at the end of a longer payload: the id of a call is there."""
INPUT_SECONDS = 5.0
"""How long to wait for a payload."""
SESSION_END_LOCK_SECONDS = 0.6
"""How long to wait for the spool when a session ends: Codex gives that hook one second."""
IDLE_SECONDS = 0.3
"""After this silence a payload that parses is taken, though the input is still open."""
SHELLS = frozenset("sh bash dash ash zsh ksh mksh fish csh tcsh busybox env timeout nice setsid sudo xargs".split())  # noqa: SIM905
INITS = frozenset("init systemd launchd tini dumb-init docker-init catatonit s6-svscan runit".split())  # noqa: SIM905
_PROJECT_VARIABLES = {
    "claude-code": "CLAUDE_PROJECT_DIR",
    "gemini-cli": "GEMINI_PROJECT_DIR",
    "cursor": "CURSOR_PROJECT_DIR",
}
"""Each client's own variable only: an agent may have been started by another one, in another project."""


def main(arguments: list[str]) -> None:
    """Answer one event and end the process at once: the system cleans up."""
    try:
        code, output, errors = answer(arguments, read_input(0), os.environ)
    except BaseException as error:
        code, output, errors = _answer_failure(arguments, "", error)
    _write(1, output)
    _write(2, errors)
    os._exit(code)


def _write(file: int, text: str) -> None:
    rest = text.encode("utf-8", "replace")
    try:
        while rest:
            rest = rest[os.write(file, rest) :]
    except OSError:
        return  # nobody reads it


def answer(arguments: list[str], content: bytes, env: Mapping[str, str]) -> tuple[int, str, str]:
    """The exit code, the output and the error output for one event."""
    name, event, errors = _option(arguments, "--event"), None, ""
    try:
        event = HookEvent(arguments, content, env)
        name = event.name
        is_end = name.lower() in responses.SESSION_END_EVENTS
        timeout = SESSION_END_LOCK_SECONDS if is_end else spool_file.LOCK_SECONDS
        spool_file.append(event.spool, event.record(), timeout)
    except Exception as error:
        if event is None or _must_refuse(arguments, name):
            return _answer_failure(arguments, name, error)
        spool_file.add_missed(event.spool)
        errors = _not_recorded(error)  # the agent can still get what the journal has
    if event.problem and "--strict" in arguments:
        return _answer_failure(arguments, name, ValueError(event.problem))
    try:
        message = _message(event)
    except Exception as error:
        return 0, _output(event, {}), errors or f"tallystick: {_reason(error)}\n"
    is_strict = "--strict" in arguments and not errors
    return 0, _output(event, message or responses.no_message(event.client, name, is_strict)), errors


def _output(event: HookEvent, message: dict[str, Any]) -> str:
    """The message as JSON, also if it is empty; no output where the client would show even an empty object."""
    is_silent = not message and event.name.lower() in responses.SILENT_EVENTS and event.actual_client == "claude-code"
    return "" if is_silent else dump(message) + "\n"


class HookEvent:
    """One event of a client: its payload, project, journal and spool."""

    def __init__(self, arguments: list[str], content: bytes, env: Mapping[str, str]) -> None:
        self.client = arguments[0] if arguments else ""
        self.env = env = environment.hook_environment(os.path.dirname(BUNDLE), env)
        self.text, self.payload = _parse(content)
        self.problem = "" if self.payload is not None else "its payload could not be read"
        self.fields: dict[str, Any] = self.payload if self.payload is not None else _readable_fields(self.text)
        self.name = _option(arguments, "--event") or self.field("hook_event_name", "hookEventName", "hookName")
        self.folder = self._project_folder()
        self.journal = env.get("TALLYSTICK_JOURNAL", "") or journal_name(self.folder)
        self.spool = spool_file.path(spool_file.folder(env), self.journal)

    @property
    def actual_client(self) -> str:
        """The client that sent the event: it may run a hook line that was made for another one."""
        from tallystick.capture.hook.event import detect_client  # only if there is text for the agent

        return detect_client(self.client, self.fields)

    @property
    def conversation(self) -> str:
        """The name that all sessions of one conversation share."""
        from tallystick.capture.hook.event import conversation_id, conversation_name

        return conversation_name(self.actual_client, conversation_id(self.actual_client, self.fields))

    @property
    def compaction_file(self) -> str:
        """The file with the conversations that were compacted and not briefed since."""
        return spool_file.sibling(self.spool, "compacted")

    def record(self) -> dict[str, Any]:
        """The spool record. An event whose payload cannot be kept is recorded without it."""
        try:
            content = self._content()
        except Exception as error:  # nothing is ever written unmasked
            self.problem = f"it could not be masked: {type(error).__name__}"
            content = {"payload": {"unreadable": f"[not kept: {type(error).__name__}]"}, "altered": ["lost"]}
        return {
            "v": 1,
            "id": os.urandom(16).hex(),
            "at": time_ns() // 1000,
            "client": self.client if self.client in responses.CLIENTS else "",
            "event": "unreadable",
            "journal": self.journal,
            "pid": agent_process(),
            **content,
        }

    def _content(self) -> dict[str, Any]:
        from tallystick.core.redaction import sanitize  # with the masker, the largest part of what is loaded

        masker, key = _masker(self.env), _digest_key(self.spool)
        digest = _digest_with(key)
        if self.payload is None:
            text = sanitize.sanitize_text(self.text, masker, digest)
            payload: dict[str, Any] = {name: masker.mask_text(value) for name, value in self.fields.items()}
            payload["unreadable"] = text
            changes = [] if text == self.text else ["masked"]
        else:
            payload, changes = sanitize.sanitize_payload(self.text, self.payload, masker, digest)
            if "cut" in changes and self.name.lower() in responses.CALL_END_EVENTS:
                payload = {**payload, **_exit_before_cut(self.payload)}
        effect_key = self._effect_key(key)
        return {
            **({"event": masker.mask_text(self.name[:100])} if self.payload is not None or self.name else {}),
            "cwd": masker.mask_text(self.folder),
            "payload": payload,
            **({"effect_key": effect_key} if effect_key else {}),
            **({"altered": changes} if changes else {}),
        }

    def _effect_key(self, key: bytes) -> str:
        """The same as `OperationContext.effect_key`, over the unmasked call; empty without a call or a key."""
        if not key or not self.payload:
            return ""
        from tallystick.capture.hook.event import tool_call

        call = tool_call(self.name, self.payload)
        if call is None:
            return ""
        try:
            return "e1:" + spool_file.digest(canonical(list(call)), key)
        except (ValueError, RecursionError):
            return ""  # the journal would refuse such arguments too

    def field(self, *names: str) -> str:
        """The first of these fields that is text."""
        return next((text for text in map(self.fields.get, names) if isinstance(text, str) and text), "")

    def _project_folder(self) -> str:
        """The project's folder: as the client names it, else the folder in which the session began.

        Both take precedence over the current folder, since the agent may have changed it.
        """
        roots = (self.payload or {}).get("workspace_roots")
        folders = [self.env.get(_PROJECT_VARIABLES.get(self.client, ""), "")]
        folders += [root for root in roots if isinstance(root, str)] if isinstance(roots, list) else []
        if named := next(filter(_is_folder_name, folders), ""):
            return named
        current = next(filter(_is_folder_name, (self.field("cwd"), _working_folder(), "/")))
        if self.env.get("TALLYSTICK_JOURNAL"):
            return current  # the journal does not depend on the project
        session = self.field("session_id", "sessionId", "conversation_id")
        return environment.session_folder(spool_file.root(self.env), session, self.name, current)


def read_input(file: int) -> bytes:
    """The whole input, as far as it arrives in time; of a longer one, the beginning and the end."""
    from select import POLLIN, poll

    poller, size = poll(), 0
    parts: list[bytes] = []
    tail = b""
    poller.register(file, POLLIN)
    deadline = monotonic() + INPUT_SECONDS
    while (left := deadline - monotonic()) > 0:
        if not poller.poll(1000 * (min(left, IDLE_SECONDS) if parts else left)):
            if parts and _parse(b"".join(parts))[1] is not None:
                break
            continue
        try:
            part = os.read(file, 1 << 20)
        except OSError:  # there is no input
            part = b""
        if not part:
            break
        size += len(part)
        if size <= MAX_PAYLOAD_BYTES + len(part):
            parts.append(part)
        elif parts:
            tail = ((tail or b"".join(parts)[-TAIL_BYTES:]) + part)[-TAIL_BYTES:]
    whole = b"".join(parts)
    return whole if len(whole) <= MAX_PAYLOAD_BYTES else whole[:MAX_PAYLOAD_BYTES] + (tail or whole[-TAIL_BYTES:])


def agent_process() -> int:
    """The id of the nearest parent process that is no shell: the agent. 0 if it cannot be found."""
    process = os.getppid()
    for _ in range(16):
        try:
            with open(f"/proc/{process}/stat", "rb") as file:
                before, _, after = file.read().rpartition(b")")
            name, parent = before.partition(b"(")[2].decode("utf-8", "replace"), int(after.split()[1])
        except (OSError, ValueError, IndexError):
            return 0
        if name not in SHELLS:
            return 0 if process <= 1 and name in INITS else process
        process = parent
    return 0


def _parse(content: bytes) -> tuple[str, dict[str, Any] | None]:
    """The input as text, and the payload if it is a JSON object."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    try:
        payload = parse(text) if len(content) <= MAX_PAYLOAD_BYTES else None
    except (ValueError, RecursionError):
        payload = None
    return text, payload if isinstance(payload, dict) else None


def _readable_fields(text: str) -> dict[str, Any]:
    from tallystick.capture.hook.partial_payload import readable_fields

    try:
        return dict(readable_fields(text))
    except (ValueError, RecursionError):
        return {}


def _masker(env: Mapping[str, str]) -> Masker:
    """The journal's masker, as `settings.load` configures it. An invalid pattern is left out."""
    from tallystick.core.redaction import masker as redaction_masker
    from tallystick.core.redaction.prefilter import compiled

    if compiled.elsewhere is None:
        from tallystick.capture.hook import pattern_cache

        compiled.elsewhere = pattern_cache.load(os.path.join(BUNDLE, pattern_cache.FILE_NAME))
    names = tuple(filter(None, env.get("TALLYSTICK_SECRET_NAMES", "").split(",")))
    patterns = tuple(filter(None, env.get("TALLYSTICK_SECRET_PATTERNS", "").split("\n")))
    if not names and not patterns:
        return redaction_masker.DEFAULT_MASKER
    return redaction_masker.Masker(names, tuple(filter(_is_pattern, patterns)))


def _is_pattern(source: str) -> bool:
    import re

    try:
        re.compile(source)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted
        return ""


def _is_folder_name(path: str) -> bool:
    try:
        return path[:1] == "/" and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _digest_key(spool: str) -> bytes:
    try:
        return bytes.fromhex(spool_file.read_file(spool_file.sibling(spool, "key")).decode())
    except ValueError:
        return b""


def _digest_with(key: bytes) -> Callable[[str], str] | None:
    """The keyed digest of a text; None without a key."""
    return (lambda text: spool_file.digest(text.encode("utf-8", "surrogatepass"), key)) if key else None


def _exit_before_cut(payload: dict[str, Any]) -> dict[str, str]:
    """How a command ended, by the end of its output, which was cut away."""
    from tallystick.capture.hook import exit_codes

    how = exit_codes.find_exit({name: value for name, value in payload.items() if name != exit_codes.EXIT_FIELD})
    return {exit_codes.EXIT_FIELD: how} if how else {}


def _message(event: HookEvent) -> dict[str, Any]:
    """The message for the agent: mostly none."""
    name = event.name.lower()
    if name in responses.SESSION_START_EVENTS:
        return _brief(event)
    if name in responses.STOP_EVENTS:
        return _reminder(event)
    if name in responses.COMPACTION_EVENTS:
        _note_compaction(event)
    elif name in responses.LATE_BRIEF_EVENTS and os.path.exists(event.compaction_file):
        return _brief_after_compaction(event)
    return {}


def _brief(event: HookEvent) -> dict[str, Any]:
    from tallystick.capture.hook import brief

    text = brief.session_brief(os.path.dirname(BUNDLE), event.spool, _query(event), event.folder, event.env)
    return responses.brief_message(event.actual_client, event.name, _visible(text), event.client) if text else {}


def _reminder(event: HookEvent) -> dict[str, Any]:
    if event.payload is None or not _may_remind(event):
        return {}
    from tallystick.capture.hook import brief

    client, query = event.actual_client, _query(event)
    if client == "codex" and (transcript := event.field("transcript_path")):
        query += ["--transcript", transcript]
    text = brief.stop_reminder(os.path.dirname(BUNDLE), event.spool, query, event.folder, event.env)
    return responses.reminder_message(client, event.name, _visible(text), event.client) if text else {}


def _visible(text: str) -> str:
    from tallystick.core.formats.visible import escape_block  # most events have no text for the agent

    return escape_block(text)


def _note_compaction(event: HookEvent) -> None:
    if event.actual_client in responses.NO_START_AFTER_COMPACTION:
        from tallystick.capture.hook import brief

        brief.note_compaction(event.compaction_file, event.conversation, _compaction_transcript(event))


def _brief_after_compaction(event: HookEvent) -> dict[str, Any]:
    if event.actual_client not in responses.NO_START_AFTER_COMPACTION:
        return {}
    from tallystick.capture.hook import brief

    transcript = _compaction_transcript(event)
    was_compacted = brief.take_compaction(event.compaction_file, event.conversation, transcript)
    return _brief(event) if was_compacted else {}


def _compaction_transcript(event: HookEvent) -> str | None:
    """The transcript that shows whether the client really compacted; None if its announcement is enough."""
    return event.field("transcript_path") if event.actual_client in responses.ANNOUNCE_EVERY_TURN else None


def _query(event: HookEvent) -> list[str]:
    return ["--client", event.actual_client, "--conversation", event.conversation, "--journal", event.journal]


def _may_remind(event: HookEvent) -> bool:
    """Not if the agent goes on because it was reminded, nor if a person stopped it."""
    payload = event.payload or {}
    was_reminded = payload.get("stop_hook_active") or payload.get("loop_count")
    return bool(event.conversation) and not was_reminded and payload.get("status", "completed") == "completed"


def _answer_failure(arguments: list[str], name: str, error: BaseException) -> tuple[int, str, str]:
    """The answer to an event that could not be recorded. With `--strict` a call is refused, and so is unknown input."""
    client = arguments[0] if arguments else ""
    if not _must_refuse(arguments, name):
        return 0, dump(responses.no_message(client, name)) + "\n", _not_recorded(error)
    text = (
        f"Tallystick could not record this call ({_reason(error)}), and in strict mode a call that cannot be recorded "
        "does not happen. Make room or rights for its data folder, or run `tallystick setup --no-strict`."
    )
    code, message = responses.refusal_message(client, name, text)
    return code, dump(message) + "\n" if message else "", text + "\n"


def _must_refuse(arguments: list[str], name: str) -> bool:
    return "--strict" in arguments and (not name or name.lower() in responses.CALL_BEGIN_EVENTS)


def _not_recorded(error: BaseException) -> str:
    return f"tallystick: this was not recorded: {_reason(error)}\n"


def _reason(error: BaseException) -> str:
    return _visible((getattr(error, "strerror", None) or str(error) or type(error).__name__)[:300])


def _option(arguments: list[str], name: str) -> str:
    return arguments[arguments.index(name) + 1] if name in arguments[:-1] else ""


if __name__ == "__main__":
    main(sys.argv[1:])
