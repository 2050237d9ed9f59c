"""A second judge of Prophet's Gambit hands that tries every three cards of a hand (PG-36)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

FIVE_CARD_HANDS = ("Family", "Guild", "Village", "Fortune")
WRITTEN = ("Family", "Circle", "Fortune", "Village", "Guild", "Triple", "Two pairs", "Pair", "High card")
RARE_FIRST = ("Family", "Circle", "Guild", "Fortune", "Village", "Triple", "Two pairs", "Pair", "High card")


def rank(card: str, options: Mapping[str, object]) -> int:
    """Return the rank of a card such as `9-stars` or `master-swords` (PG-3)."""
    name = card.split("-", maxsplit=1)[0]
    return int(name) if name.isdigit() else 0 if options["master_rank"] == "low" else 10


def judge(cards: Sequence[str], options: Mapping[str, object]) -> tuple[int, list[int], str]:
    """Return the value of these cards together, higher for better hands, and its words at the Reveal."""
    counts = Counter(rank(card, options) for card in cards)
    ranks = sorted((rank(card, options) for card in cards), key=lambda one: (counts[one], one), reverse=True)
    enough = len(cards) >= (4 if options["four_card"] == "scaled" else 5)
    masters = any(card.startswith("master") for card in cards)
    in_order = len(counts) == len(cards) == max(ranks) - min(ranks) + 1
    in_order = enough and in_order and not (masters and options["master_rank"] == "none")
    one_suit = enough and len({card.split("-")[1] for card in cards}) == 1
    sizes = sorted(counts.values(), reverse=True)
    holds = {
        "Family": in_order and one_suit,
        "Circle": sizes[0] == 4,
        "Fortune": sizes[:2] == [3, 2],
        "Village": in_order,
        "Guild": one_suit,
        "Triple": sizes[0] == 3,
        "Two pairs": sizes[:2] == [2, 2],
        "Pair": sizes[0] == 2,
        "High card": True,
    }
    order = RARE_FIRST if options["order"] == "rarity" else WRITTEN
    name = next(name for name in order if holds[name])
    said = "-".join("Master" if one in {0, 10} else str(one) for one in ranks)
    return len(order) - order.index(name), ranks, f"{name}, {said}"


def best(
    hand: Sequence[str], fate: str | None, focus: str | None, options: Mapping[str, object], way: str = ""
) -> tuple[int, list[int], str]:
    """Return the best hand of any three of these cards with Fate and Focus.

    A marionette first plays a card by `way`, "highest" or "lowest" (PG-28).
    """
    beside = [card for card in (fate, focus) if card]
    numbers = {card: number for card in hand if (number := _number(card, options)) is not None}
    limit = (max if way == "highest" else min)(numbers.values(), default=None)
    gone = [card for card in hand if not numbers or numbers.get(card) == limit] if way else [""]
    rests = [[card for card in hand if card != one] for one in gone]
    threes = [three for rest in rests for three in combinations(rest, min(3, len(rest)))]
    return max(judge([*three, *beside], options) for three in threes)


def _number(card: str, options: Mapping[str, object]) -> int | None:
    """Return the number that makes a card the highest or lowest (PG-2), or None."""
    name, number = card.split("-", maxsplit=1)[0], options["master_number"]
    return int(name) if name.isdigit() else number if isinstance(number, int) else None
