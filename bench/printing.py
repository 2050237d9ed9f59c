"""How fast and how small sheets are, as ratios to the least that the same work can cost, as Markdown tables.

Usage: python bench/printing.py [--tools FOLDER] [--runs N] [--quick]

A deck of 54 cards with pictures of 750 x 1050 pixels, and rule notes of the example vault, one page and five: whole
processes, ours, the floors and the peers in turns, the fastest of each. "Cold" is without cached pictures; the vault's
index is there.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from measuring import Failed, Run, fastest_of, machine, pin, run

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent / "vault-example"
DECK, SHORT, RULES = "tarokka", "House Rules", "Dragon Citadel"
TOOLS = ("fpdf2", "weasyprint", "typst")
VERSIONS = f"from importlib.metadata import version; print(*(f'{{n}} {{version(n)}}' for n in {TOOLS}), sep=', ')"
COLD, WARM, SHEET, SMALL, MEMORY = 1.5, 12.0, 2.0, 1.05, 80.0
"""The budgets: cold to Pillow's work, warm to the copy, a rule sheet to a page of one paragraph, bytes, megabytes."""


@dataclass
class Table:
    """Rows by name, each with its ratio to the one that is its floor."""

    floor: str
    rows: dict[str, tuple[Run, int]] = field(default_factory=dict)

    def ratio(self, name: str) -> float:
        """How many times the floor's seconds."""
        return self.rows[name][0].seconds / self.rows[self.floor][0].seconds

    def __str__(self) -> str:
        head = f"| what | seconds | to: {self.floor} | peak MB | the PDF's MB |\n|---|--:|--:|--:|--:|"
        return "\n".join([head, *(self._row(name) for name in self.rows)])

    def _row(self, name: str) -> str:
        found, size = self.rows[name]
        peak = f"{found.peak:.0f}" if found.peak else ""
        return f"| {name} | {found.seconds:.3f} | {self.ratio(name):.2f} | {peak} | {size / 1e6:.2f} |"


@dataclass(frozen=True)
class Bench:
    """A folder for the deck's vault, caches and PDFs; `python` has the peers, None if there is none."""

    scratch: Path
    python: str | None
    runs: int

    @property
    def cache(self) -> Path:
        return self.scratch / "cache" / "vaultkit"

    @property
    def pictures(self) -> int:
        """The bytes of all cached pictures."""
        return sum(path.stat().st_size for path in self.cache.rglob("*.jpg"))

    def table(self, floor: str, measures: dict[str, Callable[[Path], Run]]) -> Table:
        """All of `measures` in turns, each given a file to write."""
        table = Table(floor)
        folder = Path(tempfile.mkdtemp(prefix="made-", dir=self.scratch))
        outs = {name: folder / f"{number}.pdf" for number, name in enumerate(measures)}
        calls = [_call(measure, outs[name]) for name, measure in measures.items()]
        for name, found in zip(measures, fastest_of(calls, self.runs), strict=True):
            table.rows[name] = found, outs[name].stat().st_size
            print(f"{name}: {found.seconds:.3f} s", file=sys.stderr)
        return table

    def deck(self) -> tuple[Table, Table]:
        """The deck cold, next to Pillow's work and the peers; and warm, next to the copy of the bytes."""
        vault = self.scratch / "vault"

        def warm(out: Path) -> Run:
            return self.vaultkit(out, "cards", DECK, "--no-accessible", "--vault", str(vault))

        def cold(out: Path) -> Run:
            shutil.rmtree(self.cache / "images", ignore_errors=True)
            return warm(out)

        def both(out: Path) -> Run:
            return self.vaultkit(out, "cards", DECK, "--vault", str(vault))

        warm(self.scratch / "first.pdf")
        work, copy = "Pillow decodes and encodes the pictures", "copy of the cached pictures"
        first = self.table(work, {work: self.floor("transcode", vault), "vaultkit, cold": cold, **self.peers("deck")})
        ours = {"vaultkit, warm": warm, "vaultkit, warm, with pages for screen readers": both}
        return first, self.table(copy, {copy: self.floor("copy", self.cache), **ours})

    def rules(self) -> Table:
        """Rule sheets next to a page of one paragraph, and the longer one by the peers."""
        empty = "a page of ReportLab with one paragraph"
        short = {SHORT: lambda out: self.vaultkit(out, "rules", SHORT, "--vault", str(EXAMPLE))}
        long = {RULES: lambda out: self.vaultkit(out, "rules", RULES, "--vault", str(EXAMPLE))}
        return self.table(empty, {empty: self.floor("empty", self.scratch), **short, **long, **self.peers("rules")})

    def vaultkit(self, out: Path, *words: str) -> Run:
        """One printing command as a user gives it."""
        words = (sys.executable, "-m", "vaultkit", "print", *words, "--out", str(out))
        folder = str(self.scratch / "cache")
        return run(words, {"XDG_CACHE_HOME": folder, "LOCALAPPDATA": folder})

    def floor(self, what: str, folder: Path) -> Callable[[Path], Run]:
        """The least that the work can cost."""
        return lambda out: run([sys.executable, str(HERE / "printing_floor.py"), what, str(folder), str(out)])

    def peers(self, what: str) -> dict[str, Callable[[Path], Run]]:
        """Each peer that is there."""
        return {tool: self._peer(tool, what, self.python) for tool in TOOLS if self.python}

    def _peer(self, tool: str, what: str, python: str | None) -> Callable[[Path], Run]:
        script = str(HERE / "printing_peers.py")
        return lambda out: run([str(python), script, tool, what, str(self.scratch), str(out)])


def _call(measure: Callable[[Path], Run], out: Path) -> Callable[[], Run]:
    return lambda: measure(out)


def budgets(cold: Table, warm: Table, rules: Table, pictures: int) -> str:
    """Each budget, what was found, and whether it holds."""
    found, size = warm.rows["vaultkit, warm"]
    peak = max(found.peak or 0.0, cold.rows["vaultkit, cold"][0].peak or 0.0)
    rows = (
        ("the deck, cold, to Pillow's work", cold.ratio("vaultkit, cold"), COLD),
        ("the deck, warm, to the copy", warm.ratio("vaultkit, warm"), WARM),
        ("the deck's bytes, to those of its pictures", size / pictures, SMALL),
        ("the deck's peak, in MB", peak, MEMORY),
        ("a rule sheet of one page, to a page of one paragraph", rules.ratio(SHORT), SHEET),
    )
    lines = [f"| {what} | {value:.2f} | {most:g} | {_holds(value <= most)} |" for what, value, most in rows]
    return "\n".join(["| budget | found | at most | holds |\n|---|--:|--:|---|", *lines])


def _holds(kept: bool) -> str:
    return "yes" if kept else "**no**"


def find_peers(tools: Path | None) -> tuple[str | None, str]:
    """A Python that has the peers in the folder `tools`, else on PATH; and a remark on what was found."""
    where = str(tools) if tools else None
    python = shutil.which("python", path=where) or shutil.which("python3", path=where)
    try:
        versions = run([python, "-c", VERSIONS], keep=True).output.strip() if python else ""
    except Failed:
        versions = ""
    return (python, versions) if versions else (None, f"not all of {', '.join(TOOLS)} are there, so none is compared")


def report(bench: Bench) -> str:
    """All tables."""
    run([sys.executable, str(HERE / "printing_vault.py"), str(bench.scratch)])
    cold, warm = bench.deck()
    pictures = bench.pictures
    rules = bench.rules()
    return "\n\n".join(map(str, (cold, warm, rules, budgets(cold, warm, rules, pictures))))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print Markdown."""
    given = _arguments(arguments)
    cpus = pin()
    python, remark = (None, "no peers asked for") if given.quick else find_peers(given.tools)
    with tempfile.TemporaryDirectory(prefix="vaultkit-bench-") as scratch:
        try:
            print(report(Bench(Path(scratch), python, 1 if given.quick else given.runs)), end="\n\n")
        except Failed as error:
            sys.exit(f"A measured process failed, so there is no table: {error}")
    print(f"{machine(cpus)}; {remark}.")


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure printing next to its floors and to other tools.")
    parser.add_argument("--tools", type=Path, help="where a python with fpdf2, weasyprint and typst is, if not on PATH")
    parser.add_argument("--runs", type=int, choices=range(1, 100), default=5, metavar="N", help="5 if not given")
    parser.add_argument("--quick", action="store_true", help="one run and no peers, to see that it works")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
