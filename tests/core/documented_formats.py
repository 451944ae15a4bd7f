"""Credentials in the formats that services document, written from the public rules of secret scanners.

`DOCUMENTED` holds formats of services that docs/secrets.md lists.

`judged_formats.txt` holds the formats that gitleaks, Kingfisher and CredSweeper describe, one a line: its half, whether
a mark gives it away with no name beside it, the service, the word for its secret, and a pattern of the secret. A hash
of the service's name chose the half; services that a first listing had shown went to `tuned`. The masker was tuned on
`tuned` before it was measured on `held`. Left out are ids, public keys, and 16 patterns that are not the format of a
secret. Each value is generated; no literal here is a credential.
"""

import json
import random
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]  # what sre makes of a pattern
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from tests.core.token_corpus import ALNUM, HEX, LOWER, URLSAFE, Make, prefixed, run, start, uuid

DIGITS, UPPER = string.digits, string.ascii_uppercase + string.digits


def joined(*parts: str | tuple[str, int]) -> Make:
    """Text as it is, and an alphabet with a count for random characters."""
    return lambda rng: "".join(part if isinstance(part, str) else run(rng, *part) for part in parts)


DOCUMENTED: dict[str, Make] = {
    "adobe client secret": prefixed(("p8", "e-"), LOWER, 32),
    "alibaba access key": prefixed(("LT", "AI"), LOWER, 20),
    "anthropic admin": joined(start("sk", "-ant-admin01-"), (URLSAFE, 93), "AA"),
    "apify": prefixed(("apify", "_api_"), ALNUM, 36),
    "artifactory": prefixed(("AK", "Cp"), ALNUM, 69),
    "cerebras": prefixed(("cs", "k-"), LOWER, 48),
    "clojars": prefixed(("CLO", "JARS_"), LOWER, 60),
    "databricks": joined(start("da", "pi"), (HEX, 32), "-2"),
    "digitalocean refresh": prefixed(("dor", "_v1_"), HEX, 64),
    "duffel": prefixed(("duffel", "_test_"), URLSAFE, 43),
    "dynatrace": joined(start("dt0", "c01."), (UPPER, 24), ".", (UPPER, 64)),
    "flutterwave": joined(start("FLW", "SECK_TEST-"), (HEX, 32), "-X"),
    "frame.io": prefixed(("fio", "-u-"), URLSAFE, 64),
    "aws bearer": prefixed(("AB", "IA"), string.ascii_uppercase + "234567", 16),
    "fly": prefixed(("fm", "1r_"), ALNUM + "+/", 120),
    "grafana cloud": prefixed(("gl", "c_"), ALNUM + "+/", 40),
    "gitlab agent": prefixed(("gl", "agent-"), URLSAFE, 50),
    "gitlab ci job": joined(start("gl", "cbt-"), (HEX, 2), "_", (URLSAFE, 20)),
    "gitlab feature flags": prefixed(("gl", "ffct-"), URLSAFE, 20),
    "gitlab incoming mail": prefixed(("gl", "imt-"), URLSAFE, 25),
    "gitlab routable": joined(start("gl", "pat-"), (URLSAFE, 27), ".01.1", (LOWER, 8)),
    "gitlab scim": prefixed(("gl", "soat-"), URLSAFE, 20),
    "heroku": prefixed(("HR", "KU-AA"), URLSAFE, 58),
    "hubspot": lambda rng: start("pat", "-na1-") + uuid(rng),
    "infracost": prefixed(("ic", "o-"), ALNUM, 32),
    "jenkins": joined(start("{AQA", "AABAAAA"), (ALNUM + "+/", 60), "=}"),
    "jina": joined(start("ji", "na_"), (HEX, 32), (ALNUM, 28)),
    "langfuse": lambda rng: start("sk", "-lf-") + uuid(rng),
    "npm": prefixed(("np", "m_"), LOWER, 36),
    "nvidia": prefixed(("nv", "api-"), URLSAFE, 64),
    "openai project": joined(start("sk", "-proj-"), (URLSAFE, 74), "T3BlbkFJ", (URLSAFE, 74)),
    "openrouter": prefixed(("sk", "-or-v1-"), HEX, 64),
    "openshift": prefixed(("sha", "256~"), URLSAFE, 43),
    "postman": joined(start("PM", "AK-"), (HEX, 24), "-", (HEX, 34)),
    "prefect": prefixed(("pn", "u_"), LOWER, 36),
    "readme": prefixed(("rd", "me_"), LOWER, 70),
    "rootly": prefixed(("root", "ly_"), HEX, 64),
    "sentry user": prefixed(("sntry", "u_"), HEX, 64),
    "slack app": joined(start("xa", "pp-1-A"), (UPPER, 9), "-", (DIGITS, 12), "-", (HEX, 64)),
    "slack configuration": prefixed(("xox", "e.xoxp-1-"), ALNUM, 163),
    "slack refresh": prefixed(("xox", "e-1-"), ALNUM, 146),
    "snyk": joined(start("sn", "yk_uat."), (HEX, 8), ".", (URLSAFE, 40)),
    "sonar project": prefixed(("sq", "p_"), HEX, 40),
    "sonar user": prefixed(("sq", "u_"), HEX, 40),
    "sourcegraph": joined(start("sg", "p_"), (HEX, 16), "_", (HEX, 40)),
    "stripe production": prefixed(("sk", "_prod_"), ALNUM, 24),
    "tailscale": joined(start("ts", "key-auth-"), (ALNUM, 12), "CNTRL-", (ALNUM, 32)),
    "together": prefixed(("tgp", "_v1_"), URLSAFE, 43),
    "typeform": prefixed(("tf", "p_"), URLSAFE, 59),
    "vault batch": prefixed(("hv", "b."), URLSAFE, 140),
    "wandb": prefixed(("wandb", "_v1_"), ALNUM, 60),
    "yandex": prefixed(("AQ", "VN"), URLSAFE, 35),
    "midtrans": prefixed(("SB-M", "id-server-"), URLSAFE, 24),
    "ntlm": joined(start("TlRMT", "VNTUAABAAAA"), (ALNUM + "+/", 40), "="),
    "yandex session": joined(start("t", "1."), (URLSAFE, 40), ".", (URLSAFE, 86)),
    "stackhawk": joined(start("ha", "wk."), (ALNUM, 20), ".", (ALNUM, 20)),
    "zapier": joined(start("https://hooks.", "zapier.com/hooks/catch/"), (DIGITS, 7), "/", (LOWER, 7)),
}


def documented(seed: int, each: int) -> list[tuple[str, str]]:
    """Credentials, each with the name of its format."""
    rng = random.Random(seed)
    return [(name, make(rng)) for name, make in DOCUMENTED.items() for _ in range(each)]


class JudgedFormat(NamedTuple):
    """A line of `judged_formats.txt`."""

    half: str
    mark: str
    service: str
    word: str
    pattern: str

    def names(self) -> list[list[str]]:
        """The words of the names that the secret has: `acme_api_key` and `acme_key`."""
        words = self.word.split("_")
        return [[*self.service.split("_"), *each] for each in ([words] if len(words) == 1 else [words, words[-1:]])]


class Judged(NamedTuple):
    """A generated secret in a text: the name beside it, if any, and its random pieces, of which none may be left."""

    format: JudgedFormat
    name: str
    text: str
    pieces: tuple[str, ...]

    def survives(self, output: str) -> bool:
        return any(piece[i : i + 8] in output for piece in self.pieces for i in range(max(1, len(piece) - 7)))


JUDGED_FORMATS = [
    JudgedFormat(*line.split(" ")) for line in Path(__file__).with_name("judged_formats.txt").read_text().splitlines()
]
ALONE: tuple[Callable[[str], str], ...] = (
    lambda s: f"DEBUG=1\nVALUE={s}\nPORT=80\n",
    lambda s: json.dumps({"a": [{"b": s}], "c": 1}),
    lambda s: f"service:\n  item: {s}\n  port: 1\n",
    lambda s: f"> X-Custom: {s}\n> Accept: */*\n",
    lambda s: f"deploy --region eu --with {s} && echo done",
    lambda s: s if "://" in s else f"https://api.example.com/v1?x={s}&page=2",
    lambda s: f"2026-01-02T10:00:00Z WARN refused {s}, retrying",
    lambda s: f'client = Client("{s}", timeout=3)',
)
"""Places without a telling name: environment, JSON, YAML, header, command line, URL, log, code."""
BESIDE_NAME: tuple[Callable[[str, list[str]], str], ...] = (
    lambda s, n: f"DEBUG=1\n{'_'.join(n).upper()}={s}\nPORT=80\n",
    lambda s, n: json.dumps({"a": {"_".join(n): s}, "c": 1}),
    lambda s, n: f"service:\n  {n[0]}{''.join(map(str.capitalize, n[1:]))}: {s}\n  port: 1\n",
    lambda s, n: f"> X-{'-'.join(map(str.capitalize, n))}: {s}\n> Accept: */*\n",
    lambda s, n: f"deploy --region eu --{'-'.join(n)} {s} && echo done",
    lambda s, n: f"https://api.example.com/v1?{'_'.join(n)}={s}&page=2",
    lambda s, n: f"2026-01-02T10:00:00Z WARN {' '.join(n)}: {s} was refused",
    lambda s, n: f'{"_".join(n)} = "{s}"',
)
"""The same places with the name of the service and of its secret."""


def judged(seed: str, each: int) -> Iterator[Judged]:
    """Every format `each` times with a new value, in all the places; without a name only where it has a mark."""
    for form in JUDGED_FORMATS:
        rng = random.Random(f"{seed} {' '.join(form)}")
        for _ in range(each):
            value, pieces = draw_secret(form.pattern, rng)
            if form.mark == "alone":
                yield from (Judged(form, "", put(value), pieces) for put in ALONE)
            for name in form.names():
                yield from (Judged(form, "_".join(name), put(value, name), pieces) for put in BESIDE_NAME)


def draw_secret(pattern: str, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """A text that a pattern matches, and its random pieces of eight characters or more."""
    while True:
        parts = list(draw_parts(parser.parse(pattern), rng))
        value = "".join(text for text, _ in parts)
        if value[0] not in "-.+/=~" and value[-1] not in "-._/+~":  # as no service lets its secrets begin and end
            runs = "".join(text if is_random else "\0" for text, is_random in parts).split("\0")
            return value, tuple(run for run in runs if len(run) >= 8) or (value,)


_CATEGORIES = {
    codes.CATEGORY_WORD: string.ascii_letters + string.digits + "_",
    codes.CATEGORY_DIGIT: string.digits,
    codes.CATEGORY_SPACE: "\n",
}


def draw_parts(tokens: Any, rng: random.Random) -> Iterator[tuple[str, bool]]:
    """The parts of a text that a parsed pattern may match, each with whether it is random.

    What a pattern requires around the text is left out, so the text need not match.
    """
    for op, value in tokens:
        if op in (codes.LITERAL, codes.NOT_LITERAL):
            yield (chr(value) if op is codes.LITERAL else "a"), False
        elif op is codes.IN:
            yield rng.choice(_characters(value)), True
        elif op in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            low, high, inner = value
            for _ in range(rng.randint(low, min(high, low + 20))):
                yield from draw_parts(inner, rng)
        elif op is codes.SUBPATTERN:
            yield from draw_parts(value[3], rng)
        elif op is codes.BRANCH:
            yield from draw_parts(rng.choice(value[1]), rng)


def _characters(members: Any) -> str:
    chars = ""
    for op, value in members:
        if op is codes.LITERAL:
            chars += chr(value)
        elif op is codes.RANGE:
            chars += "".join(map(chr, range(value[0], value[1] + 1)))
        elif op is codes.CATEGORY:
            chars += _CATEGORIES[value]
    negated = members[0][0] is codes.NEGATE
    return "".join(c for c in string.ascii_letters + string.digits if c not in chars) if negated else chars
