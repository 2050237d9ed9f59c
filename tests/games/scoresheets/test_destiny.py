"""The Deck of Destiny on paper: a line of the sheet, and every doubt by its ruling."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.games.scoresheets import doubting
from tests.games.scoresheets.doubting import by_key, keeper, render_sentence, seat
from tests.wording import Says
from vaultkit.games.deck_of_destiny import rules
from vaultkit.games.deck_of_destiny.game import DeckOfDestiny
from vaultkit.games.messages import Outcome
from vaultkit.games.question import Answer
from vaultkit.games.scoresheet import SeatTally, Tally

GAME = "deck-of-destiny"


LINE: Mapping[str, Answer] = {"laid": 3, "hand": "unknown", "gained": 0, "asks": "", "name": "A bear"}


def sheet(result: str, *, before: int = 7, **given: Any) -> Tally:
    """Return the third line of a sheet; `given` holds its boxes and the game's options."""
    boxes = {**LINE, **{key: value for key, value in given.items() if key in LINE}, "result": result}
    line = SeatTally({f"encounter.3.{box}": value for box, value in boxes.items()})
    options = {key: value for key, value in given.items() if key not in LINE}
    return doubting.tally(GAME, line, common={"encounter": 3, "inventory": before}, options=options)


def doubts(result: str, **given: Any) -> list[tuple[str, ...]]:
    return list(doubting.doubts_by_sentence(GAME, sheet(result, **given)).values())


def outcome_of(result: str, **given: Any) -> Outcome:
    return keeper(GAME).outcome(sheet(result, **given))


def test_questions_match_the_line_of_the_sheet() -> None:
    written = sheet("win")
    questions = by_key(keeper(GAME).seat_questions(written.options, written.common))
    assert set(questions) == set(written.seats[0].answers)
    assert list(questions["encounter.3.result"].choices) == ["win", "loss", "tie", "retreat"]
    assert questions["encounter.3.hand"].choices["Full house"] == "a full house"
    owned = by_key(keeper(GAME).opening_questions({**written.options, "inventory": 9}))["inventory"]
    assert (owned.default, owned.most) == (9, rules.MAX_CARDS_OUTSIDE_DECK)


def test_cost_and_reward_of_an_encounter() -> None:
    outcome = outcome_of("win", gained=4, hand="Flush")
    assert outcome.scores == ({"before": 7, "played": 3, "back": 0, "gained": 4, "after": 8},)
    assert render_sentence(outcome.reason) == "Ysolde wins with a flush." and outcome.winners == (0,)
    assert [(label, render_sentence(fact)) for label, fact in outcome.facts] == [
        ("Encounter", "A bear"),
        ("Best hand", "a flush"),
    ]
    assert DeckOfDestiny().score_tables(outcome)[0].rows == (("", "7", "3", "0", "4", "8"),)
    assert outcome_of("win", keep_on_win="yes").scores[0]["after"] == 7


@pytest.mark.parametrize(
    ("result", "given", "words"),
    [
        ("loss", {}, "Ysolde loses."),
        ("retreat", {"laid": 1}, "Ysolde retreats."),
        ("tie", {"hand": "Pair"}, "Ysolde and the opponent make equal hands, a pair, so the encounter is not won."),
        (
            "win",
            {"asks": "a flush", "hand": "Full house"},
            "Ysolde wins: a flush was asked for, and Ysolde makes a full house.",
        ),
        ("loss", {"asks": "flush"}, "Ysolde loses: a flush was asked for."),
    ],
)
def test_outcome_of_an_encounter_is_described(result: str, given: dict[str, Any], words: str) -> None:
    assert render_sentence(outcome_of(result, **given).reason) == words
    assert doubts(result, **given) == []


def test_dd_3_cards_left_by_the_encounters_above_on_the_sheet() -> None:
    boxes = {f"encounter.{line}.{box}": said for line in (1, 2) for box, said in (("laid", "3"), ("result", "Win"))}
    boxes["encounter.1.gained"] = "5"

    def inventory_of(boxes: Mapping[str, str], **given: Any) -> int | None:
        options = doubting.tally(GAME, options=given).options
        return keeper(GAME).derive_answer("inventory", options, {"encounter": 3}, boxes)

    assert (inventory_of(boxes), inventory_of(boxes, keep_on_win="yes"), inventory_of({})) == (7 - 3 + 5 - 3, 12, None)
    for laid in ("many", "9" * 5000):  # that line is refused when it is logged itself
        assert inventory_of(boxes | {"encounter.2.laid": laid}) is None


def test_dd_6_dd_12_number_of_cards_laid() -> None:
    assert doubts("win", laid=11, before=20) == [] == doubts("retreat", laid=6)
    assert doubts("win", laid=12, before=20) == [("DD-6", "DD-12")] == doubts("retreat", laid=7)
    assert doubts("loss", laid=8) == [("DD-2", "DD-7")]
    assert doubts("loss", laid=0) == [("DD-4",)]


def test_dd_4_no_encounter_without_cards() -> None:
    assert doubts("retreat", laid=0, before=0) == []
    assert doubts("win", laid=0, before=0) == [("DD-4",)]
    assert doubts("win", laid=1, before=0, empty="draw-one", gained=5) == []


def test_dd_9_requested_hand() -> None:
    assert doubts("win", asks="flush", hand="Straight") == [("DD-9",)] == doubts("loss", asks="flush", hand="Flush")
    assert doubts("loss", asks="flush", hand="Full house") == [("DD-9",)]
    assert doubts("loss", asks="flush", hand="Full house", passive="exact") == []
    assert doubts("loss", requires="flush", hand="Flush") == [("DD-9",)] == doubts("tie", asks="flush")
    assert doubts("loss", asks="Strength 4", requires="flush", hand="Flush") == []


def test_dd_9_hands_of_the_tarokka_have_their_own_order() -> None:
    """DD-9: with the Tarokka a Village, the straight, beats a Guild, the flush (PG-37)."""
    assert doubts("win", asks="flush", hand="Straight", deck="tarokka-common") == []
    assert "a Village" in render_sentence(outcome_of("win", hand="Straight", deck="tarokka-common").reason)


def test_dd_10_equal_hands() -> None:
    assert doubts("tie") == [] and doubts("tie", tie="won") == [("DD-10",)] == doubts("tie", tie="replay")


def test_dd_2_reward_of_a_win() -> None:
    assert doubts("win", gained=4) == [] == doubts("win", asks="7", gained=8)
    assert doubts("win", gained=5) == [("DD-2",)] == doubts("loss", gained=1)
    assert doubts("win", asks="pair", gained=3) == [("DD-2",)] == doubts("win", reward="none", gained=1)


def test_one_player_only() -> None:
    two = doubting.tally(GAME, *[seat("encounter.1.result=loss encounter.1.laid=1")] * 2)
    assert list(doubting.doubts_by_sentence(GAME, two)) == [Says("Destiny", "1", "player", "2")]
    outcome = keeper(GAME).outcome(two)
    assert len(outcome.scores) == len(outcome.ranks) == 2, "somebody may insist on it"
