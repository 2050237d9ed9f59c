"""P1 to P3 on real pages: boxes, marks, backs and rulers in the finished file."""

import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageOps

from tests.sheets.conftest import keep_pictures_in, text_of
from vaultkit.errors import InvalidError, NothingFound, UsageError
from vaultkit.sheets import printers
from vaultkit.sheets.cards.back import Back
from vaultkit.sheets.cards.card_sheet import card_sheet
from vaultkit.sheets.cards.deck_cards import choose_cards
from vaultkit.sheets.cards.deck_layout import DeckLayout
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.imposition import CARD_BLEED_UM
from vaultkit.sheets.paper import Box, Duplex, bounding_box
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.theme.back_design import BackDesign, load_back
from vaultkit.theme.design_loader import design_files
from vaultkit.theme.lengths import MM, points

DPI = 72
CARDS = [PrintableCard(f"Card {number}", rank=number) for number in range(1, 12)]


def print_cards(folder: Path, count: int = 11, back: Back | None = None, **layout: object) -> PrintedFile:
    return card_sheet(
        [*CARDS, PrintableCard("Card 12", rank=12)][:count],
        "Deck",
        PrintJob("a4", folder / "deck.pdf"),
        DeckLayout(**layout),  # type: ignore[arg-type]
        back=back or load_back("classic", None),
    )


def picture(path: Path, page: int, dpi: int = DPI) -> Image.Image:
    with pypdfium2.PdfDocument(path) as pdf:
        return pdf[page].render(scale=dpi / 72).to_pil().convert("L")


def has_ink(image: Image.Image, box: Box, dpi: int = DPI) -> bool:
    """Return whether anything is printed inside `box`, apart from a pixel at its edges.

    The box is in micrometres from the lower left corner.
    """
    scale = dpi / 25_400
    left, right = round(box.x * scale) + 1, round(box.right * scale) - 1
    top, bottom = image.height - round(box.top * scale) + 1, image.height - round(box.y * scale) - 1
    return bool(image.crop((left, top, right, bottom)).getextrema()[0] < 250)


def box_of(page: pikepdf.Page, name: str) -> list[float]:
    return [float(number) for number in page.obj[name]]


@pytest.mark.slow
@pytest.mark.parametrize("duplex", Duplex)
@pytest.mark.parametrize(("size", "bleed"), [("poker", None), ("mini", 1500), ("bridge", CARD_BLEED_UM)])
def test_p1_page_boxes_of_every_page(tmp_path: Path, duplex: Duplex, size: str, bleed: int | None) -> None:
    plan = DeckLayout(size, bleed=bleed, duplex=duplex).plan(PrintJob("a4", Path()))
    made = print_cards(tmp_path, count=2, size=size, bleed=bleed, duplex=duplex)
    with pikepdf.open(made.path) as pdf:
        for page in pdf.pages:
            media, outer, trim = (box_of(page, name) for name in ("/MediaBox", "/BleedBox", "/TrimBox"))
            assert media == pytest.approx([0, 0, points(plan.paper.width), points(plan.paper.height)], abs=0.02)
            assert trim == pytest.approx(plan.trim.corners, abs=0.02)
            assert all(a <= b + 0.001 for a, b in zip((*media[:2], *outer[:2]), (*outer[:2], *trim[:2]), strict=True))
            assert all(a >= b - 0.001 for a, b in zip((*media[2:], *outer[2:]), (*outer[2:], *trim[2:]), strict=True))


@pytest.mark.slow
def test_p1_marks_are_on_fronts_only_and_reach_the_edge(tmp_path: Path) -> None:
    made = print_cards(tmp_path, duplex=Duplex.LONG_EDGE)
    plan = DeckLayout(duplex=Duplex.LONG_EDGE).plan(PrintJob("a4", Path()))
    front, back = (picture(made.path, page, 300) for page in (0, 1))
    for cut in {slot.x for slot in plan.slots}:
        edge = Box(cut - 500, 0, 1000, 1000)
        assert has_ink(front, edge, 300)
        assert not has_ink(back, edge, 300)
    ring = Box(plan.bleed.x, plan.bleed.top, plan.bleed.width, 400)
    assert not has_ink(front, ring, 300)


def turn_image(image: Image.Image, duplex: Duplex, *, upright: bool) -> Image.Image:
    book = duplex is Duplex.TWO_PASS or (duplex is Duplex.LONG_EDGE) == upright
    return ImageOps.mirror(image) if book else ImageOps.flip(image)


@pytest.mark.slow
@pytest.mark.parametrize("duplex", [Duplex.LONG_EDGE, Duplex.SHORT_EDGE, Duplex.TWO_PASS])
@pytest.mark.parametrize("size", ["poker", "bridge"])
def test_p2_backs_are_behind_their_fronts_seen_through_the_sheet(tmp_path: Path, duplex: Duplex, size: str) -> None:
    """P2: on a sheet that is not full, too, the ink of the backs, turned over, is where the fronts are."""
    made = print_cards(tmp_path, count=12, duplex=duplex, size=size)
    plan = DeckLayout(size, duplex=duplex).plan(PrintJob("a4", Path()))
    assert made.pages == 4
    image = turn_image(picture(made.path, 3), duplex, upright=size == "poker")
    left = 12 - plan.per_sheet
    for place, slot in enumerate(plan.slots):
        assert has_ink(image, slot.inset(4 * MM)) == (place < left)
    fronts = text_of_pages(made.path)
    assert all("Print at 100 %" in page for page in fronts)
    assert [("backs" in page) for page in fronts] == (
        [False, False, True, True] if duplex is Duplex.TWO_PASS else [False, True, False, True]
    )


def text_of_pages(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.get_textpage().get_text_range() for page in pdf]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("duplex", "wanted"),
    [
        (Duplex.LONG_EDGE, "/DuplexFlipLongEdge"),
        (Duplex.SHORT_EDGE, "/DuplexFlipShortEdge"),
        (Duplex.TWO_PASS, "/Simplex"),
        (Duplex.FOLD, "/Simplex"),
    ],
)
def test_p3_viewer_gets_print_instructions(tmp_path: Path, duplex: Duplex, wanted: str) -> None:
    made = print_cards(tmp_path, count=1, duplex=duplex)
    with pikepdf.open(made.path) as pdf:
        preferences = pdf.Root.ViewerPreferences
        assert (preferences.PrintScaling, preferences.Duplex) == ("/None", wanted)
    assert made.remarks


@pytest.mark.short(1)
@pytest.mark.parametrize("count", [9, 10, 11])
def test_all_sheets_but_the_last_are_full(tmp_path: Path, count: int) -> None:
    pages = [
        len(re.findall(r"Card \d+", text))
        for text in text_of_pages(print_cards(tmp_path, count, duplex=Duplex.NONE).path)
    ]
    assert pages == {9: [9], 10: [9, 1], 11: [9, 2]}[count]


def test_p2_fold_mode_has_both_on_one_side(tmp_path: Path) -> None:
    made = print_cards(tmp_path, count=3, duplex=Duplex.FOLD)
    plan = DeckLayout(duplex=Duplex.FOLD).plan(PrintJob("a4", Path()))
    assert made.pages == 1
    image = picture(made.path, 0)
    for place, slot in enumerate(plan.back_slots):
        assert has_ink(image, slot.inset(4 * MM)) == (place < 3)


@pytest.mark.slow
def test_p2_the_saved_numbers_move_backs_and_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "printers.toml"
    monkeypatch.setattr(printers, "printers_file", lambda: file)
    for name, line in (("shifted", ""), ("scaled", "99mm")):
        printers.save_numbers(name, Duplex.LONG_EDGE, landscape=False, x="2mm", y="-1mm", angle=0, line=line)
    layout = {"duplex": Duplex.LONG_EDGE, "count": 9}
    made = {
        name: print_cards(tmp_path_of(tmp_path, name or "plain"), printer=name, **layout)  # type: ignore[arg-type]
        for name in ("", "shifted", "scaled")
    }
    plain, shifted, scaled = ([picture(one.path, page) for page in (0, 1)] for one in made.values())
    moved = round(2 / 25.4 * DPI), round(1 / 25.4 * DPI)
    assert ImageChops.difference(plain[0], shifted[0]).getbbox() is None
    assert (
        ImageChops.difference(ImageChops.offset(plain[1], *moved), shifted[1])
        .convert("L")
        .point(lambda value: 255 * (value > 200))
        .getbbox()
        is None
    )
    with pikepdf.open(made["shifted"].path) as pdf:
        plan = DeckLayout().plan(PrintJob("a4", Path()))
        trim = Box(plan.trim.x + 2 * MM, plan.trim.y - MM, plan.trim.width, plan.trim.height)
        assert box_of(pdf.pages[1], "/TrimBox") == pytest.approx(trim.corners, abs=0.02)
        assert box_of(pdf.pages[0], "/TrimBox") == pytest.approx(plan.trim.corners, abs=0.02)
    with pikepdf.open(made["scaled"].path) as pdf:
        left, _, right, _ = box_of(pdf.pages[0], "/TrimBox")
        assert (right - left) * 0.99 == pytest.approx(points(plan.trim.width), abs=0.02)
    assert ImageChops.difference(plain[0], scaled[0]).getbbox() is not None


def tmp_path_of(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


@pytest.mark.slow
@pytest.mark.parametrize("name", design_files("backs", None))
def test_p2_a_drawn_back_reads_the_same_from_both_ends(tmp_path: Path, name: str) -> None:
    made = print_cards(
        tmp_path, count=1, duplex=Duplex.LONG_EDGE, size="mini", bleed=CARD_BLEED_UM, back=load_back(name, None)
    )
    plan = DeckLayout("mini", bleed=CARD_BLEED_UM, duplex=Duplex.LONG_EDGE).plan(PrintJob("a4", Path()))
    image = picture(made.path, 1, 254)
    slot = plan.back_slots[0]
    near = slot.inset(-CARD_BLEED_UM)
    one = image.crop((near.x // 100, image.height - near.top // 100, near.right // 100, image.height - near.y // 100))
    one = one.crop(one.point(lambda value: 255 * (value < 200)).getbbox())
    seen = one.resize((44, 64), Image.Resampling.BOX)
    low, high = one.getextrema()
    assert sorted(ImageChops.difference(seen, seen.rotate(180)).tobytes())[-30] < 0.25 * (high - low)
    assert high - low > 60


@pytest.mark.parametrize("name", design_files("backs", None))
def test_p2_no_line_of_a_back_is_near_the_cut(name: str) -> None:
    design = load_back(name, None)
    assert all(line.inset * 0.8 >= 2500 for line in design.lines)


def test_p2_a_picture_fills_the_back_and_its_bleed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_pictures_in(tmp_path / "cache", monkeypatch)
    Image.new("RGB", (400, 300), "teal").save(tmp_path / "back.png")
    made = print_cards(tmp_path, count=9, duplex=Duplex.LONG_EDGE, back=tmp_path / "back.png")
    plan = DeckLayout(duplex=Duplex.LONG_EDGE).plan(PrintJob("a4", Path()))
    image = picture(made.path, 1)
    whole = bounding_box(plan.back_bleeds).inset(400)
    scale = DPI / 25_400
    seen = image.crop(
        (
            round(whole.x * scale) + 1,
            image.height - round(whole.top * scale) + 1,
            round(whole.right * scale) - 1,
            image.height - round(whole.y * scale) - 1,
        )
    )
    low, high = seen.getextrema()
    assert high - low < 12
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_p2_invalid_picture_is_an_error_and_gives_no_file(tmp_path: Path) -> None:
    (tmp_path / "back.png").write_bytes(b"no picture")
    with pytest.raises(InvalidError, match="back cannot be used"):
        print_cards(tmp_path, count=1, duplex=Duplex.LONG_EDGE, back=tmp_path / "back.png")
    assert not (tmp_path / "deck.pdf").exists()


def design(folder: Path, text: str) -> BackDesign:
    place = folder / ".vaultkit/print/backs"
    place.mkdir(parents=True)
    (place / "own.toml").write_text(text, encoding="utf-8")
    return load_back("own", folder)


GOOD = 'ground = "head"\n[pattern]\nsigns = ["stars"]\ncolour = "gold"\nsize = "4mm"\nstep = "8mm"\n'


def test_back_of_the_vault_is_used(tmp_path: Path) -> None:
    assert design(tmp_path, GOOD).pattern.signs == ("stars",)
    assert list(design_files("backs", tmp_path)) == ["astromancy", "classic", "decktet", "french52", "own", "tarokka"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (GOOD + 'shine = "yes"', "Accepted: signs, colour"),
        (GOOD.replace("head", "#ff0000"), "Accepted: paper, ink"),
        (GOOD.replace('["stars"]', "[]"), "signs ="),
        (GOOD.replace("stars", "staars"), "Did you mean 'stars'"),
        (
            GOOD + '[medallion]\nsign = "dicee"\nradius = "9mm"\ncolour = "gold"\nground = "head"',
            "Did you mean 'dice'?",
        ),
        (GOOD.replace("4mm", "900mm"), ""),
        (GOOD + '[[lines]]\ninset = "1mm"\nwidth = "0.4mm"\ncorner = "1mm"\ncolour = "gold"', ""),
    ],
)
def test_unusable_back_is_an_error(tmp_path: Path, text: str, hint: str) -> None:
    with pytest.raises(InvalidError) as caught:
        design(tmp_path, text)
    assert hint in caught.value.hint
    assert caught.value.where.startswith(".vaultkit/print/backs/own.toml")


def test_unknown_back_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        load_back("gone", None)
    assert "classic" in caught.value.hint


@pytest.mark.parametrize(
    ("options", "layout"),
    [
        ({}, DeckLayout()),
        ({"bleed": "per-card"}, DeckLayout(bleed=3175)),
        ({"bleed": "1.5mm", "margin": "0"}, DeckLayout(bleed=1500, margin=0)),
        ({"bleed": "outer"}, DeckLayout()),
        ({"back": "classic"}, DeckLayout(duplex=Duplex.LONG_EDGE, back="classic")),
        ({"back": "classic", "duplex": "Fold"}, DeckLayout(duplex=Duplex.FOLD, back="classic")),
    ],
)
def test_typed_layout_options_are_read(options: dict[str, str], layout: DeckLayout) -> None:
    assert DeckLayout.from_options("poker", **options) == layout  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options", [{"bleed": "wide"}, {"bleed": "40mm"}, {"margin": "-1mm"}, {"margin": "90mm"}, {"duplex": "both"}]
)
def test_invalid_layout_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        DeckLayout.from_options("poker", **options)  # type: ignore[arg-type]


def test_narrow_margin_is_reported(tmp_path: Path) -> None:
    assert DeckLayout(margin=4300).remarks == ()
    assert "4.3 mm" in DeckLayout(margin=4200).remarks[0]
    assert print_cards(tmp_path, count=1, margin=4200).remarks == DeckLayout(margin=4200).remarks


@pytest.mark.parametrize(
    ("wanted", "titles"),
    [
        ("", [f"Card {n}" for n in range(1, 12)]),
        ("card 3", ["Card 3"]),
        ("2x Card 1, the card 2", ["Card 1", "Card 1", "Card 2"]),
        ("10-11, 1", ["Card 10", "Card 11", "Card 1"]),
        ("2 × 4-5", ["Card 4", "Card 5"] * 2),
    ],
)
def test_only_selected_cards_are_printed(wanted: str, titles: list[str]) -> None:
    assert [card.title for card in choose_cards(CARDS, wanted)] == titles


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ("Caird 3", NothingFound),
        ("12", NothingFound),
        pytest.param("9" * 5_000, NothingFound, id="figures without end"),
        ("3-2", NothingFound),
        ("0x Card 1", UsageError),
        (",", NothingFound),
    ],
)
def test_missing_cards_are_reported(wanted: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        choose_cards(CARDS, wanted)


def test_deck_of_one_card_and_of_many(tmp_path: Path) -> None:
    assert print_cards(tmp_path, count=1, duplex=Duplex.LONG_EDGE).pages == 2
    assert "Card 1" in text_of(tmp_path / "deck.pdf")
