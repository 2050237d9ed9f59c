"""Undo in any order: entries in memory, against a model in which every character knows who wrote it."""

import hashlib
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from vaultkit.errors import WriteError
from vaultkit.vault.encoding import decode
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.history.reversal import PlannedFiles, Planner, UndoPlan
from vaultkit.vault.writing.history.splice_rebasing import Timeline

NOTES = {"a.md": b"\xef\xbb\xbf## Log\r\n- one\r\n- two\r\n", "b.md": "## Übung\n\n- drei\n".encode(), "c.md": b""}


def sha(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


@dataclass(eq=False)
class Atom:
    char: str
    by: str = ""
    removed_by: set[str] = field(default_factory=set)


@dataclass
class Model:
    """A note as characters, those that are gone among them; what an entry did is forgotten when it is undone."""

    atoms: list[Atom]

    @property
    def text(self) -> str:
        return "".join(atom.char for atom in self.atoms if not atom.removed_by)

    def splice(self, by: str, offset: int, removed: int, inserted: str) -> None:
        visible = [place for place, atom in enumerate(self.atoms) if not atom.removed_by]
        at = visible[offset] if offset < len(visible) else len(self.atoms)
        for place in visible[offset : offset + removed]:
            self.atoms[place].removed_by.add(by)
        self.atoms[at:at] = [Atom(char, by) for char in inserted]

    def forget(self, by: str) -> None:
        self.atoms = [atom for atom in self.atoms if atom.by != by]
        for atom in self.atoms:
            atom.removed_by.discard(by)


class Memory:
    """Files and a history that are nowhere but here."""

    def __init__(self) -> None:
        self.files: dict[str, bytes | None] = dict(NOTES)
        self.entries: dict[str, Entry] = {}
        self.images: dict[tuple[str, int], bytes | None] = {}
        self.models = {path: Model([Atom(char) for char in decode(data, "").text]) for path, data in NOTES.items()}

    def begin(self, undoes: str = "") -> Entry:
        number = len(self.entries) + 1
        return Entry(f"{number:06d}-{'undo' if undoes else 'log'}", "log", "", "2026-11-03T20:15:00", undoes=undoes)

    def write(self, changes: list[tuple[str, int, int, str]]) -> None:
        entry = self.begin()
        for path, start, length, inserted in changes:
            before = self.files[path] or b""
            encoded = decode(before, path)
            text = encoded.text
            offset = start % (len(text) + 1)
            removed = text[offset : offset + length]
            after = encoded.to_bytes(text[:offset] + inserted + text[offset + len(removed) :])
            if after == before:
                continue
            self.images[entry.id, len(entry.writes)] = before
            self.files[path] = after
            made = Write(path, offset, removed, inserted, sha(before), sha(after), done=True)
            entry = replace(entry, writes=(*entry.writes, made))
            self.models[path].splice(entry.id, offset, len(removed), inserted)
        if entry.writes:
            self.entries[entry.id] = entry

    def plan(self, entry: Entry, *, keep_edits: bool = False) -> UndoPlan:
        timeline = Timeline(self.entries.values())
        files = PlannedFiles(timeline, self.files.get, tuple)
        return Planner(
            entry, timeline, files, lambda entry, index: self.images.get((entry.id, index)), keep_edits
        ).plan()

    def undo(self, entry: Entry, *, keep_edits: bool = False) -> Entry:
        plan = self.plan(entry, keep_edits=keep_edits)
        assert not plan.gone
        undo = self.begin(entry.id)
        for reversal in plan.reversals:
            assert self.files[reversal.write.path] == reversal.before
            self.images[undo.id, len(undo.writes)] = reversal.before
            self.files[reversal.write.path] = reversal.after
            undo = replace(undo, writes=(*undo.writes, replace(reversal.write, done=True)))
        self.entries[undo.id] = undo
        self.mark(entry.id, [made.of for made in undo.writes if made.of is not None])
        return undo

    def mark(self, entry_id: str, indices: list[int]) -> None:
        taken = True
        while entry_id:
            entry = self.entries[entry_id]
            self.entries[entry_id] = entry.with_undone(indices, is_undone=taken)
            indices = [of for index in indices if (of := entry.writes[index].of) is not None]
            entry_id, taken = entry.undoes, not taken

    @property
    def standing(self) -> list[Entry]:
        return [entry for entry in self.entries.values() if not entry.undone and not entry.undoes]

    @property
    def texts(self) -> dict[str, str]:
        return {path: decode(data or b"", path).text for path, data in self.files.items()}


CHANGE = st.tuples(
    st.sampled_from(sorted(NOTES)),
    st.integers(0, 60),
    st.integers(0, 6) | st.just(0),
    st.text("xyzü\n", max_size=4) | st.sampled_from(["\r\n- neu", "\n- line"]),
)
WRITE = st.lists(CHANGE, min_size=1, max_size=3)
STEPS = st.lists(WRITE | st.integers(0, 9), min_size=2, max_size=14)


def any_order(steps: list[list[tuple[str, int, int, str]] | int]) -> None:
    memory = Memory()
    for step in steps:
        if isinstance(step, list):
            memory.write(step)
        elif memory.standing:
            chosen = memory.standing[step % len(memory.standing)]
            before = dict(memory.files)
            try:
                memory.undo(chosen)
            except WriteError as error:
                assert memory.files == before
                number = error.hint.rpartition(" ")[2]
                later = next(entry for entry in memory.entries.values() if entry.number == number)
                assert later.id > chosen.id and not later.undone
                continue
            for model in memory.models.values():
                model.forget(chosen.id)
            assert memory.texts == {path: model.text for path, model in memory.models.items()}
    for entry in memory.standing[::-1]:
        memory.undo(memory.entries[entry.id])
    assert memory.files == NOTES


@pytest.mark.slow
@given(STEPS)
@settings(max_examples=count(25, 2_000))
def test_remaining_text_is_what_the_active_entries_wrote(steps: list[list[tuple[str, int, int, str]] | int]) -> None:
    any_order(steps)


@pytest.mark.slow
@given(STEPS)
@settings(max_examples=count(300, 20_000))
def test_remaining_text_is_what_the_active_entries_wrote_in_thousands_of_cases(
    steps: list[list[tuple[str, int, int, str]] | int],
) -> None:
    any_order(steps)


def any_order_and_back(steps: list[list[tuple[str, int, int, str]] | int]) -> None:
    memory = Memory()
    for step in steps:
        if isinstance(step, list):
            memory.write(step)
            continue
        standing = [entry for entry in memory.entries.values() if not entry.undone]
        if standing:
            before = dict(memory.files)
            try:
                memory.undo(standing[step % len(standing)])
            except WriteError:
                assert memory.files == before
    for _ in range(200):
        if not memory.standing:
            break
        follow_the_hints(memory, memory.standing[-1])
    assert not memory.standing and memory.files == NOTES


def follow_the_hints(memory: Memory, entry: Entry) -> None:
    for _ in range(50):
        try:
            memory.undo(entry)
            return
        except WriteError as error:
            number = error.hint.rpartition(" ")[2]
            entry = next(entry for entry in memory.entries.values() if entry.number == number)
            assert not entry.undone


@given(STEPS)
@settings(max_examples=count(20, 2_000))
def test_undo_and_redo_in_any_order_with_correct_hints(
    steps: list[list[tuple[str, int, int, str]] | int],
) -> None:
    any_order_and_back(steps)


@pytest.mark.slow
@given(STEPS)
@settings(max_examples=count(300, 10_000))
def test_undo_and_redo_in_any_order_with_correct_hints_in_thousands_of_cases(
    steps: list[list[tuple[str, int, int, str]] | int],
) -> None:
    any_order_and_back(steps)
