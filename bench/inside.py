"""What is measured inside a Python process, its start and its imports left out. Prints one JSON object.

Usage: python bench/inside.py (walk | read | frontmatter | resolve | splice | fsync) FOLDER
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

RUNS = 3
WRITES = 30


def best(measure: Callable[[], object], runs: int = RUNS) -> float:
    """Seconds of the fastest of `runs`."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        measure()
        times.append(time.perf_counter() - begun)
    return min(times)


def files(folder: str) -> Iterator["os.DirEntry[str]"]:
    """All files below `folder` but hidden ones, each with its `stat`."""
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    yield entry


def notes(folder: str) -> list[str]:
    """The paths of all notes."""
    return [entry.path for entry in files(folder) if entry.name.lower().endswith(".md")]


def walk(folder: str) -> dict[str, object]:
    """Only find the files."""
    return {"seconds": best(lambda: sum(1 for _ in files(folder))), "files": sum(1 for _ in files(folder))}


def read(folder: str) -> dict[str, object]:
    """Only read the bytes of the notes, the walk included."""

    def everything() -> int:
        return sum(len(Path(path).read_bytes()) for path in notes(folder))

    return {"bytes": everything(), "seconds": best(everything), "notes": len(notes(folder))}


def frontmatter(folder: str) -> dict[str, object]:
    """`frontmatter.load` of every note, the walk included."""
    import frontmatter as library

    begun = time.perf_counter()
    failures = 0
    for path in notes(folder):
        try:
            library.load(path)
        except Exception:  # noqa: BLE001  # whatever it raises, the note counts as a failure
            failures += 1
    return {"seconds": time.perf_counter() - begun, "failures": failures}


def resolve(folder: str) -> dict[str, object]:
    """Open the vault and follow one link to its heading, with a new vault each time."""
    from vaultkit.campaign.workspace import Workspace

    vault = Workspace(Path(folder)).vault
    source, link = next(
        (path, link)
        for path in vault.note_paths
        for link in vault.read(path).links
        if link.subpath and vault.resolve(link, path).status == "ok"
    )
    seconds = best(lambda: Workspace(Path(folder)).vault.resolve(link, source))
    return {"seconds": seconds, "note": source}


def splice(folder: str) -> dict[str, object]:
    """One line under a heading of a note in a small vault in `folder`: lock, history, fsync, replace."""
    from vaultkit.vault import Vault
    from vaultkit.vault.writing.splice import insert_under
    from vaultkit.vault.writing.write import Writer

    with tempfile.TemporaryDirectory(dir=folder) as place:
        (Path(place) / ".obsidian").mkdir()
        (Path(place) / "Log.md").write_text("# Campaign\n\n## Log\n\n- It began.\n\n## People\n\nSome.\n")
        lines = (f"- Line {number}" for number in range(WRITES))

        def one() -> None:
            writer = Writer(Vault(Path(place)), "log", datetime.now(UTC))
            line = next(lines)
            writer.change("Log.md", lambda note: insert_under(note, "Log", line))
            assert writer.commit() == ("Log.md",)

        return {"seconds": best(one, WRITES)}


def fsync(folder: str) -> dict[str, object]:
    """The least that a safe write costs: a new file, fsynced, put in another's place, and the folder fsynced."""
    with tempfile.TemporaryDirectory(dir=folder) as place:

        def one() -> None:
            with (Path(place) / "new").open("wb") as file:
                file.write(b"x" * 4000)
                file.flush()
                os.fsync(file.fileno())
            (Path(place) / "new").replace(Path(place) / "old")
            if os.name == "posix":
                directory = os.open(place, os.O_RDONLY)
                os.fsync(directory)
                os.close(directory)

        return {"seconds": best(one, WRITES)}


MEASURES = {measure.__name__: measure for measure in (walk, read, frontmatter, resolve, splice, fsync)}


if __name__ == "__main__":
    print(json.dumps(MEASURES[sys.argv[1]](sys.argv[2])))
