"""`vaultkit print cards` with backs, and `vaultkit print calibrate`."""

from pathlib import Path

import pypdf
import pytest
from PIL import Image

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

CARDS = ("print", "cards", "tarokka", "--no-accessible", "--out", "cards.pdf")


@pytest.mark.slow
def test_p2_two_passes_list_the_pages_to_print(vk: Vaultkit, example: Path) -> None:
    done = vk(*CARDS, "--cards", "1-10", "--duplex", "two-pass", "--json", cwd=example)
    assert (done.json["file"], done.json["pages"], len(done.json["sheets"])) == ("cards.pdf", 4, 10)
    assert "Print pages 1 to 2" in done.err
    assert "print pages 3 to 4" in done.err
    assert "face up" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("duplex", ["long-edge", "short-edge", "fold"])
def test_p2_every_way_to_print_backs(vk: Vaultkit, example: Path, duplex: str) -> None:
    done = vk(*CARDS, "--cards", "Raven, 2x Seer", "--duplex", duplex, "--json", cwd=example)
    assert (done.code, done.json["pages"]) == (ExitCode.OK, 1 if duplex == "fold" else 2)
    assert done.json["sheets"] == ["Raven", "Seer", "Seer"]


@pytest.mark.slow
@pytest.mark.parametrize("back", ["decktet", "3-Mechanics/CLI/decks/img/tarokka-missionary.webp", "A Back"])
def test_back_is_given_by_name_picture_or_note(vk: Vaultkit, example: Path, back: str) -> None:
    (example / "A Back.md").write_text("Text, [[Home]], then ![[tarokka-missionary.webp|200]].\n", encoding="utf-8")
    done = vk(*CARDS, "--cards", "Raven", "--back", back, cwd=example)
    assert done.code == ExitCode.OK
    assert len(pypdf.PdfReader(example / "cards.pdf").pages) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--back", "velvet"), ExitCode.NOTHING, "classic"),
        (("--back", "../outside.png"), ExitCode.NOTHING, "classic"),
        (("--back", "Home"), ExitCode.INVALID, "no picture in this note"),
        (("--duplex", "both"), ExitCode.USAGE, "long-edge"),
        (("--back", "tarokka-ravn.webp"), ExitCode.NOTHING, "Did you mean 'tarokka-raven.webp'"),
        (("--bleed", "wide"), ExitCode.USAGE, "outer, per-card"),
        (("--margin", "80mm"), ExitCode.USAGE, "at most 50 mm"),
        (("--size", "huge"), ExitCode.NOTHING, "poker"),
        (("--size", "jumbo", "--margin", "50mm", "--duplex", "fold"), ExitCode.USAGE, "smaller margin"),
        (("--printer", "office"), ExitCode.NOTHING, "print calibrate"),
        (("--cards", "Ravn"), ExitCode.NOTHING, "Raven"),
    ],
)
def test_unprintable_request_is_one_error_and_no_file(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: ExitCode, told: str
) -> None:
    Image.new("RGB", (8, 8)).save(example.parent / "outside.png")
    done = vk(*CARDS, *words, cwd=example)
    assert done.code == code
    assert told in done.err
    assert not (example / "cards.pdf").exists()


@pytest.mark.slow
def test_p1_narrow_margin_is_reported_on_stderr(vk: Vaultkit, example: Path) -> None:
    done = vk(*CARDS, "--cards", "Raven", "--margin", "3mm", cwd=example)
    assert "4.3 mm" in done.err
    assert done.out == "cards.pdf\n"


@pytest.mark.slow
def test_p3_calibrate_prints_a_sheet_and_then_saves_the_numbers(vk: Vaultkit, example: Path) -> None:
    assert vk("print", "calibrate", "--json", cwd=example).json == {
        "file": "Sheets/calibration.pdf",
        "pages": 2,
        "sheets": ["Calibration"],
    }
    saved = vk("print", "calibrate", "--printer", "office", "--x", "0.8mm", "--y", "-0.5mm", "--json", cwd=example)
    assert saved.code == ExitCode.OK
    assert 'y = "-0.5mm"' in Path(saved.json["file"]).read_text(encoding="utf-8")
    printed = [*CARDS, "--cards", "Raven", "--printer", "office"]
    assert vk(*printed, "--duplex", "long-edge", cwd=example).code == ExitCode.OK
    assert vk(*printed, "--duplex", "short-edge", cwd=example).code == ExitCode.USAGE
    assert vk(*printed, cwd=example).code == ExitCode.OK


@pytest.mark.slow
def test_p3_calibrate_needs_no_vault(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert vk("print", "calibrate", "--paper", "legal", cwd=tmp_path / "empty").code == ExitCode.OK
    assert vk("print", "calibrate", "--printer", "office", "--x", "1mm").code == ExitCode.OK
    assert [file.name for file in (tmp_path / "empty").iterdir()] == ["calibration.pdf"]
    assert vk("print", "calibrate", "--vault", "nowhere").code == ExitCode.NOTHING


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "words",
    [("--x", "1mm"), ("--printer", "a", "--x", "wide"), ("--printer", "a", "--scale", "5mm"), ("--duplex", "fold")],
)
def test_p3_impossible_numbers_are_wrong_usage(vk: Vaultkit, example: Path, words: tuple[str, ...]) -> None:
    done = vk("print", "calibrate", *words, cwd=example)
    assert done.code == ExitCode.USAGE
    assert not (example / "Sheets").exists()
