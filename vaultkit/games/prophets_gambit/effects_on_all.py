"""High cards that go round the table: Beast, Donjon, Mists, Raven."""

from dataclasses import dataclass
from itertools import combinations

from vaultkit.games.prophets_gambit.commit import Commit, Question
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.high_deck import SetAside
from vaultkit.games.prophets_gambit.playing import Discard, Draw, affordable
from vaultkit.games.prophets_gambit.rules import HAND_SIZE, HIGH_DECK
from vaultkit.games.prophets_gambit.state import GambitState
from vaultkit.games.turn import Move
from vaultkit.games.words import Seat, Sentence

Chosen = tuple[tuple[Seat, tuple[str, ...]], ...]


def beast(state: GambitState, seat: Seat) -> None:
    """PG-17: everybody discards a card, then everybody draws one, clockwise from the seat (G-4)."""
    seats = state.affected(seat)
    seats = seats[: affordable(state, len(seats))]
    discards = (Discard(other, HIGH_DECK, ("PG-17", "G-4"), why="beast") for other in seats)
    draws = (Draw(other, rule=HIGH_DECK, ruling="PG-17") for other in seats)
    state.then(*discards, *draws)


def mists(state: GambitState, seat: Seat) -> None:
    """PG-29: each Fate moves to the next seat clockwise; the Innocent's stays, and is passed over (PG-25)."""
    at, seats = state.at, state.affected(seat)
    old = {giver: at.fates[giver] for giver in seats}
    state.tell("mists", "The Fates of {seats} move on, clockwise.", HIGH_DECK, ("PG-25", "PG-29"), seats=seats)
    for giver, taker in zip(seats, (*seats[1:], seats[0]), strict=True):
        fate = old[giver]
        assert fate is not None
        at.fates[taker] = fate
        state.learn(giver, fate)
        words, sees = "{s0} gets the Fate of {s1}: the {c0}.", frozenset({giver, taker})
        rulings = ("PG-29",)
        state.tell("fate", words, HIGH_DECK, rulings, seats=(taker, giver), cards=(fate,), seen_by=sees, reveals=True)


def raven(state: GambitState, seat: Seat) -> None:
    """PG-32: everybody but the Innocent (PG-26) passes a card to the left, all at the same time."""
    state.then(Pass(tuple(sorted(state.affected(seat)))))


@dataclass(frozen=True, slots=True)
class Pass(Commit):
    """Which card each seat passes."""

    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        give = state.rules.cards.give
        return tuple(give[card] for card in state.at.hands[seat])

    def question(self, state: GambitState, seat: Seat) -> Question:  # noqa: ARG002
        words = "{s0}, for the {c0}: which card do you pass to the left, in secret until all have chosen?"
        return Sentence(words, (seat,), ("raven",)), HIGH_DECK, ("PG-26", "PG-32", "G-3")

    def conclude(self, state: GambitState, chosen: Chosen) -> None:
        seats = tuple(seat for seat, _ in chosen)
        next_of = dict(zip(seats, (*seats[1:], seats[0]), strict=True))
        for giver in seats:
            unseeing = (seat for seat in range(state.seats) if seat not in {giver, next_of[giver]})
            state.lose_track(tuple(unseeing), giver)
        for giver, (card,) in chosen:
            state.from_hand(giver, card)
        for giver, (card,) in chosen:
            state.to_hand(next_of[giver], card)
            state.learn(giver, card)
            _tell_passed(state, giver, next_of[giver], card)


def _tell_passed(state: GambitState, giver: Seat, taker: Seat, card: str) -> None:
    """To the two who see it with the card, to the others without."""
    both, rulings, seats = frozenset({giver, taker}), ("PG-32",), (giver, taker)
    words, rest = "{s0} passes the {c0} to {s1}.", frozenset(range(state.seats)) - both
    state.tell("pass", words, HIGH_DECK, rulings, seats=seats, cards=(card,), seen_by=both, reveals=True)
    state.tell("pass", "{s0} passes a card to {s1}.", HIGH_DECK, rulings, seats=seats, seen_by=rest)


def donjon(state: GambitState, seat: Seat) -> None:
    """PG-20: all discard down to three, and the game goes on at the Reveal, or at the Execution with `hold`.

    Without an Execution the Executioner has nothing to decide (PG-21).
    """
    at = state.at
    at.donjon, at.waiting, at.forced = seat, (), None
    state.stack.clear()
    executions = (Execution(),) if state.rules.says("donjon_execution", "hold") else ()
    too_many = tuple(other for other in range(state.seats) if len(at.hands[other]) > HAND_SIZE)
    state.then(CutDown(too_many), SetAside(), *executions, Reveal())


@dataclass(frozen=True, slots=True)
class CutDown(Commit):
    """Which cards each seat discards to hold three, the Innocent too (PG-22)."""

    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        hand = state.at.hands[seat]
        return tuple(Move("discard", cards) for cards in combinations(sorted(hand), len(hand) - HAND_SIZE))

    def question(self, state: GambitState, seat: Seat) -> Question:
        count = len(state.at.hands[seat]) - HAND_SIZE
        words = "{s0}, the {c0} leaves you three cards. Which {v0} do you discard?"
        if count == 1:
            words = "{s0}, the {c0} leaves you three cards. Which one do you discard?"
        return Sentence(words, (seat,), ("donjon",), (count,)), HIGH_DECK, ("PG-20", "PG-22", "G-3")

    def conclude(self, state: GambitState, chosen: Chosen) -> None:
        for seat, cards in chosen:
            for card in cards:
                state.throw(seat, card)
            words = "{s0} discards {cards}." if len(cards) > 1 else "{s0} discards the {c0}."
            state.tell("discard", words, HIGH_DECK, ("PG-20",), seats=(seat,), cards=cards, reveals=True)
