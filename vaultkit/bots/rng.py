"""Random chance events for a search, equal for all moves that are tried on the same deal."""

from collections import Counter
from collections.abc import Iterable
from operator import itemgetter

from vaultkit.games.turn import Chance, Move, Rng, draw_move

_RANDOM_STEPS = 1 << 30


class RngStream(dict[tuple[str, int], int]):
    """The random numbers of one deal, created on first use: one for each card and each time that it can be drawn."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def __missing__(self, key: tuple[str, int]) -> int:
        self[key] = number = self._rng.randrange(_RANDOM_STEPS)
        return number


class Luck(dict[str, int]):
    """The chance events of one game on a deal, in which the cards with the lowest numbers are drawn.

    Games that share a stream of random numbers draw the same cards.
    """

    def __init__(self, numbers: RngStream) -> None:
        self.numbers = numbers
        self._draw_counts = Counter[str]()

    def __missing__(self, card: str) -> int:
        self[card] = number = self.numbers[card, self._draw_counts[card]]
        return number

    def answer(self, chance: Chance) -> Move:
        """Return the answer to a chance turn: an option, or cards of its pile.

        Cards are drawn from the unknown part of the pile, and then from its known bottom.
        """
        if chance.options:
            return draw_move(*self._draw(chance.options, 1))
        cards = self._draw(chance.pile.unknown, chance.count)
        return draw_move(*cards, *chance.pile.bottom[: chance.count - len(cards)])

    def _draw(self, pool: Iterable[str], count: int) -> list[str]:
        numbered_cards = sorted([(self[card], card) for card in pool])[:count]
        cards = [*map(itemgetter(1), numbered_cards)]
        for card in cards:
            self._draw_counts[card] += 1
            del self[card]
        return cards
