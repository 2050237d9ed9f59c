"""Commands that may be typed instead of a move."""

from dataclasses import dataclass
from typing import Literal

Verb = Literal["list", "why", "undo", "hide", "log", "table", "leave", "help", "ask"]

_WORDS: dict[str, Verb] = {
    "": "list", "?": "why", "u": "undo", "undo": "undo", "h": "hide", "hide": "hide", "l": "log", "log": "log",
    "s": "table", "scores": "table", "table": "table", "q": "leave", "quit": "leave", "exit": "leave", "help": "help",
    "ask": "ask",
}  # fmt: skip
_TAKES_MORE: frozenset[Verb] = frozenset({"why", "undo", "log", "ask"})

ALWAYS = (
    ("ask {card}", "what your notes, the cards and our rulings say; questions in your own words, too: ask who begins"),
    ("h", "hide the screen until Enter is pressed"),
    ("l", "what has happened lately; l all for everything"),
    ("s", "the table"),
    ("q", "leave; the game is saved"),
)
"""The help on commands that any question takes."""

HELP: tuple[tuple[str, str], ...] = (
    ("2, b, {card}", "a move: by number, by letter, or by enough of its words or of a card's name"),
    ("Enter", "the moves again"),
    ("?", "the card in question, and the rule of this moment"),
    ("? {card}", "a card's text; also that of an offer: ? 2, a ruling: ? G-8, and a heading of the rule note"),
    ("u", "take back your last decision; u NAME for another person's"),
    *ALWAYS,
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command and what was typed behind it."""

    verb: Verb
    rest: str = ""


def parse(typed: str) -> Command | None:
    """The command that was typed, or None where it can only be a move."""
    if typed.startswith("?"):
        return Command("why", typed[1:].strip())
    word, _, rest = typed.strip().partition(" ")
    verb = _WORDS.get(word.lower())
    if verb is None or (rest and verb not in _TAKES_MORE):
        return None
    return Command(verb, rest.strip())
