"""The scenarios VA-S1 to VA-S12 of the rulings; the lead comes first."""

from random import Random

import pytest

from tests.games.playing import faults_of, name_of, scenarios
from tests.games.propheta.position import FACTS, A, B, arrange_game, begin, cards, met_elements, winner
from vaultkit.session.examples.parser import Example


def test_va_s1_only_the_lead_element_wins() -> None:
    assert winner("Aries Scrap, Taurus Bull, Leo Ribbon") == "Leo Ribbon"


def test_va_s4_the_0_is_last_among_scraps_and_cardinal_beats_mutable() -> None:
    assert winner("Cancer Scrap, Gemini 0, Pisces Scrap") == "Cancer Scrap I"
    assert winner("Cancer Scrap, Gemini 0, Pisces Scrap", zero_tiebreak="literal") == "Cancer Scrap I"


def test_va_s4_literal_reading_lets_the_earliest_scrap_win() -> None:
    assert winner("Pisces Scrap, Cancer Scrap, Gemini 0") == "Cancer Scrap I"
    assert winner("Pisces Scrap, Cancer Scrap, Gemini 0", zero_tiebreak="literal") == "Pisces Scrap I"


def test_va_s5_a_led_0_wins_if_nothing_else_can_and_air_is_met() -> None:
    assert winner("Gemini 0, Aries Scrap, Taurus Scrap") == "Gemini 0"
    assert met_elements("Gemini 0, Aries Scrap, Taurus Scrap") == {"Air"}


def test_va_s6_an_air_scrap_beats_the_led_0() -> None:
    assert winner("Gemini 0, Aries Scrap, Libra Scrap") == "Libra Scrap I"


def test_va_s7_three_equal_scraps_are_won_by_the_leader_and_meet_everything() -> None:
    virgos = "Virgo Scrap I, Virgo Scrap II, Virgo Scrap III"
    assert winner(virgos) == "Virgo Scrap I"
    assert met_elements(virgos) == {"Fire", "Earth", "Air", "Water"}
    laid = {A: "Aries Scrap, Taurus Scrap, Gemini Scrap", B: "Cancer Scrap, Leo Scrap, Pisces Scrap"}
    game = arrange_game(("Virgo Scrap I", "Virgo Scrap II", "Virgo Scrap III"), laid)
    game.play(virgos)
    assert game.asked == A
    assert game.moves == {"reveal aries-scrap-1", "reveal gemini-scrap-1", "pass"}, "Cardinal or Mutable"
    game.reveal("Aries Scrap")
    assert game.moves == {"reveal leo-scrap-1", "reveal pisces-scrap-1", "pass"}, "Mutable or Fixed"


def test_va_s8_a_number_of_another_element_wins_and_air_is_met() -> None:
    assert winner("Scorpio Scorpion, Libra 2") == "Libra 2"
    assert met_elements("Scorpio Scorpion, Libra 2") == {"Air"}


def test_va_s9_mutable_beats_fixed_and_fire_is_met() -> None:
    assert winner("Leo Ribbon, Sagittarius Ribbon") == "Sagittarius Ribbon"
    assert met_elements("Leo Ribbon, Sagittarius Ribbon") == {"Fire"}


@pytest.mark.parametrize(
    ("seats", "hand", "laid", "tricks", "most"), [(2, 16, 4, 12, 36), (3, 16, 4, 12, 36), (4, 12, 3, 9, 27)]
)
def test_va_s12_size_of_a_deal_and_its_maximum(seats: int, hand: int, laid: int, tricks: int, most: int) -> None:
    game = begin(seats)
    assert game.chance.count == hand
    game.play_until("play", Random(1))
    assert {len(cards) for cards in game.state.at.predictions} == {laid}
    assert {len(cards) for cards in game.state.at.hands} == {tricks}
    game.finish(Random(2))
    assert sum(parts["tricks"] for parts in game.outcome.scores) == tricks
    assert tricks + 6 * laid == most


WATER = "Scorpio Scrap I, Scorpio Scrap II, Pisces Scrap I, Pisces Scrap II, Scorpio Ribbon, Pisces Ribbon"
WATER += ", Scorpio Scorpion, Pisces Fish"


UNBEATEN = f"{WATER}, Aquarius 7, Capricorn 5, Sagittarius 3, Libra 2"
CANCER = "Cancer Scrap I, Cancer Ribbon, Cancer Crab"
THE_MOST = [
    (4, f"{WATER}, Cancer Scrap II", CANCER, 27),
    *((n, UNBEATEN, f"{CANCER}, Cancer Scrap II", 36) for n in (2, 3)),
]


@pytest.mark.parametrize(("seats", "hand", "laid", "most"), THE_MOST)
def test_va_s12_winner_of_every_trick_with_only_cardinal_prophecies_has_the_maximum(
    seats: int, hand: str, laid: str, most: int
) -> None:
    """VA-S12: A has the most points by winning every trick and fulfilling cardinal prophecies alone.

    A leads the scraps of Water while the others have scraps to play, and then cards that nobody can beat.
    """
    mine = {*cards(hand), *cards(laid)}
    numbers = [card for card in FACTS.ids if card in FACTS.numbers and card not in mine]
    rest = [card for card in FACTS.ids if card in FACTS.scraps and card not in mine]
    rest += [card for card in FACTS.ids if card not in mine and card not in FACTS.scraps and card not in FACTS.numbers]
    tricks = len(cards(hand))
    others = [", ".join(rest[seat :: seats - 1][:tricks]) for seat in range(seats - 1)]
    game = arrange_game((hand, *others), {A: laid, B: ", ".join(numbers[:4])})
    for lead in cards(hand):
        played = [_choose_like(lead, game.state.at.hands[seat]) for seat in range(1, seats)]
        game.play(", ".join((lead, *played)))
        game.apply(game.prompt.moves[0])
        game.reveal(*[""] * (seats - 1))
    assert game.outcome.scores[A]["total"] == most
    assert game.outcome.winners == (A,)


def _choose_like(lead: str, hand: tuple[str, ...]) -> str:
    """Return a scrap of the hand for a scrap, or another card for another one; the first card if there is none."""
    return next((card for card in hand if (card in FACTS.scraps) == (lead in FACTS.scraps)), hand[0])


@pytest.mark.parametrize("example", scenarios(__file__), ids=name_of)
def test_scenario_written_as_an_example_is_fulfilled(example: Example) -> None:
    assert faults_of(example) == []
