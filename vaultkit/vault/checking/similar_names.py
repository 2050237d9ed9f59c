"""An index of file names by which the file that a broken link means can be found, however the link spells it."""

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import islice, takewhile

from vaultkit.spelling import find_fewest_edits
from vaultkit.text import group
from vaultkit.vault.file_facts import PICTURE_SUFFIXES, is_note
from vaultkit.vault.resolve import key

MAX_COMPARED_NAMES = 10_000_000
"""The maximum number of names that are compared for all links together."""
COMPARISONS_PER_SEARCH = 500
"""The number of comparisons that take as long as the rest of one search does."""
MAX_NAME_CHARS = 300
"""The maximum length in characters of names that are compared."""
MIN_MISSPELT_CHARS, MIN_CHANGED_CHARS = 4, 6
"""The minimum lengths of a name in which a letter may be missing or added, and in which one may be changed."""
_CHARS_PER_EDIT = 8
"""The number of characters of a name for each letter that may be wrong in it."""
_MAX_EDITS = 2
_MAX_LONGER_NAMES = 4
_SIGNS = str.maketrans(
    {sign: plain for signs, plain in (("‘’ʼ´`′＇", "'"), ("“”„«»″", '"'), ("‐‑‒–—―−", "-")) for sign in signs}
    | {"…": "...", "\u200b": None, "\u00ad": None, "\ufeff": None}
)
_MEDIA_SUFFIXES = frozenset((
    ".3gp", ".base", ".canvas", ".flac", ".m4a", ".mkv", ".mov", ".mp3", ".mp4", ".oga", ".ogg", ".ogv", ".opus",
    ".pdf", ".wav", ".webm",
))  # fmt: skip
"""The extensions of the files, other than notes and pictures, that Obsidian shows."""
_EXTENSION = re.compile(r"\.[a-z][a-z0-9]{1,4}")


def plain_words(text: str) -> str:
    """Return the key of a text, with one kind of apostrophes, quotes, dashes and blanks."""
    text = key(text)
    words = " ".join((text.replace("`", "'") if text.isascii() else text.translate(_SIGNS)).split())
    return re.sub("--+", "-", words) if "--" in words else words


def plain_name(path: str) -> str:
    """Return the plain words of the name at the end of a path, without `.md`."""
    return plain_words(posixpath.basename(path)).removesuffix(".md")


def file_kind(path: str) -> str:
    """Return the kind of a file by its name: "picture", an extension, or "" for a note or a name without extension."""
    ending = posixpath.splitext(path)[1].lower()
    if ending in PICTURE_SUFFIXES:
        return "picture"
    return ending if ending in _MEDIA_SUFFIXES or (ending != ".md" and _EXTENSION.fullmatch(ending)) else ""


class SimilarNames:
    """The names of the files that links may be corrected to."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths_by_name = group((plain_name(path), path) for path in paths)
        self._left = MAX_COMPARED_NAMES
        self.longer_names = cache(self._find_longer_names)
        self.find_misspelt = cache(self._find_misspelt)

    def same_words(self, path: str) -> Sequence[str]:
        """Return the files whose name differs from that in `path` at most in kinds of apostrophes and dashes."""
        paths = self._paths_by_name.get(plain_name(path), ())
        return [other for other in paths if is_note(other) or not is_note(path)]

    def other_endings(self, path: str) -> Sequence[str]:
        """Return the files that have the name in `path`, which is a picture's or has no extension, with another one."""
        name, kind = plain_name(path), file_kind(path)
        paths = self._paths_by_stem.get(posixpath.splitext(name)[0] if kind else name, ())
        return [other for other in paths if kind == "" or (kind == file_kind(other) == "picture")]

    def _find_longer_names(self, path: str) -> Sequence[str]:
        """Return up to four notes whose names begin with the words in `path`, followed by other words than numbers."""
        name = plain_name(path)
        if len(name) < 2 or not re.search(r"[^\W\d_]", name):
            return ()
        following = islice(self._sorted_notes, bisect_left(self._sorted_notes, (f"{name} ", "")), None)
        longer = takewhile(lambda item: item[0].startswith(name), following)
        paths = (path for other, path in longer if re.match(r"[ ,(][^\d]", other[len(name) :]))
        return [*islice(paths, _MAX_LONGER_NAMES)]

    def _find_misspelt(self, path: str) -> str:
        """Return the only file whose name differs in so few letters that `path` misspells it, "" if there is none."""
        name, kind = plain_name(path), file_kind(path)
        names = self._names_by_letter.get((kind, name[:1]), ())
        self._left -= len(names) + COMPARISONS_PER_SEARCH
        if self._left < 0 or not MIN_MISSPELT_CHARS <= len(name) <= MAX_NAME_CHARS:
            return ""
        max_edits = min(_MAX_EDITS, 1 + len(name) // _CHARS_PER_EDIT)
        nearest = [other for other in find_fewest_edits(name, names, max_edits) if _may_be_misspelt(name, other)]
        paths = self._paths_by_name[nearest[0]] if len(nearest) == 1 else ()
        return paths[0] if len(paths) == 1 else ""

    @cached_property
    def _sorted_notes(self) -> list[tuple[str, str]]:
        return sorted((name, path) for name, paths in self._paths_by_name.items() for path in paths if is_note(path))

    @cached_property
    def _paths_by_stem(self) -> dict[str, list[str]]:
        """The files other than notes by the keys of their names without extension."""
        files = ((name, path) for name, paths in self._paths_by_name.items() for path in paths if not is_note(path))
        return group((posixpath.splitext(name)[0], path) for name, path in files)

    @cached_property
    def _names_by_letter(self) -> dict[tuple[str, str], list[str]]:
        """The names by kind of file and first letter: only these are compared, which is fast in large vaults."""
        return group(((file_kind(paths[0]), name[:1]), name) for name, paths in self._paths_by_name.items())


def _may_be_misspelt(name: str, other_name: str) -> bool:
    """Return whether two similar names have the same numbers, and are no two short words of the same length."""
    numbers, other_numbers = ([*map(int, re.findall(r"\d+", text))] for text in (name, other_name))
    return numbers == other_numbers and (len(name) != len(other_name) or len(name) >= MIN_CHANGED_CHARS)
