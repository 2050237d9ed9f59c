"""Competitive number rounds: sealed bids, or an auction (DC-28)."""

from dataclasses import dataclass, replace

from vaultkit.games.dragon_citadel.commit import Commit, Laid, Question
from vaultkit.games.dragon_citadel.rules import COMPETITIVE, CROWN_STRENGTH, HERO_STRENGTH, JOKER, PASS
from vaultkit.games.dragon_citadel.state import CitadelState, Step
from vaultkit.games.dragon_citadel.winning import resolve
from vaultkit.games.turn import Move, Prompt, Turn
from vaultkit.games.words import Seat, Sentence

RANK_WORD = {**{rank: str(rank) for rank in range(1, 10)}, HERO_STRENGTH: "hero", CROWN_STRENGTH: "crown"}
RANK_OF = {word: rank for rank, word in RANK_WORD.items()}
BID_RANK = {rank: Move("bid", (word,)) for rank, word in RANK_WORD.items()}
RANK_SPOKEN = {**RANK_WORD, HERO_STRENGTH: "the hero", CROWN_STRENGTH: "a Crown"}


@dataclass(frozen=True, slots=True)
class Bids(Commit):
    """Sealed: each commits a fitting card or passes; only the best is played, the others return to hand."""

    verb = "bids"
    stays_in_hand = True

    def moves(self, state: CitadelState, seat: Seat) -> tuple[Move, ...]:
        bid = state.rules.cards.bid
        moves = (*[bid[card] for card in state.fitting(seat)], PASS)
        return (*moves, JOKER) if state.has_joker(seat) else moves

    def question(self, state: CitadelState, seat: Seat) -> Question:
        text = Sentence("{s0}, what do you bid, in secret, against the {c0}?", (seat,), (state.dealt,))
        return text, COMPETITIVE, ("DC-28", "DC-25", "G-3")

    def conclude(self, state: CitadelState, cards: Laid) -> None:
        """The strongest bid is played; of several Crowns, the nearest clockwise from the dealer's left."""
        strength = state.rules.cards.strength
        if cards:
            seat, card = max(cards, key=lambda bid: (strength[bid[1]], -bid[0]))
            resolve(state, seat, card)


@dataclass(frozen=True, slots=True)
class Auction(Step):
    """Ascending: seats in turn announce a higher rank or pass for good; `waiting[0]` is next, the leader last."""

    waiting: tuple[Seat, ...]
    best: int = 0
    leader: Seat | None = None

    def begin(self, state: CitadelState) -> Turn:
        if not self.waiting:
            return None
        seat = self.waiting[0]
        if seat == self.leader:
            self._sold(state, seat)
            return None
        return self._prompt(state, seat)

    def _prompt(self, state: CitadelState, seat: Seat) -> Prompt:
        strength = state.rules.cards.strength
        ranks = sorted({strength[card] for card in state.fitting(seat)})
        moves = (*(BID_RANK[rank] for rank in ranks if rank > self.best), PASS)
        words = "{s0}, what do you bid against the {c0}?"
        if self.leader is not None:
            words = "{s0}, do you bid more than {v0} against the {c0}?"
        text = Sentence(words, (seat,), (state.dealt,), (RANK_SPOKEN.get(self.best, ""),))
        moves = (*moves, JOKER) if state.has_joker(seat) else moves
        ends = state.rules.ends
        return Prompt(seat, text, COMPETITIVE, ("DC-28", "DC-25"), moves, ask_always=True, ends=ends)

    def take(self, state: CitadelState, move: Move) -> None:
        seat, rest = self.waiting[0], self.waiting[1:]
        if move == JOKER:
            state.play_joker(seat)
        elif move == PASS:
            state.tell("pass", "{s0} passes.", COMPETITIVE, ("DC-28",), seats=(seat,))
            state.then(replace(self, waiting=rest))
        else:
            rank = RANK_OF[move.operands[0]]
            self._announce(state, seat, rank)
            state.then(Auction((*rest, seat), rank, seat))

    def _announce(self, state: CitadelState, seat: Seat, rank: int) -> None:
        words, values = "{s0} bids {v0}.", (RANK_SPOKEN[rank],)
        state.tell("bid", words, COMPETITIVE, ("DC-28",), seats=(seat,), values=values, reveals=True)
        if rank != CROWN_STRENGTH:
            state.at.shown |= {_card_of(state, seat, rank)}

    def _sold(self, state: CitadelState, seat: Seat) -> None:
        if self.best == CROWN_STRENGTH:
            state.then(PlayCrown(seat))
        else:
            resolve(state, seat, _card_of(state, seat, self.best))


def _card_of(state: CitadelState, seat: Seat, rank: int) -> str:
    """The announced number or hero: a rank names one card of the dealer's suit."""
    return next(card for card in state.fitting(seat) if state.rules.cards.strength[card] == rank)


@dataclass(frozen=True, slots=True)
class PlayCrown(Step):
    """The auction went to a Crown; the seat says which."""

    seat: Seat

    def begin(self, state: CitadelState) -> Turn:
        facts = state.rules.cards
        moves = tuple(facts.play[card] for card in state.at.hands[self.seat] if facts.is_crown(card))
        moves = (*moves, JOKER) if state.has_joker(self.seat) else moves
        text = Sentence("{s0}, you bid a Crown against the {c0}. Which one do you play?", (self.seat,), (state.dealt,))
        ends = state.rules.ends
        return Prompt(self.seat, text, COMPETITIVE, ("DC-28", "DC-25"), moves, ask_always=True, ends=ends)

    def take(self, state: CitadelState, move: Move) -> None:
        if move == JOKER:
            state.play_joker(self.seat)
        else:
            resolve(state, self.seat, move.operands[0])


def crown_bidder(step: Step) -> Seat | None:
    """The seat that is known to hold a Crown because it has bid one at auction."""
    if isinstance(step, PlayCrown):
        return step.seat
    return step.leader if isinstance(step, Auction) and step.best == CROWN_STRENGTH else None
