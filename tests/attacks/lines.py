"""Notes that take quadratic time if they are read naively."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack

LENGTH = 150_000
LINKS = 50_000
PIECES = {"comments": "<!--", "carets": "^", "backticks": "`", "spaces": " ", "highlights": "==", "footnotes": "^["}


def line(piece: str, count: int) -> Callable[[Path], object]:
    return lambda vault: (vault / "Note.md").write_text(f"x {piece * count}x\n")


def note(text: str) -> Callable[[Path], object]:
    return lambda vault: (vault / "Note.md").write_text(text)


def properties(yaml: str) -> Callable[[Path], object]:
    return note(f"---\n{yaml}\n---\n")


def repeat_line(line: str, count: int) -> str:
    return "".join(line.format(number) for number in range(count))


def write_misfits(vault: Path) -> None:
    """Write text properties that are all declared as numbers."""
    types = {f"p{number}": "number" for number in range(10_000)}
    (vault / ".obsidian/types.json").write_text(json.dumps({"types": types}))
    properties(repeat_line("p{}: x\n", 10_000))(vault)


def write_aliases(vault: Path) -> None:
    """Write small notes whose properties YAML aliases expand two hundredfold."""
    for number in range(60):
        items, aliases = "[]," * 2_500, "*a," * 190
        (vault / f"{number}.md").write_text(f"---\na: &a [{items}]\nb: [{aliases}]\n---\n")


def odd_name(vault: Path) -> None:
    """Write a note with a roll table whose name has a line separator, which ends no line of Markdown."""
    (vault / "a\u2028b.md").write_text("---\naliases: [Zed]\n---\n| d6 | x |\n|---|---|\n| 1-6 | gold |\n")


def long_cell(vault: Path) -> None:
    (vault / "s.csv").write_text(f"player,points\n{'x' * 200_000},1\n")


HEADINGS = repeat_line("# Heading {}\n", 3_000)
CHECK = ("check",)
ATTACKS = [
    Attack("the name of a note has a line separator", odd_name, ("roll", "Zed", "--log", "Other"), 0, "Written"),
    Attack("a cell of scores has no end", long_cell, ("log", "skat", "--from", "s.csv"), 3, "s.csv:2"),
    *(
        Attack(
            f"a line of {name}, {command[0]}",
            line(piece, LENGTH // len(piece)),
            command,
            3 if (name, command[0]) == ("highlights", "print") else 0,  # each is a part of the page
        )
        for name, piece in PIECES.items()
        for command in (("check",), ("print", "rules", "Note", "--out", "note.pdf"))
    ),
    Attack("links by the ten thousand, check", line("[[Other]] ", LINKS), ("check",)),
    Attack("a fence with links by the ten thousand", note(f"```dataview\n{'[[Other]] ' * 100_000}\n```\n"), CHECK),
    Attack("a command of a template before each link", line("<% a %>[[Other]] ", 20_000), CHECK),
    Attack("links to headings of headings", note(HEADINGS + repeat_line("[[#Heading {}#x]]\n", 3_000)), CHECK, 1),
    Attack("links by a letter beside headings", note(HEADINGS + repeat_line("[[#Headinf {}]]\n", 3_000)), CHECK, 1),
    Attack(
        "links by a letter beside blocks",
        note(repeat_line("a ^id{}\n", 3_000) + repeat_line("[[#^ix{}]]\n", 3_000)),
        CHECK,
        1,
    ),
    Attack("comments in the properties", properties(f'x: [1]\ny: a {"# " * 99_000}"'), CHECK),
    Attack("lists in the properties", properties(f"x: [{'[[a]],' * 28_000}'[[Other]]']"), CHECK, 1, "property-link"),
    Attack("tags of which none is one", properties(f"tags: {'#a ' * 60_000}x"), CHECK),
    Attack("tabs in a tag", properties("tags: a" + "\t" * 100_000 + "x\nz: 1"), CHECK),
    Attack("properties of another type", write_misfits, CHECK),
    Attack("properties that grow", write_aliases, CHECK, 1, "more than 50,000 characters"),
    Attack("links by the ten thousand, links", line("[[Other]] ", LINKS), ("links", "Note")),
]
