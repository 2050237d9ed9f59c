"""Program that rewrites the golden files: `python -m tests.campaign.regenerate`. Check the diff before committing."""

import tempfile
from pathlib import Path

from tests.campaign.samples import log, make_vault

GOLDEN = Path(__file__).parent / "golden"


def made(root: Path) -> dict[str, str]:
    """Return the golden files' texts: the session note, and the campaign note with its log line."""
    vault = make_vault(root)
    logged = log(vault)
    return {name: (root / path).read_text("utf-8") for name, path in files(logged.note, logged.campaign_note).items()}


def files(note: str, campaign_note: str) -> dict[str, str]:
    return {"session-note.md": note, "campaign-note.md": campaign_note}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, text in made(Path(folder)).items():
            (GOLDEN / name).write_text(text, encoding="utf-8")
