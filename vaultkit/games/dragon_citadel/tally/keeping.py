"""A game of Dragon Citadel that was played with real cards, as its score sheets tell it."""

from collections.abc import Iterator, Mapping, Sequence

from vaultkit.cards.known import known_deck
from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.ending import ENDINGS, parts_of, result
from vaultkit.games.dragon_citadel.rules import CitadelCards, cards_of
from vaultkit.games.dragon_citadel.tally import answers, doubts
from vaultkit.games.dragon_citadel.tally.division import ALL
from vaultkit.games.dragon_citadel.tally.doubts import CROWNS, HEROES
from vaultkit.games.options import Options
from vaultkit.games.tally import Answer, Doubt, Question, ScoreKeeping, SeatTally, Tally, seats_of
from vaultkit.games.words import Outcome, Sentence

NUMBERS = "Add up the numbered cards that you won in this suit; 8+9 will do."
HERO = "Then the suit's hero: 1 if you won it, else 0. It adds nothing to the total."
OPEN = "Count those that still lie open before you, not the spent ones and not those in your hand."


class CitadelTally(ScoreKeeping):
    """Per suit the total of the numbers and the heroes, then the Crowns and who forfeited (DC-32 to DC-35)."""

    def first(self, options: Options) -> tuple[Question, ...]:  # noqa: ARG002
        return ()

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        fates = {"no": "survived", "yes": "forfeited"}
        return (
            *(question for suit in scoring.SUITS for question in _suit(suit)),
            Question("crowns.count", "Open Crowns", most=CROWNS, default=0, rulings=("DC-27", "DC-35"), how=OPEN),
            Question("forfeited", "Forfeited?", choices=fates, default="no", rulings=("DC-30",)),
        )

    def last(self, tally: Tally) -> tuple[Question, ...]:
        likely = answers.likeliest(tally)
        kinds = dict.fromkeys((likely, *answers.KINDS[str(tally.options["mode"])]))
        choices = {kind: ENDINGS[kind] for kind in kinds}
        rulings = ("DC-5", "DC-25", "DC-31")
        return (Question("outcome", "How did it end?", choices=choices, default=likely, rulings=rulings),)

    def rules_asked(self, options: Options) -> tuple[Question, ...]:
        ways = {"coop": "together against the dealer", "competitive": "against each other"}
        return (Question("mode", "How did you play?", choices=ways, default=options["mode"], rulings=("DC-39",)),)

    def sums(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        return (Question("score", "Champion's score", rulings=("DC-32",)),)

    def doubts(self, tally: Tally) -> Iterator[Doubt]:
        return doubts.doubts(tally)

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it; `Rounds` and the causes of forfeits are not on paper, and are left out."""
        still = answers.left(tally)
        scores = [parts_of(_sheet(tally.seats[seat]), seat in still, tally.options) for seat in seats_of(tally)]
        out = [("Forfeit", Sentence("{s0} forfeited", (seat,))) for seat in seats_of(tally) if seat not in still]
        return result(answers.kind_of(tally), scores, tally.options, _cards(tally.options).joker, out)

    def cards(self, tally: Tally) -> Sequence[str]:
        """The heroes that were won: which other cards mattered, the sheets do not say."""
        cards = _cards(tally.options)
        won = {suit for suit in scoring.SUITS for seat in tally.seats if seat.number(f"{suit}.heroes") > 0}
        heroes = {cards.suit[card].lower(): card for card in cards.ids if card in cards.suit and cards.is_hero(card)}
        return tuple(heroes[suit] for suit in scoring.SUITS if suit in won)


def _suit(suit: str) -> Iterator[Question]:
    name = suit.capitalize()
    total = f"{name}, total of numbers"
    yield Question(f"{suit}.total", total, most=ALL, default=0, rulings=("DC-33",), how=NUMBERS, summed=True)
    hero = f"{name}, heroes (the {HEROES[suit]})"
    yield Question(f"{suit}.heroes", hero, most=1, default=0, rulings=("DC-1", "DC-34"), how=HERO)


def _sheet(seat: SeatTally) -> dict[str, int]:
    """The answers in the form of `scoring.sheet`."""
    parts = {f"{suit}.{part}": 0 for suit in scoring.SUITS for part in ("total", "heroes")}
    return {key: seat.number(key) for key in (*parts, "crowns.count")}


def _cards(options: Options) -> CitadelCards:
    deck = known_deck("tarokka")
    assert deck is not None, "the Tarokka is known"
    return cards_of(deck, str(options["joker"]))
