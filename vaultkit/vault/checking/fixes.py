"""Corrections of broken links, found from the text of the link and the files of the vault."""

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from itertools import takewhile

import msgspec

from vaultkit.spelling import are_distinct, find_nearest
from vaultkit.text import group
from vaultkit.vault.checking.folders import MovedFolders, ParallelTrees, TemplateNotes
from vaultkit.vault.checking.similar_names import (
    COMPARISONS_PER_SEARCH,
    MAX_COMPARED_NAMES,
    MAX_NAME_CHARS,
    SimilarNames,
    plain_name,
    plain_words,
)
from vaultkit.vault.conflict_copies import find_conflict_copies
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.resolve import key
from vaultkit.vault.subpath import comparable_heading, to_subpath
from vaultkit.vault.vault import Vault

MIN_SIMILARITY_PERCENT = 70
"""The minimum similarity of two names at which a GM may have written one and meant the other."""
_NON_ALPHANUMERIC = re.compile(r"[\W_]+")


class Remedy(msgspec.Struct, frozen=True):
    """The correction of a broken link: the file `target` that it should lead to, and the `cause` of the fault.

    If `subpath` is not "", the link should lead to that heading in the file. The last `kept_parts` parts of the link's
    path stay as they are written; if the file has `moved`, the folder of its present address is put before them. If
    `kept_parts` is 0, the whole address of the file replaces the path. A correction that is not `certain` is a guess.
    `keeps_text` says that the link should still show the words that were its path.
    """

    cause: str
    target: str
    kept_parts: int = 0
    moved: bool = False
    certain: bool = True
    subpath: str = ""
    keeps_text: bool = False


class RemedyFinder:
    """A finder of corrections for the broken links of one vault.

    It reads aliases, headings and pictures only when they are first needed, and keeps them for further links.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._files = vault.files
        self._left = MAX_COMPARED_NAMES // 10  # names within notes take longer than those of files
        self._headings_of = cache(self._index_headings)
        self._bare_headings_of = cache(self._group_bare_headings)
        self._in_folders: dict[str, Mapping[str, list[str]]] = {}
        self._find_near_heading = cache(self._find_most_similar_heading)

    def find(self, link: Link, source: str, resolution: Resolution) -> Remedy | None:
        """Return the correction of a broken link in the note `source`, by the first rule that finds one, or None."""
        if link.kind == "canvas" or leaves_vault(link.path, source):
            return None
        if resolution.status != "unresolved":
            in_own_tree = self._find_in_own_tree(link, source, resolution)
            if in_own_tree or resolution.status != "no-heading" or not is_note(resolution.path or ""):
                return in_own_tree
            return self._find_heading_remedy(resolution.path or "", link.subpath)
        rules: tuple[_Rule, ...] = (
            self._fix_backslashes,
            self._drop_needless_folders,
            self._fix_signs,
            self._find_by_alias,
            self._find_moved_file,
            self._find_other_ending,
            self._find_longer_name,
            self._find_misspelt,
        )
        remedies = filter(None, (rule(link, source) for rule in rules))
        remedy = next((remedy for remedy in remedies if remedy.target not in self.conflict_copies), None)
        if (
            remedy
            and not remedy.certain
            and (source in self.templates or self.moved_folders.is_lost(link.path, source))
        ):
            return None
        return remedy

    def resolve(self, link: Link, source: str) -> Resolution:
        """Return the target of a link; a link out of a tree whose translation has the same note is ambiguous."""
        resolution = self._vault.resolve(link, source)
        is_clear = resolution.from_anywhere or resolution.status != "ok" or not link.path or "/" in link.path
        is_clear = is_clear or not self.trees.has_translations
        candidates = [] if is_clear else self.files_with_name(link.path)
        if len(candidates) < 2 or not self.trees.are_translations(candidates):
            return resolution
        own_path = self.trees.find_own_candidate(source, candidates)
        if own_path in ("", resolution.path):
            return resolution
        others = tuple(path for path in candidates if path != resolution.path)
        return msgspec.structs.replace(resolution, status="ambiguous", others=others)

    def leads_to(self, path: str, source: str) -> str | None:
        """Return the file that a link with the given path leads to from the note `source`.

        None if there is no such file, if several match equally well, or if the file matches by accident, since the path
        ends like part of a folder's name (R7).
        """
        resolution = self._files.resolve(path, source)
        return resolution.path if resolution.status == "ok" and not resolution.is_partial else None

    def notes_with_alias(self, name: str) -> tuple[str, ...]:
        """Return the paths, sorted, of the notes that have the alias `name`, in any letter case."""
        return self._aliases.get(plain_words(name), ())

    def files_with_name(self, path: str) -> list[str]:
        """Return the files with the name at the end of `path`: first ones in a folder of the same name as in `path`.

        Of these, files whose folders agree with more of `path` come first; all other files follow.
        """
        *folders, name = (slashed := with_slashes(path)).split("/")
        files = [path for path in self._files.find_namesakes(name) if path not in self.conflict_copies]
        if not folders or len(files) < 2:
            return files
        if name not in self._in_folders:
            self._in_folders[name] = group((posixpath.basename(posixpath.dirname(key(file))), file) for file in files)
        same_folder_files = self._in_folders[name].get(key(folders[-1]), [])
        return [
            *dict.fromkeys((*sorted(same_folder_files, key=lambda file: -_count_shared_parts(file, slashed)), *files))
        ]

    def find_near_heading(self, path: str, subpath: str) -> str:
        """Return the heading of the note `path` most similar to the last part of `subpath`, "" if none is."""
        return self._find_near_heading(path, subpath.rpartition("#")[2])

    def _find_most_similar_heading(self, path: str, heading_text: str) -> str:
        return self.find_most_similar(heading_text, self._headings_of(path))

    def find_most_similar(self, word: str, values_by_key: Mapping[str, str]) -> str:
        """Return the value in `index_by_key` whose key is most similar to `word`, or "" if none is similar.

        Also return "" if the word is too long, or once too many names were compared for all links together.
        """
        self._left -= len(values_by_key) + COMPARISONS_PER_SEARCH
        if self._left < 0 or len(word) > MAX_NAME_CHARS:
            return ""
        near = find_nearest(key(word), values_by_key, min_score=MIN_SIMILARITY_PERCENT, numbers_distinguish=True)
        return values_by_key[near] if near else ""

    def lacks_subpath(self, path: str, subpath: str) -> bool:
        """Return whether the note `path` has no heading or block that `subpath` names; an empty subpath needs none."""
        outline = self._vault.outline(path) if subpath else None
        return outline is not None and outline.missing_kind(subpath) is not None

    def _fix_backslashes(self, link: Link, source: str) -> Remedy | None:
        """Return the correction of a path with `\\` to one with `/`, if it then leads to exactly one file."""
        slashed = with_slashes(link.path)
        target = self.leads_to(slashed, source) if slashed != link.path else None
        return Remedy("backslash", target, len(slashed.split("/"))) if target else None

    def _drop_needless_folders(self, link: Link, source: str) -> Remedy | None:
        """Return the correction of a path that is the full path of a file without its first folders (R6).

        A leading `/` is left out, too, if the path then leads to one file. The correction is a guess if the vault has
        the first of the folders, since then another file may have been meant.
        """
        parts = with_slashes(link.path).split("/")
        certain = not parts[0] or parts[0].startswith(".") or not self.moved_folders.begins_in_vault(parts[0])
        for kept_parts in range(min(len(parts) - 1, self._files.depth), 1, -1):
            target_file = self._files.find_path("/".join(parts[-kept_parts:]))
            if target_file:
                return Remedy("prefix", target_file, kept_parts, certain=certain)
        target = self.leads_to("/".join(parts[1:]), source) if len(parts) > 2 and not parts[0] else None
        return Remedy("prefix", target, len(parts) - 1) if target else None

    def _find_by_alias(self, link: Link, source: str) -> Remedy | None:
        """Return the correction to the only other note that has the link's path as an alias.

        None if a file has that name, for an embed, and if that note lacks the link's heading or block.
        """
        if link.embed or link.kind not in _TEXT_KINDS or self._files.find_namesakes(link.path):
            return None
        notes = self.notes_with_alias(link.path if link.kind == "wikilink" else link.path.removesuffix(".md"))
        if len(notes) != 1 or source in notes:
            return None
        (target,) = notes
        return None if self.lacks_subpath(target, link.subpath) else Remedy("alias", target, keeps_text=True)

    def _find_moved_file(self, link: Link, source: str) -> Remedy | None:
        """Return the correction to a file of the same name in another folder, or None.

        If only one file has the name, the correction is certain if its folder agrees or the whole folder has moved, and
        otherwise a guess. If several have it, the one that shares the most folders with the path is a guess; None if
        two share as many. Whether that file has the link's heading does not matter.
        """
        if "/" not in with_slashes(link.path) or "://" in link.path:
            return None
        namesakes = self.files_with_name(link.path)
        if len(namesakes) == 1:
            certain = self.moved_folders.are_certain(link.path, source, namesakes[0])
            return Remedy("moved", namesakes[0], 1, moved=True, certain=certain)
        shared = [_count_shared_parts(file, with_slashes(link.path)) for file in namesakes[:2]]
        is_nearer = len(shared) > 1 and shared[0] > max(shared[1], 1)
        return Remedy("moved", namesakes[0], 1, moved=True, certain=False) if is_nearer else None

    def _fix_signs(self, link: Link, source: str) -> Remedy | None:  # noqa: ARG002 (all rules are asked alike)
        """Return the correction to the only file whose name has another kind of apostrophe, dash or blank.

        It is a guess if the link names another folder than the file's.
        """
        path = with_slashes(link.path)
        targets = self.names.same_words(path)
        if len(targets) != 1 or self._files.find_namesakes(link.path):
            return None
        folders, target_folders = (plain_words(name).split("/")[:-1] for name in (path, targets[0]))
        agrees = not folders or folders == target_folders[-len(folders) :]
        return Remedy("signs", targets[0], certain=agrees)

    def _find_other_ending(self, link: Link, source: str) -> Remedy | None:  # noqa: ARG002 (all rules are asked alike)
        """Return the correction to the only file of the same name with another extension, as a guess."""
        targets = self.names.other_endings(with_slashes(link.path))
        return Remedy("ending", targets[0], certain=False) if len(targets) == 1 else None

    def _find_longer_name(self, link: Link, source: str) -> Remedy | None:
        """Return the correction to the only other note whose name begins with the words of the link, as a guess."""
        if link.embed or link.kind not in _TEXT_KINDS or "/" in link.path or self.files_with_name(link.path):
            return None
        targets = [path for path in self.names.longer_names(link.path) if path != source]
        if len(targets) != 1 or self.lacks_subpath(targets[0], link.subpath):
            return None
        return Remedy("short-name", targets[0], certain=False, keeps_text=True)

    def _find_misspelt(self, link: Link, source: str) -> Remedy | None:
        """Return the correction to the only file whose name differs in few letters, as a guess."""
        path = with_slashes(link.path)
        target = "" if "://" in path or self.files_with_name(path) else self.names.find_misspelt(path)
        if not target or target == source:
            return None
        shorter, longer = sorted((plain_name(path), plain_name(target)), key=len)
        is_inflected = longer.startswith(shorter) and longer[len(shorter) :].isalpha()
        is_same = is_inflected or letters_and_digits(shorter) == letters_and_digits(longer)
        keeps_text = is_same and "/" not in path and link.kind in (*_TEXT_KINDS, "fence")
        return Remedy("misspelt", target, certain=False, keeps_text=keeps_text)

    def _find_in_own_tree(self, link: Link, source: str, resolution: Resolution) -> Remedy | None:
        """Return the correction to the file in the tree of the note `source`, if the link may lead to other trees."""
        candidates = self.tree_candidates(link, resolution)
        target = self.trees.find_own_candidate(source, candidates) if len(candidates) > 1 else ""
        if not target or (target == resolution.path and resolution.status != "ambiguous"):
            return None
        if self.lacks_subpath(target, link.subpath):
            return None
        return Remedy("tree", target, certain=False, keeps_text=link.kind in _TEXT_KINDS)

    def tree_candidates(self, link: Link, resolution: Resolution) -> list[str]:
        """Return the files in several trees of the same notes that a link may lead to; none if it has one target."""
        if resolution.status == "ambiguous":
            candidates = [resolution.path or "", *resolution.others]
        else:
            candidates = self.files_with_name(link.path) if link.path and resolution.path else []
        return candidates if len(candidates) > 1 and self.trees.are_parallel(candidates) else []

    def _find_heading_remedy(self, path: str, subpath: str) -> Remedy | None:
        """Return the correction to the heading of the note `path` that differs from `subpath` in punctuation only.

        Such links come about because the converter leaves out punctuation. If not exactly one heading differs so,
        return the correction to the most similar heading, as a guess, or None if none is similar.
        """
        heading_text = subpath.rpartition("#")[2]
        letters = letters_and_digits(heading_text)
        same_headings = self._bare_headings_of(path).get(letters, []) if letters else []
        nearest_heading = same_headings[0] if len(same_headings) == 1 else self.find_near_heading(path, subpath)
        parent_prefix = f"{subpath.rpartition('#')[0]}#" if "#" in subpath else ""
        usable_subpaths = (
            candidate
            for candidate in (f"{parent_prefix}{to_subpath(nearest_heading)}", to_subpath(nearest_heading))
            if not self.lacks_subpath(path, candidate)
        )
        new_subpath = next(usable_subpaths, "") if nearest_heading and comparable_heading(nearest_heading) else ""
        certain = len(same_headings) == 1 and not parent_prefix and _has_same_numbers(heading_text, nearest_heading)
        return Remedy("heading-renamed", path, certain=certain, subpath=new_subpath) if new_subpath else None

    def _index_headings(self, path: str) -> Mapping[str, str]:
        """Return the headings of the note `path` by their comparison keys."""
        return index_by_key(heading.text for heading in self._vault.facts[path].anchors.headings)

    def _group_bare_headings(self, path: str) -> Mapping[str, list[str]]:
        """Return the headings of the note `path` by their letters and digits."""
        return group((letters_and_digits(text), text) for text in self._headings_of(path).values())

    @cached_property
    def moved_folders(self) -> MovedFolders:
        return MovedFolders(self._vault, self.files_with_name)

    @cached_property
    def conflict_copies(self) -> Mapping[str, str]:
        """The conflict copies of sync programs, to which no link is ever corrected, with their originals."""
        return find_conflict_copies(self._vault)

    @cached_property
    def templates(self) -> TemplateNotes:
        return TemplateNotes(self._vault.root)

    @cached_property
    def names(self) -> SimilarNames:
        """The names of all files except conflict copies and templates."""
        copies = self.conflict_copies
        return SimilarNames(path for path in self._files.paths if path not in copies and path not in self.templates)

    @cached_property
    def trees(self) -> ParallelTrees:
        return ParallelTrees(self._files)

    @cached_property
    def _aliases(self) -> dict[str, tuple[str, ...]]:
        """The paths, sorted, of the notes that have an alias, by its plain words; conflict copies are left out."""
        notes = (facts for facts in self._vault.note_facts if facts.path not in self.conflict_copies)
        paths_by_alias = group((plain_words(alias), facts.path) for facts in notes for alias in facts.aliases)
        return {alias: tuple(sorted({*paths})) for alias, paths in paths_by_alias.items()}


_TEXT_KINDS = frozenset({"wikilink", "markdown", "property"})
"""The kinds of links that can show another text than their path."""
_Rule = Callable[[Link, str], Remedy | None]
"""A function that takes a link to a missing file and the path of the note it is in, and returns the correction."""


def cause_of(link: Link, remedy: Remedy | None, owner: Note | Facts, *, is_missing: bool) -> str:
    """Return a word for the cause of a broken link in the note `owner`.

    `is_missing` says that the file it leads to does not exist; `remedy` is its correction, if there is one.
    """
    if link.commented:
        return "comment"
    if is_missing and link.embed and (link.subpath == "card" or _is_deck(owner)):
        return "deck-pictures"
    return remedy.cause if remedy else "other"


def _is_deck(owner: Note | Facts) -> bool:
    """Return whether a note is a deck, by its property `vaultkit-deck` or its CSS class `json5e-deck`."""
    classes = owner.property("cssclasses") or owner.property("cssclass")
    return owner.property("vaultkit-deck") is not None or "json5e-deck" in str(classes)


def with_slashes(path: str) -> str:
    """Return a path with `/` for each run of `\\`."""
    return re.sub(r"\\+", "/", path) if "\\" in path else path


def leaves_vault(path: str, source: str) -> bool:
    """Return whether a path leads out of the vault, so that a file outside of it is meant."""
    if not path.startswith(".."):
        return False
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)).startswith("..")


def index_by_key(words: Iterable[str]) -> Mapping[str, str]:
    """Return a mapping of comparison keys to the words that have them, without words that are too long to compare."""
    return {key(word): word for word in sorted(words) if len(word) <= MAX_NAME_CHARS}


def _has_same_numbers(link_text: str, heading: str) -> bool:
    """Return whether a link and a heading have the same numbers.

    The link may lack punctuation that the heading has within a number, as in `1.5` or `10:30`.
    """
    joined = re.sub(r"(?<=\d)[.:](?=\d)", "", heading)
    return not (are_distinct(link_text, heading) and are_distinct(link_text, joined))


def letters_and_digits(text: str) -> str:
    """Return the comparison key of a text, reduced to its letters and digits."""
    return _NON_ALPHANUMERIC.sub("", key(text))


def _count_shared_parts(file: str, path: str) -> int:
    """Return how many parts agree at the end of two paths of files with the same name.

    The name counts as one part, even if the paths write its extension differently.
    """
    file_parts, path_parts = key(file).split("/"), key(path).split("/")
    pairs = zip(reversed(file_parts[:-1]), reversed(path_parts[:-1]), strict=False)
    return 1 + len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
