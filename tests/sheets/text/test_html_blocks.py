"""P16: HTML tables are printed as tables with their spans; HTML that paper cannot show is named."""

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from tests.counts import count
from tests.growth import IN_STEP, growth
from tests.sheets.lint import Reading, problems, tagged_text
from vaultkit.sheets.text.html_blocks import fold_blocks
from vaultkit.sheets.text.html_tags import fold_line, html_lines
from vaultkit.vault.markdown import Node, parse

Print = Callable[..., Path]
TABLE = """<table><caption>Tolls</caption>
<thead><tr><th>Who</th><th>Day</th><th>Night</th></tr></thead>
<tr><td rowspan="2">Carts</td><td colspan='9'>2 cp &amp; a <b>song</b></td></tr>
<tr><td>5 cp<br>each</td><td></td></tr>
</table>"""


def table_of(html: str) -> Node:
    return next(node for node in fold_blocks(parse(html).children) if node.kind == "Table")


def spans(path: Path) -> list[tuple[str, int, int]]:
    """Return the kind of each cell of a sheet, and its numbers of rows and columns."""
    with pikepdf.open(path) as pdf:
        found = [element for element in Reading(pdf).root.walk() if element.kind in {"TH", "TD"}]  # type: ignore[union-attr]
        about = [(element.kind, element.obj.get("/A", {})) for element in found]
        return [(kind, int(a.get("/RowSpan", 1)), int(a.get("/ColSpan", 1))) for kind, a in about]


def test_p16_a_table_in_html_is_a_table(print_note: Print) -> None:
    made = print_note(TABLE)
    assert problems(made) == []
    assert tagged_text(made)[1:] == ["Tolls", "Who", "Day", "Night", "Carts", "2 cp & a song", "5 cp each"]
    assert spans(made) == [*[("TH", 1, 1)] * 3, ("TD", 2, 1), ("TD", 1, 2), *[("TD", 1, 1)] * 2]


@pytest.mark.slow
@pytest.mark.parametrize("rows", [100, 30])
def test_p16_a_long_or_wide_table_in_html_loses_nothing(print_note: Print, rows: int) -> None:
    cells = "".join(f"<td>{'word' * 5}{n}</td>" for n in range(2 if rows == 100 else 12))
    made = print_note(f"<table>{f'<tr>{cells}</tr>' * rows}<tr><td colspan=2 rowspan=9>end</td></tr></table>")
    assert problems(made) == []
    assert (tagged_text(made).count("word" * 5 + "1"), tagged_text(made).count("end")) == (rows, 1)


def test_p16_first_row_without_headings_is_not_a_header() -> None:
    head, first = table_of("<table><tr><th>a</th><td>b</td></tr></table>").children
    assert (head.words(), first.words()) == ("", "ab")
    assert first.children[0].children[0].kind == "Strong"


def test_p16_overlapping_cells_and_rows_of_any_length_are_preserved() -> None:
    html = "<table><tr><td>a<td rowspan=3>b<tr><td colspan=2>c<tr></tr><tr><td>d<td>e<td>f</table>"
    assert [node.words() for node in table_of(html).children] == ["", "ab", "c", "def"]


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ('a <video src="x.mp4">no film <b>here</b></video> b', "a [video x.mp4] b"),
        ("a <audio><source src=x.mp3></audio> b", "a [file x.mp3] b"),
        ("a <video src=x> b", "a [video x] b"),
        ("a <style>p {}</style> c", "a  c"),
        ("a <script>alert(1) b", "a alert(1) b"),
        ('<input type="checkbox" checked> a <input type=checkbox> b <input>', "☑ a ☐ b "),
        ("a <wbr><ruby>b<rt>c</rt></ruby> <nobody>d", "a bc <nobody>d"),
    ],
)
def test_p16_unprintable_html_is_named_and_its_tags_are_removed(html: str, words: str) -> None:
    line = parse(f"x {html}").children[0].children
    assert Node("Line", children=fold_line(line)).words() == f"x {words}"


LISTS = '<ol start="3"><li>a <b>b</b><ul><li>c</ul><li><p>d</p>e</ol> <ul>x<li></li>\n<li>f <img src=g></ul>'


def test_p16_lists_in_html_are_lists(print_note: Print) -> None:
    made = print_note(LISTS)
    assert problems(made) == []
    bullets = ["3.", "a b", "•", "c", "4.", "d e", "x", "•", "•", "f"]
    assert tagged_text(made)[1:] == [*bullets, "[picture g: not found in the vault]"]


HOSTILE: dict[str, Callable[[int], str]] = {
    "lists": lambda size: "<ul><li>a" * size,
    "tables": lambda size: "<table><tr><td>a" * size,
    "spans": lambda size: "<table>" + "<tr><td colspan=999999999999 rowspan=9999>a</td></tr>" * (size // 10),
    "details": lambda size: "<details>" * size + "a",
    "films": lambda size: "<video>" * size + "a",
    "bold": lambda size: "<b>" * size + "a",
    "attributes": lambda size: f"<p {'a ' * size * 2}>a</p>",
    "spaces": lambda size: f"<table {' ' * size * 2}",
}


@pytest.mark.slow
@pytest.mark.parametrize("written", HOSTILE.values(), ids=HOSTILE)
def test_p15_hostile_html_is_read_in_linear_time(written: Callable[[int], str]) -> None:
    def read(size: int) -> None:
        made = fold_blocks([Node("HtmlBlock", children=[Node("Html", html := written(size))])])
        texts = [node.text for part in made for node in part.walk() if node.kind == "Html"]
        assert made
        assert sum(len(list(html_lines(text))) for text in texts) < len(html)

    assert growth(read, 20_000) < IN_STEP


def test_p16_lines_of_pre_are_preserved() -> None:
    (code,) = fold_blocks(parse("<pre>\none &lt;\n  <b>two</b>\n</pre>").children)
    assert (code.kind, code.words()) == ("CodeBlock", "one <\n  two")


def test_p16_a_picture_in_html_is_a_picture() -> None:
    (_, image) = fold_line(parse('x <img alt="The *gate*" width=40 src="a%20b.png">').children[0].children)[:2]
    assert (image.kind, image.text, image.words(), image.number) == ("Image", "a%20b.png", "The *gate*|40", 0)


@pytest.mark.slow
def test_p16_blank_lines_do_not_split_an_html_table(print_note: Print) -> None:
    rows = "<tr><th>A</th></tr>\n\n<tr><td>\n\n**one** & two\n\n</td></tr>\n\n<tr><td>three</td></tr>"
    made = print_note(f"<table>\n{rows}\n\n</table>\n\nBehind.\n\n<table><tr><td>never closed</td></tr>\n\nLast.")
    assert problems(made) == []
    assert tagged_text(made)[1:] == ["A", "one & two", "three", "Behind.", "never closed", "Last."]
    assert not fold_blocks(parse("<table>\n\n" * count(600, 3_000)).children)
