"""What axe-core finds in a page, as lines that say where and how to mend it."""

from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests import node

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_RUN = """async (rules) => {
  const found = await axe.run({ runOnly: rules, resultTypes: ["violations"] });
  const told = (rule) => rule.nodes.map((node) => [rule.id, node.target.join(" "), node.failureSummary]);
  return found.violations.flatMap(told);
}"""


@cache
def _axe() -> str:
    node.installed()
    return node.AXE.read_text(encoding="utf-8")


def barriers(page: Page, rules: tuple[str, ...] = RULES) -> list[str]:
    """What stands in somebody's way. Motion is over first: half faded text has half its contrast."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_axe())
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))")
    found: list[list[Any]] = page.evaluate(_RUN, list(rules))
    return [f"{rule} at {where}: {' '.join(str(why).split())}" for rule, where, why in found]
