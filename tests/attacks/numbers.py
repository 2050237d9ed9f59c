"""Numbers with thousands of digits, which Python refuses to convert."""

from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack
from tests.attacks.histories import entry
from tests.attacks.lines import note

ENDLESS = "9" * 5_000
HEX = f"0x{'f' * 5_000}"
WON = ("--score", "Ann: won=yes", "--score", "Ben: won=no", "--dry-run")
CHECK, SHEET = ("check",), ("log", "--from", "s.toml", "--dry-run")
PRINT = ("print", "rules", "Note", "--out", "note.pdf")
DICE = f"<table><tr><th>d6<th colspan='{ENDLESS}'>Result</tr><tr><td>1-6<td>gold</tr></table>\n"
ROLLS = "| d6 | Result |\n|---|---|\n| 1-6 | gold |\n"
STATS = f"```statblock\nname: Owl\nstats: ['{ENDLESS}', 10, 10, 10, 10, 10]\n```\n"
SPREAD = f"---\nvaultkit-spread: [a, b]\nvaultkit-shape: ['{ENDLESS} 1']\n---\n"
REFERENCE = f'<a href="&#{ENDLESS};">x</a>\n\n<pre>&#{ENDLESS};</pre>\n\n<table><tr><td>&#{ENDLESS};</table>\n'


def file(name: str, text: str) -> Callable[[Path], object]:
    def prepare(vault: Path) -> None:
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text(text)

    return prepare


def settings(text: str) -> Callable[[Path], object]:
    return file(".vaultkit/config.toml", text)


def newest_session(vault: Path) -> None:
    """Let games be logged to the newest session note, and write one with a huge session number."""
    settings('[campaign]\nlog-to = "newest-session"\n')(vault)
    note(f"---\nsession: '{ENDLESS}'\ndate: 2026-01-01\n---\n## Log\n")(vault)


TOO_LONG, MANY = "more than 999 digits", "more than 100 players"
TABLE = "\t".join(f"P{number}" for number in range(100_000)) + "\n" + "\t".join("1" * 100_000) + "\n"
ATTACKS = [
    Attack("a hundred thousand players", file("s.csv", TABLE), ("log", "hearts", "--from", "s.csv"), 3, MANY),
    Attack("a cell of HTML reaches over columns without end", note(DICE), ("roll", "Note", "--seed", "1"), 0, "gold"),
    Attack("the number of a session has no end", newest_session, ("log", "who-won", *WON), 0, "Note.md"),
    Attack("an ability has no end", note(STATS), PRINT, 0, "Printed"),
    Attack("an option has no end", note(""), ("simulate", "propheta", "--set", f"target={ENDLESS}"), 2, "of 'target'"),
    Attack("a setting has no end", settings(f"[history]\ndays = {ENDLESS}\n"), CHECK, 1, "config.toml:2:1"),
    Attack("an option has no end in hexadecimal", settings(f"[games.propheta]\ntarget = {HEX}\n"), CHECK, 1, TOO_LONG),
    Attack("a score has no end", file("s.toml", f'game = "skat"\npoints = {HEX}\n'), SHEET, 3, TOO_LONG),
    Attack("a place of a spread has no end", note(SPREAD), ("reading", "Note"), 3, "neither a number nor a full stop"),
    Attack("characters of HTML have no end, check", note(REFERENCE), CHECK, 1, "points to a file that"),
    Attack("characters of HTML have no end, print", note(REFERENCE), PRINT, 0, "Printed"),
    Attack("what is undone has no end", entry(undoes=f"{ENDLESS}-log", undoing=True), ("undo", "--list")),
    Attack("the number to undo has no end", entry(), ("undo", ENDLESS), 4),
    Attack("a roll table on a line without end", note(ROLLS), ("roll", f"Note#:{ENDLESS}"), 4),
]
