"""The outcome of a game of Dragon Citadel: winners, ranks and reason (DC-5, DC-25, DC-31, DC-32)."""

from collections.abc import Mapping, Sequence

from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.forfeit import reason
from vaultkit.games.dragon_citadel.rules import CitadelRules
from vaultkit.games.dragon_citadel.state import CitadelPosition, CitadelState
from vaultkit.games.messages import Fact, Outcome, Seat, Sentence, rank_standings
from vaultkit.games.options import Options

ENDINGS = {
    "party": "The party beats the dealer",
    "dealer": "The dealer beats the party",
    "last-survivor": "One player is left",
    "score": "The deck is empty",
    "seer": "The Seer, or another joker, ends it",
}
"""The kinds of outcome, each in a few words."""
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


def outcome(state: CitadelState) -> Outcome | None:
    """Return the result of a game that is over, None before."""
    return outcome_at(state.at, state.rules)


def outcome_at(at: CitadelPosition, rules: CitadelRules) -> Outcome | None:
    """Return the result of a game that is over by its position, which hides no score then; None before."""
    if at.end is None:
        return None
    scores = [parts_of(_sheet(at, rules, seat), seat in at.active, rules.options) for seat in range(rules.seats)]
    return result(at.end.kind, scores, rules.options, rules.cards.joker, _course(at))


def result(
    kind: str, scores: Sequence[Mapping[str, int]], options: Options, joker: str, course: Sequence[Fact]
) -> Outcome:
    """Return the outcome of a game that ended as `kind`.

    `scores` holds each seat's score parts (`score_parts`), `course_facts` the facts about rounds and forfeits.
    """
    winners = _winners(kind, scores, options)
    words, rulings = REASONS[_reason(kind, options)]
    return Outcome(
        kind=kind,
        winners=winners,
        reason=Sentence(_inflect_reason(words, len(winners)), winners, (joker,)),
        rulings=rulings,
        scores=tuple(scores),
        ranks=_ranks(scores, options["mode"] == "coop"),
        facts=_facts(scores, options, course),
    )


def _inflect_reason(words: str, winners: int) -> str:
    """Return the words of a reason in the singular or plural, by the number of winners, with a field for the joker.

    If there is no winner for words that name one, return other words.
    """
    text = words.replace("The Seer", "The {c0}")
    if "{seats}" not in text or winners == 1:
        return text
    if not winners:
        return "Nobody is left to win."
    several = text.replace("has the", "share the").replace("is the last player", "are the last players")
    return several.replace("wins", "win")


def _sheet(at: CitadelPosition, rules: CitadelRules, seat: Seat) -> Mapping[str, int]:
    return scoring.sheet(at.won[seat], len(at.crowns[seat]), rules.cards)


def parts_of(sheet: Mapping[str, int], survived: bool, options: Options) -> dict[str, int]:
    """Return a seat's score parts: those of `scoring.count_parts`, its total, whether it survived, and reward rolls."""
    total = scoring.champion(sheet, options)
    return {**sheet, "total": total, "survived": int(survived), **scoring.rolls(sheet, options)}


def _reason(kind: str, options: Options) -> str:
    if kind != "seer":
        return kind
    return str(options["seer"]) if options["mode"] == "coop" else "seer-score"


def _winners(kind: str, scores: Sequence[Mapping[str, int]], options: Options) -> tuple[Seat, ...]:
    reason = _reason(kind, options)
    if reason in {"party", "party-wins"}:
        return tuple(range(len(scores)))
    if reason in {"dealer", "dealer-wins", "truce"}:
        return ()
    left = tuple(seat for seat, parts in enumerate(scores) if parts["survived"])
    if reason == "last-survivor" or not left:
        return left
    best = max(_standing(scores[seat]) for seat in left)
    return tuple(seat for seat in left if _standing(scores[seat]) == best)


def _standing(parts: Mapping[str, int]) -> tuple[int, int, int]:
    """Return the numbers by which seats are compared: total, heroes and Crowns (DC-32)."""
    return parts["total"], scoring.heroes(parts), parts["crowns.count"]


def _ranks(scores: Sequence[Mapping[str, int]], coop: bool) -> tuple[int, ...]:
    """Return the ranks of the seats: 1 is the best and equals share a rank.

    In competitive play survivors rank above the others.
    """
    standings = [(0 if coop else parts["survived"], *_standing(parts)) for parts in scores]
    return rank_standings(standings)


def _facts(scores: Sequence[Mapping[str, int]], options: Options, course: Sequence[Fact]) -> tuple[Fact, ...]:
    ranks = _ranks(scores, options["mode"] == "coop")
    best = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    champion = Sentence("{seats}, {v0}", best, (), (scores[best[0]]["total"],))
    return (("Champion", champion), *course, ("Rewards", Sentence(REWARDS[str(options["rewards"])])))


def _course(at: CitadelPosition) -> tuple[Fact, ...]:
    """Return the facts about the numbers of rounds, and about each forfeit."""
    rounds = Sentence("{v0} number, {v1} hero, {v2} Crown", values=tuple(map(at.rounds.count, ROUND_KINDS)))
    out = (
        ("Forfeit", Sentence(f"{{s0}} in round {{v0}}: {reason(cause, ability)}", (seat,), (), (number,)))
        for number, seat, cause, ability in at.forfeits
    )
    return (("Rounds", rounds), *out)
