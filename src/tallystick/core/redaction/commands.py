r"""Passwords on command lines, where neither a name nor a shape gives them away: `mysql -phunter2`, `sshpass -p ...`.

A program's name and one of its options tell. The same table serves a line of text and a list of words. Each program
and option here has an anchor (see `anchors`). Where no option leads to the secret, see `set_values`. Standard library
only: a hook takes this file along.
"""

from __future__ import annotations

from tallystick.core.patterns import rx as _rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REST = r"(?=[ \t])(?:[^\n;|&]|(?<=\\)\n){0,200}?[ \t]"  # of the same command, up to an option
_QUOTE = r"(?P<q>\\{0,3}[\"'])?"
_BARE = r"[^\s\"'`\\;|&<>()][^\s\"'`\\;|&<>]{0,255}(?:\\(?![nrt\"'`\\])[^\s\"'`\\;|&<>]{0,255}){0,8}"
_GIVEN = rf"(?P<s>(?(q)(?:(?!(?P=q))[^\n]){{1,256}}|{_BARE}))"
VALUE = _QUOTE + _GIVEN
_OPENED = r"(?:\\{0,3}[\"'])?"  # the whole word may stand in quotes: "-ppassword"
_NO_PORT = r"(?!-|\\?[\"']?\d{1,5}(?:[:/\"'\s]|$))"  # -p 8080, -p 80:80
_NO_WORD = r"(?!(?:ort|assword|ath|rotocol|refix|rofile|rint|lugin|arallel|retty)(?![A-Za-z0-9]))"  # -port, -path

# A kind; a program's name, its beginning apart, which is looked for first; the option, up to the password. What the
# last leaves open stands in a word of its own or right behind: `-p X` and `-pX`.
_GAP = r"(?:[ \t]+|=)?"
_ATTACHED = rf"-p{_NO_PORT}{_NO_WORD}(?=\S)"
_EITHER = rf"-p{_GAP}{_NO_PORT}{_NO_WORD}"
_APART = rf"-p[ \t]+{_NO_PORT}"
_UPPER = rf"-P{_GAP}(?!-)"
_PACKED = rf"-[A-Za-z]{{0,6}}P{_GAP}(?!-)"
_NEXT = r"[ \t]+(?!-)"
MASKED = r"\[masked:\w{1,40}\]"  # a user who is a token
_WHO = rf"[ \t=](?:\\{{0,3}}[\"'])?(?!-)(?:{MASKED}|(?!\[masked:)[^\s:/\"'\\]{{1,128}}):"
OPTIONS = (
    ("password", "mysql", "[a-z_]{0,8}", _ATTACHED),
    ("password", "mariadb", "(?:-[a-z]{2,8})?", _ATTACHED),
    ("password", "7z", "[arz]?", _ATTACHED),
    ("password", "unrar", "", _ATTACHED),
    ("password", "login", "", _EITHER),
    ("password", "mongo", "[a-z]{0,8}", _EITHER),
    *(("password", verb, "", _APART) for verb in ("cqlsh", "twine", "unlock-keychain", "create-keychain")),
    *(("password", program, "", "-pw" + _NEXT) for program in ("pscp", "plink", "putty", "nzsql")),
    *(("password", program, "", _PACKED) for program in ("zip", "unzip")),
    *(("password", program, "", _UPPER) for program in ("sqlcmd", "osql", "tsql", "mssql-cli", "ipmitool")),
    ("password", "mosquitto_", "(?:pub|sub|rr)", rf"(?:{_UPPER}|--pw{_NEXT})"),
    *(("password", program, "", _APART) for program in ("useradd", "usermod")),
    *(("password", program, "s?", rf"(?:-a|--auth){_WHO}") for program in ("http", "xh")),
    ("password", "etcdctl", "", rf"--user{_WHO}"),
    ("password", "security", "", "-P" + _NEXT),
    ("password", "set-key-partition-list", "", "-k" + _NEXT),
    ("password", "add-", "(?:generic|internet)-password", "-w" + _NEXT),
    ("password", "ssh-keygen", "", rf"-[NP]{_GAP}(?!-)"),
    ("password", "keytool", "", "-new" + _NEXT),
    ("password", "lftp", "", r"-u[ \t]*(?:\\{0,3}[\"'])?[^\s,\"'\\]{1,64},"),
    ("token", "doctl", r"[ \t]+auth", "-t" + _NEXT),
    ("password", "redis-cli", "", r"-a[ \t]+(?!-)"),
    ("password", "openssl", "", r"-(?:[kK][ \t]+|hmac[ \t]+|macopt[ \t]+(?:hex)?key:|pass(?:in|out)[ \t]+pass:)(?!-)"),
    ("password", "ldap", "[a-z]{2,10}", rf"-w{_GAP}(?!-)"),
    ("password", "ldappasswd", "", rf"-[as]{_GAP}(?!-)"),
    *(
        ("password", each, "", r"-U(?:[ \t]+|=)?(?:\\{0,3}[\"'])?[^\s%\"']{1,128}%")
        for each in ("smbclient", "rpcclient")
    ),
)


def word(start: str) -> str:
    r"""The start of a word; after `\n` (escaped twice) one begins too."""
    return rf"{start}(?:(?<![\w-]{start})|(?<=\\[bfnrt]{start}))"


_SSHPASS = rf"[ \t]+(?:-[ev][ \t]+|-P[ \t]*\S{{1,60}}[ \t]+){{0,3}}-p(?:[ \t]*)(?!-){VALUE}"
_POSITIONAL = r"[ \t]+(?![-\d>|;&<])[^\s;|&<>]{1,200}"
_HTPASSWD = (
    rf"(?=[^\n;|&]{{0,60}}[ \t]-[A-Za-z]{{0,6}}b)(?:[ \t]+-[A-Za-z]{{1,8}}(?:(?<=C)[ \t]+\d{{1,2}})?){{1,6}}"
    rf"(?:{_POSITIONAL}){{1,2}}[ \t]+(?!-){VALUE}"
)
_USER = (
    r"(?:-[fgikLNsSv]{0,6}[uU][ \t=]?|--(?:proxy-)?user[ \t=]|(?:-E|--(?:proxy-)?cert)[ \t=])"
    r"(?:\\{0,3}[\"'])?(?!\d{1,6}:\d{1,6}(?!\w))"  # -u 1000:1000 is docker's
    rf"(?:{MASKED}|(?!\[masked:)[^\s:\"'\\]{{1,128}})(?:\\{{0,3}}[\"'])?:"
)
_COOKIE = r"-b[ \t]{0,4}(?=\\{0,3}[\"']?[\w.$%!-]{1,128}=[^\s=])"
_STDIN = (
    r"(?:(?i:passw(?:or)?d)-stdin|passwd[ \t]+--stdin|with-token|chpasswd"
    r"|sudo[ \t]+(?:-[A-Za-z]{1,8}[ \t]+){0,4}?-(?:[A-Za-z]{0,8}S|-stdin)"
    r"|secrets?[ \t]+(?:create|set|put|versions[ \t]+add)|create[ \t]+secret|secret-tool[ \t]+store|vncpasswd"
    r"|vercel[ \t]+env[ \t]+add|passphrase-fd[ \t=]*0|cryptsetup|kinit|(?:(?<=\|)|(?<=\| )|(?<=sudo ))(?:smb)?passwd)"
)
_HERE = rf"{_STDIN}(?![\w-])[^\n;|&<]{{0,100}}<<<[ \t]*{VALUE}"
_ECHOED = (
    rf"(?:[ \t]+-[neE]{{1,3}})?[ \t]+(?:[\"']%s(?:\\{{1,2}}n)?[\"'][ \t]+)?{VALUE}"
    rf"(?(q)(?P=q))[ \t]*\|[ \t]*[^\n|;]{{0,160}}?{_STDIN}(?![\w-])"
)

LINES: tuple[tuple[str, str, str], ...] = (
    *(
        (kind, program, rf"{word(program)}{rest}{REST}{_OPENED}{option}{VALUE}")
        for kind, program, rest, option in OPTIONS
    ),
    *(("password", start, word(start) + rest) for start, rest in (("sshpass", _SSHPASS), ("htpasswd", _HTPASSWD))),
    *(("password", start, word(start) + _ECHOED) for start in ("echo", "printf")),
    ("password", "curl", rf"(?<![\w-]){_USER}{_QUOTE}(?P<s>(?(q)(?:(?!(?P=q))[^\n]){{1,256}}|[^\s\"']+))"),
    ("cookie", "curl", rf"(?<![\w-]){_COOKIE}{VALUE}"),
    ("password", "<<<", _HERE),
)
"""A kind, a piece that must be there, in lower case, and what gives the secret in group `s` away."""
_WORDS = (
    *((kind, program + rest, option) for kind, program, rest, option in OPTIONS),
    ("password", "sshpass", r"-p[ \t]*(?!-)"),
    ("password", "curl", _USER),
    ("cookie", "curl", _COOKIE),
    ("password", "htpasswd", r"(?!)"),
)
_PROGRAMS = "|".join(dict.fromkeys(program for _, program, _ in _WORDS))
_BATCH = "-[A-Za-z]{0,6}b[A-Za-z]{0,6}"  # htpasswd: the password is the last word
SOURCES = (*(row[2] for row in LINES), *(source for row in _WORDS for source in row[1:]), _PROGRAMS, _BATCH)


def in_words(words: Sequence[object]) -> Iterator[tuple[int, int, str]]:
    """Where passwords stand in a command that is given as a list: in which word, from which character on, its kind."""
    if not any(isinstance(word, str) and word[:1] == "-" for word in words):
        return
    named: dict[str, tuple[str, str, str]] = {}  # by their options: what may follow
    for i, word in enumerate(words):
        if not isinstance(word, str):
            continue
        if word[:1] != "-":
            program = word[-64:].rpartition("/")[2]
            if _rx(_PROGRAMS).fullmatch(program):
                named.update((row[2], row) for row in _WORDS if _rx(row[1]).fullmatch(program))
            continue
        after = words[i + 1] if i + 1 < len(words) else None
        line = f"{word}\t{after}" if isinstance(after, str) else word
        for kind, program, option in named.values():
            found = _rx(option).match(line)
            if found and found.end() < len(line):
                at = found.end() - len(word) - 1
                yield (i + 1, at, kind) if at >= 0 else (i, found.end(), kind)
            elif program == "htpasswd" and i + 2 < len(words) and _rx(_BATCH).fullmatch(word):
                yield len(words) - 1, 0, kind
