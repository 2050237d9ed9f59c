"""Modules that are loaded without parts of others."""

import os
import sys

import pytest

from vaultkit.light_modules import without


def test_what_is_left_out_is_there_again_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("wave", "sndhdr"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with without("wave.Error", "wave.Wave_read", "os.path"):
        from wave import Error, Wave_read

        assert os.path.sep
        assert (Error.__name__, Wave_read.__name__, Error.__bases__) == ("Error", "Wave_read", (object,))
    assert "wave" not in sys.modules
    import wave

    assert issubclass(wave.Error, Exception)
