"""The phases of a deal of Propheta, from the dealing of cards to the scoring of prophecies (VA-2 to VA-19)."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from vaultkit.games.concession import CONCEDE
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.propheta import events
from vaultkit.games.propheta.events import Events
from vaultkit.games.propheta.rules import (
    ALL_CONDITIONS,
    PASS,
    PLAYING,
    PROPHECIES,
    SETTING_UP,
    ProphetaRules,
    common_traits,
    fulfillable_prophecies,
    is_reached,
    met_elements,
    playable_cards,
    tie_words,
    total_points,
    winner_index,
)  # fmt: skip
from vaultkit.games.propheta.state import (
    DEAL,
    LOT,
    OVER,
    PLAY,
    PREDICT,
    REVEAL,
    Fulfilled,
    ProphetaPosition,
    Trick,
)  # fmt: skip
from vaultkit.games.task_stack import TableState, TableView
from vaultkit.games.turn import HIDDEN, Chance, Move, Pile, Prompt, Turn, card_moves, check_move
from vaultkit.text import join_words

ProphetaView: TypeAlias = TableView[ProphetaRules, ProphetaPosition]


class Phase(ABC):
    """A phase of a deal, without any state of its own; phases refer to each other by name only.

    The parameter `at` is the position that the game is in. `take` changes it.
    """

    @abstractmethod
    def turn(self, rules: ProphetaRules, at: ProphetaPosition) -> Turn:
        """Return what happens next: a prompt for a seat, or a chance event."""

    @abstractmethod
    def take(self, rules: ProphetaRules, at: ProphetaPosition, move: Move) -> Events:
        """Carry out a move that answers the turn, and return its events."""


def next_seat(rules: ProphetaRules, at: ProphetaPosition, seat: Seat) -> Seat:
    """Return the next seat clockwise that plays."""
    return at.left_of(seat) if at.concessions.seats else (seat + 1) % rules.seats


class Deal(Phase):
    """The dealing of cards, seat by seat; with two players 16 cards stay aside, unseen (VA-2)."""

    def turn(self, rules: ProphetaRules, at: ProphetaPosition) -> Chance:
        seat = at.actor
        pile = Pile(rules.cards.ids if at.shown else at.aside)
        text = Sentence("Deal {v0} cards to {s0}.", (seat,), (), (rules.hand_size,))
        return Chance("deal", text, ("VA-2", "G-7"), pile, rules.hand_size, seat=seat, open=False)

    def take(self, rules: ProphetaRules, at: ProphetaPosition, move: Move) -> Events:
        seat, cards = at.actor, move.operands
        if at.shown:  # the cards of the last deal still lie open
            at.clear_deal(rules.cards.ids)
        dealt_cards = frozenset(cards)
        at.aside = tuple(card for card in at.aside if card not in dealt_cards)
        at.hands[seat] = hand = rules.cards.sort_cards(cards)
        at.actor = next_seat(rules, at, seat)
        if at.actor <= seat:
            at.phase = PREDICT
        is_first = seat == at.seats_from(0)[0]
        opening_events = (events.new_deal_event(len(at.deals) + 1),) if rules.target and is_first else ()
        return (*opening_events, *events.deal_events(seat, hand, rules.seats))


_FORETELL_RULINGS = ("VA-3", "VA-14", "VA-21", "G-3")
"""The rulings that apply to the laying of prophecies."""


class Foretell(Phase):
    """The laying of prophecies, in seat order.

    Prophecies are kept sorted, so that the order in which a seat chose them cannot be seen.
    """

    def turn(self, rules: ProphetaRules, at: ProphetaPosition) -> Prompt:
        seat = at.actor
        remaining = rules.predictions - len(at.predictions[seat])
        moves = card_moves("predict", at.hands[seat])
        question = _prophecy_question(seat, remaining)
        return Prompt(seat, question, SETTING_UP, _FORETELL_RULINGS, moves, secret=True, ask_always=True)

    def take(self, rules: ProphetaRules, at: ProphetaPosition, move: Move) -> Events:
        seat, (card,) = at.actor, move.operands
        at.remove_from_hand(seat, card)
        at.predictions[seat] = rules.cards.sort_cards((*at.predictions[seat], card))
        if len(at.predictions[seat]) == rules.predictions:
            at.actor = next_seat(rules, at, seat)
            if at.actor <= seat:
                _begin_tricks(at)
        return events.lay_events(seat, card, rules.seats)


def _begin_tricks(at: ProphetaPosition) -> None:
    """Begin the first trick once all prophecies lie face down, or first settle who leads it."""
    if at.first is None:
        at.phase = LOT
    else:
        at.leader = at.actor = at.seats_from(at.first)[0]
        at.phase = PLAY


@lru_cache(maxsize=64)
def _prophecy_question(seat: Seat, remaining: int) -> Sentence:
    """Return the question which card a seat lays as a prophecy, with the number of cards still to lay."""
    more = f"{remaining} more to lay" if remaining > 1 else "the last one"
    return Sentence(f"{{s0}}, which card do you lay face down as a prophecy ({more})?", (seat,))


class ChooseFirstLead(Phase):
    """The drawing of lots for the first lead of the first deal, if the option `first` names nobody (VA-20)."""

    def turn(self, rules: ProphetaRules, at: ProphetaPosition) -> Chance:  # noqa: ARG002
        seats = tuple(map(str, at.seats_from(0)))
        return Chance("first", Sentence("Who leads first?"), ("VA-20", "G-2"), options=seats)

    def take(self, rules: ProphetaRules, at: ProphetaPosition, move: Move) -> Events:  # noqa: ARG002
        at.first = int(move.operands[0])
        at.leader = at.actor = at.first
        at.phase = PLAY
        return events.first_lead_events(at.first)


_PLAY_RULINGS = ("VA-4", "VA-5", "VA-6")
"""The rulings that apply to the playing of cards."""


class Play(Phase):
    """The playing of one card from every hand, clockwise from the leader."""

    def turn(self, rules: ProphetaRules, at: ProphetaPosition) -> Prompt:
        seat = at.actor
        text, hand = _card_question(seat, at.trick[0] if at.trick else None), at.hands[seat]
        cards = playable_cards(hand, at.trick[0], rules.cards) if rules.must_follow and at.trick else hand
        moves = card_moves("play", cards)
        # If the only card that may be played were played without a question, other people would learn that the hand,
        # which has more cards, holds no other card that may be played (G-6).
        must_ask = rules.must_follow and len(hand) > 1 and rules.people != {seat}
        return Prompt(seat, text, PLAYING, _PLAY_RULINGS, moves, ask_always=must_ask)

    def take(self, rules: ProphetaRules, at: ProphetaPosition, move: Move) -> Events:
        seat, trick, (card,) = at.actor, at.trick, move.operands
        at.remove_from_hand(seat, card)
        at.trick = (*trick, card)
        at.actor = next_seat(rules, at, seat)
        if not trick:
            return events.lead_events(seat, card, len(at.tricks) + 1, rules.target > 0)
        played = events.play_events(seat, card)
        is_full = len(trick) + 1 == rules.seats - len(at.concessions.seats)
        return played + _finish_trick(rules, at) if is_full else played


def _finish_trick(rules: ProphetaRules, at: ProphetaPosition) -> Events:
    """Give a complete trick to its winner, and go on to the turning up of prophecies."""
    cards = at.trick
    card_facts = rules.cards
    winner = winner_index(cards, card_facts, rules.literal)
    seat = at.seats_from(at.leader)[winner]
    at.tricks = (*at.tricks, Trick(at.leader, cards, seat))
    at.trick = ()
    at.shared = shared_traits = common_traits(cards, card_facts)
    at.leader = at.actor = seat
    at.phase = REVEAL
    others = cards[:winner] + cards[winner + 1 :]
    zero_beat_all = cards[winner] in card_facts.zeros and not card_facts.scraps.issuperset(others)
    tie = "" if zero_beat_all else tie_words(cards, winner, card_facts, rules.literal)
    return events.win_events(seat, cards[winner], shared_traits, zero_beat_all, tie, is_match=rules.target > 0)


@lru_cache(maxsize=1024)
def _card_question(seat: Seat, lead: str | None) -> Sentence:
    """Return the question which card a seat plays; `lead` is the first card of the trick, None if the seat leads."""
    if lead is None:
        return Sentence("{s0} leads: which card?", (seat,))
    return Sentence("{s0}, which card do you play to the {c0}?", (seat,), (lead,))


_REVEAL_RULINGS = ("VA-11", "VA-12", "VA-13", "VA-17")
"""The rulings that apply to the turning up of prophecies."""


class TurnUpProphecies(Phase):
    """The turning up of prophecies after a trick, beginning with its winner."""

    def turn(self, rules: ProphetaRules, at: ProphetaPosition) -> Prompt:
        seat = at.actor
        text, moves = _turn_up_question(seat, at.shared), turn_up_moves(rules, at, seat)
        # Everybody sees that nothing can be turned up if the trick meets no condition, or no prophecy lies face down.
        is_asked = rules.asked[seat] and bool(at.shared & ALL_CONDITIONS and at.predictions[seat])
        return Prompt(seat, text, PROPHECIES, _REVEAL_RULINGS, moves, rules.simultaneous, is_asked)

    def take(self, rules: ProphetaRules, at: ProphetaPosition, move: Move) -> Events:
        seat, turn_events = at.actor, Events()
        at.actor = next_seat(rules, at, seat)
        if rules.simultaneous:
            return _take_sealed_choice(rules, at, seat, move)
        for card in move.operands:
            turn_up(at, seat, card)
            turn_events = events.fulfil_events(seat, card, rules.cards.points[card])
        return turn_events + _begin_trick_or_close(rules, at) if at.actor == at.leader else turn_events


def fulfillable_now(rules: ProphetaRules, at: ProphetaPosition, seat: Seat) -> tuple[str, ...]:
    """Return the prophecies of a seat that the latest trick fulfils."""
    return fulfillable_prophecies(at.predictions[seat], at.shared, seat == at.tricks[-1].winner, rules.cards)


def turn_up_moves(rules: ProphetaRules, at: ProphetaPosition, seat: Seat) -> tuple[Move, ...]:
    """Return the moves that turn up a prophecy of a seat after the latest trick, and that of passing (VA-17)."""
    return (*card_moves("reveal", fulfillable_now(rules, at, seat)), PASS)


def turn_up(at: ProphetaPosition, seat: Seat, card: str) -> None:
    """Turn a fulfilled prophecy face up, so that everybody sees it from now on."""
    at.predictions[seat] = tuple([prophecy for prophecy in at.predictions[seat] if prophecy != card])
    at.fulfilled[seat] += (Fulfilled(card, len(at.tricks)),)


def _take_sealed_choice(rules: ProphetaRules, at: ProphetaPosition, seat: Seat, move: Move) -> Events:
    """Record a choice that stays secret, and reveal all choices once everybody has chosen (G-3)."""
    at.committed = (*at.committed, move)
    if at.actor != at.leader:
        return events.commit_events(seat)
    return events.commit_events(seat) + _reveal_choices(rules, at)


def _reveal_choices(rules: ProphetaRules, at: ProphetaPosition) -> Events:
    """Turn up the prophecies that all have chosen in secret, and go on with the next trick."""
    choices = [(seat, move) for seat, move in zip(at.seats_from(at.leader), at.committed, strict=True) if move]
    at.committed = ()
    for chooser, choice in choices:
        if choice.operands:
            turn_up(at, chooser, choice.operands[0])
    reveals = events.reveal_events(rules.cards.points, choices)
    return reveals + _begin_trick_or_close(rules, at)


def _begin_trick_or_close(rules: ProphetaRules, at: ProphetaPosition) -> Events:
    """Begin the next trick, which the winner of the latest one leads, or close the deal if the hands are empty."""
    if at.hands[at.leader]:
        at.phase = PLAY
        return ()
    return close_deal(rules, at)


@lru_cache(maxsize=4096)
def _turn_up_question(seat: Seat, shared_traits: int) -> Sentence:
    """Return the question which prophecy a seat turns up, with the traits that all cards of the trick share."""
    fulfilled_conditions = join_words(met_elements(shared_traits)) or "nothing"
    return Sentence(f"The trick fulfils {fulfilled_conditions}. {{s0}}, which prophecy do you turn up?", (seat,))


def close_deal(rules: ProphetaRules, at: ProphetaPosition) -> Events:
    """Score the deal and return the events that show its hidden cards.

    The game is over if the deal was the only one or the target is reached; else the next deal begins.
    """
    sheets = tuple(at.sheet(seat, rules.cards) for seat in range(rules.seats))
    at.deals = (*at.deals, sheets)
    at.shown = True
    closing_events = [events.unfulfilled_event(seat, cards) for seat, cards in enumerate(at.predictions) if cards]
    if at.aside:
        closing_events.append(events.aside_event(at.aside))
    if not rules.target:
        at.phase = OVER
        return tuple(closing_events)
    points = tuple(sheet.total for sheet in sheets)
    totals = total_points(at.deals, rules.seats)
    closing_events.append(events.count_event(points, totals))
    if is_reached([totals[seat] for seat in at.seats_from(0)], rules.target):
        at.phase = OVER
    else:
        at.phase, at.actor = DEAL, at.seats_from(0)[0]
        at.first = _find_next_first_leader(rules, at, points)
    return tuple(closing_events)


def _find_next_first_leader(rules: ProphetaRules, at: ProphetaPosition, points: tuple[int, ...]) -> Seat:
    """Return the seat that leads first in the next deal.

    That is the next seat to the left of the one that led first in this deal (VA-19). With the option `winner-of-last`
    it is the winner of this deal; of several winners, the first one to the left (G-2).
    """
    assert at.first is not None
    order = at.seats_from((at.first + 1) % rules.seats)
    if rules.options["first"] == "winner-of-last":
        return max(order, key=points.__getitem__)
    return order[0]


def pass_over(rules: ProphetaRules, at: ProphetaPosition) -> Events:
    """Go on without the seat that has conceded last, whose cards stay where they lie, or end the game (G-14)."""
    seat = at.concessions.seats[-1]
    if at.concessions.is_end:
        at.phase = OVER
        return ()
    next_leader, was_last = at.left_of(at.leader), at.left_of(seat) == at.leader
    if at.phase == REVEAL and rules.simultaneous:
        old_order = sorted((*at.seats_from(at.leader), seat), key=lambda other: (other - at.leader) % rules.seats)
        choices = zip(old_order, at.committed, strict=False)
        at.committed = tuple(move for chooser, move in choices if chooser != seat)
    if seat == at.leader and at.phase in (PLAY, REVEAL):
        at.leader = next_leader
    if seat != at.actor:
        return ()
    at.actor = at.left_of(seat)
    if at.phase == PREDICT and at.actor <= seat:
        _begin_tricks(at)
    elif at.phase == PLAY and at.trick and was_last:
        return _finish_trick(rules, at)
    elif at.phase == REVEAL and was_last:
        return _reveal_choices(rules, at) if rules.simultaneous else _begin_trick_or_close(rules, at)
    return ()


PHASES: Mapping[str, Phase] = {
    DEAL: Deal(),
    LOT: ChooseFirstLead(),
    PREDICT: Foretell(),
    PLAY: Play(),
    REVEAL: TurnUpProphecies(),
}


class ProphetaState(TableState[ProphetaRules, ProphetaPosition]):
    """The state of a game of Propheta, which goes from phase to phase by name; that is faster than a stack of tasks."""

    __slots__ = ()

    @property
    def turn(self) -> Turn:
        if self._turn is None and self.at.phase != OVER:
            self._turn = PHASES[self.at.phase].turn(self.rules, self.at)
        return self._turn

    def apply(self, move: Move) -> Events:
        if move.verb == CONCEDE:
            moved_events = (self.record_concession(move), *pass_over(self.rules, self.at))
        else:
            check_move(self.turn, move)
            moved_events = PHASES[self.at.phase].take(self.rules, self.at, move)
        self._turn = None
        return moved_events

    @property
    def deciding_seats(self) -> tuple[Seat, ...]:
        turn = self.turn
        return self.playing if isinstance(turn, Prompt) and turn.secret else super().deciding_seats

    def mask(self, seat: Seat) -> ProphetaPosition:
        at = self.at.copy()
        at.hands = [hand if owner == seat else (HIDDEN,) * len(hand) for owner, hand in enumerate(at.hands)]
        if not at.shown:
            prophecies = enumerate(at.predictions)
            at.predictions = [cards if owner == seat else (HIDDEN,) * len(cards) for owner, cards in prophecies]
            at.aside = (HIDDEN,) * len(at.aside)
        if not self.rules.remembers_all:
            earlier_tricks = (trick._replace(cards=(HIDDEN,) * len(trick.cards)) for trick in at.tricks[:-1])
            at.tricks = (*earlier_tricks, *at.tricks[-1:])
        if at.committed:
            choices = zip(at.seats_from(at.leader), at.committed, strict=False)
            at.committed = tuple(move if chooser == seat else None for chooser, move in choices)
        return at
