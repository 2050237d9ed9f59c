"""The games of a vault as statistics take them: in their order, each once, and with what could not be read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vaultkit.campaign.keys import SESSION
from vaultkit.campaign.played import GameReader, Participant, PlayedGame, is_game, originals
from vaultkit.campaign.players import folded
from vaultkit.campaign.stats.cards import Card, CardReader
from vaultkit.campaign.stats.doubts import doubtful
from vaultkit.errors import InvalidError, Problem
from vaultkit.games.registry import GAMES
from vaultkit.vault import Vault
from vaultkit.vault.reading import is_note


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
    chosen, copies = originals(vault.note_facts)
    sessions = [Session(reader.read(facts), cards.cards(facts)) for facts in chosen]
    problems = (*_unreadable(vault), *doubtful(vault, chosen, [session.game for session in sessions]), *reader.problems)
    return Gathered(tuple(sorted(sessions, key=lambda one: one.game.order)), problems, copies)


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
    return re.search(rb"^\W*" + SESSION.encode() + rb"\W*:", narrow[:20_000], re.MULTILINE) is not None
