"""Printed sheets: their pixels at 100 dpi, their words page by page, and their tags with the words of each."""

import platform
import shlex
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from unittest.mock import patch

import pikepdf

from scripts.gallery import Picture
from scripts.gallery_list import GROUPS, SETTING
from tests.frozen.running import Recording, beginning, digest, quiet_machine, shortened
from tests.sheets.kinds import KINDS
from tests.sheets.lint import Element, Reading
from vaultkit import trust
from vaultkit.resources import shipped_folder

DPI = 100
RECORDED_ON = "linux x86_64"
"""The machine whose rasteriser counts: on others the last bit of a colour may differ."""
DRAWN_BY = ("pikepdf", "pillow", "pypdfium2", "pyphen", "reportlab", "segno")
"""Libraries of which another version may draw other pixels."""
QUICK = ("boxes", "calibration")
EVENING = "play dragon-citadel --seed 7 --seat bot:greedy --seat bot:greedy --seat bot:random"
"""A game of which there is a recap."""


@cache
def commands() -> Mapping[str, str]:
    """The commands of the gallery, each once, by the first picture that shows what it prints."""
    pictures = [picture for group in GROUPS for picture in group.pictures]
    found: dict[str, str] = {}
    for picture in pictures:
        command = _of_today(picture)
        if command not in found.values():
            found[f"gallery-{picture.name}"] = command
    return found


def _of_today(picture: Picture) -> str:
    return picture.command.removeprefix("vaultkit ").replace("2026-10-27", "2026-11-03")


def names() -> tuple[str, ...]:
    """Return the names of all sheets, except those that depend on the fonts of the machine."""
    return (*(kind for kind in KINDS if not kind.endswith("-scripts")), *commands())


def told(name: str) -> str:
    """The words and tags of a sheet, and the digests of its pages; for a folder of pictures a digest of each."""
    with quiet_machine() as folder:
        if name in KINDS:
            (folder / "sheet").mkdir()
            with patch.object(trust, "is_trusted", lambda _: True):
                return "\n".join(_of_pdf(KINDS[name](folder / "sheet"))) + "\n"
        recording = Recording(folder, shipped_folder("vault-example"))
        for command in (*(one.removeprefix("vaultkit ") for one in SETTING), EVENING):
            if any(word in name for word in ("recap", "reading")):
                recording.call(*shlex.split(command))
        recording.settle()
        recording.run(*shlex.split(commands()[name]), "--json")
        for path in sorted((recording.root / "Sheets").rglob("*")):
            if path.is_file():
                recording.add(f"=== {path.relative_to(recording.root).as_posix()}")
                recording.add(*(_of_pdf(path) if path.suffix == ".pdf" else [_pixels_of_picture(path)]), "")
        return recording.text


def _of_pdf(path: Path) -> Iterator[str]:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        for number, page in enumerate(document, 1):
            picture = page.render(scale=DPI / 72).to_pil().convert("RGB")
            text = page.get_textpage().get_text_bounded().replace("\r\n", "\n")
            yield f"{PIXELS} page {number}: {picture.width} x {picture.height}, sha256 {_digest(picture.tobytes())}"
            words = " ".join(text.split())
            yield f"page {number}: {len(text.split())} words, sha256 {digest(text)}: {beginning(words)}"
    finally:
        document.close()
    with pikepdf.open(path) as pdf:
        reading = Reading(pdf)
        tags = "\n".join(_tags(reading, reading.root, "")) if reading.root else "no tags"
    yield shortened(tags)


PIXELS = "pixels"
"""The first word of lines that count only where the same libraries draw."""


def _pixels_of_picture(path: Path) -> str:
    from PIL import Image

    with Image.open(path) as picture:
        return f"{PIXELS} {picture.width} x {picture.height}, sha256 {_digest(picture.convert('RGB').tobytes())}"


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def _tags(reading: Reading, element: Element, indent: str) -> Iterator[str]:
    """Each tag with its own words on a line, a row or an item of a list with all that is in it."""
    if element.kind in {"TR", "LI", "TOCI"}:
        cells = (child for child in element.children if isinstance(child, Element))
        yield f"{indent}{element.kind} {' | '.join(f'{cell.kind} {_words(reading, *cell.walk())}' for cell in cells)}"
        return
    yield f"{indent}{element.kind} {_words(reading, element)}".rstrip()
    for child in element.children:
        if isinstance(child, Element):
            yield from _tags(reading, child, f"{indent} ")


def _words(reading: Reading, *elements: Element) -> str:
    marks = (child for element in elements for child in element.children if isinstance(child, tuple))
    return " ".join("".join(reading.contents[page].texts.get(mark, "") for page, mark in marks).split())


def without_pixels(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(PIXELS))


def other_libraries() -> str:
    """Which libraries that draw are not those of constraints.txt; "" where all are."""
    pinned = (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8").lower().split()
    return ", ".join(name for name in DRAWN_BY if f"{name}=={_installed(name)}" not in pinned)


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def other_machine() -> str:
    """This kind of machine, if it is not the one that recorded the pixels; "" if it is."""
    here = f"{sys.platform} {platform.machine().lower()}"
    return "" if here == RECORDED_ON else here
