"""Program that rewrites the golden files: `python -m tests.campaign.stats.regenerate`. Check the diff afterwards."""

import tempfile
from datetime import datetime
from pathlib import Path

from tests.campaign.stats.samples import make_vault
from vaultkit.campaign.stats.game_list import gather_games
from vaultkit.campaign.stats.stats_note import RecordedStatistics, plan_files
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing.write import Writer

GOLDEN = Path(__file__).parent / "golden"
FILES = ("Statistics.md", "Games.base")
NOW = datetime(2026, 11, 3, 22, 15)


def plan_statistics(vault: Vault, settings: Settings | None = None) -> tuple[RecordedStatistics, Writer]:
    """Return what `stats --write` would write in the vault."""
    fresh = Vault(vault.root)
    sessions = gather_games(fresh).sessions
    return plan_files(fresh, settings or Settings(), sessions, NOW, bots=False)


def golden_texts(root: Path) -> dict[str, str]:
    """Return the golden files' texts."""
    plan_statistics(make_vault(root))[1].commit()
    return {name: (root / "Games" / name).read_text("utf-8") for name in FILES}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, text in golden_texts(Path(folder)).items():
            GOLDEN.mkdir(exist_ok=True)
            (GOLDEN / name).write_text(text, encoding="utf-8")
