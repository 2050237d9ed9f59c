"""Facts about a step of an encounter: the hand so far, the best one still possible, and what is at risk."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from vaultkit.games.deck_of_destiny.rules import BOARD_SIZE, PROCEED, DestinyRules
from vaultkit.games.deck_of_destiny.state import PLAYER, DestinyPosition, DestinyView
from vaultkit.games.facts import GameFact
from vaultkit.games.hands import Category, HandValue
from vaultkit.games.messages import Event, Sentence
from vaultkit.text import group

OF_EQUAL_RANKS = {
    Category.FOUR: (4,),
    Category.FULL_HOUSE: (3, 2),
    Category.TRIPLE: (3,),
    Category.TWO_PAIRS: (2, 2),
    Category.PAIR: (2,),
    Category.HIGH_CARD: (),
}
"""The sizes of the groups of cards of equal rank that make a hand, by its category."""

HAND_SIZE = 5
FACE_RANKS = {14: "A", 13: "K", 12: "Q", 11: "J"}


def step_facts(before: DestinyView, after: DestinyView, events: Sequence[Event]) -> Iterator[GameFact]:
    """Yield what a step changed."""
    at, rules = after.at, after.rules
    if at.end:
        yield from _ending(before, after)
        return
    added = tuple(card for card in at.own if card not in before.at.own)
    if added:
        if makes_hand(at.own, at.face_up):
            yield from _hand_facts(before, after)
        yield GameFact("risk", PLAYER, cards=added, sentence=_risk(rules, is_last_phase=bool(at.laid[2])))
        if not before.at.own:
            words = "Then the board is dealt, and three of its cards are turned up."
            yield GameFact("next", PLAYER, sentence=Sentence(words))
    elif any(event.kind == PROCEED.verb for event in events) and rules.reward:
        cards = "1 card" if rules.reward == 1 else "{v0} cards"
        earns = Sentence(f"A win earns {cards}.", values=(rules.reward,))
        yield GameFact("best-result", PLAYER, sentence=earns)


def makes_hand(own: tuple[str, ...], board: tuple[str, ...]) -> bool:
    """Return whether the player's own cards and the open cards of the board are enough to make a hand."""
    return bool(own) and len(own) + len(board) >= BOARD_SIZE


def _ending(before: DestinyView, after: DestinyView) -> Iterator[GameFact]:
    end = after.at.end
    if end is None or before.at.end is not None:
        return
    if end.own:
        owner, former = (PLAYER, None) if end.kept else (None, PLAYER)
        yield GameFact("moved", owner, former, end.own)
    if after.prompt is None and not (end.kind == "win" and after.rules.reward):
        yield GameFact("ends")


def _hand_facts(before: DestinyView, after: DestinyView) -> Iterator[GameFact]:
    """Yield the best hand so far, the best category still possible, and whether the hand now meets the encounter."""
    at, rules = after.at, after.rules
    value, cards = rules.find_best(at.own, at.face_up)
    name = rules.cards.hand_name
    words = Sentence("You make {v0}: {v1}.", values=(name(value.category), _ranks(value, rules)))
    yield GameFact("other", PLAYER, cards=cards, sentence=words)
    best = best_possible(at, rules)
    if best is value.category:
        hope = Sentence("No better kind is possible.")
    else:
        hope = Sentence("At best: {v0}.", values=(name(best),))
    yield GameFact("best-result", PLAYER, sentence=hope)
    if rules.category is None:
        return
    own = before.at.own
    was_met = makes_hand(own, before.at.face_up) and rules.can_make(rules.category, own, before.at.face_up)
    if not was_met and rules.can_make(rules.category, at.own, at.face_up):
        yield GameFact("fulfilled", PLAYER, sentence=Sentence("It meets what the encounter asks for."))


def _ranks(value: HandValue, rules: DestinyRules) -> str:
    """Return the ranks of a hand as text, in the order in which they count: `9-9-K-8-3`."""
    letters = FACE_RANKS if rules.cards.ranking.order.wheel else {}
    return "-".join(letters.get(rank, str(rank)) for rank in value.ranks)


def _risk(rules: DestinyRules, *, is_last_phase: bool) -> Sentence:
    """Return a sentence that says when a laid card comes back to the inventory (DD-3)."""
    ways = ["win"] * rules.has_option("keep_on_win", "yes")
    ways += ["retreat"] * (rules.has_option("keep_on_retreat", "yes") and not is_last_phase)
    return Sentence(f"It comes back only if you {' or '.join(ways)}." if ways else "It is used up.")


def best_possible(at: DestinyPosition, rules: DestinyRules) -> Category:
    """Return the strongest category that the player's hand can still reach with the cards that are face down now."""
    visible_cards = frozenset(at.cards())
    unseen = [card for card in rules.cards.ids if card not in visible_cards]
    count, order = len(at.face_down), rules.cards.ranking.order
    for category in order.categories:
        for cards in _completions(category, (*at.own, *at.face_up), unseen, rules):
            if len(cards) <= count:
                others = (card for card in unseen if card not in cards)
                board = (
                    *at.face_up,
                    *cards,
                    *(card for card, _ in zip(others, range(count - len(cards)), strict=False)),
                )
                if rules.find_best(at.own, board)[0].strength >= order.strength(category):
                    return category
    return order.categories[-1]


def _completions(
    category: Category, cards: Sequence[str], unseen: Sequence[str], rules: DestinyRules
) -> Iterator[tuple[str, ...]]:
    """Yield each way to complete a hand of this category: the fewest unseen cards that make it with `cards`."""
    ranking = rules.cards.ranking
    if category in OF_EQUAL_RANKS:
        yield from _equal_ranks(OF_EQUAL_RANKS[category], cards, unseen, rules)
        return
    suits = sorted({suit for card in (*cards, *unseen) for suit in ranking.suits(card)})
    is_suited = category is not Category.STRAIGHT
    for suit in suits if is_suited else [None]:
        held = [card for card in cards if suit is None or suit in ranking.suits(card)]
        free = [card for card in unseen if suit is None or suit in ranking.suits(card)]
        if category is Category.FLUSH:
            missing = max(0, HAND_SIZE - len(held))
            if missing <= len(free):
                yield tuple(free[:missing])
        else:
            yield from _sequences(held, free, rules)


def _sequences(held: Sequence[str], free: Sequence[str], rules: DestinyRules) -> Iterator[tuple[str, ...]]:
    """Yield the cards of `free_cards` that complete a sequence with `held_cards`, once for each possible sequence."""
    ranking = rules.cards.ranking
    ranks, first = {ranking.faces[card][0] for card in held}, {ranking.faces[card][0]: card for card in reversed(free)}
    everything = sorted({*ranks, *first}, reverse=True)
    runs = [tuple(everything[place : place + HAND_SIZE]) for place in range(len(everything) - HAND_SIZE + 1)]
    for run in (*runs, ranking.order.wheel):
        missing = [rank for rank in run if rank not in ranks]
        if run and ranking.order.is_sequence(run) and all(rank in first for rank in missing):
            yield tuple(first[rank] for rank in missing)


def _equal_ranks(
    counts: tuple[int, ...], cards: Sequence[str], unseen: Sequence[str], rules: DestinyRules
) -> Iterator[tuple[str, ...]]:
    """Yield unseen cards that complete groups of equal rank of the sizes `group_sizes`, for each choice of ranks."""
    faces = rules.cards.ranking.faces
    held, free = (group((faces[card][0], card) for card in some) for some in (cards, unseen))
    for ranks in permutations(sorted({*held, *free}, reverse=True), len(counts)):
        missing = [(rank, max(0, size - len(held.get(rank, ())))) for rank, size in zip(ranks, counts, strict=True)]
        if all(size <= len(free.get(rank, ())) for rank, size in missing):
            yield tuple(card for rank, size in missing for card in free.get(rank, ())[:size])
