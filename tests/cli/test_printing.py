"""`vaultkit print`, read back with another library."""

import os
from pathlib import Path

import pikepdf
import pypdf
import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

SHEETS = (("scores", "dragon-citadel"), ("rules", "Dragon Citadel"), ("cards", "tarokka"))
POINTS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}


@pytest.mark.parametrize("paper", POINTS)
@pytest.mark.parametrize("words", SHEETS, ids=lambda words: words[0])
def test_every_sheet_on_every_paper(
    vk: Vaultkit, example: Path, tmp_path: Path, words: tuple[str, str], paper: str
) -> None:
    out = tmp_path / "sheet.pdf"
    done = vk("print", *words, "--paper", paper, "--out", str(out), "--json", cwd=example)
    assert done.code == ExitCode.OK
    reader = pypdf.PdfReader(out)
    assert len(reader.pages) == done.json["pages"]
    for page in reader.pages:
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(POINTS[paper], abs=0.1)


def test_all_fonts_are_embedded(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    for name, what in SHEETS:
        out = tmp_path / f"{name}.pdf"
        vk("print", name, what, "--out", str(out), cwd=example)
        with pikepdf.open(out) as pdf:
            fonts = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/FontName" in item]
            assert fonts
            assert all("/FontFile2" in font for font in fonts)


def test_every_card_is_on_the_cut_sheets(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    out = tmp_path / "cards.pdf"
    vk("print", "cards", "tarokka", "--out", str(out), cwd=example)
    reader = pypdf.PdfReader(out)
    assert len(reader.pages) == 6
    text = " ".join(" ".join(page.extract_text() for page in reader.pages).split()).lower()
    names = [card["name"] for card in vk("deck", "tarokka", "--json", cwd=example).json["cards"]]
    assert [name for name in names if name.lower() not in text] == []


def test_the_name_of_the_file_says_what_it_is(vk: Vaultkit, example: Path) -> None:
    vk("print", "scores", "dragon-citadel", cwd=example)
    vk("print", "rules", "House Rules", cwd=example)
    assert (example / "dragon-citadel-scores.pdf").is_file()
    assert (example / "House Rules-rules.pdf").is_file()


def test_sheets_go_to_the_folder_of_the_settings_from_anywhere(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    (example / ".vaultkit" / "config.toml").write_text('[print]\nfolder = "Sheets/Tonight"\n', encoding="utf-8")
    vk("print", "scores", "dragon-citadel", "--vault", str(example), cwd=tmp_path)
    assert (example / "Sheets" / "Tonight" / "dragon-citadel-scores.pdf").is_file()


def test_a_file_that_is_not_ours_is_not_replaced(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.pdf"
    out.write_bytes(b"%PDF-1.7 my own")
    done = vk("print", "scores", "dragon-citadel", "--out", str(out), cwd=example)
    assert done.code == ExitCode.WRITE
    assert out.read_bytes() == b"%PDF-1.7 my own"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("scores", "dragon-citadell"), ExitCode.USAGE, "dragon-citadel"),
        (("scores", "dragon-citadel", "--paper", "a5"), ExitCode.USAGE, "letter"),
        (("rules", "Drgon Citadel"), ExitCode.INVALID, "dragon-citadel"),
        (("rules", "Empty"), ExitCode.INVALID, "empty"),
        (("cards", "tarot"), ExitCode.NOTHING, "tarokka"),
    ],
)
def test_wrong_usage_is_one_clear_error(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    (example / "Empty.md").write_text("---\ntags: []\n---\n", encoding="utf-8")
    done = vk("print", *words, cwd=example)
    assert done.code == code
    assert said in done.err
    assert not list(example.glob("*.pdf"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root and Windows may write everywhere")
def test_a_read_only_folder_is_told(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    done = vk("print", "scores", "dragon-citadel", "--out", str(folder / "x.pdf"), cwd=example)
    assert done.code == ExitCode.WRITE


def test_p8_the_same_bytes_from_any_folder(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    for name, what in SHEETS:
        one, two = tmp_path / f"{name}-1.pdf", tmp_path / f"{name}-2.pdf"
        vk("print", name, what, "--out", str(one), cwd=example)
        vk("print", name, what, "--out", str(two), "--vault", str(example), cwd=tmp_path)
        assert one.read_bytes() == two.read_bytes()
