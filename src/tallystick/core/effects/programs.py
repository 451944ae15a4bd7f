"""Programs of which it is known with which options they only read.

A program counts as reading if it changes nothing but its own cache. Running tests and linters counts as reading too:
that is how an agent looks whether its work is right.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from tallystick.core.effects.options import Arguments, allows, has_no_writing_option, names, parse_arguments, parse_spec
from tallystick.core.effects.scripts import is_reading_awk, is_reading_sed
from tallystick.core.effects.shell import UNKNOWN, Word

Words = Sequence[Word]
Judge = Callable[[Words], bool]
"""Whether a program only reads with these arguments."""

HARMLESS_PROGRAMS = names(
    """
    ls cat pwd head tail wc grep egrep fgrep zgrep which stat du df whoami id uname echo basename dirname realpath
    readlink diff cmp md5sum sha1sum sha256sum sha512sum b2sum cksum nl cut tr jq ps printenv uptime true false cd :
    sleep tac rev paste join comm fold fmt expand unexpand column seq expr factor numfmt od hexdump base64
    base32 strings bc
    pgrep pidof pstree free vmstat nproc lscpu lsblk lsusb lspci lsmod groups users who tty arch getconf getent locale
    netstat dig nslookup host cal type whereis exit break continue wait eza exa lsd pg_isready sum getfacl
    lsb_release sw_vers dirs jobs popd pushd zipinfo shellcheck
    """
)
"""Programs that write nothing, whatever their options."""

WRITING_OPTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "rg": ("", ("--pre", "--hostname-bin")),
    "ag": ("", ("--pager",)),
    "sort": ("oT", ("--output", "--compress-program", "--temporary-directory")),
    "tree": ("oR", ("--output",)),  # -R writes a 00Tree.html into each folder
    "file": ("C", ("--compile",)),
    "shuf": ("o", ("--output",)),
    "fd": ("xX", ("--exec",)),
    "fdfind": ("xX", ("--exec",)),
    "lsof": ("D", ()),
    "ss": ("KD", ("--kill", "--diag")),
    "nm": ("", ("--plugin",)),
    "objdump": ("", ("--plugin",)),
    "readelf": ("", ("--plugin",)),
}
"""Programs that write nothing without these options: single letters, which may stand in a cluster (`-ao`), and names,
which may be abbreviated (`--outp`) and continued (`--output=x`)."""

ALLOWED_OPTIONS: dict[str, str] = {
    "ping": "-c: -W: -w: -i: -n -q -4 -6",
    "traceroute": "-n -m: -w: -q:",
    "arp": "-a -n",
    "journalctl": "-u: -n: -f -b -k -p: -r -x -e -o: -t: -q --no-pager --since= --until= --unit= --lines= --priority="
    " --output= --user --system --boot --dmesg --grep= --utc --list-boots --disk-usage",
    "dmesg": "-T -H -k -u -x -t -w -l: -f: --human --level= --facility= --ctime --time-format= --color --follow",
    "top": "-b -n: -d: -p: -o: -c -H -i -l: -s:",
    "bat": "-p -n -A -P -r: -l: --plain --style= --line-range= --language= --paging= --color= --number --decorations=",
    "batcat": "-p -n -A -P -r: -l: --plain --style= --line-range= --language= --paging= --color= --number",
    "yq": "-r -e -P -y -Y -c -C -M -N -j -n -o: -p: --output-format= --input-format= --raw-output --prettyPrint"
    " --no-colors --no-doc --exit-status --unwrapScalar",
    "xmllint": "--noout --format --xpath= --html --nowarning --recover --noblanks --noent",
    "iconv": "-f: -t: -c -l --from-code= --to-code= --list",
    "cloc": "--quiet --json --csv --md --by-file --exclude-dir= --include-lang= --vcs=",
    "tokei": "-f -C -e: -s: -t: -o: --files --sort= --exclude= --output=",
    "gofmt": "-l -d -s -e",
    "zcat": "",
    "bzcat": "",
    "xzcat": "",
    "findmnt": "-l -n -t: -T: -o: -J --json --output= --target=",
    "modinfo": "-F: -n -d",
    "hadolint": "--ignore= --no-fail -f: --format= --failure-threshold=",
    "yamllint": "-d: -c: -f: -s --strict --format= --no-warnings",
    "actionlint": "-color -oneline -no-color -verbose",
    "markdownlint": "-c: --config= -i: --ignore= -q --quiet",
}
"""Programs that write nothing with these options only."""


def judge_program(program: str, words: Words) -> bool | None:
    """Whether a program only reads with these arguments; None if it is not one of those known here."""
    if program in HARMLESS_PROGRAMS:
        return True
    if len(words) == 1 and program in VERSIONED_PROGRAMS.get(words[0].text, ()):
        return True
    if program in WRITING_OPTIONS:
        return has_no_writing_option(words, *WRITING_OPTIONS[program])
    if program in ALLOWED_OPTIONS:
        return allows(words, ALLOWED_OPTIONS[program])
    return _JUDGES[program](words) if program in _JUDGES else None


_LONG_VERSION = names(
    """
    node npm npx yarn pnpm bun deno java javac gcc g++ clang cc make cmake ninja rustc rustup cargo ruby gem perl php
    composer mvn gradle dotnet swift kotlin scala ghc elixir mix julia lua R Rscript tsc eslint prettier jest vitest
    mocha claude codex gemini psql mysql sqlite3 redis-server mongosh ffmpeg convert pandoc latexmk uv poetry pipenv
    conda ansible vagrant packer protoc buf bazel zig nvcc ollama nginx chromium google-chrome chromedriver playwright
    wget curl git gh docker docker-compose podman kubectl helm terraform tofu aws gcloud az python python3 pip pip3
    pytest ruff mypy black isort flake8 pylint pyright tmux vim nvim emacs code ssh openssl gpg brew apt
    systemctl bash zsh sed
    awk xargs find tar zip unzip
    """
)
VERSIONED_PROGRAMS: dict[str, frozenset[str]] = {
    "--version": _LONG_VERSION,
    "--help": _LONG_VERSION,
    "-V": names("python python3 pip pip3 uv ssh tmux perl rustc cargo conda curl psql mysql ruff black mypy"),
    "-v": names("node npm yarn pnpm php claude gemini tsc nvim gcc nginx git mvn gradle jest eslint make"),
    "-version": names("java javac scala kotlin ffmpeg terraform"),
}
"""Programs that print their version, or help, with this option alone."""


def _parse(words: Words, spec: str) -> Arguments | None:
    return parse_arguments(words, parse_spec(spec))


def _judge_date(words: Words) -> bool:
    """`date` sets the clock with `-s`, or with an operand that is no format."""
    found = _parse(words, "-u -R -d: -r: -I -j -v: --utc --date= --iso-8601 --rfc-3339= --reference=")
    return found is not None and all(word.text[:1] == "+" for word in found.operands)


def _allowing(spec: str, *, most: int = 1000, needs: str = "", single_dash: bool = False) -> Judge:
    """A program with these options, at most so many operands, and one of the needed options."""
    return lambda words: allows(words, spec, most=most, needs=needs, single_dash=single_dash)


def _judge_tee(words: Words) -> bool:
    """`tee` writes every operand."""
    found = _parse(words, "-a -i")
    return found is not None and all(
        word.text in ("/dev/null", "/dev/stderr", "/dev/stdout") for word in found.operands
    )


def _judge_printf(words: Words) -> bool:
    """`printf -v NAME` sets a variable."""
    return bool(words) and not words[0].may_be_option and words[0].text[:2] != "-v"


def _judge_read(words: Words) -> bool:
    """`read` sets variables; their names may be no expressions."""
    found = _parse(words, "-r -s -p: -t: -n: -d: -u:")
    return found is not None and all(word.is_plain and word.text.isidentifier() for word in found.operands)


_EVALUATED = frozenset(("-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
"""Operators of `[[` that evaluate an operand, which may hold a substitution."""


def _judge_test(words: Words) -> bool:
    """`test`. Two unknown words side by side may be `-v` and a name that is evaluated."""
    unknown = [word.splits or word.text[:1] == UNKNOWN for word in words]
    is_clear = not any(one and other for one, other in pairwise(unknown))
    return is_clear and not any(word.text in ("-v", "-R") for word in words)


def _judge_condition(words: Words) -> bool:
    return bool(words) and words[-1].text == "]]" and not any(word.text in _EVALUATED for word in words)


def _judge_set(words: Words) -> bool:
    """Options of the shell that stop at errors, or show commands."""
    texts = [word.text for word in words]
    return bool(texts) and all(
        text in ("-e", "-u", "-x", "+e", "+u", "+x", "-eu", "-ex", "-eux", "-o", "pipefail", "-euo", "-euxo", "+o")
        for text in texts
    )


def _judge_source(words: Words) -> bool:
    """Activating a virtual environment of Python: it only changes where programs are found."""
    parts = words[0].text.split("/") if len(words) == 1 and words[0].is_plain else []
    return (
        len(parts) >= 3 and parts[-2:] == ["bin", "activate"] and parts[-3].strip(".") in ("venv", "env", "virtualenv")
    )


def _judge_kill(words: Words) -> bool:
    """`kill -0` looks whether a process is there."""
    return bool(words) and words[0].text in ("-0", "-l") and not any(word.may_be_option for word in words[1:])


def _judge_export(words: Words) -> bool:
    """`export NAME=value` for variables that change only how a program shows things, or which tests it runs."""
    return bool(words) and all(is_harmless_variable(*_name_and_value(word)) for word in words)


def _name_and_value(word: Word) -> tuple[str, Word]:
    name, _, value = word.text.partition("=")
    return name, Word(value)


_HARMLESS_VARIABLES = names(
    """
    LC_ALL LC_CTYPE LANG LANGUAGE TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CI DEBUG LOG_LEVEL VERBOSE
    PYTHONPATH PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED PYTHONWARNINGS
    NODE_ENV RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR CGO_ENABLED GOOS GOARCH DJANGO_SETTINGS_MODULE
    AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT KUBECONFIG CLOUDSDK_CORE_PROJECT GH_REPO GH_HOST
    GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS HYPOTHESIS_PROFILE TEST_DATABASE_URL DATABASE_URL APP_ENV ENVIRONMENT
    RAILS_ENV
    """
)
"""Variables that change how a program shows things, which account it asks, or how tests run."""
_PAGERS = frozenset(("PAGER", "GIT_PAGER", "GH_PAGER", "AWS_PAGER", "MANPAGER", "BAT_PAGER", "SYSTEMD_PAGER"))


def is_harmless_variable(name: str, value: Word) -> bool:
    """Whether a program that reads still only reads with this variable."""
    return name in _HARMLESS_VARIABLES or (name in _PAGERS and value.text in ("", "cat"))


def _judge_sed(words: Words) -> bool:
    """`sed` without `-i`, with a script that writes nothing."""
    found = _parse(
        words,
        "-n -E -r -s -u -z -e: --quiet --silent --regexp-extended --separate --null-data --posix --expression=",
    )
    if found is None:
        return False
    scripts = [value for _, value in found.values] or found.operands[:1]
    return bool(scripts) and all(script.is_plain and is_reading_sed(script.text) for script in scripts)


def _judge_awk(words: Words) -> bool:
    found = _parse(words, "-F: -v: --field-separator= --assign=")
    return bool(found and found.operands and found.operands[0].is_plain and is_reading_awk(found.operands[0].text))


_TAR_LETTERS = re.compile(r"[tvzjJa]*t[vzjJa]*f?")


def _judge_tar(words: Words) -> bool:
    """`tar` lists with `t`. A name with a colon would be asked from another machine."""
    if words and _TAR_LETTERS.fullmatch(words[0].text):  # old style: `tar tzf x`
        words = (Word(f"-{words[0].text}"), *words[1:])
    is_local = not any(":" in word.text for word in words)
    return is_local and allows(words, "-t -v -z -j -J -a -f: --list --verbose --gzip --file=", needs="t --list")


_CURL_OPTIONS = parse_spec(
    "-s -S -f -L -i -I -v -k -g -N -4 -6 -G -H: -A: -u: -m: -w: -b: -e: -X: -o: -D: -d: -r: --silent --show-error"
    " --fail --location --include --head --verbose --insecure --globoff --no-buffer --compressed --ipv4 --ipv6"
    " --http1.1"
    " --http2 --fail-with-body --get --header= --user-agent= --user= --max-time= --connect-timeout="
    " --write-out= --cookie="
    " --referer= --request= --output= --dump-header= --retry= --retry-delay= --retry-max-time= --retry-all-errors"
    " --retry-connrefused --url= --data-urlencode= --data= --no-progress-meter --max-redirs= --cacert= --resolve="
    " --tlsv1.2 --unix-socket= --noproxy= --range= --oauth2-bearer="
)
_CURL_NAMES = {"-o": "output", "-X": "request", "-w": "write-out", "-D": "dump-header", "-d": "data"}


def _judge_curl(words: Words) -> bool:
    """`curl` that asks with GET or HEAD and writes to standard output."""
    found = parse_arguments(words, _CURL_OPTIONS)
    if found is None or not all(_is_web_address(word.text) for word in found.operands):
        return False
    is_get = bool(found.flags & {"G", "--get"})
    return all(
        _is_harmless_curl_value(_CURL_NAMES.get(name, name.lstrip("-")), value.text, is_get)
        for name, value in found.values
    )


def _is_web_address(text: str) -> bool:
    return "://" not in text or text.lower().startswith(("http://", "https://"))


def _is_harmless_curl_value(name: str, value: str, is_get: bool) -> bool:
    match name:
        case "output" | "dump-header":
            return value in ("/dev/null", "-", "/dev/stdout", "/dev/stderr")
        case "request":
            return value in ("GET", "HEAD", "OPTIONS")
        case "write-out":  # %output{FILE} writes a file, and so may a format that is read from a file
            return "%output" not in value and value[:1] not in ("@", UNKNOWN) and UNKNOWN not in value
        case "data" | "data-urlencode":
            return is_get
        case "url":
            return _is_web_address(value)
        case _:
            return True


_CERTIFICATE_OPTIONS = (
    "-in= -inform= -noout -text -subject -issuer -dates -enddate -startdate -fingerprint -sha256 -sha1 -serial"
    " -checkend= -ext= -pubkey -purpose -email -hash -nameopt= -a -v"
)


def _judge_openssl(words: Words) -> bool:
    """A certificate or the version, without an output file."""
    is_known = bool(words) and words[0].text in ("x509", "version", "crl")
    return is_known and allows(words[1:], _CERTIFICATE_OPTIONS, most=0, single_dash=True)


def _judge_ip(words: Words) -> bool:
    """`ip` shows with no verb, `show`, `list` or `get`."""
    found = parse_arguments(words, parse_spec("-4 -6 -br -brief -s -j -c -o -d -a", single_dash=True))
    texts = [word.text for word in found.operands] if found else []
    if texts[:1] not in ([name] for name in ("a", "addr", "address", "l", "link", "r", "route", "n", "neigh", "rule")):
        return False
    return len(texts) == 1 or texts[1] in ("show", "list", "ls", "get", "s")


def _judge_service(words: Words) -> bool:
    return len(words) == 2 and words[1].text == "status" and not words[0].may_be_option


def _judge_redis(words: Words) -> bool:
    found = _parse(words, "-h: -p: -n: -a: -u: --raw --no-auth-warning --tls")
    return bool(found and found.operands and found.operands[0].text.lower() in _REDIS_READS)


_REDIS_READS = names(
    "get mget keys info ping ttl pttl type exists strlen llen lrange lindex hget hgetall hkeys hlen hexists smembers"
    " scard sismember zrange zcard zscore scan dbsize"
)


_GZIP = _allowing(
    "-l -t -c -d -k -v -q --list --test --stdout --to-stdout --decompress",
    needs="l t c --list --test --stdout --to-stdout",
)

_JUDGES: dict[str, Judge] = {
    "date": _judge_date,
    "uniq": _allowing("-c -d -u -i -D -z -f: -s: -w: --count --repeated --unique --ignore-case --skip-fields=", most=1),
    "xxd": _allowing("-l: -s: -c: -g: -p -u -b -i -e", most=1),
    "crontab": _allowing("-l -u:", most=0, needs="l"),
    "mount": _allowing("-l -v -t:", most=0),
    "ulimit": _allowing("-a -n -u -s -f -c -H -S -v -m", most=0),
    "history": _allowing("-#", most=1),
    "ifconfig": _allowing("-a", most=1),
    "nvidia-smi": _allowing("-L -q --list-gpus --query-gpu= --format= --query-compute-apps= --query", most=0),
    "gzip": _GZIP,
    "gunzip": _GZIP,
    "unzip": _allowing("-l -v -p -c -q -Z -t -1", needs="l v p c Z t"),
    "hostname": _allowing("-f -i -I -s -d -A --fqdn --all-ip-addresses", most=0),
    "hostnamectl": _allowing("--no-pager", most=0),
    "timedatectl": _allowing("--no-pager", most=0),
    "tee": _judge_tee,
    "printf": _judge_printf,
    "read": _judge_read,
    "test": _judge_test,
    "[": _judge_test,
    "[[": _judge_condition,
    "set": _judge_set,
    "source": _judge_source,
    ".": _judge_source,
    "kill": _judge_kill,
    "export": _judge_export,
    "sed": _judge_sed,
    "gsed": _judge_sed,
    "awk": _judge_awk,
    "gawk": _judge_awk,
    "mawk": _judge_awk,
    "tar": _judge_tar,
    "curl": _judge_curl,
    "openssl": _judge_openssl,
    "ip": _judge_ip,
    "service": _judge_service,
    "redis-cli": _judge_redis,
}
