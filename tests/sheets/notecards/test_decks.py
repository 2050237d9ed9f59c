"""Four decks of notes as game masters write them: one size, baselines at one height, nothing overlaps, no word lost."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from scripts import verapdf
from tests.sheets.cards.reading import letters, sizes
from tests.sheets.conftest import text_of
from tests.sheets.lint import problems
from tests.sheets.test_standards import MUST_RUN
from vaultkit.sheets.cards.card_sheet import fit_deck, print_set, print_set_pages
from vaultkit.sheets.cards.deck_layout import DeckLayout
from vaultkit.sheets.cards.print_card import SAFE_MARGIN_UM, Face
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.paper import Box, Duplex, load_stock
from vaultkit.sheets.pdf.document import Document, PrintJob
from vaultkit.theme.model import TITLE_BOLD, Theme
from vaultkit.vault import Vault

DECKS = Path(__file__).parent / "decks"
NAMES = ("People", "Items", "Bestiary", "Places")
_PICTURE = re.compile(r"([\w-]+-(\d+)x(\d+)\.png)")
_NOT_PRINTED = re.compile(
    r"""^---\n.*?^---\n|```(?:statblock|ad-statblock|dataview|leaflet|mermaid).*?^```|%%.*?%%|!\[\[[^\]]*\]\]
    |!\[[^\]]*\]\([^)]*\)|<[^>]*>|:Fas\w+:|\[!\w+[^\]]*\]-?|^\*?Source:.*$|(?:^|(?<=\s))\#[\w/-]+|`dice:|^\s*-\s*$|&nbsp;
    |^\|?[-:| ]+\|?$|^\#+\s.*$|^(?:\*\*)?\w+(?:\*\*)?::?(?:\*\*)?\s*$""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
"""What is no word of a card, and headings, which a card lacks if nothing is below them."""
_UNSET_SCRIPT = re.compile(r"[\u3000-\u9fff\uff00-\uffef]+")
_LEFT_OUT = {
    "tbd", "todo", "n", "a", "type", "stat", "fact", "race", "role", "occupation", "profession", "rarity", "class",
    "basics", "ties", "details", "spouse",
}  # fmt: skip
"""Placeholders, heads of tables of facts, and labels without a value or of what is in the line below the title."""


def unpack(folder: Path) -> Vault:
    """Write the notes of all decks, and the pictures that they name in the shapes that their names say."""
    for name in NAMES:
        parts = re.split(r"^=== ", (DECKS / f"{name}.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
        assert len(parts) == 20
        for part in parts:
            path, text = part.split("\n", 1)
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")
            for picture, width, height in _PICTURE.findall(text):
                Image.new("RGB", (int(width) * 60, int(height) * 60), "teal").save(folder / picture)
    return Vault(folder)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    return unpack(tmp_path_factory.mktemp("decks"))


@pytest.fixture(scope="module")
def pages(vault: Vault, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that prints a deck for reading, one card a page."""
    folder = tmp_path_factory.mktemp("pages")
    return cache(lambda name: print_set_pages(note_set(vault, name), PrintJob("a4", folder / f"{name}.pdf")).path)


def fit(vault: Vault, name: str, size: str = "poker", sides: int = 1) -> list[Face]:
    card = load_stock().card(size)
    document = Document("T", "", card, Theme(), tagged=False)
    return fit_deck(document, note_set(vault, name).cards, card, name, sides=sides)


@pytest.mark.short(1)
@pytest.mark.parametrize("size", ["poker", pytest.param("tarot", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_titles_of_a_deck_have_one_size_and_one_baseline(vault: Vault, name: str, size: str) -> None:
    faces = fit(vault, name, size)
    assert len({face.card.title for face in faces}) > 15
    assert len({(face.title_size, face.title_top, face.title_x) for face in faces}) == 1
    assert len({face.panel[3] for face in faces if face.panel and len(face.title_lines) == 1}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_texts_of_a_deck_have_one_size_and_start_at_one_height(vault: Vault, name: str) -> None:
    faces = fit(vault, name)
    styles = [item.block.flowable.style for face in faces for item in face.placed if is_words(item.block)]
    assert len({style.fontSize for style in styles}) == 1
    gaps = [face.panel[1] - face.placed[0].top for face in faces if face.panel and face.placed and not is_below(face)]
    assert len(gaps) > 5
    assert max(gaps) < 13


def is_below(face: Face) -> bool:
    """Return whether the words of a face begin below a picture as wide as the card."""
    return face.art is not None and face.placed[0].top < face.art[1]


def is_words(block: object) -> bool:
    """Return whether a block is running text: no heading, no table, no strip of facts."""
    flowable = getattr(block, "flowable", None)
    style = getattr(flowable, "style", None)
    return style is not None and style.fontName != TITLE_BOLD and not getattr(block, "title", "")


def boxes_of(face: Face) -> Iterator[tuple[float, float, float, float]]:
    """Yield the box of each block of a face: left, bottom, right and top in points."""
    for item in face.placed:
        yield item.left, item.top - item.height, item.left + item.width, item.top


@pytest.mark.slow
@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_overlaps_and_everything_is_within_its_card(vault: Vault, name: str, sides: int) -> None:
    for face in fit(vault, name, sides=sides):
        assert face.panel is not None
        boxes = [*boxes_of(face), corners(face.panel)] + ([corners(face.art)] if face.art else [])
        for number, one in enumerate(boxes):
            assert one[1] >= face.frame.foot - 0.1, face.card.title
            assert not any(overlap(one, other) for other in boxes[number + 1 :]), face.card.title


def corners(place: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return place[0], place[1], place[0] + place[2], place[1] + place[3]


def overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across > 0.1 and min(one[3], other[3]) - max(one[1], other[1]) > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_p4_every_letter_is_in_the_safe_zone(pages: Callable[[str], Path], name: str) -> None:
    left, bottom, right, top = Box(0, 0, 63_000, 88_000).inset(SAFE_MARGIN_UM).corners
    assert [
        (page, letter)
        for page, letter, box in letters(pages(name))
        if box[0] < left or box[1] < bottom or box[2] > right or box[3] > top
    ] == []
    assert min(sizes(pages(name))) >= 7
    assert problems(pages(name)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_p5_no_word_of_a_deck_is_lost(vault: Vault, pages: Callable[[str], Path], name: str) -> None:
    made = note_set(vault, name)
    left_out = " ".join(made.remarks)
    wanted = Counter[str]()
    for path in vault.note_paths:
        if path.startswith(f"{name}/") and path not in left_out:
            text = _NOT_PRINTED.sub(" ", vault.read(path).text)
            text = _NOT_PRINTED.sub(" ", re.sub(r"\[\[([^\]|\\]*\\?\|)?([^\]]*)\]\]", r"\2", text))
            wanted |= Counter(re.findall(r"[^\W_]+", _UNSET_SCRIPT.sub(" ", text).casefold()))
    printed = Counter(re.findall(r"[^\W_]+", text_of(pages(name)).replace("- ", "").casefold()))
    printed += Counter(re.findall(r"[^\W_]+", text_of(pages(name)).casefold()))
    assert {word for word in wanted - printed if word not in _LEFT_OUT} == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_template_placeholder_or_empty_table_is_printed(pages: Callable[[str], Path], name: str) -> None:
    words = text_of(pages(name))
    marks = ("{{", "<%", "Template", "template", "TBD", "N/A", "Describe here", "[!", ":Fas", "#npc", "Effect Price")
    assert [mark for mark in marks if mark in words] == []
    assert not re.search(r"(?i)\bsource\b", words)


@pytest.mark.slow
def test_p2_text_continues_on_the_back_before_another_card(vault: Vault, tmp_path: Path) -> None:
    made = note_set(vault, "Bestiary", selection="Bog Hound, Gull")
    words = {}
    for duplex in (Duplex.NONE, Duplex.LONG_EDGE, Duplex.SHORT_EDGE, Duplex.FOLD):
        printed = print_set(made, vault, PrintJob("a4", tmp_path / f"{duplex}.pdf"), DeckLayout(duplex=duplex))
        words[duplex] = [page.extract_text() for page in read_pages(printed.path)]
    assert len(words[Duplex.NONE]) == len(words[Duplex.FOLD]) == 1
    for duplex in (Duplex.LONG_EDGE, Duplex.SHORT_EDGE):
        front, back = words[duplex]
        assert "1 / 2" in front and "2 / 2" not in front and "Gull" in front
        assert "2 / 2" in back and "knocked" in back and "Gull" not in back


def read_pages(path: Path) -> list[object]:
    from pypdf import PdfReader

    return list(PdfReader(path).pages)


def test_facts_are_chosen_and_ordered_by_name(vault: Vault) -> None:
    (card,) = note_set(vault, "People", selection="Captain Ysolde Marr", fields=("Voice", "rank")).cards
    facts = [fact.words() for fact in card.syntax_tree().children[0].children]
    assert facts == ["Voicelow and even", "RankCaptain of the Night Watch"]


def test_linked_notes_become_cards(vault: Vault) -> None:
    titles = [card.title for card in note_set(vault, links=vault.find("Grey Ferry")).cards]
    assert titles == ["Wilma Osterloh", "Nan Tully"]


@pytest.mark.slow
def test_monsters_have_boxes_for_hit_points(vault: Vault, pages: Callable[[str], Path]) -> None:
    words = text_of(pages("Bestiary"))
    assert "HP 27 HP Three votes" in words and "CA 13 PV 22" in words


@pytest.mark.slow
@pytest.mark.skipif(bool(verapdf.missing()) and not MUST_RUN, reason=f"veraPDF cannot run: {verapdf.missing()}")
@pytest.mark.parametrize("name", NAMES)
def test_p6_verapdf_accepts_the_file(pages: Callable[[str], Path], name: str) -> None:
    assert {flavour: verapdf.failures(pages(name), flavour) for flavour in ("ua1", "2a")} == {"ua1": [], "2a": []}
