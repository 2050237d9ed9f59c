"""The pages for a print service, one card on each, bleed and all; and a look at them: whether it will take them.

All is read back from the finished pages, not from the code that drew them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from vaultkit.look.theme import Theme
from vaultkit.sheets.cards.back import Back, BackPainter
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.card_sheet import fit_deck
from vaultkit.sheets.export.vendor import Vendor
from vaultkit.sheets.pdf.document import Document

_NEAR = 0.05
"""Points by which a letter may be over the line before that counts."""
_INKED = {"k", "K", "rg", "RG", "g", "G"}


@dataclass(frozen=True)
class ServicePages:
    """A PDF with one card a page. `fronts` are pairs of a page, from 0, and the title of the card on it."""

    pdf: bytes
    fronts: tuple[tuple[int, str], ...]
    backs: tuple[int, ...]
    missing: tuple[str, ...]


def service_pages(
    cards: Sequence[PrintableCard], back: Back, vendor: Vendor, *, title: str, theme: Theme
) -> ServicePages:
    """Draws every card on a page of its own.

    For a service that takes one PDF a back stands before each front, for others one back stands after all fronts.
    """
    document = Document(title, f"Cards of {title} for {vendor.title}", vendor.page, theme, tagged=False)
    faces, painter = fit_deck(document, cards, vendor.size, title)
    backs_of = BackPainter(document, back, vendor.size, bleed=vendor.trim.x)
    trim, bleed = vendor.trim, vendor.page.box

    def end_page() -> int:
        document.boxes(trim, bleed)
        document.end_page()
        return document.pages - 1

    def draw_back() -> int:
        backs_of.draw(trim, bleed)
        return end_page()

    fronts, backs = [], []
    for face in faces:
        backs += [draw_back()] if vendor.files == "pdf" else []
        painter.draw(face, trim, bleed)
        fronts.append((end_page(), face.card.title))
    backs = backs or [draw_back()]
    return ServicePages(bytes(document.finished()), tuple(fronts), tuple(backs), tuple(sorted(document.glyphs.missing)))


@dataclass(frozen=True, slots=True)
class PreflightCheck:
    """One thing that a print service asks for. `needed` says that it refuses what fails it."""

    name: str
    ok: bool
    detail: str
    needed: bool = True


def preflight(made: ServicePages, vendor: Vendor, sizes: set[tuple[int, int]]) -> list[PreflightCheck]:
    """The checks of `made`; `sizes` are the pixels of the files, or of the pages at the service's dpi."""
    import pypdfium2

    document = pypdfium2.PdfDocument(made.pdf)
    try:
        outside = [title for page, title in made.fronts if _leaves(document[page], vendor)]
        coarse = [(dpi, title) for page, title in made.fronts for dpi in _resolutions(document[page])]
    finally:
        document.close()
    order, inks, pictures = _order(made, vendor), _inks(made, vendor), _pictures(coarse, vendor)
    return [_pixels(vendor, sizes), order, _safe(outside, vendor), inks, pictures]


def _pixels(vendor: Vendor, sizes: set[tuple[int, int]]) -> PreflightCheck:
    listed = ", ".join(f"{width} x {height}" for width, height in sorted(sizes))
    return PreflightCheck("size", sizes == {vendor.pixels}, f"{listed} pixels at {vendor.dpi} dpi, with the bleed")


def _order(made: ServicePages, vendor: Vendor) -> PreflightCheck:
    fronts, backs = [page for page, _ in made.fronts], list(made.backs)
    if vendor.files == "pdf":
        right = backs == list(range(0, 2 * len(fronts), 2)) and fronts == list(range(1, 2 * len(fronts), 2))
        return PreflightCheck("order", right, f"back, front, back, front: {len(fronts) + len(backs)} pages")
    return PreflightCheck("order", len(backs) == 1, f"{len(fronts)} fronts in the deck's order, and one back for all")


def _safe(outside: list[str], vendor: Vendor) -> PreflightCheck:
    room = f"{vendor.safe / 1000:.3g} mm inside the cut"
    if outside:
        return PreflightCheck("words", False, f"not all {room}: {', '.join(outside[:5])}")
    return PreflightCheck("words", True, f"all {room}")


def _inks(made: ServicePages, vendor: Vendor) -> PreflightCheck:
    found = list(_inks_in(made.pdf))
    if vendor.inks == "rgb":
        return PreflightCheck("inks", True, "RGB")
    most = round(max((total for total in found if total is not None), default=0.0))
    mixed = any(total is None for total in found)
    right = not mixed and (not vendor.most_ink or most <= vendor.most_ink)
    limit = f", {vendor.most_ink} % allowed" if vendor.most_ink else ""
    return PreflightCheck("inks", right, f"{'not all ' if mixed else ''}CMYK, {most} % at most{limit}")


def _pictures(found: list[tuple[float, str]], vendor: Vendor) -> PreflightCheck:
    found = sorted({(round(dpi, 1), title) for dpi, title in found})  # in its bleed a picture stands again, mirrored
    coarse = [(dpi, title) for dpi, title in found if dpi < vendor.dpi - 1]
    if not found:
        return PreflightCheck("pictures", True, "none", needed=False)
    if not coarse:
        return PreflightCheck("pictures", True, f"{len(found)}, all with {vendor.dpi} dpi or more", needed=False)
    lowest = f"{coarse[0][0]:.0f} ({coarse[0][1]})"
    detail = f"{len(coarse)} of {len(found)} have fewer than {vendor.dpi} dpi, the lowest {lowest}: they may look soft"
    return PreflightCheck("pictures", False, detail, needed=False)


def _leaves(page: Any, vendor: Vendor) -> bool:
    """Whether a word on the page is nearer to the cut than it may be."""
    left, bottom, right, top = vendor.trim.inset(vendor.safe).corners
    words = page.get_textpage()
    boxes = [words.get_rect(number) for number in range(words.count_rects())]
    least, most = (left - _NEAR, bottom - _NEAR), (right + _NEAR, top + _NEAR)
    return any(box[0] < least[0] or box[1] < least[1] or box[2] > most[0] or box[3] > most[1] for box in boxes)


def _resolutions(page: Any) -> Iterator[float]:
    """The dots per inch of every picture on the page."""
    import pypdfium2.raw as pdfium

    for item in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE]):
        facts = item.get_metadata()
        yield min(facts.horizontal_dpi, facts.vertical_dpi)


def _inks_in(pdf: bytes) -> Iterator[float | None]:
    """The ink in percent of every colour on the pages; None for a colour that is not made of inks."""
    import pikepdf

    with pikepdf.open(BytesIO(pdf)) as document:
        streams = [item for item in document.objects if isinstance(item, pikepdf.Stream)]
        forms = [stream for stream in streams if stream.get("/Subtype") == "/Form"]
        sources: list[pikepdf.Page | pikepdf.Object] = [*document.pages, *forms]
        for source in sources:
            for step in pikepdf.parse_content_stream(source):
                if isinstance(step, pikepdf.ContentStreamInstruction) and str(step.operator) in _INKED:
                    yield _total([float(number) for number in step.operands])
        for image in (stream for stream in streams if stream.get("/Subtype") == "/Image"):
            yield _most_of(image)


def _total(numbers: list[float]) -> float | None:
    if len(numbers) == 1:
        return (1 - numbers[0]) * 100
    return sum(numbers) * 100 if len(numbers) == 4 else None


def _most_of(image: Any) -> float | None:
    """The most ink that one pixel of an image gets, in percent."""
    from PIL import Image, ImageChops

    with Image.open(BytesIO(image.read_raw_bytes())) as picture:
        if picture.mode != "CMYK":
            return None
        cyan, magenta, yellow, black = picture.split()
    pairs = ImageChops.add(cyan, magenta, scale=2), ImageChops.add(yellow, black, scale=2)
    quarter: Any = ImageChops.add(*pairs, scale=2).getextrema()[1]
    return float(quarter) * 400 / 255
