"""Write a vault like one that ttrpg-convert-cli makes, with a campaign in it; the same one for the same number.

Usage: python bench/make_vault.py FOLDER [--notes N] [--broken SHARE]

20,000 notes are about 79 MB. Every word of it is invented or plain; 2 % of its links lead nowhere, on purpose,
or `SHARE` of them.
"""

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

from vault_bodies import Author
from vault_links import BROKEN, Linker
from vault_plan import CAMPAIGN, ROOT, Outline, outlines

APP = {"newLinkFormat": "absolute", "useMarkdownLinks": True, "attachmentFolderPath": "Attachments"}


def make_vault(folder: Path, count: int, broken: float = BROKEN) -> Counter[str]:
    """Fill `folder`, which must be new or empty, with `count` notes. Returns what was written, by kind and by fault.

    Raises FileExistsError if the folder holds anything.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    chance = random.Random(f"vaultkit {count}")
    indexes = 7
    notes = outlines(count - indexes, chance)
    images = [f"{ROOT}/img/picture-{number:05}.webp" for number in range(max(3, count // 60))]
    linker = Linker(notes, images, chance, broken)
    _write_notes(folder, notes, Author(linker, chance))
    _write_images(folder, images, chance)
    _write_canvases(folder, notes, max(1, count // 1000), chance)
    _write(folder / ".obsidian/app.json", json.dumps(APP, indent=2))
    return linker.counts


def _write_notes(folder: Path, notes: list[Outline], author: Author) -> None:
    by_kind: defaultdict[str, list[Outline]] = defaultdict(list)
    for note in notes:
        by_kind[note.kind].append(note)
        _write(folder / note.path, author.write(note))
    for kind, listed in by_kind.items():
        if kind != "campaign":
            _write(folder / ROOT / kind / f"{kind}.md", author.index(kind.title(), listed))


def _write_images(folder: Path, images: list[str], chance: random.Random) -> None:
    for image in images:
        _write(folder / image, b"RIFF" + chance.randbytes(chance.randint(200, 4000)))


def _write_canvases(folder: Path, notes: list[Outline], count: int, chance: random.Random) -> None:
    for number in range(count):
        shown = chance.sample(notes, min(12, len(notes)))
        nodes = [_node(place, note) for place, note in enumerate(shown)]
        edges = [{"id": f"e{place}", "fromNode": "n0", "toNode": f"n{place}"} for place in range(1, len(nodes))]
        _write(folder / CAMPAIGN / f"Board {number + 1}.canvas", json.dumps({"nodes": nodes, "edges": edges}))


def _node(place: int, note: Outline) -> dict[str, object]:
    box = {"x": place % 4 * 420, "y": place // 4 * 320, "width": 400, "height": 300}
    return {"id": f"n{place}", "type": "file", "file": note.path, **box}


_made: set[Path] = set()


def _write(file: Path, content: str | bytes) -> None:
    if file.parent not in _made:
        file.parent.mkdir(parents=True, exist_ok=True)
        _made.add(file.parent)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def main() -> None:
    """Write the vault and say what is in it."""
    parser = argparse.ArgumentParser(description="Write a vault to measure with.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--broken", type=float, default=BROKEN, help="the share of links that lead nowhere (0.02)")
    given = parser.parse_args()
    if given.notes < 20:
        sys.exit("At least 20 notes, please.")
    try:
        counts = make_vault(given.folder, given.notes, given.broken)
    except FileExistsError as error:
        sys.exit(f"{error}: name a new folder.")
    print(f"{given.notes} notes in {given.folder}")
    for what, number in sorted(counts.items()):
        print(f"{number:8} {what}")


if __name__ == "__main__":
    main()
