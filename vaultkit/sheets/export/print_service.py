"""Export of cards as files for a print service."""

from dataclasses import dataclass
from pathlib import Path

from vaultkit.sheets.cards.back import choose_back
from vaultkit.sheets.cards.card_sheet import CardSet
from vaultkit.sheets.export.page_pictures import import_pdfium, make_folder, remove_others, render_pages, save_picture
from vaultkit.sheets.export.service_pages import PreflightCheck, ServicePages, preflight, service_pages
from vaultkit.sheets.export.vendor import Vendor
from vaultkit.sheets.pdf.output_file import refuse_foreign_file, write_file
from vaultkit.text import slug
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault


@dataclass(frozen=True)
class ServiceExport:
    """The exported files for a print service, and the results of their preflight checks.

    `place` is a folder of pictures or a PDF. `missing` holds the characters that no font has. `remarks` are for
    the person who sends the files.
    """

    place: Path
    files: tuple[Path, ...]
    checks: tuple[PreflightCheck, ...]
    missing: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    @property
    def is_accepted(self) -> bool:
        """Whether the service will accept the files."""
        return not self.reasons

    @property
    def reasons(self) -> tuple[str, ...]:
        """Reasons for which the service would reject the files."""
        return tuple(check.detail for check in self.checks if check.needed and not check.ok)


def export_set(
    card_set: CardSet, vault: Vault, vendor: Vendor, *, out: Path, theme: Theme, back: str = ""
) -> ServiceExport:
    """Write cards for a print service to `out`, as pictures in a folder or as one PDF, and return the export.

    `back` names the design of the backs. Raises UsageError if pypdfium2 is missing, which the checks need, and
    WriteError instead of replacing a file that vaultkit did not make.
    """
    import_pdfium()
    card_back = choose_back(back, card_set.kind, vault)
    card_pages = service_pages(card_set.cards, card_back, vendor, title=card_set.title, theme=theme)
    if vendor.files == "pdf":
        checks = preflight(card_pages, vendor, _page_sizes(card_pages.pdf, vendor))
        write_file(out, card_pages.pdf)
        return ServiceExport(out, (out,), tuple(checks), card_pages.missing, card_pages.remarks)
    paths, sizes = _write_pictures(card_pages, vendor, out)
    checks = preflight(card_pages, vendor, sizes)
    return ServiceExport(out, tuple(paths), tuple(checks), card_pages.missing, card_pages.remarks)


def _write_pictures(card_pages: ServicePages, vendor: Vendor, out: Path) -> tuple[list[Path], set[tuple[int, int]]]:
    fronts = enumerate(card_pages.fronts, 1)
    names = {page: f"{number:03}-{slug(title, '-')[:40] or 'card'}.png" for number, (page, title) in fronts}
    names |= dict.fromkeys(card_pages.backs, "back.png")
    make_folder(out)
    for name in names.values():
        refuse_foreign_file(out / name, out / name)
    paths, sizes = [], set()
    for page, picture in enumerate(render_pages(card_pages.pdf, dpi=vendor.dpi)):
        cropped = picture.crop((0, 0, *map(min, picture.size, vendor.pixels)))  # rounding up may have added pixels
        sizes.add(cropped.size)
        paths.append(out / names[page])
        save_picture(paths[-1], cropped, vendor.dpi)
    remove_others(out, "*.png", set(paths))
    return paths, sizes


def _page_sizes(pdf: bytes, vendor: Vendor) -> set[tuple[int, int]]:
    document = import_pdfium().PdfDocument(pdf)
    sizes = [page.get_size() for page in document]
    document.close()
    return {(round(width / 72 * vendor.dpi), round(height / 72 * vendor.dpi)) for width, height in sizes}
