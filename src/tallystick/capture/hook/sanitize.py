"""What is kept of a payload: its secrets masked, its long texts cut, and nothing in it that the journal would refuse.

Texts are shortened before they are masked, so that time is bounded, but to more than is kept: a secret that the cut
would hide from the masker stands in the part that is thrown away. Standard library only: the hook takes this along.
"""

from __future__ import annotations

from tallystick.core.formats.fast_json import dump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tallystick.core.redaction.masker import Masker

TEXT = 64 << 10
"""Characters that are kept of one text."""
RECORD = 512 << 10
"""Bytes of JSON that are kept of one payload."""
LARGE = 2 << 20
"""Bytes of JSON that the masker looks through: a second's work at the worst."""
_PART = 16 << 10
_PARTS = 100
_NAMES = ("session_id", "sessionId", "conversation_id", "hook_event_name", "agent_id", "agentId", "cwd")
_CALL_NAMES = ("tool_name", "toolName", "tool_use_id", "source", "reason", "stop_hook_active", "transcript_path")


def sanitize_payload(
    text: str, payload: dict[str, Any], masker: Masker, key: bytes
) -> tuple[dict[str, Any], list[str]]:
    """A payload as it may be written, and what was done to it: `cut`, `masked`, `cleaned`. `text` is its JSON."""
    done = []
    value: Any = payload
    if len(text) > TEXT:
        value, long = _shortened(value, key)
        if len(text) > LARGE and len(dump(value)) > LARGE:
            value, long = _smaller(value, masker, key), True
        done += ["cut"] if long else []
    if not masker.looks_clean(text):
        masked = masker.mask(value)
        done += ["masked"] if masked is not value else []
        value = masked
    if "cut" in done:
        value = _each(value, _cut)
    if _is_odd(text):
        value, odd = _cleaned(value)
        done += ["cleaned"] if odd else []
    if len(text) > RECORD // 6 and len(dump(value)) > RECORD:  # a character takes six bytes at most
        value, done = _smaller(value, masker, key), [*dict.fromkeys([*done, "cut"])]
    return value, done


def sanitize_text(text: str, masker: Masker, key: bytes) -> str:
    """What is kept of something that was no payload."""
    long, _ = _shortened(text, key)
    cut = masker.mask_text(long)
    return str(_clean(_cut(cut) if len(text) > TEXT else cut))


def cut_note(text: str, key: bytes) -> str:
    """What a cut text says of itself. The digest is keyed, so that nobody guesses what was cut; with no key, none."""
    if not key:
        return f"[cut: {len(text)} characters]"
    from tallystick.capture.spool.file import digest

    return f"[cut: {len(text)} characters, digest {digest(text.encode('utf-8', 'surrogatepass'), key)}]"


def _shortened(value: Any, key: bytes) -> tuple[Any, bool]:
    """Texts that are too long, with room for the masker, and their note at the end."""
    from tallystick.core.redaction.masker import MARGIN_CHARACTERS  # only a long text needs it, and most are short

    seen = []

    def short(text: Any) -> Any:
        if isinstance(text, str) and len(text) > TEXT:
            seen.append(1)
            return text[: TEXT + MARGIN_CHARACTERS] + cut_note(text, key)
        return text

    return _each(value, short), bool(seen)


def _cut(text: Any) -> Any:
    """A shortened and masked text, cut to what is kept; the masker may have taken its note away."""
    from tallystick.core.redaction.masker import MARGIN_CHARACTERS

    at = text.rfind("[cut: ") if isinstance(text, str) and text[-1:] == "]" else -1
    if at < 0 or len(text) <= TEXT:
        return text[: TEXT - MARGIN_CHARACTERS] if isinstance(text, str) and len(text) > TEXT else text
    return text[: max(0, min(TEXT, at - MARGIN_CHARACTERS))] + text[at:]


def _each(value: Any, change: Any) -> Any:
    """The same tree with each leaf changed. Not recursive: no depth can fail."""
    box = [value]
    todo: list[tuple[Any, Any, Any]] = [(value, box, 0)]
    while todo:
        node, home, slot = todo.pop()
        if isinstance(node, dict):
            home[slot] = fresh = dict.fromkeys(node)
            todo.extend((item, fresh, name) for name, item in node.items())
        elif isinstance(node, list):
            home[slot] = items = [None] * len(node)
            todo.extend((item, items, i) for i, item in enumerate(node))
        else:
            home[slot] = change(node)
    return box[0]


def _is_odd(text: str) -> bool:
    """Whether there may be something in it that the journal refuses."""
    return (
        "\\u0000" in text or "\\ud" in text or "\\uD" in text or "NaN" in text or "Infinity" in text or not _good(text)
    )


def _good(text: str) -> bool:
    if text.isascii():
        return "\0" not in text
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _cleaned(value: Any) -> tuple[Any, bool]:
    """NUL, lone surrogates and numbers that are none, as what a reader can see. Names too."""
    found = []

    def clean(leaf: Any) -> Any:
        fresh = _clean(leaf)
        if fresh is not leaf:
            found.append(1)
        return fresh

    value = _each(value, clean)
    names = [value]
    while names:
        node = names.pop()
        if isinstance(node, dict):
            if not all(map(_good, node)):
                pairs: dict[str, Any] = {}
                for name, item in node.items():
                    fresh = clean(name)
                    while fresh in pairs or (fresh != name and fresh in node):
                        fresh += "?"  # no two names become one
                    pairs[fresh] = item
                node.clear()
                node.update(pairs)
            names.extend(node.values())
        elif isinstance(node, list):
            names.extend(node)
    return value, bool(found)


def _clean(leaf: Any) -> Any:
    if isinstance(leaf, str):
        return leaf if _good(leaf) else leaf.encode("utf-8", "replace").decode().replace("\0", "\u2400")
    if isinstance(leaf, float) and (leaf != leaf or leaf in (float("inf"), float("-inf"))):
        return str(leaf)
    return leaf


def _smaller(payload: dict[str, Any], masker: Masker, key: bytes) -> dict[str, Any]:
    """A payload of very many parts: those that are large as the beginning of their JSON, masked as a text."""
    if len(payload) > _PARTS:
        always = {name: payload[name] for name in (*_NAMES, *_CALL_NAMES) if name in payload}
        payload = {**always, "cut": payload}
    return {name: _beginning(value, masker, key) for name, value in payload.items()}


def _beginning(value: Any, masker: Masker, key: bytes) -> Any:
    from tallystick.core.redaction.masker import mask_and_cut

    if value is None or isinstance(value, (bool, int, float)):
        return value
    text = value if isinstance(value, str) else dump(value)
    if len(text) <= _PART:
        return value
    return mask_and_cut(text, _PART, masker) + cut_note(text, key)
