"""The score sheet of a game, read back from its note (DC-33 to DC-35, DC-S11)."""

import re
from pathlib import Path

import pytest

from tests.campaign.dragon_citadel.samples import (
    FRONT,
    GAME,
    SESSION,
    SHEET,
    earned_rewards,
    game_note,
    make,
    reckon_rewards,
)
from tests.wording import Says
from vaultkit.errors import InvalidError
from vaultkit.vault import Vault

ROW = "| [[Ysolde Marr]] | 17 + 1 hero | 9 | 0 | 1 hero | 3 | 26 |"


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    return make(tmp_path_factory.mktemp("vault"))


def of_ysolde(root: Path, row: str) -> list[tuple[str, int, int]]:
    made = make(root, game=game_note(SHEET.replace(ROW, f"| [[Ysolde Marr]] | {row} |")))
    return [tuple(one[1:]) for one in earned_rewards(made) if one[0] == "Ysolde Marr"]


def test_dc_s11_example_sheet_earns_the_rewards_of_the_scenario(vault: Vault) -> None:
    assert earned_rewards(vault)[:3] == [
        ("Ysolde Marr", "swords", 2, 2),
        ("Ysolde Marr", "stars", 1, 1),
        ("Ysolde Marr", "crowns", 1, 3),
    ]


def test_people_and_guests_earn_rewards_and_bots_only_on_request(vault: Vault) -> None:
    assert [one[0] for one in earned_rewards(vault)] == [*["Ysolde Marr"] * 3, "Bram Tolliver", *["Priya's cousin"] * 2]
    assert earned_rewards(vault, bots=True)[-1] == ("Bot 1 (greedy)", "swords", 1, 1)


@pytest.mark.parametrize(("total", "row"), [(1, 1), (15, 1), (16, 2), (25, 2), (26, 3), (35, 3), (36, 4), (45, 4)])
def test_dc_33_rows_of_totals(vault: Vault, total: int, row: int) -> None:
    found = reckon_rewards(vault).table.row_of(total)
    assert found and found.number == row


@pytest.mark.parametrize("total", [46, 50])
def test_dc_33_total_beyond_the_table_uses_the_last_row_and_zero_earns_nothing(tmp_path: Path, total: int) -> None:
    assert of_ysolde(tmp_path, f"{total} | 0 | - | \u2013 | 0 | {total}") == [("swords", 1, 4)]


def test_dc_34_a_hero_without_a_total(vault: Vault) -> None:
    assert ("Ysolde Marr", "coins", 1, 1) in earned_rewards(vault, house_rules={"hero_only": "row1"})
    assert not any(key == "coins" for _, key, _, _ in earned_rewards(vault))


def test_dc_34_note_of_the_game_is_preferred_to_the_house_rules(tmp_path: Path) -> None:
    front = FRONT.replace("mode: coop", "mode: coop\noptions: [hero_only=row1]")
    made = make(tmp_path, game=game_note(front=front))
    assert ("Ysolde Marr", "coins", 1, 1) in earned_rewards(made, house_rules={"hero_only": "none"})


def test_dc_35_more_crowns_than_rows_use_the_last_row(tmp_path: Path) -> None:
    assert of_ysolde(tmp_path, "0 | 0 | 0 | 0 | 7 | 0") == [("crowns", 1, 4)]


@pytest.mark.parametrize("cell", ["3 + 1 hero", "1 hero"])
def test_heroes_of_crowns_are_not_scored_but_reported_with_their_line(tmp_path: Path, cell: str) -> None:
    with pytest.raises(InvalidError, match=rf"'{re.escape(cell)}' is not a score: Crowns of Ysolde Marr\.") as error:
        of_ysolde(tmp_path, f"0 | 0 | 0 | 0 | {cell} | 0")
    assert error.value.where == f"{GAME}:{game_note().splitlines().index(ROW) + 1}"
    assert error.value.hint == "Crowns have no heroes."


def test_edited_scores_count(tmp_path: Path) -> None:
    edited = of_ysolde(tmp_path, "**8 + 9** + 2 heroes | 20 | 0 | 0 | 0 | 26")
    assert edited == [("swords", 3, 2), ("stars", 1, 2)]


@pytest.mark.parametrize(
    ("row", "score", "told"),
    [
        ("17 + 1 hero | 9 | 0 | 1 hero | 3 | 26", 26, []),
        ("17 + 1 hero | 9 | 0 | 1 hero | 3 | ", None, []),
        ("17 + 1 hero | 17 | 0 | 0 | 3 | 34", 26, ["makes 34, but the property of the score says 26. "]),
        ("17 + 1 hero | 17 | 0 | 0 | 3 | 26", 26, ["but the total says 26 and the property of the score says 26. "]),
        ("0 | 0 | 0 | 99 | 0 | 99", None, ["99 in Coins, and the numbers 1 to 9 make 45"]),
        ("0 | 0 | 4 + 2 heroes | 0 | 15 | 4", None, ["2 heroes of Glyphs", "15 Crowns, and there are 13"]),
    ],
)
def test_impossible_or_contradictory_scores_are_reported_with_their_line(
    tmp_path: Path, row: str, score: int | None, told: list[str]
) -> None:
    front = FRONT if score is None else FRONT.replace("mode: coop", f"mode: coop\nscore-ysolde-marr: {score}")
    made = make(tmp_path, game=game_note(SHEET.replace(ROW, f"| [[Ysolde Marr]] | {row} |"), front=front))
    line = game_note(front=front).splitlines().index(ROW) + 1
    doubts = [doubt for doubt in reckon_rewards(made).doubts if "Ysolde" in doubt]
    assert len(doubts) == len(told)
    for doubt, part in zip(doubts, told, strict=True):
        assert doubt.startswith(f"{GAME}:{line}: ") and part in doubt


def test_dc_1_dc_33_dc_35_questionable_scores_count_as_written(tmp_path: Path) -> None:
    made = make(
        tmp_path, game=game_note(SHEET.replace(ROW, "| [[Ysolde Marr]] | 46 + 2 heroes | 0 | 0 | 0 | 14 | 46 |"))
    )
    where = f"{GAME}:{game_note().splitlines().index(ROW) + 1}"
    assert list(reckon_rewards(made).doubts) == [
        Says(where, "Ysolde Marr", "2 heroes", "Swords", "Warrior", "count"),
        Says(where, "Ysolde Marr", "14 Crowns", "13", "count"),
        Says(where, "Ysolde Marr", "46", "Swords", "45", "counts"),
    ]


def test_dc_17_possible_sheet_is_not_questioned_even_with_a_single_hero(vault: Vault) -> None:
    assert not reckon_rewards(vault).doubts and not reckon_rewards(vault, bots=True).doubts


def test_columns_and_rows_may_be_moved(tmp_path: Path) -> None:
    sheet = (
        "| Crowns | Player | Mood | Stars | Coins | Glyphs | Swords |\n|---|---|---|---|---|---|---|\n"
        "| 0 | Priya's cousin | x | 0 | 0 | 0 | 3 |\n| 1 | Bot 1 (greedy) | x | 0 | 0 | 0 | 0 |\n"
        "| 0 | [Bram](<../1-Party/Bram Tolliver.md>) | x | 0 | 0 | 0 | 2 |\n| 2 | ysolde marr | x | 0 | 0 | 0 | 0 |\n"
    )
    assert earned_rewards(make(tmp_path, game=game_note(sheet))) == [
        ("Ysolde Marr", "crowns", 1, 2),
        ("Bram Tolliver", "swords", 1, 1),
        ("Priya's cousin", "swords", 1, 1),
    ]


@pytest.mark.parametrize("cell", ["17 + a hero", "17 +", "many", "", "-3", "1.5", "17 + 1 zero"])
def test_half_edited_cells_are_reported_with_their_line(tmp_path: Path, cell: str) -> None:
    with pytest.raises(InvalidError, match=r"Swords of Ysolde Marr\.") as error:
        of_ysolde(tmp_path, f"{cell} | 0 | 0 | 0 | 0 | 0")
    line = game_note().splitlines().index(ROW) + 1
    assert error.value.where == f"{GAME}:{line}"
    assert error.value.hint


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (ROW, "", "no row for Ysolde Marr"),
        ("| Coins ", "| Money ", "no column Coins"),
        ("| Bot 1 (greedy) | 5 | 0 | 0 | 0 | 0 | 5 |", "", "no row for Bot 1"),
        ("| Bot 1 (greedy) | 5 | 0 | 0 | 0 | 0 | 5 |", "| Bot 1 (greedy) | 5 | 0 | 0 |", "no score: Coins of Bot 1"),
    ],
)
def test_truncated_table_is_reported_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    sheet = "\n".join(line for line in SHEET.replace(old, new).splitlines() if line) + "\n"
    with pytest.raises(InvalidError, match=told) as error:
        earned_rewards(make(tmp_path, game=game_note(sheet)))
    assert error.value.where.startswith(f"{GAME}:")


def test_a_row_may_have_an_alias_without_a_link(tmp_path: Path) -> None:
    made = make(tmp_path, game=game_note(SHEET.replace("[[Ysolde Marr]]", "Ysolde")))
    assert earned_rewards(made)[0] == ("Ysolde Marr", "swords", 2, 2)


def test_two_guests_of_one_name_have_a_row_each(tmp_path: Path) -> None:
    front = FRONT.replace('"Bot 1 (greedy)"]\nwinners', '"priya\'s cousin"]\nwinners').replace(
        'bots: ["Bot 1 (greedy)"]\n', ""
    )
    made = make(tmp_path, game=game_note(SHEET.replace("Bot 1 (greedy)", "Priya's cousin"), front=front))
    assert earned_rewards(made)[-3:] == [
        ("Priya's cousin", "stars", 1, 3),
        ("Priya's cousin", "crowns", 1, 1),
        ("priya's cousin", "swords", 1, 1),
    ]


def test_note_without_players_is_reported(tmp_path: Path) -> None:
    front = "\n".join(line for line in FRONT.splitlines() if not line.startswith(("players", "bots"))) + "\n"
    with pytest.raises(InvalidError, match="who played"):
        earned_rewards(make(tmp_path, game=game_note(front=front)))


def test_unknown_player_in_the_sheet_earns_nothing_and_is_reported(tmp_path: Path) -> None:
    made = make(tmp_path, game=game_note(f"{SHEET}| Dana | 9 | 0 | 0 | 0 | 0 | 9 |\n"))
    assert any("Dana" in remark for remark in reckon_rewards(made).remarks)
    assert not any(name == "Dana" for name, *_ in earned_rewards(made))


def test_missing_table_and_journal_give_a_clear_error(tmp_path: Path) -> None:
    heads = "| Player | Swords | Stars | Glyphs | Coins | Crowns |\n|---|---|---|---|---|---|\n"
    rolls = f"{heads}| Ysolde Marr | 1 x row 1 | - | - | - | - |\n"
    made = make(tmp_path, game=game_note(rolls))
    with pytest.raises(InvalidError, match="no score sheet") as error:
        earned_rewards(made)
    assert error.value.where == GAME
    assert SESSION in made.read(GAME).text
