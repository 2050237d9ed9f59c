"""The code that reads notes, as two numbers: what another code read of a note is worth nothing.

`stamp` is quick, and another one whenever a file of that code was touched. Only then `content` is worked out, which is
another one if the files say something else.
"""

import os
import zlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from vaultkit import __version__, files

PACKAGE = Path(__file__).resolve().parents[2]
LAYERS = (
    "distinct_names.py", "distinct_words.toml", "errors.py", "files.py", "grouping.py", "key_lines.py",
    "late_names.py",
    "resources.py", "settings.py", "shapes.py", "sorting.py", "spelling.py", "wording.py",
    "bots", "cards", "compendium", "games", "session", "vault",
)  # fmt: skip
"""All layers that have checks, and those below them."""
_PARSERS = ("pyromark", "yaml12", "frontmatter", "rapidfuzz")
_POSITIVE = 0x7FFFFFFF


@cache
def stamp() -> int:
    """A number over the names, sizes and times of all files."""
    return _number((file.path, (status := file.stat()).st_size, status.st_mtime_ns) for file in _files())


@cache
def content() -> int:
    """A number over what the files say, wherever they lie."""
    start = len(str(PACKAGE))
    return _number((file.path[start:], zlib.crc32(files.read(file.path, links=True)), 0) for file in _files())


def _number(files: Iterator[tuple[str, int, int]]) -> int:
    parsers = [_installed(name) for name in _PARSERS]
    return zlib.crc32(repr((__version__, sorted(files), parsers)).encode("utf-8", "surrogateescape")) & _POSITIVE


def _files() -> "Iterator[os.DirEntry[str]]":
    pending = [os.fspath(PACKAGE)]
    while pending:
        folder = pending.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if folder == os.fspath(PACKAGE) and entry.name not in LAYERS:
                    continue
                if entry.name.endswith((".py", ".toml")):
                    yield entry
                elif "." not in entry.name and entry.name != "__pycache__":
                    pending.append(entry.path)


def _installed(package: str) -> tuple[str, int]:
    """Where a package lies, and since when: that tells its versions apart without loading it."""
    found = find_spec(package)
    if found is None or found.origin is None:
        return package, 0
    return found.origin, Path(found.origin).stat().st_mtime_ns
