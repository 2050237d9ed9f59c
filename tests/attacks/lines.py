"""Notes whose one line could take a time that grows with the square of its length."""

from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack

LENGTH = 150_000
LINKS = 50_000
PIECES = {"comments": "<!--", "carets": "^", "backticks": "`", "spaces": " ", "highlights": "==", "footnotes": "^["}


def line(piece: str, count: int) -> Callable[[Path], object]:
    return lambda vault: (vault / "Note.md").write_text(f"x {piece * count}x\n")


ATTACKS = [
    *(
        Attack(f"a line of {name}, {command[0]}", line(piece, LENGTH // len(piece)), command)
        for name, piece in PIECES.items()
        for command in (("check",), ("print", "rules", "Note", "--out", "note.pdf"))
    ),
    Attack("links by the ten thousand, check", line("[[Other]] ", LINKS), ("check",)),
    Attack("links by the ten thousand, links", line("[[Other]] ", LINKS), ("links", "Note")),
]
