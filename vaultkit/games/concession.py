"""Concessions (G-14): which seats have given up, and the outcome of a game that a concession ends."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from vaultkit.games.messages import Fact, Outcome, Score, Seat, Sentence, first_ranked, rank_standings
from vaultkit.games.turn import Move
from vaultkit.text import join_words

CONCEDE = "concede"
"""The verb of the move of a seat that gives up, and the kind of the event."""
CONCEDED = "conceded"
"""The kind of outcome of a game that ended with a concession."""
CONCESSION_TOPIC = "Conceded"
"""The topic of the fact about a finished game that names the seats that conceded."""


class Concessions(NamedTuple):
    """The seats that have conceded, in this order, and whether the last concession ended the game."""

    seats: tuple[Seat, ...] = ()
    is_end: bool = False

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The fact that says who has conceded; empty if nobody has."""
        return ((CONCESSION_TOPIC, Sentence("{seats}", self.seats)),) if self.seats else ()


NO_CONCESSIONS = Concessions()


def list_conceded_seats(outcome: Outcome) -> tuple[Seat, ...]:
    """Return the seats that conceded in a finished game, by the facts of its outcome."""
    return next((fact.seats for topic, fact in outcome.facts if topic == CONCESSION_TOPIC), ())


def concession(seat: Seat) -> Move:
    """Return the move with which a seat concedes, which no prompt lists."""
    return Move(CONCEDE, (str(seat),))


def rank_conceded_last(keys: Iterable[Any], conceded_seats: Collection[Seat]) -> tuple[int, ...]:
    """Return the ranks of the seats by their keys, of which the greatest is best; who has conceded ranks last."""
    return rank_standings([(0,) if seat in conceded_seats else (1, key) for seat, key in enumerate(keys)])


def concession_outcome(
    concessions: Concessions,
    playing_seats: Sequence[Seat],
    scores: Sequence[Mapping[str, Score]],
    ranks: tuple[int, ...],
    facts: Iterable[Fact] = (),
    *,
    lead_words: str = "is ahead",
) -> Outcome:
    """Return the outcome of a game that a concession ended: nobody wins if no seat plays on, else the first ranked.

    `lead_words` say in what a single winner is first, if no person plays on.
    """
    winners = first_ranked(ranks) if playing_seats else ()
    if not winners:
        words = "The party has conceded: the game is lost."
    elif len(playing_seats) == 1:
        words = "{s0} has conceded, and {s1} wins."
    else:
        names = join_words(f"{{s{number}}}" for number in range(1, len(winners) + 1))
        verb = f"{lead_words} and wins" if len(winners) == 1 else "are level and share the win"
        words = f"{{s0}} has conceded, and no person plays on: {names} {verb}."
    seats = (concessions.seats[-1], *winners)
    return Outcome(CONCEDED, winners, Sentence(words, seats), ("G-14",), tuple(scores), ranks,
                   (*facts, *concessions.facts))  # fmt: skip
