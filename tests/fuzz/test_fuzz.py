"""Commands keep their promises for any file: those found by earlier searches, and new ones in the slow tests."""

from pathlib import Path

import pytest

from tests.counts import SEED, count
from tests.fuzz.hunt import hunt, reduce
from tests.fuzz.surfaces import CORPUS, surfaces
from tests.fuzz.trial import BrokenPromise, Trials

FOUND = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.glob("*/found-*"))


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Trials:
    return Trials(tmp_path_factory.mktemp("trials"))


def command_of(file: str) -> str:
    """Return the command for which a file was found: its name ends with the number of that command."""
    surface, _, name = file.partition("/")
    return surfaces()[surface].commands[int(name.rpartition("-")[2])]


@pytest.mark.parametrize("file", FOUND)
def test_a_file_that_was_found_keeps_the_promises(trials: Trials, file: str) -> None:
    trials.run(surfaces()[file.partition("/")[0]], command_of(file), (CORPUS / file).read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("name", surfaces())
def test_each_command_reads_a_file_as_it_should_be(trials: Trials, name: str) -> None:
    surface = surfaces()[name]
    for command in surface.commands:
        trials.run(surface, command, surface.seeds(name)[0])


@pytest.mark.slow
def test_no_new_file_breaks_a_promise() -> None:
    findings = [f"{finding.surface}: {finding.command}: {finding.data!r}\n{finding.text}"
                for finding in hunt(count(1, 20), int(SEED))]  # fmt: skip
    assert not findings


def test_broken_promises_are_noticed(trials: Trials, tmp_path: Path) -> None:
    note, other_vault = surfaces()["note"], tmp_path / "other"
    (other_vault / ".obsidian").mkdir(parents=True)
    with pytest.raises(BrokenPromise, match="outside of the vault"):
        trials.run(note, f"config set players Ada --vault {other_vault}", b"# N")
    with pytest.raises(BrokenPromise, match="has changed notes"):
        trials.run(note, "config set players Ada", b"# N")


def test_growth_beyond_the_size_is_noticed(trials: Trials, monkeypatch: pytest.MonkeyPatch) -> None:
    for steps, breaks in ((lambda n: 1_000 * n, False), (lambda n: 100 * n * n, True)):
        monkeypatch.setattr(trials, "count_steps", lambda *words, steps=steps: steps(len(words[-1])))
        try:
            trials.check_growth(surfaces()["note"], "notes", bytes)
        except BrokenPromise:
            assert breaks
        else:
            assert not breaks


def test_an_input_is_reduced_to_what_matters() -> None:
    assert reduce(b"some long text with [[ in it", lambda data: b"[[" in data) == b"[["
