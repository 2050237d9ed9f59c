"""Rulings DD-1 to DD-4 and DD-15: the deck, the inventory, and where cards go."""

from dataclasses import replace
from random import Random

import pytest

from tests.games.conformance import answer
from tests.games.destiny.position import DECK, GAME, Play, begin, cards, complete, play_combat, play_passive, rules
from vaultkit.cards import Card, Deck
from vaultkit.cards.deck import known_deck
from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny.rules import make_rules
from vaultkit.games.hands import Category
from vaultkit.games.turn import Chance


def tarokka() -> Deck:
    deck = known_deck("tarokka")
    assert deck is not None
    return deck


def test_dd_1_standard_deck_has_52_cards_all_in_use() -> None:
    facts = rules().cards
    assert len(facts.ids) == 52 and facts.aside == ()
    assert GAME.deck_for(complete()) == "french52"


def test_dd_1_common_cards_of_the_tarokka_are_used() -> None:
    options = complete(deck="tarokka-common")
    assert GAME.deck_for(options) == "tarokka"
    facts = make_rules(options, tarokka()).cards
    assert len(facts.ids) == 40 and len(facts.aside) == 14
    village = facts.ranking.value(("6-swords", "7-stars", "8-coins", "9-glyphs", "master-swords"))
    guild = facts.ranking.value(("1-swords", "3-swords", "5-swords", "7-swords", "9-swords"))
    assert facts.hand_name(village.category) == "a Village" and village > guild
    assert facts.hand_name(Category.STRAIGHT_FLUSH) == "a Family"
    corner = facts.ranking.value(("master-swords", "1-stars", "2-coins", "3-glyphs", "4-swords"))
    assert corner.category is Category.HIGH_CARD


def test_dd_1_own_deck_is_used() -> None:
    own = Deck(
        "bones",
        "Bone Deck",
        (
            *(Card(f"{rank}-{suit}", f"{rank} of {suit}", (suit,), rank) for suit in "AB" for rank in range(1, 9)),
            Card("king-a", "King", ("A",), "King"),
            Card("skull", "Skull"),
            Card("odd-a", "Odd", ("A",), "Odd"),
        ),
    )
    options = complete(deck="Bone  Deck", inventory=3)
    assert GAME.deck_for(options) == "bone deck"
    facts = make_rules(options, own).cards
    assert facts.aside == ("skull", "odd-a") and facts.ranking.faces["king-a"] == (13, "A")
    assert facts.ranking.order.wheel == ()


def test_dd_1_a_card_of_two_suits_counts_for_a_flush_in_each() -> None:
    suits = {2: ("A", "B"), 4: ("B",), 6: ("C", "B"), 8: ("B", "A"), 10: ("A", "B"), 12: ("A",), 13: ("A", "C")}
    own = Deck("two", "Two Suits", tuple(Card(f"c{rank}", f"{rank}", suits[rank], rank) for rank in suits))
    own = replace(own, cards=(*own.cards, *(Card(f"x{one}", f"X {one}", ("X",), one) for one in range(1, 9))))
    played = make_rules(complete(deck="two suits", inventory=1, strength=1), own)
    ranking = played.cards.ranking
    assert ranking.value(("c2", "c4", "c6", "c8", "c10")).category is Category.FLUSH, "all of them have B"
    assert ranking.value(("c2", "c4", "c6", "c8", "c12")).category is Category.HIGH_CARD, "nothing is common to all"
    assert ranking.value(("c2", "c8", "c10", "c12", "c13")).category is Category.FLUSH, "all of them have A"
    value, hand = played.find_best(("c4", "c6"), ("c2", "c8", "c10", "c12"))
    assert value.category is Category.FLUSH and set(hand) == {"c2", "c4", "c6", "c8", "c10"}
    assert played.can_make(Category.FLUSH, ("c12", "c13"), ("c2", "c8", "c10", "c4"))


@pytest.mark.parametrize(("wanted", "given"), [("french52", "tarokka"), ("tarokka-common", "french52")])
def test_dd_1_deck_other_than_the_configured_one_is_refused(wanted: str, given: str) -> None:
    deck = known_deck(given)
    assert deck is not None
    with pytest.raises(UsageError, match="DD-1") as caught:
        make_rules(complete(deck=wanted), deck)
    assert caught.value.hint


def test_dd_2_a_character_begins_with_seven_cards() -> None:
    chance = GAME.new(1, complete(), DECK).turn
    assert isinstance(chance, Chance)
    assert (chance.name, chance.count, len(chance.pile)) == ("inventory", 7, 52)


@pytest.mark.parametrize(
    ("options", "cards_won"),
    [({}, 2), ({"reward": "none"}, 0), ({"reward": 5}, 5), ({"reward": "0"}, 0)],
)
def test_dd_2_reward_of_a_win(options: dict[str, object], cards_won: int) -> None:
    game = play_combat("AS", "3D", "AC AD 4H 9S JC", **options).rest()
    assert game.outcome.kind == "win" and len(game.inventory) == cards_won


def test_dd_2_a_passive_encounter_earns_two() -> None:
    game = play_passive("AS", "AC AD 4H 9S JC", "pair").rest()
    assert game.outcome.kind == "win" and len(game.inventory) == 2


def test_dd_2_no_reward_without_a_win() -> None:
    assert play_combat("3S", "AS", "AC AD 4H 9S JC").outcome.scores[0]["gained"] == 0
    assert play_passive("3S", "AC 7D 4H 9S JC", "pair").outcome.scores[0]["gained"] == 0


def test_dd_2_reward_is_drawn_after_all_cards_are_returned_as_far_as_possible() -> None:
    game = play_combat("AS", "3D", "AC AD 4H 9S JC", reward=47, elsewhere=0)
    assert set(game.chance.pile.unknown) == set(game.state.rules.cards.ids)
    spades = Deck("french52", "Short Deck", tuple(DECK[card] for card in cards("AS KS QS JS TS 9S 2H 2D")))
    short = Play(GAME.new(1, complete(inventory=1, strength=1, reward=20), spades)).luck("AS").lay("AS")
    short.luck("QS JS TS").play("proceed").add().luck("2H").play("proceed", "done").luck("9S").luck("KS")
    assert short.chance.name == "reward" and short.chance.count == len(short.chance.pile) == 8
    short.rest()
    assert len(short.inventory) == 8 and short.veiled == 0


@pytest.mark.parametrize(
    ("own", "opponent", "kind"), [("AS 2S", "3D", "win"), ("3S 2S", "AS", "loss"), ("3S 2H", "3D", "tie")]
)
def test_dd_3_played_cards_are_lost_in_every_outcome(own: str, opponent: str, kind: str) -> None:
    game = play_combat(own, opponent, "AC AD KH KS JC" if kind == "tie" else "AC AD 4H 9S JC", reward="none")
    assert (game.outcome.kind, game.inventory, game.veiled) == (kind, (), 52)
    assert game.outcome.scores[0] == {"before": 2, "played": 2, "back": 0, "gained": 0, "after": 0}


def test_dd_3_retreat_loses_played_cards_as_well() -> None:
    game = begin().lay("AS").luck("2C 3C 4C").play("retreat")
    assert cards("AS")[0] not in game.inventory
    assert game.state.at.end is not None and not game.state.at.end.kept


@pytest.mark.parametrize(("keep", "left"), [("no", 0), ("yes", 2)])
def test_dd_3_option_keep_on_win(keep: str, left: int) -> None:
    game = play_combat("AS 2S", "3D", "AC AD 4H 9S JC", reward="none", keep_on_win=keep, keep_on_retreat="yes")
    assert len(game.inventory) == left and game.veiled == 52 - left
    assert (game.outcome.scores[0]["played"], game.outcome.scores[0]["back"]) == (2, left)
    assert len(play_combat("3S 2S", "AS", "AC AD 4H 9S JC", keep_on_win=keep).inventory) == 0


@pytest.mark.parametrize("key", ["keep_on_win", "keep_on_retreat", "pick_reveal"])
def test_dd_3_dd_8_boolean_options_may_be_true_or_false(key: str) -> None:
    said = [complete(**{key: value})[key] for value in (True, "TRUE", "yes", False, "false", "No")]
    assert said == ["yes"] * 3 + ["no"] * 3 and complete()[key] == "no"
    with pytest.raises(UsageError, match="'perhaps'"):
        complete(**{key: "perhaps"})


@pytest.mark.parametrize(("keep", "left", "said"), [("no", 6, "is lost"), ("yes", 7, "comes back")])
def test_dd_3_option_keep_on_retreat(keep: str, left: int, said: str) -> None:
    game = begin(keep_on_retreat=keep, keep_on_win="yes").lay("AS").luck("2C 3C 4C")
    ((move, offer),) = game.prompt.ends
    assert move.id == "retreat" and said in offer.words
    game.play("retreat")
    assert len(game.inventory) == left and game.veiled == 52 - left


def test_dd_4_option_draw_one() -> None:
    game = begin("", empty="draw-one")
    assert (game.chance.name, game.chance.count) == ("draw-one", 1)
    game.luck("AS")
    assert game.moves == ["play ace-spades"]
    game.rest()
    assert game.outcome.scores[0]["before"] == 0


def test_dd_4_character_with_cards_draws_none() -> None:
    assert begin("AS", empty="draw-one").moves == ["play ace-spades"]


@pytest.mark.parametrize(("deck", "most"), [("french52", 40), ("tarokka-common", 28)])
def test_dd_15_veiled_deck_that_is_too_small_is_refused(deck: str, most: int) -> None:
    options = complete(deck=deck, strength=7, inventory=most)
    cards_of = known_deck(GAME.deck_for(options))
    assert cards_of is not None
    assert GAME.new(1, options, cards_of).turn
    for more in ({"inventory": most + 1}, {"elsewhere": 1}):
        with pytest.raises(UsageError, match=r"holds 11 cards, and this encounter needs 12 \(DD-15\)") as caught:
            GAME.new(1, {**options, **more}, cards_of)
        assert caught.value.hint
    assert GAME.new(1, {**options, "requires": "pair", "inventory": most + 7}, cards_of).turn


def test_dd_15_card_given_by_dd_4_counts_as_well() -> None:
    few = {"inventory": 0, "elsewhere": 47, "requires": "pair"}
    assert GAME.new(1, complete(**few), DECK).turn
    with pytest.raises(UsageError, match=r"holds 4 cards, and this encounter needs 5 \(DD-15\)"):
        GAME.new(1, complete(empty="draw-one", **few), DECK)


def test_dd_15_cards_owned_by_others_are_not_in_the_veiled_deck() -> None:
    state = GAME.new(1, complete(elsewhere=8, inventory=2), DECK)
    assert isinstance(state.turn, Chance) and (state.turn.name, state.turn.count) == ("elsewhere", 8)
    state.apply(answer(state, Random(1)))
    taken = set(state.at.elsewhere)
    assert len(taken) == 8 and taken.isdisjoint(state.at.veiled.unknown)


@pytest.mark.parametrize(("key", "value"), [("inventory", 48), ("inventory", "-1"), ("reward", "some"), ("deck", " ")])
def test_options_out_of_range_are_refused_with_the_accepted_values(key: str, value: object) -> None:
    with pytest.raises(UsageError) as caught:
        complete(**{key: value})
    assert "Accepted" in caught.value.hint
