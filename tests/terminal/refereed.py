"""Games refereed with a real deck on the table, and the people who play them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from rich.text import Text

from tests.sessions import create_session
from tests.terminal.helpers import Notes, person, screen, shown
from tests.terminal.playing import play
from vaultkit.bots.registry import make_bot
from vaultkit.cards.deck import known_deck
from vaultkit.games import registry
from vaultkit.session import Session, Step, parse_seats
from vaultkit.session.options import settle
from vaultkit.session.real_deck import find_refereeing

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)

NAMES = ("Ysolde", "Bram", "Sefa", "Odhran", "Nettle")


def deck_of(game: str) -> Any:
    deck = known_deck(registry.find(game).deck)
    assert deck
    return deck


def begin(
    folder: Path, game: str, seats: Sequence[str], *, real: bool = True, seed: int = 1, **options: Any
) -> Session:
    rules, specs = registry.rules(game), parse_seats(seats)
    unseen = find_refereeing(game, settle(rules, options), specs).unseen if real else ()
    name = f"20261103-{game}-{'real' if real else 'sham'}"
    return create_session(
        folder, rules, deck_of(game), specs, id=name, seed=seed, clock=lambda: NOON, bots=make_bot,
        options=options, real_cards=real, unseen=unseen,
    )  # fmt: skip


def resume(session: Session) -> Session:
    session.close()
    return Session.resume(session.path, session.game, session.deck, clock=lambda: NOON, make_bot=make_bot)


class Table:
    """People who play the game `truth` with real cards, and name them in varying words."""

    def __init__(self, session: Session, truth: Sequence[Step], rng: Random) -> None:
        self.session, self.truth, self.rng = session, truth, rng
        self.passed: list[str] = []

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
        if "stayed face down" in question.plain:
            seat = next(at for at, name in enumerate(NAMES) if question.plain.startswith(name))
            left = [event for event in self.truth[-1].events if event.kind == "in-vain" and event.seat == seat]
            return ", ".join(self.named(card) for card in left[0].cards)
        step = self.truth[len(self.session.steps)]
        if step.chance:
            return ", ".join(self.named(word) for word in step.move.operands)
        if self.session.header.unseen:
            return self.named(step.move.operands[0]) if step.move.operands else "nothing"
        return step.move.id

    def named(self, word: str) -> str:
        card = self.session.deck.by_id.get(word)
        if card is None:
            return NAMES[int(word)] if word.isdecimal() else word
        forms = [card.id, card.name, card.title, f"the {card.name.upper()}"]
        return self.rng.choice(forms)

    def pause(self, text: Text) -> str:
        self.passed.append(text.plain)
        return ""

    def confirm(self, question: Text, again: str) -> bool:
        return True

    def refuse(self, message: str, hint: str) -> bool:
        raise AssertionError(message)


def truth(folder: Path, game: str, seats: int, seed: int, **options: Any) -> Session:
    """Play a whole game of random bots, dealt by the app."""
    with begin(folder, game, ["bot:random"] * seats, real=False, seed=seed, **options) as session:
        for _ in session.advance():
            pass
    return session


HANDS = (
    "raven, 6 swords, 7 swords, 1 swords, merchant",
    "2sw, 3sw, 4sw, 5sw, 8sw",
    "9sw, wizard, 1st, 2st, 3st",
)


def citadel(folder: Path, *typed: str, **options: Any) -> tuple[Session, str]:
    console = screen(200)
    with begin(folder, "dragon-citadel", NAMES[:3], **options) as session:
        play(session, console, person(console, *typed), Notes())
    return session, shown(console)
