"""Journals of version 0.3: they continue in a file of schema 2, stay unchanged, and are listed once."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import filelock
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.frozen.journals import HERE
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.saved_games import discard, saved_games
from vaultkit.campaign.scoresheets.paper_game import find_tally
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError, WriteError
from vaultkit.games.messages import Outcome, Sentence
from vaultkit.games.registry import rules
from vaultkit.games.scoresheet import SeatTally
from vaultkit.session import journal_files, journal_records
from vaultkit.session.journal import Journal, read, read_paper
from vaultkit.session.journal_files import find_journal
from vaultkit.session.journal_records import AnyRecord, Header, PaperHeader, decode_record, encode
from vaultkit.session.options import all_options

JOURNALS = HERE / "journals"
NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
UNFINISHED = {game.session: game for game in saved_games(JOURNALS) if game.standing == "running" and not game.match}
DEALT = tuple(name for name in UNFINISHED if (JOURNALS / f"{name}.jsonl").is_file())
MATCHES = tuple(game.session for game in saved_games(JOURNALS) if game.standing == "running" and game.match)
LIGHT = tuple(name for name in UNFINISHED if (JOURNALS / f"{name}.json").is_file())


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = tmp_path / "vault"
    shutil.copytree(HERE / "vault", root)
    shutil.copytree(JOURNALS, root / ".vaultkit" / "journals")
    return Workspace(root, True, None)  # type: ignore[arg-type]


def go_on(workspace: Workspace, session: str) -> None:
    """Open a game as `resume` does, and leave it."""
    if session in LIGHT:
        kept = find_tally(workspace.journals, session)
        assert kept
        with Logbook.resume(workspace, kept):
            return
    notes, saved, _ = GameNotes.from_saved(workspace, session)
    with notes.resume(saved.path, lambda: saved.contents.header.started):  # type: ignore[union-attr]
        pass


def contents(workspace: Workspace, session: str) -> Any:
    """Return the contents of a game's file, apart from the options that it spells out."""
    path = find_journal(workspace.journals, session)
    assert path
    if session in LIGHT:
        paper = read_paper(path)
        return paper.entries, paper.scores
    return [line.record for line in read(path).lines], read(path).steps


def test_unfinished_games_of_both_kinds_are_in_the_test_data() -> None:
    assert len(DEALT) >= 20 and len(LIGHT) >= 5


@pytest.mark.short(1)
@pytest.mark.parametrize("session", [*DEALT[::6], *LIGHT[::3]])
def test_unfinished_game_continues_in_a_new_file_with_all_its_lines(workspace: Workspace, session: str) -> None:
    old = find_journal(workspace.journals, session)
    assert old and old.suffix != ".journal"
    data, before, listed = old.read_bytes(), contents(workspace, session), [*saved_games(workspace.journals)]
    go_on(workspace, session)
    fresh = find_journal(workspace.journals, session)
    assert fresh == old.with_suffix(".journal") and old.read_bytes() == data
    assert contents(workspace, session) == before
    assert {game.session: game for game in saved_games(workspace.journals)} == {
        game.session: _without_problem(game, session) for game in listed
    }
    written = fresh.read_bytes()
    go_on(workspace, session)
    assert fresh.read_bytes() == written


def _without_problem(game: Any, session: str) -> Any:
    """Return a listed game as it is listed after its torn last line is removed."""
    return type(game)(**{**vars(game), "problem": None}) if game.session == session else game


@pytest.mark.slow
@pytest.mark.parametrize("session", [*DEALT, *LIGHT])
def test_every_unfinished_game_continues_in_a_new_file(workspace: Workspace, session: str) -> None:
    test_unfinished_game_continues_in_a_new_file_with_all_its_lines(workspace, session)


@pytest.mark.slow
def test_dc_40_new_file_records_every_option_with_its_former_value(workspace: Workspace) -> None:
    session = next(name for name in DEALT if "dragon-citadel" in name)
    go_on(workspace, session)
    path = find_journal(workspace.journals, session)
    assert path and read(path).header.options["must_answer"] == "no"


@contextmanager
def kill_before(call: str, suffix: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Expect the block to be killed before `call` while it upgrades a file whose name ends in `suffix`."""
    places = {"fsync": (journal_files.os, "fsync"), "replace": (Path, "replace")}
    upgrade = Journal.upgrade

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def upgrade_killed(self: Journal, *content: Any) -> None:
        with monkeypatch.context() as patch:
            if self.path.suffix == suffix:
                patch.setattr(*places.get(call, (journal_files.files, call)), interrupt)
            upgrade(self, *content)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Journal, "upgrade", upgrade_killed)
        yield


@pytest.mark.short(1)
@pytest.mark.parametrize("session", [DEALT[0], LIGHT[0]])
@pytest.mark.parametrize("call", ["open_state", "sync_folder", "fsync", "replace"])
def test_interruption_of_the_conversion_loses_and_doubles_nothing(
    workspace: Workspace, session: str, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, listed = contents(workspace, session), [game.session for game in saved_games(workspace.journals)]

    with kill_before(call, ".json" if session in LIGHT else ".jsonl", monkeypatch):
        go_on(workspace, session)
    assert [game.session for game in saved_games(workspace.journals)] == listed
    assert contents(workspace, session) == before
    go_on(workspace, session)
    assert contents(workspace, session) == before
    assert len([*workspace.journals.glob(f"{session}.*")]) == 2


@pytest.mark.parametrize("session", [DEALT[1], LIGHT[1]])
def test_game_open_in_version_0_3_is_refused(workspace: Workspace, session: str) -> None:
    with (
        filelock.FileLock(workspace.journals / f".{session}.lock"),
        pytest.raises(WriteError, match="in another window"),
    ):
        go_on(workspace, session)
    assert not (workspace.journals / f"{session}.journal").exists()


@pytest.mark.short(1)
@pytest.mark.parametrize("session", [DEALT[1], LIGHT[1]])
def test_game_continued_meanwhile_in_another_window_loses_nothing(workspace: Workspace, session: str) -> None:
    old = find_journal(workspace.journals, session)
    assert old
    go_on(workspace, session)
    other, _ = Journal.reopen(old, read_paper if session in LIGHT else read)
    other.append(journal_records.UndoRecord(to=0))
    other.close()
    written = old.with_suffix(".journal").read_bytes()
    if session in LIGHT:
        stale = find_tally(workspace.journals, session)
        assert stale
        with Logbook.resume(workspace, replace(stale, path=old)) as logbook:
            assert logbook.paper.entries == ()
    else:
        notes, _, _ = GameNotes.from_saved(workspace, session)
        with notes.resume(old, lambda: NOW) as game:
            assert game.steps == ()
    assert old.with_suffix(".journal").read_bytes() == written


def next_game(workspace: Workspace, match: str) -> str:
    """Open the next game of a match as `resume` does, leave it, and return its id."""
    found = MatchNotes.from_saved(workspace, match)
    assert found
    with found.next_game(lambda: NOW) as game:
        return game.id


@pytest.mark.short(1)
@pytest.mark.parametrize("match", MATCHES)
def test_match_continues_in_a_new_file_like_its_games(workspace: Workspace, match: str) -> None:
    old = {path: path.read_bytes() for path in workspace.journals.glob(f"{match}*")}
    listed = {game.session for game in saved_games(workspace.journals)}
    game = next_game(workspace, match)
    assert {path: path.read_bytes() for path in old} == old
    fresh = workspace.journals / f"{match}.journal"
    header = read(fresh).header
    before = read(fresh.with_suffix(".match")).header
    assert header.kind == "match" and header.agreement == before.agreement
    assert set(header.options) == {option.key for option in all_options(rules(header.game))}
    assert header.options.items() >= before.options.items()
    assert {game.session for game in saved_games(workspace.journals)} == listed
    written = fresh.read_bytes()
    assert next_game(workspace, match) == game and fresh.read_bytes() == written
    assert discard(workspace.journals, match) == match
    assert not [*workspace.journals.glob(f"*{match}*")]


@pytest.mark.short(1)
@pytest.mark.parametrize("call", ["open_state", "sync_folder", "fsync", "replace"])
@pytest.mark.parametrize("match", MATCHES[:2])
def test_match_interrupted_in_conversion_is_listed_once_and_continues(
    workspace: Workspace, match: str, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {game.session for game in saved_games(workspace.journals)}
    with kill_before(call, ".match", monkeypatch):
        next_game(workspace, match)
    assert {game.session for game in saved_games(workspace.journals)} == listed
    game = next_game(workspace, match)
    assert len([*workspace.journals.glob(f"{game}.journal")]) == 1
    assert read(workspace.journals / f"{match}.journal").header.kind == "match"
    assert not [*workspace.journals.glob(".*.new")]
    assert {game.session for game in saved_games(workspace.journals)} == listed


def test_match_whose_game_is_open_in_version_0_3_is_refused_and_unchanged(workspace: Workspace) -> None:
    match = next(name for name in MATCHES if "turn-of-fate" in name)
    before = sorted(workspace.journals.glob("*.*"))
    with (
        filelock.FileLock(workspace.journals / f".{match}-g002.lock"),
        pytest.raises(WriteError, match="in another window"),
    ):
        next_game(workspace, match)
    assert sorted(path for path in workspace.journals.glob("*.*") if path.suffix != ".lock") == [
        path for path in before if path.suffix != ".lock"
    ]


@pytest.mark.slow
def test_discarding_a_game_deletes_the_file_left_by_a_killed_process(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with kill_before("replace", ".jsonl", monkeypatch):
        go_on(workspace, DEALT[3])
    assert (workspace.journals / f".{DEALT[3]}.new").is_file()
    discard(workspace.journals, DEALT[3])
    assert not [*workspace.journals.glob(f"*{DEALT[3]}*")]


@pytest.mark.short(1)
@pytest.mark.parametrize("session", [DEALT[2], LIGHT[2]])
def test_discarded_game_is_not_restored_from_its_old_file(workspace: Workspace, session: str) -> None:
    go_on(workspace, session)
    assert discard(workspace.journals, session) == session
    assert session not in [game.session for game in saved_games(workspace.journals)]
    assert not [*workspace.journals.glob(f"{session}.*")]


def test_a_finished_game_is_logged_from_its_old_file(workspace: Workspace) -> None:
    over = next(
        game.session
        for game in saved_games(JOURNALS)
        if game.standing == "finished" and not game.match and (JOURNALS / f"{game.session}.jsonl").is_file()
    )
    go_on(workspace, over)
    assert [path.suffix for path in workspace.journals.glob(f"{over}.*")] == [".jsonl"]


CARDS = st.lists(st.text("abc-", min_size=1, max_size=5), max_size=4).map(tuple)
OUTCOME = Outcome("score", (0,), Sentence("Over."), (), ({"total": 3},), (1,))
RECORDS: st.SearchStrategy[AnyRecord] = st.one_of(
    st.builds(
        journal_records.MoveRecord,
        n=st.integers(1),
        seat=st.integers(0, 5),
        move=st.text(min_size=1),
        auto=st.booleans(),
    ),
    st.builds(journal_records.DealRecord, n=st.integers(1), chance=st.text(min_size=1), cards=CARDS),
    st.builds(journal_records.UndoRecord, to=st.integers(0), free=st.booleans()),
    st.builds(journal_records.SwapRecord, cards=st.tuples(st.text(), st.text())),
    st.builds(journal_records.EndRecord, outcome=st.just(OUTCOME), at=st.none() | st.datetimes()),
    st.builds(journal_records.EntryRecord, n=st.integers(1), words=CARDS),
    st.builds(
        journal_records.ScoresRecord,
        seats=st.lists(st.builds(SeatTally, st.dictionaries(st.text(), st.integers() | st.text()))).map(tuple),
        common=st.dictionaries(st.text(), st.integers() | st.text()),
        note=st.text(),
        forced=st.booleans(),
    ),
)


@pytest.mark.slow
@given(RECORDS)
def test_every_kind_of_line_reads_back_as_written(record: AnyRecord) -> None:
    line = encode(record)
    assert line.count(b"\n") == 1 and line.startswith(b'{"kind":')
    assert decode_record(line) == record


def test_the_lines_of_one_kind_of_game_are_refused_in_another(workspace: Workspace) -> None:
    played, light = (find_journal(workspace.journals, name) for name in (DEALT[0], LIGHT[0]))
    assert played and light
    with pytest.raises(InvalidError, match="real cards"):
        read(light)
    with pytest.raises(InvalidError, match="not a game from paper"):
        read_paper(played)
    header = read_paper(light).header
    assert isinstance(header, PaperHeader) and isinstance(read(played).header, Header)
    journal = Journal.create(workspace.journals / "new", header)
    journal.append(journal_records.SwapRecord(cards=("a", "b")))
    journal.close()
    with pytest.raises(InvalidError, match=r"^Line 2 of the journal does not follow"):
        read_paper(journal.path)
