"""The offers of a Scene as a page shows them: what each does, and the cards and seats that one touches for it."""

from dataclasses import dataclass

from markupsafe import Markup

from vaultkit.scene.scene import Offer
from vaultkit.web.html_text import HtmlText
from vaultkit.web.page_model import PageModel

MAX_SHOWN_OFFER_COUNT = 5
"""So many offers are all shown before a card is touched."""


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """An offer by its number. `touches` are the marks of the cards, or the ids of the seats, one after the other."""

    number: int
    label: str
    effect: Markup
    gains: tuple[tuple[str, str], ...]
    touches: tuple[str, ...]
    faces: tuple[str, ...]
    ends: bool


@dataclass(frozen=True, slots=True)
class MoveChoices:
    """All offers. Where they are `many`, those of a card are shown when it is touched."""

    all: tuple[MoveChoice, ...]
    many: bool


def build_choices(sight: PageModel, voice: HtmlText) -> MoveChoices:
    """The offers of a Scene; with pictures where they are few."""
    offers = sight.scene.offers
    many = len(offers) > MAX_SHOWN_OFFER_COUNT
    return MoveChoices(tuple(_build_choice(sight, at, offer, voice, many) for at, offer in enumerate(offers)), many)


def _build_choice(sight: PageModel, number: int, offer: Offer, voice: HtmlText, many: bool) -> MoveChoice:
    cards = [touch for touch in offer.touches if isinstance(touch, str) and touch in sight.deck.by_id]
    visible_cards = {card for zone in sight.scene.zones for card in zone.cards}
    touches = tuple(
        sight.marks.card(touch) if isinstance(touch, str) else f"s{touch}"
        for touch in offer.touches
        if not isinstance(touch, str) or touch in visible_cards
    )
    effect, gains = voice.effect(offer), tuple(voice.gains(offer))
    if len(gains) == 1 and effect.striptags().startswith(gains[0][0]):
        gains = (("", gains[0][1]),)  # whose it is, the effect begins with
    return MoveChoice(
        number,
        voice.label(offer, cards[0] if many and len(touches) > 1 else ""),
        effect,
        gains,
        touches,
        () if many else tuple(sight.marks.face(card) for card in cards[:2]),
        offer.ends is not None,
    )
