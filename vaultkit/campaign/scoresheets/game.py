"""A game from paper as a value: who played, what they wrote, what of it is doubted, and the result that it gives."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.phrases import SCORES, phrases
from vaultkit.campaign.result import Result, Sources
from vaultkit.campaign.story import Story, tell_scores, tell_story
from vaultkit.campaign.turning_points import course_of
from vaultkit.cards import Deck
from vaultkit.cards.known import known_deck
from vaultkit.errors import InvalidError
from vaultkit.games.ledger import Ledger, LedgerLine, open_ledger
from vaultkit.games.scoresheet import SCORE, ScoreSheet, Tally
from vaultkit.games.words import Outcome
from vaultkit.session.dealing import generator
from vaultkit.session.ids import new_id
from vaultkit.session.options import changes
from vaultkit.session.seats import SeatSpec

if TYPE_CHECKING:
    from vaultkit.compendium import DeckNote


@dataclass(frozen=True)
class EntryRecord:
    """The entries of a game that is written down while it is played, and when that began and ended.

    `wants_log` is False where no note was wished for.
    """

    started: datetime
    entries: tuple[LedgerLine, ...] = ()
    ended: datetime | None = None
    wants_log: bool = True

    @property
    def minutes(self) -> int | None:
        """How long it took; None while it goes on."""
        return None if self.ended is None else max(round((self.ended - self.started).total_seconds() / 60), 0)


@dataclass(frozen=True)
class Kept:
    """A game that was played with real cards on the day `date`, its seats in order, as a file has it: `game` is its id.

    `forced` says that somebody insisted on what is doubted; `note` is a free sentence, `campaign` the
    campaign note that was wished for, None for that of the settings. `record` is there if the game was written down
    entry by entry, from which its tally follows.
    """

    game: str
    date: date
    names: tuple[str, ...]
    tally: Tally
    note: str = ""
    forced: bool = False
    campaign: str | None = None
    record: EntryRecord | None = None

    @property
    def is_running(self) -> bool:
        """Whether it is written down entry by entry, and not over yet."""
        return self.record is not None and self.record.ended is None


@dataclass(frozen=True, kw_only=True)
class PaperGame(Kept):
    """The same with its score sheet, by which it is reckoned."""

    sheet: ScoreSheet

    @property
    def outcome(self) -> Outcome:
        return self.sheet.outcome(self.tally)

    def cards(self, deck: "DeckNote | None") -> Deck:
        """The deck of the vault, or as everybody knows it; without either one of no cards."""
        kind = self.sheet.deck_for(self.tally.options)
        return deck.deck if deck else known_deck(kind) or Deck(kind, kind, ())

    def ledger(self, cards: Deck) -> Ledger | None:
        """The game entry by entry, where it was written down so; the ids of cards are those of its deck."""
        if self.record is None:
            return None
        return open_ledger(self.sheet, len(self.names), self.tally.options, cards, self.record.entries)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Everything that cannot be true, each a sentence with the numbers of its rulings."""
        found = []
        for doubt in self.sheet.doubts(self.tally):
            rulings = f" ({', '.join(doubt.rulings)})" if doubt.rulings else ""
            found.append(f"{doubt.sentence.speak(self.names.__getitem__, str).rstrip('.')}{rulings}.")
        return tuple(found)


def session_id(paper: PaperGame, people: Sequence[str], again: int = 0) -> str:
    """The session's id, made from what was played, so that the same game is never logged twice.

    `people` say who sat where, however they are called. `again` counts games with the same scores on the same day.
    """
    tally = paper.tally
    sums = {SCORE.key, *(question.key for question in paper.sheet.sums(tally.options, tally.common))}
    seats = sorted(
        (who.casefold(), sorted((key, value) for key, value in seat.answers.items() if key not in sums))
        for who, seat in zip(people, paper.tally.seats, strict=True)
    )
    options = sorted(changes(paper.sheet, paper.tally.options).items())
    said = json.dumps([paper.game, paper.date.isoformat(), seats, sorted(paper.tally.common.items()), options, again])
    moment = datetime(paper.date.year, paper.date.month, paper.date.day)
    return new_id(paper.game, moment, generator(0, 0, said))


def to_result(
    paper: PaperGame, session: str, rule_note: str = "", deck: "DeckNote | None" = None, vault: Path | None = None
) -> Result:
    """The result as `play` would have it, without moves and seed, and with a short story from the scores."""
    sheet, tally, cards = paper.sheet, paper.tally, paper.cards(deck)
    ledger = paper.ledger(cards)
    outcome = ledger.result() if ledger else paper.outcome
    story = _story(paper, ledger, outcome, session, vault)
    return Result(
        session=session,
        game=sheet.id,
        title=sheet.title,
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
        minutes=paper.record.minutes if paper.record else None,
        card_names={card.id: card.name for card in cards},
        sources=Sources.of(rule_note, deck),
        remarks=paper.doubts,
        note=paper.note,
    )


def _story(paper: PaperGame, ledger: Ledger | None, outcome: Outcome, session: str, vault: Path | None) -> Story:
    """The story by the entries, as of any game that was played here, or by the scores alone."""
    if ledger is None:
        return tell_scores(outcome, phrases(SCORES, vault), session)
    own = phrases(paper.game, vault)
    course = course_of(ledger.start, ledger.pages, outcome, own.kinds)
    course = course if course.counts else course.without_changes()
    return tell_story(course, outcome, own, session, together=paper.sheet.mode(paper.tally.options) == "coop")


def past_day(text: str, now: datetime, where: str = "") -> date:
    """The day that was written. Raises UsageError or InvalidError for what is none, or has not come yet.

    That is a year mistyped, most likely.
    """
    day = read_date(text, where)
    if day > now.date():
        raise InvalidError(f"{day.isoformat()} has not come yet.", hint="Correct the date, or give it with --date.")
    return day
