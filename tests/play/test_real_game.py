"""Dragon Citadel through session and line front-end, from the first card to the score sheet."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.play.helpers import screen, shown
from vaultkit.cards import Card, Deck
from vaultkit.play.line import play
from vaultkit.play.sources import Script
from vaultkit.session import Session, parse_seats
from vaultkit.session.replay import replay

pytest.importorskip("vaultkit.games.dragon_citadel", exc_type=ImportError)

from vaultkit.games.dragon_citadel import DragonCitadel

SUITS = ("Swords", "Stars", "Coins", "Glyphs")
CROWNS = (
    "Artifact", "Beast", "Broken One", "Darklord", "Donjon", "Seer", "Ghost", "Executioner", "Horseman", "Innocent",
    "Marionette", "Mists", "Raven", "Tempter",
)  # fmt: skip
TAROKKA = Deck(
    "tarokka",
    "Tarokka",
    (
        *(Card(f"{rank}-{suit.lower()}", f"{suit} {rank}", (suit,), rank) for suit in SUITS for rank in range(1, 10)),
        *(Card(f"master-{suit.lower()}", f"Master of {suit}", (suit,), "Master") for suit in SUITS),
        *(Card(name.lower().replace(" ", "-"), name) for name in CROWNS),
    ),
)


@pytest.mark.parametrize("mode", ["coop", "competitive"])
@pytest.mark.parametrize("seats", [("Ysolde", "Aldous", "bot:random"), ("Ysolde", "bot:greedy", "bot:greedy")])
def test_a_whole_game(tmp_path: Path, mode: str, seats: tuple[str, ...]) -> None:
    console = screen()
    session = Session.create(
        tmp_path,
        DragonCitadel(),
        TAROKKA,
        parse_seats(seats),
        id="20261103-dragon-citadel-k3f9",
        seed=7,
        clock=lambda: datetime(2026, 11, 3, tzinfo=UTC),
        options={"mode": mode},
    )
    with session:
        outcome = play(session, console, Script(console, "first.txt", ["1"] * 500))
    seen = shown(console)
    assert outcome and outcome == session.outcome
    assert "The end" in seen and "{" not in seen
    assert replay(session.path, DragonCitadel(), TAROKKA)[1] == session.steps
