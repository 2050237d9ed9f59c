"""Facts about a step of an encounter: the hand so far, the chance to win, and what is at risk."""

from collections.abc import Iterator

from vaultkit.games.deck_of_destiny.chances import win_chance
from vaultkit.games.deck_of_destiny.ending import required_hand_text
from vaultkit.games.deck_of_destiny.rules import BOARD_SIZE, DestinyRules
from vaultkit.games.deck_of_destiny.state import PLAYER_SEAT_INDEX, DestinyPosition, DestinyView
from vaultkit.games.deck_of_destiny.turns import AddCards, ProceedOrRetreat, count_addable, describe_count
from vaultkit.games.facts import GameFact
from vaultkit.games.hands import HandValue, describe_order
from vaultkit.games.messages import Sentence
from vaultkit.text import format_count

FACE_RANKS = {14: "A", 13: "K", 12: "Q", 11: "J"}
PERCENT_STEP = 5
"""The step to which a chance is rounded, as it is only sampled."""


def aim(rules: DestinyRules) -> Sentence:
    """Return the aim of an encounter."""
    goal = f"a hand of five, {required_hand_text(rules)}" if rules.category else "a better hand than the opponent"
    reward = f"a win earns {format_count(rules.reward, 'card')}" if rules.reward else "a win earns no cards"
    return Sentence(f"Lay cards and make, with those of the board, {goal}; {reward}.")


def key_facts(view: DestinyView) -> Iterator[Sentence]:
    """Yield the chance to win, what becomes of cards that are laid, and how hands compare."""
    at, rules = view.at, view.rules
    if at.end is not None:
        return
    if at.own:
        words = "With the cards laid now, {s0} wins {v0} of the time."
        yield Sentence(words, (PLAYER_SEAT_INDEX,), (), (_percent_text(_win_percent(at, rules)),))
    yield _cost_sentence(rules)
    order = rules.cards.ranking.order
    yield Sentence(describe_order(order.categories, rules.cards.names))
    if order.wheel:
        yield Sentence("Of equal hands the higher cards win; the ace is highest, and lowest in 5-4-3-2-A.")


def step_facts(before: DestinyView, after: DestinyView) -> Iterator[GameFact]:
    """Yield what a step changed."""
    at, rules = after.at, after.rules
    if at.end:
        yield from _ending_facts(before, after)
        return
    added_cards = tuple(card for card in at.own if card not in before.at.own)
    if added_cards:
        yield _chance_fact(at, rules, has_added=True)
        if makes_hand(at.own, at.face_up):
            yield from _hand_facts(before, after)
        if not before.at.own:
            adding_words = f"add {describe_count(count)}, or " if (count := count_addable(at, 2)) else ""
            words = "The board is then dealt, and three of its cards are turned up."
            words += f" Then you may {adding_words}retreat."
            yield GameFact("next", PLAYER_SEAT_INDEX, sentence=Sentence(words))
    elif at.own and before.prompt is not None:
        yield from _adding_facts(before, after)
        yield _chance_fact(at, rules)


def _adding_facts(before: DestinyView, after: DestinyView) -> Iterator[GameFact]:
    """Yield how many cards may be added after the choice to go on or to add no more (DD-6, DD-7)."""
    task = before.pending[-1]
    if isinstance(task, ProceedOrRetreat) or (isinstance(task, AddCards) and task.phase == 2):
        place = "Then" if isinstance(task, ProceedOrRetreat) else "In phase 3"
        count = count_addable(after.at, task.phase + 1)
        words = f"{place} you may add {describe_count(count)}." if count else f"{place} you can add no card."
        yield GameFact("next", PLAYER_SEAT_INDEX, sentence=Sentence(words))


def makes_hand(own: tuple[str, ...], board: tuple[str, ...]) -> bool:
    """Return whether the player's own cards and the open cards of the board are enough to make a hand."""
    return bool(own) and len(own) + len(board) >= BOARD_SIZE


def _ending_facts(before: DestinyView, after: DestinyView) -> Iterator[GameFact]:
    end = after.at.end
    if end is None or before.at.end is not None:
        return
    if end.own:
        owner, former_owner = (PLAYER_SEAT_INDEX, None) if end.kept else (None, PLAYER_SEAT_INDEX)
        yield GameFact("moved", owner, former_owner, end.own)
    if after.prompt is None and not (end.kind == "win" and after.rules.reward):
        yield GameFact("ends")


def _hand_facts(before: DestinyView, after: DestinyView) -> Iterator[GameFact]:
    """Yield the best hand so far, and whether it now meets what the encounter asks for."""
    at, rules = after.at, after.rules
    value, cards = rules.find_best(at.own, at.face_up)
    hand_name = rules.cards.hand_name
    hand_sentence = Sentence("So far {v0}: {v1}.", values=(hand_name(value.category), _ranks_text(value, rules)))
    yield GameFact("other", PLAYER_SEAT_INDEX, cards=cards, sentence=hand_sentence)
    if rules.category is None:
        return
    own_before = before.at.own
    board = before.at.face_up
    was_fulfilled = makes_hand(own_before, board) and rules.can_make(rules.category, own_before, board)
    if not was_fulfilled and rules.can_make(rules.category, at.own, at.face_up):
        yield GameFact("fulfilled", PLAYER_SEAT_INDEX, sentence=Sentence("It meets what the encounter asks for."))


def _chance_fact(at: DestinyPosition, rules: DestinyRules, *, has_added: bool = False) -> GameFact:
    """Return the chance to win with the cards laid so far."""
    percent = _win_percent(at, rules)
    values, cards = (_percent_text(percent),), at.own if len(at.own) == 1 else ()
    words = "Wins {v0} of the time." if has_added else "Without more cards you win {v0} of the time."
    sentence = Sentence("Alone the {c0} wins {v0} of the time." if cards and has_added else words, (), cards, values)
    short = Sentence("wins {v0}", values=values)
    return GameFact("best-result", PLAYER_SEAT_INDEX, amount=percent, sentence=sentence, short=short)


def _win_percent(at: DestinyPosition, rules: DestinyRules) -> int:
    visible_cards = frozenset(at.cards())
    unseen_cards = tuple(card for card in rules.cards.ids if card not in visible_cards)
    chance = win_chance(rules, at.own, at.face_up, at.opponent, unseen_cards)
    return PERCENT_STEP * round(100 * chance / PERCENT_STEP)


def _percent_text(percent: int) -> str:
    if percent in {0, 100}:
        return f"{'under' if not percent else 'over'} {PERCENT_STEP if not percent else 100 - PERCENT_STEP}%"
    return f"about {percent}%"


def _ranks_text(value: HandValue, rules: DestinyRules) -> str:
    """Return the ranks of a hand as text, in the order in which they count: `9-9-K-8-3`."""
    letters = FACE_RANKS if rules.cards.ranking.order.wheel else {}
    return "-".join(letters.get(rank, str(rank)) for rank in value.ranks)


def _cost_sentence(rules: DestinyRules) -> Sentence:
    """Return a sentence that says whether laid cards come back to the inventory (DD-3)."""
    returning_ends = ["win"] * rules.has_option("keep_on_win", "yes")
    returning_ends += ["retreat"] * rules.has_option("keep_on_retreat", "yes")
    if returning_ends:
        return Sentence(f"Cards that you lay come back only if you {' or '.join(returning_ends)}.")
    return Sentence("Cards that you lay are used up, however it ends.")
