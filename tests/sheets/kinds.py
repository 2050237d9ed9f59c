"""Every kind of tagged sheet and its input, for the tests of P6; a new kind needs an entry here."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from tests.sheets.conftest import print_text
from tests.sheets.pdf.form_sheets import BOXES, form_sheet
from tests.sheets.recap_vault import recap_vault
from vaultkit.compendium import Compendium
from vaultkit.games.registry import GAMES
from vaultkit.resources import shipped_folder
from vaultkit.sheets.calibration import print_calibration_sheet
from vaultkit.sheets.cards.card_sheet import print_set_pages
from vaultkit.sheets.cards.deck_cards import deck_set
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.packet import Packet, print_packet
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.prep import print_prep
from vaultkit.sheets.recaps import print_reading, print_session
from vaultkit.sheets.reference_sheet import ReferenceCards, print_reference
from vaultkit.sheets.rules.booklet import print_booklet
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.scoresheets.design import load_score_design
from vaultkit.sheets.scoresheets.score_sheet import print_scores
from vaultkit.sheets.screen_panels import print_screen
from vaultkit.theme import model as look
from vaultkit.theme.design_loader import find
from vaultkit.theme.model import CLASSIC, Theme
from vaultkit.vault import Vault

Maker = Callable[[Path], Path]
"""A function that makes a sheet in an empty folder, and returns the PDF."""

NASTY = (Path(__file__).parent / "text" / "nasty.md").read_text("utf-8")
SCRIPTS = (Path(__file__).parent / "text" / "scripts.md").read_text("utf-8")
DRAWINGS = sorted((Path(__file__).parents[1] / "data" / "svg").glob("*.svg"))
VAULTS = Path(__file__).parents[1] / "vaults"
EVENING = ("turn-of-fate", "propheta", "House Rules")
PLAIN = Theme()
MODES = {
    "large": Theme(large=True),
    "easy-read": Theme(easy_read=True),
    "ink-saver": Theme(ink_saver=True),
    "grey": Theme(grey=True),
    "forest": Theme(name="forest"),
    "dark": Theme(name="dark"),
    "large-easy-grey": Theme(large=True, easy_read=True, grey=True),
}


@cache
def vault() -> Vault:
    return Vault(shipped_folder("vault-example"))


@cache
def compendium() -> Compendium:
    return Compendium(vault())


def reference_input(game: str) -> tuple[ReferenceCards, str]:
    """Return the input of a game's packet and reference cards, and the game's title."""
    info, known = GAMES[game], compendium()
    rules = known.rule_note(game, (info.title, *info.aliases))
    return ReferenceCards(game, known.deck_of_kind(info.deck, game), rules, vault()), info.title


def rules(*names: str, paper: str = "a4", columns: int = 2, theme: Theme = PLAIN) -> Maker:
    """Return a maker of a rule sheet from notes of the example vault, with a code and links to Obsidian."""

    def make(folder: Path) -> Path:
        notes, out = [vault().find(name) for name in names], folder / "rules.pdf"
        return print_rules(notes, vault(), PrintJob(paper, out, theme, "Vale", qr=True), columns=columns).path

    return make


def nasty(columns: int, folder: Path, theme: Theme = CLASSIC) -> Path:
    out = folder / "nasty.pdf"
    return print_text(NASTY, title="A Nasty Note", out=out, columns=columns, theme=theme).path


def own_faces(folder: Path) -> Path:
    """Make a sheet in a vault's own faces, which are the shipped ones exchanged among themselves."""
    place = folder / "vault" / ".vaultkit" / "print"
    (place / "fonts").mkdir(parents=True)
    (place / "fonts.toml").write_text('body = "A.ttf"\nbold = "B.ttf"\nfallback = ["C.ttf"]\n', encoding="utf-8")
    for name, face in zip("ABC", (look.BOX, look.BOX_BOLD, look.EMOJI), strict=True):
        (place / "fonts" / f"{name}.ttf").write_bytes(find(f"fonts/{face}.ttf", None).read_bytes())
    return nasty(2, folder, Theme(folder / "vault"))


def all_scripts(folder: Path) -> Path:
    """Make a sheet with scripts of the world, in fonts of the system; without these they are counted."""
    return print_text(SCRIPTS, title="文字 עברית", out=folder / "scripts.pdf", theme=Theme(system_fonts=True)).path


def drawings(folder: Path, theme: Theme = CLASSIC) -> Path:
    """Make a sheet with all SVG drawings of the tests."""
    files = {file.name: file for file in DRAWINGS}
    note = "".join(f"## {name}\n\n![[{name}]]\n\nSmall: ![[{name}|24]] inline.\n\n" for name in files)
    return print_text(note, title="Drawings", out=folder / "drawings.pdf", theme=theme, image=files.get).path


def names_in_scripts(folder: Path) -> Path:
    """Make a score sheet for people whose names are in scripts of the world."""
    job = PrintJob("a4", folder / "scores.pdf", Theme(system_fonts=True))
    return print_scores("dragon-citadel", job, players=["אבנר (Avner) כהן", "محمد علي", "สมชาย ใจดี", "山田太郎"]).path


def booklet(size: str, paper: str, names: tuple[str, ...], folder: Path) -> Path:
    """Make the pages of a booklet in reading order."""
    notes, out = [vault().find(name) for name in names], folder / "booklet.pdf"
    return print_booklet(notes, vault(), size, PrintJob(paper, out, vault_name="Vale", qr=True))[1].path


def scores(name: str, layout: str, theme: Theme, folder: Path, paper: str = "a4") -> Path:
    return print_scores(name, PrintJob(paper, folder / "scores.pdf", theme), layout=layout).path


def prep(number: int, folder: Path, *, theme: Theme = PLAIN) -> Path:
    """Make a session's sheets: the file `number`, from 0, of the session and its handouts."""
    job = PrintJob("a4", folder / "prep.pdf", theme, "Vale")
    return print_prep(vault().find("Next Session"), vault(), job, "Handouts")[number].path


def screen(folder: Path, *, theme: Theme = PLAIN) -> Path:
    sections = [(vault().find("House Rules"), ""), (vault().find("dragon-citadel"), "At a Glance")]
    return print_screen(sections, vault(), PrintJob("letter", folder / "screen.pdf", theme)).path


def packet(game: str, folder: Path, *, paper: str = "a4", theme: Theme = PLAIN) -> Path:
    return print_packet(
        Packet(*reference_input(game)), PrintJob(paper, folder / "packet.pdf", theme, "Vale", qr=True)
    ).path


def reference(game: str, folder: Path, *, everything: bool = False, paper: str = "a4", theme: Theme = PLAIN) -> Path:
    out = folder / "reference.pdf"
    return print_reference(*reference_input(game), PrintJob(paper, out, theme), everything=everything).path


def card_pages(deck: str, folder: Path, *, wanted: str = "", frame: str = "classic", theme: Theme = PLAIN) -> Path:
    """Make a deck for reading, one card a page."""
    made = deck_set(compendium().deck(deck), vault(), frame, wanted)
    return print_set_pages(made, PrintJob("a4", folder / "pages.pdf", theme)).path


def note_cards(name: str, folder: str, size: str, out: Path) -> Path:
    """Make notes of a folder into cards for reading, one a page."""
    made = note_set(vault() if name == "example" else Vault(VAULTS / name), folder)
    return print_set_pages(made, PrintJob("a4", out / "notes.pdf"), size).path


def recap(kind: str, folder: Path, *, paper: str = "a4", qr: bool = False, **modes: bool) -> Path:
    """Make the recap of a game or the sheet of a reading, from a small vault."""
    own, known = recap_vault(folder / kind)
    printing, wanted = {"session": (print_session, "k3f9"), "reading": (print_reading, "4ysv")}[kind]
    job = PrintJob(paper, folder / f"{kind}.pdf", Theme(own.root, **modes), "Vale" if qr else "", qr)
    return printing(wanted, own, known, lambda _: job).path


def calibration(paper: str, folder: Path) -> Path:
    return print_calibration_sheet(PrintJob(paper, folder / "calibration.pdf")).path


KINDS: dict[str, Maker] = {
    "rules": rules("Home"),
    "rules-nasty": partial(nasty, 1),
    "rules-nasty-columns": partial(nasty, 2),
    "rules-own-faces": own_faces,
    "rules-scripts": all_scripts,
    "rules-drawings": drawings,
    **{f"rules-drawings-{mode}": partial(drawings, theme=MODES[mode]) for mode in ("ink-saver", "grey", "dark")},
    "scores-scripts": names_in_scripts,
    "rules-several": rules("propheta", "House Rules"),
    "booklet-pages": partial(booklet, "a5", "a4", ("House Rules",)),
    "session": partial(recap, "session"),
    "reading": partial(recap, "reading", qr=True),
    "calibration": partial(calibration, "a4"),
    "boxes": lambda folder: form_sheet(folder / "boxes.pdf", BOXES),
    "reference": partial(reference, "turn-of-fate"),
    "cards-pages": partial(card_pages, "tarokka", wanted="Raven, Seer, 2-4"),
    "scores": partial(scores, "dragon-citadel", "", CLASSIC),
    "scores-large": partial(scores, "propheta", "", Theme(large=True)),
    "prep": partial(prep, 0),
    "prep-handouts": partial(prep, 1),
    "prep-large": partial(prep, 0, theme=MODES["large"]),
    "screen": screen,
    "screen-large": partial(screen, theme=MODES["large"]),
    "rules-letter": rules("prophets-gambit-cos", paper="letter"),
    "rules-one-column": rules("prophets-gambit-cos", columns=1),
    "rules-evening": rules(*EVENING),
    **{f"rules-{mode}": rules("turn-of-fate", theme=theme) for mode, theme in MODES.items()},
    **{f"rules-nasty-{mode}": partial(nasty, 2, theme=theme) for mode, theme in MODES.items()},
    "booklet-pages-a6": partial(booklet, "a6", "a4", EVENING[1:]),
    "booklet-pages-half-letter": partial(booklet, "half-letter", "letter", EVENING[1:]),
    **{f"packet-{game}": partial(packet, game) for game in GAMES},
    "packet-letter": partial(packet, "turn-of-fate", paper="letter"),
    "packet-large": partial(packet, "turn-of-fate", theme=MODES["large"]),
    **{f"{kind}-letter": partial(recap, kind, paper="letter", qr=True) for kind in ("session", "reading")},
    **{f"{kind}-large": partial(recap, kind, large=True, easy_read=True) for kind in ("session", "reading")},
    "calibration-letter": partial(calibration, "letter"),
    **{f"reference-{game}": partial(reference, game, everything=True) for game in GAMES},
    **{f"reference-{mode}": partial(reference, "prophets-gambit", theme=theme) for mode, theme in MODES.items()},
    "reference-letter": partial(reference, "prophets-gambit", paper="letter"),
    **{f"cards-pages-{deck}": partial(card_pages, deck) for deck in ("tarokka", "decktet", "french52", "astromancy")},
    **{f"cards-pages-{mode}": partial(card_pages, "decktet", theme=theme) for mode, theme in MODES.items()},
    **{f"note-cards-{size}": partial(note_cards, "example", "items", size) for size in ("poker", "tarot")},
    "note-cards-monsters": partial(note_cards, "converter", "3-Mechanics", "poker"),
    "cards-pages-plain": partial(card_pages, "decktet", frame="plain"),
    **{
        f"scores-{name}-{layout}{'-large' * theme.large}": partial(scores, name, layout, theme)
        for name in (*GAMES, "blank")
        for layout in load_score_design(name).layouts
        for theme in (CLASSIC, MODES["large"])
        if not (layout == "four" and theme.large)
    },
    **{f"scores-{mode}": partial(scores, "dragon-citadel", "one", theme) for mode, theme in MODES.items()},
    "scores-letter": partial(scores, "dragon-citadel", "four", CLASSIC, paper="letter"),
}
