"""Before the first phase: who owns which cards (DD-2, DD-4, DD-15)."""

from dataclasses import dataclass

from vaultkit.games.deck_of_destiny.headings import ENCOUNTERS, PILES
from vaultkit.games.deck_of_destiny.phases import Lay
from vaultkit.games.deck_of_destiny.rules import RETREAT, Rules
from vaultkit.games.deck_of_destiny.state import PLAYER, DestinyState, Step
from vaultkit.games.deck_of_destiny.verdict import retreat
from vaultkit.games.turn import Chance, Move, Prompt, Turn
from vaultkit.games.words import Sentence


def first_step(rules: Rules) -> Step:
    """The cards of others are taken out, then the character's own, then the encounter begins."""
    return Elsewhere() if rules.elsewhere else own_cards(rules)


def own_cards(rules: Rules) -> Step:
    """The character's inventory, or what becomes of one who has none."""
    if rules.inventory:
        return Inventory()
    return DrawOne() if rules.says("empty", "draw-one") else Empty()


@dataclass(frozen=True, slots=True)
class Elsewhere(Step):
    """DD-15: what other characters own is not in the veiled deck."""

    def turn(self, state: DestinyState) -> Turn:
        words = "Which cards are in the inventories of others?"
        return Chance("elsewhere", Sentence(words), ("DD-15",), state.at.veiled, state.rules.elsewhere)

    def take(self, state: DestinyState, move: Move) -> Step:
        cards, at = move.operands, state.at
        state.at = at._replace(veiled=at.veiled.without(cards), elsewhere=state.rules.cards.in_order(cards))
        words = "{v0} cards are in the inventories of others, and so not in the veiled deck."
        if len(cards) == 1:
            words = "One card is in the inventory of another, and so not in the veiled deck."
        state.tell("elsewhere", words, PILES, ("DD-15", "DD-17"), values=(len(cards),), reveals=True)
        return own_cards(state.rules)


@dataclass(frozen=True, slots=True)
class Inventory(Step):
    """DD-2: the cards that the character owns. They are dealt, or come from the character's note."""

    def turn(self, state: DestinyState) -> Turn:
        words = Sentence("Which cards does {s0} own?", (PLAYER,))
        return Chance("inventory", words, ("DD-2",), state.at.veiled, state.rules.inventory, seat=PLAYER)

    def take(self, state: DestinyState, move: Move) -> Step:
        state.draw(move.operands)
        owned = state.at.inventory
        state.at = state.at._replace(before=len(owned))
        state.tell("inventory", "{s0} owns {cards}.", PILES, ("DD-2",), cards=owned, reveals=True)
        return Lay()


@dataclass(frozen=True, slots=True)
class DrawOne(Step):
    """DD-4: a character without cards is given one."""

    def turn(self, state: DestinyState) -> Turn:
        words = Sentence("Which card does {s0} draw?", (PLAYER,))
        return Chance("draw-one", words, ("DD-4",), state.at.veiled, seat=PLAYER)

    def take(self, state: DestinyState, move: Move) -> Step:
        state.draw(move.operands)
        words = "{s0} owns no card, and draws the {c0}."
        state.tell("draw", words, ENCOUNTERS, ("DD-4",), cards=move.operands, reveals=True, notable=True)
        return Lay()


@dataclass(frozen=True, slots=True)
class Empty(Step):
    """DD-4: a character without cards cannot enter; there is nothing to choose, so it happens by itself (G-6)."""

    def turn(self, state: DestinyState) -> Turn:  # noqa: ARG002
        words = Sentence("{s0} owns no card, and cannot enter the encounter.", (PLAYER,))
        return Prompt(PLAYER, words, ENCOUNTERS, ("DD-4",), (RETREAT,))

    def take(self, state: DestinyState, move: Move) -> Step:  # noqa: ARG002
        return retreat(state, 0)
