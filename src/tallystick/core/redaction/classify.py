r"""Names: which of them are a secret's.

The last word decides, unless another beside it makes it something else (`password_policy`, `page_token`). Standard
library only: a hook takes this file along.
"""

from __future__ import annotations

from tallystick.core.anchors import KEY_OF, PASS_OF, suspicious
from tallystick.core.patterns import remembered
from tallystick.core.patterns import rx as _rx
from tallystick.core.secret_values import words as _set

_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+"
_HEAD = (
    "(?P<password>password|passwd|passwort|passphrase|passcode|pwd|(?<!by)(?<!om)(?<!ur)(?<!es)(?<!ver)(?<!der)(?<!mini)pass|psk)s?$"
    "|(?P<secret>secret)s?$|(?P<jwt>^jwt)s?$|(?P<mnemonic>^mnemonic)$|(?P<token>(?<!jsonweb)token)$|(?P<cookie>cookie)s?$|(?P<authorization>authorization)$"
    "|(?P<credentials>^cred|credential)s?$|(?P<api_key>(?:api|access|secret|private|auth|signing|encryption)key)s?$"
)
_PASS_OF = _set(PASS_OF)
_NOT_AFTER = _set("next page continuation cancel sync eos bos pad unk mask cls end start per first input output")
_TWO = {
    ("recovery", "code"): "recovery_code",
    ("recovery", "codes"): "recovery_code",
    ("seed", "phrase"): "seed_phrase",
    ("rediscli", "auth"): "password",
}
_STILL = _set("id prod production dev staging test live main old new value raw base b64 hash env github openai aws")
_NOT_BEFORE = _set(
    "policy hint reset count length min max strength field label name names ref type url uri endpoint path file dir"
    " store manager provider version arn expiry expires expiration ttl age at rotation required changed updated created"
    " regex pattern rule rules valid error errors message prompt input set enabled exists missing source engine owner"
    " service context class function fd stdin santa"
)


def words_of(name: str) -> tuple[str, ...]:
    """githubToken, GITHUB_TOKEN and github-token are the same words."""
    return tuple(word.lower() for word in _rx(_WORD).findall(name[-256:]))


@remembered
def kind_of_name(name: str, extra: tuple[tuple[str, ...], ...] = ()) -> str | None:
    path, _, last = name.rpartition(".")  # of an attribute or a path, the last part
    words = words_of("api" * path.lower().endswith("api") + last if last.lower() == "key" else last)
    for told in extra:
        if spelt(told, name) and (words[-len(told) :] == told or "".join(words) == "".join(told)):
            label = "_".join(told)
            return label if label.isascii() and len(label) <= 40 else "extra"
    if "[masked:" in name or not suspicious(name) or "existing" in words:  # a chart's existingSecret is the name of one
        return None
    for i in reversed(range(len(words)) if words[:1] != ("ask",) else ()):  # --ask-become-pass takes no value
        if kind := _kind_of_word(words[i], words[i - 1] if i else ""):
            tail = {word for word in words[i + 1 :] if not word.isdigit()}
            strong = kind in ("password", "secret") and words[i] != "pass"
            return kind if tail <= _STILL or (strong and tail.isdisjoint(_NOT_BEFORE)) else None
    return None


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


def is_name_after(flag: str, value: object) -> bool:
    """Whether what is given is the name of a secret that is kept elsewhere, as in `--secret db_password`."""
    if flag.lstrip("-") != "secret" or not isinstance(value, str) or not _rx("[A-Za-z][A-Za-z0-9_-]*").fullmatch(value):
        return False
    apart = value.islower() == any(sep in value for sep in "_-")  # db_password and dbPassword, not My-Secret1
    return apart and len([word for word in words_of(value) if word.isalpha()]) > 1 and kind_of_name(value) is not None


def spelt(words: tuple[str, ...], text: str) -> bool:
    """Whether an extra name occurs. One that JSON may escape is taken to."""
    return not "".join(words).isascii() or _rx(f"(?ai:{'[-_. ]?'.join(words)})").search(text) is not None
