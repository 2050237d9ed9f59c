"""The score sheet of Dragon Citadel: per suit the numbers and the heroes, then the Crowns, and who forfeited."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from vaultkit.cards.known import known_deck
from vaultkit.games.definition import Column, Question
from vaultkit.games.division import conflict, sets_by
from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.ending import ENDINGS, parts_of, result
from vaultkit.games.dragon_citadel.rules import CROWN_NAMES, CitadelCards, cards_of
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import Doubts, ScoreSheet, Tally, doubt, doubts_of, have, seats_of
from vaultkit.games.words import Outcome, Score, Seat, Sentence
from vaultkit.wording import listing

KINDS = {"coop": ("party", "dealer", "seer"), "competitive": ("score", "last-survivor", "seer")}
"""How a game can end in each mode (DC-5, DC-25, DC-31)."""
HEROES = {"swords": "Warrior", "stars": "Wizard", "glyphs": "Priest", "coins": "Rogue"}
CROWNS = len(CROWN_NAMES) - 1
"""The High Deck without the joker (DC-27)."""
NUMBERS = range(1, 10)
_SETS: Mapping[int, Sequence[frozenset[int]]] = sets_by(NUMBERS, sum)
"""All 512 sets of them, by their sums."""
ALL = sum(NUMBERS)
"""45, the most that a suit's numbers give (DC-33)."""


class CitadelSheet(ScoreSheet):
    """Per suit the total of the numbers and the heroes, then the Crowns and who forfeited (DC-32 to DC-35)."""

    def last(self, tally: Tally) -> tuple[Question, ...]:
        likely, rulings = _likeliest(tally), ("DC-5", "DC-25", "DC-31")
        choices = {kind: ENDINGS[kind] for kind in (likely, *KINDS[str(tally.options["mode"])])}
        return (Question("outcome", "How did it end?", choices=choices, default=likely, rulings=rulings),)

    def rules_asked(self, options: Options) -> tuple[Question, ...]:
        ways = {"coop": "together against the dealer", "competitive": "against each other"}
        earned = {"magic-items": "rolls for magic items", "treasure": "rolls for treasure"}
        return (
            Question("mode", "How did you play?", choices=ways, default=options["mode"], rulings=("DC-39",)),
            Question("rewards", "What did it earn?", choices=earned, default=options["rewards"], rulings=("DC-36",)),
        )

    def impossible(self, tally: Tally) -> Doubts:
        """Suit by suit, then the Crowns, and the end."""
        for suit in scoring.SUITS:
            wrong = list(_wrong_numbers(tally, suit))
            yield from wrong
            yield from _totals(tally, suit, {seat for one in wrong for seat in one.sentence.seats})
            yield from _heroes(tally, suit)
        yield from (*_crowns(tally), *_nothing(tally), *_ending(tally))

    def totals(self, options: Options) -> Sequence[Column]:
        return super().totals(options) if options["champion"] == "sum" else ()

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it; `Rounds` and the causes of forfeits are not on paper, and are left out."""
        still = _left(tally)
        sheets = [{key: seat.number(key) for key in scoring.PARTS} for seat in tally.seats]
        scores = [parts_of(sheet, seat in still, tally.options) for seat, sheet in enumerate(sheets)]
        out = [("Forfeit", Sentence("{s0} forfeited", (seat,))) for seat in seats_of(tally) if seat not in still]
        return result(_kind_of(tally), scores, tally.options, _cards(tally.options).joker, out)

    def cards(self, tally: Tally) -> Sequence[str]:
        """The heroes that were won: which other cards mattered, the sheets do not say."""
        cards = _cards(tally.options)
        won = {suit for suit in scoring.SUITS for seat in tally.seats if seat.number(f"{suit}.heroes") > 0}
        heroes = {cards.suit[card].lower(): card for card in cards.ids if card in cards.suit and cards.is_hero(card)}
        return tuple(heroes[suit] for suit in scoring.SUITS if suit in won)


def _cards(options: Options) -> CitadelCards:
    deck = known_deck("tarokka")
    assert deck is not None, "the Tarokka is known"
    return cards_of(deck, str(options["joker"]))


def _left(tally: Tally) -> tuple[Seat, ...]:
    """The seats that have not forfeited."""
    return tuple(seat for seat in seats_of(tally) if tally.seats[seat].answers.get("forfeited") != "yes")


def _kind_of(tally: Tally) -> str:
    """How it ended by what people say, or else by the forfeits."""
    said = tally.common.get("outcome")
    return said if isinstance(said, str) and said in ENDINGS else _likeliest(tally)


def _likeliest(tally: Tally) -> str:
    """The kind of outcome that the forfeits speak for."""
    if tally.options["mode"] == "coop":
        return "party" if _left(tally) else "dealer"
    return "last-survivor" if len(_left(tally)) == 1 else "score"


def sets_of(total: int, named: Sequence[Score] = ()) -> Sequence[frozenset[Score]]:
    """The sets of numbers that may make a total: the one that was named, or all."""
    return [frozenset(named)] if named and sum(named) == total else _SETS.get(total, ())


def _wrong_numbers(tally: Tally, suit: str) -> Doubts:
    """Cards that a total was added up from: such as there are none, and such as were won twice."""
    name = suit.capitalize()
    named = {seat: Counter(tally.seats[seat].summands.get(f"{suit}.total", ())) for seat in seats_of(tally)}
    for seat, numbers in named.items():
        for number in sorted(numbers.keys() - set(NUMBERS)):
            yield doubt("DC-1", f"{{s0}} has a {number} of {name}, and the numbers of a suit are 1 to 9.", seat)
        for number in sorted(number for number, times in numbers.items() if times > 1):
            yield doubt("DC-33", f"{{s0}} has the {number} of {name} more than once, and there is one.", seat)
    for number in NUMBERS:
        owners = [seat for seat, numbers in named.items() if number in numbers]
        if len(owners) > 1:
            whom = "both {seats}" if len(owners) == 2 else "{seats}"
            yield doubt("DC-33", f"The {number} of {name} is with {whom}, and there is one.", *owners)


def _totals(tally: Tally, suit: str, doubted: Collection[Seat]) -> Doubts:
    """Totals that the numbers 1 to 9 cannot give, one by one or together; `doubted` seats are told of already."""
    name, key, makes = suit.capitalize(), f"{suit}.total", f"the numbers 1 to 9 make {ALL} in all"
    totals = {seat: tally.seats[seat].number(key) for seat in seats_of(tally)}
    for seat, total in totals.items():
        if total > ALL:
            yield doubt("DC-33", f"{{s0}} has {total} in {name}, and {makes}.", seat)
    left = {seat: total for seat, total in totals.items() if 0 < total <= ALL and seat not in doubted}
    shares = {seat: sets_of(total, tally.seats[seat].summands.get(key, ())) for seat, total in left.items()}
    if (found := sum(left.values())) > ALL:
        yield doubt("DC-33", f"{{seats}} have {found} in {name} together, and {makes}.", *left)
    elif seats := conflict(shares):
        numbers = listing(str(left[seat]) for seat in seats)
        why = "whatever numbers make these totals, one card would be won twice"
        yield doubt("DC-33", f"{{seats}} cannot have {numbers} in {name}: {why}.", *seats)


def _heroes(tally: Tally, suit: str) -> Doubts:
    """More than the one of a suit; or one without a number of the suit, which only a gift can be (DC-17)."""
    hero, name = HEROES[suit], suit.capitalize()
    counts = {seat: count for seat in seats_of(tally) if (count := tally.seats[seat].number(f"{suit}.heroes")) > 0}
    for seat, count in counts.items():
        if count > 1:
            yield doubt("DC-1", f"{{s0}} has {count} heroes of {name}, and there is one, the {hero}.", seat)
    if len(counts) > 1:
        yield doubt("DC-1", f"The hero of {name}, the {hero}, is with {{seats}}, and there is one.", *counts)
    for seat in counts if tally.options["hero_all_crowns"] != "first-player" else ():
        if tally.seats[seat].number(f"{suit}.total") == 0:
            why = "a hero is only ever won together with a number of the suit"
            yield doubt("DC-8 DC-16 DC-17 DC-34", f"{{s0}} has the {hero} but no number of {name}, and {why}.", seat)


def _crowns(tally: Tally) -> Doubts:
    counts = {seat: count for seat in seats_of(tally) if (count := tally.seats[seat].number("crowns.count")) > 0}
    if (count := sum(counts.values())) > CROWNS:
        has = f"have {count} Crowns together" if len(counts) > 1 else f"has {count} Crowns"
        words = f"{{seats}} {has}, and there are {CROWNS}: the High Deck without the joker."
        yield doubt("DC-27 DC-35", words, *counts)


def _nothing(tally: Tally) -> Doubts:
    """Sheets that nobody has filled in: of a game to the last card in which nobody won one, and nobody forfeited."""
    late = _kind_of(tally) == KINDS[str(tally.options["mode"])][0] and len(_left(tally)) == len(tally.seats)
    if late and not any(seat.number(key) for seat in tally.seats for key in scoring.PARTS):
        words = "Nobody has won a card and nobody has forfeited, in a whole game: have the scores been filled in?"
        yield doubt("DC-5", words)


def _ending(tally: Tally) -> Doubts:
    """An end that the forfeits or the mode of play contradict: the first reason that holds."""
    still, kind, mode = _left(tally), _kind_of(tally), str(tally.options["mode"])
    coop, scored = mode == "coop", mode != "coop" and kind != "last-survivor"
    have_not = f"{{seats}} {have(still)} not" if still else "here all have"
    how = "in co-operative play" if coop else "where everybody plays alone"
    last = "The last player wins once all others have forfeited,"
    alone = "The game ends with all but one forfeited: {seats} would be the last player, and wins."
    cases = (
        (kind not in KINDS[mode], "DC-5 DC-31", f"The game cannot end {how} with: {ENDINGS[kind].lower()}."),
        (kind == "dealer" and still, "DC-5", f"The dealer wins once every player has forfeited, and {have_not}."),
        (coop and kind != "dealer" and not still, "DC-5", "All have forfeited, and then the dealer has won."),
        (not coop and not scored and len(still) != 1, "DC-31", f"{last} and {have_not}."),
        (scored and len(still) == 1, "DC-31", alone),
        (scored and not still, "DC-31", "All have forfeited, and the last player who is left wins instead."),
    )
    yield from islice(doubts_of(cases, *still), 1)
