"""`--watch`: prints again whenever a note, a picture or a design of the vault changes, until Ctrl+C."""

import subprocess
import sys
from pathlib import Path

import typer

from vaultkit.cli.output import talk
from vaultkit.errors import ExitCode, UsageError
from vaultkit.sheets.images import ENDINGS

_LOOKED_AT = {".md", ".toml", ".svg", ".ttf", *ENDINGS}
_OURS = ".vaultkit"


def again_and_again(root: Path) -> None:
    """Runs this very command, then once more after every change in the vault `root`.

    Each run is a process of its own, which reads all designs anew. One that fails says so and leaves the last good PDF;
    if the first one cannot be meant like that, such as with a misspelt option or deck, that is the end.
    """
    try:
        from watchfiles import watch
    except ImportError as error:
        raise UsageError(
            "Changes cannot be watched for: watchfiles is missing.",
            hint="Install it beside vaultkit: pipx inject vaultkit watchfiles, or pip install watchfiles",
        ) from error
    code = _run("--watch")
    if code in (ExitCode.USAGE, ExitCode.NOTHING):
        raise typer.Exit(code)
    talk("Watching the vault. Ctrl+C ends it.")
    for _ in watch(root, watch_filter=lambda _, path: counts(Path(path), root), raise_interrupt=True):
        _run("--watch", "--open")


def _run(*left_out: str) -> int:
    words = [word for word in sys.argv[1:] if word not in left_out]
    return subprocess.run([sys.executable, "-m", "vaultkit", *words], check=False).returncode


def counts(path: Path, root: Path) -> bool:
    """Whether a change of `path` may change a sheet: hidden folders other than ours do not, nor do our previews."""
    folders = path.relative_to(root).parts[:-1] if path.is_relative_to(root) else ()
    hidden = any(name.startswith(".") and name != _OURS for name in folders)
    ours = _OURS in folders and not {"print"} & set(folders) and path.name != "config.toml"
    return path.suffix.lower() in _LOOKED_AT and not (hidden or ours or any(n.endswith("-preview") for n in folders))
