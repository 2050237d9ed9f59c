"""Access from a note on a sheet to its vault: pictures, embedded notes and link targets.

Nothing outside the vault is opened.
"""

import posixpath
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from vaultkit.errors import VaultkitError
from vaultkit.sheets.secrecy import NO_SECRETS, Secrets
from vaultkit.sheets.text.note_source import LinkTarget, NoteSource, Strip
from vaultkit.sheets.text.secret_parts import filter_secrets
from vaultkit.sheets.text.stat_block import stat_fence, stat_source, to_yaml
from vaultkit.vault import Note, Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import Link, split_destination, split_wikilink
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.obsidian import note_address
from vaultkit.vault.subpath import comparable_heading, find_heading

_MARKER = "\ufdd2"
"""A Unicode noncharacter that occurs in no text."""
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_CODE_LINK_KINDS = {"dice", "fence", "html"}
"""The kinds of links that are not in the tree of a note, but in the text of its code."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")


@dataclass(frozen=True)
class VaultSource(NoteSource):
    """The access from one note to the files of its vault that it names."""

    _note: Note
    _vault: Vault
    _vault_name: str
    _secrets: Secrets = NO_SECRETS
    _strip: Callable[[str], Strip | None] | None = None

    @cached_property
    def missing_pictures(self) -> dict[str, None]:
        """The pictures that the vault does not have, as they are written in the note, without repeats."""
        return {}

    @property
    def breaks(self) -> bool:
        return self._vault.breaks

    def creature(self, name: str) -> str | None:
        """Return the YAML of a creature's stat block in the vault, or None if there is none.

        The note is found by its own name, or by the name of the creature. Hidden secrets are left out.
        """
        note = self.find_creature(name)
        if note is None or (self._secrets.hidden and self._is_secret_part(note.path)):
            return None
        tree = parse(note.body)
        filter_secrets(tree, self._secrets)
        source = stat_source(note, tree)
        stat_block = Node("CodeBlock", "statblock", [Node("Text", source or "")])
        filter_secrets(Node("Document", children=[stat_block]), self._secrets)
        return stat_block.words() or None

    def example(self, source: str) -> Strip | None:
        """Return the printed form of an example in this note, or None if it cannot be read."""
        return self._strip(source) if self._strip else None

    def find_creature(self, name: str) -> Note | None:
        """Return the note that has a creature's name, or a stat block with this name; None if there is none."""
        path = self._vault.files.resolve(name, self._note.path).path or self._find_creature_note(name)
        return None if path is None else self._read_note(path)

    def _find_creature_note(self, name: str) -> str | None:
        """Return the path of the note with a stat block and this name, or None.

        The name is compared with the property `name`, the title and the aliases, without regard to case.
        """
        statblock_facts = (facts for facts in self._vault.note_facts if facts.property("statblock"))
        names = ((facts, str(facts.property("name"))) for facts in statblock_facts)
        names_by_path = ((facts.path, {name, facts.title, *facts.aliases}) for facts, name in names)
        return next((path for path, names in names_by_path if name.casefold() in map(str.casefold, names)), None)

    def image(self, target: str) -> Path | None:
        """Return the file of a picture that the note names, or None if the vault has no such file."""
        path, _ = self._resolve(target)
        file = self._vault.file_or_none(path) if path else None
        if file is None:
            self.missing_pictures[target] = None
        return file

    def embed(self, target: str) -> str | None:
        """Return the Markdown of an embedded note, or of a section or block of one; None if there is no such part."""
        path, heading = self._resolve(target)
        note = self._read_note(path) if path else None
        return _extract_part(note, heading) if note else None

    def is_secret(self, target: str) -> bool:
        path, subpath = self._resolve(target)
        return self._is_secret_part(path or self._note.path, subpath)

    def _read_note(self, path: str) -> Note | None:
        """Return the note at `path`, or None if it is another kind of file or cannot be read."""
        with suppress(VaultkitError):
            return self._vault.read(path) if is_note(path) else None
        return None

    def _resolve(self, target: str) -> tuple[str | None, str]:
        path, heading = split_destination(target)
        return self._vault.files.resolve(path, self._note.path).path if path else None, heading

    def _is_secret_part(self, path: str, subpath: str = "") -> bool:
        """Return whether the note at `path`, or its part at `subpath`, is a secret.

        If secrets are hidden, a note that cannot be read counts as one.
        """
        if not self._secrets.kinds or not is_note(path):
            return False
        note = self._note if path == self._note.path else self._read_note(path)
        if note is None:
            return self._secrets.hidden
        return self._secrets.is_secret_note(note) or _is_within_secret(note, subpath, self._secrets)

    def link(self, target: str) -> LinkTarget | None:
        """Return the target of an internal link, or None if it is a hidden secret.

        If secrets are hidden, the target has no address.
        """
        path, heading = split_destination(target)
        file_path = self._vault.files.resolve(path, self._note.path).path
        if file_path is None:
            return LinkTarget("missing", title=target)
        if self._secrets.hidden and self._is_secret_part(file_path, heading):
            return None
        if file_path == self._note.path:
            return LinkTarget("here", heading=heading)
        title = posixpath.basename(file_path).removesuffix(".md")
        address = "" if self._secrets.hidden else note_address(self._vault_name, file_path, heading)
        return LinkTarget("note", title=title, path=file_path, heading=heading, href=address)


def find_visible_links(note: Note, secrets: Secrets) -> list[Link]:
    """Return the links of a note; if secrets are hidden, without links in secret parts and comments.

    A note that is a hidden secret has none.
    """
    if not secrets.hidden:
        return list(note.links)
    if secrets.is_secret_note(note):
        return []
    tree = parse(note.body)
    filter_secrets(tree, secrets)
    nodes = list(tree.walk())
    destinations = (node for node in nodes if node.kind in {"Link", "Image"})
    targets = {split_wikilink(node.text)[1:] if node.number else split_destination(node.text) for node in destinations}
    properties = Note(note.path, f"---\n{to_yaml(secrets.sift_properties(note.properties)[0])}\n---\n".encode())
    targets |= {(link.path, link.subpath) for link in properties.links}
    codes = [node.text + node.words() for node in nodes if node.kind in {"CodeBlock", "Code", "Html", "InlineHtml"}]
    code = "\n".join(codes)
    return [
        link
        for link in note.links
        if (link.path, link.subpath) in targets
        or (link.kind in _CODE_LINK_KINDS and not link.commented and note.text[link.start : link.end] in code)
    ]


def _is_within_secret(note: Note, subpath: str, secrets: Secrets) -> bool:
    """Return whether a section or block of a note is a secret, or a part of one.

    A marker is inserted there before parsing; the part is secret if the marker disappears with the secrets.
    """
    if not subpath:
        return False
    offset = _find_offset(note, subpath)
    tree = parse(note.body if offset is None else f"{note.body[:offset]}{_MARKER}{note.body[offset:]}")
    heading_key = comparable_heading(subpath.rpartition("#")[2])
    has_part = offset is not None or heading_key in _heading_keys(tree)  # a heading in a quote has no offset
    filter_secrets(tree, replace(secrets, hidden=True))
    if offset is None:
        return has_part and heading_key not in _heading_keys(tree)
    return not any(_MARKER in node.text for node in tree.walk())


def _heading_keys(tree: Node) -> set[str]:
    return {comparable_heading(node.words()) for node in tree.walk() if node.kind == "Heading"}


def _find_offset(note: Note, subpath: str) -> int | None:
    """Return the offset of a heading's text or of a block's id in the body of a note, or None if there is none."""
    if subpath.startswith("^"):
        match = _block_id_pattern(subpath[1:]).search(note.body)
        return match.start() if match else None
    heading = find_heading(note.headings, subpath) if subpath else None
    return None if heading is None else note.text.find(heading.text, heading.start) - note.body_start


def _extract_part(note: Note, heading: str) -> str | None:
    """Return the Markdown of the section with a heading, or of the block if `heading` begins with `^`.

    An empty heading means the whole note. None means that there is no such part. Block ids inside code are ignored,
    because part of a code block could not be recognized as a secret.
    """
    if heading.startswith("^"):
        return extract_block(note.body, heading[1:]) if heading[1:].lower() in note.blocks else None
    return note.section(heading, with_heading=True) if heading else stat_fence(note) + note.body


def extract_block(body: str, block_id: str) -> str | None:
    """Return the Markdown of the block with the id `block_id` (given without `^`), or None if there is no such id.

    The block is a list item with its children, else a paragraph. An id on a line of its own names the block before it:
    a table, a quote, a whole list.
    """
    lines = body.splitlines()
    id_pattern = _block_id_pattern(block_id)
    line_index = next((n for n, line in enumerate(lines) if id_pattern.search(line)), None)
    if line_index is None:
        return None
    lines[line_index] = id_pattern.sub("", lines[line_index]).rstrip()
    if not lines[line_index].strip():
        last_line = next((n for n in range(line_index, -1, -1) if lines[n].strip()), 0)
        return "\n".join(_paragraph_lines(lines, last_line))
    if _LIST_ITEM.match(lines[line_index]):
        return "\n".join(_item_lines(lines, line_index))
    return "\n".join(_paragraph_lines(lines, line_index))


def _block_id_pattern(block_id: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|(?<=\s))\^{re.escape(block_id)}\s*$", re.IGNORECASE | re.MULTILINE)


def _paragraph_lines(lines: list[str], last: int) -> list[str]:
    start = next((n + 1 for n in range(last, -1, -1) if not lines[n].strip()), 0)
    return lines[start : last + 1]


def _item_lines(lines: list[str], index: int) -> list[str]:
    """Return a list item and the lines below it that are indented further, without the item's own indentation."""
    indent = _indent_width(lines[index])
    end = next((n for n in range(index + 1, len(lines)) if _indent_width(lines[n]) <= indent), len(lines))
    return [line[_indent_width(lines[index]) :] for line in lines[index:end]]


def _indent_width(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 0


def language_of(note: Note) -> str:
    """Return the language in a note's property `lang`, or "" if it has no valid one."""
    language = str(note.property("lang") or "").strip().replace("_", "-")
    return language if _LANGUAGE.fullmatch(language) else ""
