"""The GM's own reward table in all its forms (DC-33, DC-35, DC-36)."""

from pathlib import Path

import pytest

from tests.campaign.dragon_citadel.samples import (
    BOOK,
    RULES,
    earned_rewards,
    make,
    reckon_rewards,
    results,
    roll_rewards,
    rules_note,
)
from tests.wording import Says
from vaultkit.campaign.dragon_citadel.reward_table import printed_table, reward_table
from vaultkit.errors import InvalidError, UsageError
from vaultkit.vault import Note

FIVE = """\
| Points | Step | Trinkets | Gold |
|---|---|---|---|
| 1 to 5 | 1 | nothing much | 2d6 gp |
| 6\u201316 | 2 | [[moth cloak]] | \u2013 |
| 17-20 | 3 | 2 rolls on [[gifts-a]] and a **bell** | 1d1 x 100 (100 gp) |
| 21\u201329 | 4 | roll twice on [[gifts-a]] | 10 gp |
| 30+ | 5 | [[gifts-a#^gifts-a]] | 20 gp |
"""


def read(table: str, heading: str = "Rewards") -> object:
    return reward_table(Note(RULES, rules_note(table, heading).encode()))


def test_dc_36_book_and_shipped_table_have_the_same_rows() -> None:
    own = reward_table(Note(RULES, rules_note().encode()))
    assert own is not None
    assert [(row.number, row.scores) for row in own.rows] == [(row.number, row.scores) for row in printed_table().rows]
    assert own.columns == printed_table().columns == ("Magic items", "Individual treasure")


def test_dc_36_row_3_of_the_book_gives_two_rolls_of_treasure() -> None:
    cells = [row.cells for row in printed_table().rows]
    assert cells[2] == ("1 roll on Magic Item Table C", "2 rolls on Individual Treasure, Challenge 5-10")


@pytest.mark.slow
def test_dc_36_rewards_are_rolled_from_the_played_column(tmp_path: Path) -> None:
    vault = make(tmp_path)
    assert reckon_rewards(vault).column == 0
    assert reckon_rewards(vault, house_rules={"rewards": "treasure"}).column == 1
    assert reckon_rewards(vault, column="Individual Treasure").column == 1
    with pytest.raises(UsageError, match="'cheese'") as error:
        reckon_rewards(vault, column="cheese")
    assert "'Magic items', 'Individual treasure'" in error.value.hint


def test_five_rows_with_other_columns_and_words_are_accepted(tmp_path: Path) -> None:
    vault = make(tmp_path, rules=rules_note(FIVE, "REWARDS!"))
    assert earned_rewards(vault, column="trinkets") == [
        ("Ysolde Marr", "swords", 2, 3),
        ("Ysolde Marr", "stars", 1, 2),
        ("Ysolde Marr", "crowns", 1, 3),
        ("Bram Tolliver", "swords", 1, 2),
        ("Priya's cousin", "stars", 1, 5),
        ("Priya's cousin", "crowns", 1, 1),
    ]
    told = results(roll_rewards(vault, column="trinkets"))
    assert told.count("Ysolde: A paper boat") == 6
    assert told.count("Ysolde: a bell") == 3
    assert told[-3:] == ["Bram: moth cloak", "Priya's: A paper boat", "Priya's: nothing much"]


def test_dice_in_a_cell_are_rolled_and_the_average_is_dropped(tmp_path: Path) -> None:
    told = results(roll_rewards(make(tmp_path, rules=rules_note(FIVE)), column="Gold"))
    assert told[:2] == ["Ysolde: 1d1 x 100 (100) gp"] * 2
    assert told[2] == "Ysolde: 0 ", "an empty cell is just nothing"


def test_headers_that_match_no_option_are_asked_for(tmp_path: Path) -> None:
    vault = make(tmp_path, rules=rules_note(FIVE))
    with pytest.raises(UsageError, match="magic-items") as error:
        reckon_rewards(vault)
    assert error.value.hint == Says("Name", "--rewards", "Trinkets", "Gold")
    renamed = make(tmp_path / "two", rules=rules_note(BOOK.replace("Individual treasure", "Silver")))
    assert reckon_rewards(renamed, house_rules={"rewards": "treasure"}).column == 1


def test_only_table_of_its_kind_is_found_anywhere(tmp_path: Path) -> None:
    table = reckon_rewards(make(tmp_path, rules=rules_note(heading="What You Win"))).table
    assert table.note is not None and table.heading == "What You Win", "so the link leads to it"
    with pytest.raises(InvalidError, match="several tables"):
        read(f"{BOOK}\nOr:\n\n{BOOK}", "What You Win")
    assert read(f"{BOOK}\nOr:\n\n{FIVE}") is not None


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (BOOK.replace("16\u201325", "16\u2013"), "'16\u2013' is not a range of scores"),
        ("| Row | Gift |\n|---|---|\n| one | cheese |\n", "no column of scores"),
        ("| Row | Score |\n|---|---|\n| 1 | 1-9 |\n", "no column of rewards"),
    ],
)
def test_a_half_edited_reward_table_is_an_error_with_its_line(table: str, told: str) -> None:
    with pytest.raises(InvalidError, match=told) as error:
        read(table)
    assert error.value.where.startswith(f"{RULES}:")
    assert error.value.where.rpartition(":")[2].isdecimal()


def test_score_between_two_rows_is_reported(tmp_path: Path) -> None:
    vault = make(tmp_path, rules=rules_note(BOOK.replace("1\u201315", "1\u20137")))
    assert any("Bram Tolliver earns nothing for Swords 8" in remark for remark in reckon_rewards(vault).remarks)


def test_overlapping_ranges_and_gaps_are_reported_with_their_line(tmp_path: Path) -> None:
    changed = BOOK.replace("1\u201315", "1\u201320").replace("26\u201335", "28\u201335")
    assert reckon_rewards(make(tmp_path, rules=rules_note(changed))).doubts == (
        Says(f"{RULES}:18", "two rows", "16\u201320", "upper"),
        Says(f"{RULES}:19", "no row", "26\u201327"),
    )
    assert reckon_rewards(make(tmp_path / "two", rules=rules_note())).doubts == ()


def test_missing_reward_table_is_replaced_by_the_books_and_reported(tmp_path: Path) -> None:
    vault = make(tmp_path, rules=rules_note("None.\n"))
    assert "so the table of the book was used" in reckon_rewards(vault).remarks[0]
    told = results(roll_rewards(vault))
    assert told[0].startswith("Ysolde: 2 to be rolled by hand") and "pages 144\u2013145" in told[0]
    treasure = results(roll_rewards(vault, column="treasure"))
    assert "page 136" in treasure[0]
    assert "2 to be rolled" in treasure[2]  # three Crowns: row 3
