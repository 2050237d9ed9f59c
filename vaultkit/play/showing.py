"""A decision where hands are unseen: nothing is offered, since only the player knows; what is shown is asked for."""

from rich.text import Text

from vaultkit.games.turn import IllegalMove, Move, Pile, Prompt
from vaultkit.games.words import Event
from vaultkit.play import pages
from vaultkit.play.asking import Asking
from vaultkit.play.board import Board
from vaultkit.play.plain import safe
from vaultkit.scene.naming import CardNaming
from vaultkit.scene.scene import scene_of_screen
from vaultkit.session.card_names import spellings
from vaultkit.session.refereeing import SHOWN

NOTHING = ("nothing", "none", "no", "pass", "-")
"""Words for showing no card."""
_NEWS = 4
"""So many lines are kept for the prompt and the last news."""


class Showing:
    """Asks what one person shows, and puts that card where the app had another one."""

    def __init__(self, asking: Asking, prompt: Prompt) -> None:
        self._asking = asking
        self._prompt = prompt
        self._session = asking.session
        self._naming = CardNaming(asking.session, asking.speaker, asking.seats)
        self._bare = next((move for move in prompt.moves if not move.operands), None)
        self._verb = next((move.verb for move in prompt.moves if move.operands), SHOWN[-1])

    def ask(self) -> Move | None:
        """The move, its card in its place and everything that it lays open named; None if something was taken back."""
        self._show()
        while True:
            typed = self._asking.line(self._question(), self._words(self._unseen()), NOTHING)
            if typed is None:
                if self._asking.take_back():
                    return None
                continue
            try:
                move = self._place(typed)
            except IllegalMove as error:
                self._asking.refuse(error.message, self._question())
                continue
            if self._asking.is_meant(move, typed):
                return move if self._named_all(move) else None

    def _show(self) -> None:
        asking = self._asking
        scene, stage = scene_of_screen(self._session), asking.stage
        if not stage.look.plain:
            stage.show(*Board(scene, (), asking.speaker, stage.console).lines(stage.height - _NEWS))
            return
        stage.heading(f"{asking.speaker.seat(self._prompt.seat)} decides.")
        asking.show_table()
        if scene.question:
            stage.show(pages.question(scene.question, asking.speaker))

    def _question(self) -> str:
        name = self._asking.speaker.seat(self._prompt.seat)
        return f"{name}, a card or nothing" if self._bare else f"{name}, the card"

    def _words(self, pile: tuple[str, ...]) -> tuple[str, ...]:
        return (*spellings(self._session.deck, pile), *(NOTHING[:1] if self._bare else ()))

    def _unseen(self) -> tuple[str, ...]:
        seen = self._session.seen_by_all
        return tuple(card.id for card in self._session.deck if card.id not in seen)

    def _place(self, typed: str) -> Move:
        """The move that was typed, its card put in its place. Raises IllegalMove that says why the rules forbid it."""
        if self._bare and typed.casefold() in NOTHING:
            return self._bare
        cards = self._naming.cards(typed.removeprefix(f"{self._verb} "), Pile(self._unseen()))
        if len(cards) != 1:
            raise IllegalMove("One card, please.")
        move = Move(self._verb, cards)
        if not self._session.place(move):
            reason = self._session.why_not(cards[0])
            said = self._asking.speaker.words(reason or self._session.game.label(move))
            raise IllegalMove(said if reason else f"{said}: that cannot be now ({', '.join(self._prompt.rulings)}).")
        return move

    def _named_all(self, move: Move) -> bool:
        """Whether all that the move lays open besides its own card was named; False where that was taken back."""
        named: list[str] = list(move.operands)
        for seat in [event.seat for event in self._session.about_to_show(move) if event.seat is not None]:
            event = next(event for event in self._session.about_to_show(move) if event.seat == seat)
            left = [card for card in self._unseen() if card not in named]
            if len(left) > len(event.cards) and not self._name(event, named):
                return False
        return True

    def _name(self, event: Event, named: list[str]) -> bool:
        who, count = self._asking.speaker.seat(event.seat or 0), len(event.cards)
        what = "the card that stayed face down" if count == 1 else f"the {count} cards that stayed face down"
        told: tuple[str, ...] = ()
        while True:
            pile = Pile(tuple(card for card in self._unseen() if card not in named))
            question = f"{who}, {what}" if not told else f"{who}, {count - len(told)} more"
            typed = self._asking.line(question, self._words(pile.unknown))
            if typed is None and not told:
                return False
            try:
                told = self._read(typed, pile, told, count)
                if len(told) == count:
                    self._session.name_unseen(told, event.cards)
                    named.extend(told)
                    return True
            except IllegalMove as error:
                told = told if len(told) < count else ()
                self._asking.refuse(error.message, what)

    def _read(self, typed: str | None, pile: Pile, told: tuple[str, ...], count: int) -> tuple[str, ...]:
        """The cards named so far with those that were typed now, or without the last one if it is taken back."""
        if typed is None:
            self._asking.stage.show(Text(f"Not the {safe(self._session.deck[told[-1]].title)}."))
            return told[:-1]
        cards = (*told, *self._naming.cards(typed, pile, told))
        if len(cards) > count:
            raise IllegalMove(f"You named {len(cards)} cards, and there are only {count}.")
        return cards
