"""The entry of a game's scores row by row: the next question, the typed answers, and the totals so far."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from vaultkit.campaign.players import find_seats
from vaultkit.campaign.scoresheets.answer_parser import group_rows, is_blank, parse_answer, row_title, split_row
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.errors import UsageError
from vaultkit.games.computed_scores import ScoreError
from vaultkit.games.ledger import LedgerLine
from vaultkit.games.messages import Score
from vaultkit.games.options import Options
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.text import capitalize_first, format_count, join_words

_NAMED_NUMBERS = (
    r"\s*([^\W\d_][^\d=:;,]*?(?:\s*\d+(?=\s*[=:]))?)\s*[=:]?\s*"
    r"({0}(?:(?:,\s*|\s+){0}){{0,{1}}})\s*(?:[,;]|(?=[^\W\d_])|\Z)?"
)
"""A name and numbers: a place for the pattern of a number, and one for how many more may follow it."""
_NUMBER = r"(?:(?:[-+−./½]*\d[\d.+/½]*)+|½)"
_NAMED_TEXT = re.compile(r"\s*([^=:;,]+?)\s*[=:]\s*([^=:;,]*?)\s*(?:[,;]|\s(?=\S+\s*[=:])|\Z)")
_SEPARATORS = re.compile(r"[\s=:;,]")
LINE, END, NAMES, DATE, NOTE, GIVEN = "line", "end", "names", "date", "note", "given"
"""The first words of entries: a typed row, the end of the rounds, players, a day, a comment, and options of flags."""


@dataclass(frozen=True)
class EntryRow:
    """One row to type: the answers of the players `names` to `questions`, or of the whole game without names.

    `round_number` is 0 outside of rounds; `title` is the question that is shown.
    """

    title: str
    questions: tuple[Question, ...]
    names: tuple[str, ...] = ()
    round_number: int = 0

    @property
    def id(self) -> str:
        names = self.names if self.names and self.questions[0].words else ()
        return "|".join((*names, *(question.key for question in self.questions)))

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of the players, or "" for the whole game."""
        return self.names or ("",)

    def cells(self, line: str) -> list[str]:
        """Return the text of each owner's cell in a line, "" for players that a line with names omits.

        Raises UsageError for a line with too few or too many cells, and for an unknown name.
        """
        if len(self.owners) == 1 or not line.strip():
            return [line.strip()] + [""] * (len(self.owners) - 1)
        size = len(self.questions)
        pattern = _NAMED_TEXT if self.questions[0].choices else re.compile(_NAMED_NUMBERS.format(_NUMBER, size - 1))
        pairs = pattern.findall(line)
        if pairs and _SEPARATORS.sub("", line) == _SEPARATORS.sub("", "".join(map("".join, pairs))):
            return self._named_cells(pairs)
        cells = [cell.strip() for cell in (re.split(r"[;|\t]", line) if re.search(r"[;|\t]", line) else line.split())]
        by_comma, counts = [cell.strip() for cell in line.split(",")], (len(self.names), size * len(self.names))
        if len(by_comma) in counts and not (len(cells) in counts and cells[0][-1:] != ","):
            cells = by_comma  # a comma in `7,5 3,5 1` is that of a half
        is_named = len(cells) > 1 and len(find_seats(self.names, cells[0].rstrip(":,"))) == 1
        if size > 1 and len(cells) == size * len(self.names) and "/" not in line and not is_named:
            words = [cell.strip(",") for cell in cells]
            cells = ["/".join(words[start : start + size]) for start in range(0, len(words), size)]
        if len(cells) != len(self.names):
            message = f"This row has {format_count(len(cells), 'answer')}, and {len(self.names)} are asked for"
            hint = self._hint_at_syntax(cells, is_named=is_named)
            raise UsageError(f"{message}: {join_words(self.names)}.", hint=hint)
        return cells

    def _hint_at_syntax(self, cells: Sequence[str], *, is_named: bool) -> str:
        """Return a hint on how the typed cells are written, with the same values if the first one is a name."""
        count = len(self.questions)
        if is_named:
            return f"One row at a time. For one player: {cells[0].rstrip(':,')} {'/'.join(cells[1 : count + 1])}"
        parts = f", and / between the {count} parts of one" * (count > 1)
        return f"Put spaces between them{parts}: {self.example}. For one player: {self.named_example}"

    def _named_cells(self, pairs: Sequence[tuple[str, str]]) -> list[str]:
        cells = [""] * len(self.names)
        for name, cell in pairs:
            seats = find_seats(self.names, name)
            if len(seats) != 1:
                fault = "may be several players" if seats else "is none of the players"
                raise UsageError(f"'{name}' {fault}.", hint=f"Players: {', '.join(self.names)}.")
            cells[seats[0]] = cell
        return cells

    @property
    def example(self) -> str:
        """An example of a line with the answers of all players."""
        cells = [_example_cell(self.questions, 18), *[_example_cell(self.questions, 0)] * (len(self.owners) - 1)]
        return ("; " if any(" " in cell for cell in cells) else " ").join(cells)

    @property
    def named_example(self) -> str:
        """An example of the answer of one player, with the fewest letters of the last name that tell it apart."""
        name, cell = self.owners[-1], _example_cell(self.questions, 18)
        lengths = (size for size in range(1, len(name)) if len(find_seats(self.names, name[:size])) == 1)
        return f"{name[: next(lengths, len(name))].casefold()}{'' if cell[0].isdecimal() else ': '}{cell}"

    def parts(self, cell: str) -> list[str]:
        """Return the parts of a cell, choices by their names. Raises UsageError for too many or invalid ones."""
        return [_read_part(question, part) for question, part in split_row(self.questions, cell)]

    def doubt(self, cells: Sequence[str]) -> str:
        """Return why a number is higher than can be true; "" if none is."""
        pairs = (pair for cell in cells if cell for pair in split_row(self.questions, cell))
        for question, part in pairs:
            value, _ = parse_answer(question, choice_by_number(question, part))
            if not isinstance(value, str) and question.most is not None and value > question.most:
                rulings = f" ({', '.join(question.rulings)})" if question.rulings else ""
                return f"{question.label}: {value} is more than {question.most}, the most that can be true{rulings}."
        return ""


def _read_part(question: Question, part: str) -> str:
    """Return a part of a cell, a choice by its name. Raises UsageError for a part that is no answer."""
    answer, _ = parse_answer(question, choice_by_number(question, part))
    return str(answer) if question.choices and not is_blank(part) else part


def _example_cell(questions: Sequence[Question], number: int) -> str:
    """Return an example of one player's answers: the first choice of each question, or a number near `number`."""
    return "/".join(
        next(iter(question.choices), str(max(question.least, min(number, question.most if question.most else number))))
        for question in questions
    )


def choice_by_number(question: Question, answer: str) -> str:
    """Return the choice with the number `answer` in the list, or `answer` itself; 1 is yes, and 0 or 2 no."""
    choices = choices_in_order(question)
    if not answer.isdecimal() or len(answer) > 3 or any(choice.isdecimal() for choice in choices):
        return answer
    if set(choices) == {"yes", "no"} and int(answer) == 0:
        return "no"
    return choices[int(answer) - 1] if 1 <= int(answer) <= len(choices) else answer


def choices_in_order(question: Question) -> list[str]:
    """Return the choices as they are listed and numbered: yes before no."""
    return sorted(question.choices, key=lambda choice: choice == "no" and "yes" in question.choices)


@dataclass
class ScoreEntry:
    """Scores that are being typed. `entries` are all accepted entries, from which everything else is computed.

    `given_keys` are the house rules that nobody is asked for. `old_lines` are undone lines, by the ids of rows.
    """

    paper: PaperGame
    given_keys: Collection[str] = ()
    entries: list[LedgerLine] = field(default_factory=list)
    old_lines: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rows_of_rounds = dict[tuple[int, str], tuple[EntryRow, ...]]()
        self._first_paper = self.paper
        self._replay()

    def _replay(self) -> None:
        """Compute the typed texts, the settled rows and the number of rounds from all entries."""
        self.paper, self.round_count = self._first_paper, 0
        self.texts, self.settled = dict[tuple[str, str], str](), dict[str, int]()  # rows, with their rounds
        for kind, *words in self.entries:
            self._apply(kind, words)

    def _apply(self, kind: str, words: Sequence[str]) -> None:
        if kind == LINE:
            row_id, number, *pairs = words
            for name, key, text in zip(pairs[::3], pairs[1::3], pairs[2::3], strict=True):
                self.texts[name, key] = text
            self.settled.setdefault(row_id, int(number))
        elif kind == END:
            self.round_count = max(self.settled.values(), default=0)
        elif kind == DATE:
            self.paper = replace(self.paper, date=type(self.paper.date).fromisoformat(words[0]))
        elif kind == NOTE:
            self.paper = replace(self.paper, note=words[0])
        elif kind == GIVEN:
            self.given_keys = words
        elif kind == NAMES:
            missing_names = [name for name in self.paper.names if name not in words]
            new_names = [name for name in words if name not in self.paper.names]
            renamed = dict(zip(missing_names, new_names, strict=True)) if len(missing_names) == len(new_names) else {}
            self.texts = {(renamed.get(name, name), key): text for (name, key), text in self.texts.items()}
            self.paper = replace(self.paper, names=tuple(words))
            if not renamed and new_names:
                self.settled = {
                    row: number for row, number in self.settled.items() if not number and row in self._common_ids
                }

    @property
    def _common_ids(self) -> set[str]:
        return {row.id for row in self._opening_rows()}

    @property
    def options(self) -> Options:
        """The options of the game, with the house rules that were typed."""
        texts = {rule.key: self.texts.get(("", rule.key), "") for rule in self._house_rules}
        return {**self.paper.tally.options, **{key: text for key, text in texts.items() if text}}

    @property
    def _house_rules(self) -> list[Question]:
        questions = self.paper.sheet.house_rule_questions(self.paper.tally.options)
        return [question for question in questions if question.key not in self.given_keys]

    def _opening_rows(self) -> Iterator[EntryRow]:
        rounds = self.paper.sheet.definition.rounds
        opening = self.paper.sheet.opening_questions(self.options)
        for question in (*self._house_rules, *(item for item in opening if rounds is None or item.key != rounds.key)):
            yield EntryRow(question.title, (question,))

    def rows(self) -> Iterator[EntryRow]:
        """Yield all rows in the order in which they are asked; rounds go on until the entry END."""
        sheet, rounds = self.paper.sheet, self.paper.sheet.definition.rounds
        yield from self._opening_rows()
        limit = (rounds.most if rounds.rulings else 500) if rounds else 0
        for number in range(1, 1 + (self.round_count or limit)):
            yield from self._round_rows(number)
        yield from self._player_rows(0)
        with suppress(ScoreError):
            for question in sheet.closing_questions(self.tally()):
                yield EntryRow(question.title, (question,))

    def _round_rows(self, number: int) -> tuple[EntryRow, ...]:
        key = number, repr((self.options, self.paper.names))
        if key not in self._rows_of_rounds:
            self._rows_of_rounds[key] = tuple(self._player_rows(number))
        return self._rows_of_rounds[key]

    def _player_rows(self, number: int) -> Iterator[EntryRow]:
        """Yield the rows of a round, or of the whole game if `number` is 0."""
        rounds = self.paper.sheet.definition.rounds
        common = {**self._common_answers(), **({rounds.key: number or self.round_count or 1} if rounds else {})}
        prefix = f"{rounds.id}.{number}." if rounds and number else f"{rounds.id}." if rounds else " "
        questions = self.paper.sheet.seat_questions(self.options, common)
        for row in group_rows(item for item in questions if item.key.startswith(prefix) == bool(number)):
            title = row_title(row)
            if rounds and number:
                columns = " / ".join(capitalize_first(question.title.rpartition(", ")[2]) for question in row)
                title = capitalize_first(f"{rounds.name} {number}" + f", {columns}" * self._has_several_columns)
            groups = [(name,) for name in self.paper.names] if row[0].words else [self.paper.names]
            yield from (EntryRow(title, row, names, number) for names in groups)

    @property
    def _has_several_columns(self) -> bool:
        definition = self.paper.sheet.definition
        return sum(definition.is_per_round(column) and column.is_asked for column in definition.columns) > 1

    def _common_answers(self) -> dict[str, Answer]:
        """Return the answers about the whole game, with defaults for missing answers."""
        sheet, rounds = self.paper.sheet, self.paper.sheet.definition.rounds
        common: dict[str, Answer] = {}
        for question in sheet.opening_questions(self.options):
            if rounds and question.key == rounds.key:
                common[question.key] = self.round_count or max(self.settled.values(), default=0) or 1
            else:
                common[question.key] = self._answer("", question)[0]
        return common

    def _answer(self, name: str, question: Question) -> tuple[Answer, tuple[Score, ...]]:
        text = self.texts.get((name, question.key), "")
        with suppress(UsageError):  # of a text that another option or another definition does not allow
            if text or question.default is not None:
                return parse_answer(question, text)
        return question.default_answer, ()

    def tally(self) -> Tally:
        """Return the tally of all answers, with defaults for missing answers."""
        sheet, common = self.paper.sheet, self._common_answers()
        questions = sheet.seat_questions(self.options, common)
        seats = tuple(SeatTally.from_answers((item.key, self._answer(name, item)) for item in questions)
                      for name in self.paper.names)  # fmt: skip
        tally = Tally(self.options, seats, common)
        with suppress(ScoreError):
            for question in sheet.closing_questions(tally):
                if ("", question.key) in self.texts:
                    common[question.key] = self._answer("", question)[0]
        return replace(tally, common=common)

    @property
    def current(self) -> EntryRow | None:
        """The row that is asked next, None if nothing is left to ask."""
        return next((row for row in self.rows() if row.id not in self.settled or not self._is_valid(row)), None)

    def _is_valid(self, row: EntryRow) -> bool:
        """Return whether a settled row still has an answer that is allowed: options may have changed its choices."""
        try:
            for name in row.owners:
                for question in row.questions:
                    parse_answer(question, self.texts.get((name, question.key), ""))
        except UsageError:
            return False
        return True

    def line(self, row: EntryRow) -> str:
        """Return the line that Enter stands for: the answers typed before, else "" for the default answers."""
        if not any((name, item.key) in self.texts for name in row.owners for item in row.questions):
            return self.old_lines.get(row.id, "")
        if not self._is_valid(row):
            return ""
        cells = self.texts_of(row)
        return ("; " if any(" " in cell or not cell for cell in cells) else " ").join(cells)

    def texts_of(self, row: EntryRow) -> list[str]:
        """Return what each owner's cell says, defaults included."""
        return ["/".join(self._text(name, item) for item in row.questions) for name in row.owners]

    def _text(self, name: str, question: Question) -> str:
        text = self.texts.get((name, question.key), "")
        return text or ("" if question.default is None or question.words else str(question.default))

    def parse(self, row: EntryRow, line: str) -> LedgerLine:
        """Return the entry for a line. Raises UsageError for a line that is no answer, with the player's name."""
        words = [LINE, row.id, str(row.round_number)]
        for name, cell in zip(row.owners, row.cells(line or self.line(row)), strict=True):
            try:
                parts = row.parts(cell)
            except UsageError as error:
                error.message = f"{name}, {error.message}" if len(row.owners) > 1 else error.message
                raise
            for question, part in zip(row.questions, parts, strict=True):
                words += [name, question.key, "" if is_blank(part) else part]
        return tuple(words)

    def add(self, entry: LedgerLine) -> LedgerLine:
        """Accept an entry and return it."""
        self.entries.append(entry)
        self._apply(entry[0], entry[1:])
        return entry

    def end(self) -> LedgerLine:
        """End the rounds after the last complete one, and return the entry. Raises UsageError within a round."""
        rounds, row = self.paper.sheet.definition.rounds, self.current
        if rounds is None or row is None or not row.round_number:
            raise UsageError("There are no rounds to end here.", hint="Enter takes what stands in brackets.")
        if row.id != self._round_rows(row.round_number)[0].id or row.round_number == 1:
            raise UsageError(
                f"{capitalize_first(rounds.name)} {row.round_number} has no scores yet.", hint="b goes back."
            )
        return self.add((END,))

    def is_target_reached(self) -> bool:
        """Return whether the last round is complete and has ended the game by its target."""
        row, sheet = self.current, self.paper.sheet
        if sheet.definition.target is None or row is None or row.round_number < 2:
            return False
        with suppress(ScoreError):
            is_complete = row.id == self._round_rows(row.round_number)[0].id
            return is_complete and not sheet.compute_scores(self.tally()).target_fault()
        return False

    def take_back(self) -> bool:
        """Take back the last entry; return False if there is none."""
        if not self.entries:
            return False
        if self.entries[-1][0] == LINE:
            row = next((row for row in self.rows() if row.id == self.entries[-1][1]), None)
            self.old_lines |= {row.id: self.line(row)} if row else {}
        self.entries.pop()
        self._replay()
        return True

    def find_row(self, word: str) -> EntryRow | None:
        """Return the settled row that `word` means: by the number of its round, or the beginning of its title."""
        settled_rows = [row for row in self.rows_so_far() if row.id in self.settled]
        if word.isdecimal():
            matches = [row for row in settled_rows if row.round_number == int(word)]
        else:
            matches = [row for row in settled_rows if row.title.casefold().startswith(word.strip().casefold())]
        return matches[0] if len(matches) == 1 else None

    def rows_so_far(self) -> Iterator[EntryRow]:
        """Yield the rows up to the one that is asked next."""
        for row in self.rows():
            if row.id not in self.settled:
                return
            yield row

    def totals(self) -> Mapping[str, Score]:
        """Return each player's score so far; empty if the game has none, or a formula has no value yet."""
        if self.paper.sheet.definition.win in ("co-op", "chosen"):
            return {}
        with suppress(ScoreError, LookupError, ValueError):
            parts = self.paper.sheet.outcome(self.tally()).scores
            scores = {
                name: item.get("score", item.get("total")) for name, item in zip(self.paper.names, parts, strict=True)
            }
            return {name: score for name, score in scores.items() if score is not None}
        return {}

    def result(self) -> PaperGame:
        """Return the game as it was typed."""
        return replace(self.paper, tally=self.tally())
