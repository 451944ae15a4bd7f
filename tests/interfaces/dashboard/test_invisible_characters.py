"""The page and the terminal treat the same characters as invisible."""

import json
import sys
import unicodedata

from tallystick.core.formats.visible import escape_block
from tests import node
from tests.interfaces.dashboard.test_page_modules import STATIC

SCRIPT = f"""
const {{ visibleText }} = await import("{STATIC}/ui/visible.js");
const shownAs = {{}};
for (let code = 0; code <= 0x10ffff; code += 1) {{
  const letter = String.fromCodePoint(code);
  const shown = visibleText(letter);
  if (!/[\\p{{Cn}}\\p{{Cs}}]/u.test(letter)) shownAs[code] = shown === letter ? "" : shown;
}}
console.log(JSON.stringify(shownAs));
"""


def test_page_and_terminal_escape_the_same_characters_alike() -> None:
    done = node.evaluate(SCRIPT)
    assert done.returncode == 0, done.stderr
    page = {chr(int(code)): shown for code, shown in json.loads(done.stdout).items()}
    known = [letter for letter in page if unicodedata.category(letter) != "Cn"]  # Node may know a newer Unicode
    assert len(known) > 140_000
    differing = [letter for letter in known if page[letter] != _at_the_terminal(letter)]
    assert sorted(differing) == sorted(_spaces())
    assert all(page[letter] for letter in differing)


def _at_the_terminal(letter: str) -> str:
    shown = escape_block(letter)
    return "" if shown == letter else shown


def _spaces() -> list[str]:
    """Whether it is a space of another width: plain in the terminal, marked on the page."""
    letters = (chr(code) for code in range(0xA0, sys.maxunicode + 1))
    return [letter for letter in letters if unicodedata.category(letter) == "Zs"]
