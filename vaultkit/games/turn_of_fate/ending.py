"""The outcome of a game of Turn of Fate: winners, ranks and reason (TF-22 to TF-27)."""

from collections.abc import Mapping, Sequence

from vaultkit.games.concession import concession_outcome, rank_conceded_last
from vaultkit.games.messages import Fact, Outcome, Seat, Sentence, first_ranked, rank_standings
from vaultkit.games.options import Options
from vaultkit.games.task_stack import GameEnd
from vaultkit.games.turn_of_fate.rules import FIRST_TO_MOVE, score_parts
from vaultkit.games.turn_of_fate.state import FateState

ENDINGS = {
    "no-fate": "No Fate to play or to draw",
    "stalled": "Two idle turns",
    "nobody-left": "Nobody is left in play",
}
"""The kinds of outcome, each with a short description."""

REASONS = {
    "no-fate": ("Nobody is left to introduce, and {s2} can play no Fate and draw no other", "TF-22"),
    "stalled": ("For two turns nobody has played, drawn or introduced anything", "TF-23"),
    "nobody-left": ("Nobody is in play, and nobody is left to introduce", "TF-24"),
}
TIEBREAK_WORDS = {
    "temple-count": ", level, but with more people in the Temple",
    "underdog": ", level, but as the underdog",
}


def outcome(state: FateState) -> Outcome | None:
    """Return the result of a finished game, or None while the game goes on."""
    at, rules = state.at, state.rules
    if at.end is None and not at.concessions.is_end:
        return None
    piles_by_seat = zip(at.congregations, at.vowed, at.temples or ("", ""), strict=True)
    scores = tuple(score_parts(*piles, rules.cards) for piles in piles_by_seat)
    if at.end is None:
        ranks = rank_conceded_last((0, 0), at.concessions.seats)
        facts = _facts(state) if at.temples else ()
        return concession_outcome(at.concessions, state.playing, scores, ranks, facts)
    return make_outcome(at.end, scores, at.temples, rules.options, _facts(state))


def make_outcome(
    end: GameEnd, scores: Sequence[Mapping[str, int]], temples: Sequence[str], options: Options, facts: tuple[Fact, ...]
) -> Outcome:
    """Return the outcome of a game that ended with `end`.

    `scores` holds each seat's score parts (`rules.score_parts`), `temples` the suit of each seat's temple.
    """
    standings = [_ranking_key(parts, temple, options) for parts, temple in zip(scores, temples, strict=True)]
    ranks = rank_standings(standings)
    winners = first_ranked(ranks)
    _, ruling = REASONS[end.kind]
    return Outcome(
        kind=end.kind,
        winners=winners,
        reason=_outcome_reason(end, scores, winners, temples, options),
        rulings=(ruling, "TF-25", "TF-27"),
        scores=tuple(scores),
        ranks=ranks,
        facts=facts,
    )


def _ranking_key(parts: Mapping[str, int], temple: str, options: Options) -> tuple[int, int]:
    """Return the key by which a seat is ranked: its score, then a tie-break by the option `tiebreak` (TF-27)."""
    rule = options["tiebreak"]
    if rule == "temple-count":
        return parts["total"], parts["temple.count"]
    return parts["total"], int(rule == "underdog" and temple in FIRST_TO_MOVE)


def _outcome_reason(
    end: GameEnd,
    scores: Sequence[Mapping[str, int]],
    winners: tuple[Seat, ...],
    temples: Sequence[str],
    options: Options,
) -> Sentence:
    """Return a sentence that says why the game is over, who won, and by what scores."""
    winning_seat = winners[0]
    other_seat = next((seat for seat in range(len(scores)) if seat != winning_seat), winning_seat)
    winning_score, other_score = scores[winning_seat]["total"], scores[other_seat]["total"]
    end_words, stuck_seat = REASONS[end.kind][0], winning_seat if end.seat is None else end.seat
    if end.seat is None:
        end_words = end_words.replace("{s2}", "somebody")
    if len(winners) > 1:
        result_words = "{s0} and {s1} share the win with {v0} each."
    else:
        tiebreak_words = TIEBREAK_WORDS.get(str(options["tiebreak"]), "") if winning_score == other_score else ""
        result_words = f"{{s0}} wins for the {{v2}} by {{v0}} to {{v1}}{tiebreak_words}."
    seats = (winning_seat, other_seat, stuck_seat)
    values = (winning_score, other_score, temples[winning_seat])
    return Sentence(f"{end_words}: {result_words}", seats, (), values)


def _facts(state: FateState) -> tuple[Fact, ...]:
    at = state.at
    played_count = sum(deeds.played for deeds in at.deeds)
    turns = Sentence("{v0} with a Fate played, {v1} without", values=(played_count, at.number - played_count))
    facts = [temples_fact(at.temples), ("Turns", turns)]
    facts.append(("Moments of Truth", _per_seat_sentence(tuple(deeds.moments for deeds in at.deeds))))
    facts += [("Wild Crown", Sentence("{s0}", (seat,))) for seat, deeds in enumerate(at.deeds) if deeds.wild][-1:]
    return tuple(facts)


def temples_fact(temples: tuple[str, ...]) -> Fact:
    """Return the fact, for an outcome, that says which seat served which temple."""
    return "Temples", _per_seat_sentence(temples)


def _per_seat_sentence(values: tuple[str | int, ...]) -> Sentence:
    return Sentence("{s0} {v0}, {s1} {v1}", (0, 1), values=values)
