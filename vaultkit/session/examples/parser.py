"""A parser of the examples in rule notes: fenced `play` blocks in TOML with cards, moves and expected results.

No code in them is executed, and `MAX_MOVES` and `MAX_BLOCK_CHARS` limit their size, so that examples of untrusted
authors can be played.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated

import msgspec

from vaultkit.compendium import rule_note
from vaultkit.compendium.toml_tables import read_toml
from vaultkit.errors import InvalidError, UsageError, split_place
from vaultkit.games.registry import GAMES, by_title, find
from vaultkit.schema import SchemaError, convert_table
from vaultkit.vault import Note

LANGUAGE = "play"
MAX_MOVES = 200
MAX_BLOCK_CHARS = 20_000
"""The maximum length of a block, in characters."""
MAX_EXAMPLES_PER_NOTE = 100
"""The maximum number of examples that are read from a note."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^`\r\n]*)")

Zone = list[str] | dict[str, list[str]]
"""The cards in a zone of the table; or those in the zones of the seats, by the names of the seats."""


class Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a `play` block, whose keys `docs/rule-notes.md` explains."""

    seats: list[str]
    moves: list[str] = []
    expect: list[str] = []
    game: str = ""
    options: dict[str, str | int | bool] = {}
    cards: dict[str, Zone] = {}
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 1
    turn: str = ""
    at: str = ""
    lesson: Annotated[int, msgspec.Meta(ge=1)] | None = None
    task: str = ""
    say: str = ""
    mistake: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """An example: a `play` block in the note at `path`.

    `line` is the number of the line with its opening fence, and `heading` is the heading above it. `game` is the id of
    its game, and `lines` are the lines of the block.
    """

    path: str
    line: int
    heading: str
    game: str
    content: Content
    lines: tuple[str, ...] = ()

    def error(self, message: str, hint: str = "", word: str = "") -> InvalidError:
        """Return an error in the first line that contains `word`, or in the opening line if `word` is not found.

        Lines that contain `word` in quotes are preferred.
        """
        spellings = (f'"{word}"', f"'{word}'", word) if word else ()
        line_numbers = tuple(number for spelling in spellings for number in self._find_lines(spelling))
        return InvalidError(message, where=f"{self.path}:{self.line + next(iter(line_numbers), 0)}", hint=hint)

    def misplaced_key_error(self, key: str, table: str) -> InvalidError:
        """Return an error for a key that is below the header of a TOML table, so that it is a part of the table."""
        error = self.error(f"'{key}' is below {table}, and counts as part of it.", f"Write it above {table}.")
        error.where = f"{self.path}:{self.line + max(self._find_lines(key), default=0)}"
        return error

    def _find_lines(self, word: str) -> list[int]:
        """Return the numbers, from 1 on, of the lines of the block that contain a word."""
        word_pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        return [number for number, text in enumerate(self.lines, 1) if word_pattern.search(text)]


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield each `play` block in the text of a note: the number of the line with its opening fence, and its text."""
    fence, start_line, block_lines = "", 0, list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        fence_match = _FENCE.match(line)
        if not fence and fence_match:
            fence = fence_match[1] if fence_match[2].strip().casefold() != LANGUAGE else f"{fence_match[1]} "
            start_line, block_lines = number, []
        elif fence and fence_match and fence_match[1].startswith(fence.strip()) and not fence_match[2].strip():
            if fence.endswith(" "):
                yield start_line, "\n".join(block_lines)
            fence = ""
        elif fence:
            block_lines.append(line.rstrip("\r"))
    if fence.endswith(" "):
        yield start_line, "\n".join(block_lines)


def words_of_block(text: str) -> str:
    """Return the explanation of a `play` block, or its moves if it has none, or "" if it cannot be parsed."""
    try:
        content = convert_table(read_toml(text[:MAX_BLOCK_CHARS], "").table, Content)
    except (InvalidError, SchemaError):
        return ""
    return content.say or "; ".join(content.moves)


def examples_of(note: Note) -> Iterator[Example | InvalidError]:
    """Yield the examples of a rule note in order, with an error in place of each one that cannot be parsed."""
    headings = sorted(note.headings, key=lambda heading: heading.line)
    for line, text in islice(blocks(note.text), MAX_EXAMPLES_PER_NOTE):
        headings_above = [heading.text for heading in headings if heading.line < line]
        try:
            yield example_in(note, line, headings_above[-1] if headings_above else "", text)
        except InvalidError as error:
            yield error


def example_in(note: Note, line: int, heading: str, text: str) -> Example:
    """Return the example in a block of a note.

    `line` is the number of the line with the opening fence. Raises InvalidError with note and line for a block that is
    too long or cannot be parsed, that has too many moves, or whose game is not known.
    """
    empty_example = Example(note.path, line, heading, "", Content([]), tuple(text.split("\n")))
    if len(text) > MAX_BLOCK_CHARS:
        raise empty_example.error(f"This example has {len(text):,} characters, and {MAX_BLOCK_CHARS:,} is the maximum.")
    content, games = _parse_content(empty_example, text), rule_note.explained_games(note, by_title()) & GAMES.keys()
    game = _find_game(content.game, empty_example) if content.game else "".join(games if len(games) == 1 else ())
    if not game:
        hint = 'Write game = "..." in the block, or vaultkit-game: ... in the properties of the note.'
        raise empty_example.error("This example does not say which game it is of.", hint)
    if len(content.moves) > MAX_MOVES:
        raise empty_example.error(
            f"There are {len(content.moves)} moves, and {MAX_MOVES} is the maximum.", word="moves"
        )
    return replace(empty_example, game=game, content=content)


def _parse_content(empty_example: Example, text: str) -> Content:
    try:
        return convert_table(read_toml(text, empty_example.path).table, Content)
    except InvalidError as error:
        line = empty_example.line + split_place(error.where)[1]
        raise InvalidError(error.message, where=f"{empty_example.path}:{line}") from error
    except SchemaError as error:
        key = next((step for step in reversed(error.path) if isinstance(step, str)), "")
        if len(error.path) > 1 and key in Content.__struct_fields__:
            raise empty_example.misplaced_key_error(key, f"[{error.path[0]}]") from error
        raise empty_example.error(error.message, error.hint, key) from error


def _find_game(name: str, empty_example: Example) -> str:
    try:
        return find(name).id
    except UsageError as error:
        raise empty_example.error(error.message, error.hint, "game") from error
