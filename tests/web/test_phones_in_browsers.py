"""Phones in real browsers: windows with separate profiles at one table, whole games and failures."""

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.web.browsers import CHROMIUM, WEBKIT, Keys, Page, browser
from tests.web.processes import Process
from tests.web.test_phone_processes import PHONES, port_of
from vaultkit import resources

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("phones"), pytest.mark.usefixtures("own_phone_port")]

SEATS = ("--seat", "Ysolde", "--seat", "Bram", "--seat", "Nettle")
PROPHETA = ("play", "propheta", *SEATS, "--seed", "3", *PHONES)
RIVALS = ("play", "dragon-citadel", *SEATS, "--set", "mode=competitive", "--seed", "3", *PHONES)
READY = "(document.querySelector('#end') && 'end') || (!lost && !running && question && document.querySelector('[data-offer]') && question)"  # noqa: E501


class Evening:
    """A screen and its phones, each in its own browser."""

    def __init__(self, table: Process, screen: Page, phones: list[Page]) -> None:
        self.table, self.screen, self.phones = table, screen, phones
        self.port = port_of(table)

    @property
    def asked(self) -> Page | None:
        """The phone whose turn it is, or None."""
        return next((phone for phone in self.phones if phone.run(f"!!({READY})")), None)

    @property
    def is_over(self) -> bool:
        return bool(self.screen.run("!!document.querySelector('#end')"))

    def sit_down(self, phone: Page, seat: int, *, code: str = "") -> None:
        """Type the screen's code on a phone, and choose a name."""
        code = code or self.screen.wait_for("document.querySelector('.typed')?.textContent")
        phone.driver.get(f"http://127.0.0.1:{self.port}/")
        phone.wait_for("document.querySelector('#typing:not([hidden])')")
        phone.run("document.querySelector('#code').focus()")
        phone.keys(code, Keys.ENTER)
        phone.wait_for("document.querySelector('#seats button')")
        phone.run(f"document.querySelectorAll('#seats button')[{seat}].focus()")
        phone.keys(Keys.ENTER)
        phone.wait_for("document.querySelector('#ask h2')")

    def begin(self) -> None:
        self.screen.wait_for("document.querySelector('#o-begin')")
        self.screen.run("document.querySelector('#o-begin').click()")
        self.screen.wait_for("!document.querySelector('#lobby')")

    def decide(self, rng: Random, *, by_keys: bool = False) -> bool:
        """Make a move on the phone whose turn it is; return False if there is none."""
        phone = self.asked
        if phone is None:
            return False
        before = phone.run(READY)
        if before in (None, False, "end"):  # a lone move was taken in between
            return False
        (_move_by_keys if by_keys else _move_by_touch)(phone, rng)
        moved_on = f"question !== '{before}' || document.querySelector('#end')"
        phone.wait_for(f"{moved_on} || document.querySelector('#more').open")
        if phone.run("document.querySelector('#more').open"):  # asked whether it is right, or told something
            phone.run("document.querySelector('#more button').click()")
        phone.wait_for(moved_on)
        return True


def _move_by_touch(phone: Page, rng: Random) -> None:
    while not phone.run("!!document.querySelector('[data-offer]:not([hidden])')"):
        cards = "[...document.querySelectorAll('#hand .can, #middle .can, #seats .can')]"
        if not phone.run("!!document.querySelector('[data-offer]')"):
            return
        phone.run(f"{cards}[{rng.randrange(99)} % {cards}.length]?.click()")
    phone.run("document.querySelector('[data-offer]:not([hidden])')?.click()")


def _move_by_keys(phone: Page, rng: Random) -> None:
    while not phone.run("!!document.querySelector('[data-offer]:not([hidden])')"):
        phone.tab_to(lambda _: phone.run("!!document.activeElement.closest('#hand')"))
        for _ in range(rng.randrange(8)):
            phone.keys(Keys.ARROW_RIGHT)
        if phone.run("document.activeElement.matches('.can')"):
            phone.keys(Keys.ENTER)
            phone.wait_for("document.querySelector('.picked')")
    phone.tab_to(lambda _: phone.run("document.activeElement.matches('[data-offer]')"))
    phone.keys(Keys.ENTER)


@contextmanager
def begin_evening(tmp_path: Path, *words: str, kind: str = CHROMIUM, phones: int = 3) -> Iterator[Evening]:
    shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    with ExitStack() as stack:
        table = stack.enter_context(Process(tmp_path / "vault", *words))
        pages = []
        for number in range(phones + 1):
            folder = tmp_path / f"profile{number}"
            folder.mkdir()
            pages.append(stack.enter_context(browser(kind if number else CHROMIUM, folder)))
        for phone in pages[1:]:
            phone.size(390, 844)
        pages[0].size(1366, 768)
        pages[0].go(f"http://127.0.0.1:{table.port}/#{table.code}")
        yield Evening(table, pages[0], pages[1:])


def errors_of(pages: list[Page]) -> list[str]:
    """Return script errors, without those of refused requests."""
    return [line for page in pages for line in page.errors() if not re.search("status of 4(03|09|22)", line)]


def test_whole_game_of_propheta_with_a_closed_phone_and_a_killed_server(tmp_path: Path) -> None:
    rng = Random(4)
    with begin_evening(tmp_path, *PROPHETA) as party, ExitStack() as stack:
        for seat, phone in enumerate(party.phones):
            party.sit_down(phone, seat)
            assert phone.violations() == []
        assert party.screen.violations() == []
        party.begin()
        for _ in range(18):  # all prophecies lie: what is chosen ahead of others is asked again after a crash
            while not party.decide(rng):
                pass
        at = party.phones[1].driver.current_url
        party.phones[1].driver.get("about:blank")
        party.phones[1].go(at)
        before = party.phones[1].wait_for("document.querySelectorAll('#hand .card').length")
        party.table.process.kill()
        party.table.end()
        for page in (party.screen, *party.phones):
            page.wait_for("!document.querySelector('#lost').hidden")
            assert page.violations() == []
        again = stack.enter_context(Process(party.table.vault, "resume", *PHONES))
        assert (again.port, port_of(again)) == (party.table.port, party.port)
        for page in (party.screen, *party.phones):
            page.wait_for("document.querySelector('#lost').hidden", 40)
        assert party.phones[1].run("document.querySelectorAll('#hand .card').length") == before
        while not party.is_over:
            party.decide(rng)
        for page in (party.screen, *party.phones):
            page.wait_for("document.querySelector('#end')")
            assert page.violations() == []
        assert "win" in party.phones[0].text().lower()
        assert party.phones[0].run("!document.querySelector('a[href^=obsidian]')"), (
            "where notes lie is the host's business"
        )
        assert errors_of([party.screen, *party.phones]) == []


def test_a_whole_game_of_dragon_citadel_by_keyboard_alone(tmp_path: Path) -> None:
    rng, moves = Random(6), 0
    with begin_evening(tmp_path, *RIVALS) as party:
        for seat, phone in enumerate(party.phones):
            party.sit_down(phone, seat)
        party.begin()
        while not party.is_over:
            moves += party.decide(rng, by_keys=True)
        assert moves > 2
        for phone in party.phones:
            phone.wait_for("document.querySelector('#end')")
            assert phone.run("document.activeElement !== document.body")
        assert errors_of([party.screen, *party.phones]) == []


def test_every_state_of_a_phone_is_accessible(tmp_path: Path) -> None:
    """WCAG 2.2 AA: in every state a phone is accessible, has large targets, and holds no hidden hands."""
    with begin_evening(tmp_path, *PROPHETA, phones=2) as party:
        first, second = party.phones
        first.driver.get(f"http://127.0.0.1:{party.port}/")
        first.wait_for("document.querySelector('#typing:not([hidden])')")
        assert first.violations() == []
        first.run("document.querySelector('#code').focus()")
        first.keys("bcdf-ghjk", Keys.ENTER)
        first.wait_for("document.querySelector('#wrong').textContent")
        assert first.violations() == []
        party.sit_down(first, 0)
        party.sit_down(second, 1)
        party.screen.wait_for("document.querySelectorAll('.by-phone').length === 2")
        party.begin()
        for _ in range(40):
            if any(phone.run("!!document.querySelector('.cannot')") for phone in party.phones):
                break
            if not party.decide(Random(1)):
                party.screen.run("document.querySelector('.cover')?.click()")
                party.screen.run("document.querySelector('#choices > [data-offer]')?.click()")
        for phone in party.phones:
            for width, height in ((390, 844), (320, 568), (844, 390)):
                phone.size(width, height)
                assert phone.violations() == []
                small = phone.run(
                    "[...document.querySelectorAll('button, a')].filter(one => one.offsetParent &&"
                    " (one.getBoundingClientRect().width < 43.5 || one.getBoundingClientRect().height < 43.5)"
                    " && !one.matches('.link, .seat .card, #middle .card')).map(one => one.outerHTML.slice(0, 90))"
                )
                assert small == [], (width, height)
                assert phone.run("document.documentElement.scrollWidth <= innerWidth"), (width, height)
            phone.size(390, 844)
        names = first.run("[...document.querySelectorAll('#hand .card')].map(one => one.getAttribute('aria-label'))")
        first.run("document.querySelector('#b-hide').click()")
        page = first.run("document.querySelector('#dock').outerHTML")
        assert names
        assert not any(name in page for name in names)
        assert first.violations() == []
        first.run("document.querySelector('#b-show').click()")
        first.wait_for(f"document.querySelectorAll('#hand .card').length === {len(names)}")
        first.run(
            "void (Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true}),"
            " document.dispatchEvent(new Event('visibilitychange')))"
        )
        assert not any(name in first.run("document.body.outerHTML") for name in names), "a phone that is put away"
        first.run("void receive({title: 'x', say: '', question, regions: {hand: '<p>what came meanwhile</p>'}})")
        assert "meanwhile" not in first.run("document.body.outerHTML"), "nothing is drawn until somebody looks"
        first.run("void (delete document.visibilityState, document.dispatchEvent(new Event('visibilitychange')))")
        first.wait_for("document.querySelectorAll('#hand .card').length")
        first.run("document.querySelector('#b-move').click()")
        first.wait_for("document.querySelector('#ask .typed')")
        assert first.violations() == [], "with the code for another phone"
        first.run("document.querySelector('#b-stay').click()")
        first.wait_for("!document.querySelector('#ask .typed')")
        for button in ("b-who", "b-rule", "b-ask"):
            first.run(f"document.querySelector('#{button}').click()")
            first.wait_for("document.querySelector('#more').open")
            assert first.violations() == [], button
            first.keys(Keys.ESCAPE)
        party.screen.run("document.querySelector('#company').open = true")
        assert party.screen.violations() == []
        party.screen.run("document.querySelector('#b-pause').click()")
        first.wait_for("document.querySelector('#question').textContent === 'Paused'")
        assert first.violations() == []
        party.screen.run("document.querySelector('#b-pause').click()")
        first.wait_for("document.querySelector('#question').textContent !== 'Paused'")
        assert errors_of([party.screen, *party.phones]) == []


@pytest.mark.parametrize("kind", [CHROMIUM, WEBKIT])
def test_a_seat_moves_to_another_phone_and_the_old_one_objects(tmp_path: Path, kind: str) -> None:
    with begin_evening(tmp_path, *PROPHETA, kind=kind, phones=2) as party:
        old, new = party.phones
        party.sit_down(old, 0)
        party.begin()
        old.run("document.querySelector('#b-move').click()")
        code = old.wait_for("document.querySelector('#ask .typed')?.textContent")
        party.sit_down(new, 0, code=code)
        cards = new.wait_for("document.querySelectorAll('#hand .card').length")
        old.wait_for("document.querySelector('#o-object')")
        assert cards
        assert old.run("document.querySelectorAll('#hand .card, #middle .card').length") == 0
        if old.is_chromium:
            assert old.violations() == []
        old.run("document.querySelector('#more').close()")
        old.run("document.querySelector('#o-object').click()")
        new.wait_for("document.querySelector('#question').textContent === 'You have no seat'")
        assert new.run("document.querySelectorAll('#hand .card').length") == 0
        party.screen.wait_for("document.body.innerText.includes('objects')")


def test_bot_plays_for_a_player_who_left_and_returns_the_seat(tmp_path: Path) -> None:
    with begin_evening(tmp_path, *PROPHETA, phones=1) as party:
        party.sit_down(party.phones[0], 0)
        party.begin()
        for seat in (1, 2):
            party.screen.wait_for(f"document.querySelector('#bot-{seat}')")
            party.screen.run(f"document.querySelector('#bot-{seat}').click()")
            party.screen.wait_for(f"document.querySelector('#person-{seat}')")
        for _ in range(6):
            party.phones[0].wait_for(READY)
            assert party.decide(Random(2))
        party.screen.run("document.querySelector('#person-1').click()")
        party.screen.wait_for("document.querySelector('#bot-1')")
