r"""Masks the secrets in texts and trees, before the first byte is written.

A secret is recognized by the name before it (`DB_PASSWORD`, `x-api-key`), by its own format (`ghp_...`, a PEM block),
by its context (the password in a URL) or by the command that takes it. It becomes `[masked:kind]`; the text around it
stays.

`looks_clean` is the quick check, see `prefilter`; only a text that fails it is searched for secrets.

Standard library only: the hook bundle holds this module, and a hook starts with every call. So patterns are compiled on
first use, and the rules are imported where they are used: most texts never need them. Repetitions in patterns are
bounded, or cannot overlap: time is linear in the text.
"""

from __future__ import annotations

from tallystick.core.redaction.classify import (
    SCHEMA_VALUE_KEYS,
    SERVICE_KEY,
    contains_name,
    is_harmless,
    is_header_pair,
    is_reference,
    is_schema,
    is_secret_name_argument,
    is_service_key,
    is_user_and_password,
    kind_of_name,
    looks_random,
    name_words,
)
from tallystick.core.redaction.encoded import mask_embedded_values
from tallystick.core.redaction.prefilter import may_hold_secret
from tallystick.core.redaction.prefilter import rx as _rx
from tallystick.core.redaction.repeats import SeenSecrets, is_distinctive

TYPE_CHECKING = False  # importing typing, functools or re would take longer than all the rest
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable
    from typing import Any

MASK = "[masked:{kind}]"
_MASKED = r"\[masked:[a-z0-9_]+\]"
_MASKED_GROUP = r"(\[masked:[a-z0-9_]+\])"
_MASKED_OPEN = r"(\[masked:[a-z0-9_]+)\]"
_NOT_PLAIN = "[0-9A-Z]"  # ghp_xxxxxxxxxxxxxxxxxxxx stands for a token
_MASKED_AND_REST = r"(\[masked:[a-z0-9_]+\])([A-Za-z0-9_.~+/=-]{8,512})"  # a token may go on behind its format
PATTERNS = (_MASKED, _NOT_PLAIN, _MASKED_AND_REST, _MASKED_GROUP, _MASKED_OPEN)
"""The patterns of this module beside its tables. The hook bundle compiles them ahead: list every new one here."""


class Masker:
    """Masks the secrets in texts and trees. Frozen.

    `extra_names`: more names of secrets, in any spelling (`customer_pin` is also `customerPin`).
    `extra_patterns`: regular expressions whose every match is masked.
    `within`: the text was decoded, and is not decoded again.
    `seen`: secrets to mask wherever they stand; those that are found are added. Without it, each call has its own.
    """

    __slots__ = ("_names", "_seen", "_within", "extra_names", "extra_patterns")
    extra_names: tuple[str, ...]
    extra_patterns: tuple[str, ...]
    _names: tuple[tuple[str, ...], ...]
    _within: bool
    _seen: SeenSecrets | None

    def __init__(
        self,
        extra_names: tuple[str, ...] = (),
        extra_patterns: tuple[str, ...] = (),
        *,
        within: bool = False,
        seen: SeenSecrets | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "extra_names", tuple(extra_names))
        put(self, "extra_patterns", tuple(_rx(source).pattern for source in extra_patterns))
        put(self, "_names", tuple(filter(None, map(name_words, extra_names))))
        put(self, "_within", within)
        put(self, "_seen", seen)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Masker is frozen: {name}")

    def looks_clean(self, encoded: str) -> bool:
        """True only when masking the decoded JSON document would change nothing.

        With extra patterns it is always False: the encoded text does not show what an unknown pattern matches.
        """
        if self.extra_patterns or (self._names and any(contains_name(words, encoded) for words in self._names)):
            return False
        return not may_hold_secret(encoded) and (self._seen is None or not self._seen.is_in(encoded))

    def mask(self, value: object) -> object:
        """The same tree with its secrets masked; the very same object when there are none."""
        if self._seen is None:
            return self._with(SeenSecrets()).mask(value)
        box: list[Any] = [value]
        todo: list[tuple[Any, Any, Any, str | None]] = [(value, box, 0, None)]
        changed = False
        while todo:  # not recursive: no depth of nesting can fail
            node, parent, slot, kind = todo.pop()
            if isinstance(node, dict):
                keys = [self._fresh_key(key, i) for i, key in enumerate(node)]
                if len(set(keys)) < len(keys):  # a key looked like a mask before
                    keys = [f"[masked:key_{i}]" for i in range(len(keys))]
                parent[slot] = fresh = dict.fromkeys(keys)
                changed = changed or fresh.keys() != node.keys()
                schema = kind is not None and is_schema(node)
                kinds = [
                    self._kind_under(node, k, None if schema and k not in SCHEMA_VALUE_KEYS else kind) for k in node
                ]
                todo.extend(zip(node.values(), [fresh] * len(fresh), fresh, kinds, strict=True))
            elif isinstance(node, (list, tuple)):
                parent[slot] = items = [None] * len(node)
                words = node if kind else self._mask_words(node)
                changed = changed or words is not node
                kinds = [kind] * len(node) if kind or not node else self._kinds_of_words(node)
                todo.extend((item, items, i, kinds[i]) for i, item in enumerate(words))
            else:
                parent[slot] = self._leaf(node, kind)
                changed = changed or parent[slot] is not node
        changed = self._seen.mask_in(box) or changed
        return box[0] if changed else value

    def mask_text(self, text: str) -> str:
        """The text with its secrets masked; the very same object when there are none."""
        if self.looks_clean(text):  # true of plain text as of encoded
            return text
        if self._seen is None:
            return self._with(SeenSecrets()).mask_text(text)
        after = self._seen.mask(self._mask_new(text))
        return text if after == text else after

    def _mask_new(self, text: str) -> str:
        """The text with the secrets masked that show themselves, and not by repetition."""
        if self.looks_clean(text):
            return text
        before, after = "", mask_embedded_values(text, self.mask)
        for _ in range(8):  # a mask may uncover another secret; the second round mostly finds nothing
            before, after = after, self._once(after)
            if after == before or self.looks_clean(_rx(_MASKED).sub("\0", after)):
                break
        return text if after == text else after

    def _once(self, text: str) -> str:
        from tallystick.core.redaction.assignments import CONTEXT_RULES, VALUE_SITES, find_assignments
        from tallystick.core.redaction.commands import COMMAND_RULES, POSITION_RULES, secret_store_values, setting_names
        from tallystick.core.redaction.encoded import mask_base64, mask_escapes
        from tallystick.core.redaction.prefilter import searchable
        from tallystick.core.redaction.token_formats import candidate_formats, prefixed_tokens

        if "%" in text and not self._within:  # first: a token format would end at an escape
            text = mask_escapes(text, self._decoded)
        before, index = text, searchable(text)
        for kind, _, source in candidate_formats(text, index):
            text = _mask_format(text, kind, source)
        text = self._mask_spans(text, prefixed_tokens(text))
        if text != before:
            text = _rx(_MASKED_AND_REST).sub(lambda m: m[1] if is_distinctive(m[2]) else m[0], text)
        low = (index if text == before else searchable(text)).lower()
        for kind, gate, source, check in CONTEXT_RULES:
            if gate in low:
                text = self._mask_group(text, source, kind, check)
        for kind, gate, source in (*COMMAND_RULES, *POSITION_RULES):
            if gate in low:
                text = self._mask_group(text, source, kind, None)
        text = self._mask_spans(text, secret_store_values(text))
        text = self._mask_values(text, setting_names(text, low), firm=True)
        text = self._mask_values(text, find_assignments(text, self._names), firm=False)
        for gate, source in VALUE_SITES:
            if gate in low:
                text = self._mask_values(text, _rx(source).finditer(text), firm=True)
        return self._mask_extra(text if self._within else mask_base64(text, self._decoded))

    def _decoded(self, text: str) -> str:
        """The masked text of something that was encoded. A value that is encoded twice is not decoded again."""
        return self._with(self._seen, within=True).mask_text(text)

    def _with(self, seen: SeenSecrets | None, *, within: bool = False) -> Masker:
        return Masker(self.extra_names, self.extra_patterns, within=within or self._within, seen=seen)

    def forget_oldest(self) -> None:
        """Between two records: of the secrets that were seen, keep the newest."""
        if self._seen:
            self._seen.forget_oldest()

    def _masked(self, value: str, kind: str) -> str:
        """The mask for a value that its name or context gives away."""
        if self._seen is not None:
            self._seen.add(value, kind)
        return MASK.format(kind=kind)

    def _mask_extra(self, text: str) -> str:
        for source in self.extra_patterns:
            parts = _rx(_MASKED_GROUP).split(text)  # every second part is a mask
            parts[::2] = [_rx(source).sub(lambda m: m[0] and MASK.format(kind="extra"), part) for part in parts[::2]]
            text = "".join(parts)
        return text

    def _mask_values(self, text: str, sites: Iterable[re.Match[str]], firm: bool) -> str:
        """Mask the values behind the names in `sites`. Firm: any value there is the secret, even a plain word."""
        from tallystick.core.redaction.assignments import is_service_key_beside, secret_span, word_before

        parts, done = [], 0
        for m in sites:
            before = text[max(0, m.start("name") - 8) : m.start("name")]
            kind = kind_of_name(m["name"], self._names)
            if kind is None and before[-1:] == "\\":
                kind = kind_of_name(m["name"][1:], self._names)  # the n of an escaped line end is not part of the name
            if kind is None and not firm and m["dash"] == "-" and m["name"][0] in "DP":
                kind = kind_of_name(m["name"][1:], self._names)  # Java and Gradle: -DapiKey=...
            if kind is None and m["name"].lower() == "key" and kind_of_name(f"{word_before(text, m)}_key"):
                kind = SERVICE_KEY  # `acme key: ...`
            if kind is None or m.start() < done or before == "[masked:":
                continue
            start, end = secret_span(text, m, kind, firm)
            if start < end and (kind != SERVICE_KEY or is_service_key_beside(text, m, start, end)):
                parts += [text[done:start], self._masked(text[start:end], kind)]
                done = end
        return "".join([*parts, text[done:]])

    def _kind_under(self, node: dict[object, object], key: object, outer: str | None) -> str | None:
        if not isinstance(key, str):
            return outer
        kind = kind_of_name(key[-256:], self._names)
        if kind is None and str(key) in ("value", "Value"):  # {"name": "DB_PASSWORD", "value": ...}
            label = next((node[k] for k in ("name", "key", "Name", "Key") if k in node), None)
            kind = kind_of_name(label[-256:], self._names) if isinstance(label, str) else None
            if kind == SERVICE_KEY and not (is_service_key(node[key]) and _follows(node, label, key)):
                kind = None
        if kind is None and key[-4:].lower() == "auth" and is_user_and_password(node[key]):
            kind = "basic_auth"
        return outer if kind is None or is_harmless(key, node[key]) else kind

    def _kinds_of_words(self, items: list[object] | tuple[object, ...]) -> list[str | None]:
        """The kind of secret that each word is by the word before it: an option, a header, or a name that is set."""
        from tallystick.core.redaction.commands import sets_value

        paired, flat, sets = len(items) == 2, len(items) % 2 == 0, len(items) > 2 and sets_value(items)
        kinds: list[str | None] = [None]
        for i, item in enumerate(items[1:]):
            flag = items[i]
            is_value = isinstance(flag, str) and (
                (flag[:1] == "-" and "=" not in flag)
                or (flat and i % 2 == 0 and is_header_pair(flag, item, paired))
                or (sets and isinstance(item, str) and item[:1] not in ("-", "&", "|", ";"))
                or looks_random(item)
            )
            kind = kind_of_name(str(flag)[-256:].lstrip("-"), self._names) if is_value else None
            kinds.append(
                None if kind and (is_secret_name_argument(str(flag), item) or is_harmless(str(flag), item)) else kind
            )
        return kinds

    def _fresh_key(self, key: object, i: int) -> object:
        if not isinstance(key, str) or (fresh := self._mask_new(str(key))) == str(
            key
        ):  # str: a key that its object has twice equals only itself
            return key
        # Masks in keys are numbered: two keys must not become one.
        return self._mask_new(_rx(_MASKED_OPEN).sub(lambda m: f"{m[1]}_{i}]", fresh, count=1))

    def _leaf(self, value: object, kind: str | None) -> object:
        if isinstance(value, str):
            return self._mask_new(value) if kind is None or is_reference(value) else self._masked(value, kind)
        return value if kind is None or value is None or isinstance(value, bool) else MASK.format(kind=kind)

    def _mask_group(self, text: str, source: str, kind: str, check: Callable[[re.Match[str]], bool] | None) -> str:
        def swap(m: re.Match[str]) -> str:
            if not m["s"] or m["s"].startswith("[masked:") or is_reference(m["s"]) or (check and not check(m)):
                return m[0]
            return text[m.start() : m.start("s")] + self._masked(m["s"], kind) + text[m.end("s") : m.end()]

        return _rx(source).sub(swap, text)

    def _mask_spans(self, text: str, spans: Iterable[tuple[int, int, str]]) -> str:
        parts, done = [], 0
        for start, end, kind in sorted(spans):
            if start >= done and not text.startswith("[masked:", start) and not is_reference(text[start:end]):
                parts += [text[done:start], self._masked(text[start:end], kind)]
                done = end
        return "".join([*parts, text[done:]])

    def _mask_words(self, words: list[object] | tuple[object, ...]) -> list[object] | tuple[object, ...]:
        """The words of a command with its passwords masked; the very same object when there are none."""
        from tallystick.core.redaction.commands import option_passwords, positional_secrets

        fresh = list(words)
        for i, at, kind in (*option_passwords(words), *positional_secrets(words)) if len(words) > 1 else ():
            word = str(words[i])
            if not word.startswith("[masked:", at) and not is_reference(word[at:]):
                fresh[i] = word[:at] + self._masked(word[at:], kind)
        return words if fresh == list(words) else fresh


def _mask_format(text: str, kind: str, source: str) -> str:
    mask = MASK.format(kind=kind)
    return _rx(source).sub(lambda m: mask if _rx(_NOT_PLAIN).search(m[0]) else m[0], text)


def _follows(node: dict[object, object], label: object, key: str) -> bool:
    """Whether a member stands directly behind the one with a label."""
    values = list(node.values())[: list(node).index(key)]
    return values[-1:] == [label]


DEFAULT_MASKER: Masker = Masker()
