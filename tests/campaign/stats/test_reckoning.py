"""Statistics compared with a brute-force calculation, and with six games calculated by hand."""

from datetime import date, timedelta
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.campaign.stats.samples import EVENING, make_vault
from tests.counts import count
from vaultkit.campaign.logged_game import Participant, PlayedGame
from vaultkit.campaign.stats.game_list import CountedGame, gather_games
from vaultkit.campaign.stats.selection import Selection
from vaultkit.campaign.stats.statistics import Statistics, reverse_pair

NAMES = ("Ada", "Bela", "Chim", "Dorn", "Bot 1 (greedy)")
GAMES = ("propheta", "dragon-citadel", "turn-of-fate")


@st.composite
def counted_games(draw: st.DrawFn) -> CountedGame:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    together = draw(st.booleans())
    lucky = draw(st.sets(st.sampled_from(names)))
    winners = (set(names) if lucky else set()) if together else lucky
    seats = tuple(
        Participant(name, "", name.startswith("Bot"), name in winners, draw(st.none() | st.integers(0, 50)))
        for name in names
    )
    game = draw(st.sampled_from(GAMES))
    day = draw(st.none() | st.integers(0, 5).map(lambda days: date(2026, 1, 1) + timedelta(days)))
    number = draw(st.integers(1, 999_999))
    mode = "coop" if together else "competitive"
    return CountedGame(PlayedGame(f"Games/{number}.md", f"s{number}", game, game, day, seats, "score", mode, {}))


EVENINGS = st.lists(counted_games(), max_size=7, unique_by=lambda one: one.game.session).map(
    lambda found: tuple(sorted(found, key=lambda session: session.game.order))
)
QUICKLY = settings(max_examples=count(8, 500))


@QUICKLY
@given(EVENINGS, st.booleans())
def test_wins_and_streaks_match_a_brute_force_calculation(sessions: tuple[CountedGame, ...], bots: bool) -> None:
    told = Statistics.from_sessions(sessions, bots=bots)
    counted = [[one for one in session.game.participants if bots or not one.bot] for session in sessions]
    assert sum(one.won for one in told.players) == sum(one.won for seats in counted for one in seats)
    assert sum(one.games for one in told.players) == sum(map(len, counted))
    for player in told.players:
        results = "".join("W" if one.won else "L" for seats in counted for one in seats if one.name == player.name)
        assert player.longest == max(map(len, results.split("L")))
        assert player.streak == len(results) - len(results.rstrip("W"))
        assert player.rate == results.count("W") / len(results)
    assert bots or not any(one.bot for one in told.players)


@pytest.mark.slow
@QUICKLY
@given(EVENINGS)
def test_head_to_head_is_symmetric(sessions: tuple[CountedGame, ...]) -> None:
    told = {frozenset(pair.names): pair for pair in Statistics.from_sessions(sessions).pairs}
    for one, other in combinations(NAMES[:4], 2):
        against = [
            tuple({each.name: each.won for each in session.game.people}[name] for name in (one, other))
            for session in sessions
            if not session.game.together and {one, other} <= {each.name for each in session.game.people}
        ]
        if not against:
            assert frozenset((one, other)) not in told
            continue
        pair = told[frozenset((one, other))]
        pair = pair if pair.names == (one, other) else reverse_pair(pair)
        expected = (against.count((True, False)), against.count((False, True)), len(against))
        assert (pair.won, pair.lost, pair.games) == expected


@pytest.mark.slow
@QUICKLY
@given(EVENINGS)
def test_games_are_summed_up(sessions: tuple[CountedGame, ...]) -> None:
    told = Statistics.from_sessions(sessions, bots=True)
    assert sum(game.sessions for game in told.games) == told.sessions == len(sessions)
    for game in told.games:
        scores = [one.score for each in sessions if each.kind == game.id for one in each.game.participants]
        numbers = [score for score in scores if score is not None]
        assert (game.best.score if game.best else None) == max(numbers, default=None)
        assert game.average == (sum(numbers) / len(numbers) if numbers else None)


@pytest.mark.slow
@QUICKLY
@given(EVENINGS, st.sampled_from(NAMES[:4]), st.integers(0, 5))
def test_selected_and_excluded_sessions_make_the_whole(sessions: tuple[CountedGame, ...], name: str, days: int) -> None:
    day = date(2026, 1, 1) + timedelta(days)
    before = Selection(until=day - timedelta(1)).filter_sessions(sessions)
    after = Selection(since=day).filter_sessions(sessions)
    undated = [session for session in sessions if session.game.date is None]
    assert len(before) + len(after) + len(undated) == len(sessions)
    with_player = Selection().filter_sessions(sessions, players=frozenset({name.casefold()}))
    wanted = (one for one in sessions if name.casefold() in {who.identity for who in one.game.participants})
    assert with_player == tuple(wanted)


def test_six_games_match_the_calculation_by_hand(tmp_path: Path) -> None:
    gathered = gather_games(make_vault(tmp_path))
    told = Statistics.from_sessions(gathered.sessions)
    assert not gathered.problems and not gathered.copies
    bram, ysolde, guest = told.players
    assert (bram.name, bram.note, bram.games, bram.won, bram.together) == (
        "Bram Tolliver", "1-Party/Bram Tolliver.md", 6, 3, 1)  # fmt: skip
    assert (bram.streak, bram.longest, bram.last) == (2, 2, date(2026, 10, 17))
    assert (ysolde.name, ysolde.games, ysolde.won, ysolde.together) == ("Ysolde Marr", 6, 3, 1)
    assert (ysolde.streak, ysolde.longest) == (0, 1), "number 10 was played after number 9"
    assert (guest.name, guest.note, guest.games, guest.won) == ("Priya's cousin", "", 1, 0)
    best = {one.title: (one.score, one.note) for one in bram.bests}
    assert best == {
        "Dragon Citadel": (44, "Games/2026-10-03 Dragon Citadel 1.md"),
        "Propheta": (33.5, "Games/2026-10-17 Propheta 10.md"),
    }
    propheta, citadel = told.games
    assert (propheta.sessions, propheta.seats, propheta.together) == (4, (2, 3), 0)
    assert propheta.outcomes == (("match", 3), ("score", 1)) and propheta.ending("match") == "The target is reached"
    assert [(one.name, won) for one, won in propheta.leaders] == [("Bram Tolliver", 2), ("Ysolde Marr", 2)]
    assert (citadel.sessions, citadel.together, citadel.options) == (2, 2, (("rewards=treasure", 1),))
    assert [(*pair.names, pair.games, pair.won, pair.lost, pair.level) for pair in told.pairs] == [
        ("Bram Tolliver", "Ysolde Marr", 4, 1, 1, 2),
        ("Bram Tolliver", "Priya's cousin", 1, 0, 0, 1),
        ("Ysolde Marr", "Priya's cousin", 1, 1, 0, 0),
    ]
    assert [(one.card.name, one.games) for one in told.cards] == [("Raven", 3), ("Berserker", 1), ("Miser", 1)]
    with_bots = Statistics.from_sessions(gathered.sessions, bots=True)
    assert "Bot 1 (greedy)" in [one.name for one in with_bots.players] and with_bots.pairs == told.pairs


@pytest.mark.parametrize("path", [path for path, _ in EVENING])
def test_deleted_note_counts_as_a_game_never_played(tmp_path: Path, path: str) -> None:
    make_vault(tmp_path / "all")
    (tmp_path / "all" / path).unlink()
    without = make_vault(tmp_path / "without", [one for one in EVENING if one[0] != path])
    left = make_vault(tmp_path / "all", [])
    assert gather_games(left).sessions == gather_games(without).sessions
    assert Statistics.from_sessions(gather_games(left).sessions) == Statistics.from_sessions(
        gather_games(without).sessions
    )
