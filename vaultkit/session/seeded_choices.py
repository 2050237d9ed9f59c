"""Answers to chance turns and decisions of bots that are determined by a seed.

Each random generator is determined by seed, step and purpose, and is used for one step only. Therefore a resumed game
goes on exactly as it would have without a break, and the same cards are drawn again after an undo.
"""

from collections.abc import Iterable
from random import Random

from vaultkit.bots.registry import Bot
from vaultkit.games.game import AnyGame, View
from vaultkit.games.turn import Chance, Move, draw_move

_SEED_COUNT = 10**9


def seeds(seed: int, count: int) -> list[int]:
    """Return a seed for each of a number of games, derived from one seed.

    Each seed can be passed to `play --seed`. A larger number of games adds seeds and does not change the first ones.
    """
    return [int(Random(f"{seed}:game:{number}").random() * _SEED_COUNT) for number in range(count)]


def make_generator(seed: int, step: int, purpose: str) -> Random:
    """Return the random generator for a purpose, such as `deal` or `seat 2`, at a step of a game with a seed."""
    return Random(f"{seed}:{step}:{purpose}")


def deal(chance: Chance, seed: int, step: int) -> Move:
    """Return the seeded answer to a chance turn: an option, or cards of its pile.

    Cards are drawn from the unknown part of the pile, and then from its known bottom. Options and cards are sorted
    first, because the order of sets differs between runs, and the order of decks between notes.
    """
    rng = make_generator(seed, step, "deal")
    if chance.options:
        return draw_move(*_draw(sorted(chance.options), 1, rng))
    cards = _draw(sorted(chance.pile.unknown), chance.count, rng)
    return draw_move(*cards, *chance.pile.bottom[: chance.count - len(cards)])


def shuffle(cards: Iterable[str], seed: int, step: int) -> list[str]:
    """Return the cards in a random order that depends on the seed and the step alone."""
    sorted_cards = sorted(cards)
    return _draw(sorted_cards, len(sorted_cards), make_generator(seed, step, "shuffle"))


def choose(bot: Bot, view: View, game: AnyGame, name: str, *, seed: int, step: int) -> Move:
    """Return the decision of a bot with a seeded random generator.

    `name` is the name of its seat for the message. Raises RuntimeError if the bot chooses a move that is not legal.
    """
    move = bot.choose(view, game, make_generator(seed, step, f"seat {view.seat}"))
    if view.prompt is None or move not in view.prompt.moves:
        raise RuntimeError(f"{name} chose '{move.id}', which is not a legal move.")
    return move


def _draw(items: list[str], count: int, rng: Random) -> list[str]:
    """Remove up to `count` random strings from `items`, and return them."""
    # random() is the only method whose results Python guarantees to be the same in later versions.
    return [items.pop(int(rng.random() * len(items))) for _ in range(min(count, len(items)))]
