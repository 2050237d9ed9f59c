"""A small vault and a finished game, written by hand so that its tests depend on no real game."""

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from vaultkit.campaign.log import LogResult, record_game
from vaultkit.campaign.result import GameResult, Sources
from vaultkit.games.messages import Outcome, Sentence, Table
from vaultkit.session import SeatSpec
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault

NOW = datetime(2026, 11, 3, 22, 15)
SESSION = "20261103-dragon-citadel-k3f9"
DECK = "3-Mechanics/CLI/decks/tarokka-deck-cos.md"
RULES = "3-Mechanics/CLI/variant-rules/dragon-citadel.md"
CARDS = {"6-swords": "Berserker", "9-coins": "Miser", "raven": "Raven"}
SETTINGS = Settings(players=("Ysolde Marr", "Bram Tolliver"), campaign=CampaignSettings(note="Campaign Log"))
NOTES = {
    ".obsidian/app.json": "{}",
    "Campaign Log.md": "---\n# mine\ntags: [campaign]\n---\n# Log of the Campaign\n\n"
    "## Log\n\n- 2026-10-31: Tea.\n\n## Loose Ends\n\n- [ ] One\n",
    "1-Party/Ysolde Marr.md": "---\naliases: [Ysolde]\n---\nA cleric.\n",
    "1-Party/Bram Tolliver.md": "---\naliases: Bram\n---\nA fighter.\n",
    "2-World/Ivo.md": "---\naliases: [The Boy]\n---\nA boy.\n",
    RULES: "---\nobsidianUIMode: preview\nvaultkit-game: dragon-citadel\n---\n# Dragon Citadel\n",
    DECK: "---\ncssclasses: [json5e-deck]\n---\n# Tarokka Deck\n\n## Cards\n\n"
    + "".join(f"### {name}\n\nText.\n\n" for name in CARDS.values()),
}


def make_vault(root: Path) -> Vault:
    for path, text in NOTES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return Vault(root)


def finished(*names: str, **changes: Any) -> GameResult:
    """Return a finished game of Dragon Citadel with these people, or the usual four."""
    seats = tuple(map(SeatSpec, names)) or (
        SeatSpec("Ysolde"),
        SeatSpec("Bram Tolliver"),
        SeatSpec("Priya's cousin"),
        SeatSpec("Bot 1 (greedy)", "greedy"),
    )
    everyone = tuple(range(len(seats)))
    champion = Sentence("{s0} with {v0}", (0,), (), (45,))
    result = GameResult(
        session=SESSION,
        game="dragon-citadel",
        title="Dragon Citadel",
        date=date(2026, 11, 3),
        seats=seats,
        outcome=Outcome(
            "party",
            everyone,
            Sentence("The party beat the dealer."),
            ("DC-5",),
            tuple({"swords": 17} for _ in seats),
            tuple(seat + 1 for seat in everyone),
            (
                ("Champion", champion),
                ("Forfeit", Sentence("{s0} in round {v0}", everyone[-1:], (), (6,))),
                ("Forfeit", Sentence("{s0} in round {v0}", everyone[:1], (), (8,))),
            ),
        ),
        tables=(
            Table(
                "Score Sheet",
                ("Player", "Swords", "Stars", "Heroes"),
                tuple(("", str(17 - seat), "9", "–" if seat else "18 + 1 hero") for seat in everyone),
                everyone,
            ),
            Table("Reward Rolls", ("Player", "Rolls", "Table"), (("", "2", "Magic Item Table B"),), (0,)),
        ),
        scores=tuple(45 - seat for seat in everyone),
        mode="coop",
        options={"rewards": "treasure", "must_win": "yes"},
        seed=7,
        deck="tarokka",
        deck_title="Tarokka Deck",
        fingerprint="abcdef0123456789",
        story=(
            Sentence("{s0} beat the {c0} with the {c1}.", (0,), ("6-swords", "raven")),
            Sentence("{s0} forfeited in round {v0}.", (len(seats) - 1,), (), (6,)),
            Sentence("{s0} answered the {c0}, and the {c1} stayed open.", (0,), ("9-coins", "raven")),
        ),
        cards=("6-swords", "raven"),
        deeds={
            "6-swords": Sentence("was beaten by {s0} with the {c0}", (0,), ("raven",)),
            "raven": Sentence("stayed open"),
        },
        card_names=CARDS,
        moves=41,
        minutes=12,
        version="0.1.0",
        journal=f".vaultkit/journals/{SESSION}.journal",
        sources=Sources(RULES, DECK, {card: f"{DECK}#{name}" for card, name in CARDS.items()}),
    )
    return replace(result, **changes)


def numbered(number: int) -> GameResult:
    return finished(session=f"20261103-dragon-citadel-{number:04d}")


def log(vault: Vault, result: GameResult | None = None, **more: Any) -> LogResult:
    settings = more.pop("settings", SETTINGS)
    return record_game(result or finished(), vault, settings, now=NOW, **more)


def tree(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Return every file and folder with its bytes, mode and time in nanoseconds."""
    return {
        path.relative_to(root).as_posix(): (
            path.read_bytes() if path.is_file() else b"",
            path.stat().st_mode,
            path.stat().st_mtime_ns,
        )
        for path in sorted(root.rglob("*"))
    }
