"""The constant parts of Turn of Fate: options, facts about the cards, headings of the rule note, and points."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from vaultkit.cards import Card, Deck
from vaultkit.errors import UsageError
from vaultkit.games.game import Rules
from vaultkit.games.options import Option, SwitchOption
from vaultkit.games.turn import Move

OPTIONS = (
    Option("temples", "TF-1", ("by-card", "chosen", "random"), "How Player 1 comes by a temple."),
    Option("first", "G-2", ("random", 0, 1, "winner-of-last"), "Who is Player 1 and turns up the first Citizen."),
    Option("sailor", "TF-1", ("leaves", "redraw", "choose"), "What the Sailor means as the first Citizen."),
    Option("ace_discard", "TF-18", ("bottom", "removed"), "Where the Ace goes that pays for a wild Crown."),
    Option("introduce", "TF-20", ("one", "refill-to-4", "optional"), "How many Citizens a turn introduces."),
    SwitchOption(
        "special_replace", "TF-21", ("no", "yes"), "Whether another Citizen follows the Bard or the Huntress."
    ),
    Option("tiebreak", "TF-27", ("shared", "temple-count", "underdog"), "Who wins when the scores are level."),
    Option("memory", "TF-28", ("open", "closed"), "Whether the table shows what lies in the Temple piles."),
)

TEMPLES = "The Temples"
SETTING_UP = "Setting Up"
INTRODUCING = "Introducing a Citizen"
DRAWING = "Drawing a Fate"
YOUR_TURN = "Your Turn"
PLAYING = "Playing a Fate"
MOMENT = "Moment of Truth"
WILD_CROWN = "The Wild Crown"

HEADING_OPTIONS = {
    TEMPLES: ("temples", "sailor"),
    SETTING_UP: ("first",),
    INTRODUCING: ("introduce", "special_replace"),
    WILD_CROWN: ("ace_discard",),
    YOUR_TURN: ("memory",),
}
"""The headings of the rule note whose text depends on options, with those options."""


Stack = tuple[str, ...]
"""A Citizen and the Fates played on them, the latest last."""

RIVAL = {"Moons": "Wyrms", "Suns": "Leaves", "Leaves": "Suns", "Wyrms": "Moons"}
"""The four temples by their suits, each with its rival (TF-2)."""
FIRST_TO_MOVE = ("Wyrms", "Leaves")
"""The temples that move first (TF-3), may play a wild Crown (TF-18) and win a tie as underdogs (TF-27)."""

MOMENT_POINTS = 10
SEAT_COUNT = 2
CITIZEN_COUNT, FATE_COUNT = 11, 25

PASS = Move("pass")
INTRODUCE = Move("introduce")


@dataclass(frozen=True, eq=False, slots=True)
class FateCards:
    """The facts about the cards of the deck. `value` is 1 for an Ace and 10 for a Crown.

    `specials` maps the Crowns among the Citizens to the temple whose vows they take (TF-4, TF-5). `matching` holds for
    each card the Fates that share a suit with it (TF-12), `bearing` the Fates of each suit, and `wild`, for each temple
    that has one, the Crown that it may play on any Citizen. The moves are created once and shared:
    `play[fate][citizen]` and `wild_play[crown][ace][citizen]`.
    """

    citizens: tuple[str, ...]
    fates: tuple[str, ...]
    suits: Mapping[str, tuple[str, ...]]
    value: Mapping[str, int]
    aces: frozenset[str]
    crowns: frozenset[str]
    specials: Mapping[str, str]
    matching: Mapping[str, frozenset[str]]
    bearing: Mapping[str, frozenset[str]]
    wild: Mapping[str, str]
    play: Mapping[str, Mapping[str, Move]]
    wild_play: Mapping[str, Mapping[str, Mapping[str, Move]]]

    def top_suit(self, citizen: str) -> str | None:
        """Return the first suit printed on a Citizen if a temple has that suit, else None, as for the Sailor (TF-1)."""
        suit = self.suits[citizen][0]
        return suit if suit in RIVAL else None

    def first_temple(self, citizen: str) -> str:
        """Return the first suit printed on a Citizen that a temple has (TF-1)."""
        return next(suit for suit in self.suits[citizen] if suit in RIVAL)

    def is_moment(self, fate: str, beneath: str, own: bool) -> bool:
        """Return whether `fate` on the card `beneath` makes a Moment of Truth (TF-14 to TF-17).

        `own` says whether the Citizen stands in the player's own Congregation.
        """
        if fate in self.crowns or (own and fate in self.aces):
            return True
        return self.value[fate] + self.value[beneath] == MOMENT_POINTS


FateRules: TypeAlias = Rules[FateCards]


def _card_value(card: Card) -> int:
    if isinstance(card.rank, int):
        return card.rank
    return 1 if card.rank == "Ace" else 10


def _is_citizen(card: Card) -> bool:
    return "personality" in card.traits.get("types", "")


def _check_deck(deck: Deck) -> None:
    """Raise UsageError unless the deck is like the basic Decktet (TF-2, TF-6).

    It needs the right numbers of Citizens and Fates, a temple's suit on each Citizen, and no card with two rival suits.
    """
    citizens = [card for card in deck if _is_citizen(card)]
    cards_of_rival_suits = [card.name for card in deck if any(RIVAL.get(suit) in card.suits for suit in card.suits)]
    citizens_without_temple = [card.name for card in citizens if not any(suit in RIVAL for suit in card.suits)]
    wrong_cards = cards_of_rival_suits or citizens_without_temple
    if (len(citizens), len(deck) - len(citizens)) == (CITIZEN_COUNT, FATE_COUNT) and not wrong_cards:
        return
    fault_words = f", not {len(citizens)} and {len(deck) - len(citizens)}."
    if wrong_cards:
        fault_words = f": what of {', '.join(wrong_cards)}?"
    message = (
        f"Turn of Fate needs {CITIZEN_COUNT} personalities of the temples' suits and {FATE_COUNT} other cards, "
        f"none of two rival suits{fault_words}"
    )
    raise UsageError(message, where=deck.title, hint="It is played with the 36 cards of the basic Decktet.")


@lru_cache(maxsize=8)
def make_cards(deck: Deck) -> FateCards:
    """Return the facts about the cards of `deck`. Raises UsageError if it is not like the basic Decktet."""
    _check_deck(deck)
    citizens = tuple(card.id for card in deck if _is_citizen(card))
    fates = tuple(card.id for card in deck if not _is_citizen(card))
    crowns = frozenset(card.id for card in deck if card.rank == "Crown")
    aces = frozenset(card.id for card in deck if card.rank == "Ace")
    suits = {card.id: card.suits for card in deck}
    wild = {suits[fate][0]: fate for fate in fates if fate in crowns and suits[fate][0] in FIRST_TO_MOVE}
    return FateCards(
        citizens=citizens,
        fates=fates,
        suits=suits,
        value={card.id: _card_value(card) for card in deck},
        aces=aces,
        crowns=crowns,
        specials={citizen: suits[citizen][0] for citizen in citizens if citizen in crowns},
        matching={card: frozenset(_fates_of_suits(suits[card], fates, suits)) for card in suits},
        bearing={suit: frozenset(_fates_of_suits((suit,), fates, suits)) for suit in deck.suits},
        wild=wild,
        play={fate: {citizen: Move("play", (fate, citizen)) for citizen in citizens} for fate in fates},
        wild_play={
            crown: {ace: {citizen: Move("wild", (ace, crown, citizen)) for citizen in citizens} for ace in aces}
            for crown in wild.values()
        },
    )


def _fates_of_suits(
    wanted_suits: tuple[str, ...], fates: Iterable[str], suits: Mapping[str, tuple[str, ...]]
) -> Iterable[str]:
    return (fate for fate in fates if not set(wanted_suits).isdisjoint(suits[fate]))


def score_parts(
    congregation: tuple[Stack, ...], vowed: tuple[Stack, ...], temple: str, cards: FateCards
) -> dict[str, int]:
    """Return a seat's score parts, in the order of a score sheet.

    For the Congregation and for the Temple: `count` of Citizens, and the points of `citizens` at face value, of those
    `doubled` for bearing the rival's suit, and of `fates`; then the `total`.
    """
    rival = RIVAL.get(temple, "")
    parts = {**_pile_parts("congregation", congregation, rival, cards), **_pile_parts("temple", vowed, rival, cards)}
    return {**parts, "total": total_points(parts)}


def total_points(parts: Mapping[str, int]) -> int:
    """Return the total of score parts: the sum of all but the counts of Citizens."""
    return sum(points for part, points in parts.items() if not part.endswith(".count"))


def _pile_parts(pile_name: str, stacks: tuple[Stack, ...], rival: str, cards: FateCards) -> dict[str, int]:
    doubled_stacks = [stack for stack in stacks if rival in cards.suits[stack[0]]]
    return {
        f"{pile_name}.count": len(stacks),
        f"{pile_name}.citizens": _sum_values(
            cards.value, (stack[0] for stack in stacks if stack not in doubled_stacks)
        ),
        f"{pile_name}.doubled": 2 * _sum_values(cards.value, (stack[0] for stack in doubled_stacks)),
        f"{pile_name}.fates": _sum_values(cards.value, (fate for stack in stacks for fate in stack[1:])),
    }


def _sum_values(value: Mapping[str, int], cards: Iterable[str]) -> int:
    return sum(value[card] for card in cards)


def citizen_points(stack: Stack, temple: str, cards: FateCards) -> int:
    """Return the points of a Citizen with all their Fates, for the leader of the temple of the suit `temple`."""
    is_doubled = RIVAL[temple] in cards.suits[stack[0]]
    return _sum_values(cards.value, stack) + (cards.value[stack[0]] if is_doubled else 0)
