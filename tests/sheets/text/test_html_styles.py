"""Colours, alignment, sizes, floats and hidden elements of HTML, as a browser shows them or reported."""

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from tests.sheets.conftest import print_text, text_of
from tests.sheets.lint import problems, tagged_text
from tests.wording import Says
from vaultkit.sheets.text.html_styles import colour_code, read_style
from vaultkit.sheets.text.omissions import describe_omissions
from vaultkit.theme.colour import contrast
from vaultkit.theme.model import Theme

Print = Callable[..., Path]
Box = tuple[float, float, float, float]


def colours(path: Path) -> set[str]:
    """Return the colours that fill text and areas, as `#rrggbb`."""
    found = set()
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            for step in pikepdf.parse_content_stream(page):
                if str(step.operator) == "rg":
                    found.add("#" + "".join(f"{round(255 * float(part)):02x}" for part in step.operands))
    return found


def places(path: Path, *words: str) -> list[Box]:
    """Return the box of the first letter of each word on the first page: left, bottom, right and top in points."""
    with pypdfium2.PdfDocument(path) as pdf:
        text = pdf[0].get_textpage()
        return [text.get_charbox(text.search(word).get_next()[0]) for word in words]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("Crimson", "#dc143c"), ("#1a6", "#11aa66"), ("#BBFABBA6", "#d3fcd3"), ("rgb(0, 100, 0)", "#006400"),
        ("rgba(255,0,0,.5)", "#ff8080"), ("rgb(1 2 3 / 50%)", "#808081"), ("hsl(120,50%,50%)", "#40bf40"),
        ("transparent", ""), ("var(--x)", ""), ("__import__('os')", ""), ("#ggg", ""), ("rgb(" + "9" * 9000, ""),
    ],
)  # fmt: skip
def test_css_colours(value: str, code: str) -> None:
    assert colour_code(value) == code


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("html", "colour"),
    [
        ('<span style="color:#800000">words</span>', "#800000"),
        ('<font color="#008000">words</font>', "#008000"),
        ('<div style="color: rgb(0,0,128)">\n\n**words**\n\n</div>', "#000080"),
        ('<p style="background: #ffeeee">words</p>', "#ffeeee"),
        ('<mark style="background:#ccffcc">words</mark>', "#ccffcc"),
        ('<table><tr><td bgcolor="#ddeeff">words</td><td>x</td></tr></table>', "#ddeeff"),
        ('<table><tr style="color:#804000"><td>words</td></tr></table>', "#804000"),
        ('<table style="background:#ddeeff"><tr><td>words</td><td>x</td></tr></table>', "#ddeeff"),
        ('<ul style="color:#804000"><li>words</li></ul>', "#804000"),
        ('<ol><li style="color:#804000">words</li></ol>', "#804000"),
        ('<details><summary style="color:#804000">words</summary>more</details>', "#804000"),
    ],
)
def test_colours_of_html_are_kept(print_note: Print, html: str, colour: str) -> None:
    made = print_note(html)
    assert colour in colours(made)
    assert "words" in text_of(made)
    assert problems(made) == []


def test_colour_that_is_hard_to_read_is_changed_as_little_as_needed(print_note: Print) -> None:
    made = colours(print_note('<span style="color:yellow">pale</span> and <b style="color:white">white</b>'))
    assert not {"#ffff00", "#ffffff"} & made
    assert all(contrast(code, "#ffffff") >= 4.5 for code in made if code.endswith("00"))
    dark = colours(print_note('<span style="background:#102040">words on a dark ground</span>'))
    assert any(contrast(code, "#102040") >= 4.5 for code in dark)


def test_saving_ink_leaves_backgrounds_out(print_note: Print) -> None:
    html = '<div style="background:#ffeeee">words</div>\n\n<table><tr><td bgcolor=#ddeeff>cell</td></tr></table>'
    assert not {"#ffeeee", "#ddeeff"} & colours(print_note(html, theme=Theme(ink_saver=True)))


def test_alignment_and_size_of_html_are_kept(print_note: Print) -> None:
    made = print_note(
        'left\n\n<p align="center">middle</p>\n\n<div style="text-align:right">end</div>\n\n'
        '<span style="font-size:32px">lofty</span> words\n\n<small>tiny</small> last',
        columns=1,
    )
    (left, *_), (middle, *_), (end, *_), tall, last = places(made, "left", "middle", "end", "lofty", "last")
    assert left < middle < end
    assert tall[3] - tall[1] > 1.6 * (last[3] - last[1])


def test_hidden_elements_are_left_out(print_note: Print) -> None:
    made = print_note('<span style="display:none">unseen</span> seen\n\n<div hidden>\n\nalso unseen\n\n</div>\n\nlast')
    assert tagged_text(made)[1:] == ["seen", "last"]


def test_hidden_parts_of_tables_and_lists_are_left_out(print_note: Print) -> None:
    parts = [
        "<table><tr hidden><td>unseen</td></tr><tr><td hidden>unseen</td><td>cell</td></tr></table>",
        "<table hidden><caption>unseen</caption><tr><td>unseen</td></tr></table>",
        "<ul><li>item</li><li hidden>unseen</li></ul>",
        "<ol hidden><li>unseen</li></ol>",
        "<pre hidden>unseen</pre>",
        "<details hidden>unseen</details>",
        "last",
    ]
    words = " ".join(tagged_text(print_note("\n\n".join(parts))))
    assert "unseen" not in words and all(word in words for word in ("cell", "item", "last"))


def test_styles_that_are_not_printed_are_reported_once(tmp_path: Path) -> None:
    html = '<span style="border:1px solid;font-family:cursive">a</span> <b style="border:2px">b</b>\n\n'
    made = print_text(f'{html}<div style="float:right">c</div>', out=tmp_path / "x.pdf")
    assert made.remarks == (Says("HTML", "not printed", "border, float and font-family"),)
    assert describe_omissions({"toc block": 1, "style float": 2}).count(". ") == 1
    assert read_style("p", {"style": "margin:0;cursor:help;border:none"}).ignored == ()


@pytest.mark.parametrize(
    ("picture", "is_left"),
    [
        ('<img src="map.png" align="left" width="80">', True),
        ('<img src="map.png" style="float:right; width:30%" alt="A map">', False),
        ("![[map.png|right|80]]\n\n", False),
    ],
)
def test_text_stands_beside_a_picture_that_floats(
    print_note: Print, tmp_path: Path, picture: str, is_left: bool
) -> None:
    Image.new("RGB", (400, 300), "#446688").save(tmp_path / "map.png")
    words = " ".join(f"w{number}" for number in range(150))
    made = print_note(f"start\n\n{picture} {words}\n\nlast", image=lambda _: tmp_path / "map.png", columns=1)
    start, first, late, last = places(made, "start", "w0", "w149", "last")
    assert (first[0] > start[0] + 40) is is_left
    assert late[0] >= start[0] - 1 and last[0] == pytest.approx(start[0], abs=2)
    assert tagged_text(made)[1:] == ["start", words, "last"]
    assert problems(made) == []


def test_first_line_is_as_high_with_an_emoji_as_without(print_note: Print) -> None:
    heights = []
    for sign in ("", "\u2694\ufe0f ", "`code` ", "\U0001f525 "):
        (_, bottom, *_), (_, below, *_) = places(
            print_note(f"## {sign}Heading\n{sign}xbelow", columns=1), "eading", "xbelow"
        )
        heights.append(bottom - below)
    assert heights == pytest.approx([heights[0]] * len(heights), abs=0.5)
