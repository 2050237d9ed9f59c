"""Suggestions for links that lead nowhere: the nearest file, heading or block that there is."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, cached_property

from vaultkit.spelling import hint_at, nearest
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault

LIKE = 70
"""Per cent of letters in common from which on one name of a note may have been meant for another."""
MOST_COMPARED = 10_000_000
"""Names that are looked at for all links together."""
LONGEST = 300
"""Characters of a name that is looked at."""


class Suggestions:
    """Hints for one run over one vault. Names are compared within a first letter, which keeps large vaults quick."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._left = MOST_COMPARED
        self._for_path = cache(self._for_file)
        self._headings = cache(self._headings_of)
        self._blocks = cache(self._blocks_of)

    def for_file(self, link_path: str, source: str) -> str:
        """A file of that name elsewhere, or of nearly that name, or a note with that alias."""
        if link_path.startswith("..") and leaves_vault(link_path, source):
            return "It leads out of the vault, where nothing is looked for; bring the file in."
        return self._for_path(link_path)

    def for_heading(self, path: str, subpath: str) -> str:
        near = self._nearest(subpath.rpartition("#")[2], self._headings(path))
        return near or "Correct the heading's name, or give the note such a heading."

    def for_block(self, path: str, subpath: str) -> str:
        near = self._nearest(subpath, self._blocks(path))
        if subpath.startswith("["):
            return near or f"Correct the footnote's name, or write the footnote: {subpath}: its text."
        return near or f"Correct the id, or put '{subpath}' at the end of the block that is meant."

    def _headings_of(self, path: str) -> Mapping[str, str]:
        """The headings of a note by their keys."""
        return _by_key(heading.text for heading in self._vault.facts[path].anchors.headings)

    def _blocks_of(self, path: str) -> Mapping[str, str]:
        """The blocks and footnotes of a note by their keys, as links have them."""
        anchors = self._vault.facts[path].anchors
        notes = (f"[^{note}]" for note in anchors.footnotes)
        return _by_key((*(f"^{block}" for block in anchors.blocks), *notes))

    def _for_file(self, link_path: str) -> str:
        slashed = link_path.replace("\\", "/")
        if slashed != link_path and self._vault.files.resolve(slashed, "").path:
            return f"Write '{slashed}': in links, folders are divided by '/'."
        if elsewhere := self._vault.files.named(slashed):
            return hint_at(elsewhere[0])
        name = key(posixpath.basename(slashed))
        if note := self._aliases.get(name):
            return f"That is an alias; write [[{note}|{link_path}]]."
        if "://" in link_path:
            return f"Write an address of the web as [text]({link_path})."
        if key(slashed.strip("/")) in self._folders:
            return "That is a folder; a link leads to a note or another file."
        return self._nearest(name, self._names[name[:1]]) or _nothing_like(link_path)

    def _nearest(self, word: str, by_key: Mapping[str, str]) -> str:
        """The hint at what the nearest key stands for; none for what is too long, or once too many were compared."""
        self._left -= len(by_key)
        if self._left < 0 or len(word) > LONGEST:
            return ""
        near = nearest(key(word), by_key, like=LIKE, numbered=True)
        return hint_at(by_key[near]) if near else ""

    @cached_property
    def _folders(self) -> frozenset[str]:
        """Whole paths of folders, and their names alone."""
        paths = {posixpath.dirname(key(path)) for path in self._vault.files.paths}
        return frozenset(paths | {posixpath.basename(path) for path in paths}) - {""}

    @cached_property
    def _names(self) -> defaultdict[str, dict[str, str]]:
        """Paths by first letter and by name; a note's name is without `.md`, as links have it."""
        names: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for path in self._vault.files.paths:
            name = key(posixpath.basename(path)).removesuffix(".md")
            names[name[:1]].setdefault(name, path)
        return names

    @cached_property
    def _aliases(self) -> dict[str, str]:
        return {key(alias): facts.name for facts in self._vault.note_facts for alias in facts.aliases}


def leaves_vault(path: str, source: str) -> bool:
    """Whether a path climbs above the vault, so that something outside of it is meant."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)).startswith("..")


def _nothing_like(link_path: str) -> str:
    suffix = posixpath.splitext(link_path)[1].lower()
    is_file = suffix not in ("", ".md") and suffix[1:].isalnum()
    return "Correct the name, or bring the file in." if is_file else "Correct the name, or make the note."


def _by_key(words: Iterable[str]) -> Mapping[str, str]:
    return {key(word): word for word in sorted(words) if len(word) <= LONGEST}
