"""The score sheet of Prophet's Gambit: in every game each player's hand and place; several games are a match."""

from collections.abc import Iterator, Mapping

from vaultkit.games.definition import Answer, Column, Definition, Question, Rounds
from vaultkit.games.hands import TAROKKA, TAROKKA_BY_RARITY, TAROKKA_NAMES, Category
from vaultkit.games.options import Options
from vaultkit.games.prophets_gambit.ending import CATEGORY_NUMBER
from vaultkit.games.scoresheet import Doubt, ScoreSheet, Tally, seats_of
from vaultkit.games.words import Outcome, Score, Seat, Sentence, first_of, ranks_of

FEWEST_SEATS, MOST_SEATS = 3, 5
UNKNOWN = "unknown"
"""The answer for a hand that nobody wrote down."""
ENDED = {"reveal": "The hands were revealed", "donjon": "The Donjon ended it"}
FIVE_CARDS = (Category.STRAIGHT_FLUSH, Category.STRAIGHT, Category.FLUSH, Category.FULL_HOUSE)
"""The categories that four cards cannot have (PG-36)."""
_CATEGORIES = {name: category for category, name in TAROKKA_NAMES.items()}
_FIVE = "What your best cards make: five, or four if the Focus was killed."


class GambitSheet(ScoreSheet):
    """In every game each player's hand and place; several games are a match, for whoever won most of them (PG-38)."""

    definition = Definition(
        title="Prophet's Gambit",
        players=(FEWEST_SEATS, MOST_SEATS),
        rounds=Rounds("game", 7, rulings=("PG-38",)),
        columns=(
            Column("hand", "hand", default=UNKNOWN, rulings=("PG-36", "PG-37"), how=_FIVE),
            Column("place", "place", least=1, most=MOST_SEATS, rulings=("PG-6", "PG-7"), how="1 for the best hand."),
            Column("wins", "Games won", rulings=("PG-38",), formula="sum(place = 1)"),
            Column("focus", "Focus", {"saved": "saved", "killed": "killed"}, rulings=("PG-36",), asked=False),
        ),
    )

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:
        choices = {TAROKKA_NAMES[category]: TAROKKA_NAMES[category] for category in _order(options)}
        choices[UNKNOWN] = "not written down"
        return tuple(
            one.changed(choices=choices) if one.key.endswith(".hand") else one for one in super().each(options, common)
        )

    def last(self, tally: Tally) -> tuple[Question, ...]:
        if len(_games(tally)) > 1:
            return ()
        return (Question("outcome", "How did it end?", choices=ENDED, default="reveal", rulings=("PG-20",)),)

    def crowd(self, tally: Tally) -> Iterator[Doubt]:
        if tally.options["opening"] == "each-round-deal-7" and len(tally.seats) == MOST_SEATS:
            yield Doubt(Sentence("Seven cards each do not go round at five players."), ("PG-1",))
        yield from super().crowd(tally)

    def impossible(self, tally: Tally) -> Iterator[Doubt]:
        for game in _games(tally):
            yield from _places(tally, game)
            yield from _order_of_hands(tally, game)
            yield from _short_hands(tally, game)

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it, as far as a sheet does: of the ranks within a hand it knows nothing."""
        return _match(tally) if len(_games(tally)) > 1 else _single(tally)


def _games(tally: Tally) -> range:
    return GambitSheet.definition.rounds_of(tally.common)


def _order(options: Options) -> tuple[Category, ...]:
    """The hands, strongest first (PG-37)."""
    return TAROKKA_BY_RARITY if options["order"] == "rarity" else TAROKKA


def _hand(tally: Tally, seat: Seat, game: int) -> Category | None:
    """The hand, None where nobody wrote it down."""
    return _CATEGORIES.get(str(tally.seats[seat].answers.get(f"game.{game}.hand", UNKNOWN)))


def _place(tally: Tally, seat: Seat, game: int) -> int:
    """The place, the last one where there is none."""
    return tally.seats[seat].number(f"game.{game}.place") or len(tally.seats)


def _wins(tally: Tally, seat: Seat) -> int:
    return sum(_place(tally, seat, game) == 1 for game in _games(tally))


def _strength(tally: Tally, category: Category) -> int:
    """The place of a hand from the weakest, 0."""
    return _order(tally.options)[::-1].index(category)


def _named(tally: Tally, game: int) -> str:
    """How a sentence about one game of several begins."""
    return f"Game {game}: " if len(_games(tally)) > 1 else ""


def _places(tally: Tally, game: int) -> Iterator[Doubt]:
    """Each place goes to one seat, since the count from the dealer settles what is equal (PG-6)."""
    seats, places = len(tally.seats), {seat: _place(tally, seat, game) for seat in seats_of(tally)}
    for place in sorted(set(places.values())):
        sharing = tuple(seat for seat, taken in places.items() if taken == place)
        if place not in range(1, seats + 1):
            words = f"{_named(tally, game)}{{seats}} cannot have place {{v0}} of {{v1}}."
            yield Doubt(Sentence(words, sharing, (), (place, seats)), ("PG-6",))
        elif len(sharing) > 1:
            words = f"{_named(tally, game)}{{seats}} have place {{v0}} together, and equal hands go by the seat."
            yield Doubt(Sentence(words, sharing, (), (place,)), ("PG-6", "PG-7"))
    if 1 not in places.values():
        yield Doubt(Sentence(f"{_named(tally, game)}Nobody has the first place."), ("PG-6", "PG-7"))


def _order_of_hands(tally: Tally, game: int) -> Iterator[Doubt]:
    """A place better than that of somebody with a stronger hand."""
    hands = {seat: hand for seat in seats_of(tally) if (hand := _hand(tally, seat, game))}
    known = sorted((_place(tally, seat, game), seat, hand) for seat, hand in hands.items())
    for place, seat, hand in known:
        weaker = [one for one in known if _strength(tally, one[2]) > _strength(tally, hand) and one[0] > place]
        if weaker:
            _, better, stronger = min(weaker)
            words = "{s0} with {v0} has a better place than {s1}, whose {v1} is stronger."
            values = (TAROKKA_NAMES[hand], TAROKKA_NAMES[stronger])
            yield Doubt(Sentence(_named(tally, game) + words, (seat, better), (), values), ("PG-37",))


def _short_hands(tally: Tally, game: int) -> Iterator[Doubt]:
    """Hands of five cards in a game whose Focus is said to be killed; the sheet for one player has a box for that."""
    killed = any(seat.answers.get(f"game.{game}.focus") == "killed" for seat in tally.seats)
    impossible = FIVE_CARDS if tally.options["four_card"] == "strict" else (Category.FULL_HOUSE,)
    for seat in seats_of(tally) if killed else ():
        hand = _hand(tally, seat, game)
        if hand is not None and hand in impossible:
            words = f"{_named(tally, game)}{{s0}} cannot have a {{v0}}: without the Focus a hand has four cards."
            yield Doubt(Sentence(words, (seat,), (), (TAROKKA_NAMES[hand],)), ("PG-36",))


def _parts(tally: Tally, seat: Seat, game: int) -> dict[str, Score]:
    """The known parts of a hand, in numbers (`ending.outcome`)."""
    hand = _hand(tally, seat, game)
    return {} if hand is None else {"category": CATEGORY_NUMBER[hand], "strength": _strength(tally, hand)}


def _single(tally: Tally) -> Outcome:
    ranks = ranks_of([-_place(tally, seat, 1) for seat in seats_of(tally)])
    reason, rulings = _reason(tally, first_of(ranks))
    kind = "donjon" if tally.common.get("outcome") == "donjon" else "reveal"
    parts = tuple(_parts(tally, seat, 1) for seat in seats_of(tally))
    return Outcome(kind, first_of(ranks), reason, rulings, parts, ranks)


def _reason(tally: Tally, winners: tuple[Seat, ...]) -> tuple[Sentence, tuple[str, ...]]:
    hands = [_hand(tally, seat, 1) for seat in seats_of(tally)]
    best = hands[winners[0]]
    if len(winners) > 1:
        return Sentence("{seats} share the first place.", winners), ("PG-6", "PG-7")
    if best is None:
        return Sentence("{s0} has the best hand.", winners), ("PG-7",)
    if hands.count(best) == 1:
        return Sentence("{s0} has the best hand: {v0}.", winners, (), (TAROKKA_NAMES[best],)), ("PG-37",)
    words = "{s0} has the best hand: of those with {v0}, it comes first."
    return Sentence(words, winners, (), (TAROKKA_NAMES[best],)), ("PG-6", "PG-7")


def _match(tally: Tally) -> Outcome:
    """Whoever has won most games, wherever these were won; equals share the match (G-9)."""
    wins = [_wins(tally, seat) for seat in seats_of(tally)]
    ranks = ranks_of(wins)
    winners = first_of(ranks)
    won = "has won" if len(winners) == 1 else "have each won"
    values = (max(wins), len(_games(tally)))
    reason = Sentence(f"{{seats}} {won} {{v0}} of {{v1}} games, the most.", winners, (), values)
    parts = tuple(_in_match(tally, seat) for seat in seats_of(tally))
    return Outcome("match", winners, reason, ("PG-38", "G-9"), parts, ranks)


def _in_match(tally: Tally, seat: Seat) -> dict[str, Score]:
    """Games won as the `score`, then of each game what is known of the hand, and the place."""
    parts: dict[str, Score] = {"score": _wins(tally, seat)}
    for game in _games(tally):
        parts |= {f"game.{game}.{name}": value for name, value in _parts(tally, seat, game).items()}
        parts[f"game.{game}.place"] = _place(tally, seat, game)
    return parts
