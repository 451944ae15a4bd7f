"""Credentials in the places where they turn up, made afresh for each run from a fixed seed. No literal here is a
credential, or looks like one: each is put together from pieces."""

from __future__ import annotations

import json
import random
import string
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from tests.core.command_corpus import COMMANDS_WITH_SECRETS, SETTING_COMMANDS
from tests.core.token_corpus import ALNUM, HEX, TOKEN_MAKERS, URLSAFE, Make, b64, jwt, pem, run

Place = Callable[[str, str], object]

SYMBOLS = "!@#$%^*-_+=?~."
WORDS = "correct horse battery staple garden winter copper violet marble falcon ribbon tundra".split()  # noqa: SIM905


class Planted(NamedTuple):
    """A credential in a place: the value to mask, and the pieces of which none may be left."""

    kind: str
    place: str
    value: object
    pieces: tuple[str, ...]

    def survives(self, output: str) -> bool:
        """Whether eight characters in a row are left of it anywhere (or all of it, when it is shorter)."""
        return any(piece[i : i + 8] in output for piece in self.pieces for i in range(max(1, len(piece) - 7)))


def survivors(planted: Sequence[Planted], output: str) -> list[Planted]:
    """Those of which something is left in a large text, which is walked through once for all of them."""
    windows = {piece[i : i + 8] for each in planted for piece in each.pieces for i in range(max(1, len(piece) - 7))}
    seen = {output[at : at + 8] for at in range(len(output)) if output[at : at + 8] in windows}
    seen |= {window for window in windows if len(window) < 8 and window in output}
    return [each for each in planted if each.survives("\n".join(seen))] if seen else []


TOKEN_CONTEXTS: dict[str, Place] = {
    "nested argument": lambda s, _: {"arguments": {"config": {"items": [{"note": s}]}}},
    "sentence": lambda s, _: {"text": f"I set it up with {s}, which should work now."},
    "sentence end": lambda s, _: f"The one to use is {s}.",
    "markdown": lambda s, _: f"Use `{s}` here:\n\n```\n{s}\n```\n",
    "url path": lambda s, _: f"GET https://api.example.com/v1/{s}/items failed",
    "url user": lambda s, _: f"git clone https://{s}@git.example.com/acme/app.git",
    "url query": lambda s, _: {"url": f"https://api.example.com/v1?x={s}&page=2"},
    "header line": lambda s, _: f"> POST /v1 HTTP/1.1\n> X-Custom: {s}\n> Accept: */*\n",
    "bearer header": lambda s, _: {"headers": {"X": f"Bearer {s}"}},
    "exception": lambda s, _: {"error": f"ValueError: 401 for {s!r} (retry later)"},
    "traceback": lambda s, _: f'Traceback (most recent call last):\n  File "a.py", line 3\n    call("{s}")\nKeyError',
    "env file": lambda s, _: f"# local\nDEBUG=1\nVALUE={s}\nPORT=8000\n",
    "JSON in a string": lambda s, _: {"body": json.dumps({"a": [1, {"b": s}]})},
    "JSON in JSON in a string": lambda s, _: {"body": json.dumps({"a": json.dumps({"b": f"x\n{s}"})})},
    "command line": lambda s, _: {"command": f"deploy --region eu --with {s} && echo done"},
    "argument list": lambda s, _: ["deploy", "--with", s],
    "multi-line": lambda s, _: f"first line\n  {s}\nlast line\n",
    "code": lambda s, _: f'client = Client("{s}", timeout=3)  # works',
    "key of a tree": lambda s, _: {"seen": {s: 3}},
    "changed line": lambda s, _: f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+{s}\n",
    "percent escapes": lambda s, _: f"https://example.com/?next={quote(s, safe='')}&page=2",
    "base64": lambda s, _: {"data": {"x": b64(s)}},
    "base64 in a text": lambda s, _: f"echo {b64(f'KEY={s}' + chr(10))} | base64 -d",
    "list": lambda s, _: {"values": ["a", s, "b"]},
}


def password(rng: random.Random) -> str:
    """As people and generators make them: always with a digit, never with quotes, blanks or brackets."""
    if rng.random() < 0.2:
        return "-".join(rng.sample(WORDS, 3)) + f"-{rng.randint(10, 99)}"
    drawn = rng.choice(string.ascii_letters) + run(rng, ALNUM + SYMBOLS, 9, 24) + rng.choice(ALNUM)
    return drawn if any(c.isdigit() for c in drawn) else drawn + str(rng.randint(10, 99))


def seed_phrase(rng: random.Random) -> str:
    return " ".join(rng.choices([word for word in WORDS if len(word) <= 8], k=12))


def hexadecimal(rng: random.Random) -> str:
    return run(rng, HEX, 31) + "7"


def random_value(rng: random.Random) -> str:
    return "w" + run(rng, ALNUM + "+/", 38) + "1"


# Credentials that only their name gives away, with names under which they turn up.
NAMED: dict[str, tuple[Make, tuple[str, ...]]] = {
    "password": (password, ("password", "DB_PASSWORD", "adminPassword", "smtp-password", "PGPASSWORD", "user_passwd")),
    "pwd": (password, ("pwd", "MYSQL_PWD", "dbPwd")),
    "passphrase": (password, ("passphrase", "KEY_PASSPHRASE")),
    "secret": (hexadecimal, ("secret", "client_secret", "clientSecret", "CLIENT_SECRET", "app-secret")),
    "token": (hexadecimal, ("token", "githubToken", "X-Auth-Token", "CI_JOB_TOKEN", "session_token", "bot-token")),
    "oauth token": (lambda rng: run(rng, URLSAFE, 40) + "1a", ("access_token", "refreshToken", "ID_TOKEN")),
    "api key": (hexadecimal, ("api_key", "apikey", "x-api-key", "apiKey", "MAPS_API_KEY", "ServiceApiKey")),
    "aws secret": (random_value, ("aws_secret_access_key", "SecretAccessKey")),
    "secret key": (lambda rng: run(rng, ALNUM, 40) + "9", ("STRIPE_SECRET_KEY", "secret_key", "SECRET_KEY_BASE")),
    "private key": (lambda rng: run(rng, ALNUM + "+/", 60) + "8=", ("private_key", "privateKey", "PRIVATE_KEY")),
    "credentials": (hexadecimal, ("credentials", "SERVICE_CREDENTIALS")),
}

# The same, with names that other values have as well: the value must look random.
MORE_NAMED: dict[str, tuple[Make, tuple[str, ...]]] = {
    "account key": (random_value, ("storage_account_key", "SERVICE_ACCOUNT_KEY", "X-Functions-Key", "license_key")),
    "jwt by name": (lambda rng: run(rng, ALNUM, 40) + "1a", ("jwt", "USER_JWT")),
}

NAMED_CONTEXTS: dict[str, Place] = {
    "nested argument": lambda s, n: {"arguments": {"auth": {n: s}}},
    "list under a name": lambda s, n: {n: [s, s]},
    "tree under a name": lambda s, n: {n: {"current": s}},
    "text": lambda s, n: f"connecting with {n}={s} to the database",
    "text, comma": lambda s, n: f"connect(host=db, {n}={s}, retries=3)",
    "connection string": lambda s, n: f"Server=db;Uid=app;{n}={s};Database=x",
    "keyword string": lambda s, n: f"host=db user=app {n}={s} dbname=x",
    "url query": lambda s, n: f"GET https://example.com/cb?state=1&{n}={s.replace('#', '')}&page=2 failed",
    "header line": lambda s, n: f"POST /v1 HTTP/1.1\r\n{n}: {s}\r\nAccept: */*\r\n",
    "exception": lambda s, n: f"RuntimeError: refused ({n}: {s!r})",
    "python dict": lambda s, n: f"config was {{'{n}': '{s}', 'port': 5432}}",
    "python code": lambda s, n: f'{n.replace("-", "_")} = "{s}"  # for now',
    "typed code": lambda s, n: f'    {n.replace("-", "_")}: str = "{s}"',
    "item": lambda s, n: f'os.environ["{n}"] = "{s}"',
    "env file": lambda s, n: f"# local\nDEBUG=1\n{n.replace('-', '_').upper()}={s}\nPORT=8000\n",
    "export": lambda s, n: f"export {n.replace('-', '_').upper()}='{s}' && make",
    "flag": lambda s, n: {"command": f"login --user me --{n.replace('_', '-')} {s} --quiet"},
    "flag with =": lambda s, n: {"command": f"login --{n.replace('_', '-')}={s} --quiet"},
    "argument list": lambda s, n: {"argv": ["login", f"--{n}", s, "--quiet"]},
    "argument list as text": lambda s, n: f"ran ['login', '--{n}', '{s}']",
    "JSON in a string": lambda s, n: {"body": json.dumps({"a": {n: s}})},
    "JSON in JSON in a string": lambda s, n: {"body": json.dumps({"a": json.dumps({n: s, "b": 1})})},
    "env file in JSON in a string": lambda s, n: {"body": json.dumps({"file": f"A=1\n{n}={s}\nB=2\n"})},
    "yaml": lambda s, n: f"service:\n  user: app\n  {n}: {s}\n  port: 1\n",
    "ini": lambda s, n: f"[default]\n{n} = {s}\nregion = eu\n",
    "name and value": lambda s, n: {"env": [{"name": n, "value": s}]},
    "name and value as yaml": lambda s, n: f"env:\n  - name: {n}\n    value: {s}\n",
    "xml": lambda s, n: f"<config><{n}>{s}</{n}></config>",
    "markdown": lambda s, n: f"- **{n}**: `{s}`\n",
    "yaml block": lambda s, n: f"service:\n  {n}: |\n    {s}\n  port: 1\n",
    "yaml folded block": lambda s, n: f"- {n}: >-\n    {s}\n",
    "yaml next line": lambda s, n: f"service:\n  {n}:\n    {s}1a\n  port: 1\n",
    "makefile": lambda s, n: f"{n.replace('-', '_').upper()} ?= {s}\nall:\n",
    "makefile at once": lambda s, n: f"{n.replace('-', '_').upper()} := {s}\nall:\n",
    "three quotes": lambda s, n: f'{n.replace("-", "_")} = """{s}"""\n',
    "on the next line": lambda s, n: f"export {n.replace('-', '_').upper()}=\\\n{s}\n",
    "flag on the next line": lambda s, n: {"command": f"login \\\n  --{n.replace('_', '-')} \\\n  {s} \\\n  --quiet"},
    "dockerfile": lambda s, n: f"FROM x\nENV {n.replace('-', '_').upper()} {s}\nRUN y\n",
    "java property": lambda s, n: {"command": f"java -D{n}={s} -jar a.jar"},
    "powershell": lambda s, n: f"Set-Item -Path Env:{n.replace('-', '_')} -Value '{s}'",
    "percent escapes": lambda s, n: f"https://example.com/?next={quote(f'/cb?{n}={s}&a=1', safe='')}&page=2",
    "base64": lambda s, n: {"data": b64(f"{n}={s}\n")},
    "base64 for URLs": lambda s, n: f"d={urlsafe_b64encode(f'A=1 {n}={s}'.encode()).decode().rstrip('=')} x",
}


def in_url(scheme: str) -> tuple[Make, Place]:
    def make(rng: random.Random) -> str:
        return password(rng).translate(str.maketrans("", "", "#?@%^"))

    return make, lambda s, _: f"{scheme}://app:{s}@db.example.com:5432/x?a=1"


def on_line(line: str) -> Place:
    return lambda s, _: {"command": line.replace("{}", s)}


def of_container(name: str) -> Place:
    return lambda s, _: f"env:\n  - name: {name}\n    value: '{s}'\n"


CONTEXT_SECRETS: dict[str, tuple[Make, Place]] = {
    **{f"{scheme} url": in_url(scheme) for scheme in "postgres mysql mongodb+srv amqp https ftp smtp".split()},  # noqa: SIM905
    "redis url": (hexadecimal, lambda s, _: {"dsn": f"redis://:{s}@cache:6379/0"}),
    "bearer": (lambda rng: run(rng, URLSAFE, 30) + "1", lambda s, _: f"curl -H 'Authorization: Bearer {s}' x"),
    "bearer alone": (lambda rng: run(rng, URLSAFE, 30) + "1", lambda s, _: {"note": f"sent Bearer {s} twice"}),
    "basic": (lambda rng: b64("app:" + password(rng)), lambda s, _: f"Authorization: Basic {s}\r\nAccept: x\r\n"),
    "basic alone": (lambda rng: b64("app:" + password(rng)), lambda s, _: {"h": ["Basic " + s]}),
    "basic in repr": (lambda rng: b64("app:" + password(rng)), lambda s, _: f"{{'Authorization': 'Basic {s}'}}"),
    "authorization": (hexadecimal, lambda s, _: {"headers": {"Authorization": f"ApiKey {s}"}}),
    "proxy authorization": (hexadecimal, lambda s, _: f"Proxy-Authorization: Basic {s}"),
    "cookie": (hexadecimal, lambda s, _: f"GET / HTTP/1.1\r\nCookie: theme=dark; sid={s}; a=b\r\n\r\n"),
    "set-cookie": (hexadecimal, lambda s, _: {"h": f"Set-Cookie: sid={s}; Path=/; HttpOnly"}),
    "header pair": (hexadecimal, lambda s, _: {"headers": [["Accept", "*/*"], ["X-Api-Key", s]]}),
    "cookie pair": (hexadecimal, lambda s, _: {"headers": [["Cookie", f"sid={s}; theme=dark"], ["Accept", "*/*"]]}),
    "authorization pair": (password, lambda s, _: {"headers": [["authorization", s]]}),
    "digest in a flat list": (
        hexadecimal,
        lambda s, _: ["Host", "x", "Authorization", f'Digest a="b", response="{s}"'],
    ),
    "cookie in a flat list": (hexadecimal, lambda s, _: ["Host", "x", "cookie", f"sid={s}; a=b", "Accept", "x"]),
    "cookie in bytes": (hexadecimal, lambda s, _: f"{{'headers': [(b'host', b'x'), (b'cookie', b'sid={s}')]}}"),
    "key in bytes": (hexadecimal, lambda s, _: f"headers=[(b'x-api-key', b'{s}'), (b'accept', b'*/*')]"),
    "cookie header of a tree": (hexadecimal, lambda s, _: {"headers": {"cookie": f"sid={s}"}}),
    "aws signed url": (lambda rng: run(rng, HEX, 63) + "1", lambda s, _: f"https://x/y?a=1&X-Amz-Signature={s}&b=2"),
    "azure sas": (lambda rng: run(rng, ALNUM, 40) + "1%3D", lambda s, _: f"https://x/y?sv=2022&sig={s}&se=1"),
    "azure account": (lambda rng: run(rng, ALNUM + "+/", 86) + "==", lambda s, _: f"AccountName=x;AccountKey={s};E=y"),
    "key query": (lambda rng: run(rng, ALNUM, 30) + "1", lambda s, _: {"url": f"https://maps.example.com/?key={s}"}),
    "curl user": (password, lambda s, _: f"curl -sS -u app:{s} https://example.com"),
    **{line: (password, on_line(line)) for line in COMMANDS_WITH_SECRETS},
    **{line: (random_value, on_line(line)) for line in SETTING_COMMANDS},
    "php constant": (password, lambda s, _: f"define( 'DB_PASSWORD', '{s}' );"),
    "environment of a process": (password, lambda s, _: f'os.environ.setdefault("DB_PASSWORD", "{s}")'),
    "java property": (password, lambda s, _: {"code": f'System.setProperty("db.password", "{s}");'}),
    "local storage": (random_value, lambda s, _: json.dumps({"js": f"localStorage.setItem('access_token', \"{s}\")"})),
    "setting of a client": (random_value, lambda s, _: f'config.set("api_key", "{s}")'),
    **{f"{name} of a container": (password, of_container(name)) for name in ("DB_PASS", "SMTP_PASS", "PGPASS")},
    "laravel": (lambda rng: run(rng, ALNUM + "+/", 42) + "7=", lambda s, _: f"APP_KEY=base64:{s}\nDEBUG=1"),
    "wireless": (hexadecimal, lambda s, _: f'network={{\n ssid="home"\n psk="{s}"\n}}'),
    "go": (password, lambda s, _: f"app:{s}@tcp(db.example.com:3306)/shop?parseTime=true"),
    "oracle": (hexadecimal, lambda s, _: f"jdbc:oracle:thin:app/{s}@//db.example.com:1521/x"),
    "netrc": (password, lambda s, _: f"machine api.example.com login me password {s}\n"),
    "netrc in lines": (password, lambda s, _: f"machine api.example.com\n  login me\n  password {s}\n"),
    "fernet": (lambda rng: run(rng, URLSAFE, 42) + "7=", lambda s, _: f"FERNET_KEY={s}"),
    "redis in the environment": (password, lambda s, _: {"command": f"REDISCLI_AUTH='{s}' redis-cli ping"}),
    "user of a url": (hexadecimal, lambda s, _: f"git push https://{s}@git.example.com/acme/app.git"),
    "mysql of a plugin": (password, lambda s, _: f"ALTER USER app IDENTIFIED WITH caching_sha2_password BY '{s}'"),
    "sqlcipher": (password, lambda s, _: f"PRAGMA key = '{s}';"),
    "seed phrase in yaml": (lambda rng: " ".join(rng.choices(WORDS, k=12)), lambda s, _: f"a: 1\nseed_phrase: {s}\n"),
    "mnemonic": (seed_phrase, lambda s, _: {"wallet": {"mnemonic": s}}),
    "mnemonic in a file": (seed_phrase, lambda s, _: f"MNEMONIC={s}\nPORT=1\n"),
    "refused key": (random_value, lambda s, _: f"Error: Incorrect API key provided: {s}. You can find yours at x"),
    "sql": (password, lambda s, _: f"CREATE USER app WITH PASSWORD '{s}';"),
    "mysql": (password, lambda s, _: f"CREATE USER app IDENTIFIED BY '{s}'"),
    "recovery code": (hexadecimal, lambda s, _: {"recovery_code": s}),
    "recovery codes": (hexadecimal, lambda s, _: json.dumps({"recovery_codes": [s, "a"]})),
    "seed phrase": (lambda rng: " ".join(rng.choices(WORDS, k=12)), lambda s, _: {"wallet": {"seed_phrase": s}}),
    "seed phrase in text": (lambda rng: " ".join(rng.choices(WORDS, k=12)), lambda s, _: f'seedPhrase: "{s}"'),
    "spoken": (hexadecimal, lambda s, _: f"The password is {s} for now"),
    "number": (lambda rng: run(rng, "123456789", 9), lambda s, _: {"password": int(s)}),
    "github in base64": (lambda rng: b64(TOKEN_MAKERS["github ghp"](rng)), lambda s, _: {"data": {"x": s}}),
    "jwt in base64": (lambda rng: b64(jwt(rng)), lambda s, _: f"data:\n  x: {s}\n"),
    "stripe in base64": (lambda rng: b64(TOKEN_MAKERS["stripe live"](rng)), lambda s, _: {"x": s}),
    "pem in base64": (lambda rng: b64(pem(rng, "RSA ")), lambda s, _: {"client": {"data": s}}),
}

PEM_CONTEXTS: dict[str, Place] = {
    "file": lambda s, _: f"before\n{s}\nafter",
    "argument": lambda s, _: {"arguments": {"pem": s}},
    "JSON in a string": lambda s, _: {"body": json.dumps({"pem": s})},
    "one line": lambda s, _: "KEY=" + s.replace("\n", "\\n"),
    "cut off": lambda s, _: "error near:\n" + s[: len(s) - 60],
    "here document": lambda s, _: {"command": f"cat > id <<EOF\n{s}\nEOF"},
}


def planted_secrets(seed: int | str = 20, each: int = 24) -> Iterator[Planted]:
    """Every kind `each` times with a new value, and each value in all the contexts of its kind."""
    rng = random.Random(seed)
    for _ in range(each):
        for kind, make in TOKEN_MAKERS.items():
            secret = make(rng)
            pieces = (secret.rpartition("/")[2] if "webhook" in kind else secret[-max(12, len(secret) - 12) :],)
            for context, put in TOKEN_CONTEXTS.items():
                yield Planted(kind, context, put(secret, ""), pieces)
        for kind, (make, names) in (NAMED | MORE_NAMED).items():
            secret = make(rng)
            for context, put in NAMED_CONTEXTS.items():
                yield Planted(kind, context, put(secret, rng.choice(names)), (secret,))
        for kind, (make, put) in CONTEXT_SECRETS.items():
            secret = make(rng)
            yield Planted(kind, "its own", put(secret, ""), (secret,))
        for label in ("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "):
            secret = pem(rng, label)
            for context, put in PEM_CONTEXTS.items():
                yield Planted(f"{label}private key", context, put(secret, ""), tuple(secret.split("\n")[1:-2]))
