"""The links of the benchmark's vault: whole ones, and some broken in the ways that real vaults break."""

import random
from collections import Counter
from urllib.parse import quote

from vault_plan import Outline

BROKEN = 0.02
"""Of all links, unless the vault is to be full of problems."""


class Linker:
    """Writes links to notes at random, a few notes far more often than the rest, and counts what it wrote."""

    def __init__(self, notes: list[Outline], images: list[str], chance: random.Random, broken: float = BROKEN) -> None:
        self._share = broken
        self._notes = chance.sample(notes, len(notes))
        self._images = images
        self._tables = [note for note in notes if note.kind == "tables"]
        self._chance = chance
        self.counts: Counter[str] = Counter()

    def markdown(self) -> str:
        """`[Title](folder/file.md#Heading%20Name)`, as the converter writes most of its links."""
        note = self._target()
        self.counts["markdown"] += 1
        if self._chance.random() < self._share:
            return self._broken_markdown(note)
        slash = "/" if self._chance.random() < 0.3 else ""
        heading = self._chance.choice(note.headings) if note.headings and self._chance.random() < 0.5 else ""
        return f"[{heading or note.title}]({slash}{encoded(note.path)}{_anchor(heading)})"

    def entry(self, note: Outline) -> str:
        """A line of an index note: `[Title](file.md)`, or the whole path with `\\` as on Windows."""
        self.counts["markdown"] += 1
        if self._chance.random() < self._share:
            return self._with_backslashes(note)
        return f"[{note.title}]({encoded(note.path.rpartition('/')[2])})"

    def wikilink(self) -> str:
        """`[[Name#Heading|text]]`; broken ones name an alias, a heading or a block that no file has."""
        note = self._target()
        self.counts["wikilink"] += 1
        if self._chance.random() < self._share:
            return self._broken_wikilink(note)
        if note.headings and self._chance.random() < 0.3:
            return f"[[{note.name}#{self._chance.choice(note.headings).replace(':', '')}|{note.title}]]"
        return f"[[{note.name}]]" if note.kind == "campaign" else f"[[{note.name}|{note.title}]]"

    def embed(self) -> str:
        """An image, or a block of another note."""
        self.counts["wikilink"] += 1
        if self._chance.random() < 0.5:
            return f"![[{self._chance.choice(self._images).rpartition('/')[2]}|100]]"
        note = self._chance.choice(self._tables)
        return f"![[{note.name}#^{self._chance.choice(note.blocks)}]]"

    def image(self) -> str:
        """A picture in the converter's form, with the hook for a style sheet."""
        self.counts["markdown"] += 1
        return f"![picture](/{encoded(self._chance.choice(self._images))}#center)"

    def dice(self) -> str:
        """A roll on a table of another note, in inline code; Obsidian sees no link there."""
        self.counts["dice"] += 1
        note = self._chance.choice(self._tables)
        block = self._chance.choice(note.blocks)
        if self._chance.random() < self._share:
            self.counts["broken dice"] += 1
            block = "no-such-table"
        return f"`dice: []({encoded(note.path.rpartition('/')[2])}#^{block})`"

    def hidden(self) -> str:
        """A link for a code fence, where Obsidian sees none; never broken, never counted."""
        note = self._target()
        return f"[{note.title}]({encoded(note.path)})"

    def _target(self) -> Outline:
        return self._notes[int(len(self._notes) * self._chance.random() ** 3)]

    def _broken_markdown(self, note: Outline) -> str:
        way = self._chance.random()
        if way < 0.6:
            return self._with_backslashes(note)
        if way < 0.8:
            return self._broken("heading", f"[{note.title}]({encoded(note.path)}#No%20Such%20Heading)")
        if way < 0.9:
            return self._broken("block", f"[{note.title}]({encoded(note.path)}#^no-such-block)")
        return self._broken("file", f"[{note.title}]({encoded(note.path[:-3])}-gone.md)")

    def _broken_wikilink(self, note: Outline) -> str:
        way = self._chance.random()
        if way < 0.5:
            return self._broken("alias", f"[[The {note.title}]]")
        if way < 0.8:
            return self._broken("heading", f"[[{note.name}#No Such Heading]]")
        return self._broken("block", f"[[{note.name}#^no-such-block]]")

    def _with_backslashes(self, note: Outline) -> str:
        return self._broken("backslash", f"[{note.title}]({encoded(note.path).replace('/', chr(92))})")

    def _broken(self, way: str, link: str) -> str:
        self.counts[f"broken {way}"] += 1
        return link


def encoded(path: str) -> str:
    """A vault path as the converter writes it in a link: only spaces are encoded."""
    return path.replace(" ", "%20")


def _anchor(heading: str) -> str:
    """As the converter writes it: without `:`, only spaces encoded."""
    return "#" + quote(heading.replace(":", ""), safe="()'") if heading else ""
