"""Programs that fill in, save or rewrite score sheets, and know nothing of vaultkit.

pdf.js and pdf-lib come from npm into `.tools` (`make browsers`), the others are programs of the machine.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Fields = Mapping[str, str | bool]
MODULES = Path(__file__).parents[3] / ".tools" / "node_modules"
PROGRAMS = Path(__file__).parent / "programs"


def need(program: str, module: str = "") -> None:
    """Skip the test without a program of the machine, or without an npm module; fail if they are required."""
    missing = [program] if not shutil.which(program) else []
    missing += [module] if module and not (MODULES / module).is_dir() else []
    if missing and os.environ.get("VAULTKIT_BROWSERS") == "required":
        pytest.fail(f"{', '.join(missing)} must be installed: as .ci/run does, and make browsers")
    if missing:
        pytest.skip(f"without {', '.join(missing)}")


def run(*command: str | Path) -> None:
    """Run a program. Raises AssertionError with its words if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, check=False, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr or done.stdout


def by_pdfjs(source: Path, target: Path, fields: Fields, *how: str) -> None:
    need("node", "pdfjs-dist")
    run("node", PROGRAMS / "pdfjs.mjs", MODULES, source, target, json.dumps(fields), *how)


def by_pdf_lib(source: Path, target: Path, fields: Fields, *how: str) -> None:
    need("node", "pdf-lib")
    run("node", PROGRAMS / "pdf_lib.cjs", MODULES, source, target, json.dumps(fields), *how)


def by_pdf_lib_without_looks(source: Path, target: Path, fields: Fields) -> None:
    by_pdf_lib(source, target, fields, "values")


def by_mupdf(source: Path, target: Path, fields: Fields) -> None:
    need("mutool")
    run("mutool", "run", PROGRAMS / "mupdf.js", source, target, json.dumps(fields))


FILLERS: Mapping[str, Callable[[Path, Path, Fields], None]] = {
    "pdf.js": by_pdfjs,
    "pdf-lib": by_pdf_lib,
    "pdf-lib, values alone": by_pdf_lib_without_looks,
    "mupdf": by_mupdf,
}


def _rewriter(*words: str) -> Callable[[Path, Path], None]:
    """Return a function that runs a program with the words `{in}` and `{out}` replaced by paths."""

    def rewrite(source: Path, target: Path) -> None:
        need(words[0])
        run(*(word.format_map({"in": source, "out": target}) for word in words))

    return rewrite


def by_poppler_pages(source: Path, target: Path) -> None:
    """Split a file into its pages and join these again."""
    need("pdfunite")
    run("pdfseparate", source, target.with_suffix(".%d.part"))
    run("pdfunite", *sorted(target.parent.glob(f"{target.stem}.*.part")), target)


REWRITERS: Mapping[str, Callable[[Path, Path], None]] = {
    "mutool clean": _rewriter("mutool", "clean", "-gggg", "-z", "{in}", "{out}"),
    "mutool clean, expanded": _rewriter("mutool", "clean", "-d", "-s", "{in}", "{out}"),
    "mutool merge": _rewriter("mutool", "merge", "-o", "{out}", "{in}"),
    "qpdf": _rewriter("qpdf", "--linearize", "--object-streams=disable", "{in}", "{out}"),
    "poppler, page by page": by_poppler_pages,
    "poppler, printed": _rewriter("pdftocairo", "-pdf", "{in}", "{out}"),
    "Ghostscript": _rewriter("gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-sOutputFile={out}", "{in}"),
    "mutool convert": _rewriter("mutool", "convert", "-o", "{out}", "{in}"),
    "pdf-lib, flattened": lambda source, target: by_pdf_lib(source, target, {}, "flatten"),
}
