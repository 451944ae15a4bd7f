r"""The quick check for secrets: a text without any anchor needs no closer look. And patterns, compiled on first use.

An anchor is a short piece of plain ASCII; every secret that the masker knows has one. It holds no quote, backslash or
control character and does not depend on what stands to its left, so JSON encoding cannot hide it (escaped ASCII is an
anchor itself). Standard library only: the hook bundle holds this module.
"""

from __future__ import annotations

from tallystick.core.redaction.prefixed_tokens import find_prefixed_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])
    Search = Callable[[str], object]

# ----------------------------------------------------------------------------------------------------------------------
# Patterns by their source, compiled on first use
#
# Importing `re` and compiling take longer than starting the interpreter. The hook therefore brings patterns that were
# compiled at setup, sets `compiled.elsewhere`, and never imports `re`. Nor `functools`: `memoized` replaces its cache.

MAX_MEMOIZED = 4096
"""Results of one function that are remembered."""


class Compiled(dict[str, "re.Pattern[str]"]):
    """Patterns by their source. `elsewhere` is asked for a missing one before it is compiled."""

    elsewhere: Callable[[str], re.Pattern[str] | None] | None = None

    def __missing__(self, source: str) -> re.Pattern[str]:
        pattern = self.elsewhere(source) if self.elsewhere else None
        if pattern is None:
            import re

            pattern = re.compile(source)
        self[source] = pattern
        return pattern


compiled = Compiled()
rx = compiled.__getitem__


def memoized(function: F) -> F:
    """The function with its results cached by its positional arguments."""
    results: dict[tuple[Any, ...], Any] = {}

    def call(*arguments: Any) -> Any:
        try:
            return results[arguments]
        except KeyError:
            if len(results) >= MAX_MEMOIZED:
                results.clear()
            results[arguments] = result = function(*arguments)
            return result

    return call  # type: ignore[return-value]


# ----------------------------------------------------------------------------------------------------------------------
# Anchors

KEY_OF = (
    "api access private secret signing encryption decryption auth master shared session service subscription hmac"
    " account license functions app fernet"
)
"""Words before `key` that make it a secret's name."""
PASS_OF = (
    "db database user smtp mysql pg postgres redis mongo admin root ftp sftp mail proxy login ssh store key become sudo"
    " ldap imap smb wifi vpn http oc ks keystore truststore"
)
"""The same before `pass`."""

# One pattern for each rare character, because sre finds a literal first character at memory speed (0.4 microseconds in
# 600 characters) and one character out of a set ten times as slowly. All but _UPPER_A see the text in lower case.
_KEYS = "|".join(rf"(?<={word}{sep}key)" for word in KEY_OF.split() for sep in ("", "[-_. ]"))
_PASSES = "|".join(f"(?<={word}pass)" for word in PASS_OF.split())
_STARTS = (
    "gh[pousr] pat npm v1 hf api_org shp.. shptka lin_api lin_oauth ntn [rs]k_live [rs]k_test gsk r8 glsa rubygems sbp"
    " rnd vc[pk] [rs]k_prod sq[pua] apify_api jina rootly"
    " cfut cfat cfk rdme bkua ccip.. lsv2_[ps][tk] pn[ub] shippo_live shippo_test sgp sgp_local fw napi e2b"
    " clojars nfp phx re_.{8} sk"
)
_STARTED = "|".join(f"(?<={start}_.{{16}})" for start in _STARTS.split())
_GAP = r"(?:\\t|[^a-z0-9])"  # between two words of a command, or of a list of them
_W, _B64 = "[a-z0-9_-]", "[a-z0-9+/=_-]{16}"
_DISTANCES = (1, 2, 3, 4, 5, 6, 9, 10, 17, 18)  # between words: in a line, in a list of words, and in JSON in JSON
_VAULT = r"(?<=s\..{16})(?:(?<![a-z0-9_.]s\..{16})|(?<=\\[bfnrt]s\..{16})|(?<=%..s\..{16})|(?<=[mk]s\..{16}))"
_NET = "|".join(rf"(?<=net{exe}.{{{n}}}use)" for exe in ("", r"\.exe") for n in _DISTANCES)
_BW = "|".join(rf"(?<=bw.{{{n}}}unlock)" for n in _DISTANCES)
_SERVICE_KEY = (
    r"(?:(?<=[a-z0-9]key)|(?<=[a-z0-9][-_. ]key))s?"
    r"(?:[-_.]?(?:prod(?:uction)?|dev|staging|test|live|main|old|new|[0-9]{1,3})){0,2}"
    r"(?:(?:[^a-z0-9]|\\[nrt]){1,32}?(?:value|str|string|b)?)?(?:[^a-z0-9]|\\[nrt]){1,32}?"
    "(?:(?=[a-z+/=_~.:|-]{0,40}[0-9])[a-z0-9][a-z0-9+/=_~.:|-]{15}|[a-z]{20})"
)  # a name such as ACME_KEY, and a value that may be random
_PLAIN = r"^\x00-\x20\"\\@\x7f-\U0010ffff"  # a set: printable ASCII that JSON leaves as it is, but no @
ANCHORS = (
    "k(?:en(?<=token)(?![si]|_(?:count|type|limit|usage))|ie(?<=cookie)"
    "|-(?:(?<=sk-)(?:[a-z0-9]{20}|[a-z0-9]{2,8}-)|(?<=pmak-)|(?<=sdk-)[0-9a-f]{8}-)"
    rf"|ia[a-z0-9]{{16}}|[0-9a-f]{{32}}|s(?:\.slack\.com|\.zapier\.com|/[0-9])|u-(?<=hrku-)|b2/(?<=webhookb2/)|init|(?:{_BW})"
    rf"|cp[a-z0-9_-]{{60}}"
    rf"|ey(?:{_KEYS}|{_SERVICE_KEY}|gen|chain|-(?:(?<=tskey-)|[0-9a-f]{{32}})))",
    r"p(?:rivate-lines|\.(?<=dp\.)[a-z]{2,5}\.[a-z0-9_.-]{16}"
    rf"|ass(?:w|phr|code|(?<=[a-z_-]pass)(?:(?<=[eghp_-]pass)|{_PASSES})|(?![a-z .,;)\n\r]|\\[nr]))"
    rf"|ragma{_GAP}{{1,8}}(?:re|hex)?key"
    r"|w(?:d|(?<=-pw)(?![a-z0-9]))|at-(?:(?<=glpat-)|(?<=cfpat-))|i(?:-age|[0-9a-h]{32})|-basic\.|lus(?<=sqlplus)"
    r"|sk(?:(?<![a-z0-9]psk)|(?<=\\[bfnrt]psk)|(?<=-[dp]psk))(?![a-z])"
    "|ul-[0-9a-f]{40}|hrase(?:(?<=seed.phrase)|(?<=seedphrase)))",
    "c(?:s:(?<=astracs:)|r(?:e(?:t(?<=secret)(?!ar)|d(?:s|ential))|yptsetup)|u(?:rl(?<=curl)|restr)"
    "| (?<=basic ) {0,3}[a-z0-9+/]{12}"
    rf"|dctl(?<=etcdctl)|-[0-9a-f]{{32}}(?<=fc-.{{32}})|ess-(?:prod|sand|devel)|io[a-z0-9]{{32}}|mvmdgtu[a-z0-9]{{56}}"
    rf"|{_GAP}{{1,8}}(?:alias{_GAP}{{1,8}}set|config{_GAP}{{1,8}}host)|lone(?<=rclone)|(?<=mnemonic)"
    rf"|argo{_GAP}{{1,8}}login|el(?<=vercel){_GAP}{{1,8}}env)",
    "_(?:user(?<=add_user)|session=(?<=_gitlab_session=)|code(?<=recovery_code)|pw(?![a-z0-9]))",
    rf"\.(?:acc[_-]|0-[0-9a-f]{{24}}-|{_W}{{6}}(?:\.{_W}{{27}}|{_W}{{10}}(?:"
    rf"(?<=ya29\..{{16}})|(?<=hv[sbr]\..{{16}})|(?<=sg\..{{16}})"
    rf"|{_VAULT}[a-z0-9]{{8}}"
    r"|(?<=dt0[a-z][0-9]{2}\..{16})|(?<=[ps]at\..{16})|(?<=api_live\..{16})|(?<=api_live_..\..{16})|(?<=api_sandbox\..{16})"
    r"|(?<=api_sandbox_..\..{16})|(?<=\.local\..{16})|(?<=\.public\..{16})|(?<=\.secret\..{16})|(?<=-pw\..{16})|(?<=\.pie\..{16})|(?<=t1\..{16})|(?<=100[0-9]\..{16})"
    r"|(?<=aq\..{16})|(?<=mlsn\..{16})|(?<=hawk\..{16})"
    r"|(?:(?<=sl\..{16})|(?<=sl\.u\..{16}))[a-z0-9_-]{60}|(?<=pat[a-z0-9]{14}\..{16})))"
    r"|[a-z0-9_=-]{16}(?<=atlasv1\..{16})|[a-z0-9+/]{16}(?:(?<=na1\..{16})|(?<=eu1\..{16})))",
    r"z(?:n\.mws\.|ation(?<=authorization)|ip[^a-z0-9]{1,60}-[a-z]{1,5}p(?![a-z0-9])|"
    rf"a(?<=aiza){_W}{{16}}|[at]k(?<=ez[at]k)[a-z0-9]{{40}})",
    rf"j(?:(?<=eyj){_W}{{8}}|wt(?![a-z]))",
    f"x(?:ox[a-z]-|app-|keysib-|smtpsib-|ai-{_W}{{40}}|-(?:(?<=pplx-)|(?<=gocspx-)){_W}{{16}}|ffg[a-z]0"
    rf"|[-_. ]?(?:amz|goog)[-_. ]?sig|freerdp)",
    "=(?:(?<=[?&;6]key=)|(?<=sig=)|(?<=signature=)|(?<=accountkey=))",
    rf"://[{_PLAIN}/:]{{0,128}}(?:[^ -~]|\\|@(?<=[a-z0-9_-]{{16}}@)|:[{_PLAIN}]{{0,256}}(?:@|\\|[^ -~]))",
    r"\\(?:/|u00[2-7])",
    rf"u(?:th(?<=auth)(?![a-z0-9])|lt(?<=vault){_GAP}{{1,8}}(?:login|operator)|s[0-9](?<=[0-9a-f]{{32}}-us[0-9])"
    rf"|se(?:r(?:add|mod)(?![a-z])|(?<![a-z0-9]use)(?:{_NET})))",
    r"-(?:[akpsuw](?:(?<![a-z0-9_-]..)|(?<=\\[bfnrt]..))|hmac|macopt|stdin)",  # an option, at the beginning of a word
    r"-(?:u.{1,300}?-p|p.{1,300}?-u)(?![a-z0-9])",  # a user and a password
    r"(?:http|xh)s?[^a-z0-9:/._-][^;|&]{0,400}?-a(?![a-z0-9-])",  # HTTPie, and who to be
    "A(?:[BS]IA[A-Z0-9]{16}|BSK[A-Za-z0-9+/]{100}|TBB[A-Za-z0-9]{32}|TAT[A-Za-z0-9_=-]{60}|AAAAAAAAA[A-Za-z0-9_=-]{43}|3-[A-Z0-9]{6}-[A-Z0-9]{6}"
    "|IoT[A-Za-z0-9+/]{5}|PIM[A-Za-z0-9+/]{5}|CDb[A-Za-z0-9+/]{5}|(?<=[+]A)(?:Sb|Eh|Rm|Ba|MC|St)[A-Za-z0-9+/]{5}|A(?:(?<=:AA)[A-Za-z0-9_-]{30}|(?<=EAA)[A-Za-z0-9_-]{57})|I(?<=LTAI)[A-Za-z0-9]{12})",
)
IN_RUN = (
    rf"_(?={_B64})(?:[a-z0-9]{{16}}(?:{_STARTED})|(?:(?<=ts_)|(?<=figd_)){_W}{{40}}|(?<=fo1_)|(?<=fm2_)|(?<=fm1[ar]_)"
    "|(?<=glc_)|(?<=ops_)eyj|(?<=whsec_)|(?<=sntry[su]_)|(?<=pscale_tkn_)|(?<=pscale_pw_)|(?<=pscale_oauth_)"
    "|(?<=dckr_[po]at_)|(?<=github_pat_)|(?<=tfp_)|(?<=pcsk_)|(?<=lip_)|(?<=pina_)|(?<=tss_)|(?<=ucat_)|(?<=vtwn_)"
    "|(?<=ccdb1_)|(?<=tgp_v1_)|(?<=wandb_v1_)|(?<=duffel_test_)|(?<=duffel_live_)|(?<=waka_)|(?<=cosmo_)"
    "|(?<=c[ks]_)[0-9a-f]{40}|(?<=ghs_.{4})|[a-z0-9]{29}_mmk|[0-9]{1,20}_eyj|(?<=sbp_)v0_)"
    "|-(?=[a-z0-9_-]{16})(?:(?<=gl[a-z]{2}-)|(?<=gl[a-z]{3}-)|(?<=gl[a-z]{4}-)|(?<=glagent-)|(?<=sq0[a-z]{3}-)"
    "|(?<=tvly-)|(?<=p8e-)|(?<=ico-)|(?<=nvapi-)|(?<=csk-)|(?<=fio-u-)|(?<=pat-[a-z]{2}[0-9]-)"
    "|(?<=akab-)|(?<=da2-)|(?<=gcntfy-)|(?<=rgapi-)|(?<=pmat-)|(?<=nr[a-z]{2}-)|(?<=prd-)|(?<=sbx-)|(?<=wrka-)"
    "|(?<=wrka[a-z]{2}-)|(?<=db-)[a-z0-9]{29}|(?<=mid-server-)|(?<=s4t2[a-z]{2}-)"
    "|(?:(?<=api-)|(?<=mob-))[0-9a-f]{8}-[0-9a-f]{4}-|(?<=[0-9a-f]{32}-)[0-9a-f]{8}-[0-9a-f]{8})"
)
"""Anchors of tokens that hold `RUN_CHARACTERS` in a row, with a separator: looked for there only."""
TAIL = "[_-][A-Za-z0-9_/+-]{16}"
"""Part of each of them."""
GLUED = "(?:BSA|EXO|KEY|IGQ|TlRMTVNTUAA|AQVN|AQAAABAAAA|GR1348941)[A-Za-z0-9_/+-]{16}|NRAL|JQQJ9[A-Za-z0-9]{16}"
"""The same without a separator."""
HEX_CHARACTERS, HEX_IN_RUN = 32, "k[0-9a-f]{32}|pi[0-9a-h]{32}"
"""Those of `ANCHORS` that hold no literal."""
# In base64, four characters encode three bytes. In ASCII no byte has its highest bit, and in a text the first is
# printable or ends a line: so each of the first three characters is one of few.
QUAD = "[CDI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]"
BASE64 = rf"{QUAD}(?:{QUAD}){{4}}(?=[A-Za-z0-9+/_-]{{2}})"
"""The beginning of an encoded text of 16 characters or more."""
ESCAPE = "%[0-9A-Fa-f]{2}"
_RUN_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_FLAT = bytes(97 if byte in _RUN_LETTERS else 32 for byte in range(256))
_WITHOUT_DIGITS = dict.fromkeys(b"0123456789")
RUN_CHARACTERS = 22
"""Characters in a row that every text in base64 has, and most tokens: looked for first, at memory speed."""
_RUN = b"a" * RUN_CHARACTERS
MAX_CLEAN_RUN_CHARACTERS = 256
PROGRAMS = (
    "login",
    "mariadb",
    "mongo",
    "redis-cli",
    "openssl",
    "ldap",
    "sudo",
    "unrar",
    "twine",
    "ipmitool",
    "security",
)
"""Pieces of the names of programs that take a password behind an option: both together are an anchor."""
PROGRAMS_WITH_Q = ("mysql", "sqlcmd", "cqlsh", "mosquitto_", "osql", "tsql", "mssql")
PROGRAMS_WITH_U = ("smbclient", "rpcclient", "lftp")
"""The same, tried only where their letter or their option is found."""
_PROGRAMS_ALONE = ("smbclient", "keytool", "rabbitmqctl")
"""Programs that take a password without an option, or behind one of their own."""
_AFTER_AT = ("@tcp(", "@unix(", "jdbc:oracle:")
(
    _K,
    _P,
    _C,
    _UNDERSCORE,
    _DOT,
    _Z,
    _J,
    _X,
    _EQUALS,
    _URL,
    _BACKSLASH,
    _U,
    _OPTION,
    _USER,
    _HTTPIE,
    _UPPER_A,
) = ANCHORS
_ALWAYS = (_K, _P, _C, _UNDERSCORE, _DOT, _U)
_BY_SIGN = (("z", _Z), ("j", _J), ("x", _X), ("=", _EQUALS), ("@", _URL), ("\\", _BACKSLASH))
"""Patterns that are tried only where their sign is, which is found at memory speed."""


# ----------------------------------------------------------------------------------------------------------------------
# Literals of anchors: nearly every anchor holds one, as a test derives from the patterns, and all of them are found in
# one pass. The hook program has the standard library only, and tries the patterns instead.

_WORDS = """
cookie hrku- kcp key kia kinit ks.slack.com ks.zapier.com pmak- sdk- sk- token unlock webhookb2/
-pw cfpat- dp. glpat- p-basic. pass phrase pi-age pragma private-lines psk pul- pwd sqlplus
alias astracs: cargo cess-devel cess-prod cess-sand cio cmvmdgtu config credential creds cryptsetup curestr curl etcdctl
fc- mnemonic rclone secret vercel _gitlab_session= _pw add_user recovery_code
aiza auth ezak eztk zip zn.mws. eyj jwt amz gocspx- goog pplx- xai- xapp- xffg xfreerdp xkeysib- xox xsmtpsib-
sig= signature= \\u00 \\/ vault useradd usermod
+aba +aeh +amc +arm +asb +ast :aa a3- aaaaaaaaaa abia absk acdb aiot apim asia atat atbb eaa ltai
bearer identified sha256~ q~ flwseck snyk_ smbclient keytool rabbitmqctl
"""
_NUMBERED = tuple(f"{start}{digit}" for start in ("ks/", "-us") for digit in range(10))
LITERALS = (*_WORDS.split(), *_NUMBERED, "basic ", "flyv1 ")
"""In lower case."""


class LiteralSearch:
    """`find` says whether an ASCII text in lower case holds a literal, where a program has set it."""

    find: Callable[[bytes], object] | None = None


literal_search = LiteralSearch()


@memoized
def _searches() -> tuple[tuple[Search, ...], tuple[tuple[str, Search], ...]]:
    return tuple(rx(source).search for source in _ALWAYS), tuple((sign, rx(source).search) for sign, source in _BY_SIGN)


def may_hold_secret(text: str) -> bool:
    """Whether a text holds an anchor, as it is or encoded. False means that masking would change nothing."""
    find = literal_search.find
    if find is not None and text.isascii() and "%" not in text and "@" not in text:
        low = text.lower()
        if not find(low.encode()):
            return bool(
                rx(_DOT).search(low)
                or ("net" in low and "use" in low and rx(_U).search(low))
                or ("-" in low and rx(_OPTION).search(low) and _has_program(low))
                or _has_token_or_base64(text)
            )  # anchors in long runs are looked for there
    if _has_anchor(text) or _has_token_or_base64(text):
        return True
    if "%" not in text or not rx(ESCAPE).search(text):
        return False
    plain = rx(ESCAPE).sub(lambda m: chr(int(m[0][1:], 16)), text)
    decoded = (plain, plain.replace("+", " ")) if "+" in plain else (plain,)
    return any(_has_anchor(each) or _has_token_or_base64(each) for each in decoded)


def long_runs(text: str) -> Iterator[tuple[int, int]]:
    """The spans of `RUN_CHARACTERS` or more in a row. Most texts have few."""
    flat = text.encode("ascii", "replace").translate(_FLAT)
    at = flat.find(_RUN)
    while at >= 0:
        end = flat.find(b" ", at)
        if end < 0:
            end = len(flat)
        yield at, end
        at = flat.find(_RUN, end)


def base64_starts(text: str) -> Iterator[int]:
    """The positions at which base64 in a text may begin."""
    for at, end in long_runs(text):
        for start in rx(BASE64).finditer(text, at, end):
            yield start.start()


_clean_runs: set[str] = set()
"""Runs that hold nothing, each with the character before it. Paths and names come again in record after record."""


def _has_token_or_base64(text: str) -> bool:
    for at, end in long_runs(text):
        run = text[at - 1 if at else 0 : end]
        if run in _clean_runs:
            continue
        if _is_token_run(text, at, end) or rx(BASE64).search(text, at, end):
            return True
        if len(run) <= MAX_CLEAN_RUN_CHARACTERS:
            if len(_clean_runs) >= MAX_MEMOIZED:
                _clean_runs.clear()
            _clean_runs.add(run)
    return False


def _is_token_run(text: str, at: int, end: int) -> bool:
    """Whether a run may hold a token. Of lower case letters alone there is none."""
    run = text[at:end]
    low = run.lower()
    has_upper = low != run
    if len(run) > HEX_CHARACTERS and rx(HEX_IN_RUN).search(low):
        return True
    if not has_upper and low.translate(_WITHOUT_DIGITS) == low:
        return False
    if has_upper and rx(GLUED).search(run):
        return True
    if "oy2" in run or "4b1d" in run or "1//0" in run:
        return True
    if not rx(TAIL).search(run):
        return False
    return bool(rx(IN_RUN).search(low)) or next(find_prefixed_tokens(rx, text, at, end), None) is not None


def _has_anchor(text: str) -> bool:
    # Lower case of ASCII only, which is also the fast one: the UTF-8 bytes of anything else stay as they are.
    low = text.lower() if text.isascii() else text.encode("utf-8", "surrogatepass").lower().decode("latin-1")
    always, by_sign = _searches()
    for search in always:
        if search(low):
            return True
    for sign, search in by_sign:
        if sign in low and search(low):
            return True
    return _has_literal(text, low) or ("-" in low and bool(rx(_OPTION).search(low)) and _has_program(low))


def _has_literal(text: str, low: str) -> bool:
    return (
        "bearer" in low
        or ("@" in low and any(map(low.__contains__, _AFTER_AT)))
        or ("'" in low and "identified" in low)
        or ("A" in text and bool(rx(_UPPER_A).search(text)))
        or ("~" in text and ("sha256~" in text or "Q~" in text))
        or ("F" in text and ("FLWSECK" in text or "FlyV1 " in text))
        or "snyk_" in text
        or ("t" in low and any(map(low.__contains__, _PROGRAMS_ALONE)))
    )


def _has_program(low: str) -> bool:
    """Whether the name of a program is there that takes a password behind an option."""
    has = low.__contains__
    return bool(
        any(map(has, PROGRAMS))
        or ("q" in low and any(map(has, PROGRAMS_WITH_Q)))
        or ("z" in low and ("zip" in low or "7z" in low))
        or ("-a" in low and ("http" in low or "xh" in low) and rx(_HTTPIE).search(low))
        or ("-u" in low and (rx(_USER).search(low) or any(map(has, PROGRAMS_WITH_U))))
    )


# ----------------------------------------------------------------------------------------------------------------------
# Gates: short pieces, one of which must be in a text before a pattern is tried on it
#
# There are some two hundred. Looking for each of them in all of a long text takes longer than the patterns that are
# then tried. But a piece of letters is in a text only if it is in one of its words, and a long text repeats most of its
# words.

WORD_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
LONG_TEXT_CHARACTERS = 4096
"""From this length on, the index of words pays off."""
_SEPARATORS = {code: " " for code in range(128) if chr(code) not in WORD_LETTERS}


class WordIndex:
    """The distinct words of a text, searched for pieces of ASCII with `in`."""

    __slots__ = ("_text", "_words")

    def __init__(self, text: str, words: str) -> None:
        self._text = text
        self._words = words

    def __contains__(self, piece: str) -> bool:
        if not piece.strip(WORD_LETTERS):
            return piece in self._words
        return all(map(self._words.__contains__, piece.translate(_SEPARATORS).split())) and piece in self._text

    def lower(self) -> WordIndex:
        return WordIndex(self._text.lower(), self._words.lower())


def searchable(text: str) -> str | WordIndex:
    """The text to search for gates: a short text itself, the word index of a long one."""
    if len(text) < LONG_TEXT_CHARACTERS:
        return text
    return WordIndex(text, "\n".join(set(text.translate(_SEPARATORS).split())))
