"""Causes of broken links in the folders of a vault: moved folders, translations, and folders of templates."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations, starmap
from pathlib import Path

from vaultkit.spelling import are_distinct
from vaultkit.text import group
from vaultkit.vault.obsidian import template_folders
from vaultkit.vault.resolve import Files, key
from vaultkit.vault.vault import Vault

MIN_MOVED_FILES = 2
"""The minimum number of linked files of a missing folder that must be in one other folder for it to count as moved."""
_ORDER_NUMBER = re.compile(r"\d+[\s._)-]+(?=.*[^\W\d_])")
"""A number at the start of a folder's name that orders folders, as in `1. Spells` and `03-Spells`."""


class MovedFolders:
    """A detector of moved folders, from the folders that a vault's links name and where the linked files are now."""

    def __init__(self, vault: Vault, find_namesakes: Callable[[str], Sequence[str]]) -> None:
        self._vault = vault
        self._find_namesakes = find_namesakes
        self._cached_file_folders = cache(self._find_file_folders)
        self._cached_loss = cache(self._are_mostly_unknown)

    def are_certain(self, path: str, source: str, target: str) -> bool:
        """Return whether the link `path` in the note `source` surely means `target`, the only file of that name.

        The link's folder must be missing. Then either its path and that of `target`'s folder must agree, so that one
        has all names of the other in order, or all links into the missing folder must lead to files in one other.
        """
        folder, other_folder = key(written_folder(path, source)), posixpath.dirname(key(target))
        if not folder and path.startswith("/"):  # `/Note` names no folder
            return True
        rules_out_match = folder in self._vault.files.folders or are_distinct(*_distinct_names(folder, other_folder))
        names_agree = not rules_out_match and _do_names_agree(_split_names(folder), _split_names(other_folder))
        return names_agree or self._has_moved(folder, other_folder, posixpath.basename(key(target)).removesuffix(".md"))

    def begins_in_vault(self, path: str) -> bool:
        """Return whether the first folder of a link's path is in the vault's root folder."""
        return key(path.strip("/").partition("/")[0]) in self._vault.files.folders

    def _has_moved(self, folder: str, other_folder: str, name: str) -> bool:
        """Return whether all files that links name in `folder`, among them `name`, are now in `other_folder`.

        Also True if that holds for both paths without the folders that they have in common at the end.
        """
        shorter, shorter_other = _without_common_end(folder, other_folder)
        pairs = {(folder, other_folder), (shorter, shorter_other)} if shorter else {(folder, other_folder)}
        return any(self._have_moved_to(*pair, f"{folder}/{name}") for pair in pairs)

    def _have_moved_to(self, folder: str, other_folder: str, path: str) -> bool:
        moved_files = {path}
        for subfolder, names in self._names_below(folder).items():
            for name, file_folder in self._cached_file_folders(subfolder, names):
                if file_folder != posixpath.join(other_folder, subfolder[len(folder) :].lstrip("/")).rstrip("/"):
                    return False
                moved_files.add(f"{subfolder}/{name}")
        return len(moved_files) >= MIN_MOVED_FILES

    def _names_below(self, folder: str) -> Mapping[str, frozenset[str]]:
        """Return the names of files that links name in a folder and its subfolders, by folder."""
        prefix = f"{folder}/"
        return {
            subfolder: names
            for subfolder, names in self._linked_names.items()
            if subfolder == folder or subfolder.startswith(prefix)
        }

    def _find_file_folders(self, folder: str, names: frozenset[str]) -> tuple[tuple[str, str], ...]:
        """Return pairs of a file's name and the folder where the file is now; "?" if there is no file or several."""
        return tuple((name, self._find_file_folder(f"{folder}/{name}")) for name in sorted(names))

    def _find_file_folder(self, path: str) -> str:
        resolution = self._vault.files.resolve(path, "")
        if resolution.status == "ok" and resolution.path and not resolution.is_partial:
            return posixpath.dirname(key(resolution.path))
        namesakes = self._find_namesakes(path)
        return posixpath.dirname(key(namesakes[0])) if len(namesakes) == 1 else "?"

    def find_missing_folder(self, path: str, source: str) -> str:
        """Return the topmost folder in the link `path` that the vault lacks; "" if it has all of them."""
        if "://" in path:
            return ""
        parts = written_folder(path, source).split("/")
        start = next((index for index, part in enumerate(parts) if part != ".."), 0)
        folders = ("/".join(parts[: depth + 1]) for depth in range(start, len(parts)))
        return next((folder for folder in folders if folder and key(folder) not in self._folder_endings), "")

    def is_lost(self, path: str, source: str) -> bool:
        """Return whether a link leads into a missing folder with files of which the vault lacks most."""
        missing_folder = key(self.find_missing_folder(path, source))
        folders = {missing_folder, key(written_folder(path, source))} if missing_folder else ()
        return any(map(self._cached_loss, folders))

    def _are_mostly_unknown(self, folder: str) -> bool:
        names = {name for names_in_folder in self._names_below(folder).values() for name in names_in_folder}
        return 2 * sum(not self._find_namesakes(name) for name in names) > len(names)

    @cached_property
    def _folder_endings(self) -> frozenset[str]:
        """The keys of the paths of all folders, and of the ends of these paths, which links may name (R7)."""
        parts = (folder.split("/") for folder in self._vault.files.folders)
        return frozenset("/".join(names[start:]) for names in parts for start in range(len(names)))

    @cached_property
    def _linked_names(self) -> Mapping[str, frozenset[str]]:
        """The keys of the names of files that links of the vault name in each folder, by the folder's key."""
        names_by_folder: defaultdict[str, set[str]] = defaultdict(set)
        for facts in self._vault.facts.values():
            for target in facts.targets:
                path = target.partition("#")[0]
                if ("/" in path or "\\" in path) and "://" not in path:
                    name = key(posixpath.basename(path.replace("\\", "/"))).removesuffix(".md")
                    names_by_folder[key(written_folder(path, facts.path))].add(name)
        return {folder: frozenset(names) for folder, names in names_by_folder.items()}


def written_folder(path: str, source: str) -> str:
    """Return the folder that the link `path` in the note `source` names, as it is written."""
    slashed = re.sub(r"\\+", "/", path)
    if slashed.startswith("."):
        slashed = posixpath.normpath(posixpath.join(posixpath.dirname(source), slashed))
    return posixpath.dirname(slashed.strip("/"))


def _split_names(folder: str) -> list[str]:
    """Return the names of the folders in a path, without the numbers that order them."""
    return [
        _ORDER_NUMBER.sub("", name, count=1) if _ORDER_NUMBER.match(name) else name
        for name in folder.split("/")
        if name
    ]


def _do_names_agree(folder_names: Sequence[str], other_names: Sequence[str]) -> bool:
    """Return whether two lists of folder names have the same last name, and one has all names of the other in order."""
    if not folder_names or not other_names or folder_names[-1] != other_names[-1]:
        return False
    shorter, longer = sorted((folder_names, other_names), key=len)
    remaining = iter(longer)
    return all(name in remaining for name in shorter)


def _distinct_names(folder: str, other_folder: str) -> tuple[str, str]:
    """Return, for each of two paths, its folder names that the other path lacks, joined by spaces."""
    names, other_names = _split_names(folder), _split_names(other_folder)
    return " ".join(name for name in names if name not in other_names), " ".join(
        name for name in other_names if name not in names
    )


def _without_common_end(folder: str, other_folder: str) -> tuple[str, str]:
    """Return two paths without the folders that they have in common at the end; the first keeps at least one."""
    parts, other_parts = folder.split("/"), other_folder.split("/")
    while len(parts) > 1 and other_parts and parts[-1] == other_parts[-1]:
        parts.pop()
        other_parts.pop()
    return "/".join(parts), "/".join(other_parts)


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

    def __init__(self, files: Files) -> None:
        self._folders = files.folders
        self._paths = [key(path) for path in files.paths]
        self._cached_agreement = cache(self._have_same_names)

    @cached_property
    def has_translations(self) -> bool:
        """Whether the vault has two folders called after languages in one folder."""
        folders = (folder for folder in self._folders if _words_of(folder) & _LANGUAGES)
        by_parent = group((posixpath.dirname(folder), folder) for folder in folders)
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


_TEMPLATE_WORD = re.compile(
    r"(?:\b|[\d_])templates?(?:\b|[\d_])"
    r"|(?:\A|/)[^\w/]*[\d_]*[^\w/]*(?:vorlagen|plantillas|mod[eè]les|modelli|sjablonen|szablony|шаблоны)/"
)
"""A match in the key of a path with templates; in other languages than English, only the names of folders."""


class TemplateNotes:
    """The notes in the template folders that are set in Obsidian, or below a folder or with a name that says so."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __contains__(self, path: str) -> bool:
        path_key = key(path)
        return path_key.startswith(self._prefixes) or _TEMPLATE_WORD.search(path_key) is not None

    @cached_property
    def _prefixes(self) -> tuple[str, ...]:
        return tuple(key(f"{folder}/") for folder in template_folders(self._root))
