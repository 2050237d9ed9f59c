"""The version of the code that reads notes, as two checksums; facts from another version are not used.

`stat_checksum` is quick, but changes whenever a file is touched. `content_checksum`, which depends on the files' texts
only, is computed if it has changed.
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
    "budget.py", "distinct_words.toml", "errors.py", "file_errors.py", "files.py", "key_lines.py", "lazy.py",
    "resources.py", "schema.py", "settings.py", "stdio.py", "spelling.py", "text.py", "trust.py", "user_folders.py",
    "bots", "cards", "compendium", "games", "search", "session", "vault",
)  # fmt: skip
"""The modules and packages whose code runs checks, and those that they import."""
_PARSERS = ("pyromark", "yaml12", "frontmatter", "rapidfuzz")
_POSITIVE_MASK = 0x7FFFFFFF


@cache
def stat_checksum() -> int:
    """Return a checksum of the paths, sizes and modification times of the source files."""
    return _checksum((file.path, (status := file.stat()).st_size, status.st_mtime_ns) for file in _iter_source_files())


@cache
def content_checksum() -> int:
    """Return a checksum of the contents of the source files, wherever the package is installed."""
    prefix_length = len(str(PACKAGE))
    return _checksum(
        (file.path[prefix_length:], zlib.crc32(files.read(file.path, allow_links=True)), 0)
        for file in _iter_source_files()
    )


def _checksum(file_values: Iterator[tuple[str, int, int]]) -> int:
    parsers = [_package_fingerprint(name) for name in _PARSERS]
    return (
        zlib.crc32(repr((__version__, sorted(file_values), parsers)).encode("utf-8", "surrogateescape"))
        & _POSITIVE_MASK
    )


def _iter_source_files() -> "Iterator[os.DirEntry[str]]":
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


def _package_fingerprint(package: str) -> tuple[str, int]:
    """Return the path and modification time of a package, which identify its version without an import."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return package, 0
    return spec.origin, Path(spec.origin).stat().st_mtime_ns
