"""The site that `make site` builds: every link in it leads somewhere, nothing is from outside, axe finds no fault."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote_plus

import pytest

from scripts import site_links
from scripts.shape import count_words
from tests.web.browsers import CHROMIUM, Page, browser

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / ".site" / "venv" / "bin" / "python"
SIZES = ((1366, 768), (390, 844))
"""A desk and a phone; a page that is light on the one is dark on the other."""


def test_broken_link_and_external_font_are_faults(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<link rel="stylesheet" href="//fonts.example/f.css"><h1 id="top">A</h1><script src="https://x.example/a.js">'
        '</script><a href="#top">1</a><a href="b.html#there">2</a><a href="b.html#gone">3</a><a href="c.html">4</a>'
        '<a href="https://out.example/">5</a>'
    )
    (tmp_path / "b.html").write_text('<p id="there">B</p>')
    (tmp_path / "s.css").write_text('@font-face { src: url("https://fonts.example/f.woff2") }')
    assert list(site_links.faults(tmp_path)) == [
        "a.html loads //fonts.example/f.css",
        "a.html loads https://x.example/a.js",
        "a.html: b.html#gone leads nowhere",
        "a.html: c.html leads nowhere",
        "s.css loads https://fonts.example/f.woff2",
    ]
    assert site_links.outside(tmp_path) == ["https://out.example/"]


def test_no_page_for_gms_has_more_than_1200_words() -> None:
    front = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    needed = front.partition("## Reference")[0]
    pages = [ROOT / "docs" / name for name in re.findall(r"\]\(([\w/.-]+\.md)\)", needed)]
    pages += (ROOT / "docs" / "printing").rglob("*.md")
    assert len(pages) > 40
    assert {page.name: count_words(page) for page in pages if count_words(page) > 1200} == {}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew; Sphinx ends with an error for each link or page that it cannot place."""
    if not PYTHON.is_file():
        if os.environ.get("VAULTKIT_SITE") == "required":
            pytest.fail("what builds the site must be installed: make site")
        pytest.skip("without what builds the site: make site")
    made = tmp_path_factory.mktemp("site")
    options = ["-c", "site", "-q", "-W", "--keep-going", "-d", str(made / "kept"), ".", str(made / "html")]
    done = subprocess.run(
        [PYTHON, "-m", "sphinx", *options], cwd=ROOT, check=False, capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    return made / "html"


@pytest.mark.slow
def test_every_link_of_the_site_resolves_and_nothing_is_loaded_from_outside(site: Path) -> None:
    assert list(site_links.faults(site)) == []


@pytest.mark.slow
def test_every_page_of_the_documents_is_in_the_navigation(site: Path) -> None:
    front = site / "docs" / "index.html"
    listed = {
        (front.parent / address.partition("#")[0]).resolve()
        for address in site_links.read(front).goes
        if not site_links.is_outside(address)
    }
    pages = {file.resolve() for file in (site / "docs").rglob("*.html")}
    assert pages - listed == {front.resolve()}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(CHROMIUM, tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=["desk", "phone"])
def test_axe_finds_no_fault_in_any_page_light_and_dark(site: Path, page: Page, size: tuple[int, int]) -> None:
    page.size(*size)
    page.driver.set_script_timeout(300)
    faults = {}
    for number, file in enumerate(sorted(site.rglob("*.html"))):
        scheme = ("light", "dark")[(number + SIZES.index(size)) % 2]
        page.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        page.driver.get(file.as_uri())
        wide = page.run("document.documentElement.scrollWidth > innerWidth")
        if found := page.violations() + (["wider than the window"] if wide else []):
            faults[str(file.relative_to(site))] = found
    assert faults == {}


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["first-evening", "own-games", "installing", "campaign"])
def test_command_is_fully_visible_and_copied_without_its_prompt(site: Path, page: Page, name: str, width: int) -> None:
    page.size(width, 844)
    page.driver.get((site / "docs" / f"{name}.html").as_uri())
    assert page.run("[...document.querySelectorAll('pre')].filter(it => it.scrollWidth > it.clientWidth).length") == 0
    copied = page.run("""[...document.querySelectorAll('pre')].map(block => {
        getSelection().selectAllChildren(block); return getSelection().toString().trimEnd() })""")
    shown = page.run("[...document.querySelectorAll('pre')].map(block => block.textContent.trimEnd())")
    assert copied == [re.sub(r"(?m)^\$ ", "", text) for text in shown]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("undo", "undo"),
        ("print cards", "print-cards"),
        ("how do I log a game of chess", "log"),
        ("vaultkit roll", "roll"),
    ],
)
def test_search_works_without_a_server_and_finds_the_command_first(
    site: Path, page: Page, query: str, found: str
) -> None:
    page.size(*SIZES[0])
    page.driver.get(f"{(site / 'search.html').as_uri()}?q={quote_plus(query)}")
    page.wait_for("document.querySelector('#search-results li a')")
    first = page.run("document.querySelector('#search-results li a').getAttribute('href')")
    assert first.partition("?")[0].partition("#")[0] == f"docs/cli/{found}.html"
