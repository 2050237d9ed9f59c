"""A logged game as numbered lines, and the questions by which a person changes some of them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.campaign.correction.logged import LoggedGame
from vaultkit.campaign.correction.paper_edit import NO_NOTE, check_round_count, score_texts
from vaultkit.campaign.scoresheets.answer_parser import group_rows, row_title
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.definition import Definition
from vaultkit.games.question import Question
from vaultkit.terminal.confirmations import ask_yes_no
from vaultkit.text import group

Change = Callable[[PaperRecord, str], PaperRecord]
"""A function that adds a typed change to a record of changes."""


@dataclass(frozen=True)
class EditLine:
    """One line of a game that can be changed: its `title`, what it says, and what a typed text changes.

    `hint` says how a change is typed.
    """

    title: str
    value: str
    change: Change | None = None
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.title}: {self.value}".rstrip()

    @property
    def question(self) -> str:
        """The question for another value, with the present one, which Enter keeps."""
        return f"{self.title}{f' [{self.value}]' if self.value else ''}{self.hint}: "


def game_lines(game: LoggedGame) -> Iterator[str]:
    """Yield the game's title and its lines, each with its number."""
    yield game.result.title
    for number, line in enumerate(edit_lines(game), 1):
        yield f"{number:3}  {line}"


def edit_lines(game: LoggedGame) -> list[EditLine]:
    """Return the lines of a game that a person may change; the last one is the note with its campaign line."""
    lines = [EditLine("Date", game.result.date.isoformat(), _change_date)]
    for seat, spec in enumerate(game.result.seats):
        if not spec.is_person:
            continue
        lines.append(EditLine("Player", spec.name, _rename(spec.name)))
        if game.paper and not game.locked:
            lines += _score_lines(game.paper, seat)
    if game.paper and not game.locked:
        lines += _common_lines(game.paper)
    comment = EditLine("Comment", game.result.note, _change_comment, f", {NO_NOTE} for none")
    return [*lines, comment, EditLine("Campaign note", game.line_path)]


def ask_changes(
    game: LoggedGame,
    ask: Callable[[str], str],
    tell: Callable[[str], object],
    preview: Callable[[PaperRecord], LoggedGame],
) -> tuple[PaperRecord, str | None]:
    """Ask which lines change, and what they say then; return the changes and another campaign note, or None.

    `preview` returns the game with changes, or raises a VaultkitError, which is told before the line is asked again.
    Scores that cannot be true are told at the end, and recorded only if the person insists.
    """
    lines, record, campaign = edit_lines(game), PaperRecord(game=game.played.game), None
    while True:
        word = ask("Which line changes? Its number, Enter to finish, or q to leave: ").strip()
        if not word:
            try:
                preview(record)
            except VaultkitError as error:
                tell(error.message)
                if not ask_yes_no("Record it anyway? y, or Enter to change more: ", ask, {"": False}):
                    continue
                record = _force_scores(record)
            return record, campaign
        if not word.isdecimal() or not 1 <= int(word) <= len(lines):
            tell(f"Type a number from 1 to {len(lines)}, or only Enter.")
            continue
        index = int(word) - 1
        while text := ask(lines[index].question).strip():
            change = lines[index].change
            if change is None:
                campaign = text
                lines[index] = replace(lines[index], value=text)
                tell(f"{lines[index]}")
                break
            try:
                changed = change(record, text)
                edited = preview(_force_scores(changed))  # scores of several players may fit only together
            except VaultkitError as error:
                tell(error.message_with_hint)
                continue
            lines = [*edit_lines(edited)[:-1], lines[-1]]
            tell(f"{lines[index]}".strip())
            if (record.seats, record.common) != (changed.seats, changed.common) and (totals := _format_totals(edited)):
                tell(totals)
            record = changed
            break


def _format_totals(game: LoggedGame) -> str:
    """Return the total of each player; "" if the game has none."""
    pairs = zip(game.result.seats, game.result.scores, strict=False)
    totals = ", ".join(f"{seat.name} {score:g}" for seat, score in pairs if score is not None)
    return f"Totals: {totals}" if totals else ""


def _force_scores(record: PaperRecord) -> PaperRecord:
    return replace(record, flags=replace(record.flags, force=True))


def _score_lines(paper: PaperGame, seat: int) -> Iterator[EditLine]:
    """Yield a line for each row of a player's questions, or for each column of a game with rounds."""
    name, texts = paper.names[seat], score_texts(paper, seat)
    questions = [question for question in paper.sheet.seat_questions(paper.tally.options, paper.tally.common)
                 if question.key in texts]  # fmt: skip
    rows: list[tuple[str, str, tuple[Question, ...]]]
    definition = paper.sheet.definition
    rounds = None if paper.sheet.game else definition.rounds
    if rounds:
        columns = group((question.key.rpartition(".")[2], question) for question in questions)
        rows = [(key, group_[0].label.rpartition(", ")[2], tuple(group_)) for key, group_ in columns.items()]
    else:
        rows = [(row[0].row if len(row) > 1 else row[0].key, row_title(row), row) for row in group_rows(questions)]
    for key, title, row in rows:
        answers = [texts[question.key] for question in row]
        line = EditLine(f"  {name}, {title.rstrip('?: ')}", "/".join(answers), _change_score(name, key))
        if rounds and key in definition.round_columns:
            hint = f" (or one {rounds.name}, such as {len(answers)}: {answers[-1]})" if len(answers) > 1 else ""
            line = replace(line, change=_change_rounds(name, key, definition, answers), hint=hint)
        yield line


def _common_lines(paper: PaperGame) -> Iterator[EditLine]:
    """Yield a line for each answer that holds for all players; the number of rounds follows from the scores."""
    rounds = paper.sheet.definition.rounds
    questions = (*paper.sheet.opening_questions(paper.tally.options), *paper.sheet.closing_questions(paper.tally))
    for question in questions:
        if question.key in paper.tally.common and not (rounds and question.key == rounds.key):
            value = str(paper.tally.common[question.key])
            yield EditLine(question.label, value, _change_common(question.key))


def _change_date(record: PaperRecord, text: str) -> PaperRecord:
    return replace(record, date=PaperWords(text), flags=replace(record.flags, date=text))


def _change_comment(record: PaperRecord, text: str) -> PaperRecord:
    return replace(record, note=text)


def _rename(name: str) -> Change:
    def change(record: PaperRecord, text: str) -> PaperRecord:
        old_name = next((word.partition("=")[0] for word in record.flags.seats if word.endswith(f"={name}")), name)
        seats = [word for word in record.flags.seats if not word.startswith(f"{old_name}=")]
        return replace(record, flags=replace(record.flags, seats=(*seats, f"{old_name}={text}")))

    return change


def _change_score(name: str, key: str) -> Change:
    def change(record: PaperRecord, text: str) -> PaperRecord:
        seats = {seat.name: seat for seat in record.seats}
        answers = {**(seats[name].said if name in seats else {}), key: PaperWords(text)}
        return replace(record, seats=tuple({**seats, name: PaperSeat(name, answers)}.values()))

    return change


def _change_rounds(name: str, column: str, definition: Definition, answers: Sequence[str]) -> Change:
    """Return a change of all answers of a column, as in `0/-46/0`, or of one with its number, as in `2: -46`."""

    def change(record: PaperRecord, text: str) -> PaperRecord:
        hint = f"Type one with its number, as in {len(answers)}: {answers[-1]}, or all of them: {'/'.join(answers)}"
        if match := re.fullmatch(r"(\d{1,4})\s*:\s*([^/]+)", text):
            number = int(match[1])
            if not 1 <= number <= len(answers):
                raise UsageError(f"The numbers here are 1 to {len(answers)}, not {number}.", hint=hint)
            text = "/".join([*answers[: number - 1], match[2], *answers[number:]])
        check_round_count(definition, name, column, text, len(answers), hint=hint)
        return _change_score(name, column)(record, text)

    return change


def _change_common(key: str) -> Change:
    return lambda record, text: replace(record, common={**record.common, key: PaperWords(text)})
