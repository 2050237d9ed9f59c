"""Pages for a print service, with one card and its bleed on each, and preflight checks of them.

The checks read the finished PDF and do not rely on the code that drew it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain
from math import ceil
from typing import Any

import pikepdf

from vaultkit.sheets.cards.back import Back, BackPainter
from vaultkit.sheets.cards.card_painter import CardPainter
from vaultkit.sheets.cards.card_sheet import describe_unusable_pictures, fit_deck
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.export.vendor import Vendor
from vaultkit.sheets.pdf.document import Document
from vaultkit.theme.colour import MAX_DARK_PART, MAX_NEAR_GREY_DIFFERENCE
from vaultkit.theme.model import Theme

_SAFE_LINE_TOLERANCE_PT = 0.05
"""The distance in points by which a letter may leave the safe area without being reported."""
_COLOUR_OPERATORS = {"k", "K", "rg", "RG", "g", "G"}


@dataclass(frozen=True)
class ServicePages:
    """A PDF with one card on each page.

    `fronts` are pairs of a page index, from 0, and the title of the card on that page; `backs` are the indices of pages
    with a back. `missing` holds the characters that no font has. `art` maps the titles of cards to the names of their
    picture files. `remarks` are sentences for the person who sends the file.
    """

    pdf: bytes
    fronts: tuple[tuple[int, str], ...]
    backs: tuple[int, ...]
    missing: tuple[str, ...]
    art: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def service_pages(
    cards: Sequence[PrintableCard], back: Back, vendor: Vendor, *, title: str, theme: Theme
) -> ServicePages:
    """Return pages with one card on each.

    For a service that takes one PDF, a back precedes each front; for others, one back follows all fronts.
    """
    document = Document(title, f"Cards of {title} for {vendor.title}", vendor.page, theme, tagged=False)
    faces, painter = fit_deck(document, cards, vendor.size, title), CardPainter(document)
    painter.prepare_pictures(faces)
    back_painter = BackPainter(document, back, vendor.size, bleed=vendor.trim.x)
    trim, bleed = vendor.trim, vendor.page.box

    def end_page() -> int:
        document.set_page_boxes(trim, bleed)
        document.end_page()
        return document.pages - 1

    def draw_back() -> int:
        back_painter.draw(trim, bleed)
        return end_page()

    fronts, backs = [], []
    for face in faces:
        backs += [draw_back()] if vendor.files == "pdf" else []
        painter.draw(face, trim, bleed)
        fronts.append((end_page(), face.card.title))
    backs = backs or [draw_back()]
    missing = tuple(sorted(document.glyphs.missing))
    art = {card.title: card.image.name for card in cards if card.image}
    remarks = (*document.remarks, *describe_unusable_pictures(painter.unusable))
    return ServicePages(bytes(document.finish()), tuple(fronts), tuple(backs), missing, art, remarks)


@dataclass(frozen=True, slots=True)
class PreflightCheck:
    """The result of a check against a requirement of a print service, which rejects files that fail a `needed` one."""

    name: str
    ok: bool
    detail: str
    needed: bool = True


def preflight(card_pages: ServicePages, vendor: Vendor, pixel_sizes: set[tuple[int, int]]) -> list[PreflightCheck]:
    """Return the checks of the pages.

    `pixel_sizes` are the widths and heights in pixels of the picture files, or of the PDF's pages at the service's dpi.
    """
    import pypdfium2

    document = pypdfium2.PdfDocument(card_pages.pdf)
    try:
        unsafe_titles = [title for page, title in card_pages.fronts if _has_unsafe_text(document[page], vendor)]
        titled_pages = (*card_pages.fronts, *((page, "the back") for page in card_pages.backs[:1]))
        arts = ((document[page], title, card_pages.art.get(title, "")) for page, title in titled_pages)
        pictures = [picture for page, title, art in arts for picture in _find_pictures(page, title, art)]
    finally:
        document.close()
    checks = [
        _size_check(vendor, pixel_sizes),
        _order_check(card_pages, vendor),
        _safe_area_check(unsafe_titles, vendor),
        _ink_check(card_pages, vendor),
    ]
    return [*checks, _picture_check(pictures, vendor), *_pdf_checks(card_pages, vendor)]


def _pdf_checks(card_pages: ServicePages, vendor: Vendor) -> Iterator[PreflightCheck]:
    """Yield the checks that apply only to services which print our PDF as it is."""
    if vendor.files == "pdf" and vendor.inks == "cmyk":
        rich_blacks = sorted({ink for ink in _text_inks(card_pages.pdf) if _is_rich_black(ink)})
        listed = ", ".join("/".join(f"{round(100 * share)}" for share in ink) for ink in rich_blacks[:3])
        detail = "black text is only in black ink"
        if rich_blacks:
            detail = f"text in several inks, which blurs at the edges: {listed}"
        yield PreflightCheck("black", not rich_blacks, detail)
    if vendor.standard:
        beginning = f"{vendor.title} accepts only {vendor.standard}, and this file is not"
        yield PreflightCheck("standard", False, f"{beginning}: {_STANDARD_FAULTS}. {_CONVERSION_HINT}")


_STANDARD_FAULTS = (
    "no mark of PDF/X in its properties, no output intent that names the press, no word on trapping, PDF 1.7 instead "
    "of 1.4"
)
"""The reasons why a file of vaultkit is not PDF/X-1a."""
_CONVERSION_HINT = (
    "Convert it before you upload it: Acrobat Pro (Preflight, Convert to PDF/X-1a), or place its pages in Affinity "
    "Publisher or Scribus and export PDF/X-1a"
)


def _size_check(vendor: Vendor, pixel_sizes: set[tuple[int, int]]) -> PreflightCheck:
    listed = ", ".join(f"{width} x {height}" for width, height in sorted(pixel_sizes))
    words = f"{listed} pixels at {vendor.dpi} dpi, with the bleed"
    return PreflightCheck("size", pixel_sizes == {vendor.pixels}, words)


def _order_check(card_pages: ServicePages, vendor: Vendor) -> PreflightCheck:
    fronts, backs = [page for page, _ in card_pages.fronts], list(card_pages.backs)
    if vendor.files == "pdf":
        is_right = backs == list(range(0, 2 * len(fronts), 2)) and fronts == list(range(1, 2 * len(fronts), 2))
        return PreflightCheck("order", is_right, f"back, front, back, front: {len(fronts) + len(backs)} pages")
    return PreflightCheck("order", len(backs) == 1, f"{len(fronts)} fronts in the deck's order, and one back for all")


def _safe_area_check(unsafe_titles: list[str], vendor: Vendor) -> PreflightCheck:
    safe_area = f"{vendor.safe / 1000:.3g} mm inside the cut"
    if unsafe_titles:
        return PreflightCheck("words", False, f"not all {safe_area}: {', '.join(unsafe_titles[:5])}")
    return PreflightCheck("words", True, f"all {safe_area}")


def _ink_check(card_pages: ServicePages, vendor: Vendor) -> PreflightCheck:
    totals = list(_find_ink_totals(card_pages.pdf))
    if vendor.inks == "rgb":
        return PreflightCheck("inks", True, "RGB")
    max_total = round(max((total for total in totals if total is not None), default=0.0))
    has_other_colours = any(total is None for total in totals)
    is_right = not has_other_colours and (not vendor.most_ink or max_total <= vendor.most_ink)
    limit_text = f", {vendor.most_ink} % allowed" if vendor.most_ink else ""
    words = f"{'not all ' if has_other_colours else ''}CMYK, {max_total} % at most{limit_text}"
    return PreflightCheck("inks", is_right, words)


@dataclass(frozen=True, slots=True)
class PrintedPicture:
    """A printed picture: the title of its card, its file, its resolution, and its size in pixels."""

    title: str
    file: str
    dpi: float
    size: tuple[int, int]

    def describe(self, dpi: int) -> str:
        """Return a text with the resolution of the picture, and the pixels that it would need for `dpi`."""
        width, height = (ceil(pixels * dpi / self.dpi) for pixels in self.size)
        label = f"{self.title}, {self.file}" if self.file else self.title
        return f"{label}: {self.dpi:.0f} dpi ({dpi} dpi are {width} x {height} pixels)"


def _picture_check(all_pictures: Sequence[PrintedPicture], vendor: Vendor) -> PreflightCheck:
    # a picture is found several times on a page, because its mirrored edges fill the bleed
    by_width = sorted(all_pictures, key=lambda picture: -picture.size[0])
    distinct_pictures = {(picture.title, round(picture.dpi)): picture for picture in by_width}
    pictures = sorted(distinct_pictures.values(), key=lambda picture: (picture.dpi, picture.title))
    coarse = [picture for picture in pictures if picture.dpi < vendor.min_dpi - 1]
    soft = [picture for picture in pictures if picture.dpi < vendor.dpi - 1]
    if not pictures:
        return PreflightCheck("pictures", True, "none", needed=False)
    if not soft:
        return PreflightCheck("pictures", True, f"{len(pictures)}, all with {vendor.dpi} dpi or more", needed=False)
    listed = "; ".join(picture.describe(vendor.dpi) for picture in (coarse or soft)[:_MAX_LISTED_PICTURE_COUNT])
    ellipsis = "; ..." if len(coarse or soft) > _MAX_LISTED_PICTURE_COUNT else ""
    required_dpi, effect = (vendor.min_dpi, "would print in blocks") if coarse else (vendor.dpi, "may look soft")
    share = f"{len(coarse or soft)} of {len(pictures)}"
    detail = f"{share} have fewer than {required_dpi} dpi and {effect}: {listed}{ellipsis}"
    return PreflightCheck("pictures", False, detail, needed=bool(coarse))


def _has_unsafe_text(page: Any, vendor: Vendor) -> bool:
    """Return whether the page has text outside the safe area."""
    left, bottom, right, top = vendor.trim.inset(vendor.safe).corners
    text_page = page.get_textpage()
    boxes = [text_page.get_rect(number) for number in range(text_page.count_rects())]
    slack = _SAFE_LINE_TOLERANCE_PT
    left, bottom, right, top = left - slack, bottom - slack, right + slack, top + slack
    return any(x0 < left or y0 < bottom or x1 > right or y1 > top for x0, y0, x1, y1 in boxes)


def _find_pictures(page: Any, title: str, file: str) -> Iterator[PrintedPicture]:
    """Yield every picture on the page of a card; `file` is the name of the card's picture file."""
    import pypdfium2.raw as pdfium

    for item in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE]):
        facts = item.get_metadata()
        yield PrintedPicture(title, file, min(facts.horizontal_dpi, facts.vertical_dpi), (facts.width, facts.height))


Ink = tuple[float, float, float, float]


def _parse_content(document: pikepdf.Pdf) -> Iterator[Iterator[tuple[str, list[Any]]]]:
    """Yield the operators of each page and of each form, with their operands."""
    objects: Any = document.objects
    forms = [item for item in objects if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"]
    for source in (*document.pages, *forms):
        instructions: Any = pikepdf.parse_content_stream(source)
        yield ((str(each.operator), list(each.operands)) for each in instructions if hasattr(each, "operands"))


def _text_inks(pdf: bytes) -> Iterator[Ink]:
    """Yield the ink of each piece of text: cyan, magenta, yellow and black, from 0 to 1."""
    with pikepdf.open(BytesIO(pdf)) as document:
        for instructions in _parse_content(document):
            ink, saved_inks = _BLACK, list[Ink]()
            for operator, operands in instructions:
                if operator == "k":
                    cyan, magenta, yellow, black = map(float, operands)
                    ink = cyan, magenta, yellow, black
                elif operator in ("g", "rg"):
                    ink = _BLACK  # grey is black only; RGB is reported elsewhere
                elif operator == "q":
                    saved_inks.append(ink)
                elif operator == "Q" and saved_inks:
                    ink = saved_inks.pop()
                elif operator in _SHOW_OPERATORS:
                    yield ink


_BLACK: Ink = (0.0, 0.0, 0.0, 1.0)
_SHOW_OPERATORS = frozenset(("Tj", "TJ", "'", '"'))
_MAX_LISTED_PICTURE_COUNT = 5


def _is_rich_black(ink: Ink) -> bool:
    """Return whether an ink looks black or dark grey on paper but is not black alone."""
    *colours, black = ink
    brightness = [(1 - share) * (1 - black) for share in colours]
    low, high = min(brightness), max(brightness)
    return max(colours) > 0 and high < MAX_DARK_PART and high - low < MAX_NEAR_GREY_DIFFERENCE


def _find_ink_totals(pdf: bytes) -> Iterator[float | None]:
    """Yield the total ink of every colour on the pages in percent; None for a colour that is not CMYK or grey."""
    with pikepdf.open(BytesIO(pdf)) as document:
        for operator, operands in chain.from_iterable(_parse_content(document)):
            if operator in _COLOUR_OPERATORS:
                yield _ink_total([float(number) for number in operands])
        objects: Any = document.objects
        streams = (item for item in objects if isinstance(item, pikepdf.Stream))
        for image in (stream for stream in streams if stream.get("/Subtype") == "/Image"):
            yield _max_ink(image)


def _ink_total(operands: list[float]) -> float | None:
    if len(operands) == 1:
        return (1 - operands[0]) * 100
    return sum(operands) * 100 if len(operands) == 4 else None


def _max_ink(image: Any) -> float | None:
    """Return the highest total ink of any pixel in an image, in percent; None if the image is not CMYK."""
    from PIL import Image, ImageChops

    with Image.open(BytesIO(image.read_raw_bytes())) as picture:
        if picture.mode != "CMYK":
            return None
        cyan, magenta, yellow, black = picture.split()
    pairs = ImageChops.add(cyan, magenta, scale=2), ImageChops.add(yellow, black, scale=2)
    mean_ink: Any = ImageChops.add(*pairs, scale=2).getextrema()[1]
    return float(mean_ink) * 400 / 255
