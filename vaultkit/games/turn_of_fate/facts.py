"""Facts about a step of Turn of Fate: what it changed, as far as one seat knows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vaultkit.games.facts import GameFact
from vaultkit.games.messages import Event, Seat, Sentence
from vaultkit.games.turn import HIDDEN
from vaultkit.games.turn_of_fate import ending
from vaultkit.games.turn_of_fate.fate_play import AGORA
from vaultkit.games.turn_of_fate.rules import FIRST_TO_MOVE, Stack, citizen_points, score_parts
from vaultkit.games.turn_of_fate.state import FatePosition, FateView

SPOKEN_EVENT_KINDS = frozenset({"first", "sailor", "cycle", "no-draw"})
"""The kinds of events whose own sentence serves as the sentence of the fact."""

Area = Literal["deck", "play", "temple", "removed"]


@dataclass(frozen=True, slots=True)
class CitizenPlace:
    """The place of a Citizen: in the Citizen Deck, in play, in a Temple or out of the game.

    `seat` is the leader of the Congregation or Temple in which the Citizen is, None for any other place, such as the
    Agora. `stack` is the Citizen with all their Fates.
    """

    area: Area
    seat: Seat | None
    stack: Stack


def find_places(at: FatePosition) -> dict[str, CitizenPlace]:
    """Return, by Citizen, the places of all Citizens that lie open, and of the cards out of the game."""
    zones: list[tuple[Area, Seat | None, tuple[Stack, ...]]] = [("play", AGORA, at.agora)]
    for seat in range(len(at.hands)):
        zones += [("play", seat, at.congregations[seat]), ("temple", seat, at.vowed[seat])]
    places = {stack[0]: CitizenPlace(area, seat, stack) for area, seat, stacks in zones for stack in stacks}
    return places | {card: CitizenPlace("removed", None, (card,)) for card in at.removed}


def transition_facts(before: FateView, after: FateView, events: Sequence[Event]) -> Iterator[GameFact]:
    """Yield what one step changed, as the seat of both views knows it."""
    yield from _temple_facts(before, after)
    yield from _score_facts(before, after)
    places, cards = find_places(before.at), after.rules.cards
    for citizen, place in find_places(after.at).items():
        former_place = places.get(citizen, CitizenPlace("deck", None, (citizen,)))
        if citizen in cards.citizens and former_place != place:
            yield citizen_fact(former_place, place, after)
    yield from _payment_facts(after, events)
    yield from _draw_facts(before, after)
    if revealed := tuple(sorted(after.seen - before.seen)):
        yield GameFact("revealed", cards=revealed)
    for event in events:
        is_useless_draw = event.kind == "no-draw" and not len(after.at.fates)
        if event.kind in SPOKEN_EVENT_KINDS and not is_useless_draw:
            yield GameFact("other", event.seat, cards=event.cards, sentence=event.sentence)
        elif event.kind in {"pass", "hold"}:
            yield GameFact("other", event.seat)
    yield from _end_facts(after)


def key_facts(view: FateView) -> Iterator[Sentence]:
    """Yield whether the end is near, which suit counts twice, and what a Moment of Truth and a Congregation are."""
    at, seat = view.at, view.seat
    if not at.temples:
        return
    if not len(at.citizens):
        words = "No Citizen is left to come: the game ends when a player can neither play nor draw a Fate"
        yield Sentence(f"{words}, or after two idle turns.")
    elif len(at.citizens) == 1:
        yield Sentence("The last Citizen is still to come; then the game may end.")
    if not len(at.fates):
        yield Sentence("The Deck of Fates is empty: nobody draws any more.")
    if at.idle:
        yield Sentence("The last turn was idle: if this one is too, the game ends.")
    words = "{s0} serves the temple of the {v0}, {s1} of the {v1}; a Citizen with the rival's suit counts twice."
    yield Sentence(words, (0, 1), (), at.temples)
    yield Sentence(
        "A Moment of Truth is for good, but not on the rival's Citizens: a Crown, an Ace on an own Citizen, or a Fate "
        "that makes 10 with the card beneath."
    )
    if at.congregations[seat] or at.congregations[1 - seat]:
        yield Sentence("The Citizens before a player are the Congregation: they count, but can be won over.")


def _temple_facts(before: FateView, after: FateView) -> Iterator[GameFact]:
    """Yield who serves which temple, once that is settled (TF-1, TF-3)."""
    if after.at.temples and not before.at.temples:
        for seat, temple in enumerate(after.at.temples):
            words = "{s0} serves the temple of the {v0}" + (" and moves first." if temple in FIRST_TO_MOVE else ".")
            yield GameFact("other", seat, sentence=Sentence(words, (seat,), (), (temple,)))


def _score_facts(before: FateView, after: FateView) -> Iterator[GameFact]:
    """Yield the changes of the scores.

    They are given even with the option `memory=closed`, because everyone sees the cards that change them.
    """
    for seat in range(after.seats):
        if score_change := current_score(after, seat) - current_score(before, seat):
            yield GameFact("score", seat, amount=score_change)


def current_score(view: FateView, seat: Seat) -> int:
    """Return the score that a seat would have if the game ended now."""
    at = view.at
    if at.temples:
        return score_parts(at.congregations[seat], at.vowed[seat], at.temples[seat], view.rules.cards)["total"]
    return 0


def citizen_fact(former_place: CitizenPlace, place: CitizenPlace, after: FateView) -> GameFact:
    """Return the fact about a Citizen who has moved or received a Fate.

    The rulings are TF-4, TF-5, TF-7, TF-13 and TF-15.
    """
    seat, former_seat, citizen = place.seat, former_place.seat, place.stack[0]
    if place.area == "temple" and seat is not None:
        amount = citizen_points(place.stack, after.at.temples[seat], after.rules.cards)
        words = Sentence("{s0} keeps the {c0} for good, worth {v0}.", (seat,), (citizen,), (amount,))
        return GameFact("permanent", seat, former_seat, place.stack, amount, words)
    if place.area == "removed":
        sentence = Sentence("The {c0} leaves the city.", (), (citizen,))
        return GameFact("other", None, former_seat, place.stack, None, sentence)
    if seat is None:
        words = Sentence("The {c0} goes to the Agora.", (), (citizen,))
        if former_seat is not None:
            words = Sentence("The {c0} leaves {s0} for the Agora.", (former_seat,), (citizen,))
        return GameFact("moved", None, former_seat, (citizen,), None, words)
    if former_seat == seat:
        return GameFact("other", seat, former_seat, place.stack)
    words = Sentence("The {c0} joins {s0}.", (seat,), (citizen,))
    if former_seat is not None:
        words = Sentence("{s0} wins the {c0} over from {s1}.", (seat, former_seat), (citizen,))
    return GameFact("moved", seat, former_seat, (citizen,), None, words)


def _payment_facts(after: FateView, events: Sequence[Event]) -> Iterator[GameFact]:
    """Yield the Ace that paid for a wild Crown, and where it went (TF-18)."""
    for event in events:
        if event.kind == "wild":
            seat, ace = after.at.mover if event.seat is None else event.seat, event.cards[0]
            destination_words = "leaves the game" if ace in after.at.removed else "goes under the Deck of Fates"
            words = Sentence(f"{{s0}} pays with the {{c0}}, which {destination_words}.", (seat,), (ace,))
            yield GameFact("other", seat, cards=(ace,), sentence=words)


def _draw_facts(before: FateView, after: FateView) -> Iterator[GameFact]:
    """Yield who drew a Fate, and which one if the viewer knows it (TF-9)."""
    for seat, hand in enumerate(after.at.hands):
        old_hand = before.at.hands[seat]
        if len(hand) > len(old_hand):
            drawn_cards = tuple(card for card in hand if card != HIDDEN and card not in old_hand)
            words = "{s0} draws the {c0}." if drawn_cards else "{s0} draws a Fate."
            yield GameFact("moved", seat, cards=drawn_cards, sentence=Sentence(words, (seat,), drawn_cards))


def _end_facts(after: FateView) -> Iterator[GameFact]:
    """Yield how the game ended, without the result if the option `memory` is `closed` (TF-28)."""
    at, end = after.at, after.at.end
    if end is None:
        return
    sides = zip(at.congregations, at.vowed, at.temples, strict=True)
    scores = [score_parts(*piles, after.rules.cards) for piles in sides]
    result = ending.make_outcome(end, scores, at.temples, after.rules.options, ())
    words = result.reason
    if after.rules.has_option("memory", "closed"):
        words = replace(words, words=ending.REASONS[end.kind][0] + ".")
    yield GameFact("ends", end.seat, sentence=words)
