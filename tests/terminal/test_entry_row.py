"""Rows of scores as they are typed: numbers, words, blanks, commas and slashes."""

import pytest

from vaultkit.campaign.scoresheets.entry_row import EntryRow
from vaultkit.errors import UsageError
from vaultkit.games.question import Question


@pytest.mark.parametrize(
    ("answer", "choice"), [("1", "yes"), ("2", "no"), ("0", "no"), ("y", "yes"), ("no", "no"), ("x", "yes")]
)
def test_yes_or_no_column_accepts_a_number_or_a_word(answer: str, choice: str) -> None:
    row = EntryRow("Won?", (Question("won", "Won?", choices={"no": "no", "yes": "yes"}),))
    assert row.parts(answer) == [choice]
    with pytest.raises(UsageError, match="'3' is not one of them"):
        row.parts("3")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("bram: 3 1 4", "One row at a time. For one player: bram 3/1"),
        ("3 1 0", "Put spaces between them, and / between the 2 parts of one: 18/18 0/0. For one player: b18/18"),
    ],
)
def test_row_with_other_signs_is_refused_with_the_own_values(line: str, hint: str) -> None:
    row = EntryRow("Bid and tricks", (Question("bid", "Bid"), Question("tricks", "Tricks")), ("Ysolde", "Bram"))
    with pytest.raises(UsageError) as caught:
        row.cells(line)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("line", "names", "cells"),
    [
        ("26 9", "Odo", ["26/9"]),
        ("26, 9", "Odo", ["26/9"]),
        ("26 9 11 4", "Odo Sefa", ["26/9", "11/4"]),
        ("26 9, 11 4", "Odo Sefa", ["26/9", "11/4"]),
        ("26, 11 4", "Odo Sefa", ["26/", "11/4"]),
        ("26 9; 11 4; 5 -", "Odo Sefa Bram", ["26/9", "11/4", "5/-"]),
        ("26, 9, 11, 4, 5, 0", "Odo Sefa Bram", ["26/9", "11/4", "5/0"]),
        ("26,9,11,4,5,0", "Odo Sefa Bram", ["26/9", "11/4", "5/0"]),
        ("26,9 11,4 5,0", "Odo Sefa Bram", ["26/9", "11/4", "5,0/"]),
        ("s 11 4", "Odo Sefa Bram", ["/", "11/4", "/"]),
        ("sefa: 11, 4; odo 26/9", "Odo Sefa Bram", ["26/9", "11/4", "/"]),
        ("Guest 2: 26 9, Guest 1: 11 4", "Guest 1|Guest 2", ["11/4", "26/9"]),
    ],
)
def test_blanks_and_commas_stand_for_slashes(line: str, names: str, cells: list[str]) -> None:
    players = tuple(names.split("|") if "|" in names else names.split())
    row = EntryRow("Bid and tricks", (Question("bid", "Bid", default=0), Question("tricks", "T", default=0)), players)
    parts = ["/".join(row.parts(cell)) for cell in row.cells(line)]
    assert parts == cells
