"""Commands that may be typed instead of a card while real cards lie on the table."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from vaultkit.errors import UsageError
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.host.advice import Advice, explain_missing, rule_passages
from vaultkit.host.orders import Action, Concede, OrderRefused, Reply, UndoMove
from vaultkit.scene import knowledge
from vaultkit.scene.card_input import CardNaming
from vaultkit.scene.knowledge import recallable_events
from vaultkit.scene.move_input import LetterBook
from vaultkit.scene.rule_reference import card_passage
from vaultkit.scene.scene import Scene, scene_of_screen
from vaultkit.session import Session
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards
from vaultkit.session.history import UndoRefused
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.answer_pages import show_answer
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.board import Board, Snapshot
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.text import name_key

HELP = (
    ("{card}", "a card by its name, or as much of it as is clear; Tab completes it"),
    ("{number}, {code}", "by its number and suit, or by a short code"),
    ("{card}, {code}", "several cards, with commas between them or one after the other"),
    ("?", "the rule of this moment; ? {card} for a card's text"),
    ("why {card}", "why that card can or cannot be named now"),
    ("u", "take back what was typed last, such as a wrong card"),
    commands.CONCEDE_HELP,
    *commands.COMMON_HELP,
)
TALE_HELP = (
    ("any words", "describe what happens with this move; the game saves it"),
    ("Enter", "play the move without a description; so does a hyphen"),
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


@dataclass
class SeatMemory:
    """The state kept between the decisions of a seat: letters, what was on the table, and moves chosen at once.

    `rules_in_few_words` are those of questions whose moves once needed few words, which then stay in the same places.
    """

    letters: LetterBook = field(default_factory=LetterBook)
    snapshot: Snapshot | None = None
    next_moves: list[Move] = field(default_factory=list)
    rules_in_few_words: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class TurnDialog:
    """Asks the table about one turn. `seats` are the people whose knowledge may be shown now.

    `order` gives the host an action, and says whether it is confirmed. `private` says that nobody else may look: the
    screen is hidden already. `help` is what may be typed. `scene` is what is seen, that of the whole screen if it is
    None. `memory` is what stays from one decision of the seat to the next.
    """

    session: Session
    turn: Chance | Prompt
    stage: GameConsole
    speaker: TerminalText
    advice: Advice
    seats: Collection[Seat]
    order: Callable[[Action, bool], Reply | None]
    private: bool = False
    help: Sequence[tuple[str, str]] = HELP
    scene: Scene | None = None
    memory: SeatMemory = field(default_factory=SeatMemory)

    def line(
        self, question: str, words: Sequence[str], answers: Collection[str] = (), *, is_tale: bool = False
    ) -> str | None:
        """Return the typed answer; None if people want to take something back, "" if a player has conceded.

        `words` complete what is typed; `answers`, in lower case, are never taken for commands; `ask` may begin
        a tale. Raises EOFError where people leave.
        """
        while True:
            about = self.speaker.words(self.turn.text)
            typed_text = strip_controls(self.stage.answer(Text(f"{question}: "), about, words))
            answer = self.speaker.look.spell_suits(typed_text)
            command = None if answer.casefold() in answers else commands.parse_beside_names(answer)
            if command is None or (is_tale and command.verb in {"ask", "concede"}):
                return typed_text if is_tale else answer
            if command.verb == "undo":
                return None
            if command.verb == "concede":
                if self.concede(command.rest):
                    return ""
                continue
            self.obey(command, question)

    def refuse(self, message: str, hint: str) -> None:
        """Say why an answer is no good; a script ends with it."""
        if self.stage.source.refuse(message, hint):
            self.stage.show(Text(strip_controls(message)))

    def give(self, action: Action, question: str, again: str, declined: str) -> Reply | None:
        """Give an order, and return the reply; None if people decline to confirm it, or it could not be saved.

        `question` asks them to type y or `again`, and `declined` says that nothing has happened.
        """
        reply = self.order(action, False)
        if reply and reply.confirm:
            texts = [self.speaker.words(sentence).rstrip(".") for sentence in reply.confirm]
            owners = [self.speaker.seat(seat) for seat in reply.confirm[0].seats]
            asks = f"{owners[0]} asks" if len(owners) == 1 else "they ask"
            if not self.stage.confirm(f"{'. '.join(texts)}. {question.format(asks=asks)}", again):
                self.stage.show(*filter(None, [Text(declined)]))
                return None
            reply = self.order(action, True)
        return reply

    def take_back(self, seat: Seat | None = None, name: str = "") -> bool:
        """Undo the last decision of `seat` or of the player `name`; without both, the last thing typed (G-8).

        Before a secret of another person is undone, the screen says whose it is: that person would have to type it
        again, and whoever wants to correct their own last answer may not know that another one came after it.
        """
        try:
            action = UndoMove(self._find_seat(name) if name else seat, is_named=bool(name))
            return self.give(action, "Type y if {asks} for it:", "y", "Nothing was undone.") is not None
        except UndoRefused as refusal:
            self.refuse(refusal.message, refusal.hint)
            return False

    def concede(self, name: str = "") -> Reply | None:
        """Let the player who is asked, or who has the name, give up (G-14); None if that is refused or declined."""
        try:
            seat = self._find_seat(name) if name else None
            return self.give(Concede(seat), "Sure? Type y to concede:", "concede", "Nobody has conceded.")
        except UsageError as refusal:
            self.refuse(refusal.message, refusal.hint)
        except (OrderRefused, UndoRefused) as refusal:
            self.refuse(str(refusal), refusal.hint)
        return None

    def _find_seat(self, name: str) -> Seat:
        for seat in self.session.people:
            if name_key(self.speaker.seat(seat)).startswith(name_key(name)):
                return seat
        for other in self.session.header.names:
            if name_key(other).startswith(name_key(name)):
                raise UndoRefused(f"{other} is a bot, for which nobody decides.")
        names = ", ".join(map(self.session.name, self.session.people))
        raise UndoRefused(f"Nobody here is called '{name}'.", hint=f"The people here are: {names}.")

    def tale(self, label: str) -> str | None:
        """Return the player's story about a move (TF-29), "" for none; None to take the move back.

        It is asked for before the move is played. Raises EOFError if people leave.
        """
        answer = self.line(f"What happens? {label}. Describe it, or press Enter", (), _NO_TALE_ANSWERS, is_tale=True)
        return "" if answer in _NO_TALE_ANSWERS else answer

    def obey(self, command: commands.TypedCommand, question: str = "") -> None:
        """Do what any question lets people ask for."""
        match command.verb:
            case "leave":
                raise PlayerQuit
            case "hide":
                self.hide()
            case "ask":
                self.ask(command.rest)
            case "more":
                self.stage.show_next_page()
            case "undo" | "list" | "hint":
                self.refuse("Say what lies on the table, or type help.", question)
            case _:
                with self.stage.pages():
                    self._show(command)

    def _show(self, command: commands.TypedCommand) -> None:
        """Show what a command asks for."""
        match command.verb:
            case "why" if cards := find_cards(command.rest, self.session.deck, self.session.deck.by_id):
                naming = CardNaming(self.session, self.seats)
                texts = (naming.explain_card(card, self.turn) for card in cards[:MAX_LISTED_CARDS])
                self.stage.show(*(Text(strip_controls(text)) for text in texts))
            case "rule" | "why":
                self.explain(command.rest)
            case "who":
                self.stage.show(renderables.standings(self._scene(), self.speaker))
            case "log":
                self.log(everything=command.rest.casefold() == "all")
            case "help":
                self.stage.show(renderables.help_lines(self.speaker, self.help))
            case "table":
                self.show_table()

    def _scene(self) -> Scene:
        return self.scene or scene_of_screen(self.session)

    def show_table(self) -> None:
        """Show the whole table, as it is drawn or a card a line."""
        if self.speaker.look.plain:
            self.stage.show(renderables.table(self._scene(), self.speaker))
        else:
            self.stage.show(*Board(self._scene(), None, self.speaker, self.stage.width).table())

    def explain(self, query: str = "") -> None:
        """Show the rule of this turn with the meanings of the signs, or the rule or card with a name."""
        scene = self._scene()
        passages = rule_passages(query, self.turn, self.session.deck, self.advice.reference)
        if query and len(passages) > MAX_LISTED_CARDS:
            cards = [card for card in find_cards(query, self.session.deck, scene.cards) if card.id in scene.cards]
            passages = [card_passage(card, self.advice.reference) for card in cards] or passages
        if query and len(passages) > MAX_LISTED_CARDS:
            self.show_meanings("?", query, [passage.title for passage in passages])
            return
        if not passages:
            self.stage.show(Text(strip_controls(explain_missing(query, self.turn.rulings))))
        for index, passage in enumerate(passages):
            if index:
                self.stage.show_gap()
            self.stage.show(renderables.passage(passage, self.speaker.look))
        if not query:
            if scene.question and scene.question.rule:
                self.stage.show(Text.assemble("Rule: ", renderables.citation(scene.question, self.speaker)))
            self.stage.show(*renderables.legend(scene, self.speaker, self.stage.width))

    def show_meanings(self, command: str, query: str, titles: Sequence[str]) -> None:
        """Show what an ambiguous text could mean, with the command for one of the meanings."""
        text = f"'{query}' could be: {'; '.join(titles)}. Name one: {command} {titles[0]}"
        self.stage.show(Text(strip_controls(text)))

    def ask(self, words: str) -> None:
        """Show what the game, other notes and rulings say about some words."""
        show_answer(words, self.advice.reference, self.stage)

    def log(self, *, everything: bool) -> None:
        """Show what has happened, or the end of it, as far as it may be looked up."""
        events = recallable_events(self.session, self.seats)
        self.stage.show(*renderables.log(events, self.speaker, everything=everything))
        if everything and (rule := knowledge.session_short_memory(self.session)):
            self.stage.show(Text(rule.notice))

    def hide(self) -> None:
        """Hide the screen until Enter is pressed; one that was private is empty then."""
        if self.private:
            self.stage.clear()
            self.stage.wait(_HIDDEN_MESSAGE)
            self.stage.clear()
            return
        with self.stage.temporary_screen():
            self.stage.wait(_HIDDEN_MESSAGE)
