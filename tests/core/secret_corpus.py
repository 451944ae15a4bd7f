"""Credentials in the places where they turn up, made afresh for each run from a fixed seed. No literal here is a
credential, or looks like one: each is put together from pieces."""

from __future__ import annotations

import json
import random
import string
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tests.core.command_corpus import HOLDING, SETTING

Make = Callable[[random.Random], str]
Place = Callable[[str, str], object]

ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
HEX = "0123456789abcdef"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
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


def run(rng: random.Random, alphabet: str, low: int, high: int = 0) -> str:
    return "".join(rng.choices(alphabet, k=rng.randint(low, high or low)))


def start(*parts: str) -> str:
    return "".join(parts)


def prefixed(parts: tuple[str, ...], alphabet: str, low: int, high: int = 0) -> Make:
    return lambda rng: start(*parts) + run(rng, alphabet, low, high)


def b64(text: str) -> str:
    return b64encode(text.encode()).decode()


def jwt(rng: random.Random) -> str:
    head = urlsafe_b64encode(json.dumps({"alg": rng.choice(["HS256", "RS256"]), "typ": "JWT"}).encode())
    body = urlsafe_b64encode(json.dumps({"sub": run(rng, string.digits, 8), "iat": rng.randint(1, 10**9)}).encode())
    return ".".join([head.decode().rstrip("="), body.decode().rstrip("="), run(rng, URLSAFE, 43)])


def discord(rng: random.Random) -> str:
    return ".".join([b64(run(rng, "123456789", 18)), run(rng, URLSAFE, 6), run(rng, URLSAFE, 27, 38)])


def uuid(rng: random.Random) -> str:
    return "-".join(run(rng, HEX, length) for length in (8, 4, 4, 4, 12))


def grafana_cloud(rng: random.Random) -> str:
    return start("gl", "c_") + b64(json.dumps({"o": run(rng, string.digits, 6), "k": run(rng, ALNUM, 24)}))


def azure(mark: str) -> Make:
    return lambda rng: run(rng, ALNUM + "+/", 76) + mark + run(rng, ALNUM, 5) + "Q=="


# Kinds that are written in more than one way.
VARIANTS: dict[str, Make] = {
    "gitlab runner": prefixed(("GR", "1348941"), URLSAFE, 20),
    "docker organisation": prefixed(("dckr", "_oat_"), URLSAFE, 32),
    "webhook secret in base64": prefixed(("wh", "sec_"), ALNUM + "+/", 32),
    "grafana cloud": grafana_cloud,
    "supabase secret": lambda rng: start("sb", "_secret_") + run(rng, URLSAFE, 22) + "_" + run(rng, ALNUM, 8),
    "mailgun of today": lambda rng: "-".join(run(rng, HEX, length) for length in (32, 8, 8)),
    "doppler of an environment": prefixed(("d", "p.", "st.", "dev."), ALNUM, 43),
    "aws bedrock": prefixed(("AB", "SKQmVkcm9ja0FQSUtleS"), ALNUM + "+/", 100),
    "launchdarkly access": lambda rng: start("ap", "i-") + uuid(rng),
    "bitbucket": lambda rng: start("AT", "BB") + run(rng, ALNUM, 31) + "7",
    "atlassian organisation": prefixed(("ATC", "TT3xFfGN0"), URLSAFE, 180),
    "circleci project": lambda rng: start("CCI", "PRJ_") + run(rng, ALNUM, 22) + "_" + run(rng, HEX, 40),
    "linear oauth": prefixed(("lin", "_oauth_"), HEX, 64),
    "planetscale oauth": prefixed(("psc", "ale_", "oauth_"), URLSAFE, 43),
    "sourcegraph local": prefixed(("sg", "p_local_"), HEX, 40),
    "hugging face organisation": prefixed(("ap", "i_org_"), string.ascii_letters, 34),
    "google refresh": prefixed(("1/", "/0"), URLSAFE, 60),
    "new relic license": lambda rng: run(rng, HEX, 36) + start("NR", "AL"),
    "new relic insights": prefixed(("NR", "II-"), URLSAFE, 32),
    "1password secret key": lambda rng: (
        start("A", "3-") + "-".join(run(rng, UPPER, length) for length in (6, 6, 5, 5, 5, 5))
    ),
    "fly organisation": prefixed(("f", "o1_"), URLSAFE, 43),
    "artifactory reference": prefixed(("cm", "VmdGtu"), ALNUM, 56),
    "vault of old": lambda rng: start("s", ".") + run(rng, ALNUM, 23) + "7",
    "vercel gateway": prefixed(("vc", "k_"), ALNUM, 56),
    "prefect of a service": prefixed(("pn", "b_"), LOWER, 36),
    "cloudflare user": lambda rng: start("cf", "ut_") + run(rng, ALNUM, 40) + run(rng, HEX, 8),
    "azure storage": azure("+A" + "St"),
    "azure devops": lambda rng: (
        run(rng, ALNUM, 52) + start("JQQ", "J99") + run(rng, ALNUM, 16) + "AZDO" + run(rng, ALNUM, 4)
    ),
    "azure client": lambda rng: run(rng, ALNUM, 3) + start("8", "Q~") + run(rng, URLSAFE + "~", 33) + "a",
}

# Credentials that are known wherever they stand.
SHAPED: dict[str, Make] = {
    **{f"github gh{c}": prefixed(("gh", c, "_"), ALNUM, 36) for c in "pousr"},
    "github fine-grained": lambda rng: start("github", "_pat_") + run(rng, ALNUM, 22) + "_" + run(rng, ALNUM, 59),
    "gitlab": prefixed(("gl", "pat-"), URLSAFE, 20),
    **{f"slack {c}": prefixed(("xo", "x", c, "-"), string.digits + ALNUM + "-", 40, 60) for c in "abprs"},
    "slack webhook": lambda rng: start("https://hooks.", "slack.com/services/T1/B2/") + run(rng, ALNUM, 24),
    "stripe live": prefixed(("sk", "_live_"), ALNUM, 24, 99),
    "stripe restricted": prefixed(("rk", "_live_"), ALNUM, 24, 99),
    "stripe test": prefixed(("sk", "_test_"), ALNUM, 24, 99),
    "stripe restricted test": prefixed(("rk", "_test_"), ALNUM, 24, 99),
    "webhook secret": prefixed(("wh", "sec_"), ALNUM, 32),
    "our own": prefixed(("t", "s_"), URLSAFE, 43),
    "openai": prefixed(("s", "k-"), ALNUM, 48),
    "openai project": prefixed(("sk", "-proj-"), URLSAFE, 60, 150),
    "anthropic": prefixed(("sk", "-ant-", "api03-"), URLSAFE, 90),
    "google key": prefixed(("AI", "za"), URLSAFE, 35),
    "google token": prefixed(("ya", "29."), URLSAFE, 60, 150),
    "aws key id": prefixed(("AK", "IA"), UPPER, 16),
    "aws session key id": prefixed(("AS", "IA"), UPPER, 16),
    "npm": prefixed(("np", "m_"), ALNUM, 36),
    "pypi": prefixed(("py", "pi-", "AgEIcHlwaS5vcmc"), URLSAFE, 120, 160),
    "hugging face": prefixed(("h", "f_"), ALNUM, 34),
    "sendgrid": lambda rng: ".".join([start("S", "G"), run(rng, URLSAFE, 22), run(rng, URLSAFE, 43)]),
    "heroku": prefixed(("HR", "KU-"), URLSAFE, 36),
    "twilio": prefixed(("S", "K"), HEX, 32),
    "telegram": lambda rng: run(rng, "123456789", 9, 10) + start(":A", "A") + run(rng, URLSAFE, 33),
    "discord": discord,
    "discord webhook": lambda rng: (
        start("https://disc", "ord.com/api/webhooks/", "1" * 18, "/") + run(rng, URLSAFE, 68)
    ),
    "jwt": jwt,
    "vault": prefixed(("hv", "s."), URLSAFE, 24, 90),
    "digitalocean": prefixed(("do", "p_v1_"), HEX, 64),
    "shopify": prefixed(("sh", "pat_"), HEX, 32),
    "databricks": prefixed(("da", "pi"), HEX, 32),
    "linear": prefixed(("lin", "_api_"), ALNUM, 40),
    "notion": prefixed(("nt", "n_"), ALNUM, 46),
    "notion old": prefixed(("sec", "ret_"), ALNUM, 43),
    "groq": prefixed(("gs", "k_"), ALNUM, 52),
    "xai": prefixed(("xa", "i-"), ALNUM, 80),
    "replicate": prefixed(("r", "8_"), ALNUM, 37),
    "perplexity": prefixed(("pp", "lx-"), ALNUM, 48),
    "google secret": prefixed(("GOC", "SPX-"), URLSAFE, 28),
    "docker": prefixed(("dckr", "_pat_"), URLSAFE, 27),
    "tailscale": lambda rng: start("ts", "key-", "client-") + run(rng, ALNUM, 17) + "-" + run(rng, ALNUM, 32),
    "grafana": lambda rng: start("gl", "sa_") + run(rng, ALNUM, 32) + "_" + run(rng, HEX, 8),
    "sentry": prefixed(("snt", "rys_", "eyJpYXQiOjE3"), ALNUM + "+/", 100),
    "sentry user": prefixed(("snt", "ryu_"), HEX, 64),
    "figma": prefixed(("fi", "gd_"), URLSAFE, 40),
    "rubygems": prefixed(("ruby", "gems_"), HEX, 48),
    "pulumi": prefixed(("pu", "l-"), HEX, 40),
    "terraform": lambda rng: run(rng, ALNUM, 14) + start(".atl", "asv1.") + run(rng, URLSAFE, 67),
    "atlassian": prefixed(("ATA", "TT3xFfGF0"), URLSAFE, 180),
    "new relic": prefixed(("NR", "AK-"), UPPER, 27),
    "1password": prefixed(("op", "s_ey", "J"), URLSAFE, 200),
    "supabase": prefixed(("sb", "p_"), HEX, 40),
    "render": prefixed(("rn", "d_"), ALNUM, 32),
    "vercel": prefixed(("vc", "p_"), ALNUM, 56),
    "fly": prefixed(("f", "m2_"), ALNUM + "+/", 100),
    "airtable": lambda rng: start("p", "at") + run(rng, ALNUM, 14) + "." + run(rng, HEX, 64),
    "teams webhook": lambda rng: (
        start("https://a.webhook.", "office.com/webhookb2/")
        + f"{'1' * 36}@{'2' * 36}/IncomingWebhook/"
        + run(rng, HEX, 32)
    ),
    "age": prefixed(("AGE-", "SECRET-", "KEY-1"), "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    **{f"gitlab {word}": prefixed(("gl", f"{word}-"), URLSAFE, 20) for word in "rt dt ptt soat imt agent ft".split()},  # noqa: SIM905
    "gitlab ci": prefixed(("gl", "cbt-", "64_"), URLSAFE, 20),
    "readme": prefixed(("rd", "me_"), LOWER, 70),
    "square": prefixed(("sq", "0atp-"), URLSAFE, 22),
    "square access": prefixed(("EA", "AA"), URLSAFE, 60),
    "facebook": prefixed(("EA", "A"), ALNUM, 180),
    "mailgun": prefixed(("ke", "y-"), HEX, 32),
    "mailchimp": lambda rng: run(rng, HEX, 32) + start("-u", "s12"),
    "brevo": lambda rng: start("xkey", "sib-") + run(rng, HEX, 64) + "-" + run(rng, ALNUM, 16),
    "postman": lambda rng: start("PM", "AK-") + run(rng, HEX, 24) + "-" + run(rng, HEX, 34),
    "planetscale": prefixed(("psc", "ale_", "tkn_"), URLSAFE, 43),
    "planetscale password": prefixed(("psc", "ale_", "pw_"), URLSAFE, 43),
    "dropbox": prefixed(("s", "l."), URLSAFE, 140),
    "doppler": prefixed(("d", "p.", "pt."), ALNUM, 43),
    "dynatrace": lambda rng: start("dt", "0c01.") + run(rng, UPPER, 24) + "." + run(rng, UPPER, 64),
    "buildkite": prefixed(("bk", "ua_"), HEX, 40),
    "circleci": lambda rng: start("CCI", "PAT_") + run(rng, ALNUM, 22) + "_" + run(rng, HEX, 40),
    "artifactory": prefixed(("AK", "Cp8"), ALNUM, 68),
    "langsmith": lambda rng: start("ls", "v2_pt_") + run(rng, HEX, 32) + "_" + run(rng, HEX, 10),
    "contentful": prefixed(("CF", "PAT-"), URLSAFE, 43),
    "pinecone": prefixed(("pc", "sk_"), ALNUM, 60),
    "netlify": prefixed(("nf", "p_"), ALNUM, 36),
    "posthog": prefixed(("ph", "x_"), ALNUM, 43),
    "resend": lambda rng: start("r", "e_") + run(rng, ALNUM, 8) + "_" + run(rng, ALNUM, 24),
    "prefect": prefixed(("pn", "u_"), LOWER, 36),
    "typeform": prefixed(("tf", "p_"), URLSAFE, 59),
    "easypost": prefixed(("EZ", "AK"), ALNUM, 54),
    "shippo": prefixed(("ship", "po_live_"), HEX, 40),
    "alibaba": prefixed(("LT", "AI"), ALNUM, 20),
    "sourcegraph": prefixed(("sg", "p_"), HEX, 40),
    "fireworks": lambda rng: start("f", "w_") + run(rng, ALNUM, 23) + "7",
    "tavily": prefixed(("tv", "ly-"), ALNUM, 32),
    "firecrawl": prefixed(("f", "c-"), HEX, 32),
    "neon": prefixed(("na", "pi_"), LOWER, 64),
    "e2b": prefixed(("e2", "b_"), HEX, 40),
    "elevenlabs": prefixed(("s", "k_"), HEX, 48),
    "launchdarkly": lambda rng: start("sd", "k-") + uuid(rng),
    "crates": lambda rng: start("c", "io") + run(rng, ALNUM, 31) + "7",
    "clojars": prefixed(("CLO", "JARS_"), LOWER, 60),
    "cloudflare": lambda rng: start("v1", ".0-") + run(rng, HEX, 24) + "-" + run(rng, HEX, 146),
    **VARIANTS,
    "plaid": lambda rng: start("acc", "ess-", "production-") + uuid(rng),
}

SHAPED_PLACES: dict[str, Place] = {
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
    "list": lambda s, _: {"values": ["a", s, "b"]},
}


def password(rng: random.Random) -> str:
    """As people and generators make them: always with a digit, never with quotes, blanks or brackets."""
    if rng.random() < 0.2:
        return "-".join(rng.sample(WORDS, 3)) + f"-{rng.randint(10, 99)}"
    drawn = rng.choice(string.ascii_letters) + run(rng, ALNUM + SYMBOLS, 9, 24) + rng.choice(ALNUM)
    return drawn if any(c.isdigit() for c in drawn) else drawn + str(rng.randint(10, 99))


def hexadecimal(rng: random.Random) -> str:
    return run(rng, HEX, 31) + "7"


def drawn(rng: random.Random) -> str:
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
    "aws secret": (drawn, ("aws_secret_access_key", "SecretAccessKey")),
    "secret key": (lambda rng: run(rng, ALNUM, 40) + "9", ("STRIPE_SECRET_KEY", "secret_key", "SECRET_KEY_BASE")),
    "private key": (lambda rng: run(rng, ALNUM + "+/", 60) + "8=", ("private_key", "privateKey", "PRIVATE_KEY")),
    "credentials": (hexadecimal, ("credentials", "SERVICE_CREDENTIALS")),
}

# The same, with names that are given to other things as well: it must look drawn by lot.
ALSO_NAMED: dict[str, tuple[Make, tuple[str, ...]]] = {
    "account key": (drawn, ("storage_account_key", "SERVICE_ACCOUNT_KEY", "X-Functions-Key", "license_key")),
    "jwt by name": (lambda rng: run(rng, ALNUM, 40) + "1a", ("jwt", "USER_JWT")),
}

NAMED_PLACES: dict[str, Place] = {
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
}


def in_url(scheme: str) -> tuple[Make, Place]:
    def make(rng: random.Random) -> str:
        return password(rng).translate(str.maketrans("", "", "#?@%^"))

    return make, lambda s, _: f"{scheme}://app:{s}@db.example.com:5432/x?a=1"


def on_line(line: str) -> Place:
    return lambda s, _: {"command": line.replace("{}", s)}


def of_container(name: str) -> Place:
    return lambda s, _: f"env:\n  - name: {name}\n    value: '{s}'\n"


CARRIED: dict[str, tuple[Make, Place]] = {
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
    **{line: (password, on_line(line)) for line in HOLDING},
    **{line: (drawn, on_line(line)) for line in SETTING},
    "php constant": (password, lambda s, _: f"define( 'DB_PASSWORD', '{s}' );"),
    "environment of a process": (password, lambda s, _: f'os.environ.setdefault("DB_PASSWORD", "{s}")'),
    "java property": (password, lambda s, _: {"code": f'System.setProperty("db.password", "{s}");'}),
    "local storage": (drawn, lambda s, _: json.dumps({"js": f"localStorage.setItem('access_token', \"{s}\")"})),
    "setting of a client": (drawn, lambda s, _: f'config.set("api_key", "{s}")'),
    **{f"{name} of a container": (password, of_container(name)) for name in ("DB_PASS", "SMTP_PASS", "PGPASS")},
    "laravel": (lambda rng: run(rng, ALNUM + "+/", 42) + "7=", lambda s, _: f"APP_KEY=base64:{s}\nDEBUG=1"),
    "wireless": (hexadecimal, lambda s, _: f'network={{\n ssid="home"\n psk="{s}"\n}}'),
    "refused key": (drawn, lambda s, _: f"Error: Incorrect API key provided: {s}. You can find yours at x"),
    "sql": (password, lambda s, _: f"CREATE USER app WITH PASSWORD '{s}';"),
    "mysql": (password, lambda s, _: f"CREATE USER app IDENTIFIED BY '{s}'"),
    "recovery code": (hexadecimal, lambda s, _: {"recovery_code": s}),
    "recovery codes": (hexadecimal, lambda s, _: json.dumps({"recovery_codes": [s, "a"]})),
    "seed phrase": (lambda rng: " ".join(rng.choices(WORDS, k=12)), lambda s, _: {"wallet": {"seed_phrase": s}}),
    "seed phrase in text": (lambda rng: " ".join(rng.choices(WORDS, k=12)), lambda s, _: f'seedPhrase: "{s}"'),
    "spoken": (hexadecimal, lambda s, _: f"The password is {s} for now"),
    "number": (lambda rng: run(rng, "123456789", 9), lambda s, _: {"password": int(s)}),
    "github in base64": (lambda rng: b64(SHAPED["github ghp"](rng)), lambda s, _: {"data": {"x": s}}),
    "jwt in base64": (lambda rng: b64(jwt(rng)), lambda s, _: f"data:\n  x: {s}\n"),
    "stripe in base64": (lambda rng: b64(SHAPED["stripe live"](rng)), lambda s, _: {"x": s}),
    "pem in base64": (lambda rng: b64(pem(rng, "RSA ")), lambda s, _: {"client": {"data": s}}),
}

PEM_PLACES: dict[str, Place] = {
    "file": lambda s, _: f"before\n{s}\nafter",
    "argument": lambda s, _: {"arguments": {"pem": s}},
    "JSON in a string": lambda s, _: {"body": json.dumps({"pem": s})},
    "one line": lambda s, _: "KEY=" + s.replace("\n", "\\n"),
    "cut off": lambda s, _: "error near:\n" + s[: len(s) - 60],
    "here document": lambda s, _: {"command": f"cat > id <<EOF\n{s}\nEOF"},
}


def pem(rng: random.Random, label: str) -> str:
    body = [run(rng, ALNUM + "+/", 64) for _ in range(rng.randint(3, 12))]
    first, last = (start("-----", verb, f" {label}PRIV", "ATE KEY-----") for verb in ("BEGIN", "END"))
    return "\n".join([first, *body, last])


def planted(seed: int = 20, each: int = 24) -> Iterator[Planted]:
    """Every kind `each` times over, each time anew, and each in all the places of its kind."""
    rng = random.Random(seed)
    for _ in range(each):
        for kind, make in SHAPED.items():
            secret = make(rng)
            pieces = (secret.rpartition("/")[2] if "webhook" in kind else secret[-max(12, len(secret) - 12) :],)
            for place, put in SHAPED_PLACES.items():
                yield Planted(kind, place, put(secret, ""), pieces)
        for kind, (make, names) in (NAMED | ALSO_NAMED).items():
            secret = make(rng)
            for place, put in NAMED_PLACES.items():
                yield Planted(kind, place, put(secret, rng.choice(names)), (secret,))
        for kind, (make, put) in CARRIED.items():
            secret = make(rng)
            yield Planted(kind, "its own", put(secret, ""), (secret,))
        for label in ("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "):
            secret = pem(rng, label)
            for place, put in PEM_PLACES.items():
                yield Planted(f"{label}private key", place, put(secret, ""), tuple(secret.split("\n")[1:-2]))
