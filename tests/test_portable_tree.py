"""The files of the project itself: every system can check them out, and install the wheel."""

import shutil
import subprocess
from pathlib import Path

import pytest

from vaultkit.vault.file_names import name_fault
from vaultkit.vault.resolve import key

ROOT = Path(__file__).parents[1]


def faults(paths: list[str]) -> list[str]:
    """The faults of names, and paths that are one where case says nothing."""
    parts = {part for path in paths for part in path.split("/") if part}
    bad = [f"{part}: {fault.reason}" for part in sorted(parts) if (fault := name_fault(part))]
    folders = {path.rpartition("/")[0] for path in paths}
    every = {*paths, *folders, *(str(above) for folder in folders for above in Path(folder).parents)}
    first: dict[str, str] = {}
    return bad + [f"{path}: {first[key(path)]}" for path in sorted(every) if first.setdefault(key(path), path) != path]


def test_unportable_name_is_detected() -> None:
    assert len(faults(["a/nul.py", "a/B.md", "A/c.md", "a/b.md", "x?.md", "CONIN$/x"])) == 5
    assert faults(["a/null_characters.py", "vaultkit-1.0.dist-info/RECORD"]) == []


def test_every_tracked_file_can_be_checked_out_everywhere() -> None:
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("This is not a clone.")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    paths = listed.decode().rstrip("\0").split("\0")
    assert len(paths) > 1000 and faults(paths) == []
