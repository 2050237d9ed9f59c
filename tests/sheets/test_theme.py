"""Themes and their modes: valid values, printing in grey, and saving ink (P11)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from PIL import Image

from tests.sheets.conftest import print_text
from tests.sheets.kinds import reference_input
from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets.cards.card_sheet import card_sheet
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.reference_sheet import print_reference
from vaultkit.sheets.scoresheets.score_sheet import print_scores
from vaultkit.theme import colour
from vaultkit.theme import model as look
from vaultkit.theme.design_loader import design_files
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import Theme

THEMES = sorted(design_files("themes", None))
MODES = [{}, {"ink_saver": True}, {"grey": True}, {"ink_saver": True, "grey": True}]
GROUNDS = (look.PAPER, look.PANEL, look.PANEL_DARK, look.MARK)
NOTE = "> [!note] Watch\n> Words in a callout.\n\n| A | B |\n|---|---|\n| one | two |\n\nA ==mark== and `code`.\n"
KINDS = ("cards", "pictures", "rules", "scores")
WORDS = "Deal six cards to each player. The highest card *leads*, the others **follow**.\n\n" * 12


def make_sheet(kind: str, folder: Path, theme: Theme) -> Path:
    """Make a sheet of a kind that uses all its colours and pictures."""
    out = folder / f"{kind}-{theme.name}-{theme.ink_saver}-{theme.grey}.pdf"
    if kind == "scores":
        return print_scores("dragon-citadel", PrintJob("a4", out, theme)).path
    if kind == "reference":
        return print_reference(*reference_input("prophets-gambit"), PrintJob("a4", out, theme)).path
    if kind in {"rules", "words"}:
        return print_text(NOTE if kind == "rules" else WORDS, out=out, theme=theme).path
    art = folder / "art.png"
    if not art.exists():
        picture = Image.new("RGB", (300, 300), "#204080")
        picture.paste("#e0c020", (60, 60, 240, 240))
        picture.save(art)
    image = art if kind == "pictures" else None
    deck = [PrintableCard(f"Card {n}", "Suns", "suns", n, "Light.", image) for n in range(1, 10)]
    return card_sheet(deck, "Deck", PrintJob("a4", out, theme)).path


MODES_BY_NAME = {"": Theme(), "grey": Theme(grey=True), "ink": Theme(ink_saver=True)}
Sheets = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Sheets:
    """Return a function that makes a sheet once for all tests, by its kind and mode: plain, grey or ink-saving."""
    folder = tmp_path_factory.mktemp("sheets")
    return cache(lambda kind, mode: make_sheet(kind, folder, MODES_BY_NAME[mode]))


def darkness(page: pypdfium2.PdfPage) -> float:
    """Return how much ink a page takes, from 0 to 1."""
    counts = page.render(scale=3).to_pil().convert("L").histogram()
    return sum(count * (255 - shade) for shade, count in enumerate(counts)) / 255 / sum(counts)


def ink_beside_words(path: Path) -> float:
    """Return how much ink a page takes apart from words, from 0 to 1."""
    document = pypdfium2.PdfDocument(path)
    page = document[0]
    whole = darkness(page)
    for item in list(page.get_objects(max_depth=1)):
        if item.type != pdfium.FPDF_PAGEOBJ_TEXT:
            page.remove_obj(item)
    page.gen_content()
    words = darkness(page)
    document.close()
    return whole - words


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_p11_ink_saver_omits_most_graphics(sheets: Sheets, kind: str) -> None:
    plain, saved = ink_beside_words(sheets(kind, "")), ink_beside_words(sheets(kind, "ink"))
    assert saved < 0.4 * plain


def ink(path: Path) -> float:
    """Return how much ink the pages take on average, from 0 to 1."""
    document = pypdfium2.PdfDocument(path)
    found = [darkness(page) for page in document]
    document.close()
    return sum(found) / len(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, "reference"])
def test_p11_the_ink_saver_takes_less_than_40_percent_of_the_ink(sheets: Sheets, kind: str) -> None:
    assert ink(sheets(kind, "ink")) < 0.4 * ink(sheets(kind, ""))


@pytest.mark.slow
def test_p11_page_of_text_only_uses_less_than_70_percent(sheets: Sheets) -> None:
    """P11: a page of words, which has no fills to leave out, takes less than 70 percent of the ink."""
    assert ink(sheets("words", "ink")) < 0.7 * ink(sheets("words", ""))


@pytest.mark.short(1)
@pytest.mark.parametrize("name", THEMES)
def test_p11_running_text_has_a_contrast_of_6_with_the_ink_saver(name: str) -> None:
    theme = Theme(None, name, ink_saver=True)
    assert 6.0 <= colour.contrast(theme.colour_code(look.INK), theme.colour_code(look.PAPER)) < 7.0


def test_p11_ink_saver_halves_lines_but_not_to_hairlines() -> None:
    assert [Theme(ink_saver=True).stroke_width(width) for width in (0.2, 0.3, 0.5, 1.1)] == [0.2, 0.3, 0.4, 0.55]
    assert Theme().stroke_width(0.5) == 0.5


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind in ("pictures", "rules") else pytest.mark.slow) for kind in KINDS]
)
def test_p11_grey_sheet_contains_no_colour(sheets: Sheets, kind: str) -> None:
    assert saturation(sheets(kind, "")) > 40
    assert saturation(sheets(kind, "grey")) == 0


def pixel(path: Path, x: float, y: float) -> str:
    """Return the colour of the first page at a place, given from 0 to 1 from its upper left corner."""
    document = pypdfium2.PdfDocument(path)
    picture = document[0].render(scale=1).to_pil().convert("RGB")
    document.close()
    red, green, blue = picture.getpixel((int(x * (picture.width - 1)), int(y * (picture.height - 1))))
    return f"#{red:02x}{green:02x}{blue:02x}"


@pytest.mark.short(1)
@pytest.mark.parametrize("name", ["dark", "parchment"])
def test_paper_of_a_theme_is_painted_except_beside_cards_or_with_the_ink_saver(name: str, tmp_path: Path) -> None:
    theme = Theme(None, name)
    paper = theme.colour_code(look.PAPER)
    assert paper != "#ffffff"
    rules, cards = make_sheet("rules", tmp_path, theme), make_sheet("cards", tmp_path, theme)
    assert [pixel(rules, x, y) for x in (0, 1) for y in (0, 1)] == [paper] * 4
    assert [pixel(cards, 0.01, 0.01), pixel(cards, 0.056, 0.5)] == ["#ffffff", paper]
    assert pixel(make_sheet("rules", tmp_path, Theme(None, name, ink_saver=True)), 0, 0) == "#ffffff"


def saturation(path: Path) -> int:
    """Return the saturation of the most colourful pixel, from 0 to 255."""
    document = pypdfium2.PdfDocument(path)
    strength = document[0].render(scale=1).to_pil().convert("RGB").convert("HSV").getchannel("S")
    document.close()
    return int(strength.getextrema()[1])


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", THEMES)
def test_text_has_contrast_on_every_background(name: str, mode: dict[str, bool]) -> None:
    theme = Theme(None, name, **mode)
    suits = [role for role in look._printed_palette(None, name, False, False) if role.startswith("suit:")]
    assert len(suits) > 15
    for role in (look.INK, look.MUTED, look.ACCENT, look.LINK, *suits):
        for ground in GROUNDS:
            assert colour.contrast(theme.colour_code(role), theme.colour_code(ground)) >= 4.5, (role, ground)
    assert colour.contrast(theme.colour_code(look.ON_HEAD), theme.colour_code(look.HEAD)) >= 4.5


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", THEMES)
def test_shipped_themes_give_no_remark(name: str, mode: dict[str, bool]) -> None:
    assert look.theme_remarks(Theme(None, name, **mode)) == ()


def test_p11_ink_saver_uses_light_titles_except_in_large_print() -> None:
    worn = [
        Theme(ink_saver=True, **mode).resolve_face(look.TITLE_BOLD)
        for mode in ({}, {"large": True}, {"easy_read": True})
    ]
    assert worn == [look.TITLE, look.BOLD, look.BOX_BOLD]


@pytest.mark.parametrize("grey", [False, True])
@pytest.mark.parametrize("name", THEMES)
def test_gilt_has_contrast_on_a_grey_back_too(name: str, grey: bool) -> None:
    theme = Theme(None, name, grey=grey)
    assert colour.contrast(theme.colour_code(look.GILT), theme.colour_code(look.HEAD)) >= 3.9


def test_colour_is_darkened_or_lightened_no_more_than_needed() -> None:
    for code in ("#1f1a17", "#7b1e22", "#000000"):
        assert 4.5 <= colour.contrast(colour.fade(code, "#ffffff", 4.5), "#ffffff") < 4.6
    assert colour.fade("#cccccc", "#ffffff", 4.5) == "#cccccc"
    assert 4.0 <= colour.contrast(colour.lighten("#a67c1e", "#7b1e22", 4.0), "#7b1e22") < 4.1
    assert colour.lighten("#a67c1e", "#ffffff", 4.0) == "#a67c1e"
    assert colour.lighten("#777777", "#777777", 15) == "#ffffff"


def test_grey_has_the_luminance_of_its_colour() -> None:
    assert colour.grey_of("#ff0000") == "#7f7f7f"
    assert colour.grey_of("#336699") == "#636363"
    for code in ("#7b1e22", "#1d4468", "#fbe7a1"):
        assert colour.luminance(colour.grey_of(code)) == pytest.approx(colour.luminance(code), abs=0.005)


def test_contrast_matches_the_standard() -> None:
    assert colour.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert colour.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


COLOURS = ["#000000", "#ffffff", "#7b1e22", "#00ff7f", "#123456", "#808080"]


@pytest.mark.parametrize("code", COLOURS)
def test_p13_overprinted_inks_look_like_the_colour(code: str) -> None:
    cyan, magenta, yellow, black = colour.inks_of(code)
    back = "#" + "".join(f"{round(255 * (1 - ink) * (1 - black)):02x}" for ink in (cyan, magenta, yellow))
    assert back == code
    assert min(cyan, magenta, yellow) == 0


@pytest.mark.parametrize("code", [*COLOURS, "#200010", "#400008"])
def test_p13_ink_limit_is_never_exceeded_in_drawings_and_pictures(code: str) -> None:
    inks = colour.inks_of(code)
    assert sum(inks) <= colour.MAX_INK_COVERAGE_RATIO + 1e-9
    pixel = colour.to_cmyk(Image.new("RGB", (1, 1), code)).getpixel((0, 0))
    assert pixel == pytest.approx([255 * ink for ink in inks], abs=1.5)


@pytest.mark.parametrize(("code", "black"), [("#010000", 1), ("#0a0a00", 1), ("#1f1a17", 1), ("#5d5348", 0.67)])
def test_p13_black_and_dark_grey_use_black_ink_only(code: str, black: float) -> None:
    """P13: black and dark grey are drawn in black alone, but not in pictures, whose shadows keep their colours."""
    assert colour.inks_of(code) == pytest.approx((0, 0, 0, black), abs=0.01)
    assert max(colour.to_cmyk(Image.new("RGB", (1, 1), code)).getpixel((0, 0))[:3]) > 0


def test_large_print_has_no_italics_and_no_words_in_capitals() -> None:
    theme = Theme(large=True)
    assert (theme.body_text_size, theme.min_text_size) == (16, 16)
    assert theme.resolve_face(look.ITALIC) == look.TEXT
    assert theme.resolve_face(look.TITLE_BOLD) == look.BOLD
    assert theme.style().fontSize == 16


def test_easy_reading_uses_one_font_family_and_still_shows_missing_characters() -> None:
    glyphs = Glyphs(Theme(easy_read=True))
    assert [name for name, _ in glyphs.split_runs("Raven", look.ITALIC)] == [look.BOX]
    assert [name for name, _ in glyphs.split_runs("Raven", look.TITLE_BOLD)] == [look.BOX_BOLD]
    faces = [name for name, _ in glyphs.split_runs("Ж⚔", look.TEXT)]
    assert look.BOX not in faces
    assert not glyphs.missing


def test_unknown_theme_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        Theme(None, "clasic").colour_code(look.INK)
    assert "classic, dark, forest, parchment" in caught.value.hint


def test_theme_of_a_vault_is_used(tmp_path: Path) -> None:
    folder = tmp_path / ".vaultkit" / "print" / "themes"
    folder.mkdir(parents=True)
    shipped = design_files("themes", None)["classic"].read_text(encoding="utf-8")
    (folder / "mine.toml").write_text(shipped.replace('ink = "#1f1a17"', 'ink = "#000080"'), encoding="utf-8")
    assert Theme(tmp_path, "mine").colour_code(look.INK) == "#000080"
    (folder / "bad.toml").write_text(shipped.replace('"#1f1a17"', '"navy"', 1), encoding="utf-8")
    with pytest.raises(InvalidError, match="'ink' is not a colour") as caught:
        Theme(tmp_path, "bad").colour_code(look.INK)
    assert caught.value.where == ".vaultkit/print/themes/bad.toml"


def test_hard_to_read_text_of_a_theme_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / ".vaultkit" / "print" / "themes"
    folder.mkdir(parents=True)
    shipped = design_files("themes", None)["classic"].read_text(encoding="utf-8")
    pale = shipped.replace('muted = "#5d5348"', 'muted = "#999999"').replace(
        'on-head = "#ffffff"', 'on-head = "#1f1a17"'
    )
    (folder / "pale.toml").write_text(pale, encoding="utf-8")
    assert look.find_faint_texts(Theme(tmp_path, "pale")) == ("muted on panel-dark 2.1", "on-head on head 1.6")
