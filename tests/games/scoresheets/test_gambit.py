"""Prophet's Gambit on paper: one game, a match, and every doubt by its ruling."""

import pytest

from tests.games.scoresheets import doubting
from tests.games.scoresheets.doubting import keeper, render_sentence
from tests.wording import Says
from vaultkit.games.hands import TAROKKA_NAMES, TAROKKA_RARITY_ORDER
from vaultkit.games.prophets_gambit.game import ProphetsGambit
from vaultkit.games.scoresheet import Tally

GAME = "prophets-gambit"


def sheets(*written: str, games: int = 1, **options: object) -> Tally:
    """Return sheets from a line of `Hand/place` games for each seat, such as `Pair/1 Triple/2`, or boxes by name."""
    seats = [" ".join(_box(word, number) for number, word in enumerate(line.split(), 1)) for line in written]
    return doubting.tally(GAME, *seats, common={"games": games}, options=options)


def _box(word: str, number: int) -> str:
    if "=" in word:
        return word
    hand, _, place = word.partition("/")
    return f"game.{number}.hand={hand} game.{number}.place={place}"


def doubts(*written: str, games: int = 1, **options: object) -> dict[str, tuple[str, ...]]:
    return doubting.doubts_by_sentence(GAME, sheets(*written, games=games, **options))


def test_single_game_matches_the_engine_as_far_as_known() -> None:
    written = sheets("Pair/2", "Village/1", "unknown/3")
    outcome = keeper(GAME).outcome(written)
    assert (outcome.kind, outcome.winners, outcome.ranks) == ("reveal", (1,), (2, 1, 3))
    assert outcome.scores == ({"category": 2, "strength": 1}, {"category": 6, "strength": 5}, {})
    assert render_sentence(outcome.reason) == Says("Bram", "best hand", "Village")
    (table,) = ProphetsGambit().score_tables(outcome)
    assert table.columns == ("Player", "Hand", "Place")
    assert table.rows == (("", "Pair", "2"), ("", "Village", "1"), ("", "–", "3"))
    assert doubting.doubts_by_sentence(GAME, written) == {}


def test_pg_37_the_hands_are_those_of_the_tarokka_strongest_first() -> None:
    hand, _ = keeper(GAME).seat_questions(sheets().options, {"games": 1})
    assert list(hand.choices) == [*TAROKKA_NAMES.values(), "unknown"] and hand.default == "unknown"
    hand, _ = keeper(GAME).seat_questions(sheets(order="rarity").options, {"games": 1})
    by_rarity = [TAROKKA_NAMES[category] for category in TAROKKA_RARITY_ORDER]
    assert list(hand.choices) == [*by_rarity, "unknown"] and hand.choices["unknown"] == "not written down"


def test_pg_38_several_games_are_a_match() -> None:
    written = sheets("Pair/2 Triple/1 Guild/1", "Village/1 Pair/2 Pair/2", "High_card/3 Pair/3 unknown/3", games=3)
    outcome = keeper(GAME).outcome(written)
    assert (outcome.kind, outcome.winners, outcome.ranks) == ("match", (0,), (1, 2, 3))
    assert [outcome.score(seat) for seat in range(3)] == [2, 1, 0]
    assert render_sentence(outcome.reason) == Says("Ysolde", "won 2 of 3 games")
    (table,) = ProphetsGambit().score_tables(outcome)
    assert table.columns == ("Player", "Game 1", "Game 2", "Game 3", "Won")
    assert table.rows[2] == ("", "3, High card", "3, Pair", "3", "0")
    assert keeper(GAME).closing_questions(written) == () and doubting.doubts_by_sentence(GAME, written) == {}
    assert ProphetsGambit().ending("match") == "A match is decided"


def test_g_9_a_match_can_be_shared() -> None:
    outcome = keeper(GAME).outcome(sheets("Pair/1 Pair/2", "Pair/2 Pair/1", "Pair/3 Pair/3", games=2))
    assert outcome.winners == (0, 1) and render_sentence(outcome.reason) == Says("Ysolde", "Bram", "won 1 of 2 games")


def test_pg_6_every_place_is_used_once() -> None:
    assert list(doubts("Pair/1", "Pair/1", "Pair/3").items()) == [
        (Says("Ysolde", "Bram", "place 1 together"), ("PG-6", "PG-7"))
    ]
    assert list(doubts("Pair/2", "Pair/3", "Pair/4")) == [
        Says("Cass", "place 4", "3 players"),
        Says("Nobody", "first place"),
    ]
    assert list(doubts("Pair/1 Pair/1", "Pair/2 Pair/1", "Pair/3 Pair/3", games=2)) == [
        Says("Game 2", "Ysolde", "Bram", "place 1 together")
    ]


def test_pg_37_better_place_than_a_stronger_hand_is_questioned() -> None:
    assert list(doubts("Pair/1", "Village/2", "Guild/3").items()) == [
        (Says("Ysolde", "Pair", "Bram", "Village", "stronger"), ("PG-37",))
    ]
    assert list(doubts("Pair/1", "High_card/2", "Family/3")) == [
        Says("Ysolde", "Pair", "Cass", "Family", "stronger"),
        Says("Bram", "High", "Cass", "Family", "stronger"),
    ], "not only the next place counts"
    assert doubts("Fortune/2", "Guild/1", "Pair/3", order="rarity") == {}
    assert len(doubts("Fortune/2", "Guild/1", "Pair/3")) == 1


def test_pg_36_four_cards_are_not_a_village() -> None:
    killed = "game.1.focus=killed"
    assert list(doubts(f"Village/1 {killed}", "Pair/2", "Pair/3")) == [
        Says("Ysolde", "cannot", "Village", "without", "Focus", "cards")
    ]
    assert doubts(f"Village/1 {killed}", "Pair/2", "Pair/3", four_card="scaled") == {}
    assert len(doubts(f"Fortune/1 {killed}", "Pair/2", "Pair/3", four_card="scaled")) == 1
    assert doubts("Village/1 game.1.focus=saved", "Pair/2", "Pair/3") == {}


def test_pg_38_wrong_sum_of_games_won_is_questioned() -> None:
    assert doubts("Pair/1 wins=1", "Pair/2 wins=0", "Pair/3") == {}
    assert list(doubts("Pair/1 wins=2", "Pair/2", "Pair/3").items()) == [
        (Says("Games won", "Ysolde", "written down 2", "make 1"), ("PG-38",))
    ]


@pytest.mark.parametrize("seats", [2, 6])
def test_too_few_or_too_many_players(seats: int) -> None:
    lines = [f"Pair/{place}" for place in range(1, seats + 1)]
    assert list(doubts(*lines)) == [f"Prophet's Gambit is for 3 to 5 players, and {seats} took part."]


def test_pg_1_too_few_cards_for_hands_of_seven() -> None:
    lines = [f"Pair/{place}" for place in range(1, 6)]
    assert doubts(*lines) == {} and list(doubts(*lines, opening="each-round-deal-7").values()) == [("PG-1",)]


def test_a_game_with_two_winners_can_be_recorded() -> None:
    outcome = keeper(GAME).outcome(sheets("Pair/1", "Pair/1", "Pair/3"))
    assert outcome.winners == (0, 1) and render_sentence(outcome.reason) == Says(
        "Ysolde", "Bram", "share the first place"
    )
