"""A vault's own fonts (`print/fonts.toml`): they are used and embedded, and an unusable one is one clear error."""

import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from tests.sheets.conftest import fonts_of, print_text, text_of
from vaultkit.errors import BudgetExceeded, InvalidError
from vaultkit.sheets.inventory import check_designs
from vaultkit.theme import bidi, design_loader, print_pictures
from vaultkit.theme import model as look
from vaultkit.theme.custom_fonts import check_font, find_family
from vaultkit.theme.font_registry import check_own_faces
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.image_transcoding import Picture
from vaultkit.theme.model import Theme

HEBREW = "\u05e9\u05dc\u05d5\u05dd"
RUNES = "\u16a0\u16a2\u16a6"
Own = Callable[..., Path]


def shipped_font(name: str) -> bytes:
    return design_loader.find(f"fonts/{name}.ttf", None).read_bytes()


def font_of(letters: str, name: str = look.TEXT) -> bytes:
    """Return a shipped font with these letters added, each of which looks like an A."""
    font, changed = TTFont(BytesIO(shipped_font(name))), BytesIO()
    for table in font["cmap"].tables:
        table.cmap |= dict.fromkeys(map(ord, letters), table.cmap[ord("A")])
    font.save(changed)
    return changed.getvalue()


@pytest.fixture
def write_fonts(tmp_path: Path) -> Own:
    """Return a function that writes fonts.toml and font files into a vault, and returns the vault."""

    def put(text: str, **fonts: bytes) -> Path:
        folder = tmp_path / "vault" / ".vaultkit" / "print"
        (folder / "fonts").mkdir(parents=True, exist_ok=True)
        (folder / "fonts.toml").write_text(text, encoding="utf-8")
        for name, content in fonts.items():
            (folder / "fonts" / f"{name}.ttf").write_bytes(content)
        return tmp_path / "vault"

    return put


def test_own_fonts_are_used_and_embedded_as_subsets(write_fonts: Own, tmp_path: Path) -> None:
    """A vault's fonts are used and embedded as subsets, even one whose internal name is that of a shipped font."""
    vault = write_fonts(
        'body = "Mine.ttf"\nmono = "My Code.ttf"\nfallback = ["Runes.ttf"]\n',
        **{"Mine": shipped_font(look.BOX), "My Code": shipped_font(look.TEXT), "Runes": font_of(RUNES)},
    )
    out = tmp_path / "own.pdf"
    made = print_text(f"Words and **bold** ones, `code`, {RUNES}. \u0416 is in ours.\n", out=out, theme=Theme(vault))
    fonts = fonts_of(out)
    assert f"Words and bold ones, code, {RUNES}. \u0416 is in ours." in text_of(out)
    assert {name.partition("+")[2] for name in fonts} >= {"Mine", "My_Code", "Runes", look.BOLD, look.TEXT}
    assert all(fonts.values()) and all("+" in name for name in fonts)
    assert not made.missing and out.stat().st_size < 150_000


@pytest.mark.parametrize(
    ("family", "styles_family"),
    [
        ("Zz", ""),
        ("Zz Medium", "Zz"),
        ("\u0410\u043b\u043b\u0435\u044f", ""),
        ("\u00c9lan", ""),
        ("1st, so 'it' is", ""),
    ],
)
def test_drawing_in_pixels_has_its_words_in_an_own_font(write_fonts: Own, family: str, styles_family: str) -> None:
    font, changed = TTFont(BytesIO(shipped_font(look.TEXT))), BytesIO()
    for table in font["cmap"].tables:
        table.cmap[ord("H")] = table.cmap[ord(".")]
    font["name"].setName(family, 1, 3, 1, 0x409)
    if styles_family:
        font["name"].setName(styles_family, 16, 3, 1, 0x409)
    font.save(changed)
    assert find_family(changed.getvalue()) == (styles_family or family)
    drawing = write_fonts('mono = "Own.ttf"\n', Own=changed.getvalue()) / "a.svg"
    drawing.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="50"><filter id="f"><feGaussianBlur/></filter>'
        '<rect filter="url(#f)"/><text font-family="monospace" y="40" font-size="40">HHH</text></svg>'
    )
    picture = print_pictures.prepare(drawing, Fit(90, 50), Theme(drawing.parent))
    assert isinstance(picture, Picture)
    with Image.open(picture.path) as image:
        upper, lower = (image.convert("L").crop(box).getextrema()[0] for box in ((0, 0, 90, 30), (0, 30, 90, 50)))
    assert upper > 200 and lower < 50


def test_family_of_a_font_with_names_for_mac_os_alone() -> None:
    font, changed = TTFont(BytesIO(shipped_font(look.TEXT))), BytesIO()
    font["name"].names = []
    font["name"].setName("\u00c9lan", 1, 1, 0, 0)
    font.save(changed)
    assert find_family(changed.getvalue()) == "\u00c9lan"


def test_easy_reading_keeps_its_font_and_large_print_uses_no_italics(write_fonts: Own) -> None:
    vault = write_fonts('body = "A.ttf"\nitalic = "B.ttf"\n', A=shipped_font(look.TEXT), B=shipped_font(look.ITALIC))
    assert Theme(vault).resolve_face(look.ITALIC) == "italic"
    assert Theme(vault, large=True).resolve_face(look.ITALIC) == "body"
    assert Theme(vault, easy_read=True).resolve_face(look.TEXT) == look.BOX


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("letters", "words"), [(HEBREW, "[4×Hebrew]"), ("\u0645\u0631", "[2×Arabic]"), ("\u4e2d", "[1×Cjk]")]
)
def test_scripts_are_counted_without_the_extra_even_if_a_font_has_them(
    write_fonts: Own, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letters: str, words: str
) -> None:
    monkeypatch.setattr(bidi, "find_spec", lambda _: None)
    bidi.can_shape.cache_clear()
    vault = write_fonts('body = "Body.ttf"\nfallback = ["More.ttf"]\n', Body=font_of(letters), More=font_of(letters))
    out = tmp_path / "counted.pdf"
    made = print_text(f"Before. {letters} After.\n", out=out, theme=Theme(vault))
    assert f"Before. {words} After." in text_of(out)
    assert set(made.missing) == set(letters)
    assert any("vaultkit-ttrpg[scripts]" in remark for remark in made.remarks)
    bidi.can_shape.cache_clear()


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('body = "Good.ttf"\nheads = "Good.ttf"\n', 2, "Unknown key 'heads'"),
        ('\nbody = "Gone.ttf"\n', 2, "no font 'Gone.ttf'"),
        ('# a\u2028b\nbody = "Gone.ttf"\n', 2, "no font 'Gone.ttf'"),
        ('body = "Good.ttf"\nfallback = [\n  "Good.ttf",\n  "Gone.ttf",\n]\n', 4, "no font 'Gone.ttf'"),
        ('body = "../fonts.toml"\n', 1, "not a name of a TrueType file"),
        ('mono = "Good.otf"\n', 1, "its outlines are CFF"),
        ("body = 1\n", 1, "'body' must be a text"),
        ('fallback = "Good.ttf"\n', 1, "'fallback' must be a list"),
        ('body = "Good.ttf"\nmono = "Cff.ttf"\n', 2, "CFF"),
        ('body = "Cut.ttf"\n', 1, "'Cut.ttf' cannot be used: it is damaged"),
        ('body = "Words.ttf"\n', 1, "it is not a TrueType file"),
    ],
)
def test_unusable_font_setting_is_one_error_with_file_and_line(
    write_fonts: Own, text: str, line: int, words: str
) -> None:
    good = shipped_font(look.MONO)
    vault = write_fonts(text, Good=good, Cff=b"OTTO" + good[4:], Cut=good[:30_000], Words=b"words")
    with pytest.raises(InvalidError) as error:
        check_own_faces(vault)
    assert words in error.value.message
    assert error.value.where == f".vaultkit/print/fonts.toml:{line}"
    assert words not in ("CFF", "its outlines are CFF") or "Noto Serif Hebrew" in error.value.hint
    assert not next(check.ok for check in check_designs(vault) if check.name == "print fonts")


def with_table(tag: str, content: bytes) -> bytes:
    """Return a shipped font with one of its tables replaced."""
    font, changed = TTFont(BytesIO(shipped_font(look.MONO))), BytesIO()
    font.save(changed)
    data = bytearray(changed.getvalue())
    place = data.index(tag.encode(), 12)
    data[place + 8 : place + 16] = struct.pack(">LL", len(data), len(content))
    return bytes(data) + content


def cmap(*content: int, kind: str) -> bytes:
    return struct.pack(">HHHHL", 0, 1, 3, 10, 12) + struct.pack(kind, *content)


HOSTILE = {
    "billions of letters": with_table("cmap", cmap(12, 0, 28, 0, 1, 0, 2**32 - 2, 0, kind=">HHLLLLLL")),
    "letters without end": with_table("cmap", cmap(10, 0, 20, 0, 0, 2**32 - 1, kind=">HHLLLL")),
    "segments one upon the other": with_table(
        "cmap", cmap(4, 0, 0, 2 * 30_000, 0, 0, 0, *[0xFFFF] * 30_000, 0, *[0] * 90_000, kind=">120008H")
    ),
    "a kind of the last century": with_table("cmap", cmap(2, 0, 0, kind=">HHH")),
    "no glyphs": with_table("maxp", struct.pack(">LH", 0x10000, 0)),
    "glyphs that end before they begin": with_table("loca", b"\xff\xff\0\0" * 5_000),
    "parts without end": with_table("glyf", b"\xff\xff" + b"\0" * 8 + b"\0\x20\0\0\0\0" * 60_000),
    "a size of nothing": with_table("head", b"\0" * 54),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_malicious_font_is_refused(data: bytes) -> None:
    with pytest.raises((ValueError, BudgetExceeded), match=r"damaged|outdated|more than 1,114,112 letters"):
        check_font(data)


def test_font_that_must_not_be_embedded_is_refused() -> None:
    font, changed = TTFont(BytesIO(shipped_font(look.MONO))), BytesIO()
    font["OS/2"].fsType = 2
    font.save(changed)
    with pytest.raises(ValueError, match="its maker"):
        check_font(changed.getvalue())
