"""Edits of a game whose scores were entered: its answers are turned into words, changed and parsed again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_log import PaperLog
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.definition import Definition
from vaultkit.games.scoresheet import SeatTally
from vaultkit.text import capitalize_first, format_count, join_words

FindSeat = Callable[[Sequence[str], str], int | None]
"""A function that returns the index of the name, in a list of names, that a typed name means; None for none."""
NO_NOTE = "-"
"""The comment that deletes the comment of a game."""


def edit_paper(paper: PaperGame, change: PaperRecord, paper_log: PaperLog, find_seat: FindSeat) -> PaperGame:
    """Return a game with the changes in `change`, with the flags of the command.

    Raises UsageError or InvalidError for changes that cannot be made, and InvalidError for scores that cannot be true
    and were not so before, unless the flags force them.
    """
    record = _edited_record(paper, change, find_seat)
    closing_keys = {question.key for question in paper.sheet.closing_questions(paper.tally)} - {*change.common}
    try:
        edited = paper_log.read(record)
    except UsageError:
        common = {key: words for key, words in record.common.items() if key not in closing_keys}
        if common == record.common:
            raise
        edited = paper_log.read(replace(record, common=common))
    edited = replace(edited, campaign=paper.campaign, definition=paper.definition, sheet=paper.sheet)
    new_doubts = [doubt for doubt in edited.doubts if doubt not in paper.doubts]
    if new_doubts and not change.flags.force:
        hint = "Correct them, or record them as they are, with a remark in the note: --force"
        raise InvalidError(f"Cannot be true: {' '.join(new_doubts)} Nothing was written.", hint=hint)
    return replace(edited, forced=bool(edited.doubts))


def score_texts(paper: PaperGame, seat: int) -> dict[str, str]:
    """Return a player's answers as they are typed, by the keys of the questions; sums keep their parts."""
    return {key: words.text for key, words in _answer_texts(paper, paper.tally.seats[seat]).items()}


def _answer_texts(paper: PaperGame, seat: SeatTally) -> dict[str, PaperWords]:
    questions = paper.sheet.seat_questions(paper.tally.options, paper.tally.common)
    keys = (question.key for question in questions if question.key in seat.answers)
    return {key: PaperWords("+".join(map(str, seat.summands.get(key, ()))) or str(seat.answers[key])) for key in keys}


def _edited_record(paper: PaperGame, change: PaperRecord, find_seat: FindSeat) -> PaperRecord:
    flags = change.flags
    seats = [
        PaperSeat(name, _answer_texts(paper, seat)) for name, seat in zip(paper.names, paper.tally.seats, strict=True)
    ]
    common = {key: PaperWords(str(answer)) for key, answer in paper.tally.common.items()}
    if change.where:  # a file or filled sheets replace all scores
        seats, common = [*change.seats], {}
    else:
        _refuse_missing_rounds(paper, change)
        seats = _change_seats(seats, flags.seats, [seat.name for seat in change.seats], find_seat)
        for new_seat in change.seats:
            index = find_seat([seat.name for seat in seats], new_seat.name)
            if index is None and any("=" in word for word in flags.seats):  # a player who is renamed at the same time
                index = find_seat(paper.names, new_seat.name)
            if index is None:
                raise _unknown_player_error(new_seat.name, [seat.name for seat in seats])
            seats[index] = replace(seats[index], said=_replace_answers(seats[index].said, new_seat.said))
        rounds = paper.sheet.definition.rounds
        if rounds and any(key not in common for new_seat in change.seats for key in new_seat.said):
            common.pop(rounds.key, None)
    return replace(
        change,
        game=paper.game,
        seats=tuple(seats),
        common={**common, **change.common},
        options={**paper.tally.options, **change.options},
        date=change.date or PaperWords(paper.date.isoformat()),
        note=edited_comment(paper.note, change.note),
        flags=replace(flags, game=paper.game, seats=(), force=flags.force or paper.forced),
    )


def _refuse_missing_rounds(paper: PaperGame, change: PaperRecord) -> None:
    """Raise UsageError for a row with another number of rounds than the game has, unless all players get a new row.

    A shorter row would delete the other rounds of one player.
    """
    definition = paper.sheet.definition
    round_count = len(definition.rounds_of(paper.tally.common))
    if definition.rounds is None or len(change.seats) == len(paper.names):
        return
    for seat in change.seats:
        for column, words in seat.said.items():
            if column in definition.round_columns:
                first, last = (f"{definition.rounds.id}.{number}.{column}" for number in (1, round_count))
                hint = f"Write all, with / between them, or name one: {first} to {last}."
                check_round_count(definition, seat.name, column, words.text, round_count, hint=hint)


def check_round_count(
    definition: Definition, name: str, column: str, text: str, round_count: int, *, hint: str
) -> None:
    """Raise UsageError with `hint` for a row of a player with another number of answers than the game has rounds."""
    count, rounds = len(text.split("/")), definition.rounds
    if rounds and count != round_count:
        title = next(item.title for item in definition.columns if item.key == column)
        answers = f"{format_count(count, 'answer')} for {capitalize_first(title)}"
        game_rounds = f"{round_count} {rounds.name if round_count == 1 else rounds.several}"
        raise UsageError(f"{name} has {answers}, but the game has {game_rounds}.", hint=hint)


def edited_comment(comment: str, change: str) -> str:
    """Return a comment after an edit: "" keeps it, NO_NOTE deletes it."""
    return "" if change.strip() == NO_NOTE else change or comment


def _replace_answers(answers: Mapping[str, PaperWords], change: Mapping[str, PaperWords]) -> dict[str, PaperWords]:
    """Return the answers as replaced by `change`, whose keys name questions, rows or columns."""

    def is_replaced(key: str) -> bool:
        row, _, column = key.rpartition(".")
        return not {key, row, column}.isdisjoint(change)

    return {key: words for key, words in answers.items() if not is_replaced(key)} | dict(change)


def _change_seats(
    seats: Sequence[PaperSeat], words: Sequence[str], scored_names: Sequence[str], find_seat: FindSeat
) -> list[PaperSeat]:
    """Return the seats of the players that `--seat` names: renamed as OLD=NEW, or all who played.

    A new name in place of an old one takes over its scores, unless it has scores of its own.
    """
    names = [seat.name for seat in seats]
    if any("=" in word for word in words):
        return [replace(seat, name=name) for seat, name in zip(seats, rename(names, words, find_seat), strict=True)]
    indexes = [find_seat(names, word) for word in words]
    free_indexes = [index for index in range(len(seats)) if index not in indexes] if len(words) == len(seats) else []
    new_seats = []
    for word, known_index in zip(words, indexes, strict=True):
        is_rename = known_index is None and all(find_seat([word], name) is None for name in scored_names)
        index = free_indexes.pop(0) if is_rename and free_indexes else known_index
        new_seats.append(PaperSeat(word) if index is None else replace(seats[index], name=word))
    return new_seats or [*seats]


def rename(names: Sequence[str], words: Sequence[str], find_seat: FindSeat) -> list[str]:
    """Return the names of all players after the changes OLD=NEW, or the new names of all in the order of seats.

    Raises UsageError for other words, and for the name of nobody who played.
    """
    if words and not any("=" in word for word in words):
        if len(words) != len(names):
            message = f"{len(words)} names for {len(names)} players."
            raise UsageError(message, hint=f"Name all of them in their order: {join_words(names)}.")
        return [*words]
    new_names = [*names]
    for word in words:
        old, equals, new = map(str.strip, word.partition("="))
        if not (old and equals and new):
            raise UsageError(f"'{word}' in --seat renames nobody.", hint='Write: --seat "OLD NAME=NEW NAME"')
        index = find_seat(names, old)
        if index is None and find_seat(names, new) is None:
            raise _unknown_player_error(old, names)
        if index is not None:  # else the player is renamed already
            new_names[index] = new
    return new_names


def _unknown_player_error(name: str, names: Sequence[str]) -> UsageError:
    hint = f'Players: {join_words(names)}. To change who played, name all of them: --seat "NAME" for each.'
    return UsageError(f"{name} did not play this game.", hint=hint)
