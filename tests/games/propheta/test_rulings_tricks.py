"""VA-4 to VA-10: what may be played, and who wins the trick."""

from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.propheta.position import DECK, FACTS, A, B, C, arrange_game, cards, winner
from vaultkit.games.propheta import rules
from vaultkit.games.turn import IllegalMove, Move

HANDS = ("Leo Lion, Taurus Bull", "Aries Scrap, Virgo Scrap, Virgo 1, Aquarius Scrap", "Virgo Scrap II, Aquarius 7")


def test_va_4_any_card_may_be_played() -> None:
    game = arrange_game(HANDS)
    assert game.moves == {"play leo-animal", "play taurus-animal"}
    game.play("Leo Lion")
    assert game.moves == {"play aries-scrap-1", "play virgo-scrap-1", "play virgo-number", "play aquarius-scrap-1"}


def test_va_4_with_follow_element_only_the_lead_element_or_a_number_may_be_played() -> None:
    game = arrange_game(HANDS, follow="element")
    assert game.moves == {"play leo-animal", "play taurus-animal"}, "the leader is free"
    game.play("Leo Lion")
    assert game.moves == {"play aries-scrap-1", "play virgo-number"}
    with pytest.raises(IllegalMove) as caught:
        game.apply(Move("play", ("virgo-scrap-1",)))
    assert "play aries-scrap-1" in caught.value.hint
    game.play("Virgo 1")
    assert game.moves == {"play virgo-scrap-2", "play aquarius-number"}, "who cannot follow is free"


def test_va_4_a_number_of_the_lead_element_obliges_as_well() -> None:
    game = arrange_game(("Taurus Bull", "Virgo 1, Aries Scrap, Libra 2"), follow="element")
    game.play("Taurus Bull")
    assert game.moves == {"play virgo-number", "play libra-number"}


def test_va_5_a_led_number_leads_its_own_element() -> None:
    assert winner("Gemini 0, Libra Scrap, Leo Scrap") == "Libra Scrap I"
    game = arrange_game(("Virgo 1", "Taurus Scrap, Aries Scrap"), follow="element")
    game.play("Virgo 1")
    assert game.moves == {"play taurus-scrap-1"}


@pytest.mark.parametrize("lead", ["Leo Lion", "Taurus Bull", "Libra Ribbon", "Pisces Fish"])
@pytest.mark.parametrize("number", ["Virgo 1", "Libra 2", "Sagittarius 3", "Capricorn 5", "Aquarius 7"])
def test_va_6_number_wins_in_any_element(lead: str, number: str) -> None:
    assert winner(f"{lead}, {number}") == number


def test_va_6_the_higher_number_wins() -> None:
    assert winner("Virgo 1, Aquarius 7, Capricorn 5") == "Aquarius 7"


@pytest.mark.parametrize("other", ["Aquarius 7", "Virgo 1", "Leo Lion", "Aries Ram", "Aquarius Ribbon"])
def test_va_7_one_other_card_except_scraps_raises_the_0(other: str) -> None:
    for trick in permutations((other, "Gemini 0", "Aquarius Scrap", "Leo Scrap")):
        assert winner(", ".join(trick)) == "Gemini 0"


def test_va_7_deck_has_one_0() -> None:
    assert [DECK[card].name for card in FACTS.zeros] == ["Gemini 0"]


def test_va_8_the_0_wins_among_scraps_only_if_nothing_else_can() -> None:
    assert winner("Gemini 0, Leo Scrap") == "Gemini 0"
    assert winner("Gemini 0, Gemini Scrap") == "Gemini Scrap I"
    assert winner("Leo Scrap, Gemini 0") == "Leo Scrap I", "a led scrap can always win"
    assert winner("Leo Scrap, Gemini 0, Aquarius Scrap") == "Leo Scrap I"


def test_va_9_both_tiebreaks_of_the_0() -> None:
    trick = "Taurus Scrap, Capricorn Scrap, Gemini 0"
    assert winner(trick) == "Capricorn Scrap I"
    assert winner(trick, zero_tiebreak="literal") == "Taurus Scrap I"
    without = "Taurus Scrap, Capricorn Scrap, Leo Scrap"
    assert winner(without) == winner(without, zero_tiebreak="literal") == "Capricorn Scrap I"


def test_va_9_option_applies_in_a_game() -> None:
    for option, expected in (("normal", B), ("literal", A)):
        game = arrange_game(("Taurus Scrap", "Capricorn Scrap", "Gemini 0"), zero_tiebreak=option)
        game.play("Taurus Scrap, Capricorn Scrap, Gemini 0")
        assert game.state.at.tricks[-1].winner == expected


def ties(kind: str) -> list[tuple[str, str]]:
    """Return pairs of cards of one kind and element that neither rank nor colour tells apart."""
    chosen = [card for card in DECK if card.traits["kind"] == kind]
    return [
        (one.id, other.id)
        for one, other in combinations(chosen, 2)
        if (one.traits["element"], one.traits.get("ribbon")) == (other.traits["element"], other.traits.get("ribbon"))
    ]


def test_va_10_possible_ties() -> None:
    same_sign = [pair for pair in ties("scrap") if DECK[pair[0]].suits == DECK[pair[1]].suits]
    assert (len(ties("animal")), len(ties("ribbon"))) == (5, 2)
    assert (len(ties("scrap")) - len(same_sign), len(same_sign)) == (52, 14)


@pytest.mark.parametrize("kind", ["animal", "ribbon", "scrap"])
def test_va_10_cardinal_beats_mutable_beats_fixed_and_then_the_earliest_wins(kind: str) -> None:
    order = {"Cardinal": 3, "Mutable": 2, "Fixed": 1}
    for pair in ties(kind):
        one, other = (order[DECK[card].traits["modality"]] for card in pair)
        best = 0 if one >= other else 1
        assert rules.winner_index(pair, FACTS) == best
        assert rules.winner_index(pair[::-1], FACTS) == (0 if one == other else 1 - best)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [("Leo Lion", "Aries Ribbon"), ("Aries Ribbon", "Leo Ribbon"), ("Pisces Ribbon", "Cancer Ribbon"),
     ("Leo Ribbon", "Aries Scrap"), ("Libra Ribbon", "Gemini Ribbon"), ("Virgo 1", "Leo Lion")],
)  # fmt: skip
def test_order_of_card_strength(higher: str, lower: str) -> None:
    assert winner(f"{higher}, {lower}") == winner(f"{lower}, {higher}") == higher


TRICKS = st.integers(2, 4).flatmap(lambda n: st.lists(st.sampled_from(FACTS.ids), min_size=n, max_size=n, unique=True))


@pytest.mark.slow
@given(TRICKS, st.booleans())
def test_va_6_the_winner_is_of_the_lead_element_or_a_number(trick: list[str], literal: bool) -> None:
    card = trick[rules.winner_index(trick, FACTS, literal)]
    assert FACTS.element[card] == FACTS.element[trick[0]] or card in FACTS.numbers


@pytest.mark.slow
@given(TRICKS, st.randoms(use_true_random=False))
def test_va_10_order_of_followers_matters_only_between_equal_signs(trick: list[str], rng: Random) -> None:
    rest = trick[1:]
    rng.shuffle(rest)
    one, other = (
        trick[rules.winner_index(trick, FACTS)],
        [trick[0], *rest][rules.winner_index([trick[0], *rest], FACTS)],
    )
    assert one == other or ({one, other} <= FACTS.scraps and DECK[one].suits == DECK[other].suits)


@pytest.mark.slow
@given(TRICKS)
def test_va_11_conditions_match_the_traits_of_all_cards(trick: list[str]) -> None:
    facts = [DECK[card].traits for card in trick]
    expected = {
        element
        for element, trait in {"Fire": "element", "Earth": "modality", "Air": "season"}.items()
        if len({card[trait] for card in facts}) == 1
    }
    expected |= {"Water"} if {card["kind"] for card in facts} == {"scrap"} else set()
    assert set(rules.met_elements(rules.common_traits(trick, FACTS))) == expected


def test_the_winner_leads_the_next_trick() -> None:
    game = arrange_game(("Leo Scrap, Taurus Scrap", "Aries Scrap, Libra 2", "Leo Lion, Gemini Scrap"), leader=B)
    assert game.asked == B
    game.play("Aries Scrap, Leo Lion, Leo Scrap")
    assert game.asked == C
    game.reveal("", "", "")
    assert game.asked == C and game.moves == {"play gemini-scrap-1"}
    assert cards("Leo Lion")[0] in game.state.at.tricks[0].cards


@pytest.mark.parametrize(("people", "asked"), [({A, B}, True), ({A}, True), (set(), True), ({B}, False)])
def test_g_6_only_playable_card_is_asked_for_where_somebody_is_watching(people: set[int], asked: bool) -> None:
    """G-6: the only playable card is asked for if others watch, since a silent play would reveal the hand."""
    game = arrange_game(("Leo Lion, Aries Ram", "Aries Scrap, Libra Scrap"), people=frozenset(people), follow="element")
    game.play("Leo Lion")
    assert game.moves == {"play aries-scrap-1"} and game.prompt.ask_always is asked


@pytest.mark.parametrize("follow", ["none", "element"])
def test_g_6_the_last_card_of_a_hand_needs_no_question(follow: str) -> None:
    game = arrange_game(("Leo Lion", "Libra Scrap"), follow=follow)
    assert not game.prompt.ask_always
    game.play("Leo Lion")
    assert game.moves == {"play libra-scrap-1"} and not game.prompt.ask_always
