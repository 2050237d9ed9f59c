"""A deck of 54 cards with pictures as a vault, and what the peers need to print the same. The same bytes each time.

Usage: python bench/printing_vault.py FOLDER
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageDraw

from vaultkit import resources
from vaultkit.campaign.workspace import Workspace
from vaultkit.vault.markdown import Node, parse

WIDTH, HEIGHT = 750, 1050
DECK = "3-Mechanics/CLI/decks/tarokka-deck-cos.md"
RULES = "Dragon Citadel"


def art(number: int) -> Image.Image:
    """A painting of sorts: soft clouds of colour, some shapes, and a fine grain over all."""
    rng = Random(number)
    small = Image.frombytes("RGB", (12, 16), rng.randbytes(12 * 16 * 3))
    picture = small.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(picture)
    for _ in range(40):
        x, y, size = rng.randrange(WIDTH), rng.randrange(HEIGHT), rng.randrange(20, 180)
        colour = rng.randrange(256), rng.randrange(256), rng.randrange(256)
        pen.ellipse((x, y, x + size, y + size * 1.4), outline=colour, width=rng.randrange(2, 9))
    grain = Image.frombytes("L", (WIDTH // 2, HEIGHT // 2), rng.randbytes(WIDTH // 2 * (HEIGHT // 2)))
    rough = grain.resize((WIDTH, HEIGHT), Image.Resampling.BILINEAR).convert("RGB")
    return Image.blend(picture, rough, 0.14)


def make(folder: Path) -> None:
    """A vault with the deck note of the example vault, its pictures drawn anew and large."""
    text = (resources.shipped_folder("vault-example") / DECK).read_text(encoding="utf-8")
    note = folder / "vault" / DECK
    images = note.parent / "img"
    images.mkdir(parents=True)
    (folder / "vault" / ".obsidian").mkdir()
    note.write_text(text, encoding="utf-8")
    for number, name in enumerate(sorted(path.name for path in _pictures())):
        art(number).save(images / name, "WEBP", quality=88, method=2)
    told = {"cards": _cards(folder / "vault"), "rules": _blocks()}
    (folder / "peers.json").write_text(json.dumps(told), encoding="utf-8")


def _pictures() -> list[Path]:
    return list((resources.shipped_folder("vault-example") / DECK).parent.glob("img/*.webp"))


def _cards(vault: Path) -> list[dict[str, str]]:
    deck = Workspace(vault).compendium.deck("tarokka")
    return [
        {"title": entry.card.name, "text": entry.text.strip(), "image": str(vault / str(entry.image))}
        for entry in deck.entries
    ]


def _blocks() -> list[dict[str, Any]]:
    """The rule note as headings, paragraphs, list items and tables of plain words."""
    note = Workspace(resources.shipped_folder("vault-example")).vault.find(RULES)
    return [made for node in parse(note.body).children for made in _block(node)]


def _block(node: Node) -> list[dict[str, Any]]:
    if node.kind == "Table":
        rows = [[cell.words() for cell in row.children] for row in node.children]
        return [{"kind": "table", "rows": rows}]
    if node.kind == "List":
        return [{"kind": "item", "text": item.words()} for item in node.children]
    if node.kind == "Heading":
        return [{"kind": "heading", "level": node.number or 1, "text": node.words()}]
    return [{"kind": "words", "text": node.words()}] if node.words().strip() else []


if __name__ == "__main__":
    make(Path(sys.argv[1]))
