"""Generator of the gallery of printed sheets: docs/printing/gallery.md and its pictures."""

import contextlib
import io
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "printing" / "gallery.md"
FOLDER = PAGE.parent / "gallery"
HEIGHT, WIDEST = 540, 1080
"""The height of a page and the maximum width of a picture, in pixels."""
INTRODUCTION = """# Gallery

Every kind of sheet, printed from the example vault. The command above each picture prints it, also in your copy of that
vault, which `vaultkit demo` makes.
"""


@dataclass(frozen=True)
class Picture:
    """A picture of the gallery: pages of the PDF that a command prints, or a part of each page, from left to right.

    If the command writes a folder of card pictures, `pages` are indexes of its sorted files.
    """

    name: str
    line: str
    command: str
    pages: tuple[int, ...] = (0,)
    part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True)
class Group:
    """A section of the gallery page: a title and its pictures."""

    title: str
    pictures: tuple[Picture, ...]


def page() -> str:
    """Return the text of docs/printing/gallery.md."""
    from scripts.gallery_list import GROUPS

    return "\n".join([INTRODUCTION, *map(_section, GROUPS)])


def _section(group: Group) -> str:
    return "\n".join([f"## {group.title}\n", *map(_entry, group.pictures)])


def _entry(picture: Picture) -> str:
    # The alternative text is empty, since the line above the picture describes it.
    return f"{picture.line}\n\n```console\n$ {picture.command}\n```\n\n![](gallery/{picture.name}.png)\n"


def make(demo: Path, sheets: Path, wanted: Sequence[str] = ()) -> None:
    """Print the sheets of the gallery in the vault `demo` into the folder `sheets`, and render their pictures.

    If `wanted` names pictures, only they are rendered. Pictures that left the list are deleted, and the page is
    written.
    """
    from scripts.gallery_list import GROUPS, SETTING

    FOLDER.mkdir(parents=True, exist_ok=True)
    sheets.mkdir()
    with contextlib.chdir(demo):
        for command in SETTING:
            run(*shlex.split(command)[1:])
        pictures = [picture for group in GROUPS for picture in group.pictures]
        for picture in pictures:
            if not wanted or picture.name in wanted:
                _picture(picture, sheets)
    for stale in set(FOLDER.glob("*.png")) - {FOLDER / f"{picture.name}.png" for picture in pictures}:
        stale.unlink()
    PAGE.write_text(page(), encoding="utf-8")


def _picture(picture: Picture, sheets: Path) -> None:
    from scripts import paste

    out = sheets / f"{picture.name}{'' if '--for ' in picture.command else '.pdf'}"
    run(*shlex.split(picture.command)[1:], "--out", str(out))
    table = paste.side_by_side(_pages(picture, out, HEIGHT))
    if table.width > WIDEST:
        table = paste.side_by_side(_pages(picture, out, int(HEIGHT * WIDEST / table.width)))
    file = FOLDER / f"{picture.name}.png"
    paste.save(table, file, colours=80)
    print(f"{file.relative_to(ROOT)}: {table.width} x {table.height}, {file.stat().st_size / 1024:.0f} kB")


def _pages(picture: Picture, out: Path, height: int) -> list:  # type: ignore[type-arg]
    from PIL import Image

    from scripts import paste

    if out.is_file():
        return [paste.page(out, number, height, picture.part) for number in picture.pages]
    files = sorted(out.glob("*.png"))
    return [paste.sized(Image.open(files[number]).convert("RGB"), height) for number in picture.pages]


def run(*words: str) -> None:
    """Run a vaultkit command in the current process and folder. Exits with the end of its output if it fails."""
    from vaultkit.cli import error_handler

    said = io.StringIO()
    before, sys.argv = sys.argv, ["vaultkit", *words]
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = error_handler.run()
    finally:
        sys.argv = before
    if code:
        sys.exit(f"vaultkit {shlex.join(words)} ({code})\n{said.getvalue()[-1000:]}")
