"""Writes `tests/vaults/broken.txt` anew: `python -m tests.vault.regenerate_broken`. Look at the difference."""

import io
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import typer

from vaultkit.cli.check import check

VAULTS = Path(__file__).parent.parent / "vaults"
GOLDEN = VAULTS / "broken.txt"


def told(root: Path) -> str:
    """All that `vaultkit check` prints of a vault on stdout."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()), suppress(typer.Exit):
        check(every=True, vault_option=root, no_cache=True)
    return out.getvalue()


if __name__ == "__main__":
    GOLDEN.write_text(told(VAULTS / "broken"), encoding="utf-8", newline="\n")
