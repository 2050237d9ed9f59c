"""P6: every kind of sheet is fully tagged and conforms to PDF/UA-1 and PDF/A-2a."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from scripts import verapdf
from tests.sheets.kinds import KINDS
from tests.sheets.lint import problems

QUICK = {"rules", "cards-pages", "scores"}
EVERY = [pytest.param(kind, marks=[] if kind in QUICK else pytest.mark.slow) for kind in KINDS]
MUST_RUN = os.environ.get("VAULTKIT_VERAPDF") == "required"
"""Whether veraPDF is required, so that a skipped test fails instead."""


@pytest.fixture(scope="session")
def make_sheet(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that makes each kind of sheet once for all tests."""
    return cache(lambda kind: KINDS[kind](tmp_path_factory.mktemp(kind)))


@pytest.mark.short(1)
@pytest.mark.parametrize("kind", EVERY)
def test_p6_document_structure(make_sheet: Callable[[str], Path], kind: str) -> None:
    assert problems(make_sheet(kind)) == []


@pytest.mark.slow
@pytest.mark.skipif(bool(verapdf.missing()) and not MUST_RUN, reason=f"veraPDF cannot run: {verapdf.missing()}")
@pytest.mark.parametrize("kind", KINDS)
def test_p6_verapdf_accepts_the_file(make_sheet: Callable[[str], Path], kind: str) -> None:
    assert not verapdf.missing()
    broken = {flavour: verapdf.failures(make_sheet(kind), flavour) for flavour in ("ua1", "2a")}
    assert {flavour: [str(failure) for failure in found] for flavour, found in broken.items() if found} == {}
