"""One decision of one person: the table, the question, and everything that may be typed before a move."""

from collections.abc import Iterable

from rich.text import Text

from vaultkit.games.turn import Move, Prompt
from vaultkit.games.words import Seat, Sentence
from vaultkit.play import commands, lookup, pages
from vaultkit.play.asking import Asking
from vaultkit.play.card_names import alike
from vaultkit.play.picking import Offer, of_that_rank, pick
from vaultkit.play.plain import safe
from vaultkit.play.sources import Leave
from vaultkit.scene import memory
from vaultkit.scene.knowledge import since_last_turn
from vaultkit.scene.memory import recall
from vaultkit.session.passages import Passage
from vaultkit.session.undo import UndoRefused


class Decision:
    """Asks until there is a move."""

    def __init__(self, asking: Asking, prompt: Prompt) -> None:
        self.asking = asking
        self.session, self.stage, self.speaker = asking.session, asking.stage, asking.speaker
        self.prompt = prompt
        self.ends = dict(prompt.ends)
        self.offered = {operand for move in prompt.moves for operand in move.operands}
        self.labels = [self.speaker.text(self._meaning(move)) for move in prompt.moves]
        self.offers = [self._offer(move, label) for move, label in zip(prompt.moves, self.labels, strict=True)]

    def ask(self) -> Move | None:
        """The chosen move, or None when a decision was taken back. Raises EOFError where the person leaves."""
        self.show()
        while True:
            typed = safe(self._answer())
            exact = [offer for offer in self.offers if offer.move.id == typed]
            command = None if exact else commands.parse(typed)
            if command is None:
                found = self._find(typed)
                if found and self._no_rank(typed) and self._is_meant(found, typed):
                    return found
            elif command.verb == "undo":
                if self._undone(command.rest):
                    return None
            else:
                self._obey(command)

    def show(self) -> None:
        """Everything that matters for the decision."""
        self.stage.heading(f"{self._name} decides." if self.stage.look.plain else self._name)
        if self.asking.private:
            self._since()
        self.show_table()
        self.stage.gap()
        self.stage.show(pages.question(self.prompt, self.speaker))
        self.show_moves()

    def show_table(self) -> None:
        """The zones as the person sees them."""
        zones = self.session.game.table(self.session.view(self.prompt.seat))
        self.stage.show(pages.table(zones, self.speaker, self.stage.width))

    def show_moves(self) -> None:
        """The legal moves."""
        self.stage.show(pages.moves(self.offers, self.labels, self.speaker))

    def _since(self) -> None:
        session = self.session
        news = recall(since_last_turn(session, self.prompt.seat), session.steps, memory.of(session))
        if news:
            first = not any(step.seat == self.prompt.seat and not step.auto for step in session.steps)
            heading = "What has happened so far:" if first else "Since your last turn:"
            self.stage.show(Text(heading, self.speaker.look.style("faint")))
            self.stage.show(*pages.latest(news, self.speaker))
            self.stage.gap()

    @property
    def _name(self) -> str:
        """Who is asked, for people."""
        return "The party" if self.prompt.party else self.speaker.seat(self.prompt.seat)

    def _answer(self) -> str:
        sign = self.speaker.look.sign("›", ">")
        question = Text(f"{self._name}{':' if self.speaker.look.plain else f' {sign}'} ")
        return self.stage.answer(question, f"{self._name} decides. {self.speaker.words(self.prompt.text)}")

    def _find(self, typed: str) -> Move | None:
        found = pick(typed, self.offers)
        if len(found) == 1:
            return found[0].move
        if found:
            message = f"'{typed}' could be: {'; '.join(offer.label for offer in found)}."
        else:
            message = f"'{typed}' is not a move here."
        legal = "; ".join(offer.move.id for offer in self.offers)
        if self.stage.source.refuse(message, f"Legal moves: {legal}."):
            self.stage.show(Text(f"{message} Press Enter for the moves, or type help."))
        return None

    def _meaning(self, move: Move) -> Sentence:
        return self.ends.get(move) or self.session.game.label(move)

    def _is_meant(self, move: Move, typed: str) -> bool:
        """Whether a move that ends the game is really meant."""
        if move not in self.ends or self.stage.sure(f"{self._spoken(move)}. Sure? Type y, or it again:", typed):
            return True
        self.stage.show(Text("Nothing was played."))
        return False

    def _no_rank(self, typed: str) -> bool:
        """Whether a typed number is surely a move's number, and not the rank of a card in another move."""
        others = of_that_rank(typed, self.offers)
        if not others:
            return True
        chosen = self.offers[int(typed) - 1].label
        also = "; ".join(offer.label for offer in others)
        said = f"Move {typed} is: {chosen}. There is a {typed} in: {also}."
        if self.stage.sure(f"{said} Type {typed} again for move {typed}:", typed):
            return True
        self.stage.show(Text("Nothing was played."))
        return False

    def _spoken(self, move: Move) -> str:
        return self.speaker.words(self._meaning(move))

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
            if self.speaker.seat(seat).casefold().startswith(whom.casefold()):
                return seat
        raise UndoRefused(f"Nobody here is called '{whom}'.")

    def _obey(self, command: commands.Command) -> None:
        match command.verb:
            case "list":
                self.show_moves()
            case "why":
                self._explain(command.rest)
            case "ask":
                self.asking.ask(command.rest)
            case "hide":
                self.asking.hide()
                if self.asking.private:
                    self.show()
            case "log":
                self.asking.log(everything=command.rest.lower() == "all")
            case "table":
                self.show_table()
            case "leave":
                raise Leave
            case _:
                self.stage.show(pages.helping(self.speaker))

    def _explain(self, wanted: str) -> None:
        passages = list(self._passages(wanted))
        if not passages:
            rulings = ", ".join(self.prompt.rulings)
            what = f"Nothing is known of '{wanted}'." if wanted else f"No note explains this. Rulings: {rulings}."
            self.stage.show(Text(what))
        for index, passage in enumerate(passages[: pages.RECENT]):
            if index:
                self.stage.gap()
            self.stage.show(pages.passage(passage, self.speaker))

    def _passages(self, wanted: str) -> Iterable[Passage]:
        deck = self.session.deck
        if not wanted:
            return lookup.of_prompt(self.prompt, deck, self.asking.reference)
        if wanted.isdecimal() and 0 < int(wanted) <= len(self.offers):
            cards = self.offers[int(wanted) - 1].move.operands
            named = [lookup.of_card(deck[card], self.asking.reference) for card in cards if card in deck.by_id]
            return named or lookup.of_prompt(self.prompt, deck, self.asking.reference)
        return lookup.of_text(wanted, deck, self.asking.reference)

    def _offer(self, move: Move, label: Text) -> Offer:
        known = self.session.deck.by_id
        named = (*move.operands, *(self.ends[move].cards if move in self.ends else ()))
        cards = [known[card] for card in named if card in known]
        names = tuple(name for card in cards for name in dict.fromkeys((card.name, card.title)))
        same = [other for card in cards for other in self.session.deck if other.id not in self.offered]
        same = [other for other in same if any(alike(card, other) for card in cards)]
        return Offer(move, label.plain, names, tuple(dict.fromkeys((*cards, *same))))
