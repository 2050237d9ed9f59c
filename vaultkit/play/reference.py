"""The rules and the cards' texts, as a front-end asks for them at the moment when they matter."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a note, as plain lines. `source` says where it stands: a note's name, or a ruling's number."""

    title: str
    text: str
    source: str = ""
    complete: bool = False
    """Whether a card's text says as well what the rules say of that card."""


class Reference(Protocol):
    """Whoever can find passages; for a player at the table the compendium of the vault."""

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        """The rule under that heading, else the rulings; None if neither is to be found."""

    def section(self, words: str) -> Passage | None:
        """The passage under the heading that goes by these words, or has them in it; its title is that heading."""

    def card(self, card_id: str) -> Passage | None:
        """A card's text, with what the rules say of that card, if they do."""


class NoReference:
    """A reference that knows nothing, for a game without notes."""

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:  # noqa: ARG002
        return None

    def section(self, words: str) -> Passage | None:  # noqa: ARG002
        return None

    def card(self, card_id: str) -> Passage | None:  # noqa: ARG002
        return None
