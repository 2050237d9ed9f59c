"""These tests fork and kill, as only POSIX systems do. They write to a disk, which takes its time, not to memory."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

collect_ignore_glob = [] if os.name == "posix" else ["test_*.py"]


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with TemporaryDirectory(prefix="vaultkit-") as folder:
        yield Path(folder)
