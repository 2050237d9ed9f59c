"""Detection of two folders with the same notes, such as a rulebook in `en/` and its translation in `fr/`."""

from collections.abc import Iterable, Sequence
from functools import cache

from vaultkit.vault.resolve import key

MIN_COMMON_FILES = 3
"""The minimum number of files that two folders must have in common to count as two trees of the same notes."""


class ParallelTrees:
    """A detector of folders with the same files below them, for the files that a link may lead to equally well."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = [key(path) for path in paths]
        self._cached_agreement = cache(self._have_same_files)

    def are_parallel(self, candidates: Sequence[str]) -> bool:
        """Return whether each of several files lies in a tree of its own, and all trees have the same files."""
        first, *others = candidates
        return bool(others) and all(self._cached_agreement(*_split_roots(first, other)) for other in others)

    def find_own_candidate(self, source: str, candidates: Sequence[str]) -> str:
        """Return the only candidate that lies in the same tree as the note `source`; "" if there is none."""
        own = [
            path
            for path in candidates
            if all(key(source).startswith(f"{_split_roots(path, other)[0]}/") for other in candidates if other != path)
        ]
        return own[0] if len(own) == 1 and self.are_parallel(candidates) else ""

    def _have_same_files(self, root: str, other_root: str) -> bool:
        if not root or not other_root:
            return False
        below, other_below = (
            {path[len(folder) + 1 :] for path in self._paths if path.startswith(f"{folder}/")}
            for folder in (root, other_root)
        )
        common_count = len(below & other_below)
        return common_count >= MIN_COMMON_FILES and 2 * common_count >= min(len(below), len(other_below))


def _split_roots(path: str, other_path: str) -> tuple[str, str]:
    """Return the keys of two paths down to their first different folders."""
    parts, other_parts = key(path).split("/"), key(other_path).split("/")
    depth = next((index for index, pair in enumerate(zip(parts, other_parts, strict=False)) if pair[0] != pair[1]), 0)
    return "/".join(parts[:-1][: depth + 1]), "/".join(other_parts[:-1][: depth + 1])
