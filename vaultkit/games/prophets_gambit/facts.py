"""Facts about a step of Prophet's Gambit: the best hand left, what others see, and what a Risk may cost."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from vaultkit.games.facts import GameFact
from vaultkit.games.hands import FIVE_CARD_CATEGORIES, TAROKKA_NAMES, Category, HandValue, describe_order, explain_name
from vaultkit.games.messages import Event, Seat, Sentence
from vaultkit.games.prophets_gambit.card_effects import DemandDiscard, PassCards, Trade
from vaultkit.games.prophets_gambit.card_play import Discard, DrawCards, DrawFate, OfferDraw
from vaultkit.games.prophets_gambit.ending import best_final_value, final_value, hand_text, ranks_text, remaining_hands
from vaultkit.games.prophets_gambit.rounds import STOPPED_BY_OWN_INNOCENT, OpeningChoice
from vaultkit.games.prophets_gambit.rules import BELOW_ONE, KILL
from vaultkit.games.prophets_gambit.state import GambitTask, GambitView, find_leader
from vaultkit.games.turn import HIDDEN, Move
from vaultkit.text import join_words

TaskT = TypeVar("TaskT", bound=GambitTask)

TAKING_HIGH_CARDS = ("beast", "broken-one", "mists", "raven", "tempter")
"""The High cards that take cards or the Fate from the player who turns them, unless that player is the Innocent."""

OWN_HAND_VERBS = frozenset({"keep", "draw-one", "kill"})
"""The verbs by which prompts about the viewer's own hand are recognized, even if the move does not change the hand.

They are the verbs of the first move of such a prompt.
"""

SHOWING_SENTENCE = Sentence("A shown card leaves the hand. The highest number shown begins, and may take a new Fate.")
MAX_SHORT_HAND_CARDS = 4
"""The number of cards in a hand without the Focus."""

SPOKEN_EVENT_KINDS = {"artifact", "innocent", "kept", "left-out", "mists", "no-card", "pass", "reshuffle", "round"}
"""The kinds of events whose own sentence serves as the sentence of the fact."""


def step_facts(before: GambitView, after: GambitView, events: Sequence[Event]) -> Iterator[GameFact]:
    """Yield what one step changed, from one seat's view before and after it and the events that the seat saw."""
    is_own_move = before.prompt is not None
    decides_on_hand = before.prompt is not None and before.moves[0].verb in OWN_HAND_VERBS
    if decides_on_hand or _own_cards(before) != _own_cards(after) or _top_task(after, Trade):
        yield from _own_hand_facts(after)
    for event in events:
        if is_own_move and event.seat == after.seat:
            yield from _own_move_facts(event, after)
        elif event.reveals and not is_own_move:
            yield GameFact("revealed", event.seat, cards=event.cards)
        yield from _table_facts(event, after)
    if before.at.shown != after.at.shown and before.at.round == after.at.round:
        yield from _lead_facts(after)
    if after.at.over and not before.at.over:
        yield GameFact("ends")


def choice_facts(view: GambitView, move: Move) -> Iterator[GameFact]:
    """Yield what a secret choice means, no matter what the others choose (G-3)."""
    hand = tuple(card for card in view.at.hands[view.seat] if card not in move.operands)
    is_replaced = move.verb in {"pass", "offer"}
    words = "Left, with another card to come: {v0}." if is_replaced else "The best hand left: {v0}."
    yield from _best_result_facts(view, best_final_value(view, hand), words)
    if move.verb == "pass":
        taker = _next_passer(view)
        yield GameFact("moved", taker, view.seat, move.operands, sentence=Sentence("{s0} gets it.", (taker,)))


def key_facts(view: GambitView) -> Iterator[Sentence]:
    """Yield what a shown card is for, the viewer's best hand, and what the names of hands and the Masters mean."""
    ranking = view.rules.cards.ranking
    if _top_task(view, OpeningChoice):
        yield SHOWING_SENTENCE
    value = None if view.at.over else best_final_value(view)
    if value is not None:
        name, ranks = explain_name(value.category, TAROKKA_NAMES), ranks_text(value)
        yield Sentence("The best hand that {s0} can still reveal: {v0}, {v1}.", (view.seat,), (), (name, ranks))
    yield Sentence(describe_order(ranking.order.categories, TAROKKA_NAMES))
    master_rank = next(ranking.faces[card][0] for card in view.rules.cards.masters)
    rank_words = "below 1" if master_rank == BELOW_ONE else "above 9"
    row_words = ", and is in no row" if master_rank in ranking.order.unordered_ranks else ""
    yield Sentence(f"A Master counts {rank_words}{row_words}.")


def _own_cards(view: GambitView) -> tuple[tuple[str, ...], str | None, str | None]:
    return view.at.hands[view.seat], view.at.fates[view.seat], view.at.focus


def _best_result_facts(view: GambitView, value: HandValue | None, words: str) -> Iterator[GameFact]:
    if value is not None:
        sentence, short = Sentence(words, values=(hand_text(value),)), Sentence("{v0}", values=(hand_text(value),))
        yield GameFact("best-result", view.seat, amount=value.strength, sentence=sentence, short=short)


def _own_hand_facts(after: GambitView) -> Iterator[GameFact]:
    """Yield the best hand that the viewer can still reveal, in view of the draws and discards to come."""
    kinds = Discard | DrawCards | DrawFate
    own_tasks = [task for task in after.pending if isinstance(task, kinds) and task.seat == after.seat]
    if any(isinstance(task, DrawFate) for task in own_tasks):
        yield _new_fate_fact(after)
        return
    words = "You reveal: {v0}." if after.at.over else "The best hand left: {v0}."
    if any(isinstance(task, DrawCards) for task in own_tasks):
        is_discarding = any(isinstance(task, Discard) for task in own_tasks)
        words = "You can keep at least: {v0}." if is_discarding else "Left, with another card to come: {v0}."
    trade = _top_task(after, Trade)
    if trade is not None and trade.seat == after.seat and trade.card is not None:
        remaining_hand = tuple(card for card in after.at.hands[after.seat] if card != trade.card)
        best_value = best_final_value(after, remaining_hand)
        yield from _best_result_facts(after, best_value, "Left, with another card to come: {v0}.")
        words = "{s0} gets the {c0}, and you get a card of {s0} at random."
        sentence = Sentence(words, (trade.target,), (trade.card,))
        yield GameFact("moved", trade.target, after.seat, (trade.card,), sentence=sentence)
        return
    yield from _best_result_facts(after, best_final_value(after), words)


def _new_fate_fact(after: GambitView) -> GameFact:
    """Return the worst and the best that the viewer's best hand can be after a new Fate is drawn."""
    at, cards, visible_cards = after.at, after.rules.cards, after.seen
    unseen_cards = [card for card in cards.common if card not in visible_cards]
    hands, ranking = list(remaining_hands(at.hands[after.seat])), cards.ranking
    values = [max(final_value(three, fate, at.focus, ranking) for three in hands) for fate in unseen_cards]
    worst, best = min(values), max(values)
    sentence = Sentence("With the new Fate: between {v0} and {v1}.", values=(hand_text(worst), hand_text(best)))
    return GameFact("best-result", after.seat, amount=worst.strength, sentence=sentence)


def _own_move_facts(event: Event, after: GambitView) -> Iterator[GameFact]:
    """Yield what follows from an event of the viewer's own move, apart from the hand that is left."""
    match event.kind:
        case "play":
            yield _draw_fact(after)
        case "risk":
            yield _risk_fact(after)
        case "replace":
            sentence = Sentence("Everybody sees the {c0}.", (), event.cards)
            yield GameFact("revealed", after.seat, cards=event.cards, sentence=sentence)
        case "look":
            target = event.sentence.seats[1]
            words = "You see the hand of {s0}"
            words += ", who loses a card that you choose and draws another." if _top_task(after, DemandDiscard) else "."
            yield GameFact("revealed", after.seat, target, sentence=Sentence(words, (target,)))


def _draw_fact(after: GambitView) -> GameFact:
    """Return whether the viewer's play allows a draw (PG-8)."""
    if _top_task(after, OfferDraw):
        words = Sentence("Then you may draw a card and discard one.")
        return GameFact("next", after.seat, sentence=words, short=Sentence("with a draw"))
    return GameFact("next", after.seat, sentence=Sentence("No draw follows."))


def _risk_fact(after: GambitView) -> GameFact:
    """Return how many unseen High cards can help the viewer, or cost cards or the Fate (PG-18, PG-20, PG-24)."""
    at, rules, visible_cards = after.at, after.rules, after.seen
    unseen_high_cards = [card for card in rules.cards.high if card not in visible_cards]
    is_immune = "innocent" in at.kept[after.seat] and rules.has_option("innocent", "literal")
    taking_cards = tuple(card for card in unseen_high_cards if card in TAKING_HIGH_CARDS and not is_immune)
    useless_cards = {"donjon", *TAKING_HIGH_CARDS, *(STOPPED_BY_OWN_INNOCENT if is_immune else ())}
    helping_cards = [card for card in unseen_high_cards if card not in useless_cards]
    words = "Of {v0} High cards, {v2} can help you, {v1} can take cards or the Fate from you"
    if "donjon" in unseen_high_cards:
        words += f", and the Donjon ends the {'rounds' if rules.has_option('donjon_execution', 'hold') else 'game'}"
    words += "."
    values = (len(unseen_high_cards), len(taking_cards) or "none", len(helping_cards) or "none")
    short = Sentence("{v2} of {v0} High cards help, {v1} rob you", values=values)
    return GameFact("risk", after.seat, cards=taking_cards, sentence=Sentence(words, values=values), short=short)


def _table_facts(event: Event, after: GambitView) -> Iterator[GameFact]:
    """Yield what an event means for other players or for everybody."""
    seats = event.sentence.seats
    if event.kind in SPOKEN_EVENT_KINDS:
        yield GameFact("other", event.seat, cards=event.cards, sentence=event.sentence)
    elif event.kind == "marionette":
        target = seats[-1]
        words = event.sentence if len(seats) == 1 else Sentence("{s0} cannot Risk in this round.", (target,))
        yield GameFact("next", target, event.seat, sentence=words)
    elif event.kind == "execution":
        is_killed = event.sentence.values == (KILL.verb,)
        text = "Every hand keeps the {c0}."
        if is_killed:
            text = f"Every hand is one card short, and none can be a {_list_hands_of_five(after)}."
        words = Sentence(text, (), event.cards)
        yield GameFact("other", event.seat, cards=event.cards, sentence=words)
    elif event.kind == "tempt":
        yield GameFact("other", event.seat, seats[-1])
    elif event.kind == "discard" and seats[1:] == (after.seat,):
        yield from _target_hand_facts(seats[0], after)


def _list_hands_of_five(view: GambitView) -> str:
    """Return the names of the hands that four cards cannot make, strongest first (PG-36)."""
    order = view.rules.cards.ranking.order
    categories = [category for category in order.categories if category in FIVE_CARD_CATEGORIES]
    if order.min_line_cards <= MAX_SHORT_HAND_CARDS:
        categories = [Category.FULL_HOUSE]
    return join_words((TAROKKA_NAMES[category] for category in categories), "or")


def _target_hand_facts(target: Seat, after: GambitView) -> Iterator[GameFact]:
    """Yield the best hand that the Darklord leaves to a player whose hand the viewer sees (PG-19)."""
    at, ranking = after.at, after.rules.cards.ranking
    fate = at.fates[target] if at.fates[target] != HIDDEN else None
    if HIDDEN in at.hands[target]:
        return
    value = max(final_value(three, fate, at.focus, ranking) for three in remaining_hands(at.hands[target]))
    fate_words = "" if fate else " without the Fate"
    words = f"{{s0}} is left with at best {{v0}}{fate_words}, and draws a card."
    sentence = Sentence(words, (target,), (), (hand_text(value),))
    yield GameFact("best-result", target, after.seat, amount=value.strength, sentence=sentence)


def _lead_facts(after: GambitView) -> Iterator[GameFact]:
    """Yield who would begin round 2, or decide at the Execution, by the cards shown now (PG-10, PG-23, PG-35)."""
    at, rules = after.at, after.rules
    is_last, has_executioner = at.round == 2, any("executioner" in kept_cards for kept_cards in at.kept)
    is_settled_otherwise = has_executioner if is_last else rules.has_option("opening", "each-round-deal-7")
    if is_settled_otherwise or not all(at.shown):
        return
    seat = find_leader(after)
    verb_and_object = ("decide", "at the end whether the Focus counts") if is_last else ("begin", "round 2")
    subject, verb = ("you", verb_and_object[0]) if seat == after.seat else ("{s0}", f"{verb_and_object[0]}s")
    words = f"By the cards shown now, {subject} {verb} {verb_and_object[1]}."
    yield GameFact("next", seat, sentence=Sentence(words, (seat,)))


def _next_passer(view: GambitView) -> Seat:
    """Return the seat that gets the card which the viewer passes: the next one that takes part (PG-26, PG-32)."""
    pass_task = _top_task(view, PassCards)
    assert pass_task is not None, "a card is passed for the Raven"
    seats = sorted({*pass_task.waiting, *(seat for seat, _ in pass_task.made)})
    return next((seat for seat in seats if seat > view.seat), seats[0])


def _top_task(view: GambitView, task_class: type[TaskT]) -> TaskT | None:
    """Return the task on top of the stack if it is of the class `task_class`, else None."""
    task = view.pending[-1] if view.pending else None
    return task if isinstance(task, task_class) else None
