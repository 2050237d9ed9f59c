"""Finds what cannot be true in the score sheets that people filled in, and says why."""

from collections.abc import Iterator

from vaultkit.games.hands import TAROKKA_NAMES, Category
from vaultkit.games.prophets_gambit.tally import answers
from vaultkit.games.tally import Doubt, Tally, crowd, miscounted, seats_of
from vaultkit.games.words import Sentence

FEWEST_SEATS, MOST_SEATS = 3, 5
FIVE_CARDS = (Category.STRAIGHT_FLUSH, Category.STRAIGHT, Category.FLUSH, Category.FULL_HOUSE)
"""The categories that four cards cannot have (PG-36)."""


def doubts(tally: Tally) -> Iterator[Doubt]:
    """Everything that cannot be true, game by game, then games won that do not add up."""
    if tally.options["opening"] == "each-round-deal-7" and len(tally.seats) == MOST_SEATS:
        yield Doubt(Sentence("Seven cards each do not go round at five players."), ("PG-1",))
    yield from crowd(tally, "Prophet's Gambit", FEWEST_SEATS, MOST_SEATS)
    for game in answers.rows(tally.common):
        yield from _places(tally, game)
        yield from _order_of_hands(tally, game)
        yield from _short_hands(tally, game)
    for seat in seats_of(tally):
        yield from miscounted(tally, seat, "wins", "games won", answers.wins(tally, seat), rulings=("PG-38",))


def _places(tally: Tally, game: str) -> Iterator[Doubt]:
    """Each place goes to one seat, since the count from the dealer settles what is equal (PG-6)."""
    seats, places = len(tally.seats), {seat: answers.place(tally, seat, game) for seat in seats_of(tally)}
    for place in sorted(set(places.values())):
        sharing = tuple(seat for seat, taken in places.items() if taken == place)
        if place not in range(1, seats + 1):
            words = f"{answers.named(tally, game)}{{seats}} cannot have place {{v0}} of {{v1}}."
            yield Doubt(Sentence(words, sharing, (), (place, seats)), ("PG-6",))
        elif len(sharing) > 1:
            words = f"{answers.named(tally, game)}{{seats}} have place {{v0}} together, and equal hands go by the seat."
            yield Doubt(Sentence(words, sharing, (), (place,)), ("PG-6", "PG-7"))
    if 1 not in places.values():
        yield Doubt(Sentence(f"{answers.named(tally, game)}Nobody has the first place."), ("PG-6", "PG-7"))


def _order_of_hands(tally: Tally, game: str) -> Iterator[Doubt]:
    """A place better than that of somebody with a stronger hand."""
    known = [
        (answers.place(tally, seat, game), seat, hand)
        for seat in seats_of(tally)
        if (hand := answers.hand(tally, seat, game))
    ]
    for place, seat, hand in sorted(known):
        above = [
            other
            for other in known
            if answers.strength(tally, other[2]) > answers.strength(tally, hand) and other[0] > place
        ]
        if above:
            _, better, stronger = min(above)
            words = "{s0} with {v0} has a better place than {s1}, whose {v1} is stronger."
            values = (TAROKKA_NAMES[hand], TAROKKA_NAMES[stronger])
            yield Doubt(Sentence(answers.named(tally, game) + words, (seat, better), (), values), ("PG-37",))


def _short_hands(tally: Tally, game: str) -> Iterator[Doubt]:
    """Hands of five cards in a game whose Focus is said to be killed; the sheet for one player has a box for that."""
    killed = any(seat.answers.get(f"{game}.focus") == "killed" for seat in tally.seats)
    impossible = FIVE_CARDS if tally.options["four_card"] == "strict" else (Category.FULL_HOUSE,)
    for seat in seats_of(tally) if killed else ():
        hand = answers.hand(tally, seat, game)
        if hand is not None and hand in impossible:
            words = f"{answers.named(tally, game)}{{s0}} cannot have a {{v0}}: without the Focus a hand has four cards."
            yield Doubt(Sentence(words, (seat,), (), (TAROKKA_NAMES[hand],)), ("PG-36",))
