"""Forms of games made from their definitions alone: complete and without overlaps, whatever the game."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pikepdf
import pytest
from pikepdf import Name, String
from pypdf import PdfReader

from tests.counts import short
from tests.games.test_definition import sheet
from tests.sheets import lint
from tests.sheets.conftest import text_of
from tests.sheets.scoresheets.filling import by_pypdf, change_sheet, fields_by_name
from tests.wording import Says
from vaultkit.budget import Limit
from vaultkit.errors import InvalidError, UsageError
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.filled_sheets import pdf_boxes
from vaultkit.sheets.filled_sheets.filled_sheet import read_filled_sheet
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.scoresheets import score_sheet
from vaultkit.sheets.scoresheets.design import ScoreDesign, find_score_design, make_form
from vaultkit.sheets.scoresheets.score_sheet import print_scores
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault

LAYOUTS = short(["party", "one", "four"])
WOLVES = [
    {"id": "debt", "title": "Debt", "once": True},
    {"id": "bid", "title": "Bid", "how": "What you bid."},
    {"id": "wolves", "title": "Wolves"},
    {"id": "gear", "title": "Gear", "takes": ["none", "bow", "axe"], "worth": [0, 5, 2.5]},
    {"id": "won", "title": "Won it?", "takes": "yes or no"},
    {"id": "points", "title": "Points", "formula": "if(WON,2*wolves-3*bid,gear)"},
    {"id": "honest", "title": "Honest?", "takes": "yes or no", "once": True},
    {"id": "score", "title": "Score", "formula": "if(honest, sum(points), min(points)) - debt"},
]
DAYS = {"name": "Day at Sea", "plural": "days at sea", "most": 6}
Print = Callable[..., PrintedFile]
Boxes = dict[str, tuple[int, float, float, float, float]]


@pytest.fixture
def print_form(tmp_path: Path) -> Print:
    """Return a function that prints the form of a game with the given columns."""

    def make(columns: list[dict[str, Any]], layout: str = "party", **more: Any) -> PrintedFile:
        theme, paper, drawn = more.pop("theme", Theme()), more.pop("paper", "a4"), more.pop("players", ())
        table = {"title": "Wolf Night", "players": more.pop("seats", [2, 5]), "columns": columns, **more}
        job = PrintJob(paper, tmp_path / "form.pdf", theme)
        return print_scores("wolves", job, design=make_form(sheet(table, "wolves")), layout=layout, players=drawn)

    return make


def boxes_of(path: Path) -> Boxes:
    """Return the page and the box of every field: left, bottom, right and top in points."""
    found: Boxes = {}
    with pikepdf.open(path) as pdf:
        for number, page in enumerate(pdf.pages):
            for one in page.get("/Annots", []):
                name, field = "", one
                while field is not None:
                    name, field = f"{field.get('/T', '')}.{name}".strip("."), field.get("/Parent")
                found[name] = (number, *(float(side) for side in one.Rect))
    return found


def tips_of(path: Path) -> dict[str, str]:
    return {name: str(field.get("/TU", "")) for name, field in (PdfReader(path).get_fields() or {}).items()}


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_scoring_is_explained_once_with_formulas_and_values_of_choices(print_form: Print, layout: str) -> None:
    made = print_form(WOLVES, layout, rounds=DAYS | {"most": 3})
    words = " ".join(lint.tagged_text(made.path))
    for wanted in (
        "Bid: What you bid.", "Gear: none 0, bow 5, axe 2.5", "Won it: yes or no",
        "Points: 2 × Wolves − 3 × Bid if Won it, else Gear",
        "Score: (sum of Points if Honest, else lowest of Points) − Debt",
    ):  # fmt: skip
        assert wanted in words
    assert len(re.findall("(?i)what counts", words)) == (4 if layout == "four" else 1)
    assert "?:" not in words and made.remarks == ()
    assert lint.problems(made.path) == []


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_titles_are_not_read_as_markdown(print_form: Print, layout: str) -> None:
    columns = [
        {"id": "a", "title": "A*B*C"},
        {"id": "b", "title": "[B](c)"},
        {"id": "t", "title": "T", "formula": "2*a*b"},
    ]
    words = " ".join(lint.tagged_text(print_form(columns, layout, rounds={}).path))
    assert "2 × A*B*C × [B](c)" in words
    assert words.upper().count("A*B*C") > (4 if layout == "four" else 1)


@pytest.mark.slow
@pytest.mark.parametrize("title", ["🪿", "\U0001faff", "\u200b", " ", "日本"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_title_with_letters_missing_from_all_fonts_is_printed(print_form: Print, layout: str, title: str) -> None:
    made = print_form([{"id": "a", "title": title}, {"id": "b", "title": "B", "formula": "2 * a"}], layout, rounds={})
    assert made.missing == {"\U0001faff": ("\U0001faff",), "日本": ("日", "本")}.get(title, ())


LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"


@pytest.mark.slow
@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_only_a_title_may_be_too_long(print_form: Print, once: bool, large: bool) -> None:
    words = [LONG, f"{LONG} or not", "short"]
    columns = [
        {"id": "a", "title": "A", "how": LONG * 2},
        {"id": "b", "title": "B", "takes": words, "once": once, "worth": [1, 2, 3]},
        {"id": "c", "title": "C", "formula": "+".join(["a"] * 60)},
        {"id": "d", "title": "D", "formula": "sum(c)+b" if once else "sum(c+b)"},
    ]
    for layout in ("one", "party") if large else ("one", "four", "party"):
        assert print_form(columns, layout, rounds={}, theme=Theme(large=large)).pages


@pytest.mark.slow
def test_scoring_text_without_room_is_left_out_with_a_remark(print_form: Print) -> None:
    columns = [{"id": f"a{n}", "title": f"A{n}", "how": "word " * 50} for n in range(12)]
    made = print_form(columns, "four")
    assert {*made.remarks} == {
        "No room for the scoring rules: they are left out. A player's own sheet has it: --layout one"
    }
    assert "word word" not in text_of(made.path)
    for layout in ("one", "party"):
        made = print_form(columns, layout)
        assert made.remarks == () and "word word" in text_of(made.path)


def write_fair(tmp_path: Path, old: str, new: str) -> ScoreDesign:
    own = tmp_path / ".vaultkit" / "games" / "fair.toml"
    own.parent.mkdir(parents=True)
    text = 'title = "Fair"\nplayers = 2\n\n[rounds]\nname = "stall"\n\n[[columns]]\nid = "geese"\ntitle = "Geese"\n'
    own.write_text(text.replace(old, new), encoding="utf-8")
    return find_score_design("fair", tmp_path, ScoreSheets(Vault(tmp_path)))[1]


@pytest.mark.short(1)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "Fair"', f'title = "{"W" * 80}"'),
        ('title = "Geese"', f'title = "{LONG}"'),
        ('name = "stall"', f'name = "{"w" * 24}"'),
    ],
)
def test_long_words_are_shrunk_or_divided(tmp_path: Path, layout: str, old: str, new: str) -> None:
    made = print_scores(
        "fair", PrintJob("a4", tmp_path / "s.pdf"), design=write_fair(tmp_path, old, new), layout=layout
    )
    assert lint.problems(made.path) == []


@pytest.mark.slow
def test_sheet_has_all_rounds_on_enough_pages_and_a_quarter_states_its_limit(print_form: Print) -> None:
    rounds = {"name": "Day at Sea", "most": 60}
    for columns in (WOLVES, WOLVES[:2]):
        for layout, paper in (("one", "a4"), ("party", "a4"), ("party", "letter")):
            made = print_form(columns, layout, rounds=rounds, paper=paper)
            most = {int(found) for found in re.findall(r"day_at_sea\.(\d+)", " ".join(boxes_of(made.path)))}
            assert most == {*range(1, 61)} and made.remarks == ()
        made = print_form(columns, "four", rounds=rounds)
        most = max(int(found) for found in re.findall(r"day_at_sea\.(\d+)", " ".join(boxes_of(made.path))))
        assert made.remarks == (f"Room for {most} of 60 rounds. A player's own sheet has all: --layout one",)
        assert made.pages == 1 and most > 4


@pytest.mark.slow
def test_a_sheet_with_fewer_rounds_is_read(print_form: Print, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"title": "Wolf Night", "players": [2, 8], "columns": WOLVES, "rounds": {"name": "day", "most": 60}}
    games = ScoreSheets(None)
    monkeypatch.setattr(games, "find", lambda _: sheet(table, "wolf-night"))
    monkeypatch.setattr(games, "find_info", lambda _: sheet(table, "wolf-night").info)
    design, filled = make_form(games.find("")), tmp_path / "filled.pdf"
    for layout, name in (("party", "p2."), ("four", "p3."), ("one", "")):
        blank = print_scores("wolf-night", PrintJob("a4", tmp_path / "s.pdf"), design=design, layout=layout).path
        said = {"player": "Bram", "day.2.wolves": "3", "debt": "1", "honest.yes": True, "day.1.won": "yes"}
        filled.write_bytes(by_pypdf(blank.read_bytes(), {name + key: value for key, value in said.items()}))
        read = read_filled_sheet(filled, None, games)
        (bram,) = read.seats
        assert (bram.name, read.problems) == ("Bram", ())
        wanted = {"day.2.wolves": "3", "debt": "1", "honest": "yes", "day.1.won": "yes"}
        assert {key: words.text for key, words in bram.said.items()} == wanted


@pytest.mark.slow
def test_choices_with_digits_are_not_rounds_and_endless_ones_are_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = {"id": "when", "title": "When", "takes": ["24.12.2026", "25.12.2026"], "once": True}
    table = {
        "title": "Geese", "players": [2, 12], "columns": [{"id": "a", "title": "A"}, days], "rounds": {"most": 60}
    }  # fmt: skip
    games = ScoreSheets(None)
    monkeypatch.setattr(games, "find", lambda _: sheet(table, "geese"))
    monkeypatch.setattr(games, "find_info", lambda _: sheet(table, "geese").info)
    job = PrintJob("a4", tmp_path / "s.pdf")
    blank = print_scores("geese", job, design=make_form(games.find("")), layout="four").path.read_bytes()
    filled = tmp_path / "filled.pdf"
    filled.write_bytes(by_pypdf(blank, {"p1.player": "Bram", "p1.round.2.a": "3", "p1.when": "/24.12.2026"}))
    (bram,) = read_filled_sheet(filled, None, games).seats
    assert {key: words.text for key, words in bram.said.items()} == {"round.2.a": "3", "when": "24.12.2026"}

    def rename(_: Any, fields: Mapping[str, Any]) -> None:
        fields["p1.round.2.a"].Parent.T = String("9" * 5000)

    filled.write_bytes(change_sheet(blank, rename))
    with pytest.raises(InvalidError, match="more than 1,000 bytes"):
        read_filled_sheet(filled, None, games)


@pytest.mark.slow
def test_column_without_a_title_is_named_by_its_id(print_form: Print) -> None:
    columns = [{"id": "a", "title": ""}, {"id": "b", "title": "?", "formula": "2 * a"}]
    columns += [{"id": "c", "title": "C", "formula": "a + b"}]
    assert "C a + b" in " ".join(text_of(print_form(columns).path).split())


@pytest.mark.slow
def test_total_is_printed_under_the_column_it_adds_up_or_the_last_one(print_form: Print) -> None:
    for columns, under in ((WOLVES, "points"), ([{"id": "a", "title": "A"}, *WOLVES[:4]], "gear")):
        more = [] if columns is WOLVES else [{"id": "all", "title": "All", "formula": "debt"}]
        for layout, name in (("one", ""), ("four", "p1.")):
            boxes = boxes_of(print_form([*columns, *more], layout, rounds=DAYS).path)
            total = boxes[name + ("all" if more else "score")]
            assert total[1::2] == pytest.approx(boxes[f"{name}day_at_sea.1.{under}"][1::2])
            assert total[4] < boxes[f"{name}debt"][2]


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_number_written_once_is_below_the_rounds_under_its_own_name(print_form: Print, layout: str) -> None:
    made = print_form(WOLVES, layout, rounds=DAYS, players=["Anna", "Ben"])
    boxes, tips = boxes_of(made.path), tips_of(made.path)
    assert (tips["p2.debt"], tips["p1.day_at_sea.2.bid"]) == ("Ben: Debt", "Anna: Day at Sea 2, Bid")
    assert boxes["p1.score"][4] < boxes["p1.debt"][2] < boxes["p1.debt"][4] < boxes["p1.day_at_sea.6.bid"][2]


@pytest.mark.slow
def test_yes_is_before_no_and_a_question_needs_no_colon(print_form: Print) -> None:
    made = print_form(WOLVES, "one", rounds=DAYS)
    boxes, tips = boxes_of(made.path), tips_of(made.path)
    with pikepdf.open(made.path) as pdf:
        (yes, no) = (one for one in pdf.pages[0].Annots if str(one.get("/TU", "")).startswith("Honest"))
    assert [str(one.TU) for one in (yes, no)] == ["Honest: yes", "Honest: no"] and yes.Rect[0] < no.Rect[0]
    assert boxes["honest"] and tips["honest"] == "Honest?"


@pytest.mark.slow
@pytest.mark.parametrize("paper", short(["a4", "letter"]))
def test_large_print_repeats_names_and_shrinks_no_box(print_form: Print, paper: str) -> None:
    made = print_form(
        WOLVES,
        rounds=DAYS | {"most": 24},
        players=["Anna", "Bartholomew the Great"],
        theme=Theme(large=True),
        paper=paper,
    )
    boxes, pages = boxes_of(made.path), PdfReader(made.path).pages
    assert len(pages) > 1 and "Anna" in pages[1].extract_text()
    assert all(box[4] - box[2] > 30 for name, box in boxes.items() if "day_at_sea" in name)
    assert lint.problems(made.path) == []


@pytest.mark.slow
def test_sheet_without_names_has_as_many_columns_as_fit_some_names(tmp_path: Path, print_form: Print) -> None:
    made = print_scores("who-won", PrintJob("a4", tmp_path / "s.pdf"), layout="party")
    boxes = boxes_of(made.path)
    assert made.remarks == ("Room for 6 of 12 players. For more, name them: --players",)
    assert boxes["p6.player"][3] - boxes["p6.player"][1] > 56 and "p7.player" not in boxes
    more = print_scores("who-won", PrintJob("a4", tmp_path / "s.pdf"), layout="party", players=list("ABCDEFGH"))
    assert "p8.player" in boxes_of(more.path) and more.remarks == ()
    assert "p9.player" in boxes_of(print_form(WOLVES[:2], seats=[9, 12]).path)


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_sheet_with_only_ticks_leaves_room_for_notes(tmp_path: Path, layout: str) -> None:
    made = print_scores("who-won", PrintJob("a4", tmp_path / "s.pdf"), layout=layout)
    words = " ".join(lint.tagged_text(made.path))
    assert "Notes" in words and lint.problems(made.path) == []
    assert "Which game was it?" in words


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["party", "one"])
@pytest.mark.parametrize("game", ["skat", "hearts", "darts-501", "yahtzee"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_boxes_of_shipped_games_do_not_touch(tmp_path: Path, game: str, layout: str, paper: str) -> None:
    made = print_scores(game, PrintJob(paper, tmp_path / "s.pdf"), layout=layout)
    boxes = list(boxes_of(made.path).values())
    for number, (page, left, bottom, right, top) in enumerate(boxes):
        assert all(
            page != other or right <= x or to_x <= left or top <= y or to_y <= bottom
            for other, x, y, to_x, to_y in boxes[:number]
        )
    most = {"skat": 36 if paper == "a4" else 34, "hearts": 20, "darts-501": 30, "yahtzee": 0}[game]
    assert sum("points" in name and "p1." in name for name in boxes_of(made.path)) >= most * (layout == "party")


@pytest.mark.slow
@pytest.mark.parametrize("large", short([True, False]))
def test_rounds_on_several_pages_fill_all_of_them(print_form: Print, large: bool) -> None:
    columns = [{"id": "points", "title": "Points"}]
    columns += [{"id": f"more{n}", "title": f"More {n}"} for n in range(5)]
    made = print_form(columns, "one", rounds={"name": "deal", "most": 48}, theme=Theme(large=large))
    boxes = {key: place for key, place in boxes_of(made.path).items() if key.endswith("points")}
    last = max(page for page, *_ in boxes.values())
    assert last > 0 and len(boxes) == 48
    on_each = [sum(page == number for page, *_ in boxes.values()) for number in range(last + 1)]
    assert min(on_each) > max(on_each) / 2


@pytest.mark.parametrize("layout", LAYOUTS)
def test_form_of_a_coop_game_has_two_boxes_for_its_outcome(print_form: Print, layout: str) -> None:
    done = print_form([{"id": "loot", "title": "Loot"}], layout, win="co-op")
    with pikepdf.open(done.path) as pdf:
        groups = {name: field for name, field in fields_by_name(pdf).items() if name.endswith("outcome")}
        assert [*groups] == {"one": ["outcome"], "party": ["outcome"]}.get(
            layout, [f"p{n}.outcome" for n in range(1, 5)]
        )
        for field in groups.values():
            assert [str(kid.TU).rpartition(": ")[2] for kid in field.Kids] == ["won", "lost"] and Name.Off == field.V
    assert "Result" in text_of(done.path)


def test_sheet_missing_a_box_of_the_current_definition_is_refused_with_the_reason(print_form: Print) -> None:
    columns = [{"id": "loot", "title": "Loot"}, {"id": "debt", "title": "Debt"}]
    done = print_form(columns[:1], "one")
    today = sheet({"title": "Wolf Night", "players": [2, 5], "columns": columns}, "wolves")
    read = read_filled_sheet(done.path, None, SimpleNamespace(find_info=lambda _: today, find=lambda _: today))
    assert [remark.partition(" was ")[2] for remark in read.remarks] == [Says("printed", "before", "Debt")]
    less = sheet({"title": "Wolf Night", "players": [2, 5], "columns": columns[1:]}, "wolves")
    with pytest.raises(InvalidError, match="printed from another design: today's has no box 'loot'"):
        read_filled_sheet(done.path, None, SimpleNamespace(find_info=lambda _: less, find=lambda _: less))


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["one", *(pytest.param(one, marks=pytest.mark.slow) for one in ("four", "party"))])
def test_more_boxes_than_can_be_read_are_refused_before_printing(
    print_form: Print, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, layout: str
) -> None:
    def limit(number: int) -> None:
        monkeypatch.setattr(pdf_boxes, "_MAX_BOXES", Limit("This PDF has", number, "boxes", "Print it again."))
        monkeypatch.setattr(score_sheet, "MAX_FIELD_COUNT", number)

    people = ("Ysolde", "Bram", "Sefa", "Ivo")
    file = print_form(WOLVES, layout, rounds=DAYS, players=people).path
    with pikepdf.open(file) as pdf:
        number = len(pdf.acroform.fields)
    limit(number)
    assert print_form(WOLVES, layout, rounds=DAYS, players=people).path == file, "as many as can be read are printed"
    file.unlink()
    limit(number - 1)
    with pytest.raises(UsageError, match=f"would have {number} boxes in one file, and {number - 1} can be") as caught:
        print_form(WOLVES, layout, rounds=DAYS, players=people)
    assert caught.value.hint == Says("Choose", "goose.toml", "rounds")
    assert (caught.value.hint == Says("3 players", "--players")) == (layout != "party")
    assert not list(tmp_path.iterdir())


def test_name_that_could_not_be_read_back_is_refused_before_printing(print_form: Print, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="too long for a box"):
        print_form(WOLVES, "party", players=("Y" * 20_001, "Bram"))
    assert not list(tmp_path.iterdir())
