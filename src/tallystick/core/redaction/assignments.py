r"""Sites: a name in a text, and after it the place for a value.

The name is judged as a key of a tree is, then the value: whether it is one, and where it ends. Standard library only: a
hook takes this file along.
"""

from __future__ import annotations

from tallystick.core.redaction.classify import (
    PHRASE,
    VALUE_END,
    decode_base64,
    is_harmless,
    is_opaque,
    is_reference,
    is_secret_name_argument,
    is_user_and_password,
    kind_of_name,
    looks_random,
    name_words,
)
from tallystick.core.redaction.classify import split_words as _set
from tallystick.core.redaction.prefilter import rx as _rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

_NAME = r"(?P<name>[A-Za-z0-9_.][A-Za-z0-9_.-]{0,255})"
_NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_Q = r"(?:\\{0,3}[\"'`])?"
_GO_ON = r"(?:\\\r?\n[ \t]{0,64})?"  # on the next line
_IS = rf"[ \t]{{0,64}}(?:=>|::?=|\?=|=(?![=~>])|:(?![:=/]))(?:\*\*)?[ \t]{{0,64}}{_GO_ON}"
_TYPED = r":[ \t]{0,4}[A-Za-z_][\w.]{0,40}(?:\[[\w., |]{0,40}\])?(?: ?\| ?\w{1,40})?[ \t]{0,4}=[ \t]{0,8}(?=[\"'])"
_FLAG = rf"[ \t]{{1,8}}{_GO_ON}(?=[^\s=:-])|,[ \t]{{0,8}}(?=[\"'])"
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
_OPENED = r"(?:(?<=[(\[].)|(?<=[(\[]b.))"  # behind a quote: it opens the first of a pair
_HEADER = r"(?P<name>(?i:authorization|apikey|[a-z]\w{0,40}(?:-\w{1,40}){1,8}))"
VALUE_SITES = (
    ("value", _PAIRED),
    ("env ", rf"ENV(?:(?<![^\n]ENV)|(?<=\\nENV))[ \t]{{1,8}}{_NAME}[ \t]{{1,8}}(?=[^\s=])"),  # of a Dockerfile
    ("-value", rf"[eE](?i:nv):{_NAME}[\"']?[ \t]{{1,8}}-(?i:value)[ \t]{{1,8}}"),  # of PowerShell
    ("</", rf"<{_NAME}>(?=[^<>\n]{{1,1000}}</)"),
    *(  # the header and its value as Python writes a pair of texts or bytes
        (f"{q},", rf"{q}{_OPENED}{_HEADER}{q},\s{{0,4}}b?(?={q}[^{q}\s]{{0,255}}?\d[^{q}\s]{{0,255}}{q}[)\]])")
        for q in "'\""
    ),
)
_BARE = rf"[^{VALUE_END}]+(?:\\(?![nrt\"'`\\])[^{VALUE_END}]*)*"
_TAILS = (
    ("p", "ass|wd|sk"),
    ("s", "ecret|ignature|eed.?phrase"),
    ("m", "nemonic"),
    ("t", "oken"),
    ("c", "ookie|red"),
    ("a", "uthorization"),
    ("j", "wt"),
    ("r", "ecovery_code"),
)
_HEADS = "|".join(f"{c}(?i:{tail})" for first, tail in (*_TAILS, ("k", "ey")) for c in (first, first.upper()))
_QUOTE = r"[bfru]{0,2}((?:\\{0,3}\"){3}\s{0,64}|(?:\\{0,3}'){3}\s{0,64}|\\{0,3}[\"'`])"
_BELOW = r"(?P<style>[|>][+-]?\d?)?[ \t]{0,8}\r?\n"  # the value begins on the next line, as YAML may have it
_ALONE = (
    r"[\"'][^\"'\n]{4,256}[\"']|(?![!&*%@|>])(?=\S{0,60}?[\d!#%^*~+?@$])(?=[^A-Za-z\n]{0,60}[A-Za-z])"
    r"[^\s:(){}\[\],;<>\"'`]{6,256}"
)
_ATTRIBUTE = r"[A-Za-z_]{1,60}(?:\.[A-Za-z_]{1,60}){1,8}\d?"
_MASKED_OR_LATER = r"\[masked:|\$?\{|[$%]\("
_CALL_OR_INDEX = r"[A-Za-z_][\w.]{0,127}[(\[]"
_DOTTED_WORDS = r"[A-Za-z_-]+(?:\.[A-Za-z_]+)*"
_QUERY_END = r"[&#,;)\]}|]"
_PAIR_END = r"[,;&](?=[A-Za-z][\w.-]{0,40}=)"
_LINES = 64  # of a block
_ENOUGH = 1024  # characters to look at before it is known that they are masked
_PROSE = _set("to is and or for with as in on the option options must should will may not when from required")


def find_assignments(text: str, extra: tuple[tuple[str, ...], ...]) -> Iterator[re.Match[str]]:
    """From each word that may be a secret's, back to where the name begins: four times as fast as every name."""
    heads, at = _HEADS + "".join(f"|(?i:{'[-_. ]?'.join(words)})" for words in extra), 0
    while head := _rx(heads).search(text, at):
        before, after = text[max(0, head.start() - 128) : head.start()], text[head.end() : head.end() + 128]
        m = _rx(_ASSIGNED).match(text, head.start() - len(before) + len(before.rstrip(_NAME_CHARACTERS)))
        at = m.end() if m else head.end() + len(after) - len(after.lstrip(_NAME_CHARACTERS))
        if m:
            yield m


def secret_span(text: str, m: re.Match[str], kind: str, firm: bool) -> tuple[int, int]:
    """Where the secret after a name stands; an empty span when there is none."""
    start, before, said = m.end(), text[m.start() - 1 : m.start()], text[m.end("name") : m.end()]
    if not firm and "," in said and not m["dash"] and not _rx(_SETS).search(text[max(0, m.start() - 40) : m.start()]):
        return start, start  # two arguments of some other call
    if not firm and said.rstrip()[-1:] == ":" and (below := _rx(_BELOW).match(text, start)):
        return _below(text, m, below.end(), bool(below["style"]))
    quote = _rx(_QUOTE).match(text, start)
    padded = said[1:].lstrip(" \t")  # in quotes with its name, as `'X-Api-Key: Zm9v='`: no type of what follows
    if quote and quote[0][-1:] == before and said[:1] == ":" and padded[-1:] == "=" and is_opaque(padded):
        return start - len(padded), start
    if (quote and quote[0] == before != said[:1]) or (before == ":" and "=" not in said):
        return start, start  # the quote ends what began before the name, input("Password: "); or it is arn:...:secret:x
    if quote:
        start = quote.end()
        end = _closing(text, start, quote[1].strip())
        good = end - start >= (1 if kind == "password" else 4)
    else:
        end = _bare_end(text, m)
        good = firm or _plausible(text, m, kind, end)
        if good and end == start + _ENOUGH and (run := _rx(_BARE).match(text, start)):
            end = run.end()
    value = text[start:end]
    good = good and (firm or not said.isspace() or bool(m["dash"]) or looks_random(value))
    twin = value.isidentifier() and name_words(value) == name_words(m["name"])[-len(name_words(value)) :]
    if twin or (value.isidentifier() and value.isupper() and kind_of_name(value)):
        good = False  # a variable, as in password=password and api_key=OPENAI_API_KEY
    if text[m.start()] == "-" and is_secret_name_argument(text[m.start() : m.end("name")], value):
        good = False
    return (start, start) if not good or is_reference(value) or is_harmless(m["name"], value) else (start, end)


def _below(text: str, m: re.Match[str], start: int, block: bool) -> tuple[int, int]:
    """The lines below a name that are further in than it: all of a block, or one that is a value by itself."""
    line = text[max(0, m.start() - 128) : m.start()].rpartition("\n")[2]
    if line.strip(" \t-\"'"):  # the name does not begin its line
        return start, start
    depth, at, first, end = len(line) - len(line.lstrip(" \t")), start, -1, start
    for _ in range(_LINES if block else 1):
        stop = text.find("\n", at)
        row = text[at : stop if stop >= 0 else len(text)]
        inside = len(row) - len(row.lstrip(" \t"))
        if row.strip() and inside <= depth:
            break
        if row.strip():
            first, end = (at + inside if first < 0 else first), at + len(row.rstrip())
        if stop < 0:
            break
        at = stop + 1
    value = text[first:end] if first >= 0 else ""
    good = block or (_rx(_ALONE).fullmatch(value) and not _rx(_ATTRIBUTE).fullmatch(value))
    held = good and "{{" not in value and not value.startswith("[masked:") and not is_reference(value)
    return (first, end) if held and not is_harmless(m["name"], value) else (start, start)


def _closing(text: str, start: int, quote: str) -> int:
    end = text.find(quote, start)
    while len(quote) == 1 and end > start and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1)
    end = end if end >= 0 else len(text)
    line_end = text.find("\n", start, end)
    return line_end if line_end >= 0 else end


def _bare_end(text: str, m: re.Match[str]) -> int:
    run = _rx(_BARE).match(text, m.end(), m.end() + _ENOUGH)
    if run is None or _rx(_MASKED_OR_LATER).match(run[0]):  # masked, or filled in later
        return m.end()
    in_query = text[m.start() - 1 : m.start()] in ("?", "&")
    cut = _rx(_QUERY_END if in_query else _PAIR_END).search(run[0])
    return m.end() + len((run[0][: cut.start()] if cut else run[0]).rstrip(",;:.)]}|"))


def _plausible(text: str, m: re.Match[str], kind: str, end: int) -> bool:
    """Whether what stands there without quotes is a value, and not code or prose."""
    value, tight = text[m.end() : end], text[m.end("name") : m.end()] == "="
    if not value or _rx(_CALL_OR_INDEX).match(value):  # a call, an index
        return False
    said = text[m.end("name") : m.end()]
    if m["dash"] == "--" and value.isalpha() and len(said) > 1 and "\n" not in said:
        return False  # what the help says of an option
    if m["dash"] or (tight and (m["name"].isupper() or text[m.start() - 1 : m.start()] in ("?", "&"))):
        return value.lower() not in _PROSE
    if value[0] in "([{!*&+|" or value.isdigit():
        return len(value) >= 8 or (kind == "password" and value.isdigit() and len(value) >= 4)
    if not _rx(_DOTTED_WORDS).fullmatch(value):
        return len(value) >= (4 if kind == "password" else 6)
    if len(value) < 6 or "." in value or "_" in value or value.lower() in _PROSE:
        return False
    after = text[end : end + 1]
    alone = after in ("", "\n", "\r") and not text[max(0, m.start() - 64) : m.start()].rpartition("\n")[2].strip(" \t-")
    return (tight and after not in ("(", ")", ",", ".")) or (alone and not value[0].isupper())


# ----------------------------------------------------------------------------------------------------------------------
# r"""Carriers: what gives away the secret beside it, such as a header's name or the place of a password in a URL.
#
# Standard library only: a hook takes this file along.


def _is_opaque(m: re.Match[str]) -> bool:
    return is_opaque(m["s"])


# Carriers: what gives away the secret beside it. The group `s` is masked, unless it is a reference or a judge says no.
# Where one begins with a letter or a set, sre looks for that, and tries no pattern elsewhere; it finds a letter sooner
# than a set. Under (?i:) they do not count, nor does a look behind: so some begin with what these would allow.
_SAID = r"\\{0,3}[\"'`]?[ \t]{0,4}(?:[:=][ \t]{0,4}|(?<=[\"'`]),\s{0,16})(?:b?\\{0,3}[\"'`])?"  # after a header's name
_VALUE = r"=\\{0,3}\"(?![ \t]*[,;:)}\]])[^\"\r\n]*\""  # of a parameter; what ends with `=` may itself stand in quotes
_LINE = rf"[^\r\n\"'`\\=]*(?:(?:{_VALUE}|=|\\(?![nr\"'`]))[^\r\n\"'`\\=]*)*"
_SCHEME = r"(?i:bearer|basic|digest|token|oauth|api-?key|negotiate|ntlm|hawk|dpop|bot|aws4-hmac-sha256)[ \t]+"
_NAMED = rf"(?:\[masked:\w{{1,40}}\]|[^{VALUE_END}/:@\[]{{0,128}})"  # a user, who may be a token, and masked by now
_USERINFO = rf"://{_NAMED}:(?!\d{{1,5}}(?:[/?#]|$))(?P<s>[^{VALUE_END}/?#]{{1,256}}|[^{VALUE_END}@]{{1,256}})@"
_PARAMETER = r"[?&;\\%](?:(?<=[?&;])|(?<=\\)u0026|(?<=%)26)"  # where one begins in a query, escaped or not
_SIGNED = rf"{_PARAMETER}(?i:(?P<key>key)|(?:x-(?:amz|goog)-)?sig(?:nature)?)=(?P<s>[^{VALUE_END}&#,;)\]}}]{{8,}})"
_SPOKEN = rf" {{1,4}}(?:is|was) {{1,4}}[\"'`]?(?P<s>[^{VALUE_END}]{{8,256}})"
_USER = r"[\w$#.-]{1,64}"
_API_KEY = "(?i:api[ _-]?key)"
_TOLD = r"[ \t]{1,4}'(?P<s>[^'\s]{4,256})'"
_AUTH = rf"{_SAID}(?P<s>[A-Za-z0-9+/]{{8,}}={{0,2}})"  # of a registry, as Docker and npm keep it
CONTEXT_RULES: tuple[tuple[str, str, str, Callable[[re.Match[str]], bool] | None], ...] = (
    ("url_password", "://", _USERINFO, None),
    ("url_password", "://", r"://(?P<s>[A-Za-z0-9_-]{16,})@(?![\w.-]{0,100}sentry)", lambda m: looks_random(m["s"])),
    *(
        ("url_password", f"@{net}(", rf"(?<![\w/:]){_USER}:(?P<s>[^{VALUE_END}]{{1,256}})@{net}\(", None)
        for net in ("tcp", "unix")
    ),
    ("url_password", "jdbc:oracle:", rf"jdbc:oracle:[a-z0-9]{{2,8}}:{_USER}/(?P<s>[^{VALUE_END}@]{{1,128}})@", None),
    ("authorization", "authorization", rf"(?i:authorization){_SAID}{_SCHEME}(?P<s>[^\s\"'`\\<]{_LINE})", None),
    ("bearer_token", "bearer", r"(?i:bearer)(?:[ \t+]|%20){1,4}(?P<s>[A-Za-z0-9._~+/=-]{8,})", _is_opaque),
    ("basic_auth", "basic", "(?i:basic) {1,4}(?P<s>[A-Za-z0-9+/]{12,}={0,2})", lambda m: ":" in decode_base64(m["s"])),
    *(("basic_auth", "auth", auth + _AUTH, lambda m: is_user_and_password(m["s"])) for auth in ("auth", "AUTH")),
    ("cookie", "cookie", rf"(?i:cookie2?){_SAID}(?P<s>[\w.$%!-]{{1,128}}(?==[^\s=]){_LINE})", None),
    ("signature", "=", _SIGNED, lambda m: _is_opaque(m) and (not m["key"] or len(m["s"]) >= 16)),
    ("password", "dent", rf"[iI\u0130\u0131](?i:dentified (?:with [\w\"'`]{{1,64}} )?by){_TOLD}", None),
    *(("password", "word", rf"{p}(?i:assword){_TOLD}", None) for p in "pP"),
    (
        "password",
        "pragma",
        r"(?i:pragma[ \t]+(?:re|hex)?key)[ \t]{0,4}=[ \t]{0,4}\\{0,3}[\"'](?P<s>[^\"'\\\n]{1,256})",
        None,
    ),
    ("seed_phrase", "phrase", rf"[sS](?i:eed[-_. ]?phrase){_SAID}(?P<s>{PHRASE})", None),
    ("mnemonic", "mnemonic", rf"(?i:mnemonic){_SAID}(?P<s>{PHRASE})", None),
    *(("secret", f"{word} ", f"(?i:{word}){_SPOKEN}", _is_opaque) for word in ("password", "secret", "token")),
    ("secret", "key ", f"{_API_KEY}{_SPOKEN}", _is_opaque),
    (
        "api_key",
        " provided:",
        rf"{_API_KEY} provided: ?[\"'`]?(?P<s>[^{VALUE_END}]{{7,255}}[^{VALUE_END}.,;])",
        _is_opaque,
    ),
)
"""A kind, a piece that must be there, in lower case, what gives the secret in group `s` away, and who judges it."""


PATTERNS = (
    _HEADS,
    _ASSIGNED,
    _SETS,
    _BELOW,
    _QUOTE,
    _BARE,
    _ALONE,
    _ATTRIBUTE,
    _MASKED_OR_LATER,
    _CALL_OR_INDEX,
    _DOTTED_WORDS,
    _QUERY_END,
    _PAIR_END,
)
"""The patterns of this module beside its tables. The hook bundle compiles them ahead: list every new one here."""
