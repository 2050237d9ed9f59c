"""The constant parts of Prophet's Gambit: options, facts about the cards, and headings of the rule note."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.game import Rules
from vaultkit.games.hands import TAROKKA_ORDER, TAROKKA_RARITY_ORDER, HandOrder, HandRanking
from vaultkit.games.messages import Seat
from vaultkit.games.options import Option, Options
from vaultkit.games.turn import Move

OPTIONS = (
    Option("opening", "PG-1", ("once", "each-round-deal-7"), "One opening from six cards, or one a round from seven."),
    Option("master_number", "PG-2", ("none", 10, 0), "The number of a Master, if it has one."),
    Option("master_rank", "PG-3", (10, "low", "none"), "Where a Master stands in a sequence, if it can stand in one."),
    Option("tie_from", "PG-6", ("left-of-dealer", "dealer"), "Where the count begins that settles every tie."),
    Option("tie_compare", "PG-7", ("ranks", "category-only"), "Whether hands of one category compare by their ranks."),
    Option("exhaust", "PG-11", ("reshuffle", "no-draw"), "What happens when the Common Deck is empty."),
    Option("donjon_execution", "PG-20", ("skip", "hold"), "Whether the Focus is judged after the Donjon."),
    Option("innocent", "PG-24", ("literal", "others-only"), "Whether the Innocent's own Risks leave them alone too."),
    Option("marionette", "PG-28", ("at-turn", "immediate"), "When a marionette plays the card it was told to play."),
    Option("ghost", "PG-30", ("any", "top"), "Which cards of the discard pile the Ghost can take."),
    Option("four_card", "PG-36", ("strict", "scaled"), "Whether four cards can be a Family, a Village or a Guild."),
    Option("order", "PG-37", ("seed", "rarity"), "The order of hands as written, or the rarer always higher."),
    Option("dealer", "PG-38", ("random", 0, 1, 2, 3, 4, "winner-of-last"), "Who deals: by lot, a seat, or the winner."),
)

SETTING_UP = "Setting Up"
OPENING = "The Opening"
ROUNDS = "The Two Rounds"
PLAY = "Play"
RISK = "Risk"
EXECUTION = "The Execution"
REVEAL = "The Reveal"
TIES = "Ties"
HIGH_DECK = "High Deck Rules"

HEADING_OPTIONS = {
    SETTING_UP: ("opening", "dealer"),
    OPENING: ("master_number",),
    REVEAL: ("master_rank", "four_card", "order", "tie_compare"),
    TIES: ("tie_from",),
    PLAY: ("exhaust",),
    HIGH_DECK: ("donjon_execution", "innocent", "marionette", "ghost"),
}
"""The headings of the rule note whose text depends on options, with those options."""


HAND_SIZE = 3
"""The number of cards in a hand at the Reveal."""

ABOVE_NINE, BELOW_ONE = 10, 0
"""The ranks that a Master can have (PG-3)."""

HIGH_CARDS = (
    "artifact", "beast", "broken-one", "darklord", "donjon", "executioner", "ghost", "horseman", "innocent",
    "marionette", "mists", "raven", "seer", "tempter",
)  # fmt: skip

KEEP = Move("keep")
REPLACE = Move("replace")
DRAW = Move("draw-one")
DECLINE = Move("decline")
KILL = Move("kill")
SAVE = Move("save")
TARGET_MOVES = tuple(Move("target", (str(seat),)) for seat in range(5))
ORDER_WORDS = ("highest", "lowest")
ORDER_MOVES = {(seat, way): Move("order", (str(seat), way)) for seat in range(5) for way in ORDER_WORDS}


@dataclass(frozen=True, eq=False, slots=True)
class GambitCards:
    """The facts about the cards of the deck, which are divided into Common and High Deck.

    `number` holds the number of each Common card, None for a Master without one (PG-2). `ranking` gives the value of
    hands. `place` gives the order of the cards in a sorted hand: from high to low, with equal ranks together.
    """

    common: tuple[str, ...]
    high: tuple[str, ...]
    masters: frozenset[str]
    number: Mapping[str, int | None]
    place: Mapping[str, int]
    ranking: HandRanking


@lru_cache(maxsize=64)
def make_cards(deck: Deck, master_number: str | int, master_rank: str | int, four_card: str, order: str) -> GambitCards:
    """Return the cards of `deck` under the options of PG-2, PG-3, PG-36 and PG-37.

    Raises UsageError for a deck without the 14 High cards and 40 Common cards.
    """
    _check_deck(deck)
    common = tuple(card.id for card in deck if card.suits)
    masters = frozenset(card.id for card in deck if card.suits and not isinstance(card.rank, int))
    numbers_by_card = {card.id: card.rank for card in deck if card.suits and isinstance(card.rank, int)}
    master_rank_value = BELOW_ONE if master_rank == "low" else ABOVE_NINE
    suit = {card.id: card.suits[0] for card in deck if card.suits}
    hand_order = HandOrder(
        TAROKKA_RARITY_ORDER if order == "rarity" else TAROKKA_ORDER,
        unordered_ranks=frozenset({ABOVE_NINE}) if master_rank == "none" else frozenset(),
        min_line_cards=4 if four_card == "scaled" else 5,
    )

    faces = {card: (numbers_by_card.get(card, master_rank_value), suit[card]) for card in common}
    sorted_common = sorted(common, key=lambda card: (-faces[card][0], suit[card]))

    return GambitCards(
        common=common,
        high=tuple(card.id for card in deck if not card.suits),
        masters=masters,
        number={**numbers_by_card, **dict.fromkeys(masters, master_number if isinstance(master_number, int) else None)},
        place={card: index for index, card in enumerate(sorted_common)},
        ranking=HandRanking(hand_order, faces),
    )


def _check_deck(deck: Deck) -> None:
    high_cards = {card.id for card in deck if not card.suits}
    wrong_cards = high_cards.symmetric_difference(HIGH_CARDS)
    if wrong_cards:
        hint = f"Missing or unknown without a suit: {', '.join(sorted(wrong_cards))}."
        raise UsageError(f"The deck '{deck.title}' does not have the High Deck that this game needs.", hint=hint)
    if sum(bool(card.suits) for card in deck) != 40:
        raise UsageError(f"The deck '{deck.title}' does not have 40 Common cards.", hint="Four suits of ten cards.")


def cards_by_order(hand: Sequence[str], order_word: str, cards: GambitCards) -> tuple[str, ...]:
    """Return the cards of a hand that a marionette may play: the `highest` or `lowest` numbered ones (PG-28).

    The result is the whole hand if it has no numbered card.
    """
    numbers = [value for card in hand if (value := cards.number[card]) is not None]
    if not numbers:
        return tuple(hand)
    wanted_number = max(numbers) if order_word == "highest" else min(numbers)
    return tuple(card for card in hand if cards.number[card] == wanted_number)


@dataclass(frozen=True, slots=True)
class GambitRules(Rules[GambitCards]):
    """The rules of a game. `reshuffles` says whether the discard pile becomes a new deck (PG-11)."""

    reshuffles: bool

    def clockwise(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats clockwise, `seat` first."""
        return tuple((seat + step) % self.seats for step in range(self.seats))


def make_rules(seats: int, options: Options, people: frozenset[Seat], deck: Deck) -> GambitRules:
    """Return the rules of one game, from complete options."""
    card_options = options["master_number"], options["master_rank"], str(options["four_card"]), str(options["order"])
    cards = make_cards(deck, *card_options)
    return GambitRules(seats, options, people, cards, reshuffles=options["exhaust"] == "reshuffle")
