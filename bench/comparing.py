"""The peers that vaultkit's check is measured against: rumdl and obsidiantools, where they are installed."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from measuring import Failed, Run, run

GATHER = """
import sys
from pathlib import Path
import obsidiantools.api as otools
otools.Vault(Path(sys.argv[1])).connect().gather()
"""
VERSION = "from importlib.metadata import version; print(version('obsidiantools'))"


@dataclass(frozen=True, slots=True)
class Peers:
    """The program rumdl, and a Python that has obsidiantools; None for what is not there."""

    rumdl: str | None
    python: str | None

    @classmethod
    def find(cls, tools: Path | None) -> "Peers":
        """Look in the folder `tools`, else on PATH."""
        where = str(tools) if tools else None
        python = shutil.which("python", path=where) or shutil.which("python3", path=where)
        return cls(shutil.which("rumdl", path=where), python if python and _has_obsidiantools(python) else None)

    def remarks(self) -> list[str]:
        """What was found, with its version, and what was not."""
        rumdl = run([self.rumdl, "--version"], keep=True).output.strip() if self.rumdl else "rumdl is not there"
        python = f"obsidiantools {run([self.python, '-c', VERSION], keep=True).output.strip()}" if self.python else ""
        return [rumdl, python or "obsidiantools is not there"]


def _has_obsidiantools(python: str) -> bool:
    try:
        run([python, "-c", VERSION])
    except Failed:
        return False
    return True


def rumdl(program: str, folder: Path) -> Run:
    """Its two link rules over the vault, no cache, no settings but its own; it ends with 1 if it finds anything."""
    rules = ["--no-cache", "--isolated", "--enable", "MD051,MD057", str(folder)]
    return run([program, "check", *rules], codes=(0, 1))


def obsidiantools(python: str, folder: Path) -> Run:
    """Connect and gather the vault, once: it takes long."""
    return run([python, "-c", GATHER, str(folder)])
