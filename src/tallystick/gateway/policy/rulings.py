"""Finds the policy of a tool, from rules of the configuration and hints of its server (`calls/call.py` enforces it)."""

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from typing import Any

import msgspec
from msgspec import Raw, Struct

from tallystick.core.tools import is_named_like_read
from tallystick.core.types import Effect
from tallystick.gateway.config import ApproveIn, Configuration, OnFailure, Policy, Repeat, Rule, Unlisted, fold

MAX_RULINGS = 10_000
"""How many rulings are remembered, for servers whose tools change all the time."""


class Ruling(Struct, frozen=True, kw_only=True):
    """The policy for one tool."""

    policy: Policy
    effect: Effect
    repeat: Repeat
    on_failure: OnFailure
    timeout: float
    question: str = ""
    expires: str = ""
    approve_in: ApproveIn = "credential"


class Hints(Struct, frozen=True, rename="camel"):
    """A server's annotations of a tool, with the protocol's defaults.

    They are claims: they never make a call safer than the configuration allows.
    """

    read_only_hint: bool = False
    destructive_hint: bool = True
    idempotent_hint: bool = False


def read_hints(annotations: Raw | None) -> Hints:
    """Decode the annotations of a tool. Malformed ones count as absent."""
    if annotations is None:
        return Hints()
    try:
        return msgspec.json.decode(annotations, type=Hints)
    except (msgspec.DecodeError, RecursionError):
        return Hints()


class Policies:
    """The rulings of one configuration."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._reported: set[tuple[str, str]] = set()
        self._rulings: dict[tuple[str, str, Hints], Ruling] = {}
        """Those of listed tools. A configuration does not change."""

    def ruling(self, server: str, tool: str, hints: Hints, *, is_listed: bool = True) -> Ruling:
        """The ruling for a tool. Each setting comes from the nearest rule that has it."""
        if not is_listed:
            return self._find_ruling(server, tool, hints, is_listed=False)
        key = server, tool, hints
        if key not in self._rulings:
            if len(self._rulings) >= MAX_RULINGS:
                self._rulings.clear()
            self._rulings[key] = self._find_ruling(server, tool, hints, is_listed=True)
        return self._rulings[key]

    def _find_ruling(self, server: str, tool: str, hints: Hints, *, is_listed: bool) -> Ruling:
        matches = [_first_match(each.tools, tool) for each in self._configuration.settings_of(server)]
        rules = [rule for rule in matches if rule is not None]
        settings = self._configuration.settings
        stated: Effect | None = _first_set(rules, "effect", None)
        policy: Policy = _first_set(rules, "policy", self._policy_by_hints(hints, stated))
        return Ruling(
            policy="ask" if not is_listed and policy == "record" and self._unlisted(server) == "ask" else policy,
            effect=stated or _effect(hints, tool),
            repeat=_first_set(rules, "repeat", settings.repeat),
            on_failure=_first_set(rules, "on_journal_failure", settings.on_journal_failure),
            timeout=_first_set(rules, "timeout", self._configuration.seconds(server, "call")),
            question=next((rule.question for rule in rules if rule.question), ""),
            expires=next((rule.expires for rule in rules if rule.expires), ""),
            approve_in=_first_set(rules, "approve_in", "credential"),
        )

    def may_be_unlisted(self, server: str, tool: str, listed: Iterable[str]) -> bool:
        """Whether a tool that its server does not list may be called at all.

        A name that only looks like a listed one, or like a pattern of a rule, is never called: a server that compares
        names carelessly would call the other tool, under a policy that is not its own.
        """
        if self._unlisted(server) == "refuse":
            return False
        patterns = [pattern for each in self._configuration.settings_of(server) for pattern in each.tools]
        looks = fold(tool)
        return not any(fold(name) == looks for name in listed) and not any(
            fnmatchcase(looks, fold(pattern)) and not fnmatchcase(tool, pattern) for pattern in patterns
        )

    def _unlisted(self, server: str) -> Unlisted:
        stated = (each.unlisted for each in self._configuration.settings_of(server) if each.unlisted is not None)
        return next(stated, self._configuration.settings.unlisted)

    def unmatched(self, server: str, tools: Collection[str]) -> list[str]:
        """Patterns of a server's own rules that match none of its tools, maybe misspelt. Each is returned once."""
        settings = self._configuration.settings.servers.get(server)
        patterns = [
            pattern
            for pattern in (settings.tools if settings else ())
            if (server, pattern) not in self._reported and not any(fnmatchcase(tool, pattern) for tool in tools)
        ]
        self._reported.update((server, pattern) for pattern in patterns)
        return patterns

    def _policy_by_hints(self, hints: Hints, stated: Effect | None) -> Policy:
        """The policy where no rule sets one.

        If a rule states the effect, the hint "read only" counts for nothing, and the hint "destructive" still counts.
        """
        annotated = self._configuration.settings.annotated
        if stated in ("read", "idempotent"):
            return annotated.read if stated == "read" else annotated.idempotent
        if hints.read_only_hint:
            return annotated.destructive if stated else annotated.read
        if hints.destructive_hint:
            return annotated.destructive
        if stated:
            return annotated.other
        return annotated.idempotent if hints.idempotent_hint else annotated.other


def _first_match(tools: dict[str, Policy | Rule], tool: str) -> Rule | None:
    """The first pattern that matches, in the order of the configuration."""
    for pattern, rule in tools.items():
        if fnmatchcase(tool, pattern):
            return rule if isinstance(rule, Rule) else Rule(policy=rule)
    return None


def _first_set(rules: list[Rule], name: str, default: Any) -> Any:
    return next((value for rule in rules if (value := getattr(rule, name)) is not None), default)


def _effect(hints: Hints, tool: str) -> Effect:
    if hints.read_only_hint:
        return "read"
    is_silent = hints == Hints()  # no hints, or only the defaults
    return "idempotent" if hints.idempotent_hint or (is_silent and is_named_like_read(tool)) else "unsafe"
