from tests.vault.making import note
from vaultkit.vault.tables import tables


def test_cells_rows_and_lines() -> None:
    found = tables(note("---\na: 1\n---\nText\n\n| Näme | Rank |\n|---|:-:|\n| Bär [[x\\|y]] | 3 |\n| Only |\n\n^id\n"))
    (table,) = found
    assert (table.header.cells, table.header.line) == (("Näme", "Rank"), 6)
    assert [(row.cells, row.line) for row in table.rows] == [(("Bär [[x\\|y]]", "3"), 8), (("Only", ""), 9)]


def test_a_cell_may_end_in_an_escaped_bar() -> None:
    assert tables(note("a | b\n--|--\nc\\| | `d\\|`\n"))[0].rows[0].cells == ("c\\|", "`d\\|`")


def test_several_tables_with_crlf_and_in_a_quote() -> None:
    first, second = tables(note("| a |\r\n|---|\r\n| b |\r\n\r\n> | c |\r\n> |---|\r\n"))
    assert (first.rows[0].cells, first.rows[0].line) == (("b",), 3)
    assert (second.header.cells, second.header.line, second.rows) == (("c",), 5, ())


def test_code_is_no_table() -> None:
    assert tables(note("```\n| a |\n|---|\n```\n")) == ()
