"""How a game ended, and who has the favour of the gods (TF-22 to TF-27)."""

from collections.abc import Mapping

from vaultkit.games.turn_of_fate import scoring
from vaultkit.games.turn_of_fate.facts import FIRST_TO_MOVE
from vaultkit.games.turn_of_fate.state import FateState
from vaultkit.games.words import Outcome, Seat, Sentence

REASONS = {
    "no-fate": ("Nobody is left to introduce, and {s2} can neither play nor draw a Fate", "TF-22"),
    "stalled": ("For two turns nobody has played, drawn or introduced anything", "TF-23"),
    "nobody-left": ("Nobody is in play, and nobody is left to introduce", "TF-24"),
}
TIED = {
    "temple-count": ", level, but with more people in the Temple",
    "underdog": ", level, but as the underdog",
}


def outcome(state: FateState) -> Outcome:
    """The result of a game that is over."""
    at, rules = state.at, state.rules
    assert at.end is not None
    sheets = zip(at.congregations, at.vowed, at.temples, strict=True)
    scores = tuple(scoring.sheet(*sheet, rules.cards) for sheet in sheets)
    standings = [_standing(state, seat, scores[seat]) for seat in range(state.seats)]
    ranks = tuple(1 + sum(other > own for other in standings) for own in standings)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    _, ruling = REASONS[at.end.kind]
    return Outcome(
        kind=at.end.kind,
        winners=winners,
        reason=_reason(state, scores, winners),
        rulings=(ruling, "TF-25", "TF-27"),
        scores=scores,
        ranks=ranks,
        facts=_facts(state),
    )


def _standing(state: FateState, seat: Seat, parts: Mapping[str, int]) -> tuple[int, int]:
    """The score, then whatever breaks a tie (TF-27)."""
    rule = state.rules.options["tiebreak"]
    if rule == "temple-count":
        return parts["total"], parts["temple.count"]
    return parts["total"], int(rule == "underdog" and state.at.temples[seat] in FIRST_TO_MOVE)


def _reason(state: FateState, scores: tuple[Mapping[str, int], ...], winners: tuple[Seat, ...]) -> Sentence:
    """Why it is over, who has won, and by what score: all that one line of a log can say."""
    at = state.at
    assert at.end is not None
    best = winners[0]
    high, low = scores[best]["total"], scores[1 - best]["total"]
    why, stuck = REASONS[at.end.kind][0], at.end.seat if at.end.seat is not None else best
    if len(winners) > 1:
        won = "{s0} and {s1} share the win with {v0} each."
    else:
        tied = TIED[str(state.rules.options["tiebreak"])] if high == low else ""
        won = f"{{s0}} wins for the {{v2}} by {{v0}} to {{v1}}{tied}."
    return Sentence(f"{why}: {won}", (best, 1 - best, stuck), (), (high, low, at.temples[best]))


def _facts(state: FateState) -> tuple[tuple[str, Sentence], ...]:
    at = state.at
    both = (0, 1)
    played = sum(tally.played for tally in at.tallies)
    counts = ("{v0} with a Fate played, {v1} without", (played, at.number - played))
    facts = [
        ("Temples", Sentence("{s0} {v0}, {s1} {v1}", both, values=at.temples)),
        ("Turns", Sentence(counts[0], values=counts[1])),
        ("Moments of Truth", _each(tuple(tally.moments for tally in at.tallies))),
    ]
    wild = tuple(tally.wild for tally in at.tallies)
    if any(wild):
        seat = int(wild[1] > 0)
        facts.append(("Wild Crown", Sentence("{s0}", (seat,))))
    return tuple(facts)


def _each(numbers: tuple[int, ...]) -> Sentence:
    return Sentence("{s0} {v0}, {s1} {v1}", (0, 1), values=numbers)
