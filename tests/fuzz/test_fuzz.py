"""Commands keep their promises for any file: those found by earlier searches, and new ones in the slow tests."""

from pathlib import Path
from typing import Any

import pytest

from tests.counts import SEED, count
from tests.fuzz.hunt import hunt, reduce
from tests.fuzz.surfaces import CORPUS, surfaces
from tests.fuzz.trial import BrokenPromise, Trials
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.history.entry import Entry

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
                for finding in hunt(count(15, 1_200) / 60, int(SEED))]  # fmt: skip
    assert not findings


def test_broken_promises_are_noticed(trials: Trials, tmp_path: Path) -> None:
    note, other_vault = surfaces()["note"], tmp_path / "other"
    (other_vault / ".obsidian").mkdir(parents=True)
    with pytest.raises(BrokenPromise, match="outside of the vault"):
        trials.run(note, f"config set players Ada --vault {other_vault}", b"# N")
    with pytest.raises(BrokenPromise, match="has changed notes"):
        trials.run(note, "config set players Ada", b"# N")


def test_control_character_in_the_output_is_noticed(trials: Trials, monkeypatch: pytest.MonkeyPatch) -> None:
    note, command, text = surfaces()["note"], "check --no-cache", b"# N\n\n[[No\x07thing]]\n"
    trials.run(note, command, text)
    monkeypatch.setattr("vaultkit.terminal.safe_text._replace_character", lambda character, lines: character)
    with pytest.raises(BrokenPromise, match="a control character reaches the terminal"):
        trials.run(note, command, text)


@pytest.mark.short(1)
@pytest.mark.parametrize("spoils", [True, False], ids=["other text", "nothing"])
def test_undo_that_restores_something_else_is_noticed(
    trials: Trials, monkeypatch: pytest.MonkeyPatch, spoils: bool
) -> None:
    note, command, text = surfaces()["note"], "links Note --add --write", b"# N\n\nThe Berserker.\n"
    undo = History.undo

    def spoil(history: History, *entry: Entry, **options: Any) -> list[str]:
        restored = undo(history, *entry, **options) if spoils else ["Note.md"]
        if spoils:
            (history.folder.parents[1] / "Note.md").write_bytes(text + b"x")
        return restored

    trials.run(note, command, text)
    monkeypatch.setattr(History, "undo", spoil)
    with pytest.raises(BrokenPromise, match="undo does not restore"):
        trials.run(note, command, text)


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
