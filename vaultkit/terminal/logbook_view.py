"""A game with real cards, light: the table types what decides, and sees how it stands."""

from rich.text import Text

from vaultkit.campaign.entry_parser import list_completions
from vaultkit.campaign.logbook import Logbook
from vaultkit.errors import WriteError
from vaultkit.games.messages import Outcome
from vaultkit.host.logbook_host import LogbookHost
from vaultkit.host.orders import Action, Command, Name, Order, OrderRefused
from vaultkit.scene.knowledge import StepEvent
from vaultkit.session.options import house_rules
from vaultkit.stdio import hold_terminal
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.answer_pages import show_answer
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.board import Board
from vaultkit.terminal.console import GameConsole, announce_save_on_exit
from vaultkit.terminal.game_view import ME
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.text import parse_yes_no

_MAX_NEWS_ENTRIES = 3
"""So many entries are told again above the board."""
_NO_CONCESSION = (
    "Players cannot concede in light entry. Play on without the player who gives up, or type q and discard the game: "
    "vaultkit sessions --discard {id}. With --referee a player can concede."
)
_UNDO_ANSWERS = frozenset({"u", "undo"})
HELP = (
    ("?", "the rule of this moment; ? {card} for a card's text"),
    *commands.ASK_HELP,
    ("u", "take back the last entry"),
    ("l", "what has happened lately; l all for everything"),
    ("s, Enter", "the table again"),
    ("who", "how everybody stands"),
    ("q", "leave; the game is saved"),
)


class LogbookView:
    """One game on a stage, entry by entry."""

    def __init__(self, logbook: Logbook, host: LogbookHost, stage: GameConsole) -> None:
        self.logbook, self.host, self.stage = logbook, host, stage
        self.names, self.deck = logbook.paper.names, logbook.notes.deck_note.deck
        self.speaker = TerminalText(lambda seat: self.names[seat], self.deck, stage.look)

    @hold_terminal()
    def run(self) -> bool:
        """Write on until all is right; False when the people leave before. A game that is over is shown."""
        self._show_opening()
        if outcome := self.logbook.outcome:
            self.stage.heading("The end")
            self._show_ending(outcome)
            return True
        with announce_save_on_exit(self._say_saved, "The game stays as it is."):
            while not self._step():
                pass
            return True
        return False

    def _step(self) -> bool:
        """Ask for one entry, or whether everything is right, and return whether it is."""
        if self.logbook.ledger.over:
            return self._confirm_result()
        self._show_table()
        before = len(self.logbook.paper.entries)
        while len(self.logbook.paper.entries) == before:
            self._obey(strip_controls(self._answer()))
        return False

    def _answer(self) -> str:
        ledger, look = self.logbook.ledger, self.stage.look
        question = Text("Entry: " if look.plain else f"{look.sign('›', '>')} ")
        completions = list_completions(self.names, ledger)
        return self.stage.answer(question, self.speaker.words(ledger.question.text), completions)

    def _obey(self, answer: str) -> None:
        command = commands.parse_beside_names(answer)
        match command.verb if command else "":
            case "leave":
                raise PlayerQuit
            case "undo":
                self._take_back()
            case "rule" | "why":
                self._explain(command.rest if command else "")
            case "ask":
                show_answer(command.rest if command else "", self.host.reference, self.stage)
            case "more":
                self.stage.show_next_page()
            case "log":
                everything = bool(command and command.rest == "all")
                self.stage.show(*renderables.log(self.logbook.news, self.speaker, everything=everything))
            case "who":
                self.stage.show(renderables.standings(self.logbook.scene, self.speaker))
            case "list" | "table":
                self._show_table()
            case "concede":
                self._refuse(_NO_CONCESSION.format(id=self.logbook.session))
            case "help":
                self.stage.show(renderables.help_lines(self.speaker, (*self.logbook.forms, *HELP)))
            case _:
                self._order(Name(answer, is_whole=True))

    def _order(self, action: Action) -> bool:
        """Give the host an order; False if it is refused, or cannot be saved and a person may try again."""
        try:
            self.host.handle(ME, Order(self.host.view(ME).question, action))
        except OrderRefused as refusal:
            self._refuse(str(refusal))
        except WriteError as error:
            if not self.stage.source.has_person:
                raise
            self._refuse(f"Not saved, so nothing was entered: {error.message_with_hint}")
        else:
            return True
        return False

    def _refuse(self, message: str) -> None:
        if self.stage.source.refuse(message, self.speaker.words(self.logbook.ledger.question.text)):
            self.stage.show(Text(strip_controls(message), self.stage.look.style("warning")))

    def _take_back(self) -> None:
        entry = [*renderables.story(self._latest_news, self.speaker)]
        if self._order(Command.BACK):
            self.stage.show(Text("Taken back:"), *entry)

    def _confirm_result(self) -> bool:
        """Show what it comes to, with all that cannot be true; whether the people say that it is right so."""
        ending, outcome = self.host.view(ME).ending, self.logbook.ledger.result()
        doubts = ending.remarks if ending else ()
        self.stage.heading("What it comes to")
        self._show_ending(outcome)
        for doubt in doubts:
            self.stage.show(Text(strip_controls(doubt), self.stage.look.style("warning")))
        question = "Record it anyway, with a remark? (y = yes, u takes the last entry back) "
        if not doubts:
            question = "Is this right? (Enter = yes, u takes the last entry back) "
        while True:
            answer = strip_controls(self.stage.answer(Text(question), question)).casefold()
            if answer in _UNDO_ANSWERS:
                self._take_back()
                return False
            if commands.is_leaving(answer):
                raise PlayerQuit
            if parse_yes_no(answer) or not (answer or doubts):
                return True

    def _show_ending(self, outcome: Outcome) -> None:
        tables = self.logbook.ledger.game.score_tables(outcome)
        self.stage.show(*renderables.ending(outcome, tables, self.speaker))

    def _show_table(self) -> None:
        """Show the latest entries, the table and the question on one screen; or line by line, to be read aloud."""
        scene = self.logbook.scene
        if self.stage.look.plain:
            self.stage.show(*renderables.story(self._latest_news, self.speaker))
            if scene.zones:
                self.stage.show(renderables.table(scene, self.speaker))
            self.stage.show(renderables.standings(scene, self.speaker))
            if scene.question:
                self.stage.show(renderables.question(scene.question, self.speaker))
            self.stage.show(renderables.help_lines(self.speaker, self.logbook.forms))
            return
        forms = renderables.help_lines(self.speaker, self.logbook.forms)
        room = self.stage.height - 2 - self.stage.count_lines(forms)
        board = Board(scene, None, self.speaker, self.stage.width).lines(room - _MAX_NEWS_ENTRIES)
        news = [*renderables.story(self.logbook.news, self.speaker)][-_MAX_NEWS_ENTRIES:]
        while news and sum(map(self.stage.count_lines, news)) + len(board) > room:
            news = news[1:]
        self.stage.show(*news, *board, forms)

    @property
    def _latest_news(self) -> list[StepEvent]:
        """The last entry."""
        return [item for item in self.logbook.news if item[0].n == len(self.logbook.paper.entries)]

    def _explain(self, query: str) -> None:
        """Show the rule of the current question, or the rule or card with a name."""
        passages = self.host.passages(query)
        if not passages:
            self.stage.show(Text(strip_controls(self.host.explain_missing(query))))
        for passage in passages:
            self.stage.show(renderables.passage(passage, self.speaker.look))

    def _show_opening(self) -> None:
        logbook, faint = self.logbook, self.stage.look.style("faint")
        self.stage.heading(logbook.paper.sheet.title)
        self.stage.show(Text(strip_controls(f"{', '.join(self.names)}. Session {logbook.session}, real cards, light.")))
        rules = house_rules(logbook.ledger.game, logbook.paper.tally.options, [])
        if rules:
            self.stage.show(Text("House rules:"), *renderables.bullet_lines(rules, self.speaker))
        if not logbook.is_over:
            self.stage.show(Text("Type help for all that you can type, q to leave; each entry is saved.", faint))

    def _say_saved(self) -> None:
        self.stage.show(Text(f"\nThe game is saved. Continue with: vaultkit resume {self.logbook.session}"))
