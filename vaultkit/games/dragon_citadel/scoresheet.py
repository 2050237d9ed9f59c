"""The score sheet of Dragon Citadel: numbers and heroes of each suit, Crowns, and who forfeited."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.ending import ENDINGS, parts_of, result
from vaultkit.games.messages import Outcome, Score, Seat, Sentence
from vaultkit.games.question import Question
from vaultkit.games.scoresheet import Doubts, ScoreSheet, Tally, conflict, doubt, have, sets_by
from vaultkit.text import group, listing


class Ends(NamedTuple):
    """The ways in which a game can end in one mode.

    `with_deck` is the kind of outcome after an empty deck, and `by_forfeits` that after so many forfeits that only
    `left` seats are left, for which `rule` gives the rule in words.
    """

    with_deck: str
    by_forfeits: str
    left: int
    rule: str


ENDS = {
    "coop": Ends("party", "dealer", 0, "The dealer wins once every player has forfeited"),
    "competitive": Ends("score", "last-survivor", 1, "The last player wins once all others have forfeited"),
}
"""How a game ends in each mode (DC-5, DC-31)."""
NUMBERS = range(1, 10)
_SETS: Mapping[int, Sequence[frozenset[int]]] = sets_by(NUMBERS, sum)
"""All 512 sets of the numbers 1 to 9, by their sums."""
MAX_SUIT_TOTAL = sum(NUMBERS)
"""The sum of a suit's numbers, 45, which no total can exceed (DC-33)."""


class CitadelSheet(ScoreSheet):
    """The score sheet of Dragon Citadel (DC-32 to DC-35)."""

    def closing_questions(self, tally: Tally) -> tuple[Question, ...]:
        """Return the question how the game ended; it has no default if an end by the Seer has other winners (DC-25)."""
        likely, rulings = _guess_outcome(tally), ("DC-5", "DC-25", "DC-31")
        ends = ENDS[str(tally.options["mode"])]
        choices = {kind: ENDINGS[kind] for kind in (likely, ends.with_deck, ends.by_forfeits, "seer")}
        same_winners = tally.options["mode"] == "competitive" or tally.options["seer"] == "party-wins"
        default = likely if same_winners or likely == ends.by_forfeits else None
        return (Question("outcome", "How did it end?", choices=choices, default=default, rulings=rulings),)

    def find_rule_doubts(self, tally: Tally) -> Doubts:
        """Yield the doubts about the numbers of each suit, then the doubts about the end."""
        for suit in scoring.SUITS:
            yield from _numbers(tally, suit)
        yield from _ending(tally)

    def miscounts(self, tally: Tally) -> Doubts:
        """Return the doubts about sums, but not about the score if it is more than the sum of the totals.

        The sheet has room only for that sum (DC-32).
        """
        summed = tally.options["champion"] == "sum"
        return (each_doubt for each_doubt in super().miscounts(tally) if summed or "DC-32" not in each_doubt.rulings)

    def outcome(self, tally: Tally) -> Outcome:
        """Return the outcome, without the numbers of rounds and the causes of forfeits, which are not on paper."""
        still = _remaining_seats(tally)
        sheets = [{key: seat.number(key) for key in scoring.PARTS} for seat in tally.seats]
        scores = [parts_of(sheet, seat in still, tally.options) for seat, sheet in enumerate(sheets)]
        out = [("Forfeit", Sentence("{s0} forfeited", (seat,))) for seat in range(len(scores)) if seat not in still]
        joker = str(tally.options["joker"]).lower().replace(" ", "-")
        return result(_outcome_kind(tally), scores, tally.options, joker, out)

    def cards(self, tally: Tally) -> Sequence[str]:
        """Return the ids of the heroes that were won; the sheets name no other cards."""
        return tuple(f"master-{suit}" for suit in scoring.SUITS if _amounts_by_seat(tally, f"{suit}.heroes"))


def _remaining_seats(tally: Tally) -> tuple[Seat, ...]:
    """Return the seats that have not forfeited."""
    return tuple(seat for seat, seat_tally in enumerate(tally.seats) if seat_tally.answers.get("forfeited") != "yes")


def _outcome_kind(tally: Tally) -> str:
    """Return the kind of outcome that people wrote down, or else the one that the forfeits imply."""
    answer = tally.common.get("outcome")
    return answer if isinstance(answer, str) and answer in ENDINGS else _guess_outcome(tally)


def _guess_outcome(tally: Tally) -> str:
    """Return the kind of outcome that the forfeits imply."""
    ends = ENDS[str(tally.options["mode"])]
    return ends.by_forfeits if len(_remaining_seats(tally)) == ends.left else ends.with_deck


def sets_of(total: int, numbers: Sequence[Score] = ()) -> Sequence[frozenset[Score]]:
    """Return the possible sets of numbers behind a total: that of `numbers` if they add up to it, else all sets."""
    return [frozenset(numbers)] if numbers and sum(numbers) == total else _SETS.get(total, ())


def _amounts_by_seat(tally: Tally, key: str) -> Mapping[Seat, int]:
    """Return, by seat, the answers to `key` that are more than 0."""
    return {seat: number for seat, seat_tally in enumerate(tally.seats) if (number := seat_tally.number(key)) > 0}


def _numbers(tally: Tally, suit: str) -> Doubts:
    """Yield the doubts about a suit: wrong numbers, and totals that its numbers cannot make, alone or together."""
    name, key, makes = suit.capitalize(), f"{suit}.total", f"the numbers 1 to 9 make {MAX_SUIT_TOTAL} in all"
    wrong, having = list(_wrong_numbers(tally, suit)), _amounts_by_seat(tally, key)
    yield from wrong
    for seat in (beyond := [seat for seat, total in having.items() if total > MAX_SUIT_TOTAL]):
        yield doubt("DC-33", f"{{s0}} has {having[seat]} in {name}, and {makes}.", seat)
    doubted = {*beyond, *(seat for each_doubt in wrong for seat in each_doubt.sentence.seats)}
    totals = {seat: total for seat, total in having.items() if seat not in doubted}
    if (combined := sum(totals.values())) > MAX_SUIT_TOTAL:
        yield doubt("DC-33", f"{{seats}} together have {combined} in {name}, and {makes}.", *totals)
    elif seats := conflict({seat: sets_of(totals[seat], tally.seats[seat].summands.get(key, ())) for seat in totals}):
        numbers = listing(str(totals[seat]) for seat in seats)
        why = "whatever numbers make these totals, one card would be won twice"
        yield doubt("DC-33", f"{{seats}} cannot have {numbers} in {name}: {why}.", *seats)


def _wrong_numbers(tally: Tally, suit: str) -> Doubts:
    """Yield the doubts about numbers in the written sums of a suit: those that do not exist or were won twice."""
    name, seats = suit.capitalize(), enumerate(tally.seats)
    owners_by_number = group(
        (number, seat) for seat, seat_tally in seats for number in seat_tally.summands.get(f"{suit}.total", ())
    )
    for number, owners in sorted(owners_by_number.items()):
        among = tuple(dict.fromkeys(owners))
        if number not in NUMBERS:
            yield doubt("DC-1", f"{{seats}} {have(among)} a {number} of {name}, and its numbers are 1 to 9.", *among)
        elif len(owners) > 1:
            who = "{seats} together have" if len(among) > 1 else "{s0} has"
            yield doubt("DC-33", f"{who} the {number} of {name} {len(owners)} times, and there is one.", *among)


def _ending(tally: Tally) -> Doubts:
    """Yield a doubt about an end that the mode or the forfeits contradict, or about a sheet that is not filled in."""
    still, kind, mode = _remaining_seats(tally), _outcome_kind(tally), str(tally.options["mode"])
    ends = ENDS[mode]
    scored = any(_amounts_by_seat(tally, key) for key in scoring.PARTS)
    unfit = len(still) != ends.left if kind == ends.by_forfeits else len(still) <= ends.left
    if kind not in (ends.with_deck, ends.by_forfeits, "seer"):
        how = "co-operative" if mode == "coop" else mode
        yield doubt("DC-5 DC-31", f"The game cannot end in {how} play with: {ENDINGS[kind].lower()}.")
    elif unfit:
        who = f"{{seats}} {'are' if len(still) > 1 else 'is'} left" if still else "nobody is left"
        words = f"{ends.rule}, and {who}, so it did not end with: {ENDINGS[kind].lower()}."
        yield doubt("DC-5" if mode == "coop" else "DC-31", words, *still)
    elif kind == ends.with_deck and len(still) == len(tally.seats) and not scored:
        words = "Nobody has won a card and nobody has forfeited, in a whole game: have the scores been filled in?"
        yield doubt("DC-5", words)
