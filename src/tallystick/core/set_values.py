r"""Secrets that a command sets or takes at a fixed place: `git config user.password ...`, `net use x: ...`.

What tells is a verb (`config set`, `secrets set`) and, after it, a name or a count of words. A list of words is read as
a line in which no word has a blank, a quote or a mark of the shell: so each table is said once. Each verb has an anchor
(see `anchors`). Standard library only: a hook takes this file along.
"""

from __future__ import annotations

from tallystick.core.command_lines import MASKED, REST, VALUE, word
from tallystick.core.patterns import rx as _rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from tallystick.core.gates import Pieces

_ONE = r"[ \t]+(?:\\{0,3}\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;|&<>]{1,200})"  # any word
_NEXT = rf"[ \t]+(?!-){VALUE}"
_DRIVE = r"(?:[A-Za-z]|(?i:lpt|com)\d):|\*"
_DEVICE = (
    rf"(?:\\{{0,3}}[\"'](?:{_DRIVE}|(?:\\{{2,8}}|//)[^\"'\n]{{1,200}})\\{{0,3}}[\"']"
    rf"|//?[A-Za-z]{{1,12}}:\\{{0,3}}[\"'][^\"'\n]{{1,128}}[\"']"
    rf"|{_DRIVE}|(?:\\{{2,8}}|(?:https?:)?//?)[^\s;|&\"']{{1,200}})"
)
# A drive, a share or a switch; where a user is named, the first may be any word. In all orders the password is the word
# that is none of these.
_FOR_A_USER = r"(?=[^\n;|&]{0,400}?[ \t]//?(?i:u|user):)(?![-/*])[^\s;|&\"']{1,64}"
_NET_USE = (
    rf"(?i:\.exe)?[ \t]+(?i:use)[ \t]+(?:{_DEVICE}|{_FOR_A_USER})(?=[ \t])"
    rf"(?:[ \t]+{_DEVICE}(?=[ \t])){{0,6}}[ \t]+(?![-/*\\]|[A-Za-z]:[ \t\"']|https?:){VALUE}"
)
_HASH = r"(?:[ \t]+-(?:salt[ \t]+\S{1,64}|[156]|apr1|crypt|noverify|quiet|table|reverse)){0,6}"
_METHOD = r"(?:[ \t]+(?:-m[ \t]+\S{1,40}|--method=\S{1,40}|-5|-S[ \t]+\S{1,64})){0,4}"
_STRING = r"[ \t]*\\{0,3}[\"'][^\"'\\]{1,64}\\{0,3}[\"']"
_QUOTED = r"(?=\\{0,3}[\"'])"
_NOT_PORT = r"(?!-|\\?[\"']?\d[\d.:/-]{0,40}(?:[\"'\s]|$))"  # -p 127.0.0.1:80:80
# Behind `-u X`, `-p Y` is a password with these programs; with others, if it is no path, port, name or plain word; and
# with some it never is: a database, a port, a process, a priority, a profile.
_TAKERS = (
    "aql|asadm|az|bcp|bloodhound-python|cbq|couchbase-cli|crackmapexec|cypher-shell|dotnet|evil-winrm|freebcp|influx"
    "|isql|ncftp[a-z]{0,3}|netexec|nuget|nxc|poetry|rabbitmqadmin|rdesktop|smbmap"
)
_NEVER = (
    "adb|cargo|createdb|createuser|diff|docker(?:-compose)?|dropuser|git|gradlew?|gunicorn|hg|ip6?tables|journalctl"
    "|kubectl|loginctl|lsof|mariadb[a-z-]{0,8}|mkdir|mvnw?|mysql[a-z]{0,8}|nerdctl|nginx|nmap|parallel|perf|pg_[a-z]+"
    "|pgrep|pkill|podman|prlimit|ps|psql|pytest|renice|rg|rsync|strace|systemctl|top|tox|xargs|zipinfo"
)
_AT_A_USER = r"(?<![\w-])-[uU](?:[ \t]+|=)?(?!\S{1,127}\.py[ \t])[^\s;|&-][^\s;|&]{0,127}[ \t]+-[pP][ \t]+"
_OTHERWISE = (
    rf"(?<![\w.-])(?:(?:{_NEVER})(?=[ \t])(?:(?![ \t/](?:{_TAKERS})[ \t])[^\n;|&]){{0,400}}"
    r"|sudo[ \t]+-u[ \t]+\S{1,64}[ \t]+-p[ \t])"
)
_LIKELY = (
    r"(?=\\{0,3}[\"']?(?![{(<$%@/~.:]|[A-Za-z_][\w.]{0,40}=|\w{1,16}://|[\w.-]{1,200}:\d{1,5}(?!\w)"
    r"|[\w.,+-]{0,200}\.[A-Za-z]\w{0,4}(?![\w.])|[a-z0-9_.-]{1,100}/[a-z0-9_./-]{0,200}(?:[\s\"']|$)|v?\d[\d.]{0,40}(?!\S))"
    r"(?=[^\s\"']{6})(?=[^\s\"']{0,255}?[A-Za-z])[^\s\"']{0,255}?[\d!@#%^*+=?~])"
)
_FLAGS = r"(?:[ \t]+-[\w-]{1,40}(?:[ \t=]+(?!-)[^\s;|&]{1,200})?){0,16}"
_PLAIN_TEXT = r"(?i:ConvertTo-SecureString(?:[ \t]+-(?:AsPlainText|Force)){0,2}(?:[ \t]+-String)?)"
_SECRET_NAME = r"[ \t][\w./:]{0,128}(?i:passw(?:or)?d|_pass|(?<!existing)secret|token|pwd)="
_SET_PASSWORD = r"(?i:set password(?: for[^\n;=]{1,100})?)"

_OF_HOST = r"[ \t]+\S{1,200}\s{1,16}"  # of a netrc
_WORD = r"password[ \t]+(?P<s>\S{1,256})"

# A kind; how the command begins, which is looked for first; the rest of it, up to the secret.
_PLACES = (
    (
        "password",
        "net",
        rf"[ \t]+user[ \t]+(?![/-])[^\s/;|&]{{1,64}}[ \t]+(?![-/*])(?=\S*[^\W\d]\S*\d|\S+[ \t]+/){VALUE}",
    ),
    ("secret", "secret", rf"[ \t]+set{REST}(?:--(?:body|value)(?:[ \t]+|=)|-b(?:[ \t]+|=)?)(?!-){VALUE}"),
    *(
        ("secret", each, rf"[ \t]+set[ \t]+(?!-)(?=\S*[:._A-Z])[^\s=;|&]{{1,200}}{_NEXT}")
        for each in ("secrets", "user-secrets")
    ),
    ("secret", "put-parameter", rf"(?=[^\n;|&]{{0,400}}SecureString){REST}--value[ \t=]+{VALUE}"),
    ("secret", "credstash", rf"[ \t]+put{_ONE}{_NEXT}"),
    ("basic_auth", "set", rf"[ \t]+(?:\\{{0,3}}[\"'])?[^\s=\"'\\]{{0,200}}_auth(?:\\{{0,3}}[\"'])?{_NEXT}"),
    (
        "token",
        "poetry",
        rf"[ \t]+config(?:[ \t]+--\w+)?[ \t]+(?:pypi-token\.\S{{1,64}}|http-basic\.\S{{1,64}}{_ONE}){_NEXT}",
    ),
    ("token", "vault", rf"[ \t]+login(?:[ \t]+-[^\s;|&]{{1,100}}){{0,6}}[ \t]+(?=[^\s=]{{0,60}}\d)(?=\S{{8}}){VALUE}"),
    ("secret", "mc", rf"[ \t]+(?:alias[ \t]+set|config[ \t]+host[ \t]+add){_ONE}{_ONE}{_ONE}{_NEXT}"),
    ("token", "vault", rf"[ \t]+operator[ \t]+unseal{_FLAGS}[ \t]+(?=[^\s=]{{0,60}}\d)(?=\S{{8}})(?!-){VALUE}"),
    ("token", "cargo", rf"[ \t]+login{_FLAGS}[ \t]+(?!-)(?=\S{{0,60}}\d){VALUE}"),
    ("password", "bw", rf"[ \t]+unlock{_NEXT}"),
    ("token", "snyk", rf"[ \t]+auth{_NEXT}"),
    ("password", "rclone", rf"[ \t]+obscure{_NEXT}"),
    ("password", "rabbitmqctl", rf"{REST}(?:add_user|change_password|authenticate_user){_ONE}{_NEXT}"),
    (
        "password",
        "redis-cli",
        rf"{_FLAGS}[ \t]+(?i:auth|config[ \t]+set[ \t]+masterauth)(?:[ \t]+[\w.-]{{1,64}}(?=[ \t]+[^\s|;&-]))?{_NEXT}",
    ),
    (
        "password",
        "sqlplus",
        r"(?:[ \t]+-[A-Za-z]{1,4}){0,4}[ \t]+\\{0,3}[\"']?[\w$#.-]{1,64}/"
        r"(?P<s>[^\s\"'\\]{1,128}(?=@)|[^\s\"'@\\]{1,128})",
    ),
    ("password", "openssl", rf"[ \t]+passwd{_HASH}{_NEXT}"),
    ("password", "mkpasswd", rf"{_METHOD}{_NEXT}"),
    ("password", "wpa_passphrase", rf"{_ONE}{_NEXT}"),
    ("password", "drush", rf"[ \t]+(?:user:password|upwd){_ONE}{_NEXT}"),
    ("password", "smbclient", rf"[ \t]+//[^\s;|&]{{1,200}}{_NEXT}"),
    ("password", "xfreerdp", rf"3?{REST}(?:\\{{0,3}}[\"'])?/p:{VALUE}"),
    (
        "password",
        "machine",
        rf"{_OF_HOST}(?:login[ \t]+\S{{1,128}}\s{{1,16}}(?:account[ \t]+\S{{1,128}}\s{{1,16}})?){_WORD}",
    ),
    ("password", "machine", rf"{_OF_HOST}{_WORD}(?=\s{{1,16}}login[ \t])"),
    ("password", "login", rf"[ \t]+\S{{1,128}}[ \t]*\r?\n[ \t]*{_WORD}"),
    ("password", "wifi-sec.psk", _NEXT),
    *(("password", f"{whose}_pw", _NEXT) for whose in ("user", "owner", "input")),
)

PLACES: tuple[tuple[str, str, str], ...] = (
    *((kind, start, word(start.replace(".", r"\.")) + rest) for kind, start, rest in _PLACES),
    *(("password", "net", word(net) + _NET_USE) for net in ("net", "NET", "Net")),
    ("password", "rediscli_auth", rf"REDISCLI_AUTH[ \t]*[=:][ \t]*{VALUE}"),
    ("password", "securestring", rf"{_PLAIN_TEXT}[ \t]+(?![-$(]){VALUE}"),
    ("password", "pass:", rf"(?<![\w-])--?[\w-]{{0,20}}pass[a-z]{{0,4}}[ \t=]+pass:{VALUE}"),
    (
        "password",
        "-auth",
        rf"(?<![\w-])--?auth[ \t=](?:\\{{0,3}}[\"'])?(?:{MASKED}|(?!\[masked:)[^\s:\"'/=\\]{{1,128}}):{VALUE}",
    ),
    (
        "password",
        "-u",
        rf"(?<![\w.-])(?:{_TAKERS}){REST}{_AT_A_USER}{_NOT_PORT}{VALUE}",
    ),
    ("password", "-u", rf"{_OTHERWISE}|{_AT_A_USER}{_NOT_PORT}{_LIKELY}{VALUE}"),
    *(
        ("password", f"{option} ", rf"{option}(?<![\w-]{option}){_SECRET_NAME}{VALUE}")
        for option in ("-e", "--env", "--extra-vars", "--set", "--set-string", "--build-arg", "-var", "set")
    ),
    ("token", "-auth", rf"(?<![\w-])--auth[ \t=](?=\\{{0,3}}[\"']?(?=[^\s\d]{{0,60}}\d)[\w+/=-]{{20}}){VALUE}"),
    ("password", "set_password(", rf"\bset_password\([ \t]*{_QUOTED}{VALUE}"),
    ("password", "db.auth(", rf"db\.auth\({_STRING}[ \t]*,[ \t]*{_QUOTED}{VALUE}"),
    ("password", "set password", rf"{_SET_PASSWORD}[ \t]*=[ \t]*(?:(?i:password)\()?{_QUOTED}{VALUE}"),
)
"""A kind, a piece that must be there, in lower case, and what gives the secret in group `s` away."""

# Into a store of secrets goes whatever stands after a name and `=`, up to the end of the command.
_END = r"(?:[^\n;|&]|(?<=\\)\n){1,400}"
_ENTRY = r"(?!(?i:user(?:name)?|host(?:name)?|port|db(?:name)?|database|region|email|ttl)=)[A-Za-z_][\w./-]{0,127}="
_ENTRIES = (
    (
        rf"(?<![\w-])(?:secrets[ \t]+set|vault[ \t]+(?:kv[ \t]+(?:put|patch)|write(?=[ \t]+secret/)))[ \t]{_END}",
        (
            rf"[ \t](?P<q>\\{{0,3}}[\"']){_ENTRY}(?![@\"'])(?P<s>(?:(?!(?P=q))[^\n]){{1,256}})",
            rf"[ \t]{_ENTRY}(?!@){VALUE}",
        ),
    ),
    (
        rf"(?<![\w-])create[ \t]+secret[ \t]{_END}",
        (
            rf"--from-literal[ \t=](?P<q>\\{{0,3}}[\"']){_ENTRY}(?P<s>(?:(?!(?P=q))[^\n]){{1,256}})",
            rf"--from-literal[ \t=]{_ENTRY}{VALUE}",
        ),
    ),
)

# Of settings, one whose name is a secret's; the name is judged where keys are.
_SETTING = (
    r"(?<![\w-])(?i:git(?:[ \t]+-C[ \t]+\S{1,200})?[ \t]+config|config(?:ure)?[ \t]+set|env:set|npm[ \t]+set"
    r"|setx|setenv|set[ \t]+-[gxlU]{1,3}|consul[ \t]+kv[ \t]+put|rclone[ \t]+config|poetry[ \t]+config|nmcli|mysqladmin"
    r"|ngrok|neo4j-admin|grafana-cli|etcdctl[ \t]+put)(?=[ \t])"
)
_SET = (
    *("config", "env:set", "npm", "setx", "setenv", "set -", "set\t", "kv", "etcdctl", "nmcli", "mysqladmin", "ngrok"),
    *("neo4j-admin", "grafana-cli"),
)
"""One of these is in every such command; words of ordinary code would cost more than all the rest."""
_PAIR = (
    r"(?<=[ \t])\\{0,3}[\"']?(?P<name>[^\s\"'=-][^\s=]{0,255}?)\\{0,3}[\"']?[ \t]{1,8}"
    r"(?!(?:to|is|and|or|for|with|in|on|from)[\s\"'\\])(?=[^\s-])"
)
SOURCES = (
    *(row[2] for row in PLACES),
    *(source for command, entries in _ENTRIES for source in (command, *entries)),
    *(_SETTING, _SETTING + _END, _PAIR),
)
_MOST = 64
"""How many words of a list are looked at. Longer commands than that are lists of files."""
_PLAIN = {ord(c): "_" for c in "\t\n\r\f\v \"'`;|&<>()"}


def entries(line: str) -> Iterator[tuple[int, int, str]]:
    """Where values that go into a store of secrets begin and end, and their kind."""
    if "secret" in line or "vault" in line:
        for command, sources in _ENTRIES:
            for whole in _rx(command).finditer(line):
                for source in sources:
                    # A value in quotes, of 256 characters at most, may go beyond what ends a command.
                    for m in _rx(source).finditer(line, whole.start(), whole.end() + 400):
                        if m.start() < whole.end():
                            yield m.start("s"), m.end("s"), "secret"


def named(text: str, low: str | Pieces) -> Iterator[re.Match[str]]:
    """Names in commands that set one, up to the value, which is a word of its own."""
    if any(map(low.__contains__, _SET)):
        for whole in _rx(_SETTING + _END).finditer(text):
            yield from _rx(_PAIR).finditer(text, whole.start(), whole.end())


def is_setting(words: Sequence[object]) -> bool:
    """Whether a list of words is a command that sets a value by its name."""
    line, _ = _line(words[:16])
    return any(map(line.lower().__contains__, _SET)) and _rx(_SETTING).search(line) is not None


def in_places(words: Sequence[object]) -> Iterator[tuple[int, int, str]]:
    """Where secrets stand in a command that is given as a list: in which word, from which character on, its kind."""
    line, starts = _line(words)
    low = line.lower()
    found = [
        (m.start("s"), kind)
        for kind, gate, source in PLACES
        if gate in low
        for m in _rx(source).finditer(line)
        if m["s"]
    ]
    found += [(at, kind) for at, _, kind in entries(line)]
    for at, kind in found:
        i = max(i for i, start in enumerate(starts) if start <= at)
        yield i, at - starts[i], kind


def _line(words: Sequence[object]) -> tuple[str, list[int]]:
    """The words as a line, and where each begins in it; nothing for what begins with no program's name."""
    if not isinstance(words[0], str) or len(words[0]) > 256:
        return "", [0]
    plain = [each[:512].translate(_PLAIN) if isinstance(each, str) else "_" for each in words[:_MOST]]
    starts, at = [], 0
    for each in plain:
        starts.append(at)
        at += len(each) + 1
    return " ".join(plain), starts
