"""Notes of games, written by hand so that no game has to be played."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from vaultkit.vault import Vault

DECK = "3-Mechanics/tarokka.md"
NOTES = {
    ".obsidian/app.json": "{}",
    "1-Party/Ysolde Marr.md": "---\naliases: [Ysolde]\n---\nA cleric.\n",
    "1-Party/Bram Tolliver.md": "---\naliases: Bram\n---\nA fighter.\n",
    DECK: "# Tarokka\n\n## Cards\n\n### Raven\n\nText.\n\n### Berserker\n\nText.\n\n### Miser\n\nText.\n",
}
YSOLDE, BRAM, GUEST, BOT = "[[Ysolde Marr|Ysolde]]", "[[Bram Tolliver]]", "Priya's cousin", "Bot 1 (greedy)"


def session(
    number: int,
    day: str,
    players: Iterable[str],
    winners: Iterable[str],
    *,
    game: str = "propheta",
    title: str = "Propheta",
    scores: Mapping[str, float] | None = None,
    cards: Iterable[str] = (),
    **properties: str,
) -> tuple[str, str]:
    """Return the path and text of a game's note; the keys of `scores` are property names."""
    lines = [f'vaultkit-session: "{day.replace("-", "")}-{game}-{number:04d}"', f'game: "{title}"', f"date: {day}"]
    for key, values in (("players", players), ("winners", winners)):
        lines += [f"{key}:", *(f'  - "{value}"' for value in values)]
    lines += [f"{key.replace('_', '-')}: {value}" for key, value in properties.items()]
    lines += [f"{key}: {value}" for key, value in (scores or {}).items()]
    lines += ["tags:", f"  - game/{game}"]
    mattered = " · ".join(f"[[tarokka#{card}|{card}]]" for card in cards)
    section = f"\n## Cards That Mattered\n\n{mattered}\n\n> [!info]- The record\n" if mattered else ""
    block = "\n".join(lines)
    return f"Games/{day} {title} {number}.md", f"---\n{block}\n---\n# {title}\n{section}"


EVENING = (
    session(1, "2026-09-05", [YSOLDE, BRAM, GUEST], [YSOLDE], outcome="match", cards=["Raven", "Miser"],
            scores={"score-ysolde-marr": 31, "score-bram-tolliver": 12, "score-priya-s-cousin": 9}),
    session(2, "2026-09-19", [YSOLDE, BRAM, BOT], [BOT], outcome="score", cards=["Raven"], bots='["Bot 1 (greedy)"]',
            scores={"score-ysolde-marr": 14, "score-bram-tolliver": 12, "score-bot-1-greedy": 40}),
    session(1, "2026-10-03", [BRAM, YSOLDE], [BRAM, YSOLDE], game="dragon-citadel", title="Dragon Citadel",
            outcome="party", mode="coop", options='["rewards=treasure"]', cards=["Berserker"],
            scores={"score-ysolde-marr": 45, "score-bram-tolliver": 44}),
    session(2, "2026-10-03", [BRAM, "ysolde"], [], game="dragon-citadel", title="Dragon Citadel",
            outcome="dealer", mode="coop"),
    session(10, "2026-10-17", [YSOLDE, BRAM], [BRAM], outcome="match", cards=["Raven", "Raven"],
            scores={"score-ysolde-marr": 3, "score-bram-tolliver": 33.5}),
    session(9, "2026-10-17", [YSOLDE, BRAM], [BRAM, YSOLDE], outcome="match",
            scores={"score-ysolde-marr": 20, "score-bram-tolliver": 20}),
)  # fmt: skip
"""Six games of three people and a bot; Propheta 10 must be listed after Propheta 9."""


def make_vault(root: Path, games: Iterable[tuple[str, str]] = EVENING) -> Vault:
    """Write a small vault with the notes of these games."""
    for path, text in (*NOTES.items(), *games):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return Vault(root)
