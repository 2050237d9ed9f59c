"""Check of every PDF in some folders: syntax (`qpdf --check`), embedded fonts (`pdffonts`), drawing (`streams`).

Usage: python -m scripts.check_pdfs FOLDER...

Skipped are files that vaultkit did not write, files that were damaged on purpose ("damaged" in the name), and files
that another program has changed ("foreign" in the name). Identical files are checked once.
"""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from scripts import streams

OURS = b"vaultkit"
LEFT_OUT = ("damaged", "foreign")
_EMBEDDED = -5
"""The index, from the end, of the column of `pdffonts` that says whether a font is embedded."""


def main() -> int:
    """Print every fault of the PDFs, and return 1 if there is a fault or no PDF to check, else 0."""
    found = [path for folder in sys.argv[1:] for path in sorted(Path(folder).rglob("*.pdf")) if _is_meant(path)]
    files = list({hashlib.sha256(path.read_bytes()).digest(): path for path in found}.values())
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for faults in pool.map(faults_of, files, chunksize=8) for fault in faults]
    for fault in faults:
        print(fault)
    print(f"{len(found)} PDFs, {len(files)} different ones looked at, {len(faults)} faults")
    return int(bool(faults) or not files)


def _is_meant(path: Path) -> bool:
    return path.is_file() and not any(word in path.name for word in LEFT_OUT) and OURS in path.read_bytes()


def faults_of(path: Path) -> list[str]:
    """Return the faults of a PDF, one line each."""
    sound = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True, check=False)
    if sound.returncode:
        return [f"{path}: {(sound.stderr or sound.stdout).strip().splitlines()[-1]}"]
    fonts = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=False).stdout.splitlines()[2:]
    outside = [f"{path}: not embedded: {line}" for line in fonts if line.split()[_EMBEDDED] != "yes"]
    return [*outside, *(f"{path}: {fault}" for fault in streams.faults(path))]


if __name__ == "__main__":
    sys.exit(main())
