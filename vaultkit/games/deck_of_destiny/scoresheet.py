"""The score sheet of the Deck of Destiny: a line for each encounter, logged one at a time."""

import re
from collections.abc import Iterator, Mapping

from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny import rules
from vaultkit.games.deck_of_destiny.ending import ENDINGS, score_parts
from vaultkit.games.deck_of_destiny.state import PLAYER_SEAT_INDEX
from vaultkit.games.hands import POKER_ORDER, TAROKKA_ORDER, Category
from vaultkit.games.messages import Outcome, Sentence
from vaultkit.games.options import Options
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import Doubts, ScoreSheet, Tally, doubt
from vaultkit.text import format_count

MAX_LAID_CARDS = 1 + 2 * rules.MAX_ADDED_CARDS
"""The most cards of an encounter: one in phase 1, up to five in phase 2, and no more than that in phase 3 (DD-6)."""
PossibleDoubt = tuple[object, str, str]
"""A doubt that depends on a condition: the condition, whose truth value counts, the rulings and the words."""
UNKNOWN_HAND = "unknown"
"""The answer that stands for a hand which nobody wrote down."""
CATEGORY_BY_NAME = {category.value.capitalize(): category for category in Category}
"""The categories of hands by their names on the sheet, strongest first."""
_STRENGTH_PATTERN = re.compile(r"(?:strength\s*)?([1-7])", re.IGNORECASE)
_COUNT_PATTERN = re.compile(r"\d{1,3}")
_IMPOSSIBLE_TIE_MESSAGES = {
    "won": "With your options, equal hands are a win.",
    "replay": "With your options, equal hands are dealt again.",
}


class DestinySheet(ScoreSheet):
    """The score sheet of one encounter: cards laid, the hand they made, the result, and cards won."""

    def seat_questions(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:
        hands = {name: _hand_text(category, options) for name, category in CATEGORY_BY_NAME.items()}
        hands[UNKNOWN_HAND] = "not written down"
        choices, row = {"hand": hands, "result": ENDINGS}, _row_key(common)
        columns = self.definition.columns
        return tuple(col.replace_fields(key=f"{row}.{col.key}", choices=choices.get(col.key, {})) for col in columns)

    def derive_answer(
        self, key: str, options: Options, common: Mapping[str, Answer], boxes: Mapping[str, str]
    ) -> int | None:
        """Return the number of cards owned after the encounters on the earlier rows of the sheet (DD-3).

        The result is None for other questions, and if the rows are empty or contain something that is no number.
        """
        rows = [f"encounter.{number}" for number in range(1, int(common.get("encounter", 1)))]
        filled_rows = [row for row in rows if f"{row}.result" in boxes]
        owned_count = int(options["inventory"])
        for row in filled_rows:
            laid_count, gained_count = (boxes.get(f"{row}.{box}", "").strip() or "0" for box in ("laid", "gained"))
            if not (_COUNT_PATTERN.fullmatch(laid_count) and _COUNT_PATTERN.fullmatch(gained_count)):
                return None
            is_kept = options.get(f"keep_on_{boxes[f'{row}.result'].strip().casefold()}") == "yes"
            owned_count += int(gained_count) - (0 if is_kept else int(laid_count))
        return owned_count if key == "inventory" and filled_rows else None

    def find_rule_doubts(self, tally: Tally) -> Doubts:
        """Return the doubts about the cards laid, the result, and the cards gained."""
        doubts = _possible_doubts(SheetLine(tally))
        return (doubt(rulings, words, PLAYER_SEAT_INDEX) for is_true, rulings, words in doubts if is_true)

    def outcome(self, tally: Tally) -> Outcome:
        """Return the outcome, without facts about the board and the opponent's cards, which are not on paper."""
        line = SheetLine(tally)
        kind = line.result if line.result in ENDINGS else "loss"
        is_kept = tally.options.get(f"keep_on_{kind}") == "yes"
        reason, rulings = _outcome_reason(line, kind)
        text_by_topic = {"Encounter": line.name, "Asked for": line.asks, "Best hand": line.made}
        facts = tuple((label, Sentence("{v0}", values=(text,))) for label, text in text_by_topic.items() if text)
        parts = score_parts(line.before, line.laid, line.laid if is_kept else 0, line.gained)
        winners = (PLAYER_SEAT_INDEX,) if kind == "win" else ()
        other_seat_count = len(tally.seats) - 1  # an encounter has one player, but more may be logged with doubts
        scores, ranks = (parts, *({},) * other_seat_count), (1,) * (1 + other_seat_count)
        return Outcome(kind, winners, Sentence(reason, (PLAYER_SEAT_INDEX,)), rulings, scores, ranks, facts)


class SheetLine:
    """One line of the score sheet: an encounter as it was written down.

    `before` is the number of cards that were owned, and `drawn` is 1 if a character without cards draws one (DD-4),
    else 0. `hand` is the category of the hand, None if nobody wrote it down, and `made` is that hand in words, or "".
    `asked` is the category that a passive encounter asks for, None for a combative one, which has a `strength`.
    """

    def __init__(self, tally: Tally) -> None:
        self.options, seat, row = tally.options, tally.seats[0], _row_key(tally.common)
        words = (str(seat.answers.get(f"{row}.{box}", "")).strip() for box in ("name", "asks", "hand", "result"))
        self.name, self.asks, hand, self.result = words
        self.laid, self.gained = seat.number(f"{row}.laid"), seat.number(f"{row}.gained")
        self.before = int(tally.common.get("inventory", self.options["inventory"]))
        self.drawn = int(not self.before and self.options["empty"] == "draw-one")
        self.hand = CATEGORY_BY_NAME.get(hand)
        self.made = _hand_text(self.hand, self.options) if self.hand else ""
        self.strength, self.asked = _parse_encounter(self.asks, self.options)


def _parse_encounter(text: str, options: Options) -> tuple[int, Category | None]:
    """Return the strength and no category of a combative encounter, or 0 and the category of a passive one.

    `text` is the description on the sheet; the options are used if it says neither.
    """
    if match := _STRENGTH_PATTERN.fullmatch(text):
        return int(match[1]), None
    try:
        option = next(option for option in rules.OPTIONS if option.key == "requires")
        category = rules.parse_category(str(option.parse(text)))
    except UsageError:
        category = rules.parse_category(str(options["requires"]))
    return (0, category) if category else (int(options["strength"]), None)


def _row_key(common: Mapping[str, Answer]) -> str:
    """Return the key of the encounter's row on the sheet: `encounter.1`."""
    return f"encounter.{common.get('encounter', 1)}"


def _hand_text(category: Category, options: Options) -> str:
    """Return a hand of the category as a part of a sentence, with the category's name in the deck of the options."""
    return rules.hand_name(category, rules.category_names(rules.deck_kind(options)))


def _possible_doubts(line: SheetLine) -> Iterator[PossibleDoubt]:
    owned_count = line.before or line.drawn
    laid_words = format_count(line.laid, "card")
    has_retreated = line.result == "retreat"
    max_laid = 1 + rules.MAX_ADDED_CARDS if has_retreated else MAX_LAID_CARDS
    limit_words = " and retreated, and before a retreat there are" if has_retreated else ", and an encounter takes"
    yield line.laid > owned_count, "DD-2 DD-7", f"{{s0}} laid {laid_words} and owned {owned_count or 'none'} before."
    limit_message = f"{{s0}} laid {laid_words}{limit_words} {max_laid} at most."
    yield owned_count >= line.laid > max_laid, "DD-6 DD-12", limit_message
    yield owned_count and not line.laid, "DD-4", "{s0} laid no card, and the first phase takes one."
    yield not owned_count and not has_retreated, "DD-4", "{s0} owned no card, so {s0} could not enter the encounter."
    yield from _possible_hand_doubts(line)
    has_won = line.result == "win"  # only a win earns cards, but a character without cards may have drawn one (DD-4)
    earned_count = rules.reward_size(line.options, line.strength) if has_won else 0
    earned_words = f"the win earns {earned_count or 'none'}" if has_won else "only a win earns any"
    message = f"{{s0}} gained {format_count(line.gained, 'card')}, and {earned_words}."
    yield line.gained > earned_count + line.drawn, "DD-2", message


def _possible_hand_doubts(line: SheetLine) -> Iterator[PossibleDoubt]:
    """Yield the possible doubts about a tie, and about a result that contradicts the hand in a passive encounter.

    With `passive: exact`, a loss with a higher hand than the one asked for is no doubt.
    """
    asked_category, hand, options, is_tie = line.asked, line.hand, line.options, line.result == "tie"
    yield is_tie and asked_category, "DD-9", "An encounter that asks for a hand cannot be a tie."
    tie_message = _IMPOSSIBLE_TIE_MESSAGES.get(str(options["tie"]), "")
    yield is_tie and not asked_category and tie_message, "DD-10", tie_message
    if asked_category and hand:
        category_order = TAROKKA_ORDER if rules.deck_kind(options) == "tarokka" else POKER_ORDER
        asked_hand = _hand_text(asked_category, options)
        is_enough = category_order.index(hand) <= category_order.index(asked_category)
        too_low_message = f"{{s0}} cannot have won with {line.made}, which is lower than {asked_hand}."
        yield line.result == "win" and not is_enough, "DD-9", too_low_message
        is_hand_made = hand is asked_category or (is_enough and options["passive"] == "at-least")
        is_lost_wrongly = line.result == "loss" and is_hand_made
        yield is_lost_wrongly, "DD-9", f"{{s0}} cannot have lost with {line.made}: that is enough for {asked_hand}."


def _outcome_reason(line: SheetLine, kind: str) -> tuple[str, tuple[str, ...]]:
    if kind == "retreat":
        return "{s0} retreats.", ("DD-12",) if line.laid else ("DD-4",)
    if kind == "tie":
        equal_hand_words = f", {line.made}," if line.made else ""
        words = f"{{s0}} and the opponent make equal hands{equal_hand_words} so the encounter is not won."
        return words, ("DD-10",)
    verb = "wins" if kind == "win" else "loses"
    if line.asked:
        hand_words = f", and {{s0}} makes {line.made}" if line.made else ""
        return f"{{s0}} {verb}: {_hand_text(line.asked, line.options)} was asked for{hand_words}.", ("DD-9",)
    hand_words = f" with {line.made}" if line.made else ""
    return f"{{s0}} {verb}{hand_words}.", ("DD-16", "DD-18")
