"""Booklets as files: pages on sheets in the order of folding, and the same pages for reading on a screen."""

import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from pypdf import PdfReader

from tests.sheets.lint import problems
from vaultkit.sheets.paper import ReadingPlan, Size, load_stock
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.rules.booklet import (
    SPARE_PAGE_TITLE,
    BookletPlan,
    Edge,
    how_to_fold,
    impose_pages,
    plan_booklet,
    print_booklet,
    ruled_page,
)
from vaultkit.theme.lengths import MM, points
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault

A4 = Size("a4", 210_000, 297_000)
BODY = "\n\n".join(f"## Part {n}\n\n" + f"Word{n} and more of them. " * 40 for n in range(12))


@pytest.fixture(scope="module")
def printed_booklet(tmp_path_factory: pytest.TempPathFactory) -> tuple[PrintedFile, PrintedFile]:
    root = tmp_path_factory.mktemp("vault")
    (root / "Long.md").write_text(f"# Long\n\n{BODY}", encoding="utf-8")
    vault = Vault(root)
    return print_booklet([vault.find("Long")], vault, "a6", PrintJob("a4", root / "long.pdf"))


@pytest.mark.slow
def test_pages_are_written_beside_the_sheets_in_reading_order(printed_booklet: tuple[PrintedFile, PrintedFile]) -> None:
    sheets, read = printed_booklet
    assert read.path.name == "long-pages.pdf"
    assert problems(read.path) == []
    assert sheets.pages == 2 * BookletPlan(A4, "quarter").count_sheets(read.pages)


@pytest.mark.slow
def test_every_page_is_in_its_place(printed_booklet: tuple[PrintedFile, PrintedFile]) -> None:
    sheets, read = printed_booklet
    with pikepdf.open(sheets.path) as pdf:
        assert len(pdf.pages) == sheets.pages
        for page, side in zip(pdf.pages, BookletPlan(A4, "quarter").arrange_sides(read.pages), strict=True):
            assert [float(n) for n in page.mediabox] == pytest.approx(
                [0, 0, points(A4.width), points(A4.height)], abs=0.02
            )
            code = page.Contents.read_bytes().decode("ascii")
            placed = {one.page: one for one in side}
            assert set(page.Resources.XObject) == {f"/P{number}" for number in placed}
            for number, one in placed.items():
                assert f"1 0 0 1 {points(one.box.x):.4f} {points(one.box.y):.4f} cm /P{number} Do" in code


@pytest.mark.parametrize("flip", ["long", "short"])
def test_rotated_pages_and_marks_are_in_their_places(
    printed_booklet: tuple[PrintedFile, PrintedFile], flip: Edge, tmp_path: Path
) -> None:
    plan, pages, out = BookletPlan(A4, "quarter", flip), printed_booklet[1], tmp_path / "sheets.pdf"
    spare = ruled_page(ReadingPlan(plan.page), Theme())
    impose_pages(pages.path, plan, out, title="Long", theme=Theme(), spare=spare)
    with pikepdf.open(out) as pdf:
        code = "".join(page.Contents.read_bytes().decode("ascii") for page in pdf.pages)
    matrices = [[float(word) for word in line] for line in re.findall(r"q (\S+) 0 0 (\S+) (\S+) (\S+) cm", code)]
    placements = [placement for side in plan.arrange_sides(pages.pages) for placement in side]
    width, height = points(plan.page.width), points(plan.page.height)
    for (across, up, x, y), placement in zip(matrices, placements, strict=True):
        assert across == up == (-1 if placement.is_rotated else 1)
        corner = min(x, x + across * width), min(y, y + up * height)
        assert corner == pytest.approx((points(placement.box.x), points(placement.box.y)), abs=0.001)
    lines = {tuple(map(float, line)) for line in re.findall(r"(\S+) (\S+) m (\S+) (\S+) l S", code)}
    assert sorted(lines) == [pytest.approx(line, abs=0.001) for line in sorted(mark.points for mark in plan.marks)]


def test_lines_to_write_on_are_as_wide_as_the_text() -> None:
    plan = ReadingPlan(Size("a6", 105_000, 148_000), side=8 * MM, above=9 * MM, below=9 * MM)
    with pikepdf.open(BytesIO(ruled_page(plan, Theme()))) as pdf:
        steps = [(str(operator), operands) for operands, operator in pikepdf.parse_content_stream(pdf.pages[0])]
    spans = [(*start, *end) for (first, start), (second, end) in pairwise(steps) if (first, second) == ("m", "l")]
    lines = [tuple(map(float, span)) for span in spans][-10:]
    left, bottom, width, _ = plan.body.points
    assert [(x, end) for x, _, end, _ in lines] == [pytest.approx((left, left + width), abs=0.01)] * 10
    assert all(y == end >= bottom for _, y, _, end in lines)
    assert [above[1] - below[1] for above, below in pairwise(lines)] == [pytest.approx(points(8 * MM), abs=0.01)] * 9


@pytest.mark.slow
def test_no_word_of_the_pages_is_lost_on_the_sheets(printed_booklet: tuple[PrintedFile, PrintedFile]) -> None:
    sheets, read = printed_booklet
    imposed = " ".join(page.extract_text() for page in PdfReader(sheets.path).pages)
    for page in PdfReader(read.path).pages:
        assert set(page.extract_text().split()) <= set(imposed.split())


def test_spare_places_are_pages_to_write_on(printed_booklet: tuple[PrintedFile, PrintedFile]) -> None:
    sheets, read = printed_booklet
    spare = BookletPlan(A4, "quarter").count_sheets(read.pages) * 8 - read.pages
    words = " ".join(page.extract_text() for page in PdfReader(sheets.path).pages).split()
    assert spare > 0
    assert words.count(SPARE_PAGE_TITLE) == spare


def test_sheets_state_how_they_are_printed_and_claim_no_structure(
    printed_booklet: tuple[PrintedFile, PrintedFile],
) -> None:
    with pikepdf.open(printed_booklet[0].path) as pdf:
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
        assert "/StructTreeRoot" not in pdf.Root
        assert pdf.docinfo["/Title"] == "Long"


@pytest.mark.slow
def test_p8_the_same_booklet_has_the_same_bytes(
    printed_booklet: tuple[PrintedFile, PrintedFile], tmp_path: Path
) -> None:
    vault = Vault(printed_booklet[0].path.parent)
    again = print_booklet([vault.find("Long")], vault, "a6", PrintJob("a4", tmp_path / "other.pdf"))
    assert [one.path.read_bytes() for one in again] == [one.path.read_bytes() for one in printed_booklet]


@pytest.mark.parametrize("size", ["half", "quarter"])
def test_folding_instructions_state_the_first_page_outside(size: str) -> None:
    assert "page 1 outside" in how_to_fold(plan_booklet(size, load_stock().paper("a4")))
