"""P6: the tags of a note's text: headings, lists, tables and links, also across page breaks."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests.sheets.lint import Element, Reading, problems, tagged_text

Print = Callable[..., Path]


def elements(path: Path, *kinds: str) -> list[tuple[str, str]]:
    """Return the kind and words of the structure elements of these kinds, including nested ones."""
    with pikepdf.open(path) as pdf:
        reading = Reading(pdf)
        assert reading.root is not None
        found = [element for element in reading.root.walk() if element.kind in kinds]
        return [(element.kind, " ".join("".join(words(element, reading)).split())) for element in found]


def words(element: Element, reading: Reading) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, Element):
            yield from words(child, reading)
        elif isinstance(child, tuple):
            yield reading.contents[child[0]].texts[child[1]]


def test_p6_headings_never_skip_a_level(print_note: Print) -> None:
    out = print_note("### Deep\n\nx\n\n## Then\n\nx\n\n###### Six\n\nx\n\n#### Four\n\nx\n\n# One\n\nx")
    assert [kind for kind, _ in elements(out, "H1", "H2", "H3", "H4", "H5", "H6")] == [
        "H1", "H2", "H2", "H3", "H3", "H2",
    ]  # fmt: skip


def test_p6_list_markers_are_tagged_as_labels(print_note: Print) -> None:
    out = print_note("3. three\n4. four\n   - inner\n- [x] done")
    assert [text for _, text in elements(out, "Lbl")] == ["3.", "4.", "•", ""]
    assert [text for _, text in elements(out, "LBody")] == ["three", "four•inner", "inner", "done"]


@pytest.mark.slow
def test_p6_a_long_list_keeps_its_tags_over_columns_and_pages(print_note: Print) -> None:
    out = print_note("\n".join(f"{n}. " + f"word{n} [link{n}](https://x.org/{n}) and " * 9 for n in range(1, 60)))
    assert problems(out) == []
    bodies = [text for _, text in elements(out, "LBody")]
    assert bodies == [" ".join(f"word{n} link{n} and" for _ in range(9)) for n in range(1, 60)]


@pytest.mark.slow
def test_p6_broken_table_is_one_table_and_its_header_is_read_once(print_note: Print) -> None:
    rows = "".join(f"| a{n} | {'words that fill the cell ' * 6} |\n" for n in range(40))
    out = print_note("| [Head](https://x.org) | Other |\n|---|---|\n" + rows)
    assert problems(out) == []
    assert len(elements(out, "Table")) == 1
    assert len(elements(out, "TR")) == 41
    assert [text for _, text in elements(out, "TH")] == ["Head", "Other"]


@pytest.mark.slow
def test_p6_a_row_taller_than_a_page_is_one_row(print_note: Print) -> None:
    out = print_note("| a | b |\n|---|---|\n| " + "very many words " * 900 + " | x |\n")
    assert problems(out) == []
    assert len(elements(out, "TR")) == 2


@pytest.mark.short(2)
@pytest.mark.parametrize("before", [0, 1, 2, 3, 5])
def test_p6_a_link_broken_over_lines_and_columns_is_one_link(print_note: Print, before: int) -> None:
    link = "[" + "many words that are a link " * 40 + "](https://x.org/a)"
    out = print_note("word " * 50 * before + link + " after")
    assert problems(out) == []
    assert elements(out, "Link") == [("Link", " ".join(["many words that are a link"] * 40))]


def test_p6_paragraph_consisting_of_one_link(print_note: Print) -> None:
    out = print_note("[" + "all of it " * 60 + "](https://x.org/a)")
    assert problems(out) == []
    assert len(elements(out, "Link")) == 1


def test_p6_links_of_one_line_are_not_confused(print_note: Print) -> None:
    out = print_note("## T\n\n[b](https://x.org/2) [a](https://x.org/1) [[#T|T]] [a](https://x.org/1)")
    with pikepdf.open(out) as pdf:
        found = {
            (str(element.obj.K[0].Obj.Contents), str(element.obj.K[0].Obj.get("/A", {}).get("/URI", "")))
            for element in Reading(pdf).root.walk()  # type: ignore[union-attr]
            if element.kind == "Link"
        }
    assert found == {("b", "https://x.org/2"), ("a", "https://x.org/1"), ("T", "")}


def test_p6_pictures_have_alternative_text(print_note: Print, tmp_path: Path) -> None:
    Image.new("RGB", (90, 60), "#aa3311").save(tmp_path / "map.png")
    found = {"map.png": tmp_path / "map.png"}
    out = print_note("![[map.png]]\n\n![The old map](map.png)", image=found.get)
    assert problems(out) == []
    with pikepdf.open(out) as pdf:
        figures = [element.obj for element in Reading(pdf).root.walk() if element.kind == "Figure"]  # type: ignore[union-attr]
        assert [str(figure.Alt) for figure in figures] == ["map", "The old map"]
        assert all(len(figure.A.BBox) == 4 for figure in figures)


def test_p5_words_do_not_run_together_at_the_end_of_a_line(print_note: Print) -> None:
    text = "Some **bold** words and [links](https://x.org) to fill lines. " * 30
    plain = "Some bold words and links to fill lines. " * 30
    assert tagged_text(print_note(text))[1] == plain.strip()
    assert tagged_text(print_note(plain))[1] == plain.strip()


def test_p5_a_word_longer_than_a_line_stays_one_word(print_note: Print) -> None:
    assert tagged_text(print_note("word" * 200 + " and more"))[1] == "word" * 200 + " and more"


def test_p6_pdf_operators_in_the_text_of_a_note_are_only_text(print_note: Print) -> None:
    out = print_note("/P <</MCID 0>> BDC EMC ET Q [x](https://x.org) ) Tj T*")
    assert problems(out) == []
    assert tagged_text(out)[1] == "/P <</MCID 0>> BDC EMC ET Q x ) Tj T*"


def test_p5_emoji_are_read_back_unchanged(print_note: Print) -> None:
    assert tagged_text(print_note("A dragon \U0001f409 and a crown \U0001f451."))[1] == (
        "A dragon \U0001f409 and a crown \U0001f451."
    )


def test_p5_number_of_an_empty_or_quoted_list_item_is_preserved(print_note: Print) -> None:
    out = print_note("7. > quoted\n8. ```\n   code\n   ```\n9.\n10. ten")
    assert [text for _, text in elements(out, "Lbl")] == ["7.", "8.", "9.", "10."]
    assert problems(out) == []


def test_p5_code_preserves_its_spaces(print_note: Print) -> None:
    out = print_note("```\na   b\n    c d\n```")
    with pikepdf.open(out) as pdf:
        assert "a   b     c d" in "".join(Reading(pdf).contents[0].texts.values())


@pytest.mark.slow
def test_p5_header_taller_than_a_page_is_read_to_its_end(print_note: Print) -> None:
    out = print_note("| " + "very many words " * 900 + " | b |\n|---|---|\n| one | two |\n")
    assert problems(out) == []
    assert [" ".join(tagged_text(out)).count(word) for word in ("very", "many", "two")] == [900, 900, 1]
