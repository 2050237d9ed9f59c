"""A reading in real browsers: by keyboard alone, reopened, cut off, and with all media preferences."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from tests.web.browsers import CHROMIUM, WEBKIT, Keys, Page, browser
from tests.web.processes import Process
from vaultkit import resources

pytestmark = pytest.mark.slow
BOTH = pytest.mark.parametrize("kind", [CHROMIUM, WEBKIT])
CROSS = ("reading", "five-card cross", "--seed", "4", "--question", "Who rang the bell?")
SIZES = ((320, 568), (390, 844), (1366, 768), (1920, 1080))
OPEN = "document.querySelectorAll('.spot.open').length"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Process]:
    shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    with Process(tmp_path / "vault", *CROSS) as process:
        yield process


def entrance(table: Process) -> str:
    return f"http://127.0.0.1:{table.port}/#{table.code}"


@BOTH
def test_a_whole_reading_by_keyboard_alone(table: Process, tmp_path: Path, kind: str) -> None:
    with browser(kind, tmp_path) as page:
        page.go(entrance(table))
        assert "#" not in page.run("location.href"), "no code stays in the address"
        page.tab_to(lambda here: here == "p1")
        page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
        page.wait_for("document.querySelector('#p3.open')")
        assert page.focus() == "p3", "the focus stays on the card"
        assert "What Stands in the Way: " in page.wait_for("document.querySelector('#say').textContent")
        page.keys(Keys.HOME, Keys.ENTER)
        page.wait_for("document.querySelector('#p1.open')")
        page.keys(Keys.END, Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ENTER)
        page.wait_for("!document.querySelector('#t3').hidden"), "its text, again"
        page.tab_to(lambda here: here == "o-turn")
        for turned in (3, 4, 5):
            page.keys(Keys.ENTER)
            page.wait_for(f"{OPEN} === {turned}")
        page.wait_for("document.querySelector('#o-link[href^=obsidian]')")
        assert page.focus() in {"o-link", "o-finish", "question"}, "and never nowhere"
        page.tab_to(lambda here: here in {"o-link", "o-finish"})
        if page.focus() == "o-link":
            page.keys(Keys.ARROW_RIGHT)
        page.keys(Keys.ENTER)
        page.wait_for("!document.querySelector('#lost').hidden")
        assert "closed" in page.text()
        assert page.errors() == []
    assert table.end()[0] == 0
    assert [path.name for path in (table.vault / "Games").glob("*.md")]


@BOTH
def test_page_that_was_left_returns_to_the_same_cards(table: Process, tmp_path: Path, kind: str) -> None:
    with browser(kind, tmp_path) as page:
        page.go(entrance(table))
        page.click("o-turn")
        page.wait_for(f"{OPEN} === 1")
        at = page.run("location.href")
        page.driver.get("about:blank")
        page.driver.back()
        page.wait_for(f"{OPEN} === 1")
        page.click("o-turn")
        page.wait_for(f"{OPEN} === 2")
        page.go(at)
        page.wait_for(f"{OPEN} === 2")
        assert page.errors() == []


def test_two_windows_show_the_same_and_an_outdated_one_is_notified(table: Process, tmp_path: Path) -> None:
    with browser(CHROMIUM, tmp_path) as page:
        page.go(entrance(table))
        other = table.sit()
        page.run("void EventSource.prototype.close.call(stream)")
        other.order("turn")
        page.click("o-turn")
        page.wait_for("document.querySelector('#wrong').textContent.includes('moved on')")
        page.wait_for(f"{OPEN} === 1")


def test_missing_table_is_reported_after_three_seconds_and_orders_are_disabled(table: Process, tmp_path: Path) -> None:
    with browser(CHROMIUM, tmp_path) as page:
        page.go(entrance(table))
        table.process.kill()
        page.wait_for("!document.querySelector('#lost').hidden", 6)
        assert page.run("document.querySelector('#o-turn').getAttribute('aria-disabled')") == "true"
        page.click("o-turn")
        assert "no connection" in page.wait_for("document.querySelector('#wrong').textContent")


def test_every_state_of_a_reading_passes_axe(table: Process, tmp_path: Path) -> None:
    with browser(CHROMIUM, tmp_path) as page:
        page.driver.get(f"http://127.0.0.1:{table.port}/#wrong")
        page.wait_for("document.body.innerText.includes('code')")
        assert page.violations() == []
        page.driver.get(f"http://127.0.0.1:{table.port}/nobody/screen/")
        page.wait_for("document.querySelector('h1').innerText.includes('No seat')")
        for scheme in ("light", "dark"):
            page.media(prefers_color_scheme=scheme)
            assert page.violations() == []
        page.go(entrance(table))
        assert [line for line in page.errors() if "403" not in line] == []
        for turned in range(6):
            page.wait_for(f"{OPEN} === {turned}")
            if turned in {0, 2, 5}:
                look_at(page)
            page.click("o-turn" if turned < 5 else "question")
        assert page.errors() == []


def look_at(page: Page) -> None:
    """Check that the page is accessible and fits, at all sizes in both colour schemes."""
    for size, scheme in product(SIZES, ("light", "dark")):
        page.size(*size)
        page.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        assert page.violations() == [], (size, scheme)
        assert fits_window(page, size), (size, scheme)
    page.size(*SIZES[-1])


def fits_window(page: Page, size: tuple[int, int]) -> bool:
    """Return whether nothing is cut off at the side and, in a wide window, nothing needs scrolling."""
    wide = page.run("document.documentElement.scrollWidth") <= size[0]
    tall = page.run("document.documentElement.scrollHeight") <= size[1]
    return wide and (tall or size[0] < 900)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Yield the example vault on a disk of 2 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "vaultkit-test", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only an administrator may mount a disk")
    try:
        yield Path(shutil.copytree(resources.shipped_folder("vault-example"), disk / "vault"))
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_on_a_full_disk_the_end_lists_what_is_missing_and_writes_it_again(small_disk: Path, tmp_path: Path) -> None:
    filler = small_disk.parent / "filler"
    with Process(small_disk, *CROSS) as table, browser(CHROMIUM, tmp_path) as page:
        page.go(entrance(table))
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * 1024):
                pass
        for turned in range(1, 6):
            page.click("o-turn")
            page.wait_for(f"{OPEN} === {turned}")
        page.wait_for("document.querySelector('#o-again')")
        assert "No space left" in page.text()
        assert page.run("document.querySelector('#written').textContent") == "Written: nothing."
        missing = page.run("document.querySelector('#unwritten').textContent")
        assert "Games/" in missing and "Campaign Log.md" in missing
        failed = page.run("question")
        page.click("o-again")
        page.wait_for(f"question !== '{failed}' && document.querySelector('#o-again')")
        assert not page.run("document.querySelector('#wrong').textContent")
        filler.unlink()
        # The second click answers a question that the first has answered, so it writes nothing.
        page.run("document.querySelector('#o-again').click(), document.querySelector('#o-again').click()")
        page.wait_for("document.querySelector('#o-link[href^=obsidian]')")
        assert page.violations() == []
        assert [line for line in page.errors() if "409" not in line] == []
        [note] = (small_disk / "Games").glob("*.md")
        assert (small_disk / "Campaign Log.md").read_text(encoding="utf-8").count(note.stem) == 1
