"""Games in real browsers: whole games by keyboard, covered hands, gliding cards, and failures."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.counts import some
from tests.web.browsers import CHROMIUM, WEBKIT, Keys, Page, browser
from tests.web.processes import Process
from vaultkit import resources

pytestmark = pytest.mark.slow
RIVALS = ("play", "dragon-citadel", "--set", "mode=competitive", "--seed", "3")
PAIR = ("--seat", "Ysolde", "--seat", "Bram", "--seat", "bot:greedy")
FATE = ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "bot:greedy", "--seed", "3", "--speed", "fast")
WATCH = """void (() => {
    window.glides = [];
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (swap) => {
        glides.push([...document.querySelectorAll('*')].filter(one => one.style.viewTransitionName).length);
        return start(swap);
    };
})()"""
NAMED = "[...document.querySelectorAll('*')].filter(one => one.style.viewTransitionName).length"


IN_CHROMIUM = [
    (CHROMIUM, (*RIVALS, *PAIR)),
    (CHROMIUM, ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "bot:greedy", "--seed", "3")),
    (CHROMIUM, ("play", "prophets-gambit", *PAIR, "--seed", "3")),
    (CHROMIUM, ("play", "propheta", *PAIR, "--seed", "3", "--speed", "off")),
    (CHROMIUM, ("play", "deck-of-destiny", "--seat", "Ysolde", "--seed", "3")),
]


@contextmanager
def open_table(tmp_path: Path, kind: str, *words: str) -> Iterator[Page]:
    shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    with Process(tmp_path / "vault", *words) as table, browser(kind, tmp_path) as page:
        page.size(1366, 768)
        page.go(f"http://127.0.0.1:{table.port}/#{table.code}")
        yield page


@pytest.mark.parametrize(
    ("kind", "words"),
    [*some(IN_CHROMIUM, 2), (WEBKIT, (*RIVALS, *PAIR))],
    ids=lambda one: one if isinstance(one, str) else one[1],
)
def test_a_whole_game_by_keyboard_alone(tmp_path: Path, kind: str, words: tuple[str, ...]) -> None:
    rng, moves = Random(5), 0
    with open_table(tmp_path, kind, *words) as page:
        while not page.run("!!document.querySelector('#end')"):
            moves += decide(page, rng)
            assert not moves or page.run("document.activeElement !== document.body"), "the focus is never nowhere"
        assert moves > 1
        assert "wins" in page.text() or "win" in page.text()
        assert page.run("!!document.querySelector('a[href^=obsidian]')")
        assert page.violations() == []
        assert [line for line in page.errors() if "422" not in line and "409" not in line] == []


def decide(page: Page, rng: Random) -> int:
    """Lift the cover or make a move, and return the number of moves made."""
    asked = page.wait_for(
        "(document.querySelector('#end') && 'end') || (document.querySelector('#more').open && 'panel')"
        " || (document.querySelector('.cover') && 'cover')"
        " || (!running && document.querySelector('[data-offer]') && question)"
    )
    if asked == "end":
        return 0
    if asked in {"panel", "cover"}:
        if asked == "cover":
            page.tab_to(lambda _: page.run("document.activeElement.matches('.cover')"))
        page.keys(Keys.ENTER)
        page.wait_for(f"!document.querySelector('{'.cover' if asked == 'cover' else '#more[open]'}')")
        return 0
    while not page.run("!!document.querySelector('[data-offer]:not([hidden])')"):
        pick(page, rng)
    page.tab_to(lambda _: page.run("document.activeElement.matches('[data-offer]')"))
    for _ in range(rng.randrange(3)):
        page.keys(Keys.ARROW_DOWN)
    page.keys(Keys.ENTER)
    page.wait_for(f"question !== '{asked}' || document.querySelector('#more').open")
    return 1


def pick(page: Page, rng: Random) -> None:
    """Move the focus to a random card of the hand and, if it can be played, pick it."""
    page.tab_to(lambda _: page.run("!!document.activeElement.closest('#hand')"))
    for _ in range(rng.randrange(8)):
        page.keys(Keys.ARROW_RIGHT)
    if page.run("document.activeElement.matches('.can')"):
        page.keys(Keys.ENTER)
        page.wait_for("document.querySelector('.picked')")


def test_match_continues_by_keyboard_alone(tmp_path: Path) -> None:
    rng, fate = Random(5), ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "bot:easy", "--seed", "3")
    with open_table(tmp_path, CHROMIUM, *fate, "--match", "3", "--speed", "off") as page:
        while not page.run("!!document.querySelector('#end')"):
            decide(page, rng)
        assert "Game 2 of at most 3" in page.text()
        assert page.violations() == []
        page.tab_to(lambda focus: focus == "o-next")
        page.keys(Keys.ENTER)
        page.wait_for("!document.querySelector('#end')")
        assert decide(page, rng) == 1


def test_dc_2_a_gm_plays_the_dealer_by_keyboard_alone(tmp_path: Path) -> None:
    words = ("play", "dragon-citadel", "--gm", "Maud", "--set", "dealer=hand-of-5", "--seat", "Ysolde", "--seed", "3")
    with open_table(tmp_path, CHROMIUM, *words, "--seat", "bot:greedy", "--seat", "bot:greedy") as page:
        page.wait_for("document.querySelector('.cover')")
        assert "maud decides" in page.text().casefold()
        page.tab_to(lambda _: page.run("document.activeElement.matches('.cover')"))
        page.keys(Keys.ENTER)
        page.wait_for("document.querySelectorAll('#hand .card').length === 5")
        page.tab_to(lambda _: page.run("!!document.activeElement.closest('#hand')"))
        page.keys(Keys.ARROW_RIGHT, "?")
        page.wait_for("document.querySelector('#more').open")
        assert page.violations() == []
        page.keys(Keys.ESCAPE)
        page.wait_for("!document.querySelector('#more').open")
        page.keys(Keys.ENTER)
        asked = page.run("question")
        page.wait_for("document.activeElement.matches('[data-offer]')")
        page.keys(Keys.ENTER)
        page.wait_for(f"question !== '{asked}'")
        assert page.errors() == []


def test_unplayable_card_gives_the_reason_and_another_shows_its_text(tmp_path: Path) -> None:
    with open_table(tmp_path, CHROMIUM, "play", "dragon-citadel", *PAIR, "--seed", "7") as page:
        page.wait_for("document.querySelector('.cannot, .can')")
        for _ in range(12):
            if page.run("!!document.querySelector('.cannot')"):
                break
            decide(page, Random(1))
            page.wait_for("!running && document.querySelector('[data-offer]')")
        page.run("document.querySelector('.cannot').focus()")
        page.keys(Keys.ENTER)
        said = page.wait_for("document.querySelector('#wrong').textContent")
        assert said == page.run("document.querySelector('.cannot').dataset.why")
        page.keys("?")
        name = page.run("document.querySelector('.cannot').getAttribute('aria-label')")
        page.wait_for("document.querySelector('#more').open")
        assert name.partition(" (")[0] in page.run("document.querySelector('#more').innerText")
        assert page.violations() == []
        page.keys(Keys.ESCAPE)
        page.wait_for("!document.querySelector('#more').open")
        for tool in ("b-hint", "b-who", "b-rule"):
            page.click(tool)
            page.wait_for("document.querySelector('#more').open")
            assert page.violations() == []
            page.keys(Keys.ESCAPE)
        page.click("b-ask")
        page.keys("how do I pay for a crown", Keys.ENTER)
        page.wait_for("document.querySelector('#more').open && document.querySelector('#more section')")
        assert page.errors() == []


@pytest.mark.parametrize("kind", [CHROMIUM, WEBKIT])
def test_hand_is_covered_when_nobody_looks_and_removed_from_the_page(tmp_path: Path, kind: str) -> None:
    with open_table(tmp_path, kind, *RIVALS, *PAIR) as page:
        page.wait_for("document.querySelector('.cover')")
        assert page.run("document.querySelectorAll('#hand .card').length") == 0
        page.run("document.querySelector('.cover').click()")
        page.wait_for("document.querySelectorAll('#hand .card').length === 5")
        labels = page.run("[...document.querySelectorAll('#hand .card')].map(one => one.getAttribute('aria-label'))")
        names = [label.partition(" (")[0].partition(",")[0] for label in labels]
        page.run(
            "void (Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true}),"
            " document.dispatchEvent(new Event('visibilitychange')))"
        )
        left = page.run("document.documentElement.outerHTML")
        assert not [name for name in names if name in left], "at once"
        page.run(
            "void (Object.defineProperty(document, 'visibilityState', {value: 'visible', configurable: true}),"
            " document.dispatchEvent(new Event('visibilitychange')))"
        )
        page.wait_for("document.querySelector('.cover')")
        left = page.run("document.documentElement.outerHTML")
        assert not [name for name in names if name in left]


def moves_of(page: Page, count: int) -> None:
    """Make `count` moves, each the first offer."""
    for _ in range(count):
        asked = page.wait_for(
            "(document.querySelector('.cover') && 'cover')"
            " || (!running && document.querySelector('[data-offer]') && question)"
        )
        page.run("document.querySelector('.cover, #choices > [data-offer]')?.click()")
        # The same question may not be answered twice: a second touch would count as none.
        page.wait_for("!document.querySelector('.cover')" if asked == "cover" else f"question !== '{asked}'")


def test_few_cards_are_animated_at_a_time_and_their_names_removed_afterwards(tmp_path: Path) -> None:
    with open_table(tmp_path, CHROMIUM, *FATE) as page:
        page.wait_for("document.querySelector('[data-offer]')")
        page.run(WATCH)
        moves_of(page, 6)
        page.wait_for("!running")
        glides = page.run("glides")
        assert glides
        assert all(1 <= named <= 8 for named in glides)
        assert page.run(NAMED) == 0
        assert page.errors() == []


@pytest.mark.parametrize(
    "broken",
    [
        "() => { throw new Error('no'); }",
        "() => ({ready: Promise.reject(), updateCallbackDone: Promise.reject(), finished: new Promise(() => {}),"
        " skipTransition() {}})",
        "(swap) => { setTimeout(swap, 2500); return {ready: Promise.reject(), updateCallbackDone: Promise.reject(),"
        " finished: new Promise(() => {}), skipTransition() {}}; }",
    ],
    ids=["throws", "hangs", "comes too late"],
)
def test_failing_or_hanging_transition_becomes_a_plain_swap(tmp_path: Path, broken: str) -> None:
    with open_table(tmp_path, CHROMIUM, *FATE) as page:
        page.wait_for("document.querySelector('[data-offer]')")
        page.run(f"void (document.startViewTransition = {broken})")
        moves_of(page, 3)
        page.wait_for(f"{NAMED} === 0")
        page.run("void setTimeout(() => { window.isLate = true; }, 3000)")
        page.wait_for("window.isLate")
        assert page.run(NAMED) == 0, "a swap that came too late names no card"


def test_nothing_is_animated_with_reduced_motion(tmp_path: Path) -> None:
    with open_table(tmp_path, CHROMIUM, *FATE) as page:
        page.media(prefers_reduced_motion="reduce")
        page.wait_for("document.querySelector('[data-offer]')")
        page.run(WATCH)
        moves_of(page, 4)
        assert page.run("glides") == []


GLIDE = """void ((last) => {
    const card = "<button class='card' id='cx' aria-label='x'></button>";
    const zone = (id, has) => `<div class='zone' id='${id}'><div role='group'>${has ? card : ''}</div></div>`;
    for (let at = 0; at <= last; at++) {
        const middle = zone('za', at & 1) + zone('zb', !(at & 1));
        receive({title: `n${at}`, say: '', question, regions: {middle}});
    }
})(%d)"""


@pytest.mark.parametrize("kind", [CHROMIUM, WEBKIT])
def test_newest_scene_is_shown_during_animations_and_taps_are_not_lost(tmp_path: Path, kind: str) -> None:
    with open_table(tmp_path, kind, *FATE) as page:
        page.wait_for("document.querySelector('[data-offer]') && document.querySelector('#b-who')")
        page.run(GLIDE % 19)
        page.wait_for("document.title === 'n19' && !running")
        assert page.run("document.querySelector('#cx').closest('.zone').id") == "za"
        assert page.run(NAMED) == 0
        page.run(GLIDE % 20)
        page.click("b-who")
        assert "Ysolde" in page.wait_for(
            "document.querySelector('#more').open && document.querySelector('#more').innerText"
        )
        assert page.errors() == []
