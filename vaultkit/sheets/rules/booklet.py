"""Booklets to fold: notes on small pages, which are placed on large sheets so that they are in order after folding."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import msgspec

from vaultkit import files
from vaultkit.errors import UsageError
from vaultkit.sheets.paper import Box, ReadingPlan, Segment, Size, load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile, PrintJob
from vaultkit.sheets.pdf.output_file import IS_DRY_RUN, Metadata, seal, sibling_path, temporary_files, write_file
from vaultkit.sheets.rules.chapter import chapters_of
from vaultkit.sheets.rules.front_matter import TitleBlock
from vaultkit.sheets.rules.rule_sheet import joint_title, print_chapters
from vaultkit.sheets.secrecy import add_counts
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM, points
from vaultkit.theme.model import Theme
from vaultkit.vault import Note, Vault

Fold = Literal["half", "quarter"]
Edge = Literal["long", "short"]
FOLD_MARK_LENGTH_UM = 8 * MM
"""The length of a fold mark from the edge, which exceeds the unprintable margin but does not reach the text."""
_PAGES_PER_FOLIO = 4


_MARGINS = {"half": (14 * MM, 14 * MM), "quarter": (10 * MM, 12 * MM)}
"""The side margins and the top and bottom margins of a small page."""
SPARE_PAGE_TITLE = "Notes"
_LINE_HEIGHT, _RULE_WIDTH_PT = 8 * MM, 0.5
"""The distance of lines to write on in micrometres, and their width in points."""


class Mark(Segment, frozen=True):
    """A line that shows where to fold or to cut."""

    kind: Literal["fold", "cut"]


class Placement(msgspec.Struct, frozen=True):
    """A page of the booklet, numbered from 1, and its place on a side of a sheet; `is_rotated` means by 180 degrees."""

    page: int
    box: Box
    is_rotated: bool = False


@dataclass(frozen=True)
class BookletPlan:
    """The imposition of a saddle-stitched booklet: a side of a sheet holds two `half` or four `quarter` pages.

    The sheets are stacked, stitched and folded. For quarter pages the stack is first cut across, and its upper half is
    laid on the lower one. `flip` is the edge of the upright paper over which the printer turns the sheet; None means
    `natural_flip`.
    """

    paper: Size
    fold: Fold = "half"
    flip: Edge | None = None

    @cached_property
    def page(self) -> Size:
        """The size of an upright page of the booklet."""
        if self.fold == "half":
            return Size(f"half of {self.paper.name}", self.paper.height // 2, self.paper.width)
        return Size(f"quarter of {self.paper.name}", self.paper.width // 2, self.paper.height // 2)

    @cached_property
    def sheet(self) -> Size:
        """The size of the paper in the orientation in which it is printed: turned by 90 degrees for half pages."""
        return self.paper.on_its_side if self.fold == "half" else self.paper

    @property
    def per_sheet(self) -> int:
        """The number of booklet pages on both sides of a sheet."""
        return _PAGES_PER_FOLIO * self._rows

    @property
    def _rows(self) -> int:
        return 1 if self.fold == "half" else 2

    @property
    def natural_flip(self) -> Edge:
        """The edge along the fold; if sheets are turned over it, both sides are the same way up."""
        return "short" if self.fold == "half" else "long"

    @property
    def chosen_flip(self) -> Edge:
        return self.flip or self.natural_flip

    def count_sheets(self, page_count: int) -> int:
        """Return the number of sheets for a booklet with a number of pages; remaining places stay blank."""
        return max(1, -(-page_count // self.per_sheet))

    def arrange_sides(self, page_count: int) -> tuple[tuple[Placement, ...], ...]:
        """Return the pages on each side, in printing order: front and back of the first sheet, then of the second."""
        sheet_count = self.count_sheets(page_count)
        last_page = sheet_count * self.per_sheet
        all_sides = []
        for sheet in range(sheet_count):
            folios = [sheet + row * sheet_count for row in range(self._rows)]
            all_sides.append(self._place_pages([(last_page - 2 * n, 1 + 2 * n) for n in folios], back=False))
            all_sides.append(self._place_pages([(2 + 2 * n, last_page - 1 - 2 * n) for n in folios], back=True))
        return tuple(all_sides)

    def _place_pages(self, pairs: list[tuple[int, int]], *, back: bool) -> tuple[Placement, ...]:
        is_rotated = back and self.chosen_flip != self.natural_flip
        return tuple(
            Placement(page, self._page_box(row, column, is_rotated=is_rotated), is_rotated)
            for row, pair in enumerate(pairs)
            for column, page in enumerate(pair)
        )

    def _page_box(self, row: int, column: int, *, is_rotated: bool) -> Box:
        """Return the box of a page; rows count from the top, and `is_rotated` rotates the whole side by 180 degrees."""
        width, height = self.page.width, self.page.height
        box = Box(column * width, (self._rows - 1 - row) * height, width, height)
        if not is_rotated:
            return box
        return Box(self.sheet.width - box.right, self.sheet.height - box.top, width, height)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Short lines at the edges of the paper, for the fold and for the cut of quarter pages."""
        width, height, fold_x = self.sheet.width, self.sheet.height, self.page.width
        far_y = height - FOLD_MARK_LENGTH_UM
        marks = [Mark(fold_x, 0, fold_x, FOLD_MARK_LENGTH_UM, "fold"), Mark(fold_x, far_y, fold_x, height, "fold")]
        if self.fold == "quarter":
            cut_y = self.page.height
            far_x = width - FOLD_MARK_LENGTH_UM
            marks += [Mark(0, cut_y, FOLD_MARK_LENGTH_UM, cut_y, "cut"), Mark(far_x, cut_y, width, cut_y, "cut")]
        return tuple(marks)


_FOLDED_SIZES = ((1, "half"), (2, "quarter"))


def plan_booklet(name: str, paper: Size, flip: Edge | None = None, papers: Iterable[str] = ()) -> BookletPlan:
    """Return the plan of a booklet by the name of its page size: `half`, `quarter`, `half-letter`, or `a5` on A4.

    The name of the paper stands for half of it. Raises UsageError if there is no such size: it lists the sizes for the
    paper, and names one of `papers` that can be folded to it.
    """
    folds = _find_folds(paper.name)
    fold = folds.get(name.lower())
    if fold is None:
        problem = f"A booklet of '{name}' cannot be folded from {paper.name} paper."
        sizes = ", ".join(size for size in folds if size != paper.name)
        other_paper = next((other for other in papers if name.lower() in _find_folds(other)), "")
        hint = f" Or with other paper in the printer: --booklet {name} --paper {other_paper}" if other_paper else ""
        raise UsageError(problem, hint=f"Write --booklet with one of: {sizes}.{hint}")
    return BookletPlan(paper, fold, flip)


def _find_folds(paper: str) -> dict[str, Fold]:
    """Return how each size of a booklet is folded from paper of the given name."""
    is_iso = paper[:1] == "a" and paper[1:].isdigit()
    half, quarter = (f"a{int(paper[1:]) + step}" if is_iso else f"{word}-{paper}" for step, word in _FOLDED_SIZES)
    return {"half": "half", "quarter": "quarter", half: "half", quarter: "quarter", paper: "half"}


def print_booklet(
    notes: Sequence[Note], vault: Vault, size: str, job: PrintJob, *, flip: Edge | None = None, accessible: bool = True
) -> tuple[PrintedFile, ...]:
    """Print notes as a booklet to fold; `accessible` adds a tagged file with the same pages in reading order.

    The second file is called `<name>-pages.pdf`. `size` names the size of the folded pages: `a5`, `a6`, `half-letter`
    and so on. Raises UsageError for a size that the paper cannot be folded to.
    """
    chapters, remarks = chapters_of(notes, vault, job)
    stock = load_stock(job.theme.vault)
    plan = plan_booklet(size, stock.paper(job.paper), flip, stock.papers)
    side, above = _MARGINS[plan.fold]
    page_layout = ReadingPlan(plan.page, 1, side=side, above=above, below=above)
    spare = ruled_page(page_layout, job.theme)
    with TemporaryDirectory() as folder:
        is_kept, place = accessible and not IS_DRY_RUN.get(), sibling_path(job.out, "pages")
        out = place if is_kept else Path(folder) / "pages.pdf"
        with nullcontext() if is_kept else temporary_files():
            reading_file = print_chapters(chapters, page_layout, replace(job, out=out), covered=True)
        impose_pages(reading_file.path, plan, job.out, title=joint_title(chapters), theme=job.theme, spare=spare)
    remarks = (how_to_fold(plan), *remarks, *reading_file.remarks)
    left_out = add_counts([reading_file.left_out, {"note": len(notes) - len(chapters)}])
    pages, sheets = 2 * plan.count_sheets(reading_file.pages), reading_file.sheets
    booklet = PrintedFile(job.out, pages, sheets, reading_file.missing, remarks, left_out)
    return (booklet, replace(reading_file, path=place)) if accessible else (booklet,)


def how_to_fold(plan: BookletPlan) -> str:
    """Return instructions for printing and folding, in one or two sentences."""
    printing = f"Print on both sides at 100 %, turned over the {plan.chosen_flip} edge of the paper."
    if plan.fold == "half":
        return f"{printing} Stack the sheets as they come, fold them with page 1 outside, and staple along the fold."
    cut = "Cut the stack across, page 1 up, lay the upper half on the lower one"
    return f"{printing} {cut}, fold with page 1 outside, and staple along the fold."


def ruled_page(plan: ReadingPlan, theme: Theme) -> bytearray:
    """Return a PDF of one page with lines to write on."""
    document = Document(SPARE_PAGE_TITLE, "", plan.paper, theme, tagged=False)
    title = TitleBlock(SPARE_PAGE_TITLE, None, plan, document)
    title.draw(document, document.structure)
    x, bottom, width, _ = plan.body.points
    document.canvas.pen(look.LINE, _RULE_WIDTH_PT)
    for number in range(int((title.bottom - bottom) / points(_LINE_HEIGHT)) + 1):
        y = title.bottom - number * points(_LINE_HEIGHT)
        document.canvas.line(x, y, x + width, y)
    document.end_page()
    return document.finish()


def impose_pages(source: Path, plan: BookletPlan, out: Path, *, title: str, theme: Theme, spare: bytearray) -> None:
    """Write the pages of the PDF `source` to `out` in the order and at the places of `plan`.

    Every place that is left empty gets the page of the PDF `spare`, so that it does not look like an error. The sheets
    hold images of the pages: without structure, links or fields.
    """
    import pikepdf

    source_data = BytesIO(files.read(source, files.OUTPUT_BYTES))
    with pikepdf.open(source_data) as source_pdf, pikepdf.open(BytesIO(spare)) as spare_pdf, pikepdf.new() as output:
        forms = [output.copy_foreign(_page_as_form(page)) for page in source_pdf.pages]
        ruled = output.copy_foreign(_page_as_form(spare_pdf.pages[0]))
        size = points(plan.sheet.width), points(plan.sheet.height)
        for side in plan.arrange_sides(len(forms)):
            output.add_blank_page(page_size=size)
            places = ((placement, min(placement.page - 1, len(forms))) for placement in side)
            forms_on_side = {f"/P{placement.page}": ([*forms, ruled][at], placement) for placement, at in places}
            _draw_sheet(output, forms_on_side, plan, theme)
        edge = "Short" if plan.chosen_flip == "short" else "Long"
        output.Root.ViewerPreferences = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"), Duplex=pikepdf.Name(f"/DuplexFlip{edge}Edge"), DisplayDocTitle=True
        )
        _add_metadata(output, Metadata(title, f"A booklet to fold, {plan.page.name}", tagged=False))
        data = BytesIO()
        streams = pikepdf.ObjectStreamMode.generate
        output.save(data, min_version="1.7", deterministic_id=True, object_stream_mode=streams)
    write_file(out, seal(bytearray(data.getvalue())))


def _add_metadata(pdf: Any, metadata: Metadata) -> None:
    import pikepdf

    info = {f"/{key}": pikepdf.String(value) for key, value in metadata.info.items()}
    pdf.trailer.Info = pdf.make_indirect(pikepdf.Dictionary(info))
    packet = pdf.make_stream(metadata.packet())
    packet.Type, packet.Subtype = pikepdf.Name.Metadata, pikepdf.Name.XML
    pdf.Root.Metadata, pdf.Root.Lang = packet, pikepdf.String(metadata.language)


def _page_as_form(page: Any) -> Any:
    """Return the page as a form XObject, without the keys that make it part of a structure."""
    form = page.as_form_xobject()
    for key in ("/StructParents", "/Group"):
        if key in form:
            del form[key]
    return form


def _draw_sheet(output: Any, placed_forms: dict[str, tuple[Any, Placement]], plan: BookletPlan, theme: Theme) -> None:
    """Draw pages at their places on the page last added to `output`, one side of a sheet, with fold and cut marks."""
    import pikepdf

    page = output.pages[-1]
    forms = {name: form for name, (form, _) in placed_forms.items()}
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(forms))
    pages = [f"q {_matrix(placement)} cm {name} Do Q" for name, (_, placement) in placed_forms.items()]
    code = [*pages, _marks(plan, theme)] if theme.is_paper_printed else [_marks(plan, theme), *pages]
    page.Contents = output.make_stream("\n".join(code).encode("ascii"))


def _matrix(placement: Placement) -> str:
    """Return the transformation that moves a page to its place, rotated by 180 degrees if the placement is turned."""
    box = placement.box
    if placement.is_rotated:
        return f"-1 0 0 -1 {points(box.right):.4f} {points(box.top):.4f}"
    return f"1 0 0 1 {points(box.x):.4f} {points(box.y):.4f}"


def _marks(plan: BookletPlan, theme: Theme) -> str:
    """Return the operators of dashed lines to fold along and solid lines to cut along.

    They are to be drawn before the pages, so that text covers them, or after pages with painted paper, which would hide
    them.
    """
    ink = " ".join(f"{part:.3f}" for part in theme.colour(look.MUTED).rgb())
    return "\n".join(["q", f"{ink} RG 0.4 w", *(_mark_operators(mark) for mark in plan.marks), "Q"])


def _mark_operators(mark: Mark) -> str:
    """Return the operators that draw one mark."""
    ends = [f"{value:.4f}" for value in mark.points]
    dash = "[3 2] 0 d" if mark.kind == "fold" else "[] 0 d"
    return f"{dash} {ends[0]} {ends[1]} m {ends[2]} {ends[3]} l S"
