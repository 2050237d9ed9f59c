"""Detection of the conflict copies that sync programs write beside a file that was changed on two devices."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from vaultkit.errors import VaultkitError
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault

_SYNCTHING = re.compile(r"(?P<name>.+)\.sync-conflict-\d{8}-\d{6}(?:-\w{7})?")
_IN_PARENTHESES = re.compile(
    r"(?P<name>.+?)\s*\((?=[^()]*(?:conflic?t|konflikt))"
    r"(?P<sure>(?=[^()]*(?:cop(?:y|ie|ia)\b|cópia|kopi[ea]|\d{4}-?\d\d-?\d\d|\b(?:case|sync|encoding)\b)))?"
    r"[^()]*\)(?: ?\d+)?"
)
"""A name with a remark such as `(Ann's conflicted copy 2026-03-01)`, as Obsidian Sync and Dropbox write it."""
_WINDOWS_DEVICE = re.compile(r"(?P<name>.+)-(?:desktop|laptop|win)-[a-z0-9]{5,8}(?:-\d+)?")
"""A name to which OneDrive added the name that Windows gives to computers, such as `DESKTOP-4F2A9QX`."""
_NUMBERED = re.compile(
    r"(?P<name>.+?)(?: (?P<number>[1-9])| \((?P<bracketed>[1-9])\)|-(?P<device>[A-Z0-9][A-Za-z0-9-]{3,14}))"
)
"""A name to which iCloud or Google Drive added a number, or OneDrive any device; people write such names, too."""
_QUICK_TEST = re.compile(r"onfli|ONFLI|(?:[ (-](?:[1-9]\)?|[A-Z0-9][A-Za-z0-9-]{3,14}))\.\w+\Z")
MIN_COMPARED_CHARS, MIN_SIMILARITY_PERCENT = 40, 80
MAX_COMPARED_CHARS = 20_000


def find_conflict_copies(vault: Vault) -> dict[str, str]:
    """Return the conflict copies of a vault, each with the path of its original, "" if that is gone.

    Where a name alone proves nothing, as with `Inn 2.md`, the copy must have nearly the same text as the original.
    """
    paths = vault.files.paths
    candidates = [path for path in paths if _QUICK_TEST.search(path, path.rfind("/") + 1)]
    originals = {key(path): path for path in paths} if candidates else {}
    return dict(_iter_copies(vault, candidates, originals))


def _iter_copies(vault: Vault, candidates: Iterable[str], originals: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each conflict copy with its original; `originals` has the files of the vault by key."""
    for path in candidates:
        folder, slash, name = path.rpartition("/")
        stem, ending = posixpath.splitext(name)
        matches = (pattern.fullmatch(stem.lower()) for pattern in (_SYNCTHING, _IN_PARENTHESES, _WINDOWS_DEVICE))
        match = next(filter(None, matches), None) or _NUMBERED.fullmatch(stem)
        original = originals.get(key(f"{folder}{slash}{match['name']}{ending}"), "") if match else ""
        is_sure = match is not None and (match.re is _SYNCTHING or match.groupdict().get("sure") is not None)
        if is_sure or (
            match and original and (match.re is _WINDOWS_DEVICE or _have_same_text(vault, path, original, stem))
        ):
            yield path, original


def _have_same_text(vault: Vault, path: str, original: str, stem: str) -> bool:
    """Return whether two files have the same bytes, or a note nearly the text of the original without its own name."""
    try:
        if not is_note(path):
            sizes = [vault.listing.stamps[file].size for file in (path, original)]
            return sizes[0] == sizes[1] > 0
        text, other_text = vault.read(path).text, vault.read(original).text
    except (VaultkitError, KeyError):  # unreadable, or only in the cloud
        return False
    if text == other_text:
        return bool(text.strip())
    if len(text) < MIN_COMPARED_CHARS or stem.lower() in text.lower():
        return False
    from rapidfuzz import fuzz

    return fuzz.ratio(text[:MAX_COMPARED_CHARS], other_text[:MAX_COMPARED_CHARS]) >= MIN_SIMILARITY_PERCENT
