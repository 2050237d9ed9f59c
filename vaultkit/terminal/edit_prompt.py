"""A logged game as numbered lines, and the questions by which a person changes some of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from vaultkit.campaign.correction.logged import LoggedGame
from vaultkit.campaign.correction.paper_edit import NO_NOTE, score_texts
from vaultkit.campaign.scoresheets.answer_parser import group_rows, row_title
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import VaultkitError
from vaultkit.games.question import Question
from vaultkit.terminal.confirmations import ask_yes_no
from vaultkit.text import group

Change = Callable[[PaperRecord, str], PaperRecord]
"""A function that adds a typed change to a record of changes."""


@dataclass(frozen=True)
class EditLine:
    """One line of a game that can be changed: its `title`, what it says, and what a typed text changes."""

    title: str
    value: str
    change: Change | None = None


def game_lines(game: LoggedGame) -> Iterator[str]:
    """Yield the game's title and its lines, each with its number."""
    yield game.result.title
    for number, line in enumerate(edit_lines(game), 1):
        yield f"{number:3}  {line.title}: {line.value}".rstrip()


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
    return [*lines, EditLine("Comment", game.result.note, _change_comment), EditLine("Campaign note", game.line_path)]


def ask_changes(
    game: LoggedGame, ask: Callable[[str], str], tell: Callable[[str], object], check: Callable[[PaperRecord], object]
) -> tuple[PaperRecord, str | None]:
    """Ask which lines change, and what they say then; return the changes and another campaign note, or None.

    `check` raises a VaultkitError for changes that are not possible; the last one is then told and dropped. Scores that
    cannot be true are told at the end, and recorded only if the person insists.
    """
    lines, record, campaign = edit_lines(game), PaperRecord(game=game.played.game), None
    while True:
        word = ask("Which line changes? Its number, Enter to finish, or q to leave: ").strip()
        if not word:
            doubt = _find_fault(record, check)
            if not doubt:
                return record, campaign
            tell(doubt)
            if ask_yes_no("Record it anyway? y, or Enter to change more: ", ask, {"": False}):
                return _force_scores(record), campaign
            continue
        if not word.isdecimal() or not 1 <= int(word) <= len(lines):
            tell(f"Type a number from 1 to {len(lines)}, or only Enter.")
            continue
        line = lines[int(word) - 1]
        usual = f" [{line.value}]" if line.value else ""
        hint = f", {NO_NOTE} for none" if line.change is _change_comment else ""
        text = ask(f"{line.title}{usual}{hint}: ").strip()
        if not text:
            continue
        if line.change is None:
            campaign = text
            continue
        changed = line.change(record, text)
        if fault := _find_fault(_force_scores(changed), check):  # scores of several players may fit only together
            tell(fault)
        else:
            record = changed
            lines[int(word) - 1] = replace(line, value=text)


def _force_scores(record: PaperRecord) -> PaperRecord:
    return replace(record, flags=replace(record.flags, force=True))


def _find_fault(record: PaperRecord, check: Callable[[PaperRecord], object]) -> str:
    """Return why changes are not possible, "" if they are."""
    try:
        check(record)
    except VaultkitError as error:
        return f"{error.message} {error.hint}".strip()
    return ""


def _score_lines(paper: PaperGame, seat: int) -> Iterator[EditLine]:
    """Yield a line for each row of a player's questions, or for each column of a game with rounds."""
    name, texts = paper.names[seat], score_texts(paper, seat)
    questions = [question for question in paper.sheet.seat_questions(paper.tally.options, paper.tally.common)
                 if question.key in texts]  # fmt: skip
    rows: list[tuple[str, str, tuple[Question, ...]]]
    if paper.sheet.definition.rounds and not paper.sheet.game:
        columns = group((question.key.rpartition(".")[2], question) for question in questions)
        rows = [(key, group_[0].label.rpartition(", ")[2], tuple(group_)) for key, group_ in columns.items()]
    else:
        rows = [(row[0].row if len(row) > 1 else row[0].key, row_title(row), row) for row in group_rows(questions)]
    for key, title, row in rows:
        value = "/".join(texts[question.key] for question in row)
        yield EditLine(f"  {name}, {title.rstrip('?: ')}", value, _change_score(name, key))


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
        seats = [word for word in record.flags.seats if not word.startswith(f"{name}=")]
        return replace(record, flags=replace(record.flags, seats=(*seats, f"{name}={text}")))

    return change


def _change_score(name: str, key: str) -> Change:
    def change(record: PaperRecord, text: str) -> PaperRecord:
        seats = {seat.name: seat for seat in record.seats}
        answers = {**(seats[name].said if name in seats else {}), key: PaperWords(text)}
        return replace(record, seats=tuple({**seats, name: PaperSeat(name, answers)}.values()))

    return change


def _change_common(key: str) -> Change:
    return lambda record, text: replace(record, common={**record.common, key: PaperWords(text)})
