"""Placeholder cards for real cards that nobody enters, used until the real cards are shown.

vaultkit does not know which cards are in the hands on the table. It deals placeholders, and when a real card is shown,
that card is exchanged with the placeholder in the place where it came from. The exchange must not change anything that
everybody has seen; if it would, the card cannot have come from there.
"""

from collections.abc import Iterator

from vaultkit.cards import Deck
from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Event, Sentence
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.session.history import GameHistory


def is_answered_by_placeholders(turn: Chance | Prompt, unseen: tuple[str, ...]) -> bool:
    """Return whether vaultkit answers a turn itself, with placeholder cards.

    It does so for the turns in `unseen`: names of chance turns, and verbs of moves, for which nobody enters the cards.
    """
    if isinstance(turn, Chance):
        return turn.name in unseen
    return any(move.verb in unseen for move in turn.moves[:1])


def seen_by_all(history: GameHistory, deck: Deck) -> set[str]:
    """Return the ids of all cards that everybody has seen."""
    public_events = (event for step in history.steps for event in step.events if event.seen_by is None)
    return {card for event in public_events for card in event.cards} & deck.by_id.keys()


def find_events_showing_placeholders(history: GameHistory, move: Move, deck: Deck) -> tuple[Event, ...]:
    """Return the events of a move, not made yet, that would show placeholder cards to everybody.

    The cards that the move itself names are real, so they do not count.
    """
    _, events = history.try_move(move)
    known_cards = seen_by_all(history, deck).union(move.operands)
    return tuple(event for event in events if event.seen_by is None and not known_cards.issuperset(event.cards))


def exchange(history: GameHistory, card: str, deck: Deck, move: Move) -> tuple[GameHistory, str] | None:
    """Exchange `card` with a placeholder so that `move`, which needs it, becomes possible.

    Returns the changed game and the placeholder, or None if no exchange makes the move possible.
    """
    for swapped, placeholder in _exchanges(history, card, deck):
        if isinstance(swapped.state.turn, Prompt) and move in swapped.state.turn.moves:
            return swapped, placeholder
    return None


def find_reason_against(history: GameHistory, card: str, deck: Deck, game: AnyGame) -> Sentence | None:
    """Return a reason from the rules why a card cannot be shown now.

    The card is tried in the place of each placeholder; the first reason is returned, None if the rules give none.
    """
    turn = history.state.turn
    assert isinstance(turn, Prompt)
    reasons = (game.why_not(swapped.state.view(turn.seat), card) for swapped, _ in _exchanges(history, card, deck))
    return next(filter(None, reasons), None)


def _exchanges(history: GameHistory, card: str, deck: Deck) -> Iterator[tuple[GameHistory, str]]:
    """Yield, for each placeholder that `card` can be exchanged with, the changed game and the placeholder.

    Placeholders that can be played now come first. Nothing is yielded if everybody has seen the card already.
    """
    turn, seen_cards = history.state.turn, seen_by_all(history, deck)
    assert isinstance(turn, Prompt)
    playable_cards = [playable_card for move in turn.moves for playable_card in move.operands]
    for placeholder in () if card in seen_cards else dict.fromkeys((*playable_cards, *deck.by_id)):
        if placeholder in deck.by_id.keys() - seen_cards - {card} and (swapped := history.exchange(card, placeholder)):
            yield swapped, placeholder
