"""Scripts that are shaped, run from right to left, or have no spaces: they print, break and extract as written."""

import random
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pypdf import PdfReader

from tests.counts import count
from tests.sheets.conftest import fonts_of, print_text, text_of
from vaultkit.resources import shipped_folder
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.score_sheet import print_scores
from vaultkit.theme.bidi import can_shape, embedding_levels, runs_right_to_left, split_levels, visual_order
from vaultkit.theme.custom_fonts import check_font
from vaultkit.theme.line_breaks import split_unspaced, split_words
from vaultkit.theme.model import Theme
from vaultkit.theme.system_fonts import find_system_fonts

pytestmark = pytest.mark.skipif(not can_shape(), reason="the extra 'scripts' is not installed")

SYSTEM = Theme(system_fonts=True)
SENTENCES = {
    "he": "הרוזן סטראד גר בטירת רייבנלופט, על צוק גבוה מעל הכפר.",
    "ar": "يعيش الكونت سترايد فوق قرية صغيرة، وهو مصاص دماء قديم.",
    "fa": "او می‌گوید کتاب‌های من کجاست.",
    "th": "เคานต์สตราดอาศัยอยู่ในปราสาทเรเวนลอฟท์ซึ่งตั้งอยู่บนหน้าผาสูงเหนือหมู่บ้านบาโรเวีย",
    "ja": "ストラード伯爵は、バロヴィア村を見下ろす高い崖の上の「レイヴンロフト城」に住んでいます。",
    "zh": "斯特拉德伯爵住在悬崖上的鸦阁城堡里，俯瞰着巴洛维亚村。“我就是这片土地！”他说。",
    "ko": "스트라드 백작은 바로비아 마을이 내려다보이는 높은 절벽 위의 성에 삽니다.",
}
NAMES = {"he": "אבנר כהן", "ar": "محمد علي", "th": "สมชาย ใจดี", "ja": "山田太郎", "ko": "김철수"}
_EMBEDDINGS = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\ufffe]")


def skip_without_font(language: str, text: str) -> None:
    letters = "".join(sorted({letter for letter in text if letter.isalpha()}))
    if next(find_system_fonts(letters, language, is_bold=False), None) is None:
        pytest.skip(f"no TrueType font of the system has the letters of '{language}'")


def read_with_pdfium(path: Path) -> str:
    """Return the words of a PDF as Chromium's engine finds them."""
    pages = pypdfium2.PdfDocument(path)
    text = " ".join(page.get_textpage().get_text_range() for page in pages)
    return " ".join(_EMBEDDINGS.sub("", text).split())


def actual_texts(path: Path) -> list[str]:
    """Return the replacement texts of a PDF's structure elements."""
    with pikepdf.open(path) as pdf:
        elements = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/ActualText" in item]
        return [str(element.ActualText) for element in elements]


def positions_of(path: Path, words: str) -> list[tuple[float, float]]:
    """Return the left and top edge of each place where PDFium finds some words on the first page."""
    page = pypdfium2.PdfDocument(path)[0].get_textpage()
    search, places = page.search(words), []
    while (match := search.get_next()) is not None:
        boxes = [page.get_charbox(index) for index in range(match[0], sum(match))]
        places.append((min(box[0] for box in boxes), max(box[3] for box in boxes)))
    return places


@pytest.mark.short(1)
@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_are_printed_and_extracted_as_written(tmp_path: Path, language: str) -> None:
    sentence = SENTENCES[language]
    skip_without_font(language, sentence)
    made = print_text(f"{sentence}\n", out=tmp_path / "s.pdf", theme=SYSTEM, columns=1)
    assert made.missing == ()
    assert sentence.replace(" ", "") in read_with_pdfium(made.path).replace(" ", "")
    assert all(fonts_of(made.path).values())
    if runs_right_to_left(sentence):
        assert sentence in actual_texts(made.path)
    else:
        assert sentence.replace(" ", "") in text_of(made.path).replace(" ", "").replace("\u200b", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "language", [pytest.param(name, marks=[] if name == "he" else pytest.mark.slow) for name in NAMES]
)
def test_names_are_on_score_sheets_their_fields_and_bookmarks(tmp_path: Path, language: str) -> None:
    name = NAMES[language]
    skip_without_font(language, name)
    made = print_scores("dragon-citadel", PrintJob("a4", tmp_path / "s.pdf", SYSTEM), players=[name, "Ysolde"])
    assert made.missing == () and made.sheets == (name, "Ysolde")
    reader = PdfReader(made.path)
    assert [item.title for item in reader.outline if not isinstance(item, list)] == [name, "Ysolde"]
    assert (reader.get_fields() or {})["p1.player"]["/V"] == name


@pytest.mark.slow
def test_order_of_mixed_lines_is_that_of_the_algorithm() -> None:
    """The levels of random lines put their characters where python-bidi puts them."""
    from bidi import get_display

    source = random.Random(47)
    letters = "אבג دعم abc 12 ٣٤ ()[]<>,.:-+%$ '\"\u05b8\u064e"
    for _ in range(count(500, 20_000)):
        text = "".join(source.choice(letters) for _ in range(source.randint(1, 14))).strip()
        for is_right_to_left in (False, True):
            pieces = split_levels([text], embedding_levels(text, is_right_to_left))
            order = visual_order([piece.level for piece in pieces])
            ordered = (pieces[n].text[::-1] if pieces[n].level % 2 else pieces[n].text for n in order)
            assert "".join(ordered) == get_display(text, base_dir="R" if is_right_to_left else "L")


@pytest.mark.slow
def test_very_long_line_has_a_level_for_each_character() -> None:
    assert len(embedding_levels("שלום abc " * 5_000, True)) == 45_000


def test_paragraphs_lists_and_tables_from_right_to_left_are_mirrored(tmp_path: Path) -> None:
    skip_without_font("he", SENTENCES["he"])
    note = "אאאאאאא\n\n- בבבבבבב\n    - גגגגגגג\n\n| דדד | ההה |\n|---|---|\n| ווו | 18 |\n\nLatin\n"
    made = print_text(note, out=tmp_path / "m.pdf", theme=SYSTEM, columns=1)
    place = {word: positions_of(made.path, word)[0][0] for word in ("אאא", "בבב", "גגג", "דדד", "ההה", "Latin", "18")}
    assert place["אאא"] > place["בבב"] > place["גגג"] > place["Latin"]
    assert place["דדד"] > place["ההה"]
    assert place["18"] > place["Latin"]
    assert len(positions_of(made.path, "•")) == 2
    assert all(left > place["בבב"] for left, _ in positions_of(made.path, "•"))


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("title", "text", "is_right"),
    [
        ("Note", SENTENCES["he"], True),
        ("Note", f"{SENTENCES['he']}\n>\n> Barovia\n>\n> {NAMES['he']}", True),
        (NAMES["he"], SENTENCES["he"], True),
        ("Note", f"Barovia\n>\n> {NAMES['he']}\n>\n> Krezk", False),
        ("Note", "Barovia", False),
    ],
)
def test_bar_of_a_callout_is_where_most_of_its_text_begins(
    tmp_path: Path, title: str, text: str, is_right: bool
) -> None:
    skip_without_font("he", SENTENCES["he"])
    made = print_text(f"> [!note] {title}\n> {text}\n", out=tmp_path / "c.pdf", theme=SYSTEM)
    with pikepdf.open(made.path) as pdf:
        steps = pikepdf.parse_content_stream(pdf.pages[0])
        areas = [[float(number) for number in operands] for operands, operator in steps if str(operator) == "re"]
    (bar,) = (area for area in areas if area[2] < 3)
    (panel,) = (area for area in areas if area[2] > 100)
    assert bar[0] == pytest.approx(panel[0] + (panel[2] - bar[2] if is_right else 0), abs=0.1)


@pytest.mark.slow
def test_first_column_is_at_the_right(tmp_path: Path) -> None:
    skip_without_font("he", SENTENCES["he"])
    note = "\n\n".join(
        f"אאא{'ב' * 9} {' '.join([SENTENCES['he']] * 6)}" if n == 0 else SENTENCES["he"] * 6 for n in range(9)
    )
    made = print_text(note, out=tmp_path / "c.pdf", theme=SYSTEM, columns=2)
    (first,), (last,) = positions_of(made.path, "אאא"), positions_of(made.path, "1 / 1")
    assert first[0] > pypdfium2.PdfDocument(made.path)[0].get_width() / 2 and last


def test_brackets_numbers_and_links_of_a_mixed_line_keep_their_places(tmp_path: Path) -> None:
    skip_without_font("he", SENTENCES["he"])
    note = "אאא (Strahd von Zarovich) 450 בבב [גגג](https://a.example/) ==דדד== הה.\n"
    made = print_text(note, out=tmp_path / "b.pdf", theme=SYSTEM, columns=1)
    place = {
        word: positions_of(made.path, word)[0][0] for word in ("אאא", "Strahd", "Zarovich", "450", "בבב", "גגג", "דדד")
    }
    assert (
        place["אאא"] > place["Zarovich"] > place["Strahd"] > place["450"] > place["בבב"] > place["גגג"] > place["דדד"]
    )
    with pikepdf.open(made.path) as pdf:
        left, _, right, _ = (float(edge) for edge in pdf.pages[0].Annots[0].Rect)
    assert abs(left - place["גגג"]) < 2 and place["גגג"] < right < place["בבב"]


@pytest.mark.parametrize("language", ["th", "ja", "zh"])
def test_words_without_spaces_are_broken_between_words(language: str) -> None:
    sentence = SENTENCES[language]
    parts = split_unspaced(sentence)
    assert "".join(parts) == sentence and len(parts) > len(sentence) / 8
    assert not any(part[0] in "、。，」）！”\u0e48\u0e49ーっ" for part in parts)
    assert not any(part[-1] in "「（“เแโใไ" for part in parts)
    assert "".join(split_words(f"{sentence} Strahd von")) == f"{sentence} Strahd von"


@pytest.mark.slow
def test_long_words_in_a_narrow_column_stay_inside(tmp_path: Path) -> None:
    skip_without_font("zh", SENTENCES["zh"])
    sentence = SENTENCES["zh"].replace("，", "") * 3
    made = print_text(f"| a | b |\n|---|---|\n| {sentence} | {sentence} |\n", out=tmp_path / "n.pdf", theme=SYSTEM)
    page = pypdfium2.PdfDocument(made.path)[0]
    text = page.get_textpage()
    edges = [text.get_charbox(index)[2] for index in range(text.count_chars())]
    assert max(edges) < page.get_width() - 30
    assert text_of(made.path).replace(" ", "").count(sentence.replace(" ", "")) == 2


def test_fonts_of_the_vault_come_before_those_of_the_system(tmp_path: Path) -> None:
    skip_without_font("he", SENTENCES["he"])
    file = next(find_system_fonts("אבגדה", "he", is_bold=False))
    check_font(file.read_bytes())
    folder = tmp_path / "vault" / ".vaultkit" / "print"
    (folder / "fonts").mkdir(parents=True)
    (folder / "fonts" / "Mine.ttf").write_bytes(file.read_bytes())
    (folder / "fonts.toml").write_text('fallback = ["Mine.ttf"]\n', encoding="utf-8")
    made = print_text(SENTENCES["he"], out=tmp_path / "v.pdf", theme=Theme(tmp_path / "vault"))
    assert not made.missing and any("Mine" in name for name in fonts_of(made.path))


def test_without_a_font_the_remark_names_one(tmp_path: Path) -> None:
    made = print_text(SENTENCES["he"], out=tmp_path / "n.pdf", theme=Theme(shipped_folder("vault-example")))
    assert "[5×Hebrew]" in text_of(made.path)
    assert any("Noto Serif Hebrew" in remark and "--system-fonts" in remark for remark in made.remarks)
