from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import note
from tests.wording import Says
from vaultkit.compendium.tables import table_parser
from vaultkit.compendium.tables.roll_table import RollTable
from vaultkit.compendium.tables.table_parser import problems, tables_of

COIN = "| d2 | Side |\n|---|---|\n| 1 | heads |\n| 2 | tails |\n"


def table(*rows: str, die: str = "d6", below: str = "") -> RollTable:
    (found,) = tables_of(note(text(*rows, die=die, below=below)))
    return found


def text(*rows: str, die: str = "d6", below: str = "") -> str:
    return f"# Loot\n\n| {die} | Result |\n|---|---|\n" + "".join(f"| {row} |\n" for row in rows) + below


def told(*rows: str, die: str = "d6") -> list[tuple[int, str]]:
    return [(problem.line, problem.code) for problem in problems(note(text(*rows, die=die)))]


@pytest.mark.parametrize(
    ("header", "die"),
    [
        ("d100", "d100"),
        ("1d22", "d22"),
        ("dice: 1d22", "d22"),
        ("dice:1d22", "d22"),
        ("`dice: 1d22`", "d22"),
        ("d8 + d12", "d8+d12"),
        ("**d6**", "d6"),
        ("_D6_", "d6"),
        ("Roll (d6)", "d6"),
        ("d20 Roll", "d20"),
        ("[d6](dice.md#^x)", "d6"),
        ("d66", "d66"),
        ("d%", "d100"),
    ],
)
def test_table_headed_by_a_die_is_a_roll_table(header: str, die: str) -> None:
    assert str(table("11 | x", die=header).dice) == die


@pytest.mark.parametrize("header", ["", "Name", "5", "Hit die d8", "Damage (2d6)", "d6, d8", "d0", "Old6", "Result"])
def test_other_tables_are_ignored(header: str) -> None:
    assert tables_of(note(text("1 | x", "77 | y", die=header))) == ()
    assert problems(note(text("1 | x", "77 | y", die=header))) == ()


def test_a_table_of_dice_without_numbers_is_not_a_roll_table() -> None:
    assert tables_of(note(text("Fire bolt | Wizard", "Smite | Paladin", "1 | x", die="d10"))) == ()
    assert tables_of(note("| d10 |\n|---|\n")) == ()


def test_table_of_numbers_only_is_not_a_roll_table() -> None:
    assert tables_of(note("| d2 |\n|---|\n| 1 |\n| 2 |\n")) == ()
    assert tables_of(note("| d4 | d4 |\n|---|---|\n| 1 | 3 |\n| 2 | 4 |\n")) == ()


@pytest.mark.parametrize("below", ["^the-Loot\n", "\n^the-Loot\n"])
def test_s5_place_and_name_of_a_table(below: str) -> None:
    found = table("1-3 | a [[Card\\|knave]]", "04-6 | **b**", below=below)
    assert (found.title, found.path, found.line, found.block_id) == ("Loot", "Note.md", 3, "the-Loot")
    assert (found.columns, found.headings, found.subpaths) == (("Result",), ("Loot",), ("^the-Loot", "Loot"))
    assert [(row.label, row.line, row.spans) for row in found.rows] == [("1-3", 5, ((1, 3),)), ("04-6", 6, ((4, 6),))]
    assert found.rows[0].cells == ("a [[Card\\|knave]]",)
    assert [found.text(row) for row in found.rows] == ["a knave", "b"]


def test_headings_above_a_table_are_listed_by_depth() -> None:
    (found,) = tables_of(note(f"# A\n## B\n### C\n## D\n\n{COIN}\n## E\n"))
    assert (found.headings, found.title, found.subpaths) == (("A", "D"), "D", ("D", "A#D"))
    (bare,) = tables_of(note(COIN))
    assert (bare.headings, bare.title, bare.subpaths) == ((), "Note", ())


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_tables_in_quotes_and_without_outer_bars(line_end: str) -> None:
    quoted = "> | d2 | Side |\n> |---|---|\n> | 1 | é |\n> | 2 | b |\n\nd2 | x\n:-:|---\n1 | y\n2 | z\n"
    first, second = tables_of(note(quoted.replace("\n", line_end)))
    assert [len(found.rows) for found in (first, second)] == [2, 2]


def test_note_without_a_die_in_a_table_header_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(table_parser, "all_tables", fail)
    assert tables_of(note("# d6\n\nText.\n\n| Name | Weapon |\n|---|---|\n| A | d6 |\n\nroll d20\n\n---\n" * 50)) == ()


def test_several_result_columns_are_shown_with_their_headers() -> None:
    (found,) = tables_of(note("| d2 | Name | Price |\n|---|---|---|\n| 1 | Rope | 1 gp |\n| 2 | Lamp | |\n"))
    assert [found.text(row) for row in found.rows] == ["Name: Rope; Price: 1 gp", "Lamp"]


def test_long_table_in_column_strips_is_one_table() -> None:
    (found,) = tables_of(note("| d4 | x | d4 | x |\n|--|--|--|--|\n| 1 | a | 3 | c |\n| 2 | b | 4 | d |\n"))
    assert [(row.label, row.cells) for row in found.rows] == [
        ("1", ("a",)),
        ("2", ("b",)),
        ("3", ("c",)),
        ("4", ("d",)),
    ]


def test_valid_table_has_no_problems() -> None:
    assert told("1-3 | a", "4 | b", "5+ | c") == []
    assert told("<= 3 | a", "4-5 | b", "6 or more | c") == []
    assert told("01-95 | a", "96-00 | b", die="d100") == []
    assert told("2-6 | a", "7 | b", "8-12 | c", die="2d6") == []
    assert told("1-6 | a", "7-20 | b", "21+ | c", die="d20") == []
    assert told("11-16 | a", "21-36 | b", "41-66 | c", die="d66") == []


@pytest.mark.parametrize(
    ("rows", "die", "expected"),
    [
        (("1-3 | a", "x | b", "4-5 | c"), "d6", [(6, "table-row")]),
        (("1-3 | a", "5-6 | b"), "d6", [(3, "table-gap")]),
        (("1-3 | a", "3-6 | b"), "d6", [(6, "table-overlap")]),
        (("1-6 | a", "2 | b", "4 | c"), "d6", [(6, "table-overlap"), (7, "table-overlap")]),
        (("1-32 | a", "33-34 | b"), "dice: 1d33", [(6, "table-range")]),
        (("1-6 | a", "12 | b"), "d6", [(6, "table-range")]),
        (("11-16 | a", "17 | b", "21-66 | c"), "d66", [(6, "table-range")]),
        (("0-6 | a",), "d6", [(5, "table-range")]),
    ],
)
def test_faults_of_a_table(rows: tuple[str, ...], die: str, expected: list[tuple[int, str]]) -> None:
    assert told(*rows, die=die) == expected


def test_problems_are_warnings_in_plain_words() -> None:
    (problem,) = problems(note(text("1-2 | a", "5 | b")))
    assert (problem.severity, problem.message) == ("warning", Says("No", "table", "3", "4", "6"))
    assert problems(note(text("1-3 | a", "3-6 | b")))[0].message == Says("3-6", "3", "5", "already")


def test_numbers_impossible_with_a_d66_are_not_gaps() -> None:
    (problem,) = problems(note(text("11 | a", "21-56 | b", "62-66 | c", die="d66")))
    assert problem.message == Says("No", "table", "12", "16", "61")


def test_upper_of_two_rows_with_a_number_counts() -> None:
    found = table("1-3 | a", "3-6 | b")
    assert found.row(3) is found.rows[0]


@pytest.mark.slow
@given(st.sets(st.integers(1, 19)), st.integers(0, 10**6))
def test_any_division_into_ranges_is_complete_and_every_roll_finds_its_row(cuts: set[int], seed: int) -> None:
    edges = [0, *sorted(cuts), 20]
    ranges = [(first + 1, last) for first, last in pairwise(edges)]
    made = note(text(*(f"{first}-{last} | {first} {last}" for first, last in ranges), die="d20"))
    assert problems(made) == ()
    number = tables_of(made)[0].dice.roll(Random(str(seed)))
    row = tables_of(made)[0].row(number)
    assert row is not None
    first, last = map(int, row.cells[0].split())
    assert first <= number <= last


@pytest.mark.slow
@given(st.lists(st.text("|d6- \n^ax0+[]()#>`\\", max_size=20), max_size=8))
def test_any_text_is_read_as_a_table_or_ignored(lines: list[str]) -> None:
    made = note("| d6 | x |\n|--|--|\n" + "\n".join(lines))
    assert len(problems(made)) <= 4 * len(made.text)
    for found in tables_of(made):
        assert all(isinstance(found.text(row), str) for row in found.rows)


def test_large_and_hostile_tables_are_read_in_time() -> None:
    many = [f"{number}-{number + 3} | x" for number in range(1, 3000)]
    assert len(problems(note(text(*many, die="d1000000")))) == 3000 - 1
    assert tables_of(note("d6\n" * 20_000 + "|-" * 20_000)) == ()


def test_rows_nested_in_a_row_are_its_result() -> None:
    text = "| d6 | d4 | Item |\n|---|---|---|\n| 1-3 | 1 | Sword |\n| | 2-4 | Axe |\n| 4-6 | | None |\n"
    (found,) = tables_of(note(text))
    assert [(row.label, found.text(row)) for row in found.rows] == [("1-3", "d4: 1 Sword; 2-4 Axe"), ("4-6", "None")]


def test_html_table_of_the_converter_is_read() -> None:
    rows = (
        '<tr><td rowspan="2">1-3</td><td>1</td><td>A <a href="/x/stoat.md" class="internal-link">Stoat</a></td></tr>\n'
        '<tr><td>2-4</td><td>Owl</td></tr>\n<tr><td>4-6</td><td colspan="2">Boats &amp; <b>bells</b></td></tr>\n'
    )
    head = "<table>\n<thead>\n<tr><th>dice: d6</th><th>d4</th><th>What</th></tr>\n</thead>\n<tbody>\n"
    (found,) = tables_of(note(f"# T\n\n{head}{rows}</tbody>\n</table>\n^drifts\n"))
    assert (str(found.dice), found.block_id, found.line) == ("d6", "drifts", 5)
    assert [found.text(row) for row in found.rows] == ["d4: 1 A Stoat; 2-4 Owl", "Boats & bells"]
    assert [row.line for row in found.rows] == [8, 10]


def test_unrollable_table_is_reported_with_the_reason() -> None:
    table = "| d6 | Wind |\n|---|---|\n| calm | a |\n| 2 | b |\n| storm | c |\n"
    (problem,) = problems(note(table))
    assert problem.code == "table-roll" and "a number is before 1 of its 3 rows only" in problem.message
