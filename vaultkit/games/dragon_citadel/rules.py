"""What never changes during a game: the facts of its cards, and its options in the form that the rules ask for."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from vaultkit.cards import Card, Deck
from vaultkit.errors import UsageError
from vaultkit.games.options import Options
from vaultkit.games.turn import Move
from vaultkit.games.words import Seat, Sentence

HAND_SIZE = 5
HERO_STRENGTH = 10
CROWN_STRENGTH = 11

PASS = Move("pass")
JOKER = Move("joker")

CardMoves = Mapping[str, Move]


@dataclass(frozen=True, eq=False, slots=True)
class Facts:
    """The cards of the deck, with one joker chosen (DC-1, DC-27).

    `strength` is 1 to 9, 10 for a hero, 11 for a Crown and 0 for the joker. `answers` holds, for each card that the
    dealer may turn, the cards that fit it. The moves of each card are made once and shared.
    """

    ids: tuple[str, ...]
    joker: str
    suit: Mapping[str, str]
    strength: Mapping[str, int]
    answers: Mapping[str, frozenset[str]]
    play: CardMoves
    bid: CardMoves
    throw: CardMoves
    show: CardMoves
    crown: CardMoves

    def is_crown(self, card: str) -> bool:
        return self.strength[card] == CROWN_STRENGTH

    def is_hero(self, card: str) -> bool:
        return self.strength[card] == HERO_STRENGTH

    def round_of(self, card: str) -> str:
        """The kind of round that the dealer's card begins: `number`, `hero` or `crown`."""
        if self.is_crown(card):
            return "crown"
        return "hero" if self.is_hero(card) else "number"


def _strength(card: Card, joker: str) -> int:
    if card.id == joker:
        return 0
    if not card.suits:
        return CROWN_STRENGTH
    return card.rank if isinstance(card.rank, int) else HERO_STRENGTH


def _joker_id(deck: Deck, name: str) -> str:
    wanted = name.lower()
    for card in deck:
        if not card.suits and wanted in (card.name.lower(), card.id.replace("-", " ")):
            return card.id
    raise UsageError(f"The deck '{deck.title}' has no card '{name}' to be the joker.", hint="Set the option 'joker'.")


def _answers(ids: tuple[str, ...], suit: Mapping[str, str], strength: Mapping[str, int]) -> dict[str, frozenset[str]]:
    """DC-7, DC-18: the suit or a Crown; DC-22: a hero or a Crown answers a Crown."""
    crowns = frozenset(card for card in ids if strength[card] == CROWN_STRENGTH)
    to_a_crown = crowns | {card for card in ids if strength[card] == HERO_STRENGTH}
    by_suit = {s: crowns | {card for card in ids if suit.get(card) == s} for s in set(suit.values())}
    return {card: to_a_crown if card in crowns else by_suit[suit[card]] for card in ids if strength[card]}


@lru_cache(maxsize=32)
def facts(deck: Deck, joker: str) -> Facts:
    """The facts of `deck` with the card named `joker` as its joker. Raises UsageError if there is none."""
    ids = tuple(card.id for card in deck)
    joker_id = _joker_id(deck, joker)
    suit = {card.id: card.suits[0] for card in deck if card.suits}
    strength = {card.id: _strength(card, joker_id) for card in deck}

    def moves(verb: str) -> CardMoves:
        return {card: Move(verb, (card,)) for card in ids}

    return Facts(
        ids=ids,
        joker=joker_id,
        suit=suit,
        strength=strength,
        answers=_answers(ids, suit, strength),
        play=moves("play"),
        bid=moves("bid"),
        throw=moves("throw"),
        show=moves("show"),
        crown=moves("crown"),
    )


@dataclass(frozen=True, slots=True)
class Rules:
    """One game's seats, people and house rules. `options` is complete; the rest says the same in plain words.

    `ends` is what prompts say of the joker, `Prompt.ends`.
    """

    seats: int
    options: Options
    people: frozenset[Seat]
    cards: Facts
    coop: bool
    dealer_has_hand: bool
    must_win: bool
    ascending: bool
    only: tuple[frozenset[Seat], ...]
    others: tuple[frozenset[Seat], ...]
    ends: tuple[tuple[Move, Sentence], ...]

    def says(self, key: str, value: str) -> bool:
        """Whether the option `key` is set to `value`."""
        return self.options[key] == value


SEER_MAKES = {"truce": "nobody wins", "party-wins": "the party wins", "dealer-wins": "the dealer wins"}


def _ends(options: Options, joker: str) -> tuple[tuple[Move, Sentence], ...]:
    """The joker's offer, with what the game makes of it (DC-25)."""
    makes = "the highest score wins"
    if options["mode"] == "coop":
        makes = SEER_MAKES[str(options["seer"])]
    return ((JOKER, Sentence(f"Play the {{c0}}: the game ends at once, and {makes}", cards=(joker,))),)


def make_rules(seats: int, options: Options, people: frozenset[Seat], cards: Facts) -> Rules:
    """The rules of one game, from complete options."""
    everybody = frozenset(range(seats))
    return Rules(
        seats=seats,
        options=options,
        people=people,
        cards=cards,
        coop=options["mode"] == "coop",
        dealer_has_hand=options["dealer"] == "hand-of-5",
        must_win=options["must_win"] == "yes",
        ascending=options["bidding"] == "ascending",
        only=tuple(frozenset({seat}) for seat in range(seats)),
        others=tuple(everybody - {seat} for seat in range(seats)),
        ends=_ends(options, cards.joker),
    )


SEER = "The Seer"
SETTING_UP = "Setting Up"
NUMBER = "Number Round"
HERO = "Hero Round"
CROWN = "Crown Round"
OPEN_CROWNS = "Open Crowns"
END_OF_ROUND = "End of the Round"
FORFEIT = "Forfeit"
COMPETITIVE = "Competitive Play"

HEADINGS = frozenset({SEER, SETTING_UP, NUMBER, HERO, CROWN, OPEN_CROWNS, END_OF_ROUND, FORFEIT, COMPETITIVE})
"""Every heading of the rule note that prompts and events cite."""

OF_OPTIONS = {
    "mode": SETTING_UP,
    "dealer": SETTING_UP,
    "min_players": SETTING_UP,
    "seer": SEER,
    "joker": SEER,
    "must_win": NUMBER,
    "low_tie": NUMBER,
    "hero_crowns": HERO,
    "hero_all_crowns": HERO,
    "hero_open_crown": HERO,
    "crown_duty": CROWN,
    "bidding": COMPETITIVE,
    "ghost_crowns": OPEN_CROWNS,
}
"""The heading under which a rule note says what an option changes; an option without one changes nothing there."""
