"""Forfeits, and the choice of who forfeits: by the lowest card thrown or shown, by the party, or by lot."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.games.dragon_citadel.open_crowns import spendable_crowns
from vaultkit.games.dragon_citadel.rules import FORFEIT
from vaultkit.games.dragon_citadel.sealed_cards import PutDown, QuestionParts
from vaultkit.games.dragon_citadel.state import (
    Ability,
    CitadelState,
    CitadelTask,
    Forfeit,
    Laid,
    add_joker,
    throwable_cards,
)
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Chance, Move, Prompt, Turn, card_moves

FORFEIT_RULINGS = {
    "thrown": ("DC-11", "DC-12", "DC-30"),
    "shown": ("DC-20", "DC-12", "DC-30"),
    "hero": ("DC-20", "DC-30"),
    "crown": ("DC-20", "DC-30"),
}
"""The rulings of a forfeit, by its cause."""
LOWEST_CARD_REASONS = {"thrown": "threw the lowest card", "shown": "showed the lowest card"}
FAILURE_REASONS: Mapping[Ability, str] = {
    "unable": "could not {0}",
    "unsaved": "had no card in hand to {0}, was not saved by an open Crown",
    "able": "chose not to {0}",
    "unknown": "did not {0}",
}
ANSWER_WORDS = {"hero": "answer the hero", "crown": "pay for the Crown"}


def forfeit_reason(cause: str, ability: Ability) -> str:
    """Return the reason for a forfeit as a predicate, such as `could not answer the hero`."""
    return LOWEST_CARD_REASONS.get(cause) or FAILURE_REASONS[ability].format(ANSWER_WORDS[cause])


def find_ability(state: CitadelState, seat: Seat) -> Ability:
    """Return whether a seat that is about to forfeit could have answered the dealer's card."""
    at, rules = state.at, state.rules
    round_kind = at.rounds[-1]
    cards_in_round = (*at.hands[seat], *(card for owner, card in at.played if owner == seat))
    if not rules.cards.answers[state.dealt].isdisjoint(cards_in_round):
        return "able"
    if not spendable_crowns(state, seat):
        return "unable"
    return "unsaved" if rules.coop or round_kind == "hero" else "able"


def forfeit(state: CitadelState, seat: Seat, cause: str, ability: Ability | None = None) -> None:
    """DC-30: Remove a seat from the game. Its hand is discarded; its won cards and open Crowns stay.

    The game ends if then nobody is left, or one seat in competitive play (DC-5, DC-31). If `ability` is None, it is
    derived from the seat's cards.
    """
    at = state.at
    ability = ability or find_ability(state, seat)
    words = f"{{s0}} {forfeit_reason(cause, ability)} and forfeits."
    detail = cause if cause in LOWEST_CARD_REASONS else ability
    state.tell("forfeit", words, FORFEIT, FORFEIT_RULINGS[cause], seats=(seat,), notable=True, detail=detail)
    state.remove_player(seat)
    at.forfeits = (*at.forfeits, Forfeit(len(at.rounds), seat, cause, ability))
    if not at.active:
        state.finish("dealer")
    elif len(at.active) == 1 and not state.rules.coop:
        state.finish("last-survivor")


class LowestForfeits(PutDown):
    """A decision in which each seat puts down a card, and the seat with the lowest one forfeits.

    The joker may not be put down (DC-13), nor may the cards in `before`, which were put down before a tie. `move` is
    the verb of the moves, and `cause` is the cause of the forfeit.
    """

    before: frozenset[str] = frozenset()

    move: ClassVar[str]
    cause: ClassVar[str]

    def moves(self, state: CitadelState, seat: Seat) -> tuple[Move, ...]:
        return add_joker(state, seat, card_moves(self.move, throwable_cards(state, seat, self.before)))

    def conclude(self, state: CitadelState, cards: Laid) -> None:
        tied = lowest_seats(state, cards)
        used_cards = self.before | {card for _, card in cards}
        is_replayed = len(tied) > 1 and state.rules.has_option("low_tie", "replay-card")
        if is_replayed and all(throwable_cards(state, seat, used_cards) for seat in tied):
            words = f"{{seats}} tie for the lowest card and {self.move} again."
            state.tell("again", words, FORFEIT, ("DC-12",), seats=tied)
            state.push_tasks(type(self)(tied, before=used_cards))
        else:
            settle_tie(state, tied, self.cause)


class Throws(LowestForfeits):
    """DC-11: A decision in which every active seat throws a card."""

    verb, move, cause = "throws", "throw", "thrown"

    def by_party(self, state: CitadelState) -> bool:
        return state.rules.coop

    def question(self, state: CitadelState, seat: Seat) -> QuestionParts:
        words = "The party chooses the card that {s0} throws; the lowest card thrown forfeits."
        if not state.rules.coop:
            words = "{s0}, which card do you throw, in secret? The lowest card thrown forfeits."
        return Sentence(words, (seat,)), FORFEIT, ("DC-11", "DC-13", "DC-21", "DC-25")


class Shows(LowestForfeits):
    """DC-20, competitive: A decision in which the seats that failed show a card each and take it back."""

    verb, move, cause = "shows", "show", "shown"
    stays_in_hand = True

    def question(self, state: CitadelState, seat: Seat) -> QuestionParts:  # noqa: ARG002
        words = "{s0}, which card do you show? The lowest card shown forfeits; the others return to hand."
        return Sentence(words, (seat,)), FORFEIT, ("DC-20", "DC-13", "DC-25", "G-3")


def lowest_seats(state: CitadelState, cards: Laid) -> tuple[Seat, ...]:
    """Return the seats that put down the lowest card; heroes are above numbers, and Crowns above all (DC-11, DC-13)."""
    strength = state.rules.cards.strength
    lowest_strength = min((strength[card] for _, card in cards), default=0)
    return tuple(seat for seat, card in cards if strength[card] == lowest_strength)


def settle_tie(state: CitadelState, tied: tuple[Seat, ...], cause: str) -> None:
    """DC-12: Let one of the tied seats forfeit: by lot, by the party's choice, or the first from the dealer's left."""
    if not tied:
        return
    if len(tied) == 1:
        forfeit(state, tied[0], cause)
    elif state.rules.has_option("low_tie", "random"):
        state.push_tasks(DrawLots(tied, cause))
    elif state.rules.coop:
        state.push_tasks(ChooseForfeit(tied, cause))
    else:
        forfeit(state, tied[0], cause)


class DrawLots(CitadelTask):
    """DC-12, `random`: The drawing of lots among tied seats."""

    tied: tuple[Seat, ...]
    cause: str

    def begin(self, state: CitadelState) -> Turn:  # noqa: ARG002
        text = Sentence("{seats} tie for the lowest card; one is drawn by lot.", self.tied)
        return Chance("low-tie", text, ("DC-12", "G-7"), options=tuple(str(seat) for seat in self.tied))

    def take(self, state: CitadelState, move: Move) -> None:
        forfeit(state, int(move.operands[0]), self.cause)


class ChooseForfeit(CitadelTask):
    """Co-op: The party's choice of who forfeits (DC-12, DC-20)."""

    choices: tuple[Seat, ...]
    cause: str

    def begin(self, state: CitadelState) -> Turn:
        text = Sentence("The party chooses who forfeits: {seats}.", self.choices)
        moves = tuple(Move("forfeit", (str(seat),)) for seat in self.choices)
        return Prompt(state.party, text, FORFEIT, ("DC-12", "DC-20"), moves, party=True)

    def take(self, state: CitadelState, move: Move) -> None:
        forfeit(state, int(move.operands[0]), self.cause)
