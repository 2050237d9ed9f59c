"""The constant parts of Propheta: options, card facts, headings of the rule note, trick winners and points."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from vaultkit.cards import Card, Deck
from vaultkit.errors import UsageError
from vaultkit.games.game import Rules
from vaultkit.games.messages import Seat
from vaultkit.games.options import NumberOption, Option, Options
from vaultkit.games.turn import Move

OPTIONS = (
    Option("follow", "VA-4", ("none", "element"), "Whether the lead element must be followed; numbers never must."),
    Option("zero_tiebreak", "VA-9", ("normal", "literal"), "Whether a losing 0 undoes the tie-break by modality."),
    Option("reveal", "VA-12", ("sequential", "simultaneous"), "Prophecies are turned up in turn, or all at once."),
    Option(
        "leak_guard",
        "VA-12",
        ("true", "false"),
        "After a trick that fulfils anything, ask even players who have no prophecy for it.",
    ),
    Option("tiebreak", "VA-18", ("shared", "predictions", "tricks"), "Who wins a single deal that ends level."),
    NumberOption(
        "target",
        "VA-19",
        ("none", 20, 36),
        "One deal, or deals until a player reaches this many points.",
        1,
        500,
        "points",
    ),
    Option("first", "VA-20", ("random", 0, 1, 2, 3, "winner-of-last"), "Which seat leads first."),
    Option("memory", "VA-22", ("open", "last-trick"), "Whether all tricks can be looked at, or only the last one."),
)

ELEMENTS = ("Fire", "Earth", "Air", "Water")
MODALITIES = ("Mutable", "Fixed", "Cardinal")
SEASONS = ("Spring", "Summer", "Autumn", "Winter")
TRAITS = (*ELEMENTS, *MODALITIES, *SEASONS, "scrap")
"""The traits that the bits of `ProphetaCards.traits` stand for, from the lowest bit."""
CARD_KINDS = ("scrap", "ribbon", "animal", "number")
RIBBONS = ("red", "blue", "inscribed")

POINTS = {"Mutable": 2, "Fixed": 4, "Cardinal": 6}
"""The points of a fulfilled prophecy by its modality (VA-15)."""

MODALITY_RANKS = {"Fixed": 1, "Mutable": 2, "Cardinal": 3}
"""The ranks of the modalities in a tie, from the lowest to the highest (VA-10)."""

PASS = Move("pass")

_MODALITY_BITS, _SEASON_BITS, _SCRAP_BIT = 4, 7, 1 << 11
CONDITIONS = {"Fire": 0b1111, "Earth": 0b111 << _MODALITY_BITS, "Air": 0b1111 << _SEASON_BITS, "Water": _SCRAP_BIT}
"""The condition of each element, a mask of `ProphetaCards.traits`: all cards of a trick must share one of its bits."""
ALL_CONDITIONS = reduce(or_, CONDITIONS.values())
"""The mask of all conditions together."""


@dataclass(frozen=True, eq=False, slots=True)
class ProphetaCards:
    """The facts about the cards of the deck (VA-1), in a form that makes judging a trick fast.

    `traits` holds each card's element, modality, season and whether it is a scrap, one bit each, so that `&` gives what
    the cards of a trick share. `ladder` gives, for each lead element, every card's height in a trick; it is below 0 for
    a card that cannot win, and lowest of the others for a 0. `as_winner` and `as_loser` hold the mask of traits, one of
    which must be shared, that fulfils a prophecy for the winner or a loser of a trick; 0 means never. `signs` lists for
    players the signs of each element with their modalities, of each modality and season, and of each colour of ribbons,
    as the cards' names do not show them; `sign` is the sign of each card.
    """

    ids: tuple[str, ...]
    place: Mapping[str, int]
    element: Mapping[str, str]
    modality: Mapping[str, str]
    traits: Mapping[str, int]
    ladder: Mapping[str, Mapping[str, int]]
    zeros: frozenset[str]
    numbers: frozenset[str]
    scraps: frozenset[str]
    as_winner: Mapping[str, int]
    as_loser: Mapping[str, int]
    points: Mapping[str, int]
    signs: Mapping[str, str]
    sign: Mapping[str, str]

    def sort_cards(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Return the cards sorted as in the deck: by sign, scraps first."""
        return tuple(sorted(cards, key=self.place.__getitem__))


def _trait(card: Card, key: str, allowed_values: tuple[str, ...]) -> str:
    value = str(card.traits.get(key, ""))
    if value not in allowed_values:
        hint = f"Correct the deck note; {key} is one of: {', '.join(allowed_values)} (VA-1)."
        raise UsageError(f"'{card.name}' cannot be used: its {key} is '{value}'.", hint=hint)
    return value


def _trait_bits(card: Card) -> int:
    return (
        1 << ELEMENTS.index(_trait(card, "element", ELEMENTS))
        | 1 << _MODALITY_BITS + MODALITIES.index(_trait(card, "modality", MODALITIES))
        | 1 << _SEASON_BITS + SEASONS.index(_trait(card, "season", SEASONS))
        | (_SCRAP_BIT if _trait(card, "kind", CARD_KINDS) == "scrap" else 0)
    )


def _card_number(card: Card) -> int:
    value = card.rank if isinstance(card.rank, int) else card.traits.get("number", "")
    if not str(value).isdecimal():
        raise UsageError(f"'{card.name}' is a number, but which?", hint="Correct the deck note (VA-1).")
    return int(value)


def _card_strength(card: Card) -> int:
    """Return the strength of a card: 1 for a scrap, 2 to 4 for a ribbon, 5 for an animal, more for a number.

    A 0 has the strength 0; `_raise_zeros` makes it the highest card of a trick where the rules say so.
    """
    match card.traits["kind"]:
        case "scrap":
            return 1
        case "ribbon":
            return 2 + RIBBONS.index(_trait(card, "ribbon", RIBBONS))
        case "animal":
            return 5
    return 5 + number if (number := _card_number(card)) else 0


def _card_heights(cards: tuple[Card, ...], lead: str) -> dict[str, int]:
    """Return the height of each card in a trick with the lead element `lead`; -1 if it cannot win.

    VA-5, VA-6: only cards of the lead element and numbers can win. VA-10: among equals the better modality wins.
    """
    return {
        card.id: 4 * _card_strength(card) + MODALITY_RANKS[card.traits["modality"]]
        if card.traits["element"] == lead or card.traits["kind"] == "number"
        else -1
        for card in cards
    }


def _fulfilling_mask(card: Card, impossible_modality: str) -> int:
    return 0 if card.traits["modality"] == impossible_modality else CONDITIONS[card.traits["element"]]


def _element_signs(cards: tuple[Card, ...], element: str) -> str:
    """Return the signs of an element, such as `Cardinal Aries, Fixed Leo, Mutable Sagittarius`."""
    element_cards = [card for card in cards if card.traits["element"] == element]
    return ", ".join(_join_signs(element_cards, "modality", modality) for modality in reversed(MODALITIES))


def _signs_by_value(cards: tuple[Card, ...], trait: str, trait_values: tuple[str, ...]) -> str:
    """Return the signs of each value of a trait, such as `Spring Aries, Taurus, Gemini; Summer Cancer, Leo, Virgo`."""
    return "; ".join(_join_signs(cards, trait, value) for value in trait_values)


def _join_signs(cards: Sequence[Card], trait: str, value: str) -> str:
    signs = (_sign(card) for card in cards if card.traits.get(trait) == value)
    return f"{value} {', '.join(dict.fromkeys(signs))}"


def _sign(card: Card) -> str:
    return " and ".join(card.suits) or card.name


@lru_cache(maxsize=8)
def make_cards(deck: Deck) -> ProphetaCards:
    """Return the facts about the cards of `deck`. Raises UsageError for a card that lacks a valid trait."""
    cards, ids = deck.cards, tuple(card.id for card in deck)
    traits = {card.id: _trait_bits(card) for card in cards}
    numbers = frozenset(card.id for card in cards if card.traits["kind"] == "number")

    return ProphetaCards(
        ids=ids,
        place={card: index for index, card in enumerate(ids)},
        element={card.id: card.traits["element"] for card in cards},
        modality={card.id: card.traits["modality"] for card in cards},
        traits=traits,
        ladder={lead: _card_heights(cards, lead) for lead in ELEMENTS},
        zeros=frozenset(card.id for card in cards if card.id in numbers and not _card_number(card)),
        numbers=numbers,
        scraps=frozenset(card for card in ids if traits[card] & _SCRAP_BIT),
        as_winner={card.id: _fulfilling_mask(card, impossible_modality="Fixed") for card in cards},
        as_loser={card.id: _fulfilling_mask(card, impossible_modality="Cardinal") for card in cards},
        points={card.id: POINTS[card.traits["modality"]] for card in cards},
        signs={
            **{element: _element_signs(cards, element) for element in ELEMENTS},
            "Modalities": _signs_by_value(cards, "modality", MODALITIES[::-1]),
            "Seasons": _signs_by_value(cards, "season", SEASONS),
            "Ribbons": _signs_by_value(cards, "ribbon", RIBBONS[::-1]),
        },
        sign={card.id: _sign(card) for card in cards},
    )


@dataclass(frozen=True, slots=True)
class ProphetaRules(Rules[ProphetaCards]):
    """The rules of one game, with the options as values that are easy to test.

    `hand_size` is the number of cards in a hand before prophecies are laid, and `predictions` that of
    prophecies. `target` is 0 for a single deal. `asked` says for each seat whether it is asked even if it has no
    choice.
    """

    hand_size: int
    predictions: int
    must_follow: bool
    literal: bool
    simultaneous: bool
    target: int
    remembers_all: bool
    asked: tuple[bool, ...]


def make_rules(seats: int, options: Options, people: frozenset[Seat], deck: Deck) -> ProphetaRules:
    """Return the rules of one game, from complete options."""
    target = options["target"]
    return ProphetaRules(
        seats=seats,
        options=options,
        people=people,
        cards=make_cards(deck),
        hand_size=12 if seats == 4 else 16,
        predictions=3 if seats == 4 else 4,
        must_follow=options["follow"] == "element",
        literal=options["zero_tiebreak"] == "literal",
        simultaneous=options["reveal"] == "simultaneous",
        target=target if isinstance(target, int) else 0,
        remembers_all=options["memory"] == "open",
        asked=tuple(options["leak_guard"] == "true" and people != {seat} for seat in range(seats)),
    )


SETTING_UP = "Setting Up"
PLAYING = "Playing a Trick"
WINNING = "Who Wins a Trick"
PROPHECIES = "Prophecies"
SCORING = "Scoring"

HEADING_OPTIONS = {
    SETTING_UP: ("first",),
    PLAYING: ("follow", "memory"),
    WINNING: ("zero_tiebreak",),
    PROPHECIES: ("reveal", "leak_guard"),
    SCORING: ("tiebreak", "target"),
}
"""The headings of the rule note whose text depends on options, with those options."""


_WINNING_ZERO_BONUS = 1000
"""The height added to a 0 that beats everything."""


def _ladder_of(trick: Sequence[str], card_facts: ProphetaCards) -> Mapping[str, int]:
    """Return the heights of all cards in a trick, which its first card decides (VA-5)."""
    return card_facts.ladder[card_facts.element[trick[0]]]


def winner_index(cards: Sequence[str], card_facts: ProphetaCards, is_literal: bool = False) -> int:
    """Return the index of the winning card in a trick, where the lead is 0 (VA-5 to VA-10).

    `is_literal` stands for the option `zero_tiebreak: literal`: in a trick with a 0 and otherwise only scraps, the
    earliest of equals wins.
    """
    ladder = _ladder_of(cards, card_facts)
    heights = [ladder[card] for card in cards]
    if not card_facts.zeros.isdisjoint(cards):
        heights = _raise_zeros(cards, heights, card_facts, is_literal)
    return heights.index(max(heights))


def tie_words(cards: Sequence[str], winner: int, card_facts: ProphetaCards, is_literal: bool = False) -> str:
    """Return why the card at index `winner` wins a trick over cards as high, such as `Mutable before Fixed` (VA-10).

    Return "" if no other card of the trick is as high.
    """
    ladder, best = _ladder_of(cards, card_facts), cards[winner]
    equal_cards = [card for card in cards if card != best and ladder[card] // 4 == ladder[best] // 4]
    if not equal_cards:
        return ""
    modality, others = card_facts.modality[best], {card_facts.modality[card] for card in equal_cards}
    if modality in others or (is_literal and not card_facts.zeros.isdisjoint(cards)):
        return "the first one played"
    return f"{modality} before {' and '.join(sorted(others, key=MODALITY_RANKS.__getitem__, reverse=True))}"


def _raise_zeros(cards: Sequence[str], heights: list[int], card_facts: ProphetaCards, is_literal: bool) -> list[int]:
    """Return the heights of the cards of a trick with a 0.

    VA-7: the 0 is highest if there is another card that is not a scrap. VA-8, VA-9: otherwise it is lowest.
    """
    other_count = len(cards) - 1 - sum(card in card_facts.scraps for card in cards)
    if other_count:
        pairs, zeros = zip(cards, heights, strict=True), card_facts.zeros
        return [height + _WINNING_ZERO_BONUS * (card in zeros) for card, height in pairs]
    return [height // 4 for height in heights] if is_literal else heights


def common_traits(cards: Sequence[str], card_facts: ProphetaCards) -> int:
    """Return the traits that all cards of a trick share, as the bits of `ProphetaCards.traits` (VA-11)."""
    common = -1
    for card in cards:
        common &= card_facts.traits[card]
    return common


def met_elements(common: int) -> tuple[str, ...]:
    """Return the elements whose conditions are met by a trick; `common` are the traits that all its cards share."""
    return tuple(element for element, mask in CONDITIONS.items() if common & mask)


def fulfillable_prophecies(
    predictions: Sequence[str], common: int, has_won: bool, card_facts: ProphetaCards
) -> tuple[str, ...]:
    """Return the prophecies that a seat may turn up after a trick that it has won or lost (VA-12, VA-13).

    `common` are the traits that all cards of the trick share.
    """
    masks = card_facts.as_winner if has_won else card_facts.as_loser
    return tuple([card for card in predictions if masks[card] & common])


def playable_cards(hand: tuple[str, ...], lead: str, card_facts: ProphetaCards) -> tuple[str, ...]:
    """Return the cards of a hand that may be played to the card `lead` if its element must be followed (VA-4)."""
    element = card_facts.element
    lead_element = element[lead]
    if all(element[card] != lead_element for card in hand):
        return hand
    return tuple(card for card in hand if element[card] == lead_element or card in card_facts.numbers)


class Sheet(NamedTuple):
    """The score of a seat: the numbers of tricks and, by modality, of prophecies turned up."""

    tricks: int = 0
    mutable: int = 0
    fixed: int = 0
    cardinal: int = 0

    @classmethod
    def from_prophecies(cls, tricks: int, predictions: Iterable[str], cards: ProphetaCards) -> "Sheet":
        """Return the sheet of a seat from its number of tricks and the prophecies it turned up."""
        counts = Counter(cards.modality[card] for card in predictions)
        return cls(tricks, counts["Mutable"], counts["Fixed"], counts["Cardinal"])

    @property
    def predictions(self) -> int:
        """The number of prophecies turned up."""
        return self.mutable + self.fixed + self.cardinal

    @property
    def total(self) -> int:
        """The points for all tricks and prophecies."""
        return self.tricks + 2 * self.mutable + 4 * self.fixed + 6 * self.cardinal


def sum_sheets(sheets: Iterable[Sheet]) -> Sheet:
    """Return the sum of a seat's sheets of several deals, as a sheet."""
    return Sheet(*map(sum, zip(*sheets, strict=True)))


def total_points(deals: Sequence[Sequence[Sheet]], seats: int) -> tuple[int, ...]:
    """Return each seat's points over all deals (VA-19)."""
    return tuple(sum(deal[seat].total for deal in deals) for seat in range(seats))


def ranking_key(sheet: Sheet, tiebreak: str) -> tuple[int, int]:
    """Return the key by which a seat is ranked: its points, then a tie-break by the option `tiebreak` (VA-18)."""
    return sheet.total, {"predictions": sheet.predictions, "tricks": sheet.tricks}.get(tiebreak, 0)


def is_reached(points: Sequence[int], target: int) -> bool:
    """Return whether a match is over: a seat has reached the target and is alone at the top (VA-19)."""
    most_points = max(points)
    return most_points >= target and points.count(most_points) == 1
