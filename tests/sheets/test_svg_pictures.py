"""SVG drawings in print: vectors, words that are found, sizes, limits, and what is missing."""

import io
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageStat
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from tests.sheets.conftest import text_of
from vaultkit.errors import BudgetExceeded
from vaultkit.sheets.text.html_blocks import fold_blocks
from vaultkit.sheets.text.html_tags import embed_drawings, fold_line
from vaultkit.sheets.text.picture_nodes import replace_picture
from vaultkit.theme import image_transcoding, print_pictures, svg_raster
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.image_transcoding import Picture, UnusablePicture
from vaultkit.theme.model import INK, Theme, Tone
from vaultkit.theme.svg import svg_painter
from vaultkit.theme.svg.svg_drawing import SvgDrawing
from vaultkit.theme.svg.svg_reader import UnreadableSvg, read_svg
from vaultkit.theme.svg.svg_vectors import is_vector
from vaultkit.vault.markdown import Node, parse

Print = Callable[..., Path]
EXAMPLES = sorted((Path(__file__).parents[1] / "data" / "svg").glob("*.svg"))
VECTORS = {"drawio-flow", "game-icon-current", "game-icon-sword", "icon-strokes", "watabou-dungeon"}
PLACE = Fit(1000, 1000)
FILTER = '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><rect width="9" height="9" filter="url(#f)"/>'


def svg(content: str, attributes: str = 'width="200" height="100"') -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{content}</svg>'


def read(content: str, attributes: str = 'width="200" height="100"') -> SvgDrawing:
    return SvgDrawing(read_svg(svg(content, attributes).encode()), "key")


@pytest.fixture
def print_svg(print_note: Print, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that prints a note with one drawing, and returns the file."""

    def make(
        content: str, attributes: str = 'width="200" height="100"', embed: str = "![[map.svg]]", **more: Theme
    ) -> Path:
        file = tmp_path / "map.svg"
        file.write_text(svg(content, attributes), encoding="utf-8")
        return print_note(f"Before.\n\n{embed}\n\nAfter.", image=lambda _: file, **more)

    return make


def code_of(file: Path) -> str:
    """Return the operators of all forms in a PDF."""
    with pikepdf.open(file) as pdf:
        forms = [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form"]
        return "\n".join(form.read_bytes().decode("latin-1") for form in forms)


def picture_pixels(file: Path) -> Image.Image:
    with pypdfium2.PdfDocument(file) as pdf:
        page: Image.Image = pdf[0].render(scale=1).to_pil()
    return page.convert("RGB")


def colours_in(file: Path) -> set[Any]:
    counts = picture_pixels(file).getcolors(1_000_000) or []
    return {colour for count, colour in counts if count > 30}


def test_drawing_is_printed_as_vectors_whose_words_are_found(print_svg: Print) -> None:
    file = print_svg('<rect width="200" height="100" fill="#ff0000"/><text x="5" y="30">Salt Isle</text>')
    assert text_of(file).split("Before. ")[1].startswith("Salt Isle After.")
    assert (255, 0, 0) in colours_in(file)
    assert not list(PdfReader(file).pages[0].images)


def test_drawing_is_a_figure_with_its_title_or_words(print_svg: Print) -> None:
    for content, embed, words in (
        ("<title>The vale</title><desc>A lake</desc><rect/>", "![[map.svg]]", "The vale: A lake"),
        ("<text>Inn</text><text>Mill</text>", "![[map.svg]]", "Inn, Mill"),
        ("<rect/>", "![[map.svg]]", "map"),
        ("<title>x</title>", "![[map.svg|My map]]", "My map"),
    ):
        with pikepdf.open(print_svg(content, embed=embed)) as pdf:
            assert words in [
                str(o.Alt) for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/S") == "/Figure"
            ]


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="200" height="100"', (200, 100)),
        ('width="2in" height="1cm"', (192, 38)),
        ('viewBox="0 0 600 380"', (600, 380)),
        ('width="100%" viewBox="0 0 60 30"', (60, 30)),
        ('width="300" viewBox="0 0 60 30"', (300, 150)),
        ('height="300" viewBox="0 0 60 30"', (600, 300)),
        ('style="width: 50px; height: 40px"', (50, 40)),
        ('width="0" height="-5"', (300, 150)),
        ("", (300, 150)),
        ('width="900000" height="450000"', (20_000, 10_000)),
    ],
)
def test_size_of_a_drawing(tmp_path: Path, attributes: str, size: tuple[int, int]) -> None:
    file = tmp_path / "a.svg"
    file.write_text(svg("", attributes), encoding="utf-8")
    assert image_transcoding.pixel_size(file) == size


def test_size_in_the_note_counts(print_svg: Print) -> None:
    for embed, width in (("![[map.svg|100]]", 75), ("![[map.svg]]", 150), ("![[map.svg|300]]", 225)):
        picture = picture_pixels(print_svg('<rect width="200" height="100" fill="#f00"/>', embed=embed))
        columns = [
            x for x in range(picture.width) if any(picture.getpixel((x, y)) == (255, 0, 0) for y in range(0, 400, 9))
        ]
        assert columns[-1] - columns[0] == pytest.approx(width, abs=2)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_examples_are_read(file: Path) -> None:
    drawing = image_transcoding.read_drawing(file)
    assert is_vector(drawing) is (file.stem in VECTORS)
    assert drawing.width > 20


def test_rules_of_a_style_sheet() -> None:
    drawing = read(
        "<style>rect{fill:red}.a{fill:lime}g .a{fill:blue}#x.a{fill:gold}g>rect.b{stroke:var(--c, pink)}"
        "rect:hover{fill:black}.d,.e{fill:teal!important}</style>"
        '<rect/><rect class="a"/><g><rect class="a b"/><rect id="x" class="a"/></g><rect class="d" style="fill:red"/>'
    )
    fills = [drawing.styles.full[e].get("fill") for e in drawing.root.iter("rect")]
    assert fills == ["#ff0000", "#00ff00", "#0000ff", "#ffd700", "#008080"]
    assert [drawing.styles.full[e].get("stroke") for e in drawing.root.iter()][5] == "#ffc0cb"


def test_colours_are_printed(print_svg: Print) -> None:
    shapes = {
        "rgb(255 0 0)": (255, 0, 0), "hsl(120, 100%, 50%)": (0, 255, 0), "#00f": (0, 0, 255), "GOLD": (255, 215, 0),
        "currentColor": (128, 0, 128), "rgb(100%, 60%, 0%)": (255, 153, 0), "url(#no) #0ff": (0, 255, 255),
    }  # fmt: skip
    for fill, colour in shapes.items():
        assert colour in colours_in(print_svg(f'<rect width="90" height="90" fill="{fill}"/>', 'color="purple"')), fill


def test_grey_and_ink_saving_sheets_change_drawings(print_svg: Print) -> None:
    content = '<rect width="200" height="100" fill="#0000ff"/>'
    assert (0, 0, 255) not in colours_in(print_svg(content, theme=Theme(grey=True)))
    saved = picture_pixels(print_svg(content, theme=Theme(ink_saver=True)))
    assert ImageStat.Stat(saved.convert("L")).mean[0] > 245


def test_text_keeps_its_words_in_order(print_svg: Print) -> None:
    file = print_svg(
        '<text x="10" y="20">two <tspan font-weight="bold">bold</tspan>\n  words</text>'
        '<text y="40" x="10 20 30">abc</text><path id="p" d="M10 60H190"/>'
        '<text><textPath href="#p">along a road</textPath></text>'
        '<text y="80" stroke="white" stroke-width="3" paint-order="stroke">halo</text>'
        '<foreignObject width="100" height="20"><div>in <b>HTML</b></div></foreignObject>'
    )
    words = text_of(file)
    assert all(part in words for part in ("two bold words", "halo", "in HTML", "along a road", "abc"))


def test_drawing_in_other_scripts_counts_missing_letters(print_svg: Print) -> None:
    assert "[2×Cjk]" in text_of(print_svg('<text x="9" y="50">文字</text>'))


def test_pictures_inside_are_drawn_and_those_outside_are_not(print_svg: Print, tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.new("RGBA", (4, 4), (0, 200, 0, 255)).save(data, "PNG")
    (tmp_path / "p.png").write_bytes(data.getvalue())
    outside = f'<image width="200" height="100" href="{(tmp_path / "p.png").as_uri()}"/>'
    inside = f'<image width="200" height="100" href="data:image/png;base64,{b64encode(data.getvalue()).decode()}"/>'
    greens = [any(g > 150 > max(r, b) for r, g, b in colours_in(print_svg(image))) for image in (outside, inside)]
    assert greens == [False, True]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<rect", "cannot be read as SVG"),
        ("<g>" * 90 + "</g>" * 90, "80 levels"),
        ("<g/>" * 60_001, "30,000 elements"),
        (f"<text>{'word ' * 5_000}</text>", "20,000 characters"),
        (f'<path d="M0 0{" 1 1" * 400_000}"/>', "150,000 elements and steps"),
    ],
)
def test_drawing_over_a_limit_is_refused(content: str, reason: str) -> None:
    with pytest.raises((UnreadableSvg, BudgetExceeded), match=reason):
        SvgDrawing(read_svg(svg(content).encode()), "")


def test_refused_drawing_keeps_its_words(print_note: Print, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    file.write_text("<svg><style>.a{}</style><text>Salt &amp; Sand</text><g></svg>", encoding="utf-8")
    words = text_of(print_note("![[map.svg]]", image=lambda _: file))
    assert "[picture map.svg: cannot be read as SVG" in words
    assert words.split("Its words: ")[1].startswith("Salt & Sand]")


def test_entities_are_plain_words_or_refused() -> None:
    plain = b'<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"/>'
    assert read_svg(plain).tag == "svg"
    for entity in ('<!ENTITY a "&b;">', '<!ENTITY a SYSTEM "x">', '<!ENTITY % a "x">', f'<!ENTITY a "{"x" * 101}">'):
        with pytest.raises(UnreadableSvg, match="entities"):
            read_svg(f"<!DOCTYPE svg [{entity}]><svg/>".encode())


def test_reader_keeps_neither_scripts_nor_other_files() -> None:
    root = read_svg(
        b'<svg xmlns:i="x" onload="a()"><script>a()</script><i:data/><image href="http://x/a.png"/>'
        b'<use href="b.svg#c"/><image href="data:text/html,x"/><image href="data:image/svg+xml,x"/>'
        b'<a href="javascript:1"><rect/></a></svg>'
    )
    assert [e.tag for e in root.iter()] == ["svg", "image", "use", "image", "image", "a", "rect"]
    assert not any(e.get("href") for e in root.iter())
    assert root.attrib == {}


def test_deck_art_is_cropped_to_its_place(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    file.write_text(svg(""), encoding="utf-8")
    drawing = print_pictures.prepare(file, Fit(50, 100, cover=True), Theme())
    assert isinstance(drawing, SvgDrawing)
    assert (drawing.width, drawing.height, drawing.view.x) == (50, 100, 75)


@pytest.mark.parametrize(("opacity", "cmyk"), [("1", True), (".5", False), (".5", True)])
def test_print_shops_get_no_transparent_ink(tmp_path: Path, opacity: str, cmyk: bool) -> None:
    file = tmp_path / "a.svg"
    file.write_text(svg(f'<rect width="9" height="9" opacity="{opacity}"/>'), encoding="utf-8")
    picture = print_pictures.prepare(file, Fit(99, 99, tone=Tone(cmyk=cmyk)), Theme(cmyk=cmyk))
    assert isinstance(picture, SvgDrawing) is (opacity == "1" or not cmyk)


def test_filters_become_pixels_with_invisible_words(print_svg: Print, tmp_path: Path) -> None:
    file = print_svg(f'{FILTER}<text x="9" y="50">Fog</text>')
    assert "Fog" in text_of(file)
    assert len(list(PdfReader(file).pages[0].images)) == 1
    assert re.search(r"\b3 Tr\b", code_of(file))
    picture = print_pictures.prepare(tmp_path / "map.svg", PLACE, Theme())
    assert isinstance(picture, Picture)
    assert picture == print_pictures.prepare(tmp_path / "map.svg", PLACE, Theme())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<path d="M0 0a5 5 0 0110 0Z"/><text x="5">a<tspan font-weight="bold">b</tspan></text>', True),
        ('<g opacity="1.0"><line x2="9" stroke="hsl(9 50% 50%)" stroke-dasharray="5"/></g>', True),
        ('<text><tspan x="1">a</tspan><tspan x="1" dy="1em" text-anchor="end">b</tspan></text>', True),
        ('<rect width="9" height="9" rx="1" ry="2"/>', False),
        ('<rect width="9mm" height="9"/>', False),
        ('<g fill="url(#a)"><rect width="9" height="9"/></g>', False),
        ("<style>rect{mix-blend-mode:multiply}</style><rect width='9' height='9'/>", False),
        ('<g opacity=".5"><rect width="9" height="9"/></g>', False),
        ('<rect width="9" height="9" opacity=".5"/>', True),
        ('<rect width="9" height="9" opacity=".5" stroke="red"/>', False),
        ('<rect width="9" height="9" transform="skewX(5)"/>', False),
        ('<polygon points="1 2 3"/>', False),
        (f'<polygon points="{"1" * 9_000}x"/>', False),
        ('<path d="M0 0L5"/>', False),
        ('<path d="M0 0H9V9Z" stroke="red" stroke-miterlimit="9"/><path d="M0 0H9V9Z" stroke="red"/>', False),
        ('<text text-anchor="middle">a<tspan>b</tspan></text>', False),
        ('<text stroke="red">a</text>', False),
        ('<text><textPath href="#a">b</textPath></text>', False),
        ('<g id="a"/><use href="#a"/>', False),
        ('<path d="M0 0h1"/>' * 15_000, False),
    ],
)
def test_table_of_vectors(content: str, expected: bool) -> None:
    assert is_vector(read(content)) is expected


@pytest.mark.parametrize(
    "content",
    [
        '<g transform="scale(0)"><text>a</text></g>',
        "<g transform='scale(2)'>" * 30 + "<rect width='9' height='9'/>" + "</g>" * 30,
    ],
)
def test_drawing_that_fails_as_vectors_becomes_pixels(tmp_path: Path, content: str) -> None:
    file = tmp_path / "a.svg"
    file.write_text(svg(content), encoding="utf-8")
    assert isinstance(print_pictures.prepare(file, Fit(99, 99), Theme()), Picture)


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
def test_references_of_html_are_read_in_any_encoding(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + svg("<text>\u00d6l &frac12; &LT; &gt;</text>")
    assert SvgDrawing(read_svg(text.encode(encoding)), "key").words == "\u00d6l \u00bd < >"


def test_cropped_vectors_are_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.svg"
    file.write_text(svg('<path d="M0 0H99V9Z"/>'), encoding="utf-8")
    drawing = print_pictures.prepare(file, Fit(99, 99, cover=True), Theme())
    assert isinstance(drawing, SvgDrawing)
    monkeypatch.setattr(svg_painter, "can_draw", lambda *_, **__: pytest.fail("tried again"))
    canvas = Canvas(io.BytesIO())
    assert canvas.hasForm(svg_painter.embed_drawing(canvas, drawing, Glyphs(Theme()), words_only=False))


def test_strange_numbers_do_not_end_the_program(print_svg: Print) -> None:
    for number in ("", "x", "nan", "1e999", "-1e30", "50%", "1 2", "-5"):
        names = "x y width height r points d transform opacity fill-opacity stroke-width stroke-dasharray font-size"
        attributes = " ".join(f'{name}="{number}"' for name in names.split())
        assert "After." in text_of(print_svg(f"<rect {attributes}/><text {attributes} stroke='red'>a</text>"))


@pytest.mark.parametrize("limit", ["_TIMEOUT_SECONDS", "_MAX_CPU_SECONDS"])
def test_filter_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    file = tmp_path / "a.svg"
    file.write_text(
        svg(FILTER.replace("<feG", '<feTurbulence numOctaves="5000" baseFrequency=".1"/><feG').replace("9", "99"))
    )
    monkeypatch.setattr(svg_raster, limit, 2)
    monkeypatch.setattr(svg_raster, "_SLOW_DRAWINGS", slow := list[str]())
    with pytest.raises(UnusablePicture, match=r"takes too long to draw; save it as PNG"):
        print_pictures.prepare(file, PLACE, Theme())
    assert len(slow) == 1
    slow += slow * 2
    file.write_text(svg(FILTER))
    with pytest.raises(UnusablePicture, match=r"takes too long"):  # as three drawings did before
        print_pictures.prepare(file, Fit(99, 99), Theme())


def test_fonts_of_drawings_are_the_themes(print_svg: Print) -> None:
    families = ("", 'font-family="Helvetica"', 'font-family="Courier New" font-weight="bold"', 'font="9px Symbol"')
    texts = "".join(f'<text y="{9 * n}" {family}>Inn</text>' for n, family in enumerate(families, 1))
    for more in ("", FILTER):
        with pikepdf.open(print_svg(more + texts)) as pdf:
            fonts = {str(o.BaseFont) for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and "/BaseFont" in o}
        assert all(re.match(r"/[A-Z]{6}\+", font) for font in fonts), fonts


def test_inline_drawing_is_a_picture() -> None:
    note = 'a <svg width="9"><text>b</text></svg> c\n\n<div><svg>\n\n<g/>\n\n    <rect/>\n</svg> d</div>\n\ne\n'
    paragraph, *blocks = parse(note).children
    assert [node.kind for node in fold_line(paragraph.children)] == ["Text", "Image", "Text"]
    folded = fold_blocks(blocks)
    assert [node.kind for node in folded] == ["HtmlBlock", "Paragraph"]
    assert folded[0].children[0].text.count("<img src=") == 1


def test_drawings_in_html_are_replaced_whole() -> None:
    for html, rest in (
        ("a<svg><svg/><svg>x</svg></svg>b", "a|b"),
        ("<svg/><SVG >x</SVG >", "||"),
        ("a</svg>b", "a</svg>b"),
        ("a<svg>b", "a|"),
    ):
        assert re.sub("<img [^>]*>", "|", embed_drawings(html)) == rest


def test_inline_drawing_is_printed(print_note: Print) -> None:
    shapes = '<rect width="90" height="90"/>\n\n<text y="50">Inn&nbsp;</text>'
    file = print_note(f'Before.\n\n<svg width="90" height="90" fill="#f00">\n{shapes}\n</svg>\n\nAfter.')
    assert (255, 0, 0) in colours_in(file)
    assert "Before. Inn" in text_of(file)


@pytest.mark.parametrize("kind", ["png", "tiff"])
def test_data_uri_in_a_note_is_printed(print_note: Print, kind: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (90, 90), (0, 0, 255)).save(data, kind)
    uri = f"data:image/{kind};base64,{b64encode(data.getvalue()).decode()}"
    assert any(b > 200 > max(r, g) for r, g, b in colours_in(print_note(f'![]({uri})\n\n<img src="{uri}" width="90">')))


@pytest.mark.parametrize("kind", ["text/html", "image/x/../../a.png"])
def test_data_uri_of_another_kind_is_named(print_note: Print, kind: str) -> None:
    assert "[picture: of an unknown format]" in text_of(print_note(f"![](data:{kind},x)"))


def test_same_drawing_is_held_once(print_svg: Print) -> None:
    counts = []
    for embed in ("![[map.svg|90]]", "![[map.svg|90]]\n\n![[map.svg|90]]"):
        with pikepdf.open(print_svg("<rect width='90' height='90'/>", embed=embed)) as pdf:
            counts.append(sum(isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form" for o in pdf.objects))
    assert counts[0] == counts[1]


def test_invisible_parts_are_not_drawn(print_svg: Print) -> None:
    hidden = '<g display="none"><rect {0}/></g><rect {0} visibility="hidden"/><defs><rect {0}/></defs>'
    assert (255, 0, 0) not in colours_in(print_svg(hidden.format('width="90" height="90" fill="#f00"')))


def test_pale_words_on_a_dark_area_are_read_when_ink_is_saved(print_svg: Print) -> None:
    file = print_svg(
        '<rect width="200" height="100"/><text y="70" font-size="60" fill="#fff">Owl</text>',
        theme=Theme(ink_saver=True),
    )
    red, green, blue = min(colours_in(file), key=sum)
    assert max(red, green, blue) < 130


def test_icon_takes_its_own_colour_on_dark_paper(print_svg: Print) -> None:
    content = '<rect width="90" height="90" fill="currentColor"/>'
    for theme in (Theme(), Theme(name="dark")):
        code = theme.colour_code(INK) if theme.is_dark else "#000000"
        assert tuple(bytes.fromhex(code[1:])) in colours_in(print_svg(content, theme=theme))


def test_words_that_nobody_sees_are_not_in_the_file(print_svg: Print) -> None:
    hidden = ('display="none"', 'opacity="0"', 'visibility="hidden"', 'fill="none"', 'fill-opacity="0"', 'x="900"')
    texts = "".join(f'<text y="50" {attribute}>Secret{n}</text>' for n, attribute in enumerate(hidden))
    file = print_svg(
        f'{texts}<g display="none"><text>Secret</text></g><defs><text>Secret</text></defs><text y="9">Inn</text>'
    )
    assert "Inn" in text_of(file)
    assert "Secret" not in text_of(file)
    inner = (
        '<foreignObject><p style="display:none">Secret</p></foreignObject><text>Inn<tspan opacity="0">S</tspan></text>'
    )
    assert read(f'<g opacity="0"><text>Secret</text></g><text {hidden[0]}>Secret</text>{inner}').words == "Inn"


def test_players_copy_has_neither_titles_nor_words_of_missing_drawings() -> None:
    node = Node("Image", "map.svg", [Node("Text", "map.svg")], 1)
    nodes = replace_picture(node, UnusablePicture("cannot be read as SVG", "Secret"), nameless=True)
    assert "".join(part.words() for part in nodes) == "[picture: cannot be read as SVG]"
