"""Finds what cannot be true in a score sheet that people filled in, and says why."""

from collections.abc import Iterator, Mapping, Sequence

from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.ending import ENDINGS
from vaultkit.games.dragon_citadel.rules import CROWN_NAMES
from vaultkit.games.dragon_citadel.tally.answers import KINDS, kind_of, left
from vaultkit.games.dragon_citadel.tally.division import ALL, NUMBERS, Share, conflict
from vaultkit.games.tally import Doubt, Tally, crowd, miscounted, seats_of
from vaultkit.games.words import Seat, Sentence
from vaultkit.wording import listing

HEROES = {"swords": "Warrior", "stars": "Wizard", "glyphs": "Priest", "coins": "Rogue"}
MOST_SEATS = 7
CROWNS = len(CROWN_NAMES) - 1
"""The High Deck without the joker (DC-27)."""


def doubts(tally: Tally) -> Iterator[Doubt]:
    """Everything that cannot be true, suit by suit, then the Crowns, the end, and sums that are wrong."""
    yield from crowd(tally, "Dragon Citadel", int(tally.options["min_players"]), MOST_SEATS, ("DC-3",))
    for suit in scoring.SUITS:
        wrong = list(_wrong_numbers(tally, suit))
        yield from wrong
        yield from _totals(tally, suit, frozenset(seat for doubt in wrong for seat in doubt.sentence.seats))
        yield from _heroes(tally, suit)
    yield from _crowns(tally)
    yield from _nothing(tally)
    yield from _ending(tally)
    if tally.options["champion"] == "sum":
        for seat in seats_of(tally):
            total = sum(tally.seats[seat].number(f"{suit}.total") for suit in scoring.SUITS)
            yield from miscounted(tally, seat, "score", "the champion's score", total, rulings=("DC-32",))


def _wrong_numbers(tally: Tally, suit: str) -> Iterator[Doubt]:
    """Cards that a total was added up from: such as there are none, and such as were won twice."""
    named = {seat: tally.seats[seat].summands.get(f"{suit}.total", ()) for seat in seats_of(tally)}
    name = suit.capitalize()
    for seat, numbers in named.items():
        for number in sorted({number for number in numbers if number not in NUMBERS}):
            words = "{s0} has a {v0} of {v1}, and the numbers of a suit are 1 to 9."
            yield Doubt(Sentence(words, (seat,), (), (number, name)), ("DC-1",))
        for number in sorted({number for number in numbers if numbers.count(number) > 1}):
            words = "{s0} has the {v0} of {v1} more than once, and there is one."
            yield Doubt(Sentence(words, (seat,), (), (number, name)), ("DC-33",))
    for number in NUMBERS:
        owners = tuple(seat for seat, numbers in named.items() if number in numbers)
        if len(owners) > 1:
            both = "both " * (len(owners) == 2)
            words = f"The {{v0}} of {{v1}} is with {both}{{seats}}, and there is one."
            yield Doubt(Sentence(words, owners, (), (number, name)), ("DC-33",))


def _totals(tally: Tally, suit: str, doubted: frozenset[Seat]) -> Iterator[Doubt]:
    """Totals that the numbers 1 to 9 cannot give, one by one or together; `doubted` seats are told of already."""
    name, shares = suit.capitalize(), {}
    for seat in seats_of(tally):
        share = _share(tally, seat, suit)
        if share.total > ALL:
            words = "{s0} has {v0} in {v1}, and the numbers 1 to 9 make {v2} in all."
            yield Doubt(Sentence(words, (seat,), (), (share.total, name, ALL)), ("DC-33",))
        elif share.total > 0 and seat not in doubted:
            shares[seat] = share
    if sum(share.total for share in shares.values()) > ALL:
        words = "{seats} have {v0} in {v1} together, and the numbers 1 to 9 make {v2} in all."
        total = sum(share.total for share in shares.values())
        yield Doubt(Sentence(words, tuple(shares), (), (total, name, ALL)), ("DC-33",))
    elif group := conflict(shares):
        yield _same_card_twice(name, group, shares)


def _share(tally: Tally, seat: Seat, suit: str) -> Share:
    key = f"{suit}.total"
    total, named = tally.seats[seat].number(key), tally.seats[seat].summands.get(key)
    return Share(total, frozenset(named) if named and sum(named) == total else None)


def _same_card_twice(suit: str, group: Sequence[Seat], shares: Mapping[Seat, Share]) -> Doubt:
    totals = listing(str(shares[seat].total) for seat in group)
    words = "{seats} cannot have {v0} in {v1}: whatever numbers make these totals, one card would be won twice."
    return Doubt(Sentence(words, tuple(group), (), (totals, suit)), ("DC-33",))


def _heroes(tally: Tally, suit: str) -> Iterator[Doubt]:
    key, hero, name = f"{suit}.heroes", HEROES[suit], suit.capitalize()
    owners = tuple(seat for seat in seats_of(tally) if tally.seats[seat].number(key) > 0)
    for seat in owners:
        count = tally.seats[seat].number(key)
        if count > 1:
            words = "{s0} has {v0} heroes of {v1}, and there is one, the {v2}."
            yield Doubt(Sentence(words, (seat,), (), (count, name, hero)), ("DC-1",))
    if len(owners) > 1:
        words = "The hero of {v0}, the {v1}, is with {seats}, and there is one."
        yield Doubt(Sentence(words, owners, (), (name, hero)), ("DC-1",))
    yield from (_lone_hero(seat, name, hero) for seat in owners if _is_lone(tally, seat, suit))


def _is_lone(tally: Tally, seat: Seat, suit: str) -> bool:
    """Whether a hero lies there without a number of the suit, which only a gift can be (DC-17)."""
    total = tally.seats[seat].number(f"{suit}.total")
    return total == 0 and tally.options["hero_all_crowns"] != "first-player"


def _lone_hero(seat: Seat, suit: str, hero: str) -> Doubt:
    words = "{s0} has the {v0} but no number of {v1}, and a hero is only ever won together with a number of the suit."
    return Doubt(Sentence(words, (seat,), (), (hero, suit)), ("DC-8", "DC-16", "DC-17", "DC-34"))


def _crowns(tally: Tally) -> Iterator[Doubt]:
    owners = tuple(seat for seat in seats_of(tally) if tally.seats[seat].number("crowns.count") > 0)
    count = sum(tally.seats[seat].number("crowns.count") for seat in owners)
    if count > CROWNS:
        has = "have {v0} Crowns together" if len(owners) > 1 else "has {v0} Crowns"
        words = f"{{seats}} {has}, and there are {{v1}}: the High Deck without the joker."
        yield Doubt(Sentence(words, owners, (), (count, CROWNS)), ("DC-27", "DC-35"))


def _nothing(tally: Tally) -> Iterator[Doubt]:
    """Sheets that nobody has filled in: of a game to the last card in which nobody won one, and nobody forfeited."""
    keys = ("crowns.count", *(f"{suit}.{part}" for suit in scoring.SUITS for part in ("total", "heroes")))
    ended_late = kind_of(tally) == KINDS[str(tally.options["mode"])][0]
    whole = ended_late and len(left(tally)) == len(tally.seats)
    if whole and not any(seat.number(key) for seat in tally.seats for key in keys):
        words = "Nobody has won a card and nobody has forfeited, in a whole game: have the scores been filled in?"
        yield Doubt(Sentence(words), ("DC-5",))


def _ending(tally: Tally) -> Iterator[Doubt]:
    """An end that the forfeits or the mode of play contradict."""
    mode, still, kind = str(tally.options["mode"]), left(tally), kind_of(tally)
    if kind not in KINDS[mode]:
        played = "in co-operative play" if mode == "coop" else "where everybody plays alone"
        words = f"The game cannot end {played} with: {ENDINGS[kind].lower()}."
        yield Doubt(Sentence(words), ("DC-5", "DC-31"))
    elif kind == "dealer" and still:
        words = "The dealer wins once every player has forfeited, and {seats} " + _has(still) + " not."
        yield Doubt(Sentence(words, still), ("DC-5",))
    elif mode == "coop" and kind != "dealer" and not still:
        yield Doubt(Sentence("All have forfeited, and then the dealer has won."), ("DC-5",))
    elif kind == "last-survivor" and len(still) != 1:
        who = f"{{seats}} {_has(still)} not" if still else "here all have"
        yield Doubt(Sentence(f"The last player wins once all others have forfeited, and {who}.", still), ("DC-31",))
    elif mode == "competitive" and kind != "last-survivor" and len(still) < 2:
        words = (
            "The game ends with all but one forfeited: {seats} would be the last player, and wins."
            if still
            else ("All have forfeited, and the last player who is left wins instead.")
        )
        yield Doubt(Sentence(words, still), ("DC-31",))


def _has(seats: Sequence[Seat]) -> str:
    return "have" if len(seats) > 1 else "has"
