"""All that a client may show of a way of playing, as values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.cards import Card, Deck
from vaultkit.compendium.spreads import Shape
from vaultkit.games.messages import Outcome, Seat, Sentence, Table
from vaultkit.scene.scene import Scene

if TYPE_CHECKING:
    from vaultkit.scene.lesson import Ask, Beat, Look, Pause


@dataclass(frozen=True, slots=True)
class Cover:
    """The cover over a hand at one screen: whose hand it is, and whether this viewer has lifted it.

    If `names`, the owner is asked which cards came to the hand.
    """

    seat: Seat
    name: str
    is_open: bool = False
    names: bool = False


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """The cards or words that are to be named, and those `named` so far.

    `cards` are the ids of cards that may be named, None if no card is wanted. `words` are other answers, each with its
    label and its meaning; `answers` are the ones that are never commands. `subject` says what is missing. If it
    `can_submit`, the entry may end here; if it `can_go_back`, its last part can be removed. `forms` are ways to type
    an entry, each with its meaning.
    """

    question: str
    cards: Sequence[str] | None
    words: tuple[tuple[str, str, str], ...] = ()
    named: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    subject: str = ""
    can_submit: bool = False
    can_go_back: bool = False
    forms: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game, with its score tables, and what was written into which notes.

    `written` are vault paths. If writing failed, `failure` says why, and `unwritten` are the paths that are missing, as
    far as they are known. `link` opens the note in Obsidian, "" if there is none. `remarks` are sentences for the
    operator, and `story` tells the game. `deciding` are sentences on the cards that decided, each with these cards. If
    it `asks`, people still have to confirm it; `goes_on` is what comes next, "" if nothing does. `plays_again`
    says that the same people can begin another game. `match` says how the match stands to which the game belongs, or
    how it ended. `price` is what a loss costs. `rewards_note` is the note of the game if its rewards can be rolled,
    else "".
    """

    outcome: Outcome | None = None
    tables: tuple[Table, ...] = ()
    story: tuple[Sentence, ...] = ()
    written: tuple[str, ...] = ()
    unwritten: tuple[str, ...] = ()
    failure: str = ""
    link: str = ""
    remarks: tuple[str, ...] = ()
    asks: bool = False
    goes_on: str = ""
    deciding: tuple[tuple[Sentence, tuple[str, ...]], ...] = ()
    match: Sentence | None = None
    price: Sentence | None = None
    plays_again: bool = False
    rewards_note: str = ""


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
class LessonPage:
    """A page of a lesson: its texts and events, and the `stop` at its end, None at the end of the lesson.

    With `is_look` there is a move on the table that is taken back next.
    """

    number: int
    heading: str
    beats: "tuple[Beat, ...]"
    stop: "Pause | Look | Ask | None"
    is_look: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """Everything that one viewer may see; no markup, no state of a client. The scene of a reading has zones and news.

    `question` is the id that orders must name, None if this viewer has nothing to order. `news` are the sentences of
    all that has happened, for this viewer. `notice` is a sentence that must be seen, such as that a move was not saved.
    `stories` are the places of offers about which a player may tell a story. `waiting_for` are the seats that have a
    choice to make; `chosen` is what this viewer has chosen in secret. `headings` say whom a character plays against,
    which game of a match it is, and who leads. `party_seat` is the seat that decides for the party, None for the
    viewer's own. `concession` is "agree" if this viewer is asked to concede, "wait" if others are, else "".
    """

    scene: Scene
    deck: Deck
    question: str | None = None
    cover: Cover | None = None
    draft: EntryDraft | None = None
    news: Sequence[Sentence] = ()
    notice: str = ""
    lesson: LessonPage | None = None
    spread: SpreadModel | None = None
    ending: Ending | None = None
    waiting_for: tuple[Seat, ...] = ()
    stories: frozenset[int] = frozenset()
    chosen: str = ""
    headings: tuple[Sentence, ...] = ()
    party_seat: Seat | None = None
    concession: str = ""
