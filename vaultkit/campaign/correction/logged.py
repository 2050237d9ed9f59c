"""A logged game as its note shows it: the saved journal, with the changes that people made in the note."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from vaultkit.campaign.correction.lines import closest_index
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import GamePages
from vaultkit.campaign.log_target.note_location import find_line
from vaultkit.campaign.logged_game import PlayedGame, name_list
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.players import Players, bare_name
from vaultkit.campaign.property_names import block_id
from vaultkit.campaign.result import GameResult, from_session
from vaultkit.campaign.score_checks.note_tally import correct_tally
from vaultkit.campaign.scoresheets.paper_game import PaperGame, SavedTally, paper_of, versions_of
from vaultkit.campaign.scoresheets.paper_log import PaperLog, to_result
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import NothingFound
from vaultkit.session.journal import read_paper
from vaultkit.session.journal_files import find_journal, kind_of
from vaultkit.vault import Note
from vaultkit.vault.writing.escape import escape_markdown

_COMMENT_PLACEHOLDER = "vaultkitcomment"
"""A comment that no person writes, by which the place of comments in a template is found."""


@dataclass(frozen=True)
class LoggedGame:
    """A logged game: what its note shows as `played`, and the whole `result` from which that note was written.

    `written` is the result as vaultkit wrote it, without the numbers that people corrected in the note's tables.
    `paper` are the scores that were entered, None for a game that was played in vaultkit. `locked` says in a sentence
    why the scores cannot be edited, "" if they can be.
    """

    workspace: Workspace
    played: PlayedGame
    note: Note
    result: GameResult
    written: GameResult
    paper: PaperGame | None
    locked: str = ""

    @cached_property
    def line_path(self) -> str:
        """The vault path of the note with the campaign line, "" if no note has it."""
        return find_line(self.workspace.vault, block_id(self.played.session))

    @property
    def pages(self) -> GamePages:
        """The texts of the note and the line as vaultkit wrote them."""
        return self.pages_of(self.written)

    def pages_of(self, result: GameResult) -> GamePages:
        """Return the texts of the note and the line for another result of this game."""
        return GamePages.create(result, self.workspace.vault, self.workspace.settings, self.note.path)


def read_logged_game(workspace: Workspace, played: PlayedGame, now: datetime) -> LoggedGame:
    """Return a logged game as its note shows it.

    Raises NothingFound if its journal is gone, and InvalidError if the journal or the note cannot be read.
    """
    note, path = workspace.vault.read(played.note), find_journal(workspace.journals, played.session)
    if path is None:
        message = f"The entries of this game are no longer saved: {played.session}."
        hint = "Correct the note by hand, then let the rest follow from it: vaultkit check --fix"
        raise NothingFound(message, where=played.note, hint=hint)
    kind = kind_of(path)
    if kind == "paper":
        paper_log = PaperLog(workspace, now)
        contents = read_paper(path)
        saved = (SavedTally(played.session, path, data) for data in versions_of(contents))
        papers = (paper_of(tally, workspace.score_sheets) for tally in saved)
        games = [_from_paper(paper, played, note, paper_log) for paper in papers]
        game = games[closest_index(note.text, [game.pages.note for game in games])]
        assert game.paper is not None, "it comes from paper"
        tally = correct_tally(game.paper, played, note, workspace.vault)
        if tally != game.paper.tally:
            paper = replace(game.paper, tally=tally)
            game = replace(game, paper=paper, result=paper_result(paper, played.session, paper_log))
        locked = "This game was written down entry by entry, so its scores follow from the entries."
        return replace(game, locked=locked) if game.paper and game.paper.started else game
    if kind == "match":
        match_notes = MatchNotes.from_saved(workspace, played.session)
        assert match_notes is not None, "the file is that of a match"
        result = match_notes.result(now)
    else:
        notes, journal, _ = GameNotes.from_saved(workspace, played.session)
        with notes.resume(journal.path, lambda: now) as session:
            result = from_session(session, notes.sources, workspace.root)
    names = [seat.name for seat in result.seats if seat.is_person]
    result = rename_people(result, _names_in_note(names, played, note, workspace))
    result = replace(result, date=played.date or result.date)
    game = LoggedGame(workspace, played, note, result, result, None)
    locked = f"This game was played in vaultkit, so its score follows from the moves: vaultkit replay {played.session}"
    result = replace(result, note=find_comment(game))
    return replace(game, result=result, written=result, locked=locked)


def _from_paper(paper: PaperGame, played: PlayedGame, note: Note, paper_log: PaperLog) -> LoggedGame:
    """Return a logged game with the date, the names and the comment that its note has."""
    workspace = paper_log.workspace
    names = _names_in_note(paper.names, played, note, workspace)
    paper = replace(paper, date=played.date or paper.date, names=names)
    result = paper_result(paper, played.session, paper_log)
    game = LoggedGame(workspace, played, note, result, result, paper)
    comment = find_comment(game)
    result = replace(result, note=comment)
    return replace(game, paper=replace(paper, note=comment), result=result, written=result)


def paper_result(paper: PaperGame, session: str, paper_log: PaperLog) -> GameResult:
    """Return the result of a game from paper, with links to its sources."""
    result = to_result(paper, session, *paper_log.find_sources(paper), paper_log.workspace.root)
    return paper_log.people.link_characters(result)


def rename_people(result: GameResult, names: Iterable[str]) -> GameResult:
    """Return the result with other names of the people, in the order of their seats."""
    next_name = iter(names)
    seats = (replace(seat, name=next(next_name)) if seat.is_person else seat for seat in result.seats)
    return replace(result, seats=tuple(seats))


def _names_in_note(names: Sequence[str], played: PlayedGame, note: Note, workspace: Workspace) -> tuple[str, ...]:
    """Return the names of people, each as the note has it if the note replaces that person by another."""
    note_names = name_list(note.property("players"))
    people = [person for person in zip(played.participants, note_names, strict=False) if not person[0].bot]
    if len(people) != len(names):
        return tuple(names)
    players = Players(workspace.vault, workspace.settings.players)
    return tuple(
        name if participant.note and players.note(name) == participant.note else bare_name(text)
        for name, (participant, text) in zip(names, people, strict=True)
    )


def find_comment(game: LoggedGame) -> str:
    """Return the comment in a game's note, "" for none; it is looked for where the template writes comments."""
    template_lines = [
        line
        for line in game.pages_of(replace(game.result, note=_COMMENT_PLACEHOLDER)).note.splitlines()
        if _COMMENT_PLACEHOLDER in line
    ]
    for template_line in template_lines[:1]:
        pattern = re.compile(re.escape(template_line.rstrip()).replace(_COMMENT_PLACEHOLDER, "(.+?)") + r"[ \t]*")
        for line in re.split(r"\r\n|\r|\n", game.note.text[game.note.body_start :]):
            if match := pattern.fullmatch(line):
                comment = re.sub(r"\\(?=[^\w\s])", "", match[1])
                return comment if escape_markdown(comment) == match[1] else match[1]
    return ""
