"""Finds the literals of all anchors in one pass over a text: a text without any of them needs few of the patterns.

Every match of an anchor of `prefilter` holds one of `LITERALS`, but for those that are tried in any case; a test
derives that from the patterns. The hook program does without: it has the standard library only.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_WORDS = """
cookie hrku- kcp key kia kinit ks.slack.com ks.zapier.com pmak- sdk- sk- token unlock webhookb2/
-pw cfpat- dp. glpat- p-basic. pass phrase pi-age pragma private-lines psk pul- pwd sqlplus
alias astracs: cargo cess-devel cess-prod cess-sand cio cmvmdgtu config credential creds cryptsetup curestr curl etcdctl
fc- mnemonic rclone secret vercel _gitlab_session= _pw add_user recovery_code
aiza auth ezak eztk zip zn.mws. eyj jwt amz gocspx- goog pplx- xai- xapp- xffg xfreerdp xkeysib- xox xsmtpsib-
sig= signature= \\u00 \\/ vault useradd usermod
+aba +aeh +amc +arm +asb +ast :aa a3- aaaaaaaaaa abia absk acdb aiot apim asia atat atbb eaa ltai
bearer identified sha256~ q~ flwseck snyk_
"""
_NUMBERED = tuple(f"{start}{digit}" for start in ("ks/", "-us") for digit in range(10))
LITERALS = (*_WORDS.split(), *_NUMBERED, "basic ", "flyv1 ")
"""In lower case."""


@cache
def _finder() -> Callable[[str], object]:
    try:
        from ahocorasick_rs import AhoCorasick, Implementation  # loaded with the first record
    except ImportError:  # no build for this system: all patterns are tried, as for a text with a literal
        return bool
    return AhoCorasick(LITERALS, implementation=Implementation.DFA).find_matches_as_indexes


def has_literal(low: str) -> object:
    """Whether a text, in lower case, holds one of the literals."""
    return _finder()(low)
