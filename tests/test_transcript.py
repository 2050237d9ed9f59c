"""The evening of the documents, played again in a real terminal."""

import os
import shutil

import pytest


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or shutil.which("git") is None, reason="needs a POSIX terminal and git")
def test_the_evening_goes_as_the_documents_tell() -> None:
    from scripts import transcript

    told = transcript.PAGE.read_text(encoding="utf-8")
    assert transcript.page() == told, "if this is meant to change: make golden"
    assert "Killed" in told
    assert told.endswith("(nothing)\n````\n")
