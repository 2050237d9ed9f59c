"""Pages as HTML: the page itself, and its regions, which are swapped where they differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from vaultkit.games.words import Sentence
from vaultkit.scene.scene import title_of
from vaultkit.table.sight import Aside, Ending, LaidSpread, Sight


@dataclass(frozen=True, slots=True)
class Frame:
    """A Scene as it is sent: the page's title, a sentence for the live region, the question's id, HTML by element."""

    title: str
    say: str
    question: str | None
    regions: Mapping[str, str]


def entrance() -> str:
    """The page that takes the token out of the address and sits down."""
    return _document("The table", '<main id="main">One moment.</main>')


def page(title: str, pictures: Sequence[str]) -> str:
    """The page of a client before its first Scene; it fetches all `pictures` at once, in this order."""
    images = "".join(f'<img src="{escape(address)}" alt="" hidden>' for address in pictures)
    return _document(title, f'<main id="main"><div id="table"></div><div id="question"></div></main>{images}')


def refusal(why: str) -> str:
    """The page for whoever has no seat."""
    return _document("The table", f"<main>{escape(why)}</main>")


def frame(sight: Sight) -> Frame:
    """The regions of what one page may see now."""
    said = sight.fresh[-1] if sight.fresh else ""
    table = "".join(_spread(sight.spread) if sight.spread else _zones(sight))
    question = "".join(_question(sight))
    return Frame(sight.scene.title, said, sight.question, {"table": table, "question": question})


def asides(told: Sequence[Aside]) -> str:
    """Answers for the asker alone."""
    return "".join(
        f"<section><h2>{escape(one.title)}</h2>{''.join(f'<p>{escape(line)}</p>' for line in one.lines)}</section>"
        for one in told
    )


def _document(title: str, body: str) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><link rel="stylesheet" href="/web/table.css">'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}<script src="/web/table.js"></script></body>'


def _spread(spread: LaidSpread) -> Iterator[str]:
    for place in spread.places:
        title = place.card.title if place.card else "face down"
        lines = "".join(f"<p>{escape(line)}</p>" for line in place.lines)
        yield f"<section><h2>{escape(place.name)}</h2><p>{escape(title)}</p>{lines}</section>"


def _zones(sight: Sight) -> Iterator[str]:
    for zone in sight.scene.zones:
        cards = [escape(sight.deck[card].title) for card in zone.cards]
        cards += [f"{zone.hidden} face down"] if zone.hidden else []
        yield f"<section><h2>{_words(sight, title_of(zone, sight.scene.you))}</h2><p>{', '.join(cards)}</p></section>"


def _question(sight: Sight) -> Iterator[str]:
    if sight.notice:
        yield f"<p>{escape(sight.notice)}</p>"
    if sight.ending:
        yield from _ending(sight, sight.ending)
    if sight.scene.question:
        yield f"<h2>{_words(sight, sight.scene.question.text)}</h2>"
    if sight.cover and not sight.cover.is_open:
        yield f"<p>{escape(sight.cover.name)}</p>"
    for place, offer in enumerate(sight.scene.offers):
        yield f'<button data-offer="{place}">{_words(sight, offer.ends or offer.label)}</button>'


def _ending(sight: Sight, ending: Ending) -> Iterator[str]:
    if ending.outcome:
        yield f"<p>{_words(sight, ending.outcome.reason)}</p>"
    yield from (f"<p>Written: {escape(path)}</p>" for path in ending.written)


def _words(sight: Sight, said: Sentence) -> str:
    names = sight.scene.names
    return escape(said.speak(names.__getitem__, lambda card: sight.deck[card].title))
