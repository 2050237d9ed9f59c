"""The words that must be on the screen together at each decision, and a program that plays a seeded game.

Its arguments are a folder, a game, the numbers of people and of bots, and a seed. For each decision it writes the words
that must be visible to `wanted.json` in that folder, and then waits for an answer.
"""

import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from tests.terminal.helpers import Notes
from tests.terminal.playing import play
from tests.terminal.refereed import NAMES, begin
from vaultkit.games.turn import Prompt
from vaultkit.scene.move_input import LetterBook
from vaultkit.scene.scene import Scene, scene_of_seat
from vaultkit.session import Session
from vaultkit.terminal.answer_sources import TerminalSource
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText


def words_to_show(session: Session, letters: LetterBook | None = None) -> dict[str, Any]:
    """Return the words that must be visible now, and the letters that answer."""
    prompt = session.turn
    assert isinstance(prompt, Prompt)
    scene = scene_of_seat(session, prompt.seat)
    speaker = TerminalText(session.name, session.deck, TerminalStyle(session.deck.suits))
    letters = letters or LetterBook()
    offers = letters.sort(scene)
    assert scene.question
    return {
        "heading": [speaker.words(part) for part in scene.heading[:1]],
        "words": [scene.title, "? rule", speaker.text(scene.question.text).plain],
        "names": [session.name(one.seat)[:10] for one in scene.standings],
        "hand": [speaker.card(card).plain for card in _hand(scene, session)],
        "offers": [speaker.text(offer.ends or offer.label).plain[:12] for offer in offers if not offer.card],
        "letters": letters.assign(scene, offers),
        "cards": dict(letters.letters_by_card),
    }


def missing_words(seen: Sequence[str], want: dict[str, Any]) -> list[str]:
    """Return the words and letters that a screen lacks."""
    text = " ".join(" ".join(seen).split())
    words = [*want["heading"], *want["words"], *want["names"], *want["hand"], *want["offers"]]
    lacking = [word for word in words if " ".join(word.split()) not in text]
    letters = [one for one in want["letters"] if f"type {one[0]}" not in text]
    return [*lacking, *(f"letter {one}" for one in letters if not re.search(rf"(?:^| ){one} ", text))]


def _hand(scene: Scene, session: Session) -> Iterable[str]:
    """Yield the cards in the hidden hand of the seat that is asked."""
    zones = (zone for zone in scene.zones if zone.kind == "hand" and zone.owner is not None)
    return (card for zone in zones if zone.owner == scene.you for card in zone.cards if card in session.deck.by_id)


class Watched(TerminalSource):
    """A terminal that writes what must be visible before each question."""

    def __init__(self, console: Console, session: Session, folder: Path) -> None:
        super().__init__(console)
        self._session = session
        self._file = folder / "wanted.json"
        self._asked = -1
        self._letters: dict[int, LetterBook] = {}

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
        steps = len(self._session.steps)
        again, self._asked = steps == self._asked, steps
        assert self._session.prompt
        book = self._letters.setdefault(self._session.prompt.seat, LetterBook())
        self._file.write_text(json.dumps(words_to_show(self._session, book) | {"again": again}), "utf-8")
        return super().answer(question, about, words)


def main(folder: Path, game: str, people: int, bots: int, seed: int) -> None:
    console = Console()
    seats = (*NAMES[:people], *["bot:greedy"] * bots)
    with begin(folder, game, seats, real=False, seed=seed) as session:
        play(session, console, Watched(console, session, folder), Notes())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))
