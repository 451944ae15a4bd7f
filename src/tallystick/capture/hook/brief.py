"""What the hook tells an agent at the start of a session and when it stops. It asks the real command, which drains.

Only sessions that start or stop load this file. Standard library only: the hook takes it along.
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

WAIT = 10.0
"""Seconds for the command. The shortest time that a client gives a hook of these events is 30 seconds."""
LONGEST = 4000
"""Characters of an answer. The command itself keeps to 400 tokens."""
_LOOKED_AT = 1 << 20
_REMEMBERED = 50
_SURE = -1
"""Said of a conversation whose client says that it compacts when it does."""
_BEGUN_ANEW = b'\n{"$set":{"sessionId":'
_ACTION = "ac_"
"""How the handle of a call begins."""


def brief(place: str, path: str, asked: list[str], folder: str, env: Mapping[str, str]) -> str:
    """The account for a session that starts: of now, or else the prepared one, which says how old it is."""
    said = _command(place, ["brief", *asked], folder, env)
    if said is not None:
        return said
    prepared = _prepared(path)
    text, seq = prepared.get("text"), prepared.get("seq")
    if not isinstance(text, str) or not text:
        return ""
    return f"{text[:LONGEST]}\n(Prepared at entry {seq}. The journal could not be asked just now: this may be old.)"


def unfinished(place: str, path: str, asked: list[str], folder: str, env: Mapping[str, str]) -> str:
    """What to say to an agent that stops, or nothing. A conversation is told of each call once: one that runs in the
    background may do so for many turns."""
    conversation = asked[asked.index("--conversation") + 1]
    if not _may_be_in_doubt(path, conversation.partition(":")[2]):
        return ""
    text = _command(place, ["stop", *asked], folder, env)
    return text if text and _is_news(path, conversation, text) else ""


def remember(path: str, conversation: str, transcript: str | None = None) -> None:
    """Keep in mind that a conversation is about to be compacted; where only its transcript tells whether that is done,
    up to where the transcript tells of before."""
    known = _conversations(path)
    before = known.pop(conversation, None)
    if before is None or not _is_compacted(before, transcript):
        before = _SURE if transcript is None else spool_file.file_stamp(transcript)[-1]
    kept = dict([*known.items()][-_REMEMBERED:])
    spool_file.replace_file(path, dump({**kept, conversation: before}).encode())


def forget(path: str, conversation: str, transcript: str | None = None) -> bool:
    """Whether a conversation was compacted since it was briefed; it is no longer, then."""
    known = _conversations(path)
    before = known.pop(conversation, None)
    if before is None or not _is_compacted(before, transcript):
        return False
    if known:
        spool_file.replace_file(path, dump(known).encode())
    else:
        os.unlink(path)
    return True


def _is_compacted(before: int, transcript: str | None) -> bool:
    """Gemini CLI says before every answer of the model that it may compact. When it does, it begins its transcript anew
    in the same file: with a line that names the session, and that no text in a line can pass for."""
    if before == _SURE or transcript is None:
        return True
    try:
        file = os.open(transcript, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return False
    try:
        return _BEGUN_ANEW in b"\n" + os.pread(file, _LOOKED_AT, before)
    except OSError:
        return False
    finally:
        os.close(file)


def _conversations(path: str) -> dict[str, int]:
    try:
        found = parse(spool_file.read_file(path).decode() or "{}")
    except (ValueError, RecursionError):
        found = {}
    return {name: at for name, at in found.items() if isinstance(at, int)} if isinstance(found, dict) else {}


def _command(place: str, arguments: list[str], folder: str, env: Mapping[str, str]) -> str | None:
    """What the command says; None when it could not, or not in time.

    It has a session of its own, and goes on when nobody waits for it any more: there may be much to drain, and whoever
    is ended in the middle of it leaves all of it to the next.
    """
    import subprocess  # slow to load, and only here

    words = environment.start_command(environment.load_settings(place))
    if not words:
        return None
    try:
        started = subprocess.Popen(
            [*words, "capture", *arguments],
            env=dict(env),
            cwd=folder if os.path.isdir(folder) else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        said, _ = started.communicate(timeout=WAIT)
    except (OSError, ValueError, KeyError, TypeError, subprocess.SubprocessError):
        return None
    return said.decode("utf-8", "replace").strip()[:LONGEST] if started.returncode == 0 else None


def _prepared(path: str) -> dict[str, Any]:
    try:
        found = parse(spool_file.read_file(spool_file.sibling(path, "brief")).decode())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _may_be_in_doubt(path: str, session: str) -> bool:
    """By what is cheap to know: the prepared account, and whether calls of the conversation wait in the spool."""
    prepared = _prepared(path)
    if prepared.get("open", " in doubt" in str(prepared.get("text"))) or spool_file.waiting_bytes(path) > _LOOKED_AT:
        return True
    return any(_is_call(record, session) for record in spool_file.read(path).records)


def _is_call(record: dict[str, Any], session: str) -> bool:
    """Whether it is of a call in a conversation. Also an end may leave it in doubt: what it says is for the command to
    read."""
    payload = record.get("payload")
    if not isinstance(payload, dict) or session not in (payload.get("session_id"), *_others(payload)):
        return False
    return str(record.get("event")).lower() in CALL_BEGIN_EVENTS | CALL_END_EVENTS


def _others(payload: dict[str, Any]) -> tuple[object, object]:
    return payload.get("sessionId"), payload.get("conversation_id")


def _is_news(path: str, conversation: str, text: str) -> bool:
    """Whether this names a call that was not named before; what cannot be remembered is not said, lest it is said
    without end. The newest are named first, so what is new is always named."""
    beside = spool_file.sibling(path, "said")
    try:
        said = parse(spool_file.read_file(beside).decode() or "{}")
        said = dict(said) if isinstance(said, dict) else {}
    except (ValueError, RecursionError):
        said = {}
    before = said.pop(conversation, None)
    known = [each for each in before if isinstance(each, str)] if isinstance(before, list) else []
    named = dict.fromkeys(word for word in text.split() if word.startswith(_ACTION))
    if named and not named.keys() - set(known):
        return False
    kept = dict([*said.items()][-_REMEMBERED:])
    try:
        spool_file.replace_file(beside, dump({**kept, conversation: [*known[-_REMEMBERED:], *named]}).encode())
    except OSError:
        return False
    return True
