"""A power cut before any call of any command that writes: all notes are whole, and undo and repetition work.

What was not synced is lost, wholly or in part: the bytes of files and the names in folders (see `disk.py`).
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.counts import SOAK, short, some
from tests.frozen.running import quiet_machine
from tests.reliability.commands import CASES, contents, made, run
from tests.reliability.disk import State, states
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import History, entry_files

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork")
STATES = 12
"""How many states of each command are tried, but in the full counts; those after its end always are."""
Files = dict[str, bytes]


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory: what a disk would lose is the model's affair."""
    with patch.object(tempfile, "tempdir", str(tmp_path_factory.mktemp("cuts"))), quiet_machine() as folder:
        yield folder


@pytest.mark.parametrize("name", short(CASES))
def test_power_cut_before_any_call_leaves_whole_notes_that_undo_and_repetition_mend(name: str, tmp_path: Path) -> None:
    case, root = CASES[name], tmp_path / "vault"
    stages, known = made(root, case.earlier), entries(root)
    found = states(lambda: run(root, case.line), root, tmp_path / "states")
    stages.append(contents(root))
    assert stages[-1] != stages[-2] or name == "sessions"
    for state in [*ends(found), *some([state for state in found if not state.is_end], STATES)]:
        other = Path(shutil.copytree(state.folder, state.folder.with_suffix(".again")))
        note = f"call {state.number}, {state.kind}"
        undone(state, known, note, stages)
        code, said = run(other, case.line)
        assert code in case.again, f"{note}: {said}"
        readable(other, note)
        for folder in () if SOAK else (state.folder, other):
            shutil.rmtree(folder)


def ends(found: list[State]) -> list[State]:
    return [state for state in found if state.is_end]


def undone(state: State, known: set[str], note: str, stages: list[Files]) -> None:
    """What was cut off is whole, and is so once it is taken back, after which nothing of it is left.

    If nothing of it was written, the command before it may have been taken back: `stages` are the files before and
    after each of them.
    """
    root = state.folder
    whole(root, note, *stages[-2:])
    assert not state.is_end or contents(root) == stages[-1], f"{note}: what a command has reported was lost"
    readable(root, note)
    if not entries(root) - known:
        return
    code, said = run(root, "undo")
    assert code in (0, 4), f"{note}: {said}"
    assert contents(root) in stages, f"{note}: {said}"
    readable(root, note)


def whole(root: Path, note: str, before: Files, after: Files) -> None:
    """Each file has its old or its new content, or is missing where one of the two was."""
    now = contents(root)
    for path in before | after | now:
        assert now.get(path) in (before.get(path), after.get(path)), f"{note}: {path} is {now.get(path)!r}"


def entries(root: Path) -> set[str]:
    return {entry.id for entry in History(Vault(root)).entries()}


def readable(root: Path, note: str) -> None:
    """All entries of the history can be read, with what the notes were before."""
    history = History(Vault(root))
    for name in entry_files.list_names(history.folder):
        if (history.folder / name / entry_files.ENTRY_FILE).exists():
            entry = entry_files.load(history.folder / name)
            assert entry is not None, f"{note}: {name} cannot be read"
            for index, write in enumerate(entry.writes):
                assert write.before is None or history.load_image(entry, index) is not None, (
                    f"{note}: {name} lost a note"
                )
