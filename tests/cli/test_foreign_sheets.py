"""P7: other programs fill in, save and rewrite sheets, and `vaultkit log --from` reads them or says why it cannot."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.sheets.scoresheets.filling import by_pypdf
from tests.sheets.scoresheets.foreign_programs import FILLERS, REWRITERS, Fields, by_pdf_lib, by_pdfjs
from vaultkit.errors import ExitCode
from vaultkit.sheets.filled_sheets.filled_sheet import read_filled_sheet
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.score_sheet import print_scores

pytestmark = pytest.mark.slow
NAMES = ("Zoë Łukasz Жук", "Điệp")
LATIN = ("Zoë", "Andrés Müller")
"""Names that a program can write which draws all texts in Helvetica."""
READ = ("mutool clean", "mutool clean, expanded", "qpdf")
"""Rewriters that keep the boxes."""


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Return a function that prints a blank sheet in a layout, each once."""
    folder = tmp_path_factory.mktemp("sheets")

    @cache
    def make(game: str, layout: str) -> Path:
        return print_scores(game, PrintJob("a4", folder / f"{game}-{layout}.pdf"), layout=layout).path

    return make


@pytest.fixture(autouse=True)
def vault(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()


def citadel_values(name: str) -> Fields:
    return {"player": name, "session": "k3f9", "swords.total": "17", "crowns.count": "2", "mode.coop": True}


def read(path: Path) -> tuple[list[tuple[str, dict[str, str]]], dict[str, str]]:
    """Return the players with their words, and what they have in common."""
    sheet = read_filled_sheet(path)
    assert not sheet.problems and not sheet.covered
    seats = [(seat.name, {key: words.text for key, words in seat.said.items()}) for seat in sheet.seats]
    return seats, {key: words.text for key, words in sheet.lines}


CITADEL = ({"swords.total": "17", "crowns.count": "2"}, {"session": "k3f9", "mode": "coop"})


@pytest.mark.parametrize("filler", FILLERS)
def test_p7_own_sheet_filled_by_a_foreign_program_is_read(tmp_path: Path, blank, filler: str) -> None:
    for number, name in enumerate(LATIN if filler == "pdf-lib" else NAMES):
        path = tmp_path / f"foreign-{number}.pdf"
        FILLERS[filler](blank("dragon-citadel", "one"), path, citadel_values(name))
        assert read(path) == ([(name, CITADEL[0])], CITADEL[1])


@pytest.mark.parametrize("filler", FILLERS)
def test_p7_party_sheet_filled_by_a_foreign_program_is_logged(tmp_path: Path, vk: Vaultkit, blank, filler: str) -> None:
    values = {"p1.player": "Ann", "p2.player": "Bo", "p1.won.yes": True, "p2.won.no": True, "played": "Goose Fair"}
    FILLERS[filler](blank("who-won", "party"), tmp_path / "foreign.pdf", values)
    done = vk("log", "--from", "foreign.pdf", "--dry-run", "--json", cwd=tmp_path)
    assert done.code == ExitCode.OK, done.err
    assert "Ann" in (won := done.json["diff"].split("winner")[1]).split("Bo")[0], won


@pytest.mark.parametrize("rewriter", REWRITERS)
@pytest.mark.parametrize("filler", ["pypdf", "pdf.js", "mupdf"])
def test_p7_rewritten_sheet_is_read_or_refused_in_one_sentence(
    tmp_path: Path, vk: Vaultkit, blank, filler: str, rewriter: str
) -> None:
    filled, path, source = tmp_path / "foreign-filled.pdf", tmp_path / "foreign.pdf", blank("dragon-citadel", "one")
    if filler == "pypdf":
        filled.write_bytes(by_pypdf(source.read_bytes(), citadel_values(NAMES[0])))
    else:
        FILLERS[filler](source, filled, citadel_values(NAMES[0]))
    REWRITERS[rewriter](filled, path)
    if rewriter in READ:
        assert read(path) == ([(NAMES[0], CITADEL[0])], CITADEL[1])
        return
    done = vk("log", "--from", "foreign.pdf", "--dry-run", cwd=tmp_path)
    assert (done.code, done.out) == (ExitCode.INVALID, "")
    error, where, hint = done.err.splitlines()
    assert "flattened" in error and where.strip() == "Where: foreign.pdf"
    assert "Print the sheet again" in hint


@pytest.mark.parametrize("filler", ["pdf.js", "pdf-lib, values alone", "mupdf"])
@pytest.mark.parametrize("rewriter", READ)
def test_p7_blank_sheet_that_was_rewritten_before_it_is_filled_is_read(
    tmp_path: Path, blank, filler: str, rewriter: str
) -> None:
    REWRITERS[rewriter](blank("dragon-citadel", "one"), tmp_path / "foreign-blank.pdf")
    FILLERS[filler](tmp_path / "foreign-blank.pdf", tmp_path / "foreign.pdf", citadel_values(NAMES[1]))
    assert read(tmp_path / "foreign.pdf") == ([(NAMES[1], CITADEL[0])], CITADEL[1])


def test_p7_sheet_changed_by_one_program_after_another_has_the_last_values(tmp_path: Path, blank) -> None:
    path, source = tmp_path / "foreign.pdf", blank("dragon-citadel", "one")
    for number, filler in enumerate(("mupdf", "pdf.js", "pdf-lib, values alone", "pdf.js"), 1):
        FILLERS[filler](source, path, {"player": "Ann", "swords.total": f"{number}"})
        path.replace(source := tmp_path / f"foreign-{number}.pdf")
    assert read(source) == ([("Ann", {"swords.total": "4"})], {})


@pytest.mark.parametrize("program", [by_pdfjs, by_pdf_lib])
def test_p7_text_drawn_over_a_box_is_asked_about(tmp_path: Path, vk: Vaultkit, blank, program: Callable) -> None:
    filled, path = tmp_path / "foreign-filled.pdf", tmp_path / "foreign.pdf"
    FILLERS["pdf.js"](blank("dragon-citadel", "one"), filled, {"player": "Ann", "swords.total": "17"})
    program(filled, path, {"swords.total": "99"}, "draw")
    (covered,) = read_filled_sheet(path).covered
    assert (covered.field, covered.cover, covered.text) == ("swords.total", "text", "17")
    done = vk("log", "--from", "foreign.pdf", "--dry-run", cwd=tmp_path)
    assert done.code != ExitCode.OK and "text" in done.err and "Swords" in done.err
