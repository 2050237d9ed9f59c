"""Repairs that need no guess."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from vaultkit.vault.checking import lint
from vaultkit.vault.checking.repairs.base import Names, Repair, WrittenPath, written_path
from vaultkit.vault.links import Link, split_destination, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.places import LINE_END, TextOffsets
from vaultkit.vault.structure import events
from vaultkit.vault.writing.escape import yaml_scalar
from vaultkit.vault.writing.splice import Splice


def space(note: Note, names: Names) -> Iterator[Repair]:
    """`%20` for each space, where the path leads to one file."""
    for passage in lint.spaced_destinations(note, names.files):
        target = names.leads_to(split_destination(passage.text)[0], note.path)
        if target is not None:
            place = (note.places.line(passage.start), note.places.column(passage.start))
            message = f"'{passage.text}' has a space, so that it is no link."
            splice = Splice(passage.start, passage.text, lint.encoded(passage.text))
            yield Repair("link-space", *place, message, splice, target, makes_link=True)


def alias(note: Note, names: Names) -> Iterator[Repair]:
    """`[[Note|The Bird]]`, where exactly one note has that alias and no file that name. Embeds are left alone."""
    tables = cache(partial(_tables, note))
    for link in names.unresolved(note):
        path = written_path(note.text, link)
        if path is None or link.embed or link.kind not in ("wikilink", "markdown", "property"):
            continue
        called = names.with_alias(link.path.removesuffix(".md") if path.encoded else link.path)
        if len(called) != 1 or names.files.named(link.path):
            continue
        (target,) = called
        address = names.address(target, note.path, markdown=path.encoded)
        if address is not None:
            message = f"'{path.text}' is an alias of '{target}'."
            cell = any(start <= link.start < end for start, end in tables())
            splice = _splice(note.text, link, path, address, "\\|" if cell else "|")
            yield Repair("link-unresolved", link.line, link.column, message, splice, target)


def _splice(text: str, link: Link, path: WrittenPath, address: str, bar: str) -> Splice:
    """The address in place of the alias; a wikilink that shows its target goes on showing it."""
    end = link.end - len("]]")
    behind = text[path.end : end]
    if path.encoded or "|" in behind:
        return Splice(path.start, path.text, address)
    shown = " > ".join(filter(None, (path.text, *link.subpath.split("#"))))
    return Splice(path.start, text[path.start : end], f"{address}{behind.rstrip()}{bar}{shown}")


def _tables(note: Note) -> list[tuple[int, int]]:
    """From where to where each table reaches."""
    offset = TextOffsets(note.body, note.body_start)
    spans = [span for event, span in events(note.body) if _begins_table(event)]
    return [(offset(span["start"]), offset(span["end"])) for span in spans]


def _begins_table(event: object) -> bool:
    begun = event.get("Start") if isinstance(event, dict) else None
    return isinstance(begun, dict) and "Table" in begun


def backslash(note: Note, names: Names) -> Iterator[Repair]:
    """`/` for `\\`, where the path then leads to one file."""
    for link in names.unresolved(note):
        path = written_path(note.text, link)
        if path is None:
            continue
        slashed = re.sub(r"(?:\\|%5[Cc])+" if path.encoded else r"\\+", "/", path.text)
        target = names.leads_to(path.reads(slashed), note.path) if slashed != path.text else None
        if target is not None:
            message = f"'{path.text}' is '{slashed}': in links, folders are divided by '/'."
            splice = Splice(path.start, path.text, slashed)
            yield Repair("link-unresolved", link.line, link.column, message, splice, target)


_BEFORE = "---\nlink: "


def brackets(note: Note, names: Names) -> Iterator[Repair]:
    """Quotes around the link, which is repaired too where it needs that, so that one run mends all."""
    for passage in lint.bare_links(note, names.files):
        written = lint.quoted(passage)
        if written is None:
            continue
        place = (note.places.line(passage.start), note.places.column(passage.start))
        message = f"'{passage.text}' without quotes is no link."
        mended, target = _mended(written, note.path, names)
        if mended is None:
            target = names.leads_to(split_wikilink(passage.text[2:-2])[1], note.path) or ""
        splice = Splice(passage.start, passage.text, mended or written)
        yield Repair("property-link", *place, message, splice, target, makes_link=True)


def _mended(written: str, source: str, names: Names) -> tuple[str | None, str]:
    """The link in quotes with whatever repair it needs besides, and where it leads then; None if it needs none."""
    alone = Note(source, f"{_BEFORE}{written}\n---\n".encode())
    for rule in (backslash, alias, moved):
        for repair in rule(alone, names):
            inner = Splice(repair.splice.offset - len(_BEFORE), repair.splice.removed, repair.splice.inserted)
            return inner.apply(written), repair.target
    return None, ""


def moved(note: Note, names: Names) -> Iterator[Repair]:
    """The folder of the only file of that name, in the vault's style; the name stays as it is written.

    A heading that is missing there is no hindrance: it was looked for in the file that is meant.
    """
    for link in names.unresolved(note):
        if "/" not in link.path or "://" in link.path or _leaves_vault(link.path, note.path):
            continue
        path = written_path(note.text, link)
        elsewhere = set(names.files.named(link.path))
        if path is None or len(elsewhere) != 1:
            continue
        target = elsewhere.pop()
        written = _elsewhere(path, names.address(target, note.path, markdown=path.encoded))
        if names.leads_to(path.reads(written), note.path) == target:
            message = f"'{path.text}' now is '{target}'."
            yield Repair(
                "link-unresolved", link.line, link.column, message, Splice(path.start, path.text, written), target
            )


def _leaves_vault(path: str, source: str) -> bool:
    """Whether a path climbs above the vault, so that something outside of it is meant."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)).startswith("..")


def _elsewhere(path: WrittenPath, address: str | None) -> str:
    folder, slash, _ = (address or path.text).rpartition("/")
    return folder + slash + path.text.rpartition("/")[2]


_DASHES = "---"


def place(note: Note) -> Repair | None:
    """`---` alone, at the start, where only white space kept it from that and the properties then can be read.

    It stands apart from the other rules, since it changes what all the rest of the note is.
    """
    for passage in lint.misplaced(note):
        after = moved_up(note, passage.text)
        if passage.text.strip() == _DASHES and after.properties and not after.problems:
            message = "White space stands before the properties, or behind their first '---'."
            return Repair("frontmatter-place", 1, 1, message, Splice(0, passage.text, _DASHES))
    return None


def moved_up(note: Note, opening: str) -> Note:
    """The note with `---` in place of `opening`, with which it begins."""
    return Note(note.path, note.encoded.to_bytes(_DASHES + note.text[len(opening) :]))


def moved_back(repair: Repair, opening: str) -> Repair:
    """A repair of the note that was `moved_up`, as one of the note as it stands."""
    splice = replace(repair.splice, offset=repair.splice.offset + len(opening) - len(_DASHES))
    return replace(repair, line=repair.line + len(LINE_END.findall(opening)), splice=splice)


_TAG = re.compile(r"(?=.*[^\d/])[\w/-]+")


def tags(note: Note, names: Names) -> Iterator[Repair]:  # noqa: ARG001 (all rules are asked alike)
    """`tags: [a, b]`, where all that the commas divide are tags, and `tags: npc`."""
    for passage in lint.hidden_tags(note):
        plain = lint.without_hash(note, passage)
        if plain is not None:
            yield _repair(note, passage, f"'{passage.text}' is a comment, not a tag.", plain)
    text = lint.tag_text(note)
    if text is None or "," not in text.text:
        return
    wanted = [tag.strip() for tag in text.text.strip("\"'").split(",") if tag.strip()]
    if wanted and all(_TAG.fullmatch(tag) for tag in wanted):
        listed = f"[{', '.join(map(yaml_scalar, wanted))}]"
        yield _repair(note, text, f"'{text.text}' is no list of tags.", listed)


def _repair(note: Note, passage: lint.Passage, message: str, written: str) -> Repair:
    place = (note.places.line(passage.start), note.places.column(passage.start))
    return Repair("property-tags", *place, message, Splice(passage.start, passage.text, written))
