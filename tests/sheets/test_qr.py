"""P12: QR codes, read from what a printer or a telephone sees."""

from pathlib import Path

import pypdfium2
import pytest

from tests.sheets.conftest import text_of
from tests.sheets.lint import problems
from vaultkit.resources import shipped_folder
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.qr import MODULE_SIZE_UM, QrCode
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.theme.lengths import MM
from vaultkit.vault import Vault
from vaultkit.vault.obsidian import note_address

zxingcpp = pytest.importorskip("zxingcpp")


def decode_codes(path: Path, dpi: int) -> list[str]:
    with pypdfium2.PdfDocument(path) as pdf:
        image = pdf[0].render(scale=dpi / 72).to_pil()
    return [code.text for code in zxingcpp.read_barcodes(image)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "Gloamwater Vale & Söhne"])
def test_p12_the_code_of_a_rule_sheet_decodes_at_150_dpi(tmp_path: Path, name: str) -> None:
    vault = Vault(shipped_folder("vault-example"))
    note = vault.find("House Rules")
    made = print_rules(note, vault, PrintJob("a4", tmp_path / "r.pdf", vault_name=name, qr=True))
    expected = note_address(name, note.path) if name else note.path
    assert decode_codes(made.path, 150) == [expected]
    assert note.path in text_of(made.path)
    assert problems(made.path) == []


def test_p12_modules_are_large_enough_and_have_a_white_border() -> None:
    assert MODULE_SIZE_UM >= 0.4 * MM
    code = QrCode("20261103-propheta-k3f9")
    assert code.side == (len(code.rows) + 8) * MODULE_SIZE_UM


def test_address_is_encoded_and_points_to_a_heading() -> None:
    assert note_address("My Vault", "Rules/A & B.md", "Part 1") == (
        "obsidian://open?vault=My%20Vault&file=Rules%2FA%20%26%20B%23Part%201"
    )
    assert note_address("", "Rules/A.md") == ""
