"""Functions that begin, resume and play toy games."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.session.toy import TOY_DECK, Toy, bots
from tests.sessions import create_session
from vaultkit.session import Session, parse_seats
from vaultkit.session.playout import BotMaker

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
ID = "20261103-toy-k3f9"
Begin = Callable[..., Session]


def begin(folder: Path, *seats: str, seed: int = 7, id: str = ID, make: BotMaker = bots, **more: Any) -> Session:
    """Begin a toy game; `more` holds the game's options and keywords of the session."""
    known = {key: more.pop(key) for key in ("real_cards", "agreement", "known") if key in more}
    specs = parse_seats(seats or ("North", "South"))
    return create_session(
        folder, Toy(), TOY_DECK, specs, id=id, seed=seed, clock=lambda: NOON, bots=make, options=more, **known
    )


def resume(path: Path, make: BotMaker = bots) -> Session:
    return Session.resume(path, Toy(), TOY_DECK, clock=lambda: NOON, make_bot=make)


def settle(session: Session) -> None:
    """Let everything happen that needs no person."""
    for _ in session.advance():
        pass


def play_first(session: Session, decisions: int = 1000) -> None:
    """Play the first offered move up to `decisions` times, or to the end of the game."""
    settle(session)
    while session.prompt and decisions > 0:
        session.submit(session.prompt.moves[0])
        settle(session)
        decisions -= 1
