"""Luck from a seed: the answers to chance turns, and the decisions of bots.

Every step has generators of its own, named by seed, step and purpose. Nothing is carried from one step to the next,
so a game that was cut off and resumed goes on exactly as it would have gone, and an undo cannot change the deal.
"""

from collections.abc import Iterable
from random import Random

from vaultkit.bots.base import Bot
from vaultkit.games.base import AnyGame, View
from vaultkit.games.turn import Chance, Move, drawn

_LARGEST = 10**9


def seeds(seed: int, games: int) -> list[int]:
    """A seed for each game, each a number that `play --seed` takes. The first ones stay the same with more games."""
    return [int(Random(f"{seed}:game:{number}").random() * _LARGEST) for number in range(games)]


def generator(seed: int, step: int, purpose: str) -> Random:
    """The generator for one purpose (`deal`, `seat 2`) at one step of the game with this seed."""
    return Random(f"{seed}:{step}:{purpose}")


def deal(chance: Chance, seed: int, step: int) -> Move:
    """The seeded answer to a chance turn: an option, or cards from the unknown part of the pile, then its bottom.

    Sorted first, because sets and deck orders differ between runs and notes while their contents do not.
    """
    rng = generator(seed, step, "deal")
    if chance.options:
        return drawn(*_draw(sorted(chance.options), 1, rng))
    cards = _draw(sorted(chance.pile.unknown), chance.count, rng)
    return drawn(*cards, *chance.pile.bottom[: chance.count - len(cards)])


def shuffle(cards: Iterable[str], seed: int, step: int) -> list[str]:
    """The cards in the seeded order of one step."""
    things = sorted(cards)
    return _draw(things, len(things), generator(seed, step, "shuffle"))


def choose(bot: Bot, view: View, game: AnyGame, name: str, *, seed: int, step: int) -> Move:
    """The seeded decision of a bot, whose seat is called `name`."""
    move = bot.choose(view, game, generator(seed, step, f"seat {view.seat}"))
    if view.prompt is None or move not in view.prompt.moves:
        raise RuntimeError(f"{name} chose '{move.id}', which is not a legal move.")
    return move


def _draw(things: list[str], count: int, rng: Random) -> list[str]:
    # random() is the only method whose numbers Python promises to keep from version to version.
    return [things.pop(int(rng.random() * len(things))) for _ in range(min(count, len(things)))]
