"""A game with the real deck on the table: people turn the cards and say which they were."""

from rich.text import Text

from vaultkit.games.turn import Chance, IllegalMove, Move, drawn
from vaultkit.play.lookup import cards_named
from vaultkit.play.plain import safe
from vaultkit.play.sources import Leave
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.session import Session

_LEAVE = frozenset({"q", "quit", "exit"})


def ask(session: Session, chance: Chance, stage: Stage, speaker: Speaker) -> Move:
    """What luck answered on the table. Raises EOFError where people leave."""
    stage.show(speaker.text(chance.text, speaker.look.style("question")))
    question = ", ".join(safe(_option(option, session)) for option in chance.options) or _wanted(chance)
    while True:
        typed = safe(stage.answer(Text(f"{question}: "), speaker.words(chance.text)))
        if typed.lower() in _LEAVE:
            raise Leave
        try:
            return _read(typed, session, chance, speaker)
        except IllegalMove as error:
            if stage.source.refuse(error.message, question):
                stage.show(Text(error.message))


def _read(typed: str, session: Session, chance: Chance, speaker: Speaker) -> Move:
    pieces = [piece.strip() for piece in typed.split(",") if piece.strip()]
    if not pieces:
        raise IllegalMove("Say what was drawn, or q to leave.")
    if chance.options:
        move = drawn(*(_an_option(piece, session, chance) for piece in pieces))
    else:
        move = drawn(*(_a_card(piece, session, chance, speaker) for piece in pieces))
    chance.check(move)
    return move


def _a_card(piece: str, session: Session, chance: Chance, speaker: Speaker) -> str:
    pile = {*chance.pile.unknown, *chance.pile.bottom}
    found = [card.id for card in cards_named(piece, session.deck) if card.id in pile]
    if len(found) == 1:
        return found[0]
    if found:
        raise IllegalMove(f"'{piece}' could be: {'; '.join(speaker.title(card) for card in found)}.")
    raise IllegalMove(f"'{piece}' is no card of that pile.")


def _an_option(piece: str, session: Session, chance: Chance) -> str:
    for option in chance.options:
        if piece.casefold() in {option.casefold(), _option(option, session).casefold()}:
            return option
    raise IllegalMove(f"'{piece}' is none of them.")


def _option(option: str, session: Session) -> str:
    """An option in words: a seat's number is its name, a card's id its title (G-1)."""
    if option.isdecimal() and int(option) < len(session.header.seats):
        return session.name(int(option))
    card = session.deck.by_id.get(option)
    return card.title if card else option


def _wanted(chance: Chance) -> str:
    return "The card that was turned" if chance.count == 1 else f"The {chance.count} cards, with commas"
