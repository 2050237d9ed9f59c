"""Matches: who wins, when they end, who begins the next game, and what is saved."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from vaultkit.cards.deck import known_deck
from vaultkit.errors import InvalidError, NothingFound, UsageError
from vaultkit.games.messages import Outcome, Sentence
from vaultkit.games.registry import rules
from vaultkit.session import Session
from vaultkit.session.headers import new_header
from vaultkit.session.journal import Contents
from vaultkit.session.journal_records import Agreement, DealRecord, EndRecord, Header, Line
from vaultkit.session.match import Match, check_match, create_match, find_match, read_match
from vaultkit.session.seats import SeatSpec

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
NAMES = ("Ysolde", "Bram", "Sefa", "Nettle")
Game = tuple[tuple[int, ...], tuple[int, ...]]


def header_of(game: str, most: int, seats: int, options: dict[str, object]) -> Header:
    played, specs = rules(game), [SeatSpec(name, "random") for name in NAMES[:seats]]
    deck = known_deck(played.deck)
    assert deck
    session = f"20261103-{game}-k3f9"
    agreement = Agreement(match_games=most)
    return new_header(played, deck, specs, NOON, id=session, seed=5, options=options, agreement=agreement)


def match_after(*games: Game, most: int = 3, begun: int = 0, **options: object) -> Match:
    """Return a match of Propheta after games with the given winners and points.

    `begun` is the seat that begins the first game.
    """
    header = header_of("propheta", most, len(games[0][1]) if games else 2, options)
    match = Match(header, Path("x.match"), ())
    for number, (winners, points) in enumerate(games):
        began = DealRecord(n=1, chance="first", cards=(str((begun + number) % len(points)),))
        scores = tuple({"total": one} for one in points)
        end = EndRecord(outcome=Outcome("score", winners, Sentence("Over."), (), scores, tuple(1 for _ in points)))
        contents = Contents(match.next_header(rules("propheta"), NOON), (Line(2, began), Line(3, end)), 0)
        match = Match(header, match.path, (*match.journals, contents))
    return match


def play(folder: Path, game: str, most: int, seats: int, **options: object) -> Match:
    """Play a match with random moves."""
    played, header = rules(game), header_of(game, most, seats, options)
    deck = known_deck(played.deck)
    assert deck
    check_match(played, header, most)
    match = create_match(folder, header)
    while not match.is_over:
        begun = Session.begin(folder, played, deck, match.next_header(played, NOON), clock=lambda: NOON)
        with begun as session:
            assert list(session.advance())
        match = read_match(match.path)
    return match


def reason_of(match: Match) -> str:
    assert match.outcome
    return match.outcome.reason.render(NAMES.__getitem__, str)


BOTH = (0, 1)


@pytest.mark.parametrize(
    ("games", "most", "winners", "said"),
    [
        ([((0,), (9, 4)), ((0,), (8, 7))], 3, (0,), "Ysolde wins the match by 2 to 0."),
        ([((0,), (9, 4)), ((1,), (2, 20)), ((1,), (3, 4))], 3, (1,), "Bram wins the match by 2 to 1."),
        ([((0,), (9, 4)), ((1,), (2, 20))], 2, (1,), "by points, 24 to 11, with 1 of 2 games each"),
        ([((0,), (9, 4)), ((1,), (4, 9))], 2, BOTH, "Ysolde and Bram share the match with 1 of 2 games each."),
        ([(BOTH, (9, 9)), ((1,), (4, 9))], 2, (1,), "Bram wins the match by 2 to 1."),
        ([((0,), (9, 4, 1)), ((2,), (4, 9, 8)), ((2,), (1, 1, 2))], 3, (2,), "Sefa wins the match with 2 of 3 games."),
    ],
)
def test_g_9_most_games_then_most_points_then_shared(
    games: list[Game], most: int, winners: tuple[int, ...], said: str
) -> None:
    match = match_after(*games, most=most)
    assert match.outcome and match.outcome.winners == winners
    assert said in reason_of(match)


@pytest.mark.parametrize(
    ("games", "most", "over"),
    [
        ([((0,), (9, 4))], 2, False),
        ([((0,), (9, 4))], 3, False),
        ([((0,), (9, 4)), ((0,), (9, 4))], 4, False),
        ([((0,), (9, 4)), ((0,), (9, 4)), ((0,), (9, 4))], 5, True),
        ([((0,), (9, 4)), ((0,), (9, 4)), ((1,), (9, 4))], 4, False),
        ([((0,), (9, 4)), (BOTH, (9, 9))], 3, False),
        ([((0,), (9, 4)), (BOTH, (9, 9)), (BOTH, (9, 9))], 3, True),
    ],
)
def test_g_9_match_ends_once_nobody_can_catch_up(games: list[Game], most: int, over: bool) -> None:
    assert match_after(*games, most=most).is_over is over


def test_g_2_first_lead_moves_left_and_a_named_seat_leads_first() -> None:
    game = rules("propheta")
    assert not match_after(most=9).next_header(game, NOON).known
    assert match_after(((0,), (9, 4)), begun=1).next_header(game, NOON).known == {"first": ("0",)}
    match = match_after(((0,), (9, 4, 2)), first=2).next_header(game, NOON)
    assert (match.options["first"], match.known) == (0, {})


def test_g_2_last_winner_starts_and_of_several_the_nearest_on_the_left() -> None:
    game = rules("propheta")
    wish: Any = {"first": "winner-of-last"}
    assert match_after(((2,), (9, 4, 2)), **wish).next_header(game, NOON).known == {"first": ("2",)}
    assert match_after(((0, 1), (9, 9, 2)), begun=1, **wish).next_header(game, NOON).known == {"first": ("0",)}
    assert match_after(((0, 1), (9, 9, 2)), begun=0, **wish).next_header(game, NOON).known == {"first": ("1",)}


def test_pg_38_the_deal_passes_left_and_each_game_has_a_deal_of_its_own(tmp_path: Path) -> None:
    match = play(tmp_path, "prophets-gambit", 4, 3)
    dealers = [game.began for game in match.games]
    first = dealers[0]
    assert first is not None
    assert dealers == [(first + number) % 3 for number in range(len(dealers))]
    assert len({contents.header.seed for contents in match.journals}) == len(dealers) > 1


def test_tf_3_player_1_alternates_and_so_does_the_choice_of_temples(tmp_path: Path) -> None:
    match = play(tmp_path, "turn-of-fate", 4, 2, first=1)
    assert [game.began for game in match.games][:3] == [1, 0, 1]


def test_g_1_where_nobody_is_named_first_the_seats_move_left(tmp_path: Path) -> None:
    match = play(tmp_path, "dragon-citadel", 3, 3, mode="competitive")
    seats = [[spec.name for spec in contents.header.seats] for contents in match.journals]
    assert seats[:2] == [["Ysolde", "Bram", "Sefa"], ["Bram", "Sefa", "Ysolde"]]
    for game, contents in zip(match.games, match.journals, strict=True):
        end = contents.end
        assert end
        names = {contents.header.seats[seat].name for seat in end.outcome.winners}
        assert names == {NAMES[seat] for seat in game.winners}
        assert game.score(0) == end.outcome.score(game.seating.index(0))


@pytest.mark.parametrize(
    ("game", "seats", "options", "reason"),
    [
        ("dragon-citadel", 3, {}, "the party wins or loses as one"),
        ("deck-of-destiny", 1, {}, "nobody else is there to win more games"),
        ("propheta", 2, {"target": 40}, "VA-19"),
    ],
)
def test_va_19_some_games_have_no_match_and_give_the_reason(
    game: str, seats: int, options: dict[str, object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=reason):
        play(tmp_path, game, 3, seats, **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("most", [0, 1, 100])
def test_match_has_at_least_two_games(most: int) -> None:
    with pytest.raises(UsageError, match="2 to 99 games"):
        check_match(rules("propheta"), header_of("propheta", most, 2, {}), most)


def test_a_match_is_found_by_its_letters_and_by_those_of_its_games(tmp_path: Path) -> None:
    match: Any = play(tmp_path, "turn-of-fate", 2, 2)
    assert find_match(tmp_path, "k3f9") == find_match(tmp_path, "k3f9-g002") == match.path
    assert find_match(tmp_path, "9999") is None and find_match(tmp_path, "") is None
    create_match(tmp_path, header_of("propheta", 2, 2, {}))
    with pytest.raises(NothingFound, match="Several matches"):
        find_match(tmp_path, "k3f9")


@pytest.mark.parametrize("games", [0, 1, 100, -3])
def test_match_without_its_list_of_games_is_damaged(tmp_path: Path, games: int) -> None:
    header = header_of("propheta", 3, 2, {})
    match = create_match(tmp_path, replace(header, agreement=Agreement(match_games=games)))
    with pytest.raises(InvalidError, match="how many games"):
        read_match(match.path)
