"""An encounter of the Deck of Destiny that was played with real cards, as a line of its score sheet tells it."""

from collections.abc import Iterator, Mapping

from vaultkit.games.deck_of_destiny.ending import ENDINGS, parts_of
from vaultkit.games.deck_of_destiny.state import PLAYER
from vaultkit.games.deck_of_destiny.tally import answers, doubts
from vaultkit.games.deck_of_destiny.tally.answers import Line
from vaultkit.games.options import Options
from vaultkit.games.tally import Answer, Doubt, Question, ScoreKeeping, Tally
from vaultkit.games.words import Fact, Outcome, Sentence

LINES = 5
"""The lines of the sheet, one for each encounter."""
MOST_CARDS = 47
ONE = "Encounters are logged one at a time; without a sheet it is 1."
ASKS = "A strength from 1 to 7, or a hand such as a flush."
LAID = "Count all cards of yours that you laid in this encounter."
HAND = "What your best five cards make, at least one of them from the board."
RESULTS = ("win", "loss", "tie", "retreat")


class DestinyTally(ScoreKeeping):
    """Cards laid, the hand they made, the result, and cards won."""

    def first(self, options: Options) -> tuple[Question, ...]:
        owned = options["inventory"]
        begun = f"{owned} to begin with, then as many as the encounter before has left."
        return (
            Question("encounter", "Which line of the sheet?", least=1, most=LINES, default=1, how=ONE),
            Question("inventory", "Cards owned before", most=MOST_CARDS, default=owned, rulings=("DD-2",), how=begun),
        )

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:
        row = answers.row(common)
        hands = {name: answers.spoken(category, options) for name, category in answers.HANDS.items()}
        hands[answers.UNKNOWN] = "not written down"
        results = {kind: ENDINGS[kind] for kind in RESULTS}
        return (
            Question(f"{row}.name", "Encounter", words=True, default="", how="Whom or what you met."),
            Question(f"{row}.asks", "Asked for", words=True, default="", rulings=("DD-9",), how=ASKS),
            Question(f"{row}.laid", "Cards laid", most=doubts.MOST_LAID, rulings=("DD-3", "DD-6"), how=LAID),
            Question(
                f"{row}.hand", "My hand", choices=hands, default=answers.UNKNOWN, rulings=("DD-5", "DD-16"), how=HAND
            ),
            Question(f"{row}.result", "Result", choices=results, rulings=("DD-9", "DD-10", "DD-12")),
            Question(
                f"{row}.gained", "Cards won", default=0, rulings=("DD-2",), how="Count those that you were given."
            ),
        )

    def carried(self, key: str, options: Options, common: Mapping[str, Answer], boxes: Mapping[str, str]) -> int | None:
        """The cards owned after the encounters above this one on the sheet (DD-3)."""
        return answers.owned_after(boxes, int(common.get("encounter", 1)) - 1, options) if key == "inventory" else None

    def last(self, tally: Tally) -> tuple[Question, ...]:  # noqa: ARG002
        return ()

    def doubts(self, tally: Tally) -> Iterator[Doubt]:
        return doubts.doubts(tally)

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it; the board and the opponent's cards are not on paper, and are left out."""
        line = answers.line(tally)
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


def _reason(line: Line, kind: str, options: Options) -> tuple[Sentence, tuple[str, ...]]:
    made = "" if line.hand is None else answers.spoken(line.hand, options)
    if kind == "retreat":
        words, rulings = "{s0} retreats.", ("DD-12",) if line.laid else ("DD-4",)
        return Sentence(words, (PLAYER,)), rulings
    if kind == "tie":
        hands = "equal hands, {v0}," if made else "equal hands"
        words = f"{{s0}} and the opponent make {hands} and so the encounter is not won."
        return Sentence(words, (PLAYER,), (), (made,)), ("DD-10",)
    asked = "" if line.category is None else answers.spoken(line.category, options)
    verb = "wins" if kind == "win" else "loses"
    words = f"{{s0}} {verb}: {{v1}} was asked for" if asked else f"{{s0}} {verb}"
    words += ", and {s0} makes {v0}." if asked and made else " with {v0}." if made else "."
    return Sentence(words, (PLAYER,), (), (made, asked)), ("DD-9",) if asked else ("DD-16", "DD-18")


def _facts(line: Line, options: Options) -> Iterator[Fact]:
    """The encounter, what it asked for, and the hand, as far as they were written down."""
    if line.name:
        yield "Encounter", Sentence("{v0}", values=(line.name,))
    if line.asks:
        yield "Asked for", Sentence("{v0}", values=(line.asks,))
    if line.hand is not None:
        yield "Best hand", Sentence("{v0}", values=(answers.spoken(line.hand, options),))
