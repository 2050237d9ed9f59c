"""Checks and repairs of links whose target is missing or ambiguous."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

import msgspec

from vaultkit.errors import Problem
from vaultkit.spelling import did_you_mean
from vaultkit.text import format_count
from vaultkit.vault.checking.check import MAX_PROBLEMS, TOO_MANY_CODE, Check
from vaultkit.vault.checking.fixes import Remedy, RemedyFinder, cause_of
from vaultkit.vault.checking.repair import Repair, RepairContext, WrittenPath, written_path, written_subpath
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.checking.similar_names import file_kind
from vaultkit.vault.checking.suggestions import Suggestions, remedy_hint
from vaultkit.vault.dialect import elements
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.frontmatter import is_template
from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.resolve import key
from vaultkit.vault.walk import FOLDER_LINK_CODE
from vaultkit.vault.writing.splice import Splice

MIN_FOLDER_LINKS = 5
"""The minimum number of links into a missing folder for which the folder is reported, not its files."""
_LETTER = re.compile(r"[^\W\d_]")
_FORBIDDEN_IN_NAME = re.compile(r'[*"<>:|?\\]')
"""A character that Obsidian does not accept in the name of a new note."""

UNWRITTEN = Check("link-unwritten", "remark", cause="unwritten")
MISSING_FOLDER = Check("folder-missing", "warning", cause="missing-folder")
PLACEHOLDER = Check("link-placeholder", "remark", cause="placeholder")
_MISSING_FILE_CHECKS = (UNWRITTEN, MISSING_FOLDER, PLACEHOLDER)


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


class MissingFileClassifier:
    """A classifier of the links to missing files in one vault."""

    def __init__(self, remedies: RemedyFinder, suggestions: Suggestions) -> None:
        self._remedies = remedies
        self._suggestions = suggestions

    def classify(self, links: Sequence[LostLink]) -> Iterator[LostLink]:
        """Yield each link with its final problem and remedy."""
        find_folder, templates = self._remedies.moved_folders.find_missing_folder, self._remedies.templates
        unsolved_links = (link for link in links if link.remedy is None and link.problem.note not in templates)
        lost_folders = {link: find_folder(link.link.path, link.problem.note) for link in unsolved_links}
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
        return link.as_problem_of(UNWRITTEN, f"'{target}' has not been written yet.", hint, path)

    @staticmethod
    def _with_hint(problem: Problem, path: str) -> Problem:
        kind = "make the note" if file_kind(path) == "" else "bring the file in"
        return problem if problem.hint else replace(problem, hint=f"Correct the name, or {kind}.")


def _as_folder_problem(link: LostLink, folder: str) -> LostLink:
    message = f"'{link.link.target}' points into '{folder}', a folder that this vault does not have."
    return link.as_problem_of(MISSING_FOLDER, message, "Bring the folder in, or write its notes.", folder)


def _may_be_note(link: Link) -> bool:
    name = link.path.rpartition("/")[2]
    is_name = bool(_LETTER.search(name)) and file_kind(name) == "" and not _FORBIDDEN_IN_NAME.search(name)
    is_inside = ".." not in link.path.split("/") and (is_note(name) or not link.path.startswith("/"))
    return is_name and is_inside and link.kind not in ("canvas", "dice") and link.subpath != "card"


WrongTargets = Mapping[str, set[str]]
"""The wrong targets of links, by the paths of the notes that have any."""


def find_problems(scope: CheckScope, find_late: Callable[[], WrongTargets] | None = None) -> Iterator[Problem]:
    """Yield the problems of all links in the scope.

    Distinct targets are checked first; only notes with a wrong target have their links checked one by one. `find_late`
    returns the result of `find_late_targets`, which another process may compute.
    """
    link_problems, late_start = _LinkProblems(scope), _late_start(scope)
    late_targets: WrongTargets = {}
    for index, facts in enumerate(scope.facts_with_progress()):
        scope.links += facts.link_count
        if index == late_start:
            late_targets = find_late() if find_late else find_late_targets(scope)
        is_late = index >= late_start
        wrong_targets = late_targets.get(facts.path, ()) if is_late else link_problems.find_wrong_targets(facts)
        links = facts.links if wrong_targets or not is_note(facts.path) else ()
        wrong_links = [link for link in links if link.target in wrong_targets or link.kind == "canvas"]
        for link in wrong_links[: MAX_PROBLEMS.maximum]:
            yield from link_problems.problems(facts, link)
        if len(wrong_links) > MAX_PROBLEMS.maximum:
            yield MAX_PROBLEMS.problem(facts.path, TOO_MANY_CODE)
    yield from link_problems.missing_file_problems()
    yield from link_problems.comment_problems()


def find_late_targets(scope: CheckScope) -> WrongTargets:
    """Return the wrong targets in the second half of the notes."""
    link_problems = _LinkProblems(scope)
    late_facts = islice(scope.facts, _late_start(scope), None)
    return {facts.path: targets for facts in late_facts if (targets := link_problems.find_wrong_targets(facts))}


def _late_start(scope: CheckScope) -> int:
    """Return the index of the first note in the second half."""
    return len(scope.notes) // 2


def _is_wrong(resolution: Resolution) -> bool:
    return resolution.status != "ok" or resolution.is_partial


class _LinkProblems:
    """A finder of the problems of single links, which counts problems in comments."""

    def __init__(self, scope: CheckScope) -> None:
        self._scope = scope
        self._remedies = RemedyFinder(scope.vault)
        self._suggestions = Suggestions(scope.vault, self._remedies)
        self._problems_in_comments: dict[str, tuple[Problem, int]] = {}
        self._lost_links: list[LostLink] = []
        self._right_targets: set[str] = set()
        """The targets that are right in links from any note."""
        listing_problems = scope.vault.listing.problems
        self._linked_folders = tuple(f"{key(item.note)}/" for item in listing_problems if item.code == FOLDER_LINK_CODE)

    def find_wrong_targets(self, facts: Facts) -> set[str]:
        """Return the targets of a note's links that are wrong."""
        return {target for target in facts.targets - self._right_targets if self._is_wrong_target(target, facts.path)}

    def _is_wrong_target(self, target: str, source: str) -> bool:
        path, _, subpath = target.partition("#")
        resolution = self._scope.vault.follow(path, subpath, source)
        if resolution.from_anywhere and not (_is_wrong(resolution) or path.startswith(".")):
            self._right_targets.add(target)
        return _is_wrong(resolution) or (not resolution.from_anywhere and self._remedies.trees.has_translations)

    def problems(self, owner: Facts, link: Link) -> Iterator[Problem]:
        """Yield the problem of a link that is wrong; none for web addresses, templates and linked folders (F3).

        A link to a missing file is kept for `missing_file_problems`, a problem in a comment is counted for
        `comment_problems` instead.
        """
        resolution = self._remedies.resolve(link, owner.path)
        is_reported = _is_wrong(resolution) and resolution.status != "external" and not is_template(link.target)
        if not is_reported or f"{key(link.path)}/".startswith(self._linked_folders):
            return
        remedy = self._remedies.find(link, owner.path, resolution)
        problem = self._make_problem(owner, link, resolution, remedy)
        if not link.commented and problem.code == UNRESOLVED.code:
            self._lost_links.append(LostLink(problem, link, remedy))
            return
        if remedy is not None:
            self._scope.remedies[problem.place] = remedy
        if link.commented:
            first_problem, more_count = self._problems_in_comments.get(problem.code, (problem, -1))
            self._problems_in_comments[problem.code] = first_problem, more_count + 1
        else:
            yield problem

    def missing_file_problems(self) -> Iterator[Problem]:
        """Yield the problems of links to missing files, which are judged together."""
        for link in MissingFileClassifier(self._remedies, self._suggestions).classify(self._lost_links):
            if link.remedy is not None:
                self._scope.remedies[link.problem.place] = link.remedy
            if link.name:
                self._scope.lost[link.problem.place] = link.name
            yield link.problem

    def comment_problems(self) -> Iterator[Problem]:
        """Yield one problem for each kind of wrong link in comments, at the first such link, with a count (S7)."""
        for problem, more_count in self._problems_in_comments.values():
            suffix = (
                f"So do {format_count(more_count, 'more link')} in comments" if more_count else "It is in a comment"
            )
            yield replace(problem, message=f"{problem.message} {suffix}, unseen.", severity="warning")

    def _make_problem(self, owner: Facts, link: Link, resolution: Resolution, remedy: Remedy | None) -> Problem:
        check, message, hint = self._describe_problem(owner.path, link, resolution, remedy)
        cause = cause_of(link, remedy, owner, is_missing=check is UNRESOLVED)
        if cause == "other" and self._remedies.tree_candidates(link, resolution):
            cause = "tree"
        cause = check.cause if cause == "other" else cause
        return Problem(owner.path, link.line, link.column, check.code, message, hint, check.severity, cause)

    def _describe_problem(
        self, source: str, link: Link, resolution: Resolution, remedy: Remedy | None
    ) -> tuple[Check, str, str]:
        path = resolution.path or ""
        match resolution.status:
            case "no-heading" if not is_note(path):
                message = f"'{path}' has no view '{link.subpath}'."
                return VIEW, message, did_you_mean(link.subpath, self._scope.vault.views(path) or ())
            case "unresolved":
                message = f"'{link.target}' points to a file that is not in this vault."
                return UNRESOLVED, message, self._suggestions.file_hint(link, source, remedy)
            case "no-heading":
                message = f"'{path}' has no heading '{link.subpath}'."
                hint = self._suggestions.heading_hint(path, link.subpath)
                return HEADING, message, remedy_hint(link, remedy) if remedy and not remedy.subpath else hint
            case "no-block":
                target_kind = "footnote" if link.subpath.startswith("[") else "block"
                message = f"'{path}' has no {target_kind} '{link.subpath}'."
                return BLOCK, message, self._suggestions.block_hint(path, link.subpath)
            case "ambiguous":
                quoted_paths = " or ".join(f"'{other}'" for other in (path, *resolution.others))
                message = f"'{link.target}' may lead to {quoted_paths}."
                hint = "Write the whole path of the one that you mean."
                return AMBIGUOUS, message, remedy_hint(link, remedy) if remedy else hint
            case _:
                message = f"'{link.path}' leads to '{path}' only because that path happens to end so."
                return PARTIAL, message, f"Write '{path}'."


def repairs(note: Note, context: RepairContext) -> Iterator[Repair]:
    """Yield the repair of each link to a missing file or heading that has a remedy, of as many as are reported."""
    link_repairer = _LinkRepairer(note, context)
    for link, resolution in islice(context.find_broken_links(note), MAX_PROBLEMS.maximum):
        path = written_path(note.text, link)
        remedy = context.find(link, note.path, resolution) if path else None
        if path and remedy:
            yield from link_repairer.repairs(link, path, remedy, _CHECKS_BY_STATUS[resolution.status])


def repair_link(before: str, link_text: str, source: str, context: RepairContext, after: str = "\n") -> tuple[str, str]:
    """Return a link's text after its first certain repair, if any, and the vault path of its target, "" for none.

    `before` and `after` are the texts around the link in the note `source`.
    """
    link_note = Note(source, f"{before}{link_text}{after}".encode())
    for repair in (repair for repair in repairs(link_note, context) if repair.certain):
        link_splice = Splice(repair.splice.offset - len(before), repair.splice.removed, repair.splice.inserted)
        return link_splice.apply(link_text), repair.target
    return link_text, next((context.leads_to(link.path, source) or "" for link in link_note.links), "")


class _LinkRepairer:
    """A maker of repairs for the links of one note, from their remedies."""

    def __init__(self, note: Note, context: RepairContext) -> None:
        self._note = note
        self._context = context

    def repairs(self, link: Link, path: WrittenPath, remedy: Remedy, check: Check) -> Iterator[Repair]:
        """Yield the repair of one link, or nothing if no text for the link would lead to the remedy's target."""
        splice, message = (
            self._repair_heading(link, path, remedy) if remedy.subpath else self._repair_path(link, path, remedy)
        )
        if splice is not None:
            move_hint = f"It is in '{remedy.target}'" if remedy.moved else ""
            cause = cause_of(link, remedy, self._note, is_missing=check is UNRESOLVED)
            repair = Repair(check.code, link.line, link.column, message, splice, remedy.target, hint=move_hint)
            yield msgspec.structs.replace(repair, cause=cause, certain=remedy.certain, subpath=remedy.subpath)

    def _repair_heading(self, link: Link, path: WrittenPath, remedy: Remedy) -> tuple[Splice | None, str]:
        """Return the splice that corrects a link's heading, None if that is impossible, and the repair's message."""
        subpath_splice = written_subpath(self._note.text, link, path)
        encoded = _CHARACTER_TO_ENCODE.sub(lambda sign: f"%{ord(sign[0]):02X}", remedy.subpath)
        inserted = encoded if path.encoded else remedy.subpath
        message = f"'{link.subpath}' is the heading '{remedy.subpath}'."
        return (msgspec.structs.replace(subpath_splice, inserted=inserted) if subpath_splice else None), message

    def _repair_path(self, link: Link, path: WrittenPath, remedy: Remedy) -> tuple[Splice | None, str]:
        """Return the splice that corrects a link's path, None if that is impossible, and the repair's message.

        A link that uses an alias as its path still shows the alias afterwards.
        """
        needs_address = remedy.moved or not remedy.kept_parts
        address = (
            self._context.link_address(remedy.target, self._note.path, markdown=path.encoded) if needs_address else ""
        )
        if address is None:
            return None, ""
        if remedy.keeps_text:
            message = (
                f"'{path.text}' {'is an alias of' if remedy.cause == 'alias' else 'probably means'} '{remedy.target}'."
            )
            return _keep_text(self._note.text, link, path, address, self._bar_text(link)), message
        new_path = _join_kept_parts(path, remedy, address)
        leads_to_target = self._context.leads_to(path.read_as(new_path), self._note.path) == remedy.target
        return (Splice(path.start, path.text, new_path) if leads_to_target else None), _path_message(
            path.text, new_path, remedy
        )

    def _bar_text(self, link: Link) -> str:
        return "\\|" if any(start <= link.start < end for start, end in self._table_spans) else "|"

    @cached_property
    def _table_spans(self) -> list[tuple[int, int]]:
        """The start and end offsets of each table."""
        return [(start, end) for _, start, end in elements(self._note.body, self._note.body_start, {"Table"})]


def _join_kept_parts(path: WrittenPath, remedy: Remedy, address: str) -> str:
    """Return the corrected path: the folder of the new address, then the last parts of the written path."""
    if not remedy.kept_parts:
        return address
    parts = re.sub(r"(?:\\|%5[Cc])+" if path.encoded else r"\\+", "/", path.text).split("/")
    folder, slash, _ = address.rpartition("/") if remedy.moved else ("", "", "")
    return folder + slash + "/".join(parts[-remedy.kept_parts :])


def _path_message(before: str, after: str, remedy: Remedy) -> str:
    """Return the message for the repair of a link's path."""
    if remedy.cause == "backslash":
        return f"'{before}' is '{after}': in links, folders are separated by '/'."
    if remedy.cause == "prefix":
        return f"'{before}' is '{after}', without the folder before it."
    return f"'{before}' now is '{remedy.target}'."


_CHARACTER_TO_ENCODE = re.compile(r'[ %()<>\[\]\\`"|]')


def _keep_text(text: str, link: Link, path: WrittenPath, address: str, bar: str) -> Splice:
    """Return the splice that replaces a path by an address; a wikilink without display text then shows the old path."""
    end = link.end - len("]]")
    text_after_path = text[path.end : end]
    if path.encoded or link.embed or "|" in text_after_path:
        return Splice(path.start, path.text, address)
    display_text = " > ".join(filter(None, (path.text, *link.subpath.split("#"))))
    return Splice(path.start, text[path.start : end], f"{address}{text_after_path.rstrip()}{bar}{display_text}")


UNRESOLVED = Check("link-unresolved", in_vault=find_problems, repair=repairs)
HEADING = Check("link-heading", in_vault=find_problems, repair=repairs, cause="heading-renamed")
BLOCK = Check("link-block", in_vault=find_problems, repair=repairs)
VIEW = Check("link-view", in_vault=find_problems)
AMBIGUOUS = Check("link-ambiguous", "warning", in_vault=find_problems, repair=repairs)
PARTIAL = Check("link-partial", "warning", in_vault=find_problems)

_CHECKS_BY_STATUS = {"unresolved": UNRESOLVED, "no-heading": HEADING, "no-block": BLOCK, "ambiguous": AMBIGUOUS}
CHECKS = (UNRESOLVED, HEADING, BLOCK, VIEW, AMBIGUOUS, PARTIAL, *_MISSING_FILE_CHECKS)
