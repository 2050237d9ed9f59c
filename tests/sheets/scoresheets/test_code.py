"""P12: the code beside a score sheet's title, which is readable at 150 dpi."""

from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheets.lint import problems
from tests.sheets.test_qr import decode_codes
from vaultkit.errors import UsageError
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.score_sheet import print_scores

ADDRESS = "obsidian://open?vault=Gloamwater%20Vale&file=4-Sessions%2F2026-11-21%20Dragon%20Citadel"


@pytest.mark.slow
@pytest.mark.parametrize("address", ["", ADDRESS])
def test_p12_the_code_of_a_score_sheet_decodes_at_150_dpi(tmp_path: Path, address: str) -> None:
    made = print_scores("dragon-citadel", PrintJob("letter", tmp_path / "s.pdf", qr=True), code=address)
    fields = PdfReader(made.path).get_fields() or {}
    assert decode_codes(made.path, 150) == [address or fields["vaultkit.sheet"]["/V"]]
    assert made.pages == 1
    assert problems(made.path) == []


def test_p12_quarter_page_has_no_code(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no room for a QR code"):
        print_scores("dragon-citadel", PrintJob("a4", tmp_path / "s.pdf", qr=True), layout="four")
