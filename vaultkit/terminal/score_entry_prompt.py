"""Scores entered at the screen, row by row with all players in a row, until they are found right."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from rich.cells import cell_len, set_cell_size

from vaultkit.campaign.players import bare_name, find_seats
from vaultkit.campaign.scoresheets.entry_row import EntryRow, choices_in_order
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_log import PaperLog
from vaultkit.campaign.scoresheets.score_entry import DATE, NAMES, ScoreEntry
from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.computed_scores import ScoreError
from vaultkit.games.ledger import LedgerLine
from vaultkit.games.question import Question
from vaultkit.search.passages import Passage
from vaultkit.session.rulings import known_ruling
from vaultkit.terminal import renderables
from vaultkit.terminal.confirmations import ask_yes_no, confirm_player
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.line_prompt import GoBack, LinePrompt
from vaultkit.terminal.note_text import plain_lines
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.text import parse_yes_no

MAX_DEFAULT_CHARS = 24
"""The most characters of a usual answer in brackets."""
MAX_TITLE_WIDTH = 30
"""The most columns of the screen for a row's title in the table."""
ROUNDS_PER_HEAD = 10
"""The number of rounds after which the names of the players are shown again."""
HELP = "Enter takes the value in brackets. b goes back a row, t shows the table, ? explains, q saves and leaves."
ROUNDS_HELP = "Type end after the last {round}. To correct {round} 3, type 3: and its answers, as in 3: {row}"
_NAMES_HELP = "Players by their names or the aliases of their notes; others are guests."
_CHANGES_HELP = (
    "q leaves and keeps what you typed, b goes back, a row with a colon corrects it ({row}), 0 who played, a date such "
    "as 2026-11-03 the day."
)

Keep = Callable[[LedgerLine | None], object]
"""A function that saves an entry, or with None that the last one was taken back."""


class ScorePrompt:
    """Asks for a game's scores row by row; each accepted row is saved at once."""

    def __init__(
        self, stage: GameConsole, log: PaperLog, entry: ScoreEntry, cards: Deck, keep: Keep = lambda _: None
    ) -> None:
        """`entry` has the game, its day and options, and who played if that is known already."""
        self.stage, self.log, self.entry, self.keep = stage, log, entry, keep
        self.sheet = entry.paper.sheet
        self.offered = tuple(map(bare_name, log.workspace.settings.players))
        self.lines = LinePrompt(stage)
        self._speaker = TerminalText(lambda seat: self.entry.paper.names[seat], cards, stage.look)
        self._explained, self._repeated_line = set[str](), ""

    @property
    def names(self) -> tuple[str, ...]:
        return self.entry.paper.names

    def ask(self) -> PaperGame:
        """Ask for the scores and return the game; it is `forced` if somebody insisted on doubtful scores.

        Raises PlayerQuit where a person leaves, EOFError at the end of input.
        """
        self.stage.heading(f"{self.sheet.title}, {self.entry.paper.date.isoformat()}")
        self.lines.say(HELP, "faint")
        if self.names:
            self._show_head()
        while True:
            try:
                if not self.names:
                    self._ask_names()
                while row := self.entry.current:
                    self._ask_row(row)
                if paper := self._review():
                    return paper
            except GoBack:
                self._take_back()

    def _take_back(self) -> None:
        self._explained.clear()
        if not self.entry.take_back():
            self.lines.warn("This is the first question.")
            return
        self.keep(None)

    def _ask_names(self) -> None:
        """Ask who played. Answers given for a name that is corrected count for the new name."""
        default_names = self.names or self.offered
        if default_names:
            self.lines.say(f"At the table: {', '.join(default_names)}")
        if len(default_names) > self.sheet.seats[1]:
            default_names = ()
        question = f"Who played? Names with commas between{', Enter = all these' if default_names else ''}: "
        lines = LinePrompt(self.stage, UsageError("This is the first question."))
        parse, explain = partial(self._parse_names, default_names), partial(lines.say, _NAMES_HELP)
        names = lines.ask_until_valid(question, parse, explain, self.offered)
        self.keep(self.entry.add((NAMES, *names)))
        self._show_head()

    def _parse_names(self, default_names: Sequence[str], line: str) -> tuple[str, ...]:
        """Return the names in a line, with typing errors corrected.

        Raises a VaultkitError for what is no name, and for names that cannot sit at one table.
        """
        names = [name for name in map(str.strip, re.split("[,;、，]", line)) if name] if line else default_names
        if wrong := next((name for name in names if line and not any(map(str.isalpha, name))), ""):
            raise UsageError(f"'{wrong}' is not a name, and this asks who played. The scores are asked for next.")
        if not names:
            raise UsageError("Nobody is named.", hint=_NAMES_HELP)
        again = LinePrompt(self.stage, UsageError("Who played is asked once more."))
        seats = self.log.people.seat(names, self.sheet.title, partial(confirm_player, ask=again.ask), self.lines.warn)
        doubt = next(self.sheet.seat_doubts(len(seats), self.entry.options), None)
        sentence = doubt.sentence.render(str, str) if doubt else ""
        question = f"{sentence} Is that right (y), or are the names to be corrected (Enter)? "
        if doubt and not ask_yes_no(question, again.ask, {"": False}):
            raise UsageError("Who played is asked once more.")
        return seats

    def _show_head(self) -> None:
        """Show in which order the answers of a row are typed, and how the rounds end."""
        row = next((row for row in self.entry.rows() if row.names), None)
        if row and len(self.names) > 1:
            labels, names = [item.label.rpartition(", ")[2] for item in row.questions], "  ".join(self.names)
            order = f", as {'/'.join(labels)}" if len(labels) > 1 else ""
            self.lines.say(f"Type an answer for each{order}: {names}. For one alone: {row.named_example}")
        rounds = self.sheet.definition.rounds
        if row and rounds and not self.entry.round_count:
            self.lines.say(ROUNDS_HELP.format(round=rounds.name, row=row.example), "faint")

    def _ask_row(self, row: EntryRow) -> None:
        """Ask for a row, until a line is accepted or another command is obeyed. Raises GoBack."""
        self._repeated_line = ""
        if row.round_number % ROUNDS_PER_HEAD == 1 and row.round_number > 1 and len(self.names) > 1:
            self.lines.say(f"In this order: {'  '.join(self.names)}", "faint")
        self._show_explanations(row)
        words = (*row.names, *(choice for question in row.questions for choice in question.choices))
        try:
            self.lines.ask_until_valid(self._prompt(row), partial(self._take, row), partial(self._explain, row), words)
        except GoBack:
            if hinted_choice := next((choice for choice in row.questions[0].choices if choice[:1] in "bB"), ""):
                self.lines.warn(f"b goes back. If you meant {hinted_choice}, type {hinted_choice[:2]}.")
            raise

    def _prompt(self, row: EntryRow) -> str:
        """Return the question before the cursor, with the usual answer in brackets."""
        title = f"{row.names[0]}, {row.title}" if len(row.names) == 1 else row.title
        if choices := choices_in_order(row.questions[0]):
            numbered = ", ".join(f"{number} {choice}" for number, choice in enumerate(choices, 1))
            title += f" (1 to {len(choices)})" if len(choices) > 2 or choices[0].isdecimal() else f" ({numbered})"
        if usual := self.entry.line(row) or self._default_words(row):
            title += f" [{usual if len(usual) <= MAX_DEFAULT_CHARS else usual[: MAX_DEFAULT_CHARS - 3] + '...'}]"
        return f"{title} " if title.endswith("?") else f"{title}: "

    def _default_words(self, row: EntryRow) -> str:
        """Return the default answers as they would be typed: `0 0 0` for three players; "" if a question has none."""
        if row.questions[0].words or any(question.default is None for question in row.questions):
            return ""
        return " ".join(["/".join(str(question.default) for question in row.questions)] * len(row.owners))

    def _take(self, row: EntryRow, line: str) -> bool:
        """Accept a line, a correction of another row, or a command. Raises UsageError for anything else."""
        word = line.casefold()
        choices = (choice.casefold() for question in row.questions for choice in question.choices)
        is_answer = bool(word) and (row.questions[0].words or any(choice.startswith(word) for choice in choices))
        if word in {"e", "end"} and row.round_number and not is_answer:
            self.keep(self.entry.end())
        elif word in {"t", "table"} and not is_answer:
            self._show_table()
        elif not self._correct(line):
            self._write(row, line)
        return True

    def _correct(self, line: str) -> bool:
        """Correct the row before a colon, as in `3: 18 0 0`; return False if the line is something else."""
        word, colon, rest = line.partition(":")
        if not colon or find_seats(self.names, word) or not (row := self.entry.find_row(word.strip())):
            return False
        self._write(row, rest.strip())
        return True

    def _write(self, row: EntryRow, line: str) -> None:
        words = self.entry.parse(row, line)
        if line != self._repeated_line and (doubtful := row.doubt(row.cells(line or self.entry.line(row)))):
            self._repeated_line = line
            raise UsageError(doubtful, hint="If it is right, type it again.")
        self.keep(self.entry.add(words))
        if row.names and (totals := self.entry.totals()):
            self.lines.say("   ".join(f"{name} {score:g}" for name, score in totals.items()), "faint")
        if self.entry.is_target_reached():
            self.lines.say("The target is reached, so the rounds end here. b goes back.", "faint")
            self.keep(self.entry.end())

    def _show_table(self) -> None:
        """Show all rows so far, with the players' answers below their names."""
        rows = [(row.title, self.entry.texts_of(row)) for row in self.entry.rows_so_far()]
        grid = [("", list(self.names)), *rows]
        widths = [max(cell_len(cells[at]) for _, cells in grid if len(cells) > at) for at in range(len(self.names))]
        title_width = min(max(cell_len(title) for title, _ in grid), MAX_TITLE_WIDTH)
        for title, cells in grid:
            aligned = (" " * (width - cell_len(cell)) + cell for cell, width in zip(cells, widths, strict=False))
            self.lines.say(f"{set_cell_size(title, title_width)}  {'  '.join(aligned)}".rstrip())

    def _show_explanations(self, row: EntryRow) -> None:
        """Show how to count and what may be chosen, unless that was shown before."""
        how = " ".join(dict.fromkeys(question.how for question in row.questions if question.how))
        for explanation in filter(None, (how, *map(_list_choices, row.questions))):
            if explanation not in self._explained:
                self._explained.add(explanation)
                self.lines.say(explanation, "faint")

    def _explain(self, row: EntryRow) -> None:
        """Show how to count, what may be chosen, the rulings on it, and what may be typed."""
        self._explained.clear()
        self._show_explanations(row)
        numbers = dict.fromkeys(number for question in row.questions for number in question.rulings)
        for ruling in filter(None, map(known_ruling, numbers)):
            passage = Passage(f"{ruling.id}: {ruling.title}", plain_lines(ruling.decision))
            self.stage.show_gap()
            self.stage.show(renderables.passage(passage, self._speaker.look))
        self.stage.show_gap()
        parts = f"Type the {len(row.questions)} answers of a player with / between them." * (len(row.questions) > 1)
        self.lines.say(f"{parts or f'Accepted: {row.questions[0].accepted}.'} {HELP}")
        self._show_head()

    def _review(self) -> PaperGame | None:
        """Show the result with all that cannot be true, and ask whether it is right; None after a correction.

        The game is `forced` if somebody insisted on what is doubted. Raises GoBack.
        """
        paper = self.entry.result()
        empty_names, question = self._without_score(), "What is to be corrected? "
        doubts: tuple[str, ...] = ()
        try:
            doubts, outcome = paper.doubts, paper.outcome
        except ScoreError as error:
            self.lines.warn(error.message)
            self.lines.say(f"The formula: {error.where}" * bool(error.where), "faint")
            take = partial(self._decide, None, False)
        else:
            self.stage.heading("What it comes to")
            self.stage.show(*renderables.ending(outcome, self.sheet.tables(paper.tally, outcome), self._speaker))
            question = "Is this right? (y = yes) " if empty_names else "Is this right? (Enter = yes) "
            question = "Record it anyway, with a remark? (y = yes) " if doubts else question
            take = partial(self._decide, replace(paper, forced=bool(doubts)), not (doubts or empty_names))
        for doubt in doubts:
            self.lines.warn(f"This cannot be true: {doubt}")
        for name in empty_names:
            self.lines.warn(f"{name} has no score: nothing was typed, and each row counts as it was offered.")
        self.lines.say(f"Players: {', '.join(self.names)}. Played on {paper.date.isoformat()}.")
        self.lines.say(self._changes_help, "faint")
        return self.lines.ask_until_valid(question, take, partial(self.lines.warn, self._changes_help), self.names)

    @property
    def _changes_help(self) -> str:
        rows = [row for row in self.entry.rows_so_far() if row.names and not row.questions[0].choices]
        if not rows:
            return _CHANGES_HELP.format(row="its title, a colon and its answers")
        word = rows[-1].round_number or rows[-1].title.split()[0].rstrip(":,?").casefold()
        return _CHANGES_HELP.format(row=f"{word}: {rows[-1].example}")

    def _without_score(self) -> list[str]:
        """Return the players without a typed score if the lowest score wins, else none."""
        names = self.names if self.sheet.definition.win == "lowest" else ()
        return [
            name for name in names if not any(text for (player, _), text in self.entry.texts.items() if player == name)
        ]

    def _decide(self, paper: PaperGame | None, accepts_enter: bool, answer: str) -> PaperGame | None:
        """Return the game to record, or None to ask again.

        Raises UsageError for yes without a game to record, and a VaultkitError for an unknown answer.
        """
        is_yes = parse_yes_no(answer)
        if paper and (is_yes or (accepts_enter and not answer)):
            return paper
        if not answer or is_yes is not None:
            raise UsageError("Nothing is recorded yet.", hint=self._changes_help)
        if answer == "0":
            self._ask_names()
        elif self._correct(answer):
            pass
        elif re.search(r"\d\D+\d", answer) and ":" not in answer:
            self.keep(self.entry.add((DATE, self.log.read_day(answer).isoformat())))
        else:
            raise UsageError(f"'{answer}' corrects nothing.", hint=self._changes_help)
        return None


def _list_choices(question: Question) -> str:
    """Return the choices with their numbers, a line for each, if they are too many for the prompt; else ""."""
    choices = choices_in_order(question)
    if len(choices) < 3 or any(choice.isdecimal() for choice in choices):
        return ""
    return "\n".join(
        f"{number:4}  {_choice_text(choice, question.choices[choice])}" for number, choice in enumerate(choices, 1)
    )


def _choice_text(choice: str, words: str) -> str:
    """Return a choice for people, with its words if they say more than `a full house` does."""
    return choice if choice.casefold() == re.sub("^an? ", "", words.casefold()) else f"{choice}: {words}"
