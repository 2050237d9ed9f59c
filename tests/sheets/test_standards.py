"""P6: every kind of sheet is tagged through and through, and keeps PDF/UA-1 and PDF/A-2a."""

from pathlib import Path

import pytest

from scripts import verapdf
from tests.sheets.kinds import KINDS
from tests.sheets.lint import problems


@pytest.mark.parametrize("kind", KINDS)
def test_p6_structure(kind: str, tmp_path: Path) -> None:
    assert problems(KINDS[kind](tmp_path)) == []


@pytest.mark.slow
@pytest.mark.skipif(bool(verapdf.missing()), reason=f"veraPDF cannot run: {verapdf.missing()}")
def test_p6_verapdf(tmp_path: Path) -> None:
    files = {kind: make(tmp_path) for kind, make in KINDS.items()}
    found = {
        f"{kind} {flavour}": [str(failure) for failure in verapdf.failures(file, flavour)]
        for kind, file in files.items()
        for flavour in ("ua1", "2a")
    }
    assert {name: broken for name, broken in found.items() if broken} == {}
