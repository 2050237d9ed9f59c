"""The alignment of titles on cards that lie side by side."""

from pathlib import Path
from typing import Any

import pypdf
import pytest

from vaultkit.sheets.cards.card_sheet import card_pages
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.document import PrintJob

LINE = "A bell in the fog, far away. "


def levels(cards: list[PrintableCard], folder: Path) -> list[float]:
    """Return the height of the title on each card, in points."""
    made = card_pages(cards, "T", PrintJob("a4", folder / "r.pdf"))
    found: list[float] = []

    def note(text: str, cm: Any, tm: Any, *_: Any) -> None:
        if text.strip().startswith("Title"):
            found.append(round(cm[5] + tm[5], 1))

    for page in pypdf.PdfReader(made.path).pages:
        page.extract_text(visitor_text=note)
    return found


@pytest.mark.slow
def test_titles_share_one_level_if_text_lengths_are_similar(tmp_path: Path) -> None:
    cards = [PrintableCard(f"Title {n}", "Suns", "suns", n, LINE * n) for n in (1, 4, 5)]
    assert len(set(levels(cards, tmp_path))) == 1


def test_card_with_far_more_text_does_not_move_the_others_up(tmp_path: Path) -> None:
    cards = [PrintableCard(f"Title {n}", "Suns", "suns", n, LINE * n) for n in (1, 2, 18)]
    one, two, long = levels(cards, tmp_path)
    assert one == two < long - 20
