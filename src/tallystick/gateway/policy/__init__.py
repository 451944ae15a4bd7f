"""What is done about a call: from what the configuration says of its tool, and what its server says of it."""

from collections.abc import Collection
from fnmatch import fnmatchcase
from typing import Any

import msgspec
from msgspec import Raw, Struct

from tallystick.core.tools import is_named_like_read
from tallystick.core.types import Effect
from tallystick.gateway.config import Configuration, OnFailure, Policy, Repeat, Rule


class Ruling(Struct, frozen=True, kw_only=True):
    """The decision about one tool."""

    policy: Policy
    effect: Effect
    repeat: Repeat
    on_failure: OnFailure
    timeout: float
    question: str = ""
    expires: str = ""


class Hints(Struct, frozen=True, rename="camel"):
    """What a server says of a tool; the defaults are the protocol's. They are claims, and never make a call safer
    than the configuration allows."""

    read_only_hint: bool = False
    destructive_hint: bool = True
    idempotent_hint: bool = False


def hints(annotations: Raw | None) -> Hints:
    """The hints of a tool; what is not in the right form says nothing."""
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
        self._told: set[tuple[str, str]] = set()

    def ruling(self, server: str, tool: str, told: Hints) -> Ruling:
        said = [self._rule(each.tools, tool) for each in self._configuration.of(server)]
        rules = [rule for rule in said if rule is not None]
        ours = self._configuration.ours
        stated: Effect | None = _first(rules, "effect", None)
        effect = stated or _effect(told, tool)
        return Ruling(
            policy=_first(rules, "policy", self._by_kind(told, stated)),
            effect=effect,
            repeat=_first(rules, "repeat", ours.repeat),
            on_failure=_first(rules, "on_journal_failure", ours.on_journal_failure),
            timeout=_first(rules, "timeout", self._configuration.seconds(server, "call")),
            question=next((rule.question for rule in rules if rule.question), ""),
            expires=next((rule.expires for rule in rules if rule.expires), ""),
        )

    def unmatched(self, server: str, tools: Collection[str]) -> list[str]:
        """Patterns of a server's own rules that fit none of its tools: each is said once, and may be misspelt."""
        said = self._configuration.ours.servers.get(server)
        found = [
            pattern
            for pattern in (said.tools if said else ())
            if (server, pattern) not in self._told and not any(fnmatchcase(tool, pattern) for tool in tools)
        ]
        self._told.update((server, pattern) for pattern in found)
        return found

    def _rule(self, tools: dict[str, Policy | Rule], tool: str) -> Rule | None:
        """The first pattern that fits, in the order written."""
        for pattern, rule in tools.items():
            if fnmatchcase(tool, pattern):
                return rule if isinstance(rule, Rule) else Rule(policy=rule)
        return None

    def _by_kind(self, told: Hints, stated: Effect | None) -> Policy:
        """By what the server says, unless a rule says what the tool does: then a claim of reading counts for nothing,
        and one of destroying is answered."""
        said = self._configuration.ours.annotated
        if stated in ("read", "idempotent"):
            return said.read if stated == "read" else said.idempotent
        if told.read_only_hint:
            return said.destructive if stated else said.read
        if told.destructive_hint:
            return said.destructive
        if stated:
            return said.other
        return said.idempotent if told.idempotent_hint else said.other


def _first(rules: list[Rule], name: str, otherwise: Any) -> Any:
    return next((found for rule in rules if (found := getattr(rule, name)) is not None), otherwise)


def _effect(told: Hints, tool: str) -> Effect:
    if told.read_only_hint:
        return "read"
    silent = told == Hints()  # it says nothing of itself, or nothing but the defaults
    return "idempotent" if told.idempotent_hint or (silent and is_named_like_read(tool)) else "unsafe"
