from pathlib import Path
from typing import Any

import pytest

from tests.session.helpers import Begin, begin
from vaultkit.session import Session


@pytest.fixture
def new(tmp_path: Path) -> Begin:
    def make(*seats: str, **more: Any) -> Session:
        return begin(tmp_path, *seats, **more)

    return make
