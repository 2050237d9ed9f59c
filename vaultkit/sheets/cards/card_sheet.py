"""Decks to cut: cards on sheets with crop marks to the paper's edge, and backs behind them; or to read, one a page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vaultkit.errors import NothingFound
from vaultkit.look.glyphs import Glyphs
from vaultkit.look.theme import CLASSIC, Theme, first_few
from vaultkit.sheets.cards.back import Back, BackPainter
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.deck_layout import PLAIN, DeckLayout
from vaultkit.sheets.cards.face import Face
from vaultkit.sheets.cards.fitting import fit_deck
from vaultkit.sheets.cards.imposed import how_to_print, impose_cards
from vaultkit.sheets.geometry.imposition import SheetPlan
from vaultkit.sheets.geometry.paper import Box, load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile

MOST_NAMED = 6
"""So many cards does a remark name."""


def card_sheet(
    cards: Sequence[PrintableCard],
    *,
    deck_title: str,
    paper: str,
    out: Path,
    first_page_only: bool = False,
    layout: DeckLayout = PLAIN,
    back: Back | None = None,
    tagged: bool = False,
    theme: Theme = CLASSIC,
    words_in: str = "",
) -> PrintedFile:
    """Prints `cards` in their order; the result's `sheets` are the cards.

    A text that does not fit at 7 points continues on a card of its own, marked "(continued)".
    Backs are printed if the layout asks for them and there is a `back`. `tagged` is for sheets to be read as well.
    `words_in` is the file that has the words of cards that are pictures alone.
    """
    _refuse_none(cards, deck_title)
    plan = layout.plan(paper, theme.vault)
    document = Document(deck_title, f"Cards of {deck_title}", plan.paper, Glyphs(theme), tagged=tagged)
    most = plan.per_sheet if first_page_only else None
    faces, unusable = draw_cards(document, cards, plan, deck_title=deck_title, most=most, back=back)
    made = document.save(out, tuple(face.card.title for face in faces if face.part == 1))
    advice = how_to_print(plan, made.pages) if back is not None else ""
    remarks = *layout.remarks, advice, _pictures_alone(faces, words_in), unusable
    return replace(made, remarks=tuple(filter(None, remarks)))


def card_pages(
    cards: Sequence[PrintableCard], *, deck_title: str, out: Path, card_size: str = "poker", theme: Theme = CLASSIC
) -> PrintedFile:
    """Every card with all its words on a page of a card's size, tagged, to be listened to, searched and read.

    Raises NothingFound without cards.
    """
    _refuse_none(cards, deck_title)
    size = load_stock(theme.vault).card(card_size)
    document = Document(deck_title, f"The cards of {deck_title}, one a page", size, Glyphs(theme))
    faces, painter = fit_deck(document, cards, size, deck_title)
    for number, face in enumerate(faces, 1):
        if face.part == 1:
            document.bookmark(face.card.title, f"card-{number}", 0)
        painter.draw(face, size.box)
        document.end_page()
    return document.save(out, tuple(card.title for card in cards))


def _refuse_none(cards: Sequence[PrintableCard], deck_title: str) -> None:
    if not cards:
        raise NothingFound(f"The deck '{deck_title}' has no cards to print.")


def draw_cards(
    document: Document,
    cards: Sequence[PrintableCard],
    plan: SheetPlan,
    *,
    deck_title: str,
    most: int | None = None,
    back: Back | None = None,
) -> tuple[list[Face], str]:
    """Draws the sheets of `plan` as further pages: the faces on them, in order, and a remark on bad pictures."""
    faces, painter = fit_deck(document, cards, plan.card, deck_title, most)

    def draw(face: Face, slot: Box, bleed: Box) -> None:
        name = face.card.title if face.part == 1 else f"{face.card.title} (continued)"
        document.bookmark(name, f"card-{document.pages}-{slot.x}-{slot.y}", 0, slot.corners[3])
        painter.draw(face, slot, bleed)

    backs = BackPainter(document, back, plan.card, bleed=plan.around or 0) if back is not None else None
    impose_cards(document, plan, faces, draw, title=deck_title, backs=backs)
    return faces, _unusable(painter.unusable)


def _pictures_alone(faces: Sequence[Face], words_in: str) -> str:
    """That cards are pictures without words, and where these are."""
    titles = {face.card.title for face in faces if not face.title_lines and face.card.text_markdown.strip()}
    if not titles:
        return ""
    place = f"in {words_in}" if words_in else "left out; --accessible prints them, too"
    counted = "1 card is a picture alone: its" if len(titles) == 1 else f"{len(titles)} cards are pictures alone: their"
    return f"{counted} words are {place}."


def _unusable(found: Mapping[str, str]) -> str:
    """Which cards have a picture that cannot be used; `found` has the reason for each."""
    if not found:
        return ""
    counted = "The picture of 1 card" if len(found) == 1 else f"The pictures of {len(found)} cards"
    named = first_few([f"{title} ({reason})" for title, reason in found.items()], MOST_NAMED)
    return f"{counted} cannot be used, so a drawn one is printed: {named}."
