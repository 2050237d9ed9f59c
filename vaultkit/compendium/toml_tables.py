"""Tables read from TOML or a note's properties, with the lines of their parts for error messages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vaultkit import files, stdio
from vaultkit.budget import MB, Limit
from vaultkit.errors import InvalidError
from vaultkit.key_lines import find_key_line
from vaultkit.schema import SchemaError
from vaultkit.spelling import missing_file
from vaultkit.vault.text_positions import LINE_END

FILE_BYTES = Limit("This file of scores has", MB, "bytes", "Delete everything that is not a score.")
Steps = tuple[str | int, ...]
"""The path to a part of a table, such as `("columns", 2, "formula")`."""


@dataclass(frozen=True)
class Tables:
    """A table read from the file or note `where`.

    `lines` are the lines of the file or note, and `above` is the path to the table in them, such as a property's name.
    """

    where: str
    table: Mapping[str, Any] = field(default_factory=dict)
    lines: Sequence[str] = ()
    above: Steps = ()

    def place(self, steps: Steps) -> str:
        """Return the file and line of a part, or of the nearest part around it that has a line."""
        line, _ = find_key_line(self.lines, (*self.above, *steps))
        return f"{self.where}:{line}"

    @contextmanager
    def locate_errors(self, hint: str = "") -> Iterator[None]:
        """Turn a SchemaError of the tables into an InvalidError with file and line, and the `hint` if it has none."""
        try:
            yield
        except SchemaError as error:
            raise InvalidError(error.message, where=self.place(error.path), hint=error.hint or hint) from error


def read_data(path: Path, where: str, limit: Limit = FILE_BYTES) -> bytes:
    """Return the bytes of a file that the user named; `where` is its name in errors.

    Raises NothingFound for a file that does not exist, and InvalidError for one that cannot be read.
    """
    try:
        return stdio.read_input(path, limit)
    except FileNotFoundError as error:
        raise missing_file(where) from error
    except OSError as error:
        raise files.unreadable_error("The file", error, where) from error


def read_text(path: Path, where: str, hint: str = "") -> str:
    """Return the text of a file that the user named. Raise InvalidError, with the `hint` if it is not UTF-8."""
    data = read_data(path, where)
    try:
        return files.decode_text(data)
    except UnicodeDecodeError as error:
        raise InvalidError("This file is not UTF-8 text.", where=where, hint=hint) from error


def read_toml(text: str, where: str, hint: str = "") -> Tables:
    """Return the tables in the text of a TOML file called `where`. Raise InvalidError with the line, and the `hint`."""
    try:
        return Tables(where, files.parse_toml(text.replace("\r\n", "\n"), where), LINE_END.split(text))
    except ValueError as error:
        match = re.search(r"\(at line (\d+)", str(error)) or re.search(r"()\(at end of document", str(error))
        reason = re.sub(r" \(at .*\)$", "", str(error)).rstrip(".")
        reason = reason.replace("Illegal character '\\n'", "a quotation mark is missing before the end of the line")
        location = f"{where}:{match[1] or len(LINE_END.split(text.rstrip()))}" if match else where
        raise InvalidError(f"This is not TOML: {reason}.", where=location, hint=hint) from error
