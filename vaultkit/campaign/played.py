"""A game as its note tells it, read back. The notes of games are the database: what was edited in them counts."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, count, repeat, takewhile
from math import isfinite

from vaultkit.campaign.keys import DEFINITION, MATCH, SCORE, SESSION, game_key, score_keys
from vaultkit.campaign.players import Players, bare_name
from vaultkit.campaign.unread_notes import refuse_unread
from vaultkit.errors import Problem
from vaultkit.games.registry import GAMES, rules
from vaultkit.grouping import group
from vaultkit.sorting import name_key, name_order
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts, texts
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import linked

_TAG = "game/"
_COOPERATIVE = frozenset({"coop", "co-op", "cooperative", "co-operative"})
_COMMA = re.compile(r",(?![^\[]*\]\])")
_BOT = re.compile(r".+ \((?:random|easy|fair|hard|greedy|search(?::\d+)?)\)")


@dataclass(frozen=True, slots=True)
class Participant:
    """Who played: `name` is that of the player's note, else as written; `note` a vault path, "" for a guest."""

    name: str
    note: str
    bot: bool
    won: bool
    score: float | None

    @property
    def identity(self) -> str:
        """The key of one participant among all: the note, or a guest's name in any case."""
        return self.note or name_key(self.name)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as the note at the vault path `note` tells it. `game` is its id, "" where the note does not say it.

    `options` are those that differ from their defaults; `date` is None if there is none, or none that can be read.
    `strangers` are winners, as written, who are not among the participants. `games` are those of a match, which tell
    who won each. `definition` is the id of that by which it was logged, "" where the note names none.
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
    strangers: tuple[str, ...] = ()
    games: "tuple[PlayedGame, ...]" = ()
    definition: str = ""

    @property
    def single_games(self) -> "tuple[PlayedGame, ...]":
        """The game itself, or those of a match."""
        return self.games or (self,)

    @property
    def people(self) -> tuple[Participant, ...]:
        """The participants who are no bots."""
        return tuple(one for one in self.participants if not one.bot)

    @property
    def together(self) -> bool:
        """Whether all played against the game, so that a win is a win of all."""
        if self.mode:
            return self.mode.strip().lower() in _COOPERATIVE
        info = GAMES.get(self.game)
        return bool(info and info.game) and self.outcome in rules(self.game).shared_endings

    @property
    def order(self) -> tuple[int, tuple[object, ...], str]:
        """By date, then by the note's name, in which 2 comes before 10; a game without a date before all others."""
        return self.date.toordinal() if self.date else 0, name_order(posixpath.basename(self.note)), self.note


def played_games(vault: Vault, party: Sequence[str] = ()) -> Iterator[PlayedGame]:
    """The game of every note with the property `vaultkit-session`, in the order of paths.

    `party` are the players of the settings, who come before all others of their names.
    """
    reader = GameReader(vault, party)
    return (reader.read(facts) for facts in vault.note_facts if is_game(facts))


def note_of(vault: Vault, session: str, key: str = SESSION) -> str | None:
    """The vault path of the note of a session, wherever it was moved; of copies the one that counts.

    `key` is the property by which the note is known, another one for readings. Raises InvalidError where no note of
    the session can be read, and one that cannot be read may be it.
    """
    wanted = session.strip().casefold()
    chosen, _ = originals((facts for facts in vault.note_facts if _id(facts, key) == wanted), key)
    if not chosen:
        refuse_unread(vault, key, wanted)
    return next((facts.path for facts in chosen), None)


def originals(notes: Iterable[Facts], key: str = SESSION) -> tuple[tuple[Facts, ...], Mapping[str, str]]:
    """The notes of games, one for each session, and the paths of all others by the one that counts.

    A sync tool leaves copies: it makes the name longer, and a copy in a folder of copies lies deeper. `key` is as in
    `note_of`.
    """
    by_id = group((known, facts) for facts in notes if (known := _id(facts, key)))
    chosen = tuple(min(found, key=_originality) for found in by_id.values())
    pairs = zip(chosen, by_id.values(), strict=True)
    return chosen, {copy.path: one.path for one, found in pairs for copy in found if copy.path != one.path}


def _originality(facts: Facts) -> tuple[int, int, str]:
    return len(posixpath.basename(facts.path)), len(facts.path), facts.path


def is_game(facts: Facts) -> bool:
    """Whether a note is that of a game."""
    return bool(_id(facts, SESSION))


def _id(facts: Facts, key: str) -> str:
    """The id that a note is known by, as ids are compared; "" for none."""
    return next(iter(texts(facts.property(key))), "").strip().casefold()


class GameReader:
    """Reads games, and remembers which note a player's name or link means: a campaign has few, and many games."""

    def __init__(self, vault: Vault, party: Sequence[str]) -> None:
        self._vault = vault
        self._players = Players(vault, party)
        self._notes: dict[tuple[str, str], str] = {}

    def read(self, facts: Facts) -> PlayedGame:
        """The game of a note that `is_game`."""
        said = {key.lower(): value for key, value in facts.properties.items()}
        pairs = (text.partition("=") for text in texts(said.get("options")))
        title = bare_name(str(said.get("game") or "")) or facts.title
        session = str(said.get(SESSION)).strip()
        participants = tuple(self._read_participants(said, facts.path))
        game = PlayedGame(
            note=facts.path,
            session=session,
            game=_game(facts, session, title),
            title=title,
            date=_date(said.get("date")),
            participants=participants,
            outcome=str(said.get("outcome") or ""),
            mode=str(said.get("mode") or ""),
            options={key.strip(): value.strip() for key, equals, value in pairs if equals},
            strangers=tuple(self._strangers(said, facts.path, participants)),
            definition=str(said.get(DEFINITION) or ""),
        )
        return replace(game, games=tuple(self._games(said, game))) if said.get(MATCH) is not None else game

    def _games(self, said: Mapping[str, object], match: PlayedGame) -> Iterator[PlayedGame]:
        """The games of a match, by the properties `game-1` with the winners and `game-1-scores` in players' order."""
        for number in takewhile(lambda number: game_key(number) in said, count(1)):
            winners = {self._identity(one, match.note) for one in name_list(said[game_key(number)])}
            written = said.get(f"{game_key(number)}-scores")
            scores = chain(map(score_number, written) if isinstance(written, list) else (), repeat(None))
            seated = [
                replace(one, won=one.identity in winners, score=score)
                for one, score in zip(match.participants, scores, strict=False)
            ]
            yield replace(match, participants=tuple(seated), outcome="")

    @property
    def problems(self) -> Sequence[Problem]:
        """Names that may mean several notes, so that they count as guests."""
        return tuple(dict.fromkeys(self._players.problems))

    def _read_participants(self, said: Mapping[str, object], source: str) -> Iterator[Participant]:
        """Who played, by the properties `said` of the note `source`, whose names are in lower case."""
        listed = name_list(said.get("bots"))
        bots = {self._identity(bot, source) for bot in listed}
        players = name_list(said.get("players"))
        notes = [self._note(player, source) for player in players]
        names = [_name(player, note) for player, note in zip(players, notes, strict=True)]
        winners = {self._identity(winner, source) for winner in name_list(said.get("winners"))}
        for player, note, name, score in zip(players, notes, names, _scores(said, names), strict=True):
            who = note or name_key(name)
            yield Participant(name, note, who in bots or _is_bot(player), who in winners, score)
        there = {note or name_key(name) for note, name in zip(notes, names, strict=True)}
        for bot in listed:
            if (who := self._identity(bot, source)) not in there:
                yield Participant(bare_name(bot), "", True, who in winners, None)

    def _strangers(self, said: Mapping[str, object], source: str, there: Sequence[Participant]) -> Iterator[str]:
        known = {one.identity for one in there}
        return (bare_name(name) for name in name_list(said.get("winners")) if self._identity(name, source) not in known)

    def _identity(self, text: str, source: str) -> str:
        note = self._note(text, source)
        return note or name_key(_name(text, note))

    def _note(self, text: str, source: str) -> str:
        """The note that a player's link leads to, else the one that is called so; "" for guests."""
        link = linked(text)
        place = (text, posixpath.dirname(source) if link else "")
        if place not in self._notes:
            found = self._vault.files.resolve(link[1], source).path if link else None
            note = found if found and is_note(found) else ""
            self._notes[place] = note or ("" if _is_bot(text) else self._players.note(text) or "")
        return self._notes[place]


def name_list(names: object) -> tuple[str, ...]:
    """The names in a property. Somebody who made a text of the list has put commas between them."""
    return texts([name.strip() for name in _COMMA.split(names)] if isinstance(names, str) else names)


def _is_bot(player: str) -> bool:
    return _BOT.fullmatch(player) is not None


def _game(facts: Facts, session: str, title: str) -> str:
    """The game's id: by the tag, by the session's id, by its title; a game that we do not know by its tag only."""
    tagged = [tag.removeprefix(_TAG) for tag in _tags(facts) if tag.startswith(_TAG)]
    by_session = session.partition("-")[2].rpartition("-")[0]
    by_title = next(
        (game.id for game in GAMES.values() if name_key(title) in map(name_key, (game.title, *game.aliases))), ""
    )
    known = (name for name in (*tagged, by_session, by_title) if name in GAMES)
    return next(known, tagged[0] if tagged else "")


def _scores(said: Mapping[str, object], names: Sequence[str]) -> list[float | None]:
    """The score of each player; where notes were renamed since, what is left goes to who is left, in their order."""
    written = {key: score_number(value) for key, value in said.items() if key.startswith(SCORE)}
    keys = score_keys(names)
    left = [score for key, score in written.items() if key not in keys]
    without = [key for key in keys if key not in written]
    if left and len(left) == len(without):
        written.update(zip(without, left, strict=True))
    return [written.get(key) for key in keys]


def _name(text: str, note: str) -> str:
    """The name of the note, that of a note which is gone, or the words."""
    link = linked(text)
    path = note or (link[1] if link else "")
    return posixpath.basename(path).removesuffix(".md") or text.strip()


def _tags(facts: Facts) -> Sequence[str]:
    return [tag.lower().removeprefix("#") for tag in (*facts.tags, *texts(facts.property("tags")))]


def _date(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def score_number(value: object) -> float | None:
    """The score that a property holds, None if it holds none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isfinite(value) else None
