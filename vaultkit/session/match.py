"""A match: games of one title among the same people, one after the other, until nobody can catch up with the first.

What is settled before it stands in a file of its own, a journal without moves; the journals of its games are the rest.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import msgspec

from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.base import AnyGame
from vaultkit.games.options import Option, Value
from vaultkit.games.registry import rules
from vaultkit.games.words import Outcome, Score, Seat, Sentence, Table, first_of, ranks_of
from vaultkit.session.dealing import seeds
from vaultkit.session.ids import one_by_ending
from vaultkit.session.journal import Contents, Journal, read
from vaultkit.session.journal_files import SUFFIX, find_journal, find_journals, kind_of
from vaultkit.session.records import DealRecord, Header
from vaultkit.session.replay import complete_header
from vaultkit.session.seats import SeatSpec
from vaultkit.wording import counted, listing

MOST = 99
KIND = "most-games"
"""The kind of outcome of a match."""
WINNER = "winner-of-last"
"""The value of an option by which whoever won the last game begins (G-2)."""


@dataclass(frozen=True, slots=True)
class Place:
    """How a seat stands: the games that it won, shared ones too (G-9), and its points, None where none are counted."""

    won: int
    points: Score | None


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game that is over. `seating` has, for each of its seats, that seat's place in the match."""

    session: str
    began: Seat | None
    seating: tuple[Seat, ...]
    outcome: Outcome

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winners, by their seats in the match."""
        return tuple(sorted(self.seating[seat] for seat in self.outcome.winners))

    def score(self, seat: Seat) -> Score | None:
        """The score of a seat of the match."""
        return self.outcome.score(self.seating.index(seat))


@dataclass(frozen=True)
class Match:
    """The games of a match so far, the last one perhaps unfinished. `header` is as that of its first game would be."""

    header: Header
    path: Path
    journals: tuple[Contents, ...]

    @property
    def id(self) -> str:
        return self.header.session

    @property
    def most(self) -> int:
        """How many games are played at most."""
        return self.header.agreement.match_games

    @cached_property
    def games(self) -> tuple[MatchGame, ...]:
        """The games that are over."""
        return tuple(_game(contents, end.outcome, self.header) for contents in self.journals if (end := contents.end))

    @property
    def places(self) -> tuple[Place, ...]:
        """How each seat stands."""
        return tuple(map(self._place, range(len(self.header.seats))))

    def _place(self, seat: Seat) -> Place:
        points = [score for game in self.games if (score := game.score(seat)) is not None]
        return Place(sum(seat in game.winners for game in self.games), sum(points) if points else None)

    @property
    def is_over(self) -> bool:
        """Whether all games are played, or nobody can draw level any more with the one who has won most."""
        first, second = sorted((place.won for place in self.places), reverse=True)[:2]
        return second + self.most - len(self.games) < first or len(self.games) == self.most

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat: by games, then by points."""
        return ranks_of([(place.won, place.points or 0) for place in self.places])

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, None before. The score of a seat is the number of games that it won."""
        if not self.is_over:
            return None
        parts = [
            {"score": place.won, **({} if place.points is None else {"points": place.points})} for place in self.places
        ]
        winners = first_of(self.ranks)
        return Outcome(KIND, winners, self._reason(winners), ("G-9",), tuple(parts), self.ranks)

    def _reason(self, winners: tuple[Seat, ...]) -> Sentence:
        best, others = winners[0], [seat for seat in range(len(self.places)) if seat not in winners]
        won, played = self.places[best].won, len(self.games)
        if len(winners) > 1:
            return Sentence("{seats} share the match with {v0} of {v1} games each.", winners, (), (won, played))
        level = next((seat for seat in others if self.places[seat].won == won), None)
        if level is not None:
            words = "{s0} wins the match by points, {v0} to {v1}, with {v2} of {v3} games each."
            points = [f"{self.places[seat].points or 0:g}" for seat in (best, level)]
            return Sentence(words, (best,), (), (*points, won, played))
        if len(others) == 1:
            return Sentence("{s0} wins the match by {v0} to {v1}.", (best,), (), (won, self.places[others[0]].won))
        return Sentence("{s0} wins the match with {v0} of {v1} games.", (best,), (), (won, played))

    @property
    def heading(self) -> str:
        """Where the match stands, in a line."""
        if self.is_over:
            return f"The match, after {counted(len(self.games), 'game')}"
        return f"The match, after {len(self.games)} of at most {counted(self.most, 'game')}"

    def standing(self) -> Table:
        """The games and points of each seat."""
        has_points = any(place.points is not None for place in self.places)
        cells = [(str(place.won), *([f"{place.points or 0:g}"] * has_points)) for place in self.places]
        return Table.of_seats("Standing", ("Games won", *(["Points"] * has_points)), cells)

    def table(self) -> Table:
        """A row for each game: who won it, and the score of each seat."""
        names = self.header.names
        has_points = any(place.points is not None for place in self.places)
        rows = [
            (
                str(number),
                listing([names[seat] for seat in game.winners]) or "nobody",
                *([f"{game.score(seat) or 0:g}" for seat in range(len(names))] if has_points else ()),
                game.session[-4:],
            )
            for number, game in enumerate(self.games, 1)
        ]
        return Table("The Games", ("Game", "Won by", *(names if has_points else ()), "Session"), tuple(rows))

    def as_documents(self) -> list[dict[str, Any]]:
        """The games that are over as plain values."""
        names = self.header.names
        return [
            {
                "session": game.session,
                "winners": [names[seat] for seat in game.winners],
                "scores": {name: game.score(seat) for seat, name in enumerate(names)},
            }
            for game in self.games
        ]

    def next_header(self, game: AnyGame, started: datetime) -> Header:
        """The header of the next game: seats and who begins move on to the left, or the last winner begins (G-2)."""
        number, option = len(self.games) + 1, _beginner(game)
        options, known = self._beginning(option)
        shift = 0 if option else number - 1
        return msgspec.structs.replace(
            self.header,
            kind="game",
            session=f"{self.id}-g{number:03}",
            seed=seeds(self.header.seed, number)[-1],
            started=started,
            seats=tuple(_moved(self.header.seats, shift)),
            options={**self.header.options, **options},
            agreement=msgspec.structs.replace(self.header.agreement, match=self.id),
            known={**self.header.known, **known},
        )

    def _beginning(self, option: Option | None) -> tuple[Mapping[str, Value], Mapping[str, tuple[str, ...]]]:
        """The option and the answer to chance by which somebody begins the next game; neither for the first one."""
        if option is None or not self.games:
            return {}, {}
        last, seats = self.games[-1], len(self.header.seats)
        began, chosen = last.began or 0, self.header.options[option.key]
        winners = last.outcome.winners if chosen == WINNER else ()
        seat = min(winners, key=lambda winner: (winner - began - 1) % seats, default=(began + 1) % seats)
        return ({option.key: seat}, {}) if isinstance(chosen, int) else ({}, {option.key: (str(seat),)})


def _game(contents: Contents, outcome: Outcome, header: Header) -> MatchGame:
    places = {spec.name: seat for seat, spec in enumerate(header.seats)}
    seating = tuple(places[spec.name] for spec in contents.header.seats)
    return MatchGame(contents.header.session, _began(contents), seating, outcome)


def _began(contents: Contents) -> Seat | None:
    """The seat that began a game, as its options or luck had it; None where the rules have no such seat."""
    option = _beginner(rules(contents.header.game))
    if option is None:
        return None
    chosen = contents.header.options[option.key]
    deals = (line.record for line in contents.steps if isinstance(line.record, DealRecord))
    drawn = (deal.cards[0] for deal in deals if deal.chance == option.key)
    return chosen if isinstance(chosen, int) else int(next(drawn))


def _beginner(game: AnyGame) -> Option | None:
    """The option that says who begins."""
    return next((option for option in game.options if WINNER in option.values), None)


def _moved(seats: tuple[SeatSpec, ...], shift: int) -> Iterator[SeatSpec]:
    return (seats[(seat + shift) % len(seats)] for seat in range(len(seats)))


def check_match(game: AnyGame, header: Header, most: int) -> None:
    """Raises UsageError with the reason for a game, or house rules, of which there can be no match."""
    game.check_match(header.options)
    if len(header.seats) < 2:
        raise UsageError("A match is for two or more.", hint="Add a seat: --seat bot:easy")
    if not 1 < most <= MOST:
        raise UsageError(f"A match has 2 to {MOST} games, not {most}.", hint="For one game leave out --match.")


def create_match(folder: Path, header: Header) -> Match:
    """Begin a match. Raises WriteError if its file cannot be written."""
    journal = Journal.create(folder, msgspec.structs.replace(header, kind="match"))
    journal.close()
    return Match(header, journal.path, ())


def upgrade_match(match: Match) -> Match:
    """Return the match, which goes on in a file of schema 2 if its file is of version 0.3.

    Raises WriteError while another process upgrades it, or where the file cannot be written.
    """
    if match.path.suffix == SUFFIX:
        return match
    journal, _ = Journal.reopen(match.path)
    try:
        journal.upgrade(match.header, ())
    finally:
        journal.close()
    return replace(match, path=journal.path)


def read_match(path: Path) -> Match:
    """A match with its games so far. Raises InvalidError for a file or a journal that cannot be right."""
    header = read(path).header
    if not 1 < header.agreement.match_games <= MOST:
        raise InvalidError(
            "Line 1 of the journal cannot be read: it does not say how many games the match has.", where=str(path)
        )
    numbered = (find_journal(path.parent, f"{header.session}-g{number:03}") for number in count(1))
    journals = [(file, read(file)) for file in takewhile(bool, numbered) if file]
    return Match(
        _complete(header, path),
        path,
        tuple(replace(contents, header=_complete(contents.header, file)) for file, contents in journals),
    )


def _complete(header: Header, path: Path) -> Header:
    try:
        game = rules(header.game)
    except UsageError as error:
        raise InvalidError(error.message, where=str(path), hint=error.hint) from error
    return complete_header(header, game, str(path))


def match_paths(folder: Path) -> dict[str, Path]:
    """Return the files of all matches by their ids."""
    return {name: path for name, path in sorted(find_journals(folder).items()) if kind_of(path) == "match"}


def find_match(folder: Path, wanted: str) -> Path | None:
    """The file of the match that is `wanted`, or ends so, or has such a game; None where it is none."""
    matches = match_paths(folder)
    found = one_by_ending(matches, wanted, "matches")
    if found is None and wanted:
        games = [name for name in find_journals(folder) if name.rpartition("-")[0] in matches]
        game = one_by_ending(games, wanted)
        found = game.rpartition("-")[0] if game else None
    return matches.get(found) if found else None


def seed_words(header: Header) -> str:
    """Return the seed of a finished game or match as a sentence, so that it can be played again.

    It is "" with real cards, which no seed deals, and for one game of a match: its seed would tell of the next game.
    """
    return "" if header.real_cards or header.agreement.match else f"The same cards again: --seed {header.seed}"
