"""Effects of High cards on the whole table: Beast, Donjon, Mists, Raven."""

from itertools import combinations

from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.prophets_gambit.card_play import Discard, DrawCards, SetAside, replaceable_count
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.rules import HAND_SIZE, HIGH_DECK
from vaultkit.games.prophets_gambit.state import FaceDown, GambitState
from vaultkit.games.turn import Move, Prompt, card_moves


def beast(state: GambitState, seat: Seat) -> None:
    """PG-17: Make everybody in reach discard a card, then everybody draw one, clockwise from the seat (G-4)."""
    seats = state.reachable_seats(seat)
    seats = seats[: replaceable_count(state, len(seats))]
    discards = (Discard(discarding_seat, HIGH_DECK, ("PG-17", "G-4"), why="beast") for discarding_seat in seats)
    draws = (DrawCards(discarding_seat, rule=HIGH_DECK, ruling="PG-17") for discarding_seat in seats)
    state.push_tasks(*discards, *draws)


def mists(state: GambitState, seat: Seat) -> None:
    """PG-29: Move each Fate to the next seat clockwise, passing over the Innocent, whose Fate stays (PG-25)."""
    at, seats = state.at, state.reachable_seats(seat)
    fates_by_seat = {giver: at.fates[giver] for giver in seats}
    state.tell("mists", "The Fates of {seats} move on, clockwise.", HIGH_DECK, ("PG-25", "PG-29"), seats=seats)
    for giver, taker in zip(seats, (*seats[1:], seats[0]), strict=True):
        fate = fates_by_seat[giver]
        assert fate is not None
        at.fates[taker] = fate
        state.learn(giver, fate)
        words, seeing_seats = "{s0} gets the Fate of {s1}: the {c0}.", frozenset({giver, taker})
        rulings = ("PG-29",)
        state.tell(
            "fate", words, HIGH_DECK, rulings, seats=(taker, giver), cards=(fate,), seen_by=seeing_seats, reveals=True
        )


def raven(state: GambitState, seat: Seat) -> None:
    """PG-32: Make everybody but the Innocent (PG-26) pass a card to the left, all at the same time."""
    state.push_tasks(PassCards(tuple(sorted(state.reachable_seats(seat)))))


class PassCards(FaceDown):
    """The choice of a card to pass, by several seats face down."""

    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        return card_moves("pass", state.at.hands[seat])

    def ask(self, state: GambitState, seat: Seat) -> Prompt:
        words = "{s0}, for the {c0}: which card do you pass to the left, in secret until all have chosen?"
        text, rulings = Sentence(words, (seat,), ("raven",)), ("PG-26", "PG-32", "G-3")
        return Prompt(seat, text, HIGH_DECK, rulings, self.moves(state, seat), secret=True)

    def finish(self, state: GambitState) -> None:
        passes = [(giver, move.operands[0]) for giver, move in self.chosen]
        seats = tuple(giver for giver, _ in passes)
        takers = dict(zip(seats, (*seats[1:], *seats[:1]), strict=True))
        for giver, taker in takers.items():
            other_seats = (seat for seat in range(state.seats) if seat not in {giver, taker})
            state.lose_track(tuple(other_seats), giver)
        for giver, card in passes:
            state.remove_from_hand(giver, card)
        words = "{s0} passes the {c0} to {s1}.", "{s0} passes a card to {s1}."
        for giver, card in passes:
            taker = takers[giver]
            state.add_to_hand(taker, card)
            state.learn(giver, card)
            both_seats = frozenset({giver, taker})
            state.tell_in_two_versions(
                "pass", words, HIGH_DECK, ("PG-32",), seats=(giver, taker), cards=(card,), knowing=both_seats
            )


def donjon(state: GambitState, seat: Seat) -> None:
    """PG-20: End the rounds: all discard down to three cards, and the Reveal follows.

    With the option `donjon_execution: hold` the Execution comes before it; else the Executioner has nothing to decide
    (PG-21).
    """
    at = state.at
    at.donjon, at.waiting, at.forced = seat, (), None
    state.stack.clear()
    executions = (Execution(),) if state.rules.has_option("donjon_execution", "hold") else ()
    seats_over_limit = tuple(other for other in range(state.seats) if len(at.hands[other]) > HAND_SIZE)
    state.push_tasks(CutDown(seats_over_limit), SetAside(), *executions, Reveal())


class CutDown(FaceDown):
    """The choice of discards that leave a hand of three, by several seats face down, even the Innocent (PG-22)."""

    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        hand = state.at.hands[seat]
        return tuple(Move("discard", cards) for cards in combinations(sorted(hand), len(hand) - HAND_SIZE))

    def ask(self, state: GambitState, seat: Seat) -> Prompt:
        count = len(state.at.hands[seat]) - HAND_SIZE
        question_words = "Which one" if count == 1 else "Which {v0}"
        words = f"{{s0}}, the {{c0}} leaves you three cards. {question_words} do you discard?"
        text, rulings = Sentence(words, (seat,), ("donjon",), (count,)), ("PG-20", "PG-22", "G-3")
        return Prompt(seat, text, HIGH_DECK, rulings, self.moves(state, seat), secret=True)

    def finish(self, state: GambitState) -> None:
        for seat, move in self.chosen:
            cards = move.operands
            for card in cards:
                state.discard_card(seat, card)
            words = "{s0} discards {cards}." if len(cards) > 1 else "{s0} discards the {c0}."
            state.tell("discard", words, HIGH_DECK, ("PG-20",), seats=(seat,), cards=cards, reveals=True)
