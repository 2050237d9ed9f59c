"""Turn of Fate on paper: the score, the Citizens of the deck, and every doubt by its ruling."""

from itertools import product

import pytest

from tests.games.scoresheets import doubting
from tests.games.scoresheets.doubting import keeper, render_sentence
from tests.wording import Says
from vaultkit.games.messages import Outcome
from vaultkit.games.scoresheet import Tally
from vaultkit.games.shares import find_conflict, have_disjoint_sets
from vaultkit.games.turn_of_fate.game import TurnOfFate
from vaultkit.games.turn_of_fate.scoresheet import basic_deck, possible_groups

GAME = "turn-of-fate"
BOXES = ("count", "citizens", "doubled", "fates")


def sheets(*written: str, outcome: str = "no-fate", **options: object) -> Tally:
    """Return sheets from texts such as `moons 2/10/0/5 1/10/0/0`: temple, Congregation and Temple; or boxes by name."""
    return doubting.tally(GAME, *map(_boxes, written), common={"outcome": outcome}, options=options)


def _boxes(line: str) -> str:
    temple, *words = line.split()
    piles = [word for word in words if "=" not in word]
    found = [f"temple={temple}", *(word for word in words if "=" in word)]
    for row, pile in zip(("congregation", "temple-pile"), piles, strict=False):
        found += [f"{row}.{box}={value}" for box, value in zip(BOXES, pile.split("/"), strict=True)]
    return " ".join(found)


def doubts(*written: str, **options: object) -> dict[str, tuple[str, ...]]:
    return doubting.doubts_by_sentence(GAME, sheets(*written, **options))


def outcome_of(*written: str, **options: object) -> Outcome:
    return keeper(GAME).outcome(sheets(*written, **options))


EMPTY = "wyrms 0/0/0/0 0/0/0/0"


def test_tf_25_the_score_is_the_sum_of_the_six_values() -> None:
    outcome = outcome_of("moons 2/10/0/5 1/0/6/2", "wyrms 1/9/0/0 0/0/0/0")
    assert [outcome.score(seat) for seat in (0, 1)] == [23, 9] and outcome.winners == (0,)
    assert render_sentence(outcome.reason) == Says(
        "somebody", "no Fate", "draw no other", "Ysolde wins", "Moons", "23 to 9"
    )
    assert [render_sentence(fact) for _, fact in outcome.facts] == ["Ysolde Moons, Bram Wyrms"]


def test_endings_are_those_of_the_rules() -> None:
    (question,) = keeper(GAME).closing_questions(sheets("moons", "wyrms"))
    assert question.choices == TurnOfFate.endings


def test_tf_27_ties() -> None:
    level = ("moons 1/9/0/0 0/0/0/0", "wyrms 0/0/0/0 1/3/0/6")
    assert outcome_of(*level).winners == (0, 1)
    assert outcome_of(*level, tiebreak="underdog").winners == (1,)
    assert outcome_of(*level, tiebreak="temple-count").winners == (1,)
    assert list(doubts("moons 0/0/0/0 0/8/0/0", EMPTY, tiebreak="temple-count").items()) == [
        (Says("Ysolde", "Temple", "no", "Citizens", "settles"), ("TF-27",))
    ]


def test_tf_2_only_rivals_play() -> None:
    assert list(doubts("moons", "suns").items()) == [(Says("Ysolde", "Bram", "Moons", "Suns", "rivals"), ("TF-2",))]
    assert doubts("leaves", "suns") == {}


def test_tf_25_doubled_values_are_even() -> None:
    assert list(doubts("moons 1/0/7/0", EMPTY)) == [Says("Ysolde", "7", "Citizens", "doubled", "Congregation", "odd")]
    assert doubts("moons 1/0/6/0", EMPTY) == {}


def test_tf_25_citizens_missing_from_the_deck_are_questioned() -> None:
    """TF-25: a total is doubted if no Citizens make it; the doubled ones of the Wyrms are worth 3, 5 and 6."""
    assert doubts("moons 3/0/28/0", EMPTY) == {}
    assert list(doubts("moons 1/0/8/0", EMPTY)) == [
        Says("no", "Citizens", "Congregation", "Ysolde", "1 Citizen", "0", "8", "doubled", "none")
    ]
    assert len(doubts("moons 1/7/0/0", EMPTY)) == 1


def test_tf_6_each_citizen_exists_once() -> None:
    """TF-6: only one Citizen is a 9, but two Citizens can make 9 as well."""
    assert list(doubts("moons 1/9/0/0", "wyrms 1/9/0/0").items()) == [
        (
            Says("no such Citizens", "Ysolde (1 Citizen worth 9, and 0 doubled)", "Bram", "each of the 11 exists once"),
            ("TF-5", "TF-6", "TF-25", "TF-26"),
        )
    ]
    assert doubts("moons 1/9/0/0", "wyrms 2/9/0/0") == {}


def test_tf_5_the_huntress_and_the_bard_are_only_in_their_temples() -> None:
    assert doubts("moons 0/0/0/0 1/10/0/0", EMPTY) == {}
    assert len(doubts("moons 1/10/0/0 0/0/0/0", EMPTY)) == 1
    assert len(doubts("moons", "wyrms 0/0/0/0 1/10/0/0")) == 1
    assert doubts("suns 0/0/0/0 1/10/0/0", "leaves") == {}


def test_uncounted_citizens_are_not_questioned() -> None:
    assert doubts("moons 0/9/6/3", EMPTY) == {}


def test_tf_25_fates() -> None:
    assert list(doubts("moons 0/0/0/5", EMPTY)) == [Says("Ysolde", "Fates", "Congregation", "no", "Citizen", "befell")]
    assert doubts("moons 1/9/0/100", "wyrms 1/5/0/32") == {}
    assert list(doubts("moons 1/9/0/100", "wyrms 1/5/0/33")) == [Says("Fates", "written", "133", "132")]


def test_tf_25_wrong_score_is_questioned() -> None:
    assert doubts("moons 1/9/0/1 score=10", EMPTY) == {}
    assert list(doubts("moons 1/9/0/1 score=11", EMPTY)) == [Says("Score", "Ysolde", "written", "11", "10")]


@pytest.mark.parametrize("seats", [1, 3])
def test_exactly_two_play(seats: int) -> None:
    written = ("moons", "wyrms", "suns")[:seats]
    assert list(doubts(*written)) == [f"Turn of Fate is for 2 players, and {seats} took part."]
    assert render_sentence(outcome_of(*written).reason)


def test_temple_is_derived_from_the_rivals() -> None:
    assert "for the Leaves" in render_sentence(outcome_of("unknown 1/9/0/0", "suns").reason)


def test_the_search_agrees_with_trying_every_place() -> None:
    """The search agrees with trying all places of five Citizens: either Congregation, or neither."""
    deck, rival = basic_deck(), {"Moons": "Wyrms", "Wyrms": "Moons"}
    five = ("2mk", "3sk", "3ly", "5yk", "6mw")
    for where in product(("Moons", "Wyrms", ""), repeat=5):
        piles = []
        for temple, other in rival.items():
            own = [one for one, place in zip(five, where, strict=True) if place == temple]
            doubled = [one for one in own if other in deck.suits[one]]
            plain = sum(deck.value[one] for one in own if one not in doubled)
            twice = 2 * sum(deck.value[one] for one in doubled)
            piles.append(possible_groups(temple, "congregation", len(own), plain, twice))
        assert have_disjoint_sets(piles) and find_conflict(dict(enumerate(piles))) == ()
