"""Facts about a step of an encounter: the hand so far, the best one still possible, and what is at risk."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from vaultkit.games.deck_of_destiny.rules import BOARD_SIZE, PROCEED, DestinyRules
from vaultkit.games.deck_of_destiny.state import PLAYER, DestinyPosition, DestinyView
from vaultkit.games.facts import GameFact
from vaultkit.games.hands import Category, HandValue
from vaultkit.games.messages import Event, Sentence
from vaultkit.text import group

RANK_GROUP_SIZES = {
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
        yield from _ending_facts(before, after)
        return
    added_cards = tuple(card for card in at.own if card not in before.at.own)
    if added_cards:
        if makes_hand(at.own, at.face_up):
            yield from _hand_facts(before, after)
        sentence = _risk_sentence(rules, is_last_phase=bool(at.laid[2]))
        yield GameFact("risk", PLAYER, cards=added_cards, sentence=sentence)
        if not before.at.own:
            words = "Then the board is dealt, and three of its cards are turned up."
            yield GameFact("next", PLAYER, sentence=Sentence(words))
    elif any(event.kind == PROCEED.verb for event in events) and rules.reward:
        cards = "1 card" if rules.reward == 1 else "{v0} cards"
        reward_sentence = Sentence(f"A win earns {cards}.", values=(rules.reward,))
        yield GameFact("best-result", PLAYER, sentence=reward_sentence)


def makes_hand(own: tuple[str, ...], board: tuple[str, ...]) -> bool:
    """Return whether the player's own cards and the open cards of the board are enough to make a hand."""
    return bool(own) and len(own) + len(board) >= BOARD_SIZE


def _ending_facts(before: DestinyView, after: DestinyView) -> Iterator[GameFact]:
    end = after.at.end
    if end is None or before.at.end is not None:
        return
    if end.own:
        owner, former_owner = (PLAYER, None) if end.kept else (None, PLAYER)
        yield GameFact("moved", owner, former_owner, end.own)
    if after.prompt is None and not (end.kind == "win" and after.rules.reward):
        yield GameFact("ends")


def _hand_facts(before: DestinyView, after: DestinyView) -> Iterator[GameFact]:
    """Yield the best hand so far, the best category still possible, and whether the hand now meets the encounter."""
    at, rules = after.at, after.rules
    value, cards = rules.find_best(at.own, at.face_up)
    hand_name = rules.cards.hand_name
    hand_sentence = Sentence("You make {v0}: {v1}.", values=(hand_name(value.category), _ranks_text(value, rules)))
    yield GameFact("other", PLAYER, cards=cards, sentence=hand_sentence)
    best_category = best_possible_category(at, rules)
    if best_category is value.category:
        best_sentence = Sentence("No better kind is possible.")
    else:
        best_sentence = Sentence("At best: {v0}.", values=(hand_name(best_category),))
    yield GameFact("best-result", PLAYER, sentence=best_sentence)
    if rules.category is None:
        return
    own_before = before.at.own
    board = before.at.face_up
    was_fulfilled = makes_hand(own_before, board) and rules.can_make(rules.category, own_before, board)
    if not was_fulfilled and rules.can_make(rules.category, at.own, at.face_up):
        yield GameFact("fulfilled", PLAYER, sentence=Sentence("It meets what the encounter asks for."))


def _ranks_text(value: HandValue, rules: DestinyRules) -> str:
    """Return the ranks of a hand as text, in the order in which they count: `9-9-K-8-3`."""
    letters = FACE_RANKS if rules.cards.ranking.order.wheel else {}
    return "-".join(letters.get(rank, str(rank)) for rank in value.ranks)


def _risk_sentence(rules: DestinyRules, *, is_last_phase: bool) -> Sentence:
    """Return a sentence that says when a laid card comes back to the inventory (DD-3)."""
    returning_ends = ["win"] * rules.has_option("keep_on_win", "yes")
    returning_ends += ["retreat"] * (rules.has_option("keep_on_retreat", "yes") and not is_last_phase)
    return Sentence(f"It comes back only if you {' or '.join(returning_ends)}." if returning_ends else "It is used up.")


def best_possible_category(at: DestinyPosition, rules: DestinyRules) -> Category:
    """Return the strongest category that the player's hand can still reach with the cards that are face down now."""
    visible_cards = frozenset(at.cards())
    unseen_cards = [card for card in rules.cards.ids if card not in visible_cards]
    face_down_count, order = len(at.face_down), rules.cards.ranking.order
    for category in order.categories:
        for cards in _hand_completions(category, (*at.own, *at.face_up), unseen_cards, rules):
            if len(cards) <= face_down_count:
                others = [card for card in unseen_cards if card not in cards]
                board = (*at.face_up, *cards, *others[: face_down_count - len(cards)])
                if rules.find_best(at.own, board)[0].strength >= order.strength(category):
                    return category
    return order.categories[-1]


def _hand_completions(
    category: Category, cards: Sequence[str], unseen: Sequence[str], rules: DestinyRules
) -> Iterator[tuple[str, ...]]:
    """Yield each way to complete a hand of this category: the fewest unseen cards that make it with `cards`."""
    ranking = rules.cards.ranking
    if category in RANK_GROUP_SIZES:
        yield from _rank_group_completions(RANK_GROUP_SIZES[category], cards, unseen, rules)
        return
    suits = sorted({suit for card in (*cards, *unseen) for suit in ranking.suits(card)})
    is_suited = category is not Category.STRAIGHT
    for suit in suits if is_suited else [None]:
        held_cards = [card for card in cards if suit is None or suit in ranking.suits(card)]
        free_cards = [card for card in unseen if suit is None or suit in ranking.suits(card)]
        if category is Category.FLUSH:
            missing_count = max(0, HAND_SIZE - len(held_cards))
            if missing_count <= len(free_cards):
                yield tuple(free_cards[:missing_count])
        else:
            yield from _sequence_completions(held_cards, free_cards, rules)


def _sequence_completions(
    held_cards: Sequence[str], free_cards: Sequence[str], rules: DestinyRules
) -> Iterator[tuple[str, ...]]:
    """Yield the cards of `free_cards` that complete a sequence with `held_cards`, once for each possible sequence."""
    ranking = rules.cards.ranking
    held_ranks = {ranking.faces[card][0] for card in held_cards}
    free_card_by_rank = {ranking.faces[card][0]: card for card in reversed(free_cards)}
    all_ranks = sorted({*held_ranks, *free_card_by_rank}, reverse=True)
    rank_runs = [tuple(all_ranks[index : index + HAND_SIZE]) for index in range(len(all_ranks) - HAND_SIZE + 1)]
    for rank_run in (*rank_runs, ranking.order.wheel):
        missing_ranks = [rank for rank in rank_run if rank not in held_ranks]
        is_sequence = rank_run and ranking.order.is_sequence(rank_run)
        if is_sequence and all(rank in free_card_by_rank for rank in missing_ranks):
            yield tuple(free_card_by_rank[rank] for rank in missing_ranks)


def _rank_group_completions(
    group_sizes: tuple[int, ...], cards: Sequence[str], unseen: Sequence[str], rules: DestinyRules
) -> Iterator[tuple[str, ...]]:
    """Yield unseen cards that complete groups of equal rank of the sizes `group_sizes`, for each choice of ranks."""
    faces = rules.cards.ranking.faces
    held_by_rank, free_by_rank = (group((faces[card][0], card) for card in pile) for pile in (cards, unseen))
    for ranks in permutations(sorted({*held_by_rank, *free_by_rank}, reverse=True), len(group_sizes)):
        sizes = zip(ranks, group_sizes, strict=True)
        missing_counts = [(rank, max(0, size - len(held_by_rank.get(rank, ())))) for rank, size in sizes]
        if all(size <= len(free_by_rank.get(rank, ())) for rank, size in missing_counts):
            yield tuple(card for rank, size in missing_counts for card in free_by_rank.get(rank, ())[:size])
