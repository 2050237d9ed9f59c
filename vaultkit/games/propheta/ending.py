"""How a game ended, and who stands where (VA-15 to VA-19)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vaultkit.games.propheta import scoring
from vaultkit.games.propheta.scoring import Sheet
from vaultkit.games.words import Outcome, Seat, Sentence, listing

if TYPE_CHECKING:
    from vaultkit.games.propheta.state import ProphetaState

Fact = tuple[str, Sentence]


def outcome(state: "ProphetaState") -> Outcome:
    """The result of a game that is over."""
    rules, seats = state.rules, range(state.seats)
    sheets = [scoring.summed(deal[seat] for deal in state.deals) for seat in seats]
    tiebreak = "" if rules.target else str(rules.options["tiebreak"])
    standings = [scoring.standing(sheet, tiebreak) for sheet in sheets]
    ranks = tuple(1 + sum(other > own for other in standings) for own in standings)
    winners = tuple(seat for seat in seats if ranks[seat] == 1)
    parts = _course(state)
    return Outcome(
        kind="match" if rules.target else "score",
        winners=winners,
        reason=_reason(state, sheets, winners, tiebreak),
        rulings=("VA-15", "VA-19") if rules.target else ("VA-15", "VA-18"),
        scores=tuple({**_parts(sheet), **parts[seat]} for seat, sheet in enumerate(sheets)),
        ranks=ranks,
        facts=tuple(_facts(state)),
    )


def _parts(sheet: Sheet) -> dict[str, int]:
    return {**sheet._asdict(), "predictions": sheet.predictions, "total": sheet.total}


def _course(state: "ProphetaState") -> list[dict[str, int]]:
    """What each seat gained in every trick of a single deal, or in every deal of a match."""
    if state.rules.target:
        return [
            {f"deal.{number}": deal[seat].total for number, deal in enumerate(state.deals, 1)}
            for seat in range(state.seats)
        ]
    gains = [
        {f"trick.{number}": int(trick.winner == seat) for number, trick in enumerate(state.tricks, 1)}
        for seat in range(state.seats)
    ]
    for seat, turned_up in enumerate(state.fulfilled):
        for one in turned_up:
            gains[seat][f"trick.{one.trick}"] += state.rules.cards.points[one.card]
    return gains


def _reason(state: "ProphetaState", sheets: list[Sheet], winners: tuple[Seat, ...], tiebreak: str) -> Sentence:
    best = sheets[winners[0]].total
    if state.rules.target:
        words = f"{{seats}} has reached {best} points; {state.rules.target} were needed, and nobody has as many."
        return Sentence(words, winners)
    level = sum(sheet.total == best for sheet in sheets)
    if len(winners) > 1:
        words = f"All tricks are played, and {{seats}} are level with {best} points: they share the win."
        return Sentence(words, winners)
    if level > 1:
        kind = "prophecies fulfilled" if tiebreak == "predictions" else "tricks"
        return Sentence(f"All tricks are played; of those with {best} points, {{seats}} has the most {kind}.", winners)
    return Sentence(f"All tricks are played, and {{seats}} has the most points, {best}.", winners)


def _facts(state: "ProphetaState") -> Iterator[Fact]:
    """Which prophecies each seat had laid, and what became of them; a match has too many to list."""
    if state.rules.target:
        return
    for seat in range(state.seats):
        turned_up, in_vain = state.fulfilled[seat], state.predictions[seat]
        seen = [f"{{c{place}}} in trick {one.trick}" for place, one in enumerate(turned_up)]
        vain = tuple(f"{{c{len(turned_up) + place}}}" for place in range(len(in_vain)))
        true = ", ".join(seen).replace(" in", " fulfilled in", 1)
        parts = [f"saw {true}"] * bool(seen) + [f"laid {listing(vain)} in vain"] * bool(vain)
        cards = (*(one.card for one in turned_up), *in_vain)
        yield "Prediction", Sentence(f"{{s0}} {', and '.join(parts)}", (seat,), cards)
