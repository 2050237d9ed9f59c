"""What moves and zones are called, and the score sheet."""

from collections.abc import Mapping

from vaultkit.games.turn import Move
from vaultkit.games.turn_of_fate import facts
from vaultkit.games.turn_of_fate.facts import Stack
from vaultkit.games.turn_of_fate.state import FateView
from vaultkit.games.words import Outcome, Seat, Sentence, Table, Zone

LABELS = {
    "play": "Play the {c0} on the {c1}",
    "wild": "Discard the {c0} and play the {c1} on the {c2}",
    "pass": "Hold back",
    "introduce": "Introduce a Citizen",
    "draw": "{cards}",
}


def label(move: Move) -> Sentence:
    """What a move means, as an offer."""
    if move.verb == "temple":
        return Sentence("Lead the temple of the {v0}", values=move.operands)
    return Sentence(LABELS[move.verb], (), move.operands)


def table(view: FateView) -> tuple[Zone, ...]:
    """The own hand, then each Citizen in play with what befell them, the Temples, and the decks."""
    zones = [_own_hand(view), _hand_of_rival(view)]
    for owner in (view.seat, view.rival):
        zones += [_citizen(view, stack, owner) for stack in view.congregations[owner]]
    zones += [_citizen(view, stack, None) for stack in view.agora]
    zones += [_temple(view, owner) for owner in (view.seat, view.rival) if view.vowed[owner]]
    zones.append(Zone(Sentence("Citizen Deck"), hidden=view.citizens_unknown + len(view.citizens_under)))
    zones.append(Zone(Sentence("Deck of Fates"), hidden=view.fates_unknown + len(view.under)))
    if view.removed:
        zones.append(Zone(Sentence("Out of the game"), view.removed))
    return tuple(zones)


def _in_order(view: FateView, cards: tuple[str, ...]) -> tuple[str, ...]:
    """From low to high, as people hold them."""
    return tuple(sorted(cards, key=lambda card: (view.rules.cards.value[card], card)))


def _own_hand(view: FateView) -> Zone:
    title = Sentence("Your hand" + _led(view), values=view.temples[view.seat :][:1])
    return Zone(title, _in_order(view, view.hand), owner=view.seat)


def _hand_of_rival(view: FateView) -> Zone:
    known = _in_order(view, view.hands[view.rival])
    title = Sentence("Hand of {s0}" + _led(view), (view.rival,), values=view.temples[view.rival :][:1])
    return Zone(title, known, view.hand_sizes[view.rival] - len(known), view.rival)


def _led(view: FateView) -> str:
    """Which temple it is, since all that a card can do depends on it; nothing before the temples are settled."""
    return " ({v0})" if view.temples else ""


def _citizen(view: FateView, stack: Stack, owner: Seat | None) -> Zone:
    """One Citizen, the latest Fate last, since that is what the next one must match; and what they are worth."""
    if owner is None:
        return Zone(Sentence("Agora"), stack)
    points = facts.worth(stack, view.temples[owner], view.rules.cards)
    return Zone(Sentence("Congregation of {s0}, {v0} points", (owner,), values=(points,)), stack, owner=owner)


def _temple(view: FateView, owner: Seat) -> Zone:
    """What was seen to go in may be looked up, unless the option `memory` leaves that to the players (TF-28)."""
    stacks = view.vowed[owner]
    if view.rules.says("memory", "closed"):
        return Zone(Sentence("Temple of {s0}", (owner,)), hidden=sum(map(len, stacks)), owner=owner)
    points = sum(facts.worth(stack, view.temples[owner], view.rules.cards) for stack in stacks)
    cards = tuple(card for stack in stacks for card in stack)
    return Zone(Sentence("Temple of {s0}, {v0} points", (owner,), values=(points,)), cards, owner=owner)


def score_tables(outcome: Outcome) -> tuple[Table, ...]:
    """Points by where they lie: Citizens at face value, those doubled, and Fates (TF-25)."""
    rows = tuple(_row(parts) for parts in outcome.scores)
    return (
        Table("Score Sheet", ("Player", "Congregation", "Temple", "Total"), rows, tuple(range(len(outcome.scores)))),
    )


def _row(parts: Mapping[str, int]) -> tuple[str, ...]:
    return ("", _zone("congregation", parts), _zone("temple", parts), str(parts["total"]))


def _zone(name: str, parts: Mapping[str, int]) -> str:
    """`8 + 12 doubled + 50 Fates`, what is nothing left out."""
    doubled, fates = parts[f"{name}.doubled"], parts[f"{name}.fates"]
    more = f"{f' + {doubled} doubled' if doubled else ''}{f' + {fates} Fates' if fates else ''}"
    return f"{parts[f'{name}.citizens']}{more}"
