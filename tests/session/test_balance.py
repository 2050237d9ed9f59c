"""The moments of a balance report: the most telling ones first, and rare cards together."""

from itertools import chain

from tests.session.toy import TOY_DECK, Toy
from vaultkit.games.messages import Outcome, Sentence
from vaultkit.session.balance import OTHERS, Balance, MomentReport, Rate
from vaultkit.session.playout import Lineup, Moment, Playout

LINEUP = Lineup(Toy(), TOY_DECK, ("a", "b"), {})


def games(number: int, *moments: tuple[str, str], won: bool = True) -> list[Playout]:
    """Return equal games in which the first seat has the given moments."""
    winner = 0 if won else 1
    outcome = Outcome("won", (winner,), Sentence(""), (), ({}, {}), (1, 2))
    return [Playout(outcome, 1, tuple(Moment(*one, 0) for one in moments))] * number


def list_moments(*played: list[Playout]) -> list[tuple[str, str, int, int]]:
    moments = Balance.from_games(LINEUP, chain.from_iterable(played)).moments
    return [(one.kind, one.card, one.wins.hits, one.wins.trials) for one in moments]


def test_most_decisive_cards_come_first_in_either_direction() -> None:
    played = [games(40, ("risk", "raven")), games(20, ("risk", "ghost"), won=False), games(20, ("risk", "seer"))]
    played.append(games(20, ("risk", "seer"), won=False))
    assert list_moments(*played) == [
        ("risk", "", 60, 100),
        ("risk", "ghost", 0, 20),
        ("risk", "raven", 40, 40),
        ("risk", "seer", 20, 40),
    ]


def test_rare_cards_are_listed_together_at_the_end() -> None:
    played = [games(90, ("risk", "raven")), games(4, ("risk", "ghost"), won=False), games(6, ("risk", "seer"))]
    assert list_moments(*played)[1:] == [("risk", "raven", 90, 90), ("risk", OTHERS, 6, 10)]


def test_single_rare_card_keeps_its_name() -> None:
    assert list_moments(games(98, ("risk", "raven")), games(2, ("risk", "ghost")))[-1] == ("risk", "ghost", 2, 2)


def test_a_rare_kind_is_left_out() -> None:
    assert list_moments(games(95, ("vow", "")), games(5, ("wild-vow", ""))) == [("vow", "", 95, 95)]
    assert len(list_moments(games(4, ("vow", "")), games(5, ("wild-vow", "")))) == 2, "of few games, few are enough"


def test_kind_with_a_single_card_is_listed_once() -> None:
    assert Balance.from_games(LINEUP, games(30, ("joker", "seer"))).moments == (
        MomentReport("joker", "seer", Rate(30, 30)),
    )
