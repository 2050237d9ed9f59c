"""The rules and the cards' texts, as a front-end asks for them at the moment when they matter."""

from collections.abc import Sequence
from typing import Protocol

from vaultkit.errors import NothingFound
from vaultkit.session.passages import Passage


class Reference(Protocol):
    """Whoever can find passages; for a player at the table the compendium of the vault."""

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        """The rule under that heading, else the rulings; None if neither is to be found."""

    def section(self, words: str) -> Passage | None:
        """The passage under the heading that goes by these words, or has them in it; its title is that heading."""

    def card(self, card_id: str) -> Passage | None:
        """A card's text, with what the rules say of that card, if they do."""

    def ask(self, words: str) -> Sequence[Passage]:
        """The passages that answer a question, the best first. Raises NothingFound if nothing does."""


class NoReference:
    """A reference that knows nothing, for a game without notes."""

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:  # noqa: ARG002
        return None

    def section(self, words: str) -> Passage | None:  # noqa: ARG002
        return None

    def card(self, card_id: str) -> Passage | None:  # noqa: ARG002
        return None

    def ask(self, words: str) -> Sequence[Passage]:
        raise NothingFound(f"There are no notes here that could answer '{words}'.")
