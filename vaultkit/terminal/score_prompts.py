"""The questions of a score sheet at the screen, line by line; and those by which a GM defines a game of their own."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Any, TypeVar

from rich.text import Text

from vaultkit.campaign.new_game import WAYS_TO_WIN, NewGame
from vaultkit.campaign.players import bare_name, find_seats
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_log import PaperLog, parse_past_day
from vaultkit.campaign.scoresheets.paper_record import group_rows, parse_answer, row_title, split_row
from vaultkit.cards import Deck
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.computed_scores import ScoreError
from vaultkit.games.messages import Score, Seat
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import SeatTally
from vaultkit.search.passages import Passage
from vaultkit.session.rulings import known_ruling
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.confirmations import confirm_player
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.note_text import plain_lines
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.text import format_count, group, join_words

_ANSWER_WIDTH = 8
"""The columns that an answer such as 12/3/4/5 takes."""
_MAX_DEFAULT_WIDTH = 24
"""The columns that the usual answer takes at most, of a row of many rounds."""


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One line that is typed: questions that go together, of the player `name` or, where that is "", of all.

    `rounds` are the rounds of a column that is asked for all of them at once, `deals 1 to 24`; "" for any other line.
    """

    name: str
    questions: tuple[Question, ...]
    rounds: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(question.key for question in self.questions)

    @property
    def title(self) -> str:
        """The question: `Swords: total of numbers / heroes`, or `Points in deals 1 to 24`."""
        column = self.questions[0].label.partition(", ")[2]
        return f"{column} in {self.rounds}" if self.rounds else row_title(self.questions)

    @property
    def usual(self) -> str:
        """The line that Enter alone stands for; what must be answered is empty in it."""
        return "/".join("" if question.default is None else str(question.default) for question in self.questions)

    @property
    def advice(self) -> str:
        """How a row of several questions is typed; "" for one question, which says it itself."""
        return f"Type the {len(self.keys)} answers on one line with / between them." if len(self.keys) > 1 else ""

    def explanations(self) -> Iterator[tuple[str, str]]:
        """How to count, once for all players, and a list with numbers where there are too many choices for a line."""
        if how := " ".join(dict.fromkeys(question.how for question in self.questions if question.how)):
            yield "", how
        if self.rounds:
            yield "", self.advice
        for question in filter(_is_list, self.questions):
            choices = enumerate(question.choices.items(), 1)
            yield self.name, "\n".join(f"{number:4}  {_choice_text(*choice)}" for number, choice in choices)

    def prompt(self, usual: str, width: int) -> str:
        """The question before the cursor with the `usual` answer: `Ysolde, Swords: total of numbers / heroes [23/1]: `.

        Without the name where that would leave too little room of `width` columns.
        """
        question, title = self.questions[0], self.title
        if question.choices:
            title += f" (1 to {len(question.choices)})" if _is_list(question) else f" ({', '.join(question.choices)})"
        if usual.strip("/"):
            title += f" [{_shorten_line(usual) if self.rounds else usual}]"
        text = f"{title} " if title.endswith("?") else f"{title}: "
        named_text = f"{self.name}, {text}" if self.name else text
        return named_text if len(named_text) + _ANSWER_WIDTH <= width else text

    def parts(self, line: str) -> list[str]:
        """The parts of a line, choices by their names. Raises UsageError for too many."""
        return [_choice_by_number(question, part) for question, part in split_row(self.questions, line)]

    def answers(self, line: str) -> list[tuple[Answer, tuple[Score, ...]]]:
        """The answers of a line, each with the summands of a sum.

        Raises UsageError for what is no answer, and where one must be there and is not.
        """
        question_count, number = len(self.questions), line.count("/") + 1
        if self.rounds and line and number < question_count:
            answers = format_count(number, "answer")
            raise UsageError(f"This row has {answers}, and {question_count} are asked for, {self.rounds}.")
        return list(map(parse_answer, self.questions, self.parts(line)))

    def doubt(self, line: str) -> str:
        """Why a number is higher than can be true; "" if none is."""
        for question, (value, _) in zip(self.questions, self.answers(line), strict=True):
            if not isinstance(value, str) and question.most is not None and value > question.most:
                rulings = f" ({', '.join(question.rulings)})" if question.rulings else ""
                return f"{question.label}: {value} is more than {question.most}, the most that can be true{rulings}."
        return ""


def build_answer_lines(name: str, questions: Sequence[Question], rounds: str = "") -> list[AnswerLine]:
    """The lines for these questions, of the player `name` or of all.

    With `rounds`, such as `deals`, each column has one line, of all of them.
    """
    if not rounds:
        return [AnswerLine(name, row) for row in group_rows(questions)]
    columns = group((question.key.rpartition(".")[2], question) for question in questions).values()
    return [
        AnswerLine(name, tuple(column), f"{rounds} 1 to {len(column)}" if len(column) > 1 else "") for column in columns
    ]


def _shorten_line(line: str) -> str:
    """The beginning of a row of many answers, up to one of its slashes."""
    return line if len(line) <= _MAX_DEFAULT_WIDTH else line[: _MAX_DEFAULT_WIDTH - 3].rpartition("/")[0] + "/..."


def _is_list(question: Question) -> bool:
    """Whether the choices are too many for one line, and are listed with numbers, which none of them is."""
    return len(question.choices) > 2 and not any(choice.isdecimal() for choice in question.choices)


def _choice_text(choice: str, words: str) -> str:
    """A choice for people, with its words where they say more than `a full house` does."""
    return choice if choice.casefold() == re.sub("^an? ", "", words.casefold()) else f"{choice}: {words}"


def _choice_by_number(question: Question, answer: str) -> str:
    """The choice of that number in the list, or what was typed."""
    choices = list(question.choices)
    number = int(answer) if answer.isdecimal() and len(answer) < 4 else 0
    return choices[number - 1] if _is_list(question) and 1 <= number <= len(choices) else answer


LineKey = tuple[str, tuple[str, ...]]
"""A line by the name of the player, "" for all, and the keys of its questions."""
_NAMES_HELP = "Players by their names or the aliases of their notes; others are guests."
_CHANGES_HELP = (
    "q leaves and writes nothing, b goes back, a name or number corrects that player, 0 who played, "
    "a date such as 2026-11-03 the day."
)


class GoBack(Exception):
    """The person goes back by one question."""


class ScorePrompt:
    """Asks for a game's scores, so that one can go back and forth.

    The sheet asks its questions anew each time, and only lines that nobody has settled yet are typed.
    """

    def __init__(
        self, stage: GameConsole, log: PaperLog, paper: PaperGame, cards: Deck, given_keys: Collection[str] = ()
    ) -> None:
        """`paper` has game, day and options, and the names of those who played if they are known already.

        `said` are the keys of options that are not asked for.
        """
        self.stage, self.log, self.sheet, self.paper, self.said = stage, log, paper.sheet, paper, given_keys
        self.offered = tuple(map(bare_name, log.workspace.settings.players))
        self.lines = LinePrompt(stage)
        self._speaker = TerminalText(lambda seat: self.paper.names[seat], cards, stage.look)
        self._typed_parts, self._explained = dict[tuple[str, str], str](), set[tuple[str, str]]()
        self._passed_lines, self._settled_lines = list[LineKey](), set[LineKey]()
        self._current_player, self._repeated_line = "", ""

    def ask(self) -> PaperGame:
        """The game as it was typed and found right; `forced` where somebody insisted on what is doubted.

        Raises Leave where a person leaves, EOFError at the end of input.
        """
        self.stage.heading(f"{self.sheet.title}, {self.paper.date.isoformat()}")
        self.lines.say(HELP, "faint")
        if not self.paper.names:
            self._ask_names()
        while True:
            self._passed_lines = []
            try:
                if paper := self._review(self._ask_all()):
                    return paper
            except GoBack:
                self._explained.clear()
                self._settled_lines = set(self._passed_lines[:-1])
                if not self._passed_lines:
                    self._ask_names()

    def _ask_names(self) -> None:
        """Ask for the names. What was typed for one that is corrected is kept under the new one."""
        default_names = self.paper.names or self.offered
        if default_names:
            self.lines.say(f"At the table: {', '.join(default_names)}")
        if len(default_names) > self.sheet.seats[1]:
            default_names = ()
        question = f"Who played? Names with commas between{', Enter = all these' if default_names else ''}: "
        lines = LinePrompt(self.stage, UsageError("This is the first question."))
        parse, explain = partial(self._parse_names, default_names), partial(lines.say, _NAMES_HELP)
        names = lines.settle(question, parse, explain, self.offered)
        missing_names = [name for name in self.paper.names if name not in names]
        new_names = [name for name in names if name not in self.paper.names]
        renamed = dict(zip(missing_names, new_names, strict=True)) if len(missing_names) == len(new_names) else {}
        self._typed_parts = {(renamed.get(name, name), key): text for (name, key), text in self._typed_parts.items()}
        for doubt in self.sheet.seat_doubts(len(names), self.paper.tally.options):
            self.lines.warn(f"{doubt.sentence.render(str, str)} b goes back to who played.")
        self.paper = replace(self.paper, names=names)
        self._settled_lines.clear()

    def _parse_names(self, default_names: Sequence[str], line: str) -> tuple[str, ...]:
        """The names in a line, those corrected that somebody mistyped.

        Raises a VaultkitError for what is no name, and for names that cannot sit at one table.
        """
        names = [name for name in map(str.strip, re.split("[,;]", line)) if name] if line else default_names
        if wrong := next((name for name in names if line and not any(map(str.isalpha, name))), ""):
            raise UsageError(f"'{wrong}' is no name, and this asks who played. The scores are asked for next.")
        again = LinePrompt(self.stage, UsageError("Who played is asked once more."))
        return self.log.people.seat(names, self.sheet.title, partial(confirm_player, ask=again.ask), self.lines.warn)

    def _ask_all(self) -> PaperGame:
        """The game by the lines that are typed; those that are not are asked for."""
        given_options = self.paper.tally.options
        questions = self.sheet.house_rule_questions(given_options)
        rules = [question for question in questions if question.key not in self.said]
        options = {**given_options, **{key: str(value) for key, value in self._answers(None, rules).answers.items()}}
        return replace(self.paper, tally=self.sheet.tally(options, len(self.paper.names), self._answers))

    def _answers(self, seat: Seat | None, questions: Sequence[Question]) -> SeatTally:
        rounds = self.sheet.definition.rounds
        columns = rounds.several if rounds and not self.sheet.game else ""  # our own sheets have lines of their own
        steps = build_answer_lines("" if seat is None else self.paper.names[seat], questions, columns)
        answers = (zip(step.keys, self._ask_answers(step), strict=True) for step in steps)
        return SeatTally.from_answers(pair for pairs in answers for pair in pairs)

    def _ask_answers(self, step: AnswerLine) -> list[tuple[Answer, tuple[Score, ...]]]:
        """The answers of a line that is settled, or else as a person types it. Raises Back."""
        place, typed_line = (step.name, step.keys), self._typed_line(step)
        if place not in self._settled_lines:
            if step.name not in {"", self._current_player}:
                self.stage.heading(step.name)
            self._current_player, self._repeated_line = step.name, ""
            self._show_explanations(step)
            question = step.prompt(typed_line or step.usual, self.stage.width)
            try:
                self.lines.settle(question, partial(self._keep_line, step, typed_line), partial(self._explain, step))
            except GoBack:
                if hinted_choice := next((choice for choice in step.questions[0].choices if choice[:1] in "bB"), ""):
                    self.lines.warn(f"b goes back. If you meant {hinted_choice}, type {hinted_choice[:2]}.")
                raise
            self._settled_lines.add(place)
        self._passed_lines.append(place)
        return step.answers(self._typed_line(step))

    def _typed_line(self, step: AnswerLine) -> str:
        """The line typed there; "" for none, or if it is no answer any more since the questions have changed."""
        keys = ((step.name, key) for key in step.keys)
        line = "/".join(self._typed_parts[key] for key in takewhile(self._typed_parts.__contains__, keys))
        questions = step.questions[: line.count("/") + 1] if step.rounds else step.questions
        try:
            replace(step, questions=questions).answers(line)
        except UsageError:
            return ""
        return line if step.rounds else line.rstrip("/")

    def _keep_line(self, step: AnswerLine, typed_line: str, line: str) -> str:
        """Keep a line. Raises UsageError for what is no answer and, once, for what cannot be true."""
        try:
            step.answers(line or typed_line)
        except UsageError as unclear:
            unclear.hint = f"{unclear.hint} {step.advice}".strip()
            raise
        if line != self._repeated_line and (doubtful := step.doubt(line or typed_line)):
            self._repeated_line = line
            raise UsageError(doubtful, hint="Type it once more if it stands.")
        if line:  # a choice by its name, whose number may change
            self._typed_parts |= zip(((step.name, key) for key in step.keys), step.parts(line), strict=True)
        return line

    def _show_explanations(self, step: AnswerLine) -> None:
        """How to count, and what may be chosen, unless that has been told before."""
        for explanation in step.explanations():
            if explanation not in self._explained:
                self._explained.add(explanation)
                self.lines.say(explanation[1], "faint")

    def _explain(self, step: AnswerLine) -> None:
        """How to count, what may be chosen, the rulings that this stands on, and what may be typed."""
        self._explained.clear()
        self._show_explanations(step)
        numbers = dict.fromkeys(number for question in step.questions for number in question.rulings)
        for ruling in filter(None, map(known_ruling, numbers)):
            passage = Passage(f"{ruling.id}: {ruling.title}", plain_lines(ruling.decision))
            self.stage.show_gap()
            self.stage.show(renderables.passage(passage, self._speaker.look))
        self.stage.show_gap()
        advice = step.advice or f"Accepted: {step.questions[0].accepted}."
        self.lines.say(HELP if ("", advice) in self._explained else f"{advice} {HELP}")

    def _review(self, paper: PaperGame) -> PaperGame | None:
        """Show what the scores come to, with all that cannot be true, and ask whether it is right; None if it is not.

        The game is `forced` where somebody insisted on what is doubted. Raises Back.
        """
        self._current_player = ""
        try:
            doubts, outcome = paper.doubts, paper.outcome
        except ScoreError as error:
            self._correct(error)
            return None
        self.stage.heading("What it comes to")
        self.stage.show(*renderables.ending(outcome, self.sheet.tables(paper.tally, outcome), (), self._speaker))
        for doubt in doubts:
            self.lines.warn(f"This cannot be true: {doubt}")
        for name in (empty := self._without_score()):
            self.lines.warn(f"{name} has no score: nothing was typed, and each line counts as it was offered.")
        players = ", ".join(f"{number} {name}" for number, name in enumerate(self.paper.names, 1))
        self.lines.say(f"Players: {players}. Played on {paper.date.isoformat()}.")
        self.lines.say(_CHANGES_HELP, "faint")
        usual = "Is this right? (y = yes) " if empty else "Is this right? (Enter = yes) "
        question = "Record it anyway, with a remark? (y = yes) " if doubts else usual
        take = partial(self._decide, replace(paper, forced=bool(doubts)), bool(doubts or empty))
        return self.lines.settle(question, take, partial(self.lines.warn, _CHANGES_HELP), self.paper.names)

    def _without_score(self) -> list[str]:
        """Return the players without a typed score if the lowest score wins, else none."""
        names = self.paper.names if self.sheet.definition.win == "lowest" else ()
        return [name for name in names if not any(player == name for player, _ in self._typed_parts)]

    def _correct(self, error: ScoreError) -> None:
        """Ask which player's scores are to be corrected, where a formula has no value. Raises Back."""
        self.lines.warn(error.message)
        if error.where:
            self.lines.say(f"The formula: {error.where}", "faint")
        players = ", ".join(f"{number} {name}" for number, name in enumerate(self.paper.names, 1))
        self.lines.say(f"Players: {players}. What you typed is kept.")
        self.lines.say(_CHANGES_HELP, "faint")
        take, explain = partial(self._decide, None, True), partial(self.lines.warn, _CHANGES_HELP)
        self.lines.settle("Whose scores are to be corrected? ", take, explain, self.paper.names)

    def _decide(self, paper: PaperGame | None, is_doubted: bool, answer: str) -> PaperGame | None:
        """Return the game to record, or None to ask again; Enter alone does not accept a `doubted` game.

        Raises UsageError for yes without a game to record, and a VaultkitError for an unknown answer.
        """
        if paper and (answer.casefold() in {"y", "yes"} or not (answer or is_doubted)):
            return paper
        if answer.casefold() in {"", "n", "no", "y", "yes"}:
            raise UsageError("Nothing is recorded yet.", hint=_CHANGES_HELP)
        if answer == "0":
            self._ask_names()
        elif player := self._find_player(answer):
            self._explained.clear()
            self._settled_lines -= {place for place in self._passed_lines if place[0] == player}
            self._settled_lines -= {place for place in self._passed_lines[-1:] if not place[0]}  # how it ended
        elif re.search(r"\d\D+\d", answer):
            self.paper = replace(self.paper, date=parse_past_day(answer, self.log.now))
        else:
            raise UsageError(f"'{answer}' is none of the players.", hint=_CHANGES_HELP)
        return None

    def _find_player(self, answer: str) -> str:
        """The player of that number or name, or whose name alone begins so."""
        by_number = {str(number): name for number, name in enumerate(self.paper.names, 1)}
        names = [self.paper.names[seat] for seat in find_seats(self.paper.names, answer)]
        return by_number.get(answer) or (names[0] if len(names) == 1 else "")


HELP = (
    "Enter takes what stands in brackets. b goes back one question, ? explains the question, q leaves without writing."
)
Taken = TypeVar("Taken")


@dataclass(frozen=True)
class LinePrompt:
    """Lines of one stage, in which nothing that was typed or read can steer the terminal.

    `back` is raised where a person goes back; a VaultkitError refuses to.
    """

    stage: GameConsole
    back: Exception | type[Exception] = GoBack

    def ask(self, question: str, words: Sequence[str] = ()) -> str:
        """The typed line. Raises `back` to go back, Leave where a person leaves, EOFError at the end of input."""
        question = strip_controls(question)
        answer = strip_controls(self.stage.answer(Text(question), question, words)).strip()
        if commands.is_leaving(answer):
            raise PlayerQuit
        if answer.casefold() in {"b", "back"}:
            raise self.back
        return answer

    def settle(
        self, question: str, take: Callable[[str], Taken], explain: Callable[[], None], words: Sequence[str] = ()
    ) -> Taken:
        """The line as `take` takes it, asked for anew as long as that raises a VaultkitError. Raises `back`."""
        while True:
            try:
                answer = self.ask(question, words)
                if not answer.startswith("?"):
                    return take(answer)
                explain()
            except VaultkitError as error:
                self.warn(f"{error.message} {error.hint}".strip())

    def say(self, words: str, style: str = "") -> None:
        self.stage.show(Text(strip_controls(words, lines=True), self.stage.look.style(style) if style else ""))

    def warn(self, words: str) -> None:
        self.say(words, "warning")


_FIELD_QUESTIONS = {
    "title": "What is it called? ",
    "players": "How many play, as 3 or 2-4? ",
    "rounds": "What is a round called? Enter = there are none: ",
}
_FIELD_HELP = {
    "title": "Any words. The printed sheet, the note and the statistics call the game so.",
    "players": "One number, or the fewest and the most with - between.",
    "rounds": "A word such as deal or hole: each column then has a line for every round, up to 12.",
    "columns": 'One line for each thing that is written down: "Points" takes a number, "Honest?" a yes or no, '
    '"Prize: ribbon, cake" one of these words, and "Score = 2 * points" is reckoned. An empty line ends the list.',
    "win": "1 the highest score; 2 the lowest score; 3 all together or nobody; 4 whoever says yes",
}
"""Answers to `?`, by what is asked."""


def ask_game(stage: GameConsole, draft: NewGame, win: str) -> NewGame:
    """The game, with what is not `given` yet asked for; an answer that no game can have is asked for anew.

    Raises Leave where a person leaves, EOFError at the end, UsageError where what was given cannot be.
    """
    lines = LinePrompt(stage, UsageError("That is no answer."))
    stage.heading("A game of your own")
    lines.say("q leaves without writing.", "faint")
    # a whole game, so that each answer can be looked at as soon as it is typed
    whole = NewGame(draft.title or "Game", draft.players or "2", draft.columns or ("Points",), "co-op", draft.rounds)
    game = whole.checked
    for key, question in _FIELD_QUESTIONS.items():
        if not getattr(draft, key):
            game = _ask_field(lines, game, key, question)
    if not draft.columns:
        lines.say(_FIELD_HELP["columns"], "faint")
        game = _ask_columns(lines, replace(game, columns=()))
    if win:
        return replace(game, win=win)
    lines.say(_FIELD_HELP["win"], "faint")
    return _ask_field(lines, game, "win", "Who wins (1 to 4)? Enter = 1: ", _parse_win)


def _ask_columns(lines: LinePrompt, game: NewGame) -> NewGame:
    """The game with all columns up to an empty line."""
    question, old_columns = f"Column {len(game.columns) + 1}: ", tuple(game.columns)
    more = _ask_field(
        lines,
        game,
        "columns",
        question,
        lambda typed: (*old_columns, typed) if typed or not old_columns else old_columns,
    )
    return _ask_columns(lines, more) if more != game else game


def _parse_win(answer: str) -> str:
    choice = answer.casefold() or "1"
    rule = next((win for number, win in enumerate(WAYS_TO_WIN, 1) if choice in (win, str(number))), "")
    if not rule:
        raise UsageError("That is no answer.", hint=f"Accepted: 1 to 4, or {join_words(WAYS_TO_WIN, 'or')}.")
    return rule


def _ask_field(lines: LinePrompt, game: NewGame, key: str, question: str, read: Callable[[str], Any] = str) -> NewGame:
    """The game with the typed line as what it has by this key, once it can be one."""
    explain = partial(lines.say, _FIELD_HELP[key], "faint")
    return lines.settle(question, lambda said: replace(game, **{key: read(said)}).checked, explain)
