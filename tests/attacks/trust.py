"""Vaults with templates, designs and folders of their own that claim to be trusted."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack

KEPT_OUT = "until you trust the vault"
LISTS = (
    "trusted.json",
    ".vaultkit/trusted.json",
    ".vaultkit/state/vaultkit/trusted.json",
    ".local/state/vaultkit/trusted.json",
)
SCORES = ("print", "scores", "skat")
CARDS = ("print", "cards", "big", "--back", "classic", "--out", "cards.pdf")
LOG = ("log", "who-won", "--score", "Ann: won=yes", "--score", "Ben: won=no", "--dry-run")


def vault_with(name: str, text: str) -> Callable[[Path], object]:
    """Return a function that writes a file below .vaultkit, and lists of trusted vaults wherever one might be read."""

    def prepare(vault: Path) -> None:
        for file in LISTS:
            _write(vault / file, json.dumps([str(vault), "*", "/"]))
        _write(vault / ".vaultkit" / name, text)

    return prepare


def icon(data: str) -> Callable[[Path], object]:
    """Return a function that writes a deck, and a trusted vault's icon of this path."""

    def prepare(vault: Path) -> None:
        _write(vault / "Deck.md", "---\nvaultkit-deck: big\n---\n# Big\n\n### Card A\n\n*King of Cups*\n\ntext\n")
        _write(vault / ".vaultkit/print/icons/dice.svg", f'<svg viewBox="0 0 100 100">\n<path d="{data}"/></svg>')
        _write(vault.parent / "home/vaultkit/trusted.json", json.dumps([str(vault)]))

    return prepare


def designs_elsewhere(vault: Path) -> None:
    """Make the folder of designs a link out of the vault, to files that are no designs."""
    vault_with("config.toml", "")(vault)
    (vault / ".vaultkit/print").symlink_to(vault.parent / "away")
    (vault.parent / "away/paper.toml").write_text("secret")


def definitions_elsewhere(vault: Path) -> None:
    """Make the folder of game definitions a link out of the vault, to files that are no definitions."""
    vault_with("config.toml", "")(vault)
    (vault / ".vaultkit/games").symlink_to(vault.parent / "away")
    (vault.parent / "away/secret.toml").write_text("secret")


def everything_elsewhere(vault: Path) -> None:
    """Make all of vaultkit's folders in the vault links to the root of the file system."""
    vault_with("config.toml", "")(vault)
    for name in ("templates", "print", "games"):
        (vault / ".vaultkit" / name).symlink_to("/")


def folder_elsewhere(vault: Path) -> None:
    """Configure a PDF folder in the vault that is a link out of it."""
    vault_with("config.toml", '[print]\nfolder = "Sheets"\n')(vault)
    (vault / "Sheets").symlink_to(vault.parent / "away")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


ATTACKS = [
    Attack("PDFs go out of the vault", vault_with("config.toml", '[print]\nfolder = "../away"\n'), SCORES, 0, KEPT_OUT),
    Attack("PDFs go out through a link", folder_elsewhere, SCORES, 0, KEPT_OUT),
    Attack("a paper that is none", vault_with("print/paper.toml", "no paper"), SCORES, 0, KEPT_OUT),
    Attack("a theme that is none", vault_with("print/themes/classic.toml", "no theme"), SCORES, 0, KEPT_OUT),
    Attack("a font that is none", vault_with("print/fonts/Cinzel-Bold.ttf", "no font"), SCORES, 0, KEPT_OUT),
    Attack("fonts that are none", vault_with("print/fonts.toml", "no fonts"), SCORES, 0, KEPT_OUT),
    Attack("designs lie outside", designs_elsewhere, SCORES, 0, KEPT_OUT),
    Attack("definitions lie outside", definitions_elsewhere, ("games",), 0, KEPT_OUT),
    Attack("templates are the whole disk", everything_elsewhere, ("templates",), 0, "shipped"),
    Attack("designs are the whole disk", everything_elsewhere, ("doctor", "--all"), 0, "paths that lead out of it (3)"),
    Attack("it brings the whole disk", everything_elsewhere, ("trust",), 2, ".vaultkit/print, which is /"),
    Attack("a template that loops", vault_with("templates/session-note.md.j2", "{{ 9 ** 9 }}"), LOG, 0, KEPT_OUT),
    Attack("phrases that are none", vault_with("templates/story/scores.toml", "no phrases"), LOG, 0, KEPT_OUT),
    *(
        Attack(f"an icon with the number {number[:9]}", icon(f"M0 0L{number} 5"), CARDS, 3, "dice.svg:2")
        for number in ("1e999", "-1e300", "9" * 400)
    ),
    Attack("a vault asks to be trusted by itself", vault_with("config.toml", ""), ("trust",), 0, "--yes"),
]
