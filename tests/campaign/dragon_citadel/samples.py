"""A small vault with a rule note, roll tables, items and a game's note, and functions for its rewards."""

from datetime import date, datetime
from pathlib import Path
from typing import Any

from vaultkit.campaign.dragon_citadel.note_scores import find_game
from vaultkit.campaign.dragon_citadel.reward_calculation import Reckoning, RolledRewards, reckon
from vaultkit.vault import Vault

NOW = datetime(2026, 11, 4, 9, 30)
SESSION = "20261103-dragon-citadel-k3f9"
GAME = "Games/2026-11-03 Dragon Citadel 1.md"
RULES = "Rules/dragon-citadel.md"
BOOK = """\
| Row | Score | Magic items | Individual treasure |
|---|---|---|---|
| 1 | 1\u201315 | 1 roll on [table A](/Tables/gifts-a.md) | 1 roll on [[purse]] |
| 2 | 16\u201325 | 1 roll on [table B](/Tables/gifts-b.md) | 1 roll on [[hoard]] |
| 3 | 26\u201335 | 1 roll on [table C](/Tables/gone.md) | 2 rolls on [[hoard]] |
| 4 | 36\u201345 | 1 roll on [table D](/Tables/gone.md) | 1 roll on [challenge 11\u201316](/Tables/gone.md) |
"""
SHEET = """\
| Player | Swords | Stars | Glyphs | Coins | Crowns | Total |
|---|---:|---:|---:|---:|---:|---:|
| [[Ysolde Marr]] | 17 + 1 hero | 9 | 0 | 1 hero | 3 | 26 |
| [[Bram Tolliver\\|Bram]] | 8 | 0 | 0 | 0 | 0 | 8 |
| Priya's cousin | 0 | 30 | 0 | 0 | 1 | 30 |
| Bot 1 (greedy) | 5 | 0 | 0 | 0 | 0 | 5 |
"""
COLOPHON = "> [!info]- The record\n> - Session `x`, 12 moves\n> - Written by vaultkit 0.1.0\n"
FRONT = f"""\
---
vaultkit-session: {SESSION}
game: "[[dragon-citadel|Dragon Citadel]]"
date: 2026-11-03
players: ["[[Ysolde Marr]]", "[[Bram Tolliver]]", "Priya's cousin", "Bot 1 (greedy)"]
winners: []
mode: coop
bots: ["Bot 1 (greedy)"]
tags: [game/dragon-citadel]
---
"""


def game_note(sheet: str = SHEET, *, front: str = FRONT, end: str = COLOPHON) -> str:
    return f"{front}# Dragon Citadel\n\n## Score sheet\n\n{sheet}\n## How It Went\n\nWell.\n\n{end}"


def rules_note(table: str = BOOK, heading: str = "Rewards") -> str:
    front = "---\nobsidianUIMode: preview\nvaultkit-game: dragon-citadel\n---\n# Dragon Citadel\n\n"
    return (
        f"{front}| Suit | Hero |\n|---|---|\n| Swords | Warrior |\n\n## {heading}\n\nGifts.\n\n{table}\nMore words.\n"
    )


def roll_table(name: str, rows: str) -> str:
    return f"# {name}\n\nWords beside it.\n\n| d6 | Item |\n|---|---|\n{rows}\n^{name.lower().replace(' ', '-')}\n"


NOTES = {
    ".obsidian/app.json": "{}",
    RULES: rules_note(),
    GAME: game_note(),
    "1-Party/Ysolde Marr.md": "---\naliases: [Ysolde]\n---\nA cleric.\r\n\r\n## Loot\r\n\r\n- A spade\r\n",
    "1-Party/Bram Tolliver.md": "A fighter.",
    "Items/moth cloak.md": "A cloak.",
    "Tables/gifts-a.md": roll_table("Gifts A", "| 1-6 | A paper boat |"),
    "Tables/gifts-b.md": roll_table("Gifts B", "| 1-6 | [Moth Cloak](/Items/moth%20cloak.md), of grey wool |"),
    "Tables/purse.md": roll_table("Purse", "| 1-6 | 5d6 \u00d7 100 (1,700 gp) |"),
    "Tables/hoard.md": roll_table("Hoard", "| 1-6 | Roll on [[Strange Things#^strange-things]] |"),
    "Tables/Strange Things.md": roll_table("Strange Things", "| 1-6 | 1d4 [[moth cloak\\|cloaks]] |"),
}


def make(root: Path, **changed: str) -> Vault:
    """Write the vault with some notes changed; `rules`, `game` and `app` are whole texts."""
    names = {"rules": RULES, "game": GAME, "app": ".obsidian/app.json"}
    for path, text in {**NOTES, **{names[name]: text for name, text in changed.items()}}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return Vault(root)


def reckon_rewards(vault: Vault, **more: Any) -> Reckoning:
    rules = vault.read(RULES) if RULES in vault.files else None
    return reckon(find_game(vault, ""), vault, rules, more.pop("house_rules", {}), **more)


def roll_rewards(vault: Vault, *, seed: int = 1, sharing: list[str] | None = None, **more: Any) -> RolledRewards:
    return reckon_rewards(vault, **more).roll(vault, seed, date(2026, 11, 4), sharing)


def earned_rewards(vault: Vault, **more: Any) -> list[tuple[str, str, int, int]]:
    """Return the player, reason, number of rolls and row of each reward."""
    return [(one.player.name, one.key, one.count, one.row.number) for one in reckon_rewards(vault, **more).earned]


def results(rolled: RolledRewards) -> list[str]:
    """Return the player and result of every roll, or the reason why it is left to do."""
    told = []
    for reward in rolled.rewards:
        found = ["".join(piece.text for piece in result.words) for result in reward.results]
        told += [
            f"{reward.earned.player.name.split()[0]}: {text}"
            for text in found or [f"{reward.count} {reward.manual_reason}"]
        ]
    return told
