"""Positions of Prophet's Gambit, and short ways to play on from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tests.games.placing import place_all
from tests.games.playing import Playing
from vaultkit.cards.deck import known_deck
from vaultkit.games.messages import Event, Outcome, Seat
from vaultkit.games.options import resolve
from vaultkit.games.position_setup import Arrangement
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.game import ProphetsGambit, make_position
from vaultkit.games.prophets_gambit.rounds import GambitRound, Turns
from vaultkit.games.prophets_gambit.rules import HIGH_CARDS, OPTIONS, make_rules
from vaultkit.games.prophets_gambit.state import GambitState, GambitTask, GambitView
from vaultkit.games.turn import Chance, Pile, Prompt, draw_move

A, B, C, D, E = range(5)

GAME = ProphetsGambit()
_known = known_deck("tarokka")
assert _known is not None
DECK = _known
COMMON = tuple(card.id for card in DECK if card.suits)

SWORDS, STARS = "1-swords 2-swords 3-swords 4-swords 5-swords", "1-stars 2-stars 3-stars 4-stars 5-stars"
COINS, GLYPHS = "1-coins 2-coins 3-coins 4-coins 5-coins", "1-glyphs 2-glyphs 3-glyphs 4-glyphs 5-glyphs"
HANDS = [SWORDS, STARS, COINS, GLYPHS]
TOPS = "9-coins 7-stars 7-coins 7-glyphs"
"""The cards that the players show; A shows the highest number."""

FATES = "6-swords 6-stars 6-coins 6-glyphs"


def complete(**given: object) -> dict[str, str | int]:
    """Return all options: the given values and the defaults."""
    return resolve(OPTIONS, given, GAME.title)


@dataclass
class Play(Playing[GambitState]):
    """A game of Prophet's Gambit in progress, with short ways to inspect it."""

    def luck(self, *answers: str) -> list[Event]:
        """Answer one chance event, by default with the first cards of the pile."""
        turn = self.chance
        return self.apply(draw_move(*(answers or turn.pile.unknown[: turn.count] or turn.options[:1])))

    def risk(self, card: str, high: str) -> list[Event]:
        """Risk `card`, and turn up `high`."""
        return [*self.play(f"risk {card}"), *self.luck(high)]

    def finish(self, rng: Random | None = None) -> Outcome:
        """Play on at random to the end."""
        from tests.games.conformance import finish

        finish(self.state, rng or Random(0))
        return self.outcome

    @property
    def verbs(self) -> set[str]:
        return {move.verb for move in self.prompt.moves}

    @property
    def discarded(self) -> tuple[str, ...]:
        return self.state.at.discard

    @property
    def common(self) -> tuple[str, ...]:
        return self.state.at.common.unknown

    @property
    def fates(self) -> list[str | None]:
        return self.state.at.fates

    @property
    def sizes(self) -> list[int]:
        return [len(hand) for hand in self.state.at.hands]

    def view(self, seat: Seat) -> GambitView:
        return self.state.view(seat)


def fates(view: GambitView) -> tuple[str | None, ...]:
    """Return the Fate of each seat as far as the viewer knows it, or None."""
    return tuple(fate or None for fate in view.at.fates)


def new(seats: int = 4, **options: object) -> Play:
    """Return a game before its first deal; A deals unless the options say otherwise."""
    return Play(GAME.new(seats, complete(**{"dealer": 0, **options}), DECK))


def dealt(seats: int = 4, **options: object) -> Play:
    """Return a game after the deal."""
    game = new(seats, **options)
    while isinstance(game.turn, Chance):
        game.luck()
    return game


def standing(
    hands: Sequence[str],
    *,
    shown: str = "",
    fates: str = "",
    focus: str = "",
    common: str | None = None,
    discard: str = "",
    kept: Mapping[Seat, str] = {},
    waiting: Sequence[Seat] | None = None,
    forced: tuple[Seat, str] | None = None,
    high: Sequence[str] = HIGH_CARDS,
    round: int = 1,
    steps: Sequence[GambitTask] | None = None,
    dealer: Seat = A,
    **options: object,
) -> Play:
    """Return a game in the middle of a round, in which the seats in `waiting` still have a turn; A deals by default.

    Cards that are not named may be any. The rest are the Common Deck, or lie on the discard pile if `common` names the
    deck. `steps` are the remaining tasks, the last one first.
    """
    zones = place_all(
        {"hand": hands, **{name: _first(text, len(hands)) for name, text in (("shown", shown), ("fate", fates))},
         "kept": [kept.get(seat, "") for seat in range(len(hands))]},
        {"focus": focus or None, "common": common, "discard": discard},
    )  # fmt: skip
    named = [card for text in (*hands, shown, fates, focus, common or "", discard) for card in text.split()]
    assert set(named) <= set(COMMON) and len(named) == len(set(named)), "every card is a Common card and named once"
    left = [card for card in reversed(COMMON) if card not in named]
    laid = Arrangement(complete(**{**options, "dealer": dealer}), DECK, len(hands), zones, left)
    rules = make_rules(len(hands), complete(**options), frozenset(), DECK)
    at = make_position(laid, rules)
    at.dealer, at.round, at.forced = dealer, round, forced
    at.waiting = tuple(range(len(hands)) if waiting is None else waiting)
    at.high = Pile(tuple(card for card in high if card in at.high.unknown))
    later: list[GambitTask] = [Reveal(), Execution(), *([GambitRound(2)] if round == 1 else []), Turns()]
    return Play(GambitState(rules, at, later if steps is None else list(steps)))


def _first(text: str, seats: int) -> list[str | None]:
    """Return a card for each of the first seats, and None for the others."""
    return [*text.split(), *[None] * (seats - len(text.split()))]


def at_reveal(hands: Sequence[str], **more: object) -> Outcome:
    """Return the outcome of a game that is about to reach the Reveal."""
    game = standing(hands, steps=[Reveal()], waiting=(), round=2, **more)  # type: ignore[arg-type]
    return game.outcome


def at_execution(hands: Sequence[str], **more: object) -> Play:
    """Return a game that is about to reach the Execution."""
    return standing(hands, steps=[Reveal(), Execution()], waiting=(), round=2, **more)  # type: ignore[arg-type]


def risked(high: str, *, innocent: int | None = None, actor: int = A, **more: object) -> Play:
    """Return a game in which `actor` has risked its lowest card and turned up `high`; `innocent` holds the Innocent."""
    kept = {} if innocent is None else {innocent: "innocent"}
    game = standing(HANDS, **{"fates": FATES, "waiting": tuple(range(actor, 4)), "kept": kept, **more})  # type: ignore[arg-type]
    game.risk(HANDS[actor].split()[0], high)
    return game


def all_beasts(game: Play) -> tuple[list[int], list[int]]:
    """Let each seat discard and draw the first card; return the seats that discard and those that draw."""
    discards, draws = [], []
    while isinstance(game.turn, Prompt) and game.verbs == {"discard"}:
        discards.append(game.asked)
        game.apply(game.prompt.moves[0])
    while isinstance(game.turn, Chance):
        assert game.turn.seat is not None
        draws.append(game.turn.seat)
        game.luck()
    return discards, draws
