"""One decision of one person: the board, the question, and everything that may be typed before a move."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from vaultkit.cards import Card
from vaultkit.errors import VaultkitError
from vaultkit.games.turn import Move, Prompt
from vaultkit.games.words import Seat
from vaultkit.play import commands, offering, pages
from vaultkit.play.asking import Asking
from vaultkit.play.board import Board
from vaultkit.play.plain import safe
from vaultkit.scene.consequence_text import reason_words, warnings
from vaultkit.scene.hint import hint
from vaultkit.scene.knowledge import Told
from vaultkit.scene.picking import Choice, choices_of, has_ranks, in_order, letter, pick
from vaultkit.scene.scene import Offer, scene_of_seat
from vaultkit.session.card_names import cards_meant, goes_by
from vaultkit.session.undo import UndoRefused
from vaultkit.sorting import name_key
from vaultkit.spelling import did_you_mean

_NEWS = 4
"""So many lines are kept for the latest news."""
_LEAST_NEWS = 2
"""The lines of news that are kept where moves could not be told apart otherwise, or fewer if these have no room."""
_MORE_NEWS = 8
"""So many lines of news come before the legend of the table."""
_FEW = 3
_CODE = 2
"""The letters of a short code of a card, which nobody asks about."""


class Decision:
    """Asks until there is a move. `news` is what stays on the screen; told `again` where nothing has come since.

    `help` is what may be typed.
    """

    def __init__(
        self,
        asking: Asking,
        prompt: Prompt,
        news: Sequence[Told] = (),
        *,
        again: bool = False,
        help: Sequence[tuple[str, str]] = commands.HELP,
    ) -> None:
        self.scene = scene_of_seat(asking.session, prompt.seat)
        self.asking = asking = replace(asking, scene=self.scene, help=help)
        self.session, self.stage, self.speaker = asking.session, asking.stage, asking.speaker
        self.prompt = prompt
        self.news = news
        self.again = again
        self.offers = in_order(self.scene)
        self.choices = choices_of(self.offers, self.session.deck, self.speaker.words)
        self.of_card: list[Choice] = []

    def ask(self) -> Move | None:
        """The chosen move, or None when a decision was taken back. Raises EOFError where the person leaves."""
        self.show()
        while True:
            typed = safe(self._answer())
            exact = [choice for choice in self.choices if choice.move.id == typed]
            command = None if exact else commands.parse(typed)
            if self.of_card and command and command.verb in {"undo", "list"}:
                self.of_card = []
                self.show()
            elif command is None:
                found = self._find(typed)
                if found and self._is_meant(found, typed):
                    return found
            elif command.verb == "undo":
                if self._undone(command.rest):
                    return None
            else:
                self._obey(command)

    def show(self) -> None:
        """Everything that matters for the decision, on one screen; or a fact a line."""
        if self.stage.look.plain:
            self._show_plain()
            return
        letters = [choice.letters for choice in self.choices]
        keys = offering.keys_of(self.offers, letters, self.scene.viewer, self.speaker)
        news = list(pages.story(self.scene.news if self.asking.private else self.news, self.speaker))
        room = self.stage.height - 1
        lines = sum(map(self.stage.lines_of, news))
        kept, more = min(_NEWS, lines), max(min(_MORE_NEWS, lines) - _NEWS, 0)
        drawn = Board(self.scene, keys, self.speaker, self.stage.console)
        board = drawn.lines(room - kept, more)
        if not drawn.is_clear:
            for fewer in range(min(_LEAST_NEWS, kept), -1, -1):
                board = drawn.lines(room - fewer)
                if len(board) <= room - fewer:
                    break
        left = room - len(board)
        if left > 0 and (self.asking.private or self.again):
            self.stage.show(*self._latest(news, left if self.asking.private else min(left, kept)))
        self.stage.show(*board)

    def _latest(self, news: Sequence[RenderableType], room: int) -> list[RenderableType]:
        """The latest of the news for which there is room; of one that is too long, its end."""
        found: list[RenderableType] = []
        for piece in reversed(news):
            left = room - self.stage.lines_of(Group(*found))
            if self.stage.lines_of(piece) > left:
                return found or [self.stage.end_of(piece, max(left, 1))]
            found.insert(0, piece)
        return found

    def _show_plain(self) -> None:
        self.stage.heading(f"{self._name} decides.")
        if self.asking.private and self.scene.news:
            first = not any(step.seat == self.prompt.seat and not step.auto for step in self.session.steps)
            self.stage.show(Text("What has happened so far:" if first else "Since your last turn:"))
            self.stage.show(*pages.latest(self.scene.news, self.speaker))
        self.asking.show_table()
        if self.scene.standings:
            self.stage.show(pages.standings(self.scene, self.speaker))
        if self.scene.question:
            self.stage.show(pages.question(self.scene.question, self.speaker))
        self.show_moves()

    def show_moves(self) -> None:
        """The legal moves in full."""
        self._show_choices(self.choices)

    def _offer_of(self, move: Move) -> Offer:
        return next(offer for offer in self.offers if offer.move == move)

    def _show_choices(self, choices: Sequence[Choice]) -> None:
        """Some moves in full, as far as one screen has room for them."""
        by_move = {offer.move: offer for offer in self.offers}
        letters, offers = [choice.letters for choice in choices], [by_move[choice.move] for choice in choices]
        if self.stage.look.plain:
            words = ((offering.label(offer, self.speaker), offering.facts(offer, self.speaker)) for offer in offers)
            self.stage.show(pages.moves((one, *said) for one, said in zip(letters, words, strict=True)))
            return
        keys = [
            offering.key(one, offer, self.scene.viewer, self.speaker)
            for one, offer in zip(letters, offers, strict=True)
        ]
        self.stage.show(*Board(self.scene, keys, self.speaker, self.stage.console).offers(self.stage.height - 2))

    @property
    def _name(self) -> str:
        """Who is asked, for people."""
        return "The party" if self.prompt.party else self.speaker.seat(self.prompt.seat)

    def _answer(self) -> str:
        sign = self.speaker.look.sign("›", ">")
        question = Text(f"{self._name}{':' if self.speaker.look.plain else f' {sign}'} ")
        return self.stage.answer(question, f"{self._name} decides. {self.speaker.words(self.prompt.text)}")

    def _find(self, typed: str) -> Move | None:
        deck = self.session.deck
        refused = [card for card in self.scene.refusals if goes_by(typed, deck[card])]
        found = () if refused else (self.of_card and pick(typed, self.of_card)) or pick(typed, self.choices)
        if len(found) == 1:
            return found[0].move
        if found and self._is_of_one_card(found):
            self._ask_further(found)
            return None
        if found:
            message = f"'{typed}' could be: {'; '.join(choice.label for choice in found)}."
        else:
            message = self._refusal(typed)
        legal = "; ".join(offer.move.id for offer in self.offers)
        if self.stage.source.refuse(message, f"Legal moves: {legal}."):
            self.stage.show(Text(message))
            if not found and not refused and len(typed) > _CODE and any(goes_by(typed, card) for card in deck):
                self.asking.ask(typed)
        return None

    def _is_of_one_card(self, found: Sequence[Choice]) -> bool:
        moves = {choice.move for choice in found}
        firsts = {offer.touches[:1] for offer in self.offers if offer.move in moves}
        return len(firsts) == 1 and firsts != {()}

    def _ask_further(self, found: Sequence[Choice]) -> None:
        """Ask which of the moves with one card is meant."""
        self.of_card = [replace(choice, letters=letter(at)) for at, choice in enumerate(found)]
        self._show_choices(self.of_card)

    def _refusal(self, typed: str) -> str:
        """The reason why an answer is no move, with the nearest name."""
        deck, refusals = self.session.deck, self.scene.refusals
        held = cards_meant(typed, deck, refusals) if not typed.isdecimal() else ()
        held = held or tuple(deck[card] for card in refusals if str(deck[card].rank) == typed)
        reasons = dict.fromkeys(self.speaker.words(refusals[card.id]) for card in held if card.id in refusals)
        if reasons:
            return " ".join(reasons)
        if typed.isdecimal() and has_ranks(self.choices):
            return f"No {typed} can be played now. Numbers are ranks here; letters choose moves."
        if (cards := cards_meant(typed, deck, self._seen)) and len(typed) > 2:
            return self._no_move_with(cards)
        names = [name for choice in self.choices for name in (*choice.cards, choice.label)]
        names += [card.name for card in deck]
        hint = did_you_mean(typed, names, then="" if len(typed) > 1 else "Press Enter for the moves, or type help.")
        return f"'{typed}' is not a move here. {hint or 'Press Enter for the moves, or type help.'}"

    def _is_meant(self, move: Move, typed: str) -> bool:
        """Whether a move that ends the game, or the person's own part in it, is really meant."""
        said = [self.speaker.words(one).rstrip(".") for one in warnings(self._offer_of(move), self.scene)]
        if not said or self.stage.sure(f"{'. '.join(said)}. Sure? Type y, or it again:", typed):
            return True
        self.stage.show(Text("Nothing was played."))
        return False

    def _undone(self, whom: str) -> bool:
        correction = self.session.plan_correction
        return self.asking.take_back(
            lambda: (None if whom else correction()) or self.session.plan_undo(self._person(whom))
        )

    def _person(self, whom: str) -> Seat:
        """The seat whose decision is to be taken back: the one asked, unless another person is named."""
        if not whom:
            return self.prompt.seat
        for seat in self.session.people:
            if name_key(self.speaker.seat(seat)).startswith(name_key(whom)):
                return seat
        raise UndoRefused(f"Nobody here is called '{whom}'.")

    def _obey(self, command: commands.Command) -> None:
        match command.verb:
            case "list":
                self.show_moves()
            case "rule":
                for wanted in self._meant(command.rest):
                    self.asking.explain(wanted)
            case "why" if command.rest:
                self._say_why(command.rest)
            case "hint":
                self._hint()
            case _:
                self.asking.obey(command)
                if command.verb == "hide" and self.asking.private:
                    self.show()

    def _meant(self, wanted: str) -> Sequence[str]:
        """The cards of the offer whose letters were typed, else what was typed itself."""
        chosen = [choice for choice in self.choices if wanted and choice.letters == wanted]
        cards = [operand for choice in chosen for operand in choice.move.operands if operand in self.session.deck.by_id]
        return cards or ([""] if chosen else [wanted])

    def _hint(self) -> None:
        """Show the move of a hard bot in this place, what comes of it, and how everybody stands."""
        try:
            with self.stage.thinking():
                found = hint(self.session, self.prompt)
        except VaultkitError as error:
            self.stage.show(Text(error.message))
            return
        self._show_choices([choice for choice in self.choices if choice.move == found.move])
        self.stage.show(Text(reason_words(found, self.prompt.seat, self.speaker.words)))
        if self.scene.standings:
            self.stage.show(pages.standings(self.scene, self.speaker))

    def _say_why(self, wanted: str) -> None:
        """Show why a card can or cannot be played now."""
        deck, meant = self.session.deck, cards_meant(wanted, self.session.deck, self._seen)
        cards = {card.id for card in meant}
        can = [
            choice for choice in self.choices if cards.intersection(choice.move.operands) or choice.letters == wanted
        ]
        if can:
            self._show_choices(can)
            rule = pages.cited(self.scene.question, self.speaker) if self.scene.question else ""
            self.stage.show(Text.assemble("No rule forbids it now", ": " if rule else "", rule, ". ? tells more."))
        reasons = dict.fromkeys(why for card, why in self.scene.refusals.items() if card in cards)
        self.stage.show(*map(self.speaker.text, reasons))
        if not can and not reasons:
            names = [card.name for card in deck]
            unknown = f"'{safe(wanted)}' is no card here. {did_you_mean(wanted, names)}".strip()
            self.stage.show(Text(self._no_move_with(meant) if meant else unknown))

    @property
    def _seen(self) -> set[str]:
        """The cards that the person sees."""
        return {card for zone in self.scene.zones for card in zone.cards}

    def _no_move_with(self, cards: Sequence[Card]) -> str:
        titles = " or ".join(safe(card.title) for card in cards[:_FEW])
        return f"Nobody can play the {titles} now." if self.prompt.party else f"No move now is made with the {titles}."
