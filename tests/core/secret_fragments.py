"""Pieces of texts, out of which the laws of masking make their own, and texts that were made to be slow."""

from collections.abc import Iterator

# Pieces of secrets and of text that looks like them. The laws are tested on any combination of them.
FRAGMENTS = (
    *("jwt", "recovery_code", "seed phrase", "account key", "http -a a:", "useradd -p ", "key-", "x-"),
    *("machine a login b ", "password:\n  ", "password: |\n", "?=", '"""', "\\\n", "%3D", "%40", "@tcp(", "-D", "ENV "),
    *("acme_key", "acme key", "acme_live_", "Zx9dkw02kdlwQ8aB3cYp7", "value", "-prod", "FlyV1 "),
    *("cGFzc3dvcmQ9aHVudGVyMg", "mnemonic", "PRAGMA key", "s.", "1//0", "Q~", "dp.st."),
    *("define(", ".set(", "psk", "app_key", "vault login ", "mc alias set ", "setenv ", "glrt-", "_pass"),
    *(
        "password",
        "token",
        "API_KEY",
        "secret",
        "cookie",
        "Authorization",
        "private_key",
        "pwd",
        "pass",
        "name",
        "value",
    ),
    *("=", ": ", ":", "=>", " ", "\n", "\t", "\\n", "\\", '"', "'", '\\"', "`", "&", "?", ";", ",", "#", "<", ">", "/"),
    *("{", "}", "[", "]", "(", ")", "$", "${X}", "--", "**", "://", "@", "%3D", "Bearer ", "Basic ", "curl -u a:b"),
    *("git config ", "secrets set A=", "net use x: ", "-u a -p ", "['a', '-p', "),
    *("mysql -p", "docker login ", "-p", "sshpass", "echo ", "| sudo -S", "<<< ", "auth", "dXNlcjpwYXNzd29yZA"),
    *("[masked:token]", "[masked:", "None", "hunter2", "correct horse", "abcdefgh12345678", "x" * 40, "é", "\u2028"),
    *("PRIVATE KEY-----", "-----BEGIN ", "-----END ", "xoxb-1234567890", "hooks.slack.com/services/", "sig=", "?key="),
    *(
        "".join(["gh", "p_"]),
        "".join(["sk", "-"]),
        "".join(["ey", "J"]),
        "".join(["AK", "IA"]),
        "Z2hw",
        "LS0tLS1CRUdJTi",
    ),
)


SLOW_UNITS = (
    "cGFzc3dvcmQ9aHVudGVyMjEy/",
    "cGFzc3dvcmQ9aHVudGVyMjEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAx\n",
    "%70assword%3Dhunter2",
    "password:\n  ",
    "password: |\n  a\n",
    "machine a login b ",
    "a:b@tcp(",
    "mnemonic: abc abc ",
    '-----BEGIN PRIVATE KEY-----\n"' + "a" * 39 + "\n",
    "define('password', ",
    "mc alias set ",
    "vault login -a ",
    "EAA",
    "gl-",
    "acme_key_x9-",
    "acme_live_a1/",
    "net use x: ",
    "git config a ",
    "secrets set A=",
    "-u a -p ",
    "mysql -u ",
    "az -u a ",
    "http -a ",
    "redis-cli -a ",
    "[b'x-a', ",
    "['token', ",
    "--ks-pass",
    "mysql -p",
    "echo a | ",
    "login ",
    "password=a(",
    "token='",
    "curl -u a:b",
    "name: token value: ",
    "<token>",
    "://a:@",
)


def adversaries(size: int) -> Iterator[str]:
    """Texts on which a careless pattern takes the square of their length, or worse."""
    for unit in (*FRAGMENTS, *SLOW_UNITS, "SG.aaaaaaaaaaaaaaaaaaaa"):
        yield unit * (size // len(unit))
    for opening in (
        "-----BEGIN PRIVATE KEY-----",
        "password='",
        'password="',
        "password=",
        "Cookie: a=",
        "://a:",
        "sk-",
    ):
        for filling in ("a", "a.", "-", "\\", "\\\\n", "a=", 'a="', "A1", " ", "@", "a,", "a1_", "["):
            yield opening + filling * (size // len(filling))
