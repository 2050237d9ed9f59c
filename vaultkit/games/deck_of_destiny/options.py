"""The house rules of the Deck of Destiny, and what one encounter asks, each with the ruling that it settles."""

from dataclasses import dataclass

from vaultkit.games.hands import POKER
from vaultkit.games.options import Option, SwitchOption, Value

NO_CATEGORY = "none"
FRENCH, TAROKKA_COMMON = "french52", "tarokka-common"
MOST = 47
"""The most cards that can be outside the veiled deck: five of 52 must be left for the board."""


@dataclass(frozen=True, slots=True)
class NumberOption(Option):
    """Any whole number from `low` to `high` as well; `values` lists the default, words, and numbers worth trying."""

    low: int
    high: int

    @property
    def accepted(self) -> str:
        words = [value for value in self.values if isinstance(value, str)]
        mark = f" (default {self.default})" if isinstance(self.default, int) else ""
        return ", ".join(filter(None, (self.marked(words), f"a number from {self.low} to {self.high}{mark}")))

    def parse(self, given: object) -> Value:
        """The accepted value that `given` spells. Raises UsageError that says what is accepted."""
        text = str(given).strip().lower()
        if text.isdecimal() and self.low <= int(text) <= self.high:
            return int(text)
        if text in self.values:
            return text
        raise self.refusal(given)


@dataclass(frozen=True, slots=True)
class CategoryOption(Option):
    """A kind of hand, written `two-pairs`, `Two Pairs`, `two_pair` or `a flush`."""

    def parse(self, given: object) -> Value:
        """The hand that is meant. Raises UsageError, with what was given as it was written."""
        words = str(given).lower().replace("_", " ").replace("-", " ").split()
        name = "-".join(words[1:] if words[:1] == ["a"] else words)
        return next((value for value in self.values if value in {name, f"{name}s"}), None) or Option.parse(self, given)


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """One of the decks that `values` lists, or the name of any deck of the GM's own."""

    @property
    def accepted(self) -> str:
        return f"{self.marked(self.values)}, the name of a deck of your own"

    def parse(self, given: object) -> Value:
        """The name of the deck, in lower case. Raises UsageError for no name at all."""
        name = " ".join(str(given).lower().split())
        return name or Option.parse(self, given)


OPTIONS = (
    CategoryOption(
        "requires",
        "DD-9",
        (NO_CATEGORY, *(category.replace(" ", "-") for category in POKER)),
        "The hand that a passive encounter asks for; none for a combative one.",
    ),
    Option("strength", "DD-14", (3, 1, 2, 4, 5, 6, 7), "How many cards the opponent is dealt."),
    DeckOption("deck", "DD-1", (FRENCH, TAROKKA_COMMON), "The deck: 52 cards, the Tarokka's 40, or one of your own."),
    NumberOption("inventory", "DD-2", (7, 0, 1, 20), "How many cards the character owns.", 0, MOST),
    NumberOption("elsewhere", "DD-15", (0, 8), "How many cards are in the inventories of others.", 0, MOST),
    NumberOption("reward", "DD-2", ("auto", "none", 4), "How many cards a win earns.", 0, MOST),
    SwitchOption("keep_on_win", "DD-3", ("no", "yes"), "Whether played cards come back to the inventory after a win."),
    SwitchOption("keep_on_retreat", "DD-3", ("no", "yes"), "Whether played cards come back after a retreat."),
    Option("empty", "DD-4", ("retreat", "draw-one"), "What happens to a character without cards."),
    Option("board_min", "DD-5", (1, 0), "The fewest cards of the board in a hand."),
    Option("own_min", "DD-5", (0, 1), "The fewest cards of one's own in a hand."),
    SwitchOption("pick_reveal", "DD-8", ("no", "yes"), "Whether the player picks what is turned up of the board."),
    Option("passive", "DD-9", ("at-least", "exact"), "Whether a hand above the one asked for will do."),
    Option("tie", "DD-10", ("not-won", "won", "replay"), "What equal hands mean in combat."),
)
