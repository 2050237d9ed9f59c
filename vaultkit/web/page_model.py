"""Everything that one page may show now, as values: made by whoever holds the game, drawn by `drawing`."""

from collections.abc import Sequence
from dataclasses import dataclass

from vaultkit.cards import Card, Deck
from vaultkit.compendium.spreads import Shape
from vaultkit.games.messages import Outcome, Seat, Table
from vaultkit.scene.scene import Scene
from vaultkit.web.card_picker import CardPicker
from vaultkit.web.opaque_ids import OpaqueIds
from vaultkit.web.roster import Roster


@dataclass(frozen=True, slots=True)
class SpreadCard:
    """A place of a spread. `number` counts from 1, and orders name it; `card` is None while it lies face down.

    `lines` are the words of the card's text, none while it lies face down.
    """

    number: int
    name: str
    meaning: str
    card: Card | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SpreadModel:
    """A reading on the table. `asked` is what the cards are asked, `latest` the number turned last, 0 before that."""

    asked: str
    shape: Shape
    places: tuple[SpreadCard, ...]
    latest: int = 0


@dataclass(frozen=True, slots=True)
class HandCover:
    """A hand behind a cover at one screen: whose it is, and whether this page has lifted the cover.

    With `names` its owner is to say which cards came to it.
    """

    seat: Seat
    name: str
    is_open: bool = False
    names: bool = False


@dataclass(frozen=True, slots=True)
class EndingModel:
    """The end: how a game ended, with its score tables, and what was written into which notes.

    `written` are vault paths; where writing failed, `failure` says why, and `unwritten` are the paths that are missing,
    none where that is not known. `link` opens the note in Obsidian, "" where there is none. `remarks` are sentences for
    the host, `turning_points` one each. It `asks` where people still have to say that it is right so; `goes_on` is what
    comes next, "" where that is the end of all.
    """

    outcome: Outcome | None = None
    tables: tuple[Table, ...] = ()
    turning_points: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    unwritten: tuple[str, ...] = ()
    failure: str = ""
    link: str = ""
    remarks: tuple[str, ...] = ()
    asks: bool = False
    goes_on: str = ""


@dataclass(frozen=True, slots=True)
class LessonParagraph:
    """Words of a lesson: of the note ("note"), of the lesson itself ("say"), or what has happened ("news")."""

    kind: str
    lines: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class LessonPage:
    """A page of a lesson. `goes_on` is the label of the button to the next one, "" where there is none.

    `is_look` where a move lies on the table that is taken back next.
    """

    number: int
    heading: str
    words: tuple[LessonParagraph, ...]
    goes_on: str = ""
    is_look: bool = False


@dataclass(frozen=True, slots=True)
class PageModel:
    """Everything that one page may see. A reading has `spread`; its scene has zones and news alone.

    `question` is the id that orders of this page must name, None while it has nothing to order. `offers` of the scene
    are chosen by their place in it, counted from 0: `{"do": "offer", "offer": "2"}`. `notice` is one sentence that
    must be seen, such as that a move was not saved. `fresh` are the sentences of what has happened since the last
    Scene of this page; `steps` says how far this one goes. `tales` are the offers with which a player may tell what
    happens: `"tale": "..."` beside the offer. `company` is there where people play with phones; then `deciding` are all
    that the screen waits for, and `chosen` says what this phone has chosen in secret. `pad` is there where real cards
    are to be named: `{"do": "name", "words": "6 of Swords"}`. `lesson` is there where somebody learns a game.
    """

    scene: Scene
    deck: Deck
    marks: OpaqueIds
    question: str | None = None
    cover: HandCover | None = None
    spread: SpreadModel | None = None
    ending: EndingModel | None = None
    notice: str = ""
    fresh: tuple[str, ...] = ()
    steps: int = 0
    tales: frozenset[int] = frozenset()
    company: Roster | None = None
    deciding: tuple[Seat, ...] = ()
    chosen: str = ""
    pad: CardPicker | None = None
    lesson: LessonPage | None = None


@dataclass(frozen=True, slots=True)
class PrivateAnswer:
    """Something for whoever asked alone: a rule, a card's text, a hint, how everybody stands."""

    title: str
    lines: Sequence[str]
    source: str = ""
    has_more: bool = False
    """Whether the answer is a part of a section, which can be asked for."""
