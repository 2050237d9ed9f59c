"""Blocks over pages and columns: cells over several rows, wide code, and nothing that empties a page or a column."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest

from tests.growth import IN_STEP, growth
from tests.sheets.lint import problems, tagged_text
from tests.sheets.text.test_html_styles import colours
from tests.sheets.text.test_page_breaks import pages_of

Print = Callable[..., Path]
FILLING = "filling words " * 60


def rows(count: int, cell: str) -> str:
    """Return rows of an HTML table, of which the first cell spans all."""
    lines = [f"<td>row{number}</td><td>some words on it</td>" for number in range(count)]
    return "".join(f"<tr>{'' if number else cell}{line}</tr>\n" for number, line in enumerate(lines))


def used_heights(path: Path) -> list[float]:
    """Return the share of each page's height down to its lowest words above the foot."""
    shares = []
    with pypdfium2.PdfDocument(path) as pdf:
        for page in pdf:
            text = page.get_textpage()
            bottoms = [text.get_charbox(number)[1] for number in range(text.count_chars())]
            shares.append(1 - min(bottom for bottom in bottoms if bottom > 45) / page.get_height())
    return shares


@pytest.mark.short(1)
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("height", [60, 12, 40, 100])
def test_cell_over_many_rows_goes_on_over_the_page(print_note: Print, columns: int, height: int) -> None:
    cell = f"<td rowspan={height}>label</td>"
    table = f"<table><tr><th>a</th><th>b</th><th>c</th></tr>{rows(height, cell)}</table>"
    made = print_note(f"{FILLING * 2}\n\n{table}\n\nlast", columns=columns)
    words = " ".join(tagged_text(made))
    assert [words.count(f"row{number} ") for number in range(height)] == [1] * height
    assert words.count("label") == 1
    pages = pages_of(made)
    assert "row0" in pages[0] and all("label" in page for page in pages if "row" in page)
    assert all(share > 0.8 for share in used_heights(made)[:-1])
    assert problems(made) == []


@pytest.mark.slow
def test_long_table_keeps_cells_over_columns_and_their_look(print_note: Print) -> None:
    heads = '<tr><td colspan="2" style="color:#804000">all across both columns of the table</td></tr>'
    lines = "<tr><td>left</td><td>right</td></tr>" * 30
    made = print_note(f"<table>{(heads + lines) * 6}</table>", columns=1)
    with pypdfium2.PdfDocument(made) as pdf:
        text = pdf[0].get_textpage()
        ends = [text.get_charbox(text.search(words).get_next()[0])[2] for words in ("table", "right")]
    assert ends[0] > ends[1]
    assert "#804000" in colours(made)
    assert problems(made) == []


@pytest.mark.slow
def test_long_text_in_a_cell_over_two_rows_is_broken(print_note: Print) -> None:
    novel = " ".join(f"n{number}" for number in range(1500))
    days = f"<tr><td>mon</td><td rowspan=2>{novel}</td></tr><tr><td>tue</td></tr><tr><td>wed</td><td>x</td></tr>"
    table = f"<table>{days}</table>"
    made = print_note(f"{FILLING * 3}\n\n{table}\n\nlast")
    words = [word for word in " ".join(tagged_text(made)).split() if word[0] == "n" and word[1:].isdigit()]
    assert sorted(words, key=lambda word: int(word[1:])) == novel.split()
    assert len(words) == len(set(words))
    assert all(share > 0.8 for share in used_heights(made)[:-1])
    assert problems(made) == []


@pytest.mark.slow
def test_a_table_from_right_to_left_with_cells_over_rows_is_broken(print_note: Print) -> None:
    table = f"<table>{rows(70, '<td rowspan=70>ab</td>')}</table>".replace("some words", "\u05de\u05d9\u05dc\u05d4")
    made = print_note(f"{FILLING}\n\n{table}", columns=1)
    assert " ".join(tagged_text(made)).count("row") == 70
    assert problems(made) == []


def test_code_too_wide_for_a_column_goes_across_the_page(print_note: Print) -> None:
    line = "const hits = canvas.tokens.controlled.filter(token => token.hp > 0);"
    made = print_note(f"{FILLING}\n\n```js\n{line}\n```\n\n{FILLING}\n\n```js\nshort()\n```\n")
    with pypdfium2.PdfDocument(made) as pdf:
        text = pdf[0].get_textpage()
        first, count = text.search(line).get_next()
        boxes = [text.get_charbox(number) for number in range(first, first + count)]
        assert len({round(box[1] / 8) for box in boxes if box[3] > box[1] > 0}) <= 2
        assert boxes[-2][2] > pdf[0].get_width() / 2
    assert problems(made) == []


@pytest.mark.parametrize("height", [8, 22, 34])
def test_no_column_stays_empty_beside_a_heading(print_note: Print, height: int) -> None:
    code = "\n".join(f"line {number}" for number in range(height))
    made = print_note(f"## Heading\n\n```\n{code}\n```\n")
    with pypdfium2.PdfDocument(made) as pdf:
        page = pdf[0]
        right = page.get_textpage().get_text_bounded(left=page.get_width() / 2, bottom=60, top=page.get_height() - 90)
        rules = [
            item for item in page.get_objects() if item.type == 2 and item.get_bounds()[2] - item.get_bounds()[0] < 1
        ]
    assert right.strip() or not rules


def test_tall_block_that_is_usually_whole_does_not_empty_a_page(print_note: Print) -> None:
    row = f"| name | {'many words in a cell ' * 40} |\n"
    made = print_note(f"{FILLING * 4}\n\n| a | b |\n|---|---|\n{row * 8}", columns=1)
    assert used_heights(made)[0] > 0.6


@pytest.mark.slow
def test_long_tables_with_cells_over_rows_take_time_in_proportion(print_note: Print) -> None:
    def write(size: int) -> None:
        groups = "".join(rows(7, "<td rowspan=7>label</td>") for _ in range(size // 7))
        print_note(f"<table>{groups}</table>")

    assert growth(write, 1_400) < IN_STEP
