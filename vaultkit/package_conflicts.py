"""Detection of other programs that have put files into vaultkit's package.

Nothing of vaultkit is imported here, since those programs may have replaced it.
"""

from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

DISTRIBUTION = "vaultkit-ttrpg"
"""The name of vaultkit's distribution; on public indexes, the name `vaultkit` belongs to another program."""


def find_package_conflicts() -> Iterator[tuple[str, str]]:
    """Yield a message and a hint for each other distribution that installed files into vaultkit's package."""
    package_folder = Path(__file__).resolve().parent
    for program in distributions():
        lines = (line for line in (program.read_text("RECORD") or "").splitlines() if f"{package_folder.name}/" in line)
        files = (Path(str(program.locate_file(line.partition(",")[0]))).resolve() for line in lines)
        if (
            any(file.is_relative_to(package_folder) for file in files)
            and (name := program.metadata["Name"]) != DISTRIBUTION
        ):
            hint = f"Uninstall {name} and {DISTRIBUTION}, then install {DISTRIBUTION} again."
            yield f"the program '{name}' has put files of its own into the package in {package_folder}", hint
