"""The outcome of a game of Propheta: winners, ranks and reason (VA-15 to VA-19)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from vaultkit.games.concession import concession_outcome, rank_conceded_last
from vaultkit.games.messages import Fact, Outcome, Seat, Sentence, first_ranked
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
    concessions, seats = at.concessions, range(rules.seats)
    if concessions.is_end and not at.shown:
        at = replace(at, deals=(*at.deals, tuple(at.sheet(seat, rules.cards) for seat in seats)))
    sheets = [sum_sheets(deal[seat] for deal in at.deals) for seat in seats]
    gains = gains_by_deal(at.deals, rules.seats) if rules.target else _gains_by_trick(rules, at)
    if concessions.is_end:
        ranks = rank_conceded_last([sheet.total for sheet in sheets], concessions.seats)
        return concession_outcome(concessions, state.playing, _all_score_parts(sheets, gains), ranks)
    facts = concessions.facts if rules.target else (*_prophecy_facts(at), *concessions.facts)
    return make_outcome(
        "match" if rules.target else "score", sheets, gains, rules.options, facts, conceded_seats=concessions.seats
    )


def make_outcome(
    kind: str,
    sheets: Sequence[Sheet],
    gains: Sequence[Mapping[str, int]],
    options: Options,
    facts: tuple[Fact, ...],
    *,
    conceded_seats: Collection[Seat] = (),
) -> Outcome:
    """Return the outcome of a game that ended as `kind`.

    `gains` holds each seat's points step by step, as score parts (see `gains_by_deal`).
    """
    tiebreak = str(options["tiebreak"]) if kind == "score" else ""
    ranks = rank_conceded_last([ranking_key(sheet, tiebreak) for sheet in sheets], conceded_seats)
    winners = first_ranked(ranks)
    rivals = [sheet for seat, sheet in enumerate(sheets) if seat not in conceded_seats]
    return Outcome(
        kind=kind,
        winners=winners,
        reason=_outcome_reason(kind, rivals, sheets[winners[0]].total, winners, options),
        rulings=("VA-15", "VA-19") if kind == "match" else ("VA-15", "VA-18"),
        scores=_all_score_parts(sheets, gains),
        ranks=ranks,
        facts=facts,
    )


def _all_score_parts(sheets: Sequence[Sheet], gains: Sequence[Mapping[str, int]]) -> tuple[Mapping[str, int], ...]:
    return tuple(
        {**sheet._asdict(), "predictions": sheet.predictions, "total": sheet.total, **seat_gains}
        for sheet, seat_gains in zip(sheets, gains, strict=True)
    )


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


def _outcome_reason(
    kind: str, sheets: Sequence[Sheet], best_total: int, winners: tuple[Seat, ...], options: Options
) -> Sentence:
    """Return the reason why the winners have won; no sheet is of a seat that has conceded."""
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
        if cards:  # who has conceded may have laid none
            yield "Prediction", Sentence(f"{{s0}} {', and '.join(parts)}", (seat,), cards)
