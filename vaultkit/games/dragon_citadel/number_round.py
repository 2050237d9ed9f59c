"""The tasks of a number round, in which a single card answers the dealer's number; rivals bid for playing it."""

from dataclasses import replace

from vaultkit.games.dragon_citadel.forfeit import Throws
from vaultkit.games.dragon_citadel.open_crowns import open_crown_moves, party_may_spend
from vaultkit.games.dragon_citadel.rules import (
    COMPETITIVE,
    CROWN_STRENGTH,
    HERO_STRENGTH,
    JOKER,
    NUMBER,
    OPEN_CROWNS,
    PASS,
)
from vaultkit.games.dragon_citadel.sealed_cards import PutDown, QuestionParts
from vaultkit.games.dragon_citadel.state import CitadelState, CitadelTask, JokerTask, Laid, add_joker
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Move, Prompt, Turn, card_moves

RANK_WORDS = {**{rank: str(rank) for rank in range(1, 10)}, HERO_STRENGTH: "hero", CROWN_STRENGTH: "crown"}
RANK_BY_WORD = {word: rank for rank, word in RANK_WORDS.items()}
BID_MOVES = {rank: Move("bid", (word,)) for rank, word in RANK_WORDS.items()}
SPOKEN_RANKS = {**RANK_WORDS, HERO_STRENGTH: "the hero", CROWN_STRENGTH: "a Crown"}


def number_round_tasks(state: CitadelState) -> tuple[CitadelTask, ...]:
    """Return the tasks of a number round. Each is skipped once an earlier one has answered the dealer."""
    active = state.at.active
    if state.rules.coop:
        return (PartyPlays(), OfferPartyCrown(), ThrowIfUnanswered())
    bids: CitadelTask = Auction(active) if state.rules.ascending else Bids(active)
    return (bids, OfferOwnCrowns(active), ThrowIfUnanswered())


def is_answered(state: CitadelState) -> bool:
    """Return whether a hand card or an open Crown has answered the dealer's card."""
    at = state.at
    return at.dealer_card is None or bool(at.played or at.covered)


def party_answer_moves(state: CitadelState) -> tuple[Move, ...]:
    """DC-7: Return the moves that play a fitting card of any active hand, the lowest winning card first.

    That is the one that a party mostly wants. With the option `must_win`, losing cards are left out if any card wins.
    """
    cards, hands, strength = state.rules.cards, state.at.hands, state.rules.cards.strength
    answers, dealt_strength = cards.answers[state.dealt], strength[state.dealt]
    fitting_cards = [card for seat in state.at.active for card in hands[seat] if card in answers]
    fitting_cards.sort(key=strength.__getitem__)
    winning_cards = [card for card in fitting_cards if strength[card] > dealt_strength]
    losing_cards = [card for card in fitting_cards if strength[card] < dealt_strength]
    if state.rules.must_win and winning_cards:
        losing_cards = []
    return card_moves("play", winning_cards + losing_cards)


def party_joker_moves(state: CitadelState) -> tuple[Move, ...]:
    """DC-25: Return the joker's move if the joker is in an active hand, else no move."""
    return (JOKER,) if any(state.has_joker(seat) for seat in state.at.active) else ()


class PartyPlays(JokerTask):
    """Co-op: The party's answer to a number: exactly one card, if any hand has one that fits (DC-7)."""

    def begin(self, state: CitadelState) -> Turn:
        moves = party_answer_moves(state)
        if not moves:
            return None
        text = Sentence("The party answers the {c0} with one card from any hand.", cards=(state.dealt,))
        rulings = ("DC-7", "DC-8", "DC-9", "DC-25")
        moves += party_joker_moves(state)
        return Prompt(state.party, text, NUMBER, rulings, moves, party=True, ends=state.rules.ends)

    def answer(self, state: CitadelState, move: Move) -> None:
        card = move.operands[0]
        answer_dealer(state, state.holder(card), card)


class OfferPartyCrown(JokerTask):
    """Co-op: The party's choice whether to spend an open Crown, if no hand has a card that fits (DC-10)."""

    def begin(self, state: CitadelState) -> Turn:
        if is_answered(state):
            return None
        crowns = open_crown_moves(state, party_may_spend(state))
        if not crowns:
            return None
        moves = (*crowns, PASS, *party_joker_moves(state))
        words = "Nobody can answer the {c0}. The party may spend an open Crown, or pass and see who forfeits."
        text = Sentence(words, cards=(state.dealt,))
        rulings = ("DC-10", "DC-11", "DC-25", "DC-30")
        return Prompt(state.party, text, OPEN_CROWNS, rulings, moves, party=True, ends=state.rules.ends)

    def answer(self, state: CitadelState, move: Move) -> None:
        if move != PASS:
            buy_off(state, move.operands[0])


class OfferOwnCrowns(CitadelTask):
    """Competitive: The choice of each owner of open Crowns whether to spend one, after all have passed (DC-10)."""

    waiting: tuple[Seat, ...]

    def begin(self, state: CitadelState) -> Turn:
        if is_answered(state):
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
            state.push_tasks(OfferOwnCrowns(tuple(seat for seat in self.waiting if seat > owner)))
        else:
            buy_off(state, move.operands[0])


class ThrowIfUnanswered(CitadelTask):
    """The throw of a card by each seat, if neither a hand card nor a Crown has answered the dealer (DC-11)."""

    def begin(self, state: CitadelState) -> Turn:
        if not is_answered(state):
            state.push_tasks(Throws(state.at.active))
        return None


def buy_off(state: CitadelState, crown: str) -> None:
    """Spend an open Crown to end the round for all: it is lost, and nobody forfeits (DC-10)."""
    owner = next(seat for seat, crowns in enumerate(state.at.crowns) if crown in crowns)
    dealt = state.dealt
    state.spend_crown(crown, owner)
    words = "{s0} spends the open {c0} on the {c1}: the round is lost, but nobody forfeits."
    state.tell("crown", words, OPEN_CROWNS, ("DC-10",), seats=(owner,), cards=(crown, dealt), notable=True)


def answer_dealer(state: CitadelState, seat: Seat, card: str) -> None:
    """Answer the dealer's number with a hand card of a seat, which wins or loses the round (DC-8, DC-9, DC-14)."""
    at, card_facts = state.at, state.rules.cards
    dealt = state.dealt
    if card_facts.strength[card] < card_facts.strength[dealt]:
        state.lay(seat, card)
        words = "{s0} answers the {c0} with the {c1}. It is lower: the round is lost, without penalty."
        state.tell("lost", words, NUMBER, ("DC-9",), seats=(seat,), cards=(dealt, card))
        return
    state.take_from_hand(seat, card)
    at.dealer_card = None
    if card_facts.is_crown(card):
        at.won[seat] += (dealt,)
        at.crowns[seat] += (card,)
        words = "{s0} wins the {c0} with the {c1}, which now lies open."
    else:
        at.won[seat] += (dealt, card)
        words = "{s0} wins the {c0} with the {c1}."
    is_hero, was_hidden = card_facts.is_hero(card), not state.rules.coop and card not in at.shown
    rulings, cards = ("DC-8", "DC-14"), (dealt, card)
    state.tell("won", words, NUMBER, rulings, seats=(seat,), cards=cards, reveals=was_hidden, notable=is_hero)


class Bids(PutDown):
    """Sealed bids: each seat puts down a fitting card or passes; the best is played, and the others return to hand."""

    verb = "bids"
    stays_in_hand = True

    def moves(self, state: CitadelState, seat: Seat) -> tuple[Move, ...]:
        return add_joker(state, seat, (*card_moves("bid", state.fitting_cards(seat)), PASS))

    def question(self, state: CitadelState, seat: Seat) -> QuestionParts:
        text = Sentence("{s0}, what do you bid, in secret, against the {c0}?", (seat,), (state.dealt,))
        return text, COMPETITIVE, ("DC-28", "DC-25", "G-3")

    def conclude(self, state: CitadelState, cards: Laid) -> None:
        """Play the strongest bid; of several Crowns, that of the first seat from the dealer's left."""
        strength = state.rules.cards.strength
        if cards:
            seat, card = max(cards, key=lambda bid: (strength[bid[1]], -bid[0]))
            answer_dealer(state, seat, card)


class Auction(JokerTask):
    """An ascending auction, in which seats in turn announce a higher rank or pass for good.

    `waiting` are the seats that have not passed, the next one first. `best` is the highest bid, announced by `leader`.
    """

    waiting: tuple[Seat, ...]
    best: int = 0
    leader: Seat | None = None

    def begin(self, state: CitadelState) -> Turn:
        if not self.waiting:
            return None
        seat = self.waiting[0]
        if seat == self.leader:
            self._play_best_bid(state, seat)
            return None
        return self._ask_next_bidder(state, seat)

    def _ask_next_bidder(self, state: CitadelState, seat: Seat) -> Prompt:
        strength = state.rules.cards.strength
        ranks = sorted({strength[card] for card in state.fitting_cards(seat)})
        moves = (*(BID_MOVES[rank] for rank in ranks if rank > self.best), PASS)
        words = "{s0}, what do you bid against the {c0}?"
        if self.leader is not None:
            words = "{s0}, do you bid more than {v0} against the {c0}?"
        text = Sentence(words, (seat,), (state.dealt,), (SPOKEN_RANKS.get(self.best, ""),))
        return _ask_bidder(state, seat, text, moves)

    def answer(self, state: CitadelState, move: Move) -> None:
        seat, other_seats = self.waiting[0], self.waiting[1:]
        if move == PASS:
            state.tell("pass", "{s0} passes.", COMPETITIVE, ("DC-28",), seats=(seat,))
            state.push_tasks(replace(self, waiting=other_seats))
        else:
            rank = RANK_BY_WORD[move.operands[0]]
            self._announce(state, seat, rank)
            state.push_tasks(Auction((*other_seats, seat), rank, seat))

    def _announce(self, state: CitadelState, seat: Seat, rank: int) -> None:
        words, values = "{s0} bids {v0}.", (SPOKEN_RANKS[rank],)
        state.tell("bid", words, COMPETITIVE, ("DC-28",), seats=(seat,), values=values, reveals=True)
        if rank != CROWN_STRENGTH:
            state.at.shown |= {_card_of_rank(state, seat, rank)}

    def _play_best_bid(self, state: CitadelState, seat: Seat) -> None:
        if self.best == CROWN_STRENGTH:
            state.push_tasks(PlayCrown(seat))
        else:
            answer_dealer(state, seat, _card_of_rank(state, seat, self.best))


def _ask_bidder(state: CitadelState, seat: Seat, text: Sentence, moves: tuple[Move, ...]) -> Prompt:
    moves, ends = add_joker(state, seat, moves), state.rules.ends
    return Prompt(seat, text, COMPETITIVE, ("DC-28", "DC-25"), moves, ask_always=True, ends=ends)


def _card_of_rank(state: CitadelState, seat: Seat, rank: int) -> str:
    """Return the number or hero with which a seat bid `rank`; only one card of the dealer's suit has that rank."""
    return next(card for card in state.fitting_cards(seat) if state.rules.cards.strength[card] == rank)


class PlayCrown(JokerTask):
    """The choice of a Crown by the seat that has won an auction with one."""

    seat: Seat

    def begin(self, state: CitadelState) -> Turn:
        card_facts = state.rules.cards
        moves = card_moves("play", filter(card_facts.is_crown, state.at.hands[self.seat]))
        text = Sentence("{s0}, you bid a Crown against the {c0}. Which one do you play?", (self.seat,), (state.dealt,))
        return _ask_bidder(state, self.seat, text, moves)

    def answer(self, state: CitadelState, move: Move) -> None:
        answer_dealer(state, self.seat, move.operands[0])

    def remove_seat(self, seat: Seat) -> CitadelTask:
        """Return the task, or after a concession of the winner another auction among all others (G-14)."""
        return self if seat != self.seat else RepeatAuction()


class RepeatAuction(CitadelTask):
    """An auction among the seats that are left, after its winner has conceded before playing a card (G-14)."""

    def begin(self, state: CitadelState) -> Turn:
        state.push_tasks(Auction(state.at.active))
        return None


def crown_bidder(task: object) -> Seat | None:
    """Return the seat that has bid a Crown at auction and so is known to hold one; None if the task says of nobody."""
    if isinstance(task, PlayCrown):
        return task.seat
    return task.leader if isinstance(task, Auction) and task.best == CROWN_STRENGTH else None
