"""Any note as a sheet to read at the table, or several in one file with their contents."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vaultkit.look.glyphs import Glyphs
from vaultkit.look.theme import CLASSIC, Theme
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.geometry.reading import ReadingPlan
from vaultkit.sheets.pdf.document import Document, PrintedFile
from vaultkit.sheets.rules.book import Book, Laid
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.rules.contents import Contents
from vaultkit.sheets.rules.drawing import Furniture, draw_notes

_LONG = 8
"""A single note of more pages has contents, too."""


def rule_sheet(
    note_text: str,
    *,
    title: str,
    source_path: str,
    paper: str,
    out: Path,
    cache: Path,
    columns: int | None = None,
    theme: Theme = CLASSIC,
    **ways: Any,
) -> PrintedFile:
    """Prints the body of a note (without frontmatter) to `out`.

    `source_path` is the note's vault path, shown at the foot; `ways` are those of a `Chapter` into its vault.
    """
    chapter = Chapter(note_text, title, source_path, **ways)
    return rule_sheets([chapter], paper=paper, out=out, cache=cache, columns=columns, theme=theme)


def rule_sheets(
    chapters: Sequence[Chapter],
    *,
    paper: str,
    out: Path,
    cache: Path,
    columns: int | None = None,
    theme: Theme = CLASSIC,
) -> PrintedFile:
    """Prints notes to `out`, each from a new page on; several, or a long one, begin with a contents page.

    `columns` are 1 or 2; None leaves the choice to the theme. `theme` holds the vault whose designs win.
    """
    return print_pages(chapters, _plan(paper, columns, theme), out=out, cache=cache, theme=theme)


def pages_of(chapter: Chapter, *, paper: str, cache: Path, theme: Theme) -> int:
    """How many pages a note would take; nothing is written."""
    glyphs, plan = Glyphs(theme), _plan(paper, None, theme)
    canvas = Document(chapter.title, "", plan.paper, glyphs).canvas
    return len(Book([chapter], plan, glyphs, canvas, cache).lay_out()[0].pages)


def _plan(paper: str, columns: int | None, theme: Theme) -> ReadingPlan:
    return ReadingPlan(load_stock(theme.vault).paper(paper), columns or (1 if theme.large else 2))


def print_pages(chapters: Sequence[Chapter], plan: ReadingPlan, *, out: Path, cache: Path, theme: Theme) -> PrintedFile:
    """Prints notes on the pages of `plan`."""
    glyphs = Glyphs(theme)
    subject = chapters[0].path if len(chapters) == 1 else ", ".join(chapter.path for chapter in chapters)
    document = Document(titled(chapters), subject, plan.paper, glyphs)
    book = Book(chapters, plan, glyphs, document.canvas, cache)
    laid, contents = _laid_out(book)
    furniture = Furniture(document, plan, laid[-1].first + len(laid[-1].pages) - 1)
    if contents is not None:
        contents.draw(document, lambda number: furniture.foot("", number))
    draw_notes(document, laid, furniture)
    return document.save(out, tuple(chapter.title for chapter in chapters))


def titled(chapters: Sequence[Chapter]) -> str:
    """The title of a file that holds these notes."""
    first, more = chapters[0].title, len(chapters) - 1
    return first if not more else f"{first} and {chapters[1].title}" if more == 1 else f"{first} and {more} more"


def _laid_out(book: Book) -> tuple[list[Laid], Contents | None]:
    """The notes, and the contents before them where there is anything to look up."""
    several = len(book.chapters) > 1
    laid = book.lay_out(2 if several else 1)
    if not several and len(laid[0].pages) <= _LONG:
        return laid, None
    contents = _contents(book, laid)
    first = len(contents.pages) + 1
    if laid[0].first != first:
        laid = book.lay_out(first)
        contents = _contents(book, laid)
    return laid, contents


def _contents(book: Book, laid: Sequence[Laid]) -> Contents:
    several = len(laid) > 1
    entries = [entry for one in laid for entry in one.entries if several or entry.level]
    about = "" if several else laid[0].chapter.title
    least = 0 if several or not entries else min(entry.level for entry in entries)
    return Contents(entries, book.plan, book.glyphs, book.canvas, about=about, least=least)
