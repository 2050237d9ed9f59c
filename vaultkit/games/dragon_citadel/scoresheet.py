"""The score sheet of Dragon Citadel: numbers and heroes of each suit, Crowns, and who forfeited."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vaultkit.games.dragon_citadel import rules
from vaultkit.games.dragon_citadel.ending import ENDINGS, make_outcome, score_parts
from vaultkit.games.messages import Outcome, Score, Seat, Sentence
from vaultkit.games.question import Question
from vaultkit.games.scoresheet import Doubts, ScoreSheet, Tally, doubt, has_or_have
from vaultkit.games.shares import find_conflict, group_subsets
from vaultkit.text import group, join_words


class ModeEndings(NamedTuple):
    """The ways in which a game can end in one mode.

    `with_deck` is the kind of outcome after an empty deck, and `by_forfeits` that after so many forfeits that only
    `left` seats are left, for which `rule` gives the rule in words.
    """

    with_deck: str
    by_forfeits: str
    left: int
    rule: str


MODE_ENDINGS = {
    "coop": ModeEndings("party", "dealer", 0, "The dealer wins once every player has forfeited"),
    "competitive": ModeEndings("score", "last-survivor", 1, "The last player wins once all others have forfeited"),
}
"""How a game ends in each mode (DC-5, DC-31)."""
SUIT_NUMBERS = range(1, 10)
_SETS_BY_SUM: Mapping[int, Sequence[frozenset[int]]] = group_subsets(SUIT_NUMBERS, sum)
"""All 512 sets of the numbers 1 to 9, by their sums."""
MAX_SUIT_TOTAL = sum(SUIT_NUMBERS)
"""The sum of a suit's numbers, 45, which no total can exceed (DC-33)."""


class CitadelSheet(ScoreSheet):
    """The score sheet of Dragon Citadel (DC-32 to DC-35)."""

    def closing_questions(self, tally: Tally) -> tuple[Question, ...]:
        """Return the question how the game ended; it has no default if an end by the Seer has other winners (DC-25)."""
        likely_kind, rulings = _guess_outcome(tally), ("DC-5", "DC-25", "DC-31")
        mode_endings = MODE_ENDINGS[str(tally.options["mode"])]
        kinds = (likely_kind, mode_endings.with_deck, mode_endings.by_forfeits, "seer")
        choices = {kind: ENDINGS[kind] for kind in kinds}
        same_winners = tally.options["mode"] == "competitive" or tally.options["seer"] == "party-wins"
        default = likely_kind if same_winners or likely_kind == mode_endings.by_forfeits else None
        return (Question("outcome", "How did it end?", choices=choices, default=default, rulings=rulings),)

    def find_rule_doubts(self, tally: Tally) -> Doubts:
        """Yield the doubts about the numbers of each suit, then the doubts about the end."""
        for suit in rules.SUITS:
            yield from _suit_doubts(tally, suit)
        yield from _ending_doubts(tally)

    def miscounts(self, tally: Tally) -> Doubts:
        """Return the doubts about sums, but not about the score if it is more than the sum of the totals.

        The sheet has room only for that sum (DC-32).
        """
        is_plain_sum = tally.options["champion"] == "sum"
        doubts = super().miscounts(tally)
        return (each_doubt for each_doubt in doubts if is_plain_sum or "DC-32" not in each_doubt.rulings)

    def outcome(self, tally: Tally) -> Outcome:
        """Return the outcome, without the numbers of rounds and the causes of forfeits, which are not on paper."""
        remaining_seats = _remaining_seats(tally)
        sheets = [{key: seat.number(key) for key in rules.COUNTED_PARTS} for seat in tally.seats]
        scores = [score_parts(sheet, seat in remaining_seats, tally.options) for seat, sheet in enumerate(sheets)]
        seats_out = [seat for seat in range(len(scores)) if seat not in remaining_seats]
        forfeit_facts = [("Forfeit", Sentence("{s0} forfeited", (seat,))) for seat in seats_out]
        joker = str(tally.options["joker"]).lower().replace(" ", "-")
        return make_outcome(_outcome_kind(tally), scores, tally.options, joker, forfeit_facts)

    def cards(self, tally: Tally) -> Sequence[str]:
        """Return the ids of the heroes that were won; the sheets name no other cards."""
        return tuple(f"master-{suit}" for suit in rules.SUITS if _amounts_by_seat(tally, f"{suit}.heroes"))


def _remaining_seats(tally: Tally) -> tuple[Seat, ...]:
    """Return the seats that have not forfeited."""
    return tuple(seat for seat, seat_tally in enumerate(tally.seats) if seat_tally.answers.get("forfeited") != "yes")


def _outcome_kind(tally: Tally) -> str:
    """Return the kind of outcome that people wrote down, or else the one that the forfeits imply."""
    answer = tally.common.get("outcome")
    return answer if isinstance(answer, str) and answer in ENDINGS else _guess_outcome(tally)


def _guess_outcome(tally: Tally) -> str:
    """Return the kind of outcome that the forfeits imply."""
    mode_endings = MODE_ENDINGS[str(tally.options["mode"])]
    return mode_endings.by_forfeits if len(_remaining_seats(tally)) == mode_endings.left else mode_endings.with_deck


def possible_sets(total: int, numbers: Sequence[Score] = ()) -> Sequence[frozenset[Score]]:
    """Return the possible sets of numbers behind a total: that of `numbers` if they add up to it, else all sets."""
    return [frozenset(numbers)] if numbers and sum(numbers) == total else _SETS_BY_SUM.get(total, ())


def _amounts_by_seat(tally: Tally, key: str) -> Mapping[Seat, int]:
    """Return, by seat, the answers to `key` that are more than 0."""
    return {seat: number for seat, seat_tally in enumerate(tally.seats) if (number := seat_tally.number(key)) > 0}


def _suit_doubts(tally: Tally, suit: str) -> Doubts:
    """Yield the doubts about a suit: wrong numbers, and totals that its numbers cannot make, alone or together."""
    name, key, limit_words = suit.capitalize(), f"{suit}.total", f"the numbers 1 to 9 make {MAX_SUIT_TOTAL} in all"
    wrong_number_doubts, totals_by_seat = list(_wrong_number_doubts(tally, suit)), _amounts_by_seat(tally, key)
    yield from wrong_number_doubts
    for seat in (seats_over_maximum := [seat for seat, total in totals_by_seat.items() if total > MAX_SUIT_TOTAL]):
        yield doubt("DC-33", f"{{s0}} has {totals_by_seat[seat]} in {name}, and {limit_words}.", seat)
    wrong_seats = (seat for wrong in wrong_number_doubts for seat in wrong.sentence.seats)
    doubted_seats = {*seats_over_maximum, *wrong_seats}
    totals = {seat: total for seat, total in totals_by_seat.items() if seat not in doubted_seats}
    sets_by_seat = {seat: possible_sets(totals[seat], tally.seats[seat].summands.get(key, ())) for seat in totals}
    if (combined_total := sum(totals.values())) > MAX_SUIT_TOTAL:
        yield doubt("DC-33", f"{{seats}} together have {combined_total} in {name}, and {limit_words}.", *totals)
    elif seats := find_conflict(sets_by_seat):
        numbers = join_words(str(totals[seat]) for seat in seats)
        why = "whatever numbers make these totals, one card would be won twice"
        yield doubt("DC-33", f"{{seats}} cannot have {numbers} in {name}: {why}.", *seats)


def _wrong_number_doubts(tally: Tally, suit: str) -> Doubts:
    """Yield the doubts about numbers in the written sums of a suit: the ones that do not exist or were won twice."""
    name, seats = suit.capitalize(), enumerate(tally.seats)
    owners_by_number = group(
        (number, seat) for seat, sheet in seats for number in sheet.summands.get(f"{suit}.total", ())
    )
    for number, owners in sorted(owners_by_number.items()):
        distinct_owners = tuple(dict.fromkeys(owners))
        if number not in SUIT_NUMBERS:
            words = f"{{seats}} {has_or_have(distinct_owners)} a {number} of {name}, and its numbers are 1 to 9."
            yield doubt("DC-1", words, *distinct_owners)
        elif len(owners) > 1:
            subject = "{seats} together have" if len(distinct_owners) > 1 else "{s0} has"
            words = f"{subject} the {number} of {name} {len(owners)} times, and there is one."
            yield doubt("DC-33", words, *distinct_owners)


def _ending_doubts(tally: Tally) -> Doubts:
    """Yield a doubt about an end that the mode or the forfeits contradict, or about a sheet that is not filled in."""
    remaining_seats, kind, mode = _remaining_seats(tally), _outcome_kind(tally), str(tally.options["mode"])
    mode_endings = MODE_ENDINGS[mode]
    has_scores = any(_amounts_by_seat(tally, key) for key in rules.COUNTED_PARTS)
    left = mode_endings.left
    is_by_forfeits, count = kind == mode_endings.by_forfeits, len(remaining_seats)
    is_contradicted = count != left if is_by_forfeits else count <= left
    if kind not in (mode_endings.with_deck, mode_endings.by_forfeits, "seer"):
        mode_words = "co-operative" if mode == "coop" else mode
        yield doubt("DC-5 DC-31", f"The game cannot end in {mode_words} play with: {ENDINGS[kind].lower()}.")
    elif is_contradicted:
        who = f"{{seats}} {'are' if len(remaining_seats) > 1 else 'is'} left" if remaining_seats else "nobody is left"
        words = f"{mode_endings.rule}, and {who}, so it did not end with: {ENDINGS[kind].lower()}."
        yield doubt("DC-5" if mode == "coop" else "DC-31", words, *remaining_seats)
    elif kind == mode_endings.with_deck and len(remaining_seats) == len(tally.seats) and not has_scores:
        words = "Nobody has won a card and nobody has forfeited, in a whole game: have the scores been filled in?"
        yield doubt("DC-5", words)
