"""Hard states of five games in Chromium at seven sizes: nothing overlaps, is cut off, scrolls sideways or is small."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.table_moments import HARD, HARD_NAMES
from scripts.table_pictures import HARD_SIZES, Show, serving
from tests.web.browsers import CHROMIUM, Page, browser

pytestmark = pytest.mark.slow
LAYOUT_FAULTS = Path(__file__).with_name("layout_faults.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def show() -> Iterator[Show]:
    with serving(["hard"]) as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(CHROMIUM, tmp_path_factory.mktemp("browser")) as found:
        yield found


def faults(page: Page) -> list[str]:
    return page.wait_for_fonts().driver.execute_script(LAYOUT_FAULTS)  # type: ignore[no-any-return]


@pytest.mark.parametrize("size", HARD_SIZES)
@pytest.mark.parametrize("name", HARD)
def test_hard_state_has_no_fault_of_layout(show: Show, page: Page, name: str, size: str) -> None:
    width, height = map(int, size.split("x"))
    page.size(width, height)
    page.go(f"{show.address}/{name}/screen/")
    for scheme in ("light", "dark"):
        page.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        assert faults(page) == [], scheme


@pytest.mark.parametrize("name", [name for name in HARD if "-end-" in name])
def test_end_needs_no_font_of_ours(show: Show, page: Page, name: str) -> None:
    page.go(f"{show.address}/{name}/screen/")
    for size in ((320, 568), (390, 844), (568, 320)):
        page.size(*size)
        use_rule(page, '* { font-family: "DejaVu Serif" !important }')
        assert faults(page) == [], size


def use_rule(page: Page, rule: str) -> None:
    """Lay a rule of style over the page's own."""
    page.driver.execute_script(
        "const sheet = new CSSStyleSheet(); sheet.replaceSync(arguments[0]); document.adoptedStyleSheets = [sheet]",
        rule,
    )


def test_measures_find_what_is_wrong(show: Show, page: Page) -> None:
    page.size(1366, 768)
    page.go(f"{show.address}/hard-propheta-begin-seat/screen/")
    assert faults(page) == []
    for rule, fault in (
        ("#hand .card { margin-left: -20px }", "lies over"),
        ("#hand .card img { width: 200% !important; max-width: none }", "shows only a part"),
        (".note { font-size: 9px }", "is small"),
        (".seat h2 { width: 200vw }", "scrolls sideways"),
    ):
        use_rule(page, rule)
        assert any(fault in one for one in faults(page)), rule


def test_hard_names_are_hard() -> None:
    assert len(HARD_NAMES[0]) == 52
    assert " " not in HARD_NAMES[0]
