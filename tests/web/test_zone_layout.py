"""Where seats, zones and facts are on a page, and how they are marked."""

import re
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from scripts.table_moments import GAMES, of_game
from vaultkit import resources
from vaultkit.campaign.workspace import Workspace
from vaultkit.games.messages import Outcome, Sentence
from vaultkit.text import capitalize_first
from vaultkit.theme import qr_code
from vaultkit.web import page_html
from vaultkit.web.html_text import HtmlText
from vaultkit.web.page_model import PageModel
from vaultkit.web.roster import HAND, SCREEN, Roster, SeatStatus
from vaultkit.web.zone_layout import layout_zones, place_of


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("zones") / "vault"
    return Workspace(Path(shutil.copytree(resources.shipped_folder("vault-example"), folder)), cached=False)


@pytest.fixture(scope="module")
def fate(workspace: Workspace) -> PageModel:
    return of_game(workspace, GAMES["fate-seat"]).sight


@pytest.mark.parametrize("count", range(2, 9))
def test_seats_are_from_the_left_over_the_top_to_the_right(fate: PageModel, count: int) -> None:
    scene = replace(fate.scene, names=tuple(f"Player {number}" for number in range(count)))
    places = [place_of(scene, seat) for seat in range(count)]
    wing = 2 if count >= 6 else 1
    assert [place.side for place in places] == ["left"] * wing + ["top"] * (count - 2 * wing) + ["right"] * wing
    columns = [place.area.split("/")[1::2] for place in places if place.side == "top"]
    assert all(before[1] == after[0] for before, after in pairwise(columns))
    assert not columns or (columns[0][0], columns[-1][1]) == ("2", "62")
    assert len({place.area for place in places}) == count


def test_a_stack_has_the_short_name_of_its_uppermost_card_and_other_zones_their_own(fate: PageModel) -> None:
    voice, layout = HtmlText(fate), layout_zones(fate, HtmlText(fate))
    places = (layout.middle, layout.piles, layout.hand, layout.notes, *(seat.zones for seat in layout.seats))
    titles = {view.title for views in places for view in views}
    stacks = [zone for zone in fate.scene.zones if zone.kind == "stack" and zone.cards]
    others = [zone for zone in fate.scene.zones if zone.kind != "stack" and zone.cards]
    assert stacks and others
    assert {voice.title(zone.cards[0], short=True) for zone in stacks} <= titles
    assert {capitalize_first(voice.text(zone.title)) for zone in others} <= titles
    assert {view.kind for view in layout.piles} == {"pile"}
    assert all(view.kind == "legend" or not view.count for view in layout.notes)


def test_cards_that_an_offer_touches_are_playable_and_refused_ones_say_why(workspace: Workspace) -> None:
    sight = of_game(workspace, GAMES["citadel-seat"]).sight
    (hand,) = layout_zones(sight, HtmlText(sight)).hand
    (zone,) = [zone for zone in sight.scene.zones if zone.kind == "hand" and zone.owner == sight.scene.viewer]
    touched = {touch for offer in sight.scene.offers for touch in offer.touches}
    roles = ["playable" if card in touched else "why" if card in sight.scene.refusals else "" for card in zone.cards]
    assert [card.can for card in hand.cards] == roles and "playable" in roles


@pytest.mark.parametrize(("by", "is_here", "role", "asleep"), [
    ("phone", False, SCREEN, True), ("phone", True, SCREEN, False), ("screen", False, SCREEN, False),
    ("bot", False, SCREEN, False), ("phone", False, HAND, False),
])  # fmt: skip
def test_only_the_screen_waits_for_a_phone_that_is_away(
    fate: PageModel, by: str, is_here: bool, role: str, asleep: bool
) -> None:
    sight = replace(fate, company=Roster(role, (SeatStatus(1, "Bram", by, is_here=is_here),)))
    seats = layout_zones(sight, HtmlText(sight)).seats
    assert [seat.is_asleep for seat in sorted(seats, key=lambda seat: seat.seat)] == [False, asleep]


def test_a_second_fact_that_is_short_is_beside_the_first(fate: PageModel) -> None:
    for second, count in (("Second.", 2), ("Second " * 40, 1)):
        facts = tuple(Sentence(words) for words in ("First.", second))
        drawn = page_html.render_update(replace(fate, scene=replace(fate.scene, key_facts=facts))).regions["side"]
        assert drawn.count("class='fact'") == 2
        assert drawn.partition("<details")[0].count("class='fact'") == count


def test_the_result_names_those_who_won_or_lost(fate: PageModel) -> None:
    ada, bo = fate.scene.names
    results = (("win", (0,)), ("win", (0, 1)), ("win", ()), ("loss", ()))
    drawn = [
        re.sub(r"<[^>]+>|[\u2066-\u2069]", "", HtmlText(fate).result(Outcome(kind, winners, Sentence(""), (), (), ())))
        for kind, winners in results
    ]
    assert drawn == [f"{ada} wins", f"{ada} and {bo} win", "Nobody wins", f"{ada} and {bo} lose"]


def test_a_code_to_scan_is_drawn_within_its_quiet_zone() -> None:
    rows, (side, path) = (
        qr_code.qr_rows("http://192.168.1.20:8765/#code"),
        page_html.qr_path("http://192.168.1.20:8765/#code"),
    )
    quiet = qr_code.QUIET_ZONE_WIDTH
    assert side == len(rows) + 2 * quiet
    drawn = {
        (int(x) + step - quiet, int(y) - quiet)
        for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)", path)
        for step in range(int(length))
    }
    assert drawn == {(x, y) for y, row in enumerate(rows) for x, module in enumerate(row) if module == "1"}
