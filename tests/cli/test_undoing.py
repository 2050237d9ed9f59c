"""`undo`, by whatever a person calls a write."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from vaultkit.errors import ExitCode

BEFORE = "[[old/Ivo]]\n"


@pytest.fixture
def root(tmp_path: Path, vk: Vaultkit) -> Path:
    """A vault with three writes of `check --fix`, the last of them undone."""
    folder = tmp_path / "vault"
    make_files(folder, {"Ivo.md": "", **{f"{number}.md": BEFORE for number in (1, 2, 3)}})
    for number in (1, 2, 3):
        assert vk("check", f"{number}.md", "--fix", "--write", cwd=folder).code == ExitCode.OK
    assert vk("undo", cwd=folder).code == ExitCode.OK
    return folder


def listed(vk: Vaultkit, root: Path) -> dict[str, bool]:
    return {row["id"]: row["undone"] for row in vk("undo", "--list", "--json", cwd=root).json}


def test_an_id_needs_no_quotes(vk: Vaultkit, root: Path) -> None:
    assert listed(vk, root) == {"000003-check-fix": True, "000002-check-fix": False, "000001-check-fix": False}
    assert "000002-check-fix\tcheck --fix, " in vk("undo", "--list", cwd=root).out


@pytest.mark.parametrize("word", ["1", "000001", "000001-check-fix", " 01 "])
def test_what_a_write_goes_by(vk: Vaultkit, root: Path, word: str) -> None:
    assert vk("undo", word, cwd=root).code == ExitCode.OK
    assert listed(vk, root)["000001-check-fix"]
    assert (root / "1.md").read_text() == BEFORE != (root / "2.md").read_text()


@pytest.mark.parametrize("word", ["2", "000002-check --fix", "000002-check-fix"])
def test_an_older_id_with_a_space_still_does(vk: Vaultkit, root: Path, word: str) -> None:
    history = root / ".vaultkit" / "history"
    folder = (history / "000002-check-fix").rename(history / "000002-check --fix")
    entry = folder / "entry.json"
    entry.write_text(entry.read_text().replace("000002-check-fix", "000002-check --fix"))
    assert vk("undo", word, cwd=root).code == ExitCode.OK
    assert listed(vk, root)["000002-check --fix"]
    assert (root / "2.md").read_text() == BEFORE


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("3", "000003-check-fix (check --fix, "),
        ("000003-check-fix", "is undone already."),
        ("99", "There is no write 99."),
        ("check", "There is no write that goes by 'check'."),
        ("²", "There is no write that goes by '²'."),
    ],
)
def test_what_cannot_be_undone_says_why(vk: Vaultkit, root: Path, word: str, told: str) -> None:
    done = vk("undo", word, cwd=root)
    assert done.code == ExitCode.NOTHING
    assert told in done.err and "vaultkit undo --list" in done.err
    assert list(listed(vk, root).values()) == [True, False, False]


def test_a_folder_without_a_number_is_in_nobodys_way(vk: Vaultkit, root: Path) -> None:
    history = root / ".vaultkit" / "history"
    (history / "000001-check-fix").rename(history / "copied")
    entry = history / "copied" / "entry.json"
    entry.write_text(entry.read_text().replace("000001-check-fix", "copied"))
    assert vk("undo", "2", cwd=root).code == ExitCode.OK
