"""Encounters with chosen cards, and short ways to play them. Cards are written as in `AS TD 2C`."""

from dataclasses import dataclass, field

from vaultkit.cards.deck import known_deck
from vaultkit.games.deck_of_destiny import ending
from vaultkit.games.deck_of_destiny.game import DeckOfDestiny
from vaultkit.games.deck_of_destiny.rules import OPTIONS, DestinyRules, make_rules
from vaultkit.games.deck_of_destiny.state import DestinyState
from vaultkit.games.messages import Event, Outcome
from vaultkit.games.options import resolve
from vaultkit.games.turn import Chance, Move, Prompt, Turn, draw_move

GAME = DeckOfDestiny()
_known = known_deck("french52")
assert _known is not None
DECK = _known
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SEVEN = "AS KS QS JS TS 9S 8S"


def cards(text: str) -> tuple[str, ...]:
    """Return the ids of cards such as `AS TD 2C`."""
    return tuple(f"{RANKS.get(word[0], word[0])}-{SUITS[word[1]]}" for word in text.split())


def complete(**given: object) -> dict[str, str | int]:
    """Return all options: the given values and the defaults."""
    return resolve(OPTIONS, given, GAME.title)


def rules(**given: object) -> DestinyRules:
    return make_rules(complete(**given), DECK)


@dataclass
class Play:
    """A state, all events since it was set up, and short ways to inspect it."""

    state: DestinyState
    events: list[Event] = field(default_factory=list)

    def apply(self, move: Move) -> list[Event]:
        told = list(self.state.apply(move))
        self.events += told
        return told

    def play(self, *ids: str) -> "Play":
        """Answer prompts with these moves."""
        for move in ids:
            assert isinstance(self.turn, Prompt), f"nobody is asked for '{move}': {self.turn}"
            self.apply(Move.parse(move))
        return self

    def luck(self, text: str, name: str = "") -> "Play":
        """Answer one chance event with these cards."""
        assert isinstance(self.turn, Chance), f"no chance: {self.turn}"
        assert not name or self.turn.name == name
        self.apply(draw_move(*cards(text)))
        return self

    def lay(self, text: str) -> "Play":
        """Lay cards, one for each prompt."""
        return self.play(*(f"play {card}" for card in cards(text)))

    def add(self, text: str = "") -> "Play":
        """Add cards, and then decline to add more."""
        return self.play(*(f"add {card}" for card in cards(text)), "done")

    @property
    def turn(self) -> Turn:
        return self.state.turn

    @property
    def prompt(self) -> Prompt:
        assert isinstance(self.turn, Prompt), f"nobody is asked: {self.turn}"
        return self.turn

    @property
    def chance(self) -> Chance:
        assert isinstance(self.turn, Chance), f"no chance: {self.turn}"
        return self.turn

    @property
    def moves(self) -> list[str]:
        return [move.id for move in self.prompt.moves]

    @property
    def outcome(self) -> Outcome:
        found = ending.outcome(self.state)
        assert found is not None, f"not over: {self.turn}"
        return found

    @property
    def inventory(self) -> tuple[str, ...]:
        return self.state.at.inventory

    @property
    def veiled(self) -> int:
        return len(self.state.at.veiled)

    def rest(self) -> "Play":
        """Finish the encounter without adding cards; chance draws the first cards of the pile."""
        while self.turn is not None:
            if isinstance(self.turn, Chance):
                self.apply(draw_move(*self.turn.pile.unknown[: self.turn.count]))
            else:
                self.apply(self.prompt.moves[-1 if self.moves[-1] == "done" else 0])
        return self


def begin(inventory: str = SEVEN, **options: object) -> Play:
    """Begin an encounter of a character who owns these cards."""
    owned = cards(inventory)
    play = Play(GAME.new(1, complete(inventory=len(owned), **options), DECK))
    if owned:
        play.luck(inventory, "inventory")
    return play


def fought(own: str, opponent: str, board: str, **options: object) -> Play:
    """Return a combative encounter in which all of `own` is laid: one card, up to five, and the rest."""
    first, *more = own.split()
    shown = board.split()
    game = begin(own, strength=len(opponent.split()), **options).lay(first).luck(" ".join(shown[:3]))
    game.play("proceed").add(" ".join(more[:5])).luck(shown[3]).play("proceed").add(" ".join(more[5:]))
    return game.luck(opponent, "opponent").luck(shown[4], "board")


def faced(own: str, board: str, requires: str, **options: object) -> Play:
    """Return a passive encounter in which all of `own` is laid: one card, up to five, and the rest."""
    first, *more = own.split()
    shown = board.split()
    game = begin(own, requires=requires, **options).lay(first).luck(" ".join(shown[:3]))
    game.play("proceed").add(" ".join(more[:5])).luck(shown[3]).play("proceed").add(" ".join(more[5:]))
    return game.luck(shown[4], "board")
