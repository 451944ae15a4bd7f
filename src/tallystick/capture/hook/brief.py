"""Texts for an agent at start, at stop and after a compaction, and the files that remember compactions and reminders.

The texts come from the `tallystick` command, which drains first. Only events that start or stop a session, or follow a
compaction, load this module. Standard library only.
"""

from __future__ import annotations

import os

from tallystick.capture.hook import environment
from tallystick.capture.hook.responses import CALL_BEGIN_EVENTS, CALL_END_EVENTS
from tallystick.capture.spool import file as spool_file
from tallystick.core.formats.fast_json import dump, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

COMMAND_SECONDS = 10.0
"""How long to wait for the command. Every client gives a hook of these events at least 30 seconds."""
MAX_CHARACTERS = 4000
"""The longest text for an agent. The command itself keeps to 400 tokens."""
_MAX_BYTES = 1 << 20
"""How much of a spool or a transcript is looked at."""
_MAX_REMEMBERED = 50
"""How many conversations, and calls of one conversation, are remembered."""
_IS_CERTAIN = -1
"""Stored for a conversation whose client announces a compaction only when it compacts."""
_TRANSCRIPT_RESTART = b'\n{"$set":{"sessionId":'
_ACTION_PREFIX = "ac_"


def session_brief(program: str, spool: str, query: list[str], folder: str, env: Mapping[str, str]) -> str:
    """The brief for a session that starts; if the command fails, the prepared one, which says how old it is."""
    text = _run_command(program, ["brief", *query], folder, env)
    if text is not None:
        return text
    prepared = _prepared_brief(spool)
    text, seq = prepared.get("text"), prepared.get("seq")
    if not isinstance(text, str) or not text:
        return ""
    return (
        f"{text[:MAX_CHARACTERS]}\n(Prepared at entry {seq}. The journal could not be asked just now: this may be old.)"
    )


def stop_reminder(program: str, spool: str, query: list[str], folder: str, env: Mapping[str, str]) -> str:
    """The reminder for an agent that stops, or nothing.

    Each call is named once per conversation: one that runs in the background may do so for many turns.
    """
    conversation = query[query.index("--conversation") + 1]
    if not _may_be_in_doubt(spool, conversation.partition(":")[2]):
        return ""
    text = _run_command(program, ["stop", *query], folder, env)
    return text if text and _names_new_call(spool, conversation, text) else ""


def note_compaction(path: str, conversation: str, transcript: str | None = None) -> None:
    """Remember that a conversation is about to be compacted.

    If only the transcript shows whether that happens, its current size is stored: the part before it is old.
    """
    conversations = _load_compactions(path)
    offset = conversations.pop(conversation, None)
    if offset is None or not _is_compacted(offset, transcript):
        offset = _IS_CERTAIN if transcript is None else spool_file.file_stamp(transcript)[-1]
    latest = dict([*conversations.items()][-_MAX_REMEMBERED:])
    spool_file.replace_file(path, dump({**latest, conversation: offset}).encode())


def take_compaction(path: str, conversation: str, transcript: str | None = None) -> bool:
    """Whether a conversation was compacted since it was briefed; if so, that is forgotten."""
    conversations = _load_compactions(path)
    offset = conversations.pop(conversation, None)
    if offset is None or not _is_compacted(offset, transcript):
        return False
    if conversations:
        spool_file.replace_file(path, dump(conversations).encode())
    else:
        os.unlink(path)
    return True


def _is_compacted(offset: int, transcript: str | None) -> bool:
    """Whether a compaction that was announced has happened.

    Gemini CLI announces one before every answer of the model. When it compacts, it restarts its transcript in the same
    file, with a line that names the session. No text inside a line can look like that line.
    """
    if offset == _IS_CERTAIN or transcript is None:
        return True
    try:
        file = os.open(transcript, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return False
    try:
        return _TRANSCRIPT_RESTART in b"\n" + os.pread(file, _MAX_BYTES, offset)
    except OSError:
        return False
    finally:
        os.close(file)


def _load_compactions(path: str) -> dict[str, int]:
    return {name: offset for name, offset in _load_object(path).items() if isinstance(offset, int)}


def _load_object(path: str) -> dict[str, Any]:
    """The JSON object in a file; empty if there is none."""
    try:
        value = parse(spool_file.read_file(path).decode() or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _run_command(program: str, arguments: list[str], folder: str, env: Mapping[str, str]) -> str | None:
    """The output of `tallystick capture ...`; None if it failed or took too long.

    The command runs in a session of its own and continues after the timeout. There may be much to drain, and a drain
    that is killed leaves all of it to the next one.
    """
    import subprocess  # slow to load, and needed only here

    words = environment.start_command(environment.load_settings(program))
    if not words:
        return None
    try:
        process = subprocess.Popen(
            [*words, "capture", *arguments],
            env=dict(env),
            cwd=folder if os.path.isdir(folder) else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        output, _ = process.communicate(timeout=COMMAND_SECONDS)
    except (OSError, ValueError, KeyError, TypeError, subprocess.SubprocessError):
        return None
    return output.decode("utf-8", "replace").strip()[:MAX_CHARACTERS] if process.returncode == 0 else None


def _prepared_brief(spool: str) -> dict[str, Any]:
    return _load_object(spool_file.sibling(spool, "brief"))


def _may_be_in_doubt(spool: str, conversation_id: str) -> bool:
    """Whether the command must be asked: an action has no known outcome, or calls of the conversation are spooled."""
    prepared = _prepared_brief(spool)
    if prepared.get("open", " in doubt" in str(prepared.get("text"))) or spool_file.waiting_bytes(spool) > _MAX_BYTES:
        return True
    return any(_is_call(record, conversation_id) for record in spool_file.read(spool).records)


def _is_call(record: dict[str, Any], conversation_id: str) -> bool:
    """Whether a record is about a call of a conversation. An end counts too: only the command reads its outcome."""
    payload = record.get("payload")
    if not isinstance(payload, dict):
        return False
    if conversation_id not in (payload.get("session_id"), payload.get("sessionId"), payload.get("conversation_id")):
        return False
    return str(record.get("event")).lower() in CALL_BEGIN_EVENTS | CALL_END_EVENTS


def _names_new_call(spool: str, conversation: str, text: str) -> bool:
    """Whether the text names a call that the conversation has not been reminded of; remembers those it names.

    The newest calls come first in the text, so a new one is always among those named. If that cannot be remembered, the
    text is not shown: it would be shown at every stop.
    """
    path = spool_file.sibling(spool, "said")
    conversations = _load_object(path)
    value = conversations.pop(conversation, None)
    known = [id for id in value if isinstance(id, str)] if isinstance(value, list) else []
    named = dict.fromkeys(word for word in text.split() if word.startswith(_ACTION_PREFIX))
    if named and not named.keys() - set(known):
        return False
    latest = dict([*conversations.items()][-_MAX_REMEMBERED:])
    try:
        content = {**latest, conversation: [*known[-_MAX_REMEMBERED:], *named]}
        spool_file.replace_file(path, dump(content).encode())
    except OSError:
        return False
    return True
