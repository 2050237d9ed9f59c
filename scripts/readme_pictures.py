"""Generator of the README's pictures: what a GM gets from notes of their own, each made by the command beside it.

Pages of PDFs are rendered as they are printed. Notes are drawn by a browser, with Obsidian's reading view as the model,
since Obsidian is not run.

Usage: python -m scripts.readme_pictures
"""

import contextlib
import difflib
import html
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pypdf
from PIL import Image

from scripts import gallery, note_picture, paste
from scripts.pictures import EVENING
from scripts.table_pictures import browser

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
LOG_NOTE, NPC = "Campaign Log.md", "2-World/People/Captain Wenzel Ruske.md"
SESSION_NOTE = "Next Session"
SCORES: Mapping[str, Mapping[str, str]] = {
    "Ysolde Marr": {"swords.total": "23", "swords.heroes": "1", "stars.total": "7", "crowns.count": "2", "score": "30"},
    "Bram Tolliver": {"coins.total": "17", "glyphs.total": "4", "crowns.count": "1", "score": "21"},
    "Sefa Quill": {"glyphs.total": "15", "glyphs.heroes": "1", "stars.total": "12", "crowns.count": "3", "score": "27"},
}
"""The boxes that are filled in on the score sheet, by player."""
TICKS = {"mode": "/coop", "rewards": "/magic-items", "outcome": "/party", "date": "2026-11-14"}
"""The boxes that are filled in for all players together."""
CLOCK = "1794690000"
"""The time at which the pictures are made: 2026-11-14 21:00 UTC."""
SHEET_HEIGHT, NPC_HEIGHT = 760, 620
"""The heights of the pictures, in pixels."""
DIFF_LOOK = """
main { width: auto; padding: 26px 30px } h1.name { font-size: 1.25em } body { font-size: 17px; line-height: 1.55 }
p { margin: 0; padding: 7px 12px; border-left: 4px solid transparent; overflow-wrap: anywhere }
p.added { background: #e3f6e4; border-color: #2a9a3a } p.gap { color: #9a9a9a; padding-block: 0 }
"""


def main() -> None:
    """Make the three pictures in a copy of the example vault."""
    os.environ |= EVENING | {"SOURCE_DATE_EPOCH": CLOCK}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gallery.run("demo", str(folder / "demo"))
        with contextlib.chdir(folder / "demo"):
            gallery.run("undo", "--yes")
            pictures = {"log": _log(folder), "print": _print(folder), "npc": _npc(folder)}
    for title, images in pictures.items():
        paste.save(paste.side_by_side(images), FOLDER / f"{title}.png", colours=128)


def _log(folder: Path) -> list[Image.Image]:
    """Return a filled score sheet, and the lines that `vaultkit log --from` changes in the campaign log."""
    blank, sheet = folder / "blank.pdf", folder / "sheet.pdf"
    names = ",".join(SCORES)
    gallery.run("print", "scores", "dragon-citadel", "--layout", "party", "--players", names, "--out", str(blank))
    writer = pypdf.PdfWriter(clone_from=blank)
    boxes = {f"p{n}.forfeited": "/no" for n in range(1, len(SCORES) + 1)} | TICKS
    boxes |= {f"p{n}.{box}": text for n, values in enumerate(SCORES.values(), 1) for box, text in values.items()}
    for page in writer.pages:
        writer.update_page_form_field_values(page, boxes, auto_regenerate=False)
    writer.write(sheet)
    before = Path(LOG_NOTE).read_text(encoding="utf-8")
    gallery.run("log", "--from", str(sheet))
    after = Path(LOG_NOTE).read_text(encoding="utf-8")
    part = paste.page(sheet, 0, SHEET_HEIGHT, (0.04, 0.03, 0.96, 0.94))
    return [part, _browse(_diff_page(before, after), folder, (560, SHEET_HEIGHT))]


def _diff_page(before: str, after: str) -> str:
    """Return the changed lines of a note with two lines around them, as an HTML page."""
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2))[3:]
    rows = (f'<p class="{"added" if line[0] == "+" else ""}">{html.escape(line)}</p>' for line in lines)
    body = "".join(('<p class="gap">⋮</p>', *rows, '<p class="gap">⋮</p>'))
    head = f'<meta charset="utf-8"><style>{note_picture.LOOK}{DIFF_LOOK}</style>'
    return f'<!doctype html>{head}<main><h1 class="name">{Path(LOG_NOTE).stem}</h1>{body}</main>'


def _print(folder: Path) -> list[Image.Image]:
    """Return the pages of a session note and of its encounters, from one PDF."""
    out = folder / "prep.pdf"
    gallery.run("print", "prep", SESSION_NOTE, "--out", str(out))
    return [paste.page(out, number, SHEET_HEIGHT, (0.05, 0.03, 0.95, 0.67)) for number in (1, 2)]


def _npc(folder: Path) -> list[Image.Image]:
    """Return the note of a person as Obsidian shows it, and its card."""
    out = folder / "people.pdf"
    gallery.run("print", "cards", "--from", str(Path(NPC).parent), "--cards", Path(NPC).stem, "--out", str(out))
    note = _browse(note_picture.page(Path(NPC)), folder, (780, NPC_HEIGHT))
    return [note, paste.page(out, 0, NPC_HEIGHT, (0.06, 0.06, 0.34, 0.348))]


def _browse(page: str, folder: Path, size: tuple[int, int]) -> Image.Image:
    """Return a screenshot of an HTML page; `size` is its width and height in pixels."""
    file, shot = folder / "page.html", folder / "page.png"
    file.write_text(page, encoding="utf-8")
    driver = browser()
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.get(file.as_uri())
    driver.save_screenshot(str(shot))
    driver.quit()
    with Image.open(shot) as image:
        return image.convert("RGB")


if __name__ == "__main__":
    main()
