"""The stored report of a vault: reused while nothing has changed, and only then."""

import shutil
import sqlite3
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.vault.making import count_certain, make_files
from vaultkit import files, resources
from vaultkit.campaign import vault_check
from vaultkit.campaign.vault_check import report_on
from vaultkit.campaign.workspace import Workspace
from vaultkit.vault.checking.report import Report, decode_report

VAULTS = Path(__file__).parents[1] / "vaults"
NOTES: dict[str, str | bytes] = {
    "Home.md": "---\naliases: [The Hall]\nwhen: 3\n---\n# Home\n[[Bell#Rooms]] [[Bell#Cellar]] [[No]] [[Old/Bell]]\n",
    "a/Bell.md": "# Bell\n## Rooms\nBeer.\n",
    "b/Lost.md": "[[The Hall]] [[No/Bell#Rooms|inn]]\n",
    ".obsidian/app.json": "{}",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return make_files(tmp_path / "vault", NOTES).root


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time_ns
    monkeypatch.setattr("vaultkit.vault.walk.time.time_ns", lambda: now() + 100 * 10**9)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Report]:
    """Return a list that collects the reports that are computed."""
    made: list[Report] = []
    real = vault_check._run_checks

    def record_run(*given: object) -> Report:
        made.append(real(*given))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(vault_check, "_run_checks", record_run)
    return made


def make_report(root: Path, *, cached: bool = True) -> Report:
    return report_on(Workspace(root, cached), None)


@pytest.mark.usefixtures("later")
def test_unchanged_vault_gets_the_last_report(root: Path, runs: list[Report]) -> None:
    first = make_report(root)
    assert make_report(root) == first and len(runs) == 1
    assert count_certain(first) and first.lost and len(first.problems) == 5
    assert decode_report(first.encode()) == first and decode_report(b"\x93\x01") is None
    assert make_report(root, cached=False) == first and len(runs) == 2
    assert report_on(Workspace(root), ["a"]).problems == () and len(runs) == 3


CHANGES: dict[str, Callable[[Path], object]] = {
    "a note": lambda root: (root / "a/Bell.md").write_text("# Bell\n## Roomz\nBeer.\n"),
    "a new note": lambda root: (root / "No.md").write_text("Here."),
    "a note gone": lambda root: (root / "a/Bell.md").unlink(),
    "a note of another name": lambda root: (root / "a/Bell.md").rename(root / "a/Bells.md"),
    "what Obsidian excludes": lambda root: (root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["b/"]}'),
    "the template folder": lambda root: (root / ".obsidian/templates.json").write_text('{"folder": "b"}'),
    "types": lambda root: (root / ".obsidian/types.json").write_text('{"types": {"when": "date"}}'),
    "settings": lambda root: make_files(root, {".vaultkit/config.toml": "nothing = 1"}),
    "the user's settings": lambda root: make_files(root.parent / "config", {"vaultkit/config.toml": "nothing = 1"}),
    "a game": lambda root: make_files(root, {".vaultkit/games/x.toml": "nothing = 1"}),
    "a kept definition": lambda root: make_files(root, {f".vaultkit/games/kept/sha256-{'0' * 16}.toml": "no = 1"}),
    "a spread": lambda root: make_files(root, {".vaultkit/print/spreads/x.toml": "nothing = 1"}),
}


@pytest.mark.short(2)
@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("change", CHANGES)
def test_any_change_makes_a_new_report(root: Path, runs: list[Report], change: str) -> None:
    first = make_report(root)
    CHANGES[change](root)
    assert make_report(root) == make_report(root, cached=False) and runs[0] is first
    assert len(runs) == 3 and (change in ("a game", "a spread") or runs[1] != first)


def test_very_recent_change_is_not_answered_from_the_last_report(root: Path, runs: list[Report]) -> None:
    assert make_report(root) == make_report(root) and len(runs) == 2


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("kept", [b"", b"\x94\x01\x01\x00\xc0", b"\x94\x01\x01\x00\x91\x93\x98"])
def test_invalid_stored_report_is_made_again(root: Path, runs: list[Report], kept: bytes) -> None:
    first = make_report(root)
    index = Workspace(root).index()
    assert index is not None
    with sqlite3.connect(index.file) as database:
        database.execute("UPDATE reports SET report = ?, crc32 = ?", (kept, zlib.crc32(kept)))
    assert make_report(root) == first and len(runs) == 2


@pytest.mark.short(1)
@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("name", ["broken", "obsidian"])
def test_checks_read_only_files_covered_by_the_stored_state(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    vault = root.parent / name
    shutil.copytree(VAULTS / name, vault)
    opened: set[Path] = set()
    real = files._open_to_read

    def record_open(file: str, links: bool) -> int:
        opened.add(Path(file))
        return real(file, links)

    monkeypatch.setattr(files, "_open_to_read", record_open)
    workspace = Workspace(vault, cached=False)
    report_on(workspace, None)
    assert (vault / ".obsidian/app.json") in opened
    known = {vault / path for path in (*workspace.vault.listing.stamps, *vault_check._SETTINGS_FILES)}
    known |= {root.parent / "config/vaultkit/config.toml"}
    ours = tuple(map(resources.shipped_folder, ("print", "scoresheets")))
    assert [file for file in opened - known if not any(map(file.is_relative_to, ours))] == []
