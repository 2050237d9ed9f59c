"""Stories of seeded games between bots."""

from datetime import UTC, datetime
from pathlib import Path

from tests.sessions import create_session
from vaultkit.bots.registry import make_bot
from vaultkit.campaign.result import GameResult, Sources, from_session
from vaultkit.cards.deck import known_deck
from vaultkit.games import registry
from vaultkit.session import SeatSpec

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
NAMES = ("Ysolde", "Bram", "Sefa", "Corin")
SEATS = {"dragon-citadel": 4, "propheta": 3, "turn-of-fate": 2, "prophets-gambit": 4, "deck-of-destiny": 1}
GAMES = tuple(SEATS)


def played(folder: Path, game: str, seed: int, vault: Path | None = None, **options: object) -> GameResult:
    """Play a game of bots with people's names; every third seed plays at random, others with greedy bots."""
    rules, strategy = registry.rules(game), "random" if seed % 3 == 0 else "greedy"
    deck = known_deck(rules.deck)
    assert deck
    if game == "dragon-citadel" and seed % 2:
        options = {"mode": "competitive"} | options
    seats = [SeatSpec(name, strategy) for name in NAMES[: SEATS[game]]]
    with create_session(
        folder, rules, deck, seats, id=f"20261103-{game}-{seed:04d}", seed=seed, clock=lambda: NOON, bots=make_bot,
        options=options,
    ) as session:  # fmt: skip
        assert list(session.advance()) and session.outcome
        return from_session(session, Sources(), vault)
