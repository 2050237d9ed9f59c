"""What moves and zones are called, and the score tables."""

from collections.abc import Mapping

from vaultkit.games.propheta.rules import ELEMENTS, MODALITIES, SEASONS, shared
from vaultkit.games.propheta.state import ProphetaView
from vaultkit.games.turn import Move
from vaultkit.games.words import Outcome, Seat, Sentence, Table, Zone

LABELS = {
    "predict": "Lay the {c0} face down",
    "play": "Play the {c0}",
    "reveal": "Turn up the {c0}",
    "pass": "Turn up nothing",
    "draw": "{cards}",
}
TRAITS = (*ELEMENTS, *MODALITIES, *SEASONS, "scrap")
"""What the bits of `Facts.traits` stand for, from the lowest."""


def label(move: Move) -> Sentence:
    """What a move means, as an offer."""
    return Sentence(LABELS[move.verb], (), move.operands)


def table(view: ProphetaView) -> tuple[Zone, ...]:
    """The trick, one's own cards, everybody's prophecies and points, what has been played, and what each sign is."""
    zones = []
    if view.trick:
        zones += _trick(view)
    if view.tricks:
        last = view.tricks[-1]
        zones.append(Zone(Sentence("Last trick, won by {s0}", (last.winner,)), last.cards))
    zones.append(Zone(Sentence("Your hand"), view.hand, owner=view.seat))
    clockwise = [(view.seat + step) % view.seats for step in range(view.seats)]
    zones.extend(_prophecies(view, seat) for seat in clockwise if view.face_down[seat] or view.fulfilled[seat])
    zones.extend(_score(view, seat) for seat in clockwise if view.tricks or view.deals)
    if view.aside_size and view.phase != "deal":
        zones.append(Zone(Sentence("Set aside"), view.aside or (), view.aside_size - len(view.aside or ())))
    earlier = tuple(card for trick in view.tricks[:-1] for card in trick.cards)
    if earlier:
        zones.append(Zone(Sentence("Played before: {cards}", (), view.rules.cards.in_order(earlier))))
    zones.extend(Zone(Sentence(f"{what}: {{v0}}", (), (), (said,))) for what, said in view.rules.cards.signs.items())
    return tuple(zones)


def _trick(view: ProphetaView) -> list[Zone]:
    """The cards of the trick, and which conditions they may still meet (VA-11)."""
    facts = view.rules.cards
    common = shared(view.trick, facts)
    alike = ", ".join(trait for place, trait in enumerate(TRAITS) if common >> place & 1) or "nothing"
    title = Sentence("{v0} trick, led by {s0}", (view.leader,), (), (facts.element[view.trick[0]],))
    return [Zone(title, view.trick), Zone(Sentence("Common to it: {v0}", (), (), (alike,)))]


def _prophecies(view: ProphetaView, seat: Seat) -> Zone:
    """Those turned up first, then those face down that the viewer knows."""
    known = view.predictions[seat]
    cards = (*(one.card for one in view.fulfilled[seat]), *known)
    hidden = view.face_down[seat] - len(known)
    if seat != view.seat:
        return Zone(Sentence("Prophecies of {s0}", (seat,)), cards, hidden, seat)
    open_ones = len(view.fulfilled[seat])
    words = f"Your prophecies, {open_ones} turned up" if open_ones else "Your prophecies"
    return Zone(Sentence(words), cards, hidden, seat)


def _score(view: ProphetaView, seat: Seat) -> Zone:
    sheet, points = view.sheet(seat), sum(deal[seat].total for deal in view.deals)
    tricks = f"{sheet.tricks} trick{'' if sheet.tricks == 1 else 's'}"
    before = f"; {_points(points)} in earlier deals" if view.deals and not view.shown else ""
    told = f"{_points(sheet.total)}, {tricks}{before}" if not view.shown else f"{_points(points)} in all"
    return Zone(Sentence("Score of {s0}: {v0}", (seat,), (), (told,)), owner=seat)


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


SHEET = {
    "Tricks": "tricks",
    "Mutable (2)": "mutable",
    "Fixed (4)": "fixed",
    "Cardinal (6)": "cardinal",
    "Total": "total",
}
"""The columns of the score sheet, and the score parts that fill them."""


def score_tables(outcome: Outcome) -> tuple[Table, ...]:
    """The score sheet, and what was gained in which trick or deal, where that is known (VA-15)."""
    seats = tuple(range(len(outcome.scores)))
    rows = tuple(("", *(str(parts[part]) for part in SHEET.values())) for parts in outcome.scores)
    sheet = Table("Score Sheet", ("Player", *SHEET), rows, seats)
    steps = tuple(key for key in outcome.scores[0] if "." in key)
    if not steps:
        return (sheet,)
    kind = steps[0].partition(".")[0]
    course = tuple(("", *(_gain(parts, step) for step in steps)) for parts in outcome.scores)
    columns = ("Player", *(step.partition(".")[2] for step in steps))
    return sheet, Table(f"Points {kind.capitalize()} by {kind.capitalize()}", columns, course, seats)


def _gain(parts: Mapping[str, int], step: str) -> str:
    """A trick and the prophecy that it fulfilled as a sum: `1 + 6`."""
    gain = parts[step]
    if step.startswith("trick") and gain > 1 and gain % 2:
        return f"1 + {gain - 1}"
    return str(gain) if gain else "–"
