"""Scores read from the score sheet in the note of a game, with all edits by hand, and the rolls that they earn."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.campaign.dragon_citadel.reward_table import RewardRow, RewardTable
from vaultkit.campaign.game_lookup import GameLookup, similar_game_hint, unlogged_hint
from vaultkit.campaign.logged_game import Participant, PlayedGame, find_originals
from vaultkit.campaign.score_table import PLAYER, ScoreTable, score_table
from vaultkit.compendium.decks import card_line
from vaultkit.compendium.words import VaultWords, load_readable_words
from vaultkit.errors import InvalidError, NothingFound, UsageError, VaultkitError
from vaultkit.games.dragon_citadel import INFO, rules
from vaultkit.games.options import Options
from vaultkit.session.session_ids import is_id
from vaultkit.text import format_count
from vaultkit.vault import Note, Vault
from vaultkit.vault.subpath import comparable_heading
from vaultkit.vault.tables import Row, TableBlock, markdown_tables
from vaultkit.vault.vault import not_downloaded_error
from vaultkit.vault.writing.history.entry import JOURNALS_FOLDER

CROWNS = "crowns"
SCORE_COLUMNS = (*rules.SUITS, CROWNS)
_MIN_SHEET_COLUMNS = 3
"""The lowest number of score columns with which a table counts as the score sheet; missing ones are then reported."""
_SUM = r"[0-9]{1,4}(?:\s*\+\s*[0-9]{1,4})*"
_CELL = re.compile(rf"(?=.)(?P<sum>{_SUM})?(?:(?:^|\s*\+\s*)(?P<heroes>[0-9]{{1,2}})\s*hero(?:e?s)?)?", re.IGNORECASE)
_DASHES = frozenset("-\u2013\u2014\u2212")
_DEFAULT_GAME_HINT = f"Without a name, the newest game of {INFO.title} is taken: vaultkit rewards"
_ROLLS = re.compile(r"[0-9]+ [x×] row [0-9]+")


@dataclass(frozen=True)
class PlayerScoreSheet:
    """One player's scores: `parts` has numbers by the keys `swords.total`, `swords.heroes` ... `crowns.count`.

    `line` is the row's line in the game's note, 0 if the scores come from the journal. `total` is the number in the
    row's column of totals, None if there is none.
    """

    player: Participant
    parts: Mapping[str, int]
    line: int = 0
    total: float | None = None


@dataclass(frozen=True)
class EarnedRolls:
    """Rolls on a row of the reward table: their `count`, and the score that earned them.

    `score` is the score in words, such as `Swords 17 + 1 hero`; `key` is its suit, such as `swords`, or CROWNS.
    """

    player: Participant
    key: str
    score: str
    count: int
    row: RewardRow


def find_earned_rolls(
    score_sheet: PlayerScoreSheet, table: RewardTable, options: Options
) -> Iterator[EarnedRolls | str]:
    """Yield the rolls that a score sheet earns, and a sentence for each score that no row covers (DC-33 to DC-35)."""
    rolls = rules.reward_parts(score_sheet.parts, options)
    for key in SCORE_COLUMNS:
        total = score_sheet.parts.get(f"{key}.total")
        number = rolls[f"{key}.row"] if key in rules.SUITS else score_sheet.parts["crowns.count"]
        row, score = table.row_of(total) if total else table.row_of_crowns(number), _format_score(score_sheet, key)
        if row and rolls[f"{key}.rolls"]:
            yield EarnedRolls(score_sheet.player, key, score, rolls[f"{key}.rolls"], row)
        elif rolls[f"{key}.rolls"]:
            yield f"{score_sheet.player.name} earns nothing for {score}: no row of the reward table has that score."


def _format_score(score_sheet: PlayerScoreSheet, key: str) -> str:
    """Return a score in words: `Swords 17 + 1 hero`, `3 Crowns`."""
    if key == CROWNS:
        return format_count(score_sheet.parts["crowns.count"], "Crown")
    heroes = score_sheet.parts[f"{key}.heroes"]
    heroes_suffix = {0: "", 1: " + 1 hero"}.get(heroes, f" + {heroes} heroes")
    return f"{key.capitalize()} {score_sheet.parts[f'{key}.total']}{heroes_suffix}"


def rank_players(scores: Sequence[PlayerScoreSheet], options: Options) -> tuple[Participant, ...]:
    """Return the players by rank, the champion first (DC-32); in competitive play, winners come before others."""

    def place(score_sheet: PlayerScoreSheet) -> tuple[bool, int, int, int]:
        is_winner, parts = score_sheet.player.won and options["mode"] == "competitive", score_sheet.parts
        return is_winner, rules.champion_score(parts, options), rules.hero_count(parts), parts["crowns.count"]

    return tuple(score_sheet.player for score_sheet in sorted(scores, key=place, reverse=True))


def read_scores(game: PlayedGame, vault: Vault) -> tuple[tuple[PlayerScoreSheet, ...], tuple[str, ...]]:
    """Return the scores of all participants, and the names in the score sheet that belong to no participant.

    The scores come from the table in the game's note, or from the game's journal if the note has none. Raises
    InvalidError with the line that cannot be read.
    """
    if not game.participants:
        hint = "List them in its property 'players'."
        raise InvalidError("This note does not say who played.", where=game.note, hint=hint)
    note = vault.read(game.note)
    english_suits, words = _english_suits(vault), load_readable_words(vault.root)
    sheets = (_find_score_sheet(block, note, english_suits, words) for block in markdown_tables(note))
    sheet = next(filter(None, sheets), None)
    if sheet is None:
        return _read_journal_scores(game, vault), ()
    rows = sheet.find_rows(game.participants, vault)
    scores = tuple(_read_row(sheet, player, row) for player, row in zip(game.participants, rows, strict=True))
    return scores, tuple(sheet.cell(row, PLAYER) for row in sheet.rows if row not in rows)


def _read_row(sheet: ScoreTable, player: Participant, row: Row | None) -> PlayerScoreSheet:
    """Return the scores in a player's row. Raises InvalidError if the row is missing or a score cannot be read."""
    if row is None:
        raise _invalid_sheet(sheet, sheet.line, f"The score sheet has no row for {player.name}.")
    numbers = [number for suit in rules.SUITS for number in _parse_cell(sheet, row, suit)]
    crowns, heroes = _parse_cell(sheet, row, CROWNS)
    if heroes:
        raise _invalid_score(sheet, row, CROWNS, "Crowns have no heroes.")
    parts = dict(zip(rules.COUNTED_PARTS, (*numbers, crowns), strict=True))
    return PlayerScoreSheet(player, parts, row.line, sheet.total(row))


def _parse_cell(sheet: ScoreTable, row: Row, column: str) -> tuple[int, int]:
    """Return the total and the heroes of a cell: `17 + 1 hero`, `8 + 9`, `1 hero`, a dash for nothing."""
    cell = sheet.cell(row, column)
    if cell in _DASHES:
        return 0, 0
    match = _CELL.fullmatch(cell)
    if match is None:
        raise _invalid_score(sheet, row, column, "Write a number, 0 for nothing, or a total with heroes: 17 + 1 hero.")
    return sum(map(int, re.findall("[0-9]+", match["sum"] or ""))), int(match["heroes"] or 0)


def _invalid_score(sheet: ScoreTable, row: Row, column: str, hint: str) -> InvalidError:
    cell = sheet.cell(row, column)
    message = f"'{cell}' is not a score" if cell else "There is no score"
    where = f"{sheet.note.path}:{row.line}"
    return InvalidError(f"{message}: {column.capitalize()} of {sheet.cell(row, PLAYER)}.", where=where, hint=hint)


def _english_suits(vault: Vault) -> dict[str, str]:
    """Return the English names of suits by their names in the vault's decks, both normalized for comparison."""
    deck_words = (card_line.own_words(facts) for facts in vault.note_facts if facts.property(card_line.SUITS))
    return {comparable_heading(word): comparable_heading(suit) for words in deck_words for suit, word in words.items()}


def _find_score_sheet(
    block: TableBlock, note: Note, english_suits: Mapping[str, str], words: VaultWords
) -> ScoreTable | None:
    """Return a table as the score sheet, or None if it is another table.

    Raises InvalidError if the score sheet lacks a column or a row is cut off.
    """
    table = score_table(block, note, words)
    if table:
        columns = {english_suits.get(head, head): column for head, column in table.columns.items()}
        table = replace(table, columns=columns)
    missing = [name for name in SCORE_COLUMNS if table and name not in table.columns]
    if table is None or len(SCORE_COLUMNS) - len(missing) < _MIN_SHEET_COLUMNS or _is_rewards_table(block, note):
        return None
    if missing:
        raise _invalid_sheet(table, table.line, f"The score sheet has no column {missing[0].capitalize()}.")
    last_column = max(table.columns[name] for name in (PLAYER, *SCORE_COLUMNS))
    if short_row := next((row for row in table.rows if len(row.cells) <= last_column), None):
        raise _invalid_sheet(table, short_row.line, "This row of the score sheet is cut off.")
    return table


def _is_rewards_table(block: TableBlock, note: Note) -> bool:
    """Return whether a table lists rewards; it has the columns of a score sheet, too."""
    headings_above = [heading.text for heading in note.headings if heading.line < block.header.line]
    in_cells = any(_ROLLS.search(cell) for row in block.rows for cell in row.cells)
    return in_cells or (bool(headings_above) and comparable_heading(headings_above[-1]) == "reward rolls")


def _invalid_sheet(table: ScoreTable, line: int, message: str) -> InvalidError:
    hint = "Correct the table: Player, Swords, Stars, Glyphs, Coins and Crowns, and a row for each of the players."
    return InvalidError(message, where=f"{table.note.path}:{line}", hint=hint)


def _read_journal_scores(game: PlayedGame, vault: Vault) -> tuple[PlayerScoreSheet, ...]:
    """Return the scores in the game's journal. Raises InvalidError if the journal does not have them either."""
    from vaultkit.session.journal import read
    from vaultkit.session.journal_files import find_journal

    try:
        path = find_journal(vault.root / JOURNALS_FOLDER, game.session) if is_id(game.session) else None
        end = read(path).end if path else None
    except VaultkitError:
        end = None
    scores = end.outcome.whole_scores if end else ()
    if len(scores) != len(game.participants):
        hint = "Give it a table with the columns Player, Swords, Stars, Glyphs, Coins and Crowns."
        raise InvalidError("This note has no score sheet.", where=game.note, hint=hint)
    parts = ({key: score.get(key, 0) for key in rules.COUNTED_PARTS} for score in scores)
    return tuple(PlayerScoreSheet(player, part) for player, part in zip(game.participants, parts, strict=True))


def find_game(vault: Vault, name: str, party: Sequence[str] = (), *, bots: bool = False) -> PlayedGame:
    """Return the game that `name` means: a session id, its last letters, or the name or path of its note.

    "" means the newest game that earns rewards: one that not only bots played, if there is one and bots earn nothing.
    `party` are the players of the settings. Raises NothingFound with suggestions, and UsageError for a game without
    rewards.
    """
    lookup = GameLookup(vault, party)
    if not name.strip():
        return _newest_game(lookup.originals, vault, bots=bots)

    def hint() -> str:
        similar = similar_game_hint(filter(has_rewards, lookup.games), name)
        return unlogged_hint(vault, name) or similar or _DEFAULT_GAME_HINT

    played_game = lookup.find(name, hint)
    if not has_rewards(played_game):
        message = f"Only {INFO.title} has rewards, and this was {played_game.title}."
        raise UsageError(message, where=played_game.note, hint=_DEFAULT_GAME_HINT)
    return played_game


def copy_remarks(game: PlayedGame, vault: Vault) -> Iterator[str]:
    """Yield a sentence for each copy of the game's note, such as sync tools leave."""
    for copy, original in find_originals(vault.note_facts)[1].items():
        if game.note in (copy, original):
            yield f"{copy}: the same game as {original}. {game.note} is used. Delete the wrong one."


def has_rewards(game: PlayedGame) -> bool:
    """Return whether a game is one of Dragon Citadel; if its note has lost its tag, the session id says so."""
    return game.game == INFO.id or (not game.game and f"-{INFO.id}-" in game.session)


def _newest_game(games: Iterable[PlayedGame], vault: Vault, *, bots: bool) -> PlayedGame:
    """Return the first of `games` that earns rewards, which is the newest. Raises NothingFound if there is none.

    Unless `bots` earn rewards, games that only bots played come last.
    """

    def is_played_by_bots(game: PlayedGame) -> bool:
        return not bots and bool(game.participants) and not game.people

    rewarded_games = sorted(filter(has_rewards, games), key=is_played_by_bots)
    newest = next(iter(rewarded_games), None)
    _refuse_newer_game_in_icloud(vault, newest)
    if newest is None:
        hint = f"Play one with: vaultkit play {INFO.id}. One at the table is written down with: vaultkit log {INFO.id}"
        raise NothingFound(f"No game of {INFO.title} has a note in this vault yet.", where=str(vault.root), hint=hint)
    return newest


def _refuse_newer_game_in_icloud(vault: Vault, newest: PlayedGame | None) -> None:
    """Raise InvalidError if a note in the cloud has the name of a game of the day of `newest`, or later."""
    name = re.compile(rf"(?:.*/)?(\d{{4}}-\d{{2}}-\d{{2}}) {re.escape(INFO.title)} \d+\.md", re.IGNORECASE)
    day = newest.date.isoformat() if newest and newest.date else ""
    for path in vault.listing.evicted:
        if (match := name.fullmatch(path)) and match[1] >= day:
            raise not_downloaded_error(path)
