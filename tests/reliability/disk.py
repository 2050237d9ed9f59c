"""A disk that loses what was not synced: the states in which a kill or a power cut may leave a folder.

The work runs once, in a process of its own. Before each of its calls that changes a file below the folder, and at its
end, the model looks at what is there. A file is known by its inode. What `fsync` was called for stays: the bytes of a
file, the names of a folder. Of all else, each folder may have any of the names since its last sync, and each file what
it had at its last sync, what it has, or a part of it, independently of each other, as POSIX allows.
"""

import os
import random
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.counts import count
from vaultkit.vault.writing import atomic_swap

EVENTS = ("os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
KILL, STRICT, NAMES, DATA, TORN = "kill", "nothing unsynced", "names only", "data only", "names and torn data"
KINDS = (KILL, STRICT, NAMES, DATA, TORN)
STRIDE = count(3, 1)
"""Of so many calls one is the last of a kill; the full counts take them all."""
SHUFFLED = 3
"""How many more states with random names and data each call has."""
Tree = dict[str, "bytes | Tree"]


@dataclass(frozen=True)
class State:
    """What a cut just before the call `number` leaves; `is_end` is True once the work was done."""

    number: int
    kind: str
    folder: Path
    is_end: bool
    shown: int
    """How many bytes the work had printed."""


def states(work: Callable[[], object], root: Path, folder: Path, kinds: tuple[str, ...] = KINDS) -> list[State]:
    """Do `work` in a process of its own, and make each state of `root` that a cut may leave a folder below `folder`.

    With all kinds there are `SHUFFLED` more for each call. A state that another call has left already is left out.
    """
    folder.mkdir()
    child = os.fork()
    if not child:
        try:
            with (folder / "output").open("wb") as output:
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
            disk = _Disk(root, folder, kinds)
            disk.watch()
            work()
            disk.cut(is_end=True)
            os._exit(0)
        except BaseException:  # noqa: BLE001
            traceback.print_exc()
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == 0, (folder / "output").read_text(encoding="utf-8", errors="replace")
    return sorted(_found(folder), key=lambda state: state.number)


def kills(work: Callable[[Path], object], root: Path) -> Iterator[Path]:
    """Yield a copy of `root` for each call that changes something there: `work` was killed just before that."""
    for state in states(lambda: work(root), root, root.with_suffix(".kills"), (KILL,))[::STRIDE]:
        if not state.is_end:
            yield state.folder


def _found(folder: Path) -> Iterator[State]:
    for path in folder.glob("*.cut"):
        number, kind, is_end, shown = path.stem.split(",")
        yield State(int(number), kind, path, is_end == "True", int(shown))


class _Disk:
    """The model, in the process that does the work."""

    def __init__(self, root: Path, folder: Path, kinds: tuple[str, ...]) -> None:
        self.root, self.folder, self.kinds = root, folder, kinds
        self.number = 0
        self.lock = threading.RLock()
        self.is_looking = False
        self.kept: dict[int, int] = {}
        """A descriptor of each inode, without which the system might use the number again."""
        self.durable: dict[int, bytes] = {}
        self.names: dict[int, list[dict[str, int]]] = {}
        """The names of each folder at its last sync, and all that it has had since."""
        self.seen: set[int] = set()
        self.look(is_new=False)

    def watch(self) -> None:
        """Look from now on before each call that changes something."""
        fsync, try_exchange = os.fsync, atomic_swap._try_exchange

        def synced(descriptor: int) -> None:
            with self.lock:
                self.cut()
                fsync(descriptor)
                self.sync(descriptor)

        def exchanged(new_file: Path, target: Path) -> bool:
            with self.lock:
                self.cut()
                return try_exchange(new_file, target)

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            changes = event in EVENTS or (event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES)
            if changes and str(arguments[0]).startswith(str(self.root)):
                self.cut()

        os.fsync = synced  # type: ignore[assignment]
        atomic_swap._try_exchange = exchanged
        sys.addaudithook(hook)

    def sync(self, descriptor: int) -> None:
        """Keep what a descriptor was synced for."""
        self.look()
        inode = os.fstat(descriptor).st_ino
        if inode in self.names:
            del self.names[inode][:-1]
        elif inode in self.kept:
            self.durable[inode] = self.content(inode)

    def look(self, *, is_new: bool = True) -> None:
        """Take down the names in all folders; what comes new has reached the disk by nothing so far."""
        folders = [self.root]
        for folder in folders:
            inode = self.keep(folder)
            entries = {entry.name: self.keep(Path(entry.path)) for entry in os.scandir(folder)}
            known = self.names.setdefault(inode, [{}] if is_new else [entries])
            if known[-1] != entries:
                known.append(entries)
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
                elif not is_new:
                    self.durable[entry.inode()] = self.content(entry.inode())

    def keep(self, path: Path) -> int:
        inode = path.stat(follow_symlinks=False).st_ino
        if inode not in self.kept:
            self.kept[inode] = os.open(path, os.O_RDONLY)
        return inode

    def content(self, inode: int) -> bytes:
        return os.pread(self.kept[inode], os.fstat(self.kept[inode]).st_size, 0)

    def cut(self, *, is_end: bool = False) -> None:
        """Make the states that a cut may leave here."""
        with self.lock:
            if self.is_looking:
                return
            self.is_looking = True
            sys.stdout.flush()
            shown = (self.folder / "output").stat().st_size
            self.look()
            shuffled = [f"shuffled {number}" for number in range(SHUFFLED)] if self.kinds == KINDS else []
            for kind in (*self.kinds, *shuffled):
                tree = self.tree(self.root.stat().st_ino, kind, random.Random(f"{self.number} {kind}"))
                if is_end or _digest(tree) not in self.seen:
                    self.seen.add(_digest(tree))
                    _make(tree, self.folder / f"{self.number},{kind},{is_end},{shown}.cut")
            self.number += 1
            self.is_looking = False

    def tree(self, inode: int, kind: str, chance: random.Random) -> "Tree":
        """What is left of a folder."""
        known = self.names[inode]
        names = chance.choice(known) if kind.startswith("shuffled") else known[0 if kind in (STRICT, DATA) else -1]
        return {
            name: self.tree(below, kind, chance) if below in self.names else self.left(below, kind, chance)
            for name, below in sorted(names.items())
        }

    def left(self, inode: int, kind: str, chance: random.Random) -> bytes:
        """What is left of a file."""
        old, new = self.durable.get(inode, b""), self.content(inode)
        half = min(len(old), len(new)) + max(0, len(new) - len(old)) // 2
        torn = new[:half] if new.startswith(old) else new[: len(new) // 2]
        choices = {STRICT: old, NAMES: old, DATA: new, KILL: new, TORN: torn + bytes(len(new) - len(torn))}
        if old == new:
            return new
        return choices[kind] if kind in choices else chance.choice([old, new, torn, choices[TORN]])


def _digest(tree: "Tree") -> int:
    return hash(tuple((name, _digest(below) if isinstance(below, dict) else below) for name, below in tree.items()))


def _make(tree: "Tree", folder: Path) -> None:
    folder.mkdir()
    for name, below in tree.items():
        if isinstance(below, dict):
            _make(below, folder / name)
        else:
            (folder / name).write_bytes(below)
