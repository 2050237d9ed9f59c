"""Patterns that are made late are what they would have been."""

import re
import sys
from pathlib import Path

import pytest

from vaultkit.late_patterns import LatePattern, late_patterns


def test_a_module_loaded_within_has_patterns_that_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "loaded_late.py").write_text(
        'import re\nLATE = re.compile("(?P<word>A+)", re.I)\nUSED = LATE.match("aa")\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    with late_patterns():
        import loaded_late
    monkeypatch.delitem(sys.modules, "loaded_late")
    assert isinstance(loaded_late.LATE, LatePattern)
    assert (loaded_late.USED["word"], loaded_late.LATE.sub("b", "xAax")) == ("aa", "xbx")
    assert isinstance(re.compile("a"), re.Pattern)
