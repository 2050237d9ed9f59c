"""The house rules of the Deck of Destiny, and what one encounter asks, each with the ruling that it settles."""

from dataclasses import dataclass

from vaultkit.errors import UsageError
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

    def parse(self, given: object) -> Value:
        """The accepted value that `given` spells. Raises UsageError that says what is accepted."""
        text = str(given).strip().lower()
        if text.isdecimal() and self.low <= int(text) <= self.high:
            return int(text)
        words = [value for value in self.values if isinstance(value, str)]
        if text in words:
            return text
        accepted = " | ".join([*words, f"a number from {self.low} to {self.high}"])
        raise UsageError(f"'{given}' is not a value of '{self.key}'.", hint=f"Accepted: {accepted} ({self.ruling}).")


@dataclass(frozen=True, slots=True)
class CategoryOption(Option):
    """A kind of hand, written `two-pairs`, `two pairs` or `Two_Pairs`."""

    def parse(self, given: object) -> Value:
        return Option.parse(self, "-".join(str(given).replace("_", " ").replace("-", " ").split()))


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """One of the decks that `values` lists, or the name of any deck of the GM's own."""

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
