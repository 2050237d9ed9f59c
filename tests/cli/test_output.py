"""What goes to a terminal."""

import json
import sys

import pytest

from vaultkit.cli.output import print_diff, print_document, print_item, print_markdown, print_table

ID = "20261103-prophets-gambit-k3f9"


def test_unbreakable_column_is_not_broken_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    row = (ID, "finished", 120, "2026-11-03 20:15", "Ysolde Marr, Bram Tolliver, Sefa Quill")
    print_table(("session", "standing"), [])
    assert capsys.readouterr().out == ""
    print_table(("session", "standing", "moves", "started", "seats"), [row], unwrapped_columns=1)
    shown = capsys.readouterr().out
    assert ID in shown and max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("columns", [80, 40])
def test_items_wrap_between_words_with_their_indent_and_whole_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    text = "go on with Dragon Citadel with Ysolde Marr, Bram Tolliver, Sefa Quill and Priya's cousin"
    print_item("  vaultkit log --session k3f9  ", text)
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("  vaultkit log --session k3f9") and all(line.startswith("    ") for line in others)
    assert max(map(len, [first, *others])) < columns
    assert " ".join([first, *others]).split() == f"vaultkit log --session k3f9 {text}".split()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    print_item("  a  ", text)
    assert capsys.readouterr().out == f"  a  {text}\n"


def test_json_escapes_terminal_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    text = "é \x7f\x9b \u061c\u200e\u202e\u2066 \u200d"
    print_document({"text": text})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"schema": 1, "text": text}
    assert not set(printed) & set("\x7f\x9b\u061c\u200e\u202e\u2066") and "é" in printed


def test_force_color_colours_a_piped_diff_unless_no_color_is_set(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    diff = "--- a/A.md\n+++ b/A.md\n@@ -1 +1 @@\n-One\n+Two words that are longer than a narrow terminal has columns\n"
    for force_color, no_color, has_colours in (("1", "", True), ("0", "", False), ("", "", False), ("1", "1", False)):
        monkeypatch.setenv("FORCE_COLOR", force_color)
        monkeypatch.setenv("NO_COLOR", no_color)
        print_diff(diff)
        printed = capsys.readouterr().out
        assert ("\x1b[32m+Two" in printed) == has_colours and len(printed.splitlines()) == 5


def test_nothing_is_styled_in_a_pipe_unless_colours_are_forced(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR")
    for force_color in ("", "1"):
        monkeypatch.setenv("FORCE_COLOR", force_color)
        print_markdown("# The **Mill**\n\nA *wheel* and `code`, and a [link](Mill.md).\n")
        assert ("\x1b[" in capsys.readouterr().out) == bool(force_color)
