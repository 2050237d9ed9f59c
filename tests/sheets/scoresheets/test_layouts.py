"""Every score sheet in every layout: its contents, its fields, and its identification."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from tests.sheets import lint
from tests.sheets.conftest import fonts_of, text_of
from tests.wording import Says
from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets.paper import MM_POINTS as MM
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.design import adapt_design, load_score_design
from vaultkit.sheets.scoresheets.score_sheet import Filled, print_scores
from vaultkit.theme.model import Theme

EVERY = [
    (name, layout)
    for name in ("dragon-citadel", "prophets-gambit", "propheta", "turn-of-fate", "deck-of-destiny", "blank")
    for layout in load_score_design(name).layouts
]
FAST = [("dragon-citadel", "one"), ("dragon-citadel", "four"), ("propheta", "party"), ("deck-of-destiny", "one")]
SHEETS = [pytest.param(*pair, marks=[] if pair in FAST else pytest.mark.slow) for pair in EVERY]
Make = Callable[[str, str, str], Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Return a function that prints each sheet once for all tests."""
    folder = tmp_path_factory.mktemp("sheets")

    @cache
    def make_sheet(name: str, layout: str, paper: str) -> Path:
        return print_scores(name, PrintJob(paper, folder / f"{name}-{layout}-{paper}.pdf"), layout=layout).path

    return make_sheet


def fields_of(path: Path) -> dict[str, str]:
    """Return every field with its value."""
    return {name: str(field.get("/V", "")) for name, field in (PdfReader(path).get_fields() or {}).items()
            if "/FT" in field}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "layout"), SHEETS)
def test_p4_and_p6_every_sheet_fits_on_one_page_and_is_tagged(make: Make, name: str, layout: str) -> None:
    path = make(name, layout, "letter")
    assert len(PdfReader(path).pages) == 1
    assert all(fonts_of(path).values())
    assert lint.problems(path) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "layout"), EVERY)
def test_p4_every_sheet_fits_on_one_narrower_page(make: Make, name: str, layout: str) -> None:
    assert len(PdfReader(make(name, layout, "a4")).pages) == 1


@pytest.mark.short(1)
@pytest.mark.parametrize(("name", "layout"), SHEETS)
def test_p7_every_box_is_on_the_paper_and_none_overlap(make: Make, name: str, layout: str) -> None:
    with pikepdf.open(make(name, layout, "letter")) as pdf:
        page = pdf.pages[0]
        boxes = [[float(n) for n in field.Rect] for field in page.Annots]
        width, height = (float(n) for n in [*page.mediabox][2:])
    for number, (left, bottom, right, top) in enumerate(boxes):
        assert 10 < left < right < width - 10
        assert 10 < bottom < top < height - 10
        for x, y, to_x, to_y in boxes[:number]:
            assert right <= x or to_x <= left or top <= y + 3 or to_y <= bottom + 3


@pytest.mark.short(1)
@pytest.mark.parametrize(("name", "layout"), [sheet for sheet in SHEETS if "four" not in sheet.values])
def test_a_box_for_a_number_is_ten_millimetres_high(make: Make, name: str, layout: str) -> None:
    with pikepdf.open(make(name, layout, "letter")) as pdf:
        written = [field for field in pdf.pages[0].Annots if field.get("/Q") == 1 and not int(field.Ff) & 1]
        high = [float(field.Rect[3] - field.Rect[1]) for field in written]
    assert high
    assert min(high) + 2.01 > 10 * MM  # a field lies a point inside of its box


@pytest.mark.slow
def test_names_too_long_for_their_columns_are_wrapped_and_shown_whole(tmp_path: Path) -> None:
    names = ["Nettlewick", "Bartholomew", "Ysolde the Grey", "Źdźbło", "Maximilian", "Jo", "Ana"]
    made = print_scores("dragon-citadel", PrintJob("letter", tmp_path / "s.pdf"), layout="party", players=names)
    with pikepdf.open(made.path) as pdf:
        looks = {str(one.Parent.T): one for one in pdf.pages[0].Annots if one.get("/T") == "player"}
        assert {str(one.V) for one in looks.values()} == set(names)
        shown = [one.AP.N.read_bytes().count(b" Tm") - 1 for one in looks.values()]
    assert shown == [1, 1, 2, 1, 1, 1, 1]


@pytest.mark.slow
def test_p7_field_names_state_the_player_and_the_meaning(make: Make) -> None:
    alone = fields_of(make("dragon-citadel", "one", "letter"))
    assert {"player", "session", "date", "mode", "swords.total", "crowns.count", "score"} <= set(alone)
    party = fields_of(make("dragon-citadel", "party", "letter"))
    assert {"session", "mode", "p1.player", "p7.swords.heroes", "p7.forfeited", "p7.score"} <= set(party)
    four = fields_of(make("dragon-citadel", "four", "letter"))
    assert {"p1.session", "p4.swords.total", "p4.mode"} <= set(four)
    assert "p5.score" not in four


@pytest.mark.slow
def test_p7_screen_reader_gets_the_row_and_the_column(make: Make) -> None:
    fields = PdfReader(make("dragon-citadel", "party", "letter")).get_fields() or {}
    assert fields["p2.swords.total"]["/TU"] == "Player 2: Swords, Total of numbers"
    assert fields["p1.crowns.count"]["/TU"] == "Player 1: Crowns, Open Crowns"


@pytest.mark.slow
def test_p8_sheet_is_identified_by_its_design_and_fields_but_not_by_its_values(tmp_path: Path) -> None:
    def identify_sheet(number: int, **more: object) -> str:
        made = print_scores("turn-of-fate", PrintJob("a4", tmp_path / f"{number}.pdf"), **more)  # type: ignore[arg-type]
        fields = fields_of(made.path)
        assert (fields["vaultkit.game"], fields["vaultkit.fields"]) == ("turn-of-fate", "2")
        return fields["vaultkit.sheet"]

    blank = identify_sheet(1)
    assert identify_sheet(2, filled=Filled({"session": "k3f9"}), players=["Ysolde", "Bram"]) == blank
    other = [identify_sheet(3, layout="one"), identify_sheet(4, players=["Ysolde"])]
    assert len({blank, *other}) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "layout"),
    [("dragon-citadel", "party")]
    + [pytest.param(*pair, marks=pytest.mark.slow) for pair in EVERY if pair[1] != "four"],
)
def test_p11_large_print_continues_on_more_pages_and_loses_no_box(
    make: Make, tmp_path: Path, name: str, layout: str
) -> None:
    large = print_scores(name, PrintJob("letter", tmp_path / "s.pdf", Theme(large=True)), layout=layout)
    missing = set(fields_of(make(name, layout, "letter"))) - set(fields_of(large.path))
    assert missing == set()
    if name != "blank":
        assert large.pages > 1


def test_invalid_layout_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        print_scores("deck-of-destiny", PrintJob("a4", tmp_path / "s.pdf"), layout="party")
    assert "one character" in caught.value.hint
    with pytest.raises(UsageError, match="large print"):
        print_scores("propheta", PrintJob("a4", tmp_path / "s.pdf", Theme(large=True)), layout="four")
    with pytest.raises(UsageError, match="room for 2 players, not 3"):
        print_scores("turn-of-fate", PrintJob("a4", tmp_path / "s.pdf"), layout="party", players=["A", "B", "C"])
    with pytest.raises(UsageError, match="room for 4 players") as caught:
        print_scores("propheta", PrintJob("a4", tmp_path / "s.pdf"), layout="party", players=list("ABCDE"))
    assert caught.value.hint == Says("fewer", "players", "--layout")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_usual_players_are_printed_where_they_fit(tmp_path: Path) -> None:
    def names(game: str) -> list[str]:
        made = print_scores(game, PrintJob("a4", tmp_path / f"{game}.pdf"), layout="party", usual=["A", "B", "C"])
        return [value for name, value in sorted(fields_of(made.path).items()) if name.endswith(".player")]

    assert names("propheta") == ["A", "B", "C"]
    assert names("turn-of-fate") == ["", ""]


@pytest.mark.slow
def test_blank_sheet_accepts_rows_columns_and_a_title(tmp_path: Path) -> None:
    blank = load_score_design("blank")
    design = adapt_design(blank, title="Darts", rows=["Ysolde", "Bram"], columns=["Won", "Lost"])
    made = print_scores("blank", PrintJob("a4", tmp_path / "s.pdf"), design=design)
    assert "Darts" in text_of(made.path)
    assert "YsoldeBram" in text_of(made.path).replace(" ", "")
    fields = PdfReader(made.path).get_fields() or {}
    assert fields["row-2.1"]["/TU"] == "Bram, Won"
    with pytest.raises(UsageError, match="those of its game"):
        adapt_design(load_score_design("propheta"), rows=["Ysolde"])


@pytest.mark.short(1)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_word_too_long_for_its_place_is_shrunk_or_hyphenated(tmp_path: Path, paper: str) -> None:
    columns = [f"Donaudampfschifffahrtsgesellschaft{n}" for n in range(5)]
    design = adapt_design(load_score_design("blank"), columns=columns)
    made = print_scores("blank", PrintJob(paper, tmp_path / "s.pdf"), design=design)
    words = re.sub(r"\s", "", text_of(made.path)).lower()
    assert lint.problems(made.path) == [] and all(column.lower() in words for column in columns)


@pytest.mark.slow
def test_excess_rows_continue_on_another_page_or_are_an_error_on_a_quarter(tmp_path: Path) -> None:
    design = adapt_design(load_score_design("blank"), rows=[f"Row {n}" for n in range(120)])
    assert print_scores("blank", PrintJob("a4", tmp_path / "s.pdf"), design=design).pages == 2
    with pytest.raises(InvalidError) as caught:
        print_scores("blank", PrintJob("a4", tmp_path / "four.pdf"), design=design, layout="four")
    assert "rows" in caught.value.hint


def test_excess_columns_are_an_error_with_the_maximum(tmp_path: Path) -> None:
    def print_rows(count: int) -> None:
        design = adapt_design(load_score_design("blank"), rows=["A"], columns=[f"{n}" for n in range(count)])
        print_scores("blank", PrintJob("a4", tmp_path / "s.pdf"), design=design)

    with pytest.raises(InvalidError, match="has 40 columns, and at most ") as caught:
        print_rows(40)
    most = int(re.findall(r"\d+", caught.value.message)[-1])
    print_rows(most)
    with pytest.raises(InvalidError, match=f"at most {most} columns fit"):
        print_rows(most + 1)


@pytest.mark.slow
def test_few_rows_grow_and_note_lines_fill_the_rest(make: Make, tmp_path: Path) -> None:
    design = adapt_design(load_score_design("blank"), rows=["Walls", "Gold"], columns=["Anna", "Ben"])
    made = print_scores("blank", PrintJob("a4", tmp_path / "s.pdf"), design=design).path
    with pikepdf.open(made) as pdf:
        (box,) = (field for field in pdf.pages[0].Annots if str(field.T) == "1" and str(field.Parent.T) == "row-2")
        assert 18 * MM < box.Rect[3] - box.Rect[1] < 22 * MM
    assert "Notes" in lint.tagged_text(made)
    assert "Notes" not in lint.tagged_text(make("dragon-citadel", "party", "letter"))


@pytest.mark.slow
def test_name_is_centred_in_its_box(tmp_path: Path) -> None:
    names = ["Anna", "Bartholomew the Extraordinarily Long-winded of Ostermark"]
    made = print_scores("propheta", PrintJob("a4", tmp_path / "s.pdf"), layout="party", players=names)
    with pikepdf.open(made.path) as pdf:
        short, long = (one for one in pdf.pages[0].Annots if str(one.T) == "player")
        assert [int(one.Ff) >> 12 & 1 for one in (short, long)] == [0, 1]
        for field, lines in ((short, 1), (long, 2)):
            steps = pikepdf.parse_content_stream(field.AP.N)
            levels = [float(step.operands[5]) for step in steps if str(step.operator) == "Tm"][1:]
            assert len(levels) == lines
            size = max(float(step.operands[1]) for step in steps if str(step.operator) == "Tf")
            below, above = levels[-1], float(field.AP.N.BBox[3]) - levels[0] - 0.63 * size  # as high as capitals
            assert below == pytest.approx(above, abs=0.5)


@pytest.mark.slow
def test_p6_name_of_a_group_spans_its_lines_and_bullets_are_labels(make: Make) -> None:
    with pikepdf.open(make("propheta", "party", "letter")) as pdf:
        elements = list(lint.Reading(pdf).root.walk())  # type: ignore[union-attr]
        table = next(one for one in elements if one.kind == "Table")
        spans = [
            (int(cell.obj.A.get("/RowSpan", 1)), int(cell.obj.A.get("/ColSpan", 1)))
            for row in table.children for cell in row.children[:1]
        ]  # fmt: skip
        empty = [cell for row in table.children for cell in row.children if not cell.children]
        items = [[part.kind for part in one.children] for one in elements if one.kind == "LI"]
    assert (spans[0], spans[1], spans[6], spans[-1]) == ((1, 2), (5, 1), (5, 1), (1, 2))
    assert empty == []
    assert items and all(item == ["Lbl", "LBody"] for item in items)


@pytest.mark.slow
def test_p7_boxes_without_a_title_are_described_by_their_place(make: Make) -> None:
    fields = PdfReader(make("blank", "one", "letter")).get_fields() or {}
    assert fields["row.3.2"]["/TU"] == "Row 3, column 2"
    assert (fields["names.row.3"]["/TU"], fields["heads.2"]["/TU"]) == ("Row 3, name", "Column 2, name")


@pytest.mark.slow
def test_p5_characters_without_a_glyph_are_readable(tmp_path: Path) -> None:
    design = load_score_design("blank")
    lines = (replace(design.lines[0], title="日本 game"), *design.lines[1:])
    made = print_scores("blank", PrintJob("a4", tmp_path / "s.pdf"), design=replace(design, lines=lines))
    assert made.missing == ("日", "本")
    assert "日本 game" in lint.tagged_text(made.path)
    assert lint.problems(made.path) == []
