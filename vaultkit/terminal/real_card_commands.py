"""Commands that may be typed instead of a card while real cards lie on the table."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rich.text import Text

from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.scene import knowledge, rule_reference
from vaultkit.scene.card_input import CardNaming
from vaultkit.scene.knowledge import recallable_events, secret_owners
from vaultkit.scene.rule_reference import Reference
from vaultkit.scene.scene import Scene, scene_of_screen
from vaultkit.search.answer_lines import is_cut, lines
from vaultkit.session import Session
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards
from vaultkit.session.history import Undo, UndoRefused
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.board import Board
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.terminal_text import TerminalText

HELP = (
    ("{card}", "a card by its name, or as much of it as is clear; Tab completes it"),
    ("{number}, {code}", "by its number and suit, or by a short code"),
    ("{card}, {code}", "several cards, with commas between them or one after the other"),
    ("?", "the rule of this moment; ? {card} for a card's text"),
    ("why {card}", "why that card can or cannot be named now"),
    ("u", "take back what was typed last, such as a wrong card"),
    *commands.COMMON_HELP,
)
TALE_HELP = (
    ("any words", "what happens with this move, told in your own words; the game keeps them"),
    ("Enter", "tell nothing and play the move; so does a hyphen"),
    ("u", "think again: the move is not played"),
    ("?", "the rule of this moment; ? {card} for a card's text"),
    ("h", "hide the screen until Enter is pressed"),
    ("l", "what has happened lately; l all for everything"),
    ("s", "the table, without hands"),
    ("q", "leave; the game is saved, without this move"),
)
_NO_TALE_ANSWERS = ("", "-")
"""Answers that tell nothing; a script, which has no empty line, says the hyphen."""
_HIDDEN_MESSAGE = "Hidden. Press Enter to go on."


@dataclass(frozen=True, slots=True)
class TurnDialog:
    """Asks the table about one turn. `seats` are the people whose knowledge may be shown now.

    `private` says that nobody else may look: the screen is hidden already. `help` is what may be typed. `scene` is what
    is seen, that of the whole screen if it is None.
    """

    session: Session
    turn: Chance | Prompt
    stage: GameConsole
    speaker: TerminalText
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
            answer = strip_controls(self.stage.answer(Text(f"{question}: "), about, words))
            command = None if answer.casefold() in answers else commands.parse_beside_names(answer)
            if command is None or (is_tale and command.verb == "ask"):
                return answer
            if command.verb == "undo":
                return None
            self.obey(command, question)

    def refuse(self, message: str, hint: str) -> None:
        """Say why an answer is no good; a script ends with it."""
        if self.stage.source.refuse(message, hint):
            self.stage.show(Text(strip_controls(message)))

    def confirm_move(self, move: Move, answer: str) -> bool:
        """Whether people mean a move; they are asked about one that ends the game, since it cannot be taken back."""
        if not self.session.would_end_game(move):
            return True
        return self.stage.confirm("That ends the game. Is it right? Type y, or it again:", answer)

    def take_back(self, plan: Callable[[], Undo] | None = None) -> bool:
        """Take back what `plan` says, or the last thing typed, whosever it was (G-8); where that cannot be, say why.

        Before a secret of another person is taken back, the screen says whose it is: that person would have to type it
        again, and whoever wants to mend their own last answer may not know that another one came after it.
        """
        try:
            undo = plan() if plan else self.session.plan_correction() or self.session.plan_undo(None)
        except UndoRefused as refusal:
            self.refuse(refusal.message, refusal.hint)
            return False
        owners = secret_owners(self.session, self.session.steps[undo.to :], self.seats)
        if owners and not self.stage.confirm(_secret_undo_question([self.speaker.seat(seat) for seat in owners]), "y"):
            self.stage.show(Text("Nothing was taken back."))
            return False
        self.session.go_back(undo)
        return True

    def tale(self, move: Move) -> str | None:
        """The player's tale of a move (TF-29), "" for none; None to take it back. Raises EOFError where people leave.

        It is asked for before the move is played.
        """
        played = self.session.game.label(move).render(self.speaker.seat, lambda card: self.session.deck[card].name)
        answer = self.line(f"What happens? {played}. Tell it, or press Enter", (), _NO_TALE_ANSWERS, is_tale=True)
        return "" if answer in _NO_TALE_ANSWERS else answer

    def obey(self, command: commands.TypedCommand, question: str = "") -> None:
        """Do what any question lets people ask for."""
        match command.verb:
            case "leave":
                raise PlayerQuit
            case "why" if cards := find_cards(command.rest, self.session.deck, self.session.deck.by_id):
                naming = CardNaming(self.session, self.speaker, self.seats)
                self.stage.show(
                    *(Text(strip_controls(naming.explain_card(card, self.turn))) for card in cards[:MAX_LISTED_CARDS])
                )
            case "rule" | "why":
                self.explain(command.rest)
            case "who":
                self.stage.show(renderables.standings(self._scene(), self.speaker))
            case "ask":
                self.ask(command.rest)
            case "more":
                self.show_more()
            case "log":
                self.log(everything=command.rest.casefold() == "all")
            case "help":
                self.stage.show(renderables.help_lines(self.speaker, self.help))
            case "hide":
                self.hide()
            case "table":
                self.show_table()
            case _:
                self.refuse("Say what lies on the table, or type help.", question)

    def _scene(self) -> Scene:
        return self.scene or scene_of_screen(self.session)

    def show_table(self) -> None:
        """Show the whole table, as it is drawn or a card a line."""
        if self.speaker.look.plain:
            self.stage.show(renderables.table(self._scene(), self.speaker))
        else:
            self.stage.show(*Board(self._scene(), (), self.speaker, self.stage.console).table())

    def explain(self, query: str = "") -> None:
        """Show the rule of this turn with the meanings of the signs, or what is wanted by name."""
        deck, turn = self.session.deck, self.turn
        results = (
            rule_reference.text_passages(query, deck, self.reference)
            if query
            else rule_reference.turn_passages(turn, deck, self.reference)
        )
        passages = list(results)
        if not passages:
            nothing = f"No note explains this. Rulings: {', '.join(turn.rulings)}."
            self.stage.show(Text(f"Nothing is known of '{query}'." if query else nothing))
        for index, passage in enumerate(passages[: renderables.MAX_RECENT_COUNT]):
            if index:
                self.stage.show_gap()
            self.stage.show(renderables.passage(passage, self.speaker.look))
        if not query:
            self.stage.show(*renderables.legend(self._scene(), self.speaker, self.stage.width))

    def ask(self, words: str) -> None:
        """Show what notes, cards and rulings say about some words."""
        width = 0 if self.stage.look.plain else self.stage.width
        try:
            passages = self.reference.ask(words)
            answer_lines = lines(passages, width) + (["more: the whole passages"] if is_cut(passages, width) else [])
        except VaultkitError as error:
            answer_lines = [error.message_with_hint]
        self.stage.show(*(Text(strip_controls(line)) for line in answer_lines))

    def show_more(self) -> None:
        """Show the whole passages of the last answer."""
        passages = self.reference.last_answer
        answer_lines = lines(passages, 0 if self.stage.look.plain else self.stage.width, whole=True)
        self.stage.show(*(Text(strip_controls(line)) for line in answer_lines or ["Ask something first: ask raven"]))

    def log(self, *, everything: bool) -> None:
        """Show what has happened, or the end of it, as far as it may be looked up."""
        self.stage.show(
            *renderables.log(recallable_events(self.session, self.seats), self.speaker, everything=everything)
        )
        if everything and (rule := knowledge.session_short_memory(self.session)):
            self.stage.show(Text(rule.notice))

    def hide(self) -> None:
        """Hide the screen until Enter is pressed; one that was private is empty then."""
        if self.private:
            self.stage.clear()
            self.stage.wait(_HIDDEN_MESSAGE)
            self.stage.clear()
            return
        with self.stage.hidden():
            self.stage.wait(_HIDDEN_MESSAGE)


def _secret_undo_question(names: list[str]) -> str:
    asks = f"{names[0]} asks" if len(names) == 1 else "they ask"
    return f"That takes back what {' and '.join(names)} typed in secret. Type y if {asks} for it:"
