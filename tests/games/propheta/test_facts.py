"""The facts about a card in a trick, complete or not."""

from itertools import combinations
from random import Random

import pytest

from tests.counts import count
from tests.games.conformance import Case, answer, start
from tests.games.propheta.position import GAME, Play, arrange_game, cards
from tests.wording import Says
from vaultkit.games.propheta.facts import _winning_chances
from vaultkit.games.propheta.rules import winner_index
from vaultkit.games.turn import Move

NAMES = "ABC"


def facts_in_words(game: Play, card: str) -> list[str]:
    """Return the points and sentences of the facts about playing a card."""
    view = game.state.view(game.state.at.actor)
    (consequences,) = GAME.consequences(view, [Move("play", cards(card)) if card else Move("pass")])
    facts = [one.fact for one in consequences]
    points = [f"{NAMES[fact.seat or 0]} {fact.amount:+}" for fact in facts if fact.kind == "score"]
    return [*points, *(fact.sentence.render(NAMES.__getitem__, str) for fact in facts if fact.sentence)]


def test_va_11_own_win_shows_what_it_fulfils_like_a_rivals_win() -> None:
    game = arrange_game(("Leo Lion, Aries Scrap", "Leo Scrap, Virgo Scrap", "Sagittarius Scrap, Aries Ram"))
    game.play("Leo Lion, Leo Scrap")
    assert facts_in_words(game, "Sagittarius Scrap") == [
        "A +1",
        Says("lose", "fulfils Fire", "none"),
    ]
    game = arrange_game(("Leo Scrap, Aries Scrap", "Sagittarius Scrap, Virgo Scrap", "Leo Lion, Aries Ram"))
    game.play("Leo Scrap, Sagittarius Scrap")
    assert facts_in_words(game, "Leo Lion") == ["C +1", Says("win", "fulfils Fire", "none")]


def test_va_12_own_fulfilled_prophecy_is_named_with_its_points() -> None:
    laid = {2: "Aries Ram, Libra Scrap"}
    game = arrange_game(("Leo Scrap, Aries Scrap", "Sagittarius Scrap, Virgo Scrap", "Leo Lion, Pisces Scrap"), laid)
    game.play("Leo Scrap, Sagittarius Scrap")
    ram = cards("Aries Ram")[0]
    assert facts_in_words(game, "Leo Lion") == ["C +1", f"6 points more for your {ram}; you win the trick."]
    assert facts_in_words(game, "Pisces Scrap") == ["B +1", Says("lose", "fulfils Water", "none")]
    game = arrange_game(
        ("Leo Scrap, Aries Scrap", "Sagittarius Scrap, Virgo Scrap", "Leo Lion, Pisces Scrap"),
        {2: "Aries Ram, Sagittarius 3"},
    )
    game.play("Leo Scrap, Sagittarius Scrap")
    ram, three = cards("Aries Ram, Sagittarius 3")
    words = f"Up to 6 points more for one of your {ram} and {three}; you win the trick."
    assert facts_in_words(game, "Leo Lion") == ["C +1", words]


def test_va_6_lead_shows_which_cards_few_unseen_cards_beat() -> None:
    game = arrange_game(("Leo Lion, Leo Scrap, Aquarius 7", "Aries Scrap", "Virgo Scrap"))
    facts = [fact.render(NAMES.__getitem__, str) for fact in GAME.key_facts(game.state.view(0))]
    assert facts[1] == f"Few unseen cards beat your {cards('Aquarius 7')[0]}."
    game.play("Leo Lion")
    assert facts_in_words(game, "Aries Scrap") == [Says("fulfil Fire", "none", "cannot win")]
    assert not any("Few unseen" in fact.words for fact in GAME.key_facts(game.state.view(1)))


@pytest.mark.parametrize("reveal", ["sequential", "simultaneous"])
def test_va_16_turning_up_nothing_says_what_becomes_of_the_prophecies(reveal: str) -> None:
    hands = ("Leo Lion, Aries Scrap", "Leo Scrap, Pisces Scrap", "Sagittarius Scrap, Cancer Scrap")
    laid = {0: "Aries Ram, Libra Scrap", 1: "Gemini Scrap"}
    game = arrange_game(hands, laid, reveal=reveal)
    game.play("Leo Lion, Leo Scrap, Sagittarius Scrap")
    later = "face down for a later trick."
    assert facts_in_words(game, "") == [f"Your prophecies stay {later}"]
    game.apply(Move("pass"))
    assert facts_in_words(game, "") == [f"This trick fulfils none of yours. Your prophecy stays {later}"]
    game.apply(Move("pass"))
    assert facts_in_words(game, "") == [], "no prophecy is left"
    game.apply(Move("pass"))
    game.play("Aries Scrap, Pisces Scrap, Cancer Scrap")
    ram, scrap, twins = cards("Aries Ram, Libra Scrap, Gemini Scrap")
    last = "without effect: this was the last trick."
    assert facts_in_words(game, "")[:1] == [f"{ram} and {scrap} stay {last}"]
    game.apply(Move("pass"))
    assert facts_in_words(game, "")[:1] == [f"{twins} stays {last}"]


@pytest.mark.parametrize("tiebreak", ["normal", "literal"])
def test_va_5_to_va_10_remaining_effect_of_a_card_is_correct_for_every_answer(tiebreak: str) -> None:
    checked = 0
    for number in range(count(3, 60)):
        rng = Random(f"chances {number}")
        state = start(Case(GAME, {"follow": "none", "zero_tiebreak": tiebreak}), rng)
        while state.turn is not None:
            view = state.view(state.at.actor)
            to_come = state.seats - len(view.at.trick) - 1
            if view.at.phase == "play" and 0 < to_come < 3 and rng.random() < 0.1:
                after = state.clone()
                after.apply(rng.choice(view.moves))
                check(after.view(view.seat))
                checked += 1
            state.apply(answer(state, rng))
    assert checked > 3


def check(after: object) -> None:
    """Compare the facts with all answers that the unseen cards allow."""
    at, rules = after.at, after.rules  # type: ignore[attr-defined]
    unseen = [card for card in rules.cards.ids if card not in after.seen]  # type: ignore[attr-defined]
    place = len(at.trick) - 1
    wins = {
        winner_index((*at.trick, *others), rules.cards, rules.literal) == place
        for others in combinations(unseen, rules.seats - len(at.trick))
    }
    assert _winning_chances(after, at.trick) == (True in wins, False in wins)  # type: ignore[arg-type]
