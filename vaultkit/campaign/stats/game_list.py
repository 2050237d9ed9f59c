"""All games of a vault, prepared for statistics: in order, each once, with the problems of unreadable notes."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from vaultkit.campaign.game_lookup import logging_moments
from vaultkit.campaign.logged_game import GameReader, Participant, PlayedGame, find_originals, is_game, score_number
from vaultkit.campaign.property_names import SCORE_PREFIX, SESSION
from vaultkit.campaign.score_checks.contradictions import find_contradictions, find_score_problems, find_sheet
from vaultkit.campaign.unreadable_notes import has_property_text
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.words import load_readable_words
from vaultkit.errors import InvalidError, MissingNote, Problem
from vaultkit.games.concession import CONCEDED
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ENDINGS, ScoreSheet
from vaultkit.key_lines import find_key_line
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.text import name_key, name_sort_key
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import Link
from vaultkit.vault.note_facts import Facts, name_of
from vaultkit.vault.subpath import comparable_heading, find_heading, to_subpath
from vaultkit.vault.text_positions import LINE_END

CARDS_HEADING = "Cards That Mattered"
_GAME_NOTE_PATH = re.compile(r"(?:.*/)?\d{4}-\d{2}-\d{2} [^/]+ \d+\.md")
"""The path of a game's note that was not renamed."""


@dataclass(frozen=True)
class LinkedCard:
    """A card that is linked in a note of a game.

    `note` is the vault path of the link's target, "" if the link leads to no note; `subpath` is the part after `#`.
    `in_row` means that several cards share that target, since they are rows of a table.
    """

    name: str
    note: str
    subpath: str
    in_row: bool = False

    @cached_property
    def key(self) -> tuple[str, str]:
        """The key that identifies the card among all cards."""
        by_name = self.name.casefold()
        return self.note, by_name if self.in_row else comparable_heading(self.subpath) or by_name


class CardReader:
    """A reader of the cards in the notes of many games; it caches link targets, since few cards occur in many games."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        own_heading = load_readable_words(vault.root)(CARDS_HEADING)
        self._headings = frozenset(map(comparable_heading, (CARDS_HEADING, own_heading)))
        self._cards: dict[tuple[str, str, str, str], LinkedCard] = {}

    def cards(self, facts: Facts) -> tuple[LinkedCard, ...]:
        """Return the cards linked in a note's section CARDS_HEADING, each once."""
        headings = facts.anchors.headings
        section = next((heading for heading in headings if comparable_heading(heading.text) in self._headings), None)
        if section is None:
            return ()
        next_headings = (heading for heading in headings if heading.start > section.start)
        ends = (heading.start for heading in next_headings if heading.level <= section.level)
        end = next(ends, None)
        links = (link for link in facts.links if link.start >= section.end and (end is None or link.start < end))
        cards = [self._find_card(link, facts.path) for link in links if link.kind in _LINK_KINDS and not link.external]
        return tuple({card.key: card for card in reversed(cards)}.values())[::-1]

    def _find_card(self, link: Link, source: str) -> LinkedCard:
        cache_key = (link.text, link.path, link.subpath, posixpath.dirname(source) if link.path else source)
        if cache_key not in self._cards:
            self._cards[cache_key] = self._name_by_row(link, self._read_card(link, source))
        return self._cards[cache_key]

    def _name_by_row(self, link: Link, card: LinkedCard) -> LinkedCard:
        """Return `card` unchanged, or named by the link's alias, in the deck's spelling, if it is a row of a table."""
        alias = "" if link.text == link.target else link.text
        if alias and card.note and alias.casefold() != card.name.casefold():
            names = self._row_names.get((card.note, comparable_heading(card.subpath)), {})
            return replace(card, name=names.get(alias.casefold(), alias), in_row=True) if len(names) > 1 else card
        return card

    @cached_property
    def _row_names(self) -> Mapping[tuple[str, str], Mapping[str, str]]:
        """The names of cards by the path and subpath of links to them, then by the name in lower case."""
        entries = [entry for deck in Compendium(self._vault).decks for entry in deck.entries]
        names: dict[tuple[str, str], dict[str, str]] = {}
        for entry in entries:
            path, _, subpath = entry.link.partition("#")
            names.setdefault((path, comparable_heading(subpath)), {})[entry.card.name.casefold()] = entry.card.name
        return names

    def _read_card(self, link: Link, source: str) -> LinkedCard:
        """Return the card that a link leads to, named by its heading, or by its note if it has one of its own."""
        path = self._vault.files.resolve(link.path, source).path if link.path else source
        last_heading = link.subpath.rpartition("#")[2]
        if path is None or not is_note(path):
            return LinkedCard(last_heading or link.text, "", last_heading or link.path)
        if not link.subpath:
            return LinkedCard(name_of(path), path, "")
        facts = self._vault.facts.get(path)
        heading = find_heading(facts.anchors.headings, link.subpath) if facts else None
        name = to_subpath(heading.text) if heading else last_heading
        return LinkedCard(name, path, name if heading else link.subpath)


_LINK_KINDS = frozenset({"wikilink", "markdown"})


@dataclass(frozen=True, slots=True)
class CardCount:
    """The number of games that a card decided, in total and by title, the highest numbers first."""

    card: LinkedCard
    games: int
    by_game: tuple[tuple[str, int], ...]


def count_cards(decided_games: Iterable[tuple[str, Sequence[LinkedCard]]]) -> tuple[CardCount, ...]:
    """Count the games that each card decided; the most frequent cards come first.

    `decided_games` has the title and the cards of each game.
    """
    cards: dict[tuple[str, str], LinkedCard] = {}
    titles: dict[tuple[str, str], Counter[str]] = {}
    for title, linked_cards in decided_games:
        for card in linked_cards:
            cards[card.key] = card
            titles.setdefault(card.key, Counter())[title] += 1
    counts = (CardCount(cards[key], games.total(), tuple(_sort_by_frequency(games))) for key, games in titles.items())
    return tuple(sorted(counts, key=lambda count: (-count.games, name_sort_key(count.card.name), count.card.note)))


def _sort_by_frequency(titles: Counter[str]) -> list[tuple[str, int]]:
    return sorted(titles.items(), key=lambda item: (-item[1], name_sort_key(item[0])))


@dataclass(frozen=True, slots=True)
class CountedGame:
    """One game or match, and the cards that mattered in it according to its note.

    `sheet` is the score sheet of a game that vaultkit has no rules for, else None.
    """

    game: PlayedGame
    cards: tuple[LinkedCard, ...] = ()
    sheet: ScoreSheet | None = None

    def participants(self, bots: bool) -> tuple[Participant, ...]:
        """Return the people who took part, each once; with `bots`, all participants."""
        all_participants = self.game.participants if bots else self.game.people
        return tuple({participant.identity: participant for participant in reversed(all_participants)}.values())[::-1]

    @property
    def single_games(self) -> "tuple[CountedGame, ...]":
        """The game itself, or the games of a match, of which the first has the match's cards."""
        first, *others = self.game.single_games
        return (replace(self, game=first), *(replace(self, game=game, cards=()) for game in others))

    @property
    def kind(self) -> str:
        """The key of the game's kind: its id, else its title without regard to case.

        The title counts, too, for games of a sheet on which the game's name is written, such as Who Won.
        """
        if self.sheet and self.sheet.definition.title_from and self.game.title != self.sheet.title:
            return f"{self.game.game}:{name_key(self.game.title)}"
        return self.game.game or name_key(self.game.title)

    def ranking_value(self, score: float) -> float:
        """Return a number that is higher for better scores of the game: if the lowest score wins, the negated score."""
        return -score if self.sheet and self.sheet.definition.win == "lowest" else score

    @property
    def is_contest(self) -> bool:
        """Whether the game could be lost; False for a game that one player played alone for a score, without rules."""
        is_alone = len({participant.identity for participant in self.game.participants}) == 1
        return not is_alone or self.game.game in GAMES or not self._is_won_by_score

    @property
    def has_records(self) -> bool:
        """Whether the score is a number that decides who wins, so that scores of several games can be compared."""
        if self.sheet is None or self.game.game in GAMES:
            return self._is_won_by_score or self.game.outcome not in ENDINGS
        score_column = self.sheet.definition.by_id.get(self.sheet.definition.score)
        return self._is_won_by_score and score_column is not None and not score_column.choices

    @property
    def _is_won_by_score(self) -> bool:
        """Whether the highest or the lowest score wins; without a score sheet, the outcome decides."""
        if self.sheet:
            return self.sheet.definition.win in ("highest", "lowest")
        return self.game.outcome in ("score", "drawn", "solo")

    @property
    def outcome(self) -> str:
        """The kind of outcome, `conceded` for each game in which a player gave up.

        The kind `winner` in older notes becomes `nobody` if no winner was chosen.
        """
        game = self.game
        if game.is_conceded:
            return CONCEDED
        may_lack_winner = game.outcome == "winner" and game.game not in GAMES and not game.strangers
        has_winner = any(participant.won for participant in game.participants)
        return "nobody" if may_lack_winner and not has_winner else game.outcome

    @property
    def title(self) -> str:
        """The title of the game, for a built-in game the one that vaultkit gives it."""
        return GAMES[self.game.game].title if self.game.game in GAMES else self.game.title


@dataclass(frozen=True, slots=True)
class GameList:
    """All games of a vault in order. `problems` are notes that cannot be read, or only in part.

    `copies` maps the path of each note whose session another note has already, as sync tools leave them, to the path of
    the other note.
    """

    sessions: tuple[CountedGame, ...]
    problems: tuple[Problem, ...] = ()
    copies: Mapping[str, str] = field(default_factory=dict)


_NOT_LOGGED_YET = ("~", "")
"""The moment of a game that the history does not have: it is being logged, so it is the last of its day."""


def gather_games(vault: Vault, party: Sequence[str] = ()) -> GameList:
    """Read every game that has a note anywhere in the vault. `party` are the players of the settings."""
    reader, cards, sheets = GameReader(vault, party), CardReader(vault), ScoreSheets(vault)
    note_facts, copies = find_originals(vault.note_facts)
    games = map(reader.read, note_facts)
    current_games = [replace(game, game=sheets.current_id(game.game)) for game in games]
    games_and_cards = zip(current_games, map(cards.cards, note_facts), strict=True)
    sessions = [CountedGame(game, game_cards, find_sheet(game, sheets)) for game, game_cards in games_and_cards]
    doubts = _find_doubts(vault, note_facts, sessions)
    problems = (*_unreadable_problems(vault), *doubts, *reader.problems)
    by_note, moments = sorted(sessions, key=lambda session: session.game.order), logging_moments(vault)
    by_day = sorted(
        by_note, key=lambda session: (session.game.order[0], moments.get(session.game.session, _NOT_LOGGED_YET))
    )
    return GameList(tuple(by_day), problems, copies)


def _unreadable_problems(vault: Vault) -> Iterator[Problem]:
    """Yield the problems of notes that seem to be notes of games, but cannot be read as such."""
    for facts in vault.facts.values():
        if not is_note(facts.path) or is_game(facts):
            continue
        errors = (problem for problem in facts.problems if problem.severity == "error")
        problem = facts.unreadable or next(errors, None)
        is_evicted = facts.path in vault.listing.evicted and _GAME_NOTE_PATH.fullmatch(facts.path)
        if problem is not None and (is_evicted or has_property_text(vault, facts.path, SESSION)):
            yield problem


def _find_doubts(vault: Vault, notes: Iterable[Facts], sessions: Iterable[CountedGame]) -> Iterator[Problem]:
    """Yield a problem for each value in `notes` that cannot be right; `sessions` were read from `notes` in order."""
    for facts, session in zip(notes, sessions, strict=True):
        game = session.game
        yield from (problem for problem in facts.problems if problem.code == "frontmatter")
        if game.date is None:
            date_text = facts.property("date")
            message = f"The date '{date_text}' cannot be read" if date_text else "This game has no date"
            hint = "It counts as the oldest. Write the date as 2026-11-03."
            yield _problem(vault, facts.path, "date", f"{message}.", hint)
        if not game.participants:
            yield _problem(vault, facts.path, "players", "This game names no players.", "List them under 'players'.")
        elif game.strangers:
            message = f"Nobody at the table is called '{game.strangers[0]}', so this win counts for nobody."
            yield _problem(vault, facts.path, "winners", message, "Write winners as they are written under 'players'.")
        yield from _invalid_score_problems(vault, facts)
        with suppress(InvalidError, MissingNote):
            contradictions = find_contradictions(vault.read(facts.path), game, session.sheet, vault)
            yield from find_score_problems(contradictions, vault)


def _invalid_score_problems(vault: Vault, facts: Facts) -> Iterator[Problem]:
    """Yield a problem for each score that is not a number; an empty property is not a score."""
    for key, value in facts.properties.items():
        if key.lower().startswith(SCORE_PREFIX) and value not in (None, "") and score_number(value) is None:
            message = f"The score {key} is '{value}', which is not a number, so it does not count."
            yield _problem(vault, facts.path, key, message, "Write only a number, such as 27.")


def _problem(vault: Vault, path: str, name: str, message: str, hint: str) -> Problem:
    return Problem(path, _property_line(vault, path, name), 1, f"game-{name}", message, hint, "warning")


def _property_line(vault: Vault, path: str, name: str) -> int:
    """Return the line of a property, else of the property with the session's id; 1 if neither is found."""
    with suppress(InvalidError, MissingNote):
        lines = LINE_END.split(vault.read(path).head)
        places = (find_key_line(lines, (key,)) for key in (name, SESSION))
        return next((line for line, is_exact in places if is_exact), 1)
    return 1
