"""Runs axe-core on a page, and returns accessibility problems with their place and remedy."""

from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests import node

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_RUN = """async (rules) => {
  const found = await axe.run({ runOnly: rules, resultTypes: ["violations"] });
  const lines = (rule) => rule.nodes.map((node) => [rule.id, node.target.join(" "), node.failureSummary]);
  return found.violations.flatMap(lines);
}"""


@cache
def _axe() -> str:
    node.installed()
    return node.AXE.read_text(encoding="utf-8")


def barriers(page: Page, rules: tuple[str, ...] = RULES) -> list[str]:
    """Return the problems of a page. Animations end first, because half faded text has too little contrast."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_axe())
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))")
    found: list[list[Any]] = page.evaluate(_RUN, list(rules))
    return [f"{rule} at {where}: {' '.join(str(why).split())}" for rule, where, why in found]
