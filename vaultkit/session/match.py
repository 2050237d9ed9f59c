"""A match: games of one title with the same people, played until nobody can catch up with the leader.

A match has a journal with a header and no moves; each game of the match has its own journal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import msgspec

from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Outcome, Score, Seat, Sentence, Table, first_ranked, rank_standings
from vaultkit.games.options import Option, Value
from vaultkit.games.registry import GAMES, rules
from vaultkit.session.history import complete_header
from vaultkit.session.journal import Contents, Journal, read
from vaultkit.session.journal_files import SUFFIX, find_journal, find_journals, kind_of
from vaultkit.session.journal_records import SCHEMA, DealRecord, Header
from vaultkit.session.options import changes
from vaultkit.session.seeded_choices import seeds
from vaultkit.session.session_ids import find_id
from vaultkit.text import format_command, format_count, join_words

MAX_GAMES = 99
OUTCOME_KIND = "most-games"
"""The value of `kind` in the outcome of a match."""
LAST_WINNER_BEGINS = "winner-of-last"
"""The value of the option for who begins that lets the winner of the last game begin (G-2)."""


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """The standing of a seat in a match.

    `won` is the number of games that the seat won, alone or shared (G-9). `points` is the sum of its points, None if
    the game has no points.
    """

    won: int
    points: Score | None


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A finished game of a match.

    `session` is the id of the game. `began` is the seat of the game that began, None if the rules have no such seat.
    `seating` contains, for each seat of the game, the seat of the match.
    """

    session: str
    began: Seat | None
    seating: tuple[Seat, ...]
    outcome: Outcome

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winners, as seats of the match."""
        return tuple(sorted(self.seating[seat] for seat in self.outcome.winners))

    def score(self, seat: Seat) -> Score | None:
        """Return the score of a seat of the match, or None if it has none."""
        return self.outcome.score(self.seating.index(seat))


@dataclass(frozen=True)
class Match:
    """A match with the journals of its games so far, of which the last one may be unfinished.

    `header` is the header in the file of the match, `path` is that file.
    """

    header: Header
    path: Path
    journals: tuple[Contents, ...]

    @property
    def id(self) -> str:
        return self.header.session

    @property
    def most(self) -> int:
        """The maximum number of games in the match."""
        return self.header.agreement.match_games

    @cached_property
    def games(self) -> tuple[MatchGame, ...]:
        """The finished games of the match."""
        ends = ((contents, contents.end) for contents in self.journals)
        return tuple(_to_match_game(contents, end.outcome, self.header) for contents, end in ends if end)

    @property
    def places(self) -> tuple[SeatStanding, ...]:
        """The standing of each seat of the match."""
        return tuple(map(self._find_seat_standing, range(len(self.header.seats))))

    def _find_seat_standing(self, seat: Seat) -> SeatStanding:
        points = [score for game in self.games if (score := game.score(seat)) is not None]
        return SeatStanding(sum(seat in game.winners for game in self.games), sum(points) if points else None)

    @property
    def is_over(self) -> bool:
        """Whether all games are played, or no seat can still win as many games as the leading seat."""
        most_won, next_most_won = sorted((seat_standing.won for seat_standing in self.places), reverse=True)[:2]
        return next_most_won + self.most - len(self.games) < most_won or len(self.games) == self.most

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat: by games won, then by points."""
        return rank_standings([(seat_standing.won, seat_standing.points or 0) for seat_standing in self.places])

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the match, with the number of games won as scores; None before the end of the match."""
        if not self.is_over:
            return None
        seat_results = [
            {"score": seat_standing.won, **({} if seat_standing.points is None else {"points": seat_standing.points})}
            for seat_standing in self.places
        ]
        winners = first_ranked(self.ranks)
        reason = self._describe_outcome(winners)
        return Outcome(OUTCOME_KIND, winners, reason, ("G-9",), tuple(seat_results), self.ranks)

    def _describe_outcome(self, winners: tuple[Seat, ...]) -> Sentence:
        best_seat, other_seats = winners[0], [seat for seat in range(len(self.places)) if seat not in winners]
        games_won, games_played = self.places[best_seat].won, len(self.games)
        if len(winners) > 1:
            values = (games_won, games_played)
            return Sentence("{seats} share the match with {v0} of {v1} games each.", winners, (), values)
        tied_seat = next((seat for seat in other_seats if self.places[seat].won == games_won), None)
        if tied_seat is not None:
            text = "{s0} wins the match by points, {v0} to {v1}, with {v2} of {v3} games each."
            points = [f"{self.places[seat].points or 0:g}" for seat in (best_seat, tied_seat)]
            return Sentence(text, (best_seat,), (), (*points, games_won, games_played))
        if len(other_seats) == 1:
            values = (games_won, self.places[other_seats[0]].won)
            return Sentence("{s0} wins the match by {v0} to {v1}.", (best_seat,), (), values)
        return Sentence("{s0} wins the match with {v0} of {v1} games.", (best_seat,), (), (games_won, games_played))

    @property
    def lead(self) -> Sentence:
        """The sentence that says how the match stands, or how it ended."""
        if self.outcome:
            return self.outcome.reason
        won = sorted((place.won for place in self.places), reverse=True)
        leaders = tuple(seat for seat, place in enumerate(self.places) if place.won == won[0])
        if len(leaders) > 1:
            text = "The match is level, with {v0} each." if len(leaders) == len(won) else "{seats} lead with {v0} each."
            return Sentence(text, leaders, (), (format_count(won[0], "game"),))
        if len(won) == 2:
            return Sentence("{s0} leads the match {v0} to {v1}.", leaders, (), tuple(won))
        return Sentence("{s0} leads the match with {v0}.", leaders, (), (format_count(won[0], "game"),))

    @property
    def heading(self) -> str:
        """The heading above the standing, which says how many games have been played."""
        if self.is_over:
            return f"The match, after {format_count(len(self.games), 'game')}"
        return f"The match, after {len(self.games)} of at most {format_count(self.most, 'game')}"

    def standing(self) -> Table:
        """Return a table of the games won and the points of each seat."""
        has_points = any(seat_standing.points is not None for seat_standing in self.places)
        cells = [(str(place.won), *([f"{place.points or 0:g}"] * has_points)) for place in self.places]
        return Table.of_seats("Standing", ("Games won", *(["Points"] * has_points)), cells)

    def table(self) -> Table:
        """Return a table with a row for each game: its winners, and the score of each seat."""
        names = self.header.names
        has_points = any(place.points is not None for place in self.places)
        rows = [
            (
                str(number),
                join_words([names[seat] for seat in game.winners]) or "nobody",
                *([f"{game.score(seat) or 0:g}" for seat in range(len(names))] if has_points else ()),
                game.session[-4:],
            )
            for number, game in enumerate(self.games, 1)
        ]
        return Table("The Games", ("Game", "Won by", *(names if has_points else ()), "Session"), tuple(rows))

    def as_documents(self) -> list[dict[str, Any]]:
        """Return the finished games as plain values for JSON."""
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
        """Return the header of the next game.

        If the game has an option for who begins, it is set to the last winner or to the seat after the one that began
        last (G-2). Otherwise all players move on by one seat.
        """
        game_number, option = len(self.games) + 1, _find_starter_option(game)
        options, known_answers = self._find_next_starter(option)
        shift = 0 if option else (game_number - 1) % len(self.header.seats)
        return msgspec.structs.replace(
            self.header,
            kind="game",
            schema=SCHEMA,
            session=f"{self.id}-g{game_number:03}",
            seed=seeds(self.header.seed, game_number)[-1],
            started=started,
            seats=(*self.header.seats[shift:], *self.header.seats[:shift]),
            options={**self.header.options, **options},
            agreement=msgspec.structs.replace(self.header.agreement, match=self.id),
            known={**self.header.known, **known_answers},
        )

    def _find_next_starter(self, option: Option | None) -> tuple[Mapping[str, Value], Mapping[str, tuple[str, ...]]]:
        """Return option values and known answers to chance turns that decide who begins the next game.

        At most one of the two mappings has an entry. Both are empty before the first game, and if `option` is None.
        """
        if option is None or not self.games:
            return {}, {}
        last_game, seat_count = self.games[-1], len(self.header.seats)
        last_starter, value = last_game.began or 0, self.header.options[option.key]
        winners = last_game.outcome.winners if value == LAST_WINNER_BEGINS else ()
        first = last_starter + 1
        seat = min(winners, key=lambda winner: (winner - first) % seat_count, default=first % seat_count)
        return ({option.key: seat}, {}) if isinstance(value, int) else ({}, {option.key: (str(seat),)})


def _to_match_game(contents: Contents, outcome: Outcome, header: Header) -> MatchGame:
    seat_of_name = {spec.name: seat for seat, spec in enumerate(header.seats)}
    seating = tuple(seat_of_name[spec.name] for spec in contents.header.seats)
    return MatchGame(contents.header.session, _find_starting_seat(contents), seating, outcome)


def _find_starting_seat(contents: Contents) -> Seat | None:
    """Return the seat that began a game by its options or by luck, or None if the game has no option for it."""
    option = _find_starter_option(rules(contents.header.game))
    if option is None:
        return None
    value = contents.header.options[option.key]
    deals = (line.record for line in contents.steps if isinstance(line.record, DealRecord))
    drawn = (deal.cards[0] for deal in deals if deal.chance == option.key)
    return value if isinstance(value, int) else int(next(drawn, 0))


def _find_starter_option(game: AnyGame) -> Option | None:
    """Return the option for who begins, or None if the game has none."""
    return next((option for option in game.options if LAST_WINNER_BEGINS in option.values), None)


def check_match(game: AnyGame, header: Header, max_games: int) -> None:
    """Raise UsageError if the game, its options or its seats allow no match, or `max_games` is out of range."""
    game.check_match(header.options)
    if len(header.seats) < 2:
        raise UsageError("A match is for two or more.", hint="Add a seat: --seat bot:easy")
    if not 1 < max_games <= MAX_GAMES:
        hint = "For one game, leave out --match."
        raise UsageError(f"A match has 2 to {MAX_GAMES} games, not {max_games}.", hint=hint)


def create_match(folder: Path, header: Header) -> Match:
    """Create the file of a match. Raises WriteError if it cannot be written."""
    journal = Journal.create(folder, msgspec.structs.replace(header, kind="match"))
    journal.close()
    return Match(header, journal.path, ())


def upgrade_match(match: Match) -> Match:
    """Rewrite a match file of version 0.3 in the present schema, and return the match with its new path.

    A match with a newer file is returned unchanged.

    Raises WriteError while another process upgrades the match, or if the file cannot be written.
    """
    if match.path.suffix == SUFFIX:
        return match
    journal, _ = Journal.reopen(match.path, read)
    try:
        journal.upgrade(match.header, ())
    finally:
        journal.close()
    return replace(match, path=journal.path)


def read_match(path: Path) -> Match:
    """Return the match in a file, with its games so far.

    Raises InvalidError if the file or the journal of a game cannot be read, or does not fit its game.
    """
    header = read(path).header
    if not 1 < header.agreement.match_games <= MAX_GAMES:
        message = "Line 1 of the journal cannot be read: it does not say how many games the match has."
        raise InvalidError(message, where=str(path))
    numbered_paths = (find_journal(path.parent, f"{header.session}-g{number:03}") for number in count(1))
    journals = [(file, read(file)) for file in takewhile(bool, numbered_paths) if file]
    return Match(
        _complete_header(header, path),
        path,
        tuple(replace(contents, header=_complete_header(contents.header, file)) for file, contents in journals),
    )


def _complete_header(header: Header, path: Path) -> Header:
    try:
        game = rules(header.game)
    except UsageError as error:
        raise InvalidError(error.message, where=str(path), hint=error.hint) from error
    return complete_header(header, game, str(path))


def match_paths(folder: Path) -> dict[str, Path]:
    """Return the files of all matches, by their ids."""
    return {name: path for name, path in sorted(find_journals(folder).items()) if kind_of(path) == "match"}


def find_match(folder: Path, id_ending: str) -> Path | None:
    """Return the file of a match, or None if there is none.

    `id_ending` is the end of the id of the match, or of the id of one of its games; a whole id is an end, too. Raises
    NothingFound if several ids end so.
    """
    matches = match_paths(folder)
    match_id = find_id(matches, id_ending, "matches")
    if match_id is None and id_ending:
        games = [name for name in find_journals(folder) if name.rpartition("-")[0] in matches]
        game_id = find_id(games, id_ending)
        match_id = game_id.rpartition("-")[0] if game_id else None
    return matches.get(match_id) if match_id else None


def seed_words(header: Header) -> str:
    """Return a sentence with the command that plays a finished game or match again, with the same cards if possible.

    The cards of a character are dealt anew, since the game has changed the inventory. Returns "" for real cards, which
    are not dealt by a seed, and for a game of a match, because its seed would reveal the cards of the next game.
    """
    if header.real_cards or header.agreement.match:
        return ""
    return f"{'Another game' if header.agreement.character else 'The same cards again'}: {_repeat_command(header)}"


def _repeat_command(header: Header) -> str:
    """Return the command that begins a game or match with the players, house rules and seed of a header.

    A game of a character gets a new seed.
    """
    agreement, info = header.agreement, GAMES.get(header.game)
    seats = [f"bot:{seat.strategy}={seat.name}" if seat.strategy else seat.name for seat in header.seats]
    values = changes(info.rules(), header.options) if info else header.options
    house_rules = [f"{key}={value}" for key, value in values.items() if key not in agreement.settled_options]
    options = {
        "--seat": seats, "--set": house_rules,
        "--character": agreement.character, "--encounter": agreement.encounter, "--gm": agreement.gm,
        "--match": agreement.match_games or None, "--story": agreement.tells_story,
        "--campaign": agreement.campaign, "--no-log": not agreement.is_logged,
        "--seed": None if agreement.character else header.seed,
    }  # fmt: skip
    return format_command(["play", header.game], options)
