"""P16 and P18: the list of other notes at the end, and the language in the sheet's metadata."""

from pathlib import Path

import pikepdf
import pytest

from tests.sheets.conftest import text_of
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.vault import Vault

LISTED = "Notes of the vault named here"


def print_hub(root: Path, text: str, *, sources: bool | None = None, language: str = "en") -> Path:
    (root / "Hub.md").write_text(text, encoding="utf-8")
    out = root / "hub.pdf"
    print_rules(Vault(root).read("Hub.md"), Vault(root), PrintJob("a4", out, sources=sources, language=language))
    return out


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("count", "sources", "listed"), [(8, None, True), (9, None, False), (9, True, True), (2, False, False)]
)
def test_p16_a_few_other_notes_are_listed(tmp_path: Path, count: int, sources: bool | None, listed: bool) -> None:
    for number in range(count):
        (tmp_path / f"Place {number}.md").write_text("x", encoding="utf-8")
    out = print_hub(tmp_path, " ".join(f"[[Place {number}]]" for number in range(count)), sources=sources)
    words = text_of(out)
    assert (LISTED in words, "Place 1[b]" in words) == (listed, listed)
    assert "Place 1" in words


@pytest.mark.parametrize(
    ("lang", "language", "told"),
    [
        ("lang: de", "en", "de"),
        ("x: y", "pt-BR", "pt-BR"),
        ("lang: en_GB", "de", "en-GB"),
        ("lang: not one", "pl", "pl"),
    ],
)
def test_p18_language_of_the_note_is_preferred_to_the_settings(
    tmp_path: Path, lang: str, language: str, told: str
) -> None:
    with pikepdf.open(print_hub(tmp_path, f"---\n{lang}\n---\nWorte.", language=language)) as pdf:
        assert str(pdf.Root.Lang) == told
