"""P3: the sheet that shows a printer's misalignment, and corrections by the numbers read off it."""

import hashlib
import math
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count, short
from tests.sheets.conftest import text_of
from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.sheets import printers
from vaultkit.sheets.calibration import STATION_DISTANCE_UM, print_calibration_sheet
from vaultkit.sheets.paper import Correction, Duplex, Size, load_stock
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.printers import correction_for
from vaultkit.theme.lengths import MM, points
from vaultkit.theme.model import Theme

Place = tuple[float, float]

A4 = load_stock().paper("a4")


def lines_of(page: pikepdf.Page) -> set[tuple[float, ...]]:
    """Return every straight line of a page as x, y to x, y, in points to two decimals."""
    text = b"\n".join(
        b" ".join(str(operand).encode() for operand in operands) + b" " + bytes(operator)
        for operands, operator in pikepdf.parse_content_stream(page)
        if str(operator) in {"m", "l"}
    ).decode()
    found = re.findall(r"^(\S+) (\S+) m\n(\S+) (\S+) l$", text, re.MULTILINE)
    return {tuple(round(float(number), 2) for number in line) for line in found}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return print_calibration_sheet(PrintJob("a4", tmp_path_factory.mktemp("calibration") / "c.pdf")).path


def test_p3_one_sheet_with_both_sides(page: Path) -> None:
    with pikepdf.open(page) as pdf:
        assert len(pdf.pages) == 2
        preferences = pdf.Root.ViewerPreferences
        assert (preferences.PrintScaling, preferences.Duplex) == ("/None", "/DuplexFlipLongEdge")
    words = text_of(page)
    for wanted in ("at 100 %", "turned on the long edge", "--x 0.8mm --y -0.5mm", "100 mm", "left", "right"):
        assert wanted in words, wanted


def test_p3_cross_is_behind_the_zeros(page: Path) -> None:
    """P3: both sides are measured from the middle, which stays in place however the sheet is turned."""
    middle, level = points(A4.width) / 2, points(A4.height) / 2
    with pikepdf.open(page) as pdf:
        front, back = (lines_of(side) for side in pdf.pages)
    upright = [line for line in front if line[0] == line[2] == pytest.approx(middle, abs=0.01) and line[1] != line[3]]
    level_lines = [line for line in front if line[1] == line[3] == pytest.approx(level, abs=0.01)]
    assert len([line for line in upright if line[3] - line[1] > 100]) == 1
    assert len(level_lines) == 3
    assert any(line[0] == line[2] == pytest.approx(middle, abs=0.01) for line in back)
    for x in (middle, middle - points(STATION_DISTANCE_UM), middle + points(STATION_DISTANCE_UM)):
        assert any(line[1] == line[3] == pytest.approx(level, abs=0.01) and abs(line[0] - x) < 60 for line in back)


def test_p3_line_is_100_mm_long(page: Path) -> None:
    with pikepdf.open(page) as pdf:
        lengths = [line[2] - line[0] for line in lines_of(pdf.pages[0]) if line[1] == line[3]]
    assert pytest.approx(points(100 * MM), abs=0.02) in lengths


def test_p3_drawing_matches_the_golden_file(page: Path) -> None:
    """P3: both sides have the lines of the golden drawing; look at the page before changing the hash."""
    with pikepdf.open(page) as pdf:
        drawn = [sorted(lines_of(side)) for side in pdf.pages]
    assert hashlib.sha256(repr(drawn).encode()).hexdigest()[:16] == "31a03621032366b1"


@pytest.mark.short(1)
@pytest.mark.parametrize("duplex", [Duplex.SHORT_EDGE, Duplex.TWO_PASS])
@pytest.mark.parametrize("landscape", short([False, True]))
def test_p3_every_turn_has_its_sheet(tmp_path: Path, duplex: Duplex, landscape: bool) -> None:
    made = print_calibration_sheet(PrintJob("letter", tmp_path / "c.pdf"), duplex=duplex, landscape=landscape)
    words = text_of(made.path)
    assert f"--duplex {duplex}" in words
    assert ("--landscape" in words) == landscape
    with pikepdf.open(made.path) as pdf:
        _, _, width, height = (float(number) for number in pdf.pages[0].mediabox)
    assert (width > height) == landscape


def test_p3_paper_that_is_too_small_for_the_scales_is_refused(tmp_path: Path) -> None:
    own = tmp_path / ".vaultkit" / "print" / "paper.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[papers]\na5 = ["148mm", "210mm"]\n[cards]\n', encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        print_calibration_sheet(PrintJob("a5", tmp_path / "c.pdf", Theme(tmp_path)), landscape=True)
    assert "a4 or letter" in caught.value.hint
    assert not (tmp_path / "c.pdf").exists()


def crooked_printer(size: Size, turn: float, shift: tuple[float, float]) -> Callable[[Place], Place]:
    """Return a function from a place to where a printer puts it: turned about the middle, then shifted.

    Places are x and y in micrometres, and the turn is in radians.
    """
    across, up, cosine, sine = size.width / 2, size.height / 2, math.cos(turn), math.sin(turn)

    def put(place: Place) -> Place:
        x, y = place[0] - across, place[1] - up
        return across + cosine * x - sine * y + shift[0], up + sine * x + cosine * y + shift[1]

    return put


def read_off(put: Callable[[Place], Place], scale: Callable[[int], Place], axis: int, cross: float) -> int:
    """Return the tenth of a millimetre of a printed scale that meets the cross, in micrometres."""
    return min(range(-5000, 5001, 100), key=lambda step: abs(put(scale(step))[axis] - cross))


def shift_up(x: int, y: int, step: int) -> Place:
    return x, y + step


@pytest.mark.parametrize("shift", [(800, -500), (-1900, 1200)])
@pytest.mark.parametrize("turn", [-0.006, 0.0, 0.008])
@pytest.mark.parametrize("size", [A4, A4.on_its_side])
def test_p3_measured_numbers_align_a_crooked_back_with_its_front(size: Size, turn: float, shift: Place) -> None:
    """P3: a correction by numbers read to a tenth of a millimetre puts shifted and turned backs behind their fronts."""
    put, x, y = crooked_printer(size, turn, shift), size.width // 2, size.height // 2
    across = read_off(put, lambda step: (x + step, y - 14 * MM), 0, x)
    up = read_off(put, lambda step: (x - 20 * MM, y + step), 1, y)
    left, right = (
        read_off(put, partial(shift_up, x + at, y), 1, y) for at in (-STATION_DISTANCE_UM, STATION_DISTANCE_UM)
    )
    told = Correction(across, up, round((right - left) / MM * 0.4, 2))
    for place in ((10 * MM, 10 * MM), (size.width - 10 * MM, 10 * MM), (x, y), (10 * MM, size.height - 10 * MM)):
        assert put(told.transform_point(place, size)) == pytest.approx(place, abs=400)


def save_correction(file: Path, **more: object) -> printers.Printers:
    settings: dict[str, object] = {"landscape": False, "x": "0.8mm", "y": "-0.5mm", "angle": 0.2, "line": "99.5mm"}
    printers.save_numbers("office", Duplex.LONG_EDGE, file=file, **(settings | more))  # type: ignore[arg-type]
    return printers.load_printers(file)


def test_p3_the_numbers_are_saved_for_a_printer(tmp_path: Path) -> None:
    known = save_correction(tmp_path / "new" / "printers.toml")
    assert correction_for("office", Duplex.LONG_EDGE, A4, known) == Correction(800, -500, 0.2, 100 / 99.5)
    assert correction_for("office", Duplex.NONE, A4, known) == Correction(scale=100 / 99.5)
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["printers.toml"]


def test_p3_new_numbers_do_not_change_other_modes_and_printers(tmp_path: Path) -> None:
    file = tmp_path / "printers.toml"
    save_correction(file)
    printers.save_numbers("attic", Duplex.TWO_PASS, landscape=True, x="1mm", y="", angle=0, line="", file=file)
    known = save_correction(file, landscape=True, x="0", line="")
    assert correction_for("office", Duplex.LONG_EDGE, A4, known).x == 800
    assert correction_for("office", Duplex.LONG_EDGE, A4.on_its_side, known) == Correction(0, -500, 0.2, 100 / 99.5)
    assert correction_for("attic", Duplex.TWO_PASS, A4.on_its_side, known) == Correction(1000)


@pytest.mark.slow
@settings(max_examples=count(25, 1_000))
@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z0-9_.-][A-Za-z0-9_ .-]{0,10}", fullmatch=True),
        st.tuples(st.integers(95 * MM, 105 * MM), st.integers(-5000, 5000), st.integers(-200, 200)),
        max_size=3,
    )
)
def test_p3_saved_numbers_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, numbers: dict[str, tuple[int, int, int]]
) -> None:
    file = tmp_path_factory.getbasetemp() / "printers.toml"
    saved = {
        name: printers.Printer(line, {"two-pass": Correction(x, -x, angle / 100)})
        for name, (line, x, angle) in numbers.items()
    }
    printers.save_printers(saved, file)
    assert printers.load_printers(file) == saved


def test_p3_uncalibrated_printer_or_turn_is_an_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as nobody:
        correction_for("office", Duplex.LONG_EDGE, A4, printers.load_printers(tmp_path / "none.toml"))
    assert "print calibrate" in nobody.value.hint
    with pytest.raises(UsageError) as sideways:
        correction_for("office", Duplex.LONG_EDGE, A4.on_its_side, save_correction(tmp_path / "p.toml"))
    assert "--duplex long-edge --landscape" in sideways.value.hint


@pytest.mark.parametrize(
    "wrong",
    [{"x": "wide"}, {"x": "9mm"}, {"line": "70mm"}, {"line": "0mm"}, {"angle": 5.0}, {"y": "-"}],
)
def test_p3_impossible_numbers_are_refused_and_not_saved(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        save_correction(tmp_path / "p.toml", **wrong)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", 'a"b', "a\nb", "x" * 60])
def test_p3_a_printer_needs_a_plain_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        printers.save_numbers(
            name, Duplex.LONG_EDGE, landscape=False, x="1mm", y="", angle=0, line="", file=tmp_path / "p.toml"
        )


@pytest.mark.parametrize(
    "text",
    [
        "[office]\nwidth = 3",
        "[office.sideways]\nx = '1mm'",
        "office = 3",
        "[office.long-edge]\nx = 1",
        "[",
        "\ufeff[a]\nline = 'x'",
    ],
)
def test_p3_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, text: str) -> None:
    file = tmp_path / "printers.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidError) as caught:
        printers.load_printers(file)
    assert "printers.toml" in caught.value.where


def test_p3_unwritable_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError):
        printers.save_printers({}, tmp_path / "file" / "printers.toml")
