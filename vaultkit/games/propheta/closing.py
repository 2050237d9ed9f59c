"""The end of a deal: what was hidden is shown, points are counted, and a match goes on or ends (VA-16 to VA-19)."""

from typing import TYPE_CHECKING

from vaultkit.games.propheta import scoring, told
from vaultkit.games.propheta.phase import DEAL, OVER, Told
from vaultkit.games.words import Seat

if TYPE_CHECKING:
    from vaultkit.games.propheta.state import ProphetaState


def close(state: "ProphetaState") -> Told:
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


def _next_first(state: "ProphetaState", points: tuple[int, ...]) -> Seat:
    """VA-19: the first lead moves on to the left; G-2: or goes to the deal's winner, the nearest of equals."""
    assert state.first is not None
    order = [(state.first + 1 + step) % state.seats for step in range(state.seats)]
    if state.rules.options["first"] == "winner-of-last":
        return max(order, key=points.__getitem__)
    return order[0]
