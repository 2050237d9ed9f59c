"""VA-18 to VA-22 and G-2: ties, matches, who leads first, what must be remembered, and the log."""

import re
from itertools import pairwise
from random import Random

import pytest

from tests.games.propheta.position import DECK, FACTS, GAME, A, B, C, arrange_game, begin, complete, games
from vaultkit.errors import UsageError
from vaultkit.games.messages import Outcome
from vaultkit.games.propheta import ending, rules
from vaultkit.games.propheta.deal import _find_next_first_leader
from vaultkit.games.propheta.rules import OPTIONS, Sheet
from vaultkit.games.turn import HIDDEN
from vaultkit.resources import shipped_folder


def outcome_of_sheets(*sheets: Sheet, **given: object) -> Outcome:
    """Return the outcome of a one-deal game with these score sheets."""
    state = begin(len(sheets), **given).state
    state.at.deals, state.at.phase = (sheets,), "over"
    outcome = ending.outcome(state)
    assert outcome is not None
    return outcome


LEVEL = (Sheet(tricks=4), Sheet(tricks=2, mutable=1), Sheet(tricks=3))


@pytest.mark.parametrize(
    ("tiebreak", "winners", "ranks"),
    [("shared", (A, B), (1, 1, 3)), ("predictions", (B,), (2, 1, 3)), ("tricks", (A,), (1, 2, 3))],
)
def test_va_18_tied_scores_at_the_end(tiebreak: str, winners: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    outcome = outcome_of_sheets(*LEVEL, tiebreak=tiebreak)
    assert (outcome.kind, outcome.winners, outcome.ranks) == ("score", winners, ranks)


@pytest.mark.short(2)
@pytest.mark.parametrize("tiebreak", ["shared", "predictions", "tricks"])
def test_va_18_complete_tie_is_shared(tiebreak: str) -> None:
    outcome = outcome_of_sheets(Sheet(2, 1), Sheet(2, 1), Sheet(3), tiebreak=tiebreak)
    assert outcome.winners == (A, B)
    assert "share the win" in outcome.reason.render(str, str)


@pytest.mark.parametrize("tiebreak", ["shared", "predictions", "tricks"])
def test_va_18_match_is_decided_by_more_deals_regardless_of_the_option(tiebreak: str) -> None:
    outcome = outcome_of_sheets(
        Sheet(tricks=2, mutable=9), Sheet(tricks=4), Sheet(tricks=2, mutable=1), target=20, tiebreak=tiebreak
    )
    assert (outcome.kind, outcome.winners, outcome.ranks) == ("match", (A,), (1, 2, 2))


def test_va_19_one_deal_is_a_game() -> None:
    for game in games(5, 3):
        assert game.outcome.kind == "score" and len(game.state.at.deals) == 1


@pytest.mark.parametrize(
    ("points", "over"),
    [((19, 12), False), ((20, 12), True), ((24, 24), False), ((24, 24, 21), False), ((24, 25), True)],
)
def test_va_19_match_ends_when_a_single_player_reaches_the_target(points: tuple[int, ...], over: bool) -> None:
    assert rules.is_reached(points, 20) is over


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_va_19_match_continues_until_the_target_is_reached(seats: int) -> None:
    for game in games(6, seats, target=20):
        totals = [sum(deal[seat].total for deal in game.state.at.deals) for seat in range(seats)]
        before = [total - sheet.total for total, sheet in zip(totals, game.state.at.deals[-1], strict=True)]
        assert max(totals) >= 20 and totals.count(max(totals)) == 1
        assert max(before) < 20 or before.count(max(before)) > 1
        assert game.outcome.kind == "match" and game.outcome.winners == (totals.index(max(totals)),)
        assert [parts["total"] for parts in game.outcome.scores] == totals


def leaders(first: object, seats: int, seed: int) -> list[int]:
    """Return the seat that led first in each deal of a match."""
    game, found, rng = begin(seats, target=60, first=first), [], Random(seed)
    while game.turn is not None:
        game.play_until("play", rng)
        if game.turn is not None:
            found.append(game.asked)
            game.play_until("deal", rng)
    return found


@pytest.mark.parametrize("first", ["random", 0, 2])
def test_va_19_the_first_lead_moves_to_the_left(first: object) -> None:
    found = leaders(first, 3, 1)
    assert len(found) > 3
    assert all(later == (earlier + 1) % 3 for earlier, later in pairwise(found))
    assert first == "random" or found[0] == first


def test_g_2_option_gives_the_first_lead_to_the_winner_of_the_last_deal() -> None:
    game, rng = begin(3, target=60, first="winner-of-last"), Random(2)
    game.play_until("play", rng)
    while game.turn is not None:
        game.play_until("deal", rng)
        if game.turn is not None:
            points = [sheet.total for sheet in game.state.at.deals[-1]]
            game.play_until("play", rng)
            assert points[game.asked] == max(points)


@pytest.mark.parametrize(("points", "leader"), [((3, 9, 1), B), ((9, 9, 1), B), ((9, 1, 9), C), ((9, 1, 1), A)])
def test_g_2_among_tied_winners_the_nearest_to_the_left_of_the_last_first_leader_leads(
    points: tuple[int, ...], leader: int
) -> None:
    state = begin(3, first="winner-of-last").state
    state.at.first = A
    assert _find_next_first_leader(state.rules, state.at, points) == leader


@pytest.mark.parametrize("given", [1, 20, "42", 500, "NONE"])
def test_va_19_any_reasonable_target_is_accepted(given: object) -> None:
    assert str(complete(target=given)["target"]) == str(given).lower()


@pytest.mark.parametrize("given", [0, -3, 501, "lots", "", "1.5"])
def test_va_19_other_targets_are_refused(given: object) -> None:
    with pytest.raises(UsageError) as caught:
        complete(target=given)
    assert "1 to 500" in caught.value.hint and "VA-19" in caught.value.hint


def test_va_20_first_leader_is_drawn_by_lot_after_the_prophecies_are_chosen() -> None:
    game = begin(4)
    game.play_until("lot", Random(1))
    assert game.chance.options == ("0", "1", "2", "3") and {len(laid) for laid in game.state.at.predictions} == {3}
    game.luck("2")
    assert game.asked == C


def test_va_20_a_seat_can_be_named() -> None:
    game = begin(3, first=2)
    game.play_until("play", Random(1))
    assert game.asked == C and not any(event.kind == "first" for event in game.events)


def test_va_20_unknown_seat_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        begin(3, first=3)
    assert "0 to 2" in caught.value.hint


@pytest.mark.parametrize(("memory", "known"), [("open", 3), ("last-trick", 1)])
def test_va_22_option_memory(memory: str, known: int) -> None:
    game = begin(3, memory=memory)
    game.play_until("play", Random(1))
    for _ in range(3):
        game.play_until("reveal", Random(2))
        game.play_until("play", Random(3))
    view = game.state.view(A)
    assert [len(trick.cards) - trick.cards.count(HIDDEN) for trick in view.at.tricks] == [0] * (3 - known) + [3] * known
    assert [trick.winner for trick in view.at.tricks] == [trick.winner for trick in game.state.at.tricks]
    record = [zone for zone in GAME.table(view) if zone.title.words.startswith("Played before")]
    assert [len(zone.short.cards) for zone in record if zone.short] == ([6] if memory == "open" else [])


def test_va_4_sampled_state_gives_nobody_cards_they_have_shown_not_to_hold() -> None:
    hands = ("Leo Lion, Aries Scrap", "Taurus Bull, Virgo Scrap", "Libra Scrap, Aries Ram")
    game = arrange_game(hands, follow="element")
    game.play("Leo Lion, Taurus Bull, Aries Ram")
    game.reveal("", "", "")
    view = game.state.view(C)
    for seed in range(60):
        guess = GAME.determinize(view, Random(seed))
        assert all(FACTS.element[card] != "Fire" for card in guess.at.hands[B])
        assert guess.view(C) == view


def test_va_4_number_of_another_element_reveals_nothing_of_the_hand() -> None:
    game = arrange_game(("Leo Lion, Aries Scrap", "Libra 2, Aries Ram", "Libra Scrap, Leo Scrap"), follow="element")
    game.play("Leo Lion, Libra 2, Leo Scrap")
    game.reveal("", "", "")
    view = game.state.view(C)
    guesses = [GAME.determinize(view, Random(seed)).at.hands[B] for seed in range(60)]
    assert any(FACTS.element[card] == "Fire" for hand in guesses for card in hand)


def test_va_12_sampled_state_gives_each_seat_a_sealed_choice_it_could_have_made() -> None:
    hands = ("Virgo Scrap I", "Virgo Scrap II", "Virgo Scrap III")
    laid = {A: "Leo Scrap I, Leo Scrap II", B: "Leo Ribbon, Leo Lion", C: "Aries Scrap, Aries Ram"}
    game = arrange_game(hands, laid, C, reveal="simultaneous")
    game.play("Virgo Scrap III, Virgo Scrap I, Virgo Scrap II")
    game.reveal("Aries Scrap", "Leo Scrap I")
    for seed in range(40):
        guess = GAME.determinize(game.state.view(B), Random(seed))
        for seat, move in zip((C, A), guess.at.committed, strict=True):
            assert set(move.operands) <= set(guess.at.predictions[seat])


@pytest.mark.slow
def test_va_23_random_play_stays_far_below_the_maximum() -> None:
    best = {
        seats: max(parts["total"] for game in games(40, seats) for parts in game.outcome.scores) for seats in (2, 3, 4)
    }
    assert best[2] < 36 and best[3] < 30 and best[4] < 20


def test_the_score_sheet_and_the_course_of_a_game() -> None:
    game = arrange_game(("Leo Lion", "Aries Ram"), {A: "Leo Scrap", B: "Aries Scrap"})
    game.play("Leo Lion, Aries Ram")
    game.reveal("Aries Scrap", "Leo Scrap")
    sheet, course = GAME.score_tables(game.outcome)
    assert sheet.columns == ("Player", "Tricks", "Mutable, 2 each", "Fixed, 4 each", "Cardinal, 6 each", "Total")
    assert sheet.rows == (("", "0", "0", "1", "0", "4"), ("", "1", "0", "0", "1", "7"))
    assert (course.columns, course.rows) == (("Player", "1"), (("", "4"), ("", "1 + 6")))


def test_course_of_a_game_lists_plain_tricks_and_empty_ones() -> None:
    game = arrange_game(("Leo Lion, Taurus Scrap", "Aries Ram, Libra 2"), {A: "Leo Scrap", B: "Aries Scrap"})
    game.play("Leo Lion, Aries Ram")
    game.reveal("", "")
    game.play("Libra 2, Taurus Scrap")
    game.reveal("", "")
    _, course = GAME.score_tables(game.outcome)
    assert (course.columns, course.rows) == (("Player", "1", "2"), (("", "–", "–"), ("", "1", "1")))


def test_led_0_that_nothing_else_could_beat_is_not_notable() -> None:
    game = arrange_game(("Gemini 0", "Leo Scrap"))
    (won,) = (event for event in game.play("Gemini 0, Leo Scrap") if event.kind == "won")
    assert won.seat == A and not won.notable


def test_course_of_a_match_is_described_by_deals() -> None:
    game = next(games(1, 3, target=20))
    _, course = GAME.score_tables(game.outcome)
    assert len(course.columns) == 1 + len(game.state.at.deals)
    assert [row[1:] for row in course.rows] == [
        tuple(str(deal[seat].total or "–") for deal in game.state.at.deals) for seat in range(3)
    ]


def test_win_by_the_0_and_expensive_prophecies_are_notable() -> None:
    game = arrange_game(("Aquarius 7", "Gemini 0"), {A: "Taurus Scrap, Aquarius Scrap", B: "Libra Scrap"})
    told = game.play("Aquarius 7, Gemini 0")
    assert [event.kind for event in told if event.notable] == ["won"]
    assert not any(event.notable for event in game.reveal("", ""))
    dear = arrange_game(("Leo Lion", "Aries Ram"), {A: "Sagittarius Scrap", B: "Aries Scrap"})
    dear.play("Leo Lion, Aries Ram")
    told = dear.reveal("Aries Scrap", "Sagittarius Scrap")
    assert [event.notable for event in told if event.kind == "fulfilled"] == [True, False]


def ruling_page(page: str) -> str:
    return (shipped_folder("rulings") / page).read_text(encoding="utf-8")


def test_g_10_every_ruling_is_written_in_order_and_every_option_in_its_own() -> None:
    text = ruling_page("propheta.md")
    assert re.findall(r"^## (VA-\d+): ", text, re.MULTILINE) == [f"VA-{number}" for number in range(1, 24)]
    for option in OPTIONS:
        section = re.search(rf"^## {option.ruling}: .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        assert section and f"Option: {option.key} = {option.default} | " in section[0]


def test_g_10_every_cited_ruling_is_written() -> None:
    known = set(
        re.findall(r"^## ((?:G|VA)-\d+): ", ruling_page("general.md") + ruling_page("propheta.md"), re.MULTILINE)
    )
    for given in ({}, {"target": 20, "reveal": "simultaneous", "follow": "element"}):
        for game in games(4, 2, **given):
            assert {number for event in game.events for number in event.rulings} | set(game.outcome.rulings) <= known
    assert set(DECK.by_id) == set(FACTS.ids)
