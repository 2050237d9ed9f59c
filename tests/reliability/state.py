"""What stands in a vault: the results that were logged, and the lines of another program, in notes and in history."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from vaultkit.vault import Vault
from vaultkit.vault.writing.crash_recovery import recover_leftovers
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.lock import vault_lock

CAMPAIGN = "Campaign Log.md"
OURS = re.compile(rb"\^vk-\d+-dragon-citadel-(\d{4})\b")
THEIRS = re.compile(rb"- other \d{6} ends")
SESSION = re.compile(rb"^vaultkit-session: .*?-(\d{4})\W*$", re.MULTILINE)


def lines(root: Path) -> Counter[str]:
    """How often the line of each result stands in the campaign note, by its number."""
    return Counter(found.decode() for found in OURS.findall((root / CAMPAIGN).read_bytes()))


def notes(root: Path) -> Counter[str]:
    """How many notes each result has."""
    texts = (path.read_bytes() for path in (root / "Games").glob("*.md"))
    return Counter(found.decode() for text in texts for found in SESSION.findall(text))


def stage(root: Path, number: str) -> str:
    """Where a log of this result was cut off."""
    written = number in notes(root), number in lines(root)
    return {(False, False): "before the first file", (True, False): "between the files"}.get(written, "after the last")


def leftovers(root: Path) -> list[str]:
    """Temporary files of ours, wherever they lie."""
    found = [*root.rglob(".vaultkit-*"), *(root / ".vaultkit").rglob("*.tmp")]
    return sorted(path.relative_to(root).as_posix() for path in found)


@dataclass
class Recovery:
    """The lines of another program that the history of a vault holds; files once read are not read again."""

    root: Path
    displaced: set[str] = field(default_factory=set)
    images: set[str] = field(default_factory=set)
    _read: dict[Path, int] = field(default_factory=dict)

    def look(self) -> None:
        """Bring the history up to date, as the next write would, and read what it keeps beside its entries."""
        with vault_lock(self.root):
            recover_leftovers(Vault(self.root), [self.root], max_age_seconds=0.0)
        for path in (self.root / ".vaultkit" / "history").rglob("*"):
            if path.suffix not in (".before", ".displaced") or self._read.get(path) == path.stat().st_mtime_ns:
                continue
            self._read[path] = path.stat().st_mtime_ns
            known = self.displaced if path.suffix == ".displaced" else self.images
            known.update(theirs(path))


def theirs(path: Path) -> set[str]:
    """The lines of another program in a file."""
    return {found.decode() for found in THEIRS.findall(path.read_bytes())}


def unknown(root: Path) -> set[str]:
    """The results of which a note or a line stands that no entry knows, so that nobody could take it back."""
    known: dict[bool, set[str]] = {True: set(), False: set()}
    for entry in History(Vault(root)).entries():
        for write in entry.writes if not entry.undone and not entry.undoes else ():
            in_log = write.path == CAMPAIGN
            found = (OURS if in_log else SESSION).findall(write.inserted.encode())
            known[in_log].update(number.decode() for number in found)
    return (set(lines(root)) - known[True]) | (set(notes(root)) - known[False])


def history_is_sound(vault: Vault) -> bool:
    """Whether every entry on disk can be read, but for a folder that a kill left before there was anything in it.

    And whether it holds each note as it was before.
    """
    history = History(vault)
    if not history.folder.is_dir():
        return True
    kept = [
        history.load_image(entry, at) for entry in history.entries() for at, w in enumerate(entry.writes) if w.before
    ]
    files = [path for path in history.folder.glob("*/entry.json") if b'"writes": []' not in path.read_bytes()]
    return None not in kept and len(list(history.entries())) == len(files)
