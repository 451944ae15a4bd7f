r"""Carriers: what gives away the secret beside it, such as a header's name or the place of a password in a URL.

Standard library only: a hook takes this file along.
"""

from __future__ import annotations

from tallystick.core.secret_values import END, PHRASE, decoded, is_drawn, is_opaque, is_user_and_password

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable


def _is_opaque(m: re.Match[str]) -> bool:
    return is_opaque(m["s"])


# Carriers: what gives away the secret beside it. The group `s` is masked, unless it is a reference or a judge says no.
# Where one begins with a letter or a set, sre looks for that, and tries no pattern elsewhere; it finds a letter sooner
# than a set. Under (?i:) they do not count, nor does a look behind: so some begin with what these would allow.
_SAID = r"\\{0,3}[\"'`]?[ \t]{0,4}(?:[:=][ \t]{0,4}|(?<=[\"'`]),\s{0,16})(?:b?\\{0,3}[\"'`])?"  # after a header's name
_VALUE = r"=\\{0,3}\"(?![ \t]*[,;:)}\]])[^\"\r\n]*\""  # of a parameter; what ends with `=` may itself stand in quotes
_LINE = rf"[^\r\n\"'`\\=]*(?:(?:{_VALUE}|=|\\(?![nr\"'`]))[^\r\n\"'`\\=]*)*"
_SCHEME = r"(?i:bearer|basic|digest|token|oauth|api-?key|negotiate|ntlm|hawk|dpop|bot|aws4-hmac-sha256)[ \t]+"
_NAMED = rf"(?:\[masked:\w{{1,40}}\]|[^{END}/:@\[]{{0,128}})"  # a user, who may be a token, and masked by now
_USERINFO = rf"://{_NAMED}:(?!\d{{1,5}}(?:[/?#]|$))(?P<s>[^{END}/?#]{{1,256}}|[^{END}@]{{1,256}})@"
_PARAMETER = r"[?&;\\%](?:(?<=[?&;])|(?<=\\)u0026|(?<=%)26)"  # where one begins in a query, escaped or not
_SIGNED = rf"{_PARAMETER}(?i:(?P<key>key)|(?:x-(?:amz|goog)-)?sig(?:nature)?)=(?P<s>[^{END}&#,;)\]}}]{{8,}})"
_SPOKEN = rf" {{1,4}}(?:is|was) {{1,4}}[\"'`]?(?P<s>[^{END}]{{8,256}})"
_USER = r"[\w$#.-]{1,64}"
_API_KEY = "(?i:api[ _-]?key)"
_TOLD = r"[ \t]{1,4}'(?P<s>[^'\s]{4,256})'"
_AUTH = rf"{_SAID}(?P<s>[A-Za-z0-9+/]{{8,}}={{0,2}})"  # of a registry, as Docker and npm keep it
CARRIERS: tuple[tuple[str, str, str, Callable[[re.Match[str]], bool] | None], ...] = (
    ("url_password", "://", _USERINFO, None),
    ("url_password", "://", r"://(?P<s>[A-Za-z0-9_-]{16,})@(?![\w.-]{0,100}sentry)", lambda m: is_drawn(m["s"])),
    *(
        ("url_password", f"@{net}(", rf"(?<![\w/:]){_USER}:(?P<s>[^{END}]{{1,256}})@{net}\(", None)
        for net in ("tcp", "unix")
    ),
    ("url_password", "jdbc:oracle:", rf"jdbc:oracle:[a-z0-9]{{2,8}}:{_USER}/(?P<s>[^{END}@]{{1,128}})@", None),
    ("authorization", "authorization", rf"(?i:authorization){_SAID}{_SCHEME}(?P<s>[^\s\"'`\\<]{_LINE})", None),
    ("bearer_token", "bearer", r"(?i:bearer)(?:[ \t+]|%20){1,4}(?P<s>[A-Za-z0-9._~+/=-]{8,})", _is_opaque),
    ("basic_auth", "basic", "(?i:basic) {1,4}(?P<s>[A-Za-z0-9+/]{12,}={0,2})", lambda m: ":" in decoded(m["s"])),
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
    ("api_key", " provided:", rf"{_API_KEY} provided: ?[\"'`]?(?P<s>[^{END}]{{7,255}}[^{END}.,;])", _is_opaque),
)
"""A kind, a piece that must be there, in lower case, what gives the secret in group `s` away, and who judges it."""
