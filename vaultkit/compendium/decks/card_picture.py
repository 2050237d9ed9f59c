"""Pictures of cards, and links in the text of a property or table cell."""

import posixpath
import re
from collections.abc import Iterable

from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.file_facts import PICTURE_SUFFIXES
from vaultkit.vault.links import is_external, split_destination, split_wikilink

_WIKILINK = re.compile(r"!?\[\[(?P<inner>[^\[\]\r\n]+)\]\]")
_MARKDOWN = re.compile(r"!?\[(?P<text>[^\[\]\r\n]*)\]\(<?(?P<to>[^<>\r\n]{0,2000}?)>?\)")


def find_embedded(links: Iterable[Link], note: Note, vault: Vault) -> str | None:
    """Return the vault path of the first existing picture that `links` embed, or None."""
    embedded_paths = (link.path for link in links if link.embed and not link.external)
    picture_paths = (_resolve_picture(path, note, vault) for path in embedded_paths)
    return next((path for path in picture_paths if path), None)


def find_picture(value: str, note: Note, vault: Vault) -> str | None:
    """Return the vault path of the picture that `[[x.png]]`, `![x](x.png)` or plain `x.png` names, or None."""
    as_written = (
        None if is_external(value.strip()) else _resolve_picture(value.strip(), note, vault)
    )  # its name may hold a `#`
    return as_written or _resolve_picture(_linked_path(value), note, vault)


def is_lost(value: str, note: Note, vault: Vault) -> bool:
    """Return whether `value` is the plain path of a picture that this vault lacks.

    For links, it is False: another check reports broken links.
    """
    text = value.strip()
    is_link = _WIKILINK.fullmatch(text) or _MARKDOWN.fullmatch(text) or is_external(text)
    return bool(text) and not is_link and find_picture(text, note, vault) is None


def without_links(value: str) -> str:
    """Return the text of a property or cell with each link replaced by its display text."""
    text = _WIKILINK.sub(lambda match: split_wikilink(match["inner"])[0], value)
    return _MARKDOWN.sub(lambda match: match["text"], text)


def _linked_path(value: str) -> str:
    text = value.strip()
    if wiki := _WIKILINK.fullmatch(text):
        return split_wikilink(wiki["inner"].replace("\\|", "|"))[1]
    markdown = _MARKDOWN.fullmatch(text)
    destination = markdown["to"] if markdown else text
    return "" if is_external(destination) else split_destination(destination)[0]


def _resolve_picture(path: str, note: Note, vault: Vault) -> str | None:
    target_path = vault.files.resolve(path, note.path).path if path else None
    is_picture = target_path is not None and posixpath.splitext(target_path)[1].lower() in PICTURE_SUFFIXES
    return target_path if is_picture else None
