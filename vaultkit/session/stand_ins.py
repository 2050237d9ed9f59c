"""Real cards that nobody tells the app: others stand in for them until they are shown.

Which cards are in the hands on the table the app does not know. So it deals stand-ins, and when a card is shown, it
changes places with the stand-in that was where it came from. Nothing that everybody has seen may change by that; where
it would, the card cannot have come from there.
"""

from collections.abc import Iterable, Iterator

from vaultkit.cards import Deck
from vaultkit.games.base import AnyGame
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.games.words import Event, Sentence
from vaultkit.session.history import History


def stands_in(turn: Chance | Prompt, unseen: tuple[str, ...]) -> bool:
    """Whether the app answers this turn itself with cards that stand in for real ones."""
    if isinstance(turn, Chance):
        return turn.name in unseen
    return any(move.verb in unseen for move in turn.moves[:1])


def seen_by_all(history: History, deck: Deck) -> set[str]:
    """Every card that everybody has seen."""
    return {card for step in history.steps for card in _cards_shown(step.events)} & deck.by_id.keys()


def about_to_show(history: History, move: Move, deck: Deck) -> tuple[Event, ...]:
    """The events by which a move would show stand-ins to everybody; the cards of the move itself do not count."""
    _, events = history.try_move(move)
    old = seen_by_all(history, deck).union(move.operands)
    return tuple(event for event in events if event.seen_by is None and not old.issuperset(event.cards))


def exchange(history: History, card: str, deck: Deck, move: Move) -> tuple[History, str] | None:
    """The game in which `card` is where it makes `move` possible, and the stand-in that it changed places with."""
    for swapped, other in _exchanged(history, card, deck):
        if isinstance(swapped.state.turn, Prompt) and move in swapped.state.turn.moves:
            return swapped, other
    return None


def why_not(history: History, card: str, deck: Deck, game: AnyGame) -> Sentence | None:
    """The one reason why a card that was shown cannot be shown now, wherever it was; None where the rules say none."""
    turn = history.state.turn
    assert isinstance(turn, Prompt)
    reasons = (game.why_not(swapped.state.view(turn.seat), card) for swapped, _ in _exchanged(history, card, deck))
    return next(filter(None, reasons), None)


def _exchanged(history: History, card: str, deck: Deck) -> Iterator[tuple[History, str]]:
    """The game with the card in the place of each stand-in that it may be, first of those that could be played now."""
    turn, seen = history.state.turn, seen_by_all(history, deck)
    assert isinstance(turn, Prompt)
    offered = [name for move in turn.moves for name in move.operands]
    for other in () if card in seen else dict.fromkeys((*offered, *deck.by_id)):
        if other in deck.by_id.keys() - seen - {card} and (swapped := history.exchange(card, other)):
            yield swapped, other


def _cards_shown(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if event.seen_by is None:
            yield from event.cards
