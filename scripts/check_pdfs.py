"""Every PDF under some folders: sound (`qpdf --check`), and every font in it (`pdffonts`).

Usage: python scripts/check_pdfs.py FOLDER...

What the tests broke on purpose has "damaged" in its name or is not vaultkit's own, and is left out.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OURS = b"vaultkit"
_EMBEDDED = -5
"""The column of `pdffonts` that says whether a font is in the file, counted from the last."""


def main() -> int:
    """Names every file that is not as it should be; 1 if there is one, or none at all to look at."""
    files = [path for folder in sys.argv[1:] for path in sorted(Path(folder).rglob("*.pdf")) if _is_meant(path)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for found in pool.map(faults_of, files) for fault in found]
    for fault in faults:
        print(fault)
    print(f"{len(files)} PDFs looked at, {len(faults)} faults")
    return int(bool(faults) or not files)


def _is_meant(path: Path) -> bool:
    return path.is_file() and "damaged" not in path.name and OURS in path.read_bytes()


def faults_of(path: Path) -> list[str]:
    """What is wrong with a PDF, a line each."""
    sound = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True, check=False)
    if sound.returncode:
        return [f"{path}: {(sound.stderr or sound.stdout).strip().splitlines()[-1]}"]
    fonts = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=False).stdout.splitlines()[2:]
    return [f"{path}: not embedded: {line}" for line in fonts if line.split()[_EMBEDDED] != "yes"]


if __name__ == "__main__":
    sys.exit(main())
