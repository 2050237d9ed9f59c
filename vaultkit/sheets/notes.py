"""From notes to sheets: what a vault holds, in the form that the sheets ask for."""

from collections.abc import Sequence
from pathlib import Path

from vaultkit.errors import InvalidError
from vaultkit.look.theme import Theme
from vaultkit.sheets.booklet import booklet
from vaultkit.sheets.geometry.booklet import Flip, named
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.qr import note_address
from vaultkit.sheets.rule_sheet import rule_sheets
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.sources import VaultSource, image_cache
from vaultkit.vault import Note, Vault

_EMPTY = "A note with nothing but properties counts as empty. Write something below them, or name another note."


def print_rules(
    notes: Note | Sequence[Note],
    vault: Vault,
    *,
    paper: str,
    out: Path,
    theme: Theme | None = None,
    vault_name: str = "",
    columns: int | None = None,
    qr: bool = False,
) -> PrintedFile:
    """A note as a rule sheet, or several in one file with their contents.

    With `vault_name`, links to notes that are not printed open them in Obsidian. `columns` are 1 or 2, None as the
    theme has it; `qr` puts a code that leads back to the note beside its title. Raises InvalidError for an empty note.
    """
    listed = [notes] if isinstance(notes, Note) else notes
    chapters = [chapter_of(note, vault, vault_name, qr=qr) for note in listed]
    return rule_sheets(
        chapters, paper=paper, out=out, cache=image_cache(), columns=columns, theme=theme or Theme(vault.root)
    )


def print_booklet(
    notes: Sequence[Note],
    vault: Vault,
    size: str,
    *,
    paper: str,
    out: Path,
    flip: Flip | None = None,
    theme: Theme | None = None,
    vault_name: str = "",
    qr: bool = False,
) -> tuple[PrintedFile, PrintedFile]:
    """Notes as a booklet to fold, and the same pages in reading order beside it, as `<name>-pages.pdf`.

    `size` is a fold's name: `a5`, `a6`, `half-letter`... Raises UsageError for a size that the paper does not fold to.
    """
    chapters = [chapter_of(note, vault, vault_name, qr=qr) for note in notes]
    chosen = theme or Theme(vault.root)
    plan = named(size, load_stock(chosen.vault).paper(paper), flip)
    return booklet(chapters, plan, out=out, cache=image_cache(), theme=chosen)


def chapter_of(note: Note, vault: Vault, vault_name: str = "", *, qr: bool = False) -> Chapter:
    """A note as sheets take it. Raises InvalidError for an empty one."""
    if not note.body.strip():
        raise InvalidError("This note is empty, so there is nothing to print.", where=note.path, hint=_EMPTY)
    source = VaultSource(note, vault, vault_name)
    code = (note_address(vault_name, note.path) or note.path) if qr else ""
    return Chapter(note.body, note.title, note.path, source.image, source.link, source.embed, code)
