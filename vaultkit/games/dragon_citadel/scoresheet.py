"""The score sheet of Dragon Citadel: per suit the numbers and the heroes, then the Crowns, and who forfeited."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from vaultkit.cards.known import known_deck
from vaultkit.games.definition import Column, Definition, Question
from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.ending import ENDINGS, parts_of, result
from vaultkit.games.dragon_citadel.rules import CROWN_NAMES, CitadelCards, cards_of
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import Doubt, ScoreSheet, SeatTally, Tally, crowd, seats_of
from vaultkit.games.words import Outcome, Seat, Sentence
from vaultkit.wording import listing

KINDS = {"coop": ("party", "dealer", "seer"), "competitive": ("score", "last-survivor", "seer")}
"""How a game can end in each mode (DC-5, DC-25, DC-31)."""
HEROES = {"swords": "Warrior", "stars": "Wizard", "glyphs": "Priest", "coins": "Rogue"}
MOST_SEATS = 7
CROWNS = len(CROWN_NAMES) - 1
"""The High Deck without the joker (DC-27)."""
NUMBERS = range(1, 10)
ALL = sum(NUMBERS)
"""45, the most that a suit's numbers give (DC-33)."""
_ADD = "Add up the numbered cards that you won in this suit; 8+9 will do."
_HERO = "Then the suit's hero: 1 if you won it, else 0. It adds nothing to the total."
_OPEN = "Count those that still lie open before you, not the spent ones and not those in your hand."


def _suit(suit: str) -> Iterator[Column]:
    name = suit.capitalize()
    total = f"{name}, total of numbers"
    yield Column(f"{suit}.total", total, most=ALL, default=0, rulings=("DC-33",), how=_ADD, summed=True)
    hero = f"{name}, heroes (the {HEROES[suit]})"
    yield Column(f"{suit}.heroes", hero, most=1, default=0, rulings=("DC-1", "DC-34"), how=_HERO)


class CitadelSheet(ScoreSheet):
    """Per suit the total of the numbers and the heroes, then the Crowns and who forfeited (DC-32 to DC-35)."""

    definition = Definition(
        title="Dragon Citadel",
        players=(2, MOST_SEATS),
        columns=(
            *(column for suit in scoring.SUITS for column in _suit(suit)),
            Column("crowns.count", "Open Crowns", most=CROWNS, default=0, rulings=("DC-27", "DC-35"), how=_OPEN),
            Column("forfeited", "Forfeited?", {"no": "survived", "yes": "forfeited"}, default="no", rulings=("DC-30",)),
            Column(
                "score",
                "Champion's score",
                rulings=("DC-32",),
                formula=" + ".join(f"{suit}.total" for suit in scoring.SUITS),
            ),
        ),
    )

    def last(self, tally: Tally) -> tuple[Question, ...]:
        likely = _likeliest(tally)
        kinds = dict.fromkeys((likely, *KINDS[str(tally.options["mode"])]))
        choices = {kind: ENDINGS[kind] for kind in kinds}
        rulings = ("DC-5", "DC-25", "DC-31")
        return (Question("outcome", "How did it end?", choices=choices, default=likely, rulings=rulings),)

    def rules_asked(self, options: Options) -> tuple[Question, ...]:
        ways = {"coop": "together against the dealer", "competitive": "against each other"}
        return (Question("mode", "How did you play?", choices=ways, default=options["mode"], rulings=("DC-39",)),)

    def crowd(self, tally: Tally) -> Iterator[Doubt]:
        return crowd(tally, self.title, int(tally.options["min_players"]), MOST_SEATS, ("DC-3",))

    def impossible(self, tally: Tally) -> Iterator[Doubt]:
        """Suit by suit, then the Crowns, and the end."""
        for suit in scoring.SUITS:
            wrong = list(_wrong_numbers(tally, suit))
            yield from wrong
            yield from _totals(tally, suit, frozenset(seat for doubt in wrong for seat in doubt.sentence.seats))
            yield from _heroes(tally, suit)
        yield from _crowns(tally)
        yield from _nothing(tally)
        yield from _ending(tally)

    def miscounts(self, tally: Tally) -> Iterator[Doubt]:
        return super().miscounts(tally) if tally.options["champion"] == "sum" else iter(())

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it; `Rounds` and the causes of forfeits are not on paper, and are left out."""
        still = _left(tally)
        scores = [parts_of(_sheet(tally.seats[seat]), seat in still, tally.options) for seat in seats_of(tally)]
        out = [("Forfeit", Sentence("{s0} forfeited", (seat,))) for seat in seats_of(tally) if seat not in still]
        return result(_kind_of(tally), scores, tally.options, _cards(tally.options).joker, out)

    def cards(self, tally: Tally) -> Sequence[str]:
        """The heroes that were won: which other cards mattered, the sheets do not say."""
        cards = _cards(tally.options)
        won = {suit for suit in scoring.SUITS for seat in tally.seats if seat.number(f"{suit}.heroes") > 0}
        heroes = {cards.suit[card].lower(): card for card in cards.ids if card in cards.suit and cards.is_hero(card)}
        return tuple(heroes[suit] for suit in scoring.SUITS if suit in won)


def _sheet(seat: SeatTally) -> dict[str, int]:
    """The answers in the form of `scoring.sheet`."""
    parts = {f"{suit}.{part}": 0 for suit in scoring.SUITS for part in ("total", "heroes")}
    return {key: seat.number(key) for key in (*parts, "crowns.count")}


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


class Share(NamedTuple):
    """One player's share of a suit: the total, and the numbers themselves where they are known."""

    total: int
    numbers: frozenset[int] | None = None


@cache
def _sets() -> Mapping[int, tuple[frozenset[int], ...]]:
    """The sets of numbers that give each total, those of few cards first."""
    found: dict[int, list[frozenset[int]]] = {total: [] for total in range(ALL + 1)}
    for size in range(len(NUMBERS) + 1):
        for numbers in combinations(NUMBERS, size):
            found[sum(numbers)].append(frozenset(numbers))
    return {total: tuple(sets) for total, sets in found.items()}


def divisible(shares: Iterable[Share]) -> bool:
    """Whether 1 to 9 can be shared out so, no number twice."""
    return _divisible(sorted(shares, key=lambda share: share.total, reverse=True), frozenset(NUMBERS))


def _divisible(shares: Sequence[Share], free: frozenset[int]) -> bool:
    if not shares:
        return True
    share, *others = shares
    sets = _sets().get(share.total, ()) if share.numbers is None else (share.numbers,)
    return any(numbers <= free and _divisible(others, free - numbers) for numbers in sets)


def conflict(shares: Mapping[Seat, Share]) -> tuple[Seat, ...]:
    """The smallest group of seats whose shares cannot all be true, the first of its size; none if all can be."""
    if divisible(shares.values()):
        return ()
    groups = (group for size in range(1, len(shares) + 1) for group in combinations(sorted(shares), size))
    return next(group for group in groups if not divisible(shares[seat] for seat in group))


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
    ended_late = _kind_of(tally) == KINDS[str(tally.options["mode"])][0]
    whole = ended_late and len(_left(tally)) == len(tally.seats)
    if whole and not any(seat.number(key) for seat in tally.seats for key in keys):
        words = "Nobody has won a card and nobody has forfeited, in a whole game: have the scores been filled in?"
        yield Doubt(Sentence(words), ("DC-5",))


def _ending(tally: Tally) -> Iterator[Doubt]:
    """An end that the forfeits or the mode of play contradict."""
    mode, still, kind = str(tally.options["mode"]), _left(tally), _kind_of(tally)
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
