"""Detection of two folders with the same notes, such as a rulebook in `en/` and its translation in `fr/`."""

import posixpath
import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import combinations, starmap

from vaultkit.text import group
from vaultkit.vault.resolve import key

MIN_COMMON_NAMES, MIN_NAMES_IN_TRANSLATIONS = 3, 1
"""The minimum numbers of file names that two trees must have in common, and two trees called after languages."""
_LANGUAGES = frozenset(
    re.findall(
        r"\w+",
        """
        ar bg cs da de el en es fi fr he hu id it ja ko nb nl no pl pt ro ru sv th tr uk zh
        english deutsch german français francais french español espanol spanish italiano italian português
        portugues portuguese nederlands dutch polski polish čeština czech magyar svenska swedish dansk danish
        suomi türkçe русский russian українська 日本語 japanese 中文 chinese 한국어 korean original translation
        """,
    )
)
"""Names of languages, and codes that stand for them, as folders are called after them."""


class ParallelTrees:
    """A detector of folders with the same files below them, for the files that a link may lead to equally well."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = [key(path) for path in paths]
        self._cached_agreement = cache(self._have_same_names)

    @cached_property
    def has_translations(self) -> bool:
        """Whether the vault has two folders called after languages in one folder."""
        folders = {path.rpartition("/")[0] for path in self._paths}
        folders |= {folder[: match.start()] for folder in folders for match in re.finditer("/", folder)}
        by_parent = group((posixpath.dirname(folder), folder) for folder in folders if _words_of(folder) & _LANGUAGES)
        pairs = (pair for siblings in by_parent.values() for pair in combinations(siblings, 2))
        return any(starmap(_are_languages, pairs))

    def are_parallel(self, candidates: Sequence[str]) -> bool:
        """Return whether each of several files lies in a tree of its own, and all trees have the same files."""
        first, *others = candidates
        return bool(others) and all(self._cached_agreement(*_split_roots(first, other)) for other in others)

    def are_translations(self, candidates: Sequence[str]) -> bool:
        """Return whether each of several files lies in a tree of its own, called after a language."""
        first, *others = candidates
        return bool(others) and all(_are_languages(*_split_roots(first, other)) for other in others)

    def find_own_candidate(self, source: str, candidates: Sequence[str]) -> str:
        """Return the only candidate that lies in the same tree as the note `source`; "" if there is none."""
        own = [
            path
            for path in candidates
            if all(key(source).startswith(f"{_split_roots(path, other)[0]}/") for other in candidates if other != path)
        ]
        return own[0] if len(own) == 1 else ""

    def _have_same_names(self, root: str, other_root: str) -> bool:
        if not root or not other_root:
            return False
        names, other_names = (
            {posixpath.basename(path) for path in self._paths if path.startswith(f"{folder}/")}
            for folder in (root, other_root)
        )
        common_count = len(names & other_names)
        if _are_languages(root, other_root):
            return common_count >= MIN_NAMES_IN_TRANSLATIONS
        return common_count >= MIN_COMMON_NAMES and 2 * common_count >= min(len(names), len(other_names))


def _words_of(folder: str) -> set[str]:
    return set(re.split(r"[\W\d_]+", posixpath.basename(folder)))


@cache
def _are_languages(root: str, other_root: str) -> bool:
    """Return whether two folders have the same name except for a language each: `rules-en` and `rules-fr`."""
    words, other_words = _words_of(root), _words_of(other_root)
    own_words, own_other_words = words - other_words, other_words - words
    return bool(own_words and own_other_words) and own_words | own_other_words <= _LANGUAGES


@cache
def _split_roots(path: str, other_path: str) -> tuple[str, str]:
    """Return the keys of two paths down to their first different folders."""
    parts, other_parts = key(path).split("/"), key(other_path).split("/")
    depth = next((index for index, pair in enumerate(zip(parts, other_parts, strict=False)) if pair[0] != pair[1]), 0)
    return "/".join(parts[:-1][: depth + 1]), "/".join(other_parts[:-1][: depth + 1])
