"""Who wins a trick, and which prophecies it fulfils: functions of the cards alone (VA-4 to VA-14)."""

from collections.abc import Sequence

from vaultkit.games.propheta.rules import CONDITIONS, Facts

_RAISED = 1000
"""Added to the 0 where it beats everything."""


def winner(cards: Sequence[str], facts: Facts, literal: bool = False) -> int:
    """The place of the winning card in a trick, the lead at 0 (VA-5 to VA-10).

    `literal` is the option `zero_tiebreak: literal`: with a 0 among scraps alone the earliest of equals wins.
    """
    ladder = facts.ladder[facts.element[cards[0]]]
    heights = [ladder[card] for card in cards]
    if not facts.zeros.isdisjoint(cards):
        heights = _with_zero(cards, heights, facts, literal)
    return heights.index(max(heights))


def _with_zero(cards: Sequence[str], heights: list[int], facts: Facts, literal: bool) -> list[int]:
    """VA-7: a 0 beside any other card that is no scrap stands on top; VA-8, VA-9: otherwise at the foot."""
    others = len(cards) - 1 - sum(card in facts.scraps for card in cards)
    if others:
        return [height + _RAISED * (card in facts.zeros) for card, height in zip(cards, heights, strict=True)]
    return [height // 4 for height in heights] if literal else heights


def shared(cards: Sequence[str], facts: Facts) -> int:
    """The traits that all cards of a trick share, as the bits of `Facts.traits` (VA-11)."""
    common = -1
    for card in cards:
        common &= facts.traits[card]
    return common


def conditions(common: int) -> tuple[str, ...]:
    """The elements whose condition a trick meets that shares the traits `common`."""
    return tuple(element for element, mask in CONDITIONS.items() if common & mask)


def fulfilled(predictions: Sequence[str], common: int, won: bool, facts: Facts) -> tuple[str, ...]:
    """Which of a seat's prophecies it may turn up after a trick that it won or lost (VA-12, VA-13)."""
    masks = facts.as_winner if won else facts.as_loser
    return tuple([card for card in predictions if masks[card] & common])


def playable(hand: tuple[str, ...], lead: str | None, must_follow: bool, facts: Facts) -> tuple[str, ...]:
    """The cards of a hand that may be played to `lead`, None for the leader (VA-4)."""
    if lead is None or not must_follow:
        return hand
    element = facts.element
    wanted = element[lead]
    if all(element[card] != wanted for card in hand):
        return hand
    return tuple(card for card in hand if element[card] == wanted or card in facts.numbers)
