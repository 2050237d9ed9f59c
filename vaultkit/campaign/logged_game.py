"""Games read from their notes. The notes are the only record of a logged game, so edits in them count."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, count, repeat, takewhile
from math import isfinite

from vaultkit.budget import Limit
from vaultkit.campaign.players import Players, bare_name
from vaultkit.campaign.property_names import DEFINITION, MATCH, SCORE_PREFIX, SESSION, game_key, score_keys
from vaultkit.campaign.unreadable_notes import refuse_unread
from vaultkit.errors import Problem
from vaultkit.games.concession import CONCEDED
from vaultkit.games.registry import GAMES, by_title, rules
from vaultkit.text import fold_game_id, group, name_key, name_sort_key
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import parse_wikilink
from vaultkit.vault.note_facts import Facts, texts

GAME_SCORE = "game-score"
"""The code of the problem that a game's note contradicts its scores."""
_TAG = "game/"
MAX_PLAYERS = Limit("This game has", 100, "players", "Leave out those who did not play.")
_COOPERATIVE = frozenset({"coop", "co-op", "cooperative", "co-operative"})
_COMMA = re.compile(r",(?![^\[]*\]\])")
_BOT = re.compile(r".+ \((?:random|easy|fair|hard|greedy|search(?::\d+)?)\)")


@dataclass(frozen=True, slots=True)
class Participant:
    """A participant of a game.

    `name` is the name of the player's note, else the name as written; `note` is a vault path, "" for a guest.
    """

    name: str
    note: str
    bot: bool
    won: bool
    score: float | None

    @property
    def identity(self) -> str:
        """The key that identifies a participant: the note, or a guest's name in any case."""
        return self.note or name_key(self.name)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as recorded in the note at the vault path `note`. `game` is its id, "" if the note does not say it.

    `options` are those that differ from their defaults; `date` is None if it is missing or cannot be read. With
    `is_conceded` a player gave up. `strangers` are winners, as written, who are not among the participants. `games` are
    the games of a match, each with its winners. `definition` is the id of the definition with which the game was
    logged, "" if the note names none.
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
    is_conceded: bool = False
    strangers: tuple[str, ...] = ()
    games: "tuple[PlayedGame, ...]" = ()
    definition: str = ""

    @property
    def single_games(self) -> "tuple[PlayedGame, ...]":
        """The game itself, or the games of a match."""
        return self.games or (self,)

    @property
    def people(self) -> tuple[Participant, ...]:
        """The participants who are not bots."""
        return tuple(participant for participant in self.participants if not participant.bot)

    @property
    def together(self) -> bool:
        """Whether the game was co-operative: all played against the game, and won or lost together."""
        if self.mode:
            return self.mode.strip().lower() in _COOPERATIVE
        info = GAMES.get(self.game)
        return bool(info and info.game) and self.outcome in rules(self.game).shared_endings

    @property
    def order(self) -> tuple[int, tuple[object, ...], str]:
        """The sort key: the date, then the note's name, in which 2 comes before 10; games without a date come first."""
        return self.date.toordinal() if self.date else 0, name_sort_key(posixpath.basename(self.note)), self.note


def played_games(vault: Vault, party: Sequence[str] = ()) -> Iterator[PlayedGame]:
    """Return the game of every note with the property `vaultkit-session`, in the order of paths.

    `party` are the players of the settings; a name that several notes share means theirs.
    """
    reader = GameReader(vault, party)
    return (reader.read(facts) for facts in vault.note_facts if is_game(facts))


def find_session_note(vault: Vault, session: str, key: str = SESSION) -> str | None:
    """Return the vault path of the note of a session, or None; if there are copies, that of the original.

    The note is found wherever it was moved. `key` is the property that identifies the note: SESSION, or READING for
    readings. Raises InvalidError if no note has that id, but an unreadable note may be the one.
    """
    session_id = session.strip().casefold()
    notes, _ = find_originals((facts for facts in vault.note_facts if _property_id(facts, key) == session_id), key)
    if not notes:
        refuse_unread(vault, key, session_id)
    return next((facts.path for facts in notes), None)


def find_originals(notes: Iterable[Facts], key: str = SESSION) -> tuple[tuple[Facts, ...], Mapping[str, str]]:
    """Return the original note of each session, and a mapping of the paths of copies to the path of their original.

    Sync tools leave copies with longer names, or in deeper folders. So the original is the note with the shortest name,
    then the shortest path. `key` is the property that identifies a note.
    """
    by_id = group((note_id, facts) for facts in notes if (note_id := _property_id(facts, key)))
    unique_notes = tuple(min(copies, key=_originality) for copies in by_id.values())
    pairs = zip(unique_notes, by_id.values(), strict=True)
    paths = [(note.path, original.path) for original, notes in pairs for note in notes]
    return unique_notes, {path: original for path, original in paths if path != original}


def _originality(facts: Facts) -> tuple[int, int, str]:
    return len(posixpath.basename(facts.path)), len(facts.path), facts.path


def is_game(facts: Facts) -> bool:
    """Return whether a note is the note of a game."""
    return bool(_property_id(facts, SESSION))


def _property_id(facts: Facts, key: str) -> str:
    """Return the id in the property `key`, in lower case for comparison; "" for none."""
    return next(iter(texts(facts.property(key))), "").strip().casefold()


class GameReader:
    """A reader of the notes of games. It caches the note that a name or link means, since players occur in many games.

    `party` are the players of the settings.
    """

    def __init__(self, vault: Vault, party: Sequence[str]) -> None:
        self._vault = vault
        self._players = Players(vault, party)
        self._notes: dict[tuple[str, str], str] = {}

    def read(self, facts: Facts) -> PlayedGame:
        """Return the game recorded in a note; the note must satisfy `is_game`."""
        properties = {key.lower(): value for key, value in facts.properties.items()}
        pairs = (text.partition("=") for text in texts(properties.get("options")))
        title = bare_name(str(properties.get("game") or "")) or facts.title
        session = str(properties.get(SESSION)).strip()
        participants = tuple(self._read_participants(properties, facts.path))
        game = PlayedGame(
            note=facts.path,
            session=session,
            game=_find_game_id(facts, session, title),
            title=title,
            date=_parse_date(properties.get("date")),
            participants=participants,
            outcome=str(properties.get("outcome") or ""),
            mode=str(properties.get("mode") or ""),
            options={key.strip(): value.strip() for key, equals, value in pairs if equals},
            is_conceded=bool(name_list(properties.get(CONCEDED))),
            strangers=tuple(self._unlisted_winners(properties, facts.path, participants)),
            definition=str(properties.get(DEFINITION) or ""),
        )
        if properties.get(MATCH) is None:
            return game
        return replace(game, games=tuple(self._read_match_games(properties, game)))

    def _read_match_games(self, properties: Mapping[str, object], match: PlayedGame) -> Iterator[PlayedGame]:
        """Yield the games of a match.

        They are read from properties such as `game-1`, with the winners, and `game-1-scores`, in the order of players.
        """
        for number in takewhile(lambda number: game_key(number) in properties, count(1)):
            winners = {self._identity(player, match.note) for player in name_list(properties[game_key(number)])}
            score_values = properties.get(f"{game_key(number)}-scores")
            scores = chain(map(score_number, score_values) if isinstance(score_values, list) else (), repeat(None))
            participants = [
                replace(player, won=player.identity in winners, score=score)
                for player, score in zip(match.participants, scores, strict=False)
            ]
            yield replace(match, participants=tuple(participants), outcome="")

    @property
    def problems(self) -> Sequence[Problem]:
        """A problem for each name that may mean several notes, which makes a guest, and for too many players."""
        return tuple(dict.fromkeys(self._players.problems))

    def _read_participants(self, properties: Mapping[str, object], source: str) -> Iterator[Participant]:
        """Yield the participants of a game from `properties` of the note `source`, whose keys are in lower case."""
        bot_names = name_list(properties.get("bots"))
        bots = {self._identity(bot, source) for bot in bot_names}
        players = name_list(properties.get("players"))
        if len(players) > MAX_PLAYERS.maximum:
            self._players.problems.append(MAX_PLAYERS.problem(source, "too-many"))
            players = players[: MAX_PLAYERS.maximum]
        notes = [self._find_note(player, source) for player in players]
        names = [_player_name(player, note) for player, note in zip(players, notes, strict=True)]
        winners = {self._identity(winner, source) for winner in name_list(properties.get("winners"))}
        for player, note, name, score in zip(players, notes, names, _match_scores(properties, names), strict=True):
            identity = note or name_key(name)
            yield Participant(name, note, identity in bots or _is_bot(player), identity in winners, score)
        player_identities = {note or name_key(name) for note, name in zip(notes, names, strict=True)}
        for bot in bot_names:
            if (identity := self._identity(bot, source)) not in player_identities:
                yield Participant(bare_name(bot), "", True, identity in winners, None)

    def _unlisted_winners(
        self, properties: Mapping[str, object], source: str, participants: Sequence[Participant]
    ) -> Iterator[str]:
        identities = {participant.identity for participant in participants}
        winners = name_list(properties.get("winners"))
        return (bare_name(name) for name in winners if self._identity(name, source) not in identities)

    def _identity(self, text: str, source: str) -> str:
        note = self._find_note(text, source)
        return note or name_key(_player_name(text, note))

    def _find_note(self, text: str, source: str) -> str:
        """Return the note that a player's link or name leads to; "" for guests and bots."""
        link = parse_wikilink(text)
        cache_key = (text, posixpath.dirname(source) if link else "")
        if cache_key not in self._notes:
            path = self._vault.files.resolve(link[1], source).path if link else None
            note = path if path and is_note(path) else ""
            self._notes[cache_key] = note or ("" if _is_bot(text) else self._players.note(text) or "")
        return self._notes[cache_key]


def name_list(names: object) -> tuple[str, ...]:
    """Return the names in a property: a list, or one text with commas between the names."""
    return texts([name.strip() for name in _COMMA.split(names)] if isinstance(names, str) else names)


def _is_bot(player: str) -> bool:
    return _BOT.fullmatch(player) is not None


def _find_game_id(facts: Facts, session: str, title: str) -> str:
    """Return the game's id, from the note's tag, the session's id or the title.

    A game that vaultkit does not know is identified by its tag only; "" without one.
    """
    tagged_ids = [tag.removeprefix(_TAG) for tag in _tags(facts) if tag.startswith(_TAG)]
    by_session = session.partition("-")[2].rpartition("-")[0]
    game_ids = (name for name in (*tagged_ids, by_session, by_title().get(name_key(title), "")) if name in GAMES)
    return next(game_ids, tagged_ids[0] if tagged_ids else "")


def _match_scores(properties: Mapping[str, object], names: Sequence[str]) -> list[float | None]:
    """Return the score of each player, None for none.

    If notes of players were renamed since, as many scores fit no player as players lack one: these are then paired in
    their order.
    """
    scores = {key: score_number(value) for key, value in properties.items() if key.startswith(SCORE_PREFIX)}
    keys = score_keys(names)
    unmatched_scores = [score for key, score in scores.items() if key not in keys]
    keys_without_score = [key for key in keys if key not in scores]
    if unmatched_scores and len(unmatched_scores) == len(keys_without_score):
        scores.update(zip(keys_without_score, unmatched_scores, strict=True))
    return [scores.get(key) for key in keys]


def _player_name(text: str, note: str) -> str:
    """Return the name of the note, the target of a link to a missing note, or the text as written."""
    link = parse_wikilink(text)
    path = note or (link[1] if link else "")
    return posixpath.basename(path).removesuffix(".md") or text.strip()


def _tags(facts: Facts) -> Sequence[str]:
    return [fold_game_id(tag).removeprefix("#") for tag in (*facts.tags, *texts(facts.property("tags")))]


def _parse_date(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def score_number(value: object) -> float | None:
    """Return the score that a property holds, None if it holds none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isfinite(value) else None
