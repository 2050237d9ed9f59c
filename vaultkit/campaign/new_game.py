"""Creation and change of a game's definition from a few answers of the GM, as a file in `.vaultkit/games/`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, count, takewhile
from typing import Any

from vaultkit.campaign.players import read_player_range, split_names
from vaultkit.compendium.own_games import RawSheet, game_id, raw_sheets
from vaultkit.compendium.toml_tables import Tables
from vaultkit.errors import InvalidError, UsageError
from vaultkit.files import parse_toml
from vaultkit.games.definition_reader import definition_text, raw_definition
from vaultkit.games.question import MAX_SCORE
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.schema import SchemaError
from vaultkit.session.scoresheets import ScoreSheets, names_of, sheet_of
from vaultkit.text import (
    JOINERS,
    capitalize_first,
    is_game_id,
    lookalike_key,
    quote_word,
    slug,
)
from vaultkit.vault import Note, Vault
from vaultkit.vault.file_names import is_device
from vaultkit.vault.writing.escape import clean_line
from vaultkit.vault.writing.splice import Splice, rewrite
from vaultkit.vault.writing.write import Writer, plan_and_commit

_NUMBER_WORDS, _YES_OR_NO = {"", "number", "a number"}, "yes or no"
WAYS_TO_WIN = ("highest", "lowest", "co-op", "chosen")
_ROUNDS = re.compile(r"(.*?)(?: (\d{1,4}))?", re.DOTALL)
"""The word for a round, and for how many of them the sheet has room."""
_HEADER = re.compile(r"^\[\[?(\w+)\]\]?[^\n]*$", re.MULTILINE)
_Columns = list[dict[str, Any]]


@dataclass(frozen=True)
class NewGame:
    """The GM's answers that define a game, or change the definition `base`.

    `players` is the number of players, such as `2-4`; `rounds` is the name of a round, "" for a game without rounds, or
    `deal 20` for a sheet with room for 20. If `negative` is true, numbers can be below 0, and if it is a text, those of
    the columns that it names. Each of `ties` is a formula, or `most` or `fewest` with a column.

    A column is one line of text: `Points` takes a number, `Honest?` yes or no, `Prize: ribbon, cake` one of the listed
    words, and `Score = 2 * points` is calculated. `Points: a number` and `Honest: yes or no` are equivalent to the
    first two. A line for a column of the `base` changes that column, and `-Points` deletes it.
    """

    title: str
    players: str
    columns: Sequence[str]
    win: str = "highest"
    rounds: str = ""
    negative: bool | str = False
    ties: Sequence[str] = ()
    target: str = ""
    chosen_id: str = ""
    base: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_definition(cls, raw: RawSheet) -> "NewGame":
        """Return the answers that a definition gives, so that they can be changed. Raises InvalidError."""
        with raw.tables.locate_errors():
            definition = raw_definition(raw.tables.table)
        fewest, most = definition.players
        return cls(
            definition.title,
            f"{fewest}-{most}" if fewest != most else str(fewest),
            (),
            definition.win,
            definition.rounds.name if definition.rounds else "",
            ties=definition.ties,
            target="" if definition.target is None else str(definition.target),
            chosen_id=raw.game,
            base=raw.tables.table,
        )

    @property
    def id(self) -> str:
        return self.chosen_id or game_id(self.title)

    def __post_init__(self) -> None:
        """Refuse an unknown way to win and an invalid id, before anything else is asked. Raises UsageError."""
        if self.win not in WAYS_TO_WIN:
            raise UsageError(f"'{self.win}' is not a way to win.", hint=f"Accepted: {', '.join(sorted(WAYS_TO_WIN))}.")
        if self.chosen_id and (not is_game_id(self.chosen_id) or is_device(self.chosen_id)):
            hint = f"Lower-case letters and digits of any script, and hyphens. For example: {game_id(self.chosen_id)}"
            raise UsageError(f"'{self.chosen_id}' is not an id of a game.", hint=hint)

    @property
    def sheet(self) -> ScoreSheet:
        """The score sheet. Raises UsageError for an answer that is not valid."""
        try:
            return sheet_of(RawSheet(self.id, Tables(self.path, self.table)))
        except InvalidError as error:
            raise UsageError(error.message, hint=error.hint) from error

    @property
    def checked(self) -> "NewGame":
        """The game itself. Raises UsageError for an answer that is not valid."""
        self.sheet  # noqa: B018
        return self

    @property
    def hidden(self) -> str:
        """The title of vaultkit's own game that has the same name and is replaced by this one; "" for none."""
        names, shipped_sheets = {self.id, lookalike_key(self.title)}, ScoreSheets(None).defined.values()
        return next((sheet.title for sheet in shipped_sheets if names & names_of(sheet.info)), "")

    @property
    def path(self) -> str:
        return f".vaultkit/games/{self.id}.toml"

    @property
    def table(self) -> Mapping[str, Any]:
        """The definition as plain tables. Raises UsageError for an invalid number of players."""
        player_count = len(split_names([self.players])) if "," in self.players else 0
        player_range = (player_count, player_count) if player_count else read_player_range(self.players)
        if not player_range:
            raise UsageError(f"'{self.players}' is not a number of players.", hint="Write it as 3, or as 2-4.")
        fewest, most = player_range
        if most < fewest:
            hint = f"Write it as {most}-{fewest}."
            raise UsageError(f"'{self.players}' is not a number of players: the fewest come first.", hint=hint)
        if self.rounds and not any(map(str.isalpha, self.rounds)):
            hint = "Write a word such as deal or hole; scores go on for as many rounds as you play. Without rounds: -"
            raise UsageError(f"A round cannot be called '{self.rounds}'.", hint=hint)
        base, columns = dict(self.base), self._columns()
        word, number = _ROUNDS.fullmatch(_clean(self.rounds)).groups()  # type: ignore[union-attr]
        room = {"most": int(number)} if number else {}
        rounds = {"rounds": {**base.pop("rounds", {}), "name": word, **room}} if self.rounds else {}
        for key in ("rounds", "ties", "target"):
            base.pop(key, None)
        names = _names_of_columns(columns)
        ties = {"ties": [_tie_formula(text, names) for text in self.ties]} if self.ties else {}
        target = {"target": _target(self.target, names)} if self.target else {}
        title, players = _clean(self.title), [*player_range]
        title = capitalize_first(title) if title.islower() else title
        fixed = {"title": title, "players": players, "win": self.win, "columns": columns}
        return {**base, **fixed, **rounds, **ties, **target}

    @property
    def text(self) -> str:
        """The text of the definition's file. Raises UsageError for an invalid answer."""
        about = f"# {clean_line(self.title)}, as a score sheet. Check it with `vaultkit games check`."
        try:
            return f"{about}\n\n{definition_text(raw_definition(self.table))}"
        except SchemaError as error:
            raise UsageError(error.message, hint=error.hint) from error

    def _columns(self) -> _Columns:
        """Return the columns of the base as plain tables, with the changes that the lines make."""
        columns: _Columns = [dict(column) for column in self.base.get("columns", ())]
        base_ids = {column.get("id") for column in columns}
        for line in chain.from_iterable(_split_titles(line, columns) for line in self.columns):
            column, own_title = _parse_column(line, columns), line.removeprefix("-").strip()
            if line.startswith("-") and any(_is_called(item, own_title) for item in columns):
                columns = [item for item in columns if not _is_called(item, own_title)]
            elif existing := next((c for c in columns if c["id"] in base_ids and _is_called(c, column["title"])), None):
                others = {key: value for key, value in existing.items() if key not in ("takes", "formula", "worth")}
                columns[columns.index(existing)] = {**others, **column, "id": existing["id"]}
            else:
                columns.append(column)
        if self.negative:
            words = [] if self.negative is True else str(self.negative).split(",")
            if wrong := next((word for word in words if not any(_is_called(column, word) for column in columns)), ""):
                hint = f"Columns: {', '.join(str(column['title']) for column in columns)}."
                raise UsageError(f"There is no column '{wrong.strip()}'.", hint=hint)
            below_zero = [item for item in columns if _is_number(item) and (not words or _is_called(item, *words))]
            columns = [{"least": -MAX_SCORE, **item} if item in below_zero else item for item in columns]
        names = _names_of_columns(columns)
        return [
            {**column, "formula": _use_ids(column["formula"], names)} if "formula" in column else column
            for column in columns
        ]


def refuse_taken_name(game: NewGame, vault: Vault, own_path: str = "", *, force: bool = True) -> None:
    """Raise UsageError if the vault has a definition, other than the one at `own_path`, with a game's id or title.

    Without `force` a game that comes with vaultkit is not replaced either.
    """
    names = {lookalike_key(game.id), lookalike_key(game.title)}
    others = (raw for raw in raw_sheets(vault) if not raw.ours and raw.tables.where != own_path)
    if other_sheet := next((raw for raw in others if names & raw.names), None):
        by_id = lookalike_key(game.title) not in other_sheet.names
        message = f"There is a game '{game.id if by_id else game.title}' already."
        id_hint = " Or choose another id: --id" * by_id
        hint = f"Change it with: vaultkit games edit {other_sheet.game}. It is {other_sheet.tables.where}.{id_hint}"
        raise UsageError(message, hint=hint)
    if game.hidden and not force:
        command = f"vaultkit games edit {quote_word(game.hidden)}"
        hint = f"Change a copy of it: {command}. To replace it in this vault, add --force."
        raise UsageError(f"{game.hidden} comes with vaultkit already.", hint=hint)


def write_game(game: NewGame, vault: Vault, *, now: datetime, dry_run: bool = False) -> tuple[str, str]:
    """Write the definition of a new game; return its path and the `diff`.

    Raises UsageError for invalid answers and for a game that the vault defines already; nothing is written then.
    """
    path = game.checked.path

    def plan(fresh: Vault) -> tuple[str, Writer]:
        refuse_taken_name(game, fresh)
        writer = Writer(fresh, f"games new {game.title}", now)
        writer.create(path, game.text)
        writer.check(path)
        return writer.diff(), writer

    diff, _ = plan_and_commit(vault, plan, dry_run=dry_run)
    return path, diff


def find_definition(sheets: ScoreSheets, vault: Vault, name: str, *, accept_notes: bool = False) -> RawSheet:
    """Return the definition of a game that can be changed, by its id, title or alias, even if it is faulty.

    Raises UsageError for an unknown game, and for one whose definition is code or, unless accepted, in a note.
    """
    key, definitions = lookalike_key(name), list(raw_sheets(vault))
    raw = next((raw for raw in definitions if key in raw.names), None)
    if raw is None:
        info = sheets.find_info(name)
        raw = next((raw for raw in definitions if raw.game == info.id), None)
        if raw is None:
            raise UsageError(f"{info.title} has rules of its own: its score sheet cannot be changed.")
    if raw.tables.above and not accept_notes:
        message = f"{raw.title} is defined in a note: {raw.tables.where}."
        raise UsageError(message, hint="Change its property there. Then: vaultkit games check")
    return raw


def change_game(game: NewGame, raw: RawSheet, vault: Vault, *, now: datetime, dry_run: bool = False) -> tuple[str, str]:
    """Write the changed definition of a game; return its path and the `diff`, "" if nothing changes.

    The definition of a game that comes with vaultkit is copied into the vault. Comments of parts that do not change
    stay. Raises UsageError for invalid answers; nothing is written then.
    """
    old_text = "\n".join((*raw.tables.lines, ""))
    new_text = merge_definition_text(old_text, game.checked.text)
    path = game.path if raw.ours else raw.tables.where

    def plan_splice(note: Note) -> Splice | None:
        return rewrite(note, merge_definition_text(note.text, game.text).replace("\r\n", "\n"))

    def plan(fresh: Vault) -> tuple[str, Writer]:
        refuse_taken_name(game, fresh, path)
        writer = Writer(fresh, f"games edit {game.id}", now)
        if raw.ours:
            writer.create(path, new_text)
        else:
            writer.change(path, plan_splice)
        return writer.diff(), writer

    diff, _ = plan_and_commit(vault, plan, dry_run=dry_run)
    return path, diff


def merge_definition_text(old_text: str, new_text: str) -> str:
    """Return a definition's new text with each part as it stands in the old one, comments included, if it is equal."""
    old, new = old_text.replace("\r\n", "\n"), raw_definition(parse_toml(new_text))
    canonical = definition_text(raw_definition(parse_toml(old)))
    canonical_parts, old_parts = _split_parts(canonical), _split_parts(old)
    if canonical == definition_text(new):
        return old_text
    if sorted(header for header, _ in old_parts) != sorted(header for header, _ in canonical_parts):
        return new_text
    queues: dict[str, list[str]] = {}
    for header, text in old_parts:
        queues.setdefault(header, []).append(text)
    old_by_part = {(header, text.strip()): queues[header].pop(0) for header, text in canonical_parts}
    parts = _split_parts(definition_text(new))
    comments = "".join(takewhile(lambda line: line.startswith("#") or not line.strip(), old.splitlines(keepends=True)))
    parts[0] = ("", comments + parts[0][1]) if ("", parts[0][1].strip()) not in old_by_part else parts[0]
    merged = "\n".join(old_by_part.get((header, text.strip()), text).strip("\n") + "\n" for header, text in parts)
    is_equal = definition_text(raw_definition(parse_toml(merged))) == definition_text(new)
    return merged if is_equal else new_text


def _split_parts(text: str) -> list[tuple[str, str]]:
    """Return the parts of a TOML text, each with its header, "" for what stands above the first one."""
    starts = [match.start() for match in _HEADER.finditer(text)]
    pieces = [text[start:end] for start, end in zip([0, *starts], [*starts, len(text)], strict=True)]
    headers = ["", *(piece.partition("\n")[0].partition("#")[0].strip() for piece in pieces[1:])]
    return list(zip(headers, pieces, strict=True))


def _split_titles(line: str, columns: _Columns) -> list[str]:
    """Return the titles in a line such as `Bid, Tricks, Points`, or the line itself if it has a colon or a formula."""
    titles = [title for title in map(str.strip, line.split(",")) if title]
    is_list = len(titles) > 1 and not re.search("[:=]", line) and not line.startswith("-")
    return titles if is_list and not any(_is_called(column, line) for column in columns) else [line]


def _parse_column(line: str, columns: _Columns) -> dict[str, Any]:
    """Return the column of a line as a plain table; `columns` are the ones before it.

    Its id is made from the title, or is `column_2` if the title has letters but does not begin with an English one.
    """
    title, separator, rest = map(str.strip, line.partition("=" if "=" in line else ":"))
    key = slug(title, "_")
    if any(map(str.isalpha, title)) and not key[:1].isalpha():
        used = {column.get("id") for column in columns}
        key = next(name for number in count(len(columns) + 1) if (name := f"column_{number}") not in used)
    column: dict[str, Any] = {"id": key, "title": _clean(title)}
    if separator == "=":
        column["formula"] = _clean(rest)
    elif rest.casefold() == _YES_OR_NO or (title.endswith("?") and not rest):
        column["takes"] = _YES_OR_NO
    elif rest.casefold() not in _NUMBER_WORDS:
        column["takes"] = [_clean(word.strip()) for word in rest.split(",") if word.strip()]
    return column


def _is_called(column: Mapping[str, Any], *texts: str) -> bool:
    """Return whether one of the texts is the title or the id of a column."""
    names = {lookalike_key(str(column.get(key, ""))) for key in ("id", "title")}
    return not names.isdisjoint(map(lookalike_key, texts))


def _is_number(column: Mapping[str, Any]) -> bool:
    return "formula" not in column and column.get("takes", "number") == "number"


def _names_of_columns(columns: _Columns) -> Mapping[str, str]:
    """Return the ids of columns by their titles in lower case."""
    return {str(column.get("title", "")).rstrip("?: ").casefold(): str(column.get("id", "")) for column in columns}


def _use_ids(formula: str, names: Mapping[str, str]) -> str:
    """Return a formula in which titles of columns are replaced by ids: `2 * Big Geese` becomes `2 * big_geese`."""
    titles = sorted((title for title in names if title and title not in names.values()), key=len, reverse=True)
    if not titles:
        return formula
    pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, titles))})(?![\w.])", re.IGNORECASE)
    return pattern.sub(lambda match: names.get(match[0].casefold(), match[0]), formula)


def _tie_formula(text: str, names: Mapping[str, str]) -> str:
    """Return the formula for words such as `most food` or `fewest cards`."""
    match = re.match(r"(most|highest|fewest|least|lowest)\s+", text, re.IGNORECASE)
    formula = _use_ids(_clean(text[match.end() if match else 0 :]).strip(), names)
    is_reversed = match and match[1].casefold() in ("fewest", "least", "lowest")
    if not is_reversed:
        return formula
    return f"-{formula}" if formula.isidentifier() else f"-({formula})"


def _target(text: str, names: Mapping[str, str]) -> int | float | str:
    """Return a target as a number, or as the id of a column."""
    number = text.replace(",", ".").strip()
    if re.fullmatch(r"-?\d{1,6}", number):
        return int(number)
    column = _use_ids(text.strip(), names)
    if not re.fullmatch(r"-?\d{1,6}\.\d{1,2}", number) and column not in names.values():
        hint = f"Write the score that ends the game, such as --target 100, or a column: {', '.join(names)}."
        raise UsageError(f"'{text}' is not a target.", hint=hint)
    return column if column in names.values() else float(number)


def _clean(text: str) -> str:
    """Return a text with a blank for each sign that cannot be printed."""
    return "".join(letter if letter.isprintable() or letter in JOINERS else " " for letter in text)
