"""Writes the golden files of `tests/vaults`, and the recordings of its vault `broken`, anew. Look at the difference.

Usage: python -m tests.vault.regenerate_broken
"""

import io
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import typer

from vaultkit.cli.check import check

VAULTS = Path(__file__).parent.parent / "vaults"
GOLDEN = VAULTS / "broken.txt"
LIVED_IN_GOLDEN = VAULTS / "lived-in.txt"
STRANGERS = VAULTS.parent / "data" / "strangers"
"""The vaults of a game master who did not know the program, each with the digest of `check` beside it."""


def told(root: Path) -> str:
    """The problems that `vaultkit check --all` prints of a vault on stdout, without the headings of their groups."""
    return "".join(line for line in digest(root).splitlines(keepends=True) if line.endswith("]\n"))


def digest(root: Path, *, every: bool = True) -> str:
    """All that `vaultkit check` prints of a vault on stdout."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()), suppress(typer.Exit):
        check(every=every, vault_option=root, no_cache=True)
    return out.getvalue()


if __name__ == "__main__":
    from tests.frozen.record import main

    GOLDEN.write_text(told(VAULTS / "broken"), encoding="utf-8", newline="\n")
    LIVED_IN_GOLDEN.write_text(digest(VAULTS / "lived-in"), encoding="utf-8", newline="\n")
    for vault in sorted((STRANGERS / "vaults").iterdir()):
        (STRANGERS / f"{vault.name}.txt").write_text(digest(vault, every=False), encoding="utf-8", newline="\n")
    main(["--write", "commands/broken", "writes/fix-broken"])
