"""Random names of cards and pictures, which differ from page to page."""

from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable
from random import Random, SystemRandom

_ID_BYTES = 9


class OpaqueIds:
    """The marks of one page. A card that was hidden in between has a new one afterwards."""

    def __init__(self, pictured: Iterable[str] = (), random: Random | None = None) -> None:
        self._random = random or SystemRandom()
        self._cards: dict[str, str] = {}
        self._faces = {card: self._new_id() for card in pictured}
        self.by_face = {key: card for card, key in self._faces.items()}

    def card(self, card_id: str) -> str:
        """Return the name of a card that this page may see now; it can be used as the id of an HTML element."""
        if card_id not in self._cards:
            self._cards[card_id] = f"c{self._new_id()}"
        return self._cards[card_id]

    def find_card(self, mark: object) -> str:
        """Return the id of the card with a name, "" for an unknown name."""
        return next((card for card, card_mark in self._cards.items() if card_mark == mark), "")

    def face(self, card_id: str) -> str:
        """Return the address of a card's picture, relative to the page; "" if there is none."""
        key = self._faces.get(card_id)
        return f"face/{key}" if key else ""

    def faces(self) -> tuple[str, ...]:
        """Return the addresses of all pictures in random order, since a page fetches all before it shows a card."""
        addresses = [self.face(card) for card in self._faces]
        self._random.shuffle(addresses)
        return tuple(addresses)

    def _new_id(self) -> str:
        return urlsafe_b64encode(self._random.randbytes(_ID_BYTES)).decode()

    def retain_cards(self, visible_cards: Collection[str]) -> None:
        """Forget the names of cards that this page does not show any more."""
        self._cards = {card: mark for card, mark in self._cards.items() if card in visible_cards}
