"""Where the text of a write is in an edited note, and how a write is shown."""

import pytest

from vaultkit.vault.writing.history.entry_diff import diff_contents
from vaultkit.vault.writing.history.splice_rebasing import find_inserted
from vaultkit.vault.writing.splice import Splice


@pytest.mark.parametrize(
    ("known", "splice", "current", "offset"),
    [
        ("- a one b\n", Splice(4, "", "one"), "x\n- a one b\n", 6),
        ("- a one b\n", Splice(4, "", "one"), "- A one b\n", None),
        ("- a one b\n", Splice(4, "", "one"), "- a one B\n", None),
        ("- a one b\n", Splice(4, "", "one"), "- a one b\n- a one b\n", None),
        ("x\n- a b\n", Splice(5, "one ", ""), "y\n\nx\n- a b\n", 8),
        ("x\n- a b\n", Splice(5, "one ", ""), "x\n> - a b\n", None),
        ("x\n- a b\n", Splice(5, "one ", ""), "x\n- a b c\n", None),
        ("x\n\ny\n", Splice(2, "one", ""), "x\n\ny\n", None),
    ],
)
def test_a_place_is_certain_only_if_the_rest_of_its_lines_is_unchanged(
    known: str, splice: Splice, current: str, offset: int | None
) -> None:
    assert find_inserted(splice, known, current).offset == offset


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (None, b"", "Empty file n.md\n"),
        (b"", None, "Empty file n.md, removed\n"),
        (b"", b"", ""),
        (b"\xff", None, "Binary file n.md (1 bytes, removed)\n"),
        (None, b"\xff\xfe", "Binary file n.md (2 bytes)\n"),
    ],
)
def test_diff_of_a_file_without_text(before: bytes | None, after: bytes | None, told: str) -> None:
    assert diff_contents(before, after, "n.md") == told
