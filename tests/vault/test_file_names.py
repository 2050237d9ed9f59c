"""Names that are made from a person's words: every system and every link can hold them (F4)."""

import unicodedata
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import make_files
from vaultkit.errors import InvalidError, WriteError
from vaultkit.vault.checking.checks.unsafe_file_names import find_name_problems
from vaultkit.vault.file_names import file_name, is_device, name_fault, name_part, safe_parts
from vaultkit.vault.writing.write import Writer

NOW = datetime(2026, 11, 3)


@pytest.mark.parametrize(
    "name", ["con", "Aux.md", "nul.tar.gz", "COM1", "lpt9.txt", "COM²", "prn .pdf", "CONIN$", "conout$.md", "con."]
)
def test_device_names_are_changed(name: str) -> None:
    assert is_device(name) and name_fault(name) is not None


@pytest.mark.parametrize(
    "name", ["Con artist", "com0", "com10", "conin", "null", "Con-cards.pdf", ".con", "console.md"]
)
def test_names_similar_to_device_names_are_accepted(name: str) -> None:
    assert not is_device(name) and name_fault(name) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Con", "Con_"),
        ("aux. rules", "aux_. rules"),
        ("NUL .x", "NUL_.x"),
        ("CONOUT$", "CONOUT$_"),
        ('Who? "A/B": <1>', "Who A B 1"),
        ("Mr. X.", "Mr. X"),
        (" .hidden ", "hidden"),
        ("a\x00b\x1fc\x7f", "a b c"),
        ("Cafe\u0301", "Café"),
        ("???", "sheet"),
        ("\ud800x", "x"),
    ],
)
def test_text_becomes_a_file_name(text: str, name: str) -> None:
    assert file_name(text, fallback="sheet") == name


@pytest.mark.parametrize("letter", ["a", "ö", "龍", "🐉"])
def test_long_title_leaves_room_for_suffixes(letter: str) -> None:
    name = f".2026-11-03 {name_part(letter * 300)} 12.sync-conflict.md.icloud"
    assert name_fault(name) is None and letter * 40 in name


@given(st.text(), st.sampled_from(["", "-cards", "-booklet"]), st.sampled_from([".md", ".pdf", ".toml"]))
def test_every_text_becomes_a_valid_file_name(text: str, suffix: str, ending: str) -> None:
    name = f"{file_name(text, suffix, fallback='sheet')}{ending}"
    assert list(find_name_problems([name])) == [] and unicodedata.is_normalized("NFC", name)


@given(st.text("cCoOnN1¹$. :aux\x01龍/", min_size=1, max_size=12))
def test_a_setting_and_the_check_agree_on_names(name: str) -> None:
    parts = [part.strip() for part in name.split("/") if part.strip(" ") and part.strip() != "."]
    if any(part.startswith(".") for part in parts):
        return
    try:
        safe_parts(name, "setting", "hint")
        is_refused = False
    except InvalidError:
        is_refused = True
    assert is_refused == any("cannot hold" in problem.message for problem in find_name_problems(parts))


@pytest.mark.parametrize("path", ["Games/con.md", "aux/Note.md", "a:b.md", "x./N.md", ".vaultkit/games/nul.toml"])
def test_new_file_names_are_valid_on_every_system(tmp_path: Path, path: str) -> None:
    vault = make_files(tmp_path, {"A.md": ""})
    writer = Writer(vault, "log", NOW)
    writer.create(path, "text")
    with pytest.raises(WriteError, match="cannot hold the name"):
        writer.commit()
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["A.md"]


@pytest.mark.parametrize(
    ("there", "path"), [("Games/Mill.md", "Games/mill.md"), ("Café.md", "Cafe\u0301.md"), ("ÄNNE.md", "änne.md")]
)
def test_new_file_names_are_distinct_on_every_system(tmp_path: Path, there: str, path: str) -> None:
    vault = make_files(tmp_path, {there: ""})
    if (tmp_path / path).exists():
        pytest.skip("Here both are one name.")
    writer = Writer(vault, "log", NOW)
    writer.create(path, "text")
    with pytest.raises(WriteError, match="the same name"):
        writer.commit()


def test_a_new_file_in_a_folder_with_an_old_odd_name_is_made(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Who & Co./N.md": ""})
    writer = Writer(vault, "log", NOW)
    writer.create("Who & Co./New.md", "text")
    assert writer.commit() == ("Who & Co./New.md",)


def test_new_path_is_spelled_like_the_existing_folders(tmp_path: Path) -> None:
    known = make_files(tmp_path, {"games/Old/N.md": "", "Café/N.md": ""}).files
    assert known.respell_folder("Games/old/New.md") == "games/Old/New.md"
    assert known.respell_folder("GAMES/2026/New.md") == "games/2026/New.md"
    assert known.respell_folder("Cafe\u0301/New.md") == "Café/New.md"
    assert known.respell_folder("Else/New.md") == "Else/New.md" and known.respell_folder("New.md") == "New.md"
