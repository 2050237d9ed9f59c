"""Positions of Dragon Citadel, and short ways to play on from them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from random import Random

from tests.games.placing import place_all
from tests.games.playing import Playing
from vaultkit.cards.deck import known_deck
from vaultkit.games.dragon_citadel.game import make_round
from vaultkit.games.dragon_citadel.rules import OPTIONS
from vaultkit.games.dragon_citadel.state import CitadelState
from vaultkit.games.messages import Event, Seat
from vaultkit.games.options import resolve
from vaultkit.games.position_setup import Arrangement
from vaultkit.games.turn import Chance, Move, Prompt, draw_move

A, B, C, D = range(4)

_known = known_deck("tarokka")
assert _known is not None
DECK = _known
CARDS = tuple(card.id for card in DECK)
NUMBERS = tuple(card.id for card in DECK if isinstance(card.rank, int))
CROWNS = tuple(card.id for card in DECK if not card.suits and card.id != "seer")


def complete(**given: object) -> dict[str, str | int]:
    """Return all options: the given values and the defaults."""
    return resolve(OPTIONS, given, "Dragon Citadel")


@dataclass
class Play(Playing[CitadelState]):
    """A game in progress; `before` is the number of cards discarded when it was set up."""

    before: int

    def luck(self, *answers: str) -> list[Event]:
        """Answer one chance event."""
        assert isinstance(self.turn, Chance), f"no chance: {self.turn}"
        return self.apply(draw_move(*answers))

    def refill(self) -> list[tuple[Seat | None, int]]:
        """Answer the draws at the end of a round with any cards; return the seat and number of cards of each."""
        draws = []
        while isinstance(self.turn, Chance) and self.turn.name in {"deal", "refill", "dealer-draw"}:
            turn = self.turn
            draws.append((turn.seat, turn.count))
            self.luck(*(*turn.pile.unknown, *turn.pile.bottom)[: turn.count])
        return draws

    def won(self, seat: Seat) -> set[str]:
        return set(self.state.at.won[seat])

    def crowns(self, seat: Seat) -> set[str]:
        return set(self.state.at.crowns[seat])

    @property
    def discarded(self) -> set[str]:
        """The cards discarded since the game was set up."""
        return set(self.state.at.discard[self.before :])

    @property
    def out(self) -> list[Seat]:
        """The seats that have forfeited since the game was set up, in order."""
        return [event.seat for event in self.told("forfeit") if event.seat is not None]

    @property
    def active(self) -> tuple[Seat, ...]:
        return self.state.at.active

    def branch(self, *ids: str) -> "Play":
        """Return a copy of the game in which these moves are made."""
        other = Play(self.state.clone(), self.before, events=self.events.copy())
        other.play(*ids)
        return other


def _fillers(dealt: str | None, taken: set[str]) -> Iterator[str]:
    """Yield numbers that are not in `taken` and do not answer the dealer's card."""
    suit = DECK.by_id[dealt].suits if dealt else ()
    return (card for card in NUMBERS if card not in taken and DECK.by_id[card].suits != suit)


def standing(
    dealt: str | None,
    hands: tuple[str, ...],
    *,
    crowns: Mapping[Seat, str] | None = None,
    won: Mapping[Seat, str] | None = None,
    deck: str | None = None,
    bottom: str = "",
    dealer_hand: str = "",
    out: tuple[Seat, ...] = (),
    people: tuple[Seat, ...] = (),
    fill: bool = True,
    **options: object,
) -> Play:
    """Return a game in which the dealer has just turned up `dealt`, or, if that is None, is about to turn up a card.

    Hands are filled up to five cards with numbers that do not answer. `deck` lists the cards to draw after `dealt`, by
    default all that are not placed elsewhere; cards placed nowhere were discarded before.
    """
    seats, piles = len(hands), [hand.split() for hand in hands]
    zones = place_all(
        {"crowns": [(crowns or {}).get(seat, "") for seat in range(seats)],
         "won": [(won or {}).get(seat, "") for seat in range(seats)]},
        {"dealer": dealt or "", "dealer hand": dealer_hand, "deck": deck},
    )  # fmt: skip
    lying = [card for stacks in zones.values() for card in chain(*stacks)]
    taken = {*chain(*piles), *lying, *bottom.split()}
    fillers = _fillers(dealt, taken)
    for seat, pile in enumerate(piles):
        pile.extend(islice(fillers, max(5 - len(pile), 0) if fill and seat not in out else 0))
    zones |= place_all({"hand": map(" ".join, piles)}, {})
    left = [card for card in CARDS if card not in taken.union(*piles)]
    laid = Arrangement(complete(**options), DECK, seats, zones, left, people=frozenset(people))
    state = make_round(laid, out, tuple(bottom.split()))
    assert sorted(state.cards()) == sorted(CARDS), "a card in two places"
    return Play(state, len(state.at.discard))


def competitive(dealt: str | None, hands: tuple[str, ...], **more: object) -> Play:
    """Return a competitive game in which the dealer has just turned up `dealt`, with the arguments of `standing`."""
    return standing(dealt, hands, mode="competitive", **more)  # type: ignore[arg-type]


def sample(state: CitadelState, rng: Random) -> Move:
    """Return a random answer to the state's turn, rarely the joker."""
    turn = state.turn
    if isinstance(turn, Prompt):
        quiet = [move for move in turn.moves if move.verb != "joker"]
        return rng.choice(quiet if quiet and rng.random() < 0.9 else list(turn.moves))
    assert isinstance(turn, Chance)
    if turn.options:
        return draw_move(rng.choice(turn.options))
    unknown = rng.sample(turn.pile.unknown, min(turn.count, len(turn.pile.unknown)))
    return draw_move(*unknown, *turn.pile.bottom[: turn.count - len(unknown)])
