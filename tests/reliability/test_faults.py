"""Errors of the system at any call of any command that writes: notes are whole, and the command says what happened."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.counts import count as full_count
from tests.counts import short
from tests.frozen.running import quiet_machine
from tests.reliability.commands import CASES, contents, made, run
from tests.reliability.faults import FAULTS, failed
from tests.reliability.test_power_cuts import entries, readable, whole
from vaultkit.errors import ExitCode

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork")
STRIDE = full_count(29, 1)
"""Of so many calls one fails."""
CODES = (ExitCode.OK, ExitCode.INVALID, ExitCode.NOTHING, ExitCode.WRITE)


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory."""
    with patch.object(tempfile, "tempdir", str(tmp_path_factory.mktemp("faults"))), quiet_machine() as folder:
        yield folder


@pytest.mark.short(1)
@pytest.mark.parametrize("pair", short([f"{name}: {fault}" for name in CASES for fault in FAULTS], 2))
def test_error_of_the_system_at_any_call_is_reported_and_loses_nothing(pair: str, tmp_path: Path) -> None:
    name, fault = pair.split(": ")
    case, root = CASES[name], tmp_path / "vault"
    stages, known = made(root, case.earlier), entries(root)
    done = Path(shutil.copytree(root, tmp_path / "done"))
    run(done, case.line)
    stages.append(contents(done))
    for number in islice(count(1), len(fault) % STRIDE, None, STRIDE):
        tried = Path(shutil.copytree(root, tmp_path / "tried"))
        result = failed(lambda: run(tried, case.line), tried, FAULTS[fault], number)  # noqa: B023
        if result is None:
            return
        code, said = result
        note = f"call {number}: {said}"
        assert code in CODES, note
        whole(tried, note, *stages[-2:])
        assert code != ExitCode.OK or contents(tried) == stages[-1], note
        assert code == ExitCode.OK or "Error: " in said, note
        readable(tried, note)
        again = Path(shutil.copytree(tried, tmp_path / "again"))
        if entries(tried) - known:
            code, said = run(tried, "undo")
            assert code in (ExitCode.OK, ExitCode.NOTHING), f"{note}: {said}"
            assert contents(tried) in stages, f"{note}: {said}"
        code, said = run(again, case.line)
        assert code in case.again, f"{note}: {said}"
        readable(again, note)
        shutil.rmtree(tried)
        shutil.rmtree(again)
