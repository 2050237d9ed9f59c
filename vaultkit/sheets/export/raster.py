"""Pages of a PDF as pictures, drawn by pypdfium2, which comes with `vaultkit[preview]`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vaultkit.errors import UsageError


def pages(source: Path | bytes, *, dpi: float) -> Iterator[Any]:
    """Every page as a Pillow picture in RGB. Raises UsageError where pypdfium2 is not installed."""
    document = drawer().PdfDocument(source)
    document.init_forms()
    try:
        for page in document:
            yield page.render(scale=dpi / 72, may_draw_forms=True).to_pil().convert("RGB")
    finally:
        document.close()


def drawer() -> Any:
    """The module pypdfium2. Raises UsageError where it is not installed: ask before anything is written."""
    try:
        import pypdfium2
    except ImportError as error:
        raise UsageError(
            "Pages cannot be drawn as pictures: pypdfium2 is missing.",
            hint="Install it beside vaultkit: pipx inject vaultkit pypdfium2, or pip install pypdfium2",
        ) from error
    return pypdfium2
