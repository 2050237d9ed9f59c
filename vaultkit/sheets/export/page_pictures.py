"""Pictures of PDF pages: rendering with pypdfium2 (of `vaultkit[preview]`), PNG files, and terminal output."""

from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultkit import files
from vaultkit.errors import UsageError, VaultkitError, WriteError
from vaultkit.sheets.pdf import output_file
from vaultkit.vault.writing.atomic_file import hash_file, remove

if TYPE_CHECKING:
    from rich.text import Text

PREVIEW_DPI = 100
_HALF = "▀"


def render_pages(source: Path | bytes, *, dpi: float) -> Iterator[Any]:
    """Yield every page of a PDF as a Pillow image in RGB. Raises UsageError if pypdfium2 is not installed."""
    document = import_pdfium().PdfDocument(source)
    document.init_forms()
    try:
        for page in document:
            yield page.render(scale=dpi / 72, may_draw_forms=True).to_pil().convert("RGB")
    finally:
        document.close()


def import_pdfium() -> Any:
    """Return the module pypdfium2. Raises UsageError if it is not installed.

    Call this before anything is written, so that no file is left behind without it.
    """
    try:
        import pypdfium2
    except ImportError as error:
        raise UsageError(
            "Pages cannot be drawn as pictures: pypdfium2 is missing.",
            hint="Install it beside vaultkit: pipx inject vaultkit pypdfium2, or pip install pypdfium2",
        ) from error
    return pypdfium2


def save_picture(path: Path, picture: Any, dpi: int) -> None:
    """Write a Pillow image as a PNG file with its resolution and vaultkit's mark; equal images give equal bytes."""
    from PIL.PngImagePlugin import PngInfo

    mark = PngInfo()
    mark.add_text(*output_file.PICTURE_MARK)
    buffer = BytesIO()
    picture.save(buffer, "PNG", dpi=(dpi, dpi), pnginfo=mark, optimize=False, compress_level=6)
    if not output_file.IS_DRY_RUN.get():
        output_file.write_file(path, buffer.getvalue(), "picture")


def make_folder(folder: Path) -> Path:
    """Create a folder if it is missing, and return its path.

    Raises WriteError if it cannot be created, if its parent folder is missing, or if it is a link out of the vault.
    """
    output_file.refuse_missing_folder(folder.parent, folder.parent)
    output_file.refuse_link_out_of_vault(folder)
    try:
        if not output_file.IS_DRY_RUN.get():
            folder.mkdir(exist_ok=True)
    except OSError as error:
        reason = "a file with this name exists" if isinstance(error, FileExistsError) else error.strerror or str(error)
        where = str(folder)
        raise WriteError(f"The folder cannot be made: {reason}.", where=where, hint=output_file.OUT_HINT) from error
    return folder


def remove_others(folder: Path, pattern: str, new_files: set[Path]) -> None:
    """Delete the pictures in a folder that vaultkit made and that are not among `new_files`.

    `pattern` is a glob pattern for their names.
    """
    for old in () if output_file.IS_DRY_RUN.get() else sorted(folder.glob(pattern)):
        if old in new_files or not old.is_file():
            continue
        with suppress(OSError, VaultkitError):  # skip files that another program has just replaced or has open
            digest = hash_file(old)
            if output_file.is_our_file(old):
                remove(old, digest)


def save_pages(pdf: Path) -> list[Path]:
    """Write every page of a PDF as `page-01.png` and so on into a folder beside it; return the files in order.

    The folder is named after the PDF. Other pages that vaultkit wrote there earlier are deleted.
    """
    import_pdfium()
    folder = make_folder(pdf.with_name(f"{pdf.stem}-preview"))
    paths = []
    for number, picture in enumerate(render_pages(pdf, dpi=PREVIEW_DPI), 1):
        paths.append(folder / f"page-{number:02}.png")
        save_picture(paths[-1], picture, PREVIEW_DPI)
    remove_others(folder, "page-*.png", set(paths))
    return paths


def to_half_blocks(picture: Path, columns: int) -> Iterator["Text"]:
    """Yield a PNG picture as lines of `columns` half blocks, characters that show one pixel above another."""
    from PIL import Image
    from rich.text import Text

    with files.open_plain(picture) as file, Image.open(file, formats=("PNG",)) as image:
        rows = max(1, round(image.height / image.width * columns / 2))
        small_image = image.convert("RGB").resize((columns, rows * 2), Image.Resampling.BOX)
    for row in range(rows):
        line = Text()
        for column in range(columns):
            upper_pixel = small_image.getpixel((column, 2 * row))
            lower_pixel = small_image.getpixel((column, 2 * row + 1))
            line.append(_HALF, f"{_colour_code(upper_pixel)} on {_colour_code(lower_pixel)}")
        yield line


def _colour_code(colour: Any) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
