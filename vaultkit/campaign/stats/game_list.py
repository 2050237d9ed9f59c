"""The games of a vault as statistics take them: in their order, each once, and with what could not be read."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from vaultkit.campaign.keys import SCORE, SESSION
from vaultkit.campaign.played import GameReader, Participant, PlayedGame, is_game, originals, score_number
from vaultkit.campaign.scoretable import other_totals
from vaultkit.campaign.unread_notes import speaks_of
from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import InvalidError, MissingNote, Problem
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ENDINGS, ScoreSheet
from vaultkit.grouping import group
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sorting import name_key, name_order
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts, name_of
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import Link
from vaultkit.vault.places import Places
from vaultkit.vault.subpath import comparable, find_heading, to_subpath

SECTION = "Cards That Mattered"
_NOTE_OF_GAME = re.compile(r"(?:.*/)?\d{4}-\d{2}-\d{2} [^/]+ \d+\.md")
"""The path of a game's note that was not renamed."""


@dataclass(frozen=True)
class LinkedCard:
    """A card as it is linked: `note` is a vault path, "" if there is none; `subpath` is what stands behind `#`.

    `in_row` says that other cards are linked by the same place: they are rows of a table.
    """

    name: str
    note: str
    subpath: str
    in_row: bool = False

    @cached_property
    def key(self) -> tuple[str, str]:
        """Its key among all cards."""
        by_name = self.name.casefold()
        return self.note, by_name if self.in_row else comparable(self.subpath) or by_name


class CardReader:
    """Reads the cards of many games, and remembers where links lead: there are few cards, and many games."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._cards: dict[tuple[str, str, str, str], LinkedCard] = {}

    def cards(self, facts: Facts) -> tuple[LinkedCard, ...]:
        """The cards linked in the note's section of them, each once."""
        headings = facts.anchors.headings
        found = next((one for one in headings if _is_section(one.text)), None)
        if found is None:
            return ()
        end = next((one.start for one in headings if one.start > found.start and one.level <= found.level), None)
        links = (link for link in facts.links if link.start >= found.end and (end is None or link.start < end))
        cards = [self._card(link, facts.path) for link in links if link.kind in _KINDS and not link.external]
        return tuple({card.key: card for card in reversed(cards)}.values())[::-1]

    def _card(self, link: Link, source: str) -> LinkedCard:
        place = (link.text, link.path, link.subpath, posixpath.dirname(source) if link.path else source)
        if place not in self._cards:
            self._cards[place] = self._in_row(link, self._read(link, source))
        return self._cards[place]

    def _in_row(self, link: Link, card: LinkedCard) -> LinkedCard:
        """The card of a row by the link's alias, in the deck's spelling; any other `card` as it is."""
        alias = "" if link.text == link.target else link.text
        if alias and card.note and alias.casefold() != card.name.casefold():
            names = self._rows.get((card.note, comparable(card.subpath)), {})
            return replace(card, name=names.get(alias.casefold(), alias), in_row=True) if len(names) > 1 else card
        return card

    @cached_property
    def _rows(self) -> Mapping[tuple[str, str], Mapping[str, str]]:
        """The names of the decks' cards, by the places that links to them lead to, and in small letters."""
        entries = [entry for deck in Compendium(self._vault).decks for entry in deck.entries]
        places = ((*entry.link.partition("#")[::2], entry.card.name) for entry in entries)
        named = group(((path, comparable(subpath)), (name.casefold(), name)) for path, subpath, name in places)
        return {place: dict(names) for place, names in named.items()}

    def _read(self, link: Link, source: str) -> LinkedCard:
        """A heading as its note spells it; a card with a note of its own by the name of that."""
        found = self._vault.files.resolve(link.path, source).path if link.path else source
        last = link.subpath.rpartition("#")[2]
        if found is None or not is_note(found):
            return LinkedCard(last or link.text, "", last or link.path)
        if not link.subpath:
            return LinkedCard(name_of(found), found, "")
        facts = self._vault.facts.get(found)
        heading = find_heading(facts.anchors.headings, link.subpath) if facts else None
        name = to_subpath(heading.text) if heading else last
        return LinkedCard(name, found, name if heading else link.subpath)


@lru_cache(maxsize=1_000)
def _is_section(heading: str) -> bool:
    return comparable(heading) == comparable(SECTION)


_KINDS = frozenset({"wikilink", "markdown"})


@dataclass(frozen=True, slots=True)
class CardCount:
    """How many games a card decided, in all and by the games' titles, the most first."""

    card: LinkedCard
    games: int
    by_game: tuple[tuple[str, int], ...]


def count_cards(decided_games: Iterable[tuple[str, Sequence[LinkedCard]]]) -> tuple[CardCount, ...]:
    """The cards of games, each game with its title; the most frequent first."""
    cards: dict[tuple[str, str], LinkedCard] = {}
    titles: dict[tuple[str, str], Counter[str]] = {}
    for title, decided in decided_games:
        for card in decided:
            cards[card.key] = card
            titles.setdefault(card.key, Counter())[title] += 1
    found = (CardCount(card, titles[key].total(), tuple(_by_frequency(titles[key]))) for key, card in cards.items())
    return tuple(sorted(found, key=lambda one: (-one.games, name_order(one.card.name), one.card.note)))


def _by_frequency(titles: Counter[str]) -> list[tuple[str, int]]:
    return sorted(titles.items(), key=lambda item: (-item[1], name_order(item[0])))


@dataclass(frozen=True, slots=True)
class CountedGame:
    """One game, the cards that its note says mattered, and its score sheet if it is known by that alone."""

    game: PlayedGame
    cards: tuple[LinkedCard, ...] = ()
    sheet: ScoreSheet | None = None

    def participants(self, bots: bool) -> tuple[Participant, ...]:
        """Who counts: the people, with `bots` everybody. Who is listed twice sat there once."""
        there = self.game.participants if bots else self.game.people
        return tuple({one.identity: one for one in reversed(there)}.values())[::-1]

    @property
    def single_games(self) -> "tuple[CountedGame, ...]":
        """The game itself, or those of a match, the first of which has the cards."""
        return tuple(
            replace(self, game=game, cards=() if number else self.cards)
            for number, game in enumerate(self.game.single_games)
        )

    @property
    def kind(self) -> str:
        """The key of its game among all: the id, else the title in any case."""
        return self.game.game or name_key(self.game.title)

    def worth(self, score: float) -> float:
        """How good a score is among others of the game: in some the lowest wins."""
        return -score if self.sheet and self.sheet.definition.win == "lowest" else score

    @property
    def is_contest(self) -> bool:
        """Whether the game could be lost: against others, together, by a yes or no, or by the rules that are here."""
        is_alone = len({one.identity for one in self.game.participants}) == 1
        return not is_alone or self.game.game in GAMES or not self._is_won_by_score

    @property
    def has_records(self) -> bool:
        """Whether the score is a number by which the game was won, so that scores of several games compare."""
        if self.sheet is None or self.game.game in GAMES:
            return self._is_won_by_score or self.game.outcome not in ENDINGS
        decides = self.sheet.definition.by_id.get(self.sheet.definition.score)
        return self._is_won_by_score and decides is not None and not decides.choices

    @property
    def _is_won_by_score(self) -> bool:
        """Whether the highest or the lowest score wins; of a game without a score sheet the outcome tells."""
        if self.sheet:
            return self.sheet.definition.win in ("highest", "lowest")
        return self.game.outcome in ("score", "drawn", "solo")

    @property
    def outcome(self) -> str:
        """The kind of its outcome; older notes call it a win where nobody was chosen."""
        game = self.game
        nobody = game.outcome == "winner" and game.game not in GAMES and not game.strangers
        return "nobody" if nobody and not any(one.won for one in game.participants) else game.outcome

    @property
    def title(self) -> str:
        """The title of its game, ours where it is one of ours."""
        return GAMES[self.game.game].title if self.game.game in GAMES else self.game.title


@dataclass(frozen=True, slots=True)
class Gathered:
    """All games of a vault in their order. `problems` are notes that could not be read, or not in full.

    `copies` are notes of a session that another note tells already, by that other note: a sync tool leaves such files.
    """

    sessions: tuple[CountedGame, ...]
    problems: tuple[Problem, ...] = ()
    copies: Mapping[str, str] = field(default_factory=dict)


def gather_games(vault: Vault, party: Sequence[str] = ()) -> Gathered:
    """Every game that a note of the vault tells, wherever it lies. `party` are the players of the settings."""
    reader, cards, sheets = GameReader(vault, party), CardReader(vault), ScoreSheets(vault)
    chosen, copies = originals(vault.note_facts)
    read = [(reader.read(facts), cards.cards(facts)) for facts in chosen]
    sessions = [CountedGame(game, mattered, _sheet(game, sheets)) for game, mattered in read]
    problems = (*_unreadable(vault), *doubtful(vault, chosen, [session.game for session in sessions]), *reader.problems)
    return Gathered(tuple(sorted(sessions, key=lambda one: one.game.order)), problems, copies)


def _sheet(game: PlayedGame, sheets: ScoreSheets) -> ScoreSheet | None:
    """Return the score sheet that a game was logged with, else today's; None for a built-in or unknown game."""
    if game.definition:
        with suppress(InvalidError):  # of a definition that is not there the note's own numbers count
            return sheets.by_definition(game.game, game.definition)
    return None if game.game in GAMES else sheets.defined.get(game.game)


def _unreadable(vault: Vault) -> Iterator[Problem]:
    """Notes that seem to be those of games, and that cannot be read as such."""
    for facts in vault.facts.values():
        if not is_note(facts.path) or is_game(facts):
            continue
        problem = facts.unreadable or next((one for one in facts.problems if one.severity == "error"), None)
        is_evicted = facts.path in vault.listing.evicted and _NOTE_OF_GAME.fullmatch(facts.path)
        if problem is not None and (is_evicted or speaks_of(vault, facts.path, SESSION)):
            yield problem


def doubtful(vault: Vault, notes: Iterable[Facts], games: Iterable[PlayedGame]) -> Iterator[Problem]:
    """A problem for all in the `notes` that cannot be, or not be meant; `games` were read off them."""
    for facts, game in zip(notes, games, strict=True):
        yield from (problem for problem in facts.problems if problem.code == "frontmatter")
        if game.date is None:
            written = facts.property("date")
            said = f"The date '{written}' cannot be read" if written else "This game has no date"
            hint = "It counts as the first of all. Write the date as 2026-11-03."
            yield _problem(vault, facts.path, "date", f"{said}.", hint)
        if not game.participants:
            yield _problem(vault, facts.path, "players", "This game names no players.", "List them under 'players'.")
        elif game.strangers:
            said = f"Nobody at the table is called '{game.strangers[0]}', so that win counts for nobody."
            yield _problem(vault, facts.path, "winners", said, "Write winners as they stand under 'players'.")
        yield from _no_numbers(vault, facts)
        for line, said in other_totals(vault, game):
            hint = "The property counts. Correct the one that is wrong."  # here, and in Obsidian's Bases
            yield Problem(game.note, line, 1, "game-total", said, hint, "warning")


def _no_numbers(vault: Vault, facts: Facts) -> Iterator[Problem]:
    """Scores that are no numbers; an empty property is none."""
    for key, value in facts.properties.items():
        if key.lower().startswith(SCORE) and value not in (None, "") and score_number(value) is None:
            said = f"The score {key} is '{value}', which is no number, so it does not count."
            yield _problem(vault, facts.path, re.escape(key), said, "Write it as a number alone, such as 27.")


def _problem(vault: Vault, path: str, name: str, message: str, hint: str) -> Problem:
    return Problem(path, _line(vault, path, name), 1, f"game-{name}", message, hint, "warning")


def _line(vault: Vault, path: str, name: str) -> int:
    """The line of a property, else that of the session's id; 1 if neither can be found."""
    try:
        note = vault.read(path)
        block = note.text[: note.body_start]
    except (InvalidError, MissingNote):
        return 1
    found = (re.search(rf"^[\"']?{key}[\"']?[ \t]*:", block, re.MULTILINE | re.IGNORECASE) for key in (name, SESSION))
    return next((Places(block).line(match.start()) for match in found if match), 1)
