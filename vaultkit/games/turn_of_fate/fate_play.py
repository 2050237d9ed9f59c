"""Playing a Fate on a Citizen in Turn of Fate: which moves there are, where the Citizen goes, and Moments of Truth."""

from vaultkit.games.messages import Seat
from vaultkit.games.turn import Move
from vaultkit.games.turn_of_fate.rules import MOMENT, PLAYING, WILD_CROWN, Stack, citizen_points
from vaultkit.games.turn_of_fate.state import Deeds, FateState

PLAY_LABELS = {"play": "Play the {c0} on the {c1}", "wild": "Discard the {c0} and play the {c1} on the {c2}"}
"""The labels of both ways to play a Fate, by the verb of the move: on a matching Citizen, or as the wild Crown."""

AGORA = None
"""The place of a Citizen in the Agora. The place of a Citizen in a Congregation is the seat that it belongs to."""


def fate_moves(state: FateState, seat: Seat) -> list[Move]:
    """Return the moves that play a Fate from a seat's hand on a matching Citizen (TF-12), then the wild ones (TF-18).

    A wild move discards an Ace to play the seat's wild Crown on any Citizen.
    """
    cards, hand = state.rules.cards, state.at.hands[seat]
    targets = [(stack[0], cards.matching[stack[-1]]) for stack in state.at.in_play]
    moves = [cards.play[fate][citizen] for fate in hand for citizen, fates in targets if fate in fates]
    crown = wild_crown(state, seat)
    if crown:
        wild_moves = (cards.wild_play[crown][fate] for fate in hand if fate in cards.aces)
        moves += [by_citizen[citizen] for by_citizen in wild_moves for citizen, _ in targets]
    return moves


def wild_crown(state: FateState, seat: Seat) -> str | None:
    """Return the Crown in a seat's hand that the seat may play on any Citizen by discarding an Ace, or None (TF-18)."""
    crown = state.rules.cards.wild.get(state.at.temples[seat])
    return crown if crown in state.at.hands[seat] else None


def has_play(state: FateState, seat: Seat) -> bool:
    """Return whether a seat could play a Fate from its hand, be it a wild Crown (TF-22)."""
    cards, hand, stacks = state.rules.cards, state.at.hands[seat], state.at.in_play
    for stack in stacks:
        if not cards.matching[stack[-1]].isdisjoint(hand):
            return True
    return bool(stacks) and wild_crown(state, seat) is not None and not cards.aces.isdisjoint(hand)


def find_citizen(state: FateState, citizen: str) -> tuple[Seat | None, Stack]:
    """Return the place of a Citizen in play (a seat or AGORA), and the Citizen with all Fates on them."""
    zones = ((0, state.at.congregations[0]), (1, state.at.congregations[1]), (AGORA, state.at.agora))
    return next((where, stack) for where, zone in zones for stack in zone if stack[0] == citizen)


def carry_out_play(state: FateState, seat: Seat, move: Move) -> None:
    """Carry out a seat's move `play FATE CITIZEN` or `wild ACE CROWN CITIZEN`."""
    *_, fate, citizen = move.operands
    where, stack = find_citizen(state, citizen)
    wild = move.verb == "wild"
    moment = state.rules.cards.is_moment(fate, stack[-1], where == seat)
    if wild:
        _discard_ace(state, seat, move.operands[0])
    _reveal_from_hand(state, seat, fate)
    _remove_stack(state, where, stack)
    _place_stack(state, seat, where, (*stack, fate), moment)
    _tell_play(state, seat, move, where, moment)
    deeds = state.at.deeds[seat]
    state.at.deeds[seat] = Deeds(deeds.played + 1, deeds.moments + moment, deeds.wild + wild)
    if moment:
        _tell_moment(state, seat, move, where, (*stack, fate))


def _discard_ace(state: FateState, seat: Seat, ace: str) -> None:
    """Move the Ace that pays for a wild Crown from the hand to the bottom of the deck, or out of the game (TF-18).

    Both players see it.
    """
    _reveal_from_hand(state, seat, ace)
    if state.rules.has_option("ace_discard", "removed"):
        state.at.removed = (*state.at.removed, ace)
    else:
        state.at.fates = state.at.fates.with_bottom_cards(ace)


def _reveal_from_hand(state: FateState, seat: Seat, fate: str) -> None:
    """Take a card out of a seat's hand and let the rival see it."""
    at = state.at
    at.hands[seat] = tuple([held for held in at.hands[seat] if held != fate])
    at.known[1 - seat] |= {fate}


def _remove_stack(state: FateState, where: Seat | None, stack: Stack) -> None:
    """Take a Citizen, with all Fates on them, away from their place."""
    at = state.at
    if where is AGORA:
        at.agora = tuple([other for other in at.agora if other is not stack])
    else:
        at.congregations[where] = tuple([other for other in at.congregations[where] if other is not stack])


def _place_stack(state: FateState, seat: Seat, where: Seat | None, stack: Stack, moment: bool) -> None:
    """Put a Citizen, with all Fates on them, where the Fate of a seat sends them.

    TF-13 decides, and after a Moment of Truth TF-15. `where` is the place that the Citizen comes from.
    """
    at = state.at
    if where == 1 - seat and not moment:
        at.agora = (*at.agora, stack)
    elif moment and where != 1 - seat:
        at.vowed[seat] = (*at.vowed[seat], stack)
    else:
        at.congregations[seat] = (*at.congregations[seat], stack)


def _tell_play(state: FateState, seat: Seat, move: Move, where: Seat | None, moment: bool) -> None:
    """Tell that a seat played a Fate on a Citizen, and where the Citizen goes. `where` is the place they come from."""
    words, rule = "Turn {v0}: {s0} plays the {c0} on the {c1}", PLAYING
    rulings: tuple[str, ...] = ("TF-12", "TF-13")
    if move.verb == "wild":
        words, rule = "Turn {v0}: {s0} discards the {c0} and plays the {c1} on the {c2}", WILD_CROWN
        rulings = ("TF-18",)
    if moment:
        rulings = (*rulings, "TF-14")
    words += ": a Moment of Truth." if moment else _describe_movement(seat, where)
    values, seats = (state.at.number,), (seat, 1 - seat)
    state.tell(move.verb, words, rule, rulings, seats=seats, cards=move.operands, values=values, reveals=True)


def _describe_movement(seat: Seat, where: Seat | None) -> str:
    """Return the end of a sentence that says where a Citizen goes from `where` after an ordinary Fate (TF-13)."""
    if where == seat:
        return ", who stays with {s0}."
    return ", who joins the Congregation of {s0}." if where is AGORA else ", who leaves {s1} for the Agora."


def _tell_moment(state: FateState, seat: Seat, move: Move, where: Seat | None, stack: Stack) -> None:
    """Tell the outcome of a Moment of Truth.

    The kind of the event depends on that outcome, so that a story can tell the rarer ones first. The points are told
    only for vows, since those are permanent.
    """
    (*_, fate, citizen), wild = move.operands, move.verb == "wild"
    kind, words = "vows", "{s0} takes the {c0} into the temple with"
    if where == 1 - seat:
        kind, words = "won-over", "{s0} wins the {c0} over from {s1} with"
    words += " a wild {c1}" if wild else " the {c1}"
    words += "." if where == 1 - seat else ", for {v0} points."
    rulings = ("TF-14", "TF-15", "TF-18") if wild else ("TF-14", "TF-15")
    kind = f"wild-{kind}" if wild else kind
    seats = (seat, 1 - seat)
    cards = (citizen, fate)
    values = (citizen_points(stack, state.at.temples[seat], state.rules.cards),)
    state.tell(kind, words, MOMENT, rulings, seats=seats, cards=cards, values=values, notable=True)
