"""All that never changes during an encounter: options, cards and their ranks, and headings of the rule note."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from vaultkit.cards import Card, Deck
from vaultkit.errors import UsageError
from vaultkit.games.game import Rules
from vaultkit.games.hands import (
    POKER_ORDER,
    TAROKKA_NAMES,
    TAROKKA_ORDER,
    CardGroup,
    Category,
    HandOrder,
    HandRanking,
    HandValue,
)
from vaultkit.games.options import NumberOption, Option, Options, SwitchOption, Value
from vaultkit.games.turn import Move

PILES = "The Two Piles"
ENCOUNTERS = "Encounters"
PHASE_1 = "Phase 1: Setting Up"
PHASE_2 = "Phase 2: Weighing It Up"
PHASE_3 = "Phase 3: The Conclusion"
PHASE_RULES = {1: PHASE_1, 2: PHASE_2, 3: PHASE_3}
BEST_HAND = "The Best Hand"
HOW_IT_ENDS = "How It Ends"

HEADING_OPTIONS = {
    PILES: ("deck", "inventory", "elsewhere"),
    ENCOUNTERS: ("requires", "strength"),
    PHASE_1: ("pick_reveal",),
    BEST_HAND: ("board_min", "own_min", "passive"),
    HOW_IT_ENDS: ("reward", "keep_on_win", "keep_on_retreat", "empty", "tie"),
}
"""The options that change what the rule note says under a heading; others change nothing there."""

NO_CATEGORY = "none"
FRENCH, TAROKKA_COMMON = "french52", "tarokka-common"
MAX_CARDS_OUTSIDE_DECK = 47
"""The most cards that can be missing from the veiled deck: five of 52 must be left for the board."""


@dataclass(frozen=True, slots=True)
class CategoryOption(Option):
    """An option for a category of hands, which may be written `two-pairs`, `Two Pairs`, `two_pair` or `a flush`."""

    def parse(self, raw: object) -> Value:
        """Return the category that `raw` stands for. Raises UsageError, which quotes `raw` unchanged."""
        words = str(raw).lower().replace("_", " ").replace("-", " ").split()
        name = "-".join(words[1:] if words[:1] == ["a"] else words)
        return next((value for value in self.values if value in {name, f"{name}s"}), None) or Option.parse(self, raw)


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """An option for a deck: one of `values`, or the name of any deck of the GM's own."""

    @property
    def accepted(self) -> str:
        return f"{self.mark_default(self.values)}, the name of a deck of your own"

    def parse(self, raw: object) -> Value:
        """Return the name of the deck, in lower case. Raises UsageError for an empty name."""
        name = " ".join(str(raw).lower().split())
        return name or Option.parse(self, raw)


OPTIONS = (
    CategoryOption(
        "requires",
        "DD-9",
        (NO_CATEGORY, *(category.replace(" ", "-") for category in POKER_ORDER)),
        "The hand that a passive encounter asks for; none for a combative one.",
    ),
    Option("strength", "DD-14", (3, 1, 2, 4, 5, 6, 7), "How many cards the opponent is dealt."),
    DeckOption("deck", "DD-1", (FRENCH, TAROKKA_COMMON), "The deck: 52 cards, the Tarokka's 40, or one of your own."),
    NumberOption("inventory", "DD-2", (7, 0, 1, 20), "How many cards the character owns.", 0, MAX_CARDS_OUTSIDE_DECK),
    NumberOption(
        "elsewhere", "DD-15", (0, 8), "How many cards are in the inventories of others.", 0, MAX_CARDS_OUTSIDE_DECK
    ),
    NumberOption("reward", "DD-2", ("auto", "none", 4), "How many cards a win earns.", 0, MAX_CARDS_OUTSIDE_DECK),
    SwitchOption("keep_on_win", "DD-3", ("no", "yes"), "Whether played cards come back to the inventory after a win."),
    SwitchOption("keep_on_retreat", "DD-3", ("no", "yes"), "Whether played cards come back after a retreat."),
    Option("empty", "DD-4", ("retreat", "draw-one"), "What happens to a character without cards."),
    Option("board_min", "DD-5", (1, 0), "The fewest cards of the board in a hand."),
    Option("own_min", "DD-5", (0, 1), "The minimum number of own cards in a hand."),
    SwitchOption("pick_reveal", "DD-8", ("no", "yes"), "Whether the player picks what is turned up of the board."),
    Option("passive", "DD-9", ("at-least", "exact"), "Whether a hand above the one asked for will do."),
    Option("tie", "DD-10", ("not-won", "won", "replay"), "What equal hands mean in combat."),
)

BOARD_SIZE = 5
FIRST_TURNED_COUNT = 3
MAX_ADDED_CARDS = 5
PASSIVE_REWARD_COUNT = 2

PROCEED, RETREAT, DONE = Move("proceed"), Move("retreat"), Move("done")
TURN_THREE_MOVES = tuple(Move("turn", places) for places in combinations("12345", FIRST_TURNED_COUNT))
TURN_ONE_MOVES = {str(place): Move("turn", (str(place),)) for place in range(1, BOARD_SIZE + 1)}

ACE = 14
NAMED_RANKS = {"ace": ACE, "king": 13, "queen": 12, "jack": 11, "master": 10, "crown": 10}
PLURAL_HAND_NAMES = frozenset({"two pairs", "three of a kind", "four of a kind"})
DECK_KINDS = {FRENCH: "french52", TAROKKA_COMMON: "tarokka"}


def deck_kind(options: Options) -> str:
    """Return the kind of deck, or the name of a deck of the GM's own (DD-1)."""
    deck = str(options["deck"])
    return DECK_KINDS.get(deck, deck)


def hand_name(category: Category, names: Mapping[Category, str]) -> str:
    """Return a hand of the category as a part of a sentence: `a flush`, `two pairs`; `names` are category names."""
    category_name = names[category]
    if category in {Category.PAIR, Category.TWO_PAIRS, Category.HIGH_CARD}:
        category_name = category_name.lower()
    return category_name if category_name in PLURAL_HAND_NAMES else f"a {category_name}"


def category_names(kind: str) -> Mapping[Category, str]:
    """Return the names of the categories of hands in a kind of deck."""
    return TAROKKA_NAMES if kind == "tarokka" else {category: category.value for category in Category}


@dataclass(frozen=True, eq=False, slots=True)
class DestinyCards:
    """The cards in play (DD-1), and `aside` the cards of the deck without a rank, which stay out of the game.

    `ranking` gives the values of hands, `names` the deck's names of the categories, and `place` the index of each card
    by which inventories are sorted.
    """

    ids: tuple[str, ...]
    aside: tuple[str, ...]
    place: Mapping[str, int]
    ranking: HandRanking
    names: Mapping[Category, str]

    def hand_name(self, category: Category) -> str:
        """Return a hand of the category as a part of a sentence: `a flush`, `two pairs`."""
        return hand_name(category, self.names)

    def sort_cards(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Return the cards as the deck lists them."""
        return tuple(sorted(cards, key=self.place.__getitem__))


@dataclass(frozen=True, slots=True)
class DestinyRules(Rules[DestinyCards]):
    """The rules of one encounter, which is either passive or combative.

    A passive encounter asks for a hand of a `category`, and its `strength` is 0. A combative one has an opponent with
    `strength` cards. `inventory`, `elsewhere` and `reward` are numbers of cards: those that the character owns,
    those that others own, and those that a win earns.
    """

    category: Category | None
    strength: int
    inventory: int
    elsewhere: int
    reward: int

    def __hash__(self) -> int:
        return hash((self.cards, self.category, self.strength, self.inventory, self.reward))

    def groups(self, own: tuple[str, ...], board: tuple[str, ...]) -> tuple[CardGroup, CardGroup]:
        """Return both groups of cards from which a hand is made, each with the fewest cards to take of it (DD-5)."""
        return CardGroup(own, int(self.options["own_min"])), CardGroup(board, int(self.options["board_min"]))

    def find_best(self, own: tuple[str, ...], board: tuple[str, ...]) -> tuple[HandValue, tuple[str, ...]]:
        """Return the value of the best legal hand of five cards, and its cards in the order in which they count."""
        best_hand = self.cards.ranking.find_best(self.groups(own, board))
        assert best_hand is not None, "one card and the board are always enough for a hand"
        value, hand = best_hand
        faces = self.cards.ranking.faces
        return value, tuple(sorted(hand, key=lambda card: (value.ranks.index(faces[card][0]), card in board)))

    def can_make(self, category: Category, own: tuple[str, ...], board: tuple[str, ...]) -> bool:
        """Return whether the cards win a passive encounter that asks for `category` (DD-9)."""
        if self.has_option("passive", "exact"):
            return self.cards.ranking.can_make(category, self.groups(own, board))
        return self.find_best(own, board)[0].strength >= self.cards.ranking.order.strength(category)


def _card_rank(card: Card) -> int | None:
    """Return the rank of a card, the Ace high; None for a card that cannot be part of a hand."""
    value = card.traits.get("value", "")
    if not card.suits:
        return None
    if value.isdecimal():
        return int(value)
    return card.rank if isinstance(card.rank, int) else NAMED_RANKS.get(str(card.rank).lower())


@lru_cache(maxsize=32)
def make_cards(deck: Deck, deck_option: str) -> DestinyCards:
    """Return the cards of `deck` that are in play; `deck_option` is the value of the option `deck`.

    Raises UsageError if the deck is of another kind than the option says.
    """
    kind = DECK_KINDS.get(deck_option)
    if kind is not None and deck.kind != kind:
        raise UsageError(f"The deck '{deck.title}' is no {kind} deck (DD-1).", hint="Set the option 'deck'.")
    ranks = {card.id: rank for card in deck if (rank := _card_rank(card)) is not None}
    faces = {card: (rank, deck[card].suits[0]) for card, rank in ranks.items()}
    other_suits = {card: deck[card].suits[1:] for card in ranks if len(deck[card].suits) > 1}
    ids = tuple(ranks)
    return DestinyCards(
        ids=ids,
        aside=tuple(card.id for card in deck if card.id not in ranks),
        place={card: index for index, card in enumerate(ids)},
        ranking=HandRanking(_hand_order(deck, ranks), faces, other_suits),
        names=category_names(deck.kind),
    )


def without_aside_cards(deck: Deck, deck_option: str) -> Deck:
    """Return the deck without the cards that stay aside; `deck_option` is the value of the option `deck`.

    Raises UsageError if the deck is of another kind than the option says.
    """
    aside = make_cards(deck, deck_option).aside
    return Deck(deck.kind, deck.title, tuple(card for card in deck if card.id not in aside))


def _hand_order(deck: Deck, ranks: Mapping[str, int]) -> HandOrder:
    """Return the order of hands: that of Prophet's Gambit for the Tarokka, else poker with an Ace also low (DD-16)."""
    if deck.kind == "tarokka":
        return HandOrder(TAROKKA_ORDER)
    return HandOrder(wheel=(ACE, 5, 4, 3, 2) if ACE in ranks.values() else ())


def parse_category(requires: str) -> Category | None:
    """Return the hand that a passive encounter asks for, by the option `requires`; None for a combative one (DD-9)."""
    return None if requires == NO_CATEGORY else Category(requires.replace("-", " "))


def reward_size(options: Options, strength: int) -> int:
    """Return how many cards a win earns (DD-2). `strength` is that of the opponent, 0 in a passive encounter."""
    option = str(options["reward"])
    if option == "auto":
        return strength + 1 if strength else PASSIVE_REWARD_COUNT
    return 0 if option == "none" else int(option)


def make_rules(options: Options, deck: Deck) -> DestinyRules:
    """Return the rules of one encounter, from complete options. Raises UsageError if the deck is too small (DD-15)."""
    category = parse_category(str(options["requires"]))
    strength = 0 if category else int(options["strength"])
    rules = DestinyRules(
        seats=1,
        options=options,
        people=frozenset(),
        cards=make_cards(deck, str(options["deck"])),
        category=category,
        strength=strength,
        inventory=int(options["inventory"]),
        elsewhere=int(options["elsewhere"]),
        reward=reward_size(options, strength),
    )
    _check_deck_size(rules, deck)
    return rules


def _check_deck_size(rules: DestinyRules, deck: Deck) -> None:
    owned_count = rules.inventory or int(rules.has_option("empty", "draw-one"))
    veiled_count, required_count = len(rules.cards.ids) - owned_count - rules.elsewhere, BOARD_SIZE + rules.strength
    if veiled_count < required_count:
        remedy = "Take a weaker opponent, or" if rules.strength else "Have a character"
        raise UsageError(
            f"The veiled deck of '{deck.title}' holds {max(veiled_count, 0)} cards, "
            f"and this encounter needs {required_count} (DD-15).",
            hint=f"{remedy} give cards back: those in inventories are missing from the deck.",
        )
