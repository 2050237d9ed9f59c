"""Ways to give scores to `vaultkit log`: flags, a file or filled sheets.

A table of scores (CSV, TSV or Markdown) is read by `score_table_file`.

On the command line: `--score "Ysolde: swords=23/1, stars=7/0, forfeited"`. In a TOML file, for `log --from FILE.toml`:

game = "dragon-citadel"
date = 2026-11-03
outcome = "party"
note = "Sefa gave her potion to Bram."

[options]
mode = "coop"

[[players]]
name = "Ysolde"
swords = "23/1"                     # the parts of a row as on the sheet, or:
stars = {total = 7, heroes = 0}
points = [18, 0, -48]               # round by round, in a game with rounds; or "18/0/-48"
crowns = 2
forfeited = false
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

from msgspec import Struct

from vaultkit.campaign.dates import absolute_day, read_date
from vaultkit.campaign.scoresheets.answer_parser import group_rows
from vaultkit.campaign.scoresheets.input_examples import line_key, player_questions, score_flag
from vaultkit.campaign.scoresheets.paper_record import Flags, PaperRecord, PaperSeat, PaperWords, locate_errors
from vaultkit.campaign.scoresheets.score_table_file import is_table, read_table
from vaultkit.campaign.scoresheets.sheet_merge import DATE, FilledSheet, merge_sheets
from vaultkit.compendium.toml_tables import Steps, Tables, read_text, read_toml
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.question import Question
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.schema import SchemaError, convert_table
from vaultkit.session.options import all_options, settle
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.spelling import find_nearest
from vaultkit.stdio import DASH, stdin_starts_with
from vaultkit.text import lookalike_key

_EXAMPLE = '--score "Ysolde: swords=23/1, stars=7/0, crowns=2"'
_NUMBER = re.compile(r"[-+]?\d[\d./]*")
_DASH_AFTER_NAME = re.compile(r"\A([^=:]*[^\W\d])\s+[-–—]\s+(\S+)")
_NAME_AND_VALUE = re.compile(r"([^=:]*(?:[^\W\d_]|(?<![.\d])\d+(?=\s*[=:])))\s*[=:\s]\s*(\S+)")
"""The score of a player in one column: `Ysolde=120`, `Ysolde: 120`, `Ysolde 120` or `Guest 1: 120`."""


def read_flags(flags: Flags, sheets: ScoreSheets, read_pdf: Callable[[Path], FilledSheet]) -> PaperRecord:
    """Return the game that flags, a file or filled sheets describe; without seats if scores are to be asked for.

    Raises UsageError for flags that exclude each other, and if no game is named.
    """
    sheet = sheets.find(flags.game) if flags.game else None
    flag_record = from_flags(flags.scores, flags.outcome, sheet)
    if flags.files and flag_record.seats:
        raise UsageError("--from and --score cannot go together.", hint="Give all players' scores in one way.")
    if flags.seats and (flags.files or flags.scores):
        raise UsageError("--seat names who is asked; these scores have their names already.")
    record = _read_files(flags, sheets, read_pdf) if flags.files else flag_record
    game, note = find_sheet(flags, sheets, record).id, flags.note or record.note
    day = record.date if flags.date is None else PaperWords(flags.date)
    return replace(record, game=game, common={**record.common, **flag_record.common}, date=day, note=note, flags=flags)


def _read_files(flags: Flags, sheets: ScoreSheets, read_pdf: Callable[[Path], FilledSheet]) -> PaperRecord:
    """Return the game in a file or in filled sheets; with `--date`, dates on the sheets are ignored."""
    pdfs = [path.suffix.casefold() == ".pdf" or stdin_starts_with(path, b"%PDF-") for path in flags.files]
    if len(pdfs) > 1 and not all(pdfs):
        raise UsageError("Give a file of scores by itself; only filled sheets can be combined.")
    if folder := next((path for path in flags.files if path != DASH and path.is_dir()), None):
        hint = f'Name the files in it, such as: --from "{folder / "*.pdf"}"'
        raise InvalidError("This is a folder.", where=str(folder), hint=hint)
    if not all(pdfs):
        if flags.files[0].suffix.casefold() in _UNREADABLE_SUFFIXES:
            message = f"Scores are read from score sheets (PDF), .toml, .csv and .tsv files, not {flags.files[0].name}."
            hint = "A file to fill in: vaultkit log GAME --example > scores.toml. A sheet: vaultkit print scores GAME"
            raise InvalidError(message, where=str(flags.files[0]), hint=hint)
        return read_file(flags.files[0], sheets.find(flags.game) if flags.game else None)
    filled_sheets = [read_pdf(path) for path in dict.fromkeys(flags.files)]
    if flags.date is not None:
        filled_sheets = [
            replace(sheet, lines=[line for line in sheet.lines if line[0] != DATE]) for sheet in filled_sheets
        ]
    try:
        sheet = sheets.find(filled_sheets[0].game)
    except UsageError as error:
        message = "The scores of this sheet belong to no game that can be logged."
        hint = "Only the sheets of games can be: vaultkit games"
        raise InvalidError(message, where=filled_sheets[0].where, hint=hint) from error
    is_choice_game = sheet.definition.win == "chosen" and all(item.is_yes_no for item in sheet.definition.columns)
    return merge_sheets(filled_sheets, {option.key for option in all_options(sheet)}, all_named=is_choice_game)


def from_flags(scores: Iterable[str], outcome: str | None = None, sheet: ScoreSheet | None = None) -> PaperRecord:
    """Return the game that `--score` and `--outcome` describe, with the names of columns of the score sheet.

    A score without a name and a colon holds for all players, unless it ends with a value that only one column can
    have, as in `Ysolde 12`. Raises UsageError, with an example of a score, for one that cannot be parsed.
    """
    example = score_flag(sheet, settle(sheet, {})) if sheet else _EXAMPLE
    questions = tuple(player_questions(sheet, settle(sheet, {}))) if sheet else ()
    common: dict[str, PaperWords] = {} if outcome is None else {"outcome": PaperWords(outcome)}
    seats = []
    has_rounds = sheet is not None and sheet.definition.rounds is not None
    for score in chain.from_iterable(_split_players(" ".join(score.split()), sheet, questions) for score in scores):
        words = re.split(r"\s+(?!\d+\s*[=:])", score)  # `Guest 1:` is one
        hint = f"Write: {' '.join(read_spoken_scores(words, questions)) or example}"
        # the last colon before the first value: names and values may contain colons, too
        before_equals, equals, value = score.partition("=")
        name, colon, _ = before_equals.rpartition(":")
        if not colon and sheet and equals and _find_column(value, questions) and _is_name(before_equals, sheet):
            name, colon = before_equals, "="
        text = score[len(name + colon) :]
        values = [] if colon or "=" in score else _values_after_name(score, questions)
        if values:
            name, colon, text = score.removesuffix(" ".join(values)), " ", _separate_values(values, questions)
        is_literal = equals and colon == ":"
        if not is_literal and any(_is_value(word.strip(",;:"), questions) for word in name.split()[1:-1]):
            raise UsageError(f"--score '{score}' has a value within the name.", hint=hint)
        numbers = list(filter(_NUMBER.fullmatch, values))
        if len(numbers) == len(values) == 2 and _find_column(numbers[1], questions):
            flags = [_write_values(name.strip(), values, questions, has_rounds=has_rounds)]
            hint = ", or: ".join([*filter(None, flags), f'--score "{name}{values[0]}: {values[1]}"'])
            raise UsageError(f"--score '{score}' has two numbers.", hint=f"Write: {hint}")
        answers = _parse_pairs(text, f"{name.strip()}: {text}" if name else score, example, questions, has_rounds)
        if not colon:
            if not answers:
                raise UsageError(f"--score '{score}' cannot be parsed.", hint=f"Write: {example}")
            is_name = sheet and score[:1].isupper() and len(answers) == 1 and not _is_known(next(iter(answers)), sheet)
            if is_name or any(" " in key for key in answers):
                raise UsageError(f"--score '{score}' has no colon after the name.", hint=hint)
            common |= answers
        elif not name.strip():
            raise UsageError(f"--score '{score}' names nobody.", hint=f"Write: {example}")
        else:
            seats.append(PaperSeat(name.strip(), answers))
    return PaperRecord(common=common, seats=tuple(seats))


def _split_players(score: str, sheet: ScoreSheet | None, questions: Sequence[Question]) -> list[str]:
    """Return the scores of several players in one text such as `Ysolde=120, Bram: 3`, or the text alone.

    A dash between a name and a value becomes a colon.
    """
    scores = [_DASH_AFTER_NAME.sub(r"\1: \2", part.strip()) for part in re.split(r"[,;]", score)]
    matches = [_NAME_AND_VALUE.fullmatch(part) for part in scores]
    is_each_named = sheet is not None and all(
        match and _is_name(match[1], sheet) and _is_value(match[2], questions) for match in matches
    )
    return scores if is_each_named else [score]


def _values_after_name(score: str, questions: Sequence[Question]) -> list[str]:
    """Return the values at the end of a score such as `Ysolde White won`, whose first word is a name."""
    words = score.split()[1:]
    values = list(takewhile(lambda word: _is_value(word, questions) or _NUMBER.fullmatch(word), words[::-1]))[::-1]
    return values if len(values) != 1 or _is_value(values[0], questions) else []


def _is_value(word: str, questions: Sequence[Question]) -> bool:
    return _is_column(word, questions) or _find_column(word, questions) != ""


def _separate_values(values: Sequence[str], questions: Sequence[Question]) -> str:
    """Return values with commas between if each is that of another column, else with blanks."""
    columns = {_find_column(value, questions) or value for value in values if _is_value(value, questions)}
    return (", " if len(columns) == len(values) else " ").join(values)


def _is_name(word: str, sheet: ScoreSheet) -> bool:
    """Return whether a word is neither a column, an option, nor a misspelt one."""
    return not _is_known(word.strip(), sheet) and not find_nearest(word.strip().casefold(), _find_keys(sheet))


def _is_known(key: str, sheet: ScoreSheet) -> bool:
    """Return whether a key is a column or an option of a score sheet, or how the game ended."""
    questions = (*player_questions(sheet, settle(sheet, {})), *sheet.opening_questions(settle(sheet, {})))
    return key in map(lookalike_key, _find_keys(sheet)) or _is_column(key, questions)


def _find_keys(sheet: ScoreSheet) -> set[str]:
    rounds = sheet.definition.rounds
    return {*sheet.definition.by_id, *settle(sheet, {}), "outcome", *([rounds.key] if rounds else [])}


def _is_column(text: str, questions: Sequence[Question]) -> bool:
    return any(lookalike_key(text) in (lookalike_key(item.key), lookalike_key(item.row)) for item in questions)


def _find_column(text: str, questions: Sequence[Question]) -> str:
    """Return the key of the only column that can have a value such as `12` or `won`; "" if the text is a key itself."""
    value = lookalike_key(text)
    if _is_column(text, questions):
        return ""
    is_number = re.fullmatch(r"[-+]?\d[\d/.+*-]*", text.strip()) is not None
    columns = [item for item in questions if value in map(lookalike_key, item.choices)]
    columns = columns or [item for item in questions if is_number and not item.choices and not item.words]
    return line_key(columns, questions) if len(columns) == 1 else ""


def _parse_pairs(
    text: str, score: str, example: str, questions: Sequence[Question], has_rounds: bool
) -> dict[str, PaperWords]:
    """Parse the `key=value` pairs after the colon of `--score`; a key without a value means yes.

    A value without a key belongs to the column of `questions` that alone can have it.

    Raises UsageError, with the `example` of a score, for a pair without a key and for a key that occurs twice.
    """
    pairs: dict[str, PaperWords] = {}
    for piece in filter(str.strip, re.split(r"[,;]", text)):
        key, equals, value = map(str.strip, piece.partition("="))
        if not equals and (column := _find_column(key, questions)):
            key, equals, value = column, "=", key
        if not key or not (equals or re.fullmatch(r"[^\W\d][\w.-]*", key)):
            may_be_decimal_comma = key[:1].isdigit() and re.search("[,;]", text)
            comma_hint = "A comma begins the next column; halves are written as 7.5. " if may_be_decimal_comma else ""
            message = f"'{piece.strip()}' in --score '{score}' cannot be parsed."
            name = score.removesuffix(text).strip(" :")
            typed_values = _write_values(name, piece.split(), questions, has_rounds=has_rounds)
            raise UsageError(message, hint=f"{comma_hint}Write: {typed_values or example}")
        if lookalike_key(key) in pairs:
            raise UsageError(f"'{key}' appears twice in --score '{score}'.", hint="Say it once.")
        pairs[lookalike_key(key)] = PaperWords(value if equals else "yes")
    return pairs


def read_spoken_scores(words: Sequence[str], questions: Sequence[Question]) -> list[str]:
    """Return the flags for words such as `Guest 1`, `120`, `Bram=3`; [] if a word belongs to no name with a value.

    A value of one of the `questions` ends the name before it. Values of other questions may follow.
    """
    scores, name = list[tuple[str, dict[str, str]]](), list[str]()
    matches = [re.fullmatch(r"([^=:]+)[=:](.+)", word) for word in words]
    parts = chain.from_iterable(match.groups() if match else [word] for word, match in zip(words, matches, strict=True))
    for part in filter(None, (part.strip(" ,;=:–—") for part in parts if part != "-")):
        if not (column := _find_column(part, questions) or part * _is_column(part, questions)):
            name.append(part)
        elif name:
            scores.append((" ".join(name), {column: part}))
            name = []
        elif scores and column not in scores[-1][1]:
            scores[-1][1][column] = part
        else:
            return []
    return [] if name else [f'--score "{name}: {", ".join(values.values())}"' for name, values in scores]


def _write_values(name: str, values: Sequence[str], questions: Sequence[Question], *, has_rounds: bool) -> str:
    """Return the flag for values that were typed with blanks between, "" if it is not clear what they belong to."""
    joined = "/".join(values)
    if len(values) < 2 or not re.fullmatch(r"[-+\d./]+", joined):
        return ""
    column = _find_column(joined, questions) if has_rounds else ""
    pairs = [f"{column}={joined}"] if column else []
    if not column and len(values) <= len(questions):
        texts = dict(zip((question.key for question in questions), values, strict=False))
        rows = [[item for item in row if item.key in texts] for row in group_rows(questions)]
        pairs = [f"{line_key(row, questions)}={'/'.join(texts[item.key] for item in row)}" for row in rows if row]
    return f'--score "{name or "NAME"}: {", ".join(pairs)}"' if pairs else ""


def find_sheet(flags: Flags, sheets: ScoreSheets, record: PaperRecord) -> ScoreSheet:
    """Return the score sheet of the game. Raises UsageError if no game is named, InvalidError if two are."""
    if not (record.game or flags.game):
        date_option = f" --date {flags.date}" if flags.date else ""
        raise UsageError("Which game was it?", hint=f"Name it: vaultkit log GAME{date_option}. Games: vaultkit games")
    with locate_errors(record.where):
        sheet = sheets.find(record.game or flags.game or "")
    if flags.game is not None and (flag_sheet := sheets.find(flags.game)).id != sheet.id:
        raise InvalidError(f"These scores are of {sheet.title}, not of {flag_sheet.title}.", where=record.where)
    return sheet


def split_files(words: Sequence[str], files: Sequence[Path]) -> tuple[list[str], tuple[Path, ...]]:
    """Return the words that are no files, and all files.

    Files among the words count: a shell expands `--from *.pdf` to `--from one.pdf two.pdf`.
    """
    paths = [path for path in map(Path, words) if path == DASH or path.suffix.casefold() in _FILE_SUFFIXES]
    return [word for word in words if Path(word) not in paths], (*files, *paths)


_UNREADABLE_SUFFIXES = (".xlsx", ".xls", ".ods", ".json", ".docx", ".md")
_FILE_SUFFIXES = (".pdf", ".toml", ".csv", ".tsv", ".txt", *_UNREADABLE_SUFFIXES)
"""The ends of names of files, those from which no scores can be read included."""


def take_date(words: Sequence[str], today: date, find_order: Callable[[], str] = str) -> tuple[str | None, list[str]]:
    """Return the day that the first or the last words say, such as `last friday`, and the other words.

    For `03/11/2026`, `find_order` returns which part comes first, "day" or "month".
    """
    for count in range(min(len(words), _MAX_DATE_WORDS), 0, -1):
        for text, rest in ((words[-count:], words[:-count]), (words[:count], words[count:])):
            with suppress(UsageError):
                return read_date(absolute_day(" ".join(text), today, find_order)).isoformat(), [*rest]
    return None, [*words]


_MAX_DATE_WORDS = 4
"""The maximum number of words of a date, as in `day before yesterday`, or `3rd of november 2026`."""


_EXAMPLE_HINT = "See what belongs there: vaultkit log GAME --example"


def read_file(path: Path, sheet: ScoreSheet | None = None) -> PaperRecord:
    """Return the game in a file: TOML, or a table of scores of the game with the `sheet`.

    Raises InvalidError, with the line, for invalid TOML or unexpected content, and UsageError for a table of scores if
    no game was named.
    """
    hint = "Only scores in TOML, CSV or TSV, saved as UTF-8, and filled score sheets (.pdf) can be read."
    if not (text := read_text(path, str(path), hint)).strip():
        raise InvalidError("This file is empty.", where=str(path), hint=_EXAMPLE_HINT)
    if path.suffix.casefold() not in _TABLE_SUFFIXES and not (path.suffix.casefold() != ".toml" and is_table(text)):
        return from_toml(text, str(path))
    if sheet is None:
        raise UsageError("Which game was it?", hint=f"A table does not say it: vaultkit log GAME --from {path}")
    return read_table(text, str(path), sheet)


_TABLE_SUFFIXES = (".csv", ".tsv")


def from_toml(text: str, where: str) -> PaperRecord:
    """Return the game in the text of the file `where`. Raises InvalidError with the line."""
    file = read_toml(text, where, _EXAMPLE_HINT)
    with file.locate_errors(_EXAMPLE_HINT):
        settings = convert_table(file.table, _ScoresFile)
        if not isinstance(file.table.get(DATE, ""), str | date):
            raise SchemaError((DATE,), f"'{DATE}' must be a date such as 2026-11-03.")
        common = {key: value for key, value in file.table.items() if key not in _ScoresFile.__struct_fields__}
        words = dict(_read_words(file, (), common))
        seats = tuple(_read_seat(file, ("players", number), player) for number, player in enumerate(settings.players))
    day = words.pop("date", None)
    return PaperRecord(settings.game, day, settings.options, words, seats, settings.note, where=where)


class _ScoresFile(Struct):
    """The keys of a TOML file of scores that are not answers."""

    game: str = ""
    note: str = ""
    options: dict[str, str | int | float | bool] = {}
    players: tuple[dict[str, Any], ...] = ()


def _read_seat(file: Tables, steps: Steps, player: Mapping[str, object]) -> PaperSeat:
    """Return the player in the table at the key path `steps`. Raises SchemaError for one without a name."""
    if not isinstance(name := player.get("name"), str) or not name.strip():
        raise SchemaError(steps, "A player has no name.", 'Write: name = "Ysolde"')
    answers = {key: value for key, value in player.items() if key != "name"}
    return PaperSeat(name.strip(), dict(_read_words(file, steps, answers)), where=file.place(steps))


def _read_words(
    file: Tables, steps: Steps, table: Mapping[str, object], key_prefix: str = ""
) -> Iterator[tuple[str, PaperWords]]:
    """Yield the answers in a table and its subtables, with dotted keys that begin with `key_prefix`.

    `steps` is the table's key path in the file. Raises SchemaError for a value that is no number, text or date.
    """
    for key, value in table.items():
        name, key_steps = f"{key_prefix}{key}", (*steps, key)
        if isinstance(value, dict):
            yield from _read_words(file, key_steps, value, f"{name}.")
            continue
        day = value.date() if isinstance(value, datetime) else value
        items = value if isinstance(value, list) else [str(day) if isinstance(day, date) else day]
        if not items or not all(isinstance(item, str | int | float) for item in items):
            raise SchemaError(key_steps, f"'{name}' must be a number, a text in quotes, or a list of them.")
        texts = [("no", "yes")[item] if isinstance(item, bool) else str(item) for item in items]
        yield lookalike_key(name), PaperWords("/".join(texts), file.place(key_steps))
