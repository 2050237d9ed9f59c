"""Pages as HTML: the page itself, and its regions, which are swapped where they differ."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from vaultkit import resources
from vaultkit.look import qr_code
from vaultkit.table import choices, layout, spread_layout
from vaultkit.table.company import GONE, SCREEN
from vaultkit.table.sight import Aside, Sight
from vaultkit.table.voice import Voice

PAGES = Path(__file__).parent / "pages"
_REGIONS = ("top", "middle", "ask", "hand", "offers", "seats", "side", "bar")
_HEARD = 2
"""So many of the latest sentences are read out: a move, and what luck made of it."""
_NEWS = 8
"""So many of the latest events are on a page."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A Scene as it is sent: the page's title, a sentence for the live region, the question's id, HTML by element."""

    title: str
    say: str
    question: str | None
    regions: Mapping[str, str]


def entrance(name: str = "entrance") -> str:
    """The page that takes the token out of the address and sits down."""
    return _render(f"{name}.html")


def page(title: str, pictures: Sequence[str], name: str = "page") -> str:
    """The page of a client before its first Scene; it fetches all `pictures` at once, in this order."""
    return _render(f"{name}.html", title=title, pictures=pictures)


def refusal(why: str, way_on: str) -> str:
    """The page for whoever has no seat, with a way to the entrance if there is a word for it."""
    return _render("refusal.html", why=why, way_on=way_on)


def frame(sight: Sight) -> Frame:
    """The regions of what one page may see now."""
    voice = Voice(sight)
    values = {"laid": spread_layout.laid(sight, voice)} if sight.spread else _of_game(sight, voice)
    values, kind = {"sight": sight, "scene": sight.scene, "voice": voice, **values}, _kind(sight)
    regions = {name: _render(f"{kind}/{name}.html", **values) if _is_drawn(kind, name) else "" for name in _REGIONS}
    return Frame(_title(sight, voice), _spoken(sight, voice), sight.question, regions)


def asides(told: Sequence[Aside]) -> str:
    """Answers for the asker alone."""
    return _render("asides.html", told=told)


def qr_path(text: str) -> tuple[int, str]:
    """A QR code as an SVG path of its dark runs, and its side with the quiet zone in modules."""
    rows = qr_code.rows(text)
    quiet = qr_code.QUIET
    path = (f"M{start + quiet} {at + quiet}h{long}v1h-{long}z" for at, start, long in qr_code.runs(rows))
    return len(rows) + 2 * quiet, "".join(path)


def _kind(sight: Sight) -> str:
    """The folder of the templates."""
    if sight.spread:
        return "reading"
    if sight.lesson:
        return "lesson"
    company = sight.company
    if company is None:
        return "game"
    if company.role == GONE:
        return "gone"
    if company.is_open:
        return "lobby" if company.role == SCREEN else "waiting"
    return "game" if company.role == SCREEN else "hand"


@cache
def _is_drawn(kind: str, name: str) -> bool:
    return (PAGES / kind / f"{name}.html.j2").is_file()


def _of_game(sight: Sight, voice: Voice) -> dict[str, Any]:
    return {
        "table": layout.table(sight, voice),
        "choices": choices.choices(sight, voice),
        "news": sight.scene.news[-_NEWS:],
        "company": sight.company,
        "qr_path": qr_path,
    }


def _title(sight: Sight, voice: Voice) -> str:
    """The title of the window: whose turn it is, before what is played."""
    if sight.ending and not sight.spread:
        return f"The end · {sight.scene.title}"
    asked = sight.scene.question
    if asked is None:
        return sight.scene.title
    if asked.seat is not None and asked.seat == sight.scene.viewer:
        return f"Your turn · {sight.scene.title}"
    return f"{voice.decides(asked)} · {sight.scene.title}"


def _spoken(sight: Sight, voice: Voice) -> str:
    """The last of what has happened, and then whose turn it is."""
    said = list(sight.fresh[-_HEARD:])
    asked = sight.scene.question
    if asked and not sight.ending:
        said.append(voice.plain(asked.text))
    return " ".join(said)


def _render(name: str, **values: Any) -> str:
    return _environment().get_template(f"{name}.j2").render(values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined)


def _source(name: str) -> str:
    """A template without the space that indents it: a Scene is sent often."""
    return re.sub(r"\n\s*", "", resources.read_text(PAGES / name))
