"""The entry of a game's scores row by row: the next question, the typed answers, the totals so far, and its file."""

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Self

from vaultkit.campaign.scoresheets.answer_parser import group_rows, is_blank, parse_answer, row_title
from vaultkit.campaign.scoresheets.entry_row import EntryRow
from vaultkit.campaign.scoresheets.paper_game import (
    PaperGame,
    SavedTally,
    game_data_of,
    header_of,
    paper_of,
    save_definition,
    saved_tallies,
)
from vaultkit.errors import UsageError
from vaultkit.games.computed_scores import ScoreError
from vaultkit.games.ledger import LedgerLine
from vaultkit.games.messages import Score
from vaultkit.games.options import Options
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.session.journal import Journal, read_paper
from vaultkit.session.journal_files import delete_journal
from vaultkit.session.journal_records import EntryRecord, UndoRecord
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.session.session_ids import create_unused_id
from vaultkit.text import capitalize_first
from vaultkit.vault.writing.history import private_folder

LINE, END, NAMES, DATE, NOTE, GIVEN = "line", "end", "names", "date", "note", "given"
"""The first words of entries: a typed row, the end of the rounds, players, a day, a comment, and options of flags."""


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
                common_ids = {row.id for row in self._opening_rows()}
                self.settled = {row: number for row, number in self.settled.items() if not number and row in common_ids}

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
            raise UsageError("There are no rounds to end here.", hint="Enter takes the value in brackets.")
        if row.id != self._round_rows(row.round_number)[0].id or row.round_number == 1:
            message = f"{capitalize_first(rounds.name)} {row.round_number} has no scores yet."
            raise UsageError(message, hint="b goes back.")
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
            named_parts = zip(self.paper.names, parts, strict=True)
            scores = {name: item.get("score", item.get("total")) for name, item in named_parts}
            return {name: score for name, score in scores.items() if score is not None}
        return {}

    def result(self) -> PaperGame:
        """Return the game as it was typed."""
        return replace(self.paper, tally=self.tally())


@dataclass
class KeptEntry:
    """An entry of scores with its file, which is made with the first row and stays locked while it is open.

    `session` is the id of the file, "" before it is made.
    """

    entry: ScoreEntry
    root: Path
    now: datetime
    session: str = ""
    _journal: Journal | None = None

    @classmethod
    def resume(cls, saved: SavedTally, sheets: ScoreSheets, root: Path, now: datetime) -> Self:
        """Open the file of an interrupted entry.

        Raises InvalidError if it cannot be read, and WriteError while another process has it open.
        """
        journal, contents = Journal.reopen(saved.path, read_paper)
        try:
            data = game_data_of(contents)
            plain_data = replace(data, started=None, entries=(), asks_scores=False)
            paper = paper_of(replace(saved, contents=plain_data), sheets)
            return cls(ScoreEntry(paper, (), list(contents.entries)), root, now, saved.id, journal)
        except BaseException:
            journal.close()
            raise

    def keep(self, line: LedgerLine | None) -> None:
        """Save the last entry, or with None that the last one was taken back. Raises WriteError."""
        count = len(self.entry.entries)
        if self._journal is None:
            if line is None or line[0] == NAMES:
                return
            self._create()
        elif line is None:
            self._journal.append(UndoRecord(to=count))
        else:
            self._journal.append(EntryRecord(n=count, words=line))

    def _create(self) -> None:
        paper, folder = self.entry.paper, private_folder(self.root, "journals")
        self.session = create_unused_id(folder, paper.sheet.id, self.now, secrets.randbelow(10**6))
        save_definition(paper.sheet, self.root)
        header = header_of(replace(paper, started=self.now, asks_scores=True), self.session)
        self._journal = Journal.create(folder, header)
        for number, words in enumerate(self.entry.entries, 1):
            self._journal.append(EntryRecord(n=number, words=words))

    def close(self) -> None:
        """Release the file, which stays."""
        if self._journal:
            self._journal.close()

    def discard(self) -> None:
        """Delete the file, once the game is logged or is not wanted."""
        self.close()
        if self._journal:
            delete_journal(self._journal.path.parent, self.session)


def interrupted_entries(journals: Path, game: str = "") -> Iterator[SavedTally]:
    """Yield the files of interrupted entries of scores, the last one first; only for `game` if it is given."""
    for saved in saved_tallies(journals):
        data = saved.contents
        if data and data.is_running and data.asks_scores and game in ("", data.game):
            yield saved


def describe(saved: SavedTally, sheets: ScoreSheets) -> str:
    """Return the game, the day and the number of rows of an interrupted entry: `Skat, 2026-11-03, 12 rows`."""
    assert saved.contents, "only files that can be read are interrupted entries"
    count = sum(entry[0] == "line" for entry in saved.contents.entries)
    rows = "1 row" if count == 1 else f"{count} rows"
    return f"{sheets.title(saved.contents.game)}, {saved.contents.date.isoformat()}, {rows}"
