r"""Secrets are masked before the first byte is written.

A secret is known by the name it stands under (`DB_PASSWORD`, `x-api-key`) or by its own shape (`ghp_...`, a PEM block,
the password in a URL). What is masked becomes `[masked:kind]`; the rest of the text stays readable.

The recording path asks `looks_clean` first. It looks for anchors: short pieces of plain ASCII, one of which every
secret has. An anchor never holds a quote, a backslash or a control character and never depends on what stands to its
left, so JSON encoding cannot hide one (escaped ASCII counts as an anchor itself). `mask` and `mask_text` want an anchor
before they look further, so a document without one is a document that they would leave alone.

Standard library only and nothing of ours, because a hook takes this file alone; patterns are compiled on first use for
the same reason. No repetition can overlap another, or else it is bounded: time is linear in the text.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from functools import lru_cache

TYPE_CHECKING = False  # typing would double the time that importing this takes
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

MASK = "[masked:{kind}]"


class Masker:
    """Masks what it knows, and what it is told: `extra_names` are key names in any spelling (`customer_pin` is also
    `customerPin`), `extra_patterns` are regular expressions whose every match is masked. Frozen."""

    __slots__ = ("_heads", "_names", "_patterns", "extra_names", "extra_patterns")

    extra_names: tuple[str, ...]
    extra_patterns: tuple[str, ...]
    _heads: str
    _names: tuple[tuple[str, ...], ...]
    _patterns: tuple[re.Pattern[str], ...]

    def __init__(self, extra_names: tuple[str, ...] = (), extra_patterns: tuple[str, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "extra_names", tuple(extra_names))
        put(self, "extra_patterns", tuple(extra_patterns))
        put(self, "_names", tuple(filter(None, map(_words, extra_names))))
        put(self, "_heads", _HEADS.format("".join("|" + _SEP.join(words) for words in self._names)))
        put(self, "_patterns", tuple(map(re.compile, extra_patterns)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Masker is frozen: {name}")

    def looks_clean(self, encoded: str) -> bool:
        """True only when masking the decoded JSON document would change nothing. With extra patterns it is always
        False: what an unknown pattern matches cannot be told from the encoded text."""
        return not self._suspect(encoded)

    def mask(self, value: object) -> object:
        """The same tree with its secrets masked; the very same object when there are none."""
        box: list[Any] = [value]
        todo: list[tuple[Any, Any, Any, str | None]] = [(value, box, 0, None)]
        changed = False
        while todo:  # not recursive: no depth of nesting can fail
            node, home, slot, kind = todo.pop()
            if isinstance(node, dict):
                home[slot] = fresh = dict.fromkeys(self._fresh_keys(node))
                changed = changed or fresh.keys() != node.keys()
                kinds = [self._kind_under(node, key, kind) for key in node]
                todo.extend(zip(node.values(), [fresh] * len(fresh), fresh, kinds, strict=True))
            elif isinstance(node, (list, tuple)):
                home[slot] = items = [None] * len(node)
                todo.extend((item, items, i, kind or self._kind_after_flag(node, i)) for i, item in enumerate(node))
            else:
                home[slot] = self._leaf(node, kind)
                changed = changed or home[slot] is not node
        return box[0] if changed else value

    def mask_text(self, text: str) -> str:
        """The text with the secrets in it masked; the very same object when there are none."""
        if not self._suspect(text):
            return text
        before, after = "", text
        for _ in range(8):  # a mask may lay another secret open; the second round mostly finds nothing
            before, after = after, self._once(after)
            if after == before:
                break
        return text if after == text else after

    def _once(self, text: str) -> str:
        for kind, gate, source in _shapes():
            if gate in text:
                text = _rx(source).sub(_mark(kind), text)
        low = text.lower()
        for kind, gate, source, accept in _CARRIERS:
            if gate in low:
                text = _mask_group(source, kind, accept, text)
        text = _mask_values(text, _assigned(text, self._heads), False, self._kind)
        for gate, source in _SITES:
            if gate in low:
                text = _mask_values(text, _rx(source).finditer(text), True, self._kind)
        for pattern in self._patterns:
            parts = _rx(r"(\[masked:[a-z0-9_]{1,64}\])").split(text)  # every second part is a mask
            parts[::2] = [pattern.sub(lambda m: m[0] and _mark("extra"), part) for part in parts[::2]]
            text = "".join(parts)
        return text

    def _suspect(self, text: str) -> bool:
        if self._patterns or (self._names and any(_spelt(words, text) for words in self._names)):
            return True
        return _suspicious(text)

    def _kind(self, name: str) -> str | None:
        return _kind_of_name(name, self._names)

    def _kind_under(self, node: dict[object, object], key: object, outer: str | None) -> str | None:
        if not isinstance(key, str) or ((kind := self._kind(key)) and _harmless(key, node[key])):
            return outer
        if key in _SCHEMA_WORDS and node.get("type") in _SCHEMA_TYPES:
            return None  # it describes a secret argument, in a JSON Schema
        if kind is None and key in ("value", "Value"):  # {"name": "DB_PASSWORD", "value": ...}
            label = next((node[k] for k in ("name", "key", "Name", "Key") if k in node), None)
            kind = self._kind(label) if isinstance(label, str) else None
        return kind or outer

    def _kind_after_flag(self, items: list[object] | tuple[object, ...], i: int) -> str | None:
        """For command lines: ["--password", ...]."""
        flag = items[i - 1] if i else None
        return self._kind(flag.lstrip("-")) if isinstance(flag, str) and flag.startswith("-") else None

    def _fresh_keys(self, node: dict[object, object]) -> Iterator[object]:
        """The keys, masked. Two that would become one are told apart, so that nothing is lost."""
        seen: set[object] = set()
        for key in node:
            fresh: object = self.mask_text(key) if isinstance(key, str) else key
            masked, n = fresh, 2
            while fresh in seen or (fresh != key and fresh in node):
                fresh, n = f"{masked}#{n}", n + 1
            seen.add(fresh)
            yield fresh

    def _leaf(self, value: object, kind: str | None) -> object:
        if isinstance(value, str):
            return self.mask_text(value) if kind is None or _is_reference(value) else _mark(kind)
        return value if kind is None or value is None or isinstance(value, bool) else _mark(kind)


# Anchors. One expression for each rare character, because sre finds a literal first character at memory speed (0.4
# microseconds in 600 characters) and one character out of a set ten times as slowly. All but the last see lower case.

_KEY_OF = "api access private secret signing encryption decryption auth master shared session service subscription hmac"
_KEYS = "|".join(rf"(?<={word}{sep}key)" for word in _KEY_OF.split() for sep in ("", "[-_. ]"))
_W = "[a-z0-9_-]"
_B64 = "[a-z0-9+/_-]{16}"
_STARTS = "gh[pousr] pat npm v1 hf shp.. lin_api ntn [rs]k_live [rs]k_test whsec"
_VISIBLE = r"^\x00-\x20\"\\@\x7f-\U0010ffff"  # inside brackets: printable ASCII that JSON leaves as it is, without @
_ANCHORS = (
    "k(?:en(?<=token)(?![si]|_(?:count|type|limit|usage))|ie(?<=cookie)|-(?<=sk-)(?:[a-z0-9]{20}|[a-z0-9]{2,8}-)"
    rf"|ia[a-z0-9]{{16}}|[0-9a-f]{{32}}|s(?:\.slack\.com|/[0-9])|ey(?:{_KEYS}))",
    r"p(?:ass(?:w|phr|code|(?![a-z .,;)\n\r]|\\[nr]))|wd|at-(?<=glpat-)|i-age|i[0-9a-f]{32})",
    r"c(?:re(?:t(?<=secret)(?!ar)|d(?:s|ential))|url(?<=curl)| (?<=basic ) {0,3}[a-z0-9+/]{12}"
    rf"|2(?:st|tf){_B64})",
    "_[a-z0-9]{16}(?:" + "|".join(f"(?<={start}_.{{16}})" for start in _STARTS.split()) + ")",
    rf"\.{_W}{{6}}(?:\.{_W}{{27}}|{_W}{{10}}(?:(?<=ya29\..{{16}})|(?<=hv[sbr]\..{{16}})|(?<=sg\..{{16}})))",
    rf"z(?:ation(?<=authorization)|a(?<=aiza){_W}{{16}}|(?:2h|2l0|2xw|xlk|f(?<=agzf)|zl(?<=ahzzl)){_B64})",
    rf"j(?:(?<=eyj){_W}{{8}}|(?:ti(?<=crudjti)|q(?<=qutjq)|q(?<=qvnjq)){_B64})",
    f"x(?:ox[a-z]-|app-|(?<=bnbtx){_B64})",
    "=(?:(?<=[?&;6]key=)|(?<=sig=)|(?<=signature=)|(?<=accountkey=))",
    rf"://[{_VISIBLE}/:]{{0,128}}(?:[^ -~\\]|\\|:[{_VISIBLE}]{{0,256}}(?:@|\\|[^ -~]))",
    r"\\(?:/|u00[2-7])",
    "A(?:SIA[A-Z0-9]{16}|A(?<=:AA)[A-Za-z0-9_-]{30})",
)


@lru_cache(maxsize=1)
def _anchors() -> tuple[Callable[[str], object], ...]:
    return tuple(re.compile(source).search for source in _ANCHORS)


def _suspicious(text: str) -> bool:
    k, p, c, underscore, dot, z, j, x, equals, url, escape, upper_a = _anchors()
    # Lower case of ASCII only, which is also the fast one: the UTF-8 bytes of anything else are kept as they are.
    low = text.lower() if text.isascii() else text.encode("utf-8", "surrogatepass").lower().decode("latin-1")
    return bool(
        k(low)
        or p(low)
        or c(low)
        or "bearer" in low
        or underscore(low)
        or dot(low)
        or ("z" in low and z(low))
        or ("j" in low and j(low))
        or ("x" in low and x(low))
        or ("=" in low and equals(low))
        or ("@" in low and url(low))
        or ("\\" in low and escape(low))
        or ("'" in low and "identified by" in low)
        or ("A" in text and upper_a(text))
    )


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Names: the last word decides, unless what follows makes it something else (password_policy, token_count).

_HEAD = (
    "(?P<password>password|passwd|passwort|passphrase|passcode|pwd|(?<!by)(?<!om)(?<!ur)(?<!es)(?<!ver)(?<!der)pass)s?$"
    "|(?P<secret>secret)s?$|(?P<token>token)$|(?P<cookie>cookie)s?$|(?P<authorization>authorization)$"
    "|(?P<credentials>^cred|credential)s?$|(?P<private_key>privatekey)s?$"
    "|(?P<api_key>(?:api|access|secret|auth|signing|encryption)key)s?$"
)
_SEP = "[-_. ]?"
_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+"
_NO_SECRET_AFTER = _set(
    "next page continuation cancellation cancel sync eos bos pad unk mask sep cls special stop end start idempotency"
    " per first last cursor fencing resume pull pseudo non"
)
_PASS_OF = _set(
    "db database user smtp mysql pg postgres redis mongo admin root ftp mail email proxy http basic login rabbitmq sudo"
    " become ssh keystore store key auth ldap imap"
)
# What may follow any of them, and what may not even follow a password or a secret.
_STILL = _set(
    "id prod production dev development stage staging test live local sandbox default primary secondary main backup old"
    " new current previous temp tmp value raw plain plaintext text string base b64 base64 hex encoded hash hashed header"
    " env bytes github gitlab openai anthropic aws gcp azure google slack stripe"
)
_NO_SECRET_BEFORE = _set(
    "policy policies hint reset count length len min max strength field fields label name names ref refs type types url"
    " uri endpoint path file files dir store manager provider version arn expiry expires expired expiration ttl age at"
    " rotation rotated required requires changed change updated created regex pattern rule rules valid invalid verified"
    " match mismatch error errors message prompt input set enabled disabled exists present missing source engine mount"
    " santa owner service generator checker context encoder class func function handler form fd stdin"
)


def _words(name: str) -> tuple[str, ...]:
    """githubToken, GITHUB_TOKEN and github-token are the same words."""
    return tuple(word.lower() for word in _rx(_WORD).findall(name[-256:]))


@lru_cache(maxsize=4096)
def _kind_of_name(name: str, extra: tuple[tuple[str, ...], ...] = ()) -> str | None:
    words = _words(name.rpartition(".")[2])  # of an attribute or a path, the last part
    for told in extra:
        if _spelt(told, name) and (words[-len(told) :] == told or "".join(words) == "".join(told)):
            label = "_".join(told)
            return label if label.isascii() and len(label) <= 40 else "extra"
    if not _suspicious(name):
        return None
    for i in reversed(range(len(words))):
        if kind := _kind_of_word(words[i], words[i - 1] if i else ""):
            tail = {word for word in words[i + 1 :] if not word.isdigit()}
            strong = kind in ("password", "secret") and words[i] != "pass"
            return kind if tail <= _STILL or (strong and tail.isdisjoint(_NO_SECRET_BEFORE)) else None
    return None


def _kind_of_word(word: str, before: str) -> str | None:
    if word in ("key", "keys"):
        return {"private": "private_key"}.get(before, "api_key") if before in _KEY_OF.split() else None
    head = _rx(_HEAD).search(word)
    if head is None or before in _NO_SECRET_AFTER or (word == "pass" and before and before not in _PASS_OF):
        return None
    return head.lastgroup


def _spelt(words: tuple[str, ...], text: str) -> bool:
    """Whether an extra name occurs. One that JSON may escape is taken to."""
    name = _SEP.join(words)
    return not name.isascii() or _rx(name).search(text.lower()) is not None


def _harmless(name: str, value: object) -> bool:
    """PWD is also the working directory, and a test run counts what did `pass`."""
    if name.lower() in ("pwd", "oldpwd"):
        return isinstance(value, str) and _rx(r"[~/.]|[A-Za-z]:[\\/]").match(value) is not None
    return name.lower() == "pass" and (not isinstance(value, str) or value.isdigit())


_SCHEMA_TYPES = ("string", "integer", "number", "object", "array")
_SCHEMA_WORDS = _set("type description title format minLength maxLength pattern")
_REFERENCE = (
    r"\[masked:[a-z0-9_]{1,40}\](?:#\d+)?|\$(?:[A-Z][A-Z0-9_]*|[a-z_]+)|\$?\{\{?[^{}]*\}?\}|\$\(.*|%\w+%|<[^<>]*>"
    r"|[xX*.#\u2022-]+|(?i:\[?(?:none|null|nil|true|false|undefined|bearer|basic|redacted|masked|hidden|filtered)\]?|your[-_ ].*"
    r"|replace[-_ ]?me)|(?:os\.|process\.|self\.|ENV\[|env[.:(]|getenv|secrets\.|vault:|op://|https?://).*"
)
_FILLED_IN_LATER = r"\$?\{\{?[^{}]{0,100}\}?\}|%\(\w{1,50}\)s|%s|\$[A-Z_]{2,50}"


def _is_reference(value: str) -> bool:
    """A value that names a secret, or stands for one, and holds none."""
    value = value.strip()
    if not value or len(value) > 256:
        return not value
    rest, holes = _rx(_FILLED_IN_LATER).subn("", value)
    return (holes > 0 and len(rest) < 8) or _rx(_REFERENCE).fullmatch(value) is not None


def _names_a_variable(name: str, value: str) -> bool:
    """As in password=password and api_key=OPENAI_API_KEY."""
    if len(value) > 128 or not _rx(r"[A-Za-z_-]+").fullmatch(value):
        return False
    words = _words(value)
    return words == _words(name)[-len(words) :] or (
        "_" in value and value.isupper() and _kind_of_name(value) is not None
    )


# Shapes: what is a secret wherever it stands. The literal in the middle is looked for first; most are never compiled.


@lru_cache(maxsize=1)
def _shapes() -> tuple[tuple[str, str, str], ...]:
    long, hexes = "[A-Za-z0-9_-]{16,}", "[0-9a-f]{32,}"
    return (
        ("private_key", "PRIVATE KEY", _PEM),
        *(("github_token", f"gh{c}_", f"gh{c}_[A-Za-z0-9]{{20,}}") for c in "pousr"),
        ("github_token", "github_pat_", "github_pat_[A-Za-z0-9_]{20,}"),
        ("gitlab_token", "glpat-", rf"glpat-{long}(?:\.[a-z0-9]{{2,12}})*"),
        ("slack_token", "xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}"),
        ("slack_token", "xapp-", "xapp-[A-Za-z0-9-]{20,}"),
        ("slack_webhook", "hooks.slack.com", r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[\w/+-]{20,}"),
        ("discord_webhook", "/webhooks/", r"(?<=/webhooks/)\d{15,20}/[A-Za-z0-9_-]{30,}"),
        ("discord_token", ".", r"(?<![\w-])(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[\w-]{0,4}\.[\w-]{6}\.[\w-]{27,}"),
        ("telegram_token", ":AA", r"(?<!\d)\d{6,12}:AA[A-Za-z0-9_-]{30,}"),
        *(("stripe_key", f"{k}_", f"{k}_[A-Za-z0-9]{{16,}}") for k in ("sk_live", "sk_test", "rk_live", "rk_test")),
        ("webhook_secret", "whsec_", "whsec_[A-Za-z0-9+/=]{16,}"),
        ("anthropic_key", "sk-ant-", f"sk-ant-{long}"),
        ("openai_key", "sk-", _left("sk-") + f"(?:[A-Za-z0-9]{{20,}}[\\w-]*|(?:proj|svcacct|admin|or-v1)-{long})"),
        ("google_key", "AIza", "AIza[A-Za-z0-9_-]{30,}"),
        ("google_token", "ya29.", _left("ya29.") + long),
        ("aws_key", "AKIA", _left("AKIA") + "[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("aws_key", "ASIA", _left("ASIA") + "[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("azure_key", "AccountKey=", "(?<=AccountKey=)[A-Za-z0-9+/=]{20,}"),
        ("npm_token", "npm_", _left("npm_") + "[A-Za-z0-9]{30,}"),
        ("pypi_token", "pypi-AgE", f"pypi-AgE{long}"),
        ("huggingface_token", "hf_", _left("hf_") + "[A-Za-z0-9]{30,}"),
        ("sendgrid_key", "SG.", _left("SG.") + r"[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"),
        ("twilio_key", "SK", _left("SK") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
        ("vault_token", "hv", r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
        ("digitalocean_token", "_v1_", f"do[opr]_v1_{hexes}"),
        ("shopify_token", "shp", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}"),
        ("databricks_token", "dapi", _left("dapi") + rf"{hexes}(?:-\d)?"),
        ("linear_key", "lin_api_", "lin_api_[A-Za-z0-9]{30,}"),
        ("notion_token", "ntn_", _left("ntn_") + "[A-Za-z0-9]{40,}"),
        ("notion_token", "secret_", _left("secret_") + "[A-Za-z0-9]{40,}"),
        ("age_key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
        ("jwt", "eyJ", _left("eyJ", r"\w-") + r"[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}"),
    )


_PEM = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,8}-----"
    # To the end of the block; when that was cut off, as far as it looks like one.
    r"(?:(?:[^-]+|-(?!----))*-----END [A-Z0-9 ]{0,60}-----|[A-Za-z0-9+/=\s\\,:-]*)"
)


def _left(literal: str, word: str = "A-Za-z0-9") -> str:
    r"""The literal where a word begins; after `\n` (escaped twice) and `%3D` one does."""
    literal = re.escape(literal)
    return rf"{literal}(?:(?<![{word}]{literal})|(?<=\\[bfnrt]{literal})|(?<=%[0-9A-Fa-f]{{2}}{literal}))"


# Carriers: where a secret stands beside something that gives it away. The group `s` is masked if the last column agrees.


def _real(m: re.Match[str]) -> bool:
    return not _is_reference(m["s"])


def _random(m: re.Match[str]) -> bool:
    return any(c.isdigit() for c in m["s"]) and any(c.isalpha() for c in m["s"]) and _real(m)


def _decoded(m: re.Match[str]) -> str:
    try:
        return a2b_base64(m["s"].translate({45: "+", 95: "/"}) + "==").decode("ascii")
    except ValueError:
        return ""


def _is_encoded_shape(m: re.Match[str]) -> bool:
    text = _decoded(m)
    return any(gate in text and _rx(source).search(text) for _, gate, source in _shapes())


_USERINFO = (
    r"://(?!\[)[^\s/:@\"'`<>\\]{0,128}:(?!\d{1,5}(?:[/?#]|$))(?P<s>[^\s/?#\"'`<>\\]{1,256}|[^\s@\"'`<>\\]{1,256})@"
)
_SAID = r"\\{0,3}[\"'`]?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\{0,3}[\"'`])?"  # between the name of a header and its value
_LINE = r"[^\r\n\"'`\\=]*(?:(?:=\"[^\"\r\n]*\"|=|\\(?![nr\"'`]))[^\r\n\"'`\\=]*)*"
_SCHEME = r"(?i:bearer|basic|digest|token|oauth|api-?key|negotiate|ntlm|hawk|dpop|bot|aws4-hmac-sha256)[ \t]+"
_SIGNED = r"(?:[?&;]|\\u0026|%26)(?i:(?P<key>key)|(?:x-amz-|x-goog-)?sig(?:nature)?)=(?P<s>[^&\s\"'`<>#\\,;)\]}]{8,})"
_ENCODED = (
    "(?P<s>(?:Z2h|Z2l0|Z2xw|c2st|c2tf|ZXlK|aGZf|bnBtX|aHZzL|QUtJQ|QVNJQ|LS0tLS1CRUdJTi)[A-Za-z0-9+/_-]{16,}={0,2})"
)
_SPOKEN = (
    r"(?i:password|passphrase|secret|token|api[ _-]?key)[ \t]{1,4}(?:is|was)[ \t]{1,4}[\"'`]?(?P<s>[^\s\"'`<>]{8,256})"
)
_CARRIERS: tuple[tuple[str, str, str, Callable[[re.Match[str]], bool]], ...] = (
    ("url_password", "://", _USERINFO, _real),
    ("authorization", "authorization", rf"(?i:authorization){_SAID}{_SCHEME}(?P<s>[^\s\"'`\\<]{_LINE})", _real),
    ("authorization", "authorization", rf"(?i:authorization){_SAID}(?P<s>[^\s\"'`,;\\<>]{{8,}})", _random),
    ("bearer_token", "bearer", r"(?i:bearer)(?:[ \t+]|%20){1,4}(?P<s>[A-Za-z0-9._~+/=-]{8,})", _random),
    ("bearer_token", "bearer", r"(?i:bearer)(?:[ \t+]|%20){1,4}(?P<s>[A-Za-z0-9._~+/=-]{24,})", _real),
    ("basic_auth", "basic", r"(?i:basic) {1,4}(?P<s>[A-Za-z0-9+/]{12,}={0,2})", lambda m: ":" in _decoded(m)),
    ("cookie", "cookie", rf"(?i:cookie2?){_SAID}(?P<s>[\w.$%!-]{{1,128}}=[^\s=\"'`\\]{_LINE})", _real),
    ("signature", "=", _SIGNED, lambda m: _random(m) and (not m["key"] or len(m["s"]) >= 16)),
    ("password", "curl", r"(?<![\w-])(?:-u|-U|--(?:proxy-)?user)[ \t=][\"']?[^\s:\"']{1,128}:(?P<s>[^\s\"']+)", _real),
    ("password", "'", r"(?i:identified by|password)[ \t]{1,4}'(?P<s>[^'\s]{4,256})'", _real),
    ("secret", "s ", _SPOKEN, _random),
    ("encoded_secret", "", _ENCODED, _is_encoded_shape),
)


def _mask_group(source: str, kind: str, accept: Callable[[re.Match[str]], bool], text: str) -> str:
    def swap(m: re.Match[str]) -> str:
        return text[m.start() : m.start("s")] + _mark(kind) + text[m.end("s") : m.end()] if accept(m) else m[0]

    return _rx(source).sub(swap, text)


# Sites: a name, and after it the place for a value. The name is judged as a key of a tree is, then the value.

_NAME = r"(?P<name>[A-Za-z0-9_.][A-Za-z0-9_.-]{0,255})"
_IS = r"[ \t]{0,8}(?:=>|:=|=(?![=~>])|:(?![:=/]))(?:\*\*)?[ \t]{0,8}"
_TYPED = (
    r":[ \t]{0,4}[A-Za-z_][\w.]{0,40}(?:\[[\w., |]{0,40}\])?(?:[ \t]?\|[ \t]?\w{1,40})?[ \t]{0,4}=[ \t]{0,8}(?=[\"'])"
)
_Q = r"(?:\\{0,3}[\"'`])?"
_FLAG = r"[ \t]{1,8}(?=[^\s=:-])|,[ \t]{0,8}(?=[\"'])"
_ASSIGNED = rf"(?P<dash>-{{1,8}})?{_NAME}{_Q}(?:\*\*)?\]?(?:{_TYPED}|{_IS}|(?(dash)(?:{_FLAG})|(?!)))"
_PAIRED = rf"(?<![A-Za-z0-9_])(?i:name|key){_Q}{_IS}{_Q}{_NAME}{_Q}[,\s]{{1,60}}{_Q}(?i:value){_Q}{_IS}"
_ELEMENT = rf"<{_NAME}>(?=[^<>\n]{{1,1000}}</)"
_SITES = (("value", _PAIRED), ("</", _ELEMENT))  # whatever stands there is the value, were it one plain word
_HEADS = "(?i:pass|pwd|secret|token|cookie|authorization|cred|key{})"
_NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_LONG = 1024  # characters to look at before it is known that they are masked
_BARE = r"[^\s\"'`<>\\]+(?:\\(?![nrt\"'`\\])[^\s\"'`<>\\]*)*"
_PLAIN_WORDS = _set(
    "to is and or for with as in if on the a an option options flag argument must should can will may not when from value only"
    " instead was has are by at of via required optional string invalid missing wrong incorrect expired"
)


def _assigned(text: str, heads: str) -> Iterator[re.Match[str]]:
    """From each word that may be a secret's, back to where the name begins: four times as fast as every name."""
    find, whole, at = _rx(heads).search, _rx(_ASSIGNED).match, 0
    while head := find(text, at):
        before = text[max(0, head.start() - 128) : head.start()]
        m = whole(text, head.start() - len(before) + len(before.rstrip(_NAME_CHARACTERS)))
        at = m.end() if m else head.end()
        if m:
            yield m


def _mask_values(text: str, sites: Iterator[re.Match[str]], firm: bool, kind_of: Callable[[str], str | None]) -> str:
    parts, done = [], 0
    for m in sites:
        kind = kind_of(m["name"])
        if kind is None and text[m.start("name") - 1 : m.start("name")] == "\\":
            kind = kind_of(m["name"][1:])  # the n of an escaped line end is no part of the name
        start, end = _value(text, m, kind, firm) if kind and m.start() >= done else (0, 0)
        if start < end:
            parts += [text[done:start], _mark(kind or "")]
            done = end
    return "".join([*parts, text[done:]])


def _value(text: str, m: re.Match[str], kind: str, firm: bool) -> tuple[int, int]:
    """Where the secret after a name stands; an empty span when there is none."""
    start = m.end()
    quote = _rx(r"[bfru]{0,2}(\\{0,3}[\"'`])").match(text, start)
    if quote and quote[0] == text[m.start() - 1 : m.start()] != text[m.end("name") : m.end("name") + 1]:
        return start, start  # it closes what was opened before the name: input("Password: ")
    if quote:
        start = quote.end()
        end = _closing(text, start, quote[1])
        good = end - start >= (1 if kind == "password" else 4)
    else:
        end = _bare_end(text, m)
        good = firm or _plausible(text, m, kind, end)
        if good and end == start + _LONG and (run := _rx(_BARE).match(text, start)):
            end = run.end()
    value = text[start:end]
    if not good or _is_reference(value) or _harmless(m["name"], value) or _names_a_variable(m["name"], value):
        return start, start
    return start, end


def _closing(text: str, start: int, quote: str) -> int:
    end = text.find(quote, start)
    while len(quote) == 1 and end > start and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1)
    end = end if end >= 0 else len(text)
    line_end = text.find("\n", start, end)
    return line_end if line_end >= 0 else end


def _bare_end(text: str, m: re.Match[str]) -> int:
    run = _rx(_BARE).match(text, m.end(), m.end() + _LONG)
    if run is None or _rx(r"\[masked:|\$?\{|[$%]\(").match(run[0]):  # masked, or filled in later
        return m.end()
    cut = _rx(r"[&#,;)\]}|]" if _in_query(text, m) else r"[,;&](?=[A-Za-z][\w.-]{0,40}=)").search(run[0])
    return m.end() + len((run[0][: cut.start()] if cut else run[0]).rstrip(",;:.)]}|"))


def _in_query(text: str, m: re.Match[str]) -> bool:
    return text[m.start() - 1 : m.start()] in ("?", "&")


def _plausible(text: str, m: re.Match[str], kind: str, end: int) -> bool:
    """Whether what stands there without quotes is a value, and not code or prose."""
    value, tight = text[m.end() : end], text[m.end("name") : m.end()] == "="
    if not value or _rx(r"[A-Za-z_][\w.]{0,127}[(\[]").match(value):  # a call, an index
        return False
    if m["dash"]:
        return value.lower() not in _PLAIN_WORDS
    if _in_query(text, m) or (tight and m["name"].isupper()):
        return True
    if value[0] in "([{!*&+|" or value.isdigit():
        return len(value) >= 8 or (kind == "password" and value.isdigit() and len(value) >= 4)
    if not _rx(r"[A-Za-z_-]+(?:\.[A-Za-z_]\w*)*").fullmatch(value):
        return len(value) >= (4 if kind == "password" else 6)
    if len(value) < 6 or "." in value or "_" in value or value.lower() in _PLAIN_WORDS:
        return False
    before = text[max(0, m.start() - 64) : m.start()].rpartition("\n")[2].strip(" \t-")
    alone = not before and text[end : end + 1] in ("", "\n", "\r")
    return (tight and text[end : end + 1] not in ("(", ")", ",", ".")) or (alone and not value[0].isupper())


def _mark(kind: str) -> str:
    return MASK.format(kind=kind)


@lru_cache(maxsize=256)
def _rx(source: str) -> re.Pattern[str]:
    return re.compile(source)


DEFAULT = Masker()
