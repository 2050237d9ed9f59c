from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from tests.sheets.conftest import fonts_of, links_of, text_of
from tests.sheets.lint import problems
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.text.note_source import LinkTarget
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault

Print = Callable[..., Path]
NUMBERED = "\n".join(f"{n}. Rule number {n}, which says that the dealer turns a card and waits." for n in range(1, 8))


def test_list_numbers_continue_after_an_interruption_as_in_the_note(print_note: Print) -> None:
    words = text_of(print_note(f"{NUMBERED}\n\nA word in between.\n\n8. The eighth.\n9. The ninth."))
    places = [
        words.index(mark) for mark in ["1. Rule number 1", "7. Rule number 7", "between", "8. The eighth", "9. The"]
    ]
    assert places == sorted(places)


@pytest.mark.slow
def test_list_numbers_continue_across_pages(print_note: Print) -> None:
    many = "\n".join(f"{n}. Rule {n}: " + "the dealer waits. " * 30 for n in range(1, 40))
    out = print_note(many)
    assert len(PdfReader(out).pages) > 2
    words = text_of(out)
    assert all(f" {n}. Rule {n}:" in f" {words}" for n in range(1, 40))
    assert words.count("waits.") == 39 * 30


@pytest.mark.short(2)
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_p5_every_kind_of_block_is_printed(print_note: Print, paper: str, columns: int) -> None:
    words = text_of(
        print_note(
            "# A Note\n*From a book*\n\n## Part\n\nPlain **bold** *slanted* ~~gone~~ ==marked **twice**== `code`.\n\n"
            "- a\n  - b\n    1. c\n- [ ] open\n- [x] shut\n\n> said\n> > twice\n\n"
            "> [!warning]- Look *out*\n> It bites.\n\n"
            "| Head | Other |\n|---|--:|\n| one | `two` |\n\n```py\n  x = 1\n```\n\n---\n\n"
            "foot[^n] and^[inside *it*]\nsoft\\\nhard\n\n"
            "[^n]: The note.\n\nEnd. %%hidden%% ^block-id",
            paper=paper,
            columns=columns,
        )
    )
    for wanted in [
        "From a book", "Part", "Plain bold slanted gone marked twice code", "a", "b", "1. c", "open", "shut", "said",
        "twice",
        "Warning", "Look out", "It bites.", "Head", "one", "two", "x = 1", "foot", "The note.", "inside it", "End.",
    ]:  # fmt: skip
        assert wanted in words, wanted
    assert "hidden" not in words
    assert "block-id" not in words
    assert words.count("A Note") == 1
    assert "Rules/a-note.md" in words


@pytest.mark.slow
def test_p5_page_references_name_the_page_of_the_heading(print_note: Print) -> None:
    filler = "Some words about nothing at all. " * 60
    body = (
        "See [[#Last Part]].\n\n"
        + "\n\n".join(f"## Part {n}\n\n{filler}" for n in range(12))
        + "\n\n## Last Part\n\nHere."
    )
    out = print_note(body)
    pages = [page.extract_text() for page in PdfReader(out).pages]
    page = next(number for number, text in enumerate(pages, 1) if "Here." in text)
    assert page > 2
    assert f"Last Part (p. {page})" in " ".join(pages[0].replace("\u00a0", " ").split())


def test_other_notes_are_listed_and_web_links_work(print_note: Print) -> None:
    def describe(target: str) -> LinkTarget | None:
        return LinkTarget("note", "The Deck", "3-Mechanics/deck.md", href="obsidian://open?vault=v&file=deck")

    out = print_note("The [Raven](/deck.md#Raven), [[deck|again]], [web](https://example.org/?a=1&b=2).", link=describe)
    assert "The Deck – 3-Mechanics/deck.md" in text_of(out)
    assert set(links_of(out)) == {"obsidian://open?vault=v&file=deck", "https://example.org/?a=1&b=2"}


def test_link_to_a_missing_heading_is_plain_text(print_note: Print) -> None:
    assert "Nowhere at all" in text_of(print_note("[Nowhere at all](#Nowhere) and [[#Gone]]."))


def test_pictures_of_the_vault_and_missing_ones(print_note: Print, tmp_path: Path) -> None:
    Image.new("RGBA", (40, 40), "#00000000").save(tmp_path / "map.png")
    found = {"map.png": tmp_path / "map.png"}
    out = print_note("![[map.png]] ![[lost.png|100]] ![x](https://example.org/y.png)", image=found.get)
    words = text_of(out)
    assert len(PdfReader(out).pages[0].images) == 1
    assert "[picture lost.png: not found in the vault]" in words
    assert "[picture x (y.png): on the web]" in words


def test_a_note_that_embeds_itself_is_embedded_once(print_note: Print) -> None:
    words = text_of(print_note("Before ![[Self]] after.", embed=lambda _: "Inside ![[Self]]."))
    assert words.count("Inside") == 1
    assert "[see Self]" in words


def test_p8_two_prints_have_the_same_bytes_and_all_fonts_embedded(print_note: Print) -> None:
    first = print_note("Words **and** 😀 ⚔ Привет.").read_bytes()
    out = print_note("Words **and** 😀 ⚔ Привет.")
    assert out.read_bytes() == first
    assert all(fonts_of(out).values())
    assert "Привет" in text_of(out)


def test_headings_become_bookmarks(print_note: Print) -> None:
    out = print_note("### Deep first\n\n## Then\n\ntext\n\n#### Very deep\n\ntext")

    def titles(items: list[object]) -> list[object]:
        return [titles(item) if isinstance(item, list) else item.title for item in items]  # type: ignore[attr-defined]

    assert titles(PdfReader(out).outline) == ["A Note", ["Deep first", "Then", ["Very deep"]]]


@pytest.mark.slow
def test_p4_table_wider_than_the_page_is_split_into_parts_that_fit(print_note: Print) -> None:
    head = "|" + "|".join(f"Heading{n}" for n in range(20)) + "|\n|" + "---|" * 20 + "\n"
    rows = "".join("|" + "|".join(f"v{row}x{n}" for n in range(20)) + "|\n" for row in range(25))
    out = print_note(head + rows)
    words = text_of(out)
    assert all(f"v{row}x{n}" in words for row in range(25) for n in range(20))
    assert words.count("Heading0") >= 2
    for page in PdfReader(out).pages:
        spots: list[float] = []
        page.extract_text(
            visitor_text=lambda text, _cm, tm, _f, _s, spots=spots: spots.append(tm[4]) if text.strip() else None
        )
        assert max(spots) < float(page.mediabox.width)


@pytest.mark.slow
def test_p4_row_taller_than_a_page_continues_on_the_next_page(print_note: Print) -> None:
    words = text_of(print_note("| a | b |\n|---|---|\n| " + "very many words " * 900 + " | x |\n"))
    assert [words.count(word) for word in ("very", "many", "words")] == [900] * 3


def test_missing_glyphs_are_named_not_drawn_as_boxes() -> None:
    glyphs = Glyphs(Theme())
    shown = "".join(text for _, text in glyphs.split_runs("a שלום b 中 c", "Alegreya-Regular"))
    assert shown == "a [4×Hebrew] b [1×Cjk] c"
    assert set(glyphs.missing) == set("שלום中")


def spots(out: Path) -> dict[str, tuple[int, float, float]]:
    """Return the page, x and y of every stretch of text."""
    found: dict[str, tuple[int, float, float]] = {}
    for number, page in enumerate(PdfReader(out).pages, 1):

        def note(text: str, cm: list[float], tm: list[float], _f: object, _s: object, number: int = number) -> None:
            found.setdefault(" ".join(text.split()), (number, cm[4] + tm[4], cm[5] + tm[5]))

        page.extract_text(visitor_text=note)
    return found


WIDE = (
    "| The game ends when | Co-op | Competitive |\n|---|---|---|\n"
    "| there is nothing left to draw for anybody at the table | The party wins the game | The highest score wins |\n"
)


def test_sections_between_wide_tables_are_side_by_side_in_their_columns(print_note: Print) -> None:
    coop = "\n".join(f"- Coop{n} says that hands lie face up and that all may talk about it." for n in range(6))
    rivals = "\n".join(f"- Rival{n} says that hands are secret and that nobody has a duty." for n in range(9))
    out = print_note(
        f"{WIDE}\n## Together\n\n*The party.*\n\n{coop}\n\n## Against\n\n*Alone.*\n\n{rivals}\n\n## Ending\n\n{WIDE}"
    )
    where = {key.split()[0]: spot for key, spot in spots(out).items() if key}
    left, right = where["Together"], where["Against"]
    assert left[1] < right[1]
    assert left[2] == pytest.approx(right[2], abs=1)
    assert {where[f"Coop{n}"][1] < right[1] for n in range(6)} == {True}
    assert {where[f"Rival{n}"][1] > right[1] for n in range(9)} == {True}


@pytest.mark.slow
@pytest.mark.parametrize(
    "before", [pytest.param(n, marks=[] if n % 3 == 0 else pytest.mark.slow) for n in range(26, 38)]
)
def test_short_section_is_not_split_and_a_heading_is_not_left_alone(print_note: Print, before: int) -> None:
    filler = "\n\n".join(f"Filler {n} fills its line." for n in range(before))
    short = "Short0 is here.\n\n- Short1 as well.\n- Short2 to be sure.\n- Short3 at the end."
    out = print_note(f"{filler}\n\n### Brief\n\n{short}\n\n### Later\n\n" + "Words to fill the rest. " * 400)
    where = {key.split()[0]: spot for key, spot in spots(out).items() if key}
    assert len({(where[name][0], where[name][1] > 297) for name in ("Brief", "Short0", "Short1", "Short3")}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("count", [13, 14, 15])
def test_no_sheet_ends_with_a_few_lines_on_a_fresh_page(tmp_path: Path, count: int) -> None:
    (tmp_path / "n.md").write_text("".join(f"## Part {n}\n\nWords of part {n}.\n\n" for n in range(1, count)))
    vault = Vault(tmp_path)
    job = PrintJob("a4", tmp_path / "n.pdf", Theme(tmp_path, large=True))
    pages = PdfReader(print_rules([vault.read("n.md")], vault, job).path).pages
    last = pages[-1].extract_text()
    assert len(pages) == 1 or (last.count("Words of part") > 4 and last.split("\n")[1].startswith("Part"))


@pytest.mark.slow
@pytest.mark.parametrize("count", range(60, 84, 3))
@pytest.mark.parametrize("columns", [1, 2])
def test_many_page_sheets_of_any_length_do_not_end_with_a_few_lines(tmp_path: Path, count: int, columns: int) -> None:
    words = "The hall of bells stands over a cold river, and nobody who came by night has told of it. " * 9
    (tmp_path / "n.md").write_text("".join(f"## Part {n}\n\n{words}\n\n" for n in range(count)))
    vault = Vault(tmp_path)
    out = print_rules([vault.read("n.md")], vault, PrintJob("a4", tmp_path / "n.pdf"), columns=columns).path
    pages, levels = PdfReader(out).pages, set[int]()
    pages[-1].extract_text(
        visitor_text=lambda text, cm, tm, *_: levels.add(round(cm[5] + tm[5]) if text.strip() else 0)
    )
    assert len(pages) > 8
    assert len(levels) > 15  # a dozen lines, and those at the head and the foot


@pytest.mark.slow
def test_the_rules_of_the_example_vault_with_their_examples_take_six_pages(tmp_path: Path) -> None:
    from vaultkit.resources import shipped_folder

    vault = Vault(shipped_folder("vault-example"))
    made = print_rules(vault.find("dragon-citadel"), vault, PrintJob("a4", tmp_path / "r.pdf"))
    assert made.pages <= 6


@pytest.mark.slow
def test_long_table_has_every_row_once_and_its_header_on_every_page(print_note: Print) -> None:
    rows = "".join(f"| row{n}x | some words |\n" for n in range(120))
    out = print_note("| Head | Other |\n|---|---|\n" + rows, columns=1)
    pages = [page.extract_text() for page in PdfReader(out).pages]
    words = " ".join(pages)
    assert [words.count(f"row{n}x") for n in range(120)] == [1] * 120
    assert [text.count("Head") for text in pages] == [1] * len(pages)
    assert problems(out) == []


@pytest.mark.slow
def test_p4_a_row_taller_than_a_page_in_a_long_table(print_note: Print) -> None:
    rows = "| a | b |\n" * 100 + "| " + "very many words " * 900 + " | x |\n" + "| c | d |\n" * 100
    words = text_of(print_note("| h | i |\n|---|---|\n" + rows))
    assert words.count("many") == 900


@pytest.mark.parametrize(("sources", "foot"), [(None, "Notes/Letter.md"), (False, "")])
def test_footer_without_sources_does_not_state_the_path_of_a_note(sources: bool | None, foot: str) -> None:
    assert Chapter("Dear all.", "Letter", "Notes/Letter.md", lists_linked_notes=sources).footer == foot
