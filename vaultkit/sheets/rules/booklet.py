"""Booklets to fold: notes on small pages, imposed on sheets in the order that folding requires."""

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from vaultkit import files
from vaultkit.sheets.geometry.paper import ReadingPlan, load_stock
from vaultkit.sheets.geometry.saddle_stitch import BookletPlan, Edge, Mark, Placement, plan_booklet
from vaultkit.sheets.pdf.document import Document, PrintedFile, PrintJob
from vaultkit.sheets.pdf.metadata import Metadata
from vaultkit.sheets.pdf.output_file import sibling_path, write_file
from vaultkit.sheets.rules.chapter import chapters_of
from vaultkit.sheets.rules.rule_sheet import joint_title, print_chapters
from vaultkit.sheets.rules.title import TitleBlock
from vaultkit.sheets.secrecy import add_counts
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM, points
from vaultkit.theme.model import Theme
from vaultkit.vault import Note, Vault

_MARGINS = {"half": (14 * MM, 14 * MM), "quarter": (10 * MM, 12 * MM)}
"""The side margins and the top and bottom margins of a small page."""
SPARE_PAGE_TITLE = "Notes"
_LINE_HEIGHT, _RULE_WIDTH_PT = 8 * MM, 0.5
"""The distance of lines to write on in micrometres, and their width in points."""


def print_booklet(
    notes: Sequence[Note], vault: Vault, size: str, job: PrintJob, *, flip: Edge | None = None, accessible: bool = True
) -> tuple[PrintedFile, ...]:
    """Print notes as a booklet to fold; `accessible` adds a tagged file with the same pages in reading order.

    The second file is called `<name>-pages.pdf`. `size` names the size of the folded pages: `a5`, `a6`, `half-letter`
    and so on. Raises UsageError for a size that the paper cannot be folded to.
    """
    chapters, remarks = chapters_of(notes, vault, job)
    plan = plan_booklet(size, load_stock(job.theme.vault).paper(job.paper), flip)
    side, above = _MARGINS[plan.fold]
    page_layout = ReadingPlan(plan.page, 1, side=side, above=above, below=above)
    spare = ruled_page(page_layout, job.theme)
    with TemporaryDirectory() as folder:
        place = sibling_path(job.out, "pages") if accessible else Path(folder) / "pages.pdf"
        reading_file = print_chapters(chapters, page_layout, replace(job, out=place), covered=True)
        impose_pages(reading_file.path, plan, job.out, title=joint_title(chapters), theme=job.theme, spare=spare)
    remarks = (how_to_fold(plan), *remarks, *reading_file.remarks)
    left_out = add_counts([reading_file.left_out, {"note": len(notes) - len(chapters)}])
    booklet = PrintedFile(
        job.out, 2 * plan.count_sheets(reading_file.pages), reading_file.sheets, reading_file.missing, remarks, left_out
    )
    return (booklet, reading_file) if accessible else (booklet,)


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

    from vaultkit.sheets.pdf.postprocess import finish_pdf

    source_data = BytesIO(files.read(source, files.MAX_OWN_OUTPUT_BYTES))
    with pikepdf.open(source_data) as source_pdf, pikepdf.open(BytesIO(spare)) as spare_pdf, pikepdf.new() as output:
        forms = [output.copy_foreign(_page_as_form(page)) for page in source_pdf.pages]
        ruled = output.copy_foreign(_page_as_form(spare_pdf.pages[0]))
        size = points(plan.sheet.width), points(plan.sheet.height)
        for side in plan.arrange_sides(len(forms)):
            output.add_blank_page(page_size=size)
            forms_on_side = {
                f"/P{placement.page}": ([*forms, ruled][min(placement.page - 1, len(forms))], placement)
                for placement in side
            }
            _draw_sheet(output, forms_on_side, plan, theme)
        edge = "Short" if plan.chosen_flip == "short" else "Long"
        output.Root.ViewerPreferences = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"), Duplex=pikepdf.Name(f"/DuplexFlip{edge}Edge"), DisplayDocTitle=True
        )
        data = BytesIO()
        output.save(data, static_id=True)
    write_file(out, finish_pdf(data.getvalue(), Metadata(title, f"A booklet to fold, {plan.page.name}", tagged=False)))


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
    page.Resources = pikepdf.Dictionary(
        XObject=pikepdf.Dictionary({name: form for name, (form, _) in placed_forms.items()})
    )
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
