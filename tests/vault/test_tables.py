import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.vault.making import note
from vaultkit.vault import tables
from vaultkit.vault.html_tables import find_html_tables
from vaultkit.vault.tables import (
    block_links,
    markdown_tables,
    plain_cell_text,
)


def test_cells_rows_and_lines() -> None:
    found = markdown_tables(
        note("---\na: 1\n---\nText\n\n| Näme | Rank |\n|---|:-:|\n| Bär [[x\\|y]] | 3 |\n| Only |\n\n^id\n")
    )
    (table,) = found
    assert (table.header.cells, table.header.line) == (("Näme", "Rank"), 6)
    assert [(row.cells, row.line) for row in table.rows] == [(("Bär [[x\\|y]]", "3"), 8), (("Only", ""), 9)]


def test_a_cell_may_end_in_an_escaped_bar() -> None:
    assert markdown_tables(note("a | b\n--|--\nc\\| | `d\\|`\n"))[0].rows[0].cells == ("c\\|", "`d\\|`")


def test_several_tables_with_crlf_and_in_a_quote() -> None:
    first, second = markdown_tables(note("| a |\r\n|---|\r\n| b |\r\n\r\n> | c |\r\n> |---|\r\n"))
    assert (first.rows[0].cells, first.rows[0].line) == (("b",), 3)
    assert (second.header.cells, second.header.line, second.rows) == (("c",), 5, ())


def test_code_is_not_read_as_a_table() -> None:
    assert markdown_tables(note("```\n| a |\n|---|\n```\n")) == ()


@pytest.mark.parametrize(
    "below",
    [
        "^My-id",
        "^My-id  \nand more",
        "\n^My-id",
        "\n\n \n  ^My-id\n\ntext",
        "^My-id\n\n^other",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_s5_block_id_below_a_table_or_after_a_blank_line(below: str, line_end: str) -> None:
    text = f"é\n\n| a | b |\n|---|---|\n| c | d |\n{below}".replace("\n", line_end)
    (table,) = markdown_tables(note(text))
    assert table.block_id == "My-id"
    assert [row.cells for row in table.rows] == [("c", "d")]


def test_s5_a_block_id_at_the_end_of_the_last_row() -> None:
    (table,) = markdown_tables(note("| a | b |\n|---|---|\n| c | d | ^id\n\n^other\n"))
    assert (table.block_id, [row.cells for row in table.rows]) == ("id", [("c", "d")])


def test_s5_a_block_id_of_a_table_in_a_quote() -> None:
    (direct,) = markdown_tables(note("> | a |\n> |---|\n> | c |\n> ^id\n"))
    (apart,) = markdown_tables(note("> | a |\n> |---|\n> | c |\n>\n> ^id\n"))
    assert [(table.block_id, len(table.rows)) for table in (direct, apart)] == [("id", 1), ("id", 1)]


@pytest.mark.parametrize("below", ["", "\ntext ^id", "\ntext\n\n^id", "\n^id and more", "\n^-_id"])
def test_s5_texts_that_are_not_block_ids_of_a_table(below: str) -> None:
    (table,) = markdown_tables(note(f"| a |\n|---|\n| c |\n{below}"))
    assert (table.block_id, len(table.rows)) == ("", 1)


def test_s5_each_of_two_tables_has_its_own_block_id() -> None:
    first, second = markdown_tables(note("| a |\n|---|\n| 1 |\n\n^one\n\n| b |\n|---|\n| 2 |\n^two\n"))
    assert (first.block_id, second.block_id) == ("one", "two")


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("[Vial](/items/vial.md) and *two* [[Coin\\|coins]]", "Vial and two coins"),
        ("a<br>b <br/> c", "a b c"),
        ("`dice: 2d6` gp", "2d6 gp"),
        ("`dice:1d6+1\\|noform\\|avg` (`1d6 + 1`) charges", "1d6+1 charges"),
        ("`dice-mod: d20` (`x`", "d20 (x"),
        ("[[a#^b]] [[c]] [x](d.md#^e) ![[f.png]]", "a c x f.png"),
        ("Roll on `dice: [](other-table.md#^x)`", "Roll on other-table"),
        ("[[Other table^id]] or [[Other#^id]]", "Other table or Other"),
        ("- 5 gold", "- 5 gold"),
        ("1. x", "1. x"),
        ("\\| `a\\|b`", "| a|b"),
        ("", ""),
    ],
)
def test_a_cell_in_plain_words(cell: str, words: str) -> None:
    assert plain_cell_text(cell) == words


def test_s5_links_of_a_cell_to_blocks_with_and_without_a_hash() -> None:
    cell = "[[A#^x]] [[B^y\\|b]] `dice: [](c d.md#^z)` [e](<f (1).md#%5Ew>) [[#^own]] [[C]] [[C#d]] [g](h.md)"
    assert [(link.path, link.block_id) for link in block_links(cell)] == [
        ("A", "x"),
        ("B", "y"),
        ("c d.md", "z"),
        ("f (1).md", "w"),
        ("", "own"),
    ]


PIECES = (
    "\n\n| a | [x](y) |\n|---|:-:|\n", "| [[a]] | `c` |\n", "|[[a|b]]|", "\n|---|\n", "| ![p](q) |", "|", "| ",
    "\n", "\n\n", "\n\n|a|b|\n|-|-|\n", "\n\n|a|\n|-|\n", "^id\n", " ^id", "\n```\n|a|\n|-|\n```\n", "\\|", "\xa0",
    " \n", "|a|b|\n", "|c|\n", "||\n", "| | |\n", "\n^id\n", "|^id|\n", "| é | x |\n", "- x\n\n", "\u2028|",
    "# h\n", "> ", "a", "\n\n[^1]: note",
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=count(80, 50_000))
@given(
    st.lists(st.sampled_from((*PIECES, "^", "| ^a-1", " ^b \r\n", "\t^c")), max_size=14).map("".join), st.integers(0, 9)
)
def test_block_id_at_the_end_is_found_as_by_a_search(text: str, start: int) -> None:
    quick, whole = (find(text, start, len(text)) for find in (tables._find_id_at_end, tables._BLOCK_ID_AT_END.search))
    assert (quick and (quick.span(), quick["id"])) == (whole and (whole.span(), whole["id"]))


def test_each_outermost_list_is_a_table_of_its_items() -> None:
    found = [*tables.lists(note("- a\n  - b\n- c\n\nText.\n\n1. d\n2. e\n   - f\n\n* g\n"))]
    assert [[row.cells[0][0] for row in table.rows] for table in found] == [["a", "c"], ["d", "e"], ["g"]]
    assert [[row.line for row in table.rows] for table in found] == [[1, 3], [7, 8], [11]]


def test_html_tables_without_an_end_or_without_rows_are_none() -> None:
    row = "<tr><td>a</td></tr>"
    texts = (f"<table>{row}</table>\n", f"<table>{row}\n", "<table></table>\n")
    assert [len([*find_html_tables(note(text))]) for text in texts] == [1, 0, 0]


def test_block_id_in_a_table_header_stays_a_header() -> None:
    (table,) = markdown_tables(note("| ^id |\n|---|\n| a |\n"))
    assert (table.header.cells, [row.cells for row in table.rows], table.block_id) == (("^id",), [("a",)], "")
