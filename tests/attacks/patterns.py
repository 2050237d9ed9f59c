"""Regular expressions of strangers, and our own over their text, that backtrack without end."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack

CHECK = ("check",)
PRINT = ("print", "rules", "Note", "--out", "note.pdf")
ROLL = ("roll", "Note", "--seed", "1")
FIX = ("check", "--fix", "--no-cache")
RULES = "---\nvaultkit-game: propheta\n---\n# Propheta\n\n"


def note(text: str) -> Callable[[Path], object]:
    return lambda vault: (vault / "Note.md").write_bytes(text.encode())


def exclude_notes(*expressions: str) -> Callable[[Path], None]:
    """Return a function that lets Obsidian exclude these expressions and writes a note whose name is slow to match."""

    def prepare(vault: Path) -> None:
        filters = [f"/{expression}/" for expression in expressions]
        (vault / ".obsidian/app.json").write_text(json.dumps({"userIgnoreFilters": filters}))
        (vault / f"{'a' * 100}!.md").write_text("a note")

    return prepare


def write_long_key(name: str) -> Callable[[Path], object]:
    """Return a function that writes a TOML file with one key of 50,000 parts."""

    def prepare(vault: Path) -> None:
        (vault / name).parent.mkdir(parents=True)
        (vault / name).write_text("a." * 50_000 + "b = 1\n")

    return prepare


def write_embeds(vault: Path) -> None:
    """Write three small notes that embed each other and would expand to a hundred thousand embeds."""
    for name, other in (("Note", "one"), ("one", "two"), ("two", "Other")):
        (vault / f"{name}.md").write_text(f"![[{other}]]\n\n" * 300)


TABLE = "| d6 | Result |\r\n|---|---|\r\n| 1-6 | gold |\r\n"
BLANKS = TABLE + "\r\n" * 60 + "x\r\n"

ATTACKS = [
    Attack("a key in a key thirty deep", note("---\n" + "? " * 30 + "a\n---\n"), CHECK, 1, "a list or a map"),
    Attack("keys in brackets thirty deep", note("---\na: " + "{? [" * 30 + "a\n---\n"), CHECK, 1, "Note.md"),
    Attack("a statblock of keys in keys", note("```statblock\n" + "? " * 30 + "a\n```\n"), PRINT, words="Printed"),
    Attack("an encounter of keys in keys", note("```encounter\n" + "? " * 31 + "a\n```\n"), PRINT, words="Printed"),
    Attack("code of a hundred thousand lines", note("```\n" + "x\n" * 100_000 + "```\n"), PRINT, 3, "500 pages"),
    Attack("a hundred thousand headings", note("# a\n" * 100_000), PRINT, 3, "more than 15,000"),
    Attack("a table of a hundred thousand rows", note("|a|\n|-|\n" + "|b|\n" * 100_000), PRINT, 3, "more than 400,000"),
    Attack("an expression goes back for ever", exclude_notes("(a+)+$", "^Other"), CHECK, 0, "3 notes"),
    Attack("an expression has brackets without end", exclude_notes("(" * 50_000 + ")" * 50_000), CHECK, 0, "3 notes"),
    Attack("an expression repeats without end", exclude_notes("a{99999999999999999999}"), CHECK, 0, "3 notes"),
    Attack("expressions without end", exclude_notes(*(f"a{n}b*" for n in range(100_000))), CHECK, 0, "3 notes"),
    Attack(
        "a setting has a name of parts without end",
        write_long_key(".vaultkit/config.toml"),
        CHECK,
        1,
        "The dotted names in this file",
    ),
    Attack(
        "a score sheet has a name of parts without end", write_long_key(".vaultkit/games/go.toml"), ("games",), 0, "go"
    ),
    Attack("blank lines below a table, check", note(BLANKS), CHECK),
    Attack("blank lines below a table, roll", note(BLANKS), ROLL, 0, "gold"),
    Attack("tags of HTML without end", note("x <b>" * 60_000), PRINT, 3, "more than 15,000"),
    Attack("folds of HTML without end", note("<details>\n\n" * 10_000), PRINT),
    Attack("notes that embed notes without end", write_embeds, PRINT),
    *(
        Attack(f"a parser goes down without end: {signs}", note(f"---\n{signs * 20_000}\n---\n"), CHECK, 1, "Note.md")
        for signs in (": ", "- : ", "? : ", "? - : ")
    ),
    Attack("a statblock goes down without end", note("```statblock\n" + ": " * 20_000 + "\n```\n"), PRINT),
    *(
        Attack(f"ask reads {text[:10]} without end", note(f"# Note\n\n{text}\n"), ("ask", "other"), 0, "Other")
        for text in ("[a](" * 60_000, "[[a" * 60_000, "{{a" * 60_000, "<%a" * 60_000, "\uac01" * 60_000)
    ),
    Attack("ask reads examples of brackets", note(RULES + "```play\n" + "[" * 20_000), ("ask", "propheta", "rules")),
    *(
        Attack(f"a link has {part} without end", note(f"# Note\n\n[[{part * 80_000}x]]\n"), FIX)
        for part in ("/", "../", "a/", "\\a", "/a")
    ),
    Attack(
        "links with a hundred folders", note("[[" + "/a" * 100 + "]]\n" + ("[[" + "/a" * 100 + "]]\n") * 9_000), FIX
    ),
    Attack("blanks in a statblock", note("```statblock\na: [\n" + " " * 100_000 + "x\n```\n"), PRINT, words="Printed"),
    Attack("comments of HTML that none closes", note("<!-- " * 40_000), PRINT),
]
