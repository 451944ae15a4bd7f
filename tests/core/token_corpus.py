"""Credentials that are recognized in any context, generated for each run from a fixed seed.

No literal here is one, or looks like one: each is put together from pieces.
"""

from __future__ import annotations

import json
import random
import string
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable

Make = Callable[[random.Random], str]

ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
HEX = "0123456789abcdef"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits


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


def pem(rng: random.Random, label: str) -> str:
    body = [run(rng, ALNUM + "+/", 64) for _ in range(rng.randint(3, 12))]
    first, last = (start("-----", verb, f" {label}PRIV", "ATE KEY-----") for verb in ("BEGIN", "END"))
    return "\n".join([first, *body, last])


# Kinds that are written in more than one way.
VARIANTS: dict[str, Make] = {
    "gitlab runner": prefixed(("GR", "1348941"), URLSAFE, 20),
    "docker organisation": prefixed(("dckr", "_oat_"), URLSAFE, 32),
    "signing secret in base64": prefixed(("wh", "sec_"), ALNUM + "+/", 32),
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
TOKEN_MAKERS: dict[str, Make] = {
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
