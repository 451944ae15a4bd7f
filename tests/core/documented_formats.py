"""Credentials in the formats that services document, written from the public rules of secret scanners.

It holds formats of the services that docs/secrets.md lists, and says nothing about others. Each value is generated; no
literal here is a credential.
"""

import random
import string

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
}


def documented(seed: int, each: int) -> list[tuple[str, str]]:
    """Credentials, each with the name of its format."""
    rng = random.Random(seed)
    return [(name, make(rng)) for name, make in DOCUMENTED.items() for _ in range(each)]
