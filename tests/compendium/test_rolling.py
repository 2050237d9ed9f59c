from pathlib import Path

import pytest

from tests.compendium.test_rolltable import COIN, text
from tests.vault.making import make_files, note
from vaultkit import resources
from vaultkit.compendium.rolling import DEPTH, MOST_ROLLS, Roll, RollTables
from vaultkit.compendium.rolltable import problems, tables_of
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.vault import Vault


class Lowest:
    """Every die shows its lowest number."""

    def random(self) -> float:
        return 0.0


def test_the_example_vault_has_eight_sound_tables() -> None:
    known = RollTables(Vault(Path(resources.shipped("vault-example"))))
    assert len(known.all) == 8
    assert [problem for found in known.all for problem in problems(known.vault.read(found.path))] == []
    assert {known.find(known.name(found)) for found in known.all} == set(known.all)
    assert known.find("Magic Item Table A").subpath == "^magic-item-table-a"


@pytest.fixture
def known(tmp_path: Path) -> RollTables:
    files: dict[str, str | bytes] = {
        "One.md": f"# The One\n\n{COIN}^coin\n",
        "Two.md": f"# Two\n## A\n\n{COIN}\n^coin-a\n\n## B\n### C\n\n{COIN}\n### D\n\n{COIN}",
        "a/Same.md": COIN,
        "b/Same.md": COIN,
        "Log #2.md": COIN,
        "Words.md": "# Words\n",
        "Latin.md": b"| d2 | \xe9 |\n|--|--|\n| 1 | x |\n",
    }
    return RollTables(make_files(tmp_path, files))


@pytest.mark.parametrize(
    ("name", "path", "line"),
    [
        ("One", "One.md", 3),
        ("one.md", "One.md", 3),
        ("The One", "One.md", 3),
        ("One#^COIN", "One.md", 3),
        ("[[One#^coin|a coin]]", "One.md", 3),
        ("One^coin", "One.md", 3),
        ("^coin-a", "Two.md", 4),
        ("coin-a", "Two.md", 4),
        ("Two#a", "Two.md", 4),
        ("Two#B#C", "Two.md", 14),
        ("d", "Two.md", 21),
        ("b/Same", "b/Same.md", 1),
        ("Log #2", "Log #2.md", 1),
    ],
)
def test_s4_a_table_is_found_as_a_link_names_it(known: RollTables, name: str, path: str, line: int) -> None:
    found = known.find(name)
    assert (found.path, found.line) == (path, line)


def test_a_table_directly_below_a_heading_goes_before_those_further_down(tmp_path: Path) -> None:
    found = RollTables(make_files(tmp_path, {"N.md": f"# A\n## B\n\n{COIN}\n### C\n\n{COIN}"})).find("N#B")
    assert (found.title, found.line) == ("B", 4)


@pytest.mark.parametrize("name", ["Two", "Two#B", "Same"])
def test_several_tables_are_listed(known: RollTables, name: str) -> None:
    with pytest.raises(InvalidError, match="several") as caught:
        known.find(name)
    assert caught.value.hint.count("'") >= 4


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Two#^coin-b", "Two#^coin-a"),
        ("One#^coi", "One#^coin"),
        ("Teh One", "One#^coin"),
        ("Two#Nowhere", "There is 'Two#^coin-a', 'Two#C', 'Two#D'."),
        ("Words", "All roll tables"),
        ("zzzzzzzz", "All roll tables"),
        ("#", "All roll tables"),
    ],
)
def test_an_unknown_table_gets_a_suggestion(known: RollTables, name: str, hint: str) -> None:
    with pytest.raises(NothingFound) as caught:
        known.find(name)
    assert hint in caught.value.hint


def test_a_name_has_folders_only_where_it_needs_them(known: RollTables) -> None:
    assert {known.name(found) for found in known.all} == {
        *("One#^coin", "Two#^coin-a", "Two#C", "Two#D", "a/Same", "b/Same", "Log #2")
    }


def test_a_short_name_is_the_note_if_that_has_one_table(known: RollTables) -> None:
    short = {known.short(found) for found in known.all}
    assert short == {"One", "Two#^coin-a", "Two#C", "Two#D", "a/Same", "b/Same", "Log #2"}
    assert {known.find(name) for name in short} == set(known.all)


def chained(tmp_path: Path, cell: str, **files: str) -> Roll:
    made = {f"{name}.md": content for name, content in files.items()}
    tables = RollTables(make_files(tmp_path, {"Start.md": f"{text(f'1-6 | {cell}')}^start\n", **made}))
    return tables.roll(tables.find("Start"), Lowest())


@pytest.mark.parametrize(
    "cell",
    [
        "[[Coin^coin]]",
        "[[Coin#^coin]]",
        "[[Coin#^coin\\|flip]]",
        "Flip [it](Coin.md#^coin)",
        "`dice: [](Coin.md#^coin)`",
        "`dice: [[Coin^COIN]]`",
        "`dice: [[Coin#^coin\\|flip]]`",
        "[a](<Coin.md#^coin>) and [b](Coin.md#%5Ecoin)",
    ],
)
def test_s5_a_row_sends_on_to_another_table(tmp_path: Path, cell: str) -> None:
    rolled = chained(tmp_path, cell, Coin=f"{COIN}^coin\n")
    assert [(other.table.path, other.number, other.text) for other in rolled.chain] == [("Coin.md", 1, "heads")]
    assert not rolled.cut


@pytest.mark.parametrize(
    "cell", ["[[Coin]]", "[[Coin#Side]]", "[[Coin#^no]]", "[[No^coin]]", "[x](http://a.b/c^coin)", "![](x.png)", "2^10"]
)
def test_other_links_are_not_followed(tmp_path: Path, cell: str) -> None:
    assert chained(tmp_path, cell, Coin=f"{COIN}^coin\n").chain == ()


def test_a_circle_comes_to_an_end(tmp_path: Path) -> None:
    rolled = chained(tmp_path, "again [[#^start]]")
    assert len(rolled.chain) == DEPTH
    assert [other.cut for other in rolled.chain] == [False] * (DEPTH - 1) + [True]


def test_tables_that_branch_without_end_come_to_one(tmp_path: Path) -> None:
    cell = "[[Start^start]] [[A^a]] [[B^b]]"
    rolled = chained(tmp_path, cell, A=f"{text(f'1-6 | {cell}')}^a", B=f"{text(f'1-6 | {cell}')}^b")
    assert len(rolled.chain) == MOST_ROLLS - 1


def test_a_number_in_no_row_is_said(tmp_path: Path) -> None:
    (found,) = tables_of(note(text("2-6 | a")))
    rolled = RollTables(make_files(tmp_path, {})).roll(found, Lowest())
    assert (rolled.row, rolled.text) == (None, "1 is in no row.")
