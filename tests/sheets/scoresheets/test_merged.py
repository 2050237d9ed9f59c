"""Sheets that other programs merged into one file, and sheets that are older than their design."""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pikepdf
import pypdf
import pytest
from pikepdf import Array

from tests.games.test_definition import sheet
from tests.sheets.scoresheets.filling import by_pikepdf, by_pypdf, fields_by_name
from vaultkit.campaign.scoresheets.input_formats import FilledSheet, merge_sheets
from vaultkit.errors import InvalidError
from vaultkit.sheets.filled_sheets.filled_sheet import read_filled_sheet
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.design import make_form
from vaultkit.sheets.scoresheets.score_sheet import print_scores

NAMES = ("Ann", "Ben", "Cas", "Dan", "Eve")


def by_pypdf_append(files: Sequence[bytes]) -> bytes:
    """Merge files whose fields keep their names."""
    writer = pypdf.PdfWriter()
    for data in files:
        writer.append(BytesIO(data))
    return _written(writer)


def by_pypdf_with_names(files: Sequence[bytes]) -> bytes:
    """Merge files whose fields stand under a field of their own each."""
    writer = pypdf.PdfWriter()
    for number, data in enumerate(files):
        reader = pypdf.PdfReader(BytesIO(data))
        reader.add_form_topname(f"form{number}")
        writer.append(reader)
    return _written(writer)


def by_qpdf(files: Sequence[bytes]) -> bytes:
    """Merge files as `qpdf --pages` does: fields of one name get numbers, such as `player+1`."""
    merged, made = pikepdf.new(), BytesIO()
    for data in files:
        merged.add_pages_from(pikepdf.open(BytesIO(data)))
    merged.save(made)
    return made.getvalue()


def _written(writer: pypdf.PdfWriter) -> bytes:
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Return a function that prints the empty sheet of a game for one player."""
    out = tmp_path_factory.mktemp("blank") / "sheet.pdf"
    return lambda game: print_scores(game, PrintJob("a4", out), layout="one").path.read_bytes()


def read_data(data: bytes, path: Path, **more: Any) -> FilledSheet:
    path.write_bytes(data)
    return read_filled_sheet(path, **more)


@pytest.mark.slow
@pytest.mark.parametrize("merge", [by_pypdf_append, by_pypdf_with_names, by_qpdf])
@pytest.mark.parametrize("fill", [by_pypdf, by_pikepdf])
def test_sheets_of_five_players_in_one_file_are_read_one_by_one(
    tmp_path: Path, blank: Callable[[str], bytes], merge: Any, fill: Any
) -> None:
    empty = blank("dragon-citadel")
    boxes = [{"player": name, "swords.total": f"{3 + n}", "forfeited.yes": n == 1} for n, name in enumerate(NAMES)]
    filled = read_data(merge([fill(empty, fields) for fields in boxes]), tmp_path / "foreign-all.pdf")
    record = merge_sheets([filled], ())
    assert [(seat.name, seat.said["swords.total"].text) for seat in record.seats] == [
        (name, f"{3 + n}") for n, name in enumerate(NAMES)
    ]
    assert [seat.name for seat in record.seats if "forfeited" in seat.said] == ["Ben"] and not filled.problems
    assert record.seats[4].where.endswith("foreign-all.pdf, page 5")


@pytest.mark.slow
def test_a_wrong_box_of_a_merged_sheet_is_reported_with_its_page(tmp_path: Path, blank: Callable[[str], bytes]) -> None:
    sheets = [by_pypdf(blank("hearts"), {"player": name, "deal.1.points": "x y"}) for name in NAMES[:2]]
    problems = read_data(by_pypdf_append(sheets), tmp_path / "foreign-all.pdf").problems
    assert len(problems) == 2 and problems[1].note.endswith(
        f"page {1 + len(pypdf.PdfReader(BytesIO(sheets[0])).pages)}"
    )


@pytest.mark.slow
def test_merged_sheets_of_two_games_are_refused(tmp_path: Path, blank: Callable[[str], bytes]) -> None:
    sheets = [by_pypdf(blank(game), {"player": "Ann"}) for game in ("hearts", "skat")]
    with pytest.raises(InvalidError, match="These sheets are of two games: Hearts and Skat"):
        read_data(by_pypdf_append(sheets), tmp_path / "foreign-all.pdf")


@pytest.mark.slow
def test_merged_sheets_that_share_their_boxes_are_reported_as_such(
    tmp_path: Path, blank: Callable[[str], bytes]
) -> None:
    """A field that all sheets share shows on each of them what was typed into one."""
    merged = by_pypdf_append([blank("dragon-citadel")] * 2)
    with pikepdf.open(BytesIO(merged)) as pdf:
        first, second = (next(item for item in page.Annots if item.get("/T") == "player") for page in pdf.pages)
        kids = Array([first, second])
        field = pdf.make_indirect(pikepdf.Dictionary(T="player", FT=pikepdf.Name.Tx, V="Ann", Kids=kids))
        for widget in kids:
            del widget["/T"], widget["/V"]
            widget.Parent = field
        others = [item for item in pdf.Root.AcroForm.Fields if item.objgen not in (first.objgen, second.objgen)]
        pdf.Root.AcroForm.Fields = Array([*others, field])
        assert "player" in fields_by_name(pdf)
        made = BytesIO()
        pdf.save(made)
    with pytest.raises(InvalidError, match=r"2 score sheets were merged .* share the box 'player'") as caught:
        read_data(made.getvalue(), tmp_path / "foreign-all.pdf")
    assert "Save each as a separate file" in caught.value.hint


def by_copied_pages(files: Sequence[bytes]) -> bytes:
    """Merge files as programs do that know nothing of forms."""
    merged, made = pikepdf.new(), BytesIO()
    for data in files:
        pages = pikepdf.open(BytesIO(data)).pages
        for page in pages:
            merged.pages.append(page)
    merged.save(made)
    return made.getvalue()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_merged_sheets_whose_boxes_have_lost_their_names_are_reported_as_such(
    tmp_path: Path, blank: Callable[[str], bytes]
) -> None:
    filled = [by_pypdf(blank("dragon-citadel"), {"player": name}) for name in NAMES[:2]]
    with pytest.raises(InvalidError, match="have no names: it was flattened, or a program merged it") as caught:
        read_data(by_copied_pages(filled), tmp_path / "foreign-all.pdf")
    assert "Save each as a separate file" in caught.value.hint


COLUMNS = [
    {"id": "loot", "title": "Loot"},
    {"id": "debt", "title": "Debt, in all"},
    {"id": "wolves", "title": "Wolves", "once": True},
    {"id": "brave", "title": "Brave?", "takes": "yes or no", "once": True},
    {"id": "all", "title": "All", "formula": "sum(loot)"},
]
TABLE = {"title": "Wolf Night", "players": [2, 5], "rounds": {"name": "night", "most": 4}, "score": "all"}


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["one", "party", "four"])
@pytest.mark.parametrize("added", [1, 2, 3])
def test_a_column_that_was_added_after_printing_counts_as_empty(tmp_path: Path, layout: str, added: int) -> None:
    older = [column for number, column in enumerate(COLUMNS) if number != added]
    old, today = (sheet({**TABLE, "columns": columns}, "wolves") for columns in (older, COLUMNS))
    blank = print_scores("wolves", PrintJob("a4", tmp_path / "b.pdf"), design=make_form(old), layout=layout)
    prefix = "" if layout == "one" else "p1."
    filled = by_pypdf(blank.path.read_bytes(), {f"{prefix}player": "Ann", f"{prefix}night.2.loot": "7"})
    games = SimpleNamespace(find_info=lambda _: today, find=lambda _: today)
    read = read_data(filled, tmp_path / "foreign.pdf", games=games)
    assert [(seat.name, seat.said["night.2.loot"].text) for seat in read.seats] == [("Ann", "7")]
    (remark,) = merge_sheets([read], ()).remarks
    title = str(COLUMNS[added]["title"])
    assert f"before it had a box for {title}, which counts as empty" in remark


def test_a_box_that_others_of_its_column_are_left_of_is_missed_as_before(tmp_path: Path) -> None:
    old, today = (sheet({**TABLE, "columns": columns}, "wolves") for columns in (COLUMNS[::4], COLUMNS))
    blank = print_scores("wolves", PrintJob("a4", tmp_path / "b.pdf"), design=make_form(old), layout="one")
    with pikepdf.open(blank.path) as pdf:
        fields_by_name(pdf)["night.2.loot"].F = 2
        pdf.save(tmp_path / "foreign.pdf")
    games = SimpleNamespace(find_info=lambda _: today, find=lambda _: today)
    with pytest.raises(InvalidError, match="The box 'Night 2, Loot' has gone from this score sheet"):
        read_filled_sheet(tmp_path / "foreign.pdf", None, games)


@pytest.mark.slow
def test_a_covered_box_of_a_merged_sheet_is_settled_on_that_sheet_alone(
    tmp_path: Path, blank: Callable[[str], bytes]
) -> None:
    sheets = [by_pypdf(blank("dragon-citadel"), {"player": name, "swords.total": "4"}) for name in NAMES[:2]]
    path = tmp_path / "foreign-all.pdf"
    with pikepdf.open(BytesIO(by_pypdf_append(sheets))) as pdf:
        page = pdf.pages[1]
        box = next(item for item in page.Annots if item.get("/T") == "player")
        stamp = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Stamp, Rect=box.Rect)
        page.Annots.append(pdf.make_indirect(stamp))
        pdf.save(path)
    (covered,) = read_filled_sheet(path).covered
    assert (covered.page, covered.text) == (2, "Ben")
    settled = read_filled_sheet(path, settled={covered.field: "Zed"})
    assert [seat.name for seat in settled.seats] == ["Ann", "Zed"] and not settled.covered
