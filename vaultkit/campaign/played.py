"""A game as its note tells it, read back. The notes of games are the database: what was edited in them counts."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from vaultkit.campaign.keys import score_keys
from vaultkit.campaign.players import shown
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts, texts
from vaultkit.vault.links import split_wikilink

PROPERTY = "vaultkit-session"
"""The property by which the note of a game is known; its value is the session's id."""
_TAG = "game/"
_LINK = re.compile(r"\[\[([^\[\]]+)\]\]")
_BOT = re.compile(r".+ \((?:random|greedy|search(?::\d+)?)\)")


@dataclass(frozen=True, slots=True)
class Participant:
    """Who played: `name` is that of the player's note, else as written; `note` a vault path, "" for a guest."""

    name: str
    note: str
    bot: bool
    won: bool
    score: float | None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What the note at the vault path `note` says of a game. `game` is its id, "" where the note does not say it.

    `options` are those that differ from their defaults; `date` is None if there is none, or none that can be read.
    """

    note: str
    session: str
    game: str
    title: str
    date: date | None
    participants: tuple[Participant, ...]
    outcome: str
    mode: str
    options: Mapping[str, str]
    real_cards: bool

    @property
    def people(self) -> tuple[Participant, ...]:
        """The participants who are no bots."""
        return tuple(one for one in self.participants if not one.bot)


def played_games(vault: Vault) -> Iterator[PlayedGame]:
    """The game of every note with the property `vaultkit-session`, in the order of paths."""
    return (read_game(facts, vault) for facts in vault.note_facts if is_game(facts))


def is_game(facts: Facts) -> bool:
    """Whether a note is that of a game."""
    return bool(str(facts.property(PROPERTY) or "").strip())


def read_game(facts: Facts, vault: Vault) -> PlayedGame:
    """The game of a note that `is_game`."""
    pairs = (text.partition("=") for text in texts(facts.property("options")))
    title = shown(str(facts.property("game") or "")) or facts.title
    return PlayedGame(
        note=facts.path,
        session=str(facts.property(PROPERTY)).strip(),
        game=next((tag.removeprefix(_TAG) for tag in _tags(facts) if tag.startswith(_TAG)), ""),
        title=title,
        date=_date(facts.property("date")),
        participants=tuple(_participants(facts, vault)),
        outcome=str(facts.property("outcome") or ""),
        mode=str(facts.property("mode") or ""),
        options={key.strip(): value.strip() for key, equals, value in pairs if equals},
        real_cards=facts.property("real-cards") is True,
    )


def _participants(facts: Facts, vault: Vault) -> Iterator[Participant]:
    players = texts(facts.property("players"))
    notes = [_note(player, facts.path, vault) for player in players]
    names = [_name(player, note) for player, note in zip(players, notes, strict=True)]
    winners = {_identity(winner, facts.path, vault) for winner in texts(facts.property("winners"))}
    bots = {_identity(bot, facts.path, vault) for bot in texts(facts.property("bots"))}
    for player, note, name, key in zip(players, notes, names, score_keys(names), strict=True):
        bot = (note or name) in bots or _BOT.fullmatch(player) is not None
        won = (note or name) in winners
        yield Participant(name, note, bot, won, _number(facts.property(key)))


def _identity(text: str, source: str, vault: Vault) -> str:
    note = _note(text, source, vault)
    return note or _name(text, note)


def _note(text: str, source: str, vault: Vault) -> str:
    """The note that a property's link leads to, "" for words, and for links that lead nowhere."""
    link = _LINK.fullmatch(text.strip())
    found = vault.files.resolve(split_wikilink(link[1])[1], source).path if link else None
    return found if found and found.lower().endswith(".md") else ""


def _name(text: str, note: str) -> str:
    """The name of the note, that of a note which is gone, or the words."""
    link = _LINK.fullmatch(text.strip())
    path = note or (split_wikilink(link[1])[1] if link else "")
    return posixpath.basename(path).removesuffix(".md") or text.strip()


def _tags(facts: Facts) -> Sequence[str]:
    return [tag.lower().removeprefix("#") for tag in (*facts.tags, *texts(facts.property("tags")))]


def _date(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
