"""What never changes during a game: the facts of its cards, and its options in the form that the rules ask for."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.hands import TAROKKA, TAROKKA_BY_RARITY, HandOrder, Ranking
from vaultkit.games.options import Options
from vaultkit.games.turn import Move
from vaultkit.games.words import Seat

SETTING_UP = "Setting Up"
OPENING = "The Opening"
ROUNDS = "The Two Rounds"
PLAY = "Play"
RISK = "Risk"
EXECUTION = "The Execution"
REVEAL = "The Reveal"
TIES = "Ties"
HIGH_DECK = "High Deck Rules"

OF_OPTIONS = {
    "opening": SETTING_UP,
    "dealer": SETTING_UP,
    "master_number": OPENING,
    "master_rank": REVEAL,
    "four_card": REVEAL,
    "order": REVEAL,
    "tie_compare": REVEAL,
    "tie_from": TIES,
    "exhaust": PLAY,
    "donjon_execution": HIGH_DECK,
    "innocent": HIGH_DECK,
    "marionette": HIGH_DECK,
    "ghost": HIGH_DECK,
}
"""The heading under which a rule note says what an option changes; an option without one changes nothing there."""


HAND_SIZE = 3
"""Cards of the hand at the Reveal."""

ABOVE_NINE, BELOW_ONE = 10, 0
"""The ranks that a Master can have (PG-3)."""

HIGH_CARDS = (
    "artifact",
    "beast",
    "broken-one",
    "darklord",
    "donjon",
    "executioner",
    "ghost",
    "horseman",
    "innocent",
    "marionette",
    "mists",
    "raven",
    "seer",
    "tempter",
)

KEEP = Move("keep")
REPLACE = Move("replace")
DRAW = Move("draw-one")
DECLINE = Move("decline")
KILL = Move("kill")
SAVE = Move("save")
TARGET = tuple(Move("target", (str(seat),)) for seat in range(5))
WAYS = ("highest", "lowest")
ORDERS = {(seat, way): Move("order", (str(seat), way)) for seat in range(5) for way in WAYS}

CardMoves = Mapping[str, Move]


@dataclass(frozen=True, eq=False, slots=True)
class Facts:
    """The cards of the deck, parted into Common and High Deck; the moves of each card are made once and shared.

    `number` is None for a Master without a number (PG-2). `ranking` says what hands of Common cards are worth, and
    `place` where a card stands in a hand as people hold it: from high to low, so that equal ranks are together.
    """

    common: tuple[str, ...]
    high: tuple[str, ...]
    masters: frozenset[str]
    number: Mapping[str, int | None]
    place: Mapping[str, int]
    ranking: Ranking
    show: CardMoves
    play: CardMoves
    risk: CardMoves
    discard: CardMoves
    demand: CardMoves
    take: CardMoves
    give: CardMoves
    offer: CardMoves


@lru_cache(maxsize=64)
def facts(deck: Deck, master_number: str | int, master_rank: str | int, four_card: str, order: str) -> Facts:
    """The facts of `deck` under the options of PG-2, PG-3, PG-36 and PG-37.

    Raises UsageError for a deck without the 14 High cards, or with Common cards that have no number and no Master.
    """
    _check(deck)
    common = tuple(card.id for card in deck if card.suits)
    masters = frozenset(card.id for card in deck if card.suits and not isinstance(card.rank, int))
    plain = {card.id: card.rank for card in deck if card.suits and isinstance(card.rank, int)}
    worth = BELOW_ONE if master_rank == "low" else ABOVE_NINE
    suit = {card.id: card.suits[0] for card in deck if card.suits}
    hand_order = HandOrder(
        TAROKKA_BY_RARITY if order == "rarity" else TAROKKA,
        outside=frozenset({ABOVE_NINE}) if master_rank == "none" else frozenset(),
        line=4 if four_card == "scaled" else 5,
    )

    faces = {card: (plain.get(card, worth), suit[card]) for card in common}
    in_order = sorted(common, key=lambda card: (-faces[card][0], suit[card]))

    def moves(verb: str) -> CardMoves:
        return {card: Move(verb, (card,)) for card in common}

    return Facts(
        common=common,
        high=tuple(card.id for card in deck if not card.suits),
        masters=masters,
        number={**plain, **dict.fromkeys(masters, master_number if isinstance(master_number, int) else None)},
        place={card: place for place, card in enumerate(in_order)},
        ranking=Ranking(hand_order, faces),
        show=moves("show"),
        play=moves("play"),
        risk=moves("risk"),
        discard=moves("discard"),
        demand=moves("demand"),
        take=moves("take"),
        give=moves("pass"),
        offer=moves("offer"),
    )


def _check(deck: Deck) -> None:
    high = {card.id for card in deck if not card.suits}
    wrong = high.symmetric_difference(HIGH_CARDS)
    if wrong:
        raise UsageError(
            f"The deck '{deck.title}' does not have the High Deck that this game needs.",
            hint=f"Missing or unknown without a suit: {', '.join(sorted(wrong))}.",
        )
    if sum(bool(card.suits) for card in deck) != 40:
        raise UsageError(f"The deck '{deck.title}' does not have 40 Common cards.", hint="Four suits of ten cards.")


@dataclass(frozen=True, slots=True)
class Rules:
    """One game's seats, people and house rules. `options` is complete; the rest says the same in plain words."""

    seats: int
    options: Options
    people: frozenset[Seat]
    cards: Facts
    reshuffles: bool
    only: tuple[frozenset[Seat], ...]
    others: tuple[frozenset[Seat], ...]

    def says(self, key: str, value: str) -> bool:
        """Whether the option `key` is set to `value`."""
        return self.options[key] == value

    def from_left_of(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise, `seat` last."""
        return tuple((seat + step) % self.seats for step in range(1, self.seats + 1))

    def clockwise(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise, `seat` first."""
        return tuple((seat + step) % self.seats for step in range(self.seats))


def make_rules(seats: int, options: Options, people: frozenset[Seat], deck: Deck) -> Rules:
    """The rules of one game, from complete options."""
    everybody = frozenset(range(seats))
    cards = facts(
        deck, options["master_number"], options["master_rank"], str(options["four_card"]), str(options["order"])
    )
    return Rules(
        seats=seats,
        options=options,
        people=people,
        cards=cards,
        reshuffles=options["exhaust"] == "reshuffle",
        only=tuple(frozenset({seat}) for seat in range(seats)),
        others=tuple(everybody - {seat} for seat in range(seats)),
    )
