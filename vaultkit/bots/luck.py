"""Luck as a search imagines it: for every move that is tried on a deal the same cards come up."""

from collections import Counter
from collections.abc import Iterable
from operator import itemgetter

from vaultkit.games.turn import Chance, Move, Rng, drawn

_MANY = 1 << 30


class Lots(dict[tuple[str, int], int]):
    """The lots of one deal: each card has one for the first time that it is drawn, one for the second, and so on."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def __missing__(self, key: tuple[str, int]) -> int:
        self[key] = lot = self._rng.randrange(_MANY)
        return lot


class Luck(dict[str, int]):
    """Luck in one game on a deal: the card with the lowest lot comes up. Games that share their `lots` share it."""

    def __init__(self, lots: Lots) -> None:
        self.lots = lots
        self._times = Counter[str]()

    def __missing__(self, card: str) -> int:
        self[card] = lot = self.lots[card, self._times[card]]
        return lot

    def answer(self, chance: Chance) -> Move:
        """An option, or cards from the unknown part of the pile and then its known bottom."""
        if chance.options:
            return drawn(*self._draw(chance.options, 1))
        cards = self._draw(chance.pile.unknown, chance.count)
        return drawn(*cards, *chance.pile.bottom[: chance.count - len(cards)])

    def _draw(self, pool: Iterable[str], count: int) -> list[str]:
        lots = sorted([(self[card], card) for card in pool])[:count]
        cards = [*map(itemgetter(1), lots)]
        for card in cards:
            self._times[card] += 1
            del self[card]
        return cards
