"""Rule sheets: a note printed for reading at the table, or several notes in one file with contents."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from vaultkit.sheets.paper import ReadingPlan, load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile, PrintJob
from vaultkit.sheets.rules.book import Book, LaidChapter
from vaultkit.sheets.rules.chapter import Chapter, chapters_of
from vaultkit.sheets.rules.front_matter import ContentsPages
from vaultkit.sheets.secrecy import add_counts
from vaultkit.sheets.text.layout import TextPage, draw_page
from vaultkit.sheets.text.omissions import describe_omissions
from vaultkit.text import list_first, shorten_names
from vaultkit.theme.lengths import MM, points
from vaultkit.theme.model import Theme
from vaultkit.vault import Note, Vault

_MAX_PAGES_WITHOUT_CONTENTS = 8
"""The most pages of a single note that is printed without contents."""


def print_rules(
    notes: Note | Sequence[Note], vault: Vault, job: PrintJob, *, columns: int | None = None
) -> PrintedFile:
    """Print a note as a rule sheet, or several notes in one file with contents.

    `columns` is 1 or 2, or None for the theme's default. Raises InvalidError for an empty note.
    """
    notes = [notes] if isinstance(notes, Note) else notes
    chapters, remarks = chapters_of(notes, vault, job)
    sheet = print_chapters(chapters, reading_plan(job, columns), job)
    left_out = add_counts([sheet.left_out, {"note": len(notes) - len(chapters)}])
    return replace(sheet, remarks=(*remarks, *sheet.remarks), left_out=left_out)


def reading_plan(job: PrintJob, columns: int | None = None) -> ReadingPlan:
    """Return the layout of pages; if `columns` is None, there are two columns, or one in large print."""
    return ReadingPlan(load_stock(job.theme.vault).paper(job.paper), columns or (1 if job.theme.large else 2))


def print_chapters(
    chapters: Sequence[Chapter], plan: ReadingPlan, job: PrintJob, *, covered: bool = False, with_contents: bool = True
) -> PrintedFile:
    """Print notes, each starting on a new page.

    `with_contents`, several notes or a long one are preceded by contents, with a cover above them if `covered`.
    """
    subject = ", ".join(chapter.subject for chapter in chapters)
    document = Document(joint_title(chapters), subject, plan.paper, job.theme, language=chapters[0].language)
    book, contents = Book(chapters, plan, document), None
    if with_contents:
        laid_chapters, contents = _lay_out_with_contents(book, covered=covered)
    else:
        laid_chapters = book.lay_out()
    furniture = Furniture(document, plan, laid_chapters[-1].first + len(laid_chapters[-1].pages) - 1)
    if contents is not None:
        contents.draw(document, lambda number: furniture.draw_foot("", number))
    draw_chapters(document, laid_chapters, furniture)
    return document.save(job.out, tuple(chapter.title for chapter in chapters))


def _missing_picture_remarks(laid_chapters: Sequence[LaidChapter]) -> Iterator[str]:
    """Yield a sentence for each note that names pictures which the vault does not have."""
    chapters = (laid_chapter.draft.chapter for laid_chapter in laid_chapters)
    for chapter in (part for whole in chapters for part in whole.parts or (whole,)):
        if names := [*chapter.source.missing_pictures]:
            yield f"{chapter.path}: not found in the vault: {list_first(names, _MAX_NAMED_PICTURE_COUNT)}."


_MAX_NAMED_PICTURE_COUNT = 3
"""The maximum number of missing pictures that a sentence names."""


def count_pages(chapter: Chapter, plan: ReadingPlan, theme: Theme) -> int:
    """Return the number of pages that a note would take; nothing is written."""
    document = Document(chapter.title, "", plan.paper, theme)
    return len(Book([chapter], plan, document).lay_out()[0].pages)


def joint_title(chapters: Sequence[Chapter]) -> str:
    """Return the title of a file with one or more notes."""
    return shorten_names([chapter.title for chapter in chapters])


def _lay_out_with_contents(book: Book, *, covered: bool) -> tuple[list[LaidChapter], ContentsPages | None]:
    """Return the laid out notes and the contents; the contents are None for a short single note."""
    has_several_notes = len(book.chapters) > 1
    laid_chapters = book.lay_out(2 if has_several_notes else 1)
    if not has_several_notes and len(laid_chapters[0].pages) <= _MAX_PAGES_WITHOUT_CONTENTS:
        return laid_chapters, None
    contents = _make_contents(book, laid_chapters, covered=covered)
    first_page = len(contents.pages) + 1
    if laid_chapters[0].first != first_page:
        laid_chapters = book.lay_out(first_page)
        contents = _make_contents(book, laid_chapters, covered=covered)
    return laid_chapters, contents


def _make_contents(book: Book, chapters: Sequence[LaidChapter], *, covered: bool) -> ContentsPages:
    has_several_notes = len(chapters) > 1
    entries = [entry for chapter in chapters for entry in chapter.entries if has_several_notes or entry.level]
    title = joint_title(book.chapters)
    cover = title if covered else ""
    summary = "" if has_several_notes or covered else title
    min_level = 0 if has_several_notes or not entries else min(entry.level for entry in entries)
    return ContentsPages(entries, book.plan, book.document, about=summary, min_level=min_level, cover=cover)


class Furniture(msgspec.Struct, frozen=True):
    """The painter of head and foot lines; `last` is the number of the last page, or 0 to print no page numbers."""

    document: Document
    plan: ReadingPlan
    last: int = 0

    def draw_foot(self, left: str, number: int) -> None:
        """Draw the foot line of a page: a text at the left, and the page number."""
        y = points(self.plan.below - 5 * MM)
        self.document.draw_furniture(self.plan.body, left, f"{number} / {self.last}" if self.last else "", y=y)

    def draw_head(self, left: str) -> None:
        """Draw the head line of a page, a text at the left."""
        y = points(self.plan.paper.height - self.plan.above + 4 * MM)
        self.document.draw_furniture(self.plan.body, left, "", y=y)


def draw_chapters(document: Document, laid_chapters: Sequence[LaidChapter], furniture: Furniture) -> None:
    """Draw all notes, each starting on a new page."""
    document.note_secrets(
        add_counts(laid_chapter.secrets for laid_chapter in laid_chapters), laid_chapters[0].draft.chapter.secrets
    )
    omissions = describe_omissions(add_counts(laid_chapter.omitted for laid_chapter in laid_chapters))
    document.remarks += filter(None, [omissions])
    document.remarks += _missing_picture_remarks(laid_chapters)
    for laid_chapter in laid_chapters:
        section, draft = document.structure.add("Sect"), laid_chapter.draft
        for number, page in enumerate(laid_chapter.pages, laid_chapter.first):
            if number == laid_chapter.first:
                document.bookmark(draft.chapter.title, draft.key, 0)
                draft.title.draw(document, section)
            else:
                furniture.draw_head(draft.chapter.title)
            draw_page(document, page, section)
            _add_bookmarks(document, page)
            furniture.draw_foot(draft.chapter.footer, number)
            document.end_page()


def _add_bookmarks(document: Document, page: TextPage) -> None:
    for item in page.placed_blocks:
        if item.block.title:
            document.bookmark(item.block.title, item.block.key, max(item.block.level - 1, 1), item.top + 12)
        elif item.block.key:
            document.add_anchor(item.block.key, item.top + 12)
