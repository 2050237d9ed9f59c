"""VA-1 to VA-3 and VA-11 to VA-17: the deal, laying prophecies, and turning them up."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tests.games.propheta.position import (
    DECK,
    FACTS,
    GAME,
    A,
    B,
    C,
    Play,
    arrange_game,
    begin,
    cards,
    complete,
    games,
    met_elements,
)
from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.propheta import rules
from vaultkit.games.turn import HIDDEN, IllegalMove, Move, Prompt


def test_va_1_deck_matches_the_description_of_the_author() -> None:
    assert Counter(card.traits["kind"] for card in DECK) == {"scrap": 25, "ribbon": 10, "animal": 7, "number": 6}
    assert Counter(card.traits["ribbon"] for card in DECK if "ribbon" in card.traits) == {
        "red": 4,
        "blue": 3,
        "inscribed": 3,
    }
    assert set(Counter(card.suits[0] for card in DECK).values()) == {4}


def change_card(card_id: str, **traits: str) -> Deck:
    """Return the deck with other facts for one card."""
    from dataclasses import replace

    new = tuple(replace(card, traits={**card.traits, **traits}) if card.id == card_id else card for card in DECK)
    return Deck(DECK.kind, DECK.title, new)


def test_va_1_a_corrected_deck_note_needs_no_new_code() -> None:
    from vaultkit.games.propheta.rules import make_cards

    corrected = make_cards(change_card("aquarius-number", element="Fire"))
    assert rules.winner_index(cards("Leo Lion, Aquarius 7"), corrected) == 1
    assert "Fire" in rules.met_elements(rules.common_traits(cards("Leo Lion, Aquarius 7"), corrected))
    hand = cards("Leo Lion, Gemini Scrap")
    assert rules.playable_cards(hand, "aquarius-number", corrected) == hand[:1]


@pytest.mark.parametrize(
    ("card", "traits", "told"),
    [
        ("leo-animal", {"kind": "beast"}, "kind is 'beast'"),
        ("leo-animal", {"element": "Aether"}, "element is 'Aether'"),
        ("leo-animal", {"modality": ""}, "modality is ''"),
        ("leo-animal", {"season": "Monsoon"}, "season is 'Monsoon'"),
        ("leo-ribbon", {"ribbon": "green"}, "ribbon is 'green'"),
        ("leo-animal", {"kind": "number"}, "a number, but which"),
    ],
)
def test_va_1_unsuitable_deck_note_is_refused(card: str, traits: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        GAME.new(3, complete(), change_card(card, **traits))
    assert told in caught.value.message and DECK[card].name in caught.value.message and caught.value.hint


def test_va_1_a_deck_of_another_size_is_refused() -> None:
    with pytest.raises(UsageError, match="48 cards"):
        GAME.new(3, complete(), Deck(DECK.kind, DECK.title, DECK.cards[:40]))


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_can_play(seats: int) -> None:
    with pytest.raises(UsageError, match="2 to 4"):
        GAME.new(seats, complete(), DECK)


@pytest.mark.parametrize(("seats", "aside"), [(2, 16), (3, 0), (4, 0)])
def test_va_2_cards_set_aside_are_shown_only_at_the_end(seats: int, aside: int) -> None:
    game = begin(seats)
    game.play_until("play", Random(3))
    assert all(game.state.view(seat).at.aside == (HIDDEN,) * aside for seat in range(seats))
    before = len(game.events)
    game.finish(Random(4))
    shown = [event for event in game.events[before:] if event.kind == "aside"]
    assert [set(event.cards) for event in shown] == ([set(game.state.at.aside)] if aside else [])
    assert game.state.view(A).at.aside == game.state.at.aside


def test_va_3_prophecies_are_chosen_in_secret_after_the_deal_and_before_the_lead() -> None:
    game = begin(3)
    game.play_until("predict", Random(5))
    asked = []
    while game.state.at.phase == "predict":
        assert game.prompt.secret and game.prompt.ask_always
        asked.append(game.asked)
        game.apply(game.prompt.moves[-1])
        assert all(set(laid) <= {HIDDEN} for seat, laid in enumerate(game.state.view(A).at.predictions) if seat != A)
    assert asked == [A] * 4 + [B] * 4 + [C] * 4
    assert game.chance.name == "first"
    game.luck("1")
    assert game.asked == B and len(game.state.view(A).at.predictions[A]) == 4


def test_va_3_the_order_of_the_choices_leaves_no_trace() -> None:
    states = []
    for order in ((0, 3, 7, 9), (9, 0, 7, 3)):
        game = begin(2)
        game.play_until("predict", Random(6))
        hand = game.state.at.hands[A]
        for place in order:
            game.apply(Move("predict", (hand[place],)))
        states.append(game.state.view(A))
    assert states[0] == states[1]


def test_va_3_prophecies_cannot_be_changed() -> None:
    game = begin(2)
    game.play_until("predict", Random(6))
    card = game.state.at.hands[A][0]
    game.apply(Move("predict", (card,)))
    with pytest.raises(IllegalMove):
        game.apply(Move("predict", (card,)))


def test_va_11_numbers_and_the_own_card_count() -> None:
    assert met_elements("Leo Lion, Sagittarius 3") == {"Fire"}
    assert met_elements("Gemini 0, Gemini Scrap") == {"Fire", "Earth", "Air"}
    assert met_elements("Leo Scrap, Taurus Scrap, Scorpio Ribbon") == {"Earth"}


VIRGOS = ("Virgo Scrap I", "Virgo Scrap II", "Virgo Scrap III")
LAID = {A: "Aries Scrap", B: "Leo Scrap", C: "Leo Lion"}


def play_all_met(**given: object) -> Play:
    """Return a game after a trick that C led and won, and that fulfils every prophecy."""
    people = given.pop("people", frozenset())
    game = arrange_game(VIRGOS, {A: "Leo Scrap II", B: "Leo Scrap", C: "Aries Scrap"}, C, people, **given)  # type: ignore[arg-type]
    game.play("Virgo Scrap III, Virgo Scrap I, Virgo Scrap II")
    return game


def test_va_12_each_from_the_winner_clockwise_may_turn_up_one_openly() -> None:
    game = play_all_met()
    asked = []
    for _ in range(3):
        asked.append(game.asked)
        assert not game.prompt.secret
        told = game.apply(game.prompt.moves[0])
        assert told[0].kind == "fulfilled" and told[0].seen_by is None and told[0].reveals
    assert asked == [C, A, B]
    assert [parts["total"] for parts in game.outcome.scores] == [4, 4, 7]


def test_va_12_prophecies_may_be_turned_up_after_the_last_trick() -> None:
    game = play_all_met()
    assert not any(game.state.at.hands) and game.moves == {"reveal aries-scrap-1", "pass"}


def test_va_12_option_simultaneous_turns_up_all_at_once() -> None:
    game = play_all_met(reveal="simultaneous")
    for seat in (C, A):
        assert game.prompt.secret and game.asked == seat
        told = game.apply(game.prompt.moves[0])
        assert [event.kind for event in told] == ["commit"] and not told[0].cards
        assert not any(game.state.view(B).at.fulfilled)
    told = game.apply(Move("pass"))
    assert [event.kind for event in told][:2] == ["commit", "fulfilled"]
    assert set(told[1].cards) == set(cards("Aries Scrap, Leo Scrap II"))
    assert [parts["total"] for parts in game.outcome.scores] == [4, 0, 7]


def test_va_12_simultaneous_reveal_may_turn_up_none() -> None:
    game = play_all_met(reveal="simultaneous")
    told = [event for _ in range(3) for event in game.apply(Move("pass"))]
    revealed = next(event for event in told if event.kind == "fulfilled")
    assert revealed.reveals and not revealed.cards


@pytest.mark.parametrize(
    ("guard", "people", "asked"),
    [
        ("true", {A, B}, {A, B, C}),
        ("true", {A}, {B, C}),
        ("true", set(), {A, B, C}),
        ("false", {A, B}, set()),
    ],
)
def test_va_12_watched_player_is_asked_even_without_a_choice(guard: str, people: set[int], asked: set[int]) -> None:
    hands = ("Leo Lion", "Taurus Scrap", "Scorpio Scrap")  # all Fixed, which fulfils Earth
    laid = {A: "Aries Ram", B: "Leo Scrap", C: "Gemini Scrap"}
    game = arrange_game(hands, laid, people=frozenset(people), leak_guard=guard)
    game.play("Leo Lion, Taurus Scrap, Scorpio Scrap")
    found = set()
    for _ in hands:
        assert game.moves == {"pass"}
        found |= {game.asked} if game.prompt.ask_always else set()
        game.apply(Move("pass"))
    assert found == asked


@pytest.mark.parametrize("reveal", ["sequential", "simultaneous"])
def test_va_12_nobody_is_asked_where_all_can_see_that_there_is_nothing_to_turn_up(reveal: str) -> None:
    laid = {A: "Virgo Scrap", B: "", C: "Aries Ram"}  # the first could turn up Earth as the winner
    for hands, asked in (
        ("Leo Lion, Taurus Scrap, Libra Scrap", set()),
        ("Leo Lion, Taurus Scrap, Scorpio Scrap", {A, C}),
    ):
        game = arrange_game(tuple(hands.split(", ")), laid, people=frozenset({A, B, C}), reveal=reveal)
        game.play(hands)
        found = set()
        for _ in laid:
            found |= {game.asked} if game.prompt.ask_always else set()
            game.apply(Move("pass"))
        assert found == asked


def test_va_13_all_but_the_winner_have_lost() -> None:
    game = play_all_met()
    game.apply(Move("pass"))
    assert game.moves == {"reveal leo-scrap-2", "pass"}
    game.apply(Move("pass"))
    assert game.moves == {"reveal leo-scrap-1", "pass"}


def test_va_14_two_prophecies_of_one_sign_need_two_tricks() -> None:
    hands = ("Leo Scrap, Leo Ribbon", "Leo Scrap II, Leo Lion")
    game = arrange_game(hands, {A: "Sagittarius Scrap I, Sagittarius Scrap II"})
    game.play("Leo Scrap, Leo Scrap II")
    game.reveal("Sagittarius Scrap I")
    assert game.asked == B, "one a trick"
    game.reveal("")
    game.play("Leo Ribbon, Leo Lion")
    game.reveal("", "Sagittarius Scrap II")
    assert [(one.card, one.trick) for one in game.state.at.fulfilled[A]] == [
        ("sagittarius-scrap-1", 1),
        ("sagittarius-scrap-2", 2),
    ]
    assert game.outcome.scores[A]["total"] == 1 + 2 + 2


@pytest.mark.parametrize(("modality", "points"), [("Mutable", 2), ("Fixed", 4), ("Cardinal", 6)])
def test_va_15_value_of_a_prophecy(modality: str, points: int) -> None:
    assert {FACTS.points[card.id] for card in DECK if card.traits["modality"] == modality} == {points}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_va_15_points_are_tricks_and_prophecies(seats: int) -> None:
    for game in games(15, seats):
        tricks = 9 if seats == 4 else 12
        for parts in game.outcome.scores:
            worth = 2 * parts["mutable"] + 4 * parts["fixed"] + 6 * parts["cardinal"]
            assert parts["total"] == parts["tricks"] + worth <= (27 if seats == 4 else 36)
            assert parts["predictions"] == parts["mutable"] + parts["fixed"] + parts["cardinal"]
            assert sum(parts[f"trick.{number}"] for number in range(1, tricks + 1)) == parts["total"]
        assert sum(parts["tricks"] for parts in game.outcome.scores) == tricks


def test_va_16_unfulfilled_prophecies_cost_nothing_and_are_shown_at_the_end() -> None:
    game = arrange_game(("Leo Lion", "Taurus Scrap"), {A: "Cancer Crab", B: "Pisces Fish, Aries Ram"})
    game.play("Leo Lion, Taurus Scrap")
    assert game.state.view(A).at.predictions[B] == (HIDDEN, HIDDEN)
    told = [*game.reveal(""), *game.reveal("")]
    assert {event.seat: set(event.cards) for event in told if event.kind == "in-vain"} == {
        A: {"cancer-animal"},
        B: {"pisces-animal", "aries-animal"},
    }
    assert game.state.view(A).at.predictions[B] == cards("Aries Ram, Pisces Fish")
    assert [parts["total"] for parts in game.outcome.scores] == [1, 0]
    facts = [sentence.render(str, lambda card: DECK[card].name) for _, sentence in game.outcome.facts]
    assert facts == ["0 laid Cancer Crab in vain", "1 laid Aries Ram and Pisces Fish in vain"]


def test_va_17_turning_up_is_optional() -> None:
    game = play_all_met()
    assert isinstance(game.turn, Prompt) and game.prompt.moves[-1] == Move("pass")
    game.reveal("", "", "")
    assert [parts["predictions"] for parts in game.outcome.scores] == [0, 0, 0]


def test_va_21_the_kind_of_a_prophecy_does_not_matter() -> None:
    for one, other in combinations(FACTS.ids, 2):
        if DECK[one].suits == DECK[other].suits:
            assert FACTS.points[one] == FACTS.points[other]
            assert (FACTS.as_winner[one], FACTS.as_loser[one]) == (FACTS.as_winner[other], FACTS.as_loser[other])


def test_va_23_frequency_of_each_condition_with_two_cards() -> None:
    pairs = list(combinations(FACTS.ids, 2))
    found = Counter(element for pair in pairs for element in rules.met_elements(rules.common_traits(pair, FACTS)))
    often = {element: round(count / len(pairs), 2) for element, count in found.items()}
    assert often == {"Fire": 0.23, "Earth": 0.32, "Air": 0.23, "Water": 0.27}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_va_3_hands_and_prophecies_of_others_are_hidden_but_counted(seats: int) -> None:
    game = begin(seats)
    game.play_until("play", Random(8))
    for seat in range(seats):
        view = game.state.view(seat)
        assert view.at.hands == [
            hand if owner == seat else (HIDDEN,) * len(hand) for owner, hand in enumerate(game.state.at.hands)
        ]
        laid = game.state.at.predictions
        assert view.at.predictions == [
            cards if owner == seat else (HIDDEN,) * len(cards) for owner, cards in enumerate(laid)
        ]
        assert view.seen == {*view.at.hands[seat], *laid[seat]}


def test_g_3_sealed_choice_is_seen_only_by_its_seat() -> None:
    game = play_all_met(reveal="simultaneous")
    game.reveal("Aries Scrap", "Leo Scrap II")
    sealed = (Move("reveal", cards("Aries Scrap")), Move("reveal", cards("Leo Scrap II")))
    views = [game.state.view(seat).at.committed for seat in (A, B, C)]
    assert views == [(None, sealed[1]), (None, None), (sealed[0], None)]


@pytest.mark.parametrize("kind", ["dealt", "laid"])
def test_g_3_dealt_and_chosen_cards_are_shown_to_their_owner_only(kind: str) -> None:
    game = begin(3)
    game.play_until("play", Random(9))
    told = [event for event in game.events if event.kind == kind]
    assert told
    for event in told:
        hears = {seat for seat in (A, B, C) if event.is_visible_to(seat)}
        assert hears == ({event.seat} if event.cards else {A, B, C} - {event.seat})
