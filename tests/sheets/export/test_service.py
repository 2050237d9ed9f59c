"""Files for print services (P13), and the results of their preflight."""

import ctypes
import re
import shutil
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from msgspec import structs
from PIL import Image
from pypdfium2 import raw

from tests.sheets.conftest import text_of
from vaultkit.compendium import Compendium
from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.sheets.cards.deck_cards import deck_set
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.export.print_service import ServiceExport, export_set
from vaultkit.sheets.export.service_pages import (
    PreflightCheck,
    ServicePages,
    preflight,
    service_pages,
)
from vaultkit.sheets.export.vendor import load_vendor
from vaultkit.theme.back_design import load_back
from vaultkit.theme.design_loader import design_files
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault

SERVICES = ("drivethru", "gamecrafter", "makeplayingcards")
PIXELS = {"drivethru": (825, 1125), "gamecrafter": (825, 1125), "makeplayingcards": (822, 1122)}
DECK = """---
vaultkit-deck: omens
---

| Name | Rank | Suits |
|------|------|-------|
| Raven | 1 | Swords |
| Königin | 2 | Swords |
"""


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    root = tmp_path_factory.mktemp("vault")
    (root / ".vaultkit").mkdir()
    (root / "Omens.md").write_text(DECK, encoding="utf-8")
    return Vault(root)


def export(vault: Vault, name: str, out: Path) -> ServiceExport:
    vendor = load_vendor(name, None)
    theme = Theme(vault.root, cmyk=vendor.inks == "cmyk")
    return export_set(deck_set(Compendium(vault).deck("omens"), vault), vault, vendor, out=out, theme=theme)


def find_check(checks: list[PreflightCheck], name: str) -> PreflightCheck:
    return next(check for check in checks if check.name == name)


def pages(tmp_path: Path, name: str, art: tuple[int, int] | None = None, **theme: bool) -> ServicePages:
    """Return two cards for a print service, with art of a size in pixels."""
    image = None
    if art is not None:
        image = tmp_path / "art.png"
        Image.radial_gradient("L").resize(art).convert("RGB").save(image)
    cards = [PrintableCard(title, "Suns", "suns", 2, "Light.", image) for title in ("Dawn", "Dusk")]
    vendor = load_vendor(name, None)
    return service_pages(cards, load_back("classic", None), vendor, title="D", theme=Theme(**theme))


def test_every_service_is_tested() -> None:
    assert list(design_files("vendors", None)) == list(SERVICES)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gamecrafter", pytest.param("makeplayingcards", marks=pytest.mark.slow)])
def test_p13_one_picture_per_card(vault: Vault, tmp_path: Path, name: str) -> None:
    made = export(vault, name, tmp_path / "out")
    assert made.is_accepted
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["001-raven.png", "002-konigin.png", "back.png"]
    for file in made.files:
        with Image.open(file) as image:
            assert (image.size, image.mode) == (PIXELS[name], "RGB")
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    with Image.open(tmp_path / "out" / "back.png") as back:
        assert (255, 255, 255) not in [back.getpixel(corner) for corner in ((0, 0), (821, 0), (0, 1121), (821, 1121))]


@pytest.mark.slow
def test_p13_one_pdf_with_backs_first_in_cmyk_only(vault: Vault, tmp_path: Path) -> None:
    made = export(vault, "drivethru", tmp_path / "out.pdf")
    assert [check.name for check in made.checks if not check.ok] == ["standard"], made.checks
    with pikepdf.open(made.place) as pdf:
        assert [tuple(map(float, page.mediabox)) for page in pdf.pages] == [(0, 0, 198, 270)] * 4
        trim = tuple(map(float, pdf.pages[0].trimbox))
        assert trim == pytest.approx((9, 9, 189, 261), abs=0.03)
    assert text_of(made.place).index("Raven") < text_of(made.place).index("Königin")
    assert find_check(list(made.checks), "inks").detail.endswith("240 % allowed")


@pytest.mark.slow
def test_p13_pictures_are_cmyk_and_within_ink_limits(tmp_path: Path) -> None:
    made = pages(tmp_path, "drivethru", (900, 900), cmyk=True)
    vendor = load_vendor("drivethru", None)
    assert find_check(preflight(made, vendor, {vendor.pixels}), "inks").ok
    with pikepdf.open(BytesIO(made.pdf)) as pdf:
        kinds = {str(item.ColorSpace) for item in pdf.objects if isinstance(item, pikepdf.Stream) and "/Width" in item}
    assert kinds == {"/DeviceCMYK"}


@pytest.mark.slow
def test_preflight_finds_colours_that_are_not_cmyk(tmp_path: Path) -> None:
    vendor = load_vendor("drivethru", None)
    checks = preflight(pages(tmp_path, "drivethru"), vendor, {vendor.pixels})
    assert not find_check(checks, "inks").ok
    checks = preflight(pages(tmp_path, "drivethru", cmyk=True), structs.replace(vendor, most_ink=50), {vendor.pixels})
    assert not find_check(checks, "inks").ok


@pytest.mark.slow
def test_preflight_finds_text_near_the_cut(tmp_path: Path) -> None:
    vendor = load_vendor("gamecrafter", None)
    made = pages(tmp_path, "gamecrafter")
    assert find_check(preflight(made, vendor, {vendor.pixels}), "words").ok
    strict = structs.replace(vendor, safe=12_000)
    check = find_check(preflight(made, strict, {vendor.pixels}), "words")
    assert not check.ok
    assert "Dawn" in check.detail


def test_the_preflight_finds_wrong_sizes_and_order(tmp_path: Path) -> None:
    vendor = load_vendor("gamecrafter", None)
    made = pages(tmp_path, "gamecrafter")
    assert not find_check(preflight(made, vendor, {(825, 1126)}), "size").ok
    assert not find_check(preflight(replace(made, backs=()), vendor, {vendor.pixels}), "order").ok


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("service", "art", "ok", "needed"),
    [
        ("drivethru", (200, 200), False, True),
        ("gamecrafter", (60, 60), False, True),
        pytest.param("gamecrafter", (500, 500), False, False, marks=pytest.mark.slow),
        pytest.param("makeplayingcards", (900, 900), True, False, marks=pytest.mark.slow),
    ],
)
def test_pictures_below_150_dpi_are_refused_with_card_file_and_pixels(
    tmp_path: Path, service: str, art: tuple[int, int], ok: bool, needed: bool
) -> None:
    vendor = load_vendor(service, None)
    made = pages(tmp_path, service, art, cmyk=vendor.inks == "cmyk")
    check = find_check(preflight(made, vendor, {vendor.pixels}), "pictures")
    assert (check.ok, check.needed) == (ok, needed)
    if not ok:
        assert ("Dawn, art.png: " in check.detail and "fewer than 150 dpi" in check.detail) or not needed
        dpi, width = map(int, re.findall(r"art.png: (\d+) dpi \(300 dpi are (\d+) x", check.detail)[0])
        assert width == pytest.approx(art[0] * 300 / dpi, rel=0.02)


def fills_of_words(pdf: bytes) -> set[tuple[float, ...]]:
    """Return the fill colours of letters that pypdfium2 finds, as red, green and blue."""
    document = pypdfium2.PdfDocument(pdf)
    colours = set()
    for page in document:
        for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
            parts = [ctypes.c_uint() for _ in range(4)]
            assert raw.FPDFPageObj_GetFillColor(item.raw, *parts)
            colours.add(tuple(part.value for part in parts[:3]))
    document.close()
    return colours


@pytest.mark.slow
def test_black_letters_use_black_ink_only(tmp_path: Path) -> None:
    made, vendor = pages(tmp_path, "drivethru", cmyk=True), load_vendor("drivethru", None)
    assert find_check(preflight(made, vendor, {vendor.pixels}), "black").ok
    dark = [colour for colour in fills_of_words(made.pdf) if max(colour) < 128 and max(colour) - min(colour) < 30]
    assert dark, "there are black letters"
    assert all(max(colour) - min(colour) <= 6 for colour in dark), dark


@pytest.mark.short(1)
@pytest.mark.parametrize("rich", ["0.6 0.4 0.4 1 k", "q 0.1 0.1 0.1 0.9 k"])
def test_letters_in_several_inks_that_look_black_are_refused(tmp_path: Path, rich: str) -> None:
    made, vendor = pages(tmp_path, "drivethru", cmyk=True), load_vendor("drivethru", None)
    with pikepdf.open(BytesIO(made.pdf)) as pdf:
        pdf.pages[1].contents_add(f"BT {rich} /F1 9 Tf (Raven) Tj ET".encode())
        buffer = BytesIO()
        pdf.save(buffer)
    check = find_check(preflight(replace(made, pdf=buffer.getvalue()), vendor, {vendor.pixels}), "black")
    assert not check.ok and check.needed and "several inks" in check.detail


def test_service_that_needs_pdf_x_is_refused_with_the_missing_parts(vault: Vault, tmp_path: Path) -> None:
    made = export(vault, "drivethru", tmp_path / "out.pdf")
    assert not made.is_accepted
    (reason,) = made.reasons
    assert reason.startswith("DriveThruCards accepts only PDF/X-1a:2003, and this file is not: no mark of PDF/X")
    assert "no output intent" in reason and "Convert it before you upload it" in reason


def test_parts_that_the_standard_needs_are_missing(tmp_path: Path) -> None:
    with pikepdf.open(BytesIO(pages(tmp_path, "drivethru", cmyk=True).pdf)) as pdf:
        assert pdf.pdf_version == "1.7"
        assert not {"/GTS_PDFXVersion", "/Trapped"} & pdf.docinfo.keys()
        assert "/OutputIntents" not in pdf.Root


@pytest.mark.slow
def test_foreign_files_stay_and_our_old_ones_are_removed(vault: Vault, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = export(vault, "makeplayingcards", out)
    (out / "notes.png").write_bytes(b"mine")
    shutil.copy(first.files[0], out / "099-gone.png")
    export(vault, "makeplayingcards", out)
    assert {file.name for file in out.iterdir()} == {"001-raven.png", "002-konigin.png", "back.png", "notes.png"}
    (out / "back.png").write_bytes(b"mine")
    with pytest.raises(WriteError, match="not made by vaultkit"):
        export(vault, "makeplayingcards", out)
    assert (out / "back.png").read_bytes() == b"mine"


@pytest.mark.slow
def test_same_deck_gives_the_same_pictures(vault: Vault, tmp_path: Path) -> None:
    one, two = (export(vault, "gamecrafter", tmp_path / name) for name in ("a", "b"))
    assert [file.read_bytes() for file in one.files] == [file.read_bytes() for file in two.files]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('files = "png"', 'files = "gif"', "'files' cannot be 'gif'"),
        ("dpi = 300", "dpi = 0", "'dpi' must be a whole number"),
        ("pixels = [825, 1125]", "pixels = [825]", "'pixels' must be a list of 2"),
        ("pixels = [825, 1125]", "pixels = [825, 99999999]", "'pixels' must be"),
        ('card = ["2.5in", "3.5in"]', 'card = ["5in", "3.5in"]', "larger than its picture"),
        ("dpi = 300", "dots = 300", "Unknown key 'dots'"),
    ],
)
def test_unusable_profile_is_refused_with_the_reason(tmp_path: Path, old: str, new: str, message: str) -> None:
    folder = tmp_path / ".vaultkit" / "print" / "vendors"
    folder.mkdir(parents=True)
    shipped = (Path(__file__).parents[3] / "print" / "vendors" / "gamecrafter.toml").read_text(encoding="utf-8")
    assert old in shipped
    (folder / "gamecrafter.toml").write_text(shipped.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidError, match=message):
        load_vendor("gamecrafter", tmp_path)


def test_unknown_service_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        load_vendor("lulu", None)
    assert "drivethru, gamecrafter, makeplayingcards" in caught.value.hint
