"""The outcome of a game of Propheta: winners, ranks and reason (VA-15 to VA-19)."""

from collections.abc import Iterator, Mapping, Sequence

from vaultkit.games.messages import Fact, Outcome, Seat, Sentence, first_ranked, rank_standings
from vaultkit.games.options import Options
from vaultkit.games.propheta.deal import ProphetaState
from vaultkit.games.propheta.rules import ProphetaRules, Sheet, is_reached, ranking_key, sum_sheets
from vaultkit.games.propheta.state import OVER, ProphetaPosition
from vaultkit.text import join_words

ENDINGS = {"score": "All tricks are played", "match": "The target is reached", "deals": "All deals are played"}
"""The kinds of outcome, each with a short description."""


def outcome(state: ProphetaState) -> Outcome | None:
    """Return the result of a finished game, or None while the game goes on."""
    rules, at = state.rules, state.at
    if at.phase != OVER:
        return None
    sheets = [sum_sheets(deal[seat] for deal in at.deals) for seat in range(rules.seats)]
    if rules.target:
        return make_outcome("match", sheets, gains_by_deal(at.deals, rules.seats), rules.options, ())
    return make_outcome("score", sheets, _gains_by_trick(rules, at), rules.options, tuple(_prophecy_facts(at)))


def make_outcome(
    kind: str, sheets: Sequence[Sheet], gains: Sequence[Mapping[str, int]], options: Options, facts: tuple[Fact, ...]
) -> Outcome:
    """Return the outcome of a game that ended as `kind`.

    `gains` holds each seat's points step by step, as score parts (see `gains_by_deal`).
    """
    tiebreak = str(options["tiebreak"]) if kind == "score" else ""
    standings = [ranking_key(sheet, tiebreak) for sheet in sheets]
    ranks = rank_standings(standings)
    winners = first_ranked(ranks)
    return Outcome(
        kind=kind,
        winners=winners,
        reason=_outcome_reason(kind, sheets, winners, options),
        rulings=("VA-15", "VA-19") if kind == "match" else ("VA-15", "VA-18"),
        scores=tuple({**_score_parts(sheet), **seat_gains} for sheet, seat_gains in zip(sheets, gains, strict=True)),
        ranks=ranks,
        facts=facts,
    )


def _score_parts(sheet: Sheet) -> dict[str, int]:
    return {**sheet._asdict(), "predictions": sheet.predictions, "total": sheet.total}


def gains_by_deal(deals: Sequence[Sequence[Sheet]], seats: int) -> list[dict[str, int]]:
    """Return, for each seat, the points gained in each deal, as score parts such as `deal.2`."""
    return [{f"deal.{number}": deal[seat].total for number, deal in enumerate(deals, 1)} for seat in range(seats)]


def _gains_by_trick(rules: ProphetaRules, at: ProphetaPosition) -> list[dict[str, int]]:
    """Return, for each seat, the points gained in each trick of a single deal, as score parts such as `trick.3`."""
    tricks = list(enumerate(at.tricks, 1))
    gains = [{f"trick.{number}": int(trick.winner == seat) for number, trick in tricks} for seat in range(rules.seats)]
    for seat, prophecies in enumerate(at.fulfilled):
        for prophecy in prophecies:
            gains[seat][f"trick.{prophecy.trick}"] += rules.cards.points[prophecy.card]
    return gains


def _outcome_reason(kind: str, sheets: Sequence[Sheet], winners: tuple[Seat, ...], options: Options) -> Sentence:
    best_total = sheets[winners[0]].total
    if kind == "match":
        words = f"{{seats}} has reached {best_total} points; {options['target']} were needed, and nobody has as many."
        if not is_reached([sheet.total for sheet in sheets], int(options["target"])):
            words = f"The match ended at {best_total} points, {{seats}} ahead; {options['target']} were needed."
        return Sentence(words, winners)
    end_words = "All deals are played" if kind == "deals" else "All tricks are played"
    level_count = sum(sheet.total == best_total for sheet in sheets)
    if len(winners) > 1:
        words = f"{end_words}, and {{seats}} are level with {best_total} points: they share the win."
        return Sentence(words, winners)
    if level_count > 1:
        tiebreak_words = "prophecies fulfilled" if options["tiebreak"] == "predictions" else "tricks"
        words = f"{end_words}; of those with {best_total} points, {{seats}} has the most {tiebreak_words}."
        return Sentence(words, winners)
    return Sentence(f"{end_words}, and {{seats}} has the most points, {best_total}.", winners)


def _prophecy_facts(at: ProphetaPosition) -> Iterator[Fact]:
    """Yield a fact for each seat: its prophecies in a single deal, and in which trick each was fulfilled."""
    for seat, (fulfilled, unfulfilled) in enumerate(zip(at.fulfilled, at.predictions, strict=True)):
        fulfilments = [f"{{c{index}}} in trick {prophecy.trick}" for index, prophecy in enumerate(fulfilled)]
        unfulfilled_fields = tuple(f"{{c{len(fulfilled) + index}}}" for index in range(len(unfulfilled)))
        fulfilled_words = ", ".join(fulfilments).replace(" in", " fulfilled in", 1)
        parts = [f"saw {fulfilled_words}"] * bool(fulfilments)
        parts += [f"laid {join_words(unfulfilled_fields)} in vain"] * bool(unfulfilled_fields)
        cards = (*(prophecy.card for prophecy in fulfilled), *unfulfilled)
        yield "Prediction", Sentence(f"{{s0}} {', and '.join(parts)}", (seat,), cards)
