"""A uniform look of a deck's cards: one text size, bodies at one height, tighter lines before continuation cards."""

from collections.abc import Sequence

import pytest

from vaultkit.sheets.cards.card_sheet import fit_deck
from vaultkit.sheets.cards.print_card import Face, PrintableCard, load_frame
from vaultkit.sheets.paper import Size
from vaultkit.sheets.pdf.document import Document
from vaultkit.theme.model import Theme

CARD = Size("poker", 63_000, 88_000)
SENTENCE = "It goes on about it for a while, as they do. "
WORD = "word "


def fit_cards(lengths: Sequence[int], frame: str, words: str = SENTENCE) -> list[Face]:
    document = Document("T", "", CARD, Theme(), tagged=False)
    cards = [
        PrintableCard(f"Card {n}", text_markdown=words * length, frame=load_frame(frame, None))
        for n, length in enumerate(lengths)
    ]
    return fit_deck(document, cards, CARD, "T")


def sizes(faces: Sequence[Face]) -> list[float]:
    return [face.placed[0].block.flowable.style.fontSize for face in faces]


@pytest.mark.parametrize("frame", ["plain", "classic", "aid"])
def test_text_of_a_deck_has_one_size(frame: str) -> None:
    alike = sizes(fit_cards([1, 3, 8], frame))
    assert len(set(alike)) == 1
    with_a_long_one = sizes(fit_cards([1, 3, 30 if frame != "classic" else 15], frame))
    assert len(set(with_a_long_one[:2])) == 1
    assert with_a_long_one[2] < 8.5 if frame == "classic" else set(with_a_long_one) == {with_a_long_one[0]}


def test_texts_of_reference_cards_start_at_one_level() -> None:
    tops = [face.placed[0].top for face in fit_cards([1, 3, 8], "aid")]
    assert max(tops) - min(tops) < 0.01


@pytest.mark.slow
def test_p4_line_spacing_is_reduced_before_a_card_is_continued() -> None:
    faces = fit_cards(range(60, 180), "aid", WORD)
    styles = [face.placed[0].block.flowable.style for face in faces if face.part == 1]
    leads = {round(style.leading / style.fontSize, 2) for style in styles}
    assert max(leads) == 1.2
    assert min(leads) < 1.2
