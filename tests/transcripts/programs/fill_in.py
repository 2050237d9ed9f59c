"""Fill in a PDF form with pypdf, as any reader of PDFs would, and know nothing of vaultkit.

Usage: fill-in SHEET FILLED FIELD=VALUE...   (`/coop` chooses of a radio group)
"""

import sys

from pypdf import PdfReader, PdfWriter


def main(sheet: str, filled: str, *given: str) -> None:
    writer = PdfWriter(clone_from=sheet)
    said = dict(word.split("=", 1) for word in given)
    if unknown := said.keys() - set(PdfReader(sheet).get_fields() or {}):
        sys.exit(f"The sheet has no box {', '.join(sorted(unknown))}.")
    for page in writer.pages:
        writer.update_page_form_field_values(page, said, auto_regenerate=False)
    writer.write(filled)
    print(f"Filled in: {len(said)} boxes of {filled}")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
