"""Cleans, masks and cuts a value so that the journal can hold it, under limits that the caller names.

The hook, the repair of spooled records, the gateway, the adapters and the library all store values through these
functions. A text is masked before it is cut: nobody recognizes half a secret as one. Masking all of a very long text
would take too long, so a bounded part is masked, and the end of that part, which the cut may have halved, is discarded.

Standard library only: the hook bundle holds this module.
"""

from __future__ import annotations

from tallystick.core.formats.fast_json import dump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from tallystick.core.redaction.masker import Masker

MARGIN_CHARACTERS = 16 << 10
"""Characters that are masked and discarded behind a cut. The longest secret, a private key in PEM, is shorter."""
_WORD_CHARACTERS = 256
"""A word up to this length is kept whole or not at all: a secret that only another masker knows is not halved."""
_CONTAINERS = (dict, list, tuple)
TOO_DEEP = "[cut: nested too deeply]"
LARGE_INTEGER = 1 << 64
_JSON_BYTES_PER_CHARACTER = 6
"""The most that one character takes in JSON: a `\\u` escape."""
_NUMBER_BYTES = 24
"""The most that a float, a boolean, null or an integer of 64 bits takes in JSON."""


class PayloadLimits:
    """How much is kept of one payload. The defaults are those of the hook."""

    text_characters = 64 << 10
    """Kept of one text."""
    json_bytes = 512 << 10
    """Kept of one payload as JSON."""
    scanned_bytes = 2 << 20
    """JSON that the masker looks through: a second's work at the worst."""
    member_characters = 16 << 10
    """Kept of each member of a payload that is too large as a whole."""
    members = 100
    """A larger payload of more members is kept as one text, beside `identifying_names`."""
    identifying_names = (
        *("session_id", "sessionId", "conversation_id", "hook_event_name", "agent_id", "agentId", "cwd"),
        *("tool_name", "toolName", "tool_use_id", "source", "reason", "stop_hook_active", "transcript_path"),
    )
    """Members that are always kept by name: they identify the call and its conversation."""


# ----------------------------------------------------------------------------------------------------------------------
# Texts


def mask_and_cut(
    text: str, limit: int, masker: Masker, *, scan: int = 0, margin: int = MARGIN_CHARACTERS, at_word: bool = True
) -> str:
    """The masked beginning of a text, of at most `limit` characters; with `at_word`, cut at the end of a word.

    The masker sees `scan` characters, by default `limit` and the margin. Of a longer text, the last `margin` characters
    that it saw are dropped.
    """
    scan = scan or limit + margin
    masked = masker.mask_text(text[:scan])
    end = limit if len(text) <= scan else max(0, min(limit, len(masked) - margin))
    return cut_at_word(masked, end) if at_word else masked[:end]


def cut_at_word(text: str, limit: int) -> str:
    """The text, or its beginning up to the end of a word."""
    if len(text) <= limit:
        return text
    beginning = text[:limit]
    if text[limit].isspace():
        return beginning
    parts = beginning[-_WORD_CHARACTERS:].rsplit(None, 1)
    return beginning[: limit - len(parts[1])].rstrip() if len(parts) == 2 else beginning


def cut_note(text: str, digest: Callable[[str], str] | None) -> str:
    """The mark at the end of a cut text. The digest is keyed, so that the rest cannot be guessed; no key, no digest."""
    return f"[cut: {len(text)} characters, digest {digest(text)}]" if digest else f"[cut: {len(text)} characters]"


def is_storable(text: str) -> bool:
    """Whether every store can hold a text: no NUL, no lone surrogate."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
    return "\0" not in text


def clean_text(text: str, nul: str = "\ufffd") -> str:
    """The text with `nul` for each NUL and `?` for each lone surrogate."""
    return text if is_storable(text) else text.encode("utf-8", "replace").decode().replace("\0", nul)


def clean_leaf(leaf: Any, nul: str = "\ufffd") -> Any:
    """A text, number or constant as JSON has it: NaN and the infinities become text."""
    if isinstance(leaf, str):
        return clean_text(leaf, nul)
    if isinstance(leaf, float) and (leaf != leaf or leaf in (float("inf"), float("-inf"))):
        return str(leaf)
    return leaf


# ----------------------------------------------------------------------------------------------------------------------
# Trees


def rewrite(
    value: Any,
    change: Callable[[Any], Any],
    *,
    change_names: bool = False,
    max_depth: int = 1 << 30,
    max_items: int = 1 << 30,
) -> Any:
    """A copy of a JSON value with `change` applied to each leaf, and to each name if asked to.

    Objects and lists below `max_depth` become TOO_DEEP; of more than `max_items` members the first ones are kept, with
    a note on the others. Not recursive: no depth can fail.
    """
    box = [value]
    todo: list[tuple[Any, Any, int]] = [(box, 0, max_depth)]
    while todo:
        parent, slot, depth = todo.pop()
        node = parent[slot]
        if not isinstance(node, _CONTAINERS):  # the value itself
            parent[slot] = change(node)
        elif depth <= 0:
            parent[slot] = TOO_DEEP
        else:
            more = len(node) - max_items
            if isinstance(node, dict):
                parent[slot] = fresh = _copied_object(node, change if change_names else None, max_items)
                _change_leaves(fresh, list(fresh.items()), change, depth, todo)
                fresh.update({"[cut]": f"{more} more"} if more > 0 else {})
            else:
                parent[slot] = items = list(node[:max_items])
                _change_leaves(items, enumerate(items), change, depth, todo)
                items.extend([f"[cut: {more} more]"] if more > 0 else [])
    return box[0]


def _change_leaves(
    fresh: Any, members: Iterable[tuple[Any, Any]], change: Callable[[Any], Any], depth: int, todo: list[Any]
) -> None:
    """Change the leaves of a container in place, and put its containers on the list of what is still to be done."""
    for slot, item in members:
        if isinstance(item, _CONTAINERS):
            todo.append((fresh, slot, depth - 1))
        else:
            fresh[slot] = change(item)


def _copied_object(node: dict[Any, Any], change: Callable[[Any], Any] | None, most: int) -> dict[Any, Any]:
    """A copy of the first members, with their names changed; `?` is added to a name that another member has."""
    names = list(node)[:most]
    fresh_names = names if change is None else list(map(change, names))
    if fresh_names == names:
        return dict(node) if len(names) == len(node) else {name: node[name] for name in names}
    fresh: dict[Any, Any] = {}
    for changed, name in zip(fresh_names, names, strict=True):
        while changed in fresh or (changed != name and changed in node):
            changed += "?"
        fresh[changed] = node[name]
    return fresh


def clean_tree(value: Any, max_depth: int) -> Any:
    """A value with everything replaced that JSON or a store cannot hold, and nothing nested more than `max_depth`."""

    def clean(leaf: Any) -> Any:
        if isinstance(leaf, str):
            return leaf if leaf.isascii() and "\0" not in leaf else clean_text(leaf)
        if leaf is None or isinstance(leaf, int):
            return leaf
        return clean_leaf(leaf) if isinstance(leaf, float) else str(leaf)

    return rewrite(value, clean, change_names=True, max_depth=max_depth)


# ----------------------------------------------------------------------------------------------------------------------
# A payload: masked, cut and cleaned


def sanitize_payload(
    text: str,
    payload: dict[str, Any],
    masker: Masker,
    digest: Callable[[str], str] | None,
    limits: type[PayloadLimits] = PayloadLimits,
) -> tuple[dict[str, Any], list[str]]:
    """A payload as it may be stored, and what was done to it: `cut`, `masked`, `cleaned`. `text` is its JSON."""
    done: dict[str, None] = {}
    value: Any = payload
    if len(text) > limits.text_characters:
        value, is_long = _shorten_texts(value, digest, limits)
        if len(text) > limits.scanned_bytes and len(dump(value)) > limits.scanned_bytes:
            value, is_long = _cut_members(value, masker, digest, limits), True
        done |= {"cut": None} if is_long else {}
    if not masker.looks_clean(text):
        masked = masker.mask(value)
        done |= {"masked": None} if masked is not value else {}
        value = masked
    if "cut" in done:
        value = rewrite(value, lambda leaf: _cut_shortened(leaf, limits.text_characters))
    if _may_need_cleaning(text):
        value, is_changed = _clean_visibly(value)
        done |= {"cleaned": None} if is_changed else {}
    # A character takes six bytes at most, so a shorter text needs no measuring.
    if len(text) > limits.json_bytes // _JSON_BYTES_PER_CHARACTER and len(dump(value)) > limits.json_bytes:
        value = _cut_members(value, masker, digest, limits)
        done |= {"cut": None}
    return value, list(done)


def sanitize_text(
    text: str,
    masker: Masker,
    digest: Callable[[str], str] | None,
    limits: type[PayloadLimits] = PayloadLimits,
) -> str:
    """A text as it may be stored: what stands for a payload that could not be parsed."""
    short, is_long = _shorten_texts(text, digest, limits)
    masked = masker.mask_text(short)
    return clean_text(_cut_shortened(masked, limits.text_characters) if is_long else masked, _VISIBLE_NUL)


_VISIBLE_NUL = "\u2400"


def _shorten_texts(value: Any, digest: Callable[[str], str] | None, limits: type[PayloadLimits]) -> tuple[Any, bool]:
    """Shorten long texts, with a margin for the masker and a note. Returns the value and whether anything changed."""
    most, changed = limits.text_characters, []

    def shorten(leaf: Any) -> Any:
        if not isinstance(leaf, str) or len(leaf) <= most:
            return leaf
        changed.append(leaf)
        return leaf[: most + MARGIN_CHARACTERS] + cut_note(leaf, digest)

    return rewrite(value, shorten), bool(changed)


def _cut_shortened(leaf: Any, most: int) -> Any:
    """Cut a shortened and masked text to its final length. The masker may have removed the note."""
    if not isinstance(leaf, str) or len(leaf) <= most:
        return leaf
    note = leaf.rfind("[cut: ") if leaf[-1] == "]" else -1
    if note < 0:
        return leaf[: most - MARGIN_CHARACTERS]
    return leaf[: max(0, min(most, note - MARGIN_CHARACTERS))] + leaf[note:]


def _may_need_cleaning(text: str) -> bool:
    """Whether JSON text may hold something that the journal refuses."""
    signs = ("\\u0000", "\\ud", "\\uD", "NaN", "Infinity")
    return any(map(text.__contains__, signs)) or not is_storable(text)


def _clean_visibly(value: Any) -> tuple[Any, bool]:
    """Replace NUL, lone surrogates, NaN and infinity visibly. Returns the value and whether anything changed."""
    changed = []

    def clean(leaf: Any) -> Any:
        fresh = clean_leaf(leaf, _VISIBLE_NUL)
        if fresh is not leaf:
            changed.append(leaf)
        return fresh

    return rewrite(value, clean, change_names=True), bool(changed)


def _cut_members(
    payload: dict[str, Any], masker: Masker, digest: Callable[[str], str] | None, limits: type[PayloadLimits]
) -> dict[str, Any]:
    """A payload with each large member as the beginning of its JSON, masked as a text."""
    if len(payload) > limits.members:
        payload = {**{name: payload[name] for name in limits.identifying_names if name in payload}, "cut": payload}

    def cut(value: Any) -> Any:
        if value is None or isinstance(value, (bool, int, float)):
            return value
        text = value if isinstance(value, str) else dump(value)
        if len(text) <= limits.member_characters:
            return value
        return mask_and_cut(text, limits.member_characters, masker) + cut_note(text, digest)

    return {name: cut(value) for name, value in payload.items()}


# ----------------------------------------------------------------------------------------------------------------------
# A value in a budget of bytes

_LENGTHS = (200_000, 20_000, 2_000, 200, 20)
"""Characters kept of one text, and members of one list, tried in turn where a value is too long as a whole."""
_SMALL_BYTES = 500
"""A member up to this size is kept whole beside larger ones: ids, names, reasons."""
_SHARING_MEMBERS = 100
"""An object of more members is cut as a whole."""


def fit(value: Any, budget: int, masker: Masker) -> Any:
    """The value in at most `budget` bytes of JSON. In an object, small members stay and large ones share the rest."""
    if json_size(value, budget) <= budget:
        return value
    if isinstance(value, dict) and len(value) <= _SHARING_MEMBERS:
        most = min(_SMALL_BYTES, budget // 16)
        small = {name: item for name, item in value.items() if json_size(item, _SMALL_BYTES) <= most}
        left = budget - json_size(small, budget)
        left -= sum(json_size(name, budget) + 2 for name in value.keys() - small.keys())
        share = left // max(1, len(value) - len(small))
        if share > 0:
            return {name: item if name in small else fit(item, share, masker) for name, item in value.items()}
    for length in _LENGTHS:
        shorter = rewrite(value, _cutter(length, masker), change_names=True, max_items=length)
        if json_size(shorter, budget) <= budget:
            return shorter
    return "[cut: this was too long to keep]"[:budget]


def json_size(value: Any, enough: int) -> int:
    """The most bytes that a value can take as JSON, counted until there are more than `enough`."""
    if isinstance(value, str):
        return len(value) + 2 if value.isascii() and value.isprintable() else len(value) * _JSON_BYTES_PER_CHARACTER
    total = 2
    if isinstance(value, dict):
        for name, item in value.items():
            total += json_size(name, enough) + 2 + json_size(item, enough)
            if total > enough:
                break
        return total
    if isinstance(value, (list, tuple)):
        for item in value:
            total += 1 + json_size(item, enough)
            if total > enough:
                break
        return total
    return value.bit_length() if isinstance(value, int) and abs(value) >= LARGE_INTEGER else _NUMBER_BYTES


def _cutter(length: int, masker: Masker) -> Callable[[Any], Any]:
    def cut(leaf: Any) -> Any:
        if isinstance(leaf, str) and len(leaf) > length:
            return f"{mask_and_cut(leaf, length, masker)}[cut: {len(leaf) - length} more characters]"
        if isinstance(leaf, int) and abs(leaf) >= LARGE_INTEGER:
            return "[cut: a very large number]"
        return leaf

    return cut


# ----------------------------------------------------------------------------------------------------------------------
# Members that cannot be kept, replaced by their text

_MEMBER_BYTES = (1 << 17, 1 << 12)
"""Bytes that one member may have when not all of them fit: tried in turn."""
_MAX_MEMBERS = 1000
"""A list or object of more members is kept or replaced as one."""


def replace_unfit(
    value: Any, fits: Callable[[Any, int, int], bool], show: Callable[[Any], str], size: int, depth: int
) -> Any:
    """The value with only those members replaced by `show` that do not fit; or its text, if that is not enough.

    `fits` is asked for a value, a size in bytes and a depth of nesting.
    """

    def keep(part: Any, room: int, levels: int) -> Any:
        if fits(part, room, levels):
            return part
        if levels > 0 and isinstance(part, (dict, list, tuple)) and len(part) <= _MAX_MEMBERS:
            if not isinstance(part, dict):
                return [keep(item, room, levels - 1) for item in part]
            names = [name for name in part if isinstance(name, str) and fits(name, 1024, 0)]
            return {name: keep(part[name], room, levels - 1) for name in names}
        return show(part)

    for room in _MEMBER_BYTES:
        smaller = keep(value, min(room, size), depth)
        if fits(smaller, size, depth):
            return smaller
    return show(value)
