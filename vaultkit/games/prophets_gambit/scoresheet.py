"""The score sheet of Prophet's Gambit, on which each player's hand and place in every game are written down."""

from collections.abc import Mapping, Sequence

from vaultkit.games.hands import FIVE_CARD_CATEGORIES, TAROKKA_NAMES, TAROKKA_ORDER, TAROKKA_RARITY_ORDER, Category
from vaultkit.games.messages import Outcome, Score, Seat, Sentence, first_ranked, rank_standings
from vaultkit.games.options import Options
from vaultkit.games.prophets_gambit.ending import CATEGORY_NUMBERS
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import Doubts, ScoreSheet, Tally, doubt
from vaultkit.text import group

_CATEGORIES_BY_NAME = {name: category for category, name in TAROKKA_NAMES.items()}
"""The categories of hands by the names that are written on the sheet."""


class GambitSheet(ScoreSheet):
    """The score sheet of Prophet's Gambit, with each player's hand and place in every game.

    Several games are a match, won by the player with the most wins (PG-38).
    """

    def seat_questions(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:
        """Return the questions about each seat; the ones about its hand offer categories strongest first (PG-37)."""
        base_questions = super().seat_questions(options, common)
        names = [TAROKKA_NAMES[category] for category in _category_order(options)]
        hands = {**dict(zip(names, names, strict=True)), **self.definition.by_id["hand"].choices}
        return tuple(
            question.replace_fields(choices=hands) if question.key.endswith(".hand") else question
            for question in base_questions
        )

    def closing_questions(self, tally: Tally) -> tuple[Question, ...]:
        """Return the questions at the end of the sheet; none for a match of several games."""
        return () if len(_game_numbers(tally)) > 1 else super().closing_questions(tally)

    def find_rule_doubts(self, tally: Tally) -> Doubts:
        for game in _game_numbers(tally):
            game_prefix = f"Game {game}: " if len(_game_numbers(tally)) > 1 else ""
            yield from _find_place_doubts(_places(tally, game), game_prefix)
            yield from _find_hand_order_doubts(tally, game, game_prefix)
            yield from _find_focus_doubts(tally, game, game_prefix)

    def outcome(self, tally: Tally) -> Outcome:
        """Return the outcome by the rules, as far as a sheet tells it: the ranks of cards in a hand are not on it."""
        return _match_outcome(tally) if len(_game_numbers(tally)) > 1 else _single_game_outcome(tally)


def _game_numbers(tally: Tally) -> range:
    """Return the numbers of the games on the sheet, from 1."""
    return range(1, 1 + int(tally.common.get("games", 1)))


def _category_order(options: Options) -> tuple[Category, ...]:
    """Return the categories of hands, strongest first, by the option `order` (PG-37)."""
    return TAROKKA_RARITY_ORDER if options["order"] == "rarity" else TAROKKA_ORDER


def _hands(tally: Tally, game: int) -> Mapping[Seat, Category]:
    """Return the category of each hand that was written down for one game, by seat."""
    names = [str(seat.answers.get(f"game.{game}.hand")) for seat in tally.seats]
    return {seat: _CATEGORIES_BY_NAME[name] for seat, name in enumerate(names) if name in _CATEGORIES_BY_NAME}


def _places(tally: Tally, game: int) -> Sequence[int]:
    """Return each seat's place in one game; a missing place counts as the last."""
    return [seat.number(f"game.{game}.place") or len(tally.seats) for seat in tally.seats]


def _find_place_doubts(places: Sequence[int], game_prefix: str) -> Doubts:
    """Yield doubts about a place that several seats have, and about a first place that nobody has.

    No place can be shared, since the count from the dealer settles equal hands (PG-6). `game_prefix` names the game
    before each doubt, such as `Game 2: `; it is "" if there is only one.
    """
    for place, sharing in sorted(group((place, seat) for seat, place in enumerate(places)).items()):
        if len(sharing) > 1:
            words = f"{game_prefix}{{seats}} have place {place} together, and equal hands go by the seat."
            yield doubt("PG-6 PG-7", words, *sharing)
    if 1 not in places:
        yield doubt("PG-6 PG-7", f"{game_prefix}Nobody has the first place.")


def _find_hand_order_doubts(tally: Tally, game: int, game_prefix: str) -> Doubts:
    """Yield a doubt for each seat that has a better place than a seat with a stronger hand."""
    places, order = _places(tally, game), _category_order(tally.options)
    ranked_hands = sorted((places[seat], order.index(hand), seat) for seat, hand in _hands(tally, game).items())
    # A rank is an index into the categories, 0 for the strongest. One doubt for each seat is enough.
    for place, rank, seat in ranked_hands:
        stronger = [(hand, other) for later, hand, other in ranked_hands if later > place and hand < rank]
        for better, other in stronger[:1]:
            worth = f"{{s0}} with {TAROKKA_NAMES[order[rank]]} has a better place than {{s1}}"
            words = f"{game_prefix}{worth}, whose {TAROKKA_NAMES[order[better]]} is stronger."
            yield doubt("PG-37", words, seat, other)


def _find_focus_doubts(tally: Tally, game: int, game_prefix: str) -> Doubts:
    """Yield doubts about hands that need five cards in a game whose Focus was killed, which leaves four (PG-36).

    Only the sheet for one player has a box for the Focus.
    """
    killed = any(seat.answers.get(f"game.{game}.focus") == "killed" for seat in tally.seats)
    impossible = FIVE_CARD_CATEGORIES if tally.options["four_card"] == "strict" else (Category.FULL_HOUSE,)
    for seat, hand in _hands(tally, game).items():
        if killed and hand in impossible:
            words = f"{{s0}} cannot have a {TAROKKA_NAMES[hand]}: without the Focus a hand has four cards."
            yield doubt("PG-36", f"{game_prefix}{words}", seat)


def _hand_score_parts(tally: Tally, seat: Seat, game: int) -> dict[str, Score]:
    """Return the parts of a seat's score that its hand in one game gives, or none if the hand is not known.

    `category` is the number of the hand's category; `strength` is its place from the weakest, at 0, to the strongest.
    """
    hand, weakest_first = _hands(tally, game).get(seat), _category_order(tally.options)[::-1]
    return {"category": CATEGORY_NUMBERS[hand], "strength": weakest_first.index(hand)} if hand else {}


def _single_game_outcome(tally: Tally) -> Outcome:
    """Return the outcome of a single game."""
    ranks = rank_standings([-place for place in _places(tally, 1)])
    reason, rulings = _reason(_hands(tally, 1), first_ranked(ranks))
    kind = "donjon" if tally.common.get("outcome") == "donjon" else "reveal"
    parts = tuple(_hand_score_parts(tally, seat, 1) for seat in range(len(ranks)))
    return Outcome(kind, first_ranked(ranks), reason, rulings, parts, ranks)


def _reason(hands: Mapping[Seat, Category], winners: tuple[Seat, ...]) -> tuple[Sentence, tuple[str, ...]]:
    """Return why the winners have the first place in a game, and the rulings for it."""
    best = hands.get(winners[0])
    if len(winners) > 1:
        return Sentence("{seats} share the first place.", winners), ("PG-6", "PG-7")
    if best is None:
        return Sentence("{s0} has the best hand.", winners), ("PG-7",)
    if list(hands.values()).count(best) == 1:
        return Sentence("{s0} has the best hand: {v0}.", winners, (), (TAROKKA_NAMES[best],)), ("PG-37",)
    words = "{s0} has the best hand: of those with {v0}, it comes first."
    return Sentence(words, winners, (), (TAROKKA_NAMES[best],)), ("PG-6", "PG-7")


def _match_outcome(tally: Tally) -> Outcome:
    """Return the outcome of a match: the seat with the most wins has won it; equal seats share it (G-9)."""
    games = {game: _places(tally, game) for game in _game_numbers(tally)}
    wins = [places.count(1) for places in zip(*games.values(), strict=True)]
    ranks = rank_standings(wins)
    winners = first_ranked(ranks)
    won = "has won" if len(winners) == 1 else "have each won"
    reason = Sentence(f"{{seats}} {won} {max(wins)} of {len(games)} games, the most.", winners)
    parts: list[dict[str, Score]] = [{"score": win_count} for win_count in wins]
    for game, places in games.items():
        for seat, place in enumerate(places):
            game_parts = {**_hand_score_parts(tally, seat, game), "place": place}
            parts[seat] |= {f"game.{game}.{name}": value for name, value in game_parts.items()}
    return Outcome("match", winners, reason, ("PG-38", "G-9"), tuple(parts), ranks)
