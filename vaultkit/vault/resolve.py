"""From link text to file, as Obsidian's `getFirstLinkpathDest` does it (R1 to R9)."""

import posixpath
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

from vaultkit.vault.links import Resolution


def key(path: str) -> str:
    """A path as it is looked up: NFC, case ignored (F2)."""
    return unicodedata.normalize("NFC", path).lower()


class Files:
    """The files of a vault by path and by name."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(sorted(paths))
        self._by_path: dict[str, str] = {}
        self._by_name: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for path in self.paths:
            looked_up = key(path)
            self._by_path.setdefault(looked_up, path)
            self._by_name[posixpath.basename(looked_up)][path] = looked_up

    def __contains__(self, path: str) -> bool:
        return key(path) in self._by_path

    def resolve(self, link_path: str, source: str) -> Resolution:
        """The file that `link_path`, written in the note `source`, leads to. No alias, no guess."""
        if not link_path:
            return Resolution("ok", source)
        for spelling in self._spellings(link_path):
            candidates = self._by_name.get(key(posixpath.basename(spelling)))
            if candidates:
                return self._choose(spelling, candidates, source)
        return Resolution("unresolved")

    def is_accident(self, link_path: str, found: str) -> bool:
        """Whether a link finds a file by half a folder's name, as `ary/index` finds `glossary/index.md` (R7)."""
        relative = link_path.startswith(("./", "../", "/"))
        endings = tuple(f"/{key(spelling)}" for spelling in self._spellings(link_path))
        return "/" in link_path and not relative and not f"/{key(found)}".endswith(endings)

    def named(self, link_path: str) -> tuple[str, ...]:
        """Every file that has the name at the end of `link_path`, in whatever folder."""
        names = (key(posixpath.basename(spelling)) for spelling in self._spellings(link_path))
        return tuple(path for name in names for path in self._by_name.get(name, ()))

    @staticmethod
    def _spellings(link_path: str) -> tuple[str, ...]:
        """A name with a dot is tried as written before `.md` is added (R2)."""
        with_suffix = f"{link_path}.md"
        has_dot = "." in posixpath.basename(link_path)
        return (link_path, with_suffix) if has_dot else (with_suffix,)

    def _choose(self, path: str, candidates: Mapping[str, str], source: str) -> Resolution:
        """Among files of the right name (R3 to R7). `candidates` are paths with their keys."""
        if "/" not in path and len(candidates) == 1:
            return Resolution("ok", next(iter(candidates)))
        folder = posixpath.dirname(source)
        beside = posixpath.normpath(posixpath.join(folder, path)) if path.startswith(("./", "../")) else ""
        for exact in (beside, path.removeprefix("/")):
            if found := self._by_path.get(key(exact)):
                return Resolution("ok", found)
        if path.startswith("/"):
            return Resolution("unresolved")
        ending = key(path)
        return _nearest({item: known for item, known in candidates.items() if known.endswith(ending)}, folder)


def _nearest(candidates: Mapping[str, str], folder: str) -> Resolution:
    """Files below the source's folder first, then the shortest path; equally short ones are ambiguous (R7)."""
    if not candidates:
        return Resolution("unresolved")
    prefix = key(f"{folder}/") if folder else ""
    distance = {path: (not known.startswith(prefix), len(known)) for path, known in candidates.items()}
    nearest = min(distance.values())
    best, *ties = sorted(path for path in candidates if distance[path] == nearest)
    return Resolution("ambiguous", best, tuple(ties)) if ties else Resolution("ok", best)
