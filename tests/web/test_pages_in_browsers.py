"""Positions of every game as pages show them, in Chromium at all sizes: nothing is cut off, and axe finds no fault."""

from collections.abc import Iterator
from itertools import product

import pytest

from scripts.table_moments import GAMES, GM_PAGES, LESSONS, LIGHT, READINGS, REAL
from scripts.table_pictures import Show, serving
from tests.web.browsers import CHROMIUM, Page, browser
from tests.web.test_hard_states_in_browsers import LAYOUT_FAULTS

pytestmark = pytest.mark.slow
SIZES = ((320, 568), (390, 844), (1366, 768), (1920, 1080))


@pytest.fixture(scope="module")
def show() -> Iterator[Show]:
    with serving([]) as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(CHROMIUM, tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.mark.parametrize("name", [*GAMES, *REAL, *LIGHT, *GM_PAGES, *LESSONS, *READINGS])
def test_page_fits_every_size_and_passes_axe(show: Show, page: Page, name: str) -> None:
    page.size(*SIZES[-1])
    page.go(f"{show.address}/{name}/screen/")
    for size, scheme in product(SIZES, ("light", "dark")):
        page.size(*size)
        page.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        assert page.violations() == [], (size, scheme)
        assert not cut_off(page), size
    assert page.errors() == []


@pytest.mark.parametrize("size", [(768, 1024), (810, 1080)])
@pytest.mark.parametrize("name", [*READINGS, *LESSONS])
def test_reading_and_lesson_fit_a_tablet_that_stands(show: Show, page: Page, name: str, size: tuple[int, int]) -> None:
    page.size(*size)
    page.go(f"{show.address}/{name}/screen/")
    assert page.driver.execute_script(LAYOUT_FAULTS) == []
    order = page.run("['#side', '#middle', '#dock'].map(id => document.querySelector(id).getBoundingClientRect().top)")
    if name in LESSONS:
        assert sorted(order) == order, "the words of a lesson stand above the table"
    else:
        assert page.run("document.documentElement.scrollHeight") == size[1], "all of a reading is seen at once"
        captions = "[...document.querySelectorAll('.spot')].filter(spot => spot.scrollWidth > spot.clientWidth).length"
        assert page.run(captions) == 0


def cut_off(page: Page) -> list[str]:
    """Return the elements that reach beyond the window or beyond the part of the page that holds them."""
    return page.run(  # type: ignore[no-any-return]
        """[...document.querySelectorAll('.card, .back, #offers button, .seat h2, #question, #top button')]
          .filter(one => {
            const box = one.getBoundingClientRect(), wide = innerWidth >= 900;
            if (!box.width) return false;
            const table = one.closest('#middle, #seats')?.getBoundingClientRect();
            const around = wide && one.closest('#offers, .seat')?.getBoundingClientRect();
            const beside = wide && one.closest('body:not(.phone) #hand') && document.querySelector('#offers');
            const offers = beside ? beside.getBoundingClientRect() : {};
            const left = around?.left ?? 0, right = around?.right ?? (offers.width ? offers.left : innerWidth);
            const foot = wide ? Math.min(around?.bottom ?? innerHeight, table?.bottom ?? innerHeight) : Infinity;
            return box.left < left - 1 || box.right > right + 1 || box.bottom > foot + 1;
        }).map(one => `${one.outerHTML.slice(0, 90)} in ${one.closest('[id]').id}`)"""
    )


_COUNT_SOUNDS = """
  window.tones = 0;
  window.AudioContext = class { createOscillator() { tones += 1; throw new Error("without sound"); } };
  Object.defineProperty(navigator, "userActivation", { configurable: true, value: arguments[0] });
"""


@pytest.mark.parametrize("activation", [{"hasBeenActive": True}, None])
def test_phone_sounds_and_changes_its_icon_when_its_turn_begins(
    show: Show, page: Page, activation: dict[str, bool] | None
) -> None:
    page.size(390, 844)
    page.go(f"{show.address}/citadel-phone/screen/")
    page.driver.execute_script(_COUNT_SOUNDS, activation)
    tones = 1 if activation else 0  # a browser without `userActivation` stays silent
    icon = "document.querySelector('[rel=icon]').getAttribute('href')"
    assert page.run(icon) == "/web/turn.svg"
    assert page.run("(signal(true), tones)") == 0, "the turn had begun before"
    assert page.run(f"(signal(false), {icon})") == "/web/back.svg"
    assert page.run("(signal(true), tones)") == tones
    assert page.run(icon) == "/web/turn.svg"
    page.click("b-sound")
    assert page.run("document.querySelector('#b-sound').ariaPressed") == "false"
    assert page.run("(signal(false), signal(true), tones)") == tones, "it is switched off"
    page.driver.refresh()
    page.wait_for("document.querySelector('#b-sound')")
    assert page.run("document.querySelector('#b-sound').ariaPressed") == "false", "and stays so"
    page.run("localStorage.clear()")


def test_offers_that_go_on_below_fade_out_until_they_are_scrolled(show: Show, page: Page) -> None:
    page.size(1366, 768)
    page.go(f"{show.address}/citadel-many/screen/")
    fades = "document.querySelector('#offers').matches('.more')"
    assert not page.run(fades)
    page.run("document.querySelector('#choices').style.height = '200vh'")
    page.run("narrow()")
    assert page.run(fades)
    page.run("document.querySelector('#offers').scrollTo(0, 9999)")
    page.wait_for(f"!{fades}")


def test_moves_without_room_are_shown_card_by_card(show: Show, page: Page) -> None:
    page.size(390, 844)
    page.go(f"{show.address}/destiny-phone/screen/")
    visible = "[...document.querySelectorAll('#choices button')].filter(one => !one.hidden).length"
    hint = "getComputedStyle(document.querySelector('#choices + .touch')).display"
    assert (page.run(visible), page.run(hint)) == (1, "block"), "Add no more touches no card"
    page.run("document.querySelector('#hand .can').click()")
    assert (page.run(visible), page.run(hint)) == (1, "none")
    page.run("document.querySelector('#hand .picked').click()")
    page.size(1366, 768)
    page.wait_for(f"{visible} === 5")
    assert page.run(hint) == "none"


_LOADED = (
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes(arguments[0]))"
)


def test_page_loads_whole_fonts_only_for_names_that_need_them(show: Show, page: Page) -> None:
    page.size(390, 844)
    basic = ["Alegreya-Regular-basic.ttf", "Cinzel-Bold-basic.ttf"]
    for letters, fonts in (("Zoé Müller", basic), ("Łukasz", sorted([*basic, "Alegreya-Regular.ttf"]))):
        page.go(f"{show.address}/propheta-waits/screen/")
        page.driver.execute_script("document.querySelector('#main').append(arguments[0])", letters)
        page.wait_for("document.fonts.status === 'loaded'")
        assert sorted(one.rpartition("/")[2] for one in page.run(_LOADED, ".ttf")) == fonts, letters


def test_pictures_of_the_hand_are_loaded_before_all_others(show: Show, page: Page) -> None:
    page.size(390, 844)
    page.go(f"{show.address}/propheta-phone/screen/")
    deck = len(page.wait_for("!byId('pictures').dataset.faces && [...document.querySelectorAll('#pictures img')]"))
    page.wait_for("document.querySelectorAll('#pictures img').length === 48")
    seen = {one.rpartition("/")[2] for one in page.run("all('#main img, #dock img').map(({ src }) => src)")}
    loaded = [one.rpartition("/")[2] for one in page.run(_LOADED, "/face/")]
    assert deck and len(seen) > 8
    assert set(loaded[: len(seen)]) == seen
    assert len({*loaded}) == 48, "and then all others, whatever is seen"


def test_hint_shows_that_it_is_thinking_until_it_comes(show: Show, page: Page) -> None:
    page.size(390, 844)
    page.go(f"{show.address}/propheta-phone/screen/")
    page.run("window.fetch = () => new Promise((done) => { window.answer = done; })")
    page.click("b-hint")
    assert page.wait_for("document.querySelector('#wrong').textContent") == "Thinking …"
    assert page.run("document.querySelector('#b-hint').ariaBusy") == "true"
    page.run("answer({ status: 200, json: async () => ({ html: '<section><h2>A hint</h2></section>' }) })")
    page.wait_for("document.querySelector('#more').open")
    assert page.run("[document.querySelector('#wrong').textContent, byId('b-hint').ariaBusy]") == ["", None]


_REFUSE = """
  window.sent = [];
  window.fetch = async (at, { body }) => {
    sent.push(JSON.parse(body));
    return { status: 422, json: async () => ({ why: "Is that right?", sure: true }) };
  };
"""


def test_confirmation_is_for_its_own_question_and_closes_with_it(show: Show, page: Page) -> None:
    page.size(390, 844)
    page.go(f"{show.address}/propheta-phone/screen/")
    page.driver.execute_script(_REFUSE)
    page.run("order({ do: 'offer', offer: '0' })")
    page.wait_for("document.querySelector('#more').open")
    page.run("void (question = 'of-another-turn')")
    page.run("document.querySelector('#more button').click()")
    page.wait_for("sent.length === 2")
    assert page.run("sent.map((one) => [one.question, one.sure ?? false])") == [["q", False], ["q", True]]
    page.wait_for("document.querySelector('#more').open")
    page.run("receive({ title: 'Propheta', say: '', question: 'next', regions: {} })")
    assert not page.run("document.querySelector('#more').open")
    page.run("order({ do: 'why', card: 'x' })")
    assert page.wait_for("sent[2]?.question") == "next"


def test_hand_that_is_covered_again_never_glides(show: Show, page: Page) -> None:
    page.size(1366, 768)
    page.media(prefers_reduced_motion="no-preference")
    page.go(f"{show.address}/propheta-seat/screen/")
    page.run("void (document.startViewTransition = () => { throw new Error('glides'); })")
    regions = {"ask": "<h2 id=question>N</h2>", "hand": "<button class=cover data-do=uncover>Show the hand</button>"}
    page.driver.execute_script("receive({ title: '', say: '', question: 'n', regions: arguments[0] })", regions)
    assert page.run("document.querySelectorAll('#hand .card').length") == 0


def test_end_begins_at_its_top_wherever_the_table_was_scrolled_to(show: Show, page: Page) -> None:
    page.size(390, 844)
    page.go(f"{show.address}/gambit-phone/screen/")
    page.run("void (byId('main').scrollTop = 9999)")
    assert page.run("byId('main').scrollTop") > 0
    end = "<section id=end><h2>Ysolde wins</h2><p>" + "The story. " * 400 + "</p></section>"
    page.driver.execute_script(
        "receive({ title: '', say: '', question: null, regions: { middle: arguments[0] } })", end
    )
    assert page.run("byId('main').scrollTop") == 0


_ASK = """
  window.asked = [];
  window.fetch = async (at, { method }) => { asked.push(`${method} ${at}`); return { ok: method === "HEAD" }; };
"""


def test_phone_with_a_seat_takes_a_second_one_only_after_one_more_touch(show: Show, page: Page) -> None:
    page.driver.get(f"{show.address}/join/#code")
    page.run("localStorage.setItem('seat', '/table/seat/')")
    page.wait_for("document.querySelector('#seats button')")
    page.driver.execute_script(_ASK)
    touch = "document.querySelector('#seats button:not([aria-disabled])').click()"
    page.run(touch)
    assert "has a seat already" in page.wait_for("document.querySelector('#wrong').textContent")
    assert page.run("asked") == ["HEAD /table/seat/"]
    page.run(touch)
    page.wait_for("asked.length === 2")
    assert page.run("asked") == ["HEAD /table/seat/", "POST /sit"]
    page.run("localStorage.clear()")
