"""Headings and blocks behind the `#` of a link, compared as Obsidian compares them (S1 to S4)."""

import re
import unicodedata
from collections.abc import Sequence

from vaultkit.vault.structure import Heading

_IGNORED = re.compile(r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\r\n]""")


def comparable(heading: str) -> str:
    """A heading as links are compared: most punctuation is a space, case and repeated spaces do not count (S1)."""
    return " ".join(_IGNORED.sub(" ", unicodedata.normalize("NFC", heading)).split()).lower()


def find_heading(headings: Sequence[Heading], subpath: str) -> Heading | None:
    """The heading that `A` or `A#B` leads to: each part must lie deeper than the last; the first match wins (S2)."""
    wanted = [part for part in map(comparable, subpath.split("#")) if part]
    if not wanted:
        return None
    level, found = 0, 0
    for heading in headings:
        if heading.level > level and comparable(heading.text) == wanted[found]:
            level, found = heading.level, found + 1
            if found == len(wanted):
                return heading
    return None


def to_subpath(heading: str) -> str:
    """A heading as the part of a link behind `#` (S3)."""
    return " ".join(re.sub(r"%%|\[\[|\]\]|[:#|^\\\r\n]", " ", heading).split())
