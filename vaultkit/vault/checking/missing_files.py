"""Links to missing files, told apart: missing folders, notes to be written, placeholders of templates, and others."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.fixes import Remedy, RemedyFinder
from vaultkit.vault.checking.similar_names import file_kind
from vaultkit.vault.checking.suggestions import Suggestions
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import Link
from vaultkit.vault.resolve import key

MIN_FOLDER_LINKS = 5
"""The minimum number of links into a missing folder for which the folder is reported, not its files."""
_LETTER = re.compile(r"[^\W\d_]")
_FORBIDDEN_IN_NAME = re.compile(r'[*"<>:|?\\]')
"""A character that Obsidian does not accept in the name of a new note."""

UNWRITTEN = Check("link-unwritten", "remark", cause="unwritten")
FOLDER = Check("folder-missing", "warning", cause="missing-folder")
PLACEHOLDER = Check("link-placeholder", "remark", cause="placeholder")
CHECKS = (UNWRITTEN, FOLDER, PLACEHOLDER)


class LostLink(msgspec.Struct, frozen=True, eq=False):
    """A link to a missing file: its problem, the link, and its remedy, if any.

    `name` is that of the missing note or folder for which the problem stands, "" for any other problem.
    """

    problem: Problem
    link: Link
    remedy: Remedy | None
    name: str = ""

    def as_problem_of(self, check: Check, message: str, hint: str = "", name: str = "") -> "LostLink":
        """Return the link with the problem of another check, which has no remedy."""
        severity, cause = check.severity, check.cause
        problem = replace(self.problem, code=check.code, message=message, hint=hint, severity=severity, cause=cause)
        return LostLink(problem, self.link, None, name)


class MissingFiles:
    """A judge of the links to missing files in one vault."""

    def __init__(self, remedies: RemedyFinder, suggestions: Suggestions) -> None:
        self._remedies = remedies
        self._suggestions = suggestions

    def classify(self, links: Sequence[LostLink]) -> Iterator[LostLink]:
        """Yield each link with its final problem and remedy."""
        lost_folders = {
            link: folder
            for link in links
            if link.remedy is None
            and link.problem.note not in self._remedies.templates
            and (folder := self._remedies.moved_folders.find_missing_folder(link.link.path, link.problem.note))
        }
        link_counts = Counter(map(key, lost_folders.values()))
        for link in links:
            folder = lost_folders.get(link, "")
            is_missing = link_counts[key(folder)] >= MIN_FOLDER_LINKS if folder else False
            yield _as_folder_problem(link, folder) if is_missing else self._judge(link)

    def _judge(self, link: LostLink) -> LostLink:
        """Return a link, of which no folder is missing, with its final problem."""
        path, target = link.link.path, link.link.target
        if link.remedy:
            return link
        if link.problem.note in self._remedies.templates:
            return link.as_problem_of(PLACEHOLDER, f"'{target}' is a placeholder: this is a template.")
        if unzipped_path := self._suggestions.find_unzipped(path):
            hint = f"An unzip program wrote its name as '{unzipped_path}': rename that file."
            return LostLink(replace(link.problem, hint=hint, cause="unzip"), link.link, None)
        if link.problem.hint or not _may_be_note(link.link):
            return LostLink(self._with_hint(link.problem, path), link.link, None)
        hint = self._suggestions.name_hint(path) or "Write the note, or correct the name."
        return link.as_problem_of(UNWRITTEN, f"Nobody has written '{target}' yet.", hint, path)

    @staticmethod
    def _with_hint(problem: Problem, path: str) -> Problem:
        kind = "make the note" if file_kind(path) == "" else "bring the file in"
        return problem if problem.hint else replace(problem, hint=f"Correct the name, or {kind}.")


def _as_folder_problem(link: LostLink, folder: str) -> LostLink:
    message = f"'{link.link.target}' points into '{folder}', a folder that this vault does not have."
    return link.as_problem_of(FOLDER, message, "Bring the folder in, or write its notes.", folder)


def _may_be_note(link: Link) -> bool:
    name = link.path.rpartition("/")[2]
    is_name = bool(_LETTER.search(name)) and file_kind(name) == "" and not _FORBIDDEN_IN_NAME.search(name)
    is_inside = ".." not in link.path.split("/") and (is_note(name) or not link.path.startswith("/"))
    return is_name and is_inside and link.kind not in ("canvas", "dice") and link.subpath != "card"
