"""The gallery of printed sheets shows what `make pictures` makes, and nothing else."""

import re

from scripts import gallery
from scripts.gallery_list import GROUPS

PICTURES = [picture for group in GROUPS for picture in group.pictures]


def test_the_page_is_the_one_that_the_list_makes() -> None:
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page(), "run: make pictures"


def test_the_page_shows_exactly_the_pictures_that_there_are() -> None:
    shown = re.findall(r"\(gallery/([\w-]+\.png)\)", gallery.PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(file.name for file in gallery.FOLDER.iterdir())
    assert shown == [f"{picture.name}.png" for picture in PICTURES]


def test_the_pictures_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in gallery.FOLDER.iterdir()}
    assert all(2_000 < size < 90_000 for size in sizes.values()), sizes
