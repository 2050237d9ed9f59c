"""The documentation page that names all boxes."""

from scripts import fields


def test_the_page_of_the_boxes_is_the_one_that_the_designs_make() -> None:
    assert fields.PAGE.read_text(encoding="utf-8") == fields.page(), "run: make docs"
