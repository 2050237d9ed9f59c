"""The result of a finished game: everything about it that is recorded in notes (G-12)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from vaultkit import __version__
from vaultkit.campaign.deck_of_destiny.inventory import AFTER_LABEL, EMPTY_INVENTORY_ADVICE, Change
from vaultkit.campaign.story import Story, tell_scores, tell_story
from vaultkit.campaign.story_phrases import has_phrases, load_phrases
from vaultkit.campaign.turning_points import replay_timeline
from vaultkit.compendium import DeckNote
from vaultkit.errors import InvalidError
from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Outcome, Score, Sentence, Table
from vaultkit.games.options import Options
from vaultkit.session import SeatSpec, Session
from vaultkit.session.journal import read
from vaultkit.session.journal_records import Agreement, Header
from vaultkit.session.journal_store import Store
from vaultkit.session.match import Match
from vaultkit.session.options import changes
from vaultkit.vault.writing.history.entry import JOURNALS_FOLDER

PRICE_LABEL = "What it costs"
"""The label of the fact, in a lost encounter, that holds the text of the encounter's note about a loss (DD-11)."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The notes that a game was played from, as vault paths; `card_links` holds `path#Heading` by card id.

    `own_words` are the deck's names for suits and ranks, by the English ones.
    """

    rule_note: str = ""
    deck_note: str = ""
    card_links: Mapping[str, str] = field(default_factory=dict)
    own_words: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_deck(cls, rule_note: str, deck: DeckNote | None) -> "Sources":
        """Return the sources of a game with the deck of a note, or without one."""
        if deck is None:
            return cls(rule_note)
        links = {entry.card.id: entry.link for entry in deck.entries}
        return cls(rule_note, deck.note.path, links, deck.own_words)


@dataclass(frozen=True, kw_only=True)
class GameResult:
    """A finished game. Sentences keep their places for seats and cards, so that a note can fill them with links.

    `scores` has one number for each seat, None if the game knows none; `options` differ from their defaults and leave
    out the options that the notes of a character or an encounter settle; `seed` is None if people dealt with
    `real_cards`; `deck` is the kind of deck; `journal` is a vault path; `cards` are the ids of the cards that mattered,
    and `deeds` says what each of them did; `headline` is the story in one line, without a full stop.

    `tales` are events, each with a player's text about it. `about` are the notes that the game was about, each with a
    label and a vault path; `inventory` is the change of a character's inventory. `remarks` are doubts about scores that
    people insisted on; `note` is a comment of theirs. `in_world` are the properties of the date in the world, by name.
    `match` is set for the result of a match, whose games are in the tables and the story. `definition` is the id of the
    definition of a game that is defined by a score sheet alone.
    """

    session: str
    game: str
    title: str
    date: date
    seats: tuple[SeatSpec, ...]
    outcome: Outcome
    tables: tuple[Table, ...] = ()
    scores: tuple[Score | None, ...] = ()
    mode: str = ""
    options: Options = field(default_factory=dict)
    seed: int | None = None
    real_cards: bool = False
    deck: str = ""
    deck_title: str = ""
    fingerprint: str = ""
    story: tuple[Sentence, ...] = ()
    headline: Sentence | None = None
    tales: tuple[tuple[Sentence, str], ...] = ()
    cards: tuple[str, ...] = ()
    deeds: Mapping[str, Sentence] = field(default_factory=dict)
    card_names: Mapping[str, str] = field(default_factory=dict)
    moves: int = 0
    minutes: int | None = None
    free_undos: int = 0
    version: str = __version__
    journal: str = ""
    sources: Sources = field(default_factory=Sources)
    about: tuple[tuple[str, str], ...] = ()
    inventory: Change | None = None
    remarks: tuple[str, ...] = ()
    note: str = ""
    in_world: Mapping[str, str] = field(default_factory=dict)
    match: Match | None = None
    definition: str = ""

    def say(self, sentence: Sentence) -> str:
        """Return a sentence as plain text."""
        return sentence.render(lambda seat: self.seats[seat].name, lambda card: self.card_names.get(card, card))


def verbatim_sentence(text: str) -> Sentence:
    """Return a sentence that is exactly `text`, such as a person's own words; braces in it stay as they are."""
    return Sentence("{v0}", values=(text,))


def from_session(session: Session, sources: Sources, vault: Path | None = None) -> GameResult:
    """Return the result of a session that is over. `vault` is a folder that may have its own phrases for the story.

    Raises InvalidError if the session is not over, and for phrases that cannot be used.
    """
    contents, steps, game, deck = read(session.path), session.steps, session.game, session.deck
    header, end, session_outcome = session.header, contents.end, session.outcome
    if end is None or session_outcome is None:
        hint = f"Continue with: vaultkit resume {header.session}"
        raise InvalidError("This game is not over yet.", where=header.session, hint=hint)
    character, before = header.agreement.character, header.known.get("inventory")
    inventory = Change(character, before, dict(session_outcome.facts)[AFTER_LABEL].cards) if character else None
    notes = (("Character", character), ("Encounter", header.agreement.encounter))
    campaign_facts = _campaign_facts(session_outcome, header.agreement, inventory)
    outcome = replace(session_outcome, facts=(*session_outcome.facts, *campaign_facts))
    story = _create_story(session, session_outcome, vault, end.at)
    return GameResult(
        session=header.session,
        game=game.id,
        title=game.title,
        date=header.started.date(),
        seats=header.seats,
        outcome=outcome,
        tables=game.score_tables(session_outcome),
        scores=tuple(map(outcome.score, range(len(header.seats)))),
        mode=str(header.options.get("mode", "")),
        options=_house_rules(game, header),
        seed=None if header.real_cards else header.seed,
        real_cards=header.real_cards,
        deck=deck.kind,
        deck_title=deck.title,
        fingerprint=deck.fingerprint,
        story=story.sentences,
        headline=story.headline,
        tales=tuple((step.events[0].sentence, step.tale) for step in steps if step.tale),
        cards=tuple(card for card, _ in story.cards),
        deeds=dict(story.cards),
        card_names={card.id: card.name for card in deck},
        moves=contents.move_count,
        minutes=minutes_between(header.started, end.at),
        free_undos=contents.free_undo_count,
        version=header.version,
        journal=f"{JOURNALS_FOLDER}/{session.path.name}",
        sources=sources,
        about=tuple((label, note) for label, note in notes if note),
        inventory=inventory,
    )


def _create_story(session: Session, outcome: Outcome, vault: Path | None, ended_at: datetime | None) -> Story:
    """Return the story of a session that ended at a time.

    If people dealt the cards and did not enter all of them, changes of unscored standings are ignored.
    """
    game, header = session.game, session.header
    try:
        game_phrases = load_phrases(game.id, vault)
    except InvalidError as error:
        error.hint = f"{error.hint} The game is kept. To log it: vaultkit log --session {header.session}".strip()
        raise
    if not has_phrases(game.id):
        return tell_scores(outcome, game_phrases, header.session)
    timeline = replay_timeline(game, session.start_state(), session.steps, outcome, game_phrases.kinds)
    timeline = timeline if timeline.counts or not header.unseen else timeline.without_changes()
    number = Store(session.path.parent).count_games_before(game.id, header.session, ended_at)
    return tell_story(timeline, outcome, game_phrases, header.session, header.options, number=number)


def _house_rules(game: AnyGame, header: Header) -> Options:
    """Return the options that somebody chose, without the options that a character's or an encounter's note settles."""
    settled = header.agreement.settled_options
    return {key: value for key, value in changes(game, header.options).items() if key not in settled}


def _campaign_facts(outcome: Outcome, agreement: Agreement, inventory: Change | None) -> Iterator[tuple[str, Sentence]]:
    """Yield the facts that the campaign adds to an outcome.

    They are the text of an encounter's note about a loss (DD-11), a warning if the encounter has cost the character the
    last card (DD-4), and the name of a GM without a seat who made the dealer's choices (DC-2).
    """
    if agreement.on_loss and outcome.kind == "loss":
        yield PRICE_LABEL, verbatim_sentence(agreement.on_loss)
    if inventory is not None and not inventory.after:
        yield "No card is left", verbatim_sentence(EMPTY_INVENTORY_ADVICE)
    if agreement.gm:
        yield "The GM played against them", verbatim_sentence(agreement.gm)


def minutes_between(started: datetime, ended: datetime | None) -> int | None:
    """Return how long a game took, in minutes.

    None if it has no end, if the clock went back, or if only one of the two times has a time zone.
    """
    if ended is None or (ended.tzinfo is None) is not (started.tzinfo is None):
        return None
    minutes = round((ended - started).total_seconds() / 60)
    return minutes if minutes >= 0 else None
