"""Links that lead nowhere, or may lead elsewhere than they seem to; and those that need no guess to be mended."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.chosen import Chosen
from vaultkit.vault.checking.repair import Names, Repair, WrittenPath, written_path
from vaultkit.vault.checking.suggestions import Suggestions, leaves_vault
from vaultkit.vault.frontmatter import is_template
from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import key
from vaultkit.vault.structure import elements
from vaultkit.vault.walk import ELSEWHERE
from vaultkit.vault.writing.splice import Splice


def _look(chosen: Chosen) -> Iterator[Problem]:
    """Every link; one that leads to the same place from everywhere is followed once."""
    vault, links = chosen.vault, _Links(chosen)
    sound: set[tuple[str, str]] = set()
    for facts in chosen.counted_facts():
        for link in facts.links:
            chosen.links += 1
            if (link.path, link.subpath) in sound and link.kind != "canvas":
                continue
            found = vault.resolve(link, facts.path)
            if found.status != "ok" or found.accident:
                yield from links.problems(facts.path, link, found)
            elif found.everywhere and not link.path.startswith("."):
                sound.add((link.path, link.subpath))


class _Links:
    """The problems of links that were followed."""

    def __init__(self, chosen: Chosen) -> None:
        self._suggestions = Suggestions(chosen.vault)
        self._lost = chosen.lost
        listed = chosen.vault.listing.problems
        self._elsewhere = tuple(f"{key(item.note)}/" for item in listed if item.code == ELSEWHERE)

    def problems(self, source: str, link: Link, found: Resolution) -> Iterator[Problem]:
        """One, or none for what is no affair of the vault: the web, templates, folders that lie elsewhere (F3)."""
        is_ours = found.status != "external" and not is_template(link.target)
        if is_ours and not f"{key(link.path)}/".startswith(self._elsewhere):
            check, message, hint = self._wrong(source, link, found)
            if check is UNRESOLVED:
                self._lost[source, link.line, link.column, check.code] = link.path
            yield Problem(source, link.line, link.column, check.code, message, hint, check.severity)

    def _wrong(self, source: str, link: Link, found: Resolution) -> tuple[Check, str, str]:
        path = found.path or ""
        match found.status:
            case "unresolved":
                message = f"'{link.target}' leads to no file of this vault."
                return UNRESOLVED, message, self._suggestions.for_file(link.path, source)
            case "no-heading":
                message = f"'{path}' has no heading '{link.subpath}'."
                return HEADING, message, self._suggestions.for_heading(path, link.subpath)
            case "no-block":
                what = "footnote" if link.subpath.startswith("[") else "block"
                message = f"'{path}' has no {what} '{link.subpath}'."
                return BLOCK, message, self._suggestions.for_block(path, link.subpath)
            case "ambiguous":
                others = " or ".join(f"'{other}'" for other in (path, *found.others))
                message = f"'{link.target}' may lead to {others}."
                return AMBIGUOUS, message, "Write the whole path of the one that you mean."
            case _:
                message = f"'{link.path}' leads to '{path}' only because that path happens to end so."
                return PARTIAL, message, f"Write '{path}'."


def repairs(note: Note, names: Names) -> Iterator[Repair]:
    """The repair of each link that leads to no file, where one of the rules has it."""
    rules: tuple[_Rule, ...] = (_backslash, partial(_alias, cache(partial(_tables, note))), _moved)
    for link in names.unresolved(note):
        path = written_path(note.text, link)
        found = (rule(note, link, path, names) for rule in rules) if path else iter(())
        yield from filter(None, [next(filter(None, found), None)])


_Rule = Callable[[Note, Link, WrittenPath, Names], Repair | None]
"""How a link's path, as it is written, is to be written instead; None where that is not certain."""


def _backslash(note: Note, link: Link, path: WrittenPath, names: Names) -> Repair | None:
    """`/` for `\\`, where the path then leads to one file."""
    slashed = re.sub(r"(?:\\|%5[Cc])+" if path.encoded else r"\\+", "/", path.text)
    target = names.leads_to(path.reads(slashed), note.path) if slashed != path.text else None
    if target is None:
        return None
    message = f"'{path.text}' is '{slashed}': in links, folders are divided by '/'."
    return _repair(link, message, Splice(path.start, path.text, slashed), target)


def _alias(
    tables: Callable[[], list[tuple[int, int]]], note: Note, link: Link, path: WrittenPath, names: Names
) -> Repair | None:
    """`[[Note|The Bird]]`, where exactly one note has that alias and no file that name. Embeds are left alone."""
    if link.embed or link.kind not in ("wikilink", "markdown", "property") or names.files.named(link.path):
        return None
    called = names.with_alias(link.path.removesuffix(".md") if path.encoded else link.path)
    target = next(iter(called)) if len(called) == 1 else None
    address = names.address(target, note.path, markdown=path.encoded) if target else None
    if target is None or address is None:
        return None
    in_cell = any(start <= link.start < end for start, end in tables())
    splice = _showing(note.text, link, path, address, "\\|" if in_cell else "|")
    return _repair(link, f"'{path.text}' is an alias of '{target}'.", splice, target)


def _moved(note: Note, link: Link, path: WrittenPath, names: Names) -> Repair | None:
    """The folder of the only file of that name, in the vault's style; the name stays as it is written.

    A heading that is missing there is no hindrance: it was looked for in the file that is meant.
    """
    elsewhere = set(names.files.named(link.path))
    if "/" not in link.path or "://" in link.path or leaves_vault(link.path, note.path) or len(elsewhere) != 1:
        return None
    (target,) = elsewhere
    folder, slash, _ = (names.address(target, note.path, markdown=path.encoded) or path.text).rpartition("/")
    written = folder + slash + path.text.rpartition("/")[2]
    if names.leads_to(path.reads(written), note.path) != target:
        return None
    splice = Splice(path.start, path.text, written)
    return _repair(link, f"'{path.text}' now is '{target}'.", splice, target, f"It lies in '{target}'")


def _repair(link: Link, message: str, splice: Splice, target: str, promise: str = "") -> Repair:
    return Repair(UNRESOLVED.code, link.line, link.column, message, splice, target, promise=promise)


def _showing(text: str, link: Link, path: WrittenPath, address: str, bar: str) -> Splice:
    """The address in place of the alias; a wikilink that shows its target goes on showing it."""
    end = link.end - len("]]")
    behind = text[path.end : end]
    if path.encoded or "|" in behind:
        return Splice(path.start, path.text, address)
    shown = " > ".join(filter(None, (path.text, *link.subpath.split("#"))))
    return Splice(path.start, text[path.start : end], f"{address}{behind.rstrip()}{bar}{shown}")


def _tables(note: Note) -> list[tuple[int, int]]:
    """From where to where each table reaches."""
    return [(start, end) for _, start, end in elements(note.body, note.body_start, {"Table"})]


UNRESOLVED = Check("link-unresolved", in_vault=_look, repair=repairs)
HEADING = Check("link-heading", in_vault=_look)
BLOCK = Check("link-block", in_vault=_look)
AMBIGUOUS = Check("link-ambiguous", "warning", in_vault=_look)
PARTIAL = Check("link-partial", "warning", in_vault=_look)

CHECKS = (UNRESOLVED, HEADING, BLOCK, AMBIGUOUS, PARTIAL)
