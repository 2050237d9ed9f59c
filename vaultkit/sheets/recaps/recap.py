"""Recaps of what vaultkit has logged: the notes of games and readings, found, and set as sheets."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath
from typing import ClassVar

from vaultkit.campaign.dates import spoken_day
from vaultkit.campaign.played import originals
from vaultkit.errors import NothingFound, VaultkitError
from vaultkit.session.ids import one_by_ending
from vaultkit.sheets.rules.chapter import Chapter, chapter_of
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.builder import TextBuilder
from vaultkit.sheets.text.paragraphs import Place
from vaultkit.vault import Note, Vault
from vaultkit.vault.markdown import Node

_MOST_NAMED = 8
_RECORD = "info"


def find_logged(vault: Vault, key: str, wanted: str, hint: str) -> Note:
    """The note with the property `key` that goes by an id, the end of an id, or the note's own name.

    Raises NothingFound with `hint` if there is none, and where several ids end like that.
    """
    logged = {str(facts.property(key)).strip(): facts.path for facts in originals(vault.note_facts, key)[0]}
    found = one_by_ending(logged, wanted, f"{key.removeprefix('vaultkit-')}s")
    if found:
        return vault.read(logged[found])
    try:
        note = vault.find(wanted)
    except VaultkitError as error:
        more = f"{_last_names(logged.values())} {hint}".strip()
        raise NothingFound(f"There is no note that tells of '{wanted}'.", hint=more) from error
    if not note.property(key):
        raise NothingFound("This note tells of nothing that can be printed like that.", where=note.path, hint=hint)
    return note


def _last_names(paths: Iterable[str]) -> str:
    """The notes that there are, as a hint: the last ones, as far as their names tell which came last."""
    names = sorted(PurePosixPath(path).stem for path in paths)
    more = f" and {len(names) - _MOST_NAMED} before these" if len(names) > _MOST_NAMED else ""
    return f"There are: {'; '.join(names[-_MOST_NAMED:])}{more}." if names else ""


def _without_title(note: Note) -> str:
    """The note's body without a heading of the first level that it begins with."""
    first = next(iter(note.headings), None)
    if first is None or first.level != 1 or note.text[note.body_start : first.start].strip():
        return note.body
    return note.text[first.end :]


def recap_chapter(note: Note, vault: Vault, vault_name: str, *, qr: bool) -> Chapter:
    """The note as a chapter; the day that its title ends with stands below it."""
    chapter, title, day = chapter_of(note, vault, vault_name, qr=qr), note.title, _day(note)
    if day and title.endswith(f", {day}"):
        title = title.removesuffix(f", {day}")
        return replace(chapter, title=title, subtitle=day, text=_without_title(note))
    return chapter


def _day(note: Note) -> str:
    try:
        return spoken_day(date.fromisoformat(str(note.property("date"))))
    except ValueError:
        return ""


class RecapBuilder(TextBuilder):
    """Makes the blocks of a note that vaultkit wrote. Other notes are linked, but not listed at the end.

    A callout that is a list, such as the record of how a game was played, becomes one small paragraph. Its tables
    have a row for each player.
    """

    row_heads: ClassVar[bool] = True

    def build(self, tree: Node) -> list[Block]:
        """All blocks; what stands before the first heading goes over all columns."""
        self.setting.inline.listed = False
        blocks = super().build(tree)
        first = self.opening(blocks)
        return [replace(block, span=True) if number < first else block for number, block in enumerate(blocks)]

    @staticmethod
    def opening(blocks: Sequence[Block]) -> int:
        """How many blocks stand before the first heading."""
        return next((number for number, block in enumerate(blocks) if block.title), 0)

    def visit_callout(self, node: Node, place: Place) -> None:
        title, *rest = node.children
        if node.text != _RECORD or [child.kind for child in rest] != ["List"]:
            super().visit_callout(node, place)
            return
        words = [Node("Strong", children=title.children), Node("Text", ": ")]
        for number, item in enumerate(rest[0].children):
            words += [Node("Text", " · ")] if number else []
            for part in item.children:
                words += part.children if part.kind == "Paragraph" else [part]
        self.visit_rule(node, place)
        self._line(words, place)
        self._blocks[-2:] = [replace(self._blocks[-2], keep=True, span=True), replace(self._blocks[-1], span=True)]
