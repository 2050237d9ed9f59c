"""Output files, written atomically and never over a file that vaultkit did not make.

The metadata of a PDF, in its information dictionary and XMP packet, has a seal that shows later changes.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cache, partial
from html import escape
from itertools import chain
from math import ceil
from pathlib import Path

import msgspec

from vaultkit import files, resources
from vaultkit.budget import Limit
from vaultkit.errors import WriteError
from vaultkit.file_errors import hint_for, reason_for
from vaultkit.user_folders import find_vault_root
from vaultkit.vault.writing.atomic_file import put

PICTURE_MARK = "Software", "vaultkit"
"""The keyword and text in a PNG file that mark it as made by vaultkit."""
OUT_HINT = "Give another place with --out."
IS_DRY_RUN = ContextVar("dry run", default=False)
"""Whether all is checked and nothing is written, as with --dry-run."""
_PRINT_LESS = "Print a part of it, or raise the limit with, for example: --pages {}"
_MAX_PAGES = Limit("The PDF would have", 500, "pages", _PRINT_LESS)
_MAX_PARTS = Limit("This note has", 15_000, "paragraphs, cells and other parts", _PRINT_LESS)
_MAX_CHARS = Limit("This note has", 400_000, "characters", _PRINT_LESS)
"""The limits of parts and characters, which a PAGE_LIMIT above _MAX_PAGES raises: layout takes time for each."""
_MAX_HEADING_CHARS = Limit("A heading of this note has", 10_000, "characters", "Shorten it.")
_MAX_LINK_CHARS = Limit("A link of this note has", 4_000, "characters", "Shorten it.")
_LONG_HEADING = re.compile(rf"^[ >]*#{{1,6}}[ \t].{{{_MAX_HEADING_CHARS.maximum}}}", re.MULTILINE)
_LONG_LINK = re.compile(rf"(?:\[\[|\]\((?!data:))[^\[\]()\n]{{{_MAX_LINK_CHARS.maximum}}}")
PAGE_LIMIT = ContextVar("page limit", default=_MAX_PAGES.maximum)
"""The maximum number of pages of a file, which --pages sets."""


CREATOR = "vaultkit"
PRODUCER = "vaultkit with ReportLab and pikepdf"
SEAL_PREFIX = b"urn:vaultkit:"
"""The prefix of the seal, which is a digest of the whole file, computed with zeros in place of the digest."""

_HEAD_BYTES, _CHUNK_BYTES = 4096, 1 << 18
_DIGEST_LENGTH = 64
_BLANK_DIGEST = b"0" * _DIGEST_LENGTH


def refuse_many_pages(pages: int, where: str = "") -> None:
    """Raise BudgetExceeded if a file that has at least `pages` would have more than PAGE_LIMIT."""
    _check_for_pages(PAGE_LIMIT.get(), {_MAX_PAGES: pages}, where)


def refuse_many_parts(parts: int, chars: int, where: str, *, possible_parts: int = 0) -> None:
    """Raise BudgetExceeded if a note has too many paragraphs, cells and words in bold, or too long a text, for a PDF.

    `possible_parts` are the most that it may have, if they are not counted yet.
    """
    pages = max(PAGE_LIMIT.get(), _MAX_PAGES.maximum)
    _check_for_pages(pages, {_MAX_PARTS: parts, _MAX_CHARS: chars}, where, possible_parts)


def refuse_long_lines(text: str, where: str) -> None:
    """Raise BudgetExceeded for a note with a heading or link that takes too long to measure and to lay out."""
    for limit, pattern in ((_MAX_HEADING_CHARS, _LONG_HEADING), (_MAX_LINK_CHARS, _LONG_LINK)):
        if pattern.search(text):
            raise limit.error(where)


def _check_for_pages(pages: int, counts: Mapping[Limit, int], where: str, possible_parts: int = 0) -> None:
    """Raise BudgetExceeded for a count that is too high for a number of pages; the hint names a number that is enough.

    A stricter check may follow, so that number is enough for `possible_parts`, too.
    """
    needs = [*counts.items(), (_MAX_PARTS, possible_parts)]
    enough = max(4 * pages, *(ceil(_MAX_PAGES.maximum * count / limit.maximum) for limit, count in needs))
    for limit, count in counts.items():
        maximum = limit.maximum * pages // _MAX_PAGES.maximum
        Limit(limit.subject, maximum, limit.unit, limit.hint.format(enough)).check(count, where)


@contextmanager
def output_rules(*, dry_run: bool, page_limit: int | None = None) -> Iterator[None]:
    """Set IS_DRY_RUN, and PAGE_LIMIT if it is given, until the block ends."""
    dry_run_token = IS_DRY_RUN.set(dry_run)
    page_limit_token = PAGE_LIMIT.set(PAGE_LIMIT.get() if page_limit is None else page_limit)
    try:
        yield
    finally:
        PAGE_LIMIT.reset(page_limit_token)
        IS_DRY_RUN.reset(dry_run_token)


def temporary_files() -> AbstractContextManager[None]:
    """Write files in a dry run too, since they are in a temporary folder."""
    return output_rules(dry_run=False)


def is_our_file(path: Path) -> bool:
    """Return whether a file is a picture that vaultkit made, or a PDF that it made and nobody has changed since."""
    with files.open_plain(path.resolve(), limit=files.OUTPUT_BYTES) as file:
        head = file.read(_HEAD_BYTES)
        if head.startswith(b"%PDF-"):
            return _is_sealed(chain((head,), iter(partial(file.read, _CHUNK_BYTES), b"")))
    mark = "tEXt" + "\0".join(PICTURE_MARK)
    return head.startswith(b"\x89PNG") and mark.encode() in head


def sibling_path(out: Path, kind: str) -> Path:
    """Return the path of another file beside `out`: `rules-pages.pdf` beside `rules.pdf` for the kind `pages`."""
    return out.with_name(f"{out.stem}-{kind}{out.suffix or '.pdf'}")


def write_file(out: Path, data: bytes | bytearray, kind: str = "PDF") -> None:
    """Write `data` to the file `out` atomically; if `out` is a link, its target is replaced.

    Raises WriteError if the file cannot be written, if vaultkit did not make the file in its place, or if `out` is a
    link that leads out of a vault.
    """
    refuse_link_out_of_vault(out)
    try:
        target = files.resolve(out)
        refuse_missing_folder(target.parent, out.parent)
        refuse_foreign_file(target, out)
        if not IS_DRY_RUN.get():
            put(target, data)
    except (OSError, ValueError) as error:
        hint = hint_for(error) or OUT_HINT
        if isinstance(error, PermissionError):
            hint = "If it is open in another program, close it there. Or give another place with --out."
        message = f"The {kind} could not be written: {reason_for(error)}."
        raise WriteError(message, where=str(out), hint=hint) from error


def refuse_missing_folder(folder: Path, shown_path: Path) -> None:
    """Raise WriteError if `folder` does not exist; the message shows it as `shown_path`."""
    if not folder.exists():
        hint = "Make it first, or give another place with --out."
        raise WriteError("There is no such folder.", where=str(shown_path), hint=hint)


def refuse_link_out_of_vault(path: Path) -> None:
    """Raise WriteError if a path is a link that leads out of its vault, because a stranger may have put it there."""
    root = find_vault_root(os.path.abspath(path.parent)) if files.is_link(path) else None  # noqa: PTH100 - links stay
    try:
        leads_out = root is not None and not files.resolve(path).is_relative_to(files.resolve(Path(root)))
    except (OSError, ValueError):  # a loop of links
        leads_out = True
    if leads_out:
        raise WriteError("This is a link that leads out of the vault.", where=str(path), hint=OUT_HINT)


def refuse_foreign_file(target: Path, shown_path: Path) -> None:
    """Raise WriteError if `target` is a folder or a file that vaultkit did not make; the message shows `shown_path`."""
    if target.is_dir():
        raise WriteError("A folder with this name exists already.", where=str(shown_path), hint=OUT_HINT)
    if target.exists() and not (target.is_file() and is_our_file(target)):
        raise WriteError(f"{_describe_origin(target)}, so it is not replaced.", where=str(shown_path), hint=OUT_HINT)


def _describe_origin(target: Path) -> str:
    data = files.read(target, files.OUTPUT_BYTES) if target.is_file() else b""
    if data.startswith(b"%PDF-") and _find_digest(data) >= 0:
        return "This file has been filled in or changed since vaultkit made it"
    return "This file was not made by vaultkit"


class Metadata(msgspec.Struct, frozen=True):
    """The metadata of a document; `language` is a tag such as `en`.

    `tagged` documents claim conformance to PDF/UA-1 and PDF/A-2a.
    """

    title: str
    subject: str
    language: str = "en"
    tagged: bool = True

    @property
    def info(self) -> dict[str, str]:
        """The entries of the PDF information dictionary, without a date."""
        return {"Title": self.title, "Subject": self.subject, "Creator": CREATOR, "Producer": PRODUCER}

    def packet(self) -> bytes:
        """Return the XMP packet with a blank seal and, if the document is tagged, claims of conformance."""
        title, subject = _language_alternative(self.title), _language_alternative(self.subject)
        texts = {"title": title, "subject": subject, "language": escape(self.language)}
        standards = _read_template("standards").replace("\n", "") if self.tagged else ""
        seal = (SEAL_PREFIX + _BLANK_DIGEST).decode()
        fields = {"creator": CREATOR, "producer": PRODUCER, "seal": seal, "claims": standards}
        return _read_template("packet").format(mark="\ufeff", **texts, **fields).encode()


@cache
def _read_template(name: str) -> str:
    return resources.read_text(resources.shipped_folder("print") / "pdf" / f"{name}.xml").rstrip()


def seal(data: bytearray) -> bytearray:
    """Write a file's digest into its blank seal; return the same bytearray."""
    start = _find_digest(data)
    data[start : start + _DIGEST_LENGTH] = _digest(data, start)
    return data


def _is_sealed(chunks: Iterable[bytes]) -> bool:
    """Return whether a file, given in pieces, has a seal and has not been changed since it was sealed."""
    sha256, rest, digest = hashlib.sha256(), b"", b""
    for chunk in chunks:
        rest += chunk
        start = -1 if digest else _find_digest(rest)
        end = start + _DIGEST_LENGTH
        if start >= 0 and end <= len(rest):
            digest, rest = rest[start:end], rest[:start] + _BLANK_DIGEST + rest[end:]
        done = len(rest) if digest else max(0, len(rest) - len(SEAL_PREFIX) - _DIGEST_LENGTH)
        sha256.update(rest[:done])
        rest = rest[done:]
    sha256.update(rest)
    return digest == sha256.hexdigest().encode()


def _find_digest(data: bytes | bytearray) -> int:
    """Return the offset of the digest in the seal, or -1 if there is no seal."""
    prefix_offset = data.find(SEAL_PREFIX)
    return -1 if prefix_offset < 0 else prefix_offset + len(SEAL_PREFIX)


def _digest(data: bytes | bytearray, start: int) -> bytes:
    """Return the hexadecimal SHA-256 digest of `data`, computed with a blank seal at `start`."""
    sha256 = hashlib.sha256(memoryview(data)[:start])
    sha256.update(_BLANK_DIGEST)
    sha256.update(memoryview(data)[start + _DIGEST_LENGTH :])
    return sha256.hexdigest().encode()


def _language_alternative(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt>'
