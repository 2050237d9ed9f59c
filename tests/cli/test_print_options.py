"""What all printing commands share: modes, settings, previews, print services, watching."""

import base64
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pypdf
import pytest
from PIL import Image

from tests.cli.conftest import Vaultkit
from tests.counts import short
from vaultkit.errors import BudgetExceeded, ExitCode
from vaultkit.sheets.pdf import output_file
from vaultkit.sheets.print_setup import is_relevant_change
from vaultkit.sheets.rules.book import _count_parts
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import CLASSIC


def words(path: Path) -> str:
    return " ".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def faces(path: Path) -> set[str]:
    found = set()
    for page in pypdf.PdfReader(path).pages:
        fonts = page["/Resources"].get("/Font", {}).values()  # type: ignore[union-attr]
        found |= {str(font.get_object()["/BaseFont"]).partition("+")[2] for font in fonts}
    return found


@pytest.mark.slow
def test_modes_of_the_settings_are_overridden_on_the_command_line(vk: Vaultkit, example: Path) -> None:
    config = example / ".vaultkit" / "config.toml"
    config.write_text('[print]\neasy-read = true\ngrey = true\ntheme = "forest"\n', encoding="utf-8")
    vk("print", "rules", "House Rules", "--out", "easy.pdf", cwd=example)
    assert not any("Alegreya" in name for name in faces(example / "easy.pdf"))
    vk("print", "rules", "House Rules", "--book-face", "--out", "book.pdf", cwd=example)
    assert any("Alegreya" in name for name in faces(example / "book.pdf"))


@pytest.mark.parametrize(
    ("line", "said"),
    [("grey = 1", "'print.grey' must be true or false"), ("gray = true", "Did you mean 'print.grey'?")],
)
def test_misspelt_mode_is_refused(vk: Vaultkit, example: Path, line: str, said: str) -> None:
    (example / ".vaultkit" / "config.toml").write_text(f"[print]\n{line}\n", encoding="utf-8")
    done = vk("print", "rules", "House Rules", cwd=example)
    assert done.code == ExitCode.INVALID
    assert said in done.err


@pytest.mark.slow
def test_no_folder_remains_when_nothing_is_printed(vk: Vaultkit, example: Path) -> None:
    (example / ".vaultkit" / "config.toml").write_text('[print]\nfolder = "Sheets/Tonight"\n', encoding="utf-8")
    assert vk("print", "rules", "No Such Note", cwd=example).code == ExitCode.NOTHING
    assert not (example / "Sheets").exists()
    assert vk("print", "rules", "House Rules", cwd=example).code == ExitCode.OK
    assert (example / "Sheets" / "Tonight" / "House Rules-rules.pdf").is_file()


def test_a_folder_that_cannot_be_made(vk: Vaultkit, example: Path) -> None:
    (example / ".vaultkit" / "config.toml").write_text('[print]\nfolder = "Home.md/Sheets"\n', encoding="utf-8")
    done = vk("print", "rules", "House Rules", cwd=example)
    assert done.code == ExitCode.WRITE
    assert "print.folder" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("folder", short(["../out", "Sheets/../../out", "{away}", "Away/Sheets"]))
def test_folder_outside_an_untrusted_vault_is_ignored(vk: Vaultkit, tmp_path: Path, folder: str) -> None:
    away, root = tmp_path / "away", tmp_path / "vault"
    away.mkdir()
    (root / ".vaultkit").mkdir(parents=True)
    (root / "Away").symlink_to(away)
    named = folder.format(away=away.as_posix())
    (root / ".vaultkit/config.toml").write_text(f'[print]\nfolder = "{named}"\n', encoding="utf-8")
    done = vk("print", "scores", "skat", cwd=root)
    assert (done.code, done.err.count("until you trust the vault")) == (ExitCode.OK, 1)
    assert (root / "skat-scores.pdf").is_file()
    assert not list(away.iterdir()) and not (tmp_path / "out").exists()


@pytest.mark.slow
def test_place_on_the_command_line_is_preferred(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".vaultkit").mkdir()
    (tmp_path / ".vaultkit/config.toml").write_text('[print]\nfolder = "../out"\n', encoding="utf-8")
    assert vk("print", "scores", "skat", "-o", "mine.pdf", cwd=tmp_path).code == ExitCode.OK
    assert (tmp_path / "mine.pdf").is_file()


@pytest.mark.slow
def test_booklet_is_printed_alone_unless_pages_are_requested(vk: Vaultkit, example: Path) -> None:
    booklet = ("print", "rules", "House Rules", "--booklet", "a5")
    vk(*booklet, cwd=example)
    assert [file.name for file in (example / "Sheets").iterdir()] == ["House Rules-booklet.pdf"]
    vk(*booklet, "--accessible", cwd=example)
    assert len(list((example / "Sheets").iterdir())) == 2


@pytest.mark.slow
def test_p14_preview(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "rules", "House Rules", "--preview", "--json", cwd=example)
    assert [Path(name).name for name in done.json["preview"]] == ["page-01.png"]
    assert (example / done.json["preview"][0]).is_file()


@pytest.mark.slow
def test_p13_a_deck_for_a_print_service(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "cards", "tarokka", "--for", "drivethru", "--json", cwd=example)
    assert done.code == ExitCode.PROBLEMS
    assert done.json["accepted"] is False
    assert [one for one in done.json["reasons"] if "PDF/X-1a:2003" in one]
    names = {"size", "order", "words", "inks", "pictures", "black", "standard"}
    assert {check["name"] for check in done.json["checks"]} == names
    assert "NO" not in done.err or "would refuse it" in done.err
    assert (example / "Sheets/tarokka-drivethru.pdf").is_file()
    assert "gamecrafter" in vk("print", "cards", "tarokka", "--for", "lulu", cwd=example).err


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Home.md", True),
        ("Art/raven.webp", True),
        ("Art/raven.avif", True),
        (".vaultkit/print/themes/mine.toml", True),
        (".vaultkit/config.toml", True),
        (".vaultkit/journals/x.md", False),
        (".obsidian/workspace.md", False),
        ("Home-rules.pdf", False),
        ("Home-rules-preview/page-01.png", False),
    ],
)
def test_p14_files_that_are_watched(tmp_path: Path, path: str, expected: bool) -> None:
    assert is_relevant_change(tmp_path / path, tmp_path) is expected


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is sent as a signal")
def test_p14_changed_note_is_printed_again_until_ctrl_c(example: Path) -> None:
    note, out = example / "Watched.md", example / "out.pdf"
    note.write_text("One line.\n", encoding="utf-8")
    command = [sys.executable, "-m", "vaultkit", "print", "rules", "Watched", "--watch", "--out", str(out)]
    with subprocess.Popen(command, cwd=example, env=dict(os.environ), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "Watching" not in process.stderr.readline():
            assert process.poll() is None
        deadline = time.monotonic() + 30
        while "Another line." not in words(out) and time.monotonic() < deadline:
            note.write_text("Another line.\n", encoding="utf-8")
            time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == ExitCode.INTERRUPTED
    assert "Another line." in words(out)


@pytest.mark.slow
def test_a_name_of_several_words_needs_no_quotes_for_notes(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "rules", "House", "Rules", "--dry-run", cwd=example)
    assert done.code == ExitCode.OK and "House Rules-rules.pdf" in done.out
    other = vk("print", "rules", "Hous", "Ruls", "--dry-run", cwd=example)
    assert other.code == ExitCode.NOTHING and "quotes" not in other.err


@pytest.mark.slow
def test_folder_after_out_gets_the_pdf_under_its_own_name(vk: Vaultkit, example: Path) -> None:
    (example / "For the table").mkdir()
    for out in ("For the table", "For the table/"):
        vk("print", "rules", "House Rules", "--out", out, cwd=example)
    vk("print", "scores", "chess", "--out", "For the table", cwd=example)
    names = {path.name for path in (example / "For the table").iterdir()}
    assert names == {"chess-scores.pdf", "House Rules-rules.pdf"}


@pytest.mark.slow
def test_pdf_has_no_more_pages_than_allowed(vk: Vaultkit, example: Path) -> None:
    (example / "Long.md").write_text("# Long\n\n" + "A line of it.\n\n" * 200, encoding="utf-8")
    Image.frombytes("RGB", (400, 400), Random(1).randbytes(480_000)).save(example / "map.png")
    picture = base64.b64encode((example / "map.png").read_bytes()).decode()
    (example / "Map.md").write_text(f"# Map\n\n![](data:image/png;base64,{picture})\n", encoding="utf-8")
    refused = vk("print", "rules", "Long", "--pages", "1", "--out", "long.pdf", cwd=example)
    assert refused.code == ExitCode.INVALID and not (example / "long.pdf").exists()
    assert "more than 1 page." in refused.err and "--pages 4" in refused.err
    assert vk("print", "rules", "Long", "--pages", "4", "--out", "long.pdf", cwd=example).code == ExitCode.OK
    assert vk("print", "rules", "Map", "--pages", "1", "--out", "map.pdf", cwd=example).code == ExitCode.OK


@pytest.mark.parametrize(("parts", "chars"), [(0, 9_000_000), (900_000, 0), (20_000, 0)])
def test_number_of_pages_that_a_refusal_names_is_enough(parts: int, chars: int) -> None:
    with pytest.raises(BudgetExceeded) as refusal:
        output_file.refuse_many_parts(parts, chars, "SRD.md")
    with output_file.output_rules(dry_run=True, page_limit=int(refusal.value.hint.rpartition(" ")[2])):
        output_file.refuse_many_parts(parts, chars, "SRD.md")


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "- **Bold.** *x* of it\n",
        "| a | b | c |\n",
        "1. a\n",
        "#### Heading\n\nOf *all* the [[words]].\n\n",
        "```statblock\na: 1\nb: 2\n```\n",
        "word " * 20 + "\n\n",
    ],
)
def test_first_number_of_pages_that_is_named_is_enough(vk: Vaultkit, example: Path, part: str) -> None:
    head = "| a | b | c |\n|---|---|---|\n" if part.startswith("|") else ""
    (example / "SRD.md").write_text(head + part * (420_000 // len(part)), encoding="utf-8")
    refused = vk("print", "rules", "SRD", "--dry-run", cwd=example)
    pages = refused.err.rpartition("--pages ")[2].split()[0]
    text = (example / "SRD.md").read_text(encoding="utf-8")
    chapter = Chapter("SRD", text)
    with output_file.output_rules(dry_run=True, page_limit=int(pages)):
        output_file.refuse_many_parts(_count_parts(chapter.parse_text()[0], Glyphs(CLASSIC)), len(text), "SRD.md")


@pytest.mark.slow
def test_dry_run_and_page_limit_end_with_their_command(vk: Vaultkit, example: Path) -> None:
    assert vk("print", "rules", "Propheta", "--dry-run", "--pages", "90", cwd=example).code == ExitCode.OK
    assert (output_file.IS_DRY_RUN.get(), output_file.PAGE_LIMIT.get()) == (False, 500)
    assert vk("print", "rules", "Propheta", "--dry-run", "--pages", "1", cwd=example).code == ExitCode.INVALID
    assert (output_file.IS_DRY_RUN.get(), output_file.PAGE_LIMIT.get()) == (False, 500)
