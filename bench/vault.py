"""How long the vault layer takes, as ratios to its peers and to the bare disk, all in one run, as Markdown tables.

Usage: python bench/vault.py [--notes N] [--folder FOLDER] [--tools FOLDER] [--quick] [--ratios]

Everything runs on the same two CPUs. "Cold" is without vaultkit's index; the system has the files in memory for all.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import comparing
from measuring import Failed, Run, fastest, fastest_of, machine, pin, run

HERE = Path(__file__).resolve().parent
GROWTH = (1_000, 5_000, 20_000, 50_000)
FULL = 0.1
"""The share of broken links in the vault full of problems."""
PEER_NOTES = 1_000
"""Notes for obsidiantools, which takes minutes for more."""

SETTLED = 2.1
"""Seconds after which a file that was written is taken as written: only then is a report kept."""
RUMDL, READ, WALK = "rumdl, two link rules", "read all bytes", "walk with stat"


@dataclass
class Table:
    """Rows by name; printed with ratios to rumdl, to the bare read and to the bare walk."""

    rows: dict[str, Run] = field(default_factory=dict)

    def add(self, name: str, found: Run) -> None:
        self.rows[name] = found
        print(f"{name}: {found.seconds:.3f} s", file=sys.stderr)

    def __str__(self) -> str:
        head = "| what | seconds | peak MB | to rumdl | to the read | to the walk |\n|---|--:|--:|--:|--:|--:|"
        return "\n".join([head, *(self._row(name, found) for name, found in self.rows.items())])

    def _row(self, name: str, found: Run) -> str:
        peak = f"{found.peak:.0f}" if found.peak else ""
        ratios = " | ".join(self._ratio(found, other) for other in (RUMDL, READ, WALK))
        return f"| {name} | {found.seconds:.4f} | {peak} | {ratios} |"

    def _ratio(self, found: Run, other: str) -> str:
        return f"{found.seconds / self.rows[other].seconds:.2f}" if other in self.rows else ""


@dataclass(frozen=True)
class Bench:
    """One vault to measure, and a folder `scratch` for caches and further vaults."""

    vault: Path
    scratch: Path
    peers: comparing.Peers
    notes: int = 20_000

    def inside(self, what: str, folder: Path, cache: Path | None = None) -> tuple[Run, dict[str, object]]:
        """A measure of `inside.py`: its own seconds, and all that it told."""
        words = [sys.executable, str(HERE / "inside.py"), what, str(folder)]
        whole = run(words, _cache(cache) if cache else None, keep=True)
        told = json.loads(whole.output)
        return Run(told["seconds"]), told

    def disk(self, table: Table) -> str:
        """The bare disk and the plain libraries. Returns a remark on what they found."""
        found, size = self.inside("read", self.vault)
        table.add(WALK, self.inside("walk", self.vault)[0])
        table.add(READ, found)
        found, library = self.inside("frontmatter", self.vault)
        table.add("python-frontmatter", found)
        return (
            f"{size['notes']} notes, {int(str(size['bytes'])) / 1e6:.1f} MB. "
            f"python-frontmatter {version('python-frontmatter')} could not read {library['failures']} of them."
        )

    def check(self, table: Table) -> str:
        """Check cold and warm, in turns with rumdl; then one note's links. Returns a remark on what the check found."""
        cache = self.new_cache()
        time.sleep(SETTLED)
        first = run(_check(self.vault), _cache(cache), codes=(0, 1), keep=True)
        measures: dict[str, Callable[[], Run]] = {
            "check, cold": lambda: self.check_once(self.vault, self.new_cache()),
            "check, warm": lambda: self.check_once(self.vault, cache),
        }
        if program := self.peers.rumdl:
            measures = {RUMDL: lambda: comparing.rumdl(program, self.vault), **measures}
        for name, found in zip(measures, fastest_of(list(measures.values())), strict=True):
            table.add(name, found)
        self._links(table, cache)
        report = json.loads(first.output)
        return f"check saw {report['notes']} notes and {report['links']} links, {len(report['problems'])} problems."

    def _links(self, table: Table, cache: Path) -> None:
        inside, told = self.inside("resolve", self.vault, cache)
        links = _vaultkit("links", str(told["note"]), "--vault", str(self.vault))
        table.add("links of one note, warm", fastest(lambda: run(links, _cache(cache))))
        table.add("one link resolved, warm, without the start", inside)

    def writes(self, table: Table) -> None:
        """One splice, next to the least that a safe write can cost on this disk."""
        table.add("python -c pass", fastest(lambda: run([sys.executable, "-c", "pass"]), runs=10))
        table.add("one splice, fsynced", self.inside("splice", self.scratch)[0])
        table.add("one bare write, fsynced", self.inside("fsync", self.scratch)[0])

    def check_once(self, vault: Path, cache: Path) -> Run:
        """One whole check with its index below `cache`, which is cold if that is empty."""
        return run(_check(vault), _cache(cache), codes=(0, 1))

    def vaults(self) -> Iterator[str]:
        """Checks of this vault, of a full and of a small one, as ratios taken in turns, as a table."""
        yield "| vault | rumdl | cold | to it | unchanged | to cold | a note changed | python | cold | unchanged |"
        yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
        full, small = self.scratch / "full", self.scratch / "small"
        make_vault(full, self.notes, FULL)
        make_vault(small, GROWTH[0])
        for name, vault in (("the same", self.vault), ("full of problems", full), ("1,000 notes", small)):
            yield f"| {name} | {self._ratios(vault)} |"

    def _ratios(self, vault: Path) -> str:
        cache, program = self.new_cache(), self.peers.rumdl
        time.sleep(SETTLED)
        self.check_once(vault, cache)
        python, cold, unchanged, changed, *rumdl = fastest_of(
            [
                lambda: run([sys.executable, "-c", "pass"]),
                lambda: self.check_once(vault, self.new_cache()),
                lambda: self.check_once(vault, cache),
                lambda: self._after_change(vault, cache),
                *([lambda: comparing.rumdl(program, vault)] if program else []),
            ],
            runs=5,
        )
        peer = (f"{rumdl[0].seconds:.2f}", f"{cold.seconds / rumdl[0].seconds:.2f}") if rumdl else ("", "")
        own = (f"{unchanged.seconds:.2f}", f"{unchanged.seconds / cold.seconds:.2f}", f"{changed.seconds:.2f}")
        starts = (f"{one.seconds / python.seconds:.1f}" for one in (cold, unchanged))
        return " | ".join((peer[0], f"{cold.seconds:.2f}", peer[1], *own, f"{python.seconds:.4f}", *starts))

    def _after_change(self, vault: Path, cache: Path) -> Run:
        """A check with the index of the last one, after one note was written; the next one is not measured."""
        note = min(vault.rglob("*.md"))
        note.write_bytes(note.read_bytes())
        found = self.check_once(vault, cache)
        time.sleep(SETTLED)
        self.check_once(vault, cache)
        return found

    def growth(self) -> Iterator[str]:
        """Cold checks of larger and larger vaults, as a table; obsidiantools at the smallest."""
        yield "| notes | check, cold, seconds | a thousand notes | peak MB | obsidiantools, seconds | to it |"
        yield "|--:|--:|--:|--:|--:|--:|"
        for count in GROWTH:
            vault = self.scratch / f"growth-{count}"
            make_vault(vault, count)
            found = self._cold(vault)
            peak = f"{found.peak:.0f}" if found.peak else ""
            yield (
                f"| {count} | {found.seconds:.2f} | {found.seconds / count * 1000:.3f} | {peak} "
                f"| {self._obsidiantools(vault, found) if count == PEER_NOTES else ' | '} |"
            )

    def _obsidiantools(self, vault: Path, ours: Run) -> str:
        if not self.peers.python:
            return " | "
        theirs = comparing.obsidiantools(self.peers.python, vault)
        return f"{theirs.seconds:.2f} | {ours.seconds / theirs.seconds:.4f}"

    def _cold(self, vault: Path) -> Run:
        return fastest(lambda: self.check_once(vault, self.new_cache()))

    def new_cache(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="cache-", dir=self.scratch))


def _vaultkit(*words: str) -> list[str]:
    return [sys.executable, "-m", "vaultkit", *words, "--json"]


def _check(vault: Path) -> list[str]:
    return _vaultkit("check", "--vault", str(vault))


def _cache(folder: Path) -> dict[str, str]:
    """Where vaultkit keeps its index, on Linux and on Windows."""
    return {"XDG_CACHE_HOME": str(folder), "LOCALAPPDATA": str(folder)}


def make_vault(folder: Path, count: int, broken: float | None = None) -> str:
    """A new vault, made in a process of its own so that ours stays small. Returns what is in it, line by line."""
    share = [] if broken is None else ["--broken", str(broken)]
    words = [str(HERE / "make_vault.py"), str(folder), "--notes", str(count), *share]
    return run([sys.executable, *words], keep=True).output


def main() -> None:
    """Measure, and print Markdown."""
    given = _arguments()
    cpus = pin()
    with tempfile.TemporaryDirectory(prefix="vaultkit-bench-") as scratch:
        vault = (given.folder or Path(scratch) / "vault").resolve()
        notes = given.notes or (1_000 if given.quick else 20_000)
        made = "" if vault.is_dir() else make_vault(vault, notes)
        peers = comparing.Peers(None, None) if given.quick else comparing.Peers.find(given.tools)
        try:
            bench = Bench(vault, Path(scratch), peers, notes)
            if given.ratios:
                print(f"{machine(cpus)}.\n", flush=True)
                for line in bench.vaults():
                    print(line, flush=True)
            else:
                _print_report(bench, made, cpus, given.quick)
        except Failed as error:
            sys.exit(f"A measured process failed, so there is no table: {error}")


def _print_report(bench: Bench, made: str, cpus: int, quick: bool) -> None:
    table = Table()
    remarks = [bench.disk(table)]
    remarks.append(bench.check(table))
    bench.writes(table)
    planted = ", ".join(line.strip() for line in made.splitlines() if "broken" in line)
    if planted:
        remarks.append(f"Planted: {planted}.")
    print(table, "", sep="\n")
    print(*remarks, sep="\n", flush=True)
    print("", *bench.vaults(), sep="\n", flush=True)
    if not quick:
        print("", *bench.growth(), "", sep="\n")
    peers = "no peers asked for" if quick else ", ".join(bench.peers.remarks())
    print(f"{machine(cpus)}; {peers}.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the vault layer next to its peers.")
    parser.add_argument("--notes", type=int, help="how large a vault to make (20,000; 1,000 with --quick)")
    parser.add_argument("--folder", type=Path, help="a vault to measure; made there, and kept, if it does not exist")
    parser.add_argument("--tools", type=Path, help="where rumdl and a python with obsidiantools are, if not on PATH")
    parser.add_argument("--quick", action="store_true", help="1,000 notes, no peers, no growth")
    parser.add_argument("--ratios", action="store_true", help="three vaults next to rumdl and python's start")
    return parser.parse_args()


if __name__ == "__main__":
    main()
