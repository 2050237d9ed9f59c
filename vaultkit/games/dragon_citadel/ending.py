"""The outcome of a game of Dragon Citadel: winners, ranks and reason (DC-5, DC-25, DC-31, DC-32)."""

from collections.abc import Mapping, Sequence

from vaultkit.games.concession import concession_outcome
from vaultkit.games.dragon_citadel.forfeit import forfeit_reason
from vaultkit.games.dragon_citadel.rules import champion_score, count_parts, hero_count, reward_parts
from vaultkit.games.dragon_citadel.state import CitadelPosition, CitadelState, CitadelView
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
ALL_ROUND_KINDS = ("number", "hero", "crown")
REWARD_WORDS = {"magic-items": "rolls on the magic item tables", "treasure": "rolls on the individual treasure tables"}


def outcome(game: CitadelState | CitadelView) -> Outcome | None:
    """Return the result of a game that is over, None before; no seat's view of its end hides a score."""
    at, rules = game.at, game.rules
    if at.end is None and not at.concessions.is_end:
        return None
    scores = []
    for seat in range(rules.seats):
        counts = count_parts(at.won[seat], len(at.crowns[seat]), rules.cards)
        scores.append(score_parts(counts, seat in at.active, rules.options))
    facts = _course_facts(at)
    if at.end is None:
        ranks = _ranks(scores, rules.coop)
        return concession_outcome(at.concessions, () if rules.coop else at.active, scores, ranks, facts)
    return make_outcome(at.end.kind, scores, rules.options, rules.cards.joker, (*facts, *at.concessions.facts))


def make_outcome(
    kind: str, scores: Sequence[Mapping[str, int]], options: Options, joker: str, course_facts: Sequence[Fact]
) -> Outcome:
    """Return the outcome of a game that ended as `kind`.

    `scores` holds each seat's score parts (`score_parts`), `course_facts` the facts about rounds and forfeits.
    """
    winners = _winners(kind, scores, options)
    words, rulings = REASONS[_reason_key(kind, options)]
    return Outcome(
        kind=kind,
        winners=winners,
        reason=Sentence(_inflect_reason(words, len(winners)), winners, (joker,)),
        rulings=rulings,
        scores=tuple(scores),
        ranks=_ranks(scores, options["mode"] == "coop"),
        facts=_facts(scores, options, course_facts),
    )


def _inflect_reason(words: str, winner_count: int) -> str:
    """Return the words of a reason in the singular or plural, by the number of winners, with a field for the joker.

    If there is no winner for words that name one, return other words.
    """
    text = words.replace("The Seer", "The {c0}")
    if "{seats}" not in text or winner_count == 1:
        return text
    if not winner_count:
        return "Nobody is left to win."
    plural_text = text.replace("has the", "share the").replace("is the last player", "are the last players")
    return plural_text.replace("wins", "win")


def score_parts(sheet: Mapping[str, int], survived: bool, options: Options) -> dict[str, int]:
    """Return a seat's score parts: `rules.count_parts`, its total, whether it survived, and reward rolls."""
    total = champion_score(sheet, options)
    return {**sheet, "total": total, "survived": int(survived), **reward_parts(sheet, options)}


def _reason_key(kind: str, options: Options) -> str:
    if kind != "seer":
        return kind
    return str(options["seer"]) if options["mode"] == "coop" else "seer-score"


def _winners(kind: str, scores: Sequence[Mapping[str, int]], options: Options) -> tuple[Seat, ...]:
    reason = _reason_key(kind, options)
    if reason in {"party", "party-wins"}:
        return tuple(range(len(scores)))
    if reason in {"dealer", "dealer-wins", "truce"}:
        return ()
    surviving_seats = tuple(seat for seat, parts in enumerate(scores) if parts["survived"])
    if reason == "last-survivor" or not surviving_seats:
        return surviving_seats
    best_key = max(_ranking_key(scores[seat]) for seat in surviving_seats)
    return tuple(seat for seat in surviving_seats if _ranking_key(scores[seat]) == best_key)


def _ranking_key(parts: Mapping[str, int]) -> tuple[int, int, int]:
    """Return the numbers by which seats are compared: total, heroes and Crowns (DC-32)."""
    return parts["total"], hero_count(parts), parts["crowns.count"]


def _ranks(scores: Sequence[Mapping[str, int]], is_coop: bool) -> tuple[int, ...]:
    """Return the ranks of the seats: 1 is the best and equals share a rank.

    In competitive play survivors rank above the others.
    """
    standings = [(0 if is_coop else parts["survived"], *_ranking_key(parts)) for parts in scores]
    return rank_standings(standings)


def _facts(scores: Sequence[Mapping[str, int]], options: Options, course_facts: Sequence[Fact]) -> tuple[Fact, ...]:
    ranks = _ranks(scores, options["mode"] == "coop")
    champion_seats = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    champion = Sentence("{seats}, {v0}", champion_seats, (), (scores[champion_seats[0]]["total"],))
    return (("Champion", champion), *course_facts, ("Rewards", Sentence(REWARD_WORDS[str(options["rewards"])])))


def _course_facts(at: CitadelPosition) -> tuple[Fact, ...]:
    """Return the facts about the numbers of rounds, and about each forfeit."""
    counts = tuple(map(at.rounds.count, ALL_ROUND_KINDS))
    rounds_sentence = Sentence("{v0} number, {v1} hero, {v2} Crown", values=counts)
    forfeit_facts = (
        ("Forfeit", Sentence(f"{{s0}} in round {{v0}}: {forfeit_reason(cause, ability)}", (seat,), (), (round_number,)))
        for round_number, seat, cause, ability in at.forfeits
    )
    return (("Rounds", rounds_sentence), *forfeit_facts)
