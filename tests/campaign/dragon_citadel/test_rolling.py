"""Rolls on the vault's tables, and the contents of their cells (DC-36)."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.campaign.dragon_citadel.samples import BOOK, RULES, make, results, roll_rewards, rules_note
from tests.counts import count
from vaultkit.errors import InvalidError
from vaultkit.vault import Note, Vault

CELL = "1 roll on [table A](/Tables/gifts-a.md)"


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    return make(tmp_path_factory.mktemp("vault"))


def results_of_cell(vault: Vault, cell: str) -> list[str]:
    """Return the results of Bram's 8 Swords if row 1 has this cell."""
    vault._notes[RULES] = Note(RULES, rules_note(BOOK.replace(CELL, cell)).encode())
    made = roll_rewards(vault)
    return [told.removeprefix("Bram: ") for told in results(made) if told.startswith("Bram")]


@pytest.mark.short(9)
@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("2 rolls on [[gifts-a]]", ["A paper boat"] * 2),
        ("a roll on the [[gifts-a]]", ["A paper boat"]),
        ("three rolls on [[gifts-a#^gifts-a\\|A]]", ["A paper boat"] * 3),
        ("Roll twice on [[gifts-a#Gifts A]]", ["A paper boat"] * 2),
        ("Roll on Gifts A", ["A paper boat"]),
        ("1d1+1 rolls on [[gifts-a]]", ["A paper boat"] * 2),
        ("1 roll on [[gifts-a]] and 1 roll on [[gifts-b]]", ["A paper boat", "Moth Cloak, of grey wool"]),
        ("2 rolls on [[gifts-a]] and [[gifts-b]]", ["A paper boat"] * 2 + ["Moth Cloak, of grey wool"] * 2),
        ("1 roll on [[gifts-a]], a bell and a book", ["A paper boat", "a bell and a book"]),
        ("A bell and 1 roll on [[gifts-a]]", ["A bell", "A paper boat"]),
        ("1 roll on [[gifts-a]]<br>a [[moth cloak]]", ["A paper boat", "a moth cloak"]),
        ("a [[moth cloak]] and 2d1 gp", ["a moth cloak and 2d1 (2) gp"]),
        ("1d1 rolls on [[hoard]]", ["Roll on Strange Things \u2192 1d4 (3) cloaks"]),
        ("[a site](https://example.org) to look at", ["a site to look at"]),
        ("Roll on strange", ["1d4 (3) cloaks"]),
    ],
)
def test_dc_36_rewards_of_table_cells(vault: Vault, cell: str, told: list[str]) -> None:
    assert results_of_cell(vault, cell) == told


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("2 rolls on [[nowhere]]", "2 to be rolled by hand: this vault has no such roll table"),
        (
            "1d4 rolls on table F",
            "1 \u00d7 1d4 to be rolled by hand: this vault has no such roll table; it is in the Dun",
        ),
        ("1 roll on [[gifts-a]] or [[gifts-b]]", "1 to be rolled by hand: the player chooses the table"),
        ("1 roll on [[moth cloak]]", "1 to be rolled by hand: this vault has no such roll table"),
        (
            "1 roll on gifts",
            "1 to be rolled by hand: this vault has no such roll table; if the vault has it by another name, link it",
        ),
        ("\u2013", "0 "),
        (
            "2 W\u00fcrfe auf [Tabelle F]",
            "2 to be rolled by hand: this vault has no such roll table; if the vault has it by",
        ),
        ("2 W\u00fcrfe auf [Tabelle F](/Tables/gone.md)", "2 to be rolled by hand: this vault has no such roll table"),
    ],
)
def test_rewards_that_cannot_be_rolled_are_listed_as_due(vault: Vault, cell: str, told: str) -> None:
    (only,) = results_of_cell(vault, cell)
    assert only.startswith(told)


@pytest.mark.parametrize(
    ("cell", "boats"),
    [
        ("2 W\u00fcrfe auf [5\u201310](/Tables/gifts-a.md)", 2),
        ("1 Wurf auf [Tabelle A](/Tables/gifts-a.md)", 1),
        ("2\u00d7 [[gifts-a]]", 2),
        ("3mal auf [[gifts-a]]", 3),
        ("tira 2 veces en [[gifts-a]]", 2),
        ("W\u00fcrfelt auf [[gifts-a]]", 1),
        ("2 W\u00fcrfe auf [[gifts-a]] und 1 Wurf auf [[gifts-a]]", 3),
        ("10 gp and [[gifts-a]]", 1),
        ("3 [[moth cloak]] und 2 W\u00fcrfe auf [[gifts-a]]", 2),
        ("eine Glocke und [[gifts-a]]", 1),
    ],
)
def test_a_number_before_a_table_is_the_count_in_any_language(vault: Vault, cell: str, boats: int) -> None:
    told = results_of_cell(vault, cell)
    assert told.count("A paper boat") == boats
    things = [("gp", "10 gp"), ("moth", "3 moth cloak"), ("Glocke", "eine Glocke")]
    assert [one for one in told if one != "A paper boat"] == [thing for word, thing in things if word in cell]


def test_excessive_rolls_are_refused_with_the_line(vault: Vault) -> None:
    with pytest.raises(InvalidError, match="more than 100") as error:
        results_of_cell(vault, "900 rolls on [[gifts-a]]")
    assert error.value.where.rpartition(":")[2].isdecimal()


def test_average_of_the_books_is_replaced_by_the_rolled_number(vault: Vault) -> None:
    (told,) = results_of_cell(vault, "1 roll on [[purse]]")
    assert told.startswith("5d6 \u00d7 100 (")
    assert told.endswith(") gp")
    assert 500 <= int(told.partition("(")[2].partition(")")[0].replace(",", "")) <= 3000


def test_nested_tables_are_followed_and_their_items_are_collected(tmp_path: Path) -> None:
    made = roll_rewards(make(tmp_path), column="treasure")
    (result, _) = made.rewards[0].results
    assert [step.table.path if step.table else "" for step in result.steps] == [
        "Tables/hoard.md",
        "Tables/Strange Things.md",
    ]
    assert result.items == (("cloaks", "Items/moth cloak.md"),)


@pytest.mark.slow
@settings(max_examples=count(50, 1_000))
@given(st.integers(0, 10**6))
def test_same_seed_gives_the_same_rolls(vault: Vault, seed: int) -> None:
    assert roll_rewards(vault, seed=seed, column="treasure") == roll_rewards(vault, seed=seed, column="treasure")


def test_treasure_in_coin_columns_is_shown_without_empty_ones(tmp_path: Path) -> None:
    made = make(tmp_path)
    purse = "# Purse\n\n| d6 | CP | SP | EP |\n|---|---|---|---|\n| 1-6 | 1d1 \u00d7 100 (100) | \u2014 | 2d1 (2) |\n"
    made._notes["Tables/purse.md"] = Note("Tables/purse.md", purse.encode())
    shared = roll_rewards(made, column="treasure", sharing=["Bram"])
    assert "Bram: CP: 1d1 \u00d7 100 (100); EP: 2d1 (2)" in results(shared)
    assert dict(shared.shares.shares[0].coins) == {"cp": 300, "ep": 6}
