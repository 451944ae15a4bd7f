"""The hook: on the path of every tool call of an agent. It spools what the client says, masked, and answers.

    python -I -S <data folder>/hook/run.py CLIENT [--strict] [--event NAME]

It exits 0 whatever goes wrong, says nothing but JSON, and waits for nothing without a bound. With `--strict` a call
that cannot be recorded is refused instead. Standard library only, and as little of it as will do: nothing here is
loaded that a plain tool call does not need. It runs from a bundle of modules, see `hook_bundle`.
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
    from collections.abc import Mapping
    from typing import Any

    from tallystick.core.redaction.masker import Masker

HOME = os.path.abspath(__file__).rsplit(os.sep, 4)[0]
"""The folder of the bundle: patterns that were compiled ahead lie in it, and `environment.json` beside it."""
MOST = 32 << 20
"""Bytes of a payload that are looked at."""
LAST = 4 << 10
"""Bytes at the end of a longer one that are looked at too: there stands the id of a call."""
PATIENCE = 5.0
"""Seconds to wait for a payload."""
HURRIED = 0.6
"""Seconds to wait for the spool when a session ends: Codex gives its end one second."""
IDLE = 0.3
"""Seconds of silence after which a payload that is whole is taken, though its end was not told."""
SHELLS = frozenset("sh bash dash ash zsh ksh mksh fish csh tcsh busybox env timeout nice setsid sudo xargs".split())  # noqa: SIM905
INITS = frozenset("init systemd launchd tini dumb-init docker-init catatonit s6-svscan runit".split())  # noqa: SIM905
_PROJECT = {"claude-code": "CLAUDE_PROJECT_DIR", "gemini-cli": "GEMINI_PROJECT_DIR", "cursor": "CURSOR_PROJECT_DIR"}
"""Each client's own variable only: an agent may have been started by another one, and in another project."""


def main(arguments: list[str]) -> None:
    """Answer one event and end the process. It ends at once: there is nothing to tidy up that the system does not."""
    try:
        code, said, complaint = answer(arguments, read_input(0), os.environ)
    except BaseException as error:
        code, said, complaint = _failed(arguments, "", error)
    _say(1, said)
    _say(2, complaint)
    os._exit(code)


def _say(file: int, text: str) -> None:
    rest = text.encode("utf-8", "replace")
    try:
        while rest:
            rest = rest[os.write(file, rest) :]
    except OSError:
        return  # nobody listens


def answer(arguments: list[str], given: bytes, env: Mapping[str, str]) -> tuple[int, str, str]:
    """The exit code, the output and the error output for one event."""
    event, told, complaint = _option(arguments, "--event"), None, ""
    try:
        told = HookEvent(arguments, given, env)
        event = told.event
        spool_file.append(
            told.spool,
            told.record(),
            HURRIED if event.lower() in responses.SESSION_END_EVENTS else spool_file.LOCK_SECONDS,
        )
    except Exception as error:
        if told is None or _refuses(arguments, event):
            return _failed(arguments, event, error)
        spool_file.add_missed(told.spool)
        complaint = _unrecorded(error)  # what the journal has can be told all the same
    if told.unkept and "--strict" in arguments:
        return _failed(arguments, event, ValueError(told.unkept))
    try:
        said = _said(told)
    except Exception as error:
        return 0, _spoken(told, {}), complaint or f"tallystick: {_reason(error)}\n"
    strict = "--strict" in arguments and not complaint
    return 0, _spoken(told, said or responses.no_message(told.client, event, strict)), complaint


def _spoken(told: HookEvent, said: dict[str, Any]) -> str:
    """The output: an object, also where it is empty; but for where even that is taken for words."""
    silent = not said and told.event.lower() in responses.SILENT_EVENTS and told.speaker == "claude-code"
    return "" if silent else dump(said) + "\n"


class HookEvent:
    """One event, as the client told it."""

    def __init__(self, arguments: list[str], given: bytes, env: Mapping[str, str]) -> None:
        self.client = arguments[0] if arguments else ""
        self.env = env = environment.hook_environment(os.path.dirname(HOME), env)
        self.text, self.payload = _read(given)
        self.unkept = "" if self.payload is not None else "what the client said of it could not be read"
        self.seen: dict[str, Any] = self.payload if self.payload is not None else _glimpsed(self.text)
        self.event = _option(arguments, "--event") or self.named("hook_event_name", "hookEventName", "hookName")
        self.folder = self._folder()
        self.journal = env.get("TALLYSTICK_JOURNAL", "") or journal_name(self.folder)
        self.spool = spool_file.path(spool_file.folder(env), self.journal)

    @property
    def speaker(self) -> str:
        """The client that really speaks: the line may have been made for another."""
        from tallystick.capture.hook.event import detect_client  # only where an agent is to be told something

        return detect_client(self.client, self.seen)

    @property
    def conversation(self) -> str:
        """The name that all sessions of one conversation share."""
        from tallystick.capture.hook.event import conversation_id, conversation_name

        return conversation_name(self.speaker, conversation_id(self.speaker, self.seen))

    def record(self) -> dict[str, Any]:
        """What is spooled. That something was seen is kept even when what was seen cannot be."""
        try:
            kept = self._kept()
        except Exception as error:  # unmasked, nothing is ever written
            self.unkept = f"it could not be masked: {type(error).__name__}"
            kept = {"payload": {"unreadable": f"[not kept: {type(error).__name__}]"}, "altered": ["lost"]}
        return {
            "v": 1,
            "id": os.urandom(16).hex(),
            "at": time_ns() // 1000,
            "client": self.client if self.client in responses.CLIENTS else "",
            "event": "unreadable",
            "journal": self.journal,
            "pid": agent_process(),
            **kept,
        }

    def _kept(self) -> dict[str, Any]:
        from tallystick.capture.hook import sanitize  # with the masker, the largest part of what is loaded

        masker, key = _masker(self.env), _key(self.spool)
        if self.payload is None:
            text = sanitize.sanitize_text(self.text, masker, key)
            payload: dict[str, Any] = {name: masker.mask_text(value) for name, value in self.seen.items()}
            payload["unreadable"] = text
            done = [] if text == self.text else ["masked"]
        else:
            payload, done = sanitize.sanitize_payload(self.text, self.payload, masker, key)
            if "cut" in done and self.event.lower() in responses.CALL_END_EVENTS:
                payload = {**payload, **_how_it_ended(self.payload)}
        effect = self._effect_key(key)
        return {
            **({"event": masker.mask_text(self.event[:100])} if self.payload is not None or self.event else {}),
            "cwd": masker.mask_text(self.folder),
            "payload": payload,
            **({"effect_key": effect} if effect else {}),
            **({"altered": done} if done else {}),
        }

    def _effect_key(self, key: bytes) -> str:
        """As `OperationContext.effect_key` takes it, over what the call really was; empty when there is no call, or no
        key yet."""
        if not key or not self.payload:
            return ""
        from tallystick.capture.hook.event import tool_call

        call = tool_call(self.event, self.payload)
        if call is None:
            return ""
        from tallystick.capture.spool.file import digest

        try:
            return "e1:" + digest(canonical(list(call)), key)
        except (ValueError, RecursionError):
            return ""  # the journal would refuse such arguments too

    def named(self, *names: str) -> str:
        found = self.seen.get
        return next((text for text in map(found, names) if isinstance(text, str) and text), "")

    def _folder(self) -> str:
        """The project's folder. A client that says which it is counts for more than where the agent went since; for one
        that does not, the folder counts in which the session began."""
        roots = (self.payload or {}).get("workspace_roots")
        places = [self.env.get(_PROJECT.get(self.client, ""), "")]
        places += [root for root in roots if isinstance(root, str)] if isinstance(roots, list) else []
        said = next(filter(_is_folder, places), "")
        if said:
            return said
        told = next(filter(_is_folder, (self.named("cwd"), _here(), "/")))
        if self.env.get("TALLYSTICK_JOURNAL"):
            return told  # which project it is decides nothing
        from tallystick.capture.hook import environment

        session = self.named("session_id", "sessionId", "conversation_id")
        return environment.session_folder(spool_file.root(self.env), session, self.event, told)


def read_input(file: int) -> bytes:
    """The whole input, as far as it comes in time."""
    from select import POLLIN, poll

    waiting, size = poll(), 0
    parts: list[bytes] = []
    last = b""
    waiting.register(file, POLLIN)
    until = monotonic() + PATIENCE
    while (left := until - monotonic()) > 0:
        if not waiting.poll(1000 * (min(left, IDLE) if parts else left)):
            if parts and _read(b"".join(parts))[1] is not None:
                break
            continue
        try:
            part = os.read(file, 1 << 20)
        except OSError:  # it was given none
            part = b""
        if not part:
            break
        size += len(part)
        if size <= MOST + len(part):
            parts.append(part)
        elif parts:
            last = (last or b"".join(parts)[-LAST:]) + part
            last = last[-LAST:]
    whole = b"".join(parts)
    return whole if len(whole) <= MOST else whole[:MOST] + (last or whole[-LAST:])


def agent_process() -> int:
    """The nearest process above that is no shell: the agent. 0 when that cannot be told."""
    process = os.getppid()
    for _ in range(16):
        try:
            with open(f"/proc/{process}/stat", "rb") as file:
                before, _, after = file.read().rpartition(b")")
            name, above = before.partition(b"(")[2].decode("utf-8", "replace"), int(after.split()[1])
        except (OSError, ValueError, IndexError):
            return 0
        if name not in SHELLS:
            return 0 if process <= 1 and name in INITS else process
        process = above
    return 0


def _read(given: bytes) -> tuple[str, dict[str, Any] | None]:
    """The text that was given, and the payload in it if it is one."""
    text = given.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    try:
        payload = parse(text) if len(given) <= MOST else None
    except (ValueError, RecursionError):
        payload = None
    return text, payload if isinstance(payload, dict) else None


def _glimpsed(text: str) -> dict[str, Any]:
    from tallystick.capture.hook.partial_payload import readable_fields

    try:
        return dict(readable_fields(text))
    except (ValueError, RecursionError):
        return {}


def _masker(env: Mapping[str, str]) -> Masker:
    """The journal's masker, as `settings.load` has it configured. A pattern that is none is left out."""
    from tallystick.core.redaction import masker as redaction_masker
    from tallystick.core.redaction.prefilter import compiled

    if compiled.elsewhere is None:
        from tallystick.capture.hook import pattern_cache

        compiled.elsewhere = pattern_cache.load(os.path.join(HOME, pattern_cache.FILE_NAME))
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


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # somebody deleted it
        return ""


def _is_folder(place: str) -> bool:
    try:
        return place[:1] == "/" and b"\0" not in os.fsencode(place)
    except UnicodeEncodeError:
        return False


def _key(path: str) -> bytes:
    try:
        return bytes.fromhex(spool_file.read_file(spool_file.sibling(path, "key")).decode())
    except ValueError:
        return b""


def _how_it_ended(payload: dict[str, Any]) -> dict[str, str]:
    """What stood at the end of a command's output, which was cut."""
    from tallystick.capture.hook import exit_codes

    how = exit_codes.find_exit({name: value for name, value in payload.items() if name != exit_codes.EXIT_FIELD})
    return {exit_codes.EXIT_FIELD: how} if how else {}


def _said(told: HookEvent) -> dict[str, Any]:
    """What to tell the agent: mostly nothing."""
    event = told.event.lower()
    after = event in responses.LATE_BRIEF_EVENTS and os.path.exists(_compacted(told))
    compacting = event in responses.COMPACTION_EVENTS
    stop = event in responses.STOP_EVENTS and told.payload is not None and _may_remind(told)
    if not (event in responses.SESSION_START_EVENTS or stop or after or compacting):
        return {}
    client = told.speaker
    if (after or compacting) and client not in responses.NO_START_AFTER_COMPACTION:
        return {}
    from tallystick.capture.hook import brief

    transcript = told.named("transcript_path") if client in responses.ANNOUNCE_EVERY_TURN else None
    if compacting:
        brief.remember(_compacted(told), told.conversation, transcript)
        return {}
    if after and not brief.forget(_compacted(told), told.conversation, transcript):
        return {}
    asked = ["--client", client, "--conversation", told.conversation, "--journal", told.journal]
    if stop and client == "codex" and (path := told.named("transcript_path")):
        asked += ["--transcript", path]
    ask = brief.unfinished if stop else brief.brief
    text = ask(os.path.dirname(HOME), told.spool, asked, told.folder, told.env)
    form = responses.reminder_message if stop else responses.brief_message
    return form(client, told.event, text, told.client) if text else {}


def _compacted(told: HookEvent) -> str:
    """Where it is remembered which conversations were compacted and not briefed since."""
    return spool_file.sibling(told.spool, "compacted")


def _may_remind(told: HookEvent) -> bool:
    """Not when the agent goes on because it was reminded, nor after somebody stopped it."""
    payload = told.payload or {}
    again = payload.get("stop_hook_active") or payload.get("loop_count")
    return bool(told.conversation) and not again and payload.get("status", "completed") == "completed"


def _failed(arguments: list[str], event: str, error: BaseException) -> tuple[int, str, str]:
    """It could not be recorded. Strict: a call does not happen then; nor does what cannot even be told apart."""
    client = arguments[0] if arguments else ""
    if not _refuses(arguments, event):
        return 0, dump(responses.no_message(client, event)) + "\n", _unrecorded(error)
    refused = (
        f"Tallystick could not record this call ({_reason(error)}), and in strict mode a call that cannot be recorded "
        "does not happen. Make room or rights for its data folder, or run `tallystick setup --no-strict`."
    )
    code, denial = responses.refusal_message(client, event, refused)
    return code, dump(denial) + "\n" if denial else "", refused + "\n"


def _refuses(arguments: list[str], event: str) -> bool:
    return "--strict" in arguments and (not event or event.lower() in responses.CALL_BEGIN_EVENTS)


def _unrecorded(error: BaseException) -> str:
    return f"tallystick: this was not recorded: {_reason(error)}\n"


def _reason(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__)[:300]


def _option(arguments: list[str], name: str) -> str:
    return arguments[arguments.index(name) + 1] if name in arguments[:-1] else ""


if __name__ == "__main__":
    main(sys.argv[1:])
