r"""Secrets are masked before the first byte is written.

A secret is known by the name it stands under (`DB_PASSWORD`, `x-api-key`) or by its own shape (`ghp_...`, a PEM block,
the password in a URL). It becomes `[masked:kind]`; the text around it stays.

The recording path asks `looks_clean` first, which looks for `anchors`. Masking wants one before it looks further.
Passwords on command lines are told by programs and their options, see `command_lines`, or by verbs, see `set_values`.

Standard library only: a hook takes this file along, and starts with every call. So patterns are compiled on first use,
and what is known of command lines is imported where it is used: a text without an anchor never comes so far.
Repetitions are bounded, or cannot overlap: time is linear in the text.
"""

from __future__ import annotations

from tallystick.core.anchors import KEY_OF, suspicious
from tallystick.core.inner import with_inner
from tallystick.core.patterns import remembered
from tallystick.core.patterns import rx as _rx
from tallystick.core.secret_values import (
    IN_SCHEMA,
    decoded,
    is_drawn,
    is_harmless,
    is_of_header,
    is_opaque,
    is_reference,
    is_schema,
    is_user_and_password,
)
from tallystick.core.secret_values import words as _set

TYPE_CHECKING = False  # importing typing, functools or re would take longer than all the rest
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

MASK = "[masked:{kind}]"


class Masker:
    """Masks what it knows, and what it is told: `extra_names` are key names in any spelling (`customer_pin` is also
    `customerPin`), `extra_patterns` are regular expressions whose every match is masked. Frozen."""

    __slots__ = ("_names", "extra_names", "extra_patterns")
    extra_names: tuple[str, ...]
    extra_patterns: tuple[str, ...]
    _names: tuple[tuple[str, ...], ...]

    def __init__(self, extra_names: tuple[str, ...] = (), extra_patterns: tuple[str, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "extra_names", tuple(extra_names))
        put(self, "extra_patterns", tuple(_rx(source).pattern for source in extra_patterns))
        put(self, "_names", tuple(filter(None, map(_words, extra_names))))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Masker is frozen: {name}")

    def looks_clean(self, encoded: str) -> bool:
        """True only when masking the decoded JSON document would change nothing. With extra patterns it is always
        False: what an unknown pattern matches cannot be told from the encoded text."""
        told = self.extra_patterns or (self._names and any(_spelt(words, encoded) for words in self._names))
        return not (told or suspicious(encoded))

    def mask(self, value: object) -> object:
        """The same tree with its secrets masked; the very same object when there are none."""
        box: list[Any] = [value]
        todo: list[tuple[Any, Any, Any, str | None]] = [(value, box, 0, None)]
        changed = False
        while todo:  # not recursive: no depth of nesting can fail
            node, home, slot, kind = todo.pop()
            if isinstance(node, dict):
                keys = [self._fresh_key(key, i) for i, key in enumerate(node)]
                if len(set(keys)) < len(keys):  # a key that looked like a mask already
                    keys = [f"[masked:key_{i}]" for i in range(len(keys))]
                home[slot] = fresh = dict.fromkeys(keys)
                changed = changed or fresh.keys() != node.keys()
                schema = kind is not None and is_schema(node)
                kinds = [self._kind_under(node, k, None if schema and k not in IN_SCHEMA else kind) for k in node]
                todo.extend(zip(node.values(), [fresh] * len(fresh), fresh, kinds, strict=True))
            elif isinstance(node, (list, tuple)):
                home[slot] = items = [None] * len(node)
                words = node if kind else _mask_words(node)
                changed = changed or words is not node
                kinds = [kind] * len(node) if kind or not node else self._kinds_of_words(node)
                todo.extend((item, items, i, kinds[i]) for i, item in enumerate(words))
            else:
                home[slot] = self._leaf(node, kind)
                changed = changed or home[slot] is not node
        return box[0] if changed else value

    def mask_text(self, text: str) -> str:
        """The text with the secrets in it masked; the very same object when there are none."""
        if self.looks_clean(text):  # true of plain text as of encoded
            return text
        before, after = "", with_inner(text, self.mask)
        for _ in range(8):  # a mask may lay another secret open; the second round mostly finds nothing
            before, after = after, self._once(after)
            if after == before or self.looks_clean(_rx(r"\[masked:[a-z0-9_]+\]").sub("\0", after)):
                break
        return text if after == text else after

    def _once(self, text: str) -> str:
        from tallystick.core.command_lines import LINES
        from tallystick.core.gates import pieces
        from tallystick.core.set_values import PLACES, entries, named
        from tallystick.core.shapes import likely

        before, asked = text, pieces(text)
        for kind, _, source in likely(text, asked):
            text = _rx(source).sub(MASK.format(kind=kind), text)
        low = (asked if text == before else pieces(text)).lower()
        for kind, gate, source, judge in _CARRIERS:
            if gate in low:
                text = _mask_group(text, source, kind, judge)
        for kind, gate, source in (*LINES, *PLACES):
            if gate in low:
                text = _mask_group(text, source, kind, None)
        text = _mask_spans(text, entries(text))
        text = self._mask_values(text, named(text, low), firm=True)
        text = self._mask_values(text, _assigned(text, self._names), firm=False)
        for gate, source in _SITES:
            if gate in low:
                text = self._mask_values(text, _rx(source).finditer(text), firm=True)
        for source in self.extra_patterns:
            parts = _rx(r"(\[masked:[a-z0-9_]+\])").split(text)  # every second part is a mask
            parts[::2] = [_rx(source).sub(lambda m: m[0] and MASK.format(kind="extra"), part) for part in parts[::2]]
            text = "".join(parts)
        return text

    def _mask_values(self, text: str, sites: Iterable[re.Match[str]], firm: bool) -> str:
        """Firm: whatever stands at a site is the value, were it one plain word."""
        parts, done = [], 0
        for m in sites:
            before = text[max(0, m.start("name") - 8) : m.start("name")]
            kind = _kind_of_name(m["name"], self._names)
            if kind is None and before[-1:] == "\\":
                kind = _kind_of_name(m["name"][1:], self._names)  # the n of an escaped line end is no part of the name
            if kind is None or m.start() < done or before == "[masked:":
                continue
            start, end = _value(text, m, kind, firm)
            if start < end:
                parts += [text[done:start], MASK.format(kind=kind)]
                done = end
        return "".join([*parts, text[done:]])

    def _kind_under(self, node: dict[object, object], key: object, outer: str | None) -> str | None:
        if not isinstance(key, str):
            return outer
        kind = _kind_of_name(key[-256:], self._names)
        if kind is None and key in ("value", "Value"):  # {"name": "DB_PASSWORD", "value": ...}
            label = next((node[k] for k in ("name", "key", "Name", "Key") if k in node), None)
            kind = _kind_of_name(label[-256:], self._names) if isinstance(label, str) else None
        if kind is None and key[-4:].lower() == "auth" and is_user_and_password(node[key]):
            kind = "basic_auth"
        return outer if kind is None or is_harmless(key, node[key]) else kind

    def _kinds_of_words(self, items: list[object] | tuple[object, ...]) -> list[str | None]:
        """What the word before says of each: a flag, a header (["Cookie", ...], or one of many), a name that is set."""
        from tallystick.core.set_values import is_setting

        paired, flat, sets = len(items) == 2, len(items) % 2 == 0, len(items) > 2 and is_setting(items)
        kinds: list[str | None] = [None]
        for i, item in enumerate(items[1:]):
            flag = items[i]
            tells = isinstance(flag, str) and (
                (flag[:1] == "-" and "=" not in flag)
                or (flat and i % 2 == 0 and is_of_header(flag, item, paired))
                or (sets and isinstance(item, str) and item[:1] not in ("-", "&", "|", ";"))
                or is_drawn(item)
            )
            kind = _kind_of_name(str(flag)[-256:].lstrip("-"), self._names) if tells else None
            kinds.append(None if kind and (_is_name_after(str(flag), item) or is_harmless(str(flag), item)) else kind)
        return kinds

    def _fresh_key(self, key: object, i: int) -> object:
        if not isinstance(key, str) or (fresh := self.mask_text(key)) == key:
            return key
        # Masks in keys are numbered, so that two keys never become one.
        return self.mask_text(_rx(r"(\[masked:[a-z0-9_]+)\]").sub(lambda m: f"{m[1]}_{i}]", fresh, count=1))

    def _leaf(self, value: object, kind: str | None) -> object:
        if isinstance(value, str):
            return self.mask_text(value) if kind is None or is_reference(value) else MASK.format(kind=kind)
        return value if kind is None or value is None or isinstance(value, bool) else MASK.format(kind=kind)


# Names: the last word decides, unless another beside it makes it something else (password_policy, page_token).
_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+"
_HEAD = (
    "(?P<password>password|passwd|passwort|passphrase|passcode|pwd|(?<!by)(?<!om)(?<!ur)(?<!es)(?<!ver)(?<!der)(?<!mini)pass|psk)s?$"
    "|(?P<secret>secret)s?$|(?P<jwt>^jwt)s?$|(?P<token>(?<!jsonweb)token)$|(?P<cookie>cookie)s?$|(?P<authorization>authorization)$"
    "|(?P<credentials>^cred|credential)s?$|(?P<api_key>(?:api|access|secret|private|auth|signing|encryption)key)s?$"
)
_PASS_OF = _set(
    "db database user smtp mysql pg postgres redis mongo admin root ftp sftp mail proxy login ssh store key become sudo"
    " ldap imap smb wifi vpn http oc ks keystore truststore"
)
_NOT_AFTER = _set("next page continuation cancel sync eos bos pad unk mask cls end start per first input output")
_TWO = (("recovery", "code"), ("recovery", "codes"), ("seed", "phrase"))
_STILL = _set("id prod production dev staging test live main old new value raw base b64 hash env github openai aws")
_NOT_BEFORE = _set(
    "policy hint reset count length min max strength field label name names ref type url uri endpoint path file dir"
    " store manager provider version arn expiry expires expiration ttl age at rotation required changed updated created"
    " regex pattern rule rules valid error errors message prompt input set enabled exists missing source engine owner"
    " service context class function fd stdin santa"
)


def _words(name: str) -> tuple[str, ...]:
    """githubToken, GITHUB_TOKEN and github-token are the same words."""
    return tuple(word.lower() for word in _rx(_WORD).findall(name[-256:]))


@remembered
def _kind_of_name(name: str, extra: tuple[tuple[str, ...], ...] = ()) -> str | None:
    words = _words(name.rpartition(".")[2])  # of an attribute or a path, the last part
    for told in extra:
        if _spelt(told, name) and (words[-len(told) :] == told or "".join(words) == "".join(told)):
            label = "_".join(told)
            return label if label.isascii() and len(label) <= 40 else "extra"
    if "[masked:" in name or not suspicious(name) or "existing" in words:  # a chart's existingSecret is the name of one
        return None
    for i in reversed(range(len(words)) if words[:1] != ("ask",) else ()):  # --ask-become-pass takes no value
        if kind := _kind_of_word(words[i], words[i - 1] if i else ""):
            tail = {word for word in words[i + 1 :] if not word.isdigit()}
            strong = kind in ("password", "secret") and words[i] != "pass"
            return kind if tail <= _STILL or (strong and tail.isdisjoint(_NOT_BEFORE)) else None
    return None


def _kind_of_word(word: str, before: str) -> str | None:
    if word in ("key", "keys"):
        return {"private": "private_key"}.get(before, "api_key") if before in KEY_OF.split() else None
    if (before, word) in _TWO:
        return f"{before}_{word}".rstrip("s")
    if before in _NOT_AFTER or (word == "pass" and before and before not in _PASS_OF):
        return None
    if word == "signature":
        return word if before in ("amz", "goog") else None
    return head.lastgroup if (head := _rx(_HEAD).search(word)) else None


def _is_name_after(flag: str, value: object) -> bool:
    """Whether what is given is the name of a secret that is kept elsewhere, as in `--secret db_password`."""
    if flag.lstrip("-") != "secret" or not isinstance(value, str) or not _rx("[A-Za-z][A-Za-z0-9_-]*").fullmatch(value):
        return False
    apart = value.islower() == any(sep in value for sep in "_-")  # db_password and dbPassword, not My-Secret1
    return apart and len([word for word in _words(value) if word.isalpha()]) > 1 and _kind_of_name(value) is not None


def _spelt(words: tuple[str, ...], text: str) -> bool:
    """Whether an extra name occurs. One that JSON may escape is taken to."""
    return not "".join(words).isascii() or _rx(f"(?ai:{'[-_. ]?'.join(words)})").search(text) is not None


def _is_opaque(m: re.Match[str]) -> bool:
    return is_opaque(m["s"])


# Carriers: what gives away the secret beside it. The group `s` is masked, unless it is a reference or a judge says no.
# Where one begins with a letter or a set, sre looks for that, and tries no pattern elsewhere; it finds a letter sooner
# than a set. Under (?i:) they do not count, nor does a look behind: so some begin with what these would allow.
_END = r"\s\"'`<>\\"  # a set: where a value without quotes ends
_SAID = r"\\{0,3}[\"'`]?[ \t]{0,4}(?:[:=][ \t]{0,4}|(?<=[\"'`]),\s{0,16})(?:b?\\{0,3}[\"'`])?"  # after a header's name
_LINE = r"[^\r\n\"'`\\=]*(?:(?:=\"[^\"\r\n]*\"|=|\\(?![nr\"'`]))[^\r\n\"'`\\=]*)*"
_SCHEME = r"(?i:bearer|basic|digest|token|oauth|api-?key|negotiate|ntlm|hawk|dpop|bot|aws4-hmac-sha256)[ \t]+"
_NAMED = rf"(?:\[masked:\w{{1,40}}\]|[^{_END}/:@\[]{{0,128}})"  # a user, who may be a token, and masked by now
_USERINFO = rf"://{_NAMED}:(?!\d{{1,5}}(?:[/?#]|$))(?P<s>[^{_END}/?#]{{1,256}}|[^{_END}@]{{1,256}})@"
_PARAMETER = r"[?&;\\%](?:(?<=[?&;])|(?<=\\)u0026|(?<=%)26)"  # where one begins in a query, escaped or not
_SIGNED = rf"{_PARAMETER}(?i:(?P<key>key)|(?:x-(?:amz|goog)-)?sig(?:nature)?)=(?P<s>[^{_END}&#,;)\]}}]{{8,}})"
_SPOKEN = rf" {{1,4}}(?:is|was) {{1,4}}[\"'`]?(?P<s>[^{_END}]{{8,256}})"
_API_KEY = "(?i:api[ _-]?key)"
_TOLD = r"[ \t]{1,4}'(?P<s>[^'\s]{4,256})'"
_AUTH = rf"{_SAID}(?P<s>[A-Za-z0-9+/]{{8,}}={{0,2}})"  # of a registry, as Docker and npm keep it
_BASE64 = "(?:Z2h|Z2l0|Z2xw|c2st|c2tf|ZXlK|aGZf|bnBtX|aHZzL|QUtJQ|QVNJQ|LS0tLS1CRUdJTi)[A-Za-z0-9+/_-]{16,}={0,2}"
_CARRIERS: tuple[tuple[str, str, str, Callable[[re.Match[str]], bool] | None], ...] = (
    ("url_password", "://", _USERINFO, None),
    ("authorization", "authorization", rf"(?i:authorization){_SAID}{_SCHEME}(?P<s>[^\s\"'`\\<]{_LINE})", None),
    ("bearer_token", "bearer", r"(?i:bearer)(?:[ \t+]|%20){1,4}(?P<s>[A-Za-z0-9._~+/=-]{8,})", _is_opaque),
    ("basic_auth", "basic", "(?i:basic) {1,4}(?P<s>[A-Za-z0-9+/]{12,}={0,2})", lambda m: ":" in decoded(m["s"])),
    *(("basic_auth", "auth", auth + _AUTH, lambda m: is_user_and_password(m["s"])) for auth in ("auth", "AUTH")),
    ("cookie", "cookie", rf"(?i:cookie2?){_SAID}(?P<s>[\w.$%!-]{{1,128}}(?==[^\s=]){_LINE})", None),
    ("signature", "=", _SIGNED, lambda m: _is_opaque(m) and (not m["key"] or len(m["s"]) >= 16)),
    ("password", "dent", rf"[iI\u0130\u0131](?i:dentified by){_TOLD}", None),
    *(("password", "word", rf"{p}(?i:assword){_TOLD}", None) for p in "pP"),
    *(("secret", f"{word} ", f"(?i:{word}){_SPOKEN}", _is_opaque) for word in ("password", "secret", "token")),
    ("secret", "key ", f"{_API_KEY}{_SPOKEN}", _is_opaque),
    ("api_key", " provided:", rf"{_API_KEY} provided: ?[\"'`]?(?P<s>[^{_END}]{{7,255}}[^{_END}.,;])", _is_opaque),
    ("encoded_secret", "", f"(?P<s>{_BASE64})", lambda m: DEFAULT.mask_text(decoded(m["s"])) != decoded(m["s"])),
)


def _mask_group(text: str, source: str, kind: str, judge: Callable[[re.Match[str]], bool] | None) -> str:
    def swap(m: re.Match[str]) -> str:
        if not m["s"] or m["s"].startswith("[masked:") or is_reference(m["s"]) or (judge and not judge(m)):
            return m[0]
        return text[m.start() : m.start("s")] + MASK.format(kind=kind) + text[m.end("s") : m.end()]

    return _rx(source).sub(swap, text)


def _mask_spans(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    parts, done = [], 0
    for start, end, kind in sorted(spans):
        if start >= done and not text.startswith("[masked:", start) and not is_reference(text[start:end]):
            parts += [text[done:start], MASK.format(kind=kind)]
            done = end
    return "".join([*parts, text[done:]])


def _mask_words(words: list[object] | tuple[object, ...]) -> list[object] | tuple[object, ...]:
    """The words of a command with its passwords masked; the very same when there are none."""
    from tallystick.core.command_lines import in_words
    from tallystick.core.set_values import in_places

    fresh = list(words)
    for i, at, kind in (*in_words(words), *in_places(words)) if len(words) > 1 else ():
        word = str(words[i])
        if not word.startswith("[masked:", at) and not is_reference(word[at:]):
            fresh[i] = word[:at] + MASK.format(kind=kind)
    return words if fresh == list(words) else fresh


# Sites: a name, and after it the place for a value. The name is judged as a key of a tree is, then the value.
_NAME = r"(?P<name>[A-Za-z0-9_.][A-Za-z0-9_.-]{0,255})"
_NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_Q = r"(?:\\{0,3}[\"'`])?"
_IS = r"[ \t]{0,64}(?:=>|:=|=(?![=~>])|:(?![:=/]))(?:\*\*)?[ \t]{0,64}"
_TYPED = r":[ \t]{0,4}[A-Za-z_][\w.]{0,40}(?:\[[\w., |]{0,40}\])?(?: ?\| ?\w{1,40})?[ \t]{0,4}=[ \t]{0,8}(?=[\"'])"
_FLAG = r"[ \t]{1,8}(?=[^\s=:-])|,[ \t]{0,8}(?=[\"'])"
_BLANK = r"[ \t]{1,4}(?=\\{0,3}[\"']?[A-Za-z0-9+/=_-]{16})"  # and what is drawn by lot: `set api_key 5f2b...`
_NEXT = r"(?<=[\"'`]),[ \t]{0,8}(?=\\{0,3}[\"'])"  # of a call that sets it, see _SETS
_SETS = (
    r"(?i:define|putenv|setenv|setdefault|set(?:item|property|attribute|header|config|value|secret|string|option)?|put)"
    r"\([ \t]{0,8}\\{0,3}[\"'`]$"
)
_APART = rf"(?(dash)(?:{_FLAG})|(?:{_BLANK}|{_NEXT}))"
_ASSIGNED = rf"(?P<dash>-{{1,8}})?(?={_NAME})(?P=name){_Q}(?:\*\*)?\]?(?:{_TYPED}|{_IS}|{_APART})"
_LABEL = r"[nNkK\u212a](?<![A-Za-z0-9_].)(?i:(?<=n)ame|(?<=k)ey)"
_PAIRED = rf"{_LABEL}{_Q}{_IS}{_Q}{_NAME}{_Q}[,\s]{{1,60}}{_Q}(?i:value){_Q}{_IS}"
_HEADER = r"(?P<name>(?i:authorization|apikey|[a-z]\w{0,40}(?:-\w{1,40}){1,8}))"
_OPENED = r"(?:(?<=[(\[].)|(?<=[(\[]b.))"  # behind a quote: it opens the first of a pair
_SITES = (
    ("value", _PAIRED),
    ("</", rf"<{_NAME}>(?=[^<>\n]{{1,1000}}</)"),
    *(  # the header and its value as Python writes a pair of texts or bytes
        (f"{q},", rf"{q}{_OPENED}{_HEADER}{q},\s{{0,4}}b?(?={q}[^{q}\s]{{0,255}}?\d[^{q}\s]{{0,255}}{q}[)\]])")
        for q in "'\""
    ),
)
_BARE = rf"[^{_END}]+(?:\\(?![nrt\"'`\\])[^{_END}]*)*"
_TAILS = (
    ("p", "ass|wd|sk"),
    ("s", "ecret|ignature|eed.?phrase"),
    ("t", "oken"),
    ("c", "ookie|red"),
    ("a", "uthorization"),
    ("j", "wt"),
    ("r", "ecovery_code"),
)
_HEADS = "|".join(f"{c}(?i:{tail})" for first, tail in (*_TAILS, ("k", "ey")) for c in (first, first.upper()))
_ENOUGH = 1024  # characters to look at before it is known that they are masked
_PROSE = _set("to is and or for with as in on the option options must should will may not when from required")


def _assigned(text: str, extra: tuple[tuple[str, ...], ...]) -> Iterator[re.Match[str]]:
    """From each word that may be a secret's, back to where the name begins: four times as fast as every name."""
    heads, at = _HEADS + "".join(f"|(?i:{'[-_. ]?'.join(words)})" for words in extra), 0
    while head := _rx(heads).search(text, at):
        before, after = text[max(0, head.start() - 128) : head.start()], text[head.end() : head.end() + 128]
        m = _rx(_ASSIGNED).match(text, head.start() - len(before) + len(before.rstrip(_NAME_CHARACTERS)))
        at = m.end() if m else head.end() + len(after) - len(after.lstrip(_NAME_CHARACTERS))
        if m:
            yield m


def _value(text: str, m: re.Match[str], kind: str, firm: bool) -> tuple[int, int]:
    """Where the secret after a name stands; an empty span when there is none."""
    start, before, said = m.end(), text[m.start() - 1 : m.start()], text[m.end("name") : m.end()]
    if not firm and "," in said and not m["dash"] and not _rx(_SETS).search(text[max(0, m.start() - 40) : m.start()]):
        return start, start  # two arguments of some other call
    quote = _rx(r"[bfru]{0,2}(\\{0,3}[\"'`])").match(text, start)
    if (quote and quote[0] == before != said[:1]) or (before == ":" and "=" not in said):
        return start, start  # the quote ends what began before the name, input("Password: "); or it is arn:...:secret:x
    if quote:
        start = quote.end()
        end = _closing(text, start, quote[1])
        good = end - start >= (1 if kind == "password" else 4)
    else:
        end = _bare_end(text, m)
        good = firm or _plausible(text, m, kind, end)
        if good and end == start + _ENOUGH and (run := _rx(_BARE).match(text, start)):
            end = run.end()
    value = text[start:end]
    good = good and (firm or not said.isspace() or bool(m["dash"]) or is_drawn(value))
    twin = value.isidentifier() and _words(value) == _words(m["name"])[-len(_words(value)) :]
    if twin or (value.isidentifier() and value.isupper() and _kind_of_name(value)):
        good = False  # a variable, as in password=password and api_key=OPENAI_API_KEY
    if text[m.start()] == "-" and _is_name_after(text[m.start() : m.end("name")], value):
        good = False
    return (start, start) if not good or is_reference(value) or is_harmless(m["name"], value) else (start, end)


def _closing(text: str, start: int, quote: str) -> int:
    end = text.find(quote, start)
    while len(quote) == 1 and end > start and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1)
    end = end if end >= 0 else len(text)
    line_end = text.find("\n", start, end)
    return line_end if line_end >= 0 else end


def _bare_end(text: str, m: re.Match[str]) -> int:
    run = _rx(_BARE).match(text, m.end(), m.end() + _ENOUGH)
    if run is None or _rx(r"\[masked:|\$?\{|[$%]\(").match(run[0]):  # masked, or filled in later
        return m.end()
    in_query = text[m.start() - 1 : m.start()] in ("?", "&")
    cut = _rx(r"[&#,;)\]}|]" if in_query else r"[,;&](?=[A-Za-z][\w.-]{0,40}=)").search(run[0])
    return m.end() + len((run[0][: cut.start()] if cut else run[0]).rstrip(",;:.)]}|"))


def _plausible(text: str, m: re.Match[str], kind: str, end: int) -> bool:
    """Whether what stands there without quotes is a value, and not code or prose."""
    value, tight = text[m.end() : end], text[m.end("name") : m.end()] == "="
    if not value or _rx(r"[A-Za-z_][\w.]{0,127}[(\[]").match(value):  # a call, an index
        return False
    if m["dash"] and value.isalpha() and len(text[m.end("name") : m.end()]) > 1 and m["dash"] == "--":
        return False  # what the help says of an option
    if m["dash"] or (tight and (m["name"].isupper() or text[m.start() - 1 : m.start()] in ("?", "&"))):
        return value.lower() not in _PROSE
    if value[0] in "([{!*&+|" or value.isdigit():
        return len(value) >= 8 or (kind == "password" and value.isdigit() and len(value) >= 4)
    if not _rx(r"[A-Za-z_-]+(?:\.[A-Za-z_]+)*").fullmatch(value):
        return len(value) >= (4 if kind == "password" else 6)
    if len(value) < 6 or "." in value or "_" in value or value.lower() in _PROSE:
        return False
    after = text[end : end + 1]
    alone = after in ("", "\n", "\r") and not text[max(0, m.start() - 64) : m.start()].rpartition("\n")[2].strip(" \t-")
    return (tight and after not in ("(", ")", ",", ".")) or (alone and not value[0].isupper())


DEFAULT: Masker = Masker()
