"""Sessions of any game, begun with an id and a seed of the test's own; and what a player takes back."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vaultkit.bots.registry import make_bot
from vaultkit.cards import Deck
from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Seat
from vaultkit.session import SeatSpec, Session
from vaultkit.session.headers import new_header
from vaultkit.session.playout import BotMaker
from vaultkit.session.session import Clock


def create_session(
    folder: Path,
    game: AnyGame,
    deck: Deck,
    seats: Sequence[SeatSpec],
    *,
    clock: Clock,
    bots: BotMaker = make_bot,
    **facts: Any,
) -> Session:
    """A game that begins, with its journal in `folder`."""
    return Session.begin(
        folder, game, deck, new_header(game, deck, seats, clock(), **facts), clock=clock, make_bot=bots
    )


def undo(session: Session, seat: Seat) -> None:
    """Take back the seat's own last decision (G-8)."""
    session.go_back(session.plan_undo(seat))
