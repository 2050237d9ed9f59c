"""Commands that may be typed instead of a card while real cards lie on the table."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rich.text import Text

from vaultkit.cards import Card
from vaultkit.errors import VaultkitError
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.games.words import Seat
from vaultkit.play import commands, lookup, pages
from vaultkit.play.board import Board
from vaultkit.play.card_names import cards_meant
from vaultkit.play.naming import CardNaming
from vaultkit.play.plain import safe
from vaultkit.play.sources import Leave
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.play.taking_back import take_back
from vaultkit.play.waiting import HIDDEN, wait
from vaultkit.scene import memory
from vaultkit.scene.memory import may_look_up
from vaultkit.scene.reference import Reference
from vaultkit.scene.scene import Scene, scene_of_screen
from vaultkit.session import Session
from vaultkit.session.answers import lines
from vaultkit.session.undo import Undo, UndoRefused

HELP = (
    ("{card}", "a card by its name, or as much of it as is clear; Tab completes it"),
    ("{number}, {code}", "by its number and suit, or by a short code"),
    ("{card}, {code}", "several cards, with commas between them or one after the other"),
    ("?", "the rule of this moment; ? {card} for a card's text"),
    ("why {card}", "why that card can or cannot be named now"),
    ("u", "take back what was typed last, such as a wrong card"),
    *commands.ALWAYS,
)
_FEW = 3
"""So many cards are told of where a word may mean several."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks the table about one turn. `seats` are the people whose knowledge may be shown now.

    `private` says that nobody else may look: the screen is hidden already. `help` is what may be typed. `scene` is what
    is seen, that of the whole screen if it is None.
    """

    session: Session
    turn: Chance | Prompt
    stage: Stage
    speaker: Speaker
    reference: Reference
    seats: Collection[Seat]
    private: bool = False
    help: Sequence[tuple[str, str]] = HELP
    scene: Scene | None = None

    def line(
        self, question: str, words: Sequence[str], answers: Collection[str] = (), *, is_tale: bool = False
    ) -> str | None:
        """The typed answer; None if people want to take something back. Raises EOFError where they leave.

        `words` complete what is typed; `answers`, in lower case, are never taken for commands; `ask` may begin
        a tale.
        """
        while True:
            about = self.speaker.words(self.turn.text)
            typed = safe(self.stage.answer(Text(f"{question}: "), about, words))
            command = None if typed.casefold() in answers else commands.parse(typed)
            if command is None or (command.verb in {"undo", "log"} and command.rest not in {"", "all"}):
                return typed
            if is_tale and command.verb == "ask":
                return typed
            if command.verb == "undo":
                return None
            self._obey(command, question)

    def refuse(self, message: str, hint: str) -> None:
        """Say why an answer is no good; a script ends with it."""
        if self.stage.source.refuse(message, hint):
            self.stage.show(Text(safe(message)))

    def is_meant(self, move: Move, typed: str) -> bool:
        """Whether people mean a move; they are asked about one that ends the game, since it cannot be taken back."""
        if not self.session.ends_with(move):
            return True
        return self.stage.sure("That ends the game. Is it right? Type y, or it again:", typed)

    def take_back(self, plan: Callable[[], Undo] | None = None) -> bool:
        """Take back what `plan` says, or the last thing typed, whosever it was; where that cannot be, say why."""
        try:
            back = plan() if plan else self.session.plan_correction() or self.session.plan_undo(None)
        except UndoRefused as refusal:
            self.refuse(refusal.message, refusal.hint)
            return False
        return take_back(self.session, back, self.seats, self.stage, self.speaker)

    def _obey(self, command: commands.Command, question: str) -> None:
        match command.verb:
            case "leave":
                raise Leave
            case "why" if cards := cards_meant(command.rest, self.session.deck, self.session.deck.by_id):
                self.stage.show(*(Text(safe(self._why(card))) for card in cards[:_FEW]))
            case "rule" | "why":
                self.explain(command.rest)
            case "who":
                self.stage.show(pages.standings(self._scene(), self.speaker))
            case "ask":
                self.ask(command.rest)
            case "log":
                self.log(everything=command.rest.casefold() == "all")
            case "help":
                self.stage.show(pages.helping(self.speaker, self.help))
            case "hide":
                self.hide()
            case "table":
                self.show_table()
            case _:
                self.refuse("Say what lies on the table, or type help.", question)

    def _why(self, card: Card) -> str:
        """The one reason why a card cannot be named now, or that nothing speaks against it."""
        session, turn = self.session, self.turn
        reason = session.why_not(card.id) if isinstance(turn, Prompt) else None
        if reason:
            return self.speaker.words(reason)
        naming = CardNaming(session, self.speaker, self.seats)
        here = {*turn.pile.unknown, *turn.pile.bottom, *turn.options} if isinstance(turn, Chance) else ()
        if card.id not in naming.possible(here):
            return naming.why_not(card)
        return f"The {card.title} can be named: nothing that all have seen speaks against it."

    def _scene(self) -> Scene:
        return self.scene or scene_of_screen(self.session)

    def show_table(self) -> None:
        """Show the whole table, as it is drawn or a card a line."""
        if self.speaker.look.plain:
            self.stage.show(pages.table(self._scene(), self.speaker))
        else:
            self.stage.show(*Board(self._scene(), (), self.speaker, self.stage.console).table())

    def obey(self, command: commands.Command) -> None:
        """Do what any question lets people ask for."""
        self._obey(command, "")

    def explain(self, wanted: str = "") -> None:
        """Show the rule of this turn with the meanings of the signs, or what is wanted by name."""
        deck, turn = self.session.deck, self.turn
        found = lookup.of_text(wanted, deck, self.reference) if wanted else lookup.of_turn(turn, deck, self.reference)
        passages = list(found)
        if not passages:
            nothing = f"No note explains this. Rulings: {', '.join(turn.rulings)}."
            self.stage.show(Text(f"Nothing is known of '{wanted}'." if wanted else nothing))
        for index, passage in enumerate(passages[: pages.RECENT]):
            if index:
                self.stage.gap()
            self.stage.show(pages.passage(passage, self.speaker))
        if not wanted:
            self.stage.show(*pages.legend(self._scene(), self.speaker, self.stage.width))

    def ask(self, words: str) -> None:
        """Show what notes, cards and rulings say about some words."""
        try:
            told = lines(self.reference.ask(words), 0 if self.stage.look.plain else self.stage.width)
        except VaultkitError as error:
            told = [f"{error.message} {error.hint}"]
        self.stage.show(*(Text(safe(line)) for line in told))

    def log(self, *, everything: bool) -> None:
        """Show what has happened, or the end of it, as far as it may be looked up."""
        told = may_look_up(self.session, self.seats)
        self.stage.show(*(pages.story if everything else pages.latest)(told, self.speaker))
        if everything and (rule := memory.of(self.session)):
            self.stage.show(Text(rule.notice))

    def hide(self) -> None:
        """Hide the screen until Enter is pressed; one that was private is empty then."""
        if self.private:
            self.stage.clear()
            wait(self.stage, HIDDEN)
            self.stage.clear()
            return
        with self.stage.hidden():
            wait(self.stage, HIDDEN)
