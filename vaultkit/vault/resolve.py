"""Resolution of link text to files, as in Obsidian's `getFirstLinkpathDest` (R1 to R9)."""

import posixpath
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile

import msgspec

from vaultkit.vault.links import Resolution


def key(path: str) -> str:
    """Return the key of a path for lookups: the path in NFC and lower case (F2)."""
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", path).lower()


class Files:
    """The files of a vault by path and by name."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(sorted(paths))
        self._by_path: dict[str, Resolution] = {}
        self._by_name: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for path in self.paths:
            path_key = key(path)
            self._by_path.setdefault(path_key, Resolution("ok", path, from_anywhere=True))
            self._by_name[path_key[path_key.rfind("/") + 1 :]][path] = path_key
        self._by_dotted_path = {
            resolution.path: resolution for resolution in self._by_path.values() if _has_dot(resolution.path or "")
        }
        self._resolved: dict[tuple[str, str], Resolution] = {}
        self._namesakes_by_ending: dict[str, _Namesakes] = {}

    def __contains__(self, path: str) -> bool:
        return key(path) in self._by_path

    def resolve(self, link_path: str, source: str) -> Resolution:
        """Return the file that `link_path` in the note `source` leads to; aliases are not considered."""
        if not link_path:
            return Resolution("ok", source)
        resolution = self._by_dotted_path.get(link_path) or self._resolve_full_path(link_path)
        if resolution is not None:
            return resolution
        folder = source.rpartition("/")[0]
        resolution = self._resolved.get((link_path, folder))
        if resolution is None:
            resolution = self._resolved[link_path, folder] = self._resolve_by_name(link_path, folder)
        return resolution

    def resolve_exact_path(self, path: str) -> Resolution:
        """Return the file at a vault path, as canvases name their files."""
        return self._by_path.get(key(path)) or Resolution("unresolved")

    def respell_folder(self, path: str) -> str:
        """Return `path` with its existing folders spelled as in the vault, if only case or normalization differ."""
        folder, _, name = path.rpartition("/")
        while folder and key(folder) not in self.folders:
            folder, _, parent_name = folder.rpartition("/")
            name = f"{parent_name}/{name}"
        return f"{self.folders[key(folder)]}/{name}" if folder else path

    @cached_property
    def folders(self) -> dict[str, str]:
        """The folders with files in or below them, by key, without the vault's root folder."""
        folders: set[str] = set()
        for path in self.paths:
            folder = path.rpartition("/")[0]
            while folder and folder not in folders:
                folders.add(folder)
                folder = folder.rpartition("/")[0]
        return {key(folder): folder for folder in sorted(folders, reverse=True)}

    @cached_property
    def depth(self) -> int:
        """The number of parts of the longest path: the folders of the deepest file, and its name."""
        return 1 + max((path.count("/") for path in self.paths), default=0)

    def find_path(self, path: str) -> str | None:
        """Return the file at a full path, with or without `.md` as in links; None if there is none."""
        resolution = self._resolve_full_path(path)
        return resolution.path if resolution else None

    def _resolve_full_path(self, link_path: str) -> Resolution | None:
        """Return the file whose full path is `link_path`, which takes precedence (R5), or None if there is none."""
        if "/" not in link_path or link_path.startswith("."):
            return None
        resolution = self._by_path.get(key(link_path.removeprefix("/")))
        if resolution or _has_dot(link_path) or key(posixpath.basename(link_path)) in self._by_name:
            return resolution
        return self._by_path.get(key(f"{link_path.removeprefix('/')}.md"))

    def _resolve_by_name(self, link_path: str, folder: str) -> Resolution:
        for spelling in self._spellings(link_path):
            candidates = self._by_name.get(key(spelling[spelling.rfind("/") + 1 :]))
            if candidates:
                return self._choose(spelling, candidates, folder)
        return Resolution("unresolved")

    def find_namesakes(self, link_path: str) -> tuple[str, ...]:
        """Return the paths of all files, in any folder, whose name is the last part of `link_path`."""
        names = (key(posixpath.basename(spelling)) for spelling in self._spellings(link_path))
        return tuple(path for name in names for path in self._by_name.get(name, ()))

    @staticmethod
    def _spellings(link_path: str) -> tuple[str, ...]:
        """Return the paths to try: as written, then with `.md` added (R2, O8)."""
        return link_path, f"{link_path}.md"

    def _choose(self, path: str, candidates: Mapping[str, str], folder: str) -> Resolution:
        """Return the best match for `path` among files with its name (R3 to R7); `candidates` maps paths to keys."""
        if "/" not in path and len(candidates) == 1:
            return Resolution("ok", next(iter(candidates)), from_anywhere=True)
        relative_path = posixpath.normpath(posixpath.join(folder, path)) if path.startswith(("./", "../")) else ""
        for full_path in (relative_path, path.removeprefix("/")):
            if resolution := self._by_path.get(key(full_path)):
                return resolution
        if path.startswith("/"):
            return Resolution("unresolved")
        ending = key(path)
        if ending not in self._namesakes_by_ending:
            self._namesakes_by_ending[ending] = _Namesakes(
                file for file in candidates.items() if file[1].endswith(ending)
            )
        resolution = self._namesakes_by_ending[ending].find_nearest(folder)
        if resolution.path and "/" in path:
            return msgspec.structs.replace(resolution, is_partial=_is_accident(ending, resolution.path))
        return resolution


def _has_dot(path: str) -> bool:
    """Return whether the name at the end of a path has a dot."""
    return path.rfind(".") > path.rfind("/")


class _Namesakes:
    """Files whose paths have the same ending, as sorted pairs of key and path."""

    def __init__(self, files: Iterable[tuple[str, str]]) -> None:
        self._files = sorted((path_key, path) for path, path_key in files)
        self._shortest_anywhere = _find_shortest(self._files)

    def find_nearest(self, folder: str) -> Resolution:
        """Return the file with the shortest path below `folder`, else anywhere; ties are ambiguous (R7)."""
        prefix = key(f"{folder}/") if folder else ""
        from_prefix = islice(self._files, bisect_left(self._files, (prefix,)), None) if prefix else ()
        below = [*takewhile(lambda file: file[0].startswith(prefix), from_prefix)]
        return _find_shortest(below) if below else self._shortest_anywhere


def _find_shortest(files: Sequence[tuple[str, str]]) -> Resolution:
    """Return the file with the shortest path; several of that length are ambiguous."""
    if not files:
        return Resolution("unresolved")
    min_length = min(len(path_key) for path_key, _ in files)
    best, *ties = sorted(path for path_key, path in files if len(path_key) == min_length)
    return Resolution("ambiguous", best, tuple(ties)) if ties else Resolution("ok", best)


def _is_accident(ending: str, path: str) -> bool:
    """Return whether a match begins within a folder's name, as `ary/index` matches `glossary/index.md` (R7)."""
    return not ending.startswith(("./", "../")) and not f"/{key(path)}".endswith(f"/{ending}")
