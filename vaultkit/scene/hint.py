"""Hints for the player who must decide: a move that a hard bot or an example would make, and the reasons for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from random import Random

from vaultkit.bots.registry import make_bot
from vaultkit.games.facts import Consequence, FactKind
from vaultkit.games.messages import Score, Seat, Sentence, lower_first
from vaultkit.games.turn import Chance, Move, Prompt, draw_move
from vaultkit.scene.scene import format_points
from vaultkit.session import Session
from vaultkit.session.examples.playback import ExampleSession

MAX_REASONS_PER_HINT = 2

_BOT = "hard"
_ONLY_MOVE = Sentence("It is the only move.")
_FOR_LATER = Sentence("It is meant for later turns.")
_BEST_IN_SAMPLES = Sentence("It does best in games that the computer plays on from here, with cards dealt at random.")
_DESPITE_OTHERS = Sentence("Other moves promise more at once.")
_SPECIAL_KINDS: tuple[FactKind, ...] = ("permanent", "fulfilled", "moved")
"""The kinds of facts that are a reason if only the recommended move has them, the most important first."""

_GM_DANGERS: Mapping[FactKind, int] = {"risk": 1, "out": 2}
"""How much a GM who plays for the dealer gains by a fact about the players."""

Consequences = Sequence[Consequence]


@dataclass(frozen=True, slots=True)
class Hint:
    """A move that is recommended, and the reasons for it: how what it changes compares with the other moves."""

    move: Move
    reasons: tuple[Sentence, ...] = (_FOR_LATER,)


def hint(session: Session, prompt: Prompt) -> Hint:
    """Return a hint with the move of a hard bot, or with the move that is due in an example.

    Raises VaultkitError if the bot cannot play the game.
    """
    view = session.view(prompt.seat)
    if isinstance(session, ExampleSession) and session.expected_move:
        move, default_reason = session.expected_move, _FOR_LATER
    else:
        default_reason = _BEST_IN_SAMPLES
        move = make_bot(_BOT).choose(view, session.game, Random(len(session.steps)))
    consequences_by_move = dict(zip(prompt.moves, session.game.consequences(view, prompt.moves), strict=True))
    own = consequences_by_move.pop(move, ())
    return Hint(move, find_reasons(own, [*consequences_by_move.values()], prompt.seat, default_reason))


def gm_hint(session: Session, chance: Chance) -> Hint:
    """Return a hint for a GM who plays a card of the dealer's: one that may put a player out, or that brings least."""
    points = {card: best_gain(session, card) for card in chance.options}
    facts = {card: [*session.game.gm_facts(session.view(0), card)] for card in chance.options}
    danger_by_card = {card: max((_GM_DANGERS.get(fact.kind, 0) for fact in facts[card]), default=0) for card in facts}
    card = max(points, key=lambda card: (danger_by_card[card], -points[card]))
    words = "No other card leaves the players fewer points at once."
    if danger := danger_by_card[card]:
        alike_count = sum(other >= danger for other in danger_by_card.values())
        words = "It can put a player out." if alike_count > 1 else "No other card is as likely to put a player out."
    return Hint(draw_move(card), (Sentence(words) if len(points) > 1 else _ONLY_MOVE,))


def best_gain(session: Session, card: str) -> Score:
    """Return the most points that a seat of a party can gain at once with its answer to a card of the dealer's.

    Among rivals it is 0, since the points would tell the GM of hidden hands.
    """
    state, game = session.state_after(draw_move(card)), session.game
    turn = state.turn
    if not isinstance(turn, Prompt) or not session.is_party:
        return 0
    moves = game.consequences(state.view(turn.seat), turn.moves)
    scores = ([part.fact.amount or 0 for part in effects if part.fact.kind == "score"] for effects in moves)
    return max((sum(amounts) for amounts in scores), default=0)


def find_reasons(
    own: Consequences, others: Sequence[Consequences], seat: Seat, default_reason: Sentence = _BEST_IN_SAMPLES
) -> tuple[Sentence, ...]:
    """Return the reasons of `seat` for a move with the consequences `own`; `others` has one for each other move.

    `default_reason` is given if the consequences are no reason for the move.
    """
    if not others:
        return (_ONLY_MOVE,)
    reasons = (
        *_danger_reasons(own, others, seat),
        *_point_reasons(own, others, seat),
        *_prospect_reasons(own, others, seat),
    )
    if reasons:
        reasons = reasons[:MAX_REASONS_PER_HINT]
        return reasons if _sets_apart(own, others, seat) else (*reasons[:1], default_reason)
    if any(_best_prospect(other, seat) > _best_prospect(own, seat) for other in others):
        return (_DESPITE_OTHERS, default_reason)
    return tuple(_special_reasons(own, others, seat)) or (default_reason,)


def _sets_apart(own: Consequences, others: Sequence[Consequences], seat: Seat) -> bool:
    """Return whether no other move is as free of dangers and brings the seat more points."""
    points, dangers = _sum_points(own, seat), ("out", "risk")
    safe_others = (other for other in others if not any(_has_fact(other, kind, seat) for kind in dangers))
    return all(_sum_points(other, seat) <= points for other in safe_others)


def _danger_reasons(own: Consequences, others: Sequence[Consequences], seat: Seat) -> Iterator[Sentence]:
    """Yield how many other moves may put the seat out of the game or cost it something, if the move cannot."""
    for kind, words in (("out", "you may be out of the game."), ("risk", "you take a risk that this one avoids.")):
        if not _has_fact(own, kind, seat) and (count := sum(_has_fact(other, kind, seat) for other in others)):
            moves = f"{count} of the {len(others)} other moves"
            if count == len(others):
                moves = "the other move" if count == 1 else "every other move"
            yield Sentence(f"With {moves} {words}")


def _has_fact(consequences: Consequences, kind: str, seat: Seat) -> bool:
    return any(part.fact.kind == kind and part.fact.seat == seat for part in consequences)


def _point_reasons(own: Consequences, others: Sequence[Consequences], seat: Seat) -> Iterator[Sentence]:
    """Yield that no other move brings the seat more points, or its rivals fewer."""
    points, *other_points = (_sum_points(part, seat) for part in (own, *others))
    yield from _compare(points, other_points, "give you as many points now", "give you more points now")
    rival_points, *other_rival_points = (_sum_points(part, seat, of_rivals=True) for part in (own, *others))
    if rival_points < min(other_rival_points):
        difference = format_points(min(other_rival_points) - rival_points)
        yield Sentence(f"Every other move leaves the others {difference} more.")


def _sum_points(consequences: Consequences, seat: Seat, *, of_rivals: bool = False) -> Score:
    facts = (part.fact for part in consequences if part.is_certain and part.fact.kind == "score")
    return sum(fact.amount or 0 for fact in facts if (fact.seat != seat) == of_rivals)


def _compare(own: Score, others: Sequence[Score], fewer: str, no_more: str) -> Iterator[Sentence]:
    if own > max(others):
        yield Sentence(f"{'The other move does not' if len(others) == 1 else 'No other move would'} {fewer}.")
    elif own == max(others) > min(others):
        yield Sentence(f"No other move would {no_more}.")


def _prospect_reasons(own: Consequences, others: Sequence[Consequences], seat: Seat) -> Iterator[Sentence]:
    """Yield that no other move leaves the seat a better prospect, such as a better hand."""
    prospect, *other_prospects = (_best_prospect(parts, seat) for parts in (own, *others))
    if -inf not in (prospect, *other_prospects):
        yield from _compare(prospect, other_prospects, "leave you as good a result", "leave you a better result")


def _best_prospect(consequences: Consequences, seat: Seat) -> float:
    """Return how good the best result is that a move leaves the seat, minus infinity if nothing says so."""
    facts = (part.fact for part in consequences if part.fact.kind == "best-result" and part.fact.seat == seat)
    return max((fact.amount for fact in facts if fact.amount is not None), default=-inf)


def _special_reasons(own: Consequences, others: Sequence[Consequences], seat: Seat) -> Iterator[Sentence]:
    """Yield the most important fact that is certain only with this move."""
    other_facts = {part.fact for parts in others for part in parts}
    facts = [part.fact for part in own if part.is_certain and part.fact.sentence and part.fact not in other_facts]
    special_facts = [fact for kind in _SPECIAL_KINDS for fact in facts if fact.kind == kind]
    for sentence in [fact.sentence.addressed_to(seat) for fact in special_facts if fact.sentence][:1]:
        yield replace(sentence, words=f"Only with this move {lower_first(sentence.words)}")
