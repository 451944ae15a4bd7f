r"""Decides whether a name is a secret's, and whether a value under such a name is one.

The last word of a name decides, unless another word makes it something else (`password_policy`, `page_token`). A value
may only refer to a secret (`${TOKEN}`), or look random. Standard library only: the hook bundle holds this module.
"""

from __future__ import annotations

from binascii import a2b_base64

from tallystick.core.redaction.prefilter import KEY_OF, PASS_OF, may_hold_secret, memoized
from tallystick.core.redaction.prefilter import rx as _rx
from tallystick.core.redaction.repeats import is_distinctive

# ----------------------------------------------------------------------------------------------------------------------
# Values


def split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VALUE_END = r"\s\"'`<>\\"
"""A set of characters: a value without quotes ends before one of them."""

# Values that are not masked under a secret's name.
_REFERENCE = (
    r"\[masked:[a-z0-9_]+\]|secret://[A-Za-z_][A-Za-z0-9_.-]{0,63}|\$(?:[A-Z][A-Z0-9_]*|[a-z_]+|\$)|\$?\{\{?[^{}]*\}?\}|\$\(.*|%\w+%|<[^<>]*>"
    r"|[xX*.#\u2022-]+|(?i:\[?(?:none|null|nil|true|false|undefined|redacted|masked|hidden|filtered)\]?|bearer|basic"
    r"|your[-_ ].*|replace[-_ ]?me)|(?:[A-Z]+_)?(?:PASSWORD|PASSWD|PASS|TOKEN|SECRET|API_?KEY)|(?:os\.|process\.|self\.|ENV\[|env[.:(]|getenv|secrets\.|vault:|op://|https?://).*"
)
_IDENTIFIER = "[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}|[A-Za-z0-9+=]{24,}"
PHRASE = r"(?:[a-z]{3,8}[ \t]+){11,23}[a-z]{3,8}(?![A-Za-z])"
"""The words of a wallet (BIP 39): three to eight letters each, where prose has shorter ones in between."""
_SOFT = (
    "(?P<random>(?:account|license|functions|app)[-_. ]?keys?$|jwts?$)"
    "|(?P<code>recovery_code$)|(?P<phrase>seed.?phrase$)|(?P<mnemonic>mnemonic$)"
)
VALUE_FORMS = {
    "random": r"(?=\S{0,255}?\d)(?=\S{0,255}?[A-Za-z])\S{16,}",
    "code": r"(?=\S{0,255}?\d)\S{6,}",
    "mnemonic": rf"\s*{PHRASE}\s*",
    "phrase": r"\s*(?:[^\W\d_]{2,16}\s+){11,}[^\W\d_]{2,16}\s*",
}
"""The form that a value must have to be masked under a name that has other uses as well."""
_TYPES = split_words("string number integer boolean object array null")
_SCHEMA = split_words(
    "type title description format pattern minLength maxLength minimum maximum minItems maxItems items properties"
    " required additionalProperties $ref $id $schema $comment readOnly writeOnly nullable deprecated anyOf oneOf allOf"
    " not contentEncoding contentMediaType default example examples const enum patternProperties propertyNames"
    " unevaluatedProperties minProperties maxProperties dependentSchemas dependentRequired dependencies if then else"
    " definitions $defs $anchor $dynamicRef $dynamicAnchor uniqueItems contains prefixItems multipleOf exclusiveMinimum"
    " exclusiveMaximum discriminator externalDocs xml"
)
_KINDS = split_words("apiKey http oauth2 openIdConnect basic")
_SCHEME = split_words(
    "type name in scheme bearerFormat flows flow authorizationUrl tokenUrl scopes openIdConnectUrl description"
)
"""Keys of a security scheme in OpenAPI."""
SCHEMA_VALUE_KEYS = split_words("default example examples const enum anyOf oneOf allOf not items")
"""Keys of a schema under which a value stands, or a schema again."""
_SCRIPT = r"[a-z][\w./-]{1,60} (?:[^\n]{0,200} )?(?:--?[a-zA-Z]|&& )"
_HEADER = r"(?i:authorization|cookie|apikey|[a-z]\w*(?:-\w+){1,8})"
_FILLED_IN_LATER = r"\$?\{\{?[^{}]{0,100}\}?\}|%\(\w{1,50}\)s|%s|\$[A-Z_]{4,50}"
_PATH = r"[~/.]|[A-Za-z]:[\\/]"
_HEADER_NAME = "[A-Za-z]{1,24}(?:-[A-Za-z]{1,24}){0,5}"
_COOKIE = r"[\w.$%!-]{1,128}=[^\s=]"
_AUTH_SCHEME = r"[A-Za-z][\w-]{1,24} \S"
_BASE64_VALUE = "[A-Za-z0-9+/]{8,}={0,2}"
_TOKEN_VALUE = "[A-Za-z0-9+/=_-]{16,}"
_PLAIN_NAME = "[A-Za-z][A-Za-z0-9_-]*"
_SERVICE_KEY_VALUE = (
    "(?:(?=[A-Za-z+/=_~.:|-]{0,40}[0-9])|(?=[A-Za-z]{20})(?=[A-Za-z]{0,40}[a-z][A-Z]))"
    "[A-Za-z0-9][A-Za-z0-9+/=_~.:|-]{15,511}"
)


def is_reference(value: str) -> bool:
    """Whether a value only names a secret, or stands for one: a variable, a placeholder, a mask."""
    value = value.strip()
    if not value or len(value) > 256:
        return not value
    rest, placeholders = _rx(_FILLED_IN_LATER).subn("", value)
    return (placeholders > 0 and len(rest) < 8) or _rx(_REFERENCE).fullmatch(value) is not None


def is_harmless(name: str, value: object) -> bool:
    """Whether a value under a secret's name is known not to be one: the names that have other uses."""
    low = name.lower()
    bare = low.lstrip("-")
    if kind_of_name(name) == SERVICE_KEY:
        return not is_service_key(value)
    if bare == "pass":  # the count of a test run, and the number of an encoder's pass
        return not isinstance(value, str) or (value.isdigit() and (low == bare or len(value) == 1))
    if soft := _rx(_SOFT).search(low):
        form = _rx(VALUE_FORMS[str(soft.lastgroup)])
        return not any(
            isinstance(v, str) and form.fullmatch(v) for v in (value if isinstance(value, list) else [value])
        )
    if not isinstance(value, str):
        return False
    if ":" in low and _rx(_SCRIPT).match(value):  # a script of npm: "test:cookies": "jest --dir ..."
        return True
    if (
        bare.replace("-", "").replace("_", "") == "secretid"
    ):  # the name of a secret in AWS; in Vault it is random, and a secret
        return _rx(_IDENTIFIER).fullmatch(value) is None
    if bare in ("pwd", "oldpwd"):  # also the working directory
        return _rx(_PATH).match(value) is not None
    return bare == "user.signingkey" or (bare == "secrets" and value == "inherit")  # git; a GitHub workflow


def is_schema(node: dict[object, object]) -> bool:
    """Whether an object describes a value, as JSON Schema and OpenAPI do, and holds none."""
    types = node.get("type")
    types = types if isinstance(types, list) else [types]
    if str(node.get("type")) in _KINDS and all(key in _SCHEME for key in node):
        return True
    if len(node) > len(_SCHEMA) or not all(key in _SCHEMA or str(key)[:2] == "x-" for key in node):
        return False
    if "type" in node:
        return all(isinstance(each, str) and each in _TYPES for each in types)
    lists = any(isinstance(node.get(each), list) for each in ("anyOf", "oneOf", "allOf"))
    return lists or "$ref" in node or any(isinstance(node.get(each), dict) for each in ("properties", "if"))


def is_header_pair(name: str, value: object, alone: bool) -> bool:
    """Whether a name and a value are a header. Alone: they are a list of two, and not two of many words."""
    if not isinstance(value, str) or not _rx(_HEADER).fullmatch(name):
        return False
    if alone:
        return _rx(_HEADER_NAME).fullmatch(value) is None  # two names of headers
    if name[-6:].lower() == "cookie":
        return _rx(_COOKIE).match(value) is not None
    scheme = name[-4:].lower() == "tion" and _rx(_AUTH_SCHEME).match(value) is not None
    return scheme or ("/" not in value and "." not in value and len(value) >= 8 and is_opaque(value))


def is_opaque(text: str) -> bool:
    return len(text) >= 24 or (any(c.isdigit() for c in text) and any(c.isalpha() for c in text))


def decode_base64(text: str) -> str:
    try:
        return a2b_base64(text.translate({45: "+", 95: "/"}) + "==").decode("ascii")
    except ValueError:
        return ""


def is_user_and_password(value: object) -> bool:
    """Whether a value is base64 of `user:password`, as clients of registries store it under `auth`."""
    if not isinstance(value, str) or not _rx(_BASE64_VALUE).fullmatch(value):
        return False
    return ":" in decode_base64(value) and decode_base64(value).isprintable()


def is_service_key(value: object) -> bool:
    """Whether a value under `<word>_key` looks random, and is no path."""
    if not isinstance(value, str) or not _rx(_SERVICE_KEY_VALUE).fullmatch(value):
        return False
    return not ("/" in value and "." in value) and is_distinctive(value)


def looks_random(value: object) -> bool:
    """Whether a value looks random, not written: a name and a blank before it are then enough to mask it."""
    if not isinstance(value, str) or not _rx(_TOKEN_VALUE).fullmatch(value):
        return False
    mixed = value != value.lower() and value != value.upper()
    return (mixed or value.isalnum()) and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


# ----------------------------------------------------------------------------------------------------------------------
# Names

_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+"
_HEAD = (
    "(?P<password>password|passwd|passwort|passphrase|passcode|pwd|(?<!by)(?<!om)(?<!ur)(?<!es)(?<!ver)(?<!der)(?<!mini)pass|psk)s?$"
    "|(?P<secret>secret)s?$|(?P<jwt>^jwt)s?$|(?P<mnemonic>^mnemonic)$|(?P<token>(?<!jsonweb)token)$|(?P<cookie>cookie)s?$|(?P<authorization>authorization)$"
    "|(?P<credentials>^cred|credential)s?$|(?P<api_key>(?:api|access|secret|private|auth|signing|encryption)key)s?$"
)
_PASS_OF = split_words(PASS_OF)
_NOT_AFTER = split_words("next page continuation cancel sync eos bos pad unk mask cls end start per first input output")
_TWO = {
    ("recovery", "code"): "recovery_code",
    ("recovery", "codes"): "recovery_code",
    ("seed", "phrase"): "seed_phrase",
    ("rediscli", "auth"): "password",
}
_STILL = split_words(
    "id prod production dev staging test live main old new value raw base b64 hash env github openai aws"
)
_NOT_BEFORE = split_words(
    "policy hint reset count length min max strength field label name names ref type url uri endpoint path file dir"
    " store manager provider version arn expiry expires expiration ttl age at rotation required changed updated created"
    " regex pattern rule rules valid error errors message prompt input set enabled exists missing source engine owner"
    " service context class function fd stdin santa"
)


SERVICE_KEY = "service_key"
"""The kind of a name that ends with `key` after any other word, as in `ACME_KEY`: only a random value is masked."""
_NOT_KEY_OF = split_words(
    "public pub publishable primary foreign sort partition cache idempotency effect object hash range group row"
    " index host dedup dedupe deduplication lookup unique composite candidate natural surrogate message routing event"
    " record entity item file path s3 bucket registry config dict map json hot home arrow short enter return shift ctrl"
    " control alt tab esc escape meta any press known verify verification site tag label translation i18n trace"
    " correlation request transaction lock shard join state query page next last start end first evaluated consistency"
    " artifact image layer build commit digest checksum content version asset chunk module field column attribute"
    " property option param parameter setting sorting grouping merge match matching order ordering tree node parent"
    " child cluster distribution bind binding registration memo result data value of the a an this that each per new"
    " old by for no same other right wrong left up down function page_up f num space delete backspace blob upload"
    " download folder document resource release source target destination snapshot backup job task workflow"
)
_AFTER_SERVICE_KEY = split_words("prod production dev staging test live main old new")


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: githubToken, GITHUB_TOKEN and github-token have the same."""
    return tuple(word.lower() for word in _rx(_WORD).findall(name[-256:]))


@memoized
def kind_of_name(name: str, extra: tuple[tuple[str, ...], ...] = ()) -> str | None:
    """The kind of secret that a name stands for; None when it is none. `extra`: names of the user's own, as words."""
    path, _, last = name.rpartition(".")  # the last part of an attribute or a path
    words = name_words("api" * path.lower().endswith("api") + last if last.lower() == "key" else last)
    for named in extra:
        if contains_name(named, name) and (words[-len(named) :] == named or "".join(words) == "".join(named)):
            label = "_".join(named)
            return label if label.isascii() and len(label) <= 40 else "extra"
    if "[masked:" in name or "existing" in words:  # existingSecret of a Helm chart is a name
        return None
    if not may_hold_secret(name):
        return SERVICE_KEY if _names_service_key(words) else None
    for i in reversed(range(len(words)) if words[:1] != ("ask",) else ()):  # --ask-become-pass takes no value
        if kind := _kind_of_word(words[i], words[i - 1] if i else ""):
            tail = {word for word in words[i + 1 :] if not word.isdigit()}
            strong = kind in ("password", "secret") and words[i] != "pass"
            return kind if tail <= _STILL or (strong and tail.isdisjoint(_NOT_BEFORE)) else None
    return None


def _names_service_key(words: tuple[str, ...]) -> bool:
    while words and (words[-1] in _AFTER_SERVICE_KEY or words[-1].isdigit()):
        words = words[:-1]
    return words[-1:] in (("key",), ("keys",)) and len(words) > 1 and words[-2] not in _NOT_KEY_OF


def _kind_of_word(word: str, before: str) -> str | None:
    if word in ("key", "keys"):
        return {"private": "private_key"}.get(before, "api_key") if before in KEY_OF.split() else None
    if (before, word) in _TWO:
        return _TWO[before, word]
    if before in _NOT_AFTER or (word == "pass" and before and before not in _PASS_OF):
        return None
    if word == "signature":
        return word if before in ("amz", "goog") else None
    return head.lastgroup if (head := _rx(_HEAD).search(word)) else None


def is_secret_name_argument(flag: str, value: object) -> bool:
    """Whether an argument is the name of a secret that is stored elsewhere, as in `--secret db_password`."""
    if flag.lstrip("-") != "secret" or not isinstance(value, str) or not _rx(_PLAIN_NAME).fullmatch(value):
        return False
    apart = value.islower() == any(sep in value for sep in "_-")  # db_password and dbPassword, not My-Secret1
    return apart and len([word for word in name_words(value) if word.isalpha()]) > 1 and kind_of_name(value) is not None


def contains_name(words: tuple[str, ...], text: str) -> bool:
    """Whether an extra name occurs in a text. One that JSON may have escaped counts as found."""
    return not "".join(words).isascii() or _rx(f"(?ai:{'[-_. ]?'.join(words)})").search(text) is not None


PATTERNS = (
    _FILLED_IN_LATER,
    _REFERENCE,
    _SOFT,
    _SCRIPT,
    _IDENTIFIER,
    _HEADER,
    _WORD,
    _HEAD,
    _PATH,
    _HEADER_NAME,
    _COOKIE,
    _AUTH_SCHEME,
    _BASE64_VALUE,
    _TOKEN_VALUE,
    _PLAIN_NAME,
    _SERVICE_KEY_VALUE,
)
"""The patterns of this module beside its tables. The hook bundle compiles them ahead: list every new one here."""
