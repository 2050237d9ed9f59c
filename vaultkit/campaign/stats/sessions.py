"""The games of a vault as statistics take them: in their order, each once, and with what could not be read."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from vaultkit.campaign.played import PROPERTY, GameReader, Participant, PlayedGame, folded, is_game
from vaultkit.campaign.stats.cards import Card, CardReader
from vaultkit.errors import InvalidError, MissingNote, Problem
from vaultkit.games.registry import GAMES
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts
from vaultkit.vault.places import Places
from vaultkit.vault.reading import is_note

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Session:
    """One game, and the cards that its note says mattered."""

    game: PlayedGame
    cards: tuple[Card, ...] = ()

    def seated(self, bots: bool) -> tuple[Participant, ...]:
        """Who counts: the people, with `bots` everybody. Who is listed twice sat there once."""
        there = self.game.participants if bots else self.game.people
        return tuple({identity(one): one for one in reversed(there)}.values())[::-1]

    @property
    def kind(self) -> str:
        """What tells its game from other games: the id, else the title in any case."""
        return self.game.game or folded(self.game.title)

    @property
    def title(self) -> str:
        """The title of its game, ours where it is one of ours."""
        return GAMES[self.game.game].title if self.game.game in GAMES else self.game.title

    @property
    def order(self) -> tuple[date, tuple[tuple[int, int, str], ...], str]:
        """By date, then by the note's name, in which 2 comes before 10; a game without a date before all others."""
        name = posixpath.basename(self.game.note)
        parts = ((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(name.casefold()))
        return self.game.date or date.min, tuple(part for part in parts if part != (1, 0, "")), self.game.note


@dataclass(frozen=True, slots=True)
class Gathered:
    """All games of a vault in their order. `problems` are notes that could not be read, or not in full.

    `copies` are notes of a session that another note tells already, by that other note: a sync tool leaves such files.
    """

    sessions: tuple[Session, ...]
    problems: tuple[Problem, ...] = ()
    copies: Mapping[str, str] = field(default_factory=dict)


def identity(one: Participant) -> str:
    """What tells one participant from all others: the note, or a guest's name in any case."""
    return one.note or folded(one.name)


def gather(vault: Vault, party: Sequence[str] = ()) -> Gathered:
    """Every game that a note of the vault tells, wherever it lies. `party` are the players of the settings."""
    reader, cards = GameReader(vault, party), CardReader(vault)
    by_id: dict[str, list[Facts]] = {}
    for facts in vault.note_facts:
        if is_game(facts):
            by_id.setdefault(str(facts.property(PROPERTY)).strip().casefold(), []).append(facts)
    chosen = [min(found, key=_originality) for found in by_id.values()]
    kept = {facts.path for facts in chosen}
    copies = {
        copy.path: original.path
        for original, found in zip(chosen, by_id.values(), strict=True)
        for copy in found
        if copy.path not in kept
    }
    sessions = [Session(reader.read(facts), cards.cards(facts)) for facts in chosen]
    problems = (*_unreadable(vault), *_doubtful(vault, chosen, sessions))
    return Gathered(tuple(sorted(sessions, key=lambda one: one.order)), problems, copies)


def _originality(facts: Facts) -> tuple[int, int, str]:
    """A sync tool makes the name of a copy longer, and a copy in a folder of copies lies deeper."""
    return len(posixpath.basename(facts.path)), len(facts.path), facts.path


def _unreadable(vault: Vault) -> Iterator[Problem]:
    """Notes that seem to be those of games, and that cannot be read as such."""
    for facts in vault.facts.values():
        if not is_note(facts.path) or is_game(facts):
            continue
        problem = facts.unreadable or next((one for one in facts.problems if one.severity == "error"), None)
        if problem is not None and _speaks_of_a_game(vault, facts.path):
            yield problem


def _speaks_of_a_game(vault: Vault, path: str) -> bool:
    try:
        data = vault.file(path).read_bytes()
    except (OSError, InvalidError):
        return False
    narrow = data.replace(b"\0", b"")  # UTF-16 among others
    return re.search(rb"^\W*" + PROPERTY.encode() + rb"\W*:", narrow[:20_000], re.MULTILINE) is not None


def _doubtful(vault: Vault, notes: Iterable[Facts], sessions: Iterable[Session]) -> Iterator[Problem]:
    for facts, session in zip(notes, sessions, strict=True):
        yield from (problem for problem in facts.problems if problem.code == "frontmatter")
        game = session.game
        if game.date is None:
            written = facts.property("date")
            said = f"The date '{written}' cannot be read" if written else "This game has no date"
            hint = "It counts as the first of all. Write the date as 2026-11-03."
            yield _problem(vault, facts.path, "date", f"{said}.", hint)
        if not game.participants:
            yield _problem(vault, facts.path, "players", "This game names no players.", "List them under 'players'.")


def _problem(vault: Vault, path: str, name: str, message: str, hint: str) -> Problem:
    return Problem(path, _line(vault, path, name), 1, f"game-{name}", message, hint, "warning")


def _line(vault: Vault, path: str, name: str) -> int:
    """The line of a property, else that of the session's id; 1 if neither can be found."""
    try:
        note = vault.read(path)
        block = note.text[: note.body_start]
    except (InvalidError, MissingNote):
        return 1
    found = (re.search(rf"^[\"']?{key}[\"']?[ \t]*:", block, re.MULTILINE | re.IGNORECASE) for key in (name, PROPERTY))
    return next((Places(block).line(match.start()) for match in found if match), 1)
