"""The saved games and matches of a vault: those played in vaultkit, and those recorded from paper."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice, takewhile
from operator import itemgetter
from pathlib import Path

from vaultkit.campaign.scoresheets.paper_game import SavedTally, find_tally, saved_tallies
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.session.journal_files import delete_journal, find_journal, is_open_elsewhere
from vaultkit.session.journal_store import SavedJournal, Store
from vaultkit.session.match import find_match, match_paths, read_match

_MAX_SUGGESTED_GAME_COUNT = 3
_MAX_DIGIT_COUNT = 3
"""The maximum number of digits of a number in the list of games; the ending of an id has four characters."""


@dataclass(frozen=True)
class SavedGame:
    """One saved game.

    `started` is a time in ISO form, or only a day for the scores of a game from paper; None if the file is damaged.
    `moves` counts moves, or entries of a game from paper. `problem` says what is wrong with the file; if `game` is set,
    the other fields can be used all the same. `match` is the highest number of games of a match, None for a single
    game.
    """

    session: str
    game: str | None
    standing: str
    moves: int
    started: str | None
    seats: tuple[str, ...]
    problem: str | None
    match: int | None = None


def saved_games(journals: Path) -> Iterator[SavedGame]:
    """Yield the games in the folder of journals, with each match as one game, and the games from paper at the end.

    A game that shall not be logged is left out until its first move.
    """
    matches = match_paths(journals)
    remaining_ids = set(matches)
    for saved in Store(journals).list_journals():
        match_id = saved.id.rpartition("-")[0]
        if match_id in remaining_ids:
            yield _saved_match(matches[match_id])
        elif match_id not in matches and not _is_unused(saved):
            yield _saved_journal(saved)
        remaining_ids.discard(match_id)
    yield from (_saved_match(matches[match]) for match in sorted(remaining_ids))
    yield from (
        game for tally in saved_tallies(journals) if (game := _saved_paper_game(tally)).moves or _is_listed(tally)
    )


def find_numbered_id(journals: Path, name: str) -> str:
    """Return the id of the game that a number counts in the list of games, 1 for the first; else `name`."""
    word = name.strip()
    if not (word.isdecimal() and len(word) <= _MAX_DIGIT_COUNT):
        return name
    games = list(saved_games(journals))
    return games[int(word) - 1].session if 1 <= int(word) <= len(games) else name


def find_game_to_resume(journals: Path) -> tuple[str, tuple[str, ...]]:
    """Return the id of the unfinished game that began last, and the later ones that another process plays.

    If all of them are open elsewhere, the id is that of the last one, and no others are returned. Raises NothingFound
    without an unfinished game.
    """
    games = sorted(_running_games(journals), key=itemgetter(0), reverse=True)  # of one second: as in the list of games
    ids = [id_ for _, id_ in games]
    if not ids:
        raise NothingFound("There is no unfinished game.", hint="Begin one with: vaultkit play GAME")
    open_ids = tuple(takewhile(lambda id_: _is_open_elsewhere(journals, id_), ids))
    return (ids[0], ()) if len(open_ids) == len(ids) else (ids[len(open_ids)], open_ids)


def _is_open_elsewhere(journals: Path, session: str) -> bool:
    path = find_journal(journals, session)
    return path is not None and is_open_elsewhere(path)


def _running_games(journals: Path) -> Iterator[tuple[datetime, str]]:
    """Yield the time at which each unfinished game began, and its id.

    An unfinished match counts as its last game.
    """
    matches = match_paths(journals)
    for saved in Store(journals).list_journals():
        if saved.contents and saved.standing == "running" and saved.id.rpartition("-")[0] not in matches:
            yield saved.contents.header.started, saved.id
    for path in matches.values():
        with suppress(InvalidError):
            match = read_match(path)
            last = match.journals[-1].header if match.journals else match.header
            if not match.is_over:
                yield last.started, last.session
    for tally in saved_tallies(journals):
        if tally.contents and tally.contents.started and tally.contents.is_running:
            yield tally.contents.started, tally.id


def newest_games_hint(journals: Path) -> str:
    """Return a hint with the commands that show the newest games again."""
    games = islice(saved_games(journals), _MAX_SUGGESTED_GAME_COUNT)
    commands = ", ".join(f"vaultkit replay {game.session}" for game in games)
    if not commands:
        return "No game was played in this vault yet: vaultkit play GAME"
    return f"The newest games: {commands}. All games: vaultkit sessions"


def discard(journals: Path, name: str, *, dry_run: bool = False) -> str:
    """Delete a journal, a match with its games, or the scores of a game with real cards; return the session's id.

    With `dry_run` nothing is deleted.
    """
    if match := find_match(journals, name):
        return match.stem if dry_run else _discard_match(match)
    tally = find_tally(journals, name)
    if tally is None:
        store = Store(journals)
        return (store.find(name) if dry_run and name else store.discard(name)).id
    if not dry_run:
        delete_journal(journals, tally.id)
    return tally.id


def _saved_journal(game: SavedJournal) -> SavedGame:
    header, problem = game.contents.header if game.contents else None, game.problem or None
    if header is None:
        return SavedGame(game.id, None, game.standing, game.moves, None, (), problem)
    started = header.started.isoformat()
    return SavedGame(game.id, header.game, game.standing, game.moves, started, header.names, problem)


def _is_unused(game: SavedJournal) -> bool:
    """Return whether a game that shall not be logged was left before its first move."""
    if game.contents is None or game.problem or game.contents.header.agreement.is_logged:
        return False
    moves = game.contents.steps if game.contents.header.real_cards else game.moves
    return game.standing == "running" and not moves


def _is_listed(tally: SavedTally) -> bool:
    """Return whether a game from paper without entries is listed: not if it is running and is not to be logged."""
    paper = tally.contents
    return paper is None or not paper.is_running or paper.wants_log


def _saved_match(path: Path) -> SavedGame:
    """Return the match in a file as one saved game, with standing "damaged" if the file cannot be read."""
    match_id = path.stem
    try:
        match = read_match(path)
    except InvalidError as error:
        return SavedGame(match_id, None, "damaged", 0, None, (), error.message)
    header, standing = match.header, "finished" if match.is_over else "running"
    moves = sum(contents.move_count for contents in match.journals)
    started = header.started.isoformat()
    return SavedGame(match_id, header.game, standing, moves, started, header.names, None, match.most)


def _discard_match(path: Path) -> str:
    """Delete a match with its games, the last game first, and return its id.

    If that is cut off, what remains is a match with fewer games.
    """
    store = Store(path.parent)
    for game in sorted((game for game in store.ids() if game.rpartition("-")[0] == path.stem), reverse=True):
        store.discard(game)
    delete_journal(path.parent, path.stem)
    return path.stem


def _saved_paper_game(tally: SavedTally) -> SavedGame:
    paper, problem = tally.contents, tally.problem or None
    if paper is None:
        return SavedGame(tally.id, None, "damaged", 0, None, (), problem)
    standing, started = "running" if paper.is_running else "recorded", paper.started or paper.date
    return SavedGame(tally.id, paper.game, standing, len(paper.entries), started.isoformat(), paper.names, problem)
