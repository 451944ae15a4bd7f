"""The search for literals in one pass finds every text in which the patterns, one after the other, find an anchor."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from random import Random
from re import _constants as ops  # type: ignore[attr-defined]  # the parsed patterns
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from tallystick.core.redaction import prefilter
from tallystick.operations.runtime import operation_context  # noqa: F401  # it sets the search
from tests.core.benign_lines import benign
from tests.core.secret_corpus import planted_secrets

MAX_EXPANDED = 64
TRIED_IN_ANY_CASE = {prefilter._DOT, prefilter._OPTION, prefilter._USER, prefilter._HTTPIE, prefilter._URL}
"""Patterns that are not replaced by the search for literals."""
Nodes = list[tuple[Any, Any]]


def _expanded(nodes: Nodes) -> set[str] | None:
    """All texts that a part of a pattern stands for, if they are few."""
    texts = {""}
    for op, value in nodes:
        more: set[str] | None = None
        if op is ops.LITERAL:
            more = {chr(value)}
        elif op is ops.IN and all(kind in (ops.LITERAL, ops.RANGE) for kind, _ in value):
            more = {chr(c) for kind, v in value for c in ([v] if kind is ops.LITERAL else range(v[0], v[1] + 1))}
        elif op is ops.SUBPATTERN:
            more = _expanded(list(value[3]))
        elif op is ops.BRANCH:
            each = [_expanded(list(branch)) for branch in value[1]]
            more = None if None in each else {text for one in each for text in one or ()}
        elif op is ops.MAX_REPEAT and value[0] == value[1] and (one := _expanded(list(value[2]))) and len(one) == 1:
            more = {next(iter(one)) * value[0]}
        if more is None or len(more) * len(texts) > MAX_EXPANDED:
            return None
        texts = {text + end for text, end in product(texts, more)}
    return texts


def _required(nodes: Nodes) -> Iterator[set[str]]:
    """Sets of texts: every match of a part without branches holds one text of each set."""
    run = {""}
    for op, value in nodes:
        texts = _expanded([(op, value)])
        if texts is not None and len(texts) * len(run) <= MAX_EXPANDED:
            run = {text + end for text, end in product(run, texts)}
            continue
        if op is ops.ASSERT and value[0] < 0 and (behind := _expanded(list(value[1]))):
            joined = {max(one, two, key=len) for one, two in product(run, behind) if _is_end(one, two)}
            run = joined or run
            continue
        if op in (ops.ASSERT_NOT, ops.AT):
            continue
        yield run
        if op is ops.ASSERT:
            yield from _required(list(value[1]))
            continue
        run = {""}
        if op is ops.MAX_REPEAT and value[0]:
            yield from _required(list(value[2]))
    yield run


def _is_end(one: str, two: str) -> bool:
    return one.endswith(two) or two.endswith(one)


def _alternatives(nodes: Nodes) -> Iterator[Nodes]:
    """A pattern without its branches: each way through them."""
    for at, (op, value) in enumerate(nodes):
        inner = list(value[3]) if op is ops.SUBPATTERN else [(op, value)]
        if any(kind is ops.BRANCH for kind, _ in inner):
            start = next(n for n, (kind, _) in enumerate(inner) if kind is ops.BRANCH)
            for branch in inner[start][1][1]:
                yield from _alternatives([*nodes[:at], *inner[:start], *branch, *inner[start + 1 :], *nodes[at + 1 :]])
            return
    yield nodes


def _is_found(required: set[str]) -> bool:
    return all(any(literal in text.lower() for literal in prefilter.LITERALS) for text in required)


def test_every_anchor_holds_a_literal() -> None:
    """But for two in hexadecimal, which `HEX_IN_RUN` finds, and `net use`, which is looked for in any case."""
    missing = {
        max(set[str]().union(*_required(way)) - set("0123456789abcdefgh"), key=lambda text: (len(text), text))
        for source in prefilter.ANCHORS
        if source not in TRIED_IN_ANY_CASE
        for way in _alternatives(list(parser.parse(source)))
        if not any(map(_is_found, _required(way)))
    }
    assert missing == {"k", "pi", "use", "net.exe"}


def test_the_pieces_that_are_no_patterns_are_literals() -> None:
    pieces = ("bearer", "identified", "sha256~", "Q~", "FLWSECK", "FlyV1 ", "snyk_", *prefilter._PROGRAMS_ALONE)
    assert all(_is_found({piece}) for piece in pieces)


def assert_finds_as_much(texts: Iterable[str]) -> int:
    """Returns how many texts were compared."""
    count, find = 0, prefilter.literal_search.find
    assert find is not None
    with pytest.MonkeyPatch.context() as patch:
        for text in texts:
            count += 1
            prefilter._clean_runs.clear()
            patch.setattr(prefilter.literal_search, "find", None)
            by_patterns = prefilter.may_hold_secret(text)
            prefilter._clean_runs.clear()
            patch.setattr(prefilter.literal_search, "find", find)
            assert prefilter.may_hold_secret(text) or not by_patterns, text
    return count


def sample_texts(seed: str, each: int) -> Iterator[str]:
    """Documents with planted secrets, the same with some characters changed, and pieces of them."""
    random = Random(seed)
    for planted in planted_secrets(seed, each=each):
        text = json.dumps(planted.value)
        yield text
        at = random.randrange(len(text))
        yield text[:at] + random.choice("kp_-.=/@\\ ~xAzq0") + text[at + 1 :]
        yield text[at:]
        yield text.swapcase()


def test_the_search_for_literals_finds_as_much_as_the_patterns() -> None:
    texts = [*sample_texts("literals", each=1), *map(json.dumps, list(benign())[::50])]
    assert assert_finds_as_much(texts) > 3000


def test_without_the_package_every_text_is_looked_at_closely() -> None:
    program = """
import sys
sys.modules["ahocorasick_rs"] = None
from tallystick.core.redaction import prefilter
from tallystick.operations.runtime import operation_context  # noqa: F401  # it sets the search
print(prefilter.may_hold_secret("nothing"), prefilter.may_hold_secret("password=hunter22"))
"""
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["False", "True"]
