"""Vaults in three languages, games that are logged and edited in them, and everything that a GM may write around."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from vaultkit.campaign.correction.edit import edit_game
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.scoresheets.input_formats import read_flags
from vaultkit.campaign.scoresheets.paper_log import PaperLog
from vaultkit.campaign.scoresheets.paper_record import Flags
from vaultkit.campaign.workspace import Workspace

NOW = datetime(2026, 11, 29, 22, 15)
FAIR = """title = "Goose Fair"
players = [1, 6]
win = "highest"

[rounds]
name = "stall"

[[columns]]
id = "geese"
title = "Geese"
least = -500

[[columns]]
id = "ribbon"
title = "Ribbon"
takes = ["none", "silk"]
worth = [0, 5]
default = "none"

[[columns]]
id = "points"
title = "Points"
formula = "2 * geese + ribbon"

[[columns]]
id = "half"
title = "Half a Crown"
step = 0.5
once = true

[[columns]]
id = "whole"
title = "Sum"
formula = "sum(points) + half"
"""


@dataclass(frozen=True)
class Language:
    """A vault in one language: its names, its line ends, and the beginning of its files."""

    people: tuple[str, ...]
    log: str
    heading: str
    newline: str = "\n"
    mark: str = ""


ENGLISH = Language(("Ysolde Marr", "Bram", "Finn", "Gwen"), "Campaign", "Log")
GERMAN = Language(("Zoë Müller", "Jörg", "Änne", "Götz"), "Kampagne", "Tagebuch", "\r\n", "\ufeff")
JAPANESE = Language(("花子", "太郎", "次郎", "桜"), "記録", "ログ", "\r\n")
LANGUAGES = (ENGLISH, GERMAN, JAPANESE)


def make_vault(root: Path, language: Language = ENGLISH) -> Path:
    """Make a vault with a campaign note, two players with notes, and a game of its own."""
    notes = {
        f"{language.log}.md": f"{language.mark}# {language.log}\n\n## {language.heading}\n\n- 2026-10-31: Tea.\n",
        f"Party/{language.people[0]}.md": "A cleric.\n",
        f"Party/{language.people[1]} Tolliver.md": f"---\naliases: [{language.people[1]}]\n---\nA fighter.\n",
    }
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.replace("\n", language.newline).encode())
    (root / ".obsidian").mkdir()
    (root / ".obsidian/app.json").write_text("{}")
    (root / ".vaultkit/games").mkdir(parents=True)
    (root / ".vaultkit/games/goose-fair.toml").write_text(FAIR, encoding="utf-8")
    config = f'[campaign]\nnote = "{language.log}"\nheading = "{language.heading}"\n'
    (root / ".vaultkit/config.toml").write_text(config, encoding="utf-8")
    return root


def paper_log(root: Path, *, dry_run: bool = False) -> PaperLog:
    return PaperLog(Workspace(root, cached=False), NOW, dry_run=dry_run)


def log(root: Path, game: str, scores: Sequence[str], *, again: bool = False, **flags: object) -> tuple[str, LogResult]:
    """Log a game with these scores, such as `Bram: points=3/4`; return its session and what was written."""
    writer = paper_log(root)
    words = Flags(game=game, scores=scores, force=True, **{"date": "2026-11-03", **flags})  # type: ignore[arg-type]
    record = read_flags(words, writer.workspace.score_sheets, lambda _: None)  # type: ignore[arg-type, return-value]
    return writer.log(writer.read(record), again=again)


def edit(root: Path, session: str, *, campaign: str | None = None, dry_run: bool = False, **flags: object) -> LogResult:
    """Edit a game with flags such as `scores=["Bram: points=3/4"]`; return what was written."""
    writer = paper_log(root, dry_run=dry_run)
    words = Flags(**{"force": True, **flags})  # type: ignore[arg-type]

    def read(game: object) -> object:
        named = replace(words, game=game.played.game)  # type: ignore[attr-defined]
        record = read_flags(replace(named, seats=()), writer.workspace.score_sheets, lambda _: None)  # type: ignore[arg-type, return-value]
        return replace(record, flags=named)

    return edit_game(writer, session, read, campaign=campaign)  # type: ignore[arg-type]


def contents(root: Path) -> Mapping[str, bytes]:
    """Return all notes of a vault with their bytes."""
    files = (path for path in root.rglob("*") if path.is_file() and ".vaultkit" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
