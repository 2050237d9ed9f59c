"""Tables of scores that are pasted from spreadsheets, notes and chats."""

import pytest

from tests.games.test_definition import sheet
from tests.wording import Says
from vaultkit.campaign.scoresheets.paper_record import build_tally
from vaultkit.campaign.scoresheets.score_table_file import is_table, read_table
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import ScoreSheets

SKAT, CITADEL = (ScoreSheets(None).find(name) for name in ("skat", "dragon-citadel"))
EXPECTED = {"Ysolde": [18, 0, -48], "Bram": [0, 24, 0], "Sefa": [0, 0, 59]}
BIDS = sheet({
    "title": "Bids", "players": [2, 4], "rounds": {"name": "hand"}, "score": "tricks",
    "columns": [{"id": "bid", "title": "Bid"}, {"id": "tricks", "title": "Tricks"}],
})  # fmt: skip


def scores(text: str, of: ScoreSheet = SKAT) -> dict[str, list[object]]:
    record = read_table(text, "x.csv", of)
    tally = build_tally(record, of, settle(of, {}))
    return {seat.name: list(answers.answers.values()) for seat, answers in zip(record.seats, tally.seats, strict=True)}


@pytest.mark.parametrize(
    "text",
    [
        "Deal,Ysolde,Bram,Sefa\n1,18,0,0\n2,0,24,0\n3,-48,0,59\n",
        "Ysolde;Bram;Sefa\r\n18;0;0\r\n0;24;0\r\n-48;0;59\r\n",
        "\tYsolde\tBram\tSefa\nDeal 1\t18\t\t\nDeal 2\t\t24\t\nDeal 3\t−48\t\t59\n",
        "| | Ysolde | Bram | Sefa |\n|---|---|---|---|\n| 1 | 18 | 0 | 0 |\n| 2 | – | 24 |\n| 3 | \\-48 | 0 | 59 |\n",
        "#\tYsolde\tBram\tSefa\n1\t18\n2\t0\t24\n\n3\t-48\t0\t59\n",
        "Player\tPoints\nYsolde\t18/0/-48\nBram\t0/24/0\nSefa\t0/0/59\n",
        "Deal;Ysolde;Bram;Sefa\r1;18;0;0\r2;0;24\x0b;0\r3;-48;0\u2028;59\r",
        'Spiel,"Ysolde","Bram","Sefa"\n"1","18","",""\n3,-48,0,59\n2,0,24,0\n',
    ],
)
def test_score_table_lists_rounds_or_players(text: str) -> None:
    assert is_table(text) and scores(text) == EXPECTED


def test_total_row_is_compared_and_not_added() -> None:
    text = "Deal;Ysolde;Bram;Sefa\n1;18;0;0\nSumme;18;0;1\n"
    record = read_table(text, "x.csv", SKAT)
    tally = build_tally(record, SKAT, {})
    assert [seat.answers["score"] for seat in tally.seats] == [18, 0, 1]
    doubts = [item.speak(lambda seat: record.seats[seat].name) for item in SKAT.doubts(tally)]
    assert doubts == [Says("Score", "Sefa", "written", "1", "0")]


def test_rounds_with_several_columns_and_games_without_rounds() -> None:
    text = "\tAnn\tBen\n1 Bid\t2\t1\n1 Tricks\t2\t0\nHand 2, bid\t0\t1\nHand 2, tricks\t1\t1\n"
    assert scores(text, BIDS) == {"Ann": [2, 2, 0, 1], "Ben": [1, 0, 1, 1]}
    citadel = "Name,Swords,Coins,Forfeited\nYsolde,23/1,0,no\nBram,,8+9,x\n"
    record = read_table(citadel, "x.csv", CITADEL)
    assert {key: words.text for key, words in record.seats[0].said.items()} == {
        "swords": "23/1", "coins": "0", "forfeited": "no",
    }  # fmt: skip
    turned = ",Ysolde,Bram\nSwords,23/1,\nCoins,0,8+9\n"
    assert [dict(seat.said) for seat in read_table(turned, "x.csv", CITADEL).seats] == [
        {"swords": record.seats[0].said["swords"].__class__("23/1", "x.csv:2"),
         "coins": record.seats[0].said["coins"].__class__("0", "x.csv:3")},
        {"coins": record.seats[1].said["coins"].__class__("8+9", "x.csv:3")},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "part", "line"),
    [
        ("Ysolde,Bram,Sefa\n18,0,x\n", "'x' is not a number", 2),
        ("Ysolde,Bram,Sefa\n18,0,0\n1,2,3,4\n", "4 cells, and the first row 3", 3),
        ("Deal,Ysolde,Ysolde\n1,2,3\n", "a name twice", 1),
        ("Deal,Ysolde,,Bram\n1,2,3,4\n", "no name", 1),
        ("Deal,Ysolde,Bram,Sefa\n1,2,3,4\n1,2,3,4\n", "appears twice", 3),
        ("Player,Points\n,4\n", "no player", 2),
        ("Player,Points,Trumps\nYsolde,4,1\n", "no 'trumps'", 2),
        ("x\n", "not a table of scores", 0),
    ],
)
def test_unreadable_score_table_is_reported_with_its_line(text: str, part: str, line: int) -> None:
    with pytest.raises(VaultkitError, match=part) as caught:
        scores(text)
    assert isinstance(caught.value, InvalidError) and caught.value.where == (f"x.csv:{line}" if line else "x.csv")


def test_toml_is_not_read_as_a_score_table() -> None:
    assert (
        not is_table('game = "skat"\n')
        and not is_table("[[players]]\n")
        and not is_table("# a, b\n")
        and not is_table("")
    )
