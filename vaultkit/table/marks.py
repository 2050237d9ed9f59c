"""The names by which one page knows cards and pictures: drawn by lot, another one for each page."""

from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable
from random import Random, SystemRandom

_BYTES = 9


class Marks:
    """The marks of one page at the address `at`. A card that was hidden in between has a new one afterwards."""

    def __init__(self, at: str = "/", pictured: Iterable[str] = (), lots: Random | None = None) -> None:
        self._at = at
        self._lots = lots or SystemRandom()
        self._cards: dict[str, str] = {}
        self._faces = {card: self._lot() for card in pictured}
        self.by_face = {key: card for card, key in self._faces.items()}

    def card(self, card_id: str) -> str:
        """The mark of a card that this page may see now; it may be the id of an element."""
        if card_id not in self._cards:
            self._cards[card_id] = f"c{self._lot()}"
        return self._cards[card_id]

    def card_of(self, mark: object) -> str:
        """The card that bears a mark, "" for none."""
        return next((card for card, known in self._cards.items() if known == mark), "")

    def face(self, card_id: str) -> str:
        """The address of the picture of that name, which is a card's id; "" where there is none."""
        key = self._faces.get(card_id)
        return f"{self._at}face/{key}" if key else ""

    def faces(self) -> tuple[str, ...]:
        """The addresses of all pictures, in any order: a page fetches them all before the first card is seen."""
        addresses = [self.face(card) for card in self._faces]
        self._lots.shuffle(addresses)
        return tuple(addresses)

    def _lot(self) -> str:
        return urlsafe_b64encode(self._lots.randbytes(_BYTES)).decode()

    def forget_all_but(self, seen: Collection[str]) -> None:
        """Forget the cards that this page does not see any more."""
        self._cards = {card: mark for card, mark in self._cards.items() if card in seen}
