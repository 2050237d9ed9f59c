import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.session.helpers import Begin, begin, play_first, resume, settle
from tests.sessions import undo
from vaultkit.errors import InvalidError, WriteError
from vaultkit.games.turn import Move
from vaultkit.session import Session
from vaultkit.session.journal import Contents, read
from vaultkit.session.journal_records import (
    AnyRecord,
    Header,
    Line,
    MoveRecord,
    StepRecord,
    SwapRecord,
    UndoRecord,
    decode_header,
)


@pytest.fixture(scope="module")
def whole_journal(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of a finished journal that contains an undo."""
    with begin(tmp_path_factory.mktemp("whole"), "North", "bot:random", undo="free") as session:
        play_first(session, 1)
        undo(session, 0)
        play_first(session)
    return session.path.read_bytes()


@pytest.fixture(scope="module")
def header(whole_journal: bytes) -> Header:
    header = decode_header(whole_journal.splitlines()[0])
    assert isinstance(header, Header)
    return header


def lines(session: Session) -> list[bytes]:
    return session.path.read_bytes().splitlines(keepends=True)


STEPS = st.builds(lambda card: MoveRecord(n=1, seat=0, move=f"play {card}"), st.sampled_from("abc"))
SWAPS = st.builds(lambda pair: SwapRecord(cards=pair), st.tuples(st.sampled_from("abc"), st.sampled_from("abc")))
UNDOS = st.builds(lambda step: UndoRecord(to=step), st.integers(0, 3))


@pytest.mark.slow
@given(st.lists(STEPS | SWAPS | UNDOS, max_size=20))
def test_g_8_replay_shows_each_swap_as_made_at_its_time(header: Header, records: list[AnyRecord]) -> None:
    steps: list[StepRecord] = []
    for record in records:
        if isinstance(record, UndoRecord):
            del steps[record.to :]
        elif isinstance(record, SwapRecord):
            one, other = record.cards
            steps = [step.exchange({one: other, other: one}) for step in steps]
        elif isinstance(record, StepRecord):
            steps.append(record)
    lines = tuple(Line(number, record) for number, record in enumerate(records, 2))
    assert [line.record for line in Contents(header, lines, 0).steps] == steps


@pytest.mark.slow
def test_journal_truncated_at_any_byte_loses_no_complete_line(whole_journal: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.journal"
    starts = [0, *(i + 1 for i, byte in enumerate(whole_journal) if byte == 10)]
    for length in range(starts[1], len(whole_journal) + 1):
        path.write_bytes(whole_journal[:length])
        contents = read(path)
        assert contents.length == max(start for start in starts if start <= length)
        assert len(contents.lines) == starts.index(contents.length) - 1
        assert bool(contents.remark) is (contents.length < length)
    for length in range(starts[1]):
        path.write_bytes(whole_journal[:length])
        with pytest.raises(InvalidError, match="nothing was played"):
            read(path)


@pytest.mark.slow
def test_torn_line_is_removed_and_the_game_continues_the_same(whole_journal: bytes, tmp_path: Path) -> None:
    path = tmp_path / "20261103-toy-k3f9.journal"
    for end in range(whole_journal.index(b"\n") + 1, len(whole_journal), 23):
        path.write_bytes(whole_journal[:end])
        with resume(path) as session:
            torn = not whole_journal[:end].endswith(b"\n")
            assert bool(session.remark) is torn
            assert whole_journal.startswith(path.read_bytes()) and path.read_bytes().endswith(b"\n")
            if b'"kind":"undo"' in whole_journal[:end]:
                play_first(session)
                assert path.read_bytes() == whole_journal


def test_zeros_of_a_power_cut_count_as_a_torn_line(whole_journal: bytes, tmp_path: Path) -> None:
    path = tmp_path / "zeros.journal"
    for tail in (b"\0" * 40, b'{"n":99,\0\0\0\0}\n'):
        path.write_bytes(whole_journal + tail)
        contents = read(path)
        assert contents.length == len(whole_journal) and contents.remark


@pytest.mark.slow
@given(place=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_damaged_journal_is_read_or_refused_with_its_line(
    place: int, byte: int, whole_journal: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    damaged = bytearray(whole_journal)
    damaged[place % len(whole_journal)] = byte
    path = tmp_path_factory.getbasetemp() / "20261103-toy-zzzz.journal"
    path.write_bytes(damaged)
    try:
        resume(path).close()
    except InvalidError as error:
        assert error.where == str(path)


@pytest.mark.parametrize(
    "bad",
    [
        b"\n",
        b"{}\n",
        b"nonsense\n",
        b'{"kind":"move","n":3,"seat":0,"move":"x","chance":"y"}\n',
        b'{"kind":"move","n":2}\n',
    ],
)
def test_a_bad_line_is_named(new: Begin, bad: bytes) -> None:
    with new() as session:
        play_first(session, 2)
    rows = lines(session)
    session.path.write_bytes(b"".join([*rows[:3], bad, *rows[4:]]))
    with pytest.raises(InvalidError, match=r"^Line 4 of the journal"):
        resume(session.path)
    assert session.path.read_bytes().count(bad)


def test_a_missing_line_is_noticed(new: Begin) -> None:
    with new() as session:
        play_first(session, 2)
    rows = lines(session)
    session.path.write_bytes(b"".join([*rows[:2], *rows[3:]]))
    with pytest.raises(InvalidError, match=r"^Line 3 of the journal does not follow"):
        resume(session.path)


def test_move_against_the_rules_is_named(new: Begin) -> None:
    with new() as session:
        play_first(session, 1)
    text = session.path.read_text().replace('"move":"cheer"', '"move":"sing"')
    session.path.write_text(text)
    with pytest.raises(InvalidError, match=r"^Line 6 of the journal does not fit the game"):
        resume(session.path)


def test_lines_after_the_end_are_refused(whole_journal: bytes, tmp_path: Path) -> None:
    path = tmp_path / "after.journal"
    path.write_bytes(whole_journal + b'{"kind":"undo","to":1}\n')
    with pytest.raises(InvalidError, match="does not follow"):
        read(path)


@pytest.mark.parametrize(("schema", "hint"), [(4, "Update"), (0, "")])
def test_another_schema_is_refused(new: Begin, schema: int, hint: str) -> None:
    with new() as session:
        pass
    header = json.loads(session.path.read_text()) | {"schema": schema, "shape": "unknown"}
    del header["seats"]
    session.path.write_text(json.dumps(header) + "\n")
    with pytest.raises(InvalidError, match=f"schema {schema}") as caught:
        read(session.path)
    assert caught.value.hint.startswith(hint)


def test_another_game_is_refused(new: Begin) -> None:
    with new() as session:
        pass
    session.path.write_text(session.path.read_text().replace('"game":"toy"', '"game":"chess"'))
    with pytest.raises(InvalidError, match="of chess, not of toy"):
        resume(session.path)


def test_a_refused_journal_is_not_left_locked(new: Begin) -> None:
    with new() as session:
        pass
    good = session.path.read_bytes()
    session.path.write_bytes(good + b"bad\n")
    for _ in range(2):
        with pytest.raises(InvalidError):
            resume(session.path)
    session.path.write_bytes(good)
    resume(session.path).close()


@pytest.mark.parametrize("added", [b'{"kind":"undo","to":0}\n', b"torn", b"\0"])
def test_lines_added_by_another_machine_are_not_removed(new: Begin, added: bytes) -> None:
    with new() as session:
        settle(session)
        longer = session.path.read_bytes() + added
        session.path.write_bytes(longer)
        for _ in range(2):
            with pytest.raises(WriteError, match="Another program has added"):
                session.submit(Move("cheer"))
        assert session.path.read_bytes() == longer


def test_remains_of_a_failed_write_are_removed_by_the_next(new: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    with new() as session:
        settle(session)
        before = session.path.read_bytes()

        def fill_disk(descriptor: int) -> None:
            os.ftruncate(descriptor, len(before) + 5)
            raise OSError(28, "No space left on device")

        class Kept(io.FileIO):
            def truncate(self, size: int | None = None) -> int:
                raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr("vaultkit.session.journal_files.os.fsync", fill_disk)
            patch.setattr("vaultkit.files.open_state", lambda path, mode, buffering: Kept(path, mode))
            with pytest.raises(WriteError, match="No space left"):
                session.submit(Move("cheer"))
        assert session.path.read_bytes() == before + b'{"kin'
        session.submit(Move("cheer"))
        assert read(session.path).remark == ""
        assert session.path.read_bytes().startswith(before)


def test_missing_journal_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="missing"):
        resume(tmp_path / "20261103-toy-k3f9.journal")
    assert not list(tmp_path.iterdir())
