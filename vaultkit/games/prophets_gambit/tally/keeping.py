"""A game of Prophet's Gambit that was played with real cards, or several as a match, as the score sheets tell it."""

from collections.abc import Iterator, Mapping, Sequence

from vaultkit.games.hands import TAROKKA_NAMES
from vaultkit.games.options import Options
from vaultkit.games.prophets_gambit.ending import CATEGORY_NUMBER
from vaultkit.games.prophets_gambit.tally import answers, doubts
from vaultkit.games.tally import Answer, Doubt, Question, ScoreKeeping, Tally, seats_of
from vaultkit.games.words import Outcome, Seat, Sentence

MOST_GAMES = 7
ENDED = {"reveal": "The hands were revealed", "donjon": "The Donjon ended it"}


class GambitTally(ScoreKeeping):
    """In every game each player's hand and place; several games are a match, for whoever won most of them (PG-38)."""

    def first(self, options: Options) -> tuple[Question, ...]:  # noqa: ARG002
        return (Question("games", "How many games?", least=1, most=MOST_GAMES, default=1, rulings=("PG-38",)),)

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:
        choices = {TAROKKA_NAMES[category]: TAROKKA_NAMES[category] for category in answers.order(options)}
        choices[answers.UNKNOWN] = "not written down"
        return tuple(
            question for game in answers.rows(common) for question in _game(game, choices, answers.count(common))
        )

    def last(self, tally: Tally) -> tuple[Question, ...]:
        if answers.count(tally.common) > 1:
            return ()
        return (Question("outcome", "How did it end?", choices=ENDED, default="reveal", rulings=("PG-20",)),)

    def sums(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        focus = {"saved": "saved", "killed": "killed"}
        boxes = (Question(f"{game}.focus", "Focus", choices=focus, rulings=("PG-36",)) for game in answers.rows(common))
        return (Question("wins", "Games won"), *boxes)

    def doubts(self, tally: Tally) -> Iterator[Doubt]:
        return doubts.doubts(tally)

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it, as far as a sheet does: of the ranks within a hand it knows nothing."""
        return _match(tally) if answers.count(tally.common) > 1 else _single(tally)


def _game(game: str, choices: Mapping[str, str], games: int) -> Iterator[Question]:
    of = f"Game {game.removeprefix('game.')}, " if games > 1 else ""
    hand, place = (f"{of}{what}" if of else what.capitalize() for what in ("hand", "place"))
    five = "What your best cards make: five, or four if the Focus was killed."
    yield Question(f"{game}.hand", hand, choices=choices, default=answers.UNKNOWN, rulings=("PG-36", "PG-37"), how=five)
    best = "1 for the best hand."
    yield Question(f"{game}.place", place, least=1, most=doubts.MOST_SEATS, rulings=("PG-6", "PG-7"), how=best)


def _parts(tally: Tally, seat: Seat, game: str) -> dict[str, int]:
    """The known parts of a hand, in numbers (`ending.outcome`)."""
    hand = answers.hand(tally, seat, game)
    return {} if hand is None else {"category": CATEGORY_NUMBER[hand], "strength": answers.strength(tally, hand)}


def _ranks(standings: Sequence[int]) -> tuple[int, ...]:
    """1 for the highest standing; equals share a rank."""
    return tuple(1 + sum(other > own for other in standings) for own in standings)


def _single(tally: Tally) -> Outcome:
    ranks = _ranks([-answers.place(tally, seat, "game.1") for seat in seats_of(tally)])
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    reason, rulings = _reason(tally, winners)
    kind = tally.common.get("outcome")
    return Outcome(
        kind="donjon" if kind == "donjon" else "reveal",
        winners=winners,
        reason=reason,
        rulings=rulings,
        scores=tuple(_parts(tally, seat, "game.1") for seat in seats_of(tally)),
        ranks=ranks,
    )


def _reason(tally: Tally, winners: tuple[Seat, ...]) -> tuple[Sentence, tuple[str, ...]]:
    hands = [answers.hand(tally, seat, "game.1") for seat in seats_of(tally)]
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
    wins = [answers.wins(tally, seat) for seat in seats_of(tally)]
    ranks = _ranks(wins)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    won = "has won" if len(winners) == 1 else "have each won"
    values = (max(wins), answers.count(tally.common))
    return Outcome(
        kind="match",
        winners=winners,
        reason=Sentence(f"{{seats}} {won} {{v0}} of {{v1}} games, the most.", winners, (), values),
        rulings=("PG-38", "G-9"),
        scores=tuple(_in_match(tally, seat) for seat in seats_of(tally)),
        ranks=ranks,
    )


def _in_match(tally: Tally, seat: Seat) -> dict[str, int]:
    """Games won as the `score`, then of each game what is known of the hand, and the place."""
    parts = {"score": answers.wins(tally, seat)}
    for game in answers.rows(tally.common):
        parts |= {f"{game}.{name}": value for name, value in _parts(tally, seat, game).items()}
        parts[f"{game}.place"] = answers.place(tally, seat, game)
    return parts
