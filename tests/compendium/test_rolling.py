from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compendium.test_roll_table import COIN, text
from tests.counts import count
from tests.vault.making import make_files, note
from vaultkit import resources
from vaultkit.compendium.tables.roll_tables import MAX_ROLL_COUNT, MAX_TABLE_DEPTH, Roll, RollTables
from vaultkit.compendium.tables.table_parser import problems, tables_of
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.vault import Vault


class Lowest:
    """Every die shows its lowest number."""

    def random(self) -> float:
        return 0.0


def test_example_vault_has_nine_valid_tables() -> None:
    known = RollTables(Vault(Path(resources.shipped_folder("vault-example"))))
    assert len(known.all) == 9
    assert [problem for found in known.all for problem in problems(known.vault.read(found.path))] == []
    assert {known.find(known.name(found)) for found in known.all} == set(known.all)
    assert known.find("Magic Item Table A").subpaths[0] == "^magic-item-table-a"


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
def test_s4_table_is_found_like_a_link_target(known: RollTables, name: str, path: str, line: int) -> None:
    found = known.find(name)
    assert (found.path, found.line) == (path, line)


def test_table_directly_below_a_heading_is_preferred_to_deeper_ones(tmp_path: Path) -> None:
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
        ("Teh One", "'One'"),
        ("Two#Nowhere", "There is 'Two#^coin-a', 'Two#C', 'Two#D'."),
        ("Letters", "All roll tables"),
        ("zzzzzzzz", "All roll tables"),
        ("#", "All roll tables"),
    ],
)
def test_an_unknown_table_gets_a_suggestion(known: RollTables, name: str, hint: str) -> None:
    with pytest.raises(NothingFound) as caught:
        known.find(name)
    assert hint in caught.value.hint


def test_name_has_folders_only_where_needed(known: RollTables) -> None:
    assert {known.name(found) for found in known.all} == {
        *("One#^coin", "Two#^coin-a", "Two#C", "Two#D", "a/Same", "b/Same", "Log #2")
    }


def test_name_of_the_note_is_enough_for_its_only_table(known: RollTables) -> None:
    short = {known.short_name(found) for found in known.all}
    assert short == {"One", "Two#^coin-a", "Two#C", "Two#D", "a/Same", "b/Same", "Log #2"}
    assert {known.find(name) for name in short} == set(known.all)


def test_error_tells_how_many_more_tables_there_are(tmp_path: Path) -> None:
    tables = "".join(f"{COIN}^coin-{number}\n\n" for number in range(13))
    known = RollTables(make_files(tmp_path, {"Many.md": tables}))
    with pytest.raises(InvalidError) as caught:
        known.find("Many")
    assert "'Many#^coin-9' and 3 more." in caught.value.hint and "coin-10" not in caught.value.hint


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
def test_s5_row_with_a_table_link_rolls_on_that_table(tmp_path: Path, cell: str) -> None:
    rolled = chained(tmp_path, cell, Coin=f"{COIN}^coin\n")
    assert [(other.table.path, other.number, other.text) for other in rolled.chain] == [("Coin.md", 1, "heads")]
    assert not rolled.cut


@pytest.mark.parametrize(
    "cell", ["[[Coin#Side]]", "[[Coin#^no]]", "[[No^coin]]", "[x](http://a.b/c^coin)", "![](x.png)", "2^10"]
)
def test_other_links_are_not_followed(tmp_path: Path, cell: str) -> None:
    assert chained(tmp_path, cell, Coin=f"{COIN}^coin\n").chain == ()


@pytest.mark.parametrize(
    "cell", ["[[Coin#Sides]]", "[x](Coin.md#Sides)", "![[Coin#Flip#Sides]]", "[[Coin#^c]] [[Coin#sides]]"]
)
def test_s2_row_rolls_on_the_only_table_below_a_linked_heading(tmp_path: Path, cell: str) -> None:
    coin = f"Prose.\n# Flip\n## Sides\n\n{COIN}^c\n\n## Two\n\n{COIN}\n{COIN}"
    assert [later.text for later in chained(tmp_path, cell, Coin=coin).chain] == ["heads"]
    assert chained(tmp_path, "[[Coin#Two]] [[Coin]] [[Coin#Flip]]", Coin=coin).chain == ()


@pytest.mark.parametrize(
    ("coin", "follows"),
    [
        (COIN, True),
        (f"---\na: 1\n---\n# Coin\n\n{COIN}\n^coin\n", True),
        (f"# Wand\n\nA wonder.\n\n{COIN}", False),
        (f"{COIN}\n{COIN}", False),
    ],
)
def test_linked_note_is_rolled_on_if_it_contains_only_a_table(tmp_path: Path, coin: str, follows: bool) -> None:
    assert bool(chained(tmp_path, "[[Coin]]", Coin=coin).chain) == follows


def test_dice_in_a_result_are_rolled(tmp_path: Path) -> None:
    assert chained(tmp_path, "4d8 cp").text == "4d8 (4) cp"
    coin = COIN.replace("heads", "`dice: 2d6` gp") + "^coin"
    assert [later.text for later in chained(tmp_path, "[[Coin#^coin]]", Coin=coin).chain] == ["2d6 (2) gp"]


def test_s2_every_name_that_is_listed_can_be_rolled_on(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "Weather.md": f"# Weather\n\n{COIN}^sky\n\n{COIN}",
        "Wind.md": f"# Wind\n\n{COIN}\n{COIN}",
        "More.md": f"## North\n### W\n{COIN}\n## South\n### W\n{COIN}",
        "Ids.md": f"# A\n{COIN}^same\n\n# B\n{COIN}^same\n\n# B\n{COIN}^same\n",
        "Log.md": f"# 2\n{COIN}",
        "Log #2.md": f"{COIN}^x\n\n{COIN}",
        "a/Same.md": COIN,
        "b/Same.md": f"{COIN}\n{COIN}",
    }
    known = RollTables(make_files(tmp_path, files))
    assert [known.name(found) for found in known.all] == [
        *("a/Same", "b/Same:1", "b/Same:6", "Ids#A", "Ids#B", "Ids:16", "Log #2#^x", "Log #2:7", "Log#2"),
        *("More#W", "More#South#W", "Weather#^sky", "Weather:9", "Wind:3", "Wind:8"),
    ]
    assert [known.find(known.name(found)) for found in known.all] == list(known.all)
    assert [known.find(known.short_name(found)) for found in known.all] == list(known.all)


@pytest.mark.slow
@settings(max_examples=count(40, 1_000))
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A", "a/A", "b/A", "A #2", "A#A", "2^3", "c/B"]),
            st.lists(st.sampled_from(["# A\n", "## A\n", "## B\n", "### A: b\n", COIN, f"{COIN}^a\n"]), max_size=6),
        ),
        max_size=5,
    )
)
def test_s2_s4_any_listed_name_can_be_rolled_on(
    tmp_path_factory: pytest.TempPathFactory, notes: list[tuple[str, list[str]]]
) -> None:
    files: dict[str, str | bytes] = {f"{name}.md": "\n".join(parts) for name, parts in notes}
    known = RollTables(make_files(tmp_path_factory.mktemp("vault"), files))
    assert [known.find(known.name(found)) for found in known.all] == list(known.all)
    assert [known.find(known.short_name(found)) for found in known.all] == list(known.all)


def test_a_table_without_a_name_of_its_own_is_named_by_its_line(tmp_path: Path) -> None:
    known = RollTables(make_files(tmp_path, {"Weather.md": f"# Weather\n\n{COIN}^sky\n\n{COIN}"}))
    with pytest.raises(InvalidError, match="several") as caught:
        known.find("Weather#Weather")
    assert "'Weather#^sky', 'Weather:9'." in caught.value.hint
    assert "add a line ^name below the table in line 9" in caught.value.hint
    for name in ("Weather:8", "Weather:", "Nowhere:9"):
        with pytest.raises(NothingFound):
            known.find(name)


def test_circular_rolls_end(tmp_path: Path) -> None:
    rolled = chained(tmp_path, "again [[#^start]]")
    assert len(rolled.chain) == MAX_TABLE_DEPTH
    assert [other.cut for other in rolled.chain] == [False] * (MAX_TABLE_DEPTH - 1) + [True]


def test_endlessly_branching_rolls_end(tmp_path: Path) -> None:
    cell = "[[Start^start]] [[A^a]] [[B^b]]"
    rolled = chained(tmp_path, cell, A=f"{text(f'1-6 | {cell}')}^a", B=f"{text(f'1-6 | {cell}')}^b")
    assert len(rolled.chain) == MAX_ROLL_COUNT - 1


def test_number_in_no_row_is_reported(tmp_path: Path) -> None:
    (found,) = tables_of(note(text("2-6 | a")))
    rolled = RollTables(make_files(tmp_path, {})).roll(found, Lowest())
    assert (rolled.row, rolled.text) == (None, "1 is in no row.")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("d4: 1 Owl; 2-4 Bat", "d4 (1) Owl"),
        ("A hoot, then 1d4<br>1. Owl<br>2-4. 1d6 bats", "A hoot, then d4 (1) Owl"),
        ("Smell (W4): 1-3: tar, 4: mint", "Smell d4 (1) tar"),
        ("<table><tr><th>d4</th><th>Bird</th></tr><tr><td>1-3</td><td>Owl</td></tr><tr><td>4</td><td>Tit</td></tr></table>",
         "d4 (1) Owl"),
        ("d4 owls; 2 bats", "d4 (1) owls; 2 bats"),
        ("d4: 1 Owl; 3-4 Bat", "d4 (1): 1 Owl; 3-4 Bat"),
    ],
)  # fmt: skip
def test_table_within_a_cell_is_rolled_if_complete(tmp_path: Path, cell: str, text: str) -> None:
    assert chained(tmp_path, cell).text == text


def test_rows_nested_in_a_row_are_rolled(tmp_path: Path) -> None:
    nested = "| d6 | d4 | Item |\n|---|---|---|\n| 1-6 | 1 | Sword |\n| | 2-4 | Axe |\n"
    tables = RollTables(make_files(tmp_path, {"N.md": nested}))
    assert tables.roll(tables.find("N"), Lowest()).text == "d4 (1) Sword"


TREES = (
    "# Trees\n\n- ash\n- birch\n  - white\n- yew\n\n^trees\n\n"
    "| Leaf | Bark |\n|--|--|\n| red | grey |\n| **gold** | |\n\n^leaves\n"
)


@pytest.mark.parametrize(
    ("name", "dice", "texts"),
    [
        ("Trees#^trees", "d3", ["ash", "birch - white", "yew"]),
        ("[[Trees^trees]]", "d3", ["ash", "birch - white", "yew"]),
        ("Trees#^leaves", "d2", ["Leaf: red; Bark: grey", "gold"]),
        ("[[Trees^leaves]]|bark", "d2", ["grey", ""]),
        ("[[Trees^leaves]]|xy", "d3", ["red", "grey", "gold"]),
    ],
)
def test_s5_blocks_are_rolled_like_in_the_dice_roller(tmp_path: Path, name: str, dice: str, texts: list[str]) -> None:
    table = RollTables(make_files(tmp_path, {"Trees.md": TREES})).find(name)
    assert str(table.dice) == dice and [table.text(row) for row in table.rows] == texts


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="no column 'Root'") as caught:
        RollTables(make_files(tmp_path, {"Trees.md": TREES})).find("[[Trees#^leaves]]|Root")
    assert caught.value.hint == "It has 'Leaf', 'Bark'."


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("`dice: 3[[Trees^trees]]`", ["ash", "ash", "ash"]),
        ("`dice: 2d[[Trees^trees]]`", ["ash", "ash"]),
        ("`dice: 1d4+1[[Trees#^trees\\|x]]\\|nodice`", ["ash", "ash"]),
        ("`dice: [](Trees.md#^leaves)\\|Leaf`", ["red"]),
        ("[[Trees#^trees]]", ["ash"]),
    ],
)
def test_s5_row_rolls_as_often_as_in_the_dice_roller(tmp_path: Path, cell: str, texts: list[str]) -> None:
    assert [later.text for later in chained(tmp_path, cell, Trees=TREES).chain] == texts


def test_lists_named_in_a_dice_roller_link_are_listed(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"Trees.md": TREES, "Walk.md": "You see `dice: [[Trees^trees]]`.\n"}
    known = RollTables(make_files(tmp_path, files))
    assert [known.name(found) for found in known.all] == ["Trees#^trees"]
    assert known.find("Trees#^trees") == known.all[0]


def test_unrollable_table_is_explained_when_named(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"Sky.md": f"# Day\n\n{COIN}\n# Night\n\n| d6 | Sky |\n| 1-6 | dark |\n"}
    known = RollTables(make_files(tmp_path, files))
    for name in ("Sky#Night", "Night", "Sky:10"):
        with pytest.raises(NothingFound, match="below its header") as caught:
            known.find(name)
        assert caught.value.where == "Sky.md:10"
    assert known.find("Sky").title == "Day"
