r"""Finds secrets by the text before them: `name = value`, headers, the password in a URL.

An assignment is a name in a text, followed by a value. The name is classified like an object key. Then the value is
checked: whether it is one, and where it ends. A context rule finds a secret without a name, by the text around it.
Standard library only: the hook bundle holds this module.
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
    is_service_key,
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
_LINE_CONTINUATION = r"(?:\\\r?\n[ \t]{0,64})?"
_ASSIGN_OPERATOR = rf"[ \t]{{0,64}}(?:=>|::?=|\?=|=(?![=~>])|:(?![:=/]))(?:\*\*)?[ \t]{{0,64}}{_LINE_CONTINUATION}"
_TYPED = r":[ \t]{0,4}[A-Za-z_][\w.]{0,40}(?:\[[\w., |]{0,40}\])?(?: ?\| ?\w{1,40})?[ \t]{0,4}=[ \t]{0,8}(?=[\"'])"
_FLAG = rf"[ \t]{{1,8}}{_LINE_CONTINUATION}(?=[^\s=:-])|,[ \t]{{0,8}}(?=[\"'])"
_BLANK = r"[ \t]{1,4}(?=\\{0,3}[\"']?[A-Za-z0-9+/=_-]{16})"  # before a random value: `set api_key 5f2b...`
_NEXT_ARGUMENT = r"(?<=[\"'`]),[ \t]{0,8}(?=\\{0,3}[\"'])"  # of a call that sets it, see _SETS
_SETS = (
    r"(?i:define|putenv|setenv|setdefault|set(?:item|property|attribute|header|config|value|secret|string|option)?|put)"
    r"\([ \t]{0,8}\\{0,3}[\"'`]$"
)
_OPTION_GAP = rf"(?(dash)(?:{_FLAG})|(?:{_BLANK}|{_NEXT_ARGUMENT}))"
_ASSIGNED = rf"(?P<dash>-{{1,8}})?(?={_NAME})(?P=name){_Q}(?:\*\*)?\]?(?:{_TYPED}|{_ASSIGN_OPERATOR}|{_OPTION_GAP})"
_LABEL = r"[nNkK\u212a](?<![A-Za-z0-9_].)(?i:(?<=n)ame|(?<=k)ey)"
_PAIRED = rf"{_LABEL}{_Q}{_ASSIGN_OPERATOR}{_Q}{_NAME}{_Q}[,\s]{{1,60}}{_Q}(?i:value){_Q}{_ASSIGN_OPERATOR}"
_OPENED = r"(?:(?<=[(\[].)|(?<=[(\[]b.))"  # behind a quote: it opens the first of a pair
_HEADER = r"(?P<name>(?i:authorization|apikey|[a-z]\w{0,40}(?:-\w{1,40}){1,8}))"
_XML_TEXT = r"\s{0,40}(?:<!\[CDATA\[)?(?=[^<>]{1,1000}(?:</|\]\]>))"  # up to the text of an element
VALUE_SITES = (
    ("value", _PAIRED),
    ("env ", rf"ENV(?:(?<![^\n]ENV)|(?<=\\nENV))[ \t]{{1,8}}{_NAME}[ \t]{{1,8}}(?=[^\s=])"),  # of a Dockerfile
    ("-value", rf"[eE](?i:nv):{_NAME}[\"']?[ \t]{{1,8}}-(?i:value)[ \t]{{1,8}}"),  # of PowerShell
    ("</", rf"<(?:[\w.-]{{1,40}}:)?{_NAME}(?:\s[^<>]{{0,200}})?>{_XML_TEXT}"),
    (
        "</",
        rf"<[\w:.-]{{1,60}}\s[^<>]{{0,200}}?(?i:name|key)=[\"']{_NAME}[\"'][^<>]{{0,200}}>(?:\s{{0,40}}<value>)?{_XML_TEXT}",
    ),
    ("</", rf"<(?i:name|key)>\s{{0,8}}{_NAME}\s{{0,8}}</(?i:name|key)>\s{{0,60}}<(?i:value|string)>{_XML_TEXT}"),
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
_MASKED_IN_PART = r"\[masked:[a-z0-9_]+\][\w.+/=-]{4}"  # by its format, which ends before the value does
_CALL_OR_INDEX = r"[A-Za-z_][\w.]{0,127}[(\[](?!masked:)"
_DOTTED_WORDS = r"[A-Za-z_-]+(?:\.[A-Za-z_]+)*"
_QUERY_END = r"[&#,;)\]}|]"
_PAIR_END = r"[,;&](?=[A-Za-z][\w.-]{0,40}=)"
_BLOCK_LINES = 64
_ENOUGH_CHARACTERS = 1024  # looked at to decide whether a value is masked
_BESIDE = r"[\t\n\r -/:-@\[-`{-~]{1,8}(?:(?i:value|str|string|b)[\t\n\r -/:-@\[-`{-~]{1,8})?"
_WORD_BEFORE = r"\b([A-Za-z][A-Za-z0-9]{1,30}) \Z"
_PROSE = _set("to is and or for with as in on the option options must should will may not when from required")


def find_assignments(text: str, extra: tuple[tuple[str, ...], ...]) -> Iterator[re.Match[str]]:
    """Names that may be a secret's, each matched up to where its value begins.

    It searches for the secret word in a name and goes back to the start of the name: four times as fast as matching
    every name.
    """
    heads, at = _HEADS + "".join(f"|(?i:{'[-_. ]?'.join(words)})" for words in extra), 0
    while head := _rx(heads).search(text, at):
        before, after = text[max(0, head.start() - 128) : head.start()], text[head.end() : head.end() + 128]
        m = _rx(_ASSIGNED).match(text, head.start() - len(before) + len(before.rstrip(_NAME_CHARACTERS)))
        at = m.end() if m else head.end() + len(after) - len(after.lstrip(_NAME_CHARACTERS))
        if m:
            yield m


def secret_span(text: str, m: re.Match[str], kind: str, firm: bool) -> tuple[int, int]:
    """The span of the secret after a name; empty if there is none. `firm`: skip the plausibility checks."""
    start, before, separator = m.end(), text[m.start() - 1 : m.start()], text[m.end("name") : m.end()]
    if not firm and _is_plain_argument(text, m, separator):
        return start, start
    if not firm and separator.rstrip()[-1:] == ":" and (below := _rx(_BELOW).match(text, start)):
        return _span_below(text, m, below.end(), bool(below["style"]))
    quote = _rx(_QUOTE).match(text, start)
    if quote and (padded := _padded_value(before, separator, quote[0])):
        return start - len(padded), start
    if _belongs_to_text_before(before, separator, quote):
        return start, start
    start, end = _quoted_span(text, quote, kind) if quote else _bare_span(text, m, kind, firm)
    value = text[start:end]
    if not (firm or not separator.isspace() or m["dash"] or looks_random(value)):
        return start, start
    if _is_variable(m["name"], value) or is_reference(value) or is_harmless(m["name"], value):
        return start, start
    is_name = text[m.start()] == "-" and is_secret_name_argument(text[m.start() : m.end("name")], value)
    return (start, start) if is_name else (start, end)


def is_service_key_beside(text: str, m: re.Match[str], start: int, end: int) -> bool:
    """Whether the value directly after a name such as ACME_KEY looks random."""
    return _rx(_BESIDE).fullmatch(text, m.end("name"), start) is not None and is_service_key(text[start:end])


def word_before(text: str, m: re.Match[str]) -> str:
    """The word and blank before a name; empty if there is none."""
    word = _rx(_WORD_BEFORE).search(text, max(0, m.start("name") - 32), m.start("name"))
    return word[1] if word else ""


def _is_plain_argument(text: str, m: re.Match[str], separator: str) -> bool:
    """Whether name and value are two arguments of a call that sets nothing."""
    if "," not in separator or m["dash"]:
        return False
    return not _rx(_SETS).search(text[max(0, m.start() - 40) : m.start()])


def _belongs_to_text_before(before: str, separator: str, quote: re.Match[str] | None) -> bool:
    """Whether the quote closes a text that began before the name, input("Password: "); or it is arn:...:secret:x."""
    closes = quote is not None and quote[0] == before != separator[:1]
    return closes or (before == ":" and "=" not in separator)


def _padded_value(before: str, separator: str, quote: str) -> str:
    """The value in quotes with its name (`'X-Api-Key: Zm9v='`) whose padding looked like an assignment; else empty."""
    padded = separator[1:].lstrip(" \t")
    is_padded = quote[-1:] == before and separator[:1] == ":" and padded[-1:] == "="
    return padded if is_padded and is_opaque(padded) else ""


def _quoted_span(text: str, quote: re.Match[str], kind: str) -> tuple[int, int]:
    start = quote.end()
    end = _closing(text, start, quote[1].strip())
    return (start, end) if end - start >= (1 if kind == "password" else 4) else (start, start)


def _bare_span(text: str, m: re.Match[str], kind: str, firm: bool) -> tuple[int, int]:
    start, end = m.end(), _bare_end(text, m)
    if not firm and not _is_plausible(text, m, kind, end):
        return start, start
    if end == start + _ENOUGH_CHARACTERS and (run := _rx(_BARE).match(text, start)):
        return start, run.end()
    return start, end


def _is_variable(name: str, value: str) -> bool:
    """Whether the value is a variable, as in password=password and api_key=OPENAI_API_KEY."""
    if not value.isidentifier():
        return False
    words = name_words(value)
    return words == name_words(name)[-len(words) :] or (value.isupper() and kind_of_name(value) is not None)


def _span_below(text: str, m: re.Match[str], start: int, block: bool) -> tuple[int, int]:
    """The value on the lines below a name, which are indented more: all of a block, or one line that is a value."""
    line = text[max(0, m.start() - 128) : m.start()].rpartition("\n")[2]
    if line.strip(" \t-\"'"):  # the name does not begin its line
        return start, start
    first, end = _indented(text, start, len(line) - len(line.lstrip(" \t")), _BLOCK_LINES if block else 1)
    value = text[first:end] if first >= 0 else ""
    is_value = block or (_rx(_ALONE).fullmatch(value) and not _rx(_ATTRIBUTE).fullmatch(value))
    is_filled_in = "{{" in value or value.startswith("[masked:") or is_reference(value)
    return (first, end) if is_value and not is_filled_in and not is_harmless(m["name"], value) else (start, start)


def _indented(text: str, start: int, indent: int, most: int) -> tuple[int, int]:
    """The start and end of the lines from `start` on that are indented more than `indent`; -1 if there are none."""
    at, first, end = start, -1, start
    for _ in range(most):
        stop = text.find("\n", at)
        line = text[at : stop if stop >= 0 else len(text)]
        inside = len(line) - len(line.lstrip(" \t"))
        if line.strip():
            if inside <= indent:
                break
            first, end = (at + inside if first < 0 else first), at + len(line.rstrip())
        if stop < 0:
            break
        at = stop + 1
    return first, end


def _closing(text: str, start: int, quote: str) -> int:
    end = text.find(quote, start)
    while len(quote) == 1 and end > start and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1)
    end = end if end >= 0 else len(text)
    line_end = text.find("\n", start, end)
    return line_end if line_end >= 0 else end


def _bare_end(text: str, m: re.Match[str]) -> int:
    run = _rx(_BARE).match(text, m.end(), m.end() + _ENOUGH_CHARACTERS)
    if run is None or (_rx(_MASKED_OR_LATER).match(run[0]) and not _rx(_MASKED_IN_PART).match(run[0])):
        return m.end()  # masked, or filled in later
    in_query = text[m.start() - 1 : m.start()] in ("?", "&")
    cut = _rx(_QUERY_END if in_query else _PAIR_END).search(run[0])
    return m.end() + len((run[0][: cut.start()] if cut else run[0]).rstrip(",;:.)]}|"))


def _is_plausible(text: str, m: re.Match[str], kind: str, end: int) -> bool:
    """Whether what stands there without quotes is a value, and not code or prose."""
    value, separator = text[m.end() : end], text[m.end("name") : m.end()]
    if not value or _rx(_CALL_OR_INDEX).match(value):
        return False
    if m["dash"] == "--" and value.isalpha() and len(separator) > 1 and "\n" not in separator:
        return False  # the help text of an option
    if m["dash"] or (separator == "=" and (m["name"].isupper() or text[m.start() - 1 : m.start()] in ("?", "&"))):
        return value.lower() not in _PROSE
    if value[0] in "([{!*&+|" or value.isdigit():
        return len(value) >= 8 or (kind == "password" and value.isdigit() and len(value) >= 4)
    if not _rx(_DOTTED_WORDS).fullmatch(value):
        return len(value) >= (4 if kind == "password" else 6)
    return _is_plausible_word(text, m, value, end)


def _is_plausible_word(text: str, m: re.Match[str], value: str, end: int) -> bool:
    """Whether a value of letters alone is one: it follows `=` directly, or stands alone on its line with its name."""
    if len(value) < 6 or "." in value or "_" in value or value.lower() in _PROSE:
        return False
    after = text[end : end + 1]
    if text[m.end("name") : m.end()] == "=" and after not in ("(", ")", ",", "."):
        return True
    line_before = text[max(0, m.start() - 64) : m.start()].rpartition("\n")[2]
    return after in ("", "\n", "\r") and not line_before.strip(" \t-") and not value[0].isupper()


# ----------------------------------------------------------------------------------------------------------------------
# Context rules: what gives away the secret beside it, such as a header's name or the position in a URL
#
# The group `s` is masked, unless it is a reference or the rule's check says no. Where a pattern begins with a letter or
# a set, sre looks for that first and tries the pattern nowhere else; it finds a letter sooner than a set. Under (?i:)
# and behind a lookbehind it does not: so some patterns begin with the letters that these would allow.


def _is_opaque_secret(m: re.Match[str]) -> bool:
    return is_opaque(m["s"])


_AFTER_NAME = (
    r"\\{0,3}[\"'`]?[ \t]{0,4}(?:[:=][ \t]{0,4}|(?<=[\"'`]),\s{0,16})(?:b?\\{0,3}[\"'`])?"  # after a header's name
)
_VALUE = r"=\\{0,3}\"(?![ \t]*[,;:)}\]])[^\"\r\n]*\""  # of a parameter; what ends with `=` may itself stand in quotes
_LINE = rf"[^\r\n\"'`\\=]*(?:(?:{_VALUE}|=|\\(?![nr\"'`]))[^\r\n\"'`\\=]*)*"
_SCHEME = r"(?i:bearer|basic|digest|token|oauth|api-?key|negotiate|ntlm|hawk|dpop|bot|aws4-hmac-sha256)[ \t]+"
_URL_USER = rf"(?:\[masked:\w{{1,40}}\]|[^{VALUE_END}/:@\[]{{0,128}})"  # a user, who may be a token, and masked by now
_USERINFO = rf"://{_URL_USER}:(?!\d{{1,5}}(?:[/?#]|$))(?P<s>[^{VALUE_END}/?#]{{1,256}}|[^{VALUE_END}@]{{1,256}})@"
_PARAMETER = r"[?&;\\%](?:(?<=[?&;])|(?<=\\)u0026|(?<=%)26)"  # where one begins in a query, escaped or not
_SIGNED = rf"{_PARAMETER}(?i:(?P<key>key)|(?:x-(?:amz|goog)-)?sig(?:nature)?)=(?P<s>[^{VALUE_END}&#,;)\]}}]{{8,}})"
_IS_PHRASE = rf" {{1,4}}(?:is|was) {{1,4}}[\"'`]?(?P<s>[^{VALUE_END}]{{8,256}})"
_USER = r"[\w$#.-]{1,64}"
_API_KEY = "(?i:api[ _-]?key)"
_QUOTED_SECRET = r"[ \t]{1,4}'(?P<s>[^'\s]{4,256})'"
_AUTH = rf"{_AFTER_NAME}(?P<s>[A-Za-z0-9+/]{{8,}}={{0,2}})"  # of a registry, as Docker and npm keep it
CONTEXT_RULES: tuple[tuple[str, str, str, Callable[[re.Match[str]], bool] | None], ...] = (
    ("url_password", "://", _USERINFO, None),
    ("url_password", "://", r"://(?P<s>[A-Za-z0-9_-]{16,})@(?![\w.-]{0,100}sentry)", lambda m: looks_random(m["s"])),
    *(
        ("url_password", f"@{net}(", rf"(?<![\w/:]){_USER}:(?P<s>[^{VALUE_END}]{{1,256}})@{net}\(", None)
        for net in ("tcp", "unix")
    ),
    ("url_password", "jdbc:oracle:", rf"jdbc:oracle:[a-z0-9]{{2,8}}:{_USER}/(?P<s>[^{VALUE_END}@]{{1,128}})@", None),
    ("authorization", "authorization", rf"(?i:authorization){_AFTER_NAME}{_SCHEME}(?P<s>[^\s\"'`\\<]{_LINE})", None),
    ("bearer_token", "bearer", r"(?i:bearer)(?:[ \t+]|%20){1,4}(?P<s>[A-Za-z0-9._~+/=-]{8,})", _is_opaque_secret),
    ("basic_auth", "basic", "(?i:basic) {1,4}(?P<s>[A-Za-z0-9+/]{12,}={0,2})", lambda m: ":" in decode_base64(m["s"])),
    *(("basic_auth", "auth", auth + _AUTH, lambda m: is_user_and_password(m["s"])) for auth in ("auth", "AUTH")),
    ("cookie", "cookie", rf"(?i:cookie2?){_AFTER_NAME}(?P<s>[\w.$%!-]{{1,128}}(?==[^\s=]){_LINE})", None),
    ("signature", "=", _SIGNED, lambda m: _is_opaque_secret(m) and (not m["key"] or len(m["s"]) >= 16)),
    ("password", "dent", rf"[iI\u0130\u0131](?i:dentified (?:with [\w\"'`]{{1,64}} )?by){_QUOTED_SECRET}", None),
    *(("password", "word", rf"{p}(?i:assword){_QUOTED_SECRET}", None) for p in "pP"),
    (
        "password",
        "pragma",
        r"(?i:pragma[ \t]+(?:re|hex)?key)[ \t]{0,4}=[ \t]{0,4}\\{0,3}[\"'](?P<s>[^\"'\\\n]{1,256})",
        None,
    ),
    ("seed_phrase", "phrase", rf"[sS](?i:eed[-_. ]?phrase){_AFTER_NAME}(?P<s>{PHRASE})", None),
    ("mnemonic", "mnemonic", rf"(?i:mnemonic){_AFTER_NAME}(?P<s>{PHRASE})", None),
    *(
        ("secret", f"{word} ", f"(?i:{word}){_IS_PHRASE}", _is_opaque_secret)
        for word in ("password", "secret", "token")
    ),
    ("secret", "key ", f"{_API_KEY}{_IS_PHRASE}", _is_opaque_secret),
    (
        "api_key",
        " provided:",
        rf"{_API_KEY} provided: ?[\"'`]?(?P<s>[^{VALUE_END}]{{7,255}}[^{VALUE_END}.,;])",
        _is_opaque_secret,
    ),
)
"""A kind; a piece, in lower case, that must be there; the pattern, with the secret in group `s`; a check on it."""


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
    _MASKED_IN_PART,
    _CALL_OR_INDEX,
    _DOTTED_WORDS,
    _QUERY_END,
    _PAIR_END,
    _BESIDE,
    _WORD_BEFORE,
)
"""The patterns of this module beside its tables. The hook bundle compiles them ahead: list every new one here."""
