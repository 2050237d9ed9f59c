"""How a broken link is mended, by what it says and what the vault has, without its note being read again."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

import msgspec

from vaultkit.distinct_names import are_distinct
from vaultkit.grouping import group
from vaultkit.spelling import nearest
from vaultkit.vault.checking.moved_folders import MovedFolders
from vaultkit.vault.facts import Facts
from vaultkit.vault.file_facts import PICTURES, is_note
from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import key
from vaultkit.vault.subpath import comparable, to_subpath
from vaultkit.vault.vault import Vault

LIKE = 70
"""Per cent of letters in common from which on one name of a note may have been meant for another."""
MOST_COMPARED = 10_000_000
"""Names that are looked at for all links together."""
LONGEST = 300
"""Characters of a name that is looked at."""
_SIGNS = re.compile(r"[\W_]+")


class Remedy(msgspec.Struct, frozen=True):
    """A broken link as it is to be written, by its `cause`: to lead to the file `target`, or to its heading `subpath`.

    The last `kept` parts of its path stay as they are written, behind the folder of the target's address if the file
    has `moved`; where none is kept, the whole address takes their place. One that is not `certain` is a guess.
    """

    cause: str
    target: str
    kept: int = 0
    moved: bool = False
    certain: bool = True
    subpath: str = ""


class Remedies:
    """The remedies for the links of one vault, as its files, aliases and headings were when first asked for."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._files = vault.files
        self._left = MOST_COMPARED
        self._headings: dict[str, Mapping[str, str]] = {}
        self._bare_headings: dict[str, Mapping[str, list[str]]] = {}
        self._in_folders: dict[str, Mapping[str, list[str]]] = {}
        self._near: dict[tuple[str, str], str] = {}

    def of(self, link: Link, source: str, found: Resolution) -> Remedy | None:
        """The first that a rule has for a link in the note `source` that was `found` to be broken."""
        if found.status == "no-heading" and found.path:
            return self._heading(found.path, link.subpath) if is_note(found.path) else None
        if found.status != "unresolved" or link.kind == "canvas" or leaves_vault(link.path, source):
            return None
        rules: tuple[_Rule, ...] = (self._backslash, self._prefix, self._alias, self._moved, self._picture)
        return next(filter(None, (rule(link, source) for rule in rules)), None)

    def leads_to(self, path: str, source: str) -> str | None:
        """The one file that a link in the note `source` leads to; None for none, for ties and for accidents (R7)."""
        found = self._files.resolve(path, source)
        return found.path if found.status == "ok" and not found.accident else None

    def with_alias(self, name: str) -> tuple[str, ...]:
        """Every note that has the alias `name`, in any case, by their paths."""
        return self._aliases.get(key(name), ())

    def named(self, path: str) -> list[str]:
        """Every file of the name at the end of `path`, those first that share the most folders before it."""
        *folders, name = (slashed := in_slashes(path)).split("/")
        files = self._files.named(name)
        if not folders or len(files) < 2:
            return [*files]
        if name not in self._in_folders:
            self._in_folders[name] = group((posixpath.basename(posixpath.dirname(key(file))), file) for file in files)
        near = self._in_folders[name].get(key(folders[-1]), [])
        return [*dict.fromkeys((*sorted(near, key=lambda file: -_shared(file, slashed)), *files))]

    def near_heading(self, path: str, subpath: str) -> str:
        """The heading of a note that the last part of `subpath` may have been meant for; "" if none is like it."""
        known = (path, subpath.rpartition("#")[2])
        if known not in self._near:
            self._near[known] = self.nearest(known[1], self._headings_of(path))
        return self._near[known]

    def nearest(self, word: str, by_key: Mapping[str, str]) -> str:
        """The thing that the nearest key stands for; "" for what is too long, or once too many were compared."""
        self._left -= len(by_key)
        if self._left < 0 or len(word) > LONGEST:
            return ""
        near = nearest(key(word), by_key, like=LIKE, numbered=True)
        return by_key[near] if near else ""

    def lacks(self, path: str, subpath: str) -> bool:
        """Whether a note has no such heading or block."""
        outline = self._vault.outline(path) if subpath else None
        return outline is not None and outline.missing(subpath) is not None

    def _backslash(self, link: Link, source: str) -> Remedy | None:
        """`/` for `\\`, where the path then leads to one file."""
        slashed = in_slashes(link.path)
        target = self.leads_to(slashed, source) if slashed != link.path else None
        return Remedy("backslash", target, len(slashed.split("/"))) if target else None

    def _prefix(self, link: Link, source: str) -> Remedy | None:
        """The path without its first folders, where that is the whole path of a file; a `/` alone is one, too (R6).

        It is a guess where the vault has the first of those folders, so that another file may have been meant.
        """
        parts = in_slashes(link.path).split("/")
        certain = not parts[0] or parts[0].startswith(".") or not self._moved_folders.begins_in_vault(parts[0])
        for kept in range(len(parts) - 1, 1, -1):
            found = self._files.at("/".join(parts[-kept:]))
            if found:
                return Remedy("prefix", found, kept, certain=certain)
        target = self.leads_to("/".join(parts[1:]), source) if len(parts) > 2 and not parts[0] else None
        return Remedy("prefix", target, len(parts) - 1) if target else None

    def _alias(self, link: Link, source: str) -> Remedy | None:
        """The one other note that has such an alias, where no file has that name. Embeds are left alone."""
        if link.embed or link.kind not in ("wikilink", "markdown", "property") or self._files.named(link.path):
            return None
        called = self.with_alias(link.path if link.kind == "wikilink" else link.path.removesuffix(".md"))
        if len(called) != 1 or source in called:
            return None
        (target,) = called
        return None if self.lacks(target, link.subpath) else Remedy("alias", target)

    def _moved(self, link: Link, source: str) -> Remedy | None:
        """Return the only file of a link's name, as a guess unless its folder agrees or the whole folder has moved.

        Of several files the one that shares most folders is a guess. None if there is no such file.

        A heading that is missing there is no hindrance: it was looked for in the file that is meant.
        """
        if "/" not in in_slashes(link.path) or "://" in link.path:
            return None
        namesakes = self.named(link.path)
        if len(namesakes) == 1:
            certain = self._moved_folders.are_certain(link.path, source, namesakes[0])
            return Remedy("moved", namesakes[0], 1, moved=True, certain=certain)
        shared = [_shared(file, in_slashes(link.path)) for file in namesakes[:2]]
        is_nearer = len(shared) > 1 and shared[0] > max(shared[1], 1)
        return Remedy("moved", namesakes[0], 1, moved=True, certain=False) if is_nearer else None

    def _picture(self, link: Link, source: str) -> Remedy | None:  # noqa: ARG002 (all rules are asked alike)
        """The only picture of that name with another ending, which is a guess."""
        stem, ending = posixpath.splitext(key(posixpath.basename(in_slashes(link.path))))
        alike = self._pictures.get(stem, []) if link.embed and ending in PICTURES else []
        return Remedy("moved", alike[0], certain=False) if len(alike) == 1 else None

    def _heading(self, path: str, subpath: str) -> Remedy | None:
        """The heading that differs in signs alone, as the converter leaves them out; else the nearest, a guess."""
        last = subpath.rpartition("#")[2]
        same = self._same_in_signs(path, bare(last))
        near = same[0] if len(same) == 1 else self.near_heading(path, subpath)
        before = f"{subpath.rpartition('#')[0]}#" if "#" in subpath else ""
        fits = (one for one in (f"{before}{to_subpath(near)}", to_subpath(near)) if not self.lacks(path, one))
        written = next(fits, "") if near and comparable(near) else ""
        certain = len(same) == 1 and not before and _has_same_numbers(last, near)
        return Remedy("heading-renamed", path, certain=certain, subpath=written) if written else None

    def _headings_of(self, path: str) -> Mapping[str, str]:
        """The headings of a note by their keys."""
        if path not in self._headings:
            anchors = self._vault.facts[path].anchors
            self._headings[path] = by_key(heading.text for heading in anchors.headings)
        return self._headings[path]

    def _same_in_signs(self, path: str, letters: str) -> list[str]:
        """The headings of a note that have these letters and digits, whatever their signs."""
        if path not in self._bare_headings:
            self._bare_headings[path] = group((bare(text), text) for text in self._headings_of(path).values())
        return self._bare_headings[path].get(letters, []) if letters else []

    @cached_property
    def _moved_folders(self) -> MovedFolders:
        return MovedFolders(self._vault, self.named)

    @cached_property
    def _aliases(self) -> dict[str, tuple[str, ...]]:
        called = group((key(alias), facts.path) for facts in self._vault.note_facts for alias in facts.aliases)
        return {alias: tuple(sorted({*notes})) for alias, notes in called.items()}

    @cached_property
    def _pictures(self) -> dict[str, list[str]]:
        """Pictures by their names without the ending."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._files.paths:
            stem, ending = posixpath.splitext(key(posixpath.basename(path)))
            if ending in PICTURES:
                found[stem].append(path)
        return dict(found)


_Rule = Callable[[Link, str], Remedy | None]
"""How a link that leads to no file is to be written instead, in the note of a path."""


def cause_of(link: Link, remedy: Remedy | None, owner: Note | Facts, *, lost: bool) -> str:
    """The cause of a broken link in the note `owner`; `lost` says that no file is there, and not a heading alone."""
    if link.commented:
        return "comment"
    if lost and link.embed and (link.subpath == "card" or _is_deck(owner)):
        return "deck-pictures"
    return remedy.cause if remedy else "other"


def _is_deck(owner: Note | Facts) -> bool:
    classes = owner.property("cssclasses") or owner.property("cssclass")
    return owner.property("vaultkit-deck") is not None or "json5e-deck" in str(classes)


def in_slashes(path: str) -> str:
    """A path with `/` where somebody wrote `\\`."""
    return re.sub(r"\\+", "/", path) if "\\" in path else path


def leaves_vault(path: str, source: str) -> bool:
    """Whether a path climbs above the vault, so that something outside of it is meant."""
    if not path.startswith(".."):
        return False
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)).startswith("..")


def by_key(words: Iterable[str]) -> Mapping[str, str]:
    """Words by what they are compared by, without those that are too long."""
    return {key(word): word for word in sorted(words) if len(word) <= LONGEST}


def _has_same_numbers(written: str, heading: str) -> bool:
    """Return whether a link has the numbers of a heading, with or without signs, as in `1.5` or `10:30`."""
    joined = re.sub(r"(?<=\d)[.:](?=\d)", "", heading)
    return not (are_distinct(written, heading) and are_distinct(written, joined))


def bare(text: str) -> str:
    """The letters and digits of a heading, without all that may be written in another way."""
    return _SIGNS.sub("", key(text))


def _shared(file: str, path: str) -> int:
    """How many parts at the end of a file's path a link's path has, too; the name is one."""
    theirs, ours = key(file).split("/"), key(path).split("/")
    pairs = enumerate(zip(reversed(theirs[:-1]), reversed(ours[:-1]), strict=False))
    return 1 + next((number for number, (one, other) in pairs if one != other), min(len(theirs), len(ours)) - 1)
