"""Other programs whose files lie in our package. Nothing of ours is imported, since these may stand in its place."""

from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

DISTRIBUTION = "vaultkit-ttrpg"
"""The name of our distribution; on public indexes that of the command and the package is another program's."""


def strangers() -> Iterator[tuple[str, str]]:
    """A sentence on what each of them has done, and the hint."""
    ours = Path(__file__).resolve().parent
    for program in distributions():
        lines = (line for line in (program.read_text("RECORD") or "").splitlines() if f"{ours.name}/" in line)
        files = (Path(str(program.locate_file(line.partition(",")[0]))).resolve() for line in lines)
        if any(file.is_relative_to(ours) for file in files) and (name := program.metadata["Name"]) != DISTRIBUTION:
            hint = f"Uninstall {name} and {DISTRIBUTION}, then install {DISTRIBUTION} again."
            yield f"the program '{name}' has put files of its own into the package in {ours}", hint
