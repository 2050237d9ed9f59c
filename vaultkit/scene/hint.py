"""Hints for the player who must decide: a move that a hard bot or an example would make, and the reasons for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import get_args

from vaultkit.bots.registry import make_bot
from vaultkit.games.facts import Consequence, FactKind, GameFact
from vaultkit.games.messages import Score, Seat, Sentence
from vaultkit.games.turn import Chance, Move, Prompt, draw_move
from vaultkit.session import Session
from vaultkit.session.examples.playback import ExampleSession

_BOT = "hard"
_REASON_ORDER: tuple[FactKind, ...] = (
    "ends", "out", "permanent", "fulfilled", "score", "best-result", "risk", "moved", "revealed", "other", "next",
)  # fmt: skip
"""All kinds of facts, the most important reasons for a move first."""
_DANGER_KINDS: frozenset[FactKind] = frozenset({"out", "risk"})
assert set(_REASON_ORDER) == set(get_args(FactKind)), "every kind of fact has its place"


@dataclass(frozen=True, slots=True)
class Hint:
    """A move that is recommended, and the reasons for it.

    `reasons` are certain facts of the move that at least one other move does not have, the most important first, except
    dangers to the player. `avoids` are dangers to the player, such as being out, that other moves may bring and the
    recommended move does not. `is_only` says that there is no other move.
    """

    move: Move
    reasons: tuple[GameFact, ...] = ()
    avoids: tuple[Consequence, ...] = ()
    is_only: bool = False


def hint(session: Session, prompt: Prompt) -> Hint:
    """Return a hint with the move of a hard bot, or with the move that is due in an example.

    Raises VaultkitError if the bot cannot play the game.
    """
    view = session.view(prompt.seat)
    if isinstance(session, ExampleSession) and session.expected_move:
        move = session.expected_move
    else:
        move = make_bot(_BOT).choose(view, session.game, Random(len(session.steps)))
    consequences_by_move = dict(zip(prompt.moves, session.game.consequences(view, prompt.moves), strict=True))
    own_consequences, other_consequences = consequences_by_move.pop(move, ()), tuple(consequences_by_move.values())
    reasons = _find_reasons(own_consequences, other_consequences, prompt.seat)
    avoids = _find_avoided_dangers(own_consequences, other_consequences, prompt.seat)
    return Hint(move, reasons, avoids, is_only=not other_consequences)


def gm_hint(session: Session, chance: Chance) -> Hint:
    """Return a hint for a GM who plays a card of the dealer's: the one from which players can gain least at once."""
    points = {card: best_gain(session, card) for card in chance.options}
    card = min(points, key=points.__getitem__)
    sentence = Sentence("Whoever answers it gains {v0} points at most.", values=(points[card],))
    return Hint(draw_move(card), (GameFact("other", sentence=sentence),), is_only=len(points) == 1)


def best_gain(session: Session, card: str) -> Score:
    """Return the most points that a seat can gain with its answer to a card of the dealer's."""
    state, game = session.state_after(draw_move(card)), session.game
    turn = state.turn
    if not isinstance(turn, Prompt):
        return 0
    moves = game.consequences(state.view(turn.seat), turn.moves)
    scores = ([one.fact.amount or 0 for one in effects if one.fact.kind == "score"] for effects in moves)
    return max((sum(amounts) for amounts in scores), default=0)


def _find_reasons(
    own_consequences: Sequence[Consequence], other_consequences: Sequence[Sequence[Consequence]], seat: Seat
) -> tuple[GameFact, ...]:
    certain = (consequence for consequence in own_consequences if consequence.is_certain)
    effects = [effect for effect in certain if effect.fact.kind not in _DANGER_KINDS or effect.fact.seat != seat]
    distinct_facts = [
        effect.fact
        for effect in effects
        if not other_consequences or not all(effect in move_consequences for move_consequences in other_consequences)
    ]
    return tuple(sorted(distinct_facts, key=lambda fact: (_REASON_ORDER.index(fact.kind), fact.seat != seat)))


def _find_avoided_dangers(
    own_consequences: Sequence[Consequence], other_consequences: Sequence[Sequence[Consequence]], seat: Seat
) -> tuple[Consequence, ...]:
    """Return the dangers of other moves to `seat` that the recommended move does not have, the certain ones first."""
    own_facts = {consequence.fact for consequence in own_consequences}
    dangers = dict.fromkeys(
        danger
        for move_consequences in other_consequences
        for danger in move_consequences
        if danger.fact.kind in _DANGER_KINDS
    )
    avoided_dangers = [danger for danger in dangers if danger.fact.seat == seat and danger.fact not in own_facts]
    return tuple(sorted(avoided_dangers, key=lambda danger: not danger.is_certain))
