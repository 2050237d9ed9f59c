"""The outcome of an encounter, its reason in words, and the facts for its note."""

from collections.abc import Iterator

from vaultkit.games.deck_of_destiny.rules import DestinyRules
from vaultkit.games.deck_of_destiny.state import PLAYER_SEAT_INDEX, BestHand, DestinyState, EncounterEnd
from vaultkit.games.messages import Fact, Outcome, Sentence
from vaultkit.text import format_count

ENDINGS = {
    "win": "The encounter is won",
    "loss": "The encounter is lost",
    "tie": "Equal hands",
    "retreat": "The character retreats",
}
"""The kinds of outcome, each in a few words."""
COMBAT_REASONS = {
    "win": "{s0} wins with {v0} against {v1}.",
    "loss": "{s0} loses with {v0} against {v1}.",
    "tie": "{s0} and the opponent make equal hands, {v0}, so the encounter is not won.",
}
EQUAL_CATEGORY_REASONS = {
    "win": "{s0} wins: both make {v0}, and {s0} has the higher cards.",
    "loss": "{s0} loses: both make {v0}, and the opponent has the higher cards.",
}
PASSIVE_REASONS = {
    "win": "{s0} wins: {v0} was asked for, and {s0} makes {v1}.",
    "loss": "{s0} loses: {v0} was asked for, and {s0} makes {v1}.",
}
EXACT_WIN_REASON = "{s0} wins: {v0} was asked for, and {s0} can make it, though the best hand is {v1}."


def outcome(state: DestinyState) -> Outcome | None:
    """Return the result of an encounter that is over, None before."""
    if state.turn is not None:
        return None
    end = state.at.end
    assert end is not None
    reason, rulings = _outcome_reason(state, end)
    return Outcome(
        kind=end.kind,
        winners=(PLAYER_SEAT_INDEX,) if end.kind == "win" else (),
        reason=reason,
        rulings=rulings,
        scores=(_outcome_parts(state, end),),
        ranks=(1,),
        facts=(*_facts(state, end), *state.at.concessions.facts),
    )


def _outcome_parts(state: DestinyState, end: EncounterEnd) -> dict[str, int]:
    """Return the score parts of a finished encounter (`score_parts`)."""
    at, played_count = state.at, len(end.own)
    returned_count = played_count if end.kept else 0
    gained_count = len(at.inventory) - at.before + played_count - returned_count
    return score_parts(at.before, played_count, returned_count, gained_count)


def score_parts(before: int, played: int, back: int, gained: int) -> dict[str, int]:
    """Return the score parts: the numbers of cards owned before, played, taken back, gained, and owned after."""
    after = before - played + back + gained
    return {"before": before, "played": played, "back": back, "gained": gained, "after": after}


def _outcome_reason(state: DestinyState, end: EncounterEnd) -> tuple[Sentence, tuple[str, ...]]:
    if state.at.concessions.seats:
        result_words = "a retreat" if end.kind == "retreat" else "lost"
        words = f"{{s0}} has conceded in phase {{v0}}: the encounter counts as {result_words}."
        return Sentence(words, (PLAYER_SEAT_INDEX,), (), (end.phase,)), ("G-14", "DD-12")
    if end.kind == "retreat":
        return _retreat_reason(end)
    rules, own_best, opponent_best = state.rules, end.best, end.opponent_best
    assert own_best is not None, "hands are compared unless one retreats"
    own_hand = rules.cards.hand_name(own_best.value.category)
    if opponent_best is None:
        has_higher_best_hand = False
        if end.kind == "win" and rules.has_option("passive", "exact"):
            has_higher_best_hand = own_best.value.category != rules.category
        words = EXACT_WIN_REASON if has_higher_best_hand else PASSIVE_REASONS[end.kind]
        return Sentence(words, (PLAYER_SEAT_INDEX,), (), (required_hand_text(rules), own_hand)), ("DD-9",)
    if own_best.value == opponent_best.value and end.kind == "win":
        words = "{s0} wins: both hands are equal, {v0}, and that is enough."
        return Sentence(words, (PLAYER_SEAT_INDEX,), (), (own_hand,)), ("DD-10",)
    if end.kind == "tie":
        return Sentence(COMBAT_REASONS["tie"], (PLAYER_SEAT_INDEX,), (), (own_hand,)), ("DD-10",)
    opponent_hand = rules.cards.hand_name(opponent_best.value.category)
    words = EQUAL_CATEGORY_REASONS[end.kind] if own_hand == opponent_hand else COMBAT_REASONS[end.kind]
    return Sentence(words, (PLAYER_SEAT_INDEX,), (), (own_hand, opponent_hand)), ("DD-16", "DD-18")


def _retreat_reason(end: EncounterEnd) -> tuple[Sentence, tuple[str, ...]]:
    if end.phase == 0:
        return Sentence("{s0} owns no card, and retreats before the encounter.", (PLAYER_SEAT_INDEX,)), ("DD-4",)
    return Sentence("{s0} retreats at the end of phase {v0}.", (PLAYER_SEAT_INDEX,), (), (end.phase,)), ("DD-12",)


def required_hand_text(rules: DestinyRules) -> str:
    """Return in words the hand that a passive encounter asks for, such as `a flush or higher` (DD-9)."""
    assert rules.category is not None, "only a passive encounter asks for a hand"
    name = rules.cards.hand_name(rules.category)
    return f"exactly {name}" if rules.has_option("passive", "exact") else f"{name} or higher"


def encounter_text(rules: DestinyRules) -> str:
    """Return the kind of encounter in words, such as `an opponent with 3 cards`."""
    if rules.category:
        return f"no opponent; asked for is {required_hand_text(rules)}"
    return f"an opponent with {format_count(rules.strength, 'card')}"


def _facts(state: DestinyState, end: EncounterEnd) -> Iterator[Fact]:
    at, rules = state.at, state.rules
    yield "Kind", Sentence("{v0}", values=(encounter_text(rules),))
    for phase, cards in enumerate(end.laid, 1):
        if cards:
            yield f"Laid in phase {phase}", Sentence("{cards}", cards=cards)
    if end.board:
        yield "Board", Sentence("{cards}", cards=end.board)
    if end.opponent:
        yield "Opponent", Sentence("{cards}", cards=end.opponent)
    yield from _best_hand_facts("Best hand", rules, end.best)
    yield from _best_hand_facts("Best hand of the opponent", rules, end.opponent_best)
    if at.ties:
        yield "Equal hands before", Sentence("{v0}", values=(len(at.ties),))
    if at.reward:
        yield "Reward", Sentence("{cards}", cards=at.reward)
    yield "Inventory", _inventory_sentence(state)


def _best_hand_facts(label: str, rules: DestinyRules, best: BestHand | None) -> Iterator[Fact]:
    if best is not None:
        name = rules.cards.hand_name(best.value.category)
        yield label, Sentence("{v0}: {cards}", (), best.cards, (name,))


def _inventory_sentence(state: DestinyState) -> Sentence:
    at = state.at
    words = "{v0} before, {v1} after: {cards}" if at.inventory else "{v0} before, none after"
    return Sentence(words, (), at.inventory, (at.before, len(at.inventory)))
