"""Facts about a move: values that say what it changes or could change, from which sentences are made."""

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
    """A single thing that a move changes or could change.

    `seat` is the player concerned, and `other` the second player involved, such as the former owner. `cards` are the
    cards concerned, and `amount` is a number of points, negative for a loss. `sentence` says the fact in words for
    offers and help; it is None if the other fields say enough. `short` says the same in few words, for lists with
    little room; it is None if the kind of fact has such words or needs none.
    """

    kind: FactKind
    seat: Seat | None = None
    other: Seat | None = None
    cards: tuple[str, ...] = ()
    amount: Score | None = None
    sentence: Sentence | None = None
    short: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Consequence:
    """A fact that follows from a move, in every possible position if `is_certain`, else only in some."""

    fact: GameFact
    is_certain: bool = True


def merge_facts(facts_by_position: Sequence[Sequence[GameFact]]) -> tuple[Consequence, ...]:
    """Return each fact that holds in one of several possible positions, certain ones first.

    `facts_by_position` has the facts of each position. A fact is certain if it holds in all of them.
    """
    counts = Counter(fact for facts in facts_by_position for fact in dict.fromkeys(facts))
    consequences = [Consequence(fact, count == len(facts_by_position)) for fact, count in counts.items()]
    return tuple(sorted(consequences, key=lambda consequence: not consequence.is_certain))
