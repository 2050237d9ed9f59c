"""Every kind of tagged sheet, made once: what P6 is checked on. A new kind of sheet gets a line here."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from tests.sheets.pdf.form_sheets import BOXES, form_sheet
from tests.sheets.telling_vault import telling_vault
from vaultkit.compendium import Compendium
from vaultkit.resources import shipped
from vaultkit.sheets.calibration_page import calibration_page
from vaultkit.sheets.notes import print_booklet, print_rules
from vaultkit.sheets.packet import Packet, print_packet
from vaultkit.sheets.reading_sheet import print_reading
from vaultkit.sheets.rule_sheet import rule_sheet
from vaultkit.sheets.scores.sheet import score_sheet
from vaultkit.sheets.session_sheet import print_session
from vaultkit.sheets.theme import Theme
from vaultkit.vault import Vault

Maker = Callable[[Path], Path]
"""Makes the sheet in a folder, and gives the PDF."""

NASTY = (Path(__file__).parent / "text" / "nasty.md").read_text("utf-8")
GAMES = ("dragon-citadel", "prophets-gambit", "deck-of-destiny", "propheta", "turn-of-fate", "blank")


@cache
def vault() -> Vault:
    return Vault(shipped("vault-example"))


def rules(*names: str, paper: str = "a4") -> Maker:
    """A rule sheet of notes of the example vault, with links that open them in Obsidian."""

    def make(folder: Path) -> Path:
        notes = [vault().find(name) for name in names]
        return print_rules(notes, vault(), paper=paper, out=folder / f"{names[0]}.pdf", vault_name="Vale", qr=True).path

    return make


def nasty(columns: int, folder: Path) -> Path:
    out, cache = folder / f"nasty-{columns}.pdf", folder / "cache"
    rule_sheet(NASTY, title="A Nasty Note", source_path="a.md", paper="a4", out=out, cache=cache, columns=columns)
    return out


def booklet(folder: Path) -> Path:
    """The pages of a booklet in reading order."""
    notes = [vault().find("propheta"), vault().find("House Rules")]
    _, pages = print_booklet(notes, vault(), "a5", paper="a4", out=folder / "booklet.pdf")
    return pages.path


def scores(name: str, folder: Path) -> Path:
    return score_sheet(name, paper="a4", out=folder / f"{name}-scores.pdf").path


def packet(folder: Path) -> Path:
    compendium = Compendium(vault())
    rules = compendium.rule_note("turn-of-fate", ("Turn of Fate",))
    made = Packet("turn-of-fate", "Turn of Fate", compendium.deck("decktet"), rules, vault())
    return print_packet(made, paper="a4", out=folder / "packet.pdf", theme=Theme(vault().root)).path


def telling(kind: str, folder: Path) -> Path:
    """The recap of a game or the sheet of a reading, from a small vault of its own."""
    own, compendium = telling_vault(folder / kind)
    printing, wanted = {"session": (print_session, "k3f9"), "reading": (print_reading, "4ysv")}[kind]
    made = printing(wanted, own, compendium, paper="a4", out=lambda _: folder / f"{kind}.pdf", theme=Theme(own.root))
    return made.path


KINDS: dict[str, Maker] = {
    "rules": rules("prophets-gambit-cos"),
    "rules-letter": rules("Home", paper="letter"),
    "rules-several": rules("turn-of-fate", "propheta", "House Rules"),
    "rules-nasty": partial(nasty, 1),
    "rules-nasty-columns": partial(nasty, 2),
    "booklet-pages": booklet,
    "packet": packet,
    "session": partial(telling, "session"),
    "reading": partial(telling, "reading"),
    "calibration": lambda folder: calibration_page(paper="a4", out=folder / "calibration.pdf").path,
    "boxes": lambda folder: form_sheet(folder / "boxes.pdf", BOXES),
    **{f"scores-{name}": partial(scores, name) for name in GAMES},
}
