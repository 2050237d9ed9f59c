"""Commands that may be typed instead of a move."""

from dataclasses import dataclass
from typing import Literal

Verb = Literal[
    "list", "rule", "undo", "hide", "log", "table", "leave", "help", "ask", "more", "hint", "who", "why", "concede"
]

_VERBS_BY_WORD: dict[str, Verb] = {
    "": "list", "?": "rule", "u": "undo", "undo": "undo", "h": "hide", "hide": "hide", "l": "log", "log": "log",
    "s": "table", "scores": "table", "table": "table", "q": "leave", "quit": "leave", "exit": "leave", "help": "help",
    "ask": "ask", "more": "more", "hint": "hint", "who": "who", "why": "why",
    "concede": "concede",
}  # fmt: skip
_VERBS_WITH_TEXT: frozenset[Verb] = frozenset({"rule", "undo", "log", "ask", "why", "concede"})

CONCEDE_HELP = ("concede", "give up, after one more question; concede NAME for another player")
ASK_HELP = (
    ("ask {card}", "what your notes, the cards and our rulings say; questions in your own words, too: ask who begins"),
    ("more", "the next page of the last answer"),
)
COMMON_HELP = (
    *ASK_HELP,
    ("h", "hide the screen until Enter is pressed"),
    ("l", "what has happened lately; l all for everything"),
    ("s", "the whole table"),
    ("who", "how everybody stands"),
    ("q", "leave; the game is saved"),
)
"""The help on commands that any question takes."""

HELP: tuple[tuple[str, str], ...] = (
    (
        "b, ab, {card}",
        "a move: by letter, or by enough of its words or of a card's name; a number, or a capital such as K, is a rank",
    ),
    ("a c", "several cards at once, where they are chosen one after the other"),
    ("Enter", "the screen again, or the moves in full"),
    ("?", "the card in question, the rule of this moment, and the suit symbols; * marks what is new"),
    ("? {card}", "a card's text; also that of an offer: ? b, a ruling: ? G-8, and a heading of the rule note"),
    ("hint", "what a hard bot would do, what comes of it, and how all stand"),
    ("why {card}", "why that card can or cannot be played now"),
    ("u", "take back your last decision; u NAME for another person's"),
    CONCEDE_HELP,
    *COMMON_HELP,
)


_DEALER_MEANINGS = {
    "hint": "the card with which the party gains least, where they play together",
    "h": "hide the screen until Enter is pressed; your cards are gone from it",
}
DEALER_HELP = tuple(
    (keys, _DEALER_MEANINGS.get(keys, meaning)) for keys, meaning in HELP if keys not in {"a c", "concede"}
)
"""The help for a GM who plays the dealer."""


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command and what was typed behind it."""

    verb: Verb
    rest: str = ""


def parse_command(text: str) -> TypedCommand | None:
    """Return the typed command, or None if the text can only be a move."""
    if text.startswith("?"):
        return TypedCommand("rule", text[1:].strip())
    word, _, rest = text.strip().partition(" ")
    verb = _VERBS_BY_WORD.get(word.lower())
    if verb is None or (rest and verb not in _VERBS_WITH_TEXT):
        return None
    return TypedCommand(verb, rest.strip())


def is_leaving(text: str) -> bool:
    """Return whether a text is a command to leave the table."""
    return parse_command(text) == TypedCommand("leave")


def parse_beside_names(text: str) -> TypedCommand | None:
    """Return the command typed at a question for names, which may begin with the first letter of a command."""
    command = parse_command(text)
    return (
        None if command and command.verb in {"undo", "log", "concede"} and command.rest not in {"", "all"} else command
    )
