"""The score sheet of the Deck of Destiny: a line for each encounter, logged one at a time."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny.ending import ENDINGS, parts_of
from vaultkit.games.deck_of_destiny.rules import KINDS, MOST_ADDED, OPTIONS, category_of, hand_name, names_in, reward
from vaultkit.games.deck_of_destiny.state import PLAYER
from vaultkit.games.definition import Answer, Column, Definition, Question
from vaultkit.games.hands import POKER, TAROKKA, Category
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import Doubt, ScoreSheet, Tally, crowd
from vaultkit.games.words import Fact, Outcome, Sentence

LINES = 5
"""The lines of the sheet, one for each encounter."""
MOST_CARDS = 47
MOST_LAID = 1 + 2 * MOST_ADDED
"""One card in phase 1, then up to five, and no more than that again (DD-6)."""
MOST_BEFORE_RETREAT = 1 + MOST_ADDED
UNKNOWN = "unknown"
"""The answer for a hand that nobody wrote down."""
HANDS = {category.value.capitalize(): category for category in Category}
"""Hands as the sheet calls them, strongest first."""
RESULTS = {kind: ENDINGS[kind] for kind in ("win", "loss", "tie", "retreat")}
_ONE = "Encounters are logged one at a time; without a sheet it is 1."
_ASKS = "A strength from 1 to 7, or a hand such as a flush."
_LAID = "Count all cards of yours that you laid in this encounter."
_HAND = "What your best five cards make, at least one of them from the board."
_STRENGTH = re.compile(r"(?:strength\s*)?([1-7])", re.IGNORECASE)


class DestinySheet(ScoreSheet):
    """Cards laid, the hand they made, the result, and cards won."""

    definition = Definition(
        title="Deck of Destiny",
        players=(1, 1),
        columns=(
            Column("name", "Encounter", words=True, default="", how="Whom or what you met."),
            Column("asks", "Asked for", words=True, default="", rulings=("DD-9",), how=_ASKS),
            Column("laid", "Cards laid", most=MOST_LAID, rulings=("DD-3", "DD-6"), how=_LAID),
            Column("hand", "My hand", default=UNKNOWN, rulings=("DD-5", "DD-16"), how=_HAND),
            Column("result", "Result", RESULTS, rulings=("DD-9", "DD-10", "DD-12")),
            Column("gained", "Cards won", default=0, rulings=("DD-2",), how="Count those that you were given."),
        ),
    )

    def first(self, options: Options) -> tuple[Question, ...]:
        owned = options["inventory"]
        begun = f"{owned} to begin with, then as many as the encounter before has left."
        return (
            Question("encounter", "Which line of the sheet?", least=1, most=LINES, default=1, how=_ONE),
            Question("inventory", "Cards owned before", most=MOST_CARDS, default=owned, rulings=("DD-2",), how=begun),
        )

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:
        hands = {name: _spoken(category, options) for name, category in HANDS.items()}
        choices = {"hand": {**hands, UNKNOWN: "not written down"}}
        return tuple(
            column.changed(key=f"{_row(common)}.{column.key}", choices=choices.get(column.key, column.choices))
            for column in self.definition.columns
        )

    def sums(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        return ()

    def carried(self, key: str, options: Options, common: Mapping[str, Answer], boxes: Mapping[str, str]) -> int | None:
        """The cards owned after the encounters above this one on the sheet (DD-3)."""
        return owned_after(boxes, int(common.get("encounter", 1)) - 1, options) if key == "inventory" else None

    def crowd(self, tally: Tally) -> Iterator[Doubt]:
        return crowd(tally, "The Deck of Destiny", 1, 1)

    def impossible(self, tally: Tally) -> Iterator[Doubt]:
        """Of the cards laid, the result, and the cards won."""
        line = _line(tally)
        yield from _laid(line, tally.options)
        yield from _tied(line, tally.options)
        if line.category and line.hand:
            yield from _passive(line, line.category, line.hand, tally.options)
        yield from _gained(line, tally.options)

    def miscounts(self, tally: Tally) -> Iterator[Doubt]:  # noqa: ARG002
        return iter(())

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it; the board and the opponent's cards are not on paper, and are left out."""
        line = _line(tally)
        kind = line.result if line.result in ENDINGS else "loss"
        kept = tally.options.get(f"keep_on_{kind}") == "yes"
        reason, rulings = _reason(line, kind, tally.options)
        return Outcome(
            kind=kind,
            winners=(PLAYER,) if kind == "win" else (),
            reason=reason,
            rulings=rulings,
            scores=(parts_of(line.before, line.laid, line.laid if kept else 0, line.gained),),
            ranks=(1,),
            facts=tuple(_facts(line, tally.options)),
        )


@dataclass(frozen=True, slots=True)
class Line:
    """One encounter. `asks` are the words on the sheet; `strength` is 0 and `category` set if it is passive.

    `hand` is None where nobody wrote it down; `before` is how many cards were owned.
    """

    name: str
    asks: str
    strength: int
    category: Category | None
    laid: int
    hand: Category | None
    result: str
    gained: int
    before: int


def _row(common: Mapping[str, Answer]) -> str:
    """The line of the sheet that is meant: `encounter.1`."""
    return f"encounter.{common.get('encounter', 1)}"


def _line(tally: Tally) -> Line:
    """The encounter. What it asks for comes from the sheet, or else from the options."""
    seat, at = tally.seats[0], _row(tally.common)
    asks = str(seat.answers.get(f"{at}.asks", "")).strip()
    strength, category = _asked(asks, tally.options)
    before = tally.common.get("inventory", tally.options["inventory"])
    return Line(
        name=str(seat.answers.get(f"{at}.name", "")).strip(),
        asks=asks,
        strength=strength,
        category=category,
        laid=seat.number(f"{at}.laid"),
        hand=HANDS.get(str(seat.answers.get(f"{at}.hand", UNKNOWN))),
        result=str(seat.answers.get(f"{at}.result", "")),
        gained=seat.number(f"{at}.gained"),
        before=before if isinstance(before, int) else 0,
    )


def owned_after(boxes: Mapping[str, str], lines: int, options: Options) -> int | None:
    """The cards owned after the first `lines` encounters of a sheet, by what is in its boxes.

    None where nothing is in them, or something that is no number.
    """
    owned = options["inventory"]
    said = {key: text.strip() or "0" for key, text in boxes.items()}
    filled = [f"encounter.{number}" for number in range(1, lines + 1) if f"encounter.{number}.result" in said]
    for at in filled:
        laid, gained = (said.get(f"{at}.{box}", "0") for box in ("laid", "gained"))
        if not (_is_count(laid) and _is_count(gained) and isinstance(owned, int)):
            return None
        kept = options.get(f"keep_on_{said[f'{at}.result'].casefold()}") == "yes"
        owned += int(gained) - int(laid) * (not kept)
    return owned if filled and isinstance(owned, int) else None


def _is_count(text: str) -> bool:
    return text.isdecimal() and len(text) < 4


def _asked(asks: str, options: Options) -> tuple[int, Category | None]:
    """The strength of a combative encounter, or the hand that a passive one asks for."""
    if found := _STRENGTH.fullmatch(asks):
        return int(found[1]), None
    try:
        category = category_of(str(next(option for option in OPTIONS if option.key == "requires").parse(asks)))
    except UsageError:
        category = category_of(str(options["requires"]))
    return (0, category) if category else (int(options["strength"]), None)


def _deck_kind(options: Options) -> str:
    """The kind of deck, or the name of one of the GM's own (DD-1)."""
    deck = str(options["deck"])
    return KINDS.get(deck, deck)


def _spoken(category: Category, options: Options) -> str:
    """A hand in a sentence, as the deck of these options calls it."""
    return hand_name(category, names_in(_deck_kind(options)))


def _owned(line: Line, options: Options) -> int:
    """The cards that could be laid: those owned, or the one that is drawn by somebody without any (DD-4)."""
    return line.before or int(options["empty"] == "draw-one")


def _laid(line: Line, options: Options) -> Iterator[Doubt]:
    owned, most = _owned(line, options), MOST_BEFORE_RETREAT if line.result == "retreat" else MOST_LAID
    if line.laid > owned:
        words = "{s0} laid {v0} and owned {v1} before."
        values = (_cards(line.laid), owned or "none")
        yield Doubt(Sentence(words, (PLAYER,), (), values), ("DD-2", "DD-7"))
    elif line.laid > most:
        words = "{s0} laid {v0}, and an encounter takes {v1} at most."
        if line.result == "retreat":
            words = "{s0} laid {v0} and retreated, and before a retreat there are {v1} at most."
        yield Doubt(Sentence(words, (PLAYER,), (), (_cards(line.laid), most)), ("DD-6", "DD-12"))
    if not line.laid and owned:
        words = "{s0} laid no card, and the first phase takes one."
        yield Doubt(Sentence(words, (PLAYER,)), ("DD-4",))
    if not owned and line.result != "retreat":
        words = "{s0} owned no card, and so could not enter the encounter."
        yield Doubt(Sentence(words, (PLAYER,)), ("DD-4",))


def _tied(line: Line, options: Options) -> Iterator[Doubt]:
    if line.result != "tie":
        return
    if line.category:
        yield Doubt(Sentence("An encounter that asks for a hand cannot be a tie."), ("DD-9",))
    elif options["tie"] == "won":
        yield Doubt(Sentence("Equal hands are a win by your options."), ("DD-10",))
    elif options["tie"] == "replay":
        yield Doubt(Sentence("Equal hands are dealt anew by your options."), ("DD-10",))


def _passive(line: Line, asked: Category, hand: Category, options: Options) -> Iterator[Doubt]:
    """Whether the hand is enough depends on nothing else, but for `exact`, by which a lower one may be there too."""
    order = TAROKKA if _deck_kind(options) == "tarokka" else POKER
    enough = order.index(hand) <= order.index(asked)
    surely = hand is asked or (enough and options["passive"] == "at-least")
    words = ""
    if line.result == "win" and not enough:
        words = "{s0} cannot have won with {v0}, which is lower than {v1}."
    elif line.result == "loss" and surely:
        words = "{s0} cannot have lost with {v0}: that is enough for {v1}."
    if words:
        values = (_spoken(hand, options), _spoken(asked, options))
        yield Doubt(Sentence(words, (PLAYER,), (), values), ("DD-9",))


def _gained(line: Line, options: Options) -> Iterator[Doubt]:
    """Only a win earns cards; somebody without any may have drawn one before (DD-4)."""
    drawn = int(not line.before and options["empty"] == "draw-one")
    earned = reward(options, line.strength) if line.result == "win" else 0
    if line.gained > earned + drawn:
        words = "{s0} gained {v0}, and only a win earns any."
        if line.result == "win":
            words = "{s0} gained {v0}, and the win earns {v1}."
        yield Doubt(Sentence(words, (PLAYER,), (), (_cards(line.gained), earned or "none")), ("DD-2",))


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _reason(line: Line, kind: str, options: Options) -> tuple[Sentence, tuple[str, ...]]:
    made = "" if line.hand is None else _spoken(line.hand, options)
    if kind == "retreat":
        words, rulings = "{s0} retreats.", ("DD-12",) if line.laid else ("DD-4",)
        return Sentence(words, (PLAYER,)), rulings
    if kind == "tie":
        hands = "equal hands, {v0}," if made else "equal hands"
        words = f"{{s0}} and the opponent make {hands} and so the encounter is not won."
        return Sentence(words, (PLAYER,), (), (made,)), ("DD-10",)
    asked = "" if line.category is None else _spoken(line.category, options)
    verb = "wins" if kind == "win" else "loses"
    words = f"{{s0}} {verb}: {{v1}} was asked for" if asked else f"{{s0}} {verb}"
    hand = ", and {s0} makes {v0}" if asked else " with {v0}"
    words += f"{hand if made else ''}."
    return Sentence(words, (PLAYER,), (), (made, asked)), ("DD-9",) if asked else ("DD-16", "DD-18")


def _facts(line: Line, options: Options) -> Iterator[Fact]:
    """The encounter, what it asked for, and the hand, as far as they were written down."""
    if line.name:
        yield "Encounter", Sentence("{v0}", values=(line.name,))
    if line.asks:
        yield "Asked for", Sentence("{v0}", values=(line.asks,))
    if line.hand is not None:
        yield "Best hand", Sentence("{v0}", values=(_spoken(line.hand, options),))
