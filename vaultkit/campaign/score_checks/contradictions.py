"""Contradictions in the notes of logged games: totals, properties and winners that do not follow from the scores."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from vaultkit.campaign.logged_game import GAME_SCORE, GameReader, PlayedGame, name_list
from vaultkit.campaign.property_names import SCORE_PREFIX, score_keys
from vaultkit.campaign.score_checks.note_tally import ScoreCell, note_cells, read_tally
from vaultkit.campaign.score_table import find_edited_totals
from vaultkit.errors import InvalidError, Problem, UsageError, VaultkitError
from vaultkit.games.messages import Score, Seat, first_ranked, rank_standings
from vaultkit.games.question import to_number
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ENDINGS, ScoreSheet
from vaultkit.key_lines import find_key_line
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.settings import load
from vaultkit.text import join_words
from vaultkit.vault import Note, Vault
from vaultkit.vault.text_positions import LINE_END
from vaultkit.vault.writing.escape import escape_markdown
from vaultkit.vault.writing.properties import Value, set_property
from vaultkit.vault.writing.splice import Splice, join_splices

_MAX_LISTED_FAULT_COUNT = 3
"""The maximum number of contradictions that a message lists."""
_LINE_TEXT = re.compile(r"[^\r\n]*")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass
class Contradictions:
    """The contradictions in the note of a game, and the cells and properties that resolve them.

    Each of `faults` is a sentence with the line of its table, 0 for a property.
    """

    note: Note
    game: PlayedGame
    faults: list[tuple[str, int]] = field(default_factory=list)
    cells: list[Splice] = field(default_factory=list)
    properties: dict[str, Value] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.faults)

    @property
    def message(self) -> str:
        """One sentence on all contradictions, of which the first ones are listed."""
        rest = len(self.faults) - _MAX_LISTED_FAULT_COUNT
        sentences = [sentence for sentence, _ in self.faults[:_MAX_LISTED_FAULT_COUNT]]
        sentences += [f"{rest} more"] if rest > 0 else []
        return f"The scores of this game make another result: {join_words(sentences)}."

    @property
    def line(self) -> int:
        """The line number of the first contradiction in a table, or else in a property."""
        property_line, _ = find_key_line(LINE_END.split(self.note.head), tuple(self.properties)[:1])
        return next((line for _, line in self.faults if line), property_line)

    def resolve(self) -> Note:
        """Return the note without its contradictions. Raises WriteError if a property cannot be changed safely."""
        note = self.note
        if self.cells:
            note = note.with_text(join_splices(note.text, self.cells).apply(note.text))
        for name, value in self.properties.items():
            if splice := set_property(note, name, value):
                note = note.with_text(splice.apply(note.text))
        return note

    def compare_cell(self, cell: ScoreCell, number: Score) -> None:
        """Compare a cell with the number that follows from the other cells."""
        if cell.number == number:
            return
        place = f" in {cell.round_number}" if cell.round_number else ""
        name, old_text = self.game.participants[cell.seat].name, cell.text or "empty"
        fault = f"{cell.column.title} of {name}{place} is {number}, not {old_text}"
        self.faults.append((fault, cell.row.line))
        if splice := _cell_splice(self.note, cell, escape_markdown(str(number))):
            self.cells.append(splice)

    def compare_scores(self, scores: Sequence[Score | None]) -> None:
        """Compare the players' scores with the properties."""
        keys = _score_keys_in_note(self.note, self.game)
        for participant, score, key in zip(self.game.participants, scores, keys, strict=True):
            if score is None or participant.score is None or round(participant.score - score, 2) == 0 or not key:
                continue
            self.faults.append((f"{key} is {score}, not {participant.score:g}", 0))
            self.properties[key] = score

    def compare_winners(self, winners: Sequence[Seat] | None, kind: str) -> None:
        """Compare the winners, and the kind of the outcome unless that is "", with what the note says."""
        if winners is None:
            return
        participants = self.game.participants
        note_winners = [participant.name for participant in participants if participant.won] + [*self.game.strangers]
        names = [participants[seat].name for seat in winners]
        if sorted(note_winners) != sorted(names):
            verb = "has" if len(names) == 1 else "have"
            words = f"{join_words(names) if names else 'nobody'} {verb if names else 'has'} won"
            self.faults.append((f"{words}, not {join_words(note_winners) if note_winners else 'nobody'}", 0))
            texts = name_list(self.note.property("players"))
            self.properties["winners"] = [texts[seat] for seat in winners if seat < len(texts)]
        is_old_name = self.game.outcome == "winner" and kind == "nobody"  # as older versions wrote it
        if kind and self.game.outcome != kind and self.game.outcome in ENDINGS and not is_old_name:
            self.faults.append((f"the outcome is '{kind}', not '{self.game.outcome}'", 0))
            self.properties["outcome"] = kind


def find_contradictions(note: Note, game: PlayedGame, sheet: ScoreSheet | None, vault: Vault) -> Contradictions:
    """Return the contradictions in the note of a game; none without a score sheet, or if the scores cannot be read.

    The numbers in the tables are taken as true, or without tables of all columns, the scores in the properties.
    """
    contradictions = Contradictions(note, game)
    if sheet is None:
        return contradictions
    cells = note_cells(note, game, sheet, vault)
    with suppress(InvalidError, UsageError):
        tally = read_tally(cells, sheet, game) if cells else None
        if tally is None:
            if sheet.definition.win in ("highest", "lowest"):
                contradictions.compare_winners(_winners_by_property(game, sheet), "")
            return contradictions
        outcome, computed = sheet.outcome(tally), sheet.compute_scores(tally)
        for cell in cells:
            if cell.is_derived(tally, sheet):
                number = to_number(computed.value(cell.column.key, cell.seat, cell.round_number))
                contradictions.compare_cell(cell, number)
        scores = [outcome.score(seat) for seat in range(len(game.participants))]
        contradictions.compare_scores(scores)
        contradictions.compare_winners(outcome.winners, outcome.kind)
    return contradictions


def _winners_by_property(game: PlayedGame, sheet: ScoreSheet) -> Sequence[Seat] | None:
    """Return the seats that have won by the scores in the properties, None if not every player has one."""
    scores = [participant.score for participant in game.participants]
    if len(scores) < 2 or None in scores:
        return None
    known_scores = [score for score in scores if score is not None]
    lowest = sheet.definition.win == "lowest"
    winners = first_ranked(rank_standings([-score for score in known_scores] if lowest else known_scores))
    return () if len(winners) == len(scores) else winners


def _cell_splice(note: Note, cell: ScoreCell, text: str) -> Splice | None:
    """Return the splice that writes a text into a cell, None if the cell is not written between pipes."""
    start = note.places.start(cell.row.line)
    line = _LINE_TEXT.match(note.text, start)
    text_line = line[0] if line else ""
    bounds = [match.start() for match in _PIPE.finditer(text_line)]
    bounds = bounds if text_line.lstrip(" \t>").startswith("|") else [-1, *bounds]
    bounds = bounds if text_line.rstrip().endswith("|") else [*bounds, len(text_line)]
    if cell.index + 1 >= len(bounds):
        return None
    first, last = bounds[cell.index] + 1, bounds[cell.index + 1]
    content = text_line[first:last].strip()
    if not content:
        return Splice(start + first, "", f" {text}")
    return Splice(start + text_line.index(content, first, last), content, text)


def _score_keys_in_note(note: Note, game: PlayedGame) -> list[str]:
    """Return the name of the property with the score of each player, "" for none.

    Properties with the former names of renamed players belong to them in order.
    """
    names = {name.lower(): name for name in note.properties if name.lower().startswith(SCORE_PREFIX)}
    keys = score_keys(participant.name for participant in game.participants)
    free_names = [name for key, name in names.items() if key not in keys]
    missing = [key for key in keys if key not in names]
    if free_names and len(free_names) == len(missing):
        names |= dict(zip(missing, free_names, strict=True))
    return [names.get(key, "") for key in keys]


class GameChecker:
    """A reader of the contradictions in the notes of a vault's games."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        party: tuple[str, ...] = ()
        with suppress(VaultkitError):  # faulty settings are a problem of their own
            party = tuple(load(vault.root).players)
        self._reader, self._sheets = GameReader(vault, party), ScoreSheets(vault)

    def read(self, note: Note) -> Contradictions:
        """Return the contradictions in the note of a game."""
        game = self._reader.read(self._vault.facts[note.path])
        return find_contradictions(note, game, find_sheet(game, self._sheets), self._vault)


def find_sheet(game: PlayedGame, sheets: ScoreSheets) -> ScoreSheet | None:
    """Return the score sheet that a game was logged with, else the current one; None for a built-in or unknown game."""
    if game.definition:
        with suppress(InvalidError):  # without that definition, the numbers in the note are used
            return sheets.find_by_definition(game.game, game.definition)
    return None if game.game in GAMES else sheets.defined.get(game.game)


def find_score_problems(contradictions: Contradictions, vault: Vault) -> Iterator[Problem]:
    """Yield the problem of a game's note whose parts contradict each other."""
    path = contradictions.note.path
    if contradictions:
        hint = "To derive the rest from the scores: vaultkit check --fix. To change the scores: vaultkit log --edit"
        yield Problem(path, contradictions.line, 1, GAME_SCORE, contradictions.message, hint, "warning")
        return
    for line, message in find_edited_totals(contradictions.note, contradictions.game, vault):
        hint = "The property counts. Correct the one that is wrong."  # also in Obsidian's Bases
        yield Problem(path, line, 1, GAME_SCORE, message, hint, "warning")
