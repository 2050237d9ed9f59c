"""A game played on paper, and its journal, which is saved before any note is written."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from msgspec.structs import replace as replace_fields

from vaultkit import __version__, files, trust
from vaultkit.cards import Deck
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import DeckNote
from vaultkit.compendium.own_games import kept_file, kept_sheet
from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.games.computed_scores import ScoreError
from vaultkit.games.definition_reader import definition_id, definition_text, raw_definition
from vaultkit.games.ledger import Ledger, LedgerLine, open_ledger
from vaultkit.games.messages import Outcome
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally
from vaultkit.schema import SchemaError
from vaultkit.session.journal import Journal, PaperContents, read_paper
from vaultkit.session.journal_files import SUFFIX, find_journal, find_journals, kind_of
from vaultkit.session.journal_records import (
    Agreement,
    AnyRecord,
    EditRecord,
    EntryRecord,
    PaperHeader,
    ScoresRecord,
    encode,
)
from vaultkit.session.journal_store import Store
from vaultkit.session.options import settle_recorded
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.session.session_ids import find_id
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import private_folder
from vaultkit.vault.writing.lock import vault_lock


@dataclass(frozen=True)
class PaperGameData:
    """A game played with real cards, as its file stores it; `game` is the game's id, `names` are in the order of seats.

    `forced` means that somebody insisted on doubtful scores. `note` is a free comment. `campaign` is the campaign note
    that was chosen, None for the one in the settings. `definition` is the id of the definition by which the file is
    read, "" for a game that can be played in vaultkit, and in files of version 0.3.

    A game that is written down entry by entry has a time when it `started`, and the tally follows from its `entries`.
    `wants_log` is False if no note was wanted. `asks_scores` says that the entries answer the questions of the score
    sheet, and are no moves.
    """

    game: str
    date: date
    names: tuple[str, ...]
    tally: Tally
    note: str = ""
    forced: bool = False
    campaign: str | None = None
    definition: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    entries: tuple[LedgerLine, ...] = ()
    wants_log: bool = True
    asks_scores: bool = False

    @property
    def is_running(self) -> bool:
        """Whether the game is written down entry by entry and is not over yet."""
        return self.started is not None and self.ended is None


@dataclass(frozen=True, kw_only=True)
class PaperGame(PaperGameData):
    """A game played with real cards, together with the score sheet that computes its scores."""

    sheet: ScoreSheet

    @property
    def outcome(self) -> Outcome:
        """The outcome by the scores. Raises ScoreError, with the players' names, if a formula has no value."""
        with self._name_players_in_errors():
            return self.sheet.outcome(self.tally)

    @contextmanager
    def _name_players_in_errors(self) -> Iterator[None]:
        """Put the players' names into the message of a ScoreError that is raised within the context."""
        try:
            yield
        except ScoreError as error:
            error.message = error.sentence.render(self.names.__getitem__, str)
            raise

    def cards(self, deck: DeckNote | None) -> Deck:
        """Return the cards of the vault's deck, else of the known deck of that kind, else an empty deck."""
        kind = self.sheet.deck_for(self.tally.options)
        return deck.deck if deck else known_deck(kind) or Deck(kind, kind, ())

    def ledger(self, cards: Deck) -> Ledger | None:
        """Return the ledger of a game written down entry by entry, else None; it takes card ids from `cards`."""
        if self.started is None:
            return None
        return open_ledger(self.sheet, len(self.names), self.tally.options, cards, self.entries)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Scores that cannot be true, as sentences with their ruling numbers.

        Raises ScoreError, with the players' names, if a formula has no value.
        """
        with self._name_players_in_errors():
            return tuple(doubt.speak(self.names.__getitem__) for doubt in self.sheet.doubts(self.tally))


@dataclass(frozen=True, slots=True)
class SavedTally:
    """The file of one tally. `contents` is its content, None if it cannot be read; `problem` then says why.

    `hint` is advice on the problem, "" for none.
    """

    id: str
    path: Path
    contents: PaperGameData | None = None
    problem: str = ""
    hint: str = ""


def save(paper: PaperGame, session: str, root: Path) -> None:
    """Write the tally of the session with the id `session`, replacing an earlier one, and the definition it needs.

    Raises WriteError if one of the files cannot be written.
    """
    folder = private_folder(root, "journals")
    path = folder / f"{session}{SUFFIX}"
    data = b"".join(map(encode, (header_of(paper, session), *records_of(paper))))
    with vault_lock(root), atomic_file.translate_os_errors("The scores cannot be kept", path):
        save_definition(paper.sheet, root)
        atomic_file.sweep(folder)
        atomic_file.put(path, data)
        files.sync_folder(folder)


def header_of(paper: PaperGame, session: str) -> PaperHeader:
    """Return the first line of a game's journal."""
    return PaperHeader(
        session=session,
        version=__version__,
        game=paper.game,
        date=paper.date,
        names=paper.names,
        options=dict(paper.tally.options),
        started=paper.started,
        agreement=Agreement(campaign=paper.campaign, is_logged=paper.wants_log, asks_scores=paper.asks_scores),
        definition=paper.sheet.definition_id,
    )


def records_of(paper: PaperGameData) -> Iterator[AnyRecord]:
    """Yield the later lines of a game's journal."""
    for n, words in enumerate(paper.entries, 1):
        yield EntryRecord(n=n, words=words)
    if not paper.is_running:
        yield scores_of(paper)


def scores_of(paper: PaperGameData) -> ScoresRecord:
    """Return the line with the scores of a game that is over."""
    tally, forced = paper.tally, paper.forced
    return ScoresRecord(seats=tally.seats, common=dict(tally.common), note=paper.note, forced=forced, at=paper.ended)


def append_edit(paper: PaperGame, session: str, root: Path) -> None:
    """Add a correction to the journal of a game, which keeps all earlier versions.

    Raises WriteError if the journal cannot be written, and InvalidError if it cannot be read.
    """
    scores = replace_fields(scores_of(paper), at=None)
    edit = EditRecord(date=paper.date, names=paper.names, options=dict(paper.tally.options), scores=scores)
    path = find_journal(private_folder(root, "journals"), session)
    if path is None:
        save(paper, session, root)
        return
    journal, contents = Journal.reopen(path, read_paper)
    try:
        if path.suffix != SUFFIX:
            data = game_data_of(contents)
            sheet_data = PaperGame(**vars(data), sheet=paper.sheet)
            journal.upgrade(header_of(sheet_data, session), records_of(data))
        if contents.edits[-1:] != (edit,):
            journal.append(edit)
    finally:
        journal.close()


def versions_of(contents: PaperContents) -> Iterator[PaperGameData]:
    """Yield a game as it was first written down, then each correction."""
    first = game_data_of(replace(contents, edits=()))
    yield first
    for edit in contents.edits:
        scores = edit.scores
        tally = Tally(edit.options, scores.seats, scores.common)
        yield replace(first, date=edit.date, names=edit.names, tally=tally, note=scores.note, forced=scores.forced)


def game_data_of(contents: PaperContents) -> PaperGameData:
    """Return the game that a journal holds, with the last correction; one that goes on has no scores yet."""
    if contents.edits:
        return [*versions_of(contents)][-1]
    header, scores = contents.header, contents.scores
    seats = scores.seats if scores else tuple(SeatTally() for _ in header.names)
    return PaperGameData(
        game=header.game,
        date=header.date,
        names=header.names,
        tally=Tally(header.options, seats, scores.common if scores else {}),
        note=scores.note if scores else "",
        forced=bool(scores and scores.forced),
        campaign=header.agreement.campaign,
        definition=header.definition,
        started=header.started,
        ended=scores.at if scores else None,
        entries=contents.entries,
        wants_log=header.agreement.is_logged,
        asks_scores=header.agreement.asks_scores,
    )


def save_definition(sheet: ScoreSheet, root: Path) -> None:
    """Write the definition of a game into the vault, unless the vault has an identical copy.

    A game without a definition writes nothing. The file stays if the game is undone, since other games, and this game's
    own scores, are read by it. Raises WriteError.
    """
    if not sheet.source or _is_definition_saved(sheet, root):
        return
    path = kept_file(root, sheet.definition_id)
    folder = path.parent
    if not trust.may_use_file(root, folder, data=True):
        hint = "Make it a folder of the vault."
        raise WriteError("The folder .vaultkit/games leads out of the vault.", where=str(folder.parent), hint=hint)
    about = f"# The definition of {sheet.id} by which games were logged. vaultkit reads it; do not change it."
    text = f"{about}\n\n{definition_text(raw_definition(sheet.source))}"
    with atomic_file.translate_os_errors("The definition of the game cannot be kept", path):
        files.make_folder(folder)
        atomic_file.put(path, text.encode())
        files.sync_folder(folder)


def _is_definition_saved(sheet: ScoreSheet, root: Path) -> bool:
    """Return whether the vault has an unchanged copy of the sheet's definition."""
    try:
        saved_sheet = kept_sheet(sheet.id, sheet.definition_id, root)
        return definition_id(raw_definition(saved_sheet.tables.table)) == sheet.definition_id
    except (InvalidError, SchemaError):
        return False


def saved_tallies(folder: Path) -> tuple[SavedTally, ...]:
    """Return every tally in the folder of journals, the last session first; () if there is no folder.

    A tally that cannot be read is included with its problem.
    """
    paths = [path for path in find_journals(folder).values() if kind_of(path) == "paper"]
    return tuple(_read_tally(path) for path in sorted(paths, key=lambda path: path.stem, reverse=True))


def find_tally(folder: Path, name: str) -> SavedTally | None:
    """Return the tally of a session by its id or the end of the id.

    Returns None if there is none, or if the id is that of a game played in vaultkit. Raises NothingFound if several
    tallies or journals fit.
    """
    tallies = {tally.id: tally for tally in saved_tallies(folder)}
    session = find_id((*tallies, *Store(folder).ids()), name)
    return tallies.get(session) if session else None


def paper_of(saved: SavedTally, sheets: ScoreSheets) -> PaperGame:
    """Return the game of a saved tally, read by the definition that it was recorded with.

    Raises InvalidError if the file cannot be read, or if the game or its definition no longer exists.
    """
    if (data := saved.contents) is None:
        hint = saved.hint or f"To delete a file that cannot be repaired: vaultkit sessions --discard {saved.id}"
        raise InvalidError(f"These scores cannot be read: {saved.problem}.", where=str(saved.path), hint=hint)
    hint = "These scores are of a game that was defined in this vault. Bring its definition back."
    try:
        sheet = sheets.find_by_definition(data.game, data.definition) if data.definition else sheets.find(data.game)
        hint = f"What was kept can be removed with: vaultkit sessions --discard {saved.id}"
        tally = replace(data.tally, options=settle_recorded(sheet, data.tally.options))
    except UsageError as error:
        raise InvalidError(error.message, where=str(saved.path), hint=hint) from error
    paper = PaperGame(**{**vars(data), "tally": tally}, sheet=sheet)
    if not data.definition and (misfit := _find_misfit(paper)):
        message = f"{sheet.title} was defined differently when these scores were written down: {misfit}."
        hint = f"Change its definition back to that of {data.date.isoformat()}, and log the game then."
        raise InvalidError(message, where=sheet.where(()) or str(saved.path), hint=hint)
    return paper


def _find_misfit(paper: PaperGame) -> str:
    """Return how a game's answers do not fit the questions of its sheet; "" if they fit."""
    tally, sheet = paper.tally, paper.sheet
    if not sheet.source:
        return ""
    common_questions = (*sheet.opening_questions(tally.options), *sheet.closing_questions(tally))
    seat_questions, computed_keys = sheet.seat_questions(tally.options, tally.common), sheet.computed_boxes(tally)
    seats = ({key: value for key, value in seat.answers.items() if key not in computed_keys} for seat in tally.seats)
    seat_differences = (_find_difference(seat_questions, answers) for answers in seats)
    differences = (_find_difference(common_questions, tally.common), *seat_differences)
    return next(filter(None, differences), "")


def _find_difference(questions: Sequence[Question], answers: Mapping[str, Answer]) -> str:
    """Return the first difference between `questions` and `answers`, in words; "" if there is none."""
    questions_by_key = {question.key: question for question in questions}
    for key in (*questions_by_key, *answers):
        if key not in questions_by_key:
            return f"it does not ask for '{key}' today"
        if key not in answers:
            return f"today it asks for '{key}', too"
        question, value = questions_by_key[key], answers[key]
        if value not in question.choices if question.choices else isinstance(value, str) != question.words:
            return f"today '{key}' cannot be {value}"
    return ""


def _read_tally(path: Path) -> SavedTally:
    """Return the tally in a file, or the reason why it cannot be read."""
    try:
        contents = read_paper(path)
    except InvalidError as error:
        return SavedTally(path.stem, path, problem=error.message.rstrip("."), hint=error.hint)
    if contents.header.session != path.stem:
        return SavedTally(path.stem, path, problem=f"they are those of {contents.header.session}, under another name")
    return SavedTally(path.stem, path, game_data_of(contents))
