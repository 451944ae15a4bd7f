"""Personal settings: themes, motion and shortcuts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 1")

_BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"


def test_the_theme_follows_the_system_until_one_is_chosen_and_stored(visit: Visit) -> None:
    page = visit.open("/")
    light = page.evaluate(_BACKGROUND)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(_BACKGROUND)
    assert dark != light
    _choose(page, "Theme", "light")
    assert page.evaluate(_BACKGROUND) == light
    page.reload()
    assert page.evaluate(_BACKGROUND) == light
    _choose(page, "Theme", "dark")
    page.emulate_media(color_scheme="light")
    page.reload()
    assert page.evaluate(_BACKGROUND) == dark
    _choose(page, "Theme", "system")
    assert page.evaluate(_BACKGROUND) == light


def test_a_choice_made_in_one_tab_holds_in_the_others(visit: Visit) -> None:
    page, other = visit.open("/"), visit.another_tab("/")
    before = other.evaluate(_BACKGROUND)
    _choose(page, "Theme", "dark")
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")
    assert other.evaluate(_BACKGROUND) != before


def test_reduced_motion_disables_animations(visit: Visit) -> None:
    visit.page.emulate_media(reduced_motion="reduce")
    page = visit.open("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    longest = page.evaluate(
        """Math.max(0, ...[...document.querySelectorAll("*")].flatMap((each) => {
          const style = getComputedStyle(each);
          return [...style.animationDuration.split(","), ...style.transitionDuration.split(",")].map(parseFloat);
        }))"""
    )
    assert longest <= 0.01


def test_the_shortcuts_are_shown_by_a_key_and_go_away_by_another(visit: Visit) -> None:
    page = visit.open("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Shortcuts")
    expect(dialog).to_contain_text("go to approvals")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def _choose(page: Page, setting: str, value: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("group", name=setting).get_by_role("button", name=value).click()
    page.keyboard.press("Escape")
