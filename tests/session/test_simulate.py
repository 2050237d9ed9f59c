"""Many games between bots: the same in any number of processes, and each of them legal."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bots.auction import DECK, Auction
from tests.bots.auction import PRIZES as THINGS
from tests.session.helpers import ID, NOON, settle
from tests.session.toy import TOY_DECK, Toy, bots
from tests.sessions import create_session
from vaultkit.bots.registry import Bot, make_bot
from vaultkit.bots.search import SearchBot
from vaultkit.cards.deck import known_deck
from vaultkit.errors import UsageError
from vaultkit.games.game import View
from vaultkit.games.registry import rules
from vaultkit.games.turn import Move
from vaultkit.session import parse_seats
from vaultkit.session.balance import Balance, Rate, roles_of
from vaultkit.session.options import settle as settled
from vaultkit.session.playout import Lineup, Moment, Playout, play_out
from vaultkit.session.seeded_choices import seeds
from vaultkit.session.simulate import simulate

TOY = Lineup(Toy(), TOY_DECK, ("random", "first", "random"), settled(Toy(), {"hands": "hidden"}), bots)


def bidders(strategy: str) -> Bot:
    return SearchBot(3) if strategy == "search" else make_bot(strategy)


AUCTION = Lineup(Auction(), DECK, ("search", "random"), settled(Auction(), {}), bidders)


@pytest.mark.slow
def test_number_of_jobs_changes_nothing() -> None:
    games = seeds(5, 30)
    alone = list(simulate(TOY, games, 1))
    assert len(alone) == len(games)
    assert alone == list(simulate(TOY, games, 3))


@pytest.mark.slow
def test_a_search_is_the_same_in_another_process_too() -> None:
    assert list(simulate(AUCTION, seeds(5, 6), 1)) == list(simulate(AUCTION, seeds(5, 6), 2))


def test_more_games_begin_with_the_same_ones() -> None:
    assert seeds(1, 50)[:20] == seeds(1, 20)
    assert len({*seeds(1, 500), *seeds(2, 500)}) == 1000


def test_every_simulated_game_equals_a_session_with_its_seed(tmp_path: Path) -> None:
    seats = parse_seats(["bot:random", "bot:first", "bot:random"])
    for number, seed in enumerate(seeds(9, 5)):
        played = play_out(TOY, TOY.make_bots(), seed)
        with create_session(
            tmp_path, Toy(), TOY_DECK, seats, id=f"{ID[:-1]}{number}", seed=seed, clock=lambda: NOON, bots=bots,
            options={"hands": "hidden"},
        ) as session:  # fmt: skip
            settle(session)
            assert session.outcome == played.outcome
            assert sum(not step.auto and step.seat is not None for step in session.steps) == played.decisions


@pytest.mark.parametrize(("strategies", "said"), [(("random",) * 5, "1 to 4"), (("gredy",), "gredy")])
def test_bots_that_cannot_play_are_refused_before_the_first_game(strategies: tuple[str, ...], said: str) -> None:
    lineup = Lineup(Toy(), TOY_DECK, strategies, TOY.options, bots)
    with pytest.raises(UsageError, match=said):
        next(simulate(lineup, [1, 2, 3], 2))


class Cheat:
    def choose(self, view: View, *_: object) -> Move:
        return Move("win")


def test_invented_move_of_a_bot_is_an_internal_error() -> None:
    with pytest.raises(RuntimeError, match="not a legal move"):
        play_out(TOY, (Cheat(),) * 3, 1)


def test_decisive_event_is_counted_once_for_each_seat_and_game() -> None:
    games = list(simulate(AUCTION, seeds(1, 20)))
    assert all(isinstance(moment, Moment) for played in games for moment in played.moments)
    report = {(one.kind, one.card): one for one in Balance.from_games(AUCTION, games).moments}
    assert set(report) == {("sold", ""), *(("sold", prize) for prize in THINGS)}
    assert all(report["sold", prize].wins.trials == 20 for prize in THINGS), "each is sold to one seat"
    assert 20 <= report["sold", ""].wins.trials <= 40, "a seat counts once, however often it bought"
    assert report["sold", "p9"].wins == Rate(20, 20), "more than all others together"
    assert report["sold", "p1"].wins.hits < 20


def test_numbers_of_the_report_add_up() -> None:
    games = list(simulate(TOY, seeds(2, 40)))
    report = Balance.from_games(TOY, games)
    assert report.games == 40 == sum(count for _, count in report.outcomes)
    assert [seat.strategy for seat in report.seats] == list(TOY.strategies)
    shares = sum(seat.wins.hits for seat in report.seats)
    assert shares == pytest.approx(40), "a win that rivals share is shared out"
    assert report.shared == sum(len(played.outcome.winners) > 1 for played in games) > 0
    assert report.length.least <= report.length.median <= report.length.most
    first = report.seats[0].score
    assert first and first.most == max(played.outcome.scores[0]["prizes"] for played in games)


def simulate_random(game: str, seats: int, games: int = 12, **options: object) -> list[Playout]:
    """Simulate games of random bots."""
    played = rules(game)
    deck = known_deck(played.deck)
    assert deck
    return list(simulate(Lineup(played, deck, ("random",) * seats, settled(played, options)), seeds(3, games)))


def test_tf_31_report_separates_temples_and_the_first_mover() -> None:
    games = simulate_random("turn-of-fate", 2)
    for played in games:
        temples = next(sentence.values for label, sentence in played.outcome.facts if label == "Temples")
        assert [played.roles[str(temple)] for temple in temples] == [0, 1]
        assert played.roles["moves first"] == next(seat for seat in (0, 1) if temples[seat] in {"Wyrms", "Leaves"})
    roles = dict(roles_of(games))
    assert roles["Player 1"].trials == roles["moves second"].trials == 12
    assert roles["Moons"].trials == roles["Wyrms"].trials == 12 - roles["Suns"].trials
    assert roles["Moons"].hits + roles["Wyrms"].hits == pytest.approx(roles["Moons"].trials)


def test_pg_7_report_separates_seats_by_their_distance_from_the_dealer() -> None:
    games = simulate_random("prophets-gambit", 4, dealer=2)
    placed = {f"{number} to the left of the dealer": seat for number, seat in ((1, 3), (2, 0), (3, 1))}
    assert all(played.roles == {**placed, "the dealer": 2} for played in games)


def test_va_20_report_shows_who_led_first_unless_the_lead_moves() -> None:
    assert all(played.roles["plays second"] == 0 for played in simulate_random("propheta", 3, 2, first=2))
    assert not any(played.roles for played in simulate_random("propheta", 2, 2, target=20))


def test_g_9_common_win_is_not_divided() -> None:
    won = [played for played in simulate_random("dragon-citadel", 5) if played.outcome.kind == "party"]
    assert won and all(played.together and played.share(3) == 1 for played in won)


@pytest.mark.parametrize(
    ("rate", "low", "high"),
    [(Rate(0, 10), 0.0, 0.2775), (Rate(5, 10), 0.2366, 0.7634), (Rate(10, 10), 0.7225, 1.0), (Rate(0, 0), 0, 1)],
)
def test_intervals_are_wilson_intervals(rate: Rate, low: float, high: float) -> None:
    assert rate.ci95 == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 10_000), st.data())
def test_rate_is_within_its_interval(trials: int, data: st.DataObject) -> None:
    rate = Rate(data.draw(st.integers(0, trials)), trials)
    low, high = rate.ci95
    assert 0 <= low <= rate.share + 1e-12 and rate.share - 1e-12 <= high <= 1
    wider = Rate(rate.hits * 4, trials * 4).ci95
    assert wider[1] - wider[0] < high - low
