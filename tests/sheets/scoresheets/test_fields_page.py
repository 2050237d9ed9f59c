"""The documentation page that names all boxes."""

from scripts import fields


def test_documented_box_names_match_the_designs() -> None:
    assert fields.PAGE.read_text(encoding="utf-8") == fields.page(), "run: make docs"
