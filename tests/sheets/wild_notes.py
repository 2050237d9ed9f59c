"""Realistic notes in which each word is unique, so that it can be found on paper.

`python -m tests.sheets.wild_notes FOLDER` writes them as a vault to look at. `tests/vaults/prints/README.md` explains
the lists from which they are made.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from random import Random
from shutil import copytree

from PIL import Image

LISTS = Path(__file__).parents[1] / "vaults" / "prints"
NOTES = 330
_OTHER = "A-EG-VYZa-zÀ-ɏ"
_WORD = re.compile(rf"(?<![{_OTHER}])([WXF])(\d*)(?![{_OTHER}])")
_SIGN = re.compile(r"\\u([0-9a-f]{4})")
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


@dataclass(frozen=True)
class Construct:
    """A Markdown construct: W stands for a printed word, X for an unprinted one, and F for one in a footnote."""

    kind: str
    name: str
    source: str
    printed: str
    foot: str
    left_out: Counter[str]

    @property
    def in_a_line(self) -> bool:
        return self.kind in {"plain", "line"}

    @property
    def plain(self) -> bool:
        return self.kind.startswith("plain")


@dataclass(frozen=True)
class Piece:
    """Markdown with words, and which of them are printed, in footnotes, hidden, or reported as left out."""

    source: str
    printed: str = ""
    foot: str = ""
    hidden: tuple[str, ...] = ()
    left_out: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: "Piece") -> "Piece":
        return Piece(
            f"{self.source}\n\n{other.source}".strip("\n"),
            f"{self.printed} {other.printed}",
            f"{self.foot} {other.foot}",
            (*self.hidden, *other.hidden),
            self.left_out + other.left_out,
        )


@dataclass(frozen=True)
class WildNote:
    """A note as written, and its expected print."""

    name: str
    text: str
    piece: Piece
    made_of: list[str]
    plain: bool = False


def constructs() -> list[Construct]:
    """Return all constructs of the lists."""
    texts = [path.read_text("utf-8") for path in sorted((LISTS / "constructs").glob("*.txt"))]
    return [_construct(part) for text in texts for part in re.split(r"^@ ", text, flags=re.MULTILINE)[1:]]


def _construct(part: str) -> Construct:
    head, *lines = part.rstrip("\n").split("\n")
    kind, name = head.split(": ", 1)
    printed, left_out = (" ".join(line[3:] for line in lines if line.startswith(mark)) for mark in ("=> ", "!> "))
    source, printed = (
        _SIGN.sub(lambda found: chr(int(found[1], 16)), text)
        for text in ("\n".join(line for line in lines if line[:3] not in {"=> ", "!> "}), printed)
    )
    listed = {letter: " ".join(w[0] for w in _WORD.finditer(source) if w[1] == letter) for letter in "WF"}
    told = Counter({what: int(number) for number, what in re.findall(r"(\d+) ([^,]+)", left_out)})
    return Construct(kind, name, source, printed or listed["W"], listed["F"], told)


def words() -> Iterator[str]:
    """Yield unique words of three syllables."""
    for number in count(1):
        mixed = number * 104_729 % len(_SYLLABLES) ** 3
        yield "".join(_SYLLABLES[mixed // len(_SYLLABLES) ** place % len(_SYLLABLES)] for place in range(3))


def put_words(construct: Construct, fresh: Iterator[str]) -> Piece:
    """Return the construct with a new word for each W, X and F; equal numbers get equal words."""
    used: dict[str, list[str]] = {"W": [], "X": [], "F": []}
    known: dict[str, str] = {}

    def word(found: re.Match[str]) -> str:
        if found[0] in known:
            return known[found[0]]
        made = next(fresh)
        if found[2]:
            known[found[0]] = made
        if not found[2] or found[1] == "X":
            used[found[1]].append(made)
        return made

    source = _WORD.sub(word, construct.source)
    nth = {letter: iter(made) for letter, made in used.items()}
    printed, foot = (
        _WORD.sub(lambda found: known.get(found[0]) or next(nth[found[1]]), text)
        for text in (construct.printed, construct.foot)
    )
    return Piece(source, printed, foot, tuple(used["X"]), construct.left_out)


Place = Callable[[Piece, str, str], Piece]
"""A function that places a piece in other Markdown, with two words beside it."""


def _put_around(before: str, after: str = "", printed: str = "{0} {2}") -> Place:
    """Return a place between other Markdown.

    In `printed`, {0} and {1} are the words beside the piece, and {2} is the piece.
    """

    def put(piece: Piece, one: str, two: str) -> Piece:
        source = before.format(one, two) + piece.source + after.format(one, two)
        return replace(piece, source=source, printed=printed.format(one, two, piece.printed))

    return put


def _put_indented(mark: str, head: str, printed: str) -> Place:
    """Return a place that puts lines behind a mark, below a head line."""

    def put(piece: Piece, one: str, two: str) -> Piece:
        lines = [head.format(one, two), *(f"{mark}{line}".rstrip() for line in ["", *piece.source.split("\n")])]
        return replace(piece, source="\n".join(lines), printed=printed.format(one, two, piece.printed))

    return put


def _put_in_cell(piece: Piece, one: str, two: str) -> Piece:
    cell = re.sub(r"(?<!\\)\|", r"\\|", piece.source)
    return replace(
        piece, source=f"| {one} | {two} |\n|---|:-:|\n| {cell} | x |", printed=f"{one} {two} {piece.printed} x"
    )


def _put_in_foot(piece: Piece, one: str, two: str) -> Piece:
    source = f"{one}[^{two}]\n\n[^{two}]: {piece.source}"
    return replace(piece, source=source, printed=one, foot=f"{piece.printed} {piece.foot}", hidden=(*piece.hidden, two))


def _put_in_stat_block(piece: Piece, one: str, two: str) -> Piece:
    desc = json.dumps(piece.source, ensure_ascii=False)
    source = f"```statblock\nname: {one}\nactions:\n- name: {two}\n  desc: {desc}\n```"
    return replace(piece, source=source, printed=f"{one} Actions {two}. {piece.printed}")


IN_A_LINE: dict[str, Place] = {
    "paragraph": _put_around("", printed="{2}"),
    "heading": _put_around("{0}\n\n### ", printed="{0} {2}"),
    "item": _put_around("- {0}\n- ", "\n- {1}", printed="{0} {2} {1}"),
    "quote": _put_around("> {0}\n>\n> ", printed="{0} {2}"),
    "title of a callout": _put_around("> [!note] {0} ", "\n> {1}", printed="Note {0} {2} {1}"),
    "title of an admonition": _put_around("~~~ad-note\ntitle: {0} ", "\n\n{1}\n~~~", printed="Note {0} {2} {1}"),
    "cell": _put_in_cell,
    "footnote": _put_in_foot,
    "stat block": _put_in_stat_block,
}
BLOCKS: dict[str, Place] = {
    "note": _put_around("", printed="{2}"),
    "quote": _put_indented("> ", "> {0}", "{0} {2}"),
    "callout": _put_indented("> ", "> [!tip]- {0}", "Tip {0} {2}"),
    "callout in a callout": _put_indented("> > ", "> [!tip] {0}\n>\n> > [!bug]+ {1}", "Tip {0} Bug {1} {2}"),
    "item": _put_indented("  ", "- {0}", "{0} {2}"),
    "item of an item": _put_indented("      ", "1. {0}\n    - {1}", "{0} {1} {2}"),
    "details": _put_around("<details>\n<summary>{0}</summary>\n\n", "\n\n</details>", "{0} {2}"),
    "admonition": _put_around("~~~~~ad-quote\ntitle: {0}\n\n", "\n~~~~~", "Quote {0} {2}"),
}
PLAIN = {"paragraph", "heading", "item", "quote", "note", "item of an item"}
TITLES = ("", "", "# {0} {1}", "# {0} *{1}*", "# [{0}](Old%20Mill.md) `{1}`", "# ==**{0}** {1}== %%X%%")


def pairs() -> list[tuple[Construct, str]]:
    """Return every construct with every place that it may be in."""
    return [
        (shape, place)
        for shape in constructs()
        for place in (["note"] if shape.kind.endswith("alone") else IN_A_LINE if shape.in_a_line else BLOCKS)
    ]


def notes(number: int = NOTES) -> Iterator[WildNote]:
    """Yield the same notes each time; every construct is in every place once before any repeats."""
    random, fresh, known = Random(300), words(), pairs()
    plain_ones = [(shape, place) for shape, place in known if shape.plain and place in PLAIN]
    fronts = (LISTS / "constructs" / "frontmatter.md").read_text("utf-8").split("@\n")
    deck = list[tuple[Construct, str]]()
    for n in range(1, number + 1):
        piece, made_of, plain = Piece(""), list[str](), n % 6 == 0
        for _ in range(1 + random.randrange(9)):
            deck = deck or random.sample(known, len(known))
            shape, place = random.choice(plain_ones) if plain else deck.pop()
            put = IN_A_LINE[place] if shape.in_a_line else BLOCKS[place]
            piece += put(put_words(shape, fresh), next(fresh), next(fresh))
            made_of.append(f"{shape.name} [{place}]")
        yield _finish_note(n, piece, made_of, random=random, fronts=fronts, fresh=fresh, plain=plain)


def _finish_note(
    n: int, piece: Piece, made_of: list[str], *, random: Random, fronts: list[str], fresh: Iterator[str], plain: bool
) -> WildNote:
    """Return the note with a title, properties, and random line ends."""
    name, has_title = f"Wild {n:03}", re.search("^(# |=+$)", piece.source, re.MULTILINE)
    title = random.choice(TITLES[2:5] if has_title or plain else TITLES)
    one, two, hidden = islice(fresh, 3)
    source = f"{title.format(one, two).replace('X', hidden)}\n\n{piece.source}" if title else piece.source
    piece = replace(piece, source=source, printed=f"{f'{one} {two}' if title else name} {piece.printed}")
    text = random.choice(["", "", *fronts]) + source + random.choice(["", "\n", "\n\n"])
    text = text.replace("\n", random.choice(["\n", "\n", "\n", "\r\n"]))
    return WildNote(name, random.choice(["", "", "", "\ufeff"]) + text, piece, made_of, plain=plain)


def make_vault(folder: Path, made: list[WildNote]) -> Path:
    """Write a vault of these notes, with the files that they embed and link to."""
    copytree(LISTS / "vault", folder, dirs_exist_ok=True)
    (folder / ".obsidian").mkdir(exist_ok=True)
    Image.new("RGB", (120, 90), "#446688").save(folder / "gate.png")
    for note in made:
        (folder / f"{note.name}.md").write_bytes(note.text.encode())
    return folder


if __name__ == "__main__":
    make_vault(Path(sys.argv[1]), list(notes()))
