"""The number round: one card, from one hand, answers the dealer's number."""

from dataclasses import dataclass

from vaultkit.games.dragon_citadel.bidding import Auction, Bids
from vaultkit.games.dragon_citadel.forfeit import Throws
from vaultkit.games.dragon_citadel.open_crowns import open_crown_moves, party_may_spend
from vaultkit.games.dragon_citadel.rules import JOKER, NUMBER, OPEN_CROWNS, PASS
from vaultkit.games.dragon_citadel.state import CitadelState, Step
from vaultkit.games.dragon_citadel.winning import resolve
from vaultkit.games.turn import Move, Prompt, Turn
from vaultkit.games.words import Seat, Sentence


def number_round(state: CitadelState) -> tuple[Step, ...]:
    """The steps of a number round; each is skipped once an earlier one has answered the dealer."""
    active = state.at.active
    if state.rules.coop:
        return (PartyPlays(), PartyCrown(), Refused())
    bids: Step = Auction(active) if state.rules.ascending else Bids(active)
    return (bids, OwnCrowns(active), Refused())


def answered(state: CitadelState) -> bool:
    """Whether the round has had its card or its Crown."""
    at = state.at
    return at.dealer_card is None or bool(at.played or at.covered)


def party_answers(state: CitadelState) -> tuple[Move, ...]:
    """DC-7: every fitting card of every active hand; only the winning ones, by `must_win`, if there are any.

    The cheapest card that wins comes first, since that is what a party mostly wants.
    """
    cards, hands, strength = state.rules.cards, state.at.hands, state.rules.cards.strength
    answers, to_beat = cards.answers[state.dealt], strength[state.dealt]
    fits = [card for seat in state.at.active for card in hands[seat] if card in answers]
    fits.sort(key=strength.__getitem__)
    winning = [card for card in fits if strength[card] > to_beat]
    losing = [] if state.rules.must_win and winning else [card for card in fits if strength[card] < to_beat]
    return tuple([cards.play[card] for card in winning + losing])


def party_joker(state: CitadelState) -> tuple[Move, ...]:
    """DC-25: the party may play the joker from any active hand."""
    return (JOKER,) if any(state.has_joker(seat) for seat in state.at.active) else ()


@dataclass(frozen=True, slots=True)
class PartyPlays(Step):
    """Co-op: whoever is able must play exactly one card (DC-7)."""

    def begin(self, state: CitadelState) -> Turn:
        moves = party_answers(state)
        if not moves:
            return None
        text = Sentence("The party answers the {c0} with one card from any hand.", cards=(state.dealt,))
        rulings = ("DC-7", "DC-8", "DC-9", "DC-25")
        return Prompt(state.party, text, NUMBER, rulings, moves + party_joker(state), party=True, ends=state.rules.ends)

    def take(self, state: CitadelState, move: Move) -> None:
        card = state.rules.cards.joker if move == JOKER else move.operands[0]
        seat = state.holder(card)
        if move == JOKER:
            state.play_joker(seat)
        else:
            resolve(state, seat, card)


@dataclass(frozen=True, slots=True)
class PartyCrown(Step):
    """Co-op, nobody able: the party may spend an open Crown (DC-10)."""

    def begin(self, state: CitadelState) -> Turn:
        if answered(state):
            return None
        crowns = open_crown_moves(state, party_may_spend(state))
        if not crowns:
            return None
        moves = (*crowns, PASS, *party_joker(state))
        words = "Nobody can answer the {c0}. The party may spend an open Crown, or pass and see who forfeits."
        text = Sentence(words, cards=(state.dealt,))
        rulings = ("DC-10", "DC-11", "DC-25", "DC-30")
        return Prompt(state.party, text, OPEN_CROWNS, rulings, moves, party=True, ends=state.rules.ends)

    def take(self, state: CitadelState, move: Move) -> None:
        if move == JOKER:
            state.play_joker(state.holder(state.rules.cards.joker))
        elif move != PASS:
            buy_off(state, move.operands[0])


@dataclass(frozen=True, slots=True)
class OwnCrowns(Step):
    """Competitive, all passed: each owner of open Crowns is asked once (DC-10)."""

    waiting: tuple[Seat, ...]

    def begin(self, state: CitadelState) -> Turn:
        if answered(state):
            return None
        owner = next((seat for seat in self.waiting if state.at.crowns[seat]), None)
        if owner is None:
            return None
        moves = (*open_crown_moves(state, (owner,)), PASS)
        text = Sentence("Nobody has answered the {c0}. {s0}, will you spend an open Crown?", (owner,), (state.dealt,))
        return Prompt(owner, text, OPEN_CROWNS, ("DC-10", "DC-11"), moves)

    def take(self, state: CitadelState, move: Move) -> None:
        owner = next(seat for seat in self.waiting if state.at.crowns[seat])
        if move == PASS:
            state.tell("pass", "{s0} spends no Crown.", OPEN_CROWNS, ("DC-10",), seats=(owner,))
            state.then(OwnCrowns(tuple(seat for seat in self.waiting if seat > owner)))
        else:
            buy_off(state, move.operands[0])


@dataclass(frozen=True, slots=True)
class Refused(Step):
    """Neither a card nor a Crown: everybody throws (DC-11)."""

    def begin(self, state: CitadelState) -> Turn:
        if not answered(state):
            state.then(Throws(state.at.active))
        return None


def buy_off(state: CitadelState, crown: str) -> None:
    """An open Crown ends the round for all: lost, and nobody forfeits (DC-10)."""
    owner = next(seat for seat, crowns in enumerate(state.at.crowns) if crown in crowns)
    dealt = state.dealt
    state.spend_crown(crown, owner)
    words = "{s0} spends the open {c0} on the {c1}: the round is lost, but nobody forfeits."
    state.tell("crown", words, OPEN_CROWNS, ("DC-10",), seats=(owner,), cards=(crown, dealt), notable=True)
