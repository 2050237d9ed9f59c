"""Facts about a move: what it changes or could change, as values from which all sentences about it are worded."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from vaultkit.games.messages import Score, Seat, Sentence

FactKind = Literal[
    "score", "out", "permanent", "fulfilled", "revealed", "moved", "next", "best-result", "risk", "ends", "other"
]
"""The subjects of facts.

`score`: a seat gains `amount` points (negative: loses). `out`: a seat leaves the game. `permanent`: cards count for a
seat for good. `fulfilled`: a goal is met, such as a prophecy or a Crown. `revealed`: hidden cards become visible.
`moved`: cards pass from `other` to `seat`. `next`: who acts next, or what they have to do. `best-result`: the best
result that the seat can still reach. `risk`: what the move may cost. `ends`: the game is over. `other`: a fact of one
game only, which its `sentence` alone describes.
"""


@dataclass(frozen=True, slots=True)
class GameFact:
    """One thing that a move changes or could change.

    `seat` is the player it concerns and `other` the second player involved, such as the former owner; `cards` are the
    cards concerned, `amount` is a signed number of points. `sentence` words the fact for offers and help; None if the
    numbers alone say it.
    """

    kind: FactKind
    seat: Seat | None = None
    other: Seat | None = None
    cards: tuple[str, ...] = ()
    amount: Score | None = None
    sentence: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Consequence:
    """A fact that follows from a move: with certainty if `is_certain`, else only in some of the possible positions."""

    fact: GameFact
    is_certain: bool = True


def merge_facts(samples: Sequence[Sequence[GameFact]]) -> tuple[Consequence, ...]:
    """Return the facts of several possible positions, certain ones first.

    A fact is certain if it holds in all of them.
    """
    counts = Counter(fact for facts in samples for fact in dict.fromkeys(facts))
    merged = [Consequence(fact, count == len(samples)) for fact, count in counts.items()]
    return tuple(sorted(merged, key=lambda consequence: not consequence.is_certain))
