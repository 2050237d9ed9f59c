"""P16: pictures at the size that the note gives, also in tables, and tables, lists and callouts without a loss."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from tests.sheets.conftest import links_of, text_of
from tests.sheets.lint import problems, tagged_text
from vaultkit.theme import image_transcoding
from vaultkit.theme.image_fitting import Fit

Print = Callable[..., Path]


@pytest.fixture
def find_picture(tmp_path: Path) -> Callable[[str], Path | None]:
    """Return a lookup that knows one picture, `map.png`, of 400 by 300 pixels."""
    Image.new("RGB", (400, 300), "#446688").save(tmp_path / "map.png")
    return lambda target: tmp_path / "map.png" if target == "map.png" else None


def sizes(path: Path) -> list[tuple[int, int]]:
    """Return the size in points of every picture on a sheet."""
    found = []
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            steps: list[Any] = list(pikepdf.parse_content_stream(page))
            for before, step in pairwise(steps):
                if str(step.operator) == "Do":
                    found.append((round(float(before.operands[0])), round(float(before.operands[3]))))
    return found


@pytest.mark.parametrize(
    ("note", "size"),
    [
        ("![[map.png|60]]", (45, 34)),
        ("![[map.png|100x50]]", (75, 38)),
        ("![the vale|120](map.png)", (90, 68)),
        ("![[map.png|the vale|80]]", (60, 45)),
        ("![[map.png|9999]]", (242, 182)),
    ],
)
def test_p16_picture_has_the_width_given_in_the_note(
    print_note: Print, find_picture: Any, note: str, size: tuple[int, int]
) -> None:
    made = print_note(note, image=find_picture)
    assert problems(made) == []
    assert sizes(made) == [size]


def test_p16_pictures_are_printed_in_table_cells(print_note: Print, find_picture: Any) -> None:
    rows = ("Who | Picture", "---|---", "Osk | ![[map.png\\|60]]", "Bram | a ![](map.png) b", "Nil | ![[none.png]]")
    table = "\n".join(rows)
    made = print_note(table, image=find_picture)
    assert problems(made) == []
    assert sizes(made)[0] == (45, 34) and len(sizes(made)) == 2
    assert tagged_text(made)[1:] == [
        *("Who", "Picture", "Osk", "Bram", "a", "b", "Nil"),
        "[picture none.png: not found in the vault]",
    ]


def test_p16_web_picture_is_named_with_its_address(print_note: Print) -> None:
    made = print_note("![A map](https://example.org/pics/map.png)")
    assert "[picture A map (map.png): on the web]" in tagged_text(made)
    assert links_of(made) == ["https://example.org/pics/map.png"]


def test_p16_sixteen_bit_grey_is_not_blank(tmp_path: Path) -> None:
    ramp = Image.linear_gradient("L").convert("I").point(lambda value: value * 257)
    ramp.convert("I;16").save(tmp_path / "grey.png")
    with Image.open(image_transcoding.prepare(tmp_path / "grey.png", Fit(256, 256)).path) as made:
        assert made.convert("L").getextrema() == pytest.approx((0, 255), abs=6)
        assert made.convert("L").getpixel((128, 128)) == pytest.approx(128, abs=6)


@pytest.mark.parametrize(
    "table", ["| a | b |\n|---|---|\n| 1 | 2 | 3 | four |", "> a | b\n> --|--\n> 1 | 2 | 3 | four"]
)
def test_p16_row_with_excess_cells_loses_nothing(print_note: Print, table: str) -> None:
    made = print_note(table)
    assert problems(made) == []
    assert tagged_text(made)[1:] == ["a", "b", "1", "2", "3", "four"]


def test_p16_tasks_callouts_and_footnotes_may_be_nested(print_note: Print) -> None:
    note = (
        "- [ ] open\n  - [x] shut\n    1. one\n       > [!note] In *it*\n       > Said[^1].\n       > - [ ] inside\n"
        "> [!tip]- Outer\n> > [!danger] Inner\n> > - x\n> > \n> > ```\n> > code\n> > ```\n"
        "\n[^1]: A foot\n    in *two*.\n"
    )
    made = print_note(note)
    assert problems(made) == []
    words = ["open", "shut", "one", "Note In it", "Said.", "inside", "Tip Outer", "Danger Inner", "x", "code"]
    assert tagged_text(made, generated=False)[1:] == [*words, "Notes", "A foot in two."]


@pytest.mark.slow
def test_p16_a_large_map_is_set_across_the_page_and_other_pictures_are_not(print_note: Print, tmp_path: Path) -> None:
    Image.new("RGB", (1600, 1000), "#446688").save(tmp_path / "vale-map.png")
    Image.new("RGB", (1000, 700), "#446688").save(tmp_path / "inn.png")
    made = print_note("## Inn\n![Inn](inn.png)\n\n![](vale-map.png)", image=lambda target: tmp_path / target)
    assert problems(made) == []
    assert [width > 400 for width, _ in sizes(made)] == [False, True]
    assert tagged_text(made)[1:] == ["Inn"]


def test_p16_header_of_one_bare_bar_makes_an_infobox_table(print_note: Print) -> None:
    made = print_note("> [!infobox]\n> ###### Bio\n>  |\n> ---|---|\n> **Race** | Human |\n> **Age** | 71 |")
    assert tagged_text(made)[1:] == ["Bio", "Race", "Human", "Age", "71"]


def test_p16_table_with_two_header_rows_sets_its_callout_across_the_page(print_note: Print) -> None:
    head = (
        "<tr><th colspan=2></th><th colspan=6>Slots of each level</th></tr><tr>" + "<th>Long title</th>" * 8 + "</tr>"
    )
    table = f"<table>{head}{'<tr>' + '<td>some words</td>' * 8 + '</tr>'}</table>"
    made = print_note(f"> [!tldr] Progression\n> {table}")
    assert problems(made) == []
    assert tagged_text(made)[1:] == [
        "Tldr Progression", "Slots of each level", *["Long title"] * 8, *["some words"] * 8,
    ]  # fmt: skip


def test_p16_wide_spaces_and_converter_dashes_are_not_reported_as_missing(print_note: Print) -> None:
    made = print_note("Charges:&emsp;3&thinsp;d6\n\nSaves \u23e4")
    assert [part.split() for part in tagged_text(made)[1:]] == [["Charges:", "3", "d6"], ["Saves", "\u2014"]]


def places(path: Path) -> list[tuple[int, int, int]]:
    """Return the page, left and bottom of every picture on a sheet, in points."""
    with pypdfium2.PdfDocument(path) as pdf:
        return [
            (number, round(item.get_bounds()[0]), round(item.get_bounds()[1]))
            for number, page in enumerate(pdf)
            for item in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])
        ]


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("one ![[map.png|20]] two", "one two"),
        ("- one **bold ![[map.png|20]]** two", "• one bold two"),
        ("- ![[map.png|20]] two", "• two"),
        ("- ![[map.png|20]]\n- two", "• • two"),
        ("## one ![[map.png|20]] two", "one two"),
        ("> [!note] one ![[map.png|20]] two", "Note one two"),
        ("| one ![[map.png\\|20]] two |\n|---|\n| x |", "one two x"),
        ("| x |\n|---|\n| one ![[map.png\\|20]] two |", "x one two"),
    ],
)
def test_p16_small_picture_is_set_in_its_line(print_note: Print, find_picture: Any, note: str, words: str) -> None:
    made = print_note(note, image=find_picture)
    assert problems(made) == []
    assert sizes(made) == [(13, 10)]
    assert " ".join(tagged_text(made)[1:]) == words


def test_p16_larger_or_single_pictures_are_set_separately(print_note: Print, find_picture: Any) -> None:
    made = print_note("one ![[map.png|80]] two\n\n![[map.png|20]]\n\n- three", image=find_picture)
    assert sizes(made) == [(60, 45), (15, 11)]


@pytest.mark.slow
def test_p16_small_pictures_move_with_their_lines(print_note: Print, find_picture: Any) -> None:
    made = print_note("some words ![[map.png|20]] and a taller one ![[map.png|50]]. " * 150, image=find_picture)
    assert problems(made) == []
    assert len(places(made)) == len(set(places(made))) == 300
    assert " ".join(tagged_text(made)[1:]) == " ".join(["some words and a taller one ."] * 150)


@pytest.mark.parametrize(
    "address", ["https://youtu.be/a", "https://www.youtube.com/watch?v=a", "https://a.org/b.mp4?c"]
)
def test_p16_video_is_described_as_a_video(print_note: Print, address: str) -> None:
    assert text_of(print_note(f"![The fall]({address})")).count("[video The fall (") == 1


def test_p16_picture_is_set_on_the_side_given_in_the_note(print_note: Print, find_picture: Any) -> None:
    pictures = ("![[map.png|left|60]]", "![[map.png|60]]", "![the vale|right|60](map.png)")
    made = print_note("\n\n".join(pictures), image=find_picture, columns=1)
    (_, left, _), (_, middle, _), (_, right, _) = places(made)
    assert left < middle < right
    assert tagged_text(made)[1:] == ["the vale"]


def test_p16_code_in_a_narrow_column_is_not_broken(print_note: Print) -> None:
    why = "Whether an open Crown can save a player in a round, and who gets what was answered by Crowns. " * 4
    row = f"| `hero_open_crown` | {why} | {why} | {why} |"
    made = print_note(f"| Option | Values | What it changes | More |\n|---|---|---|---|\n{row}")
    assert "hero_open_crown" in text_of(made).split()
