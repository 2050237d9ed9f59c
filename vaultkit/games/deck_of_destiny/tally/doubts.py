"""Finds what cannot be true in an encounter that people wrote down, and says why."""

from collections.abc import Iterator

from vaultkit.games.deck_of_destiny.rules import MOST_ADDED, reward
from vaultkit.games.deck_of_destiny.state import PLAYER
from vaultkit.games.deck_of_destiny.tally import answers
from vaultkit.games.deck_of_destiny.tally.answers import Line
from vaultkit.games.hands import POKER, TAROKKA, Category
from vaultkit.games.options import Options
from vaultkit.games.tally import Doubt, Tally, crowd
from vaultkit.games.words import Sentence

MOST_LAID = 1 + 2 * MOST_ADDED
"""One card in phase 1, then up to five, and no more than that again (DD-6)."""
MOST_BEFORE_RETREAT = 1 + MOST_ADDED


def doubts(tally: Tally) -> Iterator[Doubt]:
    """Everything that cannot be true of the cards laid, the result, and the cards won."""
    yield from crowd(tally, "The Deck of Destiny", 1, 1)
    line = answers.line(tally)
    yield from _laid(line, tally.options)
    yield from _tied(line, tally.options)
    if line.category and line.hand:
        yield from _passive(line, line.category, line.hand, tally.options)
    yield from _gained(line, tally.options)


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
    order = TAROKKA if answers.deck_kind(options) == "tarokka" else POKER
    enough = order.index(hand) <= order.index(asked)
    surely = hand is asked or (enough and options["passive"] == "at-least")
    words = ""
    if line.result == "win" and not enough:
        words = "{s0} cannot have won with {v0}, which is lower than {v1}."
    elif line.result == "loss" and surely:
        words = "{s0} cannot have lost with {v0}: that is enough for {v1}."
    if words:
        values = (answers.spoken(hand, options), answers.spoken(asked, options))
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
    return f"{count} card{'s' * (count != 1)}"
