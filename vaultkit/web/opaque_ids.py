"""The names by which one page knows cards and pictures: drawn by lot, another one for each page."""

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
        """The mark of a card that this page may see now; it may be the id of an element."""
        if card_id not in self._cards:
            self._cards[card_id] = f"c{self._new_id()}"
        return self._cards[card_id]

    def find_card(self, mark: object) -> str:
        """The card that bears a mark, "" for none."""
        return next((card for card, card_mark in self._cards.items() if card_mark == mark), "")

    def face(self, card_id: str) -> str:
        """Return the address of a card's picture, relative to the page; "" if there is none."""
        key = self._faces.get(card_id)
        return f"face/{key}" if key else ""

    def faces(self) -> tuple[str, ...]:
        """The addresses of all pictures, in any order: a page fetches them all before the first card is seen."""
        addresses = [self.face(card) for card in self._faces]
        self._random.shuffle(addresses)
        return tuple(addresses)

    def _new_id(self) -> str:
        return urlsafe_b64encode(self._random.randbytes(_ID_BYTES)).decode()

    def retain_cards(self, visible_cards: Collection[str]) -> None:
        """Forget the cards that this page does not see any more."""
        self._cards = {card: mark for card, mark in self._cards.items() if card in visible_cards}
