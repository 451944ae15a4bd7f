r"""Finds passwords on command lines by the program, its option, or the position: `mysql -phunter2`, `net use x: ...`.

Each table serves a line of text and a list of words. Each program, option and verb here has an anchor (see
`prefilter`). Standard library only: the hook bundle holds this module.
"""

from __future__ import annotations

from tallystick.core.redaction.prefilter import rx as _rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from tallystick.core.redaction.prefilter import WordIndex

REST = r"(?=[ \t])(?:[^\n;|&]|(?<=\\)\n){0,200}?[ \t]"  # of the same command, up to an option
_QUOTE = r"(?P<q>\\{0,3}[\"'])?"
_BARE = r"[^\s\"'`\\;|&<>()][^\s\"'`\\;|&<>]{0,255}(?:\\(?![nrt\"'`\\])[^\s\"'`\\;|&<>]{0,255}){0,8}"
_SECRET = rf"(?P<s>(?(q)(?:(?!(?P=q))[^\n]){{1,256}}|{_BARE}))"
VALUE = _QUOTE + _SECRET
_OPENED = r"(?:\\{0,3}[\"'])?"  # the whole word may be quoted: "-ppassword"
_NO_PORT = r"(?!-|\\?[\"']?\d{1,5}(?:[:/\"'\s]|$))"  # -p 8080, -p 80:80
_NO_WORD = r"(?!(?:ort|assword|ath|rotocol|refix|rofile|rint|lugin|arallel|retty)(?![A-Za-z0-9]))"  # -port, -path

# A kind; the beginning of a program's name, which is searched for first; the rest of the name; the option, up to the
# password, which follows it directly or as the next word: `-pX` and `-p X`.
_GAP = r"(?:[ \t]+|=)?"
_P_ATTACHED = rf"-p{_NO_PORT}{_NO_WORD}(?=\S)"
_P_OPTION = rf"-p{_GAP}{_NO_PORT}{_NO_WORD}"
_P_NEXT_WORD = rf"-p[ \t]+{_NO_PORT}"
_UPPER = rf"-P{_GAP}(?!-)"
_PACKED = rf"-[A-Za-z]{{0,6}}P{_GAP}(?!-)"
_NEXT_WORD = r"[ \t]+(?!-)"
MASKED = r"\[masked:\w{1,40}\]"  # the user is a token
_USER_PREFIX = rf"[ \t=](?:\\{{0,3}}[\"'])?(?!-)(?:{MASKED}|(?!\[masked:)[^\s:/\"'\\]{{1,128}}):"
PASSWORD_OPTIONS = (
    ("password", "mysql", "[a-z_]{0,8}", _P_ATTACHED),
    ("password", "mariadb", "(?:-[a-z]{2,8})?", _P_ATTACHED),
    ("password", "7z", "[arz]?", _P_ATTACHED),
    ("password", "unrar", "", _P_ATTACHED),
    ("password", "login", "", _P_OPTION),
    ("password", "mongo", "[a-z]{0,8}", _P_OPTION),
    *(("password", verb, "", _P_NEXT_WORD) for verb in ("cqlsh", "twine", "unlock-keychain", "create-keychain")),
    *(("password", program, "", "-pw" + _NEXT_WORD) for program in ("pscp", "plink", "putty", "nzsql")),
    *(("password", program, "", _PACKED) for program in ("zip", "unzip")),
    *(("password", program, "", _UPPER) for program in ("sqlcmd", "osql", "tsql", "mssql-cli", "ipmitool")),
    ("password", "mosquitto_", "(?:pub|sub|rr)", rf"(?:{_UPPER}|--pw{_NEXT_WORD})"),
    *(("password", program, "", _P_NEXT_WORD) for program in ("useradd", "usermod")),
    *(("password", program, "s?", rf"(?:-a|--auth){_USER_PREFIX}") for program in ("http", "xh")),
    ("password", "etcdctl", "", rf"--user{_USER_PREFIX}"),
    ("password", "security", "", "-P" + _NEXT_WORD),
    ("password", "set-key-partition-list", "", "-k" + _NEXT_WORD),
    ("password", "add-", "(?:generic|internet)-password", "-w" + _NEXT_WORD),
    ("password", "ssh-keygen", "", rf"-[NP]{_GAP}(?!-)"),
    ("password", "keytool", "", "-new" + _NEXT_WORD),
    ("password", "lftp", "", r"-u[ \t]*(?:\\{0,3}[\"'])?[^\s,\"'\\]{1,64},"),
    ("token", "doctl", r"[ \t]+auth", "-t" + _NEXT_WORD),
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
    r"""The text at the start of a word; one begins after `\n` (escaped twice) too."""
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

COMMAND_RULES: tuple[tuple[str, str, str], ...] = (
    *(
        (kind, program, rf"{word(program)}{rest}{REST}{_OPENED}{option}{VALUE}")
        for kind, program, rest, option in PASSWORD_OPTIONS
    ),
    *(("password", start, word(start) + rest) for start, rest in (("sshpass", _SSHPASS), ("htpasswd", _HTPASSWD))),
    *(("password", start, word(start) + _ECHOED) for start in ("echo", "printf")),
    ("password", "curl", rf"(?<![\w-]){_USER}{_QUOTE}(?P<s>(?(q)(?:(?!(?P=q))[^\n]){{1,256}}|[^\s\"']+))"),
    ("cookie", "curl", rf"(?<![\w-]){_COOKIE}{VALUE}"),
    ("password", "<<<", _HERE),
)
"""A kind; a piece, in lower case, that must be there; the pattern, with the secret in group `s`."""
_WORDS = (
    *((kind, program + rest, option) for kind, program, rest, option in PASSWORD_OPTIONS),
    ("password", "sshpass", r"-p[ \t]*(?!-)"),
    ("password", "curl", _USER),
    ("cookie", "curl", _COOKIE),
    ("password", "htpasswd", r"(?!)"),
)
_PROGRAMS = "|".join(dict.fromkeys(program for _, program, _ in _WORDS))
_BATCH = "-[A-Za-z]{0,6}b[A-Za-z]{0,6}"  # htpasswd: the password is the last word
COMMAND_SOURCES = (
    *(row[2] for row in COMMAND_RULES),
    *(source for row in _WORDS for source in row[1:]),
    _PROGRAMS,
    _BATCH,
)


def option_passwords(words: Sequence[object]) -> Iterator[tuple[int, int, str]]:
    """Passwords behind options in a list of words: the word's index, where the password begins in it, its kind."""
    if not any(isinstance(word, str) and word[:1] == "-" for word in words):
        return
    rules: dict[str, tuple[str, str, str]] = {}  # of the programs named so far, by option
    for i, word in enumerate(words):
        if not isinstance(word, str):
            continue
        if word[:1] != "-":
            program = word[-64:].rpartition("/")[2]
            if _rx(_PROGRAMS).fullmatch(program):
                rules.update((row[2], row) for row in _WORDS if _rx(row[1]).fullmatch(program))
            continue
        after = words[i + 1] if i + 1 < len(words) else None
        line = f"{word}\t{after}" if isinstance(after, str) else word
        for kind, program, option in rules.values():
            option_match = _rx(option).match(line)
            if option_match and option_match.end() < len(line):
                at = option_match.end() - len(word) - 1
                yield (i + 1, at, kind) if at >= 0 else (i, option_match.end(), kind)
            elif program == "htpasswd" and i + 2 < len(words) and _rx(_BATCH).fullmatch(word):
                yield len(words) - 1, 0, kind


# ----------------------------------------------------------------------------------------------------------------------
# Secrets that a command sets, or takes at a fixed position: `git config user.password ...`, `net use x: ...`
#
# They are found by a verb (`config set`, `secrets set`) and a name or a number of words after it. A list of words is
# read as a line in which no word has a blank, a quote or a shell character, so that one table serves both.

_ONE = r"[ \t]+(?:\\{0,3}\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;|&<>]{1,200})"  # any word
_ARG = rf"[ \t]+(?!-){VALUE}"
_DRIVE = r"(?:[A-Za-z]|(?i:lpt|com)\d):|\*"
_DEVICE = (
    rf"(?:\\{{0,3}}[\"'](?:{_DRIVE}|(?:\\{{2,8}}|//)[^\"'\n]{{1,200}})\\{{0,3}}[\"']"
    rf"|//?[A-Za-z]{{1,12}}:\\{{0,3}}[\"'][^\"'\n]{{1,128}}[\"']"
    rf"|{_DRIVE}|(?:\\{{2,8}}|(?:https?:)?//?)[^\s;|&\"']{{1,200}})"
)
# A drive, a share or a switch; with a user, the first may be any word. In every order, the password is the word that is
# none of these.
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
# After `-u X`, `-p Y` is a password with _PASSWORD_PROGRAMS. With _OTHER_P_PROGRAMS it is none: a database, a port, a
# process, a priority, a profile. With all other programs it is one if it is no path, port, name or plain word.
_PASSWORD_PROGRAMS = (
    "aql|asadm|az|bcp|bloodhound-python|cbq|couchbase-cli|crackmapexec|cypher-shell|dotnet|evil-winrm|freebcp|influx"
    "|isql|ncftp[a-z]{0,3}|netexec|nuget|nxc|poetry|rabbitmqadmin|rdesktop|smbmap"
)
_OTHER_P_PROGRAMS = (
    "adb|cargo|createdb|createuser|diff|docker(?:-compose)?|dropuser|git|gradlew?|gunicorn|hg|ip6?tables|journalctl"
    "|kubectl|loginctl|lsof|mariadb[a-z-]{0,8}|mkdir|mvnw?|mysql[a-z]{0,8}|nerdctl|nginx|nmap|parallel|perf|pg_[a-z]+"
    "|pgrep|pkill|podman|prlimit|ps|psql|pytest|renice|rg|rsync|strace|systemctl|top|tox|xargs|zipinfo"
)
_AT_A_USER = r"(?<![\w-])-[uU](?:[ \t]+|=)?(?!\S{1,127}\.py[ \t])[^\s;|&-][^\s;|&]{0,127}[ \t]+-[pP][ \t]+"
_OTHER_P_COMMAND = (
    rf"(?<![\w.-])(?:(?:{_OTHER_P_PROGRAMS})(?=[ \t])(?:(?![ \t/](?:{_PASSWORD_PROGRAMS})[ \t])[^\n;|&]){{0,400}}"
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

# A kind; the beginning of the command, which is searched for first; the rest of it, up to the secret.
_POSITIONS = (
    (
        "password",
        "net",
        rf"[ \t]+user[ \t]+(?![/-])[^\s/;|&]{{1,64}}[ \t]+(?![-/*])(?=\S*[^\W\d]\S*\d|\S+[ \t]+/){VALUE}",
    ),
    ("secret", "secret", rf"[ \t]+set{REST}(?:--(?:body|value)(?:[ \t]+|=)|-b(?:[ \t]+|=)?)(?!-){VALUE}"),
    *(
        ("secret", each, rf"[ \t]+set[ \t]+(?!-)(?=\S*[:._A-Z])[^\s=;|&]{{1,200}}{_ARG}")
        for each in ("secrets", "user-secrets")
    ),
    ("secret", "put-parameter", rf"(?=[^\n;|&]{{0,400}}SecureString){REST}--value[ \t=]+{VALUE}"),
    ("secret", "credstash", rf"[ \t]+put{_ONE}{_ARG}"),
    ("basic_auth", "set", rf"[ \t]+(?:\\{{0,3}}[\"'])?[^\s=\"'\\]{{0,200}}_auth(?:\\{{0,3}}[\"'])?{_ARG}"),
    (
        "token",
        "poetry",
        rf"[ \t]+config(?:[ \t]+--\w+)?[ \t]+(?:pypi-token\.\S{{1,64}}|http-basic\.\S{{1,64}}{_ONE}){_ARG}",
    ),
    ("token", "vault", rf"[ \t]+login(?:[ \t]+-[^\s;|&]{{1,100}}){{0,6}}[ \t]+(?=[^\s=]{{0,60}}\d)(?=\S{{8}}){VALUE}"),
    ("secret", "mc", rf"[ \t]+(?:alias[ \t]+set|config[ \t]+host[ \t]+add){_ONE}{_ONE}{_ONE}{_ARG}"),
    ("token", "vault", rf"[ \t]+operator[ \t]+unseal{_FLAGS}[ \t]+(?=[^\s=]{{0,60}}\d)(?=\S{{8}})(?!-){VALUE}"),
    ("token", "cargo", rf"[ \t]+login{_FLAGS}[ \t]+(?!-)(?=\S{{0,60}}\d){VALUE}"),
    ("password", "bw", rf"[ \t]+unlock{_ARG}"),
    ("token", "snyk", rf"[ \t]+auth{_ARG}"),
    ("password", "rclone", rf"[ \t]+obscure{_ARG}"),
    ("password", "rabbitmqctl", rf"{REST}(?:add_user|change_password|authenticate_user){_ONE}{_ARG}"),
    (
        "password",
        "redis-cli",
        rf"{_FLAGS}[ \t]+(?i:auth|config[ \t]+set[ \t]+masterauth)(?:[ \t]+[\w.-]{{1,64}}(?=[ \t]+[^\s|;&-]))?{_ARG}",
    ),
    (
        "password",
        "sqlplus",
        r"(?:[ \t]+-[A-Za-z]{1,4}){0,4}[ \t]+\\{0,3}[\"']?[\w$#.-]{1,64}/"
        r"(?P<s>[^\s\"'\\]{1,128}(?=@)|[^\s\"'@\\]{1,128})",
    ),
    ("password", "openssl", rf"[ \t]+passwd{_HASH}{_ARG}"),
    ("password", "mkpasswd", rf"{_METHOD}{_ARG}"),
    ("password", "wpa_passphrase", rf"{_ONE}{_ARG}"),
    ("password", "drush", rf"[ \t]+(?:user:password|upwd){_ONE}{_ARG}"),
    ("password", "smbclient", rf"[ \t]+//[^\s;|&]{{1,200}}{_ARG}"),
    ("password", "xfreerdp", rf"3?{REST}(?:\\{{0,3}}[\"'])?/p:{VALUE}"),
    (
        "password",
        "machine",
        rf"{_OF_HOST}(?:login[ \t]+\S{{1,128}}\s{{1,16}}(?:account[ \t]+\S{{1,128}}\s{{1,16}})?){_WORD}",
    ),
    ("password", "machine", rf"{_OF_HOST}{_WORD}(?=\s{{1,16}}login[ \t])"),
    ("password", "login", rf"[ \t]+\S{{1,128}}[ \t]*\r?\n[ \t]*{_WORD}"),
    ("password", "wifi-sec.psk", _ARG),
    *(("password", f"{role}_pw", _ARG) for role in ("user", "owner", "input")),
)

POSITION_RULES: tuple[tuple[str, str, str], ...] = (
    *((kind, start, word(start.replace(".", r"\.")) + rest) for kind, start, rest in _POSITIONS),
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
        rf"(?<![\w.-])(?:{_PASSWORD_PROGRAMS}){REST}{_AT_A_USER}{_NOT_PORT}{VALUE}",
    ),
    ("password", "-u", rf"{_OTHER_P_COMMAND}|{_AT_A_USER}{_NOT_PORT}{_LIKELY}{VALUE}"),
    *(
        ("password", f"{option} ", rf"{option}(?<![\w-]{option}){_SECRET_NAME}{VALUE}")
        for option in ("-e", "--env", "--extra-vars", "--set", "--set-string", "--build-arg", "-var", "set")
    ),
    ("token", "-auth", rf"(?<![\w-])--auth[ \t=](?=\\{{0,3}}[\"']?(?=[^\s\d]{{0,60}}\d)[\w+/=-]{{20}}){VALUE}"),
    ("password", "set_password(", rf"\bset_password\([ \t]*{_QUOTED}{VALUE}"),
    ("password", "db.auth(", rf"db\.auth\({_STRING}[ \t]*,[ \t]*{_QUOTED}{VALUE}"),
    ("password", "set password", rf"{_SET_PASSWORD}[ \t]*=[ \t]*(?:(?i:password)\()?{_QUOTED}{VALUE}"),
)
"""A kind; a piece, in lower case, that must be there; the pattern, with the secret in group `s`."""

# Commands that write to a store of secrets: every value after a name and `=`, up to the end of the command.
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

# Commands that change settings: the value is masked if its name is a secret's.
_SETTING = (
    r"(?<![\w-])(?i:git(?:[ \t]+-C[ \t]+\S{1,200})?[ \t]+config|config(?:ure)?[ \t]+set|env:set|npm[ \t]+set"
    r"|setx|setenv|set[ \t]+-[gxlU]{1,3}|consul[ \t]+kv[ \t]+put|rclone[ \t]+config|poetry[ \t]+config|nmcli|mysqladmin"
    r"|ngrok|neo4j-admin|grafana-cli|etcdctl[ \t]+put)(?=[ \t])"
)
_SET = (
    *("config", "env:set", "npm", "setx", "setenv", "set -", "set\t", "kv", "etcdctl", "nmcli", "mysqladmin", "ngrok"),
    *("neo4j-admin", "grafana-cli"),
)
"""One of these is in every such command. Words of ordinary code here would cost more than all the rest."""
_PAIR = (
    r"(?<=[ \t])\\{0,3}[\"']?(?P<name>[^\s\"'=-][^\s=]{0,255}?)\\{0,3}[\"']?[ \t]{1,8}"
    r"(?!(?:to|is|and|or|for|with|in|on|from)[\s\"'\\])(?=[^\s-])"
)
SET_VALUE_SOURCES = (
    *(row[2] for row in POSITION_RULES),
    *(source for command, entries in _ENTRIES for source in (command, *entries)),
    *(_SETTING, _SETTING + _END, _PAIR),
)
_MAX_WORDS = 64
"""Words of a list that are looked at. Longer commands are lists of files."""
_PLAIN = {ord(c): "_" for c in "\t\n\r\f\v \"'`;|&<>()"}


def secret_store_values(line: str) -> Iterator[tuple[int, int, str]]:
    """The spans of the values that a command writes to a store of secrets, and their kind."""
    if "secret" in line or "vault" in line:
        for command, sources in _ENTRIES:
            for command_match in _rx(command).finditer(line):
                for source in sources:
                    # A quoted value, of 256 characters at most, may go beyond the character that ends the command.
                    for m in _rx(source).finditer(line, command_match.start(), command_match.end() + 400):
                        if m.start() < command_match.end():
                            yield m.start("s"), m.end("s"), "secret"


def setting_names(text: str, low: str | WordIndex) -> Iterator[re.Match[str]]:
    """Names in commands that set a value, matched up to the value, which is the next word."""
    if any(map(low.__contains__, _SET)):
        for command_match in _rx(_SETTING + _END).finditer(text):
            yield from _rx(_PAIR).finditer(text, command_match.start(), command_match.end())


def sets_value(words: Sequence[object]) -> bool:
    """Whether a list of words is a command that sets a value by its name."""
    line, _ = _line(words[:16])
    return any(map(line.lower().__contains__, _SET)) and _rx(_SETTING).search(line) is not None


def positional_secrets(words: Sequence[object]) -> Iterator[tuple[int, int, str]]:
    """Secrets at a fixed position in a list of words: the word's index, where the secret begins in it, its kind."""
    line, starts = _line(words)
    low = line.lower()
    secrets = [
        (m.start("s"), kind)
        for kind, gate, source in POSITION_RULES
        if gate in low
        for m in _rx(source).finditer(line)
        if m["s"]
    ]
    secrets += [(at, kind) for at, _, kind in secret_store_values(line)]
    for at, kind in secrets:
        i = max(i for i, start in enumerate(starts) if start <= at)
        yield i, at - starts[i], kind


def _line(words: Sequence[object]) -> tuple[str, list[int]]:
    """The words as a line, and where each begins in it; an empty line if the first cannot be a program's name."""
    if not isinstance(words[0], str) or len(words[0]) > 256:
        return "", [0]
    plain = [each[:512].translate(_PLAIN) if isinstance(each, str) else "_" for each in words[:_MAX_WORDS]]
    starts, at = [], 0
    for each in plain:
        starts.append(at)
        at += len(each) + 1
    return " ".join(plain), starts
