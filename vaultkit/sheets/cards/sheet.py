"""Decks to cut: cards on sheets with crop marks to the paper's edge, and backs behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vaultkit.errors import NothingFound
from vaultkit.look.glyphs import Glyphs
from vaultkit.look.theme import CLASSIC, Theme
from vaultkit.sheets.cards.back import Back, BackPainter
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.draw import CardPainter
from vaultkit.sheets.cards.evening import evened
from vaultkit.sheets.cards.face import Face, Fitter
from vaultkit.sheets.cards.imposed import how_to_print, impose
from vaultkit.sheets.cards.layout import PLAIN, DeckLayout
from vaultkit.sheets.geometry.imposition import SheetPlan
from vaultkit.sheets.geometry.paper import Box
from vaultkit.sheets.pdf.document import Document, PrintedFile

_MOST_NAMED = 6


def card_sheet(
    cards: Sequence[PrintableCard],
    *,
    deck_title: str,
    paper: str,
    out: Path,
    cache: Path,
    first_page_only: bool = False,
    layout: DeckLayout = PLAIN,
    back: Back | None = None,
    tagged: bool = False,
    theme: Theme = CLASSIC,
    words_in: str = "",
) -> PrintedFile:
    """Prints `cards` in their order. `cache` keeps transcoded pictures; the result's `sheets` are the cards.

    A text that does not fit at 7 points continues on a card of its own, marked "(continued)".
    Backs are printed if the layout asks for them and there is a `back`. `tagged` is for sheets to be read as well.
    `words_in` is the file that has the words of cards that are pictures alone.
    """
    if not cards:
        raise NothingFound(f"The deck '{deck_title}' has no cards to print.")
    plan = layout.plan(paper, theme.vault)
    document = Document(deck_title, f"Cards of {deck_title}", plan.paper, Glyphs(theme), tagged=tagged)
    faces, unusable = draw_cards(
        document, cards, plan, deck_title=deck_title, cache=cache, first_page_only=first_page_only, back=back
    )
    made = document.save(out, tuple(face.card.title for face in faces if face.part == 1))
    told = how_to_print(plan, made.pages) if back is not None else ""
    return replace(made, remarks=(*layout.remarks, *([told] if told else []), *_alone(faces, words_in), *unusable))


def draw_cards(
    document: Document,
    cards: Sequence[PrintableCard],
    plan: SheetPlan,
    *,
    deck_title: str,
    cache: Path,
    first_page_only: bool = False,
    back: Back | None = None,
) -> tuple[list[Face], tuple[str, ...]]:
    """Draws the sheets of `plan` as further pages: what is drawn on them, in order, and a remark on bad pictures."""
    fitter = Fitter(document.glyphs, plan.card, cache, document.canvas, deck_title).for_deck(cards)
    faces = evened(_faces(cards, fitter, plan.per_sheet if first_page_only else None))
    painter = CardPainter(document, cache)
    painter.prepare(faces, plan.card)

    def draw(face: Face, slot: Box, bleed: Box) -> None:
        name = face.card.title if face.part == 1 else f"{face.card.title} (continued)"
        document.bookmark(name, f"card-{document.pages}-{slot.x}-{slot.y}", 0, slot.corners[3])
        painter.draw(face, slot, bleed)

    backs = BackPainter(document, back, plan.card, cache, bleed=plan.around or 0) if back is not None else None
    impose(document, plan, faces, draw, title=deck_title, backs=backs)
    return faces, _unusable(painter.unusable)


def _alone(faces: Sequence[Face], words_in: str) -> tuple[str, ...]:
    """That cards are pictures without words, and where these are."""
    titles = {face.card.title for face in faces if not face.title_lines and face.card.text_markdown.strip()}
    if not titles:
        return ()
    told = "1 card is a picture alone: its" if len(titles) == 1 else f"{len(titles)} cards are pictures alone: their"
    return (f"{told} words are {f'in {words_in}' if words_in else 'left out; --accessible prints them, too'}.",)


def _unusable(found: Mapping[str, str]) -> tuple[str, ...]:
    """Which cards have a picture that cannot be used; `found` has the reason for each."""
    if not found:
        return ()
    named = [f"{title} ({reason})" for title, reason in found.items()]
    told = "The picture of 1 card" if len(named) == 1 else f"The pictures of {len(named)} cards"
    shown = ", ".join(named[:_MOST_NAMED]) + (", ..." if len(named) > _MOST_NAMED else "")
    return (f"{told} cannot be used, so a drawn one is printed: {shown}.",)


def _faces(cards: Sequence[PrintableCard], fitter: Fitter, most: int | None) -> list[Face]:
    faces: list[Face] = []
    for card in cards:
        faces += fitter.faces(card)
        if most is not None and len(faces) >= most:
            return faces[:most]
    return faces
