"""The constant parts of Dragon Citadel: options, card facts, headings of the rule note, and scoring."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from vaultkit.cards import Card, Deck
from vaultkit.errors import UsageError
from vaultkit.games.game import Rules
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.options import Option, Options, SwitchOption
from vaultkit.games.turn import Move

CROWN_NAMES = (
    "Seer", "Artifact", "Beast", "Broken One", "Darklord", "Donjon", "Executioner", "Ghost", "Horseman", "Innocent",
    "Marionette", "Mists", "Raven", "Tempter",
)  # fmt: skip

OPTIONS = (
    Option("mode", "DC-39", ("coop", "competitive"), "Play together against the dealer, or against each other."),
    Option("rewards", "DC-36", ("magic-items", "treasure"), "Which column of the reward table is on offer."),
    Option("dealer", "DC-2", ("top-card", "hand-of-5"), "The dealer turns the top card, or plays from five cards."),
    Option("min_players", "DC-3", (3, 2), "The fewest players that may sit down."),
    SwitchOption("must_win", "DC-7", ("no", "yes"), "Whether the party must play a winning card when it has one."),
    Option("low_tie", "DC-12", ("default", "replay-card", "random"), "How a tie for the lowest card is settled."),
    Option("hero_crowns", "DC-16", ("open", "discard"), "What becomes of Crowns played in a won hero round."),
    Option("hero_all_crowns", "DC-17", ("discard", "first-player"), "Who gets a hero answered with Crowns alone."),
    SwitchOption("hero_open_crown", "DC-19", ("yes", "no"), "Whether an open Crown saves a player in a hero round."),
    Option("crown_duty", "DC-23", ("hand", "none"), "Whether those who can must pay from hand in a Crown round."),
    SwitchOption(
        "must_answer", "DC-40", ("yes", "no"), "Whether rivals who can must answer a hero or a Crown.", before="no"
    ),
    Option("seer", "DC-25", ("truce", "party-wins", "dealer-wins"), "Who wins a co-op game ended by the Seer."),
    Option("joker", "DC-27", CROWN_NAMES, "Which card is the joker; the Seer is then an ordinary Crown."),
    Option("bidding", "DC-28", ("sealed", "ascending"), "Secret bids, or an auction from the dealer's left."),
    SwitchOption(
        "ghost_crowns", "DC-30", ("no", "yes"), "Whether the party may spend the Crowns of those who forfeited."
    ),
    Option("champion", "DC-32", ("sum", "sum+10*heroes+10*crowns"), "How the champion's score is calculated."),
    Option("hero_only", "DC-34", ("none", "row1"), "What a hero earns in a suit with no total."),
)

HAND_SIZE = 5
HERO_STRENGTH = 10
CROWN_STRENGTH = 11

PASS = Move("pass")
JOKER = Move("joker")


SUITS = ("swords", "stars", "glyphs", "coins")
COUNTED_PARTS = (*(f"{suit}.{part}" for suit in SUITS for part in ("total", "heroes")), "crowns.count")
"""The names of the score parts that `count_parts` counts from cards."""
ROW_MAX_TOTALS = (15, 25, 35, 45)
"""The highest total of each row of the reward table (DC-33)."""

TREASURE_ROLLS_PER_ROW = (1, 1, 2, 1)
"""The number of rolls on an individual treasure table that one roll on each row means (DC-36)."""

MAGIC_ITEM_TABLES = ("A", "B", "C", "D")
TREASURE_TABLES = ("Challenge 0-4", "Challenge 5-10", "Challenge 5-10", "Challenge 11-16")


@dataclass(frozen=True, eq=False, slots=True)
class CitadelCards:
    """The facts about the cards of the deck, one of which is the joker (DC-1, DC-27).

    `strength` is 1 to 9, 10 for a hero, 11 for a Crown and 0 for the joker. `answers` holds, for each card but the
    joker, the cards that answer it if the dealer turns it.
    """

    ids: tuple[str, ...]
    joker: str
    suit: Mapping[str, str]
    strength: Mapping[str, int]
    answers: Mapping[str, frozenset[str]]

    def is_crown(self, card: str) -> bool:
        return self.strength[card] == CROWN_STRENGTH

    def is_hero(self, card: str) -> bool:
        return self.strength[card] == HERO_STRENGTH

    def round_of(self, card: str) -> str:
        """Return the kind of round that the dealer's card begins: `number`, `hero` or `crown`."""
        if self.is_crown(card):
            return "crown"
        return "hero" if self.is_hero(card) else "number"


def _card_strength(card: Card, joker: str) -> int:
    if card.id == joker:
        return 0
    if not card.suits:
        return CROWN_STRENGTH
    return card.rank if isinstance(card.rank, int) else HERO_STRENGTH


def _joker_id(deck: Deck, name: str) -> str:
    lower_name = name.lower()
    for card in deck:
        if not card.suits and lower_name in (card.name.lower(), card.id.replace("-", " ")):
            return card.id
    raise UsageError(f"The deck '{deck.title}' has no card '{name}' to be the joker.", hint="Set the option 'joker'.")


def _answers_by_card(
    ids: tuple[str, ...], suit: Mapping[str, str], strength: Mapping[str, int]
) -> dict[str, frozenset[str]]:
    """Return, for each card but the joker, the cards that answer it.

    A card of a suit is answered by its suit or a Crown (DC-7, DC-18), a Crown by a hero or a Crown (DC-22).
    """
    crowns = frozenset(card for card in ids if strength[card] == CROWN_STRENGTH)
    crown_answers = crowns | {card for card in ids if strength[card] == HERO_STRENGTH}
    by_suit = {name: crowns | {card for card in ids if suit.get(card) == name} for name in set(suit.values())}
    return {card: crown_answers if card in crowns else by_suit[suit[card]] for card in ids if strength[card]}


@lru_cache(maxsize=32)
def make_cards(deck: Deck, joker: str) -> CitadelCards:
    """Return the facts about the cards of `deck`, with the Crown named `joker` as the joker.

    Raises UsageError if there is no such Crown.
    """
    ids = tuple(card.id for card in deck)
    joker_id = _joker_id(deck, joker)
    suit = {card.id: card.suits[0] for card in deck if card.suits}
    strength = {card.id: _card_strength(card, joker_id) for card in deck}
    answers = _answers_by_card(ids, suit, strength)
    return CitadelCards(ids=ids, joker=joker_id, suit=suit, strength=strength, answers=answers)


@dataclass(frozen=True, slots=True)
class CitadelRules(Rules[CitadelCards]):
    """The rules of one game. `ends` is the value of `Prompt.ends` for prompts that offer the joker's move.

    `duties` are the kinds of rounds (`hero`, `crown`) in which every seat that can answer from hand must do so.
    """

    coop: bool
    dealer_has_hand: bool
    must_win: bool
    ascending: bool
    duties: frozenset[str]
    ends: tuple[tuple[Move, Sentence], ...]


SEER_RESULTS = {"truce": "nobody wins", "party-wins": "the party wins", "dealer-wins": "the dealer wins"}


def _ending_moves(options: Options, joker: str) -> tuple[tuple[Move, Sentence], ...]:
    """Return the joker's move with a sentence that says who wins by it, as `Prompt.ends` expects it (DC-25)."""
    result_words = "the highest score wins"
    if options["mode"] == "coop":
        result_words = SEER_RESULTS[str(options["seer"])]
    return ((JOKER, Sentence(f"Play the {{c0}}: {result_words}, game over", cards=(joker,))),)


def _answer_duties(options: Options) -> frozenset[str]:
    """Return the kinds of rounds in which seats that can answer from hand must do so (DC-18, DC-23, DC-40)."""
    if options["mode"] == "competitive" and options["must_answer"] == "no":
        return frozenset()
    return frozenset({"hero", "crown"} if options["crown_duty"] == "hand" else {"hero"})


def make_rules(seats: int, options: Options, people: frozenset[Seat], deck: Deck) -> CitadelRules:
    """Return the rules of one game, from complete options. Raises UsageError for a deck without the joker."""
    cards = make_cards(deck, str(options["joker"]))
    return CitadelRules(
        seats=seats,
        options=options,
        people=people,
        cards=cards,
        coop=options["mode"] == "coop",
        dealer_has_hand=options["dealer"] == "hand-of-5",
        must_win=options["must_win"] == "yes",
        ascending=options["bidding"] == "ascending",
        duties=_answer_duties(options),
        ends=_ending_moves(options, cards.joker),
    )


SEER = "The Seer"
SETTING_UP = "Setting Up"
PLAYING = "Playing a Round"
NUMBER = "Number Round"
HERO = "Hero Round"
CROWN = "Crown Round"
OPEN_CROWNS = "Open Crowns"
END_OF_ROUND = "End of the Round"
FORFEIT = "Forfeit"
COMPETITIVE = "Competitive Play"

HEADING_OPTIONS = {
    SETTING_UP: ("mode", "dealer", "min_players"),
    SEER: ("seer", "joker"),
    NUMBER: ("must_win", "low_tie"),
    HERO: ("hero_crowns", "hero_all_crowns", "hero_open_crown"),
    CROWN: ("crown_duty",),
    COMPETITIVE: ("bidding", "must_answer"),
    OPEN_CROWNS: ("ghost_crowns",),
}
"""The options that change what the rule note says under a heading; others change nothing there."""


@dataclass(frozen=True, slots=True)
class RewardRolls:
    """A number (`count`) of rolls on a row of the reward table, from 1 to 4; the row 0 stands for no roll."""

    count: int
    row: int

    def __str__(self) -> str:
        return f"{self.count} × row {self.row}" if self.count else "–"


def reward_rolls(total: int, heroes: int, hero_only: str = "none") -> RewardRolls:
    """Return the rolls that a suit earns: one on the row of its total, and one more there for each hero (DC-33).

    Without a total, heroes earn nothing or, if `hero_only` is `row1`, one roll each on row 1 (DC-34).
    """
    if total > 0:
        return RewardRolls(1 + heroes, reward_row(total))
    if heroes and hero_only == "row1":
        return RewardRolls(heroes, 1)
    return RewardRolls(0, 0)


def crown_rolls(count: int) -> RewardRolls:
    """Return the roll that open Crowns earn, on the row of their number, or on row 4 for more than four (DC-35)."""
    return RewardRolls(1, min(count, 4)) if count else RewardRolls(0, 0)


def reward_row(total: int) -> int:
    """Return the row of a suit's total from 1 to 45 (DC-33), and row 4 for a higher one on a wrong sheet."""
    return next((row for row, max_total in enumerate(ROW_MAX_TOTALS, 1) if total <= max_total), len(ROW_MAX_TOTALS))


def reward_parts(parts: Mapping[str, int], options: Options) -> dict[str, int]:
    """Return the reward rolls that a score sheet earns, as `swords.rolls`, `swords.row` and so on for each row."""
    hero_only = str(options["hero_only"])
    rolls_by_row = {name: reward_rolls(parts[f"{name}.total"], parts[f"{name}.heroes"], hero_only) for name in SUITS}
    rolls_by_row["crowns"] = crown_rolls(parts["crowns.count"])
    parts_by_row = ({f"{name}.rolls": roll.count, f"{name}.row": roll.row} for name, roll in rolls_by_row.items())
    return {key: value for row_parts in parts_by_row for key, value in row_parts.items()}


def count_parts(won: Iterable[str], crowns: int, cards: CitadelCards) -> dict[str, int]:
    """Return the score parts of the cards that a seat has won: `swords.total`, `swords.heroes` ... `crowns.count`.

    `crowns` is the number of its open Crowns.
    """
    parts = {f"{name}.{part}": 0 for name in SUITS for part in ("total", "heroes")}
    for card in won:
        if card in cards.suit:
            name = cards.suit[card].lower()
            if cards.is_hero(card):
                parts[f"{name}.heroes"] += 1
            else:
                parts[f"{name}.total"] += cards.strength[card]
    return {**parts, "crowns.count": crowns}


def champion_score(parts: Mapping[str, int], options: Options) -> int:
    """Return the score by which the individual champion is found (DC-32)."""
    total = sum(parts[f"{name}.total"] for name in SUITS)
    if options["champion"] == "sum":
        return total
    return total + 10 * hero_count(parts) + 10 * parts["crowns.count"]


def hero_count(parts: Mapping[str, int]) -> int:
    """Return how many heroes a seat has won."""
    return sum(parts[f"{name}.heroes"] for name in SUITS)
