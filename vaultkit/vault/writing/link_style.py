"""A writer of links in the style that is set in the vault (R9); each link is parsed again before it is used."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import Link
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import Files, key
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.escape import clean_line, escape_markdown, escape_property

Format = Literal["shortest", "relative", "absolute"]
_FORMATS: tuple[Format, ...] = ("shortest", "relative", "absolute")
_NOT_IN_WIKILINK = re.compile(r"[\[\]#^|:\\`<>\r\n]|%%")
_CHARACTER_TO_ENCODE = re.compile(r'[ %()<>\[\]\\`"|^*\r\n]')


class LinkStyle(msgspec.Struct, frozen=True):
    """The user's settings for links in Obsidian: the format of paths, and whether links are Markdown links."""

    format: Format = "shortest"
    markdown: bool = False

    @classmethod
    def from_settings(cls, app: Mapping[str, object]) -> "LinkStyle":
        """Return the style set in `.obsidian/app.json`, with Obsidian's defaults for missing or unknown values."""
        name = app.get("newLinkFormat")
        link_format = next((known_format for known_format in _FORMATS if known_format == name), _FORMATS[0])
        return cls(link_format, app.get("useMarkdownLinks") is True)


class Linker:
    """A writer of links to the files of a vault, and to `new_files` that do not exist yet."""

    def __init__(self, vault: Vault, new_files: Iterable[str] = (), style: LinkStyle | None = None) -> None:
        self.style = style or LinkStyle.from_settings(vault.app_settings)
        files = vault.files
        new_paths = [path for path in new_files if path not in files]
        self._files = Files((*files.paths, *new_paths)) if new_paths else files
        self._name_counts = Counter(key(posixpath.basename(path)) for path in self._files.paths)

    def link(self, target: str, source: str, display_text: str = "", subpath: str = "", table: bool = False) -> str:
        """Return a link in the note `source` to the file `target`, or plain text if no link can be written.

        No link can be written to "" or to some file names, such as those with `#`. `subpath` is the part after the `#`,
        as `to_subpath` makes it from a heading. With `table`, the bar is escaped, as a table cell requires.
        """
        text = clean_line(display_text or subpath.rpartition("#")[2] or _stem(target))
        for spelling in self._link_spellings(target, source, text, subpath, self.style.markdown) if target else ():
            if self._leads_to_target(spelling, target, source, subpath):
                return spelling.replace("|", "\\|") if table and spelling.startswith("[[") else spelling
        return escape_markdown(text)

    def property_link(self, target: str, source: str, display_text: str) -> str:
        """Return a wikilink for a property, in any link style of the vault, or the text if no link can be written."""
        for path in self._link_paths(target, source) if target else ():
            spelling = _format_wikilink(path, "", clean_line(display_text))
            if spelling and self._leads_to_target(spelling, target, source, ""):
                return spelling
        return escape_property(display_text)

    def normalize_link(self, text: str, source: str) -> str:
        """Return a link that a user typed, in the vault's style, or "" if it does not lead to a note of the vault."""
        link = _parse_only_link(text, source)
        if link is None or not link.path:
            return ""
        resolution = self._files.resolve(link.path, source)
        if resolution.status != "ok" or resolution.path is None or not is_note(resolution.path):
            return ""
        return self.link(resolution.path, source, link.text or link.target, link.subpath)

    def _link_spellings(self, target: str, source: str, text: str, subpath: str, as_markdown: bool) -> Iterator[str]:
        paths = tuple(self._link_paths(target, source))
        if not as_markdown:
            yield from filter(None, (_format_wikilink(path, subpath, text) for path in paths))
        yield from (_format_markdown_link(path, subpath, text) for path in paths)

    def _link_paths(self, target: str, source: str) -> Iterator[str]:
        """Yield the paths to try in a link to `target`: in the vault's link format, then the full path."""
        if self.style.format == "relative":
            yield posixpath.relpath(target, posixpath.dirname(source) or ".")
        if self.style.format == "shortest" and self._name_counts[key(posixpath.basename(target))] == 1:
            yield posixpath.basename(target)
        yield target

    def _leads_to_target(self, spelling: str, target: str, source: str, subpath: str) -> bool:
        link = _parse_only_link(spelling, source)
        if link is None or link.subpath != subpath:
            return False
        resolution = self._files.resolve(link.path, source)
        return resolution.status == "ok" and resolution.path is not None and key(resolution.path) == key(target)


def _parse_only_link(text: str, source: str) -> Link | None:
    """Return the only link in a text of the note `source`; None if there is none, several or an external one."""
    links = Note(source, f"- {text}".encode("utf-8", "replace")).links
    return links[0] if len(links) == 1 and not links[0].external else None


def _format_wikilink(path: str, subpath: str, text: str) -> str | None:
    """Return a wikilink, or None if a wikilink cannot hold the path or its text would be read as markup."""
    link_path = path[:-3] if is_note(path) else path
    if (
        _NOT_IN_WIKILINK.search(link_path)
        or _NOT_IN_WIKILINK.search(subpath.removeprefix("^").replace("#", ""))
        or escape_markdown(text) != text
    ):
        return None
    address = f"{link_path}#{subpath}" if subpath else link_path
    return f"[[{address}]]" if text == address else f"[[{address}|{text}]]"


def _format_markdown_link(path: str, subpath: str, text: str) -> str:
    address = f"{path}#{subpath}" if subpath else path
    encoded = _CHARACTER_TO_ENCODE.sub(lambda match: f"%{ord(match[0]):02X}", address)
    return f"[{escape_markdown(text)}]({encoded})"


def _stem(path: str) -> str:
    name = posixpath.basename(path)
    return name[:-3] if is_note(name) else name
