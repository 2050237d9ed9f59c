"""Pages as HTML: the page itself, and its regions, each of which is replaced when it changes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from vaultkit import resources
from vaultkit.games.messages import Seat
from vaultkit.host.advice import Answer
from vaultkit.scene.scene import Offer
from vaultkit.theme import qr_code
from vaultkit.web import zone_layout
from vaultkit.web.card_picker import suit_tiles
from vaultkit.web.html_text import HtmlText, isolate_right_to_left
from vaultkit.web.page_model import PageModel
from vaultkit.web.roster import LOST_SEAT, SCREEN

PAGES = Path(__file__).parent / "pages"
_REGIONS = ("top", "middle", "ask", "hand", "offers", "seats", "side", "bar")
_MAX_SPOKEN_SENTENCE_COUNT = 2
"""The number of latest sentences that are read out: a move, and what chance made of it."""
_MAX_EVENT_COUNT = 8
"""The number of latest events on a page."""
_MAX_FACT_LENGTH = 110
"""The longest second key fact that stands in view below the first; the rest are notes, like all mere lists."""


MAX_SHOWN_OFFER_COUNT = 5
"""The maximum number of offers that are all shown before a card is touched."""


@dataclass(frozen=True, slots=True)
class PageUpdate:
    """An update of a page: its title, a sentence for the live region, the question's id, and HTML by element id."""

    title: str
    say: str
    question: str | None
    regions: Mapping[str, str]


def render_entrance(name: str = "entrance") -> str:
    """Return the page that takes the token from its address and sits down."""
    return _render(f"{name}.html")


def render_page(title: str, pictures: Sequence[str], name: str = "page") -> str:
    """Return the page of a client before its first Scene.

    It fetches the pictures of its Scene first, and then all `pictures` in this order, so that no later request tells
    anything.
    """
    return _render(f"{name}.html", title=title, pictures=[address.removeprefix("face/") for address in pictures])


def render_refusal(why: str, way_on: str) -> str:
    """Return the page for a browser without a seat: the reason, and a link to the entrance if `way_on` names it."""
    return _render("refusal.html", why=why, way_on=way_on)


def render_update(sight: PageModel) -> PageUpdate:
    """Return the update of a page to what it may show now."""
    voice = HtmlText(sight)
    values = {"laid": zone_layout.layout_spread(sight, voice)} if sight.spread else _game_values(sight, voice)
    values, kind = {"sight": sight, "scene": sight.scene, "voice": voice, **values}, _template_folder(sight)
    regions = {name: _render(f"{kind}/{name}.html", **values) if _has_template(kind, name) else "" for name in _REGIONS}
    title, say = map(isolate_right_to_left, (_window_title(sight, voice), _live_region_text(sight, voice)))
    return PageUpdate(title, say, sight.question, regions)


def render_answers(answers: Sequence[Answer]) -> str:
    """Return answers as HTML for the page that asked."""
    return _render("asides.html", told=answers)


def qr_path(text: str) -> tuple[int, str]:
    """Return the side of a QR code with its quiet zone in modules, and an SVG path of its dark modules."""
    rows = qr_code.qr_rows(text)
    quiet = qr_code.QUIET_ZONE_WIDTH
    path = (f"M{start + quiet} {at + quiet}h{long}v1h-{long}z" for at, start, long in qr_code.dark_runs(rows))
    return len(rows) + 2 * quiet, "".join(path)


def _template_folder(sight: PageModel) -> str:
    """Return the folder of the templates for a page."""
    if sight.spread:
        return "reading"
    if sight.lesson:
        return "lesson"
    company = sight.company
    if company is None:
        return "game"
    if company.role == LOST_SEAT:
        return "gone"
    if company.is_open:
        return "lobby" if company.role == SCREEN else "waiting"
    return "game" if company.role == SCREEN else "hand"


@cache
def _has_template(kind: str, name: str) -> bool:
    return (PAGES / kind / f"{name}.html.j2").is_file()


def _game_values(sight: PageModel, voice: HtmlText) -> dict[str, Any]:
    sentences = [fact for fact in sight.scene.key_facts if not fact.is_list][:2]
    facts = [*sentences[:1], *(fact for fact in sentences[1:] if len(voice.text(fact)) <= _MAX_FACT_LENGTH)]
    return {
        "table": zone_layout.layout_zones(sight, voice),
        "choices": build_choices(sight, voice),
        "many": _has_many_offers(sight),
        "suits": suit_tiles(sight.deck, sight.pad.cards) if sight.pad and sight.pad.cards is not None else (),
        "news": sight.scene.news[-_MAX_EVENT_COUNT:],
        "facts": facts,
        "more_facts": [fact for fact in sight.scene.key_facts if fact not in facts],
        "company": sight.company,
        "qr_path": qr_path,
    }


def _window_title(sight: PageModel, voice: HtmlText) -> str:
    """Return the title of the window: whose turn it is, then the game's title."""
    if sight.ending and not sight.spread:
        return f"The end · {sight.scene.title}"
    question = sight.scene.question
    if question is None:
        return sight.scene.title
    if question.seat is not None and question.seat == sight.scene.viewer:
        return f"Your turn · {sight.scene.title}"
    return f"{voice.decides(question)} · {sight.scene.title}"


def _live_region_text(sight: PageModel, voice: HtmlText) -> str:
    """Return the latest sentences, then whose turn it is."""
    sentences = [*map(voice.text, sight.fresh[-_MAX_SPOKEN_SENTENCE_COUNT:])]
    question = sight.scene.question
    if question and not sight.ending:
        sentences.append(voice.text(question.text))
    return " ".join(sentences)


def _render(name: str, **values: Any) -> str:
    return _environment().get_template(f"{name}.j2").render(values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=FunctionLoader(_read_template), autoescape=True, undefined=StrictUndefined, finalize=_isolate
    )


def _isolate(value: object) -> object:
    return isolate_right_to_left(value) if isinstance(value, str) else value


def _read_template(name: str) -> str:
    """Return a template without indentation, since pages are sent often."""
    return re.sub(r"\n\s*", "", resources.read_text(PAGES / name))


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """An offer by its number. `touches` are the names of cards, or the ids of seats, in the order of touching."""

    number: int
    label: str
    effect: Markup
    gains: tuple[tuple[str, str], ...]
    touches: tuple[str, ...]
    faces: tuple[str, ...]
    ends: bool


def _has_many_offers(sight: PageModel) -> bool:
    """Return whether the offers of a card are only shown when it is touched."""
    return len(sight.scene.offers) > MAX_SHOWN_OFFER_COUNT


def build_choices(sight: PageModel, voice: HtmlText) -> list[MoveChoice]:
    """Return the offers of a Scene in the order of the cards that they touch, with pictures if they are few."""
    offers = sight.scene.offers
    order = [card for zone in sight.scene.zones for card in zone.cards]
    places: dict[str | Seat, int] = {card: at for at, card in reversed([*enumerate(order)])}
    choices = [_build_choice(sight, at, offer, voice, _has_many_offers(sight)) for at, offer in enumerate(offers)]

    def place(choice: MoveChoice) -> tuple[int, ...]:
        return tuple(places.get(touch, len(order)) for touch in offers[choice.number].touches) or (len(order),)

    return sorted(choices, key=place)


def _build_choice(sight: PageModel, number: int, offer: Offer, voice: HtmlText, many: bool) -> MoveChoice:
    cards = [touch for touch in offer.touches if isinstance(touch, str) and touch in sight.deck.by_id]
    touches = tuple(
        sight.marks.card(touch) if isinstance(touch, str) else f"s{touch}"
        for touch in offer.touches
        if not isinstance(touch, str) or touch in sight.scene.zone_cards
    )
    return MoveChoice(
        number,
        voice.label(offer, cards[0] if many and len(touches) > 1 else ""),
        voice.effect(offer),
        tuple(voice.gains(offer)),
        touches,
        () if many else tuple(sight.marks.face(card) for card in cards[:2]),
        offer.ends is not None,
    )
