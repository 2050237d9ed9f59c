"""A deal, phase by phase: the cards, the prophecies, the tricks, what they fulfil, and the count (VA-2 to VA-19)."""

from collections.abc import Mapping
from functools import lru_cache

from vaultkit.games.propheta import scoring, told
from vaultkit.games.propheta.rules import (
    PASS,
    PLAYING,
    PROPHECIES,
    SETTING_UP,
    conditions,
    fulfilled,
    playable,
    shared,
    winner,
)
from vaultkit.games.propheta.state import DEAL, LOT, OVER, PLAY, PREDICT, REVEAL, Fulfilled, Phase, ProphetaState, Trick
from vaultkit.games.propheta.told import Told
from vaultkit.games.turn import Chance, Move, Pile, Prompt
from vaultkit.games.words import Seat, Sentence
from vaultkit.wording import listing


def operand(move: Move, verb: str) -> str:
    """The one card of a move with this verb, or nothing if the move is another."""
    operands = move.operands
    return operands[0] if move.verb == verb and len(operands) == 1 else ""


class Deal(Phase):
    """Seat by seat; with two players 16 cards stay aside, unseen (VA-2)."""

    def turn(self, state: ProphetaState) -> Chance:
        rules, seat = state.rules, state.actor
        pile = Pile(rules.cards.ids if state.shown else state.aside)
        text = Sentence("Deal {v0} cards to {s0}.", (seat,), (), (rules.hand_size,))
        return Chance("deal", text, ("VA-2", "G-7"), pile, rules.hand_size, seat=seat, open=False)

    def take(self, state: ProphetaState, move: Move) -> Told:
        rules, seat = state.rules, state.actor
        cards = self.turn(state).check(move)
        if state.shown:
            state.gather()
        taken = frozenset(cards)
        state.aside = tuple(card for card in state.aside if card not in taken)
        state.hands[seat] = hand = rules.cards.in_order(cards)
        state.actor = rules.left[seat]
        if state.actor == 0:
            state.phase = PREDICT
        opening = (told.deal_begins(len(state.deals) + 1),) if rules.target and seat == 0 else ()
        return (*opening, *told.dealt(rules, seat, hand))


_FORETELLING = ("VA-3", "VA-14", "VA-21", "G-3")


class Foretell(Phase):
    """In seat order; the order of a seat's own choices leaves no trace, since its prophecies are kept sorted."""

    def turn(self, state: ProphetaState) -> Prompt:
        rules, seat = state.rules, state.actor
        left = rules.predictions - len(state.predictions[seat])
        offers = rules.cards.predict
        moves = tuple([offers[card] for card in state.hands[seat]])
        return Prompt(seat, _which_to_lay(seat, left), SETTING_UP, _FORETELLING, moves, secret=True, ask_always=True)

    def take(self, state: ProphetaState, move: Move) -> Told:
        rules, seat = state.rules, state.actor
        card, hand = operand(move, "predict"), state.hands[seat]
        if card not in hand:
            raise state.refused(move)
        place = hand.index(card)
        state.hands[seat] = hand[:place] + hand[place + 1 :]
        state.predictions[seat] = rules.cards.in_order((*state.predictions[seat], card))
        if len(state.predictions[seat]) == rules.predictions:
            state.actor = rules.left[seat]
            if state.actor == 0:
                _settled(state)
        return told.laid(seat, card, rules.only[seat], rules.others[seat])


def _settled(state: ProphetaState) -> None:
    """All prophecies lie: on to the first lead."""
    if state.first is None:
        state.phase = LOT
    else:
        state.leader = state.actor = state.first
        state.phase = PLAY


@lru_cache(maxsize=64)
def _which_to_lay(seat: Seat, left: int) -> Sentence:
    more = f"{left} more to lay" if left > 1 else "the last one"
    return Sentence(f"{{s0}}, which card do you lay face down as a prophecy ({more})?", (seat,))


class Lot(Phase):
    """Who leads the first trick of the first deal, where nobody is named for it (VA-20)."""

    def turn(self, state: ProphetaState) -> Chance:
        seats = tuple(map(str, range(state.seats)))
        return Chance("first", Sentence("Who leads first?"), ("VA-20", "G-2"), options=seats)

    def take(self, state: ProphetaState, move: Move) -> Told:
        state.first = int(self.turn(state).check(move)[0])
        state.leader = state.actor = state.first
        state.phase = PLAY
        return told.chosen(state.first)


_PLAYING = ("VA-4", "VA-5", "VA-6")


class Play(Phase):
    """One card from every hand, clockwise from the leader."""

    def turn(self, state: ProphetaState) -> Prompt:
        rules, seat = state.rules, state.actor
        offers, text = rules.cards.play, _which_to_play(seat, state.trick[0] if state.trick else None)
        moves = tuple([offers[card] for card in _playable(state)])
        return Prompt(seat, text, PLAYING, _PLAYING, moves, ask_always=rules.must_follow and _has_more(state))

    def take(self, state: ProphetaState, move: Move) -> Told:
        rules, seat, trick = state.rules, state.actor, state.trick
        card = operand(move, "play")
        if card not in _playable(state):
            raise state.refused(move)
        hand = state.hands[seat]
        place = hand.index(card)
        state.hands[seat] = hand[:place] + hand[place + 1 :]
        state.trick = (*trick, card)
        state.actor = rules.left[seat]
        if not trick:
            return told.led(seat, card, len(state.tricks) + 1, rules.target > 0)
        events = told.played(seat, card)
        return events + _won(state) if len(trick) + 1 == rules.seats else events


def _playable(state: ProphetaState) -> tuple[str, ...]:
    rules, trick = state.rules, state.trick
    hand = state.hands[state.actor]
    return playable(hand, trick[0], True, rules.cards) if rules.must_follow and trick else hand


def _has_more(state: ProphetaState) -> bool:
    """Whether a card played without a question would tell the others that the rest of the hand must not be (G-6)."""
    return len(state.hands[state.actor]) > 1 and state.rules.people != {state.actor}


def _won(state: ProphetaState) -> Told:
    """The trick goes to its winner, who leads the next one, after prophecies have been turned up."""
    rules, cards = state.rules, state.trick
    facts = rules.cards
    place = winner(cards, facts, rules.literal)
    seat = (state.leader + place) % rules.seats
    state.tricks = (*state.tricks, Trick(state.leader, cards, seat))
    state.trick = ()
    state.shared = common = shared(cards, facts)
    state.leader = state.actor = seat
    state.phase = REVEAL
    zero_beat_all = cards[place] in facts.zeros and not facts.scraps.issuperset(cards[:place] + cards[place + 1 :])
    return told.won(seat, cards[place], common, zero_beat_all, rules.target > 0)


@lru_cache(maxsize=1024)
def _which_to_play(seat: Seat, lead: str | None) -> Sentence:
    if lead is None:
        return Sentence("{s0} leads: which card?", (seat,))
    return Sentence("{s0}, which card do you play to the {c0}?", (seat,), (lead,))


_REVEALING = ("VA-11", "VA-12", "VA-13", "VA-17")
_NOTHING = (PASS,)


class Reveal(Phase):
    """The leader of the next trick, who won the last one, is asked first."""

    def turn(self, state: ProphetaState) -> Prompt:
        rules, seat = state.rules, state.actor
        text, moves = _which_to_turn_up(seat, state.shared), moves_for(state, seat)
        return Prompt(seat, text, PROPHECIES, _REVEALING, moves, rules.simultaneous, rules.asked[seat])

    def take(self, state: ProphetaState, move: Move) -> Told:
        rules, seat = state.rules, state.actor
        card = ""
        if move != PASS:
            card = operand(move, "reveal")
            if card not in _fulfilled(state, seat):
                raise state.refused(move)
        state.actor = rules.left[seat]
        if rules.simultaneous:
            return _commit(state, seat, move)
        if card:
            turn_up(state, seat, card)
        events = told.turned_up(seat, card, rules.cards.points[card]) if card else told.kept(seat)
        return events + _next(state) if state.actor == state.leader else events


def _fulfilled(state: ProphetaState, seat: Seat) -> tuple[str, ...]:
    facts = state.rules.cards
    return fulfilled(state.predictions[seat], state.shared, seat == state.leader, facts)


def moves_for(state: ProphetaState, seat: Seat) -> tuple[Move, ...]:
    """What the seat may do after the last trick; to turn up nothing is always one of it (VA-17)."""
    cards = _fulfilled(state, seat)
    return (*[state.rules.cards.reveal[card] for card in cards], PASS) if cards else _NOTHING


def turn_up(state: ProphetaState, seat: Seat, card: str) -> None:
    """A fulfilled prophecy is seen by all from now on."""
    state.predictions[seat] = tuple([laid for laid in state.predictions[seat] if laid != card])
    state.fulfilled[seat] += (Fulfilled(card, len(state.tricks)),)


def _commit(state: ProphetaState, seat: Seat, move: Move) -> Told:
    """G-3: sealed until everybody has chosen; then all at once."""
    state.committed = (*state.committed, move)
    if state.actor != state.leader:
        return told.committed(seat)
    rules = state.rules
    made = [((state.leader + place) % rules.seats, move) for place, move in enumerate(state.committed)]
    state.committed = ()
    for who, choice in made:
        if choice.operands:
            turn_up(state, who, choice.operands[0])
    return told.committed(seat) + told.all_revealed(rules, made) + _next(state)


def _next(state: ProphetaState) -> Told:
    """The winner leads again, or the deal is over."""
    if state.hands[state.leader]:
        state.phase = PLAY
        return ()
    return close(state)


@lru_cache(maxsize=4096)
def _which_to_turn_up(seat: Seat, common: int) -> Sentence:
    met = listing(conditions(common)) or "nothing"
    return Sentence(f"The trick fulfils {met}. {{s0}}, which prophecy do you turn up?", (seat,))


def close(state: ProphetaState) -> Told:
    """Count the deal, and show what nobody was to see before its end."""
    rules = state.rules
    sheets = tuple(state.sheet(seat) for seat in range(rules.seats))
    state.deals = (*state.deals, sheets)
    state.shown = True
    events = [told.in_vain(seat, cards) for seat, cards in enumerate(state.predictions) if cards]
    if state.aside:
        events.append(told.left_aside(state.aside))
    if not rules.target:
        state.phase = OVER
        return tuple(events)
    points = tuple(sheet.total for sheet in sheets)
    totals = scoring.totals(state.deals, rules.seats)
    events.append(told.deal_ends(points, totals))
    if scoring.reached(totals, rules.target):
        state.phase = OVER
    else:
        state.phase, state.actor = DEAL, 0
        state.first = _next_first(state, points)
    return tuple(events)


def _next_first(state: ProphetaState, points: tuple[int, ...]) -> Seat:
    """VA-19: the first lead moves on to the left; G-2: or goes to the deal's winner, the nearest of equals."""
    assert state.first is not None
    order = [(state.first + 1 + step) % state.seats for step in range(state.seats)]
    if state.rules.options["first"] == "winner-of-last":
        return max(order, key=points.__getitem__)
    return order[0]


PHASES: Mapping[str, Phase] = {DEAL: Deal(), LOT: Lot(), PREDICT: Foretell(), PLAY: Play(), REVEAL: Reveal()}
