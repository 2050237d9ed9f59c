"""Regular expressions of strangers, and our own over their text, that backtrack without end."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack

CHECK = ("check",)
PRINT = ("print", "rules", "Note", "--out", "note.pdf")
ROLL = ("roll", "Note", "--seed", "1")


def note(text: str) -> Callable[[Path], object]:
    return lambda vault: (vault / "Note.md").write_bytes(text.encode())


def ignored(*expressions: str) -> Callable[[Path], None]:
    """Return a function that lets Obsidian exclude these expressions and writes a note whose name is slow to match."""

    def prepare(vault: Path) -> None:
        filters = [f"/{expression}/" for expression in expressions]
        (vault / ".obsidian/app.json").write_text(json.dumps({"userIgnoreFilters": filters}))
        (vault / f"{'a' * 100}!.md").write_text("a note")

    return prepare


def dotted(name: str) -> Callable[[Path], object]:
    """Return a function that writes a TOML file with one key of 50,000 parts."""

    def prepare(vault: Path) -> None:
        (vault / name).parent.mkdir(parents=True)
        (vault / name).write_text("a." * 50_000 + "b = 1\n")

    return prepare


def embedding(vault: Path) -> None:
    """Write three small notes that embed each other and would expand to a hundred thousand embeds."""
    for name, other in (("Note", "one"), ("one", "two"), ("two", "Other")):
        (vault / f"{name}.md").write_text(f"![[{other}]]\n\n" * 300)


TABLE = "| d6 | Result |\r\n|---|---|\r\n| 1-6 | gold |\r\n"
BLANKS = TABLE + "\r\n" * 60 + "x\r\n"

ATTACKS = [
    Attack("an expression goes back for ever", ignored("(a+)+$", "^Other"), CHECK, 0, "3 notes"),
    Attack("an expression has brackets without end", ignored("(" * 50_000 + ")" * 50_000), CHECK, 0, "3 notes"),
    Attack("an expression repeats without end", ignored("a{99999999999999999999}"), CHECK, 0, "3 notes"),
    Attack("expressions without end", ignored(*(f"a{n}b*" for n in range(100_000))), CHECK, 0, "3 notes"),
    Attack("a setting has a name of parts without end", dotted(".vaultkit/config.toml"), CHECK, 1, "too many dots"),
    Attack("a score sheet has a name of parts without end", dotted(".vaultkit/games/go.toml"), ("games",), 0, "go"),
    Attack("blank lines below a table, check", note(BLANKS), CHECK),
    Attack("blank lines below a table, roll", note(BLANKS), ROLL, 0, "gold"),
    Attack("tags of HTML without end", note("x <b>" * 60_000), PRINT),
    Attack("folds of HTML without end", note("<details>\n\n" * 10_000), PRINT),
    Attack("notes that embed notes without end", embedding, PRINT),
    Attack("comments of HTML that none closes", note("<!-- " * 40_000), PRINT),
]
