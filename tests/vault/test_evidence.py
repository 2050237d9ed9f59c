"""Which writes of an entry that was cut off were made, where another program has changed their notes since."""

import pytest

from vaultkit.vault.encoding import decode
from vaultkit.vault.writing.atomic_file import sha256
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.history.maintenance import resolve_state

BEFORE = "# Log\n- Otto\n- Łódź ^vk-1\n- 竜\n"


def settled(old: str, new: str, now: str, *, before: str = BEFORE, done: bool = False) -> list[bool]:
    """Return whether each write is done, after one that was cut off put `new` for `old` into a note that is `now`."""
    after = before.replace(old, new, 1)
    write = Write("n.md", before.index(old), old, new, sha256(before.encode()), sha256(after.encode()), of=0, done=done)
    entry = Entry("000002-undo", "undo", "", "", (write,), undoing=True, undoes="000001-log")
    kept = resolve_state(entry, lambda _: now.encode(), lambda *_: before.encode())
    assert decode(now.encode(), "n.md").text == now
    return [one.done for one in kept.writes]


@pytest.mark.parametrize(
    ("old", "new"),
    [("- Łódź ^vk-1\n", ""), ("\n- Otto", ""), ("竜", "龍"), ("- Otto\n", "- Otto\n- Anna\n"), ("# Log", "# Log 2")],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_write_is_recognized_by_its_text_among_other_edits(old: str, new: str, ends: str) -> None:
    after = BEFORE.replace(old, new, 1)
    assert settled(old, new, after) == [True]
    assert settled(old, new, BEFORE) == []
    assert settled(old, new, f"- theirs\n{after}- more\n".replace("\n", ends)) == [True]
    assert settled(old, new, f"- theirs\n{BEFORE}- more\n".replace("\n", ends)) == []


@pytest.mark.parametrize(
    ("old", "new", "now"),
    [
        ("- Otto\n", "- Anna\n", "- Karl\n"),  # its place has been edited
        ("- Otto\n", "- Anna\n", "- Otto\n- Anna\n"),
        ("竜\n", "竜\n\n", "竜\n- theirs\n"),  # blank lines alone tell nothing
    ],
)
def test_write_without_distinctive_text_stays_as_recorded(old: str, new: str, now: str) -> None:
    assert settled(old, new, now) == [False]


def test_write_that_is_recorded_as_made_stays_so_among_later_edits() -> None:
    assert settled("- Otto\n", "- Anna\n", f"- theirs\n{BEFORE}", done=True) == [True]
    assert settled("- Otto\n", "- Anna\n", BEFORE, done=True) == [], "nothing else has changed"
