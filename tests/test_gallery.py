"""The gallery of printed sheets shows what `make pictures` makes, and nothing else; every game has its picture."""

import re
import sys
from pathlib import Path

import pytest
from PIL import Image

from scripts import gallery
from scripts.gallery_list import GROUPS
from vaultkit.games.registry import GAMES

if sys.platform == "win32":
    pytest.skip("the pictures of the terminal need a pseudo terminal", allow_module_level=True)

from scripts import screens

ROOT = Path(__file__).resolve().parents[1]

PICTURES = [picture for group in GROUPS for picture in group.pictures]


def test_gallery_page_matches_the_list() -> None:
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page(), "run: make pictures"


def test_gallery_page_shows_exactly_the_existing_pictures() -> None:
    shown = re.findall(r"\(gallery/([\w-]+\.png)\)", gallery.PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(file.name for file in gallery.FOLDER.iterdir())
    assert shown == [f"{picture.name}.png" for picture in PICTURES]


def test_the_pictures_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in gallery.FOLDER.iterdir()}
    assert all(2_000 < size < 90_000 for size in sizes.values()), sizes


def test_every_game_has_its_picture_of_the_terminal_and_a_page_that_shows_it() -> None:
    names = {scene.name for scene in screens.SCENES}
    assert names == {info.id for info in GAMES.values() if info.game}
    assert {file.stem for file in screens.FOLDER.iterdir()} == {*names, "note", "log", "print", "npc"}
    shown = re.findall(r"\(pictures/([\w-]+)\.png\)", (ROOT / "docs" / "playing.md").read_text(encoding="utf-8"))
    assert names - set(shown) == set()


@pytest.mark.slow
@pytest.mark.parametrize("scene", screens.SCENES, ids=lambda scene: scene.name)
def test_script_of_a_picture_ends_at_a_decision(scene: screens.Scene) -> None:
    drawn = screens.draw(screens.play(scene))
    with Image.open(screens.FOLDER / f"{scene.name}.png") as picture:
        assert picture.size == drawn.size
