"""How a game ended, and who stands where (DC-5, DC-25, DC-31, DC-32)."""

from collections.abc import Mapping, Sequence

from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.state import CitadelState
from vaultkit.games.words import Outcome, Seat, Sentence

REASONS = {
    "party": ("The deck is empty and the party is still at the table: the dealer is beaten.", ("DC-5",)),
    "dealer": ("Every player has forfeited: the dealer wins.", ("DC-5",)),
    "last-survivor": ("{seats} is the last player left and wins.", ("DC-31",)),
    "score": ("The deck is empty; of those left, {seats} has the highest score.", ("DC-31", "DC-32")),
    "truce": ("The Seer ended the game, and nobody has won.", ("DC-25",)),
    "party-wins": ("The Seer ended the game, and the party wins by it.", ("DC-25",)),
    "dealer-wins": ("The Seer ended the game, and the dealer wins by it.", ("DC-25",)),
    "seer-score": ("The Seer ended the game; of those left, {seats} has the highest score.", ("DC-25", "DC-32")),
}
ROUND_KINDS = ("number", "hero", "crown")
REWARDS = {"magic-items": "rolls on the magic item tables", "treasure": "rolls on the individual treasure tables"}
FORFEITS = {
    "thrown": "for throwing the lowest card",
    "shown": "for showing the lowest card",
    "hero": "without an answer to a hero",
    "crown": "unable to pay for a Crown",
}


def outcome(state: CitadelState) -> Outcome:
    """The result of a game that is over."""
    at, rules = state.at, state.rules
    assert at.end is not None
    scores = [_parts(state, seat) for seat in range(state.seats)]
    winners = _winners(state, scores)
    words, rulings = REASONS[_reason(state)]
    joker = rules.cards.joker
    shown = words.replace("The Seer", "The {c0}")
    shared = shown.replace("has the", "share the").replace("wins", "win") if len(winners) > 1 else shown
    return Outcome(
        kind=at.end.kind,
        winners=winners,
        reason=Sentence(shared if "{seats}" in shown else shown, winners, (joker,)),
        rulings=rulings,
        scores=tuple(scores),
        ranks=_ranks(scores, rules.coop),
        facts=_facts(state, scores),
    )


def _parts(state: CitadelState, seat: Seat) -> dict[str, int]:
    at, facts = state.at, state.rules.cards
    parts = scoring.sheet(at.won[seat], len(at.crowns[seat]), facts)
    rolls = scoring.rolls(parts, state.rules.options)
    return {
        **parts,
        "total": scoring.champion(parts, state.rules.options),
        "survived": int(seat in at.active),
        **rolls,
    }


def _reason(state: CitadelState) -> str:
    assert state.at.end is not None
    kind = state.at.end.kind
    if kind != "seer":
        return kind
    return str(state.rules.options["seer"]) if state.rules.coop else "seer-score"


def _winners(state: CitadelState, scores: Sequence[Mapping[str, int]]) -> tuple[Seat, ...]:
    everybody = tuple(range(state.seats))
    reason = _reason(state)
    if reason in {"party", "party-wins"}:
        return everybody
    if reason in {"dealer", "dealer-wins", "truce"}:
        return ()
    if reason == "last-survivor":
        return state.at.active
    best = max(_standing(scores[seat]) for seat in state.at.active)
    return tuple(seat for seat in state.at.active if _standing(scores[seat]) == best)


def _standing(parts: Mapping[str, int]) -> tuple[int, int, int]:
    """Champion value, then heroes, then Crowns (DC-32)."""
    return parts["total"], scoring.heroes(parts), parts["crowns.count"]


def _ranks(scores: Sequence[Mapping[str, int]], coop: bool) -> tuple[int, ...]:
    """1 is the best and equals share a rank; in competitive play whoever survived stands above the others."""
    standings = [(0 if coop else parts["survived"], *_standing(parts)) for parts in scores]
    return tuple(1 + sum(other > own for other in standings) for own in standings)


def _facts(state: CitadelState, scores: Sequence[Mapping[str, int]]) -> tuple[tuple[str, Sentence], ...]:
    at, coop = state.at, state.rules.coop
    best = tuple(seat for seat, rank in enumerate(_ranks(scores, coop)) if rank == 1)
    champion = Sentence("{seats}, {v0}", best, (), (scores[best[0]]["total"],))
    rounds = Sentence("{v0} number, {v1} hero, {v2} Crown", values=tuple(map(at.rounds.count, ROUND_KINDS)))
    rewards = Sentence(REWARDS[str(state.rules.options["rewards"])])
    out = (
        ("Forfeit", Sentence(f"{{s0}} in round {{v0}}: {FORFEITS[cause]}", (seat,), (), (number,)))
        for number, seat, cause in at.forfeits
    )
    return (("Champion", champion), ("Rounds", rounds), *out, ("Rewards", rewards))
