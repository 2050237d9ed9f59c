"""The referee's page in real browsers: by keyboard alone, by touch, and without a fault that axe finds."""

from pathlib import Path

import pytest

from tests.web.browsers import CHROMIUM, WEBKIT, Keys, Page
from tests.web.test_game_in_browsers import open_table

pytestmark = pytest.mark.slow
PARTY = ("play", "dragon-citadel", "--real-cards", "--referee", "--seat", "Ysolde", "--seat", "Bram", "--seat", "Sefa")
RIVALS = (*PARTY, "--set", "mode=competitive")
SUIT = "document.activeElement.closest('.suit')?.getAttribute('aria-label')"
LIGHT = tuple(word for word in PARTY if word != "--referee")


def write(page: Page, words: str) -> None:
    """Type a line into the focused field and wait until it is accepted."""
    asked = page.run("question")
    page.keys(words, Keys.ENTER)
    page.wait_for(f"question !== '{asked}' && !running && document.activeElement.id === 'pad-field'")
    assert page.run("document.activeElement.value") == ""


@pytest.mark.parametrize("kind", [CHROMIUM, WEBKIT])
def test_cards_are_named_by_keyboard_alone(tmp_path: Path, kind: str) -> None:
    with open_table(tmp_path, kind, *PARTY) as page:
        page.wait_for("document.querySelector('#pad-field')")
        assert page.violations() == []
        page.tab_to(lambda focus: focus == "pad-field")
        write(page, "raven, 6 swords")
        assert "3 more?" in page.text()
        page.keys("bersreker", Keys.ENTER)
        assert "Did you mean 'Berserker'?" in page.wait_for("document.querySelector('#wrong').textContent")
        assert page.run("document.activeElement.value") == "bersreker", "what is refused can be mended"
        page.keys(*[Keys.BACKSPACE] * 9)
        page.tab_to(lambda _: page.run("document.activeElement.dataset.do === 'who'"))
        page.tab_to(
            lambda _: page.run("document.activeElement.closest('.suit')?.getAttribute('aria-label') === 'Stars'")
        )
        page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        assert "2 of Stars" in page.run("document.activeElement.querySelector('img').alt")
        page.keys("?")
        assert "can be named" in page.wait_for("document.querySelector('#more[open]')?.innerText")
        assert page.violations() == []
        page.keys(Keys.ESCAPE)
        page.wait_for("!document.querySelector('#more').open")
        page.keys(Keys.ENTER)
        page.wait_for("document.querySelector('#question').innerText.toLowerCase() === '2 more?'")
        assert page.run(SUIT) == "Stars"
        assert page.run("document.activeElement.matches('.suit [aria-disabled=true]')")
        page.keys(Keys.ENTER)
        assert "named the Diviner" in page.wait_for("document.querySelector('#wrong').textContent")
        page.tab_to(lambda focus: focus == "b-back")
        page.keys(Keys.ENTER)
        page.wait_for("document.querySelector('#question').innerText.toLowerCase() === '3 more?'")
        assert page.violations() == []
        assert [line for line in page.errors() if "422" not in line] == []


def test_single_namer_of_cards_lifts_a_cover_which_closes_again(tmp_path: Path) -> None:
    with open_table(tmp_path, CHROMIUM, *RIVALS) as page:
        page.wait_for("document.querySelector('.cover')")
        assert "Cards for Ysolde" in page.text()
        assert page.run("document.querySelectorAll('.suit').length") == 0
        assert page.violations() == []
        page.run("document.querySelector('.cover').click()")
        page.wait_for("document.querySelector('#pad-field')")
        page.run("document.querySelector('#pad-field').focus()")
        page.keys("raven 6sw 7sw 8sw 9sw", "\ue007")
        page.wait_for("document.querySelector('.cover') && !running")
        assert "Cards for Bram" in page.text()
        assert "named" not in page.run("document.querySelector('#offers').innerHTML")


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (320, 568)])
def test_whole_game_is_recorded_by_touch_and_logged(tmp_path: Path, size: tuple[int, int]) -> None:
    with open_table(tmp_path, CHROMIUM, *LIGHT) as page:
        page.size(*size)
        page.wait_for("document.querySelector('#pad-field')")
        assert page.violations() == []
        assert page.run("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
        for entry in (("6-swords", "@1", "7-swords"), ("beast", "@2", "out"), ("over",)):
            for token in entry:
                asked = page.run("question")
                page.run(f"document.querySelector(\"[data-words='{token}']\").click()")
                page.wait_for(f"question !== '{asked}' && !running")
            asked = page.run("question")
            page.run("document.querySelector('#b-write').click()")
            page.wait_for(f"question !== '{asked}' && !running")
        page.wait_for("document.querySelector('#end')")
        assert "Is this right?".casefold() in page.text().casefold()
        assert page.violations() == []
        page.run("document.querySelector('#o-finish').click()")
        page.wait_for("document.querySelector('a[href^=obsidian]')")
        assert page.violations() == []
        assert page.errors() == []
