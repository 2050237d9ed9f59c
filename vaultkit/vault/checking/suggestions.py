"""Hints for broken links: the correction, or the most similar file, heading or block."""

import posixpath
import re
from collections.abc import Mapping
from functools import cache, cached_property

from vaultkit.spelling import suggest_names
from vaultkit.vault.checking.fixes import Remedy, RemedyFinder, index_by_key, leaves_vault, with_slashes
from vaultkit.vault.checking.similar_names import plain_name
from vaultkit.vault.file_names import unescape_unzipped
from vaultkit.vault.links import Link
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.resolve import key
from vaultkit.vault.subpath import comparable_heading, to_subpath
from vaultkit.vault.vault import Vault

_DOMAIN = re.compile(
    r"(?:www\.)?(?:[a-z0-9-]+\.)+(?:com|org|net|io|edu|gov|info|biz|eu|uk|de|fr|it|es|nl|pl|br|ca|au|us|gg|tv|wiki)"
    r"(?:[/?:].*)?|www\..+",
    re.IGNORECASE,
)
_MAIL = re.compile(r"[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}", re.IGNORECASE)


MAX_SUGGESTED_NAMES = 3


class Suggestions:
    """A maker of hints for broken links in one vault."""

    def __init__(self, vault: Vault, remedies: RemedyFinder) -> None:
        self._vault = vault
        self._remedies = remedies
        self._cached_file_hint = cache(self._find_file_hint)
        self._cached_blocks = cache(self._find_blocks)

    def file_hint(self, link: Link, source: str, remedy: Remedy | None) -> str:
        """Return the hint for a link to a missing file, "" if nothing in the vault is like it.

        The hint names the target of the remedy, a file with the name of the link, or a note with that alias.
        """
        if remedy is not None:
            return remedy_hint(link, remedy)
        if leaves_vault(link.path, source):
            return "It leads out of the vault, which is not searched; bring the file in."
        return self._alias_hint(link, source) or self._cached_file_hint(link.path)

    def heading_hint(self, path: str, subpath: str) -> str:
        """Return the hint for a link to a heading `subpath` that the note at `path` does not have."""
        nearest_heading = self._remedies.find_near_heading(path, subpath)
        if nearest_heading and comparable_heading(nearest_heading) == comparable_heading(subpath.rpartition("#")[2]):
            return f"It has that heading in another place; write '#{to_subpath(nearest_heading)}'."
        if nearest_heading:
            return suggest_names(nearest_heading)
        for problem in self._vault.facts[path].problems:
            if problem.code == "html-heading" and comparable_heading(subpath) in comparable_heading(problem.message):
                return f"Line {problem.line} belongs to the HTML above it: put a blank line before it."
        return "Correct the heading's name, or give the note such a heading."

    def block_hint(self, path: str, subpath: str) -> str:
        """Return the hint for a link to a block or footnote `subpath` that the note at `path` does not have."""
        nearest_name = self._remedies.find_most_similar(subpath, self._cached_blocks(path))
        nearest_hint = suggest_names(nearest_name) if nearest_name else ""
        if subpath.startswith("["):
            return nearest_hint or f"Correct the footnote's name, or write the footnote: {subpath}: its text."
        return nearest_hint or f"Correct the id, or put '{subpath}' at the end of the block that is meant."

    def _find_blocks(self, path: str) -> Mapping[str, str]:
        """Return the block ids and footnotes of a note, as links write them, by their keys."""
        anchors = self._vault.facts[path].anchors
        footnotes = (f"[^{note}]" for note in anchors.footnotes)
        return index_by_key((*(f"^{block}" for block in anchors.blocks), *footnotes))

    def _alias_hint(self, link: Link, source: str) -> str:
        """Return a hint at a note, other than `source`, that has the link's name as an alias, or ""."""
        notes = self._remedies.notes_with_alias(posixpath.basename(with_slashes(link.path)))
        note, display_text = next((note for note in notes if note != source), ""), link.target.replace("#", " > ")
        if not note or self._remedies.files_with_name(link.path):
            return ""
        if self._remedies.lacks_subpath(note, link.subpath):
            return f"That is an alias of '{note}', which has no '{link.subpath}'."
        heading = f"#{link.subpath}" if link.subpath else ""
        return f"That is an alias; write [[{posixpath.basename(note).removesuffix('.md')}{heading}|{display_text}]]."

    def _find_file_hint(self, link_path: str) -> str:
        if same_name_paths := self._remedies.files_with_name(link_path):
            return suggest_names(same_name_paths[0])
        if address := _to_web_address(link_path):
            return f"Write an address of the web as [text]({address})."
        return ""

    def name_hint(self, link_path: str) -> str:
        """Return a hint at notes that begin with the words of a link, or a folder or heading of its name, or ""."""
        if paths := self._remedies.names.longer_names(link_path):
            return suggest_names(*map(name_of, paths)) if len(paths) <= MAX_SUGGESTED_NAMES else ""
        if key(link_path.strip("/")) in self._folder_keys:
            return "That is a folder; a link leads to a note or another file."
        heading = self._headings.get(comparable_heading(link_path))
        return f"That is a heading; write [[{name_of(heading[0])}#{to_subpath(heading[1])}]]." if heading else ""

    def find_unzipped(self, link_path: str) -> str:
        """Return the file that has the link's name, except that an unzip program changed its accents, or ""."""
        return self._unzipped_paths.get(plain_name(link_path), "")

    @cached_property
    def _unzipped_paths(self) -> Mapping[str, str]:
        """The paths with escaped characters such as `#U00e3`, by their plain names without the escapes."""
        return {plain_name(unescape_unzipped(path)): path for path in self._vault.files.paths if "#" in path}

    @cached_property
    def _folder_keys(self) -> frozenset[str]:
        """The keys of the full paths of folders, and of their names alone."""
        paths = {posixpath.dirname(key(path)) for path in self._vault.files.paths}
        return frozenset(paths | {posixpath.basename(path) for path in paths}) - {""}

    @cached_property
    def _headings(self) -> Mapping[str, tuple[str, str] | None]:
        """The note and text of each heading by its comparable text; None for one that the vault has more than once."""
        headings: dict[str, tuple[str, str] | None] = {}
        notes = (facts for facts in self._vault.note_facts if facts.path not in self._remedies.conflict_copies)
        for facts in notes:
            for heading in facts.anchors.headings:
                text = comparable_heading(heading.text)
                headings[text] = None if text in headings else (facts.path, heading.text)
        return headings


def remedy_hint(link: Link, remedy: Remedy) -> str:
    """Return the hint with the correction of a link.

    A remedy with the cause "tree" leads to the file in the same one of several equal trees of notes, such as
    translations; one with the cause "signs" leads to a name with other apostrophes, quotes or dashes.
    """
    if remedy.keeps_text:
        heading, display_text = f"#{link.subpath}" if link.subpath else "", link.target.replace("#", " > ")
        name = remedy.target if remedy.cause == "tree" else posixpath.basename(remedy.target)
        beginnings = {"alias": "That is an alias; write", "tree": "In the tree of this note, that is"}
        beginning = beginnings.get(remedy.cause, f"{suggest_names(name_of(remedy.target))} Then write")
        return f"{beginning} [[{name.removesuffix('.md')}{heading}|{display_text}]]."
    kept_path = "/".join(with_slashes(link.path).split("/")[-remedy.kept_parts :]) if remedy.kept_parts else ""
    hints = {
        "backslash": f"Write '{kept_path}': in links, folders are separated by '/'.",
        "prefix": f"Write '{kept_path}': it is there.",
    }
    if remedy.certain:
        hints["signs"] = f"The file's name has other characters: '{remedy.target}'."
    return hints.get(remedy.cause) or suggest_names(remedy.target)


def _to_web_address(path: str) -> str:
    """Return a web or mail address with its scheme, or "" if the path is no address."""
    if "://" in path:
        return path
    if _MAIL.fullmatch(path):
        return f"mailto:{path}"
    return f"https://{path}" if _DOMAIN.fullmatch(path) else ""
