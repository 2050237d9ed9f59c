"""Logging of games that were scored on paper."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from itertools import count
from pathlib import Path

from vaultkit.campaign.dates import absolute_day, format_day, read_date
from vaultkit.campaign.game_notes import GameNotes, option_pairs
from vaultkit.campaign.log import LogResult, record_game
from vaultkit.campaign.log_target.gm_sessions import date_order
from vaultkit.campaign.logged_game import MAX_PLAYERS, find_session_note, played_games
from vaultkit.campaign.result import GameResult, Sources, minutes_between
from vaultkit.campaign.scoresheets.input_examples import score_flag
from vaultkit.campaign.scoresheets.paper_game import (
    PaperGame,
    PaperGameData,
    find_tally,
    paper_of,
    save,
    save_definition,
)
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, build_tally, locate_errors, refusal
from vaultkit.campaign.scoresheets.people import People
from vaultkit.campaign.story import TEAM_WIN, tell_scores, tell_story
from vaultkit.campaign.story_phrases import SCORES_FILE, load_phrases
from vaultkit.campaign.turning_points import build_timeline
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import DeckNote
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.computed_scores import ScoreError
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet, Tally
from vaultkit.session.options import changes, settle
from vaultkit.session.seats import SeatSpec
from vaultkit.session.seeded_choices import make_generator
from vaultkit.session.session_ids import create_id
from vaultkit.text import name_key
from vaultkit.vault.file_facts import is_note


def derive_session_id(paper: PaperGame, people: Sequence[str], earlier_count: int = 0) -> str:
    """Return the id of a game's session, derived from its date, people and scores, so that no game is logged twice.

    `people` are the names or notes by seat. The number of earlier games with equal scores on the same day goes
    into the id too.
    """
    tally = paper.tally
    computed_keys, columns = paper.sheet.computed_boxes(tally), paper.sheet.definition.columns
    answers = [seat.answers.items() for seat in tally.seats]
    scores = [sorted((key, value) for key, value in items if key not in computed_keys) for items in answers]
    seats = sorted(zip(map(str.casefold, people), scores, strict=True))
    options = sorted(changes(paper.sheet, tally.options).items())
    # the note is all that tells such games apart
    notes = [paper.note] if paper.note and all(column.is_yes_no for column in columns) else []
    day, common = paper.date.isoformat(), sorted(item for item in tally.common.items() if item[1] != "")
    identifying_data = json.dumps((paper.game, day, seats, common, options, earlier_count, *notes))
    return create_id(paper.game, paper.date, make_generator(0, 0, identifying_data))


def to_result(
    paper: PaperGame, session: str, rule_note: str = "", deck: DeckNote | None = None, vault: Path | None = None
) -> GameResult:
    """Return the result of a game from paper, like that of a game in vaultkit, but without moves and seed.

    The story is told from the entries in the order of play if there are any, else from the scores alone.
    """
    sheet, tally, cards = paper.sheet, paper.tally, paper.cards(deck)
    ledger = paper.ledger(cards)
    outcome = ledger.result() if ledger else paper.outcome
    if ledger:  # told as for any game played in vaultkit
        game_phrases = load_phrases(paper.game, vault)
        timeline = build_timeline(ledger.start, ledger.parts, outcome, game_phrases.kinds)
        timeline = timeline if timeline.counts else timeline.without_changes()
        story = tell_story(timeline, outcome, game_phrases, session, tally.options)
    else:
        is_team_win = sheet.compute_scores(tally).is_team(outcome.winners)
        story = tell_scores(outcome, load_phrases(SCORES_FILE, vault), session, TEAM_WIN if is_team_win else None)
    return GameResult(
        session=session,
        game=sheet.id,
        title=sheet.title_of(tally),
        date=paper.date,
        seats=tuple(map(SeatSpec, paper.names)),
        outcome=outcome,
        tables=sheet.tables(tally, outcome),
        story=story.sentences,
        headline=story.headline,
        scores=tuple(map(outcome.score, range(len(paper.names)))),
        mode=sheet.mode(tally.options),
        options=changes(sheet, tally.options),
        real_cards=sheet.game is not None,
        deck=cards.kind,
        deck_title=cards.title,
        fingerprint=deck.deck.fingerprint if deck else "",
        cards=tuple(card for card, _ in story.cards) if ledger else tuple(sheet.cards(tally)),
        deeds=dict(story.cards),
        minutes=minutes_between(paper.started, paper.ended) if paper.started else None,
        card_names={card.id: card.name for card in cards},
        sources=Sources.from_deck(rule_note, deck),
        remarks=paper.doubts,
        note=paper.note,
        definition=sheet.definition_id,
    )


def parse_past_day(text: str, now: datetime, where: str = "") -> date:
    """Return the day that `text` names.

    Raises UsageError or InvalidError for an invalid date, and InvalidError for one in the future, which is most likely
    a mistyped year.
    """
    if (day := read_date(text, where)) > now.date():
        hint = f"Correct the date{', or give it with --date' if where else ''}."
        raise InvalidError(f"{day.isoformat()} is in the future.", where=where, hint=hint)
    return day


def check_values(paper: PaperGame, record: PaperRecord) -> None:
    """Refuse scores for which a formula has no value; the error names the place where they are written.

    Raises UsageError for scores from the command line, and InvalidError for scores from a file.
    """
    try:
        paper.outcome  # noqa: B018
    except ScoreError as error:
        seat = record.seats[error.seat or 0]
        places = (entry.where for name in error.keys for key, entry in seat.said.items() if name in key.split("."))
        hint = f"Correct the scores, or the formula: {error.where}" if error.where else "Correct the scores."
        raise refusal(error.message, next(places, seat.where), hint) from error


@dataclass(frozen=True)
class PaperLog:
    """A log of games from paper in one vault; `now` is the present moment, and a `dry_run` writes nothing.

    `tell` receives remarks for the GM. `ask` returns whether a guest is the player with a similar name, None if nobody
    can be asked; the `known_names` need no question.
    """

    workspace: Workspace
    now: datetime
    tell: Callable[[str], None] = lambda _: None
    ask: Callable[[str, str], bool | None] = lambda *_: None
    dry_run: bool = False
    known_names: tuple[str, ...] = ()

    @cached_property
    def people(self) -> People:
        return People(self.workspace.vault, self.workspace.settings.players)

    def find_sources(self, paper: PaperGame) -> tuple[str, DeckNote | None]:
        """Return the path of the game's rule note, "" if there is none, and the note of its deck, None if unusable.

        What is missing is told to the GM; a game can be logged without either.
        """
        sheet, deck = paper.sheet, None
        notes = GameNotes(self.workspace, sheet.info, sheet.deck_for(paper.tally.options))
        if sheet.game:
            try:
                deck = notes.deck_note
            except VaultkitError as error:
                self.tell(f"No card is linked. {error.message}")
            if notes.rule_note is None:
                self.tell(f"This vault has no rule note for {sheet.title}; the game's note links to none.")
        return notes.rule_note.note.path if notes.rule_note else "", deck

    def options(self, sheet: ScoreSheet, record: PaperRecord) -> Options:
        """Return the options that the game was played with; `--set` overrides a file.

        Raises UsageError or InvalidError for an invalid option.
        """
        with locate_errors(record.where):
            settle(sheet, record.options)
        if sheet.game is None:
            return settle(sheet, {**record.options, **option_pairs(record.flags.options)})
        notes = GameNotes(self.workspace, sheet.info, sheet.info.deck)
        return notes.option_values(record.flags.options, record.options)

    def read(self, record: PaperRecord) -> PaperGame:
        """Return the game that was written down; if the record has no scores, only its day, options and given names."""
        sheet, flags = self.workspace.score_sheets.find(record.game), record.flags
        typed_names = [seat.name for seat in record.seats] if record.has_scores else flags.seats
        MAX_PLAYERS.check(len(typed_names), record.where)
        with locate_errors(record.where):
            names = tuple[str, ...]()
            if record.has_scores or typed_names:
                names = self.people.seat(typed_names, sheet.title, self.ask, self.tell, self.known_names)
        options = self.options(sheet, record)
        tally = build_tally(record, sheet, options, self.tell) if record.has_scores else Tally(options, ())
        for remark in record.remarks:
            self.tell(remark)
        day = self.read_day(record.date.text, record.date.where) if record.date else self.now.date()
        data = PaperGameData(sheet.id, day, names, tally, record.note, flags.force, flags.campaign)
        paper = PaperGame(**vars(replace(data, definition=sheet.definition_id)), sheet=sheet)
        if record.has_scores:
            check_values(paper, record)
        return paper

    def read_day(self, text: str, where: str = "") -> date:
        """Return the day that a text names, with `03/11/2026` as the vault or the locale has it.

        Raises each error of `parse_past_day`.
        """
        day = absolute_day(text, self.now.date(), lambda: date_order(self.workspace.vault, self.workspace.settings))
        return parse_past_day(day, self.now, where)

    def refuse_without_scores(self, record: PaperRecord, *, can_ask: bool) -> None:
        """Raise UsageError if a record without players' scores cannot be completed by questions.

        That is so if flags give scores or an outcome but name no player, or if nobody can be asked. Days to come and
        numbers of players that the game cannot have are refused, too.
        """
        sheet, flags = self.workspace.score_sheets.find(record.game), record.flags
        if flags.date:
            parse_past_day(flags.date, self.now)
        doubts = sheet.seat_doubts(len(flags.seats), self.options(sheet, record)) if flags.seats else ()
        for doubt in () if flags.force else doubts:
            hint = "Name all who played, or record it with a remark: --force"
            raise UsageError(doubt.sentence.render(str, str), hint=hint)
        has_answers = flags.scores or flags.outcome is not None
        if has_answers or not can_ask:
            message = "This is not a terminal, so scores cannot be asked for."
            message = "Nobody has a score." if has_answers else message
            example = score_flag(sheet, self.options(sheet, record))
            outcome_hint = " Add --outcome won or --outcome lost." * (sheet.definition.win == "co-op")
            hint = f"Give the scores with {example} once for each player, or --from FILE.{outcome_hint}"
            raise UsageError(message, hint=hint)

    def refuse_logged(self, record: PaperRecord) -> None:
        """Raise InvalidError if the session id on the sheet belongs to a game that already has a note."""
        if record.session and (logged_note := find_session_note(self.workspace.vault, record.session)):
            message = f"This sheet is that of a game which is logged already: {logged_note}."
            hint = "Was it another game? Empty the box 'Session', or add --again."
            raise InvalidError(message, where=record.where, hint=hint)

    def log(self, paper: PaperGame, *, again: bool = False) -> tuple[str, LogResult]:
        """Save the scores of a game, then write the missing parts of its note and of the campaign's log.

        With `again` it is logged as a new game even if a game with equal scores is logged already. Returns the session
        id and what was logged. Raises InvalidError for doubtful scores unless the game is `forced`; nothing is
        written then. Raises each error of `record_game` too; by then the scores are saved, and the hint says how to log
        them.
        """
        if (doubts := paper.doubts) and not paper.forced:
            hint = "Correct them, or record them as they are, with a remark in the note: --force"
            count_text = "One thing" if len(doubts) == 1 else f"{len(doubts)} things"
            raise InvalidError(f"{count_text} in these scores cannot be true. Nothing was written.", hint=hint)
        session = self._choose_session_id(paper, again=again)
        existing_note = None
        with suppress(InvalidError):  # of a note that cannot be read, which `finish` refuses once the scores are saved
            existing_note = find_session_note(self.workspace.vault, session)
        if existing_note is None and not again:
            self._refuse_similar(paper)
        saved = find_tally(self.workspace.journals, session) if existing_note else None
        if saved and saved.contents:  # with all corrections since
            paper = paper_of(saved, self.workspace.score_sheets)
        elif not self.dry_run:
            save(paper, session, self.workspace.root)
        logged = self.finish(paper, session)
        if existing_note is None:
            return session, logged
        repeat_remark = f"This game is logged already: {existing_note}."
        other_remarks = (remark for remark in logged.remarks if existing_note not in remark)
        hint = "Was it another one with the same scores? Add --again."
        return session, replace(logged, remarks=(f"{repeat_remark} {hint}", *other_remarks))

    def _refuse_similar(self, paper: PaperGame) -> None:
        """Raise InvalidError if another game of equal players is logged on that day.

        Games in which nothing but the winner is written down are told apart by their comments.
        """
        party, sheet = self.workspace.settings.players, paper.sheet
        if paper.note and all(column.is_yes_no for column in sheet.definition.columns):
            return
        people = set(self.people.identify_players(paper.names))
        people = {name if is_note(name) else name_key(name) for name in people}
        for game in played_games(self.workspace.vault, party):
            identities = {participant.identity for participant in game.participants}
            if (game.game, game.date) == (sheet.id, paper.date) and identities == people:
                message = f"Is this the game of {format_day(paper.date)} in {game.note}? Nothing was written."
                hint = f"--again logs a second one. To correct it: vaultkit log --edit {game.session[-4:]}"
                raise InvalidError(message, where=game.note, hint=hint)

    def finish(self, paper: PaperGame, session: str) -> LogResult:
        """Write the note and the log of a game whose scores are saved under `session`; doubtful scores are not refused.

        Raises InvalidError for a running game, and each error of `record_game`.
        """
        if paper.is_running:
            hint = f"Continue with: vaultkit resume {session}"
            raise InvalidError("This game is not over yet.", where=session, hint=hint)
        if not self.dry_run and paper.definition != paper.sheet.definition_id:  # scores saved by version 0.3
            save(paper, session, self.workspace.root)
        elif not self.dry_run:
            save_definition(paper.sheet, self.workspace.root)
        result = self.people.link_characters(to_result(paper, session, *self.find_sources(paper), self.workspace.root))
        vault, settings = self.workspace.vault, self.workspace.settings
        try:
            return record_game(result, vault, settings, campaign=paper.campaign, now=self.now, dry_run=self.dry_run)
        except VaultkitError as error:
            if not self.dry_run:
                campaign_flag = " --campaign NOTE" * (paper.campaign is not None)
                retry_hint = f"The scores are kept. To log them: vaultkit log --session {session}{campaign_flag}"
                error.hint = f"{error.hint} {retry_hint}".strip()
            raise

    def _choose_session_id(self, paper: PaperGame, *, again: bool) -> str:
        """Return the id of the game; with `again`, the first of its ids by number that no note has yet."""
        notes_and_names = self.people.identify_players(paper.names)
        people = [item.rpartition("/")[2] for item in notes_and_names]  # without folders, since a note may be moved
        sessions = (derive_session_id(paper, people, number) for number in count())
        vault = self.workspace.vault
        return next(session for session in sessions if not again or find_session_note(vault, session) is None)
