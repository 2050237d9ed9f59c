"""The outcome of a game of Propheta: winners, ranks and reason (VA-15 to VA-19)."""

from collections.abc import Iterator, Mapping, Sequence

from vaultkit.games.messages import Fact, Outcome, Seat, Sentence, first_ranked, rank_standings
from vaultkit.games.options import Options
from vaultkit.games.propheta import scoring
from vaultkit.games.propheta.deal import ProphetaState
from vaultkit.games.propheta.rules import ProphetaRules
from vaultkit.games.propheta.scoring import Sheet
from vaultkit.games.propheta.state import OVER, ProphetaPosition
from vaultkit.text import listing

ENDINGS = {"score": "All tricks are played", "match": "The target is reached", "deals": "All deals are played"}
"""The kinds of outcome, each with a short description."""


def outcome(state: ProphetaState) -> Outcome | None:
    """Return the result of a finished game, or None while the game goes on."""
    rules, at = state.rules, state.at
    if at.phase != OVER:
        return None
    sheets = [scoring.total_sheet(deal[seat] for deal in at.deals) for seat in range(rules.seats)]
    if rules.target:
        return result("match", sheets, by_deal(at.deals, rules.seats), rules.options, ())
    return result("score", sheets, _by_trick(rules, at), rules.options, tuple(_facts(at)))


def result(
    kind: str, sheets: Sequence[Sheet], course: Sequence[Mapping[str, int]], options: Options, facts: tuple[Fact, ...]
) -> Outcome:
    """Return the outcome of a game that ended as `kind`.

    `gains` holds each seat's points step by step, as score parts (see `gains_by_deal`).
    """
    tiebreak = str(options["tiebreak"]) if kind == "score" else ""
    standings = [scoring.standing(sheet, tiebreak) for sheet in sheets]
    ranks = rank_standings(standings)
    winners = first_ranked(ranks)
    return Outcome(
        kind=kind,
        winners=winners,
        reason=_reason(kind, sheets, winners, options),
        rulings=("VA-15", "VA-19") if kind == "match" else ("VA-15", "VA-18"),
        scores=tuple({**_parts(sheet), **steps} for sheet, steps in zip(sheets, course, strict=True)),
        ranks=ranks,
        facts=facts,
    )


def _parts(sheet: Sheet) -> dict[str, int]:
    return {**sheet._asdict(), "predictions": sheet.predictions, "total": sheet.total}


def by_deal(deals: Sequence[Sequence[Sheet]], seats: int) -> list[dict[str, int]]:
    """Return, for each seat, the points gained in each deal, as score parts such as `deal.2`."""
    return [{f"deal.{number}": deal[seat].total for number, deal in enumerate(deals, 1)} for seat in range(seats)]


def _by_trick(rules: ProphetaRules, at: ProphetaPosition) -> list[dict[str, int]]:
    """Return, for each seat, the points gained in each trick of a single deal, as score parts such as `trick.3`."""
    gains = [
        {f"trick.{number}": int(trick.winner == seat) for number, trick in enumerate(at.tricks, 1)}
        for seat in range(rules.seats)
    ]
    for seat, turned_up in enumerate(at.fulfilled):
        for prophecy in turned_up:
            gains[seat][f"trick.{prophecy.trick}"] += rules.cards.points[prophecy.card]
    return gains


def _reason(kind: str, sheets: Sequence[Sheet], winners: tuple[Seat, ...], options: Options) -> Sentence:
    best = sheets[winners[0]].total
    if kind == "match":
        words = f"{{seats}} has reached {best} points; {options['target']} were needed, and nobody has as many."
        if not scoring.is_reached([sheet.total for sheet in sheets], int(options["target"])):
            words = f"The match ended at {best} points, {{seats}} ahead; {options['target']} were needed."
        return Sentence(words, winners)
    played = "All deals are played" if kind == "deals" else "All tricks are played"
    level = sum(sheet.total == best for sheet in sheets)
    if len(winners) > 1:
        words = f"{played}, and {{seats}} are level with {best} points: they share the win."
        return Sentence(words, winners)
    if level > 1:
        most = "prophecies fulfilled" if options["tiebreak"] == "predictions" else "tricks"
        return Sentence(f"{played}; of those with {best} points, {{seats}} has the most {most}.", winners)
    return Sentence(f"{played}, and {{seats}} has the most points, {best}.", winners)


def _facts(at: ProphetaPosition) -> Iterator[Fact]:
    """Yield a fact for each seat: its prophecies in a single deal, and in which trick each was fulfilled."""
    for seat, (turned_up, in_vain) in enumerate(zip(at.fulfilled, at.predictions, strict=True)):
        fulfilments = [f"{{c{place}}} in trick {prophecy.trick}" for place, prophecy in enumerate(turned_up)]
        vain = tuple(f"{{c{len(turned_up) + place}}}" for place in range(len(in_vain)))
        true = ", ".join(fulfilments).replace(" in", " fulfilled in", 1)
        parts = [f"saw {true}"] * bool(fulfilments) + [f"laid {listing(vain)} in vain"] * bool(vain)
        cards = (*(prophecy.card for prophecy in turned_up), *in_vain)
        yield "Prediction", Sentence(f"{{s0}} {', and '.join(parts)}", (seat,), cards)
