"""Score sheets to be filled in with a pen or on a screen, or printed with the scores of a game."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from vaultkit.errors import InvalidError, UsageError
from vaultkit.look.design import NOTHING
from vaultkit.look.theme import CLASSIC, Theme
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets.design import FIELDS, FOUR, ONE, PARTY, PLAYER, ScoreDesign
from vaultkit.sheets.scoresheets.page import ScorePages
from vaultkit.sheets.scoresheets.parts import ALL, Player, boxes_of, sheet_parts
from vaultkit.sheets.scoresheets.reading import load_score_design

Boxes = Mapping[str, int | str]
"""The contents of boxes, by their names."""
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that could be taken for another."""


class Filled(NamedTuple):
    """All that is filled in from the start: what players have in `common`, and the `scores` of each by the name.

    Both may hold ticks: `{"session": "k3f9", "mode.coop": "yes"}`, `{"Ysolde": {"swords.total": 17}}`.
    """

    common: Boxes = NOTHING
    scores: Mapping[str, Boxes] = NOTHING

    def values(self, people: Sequence[Player], *, shared: bool) -> dict[str, str]:
        """By the full names of the fields; with `shared`, what is common is there once for all players."""
        given: list[tuple[Player, Boxes]] = [(one, self.common) for one in ([ALL] if shared else people)]
        given += [(one, {PLAYER: one.name, **self.scores.get(one.name, {})}) for one in people]
        return {one.prefix + name: str(value) for one, boxes in given for name, value in boxes.items() if value != ""}


BLANK = Filled()


def print_scores(
    name: str,
    *,
    paper: str,
    out: Path,
    theme: Theme = CLASSIC,
    filled: Filled = BLANK,
    design: ScoreDesign | None = None,
    **drawn: Any,
) -> PrintedFile:
    """Prints the score sheet `name` (a game's id, or another design), or `design`; the rest is as for `draw_scores`.

    `theme` holds the vault whose designs win.
    """
    design = design or load_score_design(name, theme.vault)
    title = f"{design.title}: {design.subtitle}" if design.subtitle else design.title
    document = Document(title, str(filled.common.get("session") or title), load_stock(theme.vault).paper(paper), theme)
    people = draw_scores(document, name, design, filled, **drawn)
    return document.save(out, tuple(player.name or title for player in people))


def draw_scores(
    document: Document,
    name: str,
    design: ScoreDesign,
    filled: Filled = BLANK,
    *,
    layout: str = "",
    players: Sequence[str] = (),
    usual: Sequence[str] = (),
    qr: bool = False,
    code: str = "",
) -> list[Player]:
    """Draws score sheets, blank or for each of `players`, as further pages; for whom they are, in order.

    `layout` is `one`, `four` or `party`; without it the design's first. `usual` are the players of a table for all
    where none are named, if it has room for them. With `qr` a code beside the title holds `code`, such as the address
    of a game's note, or the sheet's id. A layout or a box that the sheet lacks is a UsageError.
    """
    layout = _layout(design, layout, large=document.glyphs.theme.large, qr=qr)
    if not players and layout == PARTY and len(usual) <= design.seats:
        players = usual
    people = _people(design, layout, players)
    marks = {"fields": FIELDS, "sheet": _id(design, layout, people), "game": design.game or name}
    leads = Code(code or marks["sheet"]) if qr else None
    values = filled.values(people, shared=layout == PARTY)
    known = boxes_of(sheet_parts(design, layout, people)).keys()
    if unknown := sorted((values.keys() - known) | (filled.scores.keys() - {*players})):
        hint = f"Accepted: {', '.join(sorted((*known, *players)))}."
        raise UsageError(f"The sheet has no box and no player '{unknown[0]}'.", hint=hint)
    try:
        ScorePages(design, layout, document, values, marks, leads).draw(people)
    except InvalidError as error:
        raise InvalidError(error.message, where=error.where or f"{name}-score.toml", hint=error.hint) from error
    return people


def _layout(design: ScoreDesign, layout: str, *, large: bool, qr: bool) -> str:
    if layout == FOUR and (qr or large):
        what, flag = ("a QR code", "--qr") if qr else ("large print", "--large")
        raise UsageError(f"A quarter of a page has no room for {what}.", hint=f"Leave out --layout four or {flag}.")
    if layout and layout not in design.layouts:
        hint = f"{design.refusal} Accepted: {', '.join(design.layouts)}.".strip()
        raise UsageError(f"The score sheet '{design.title}' has no layout '{layout}'.", hint=hint)
    return layout or design.layouts[0]


def _people(design: ScoreDesign, layout: str, players: Sequence[str]) -> list[Player]:
    """A sheet for each player; a number of unnamed ones where none are given. Alone, a sheet needs no prefix."""
    if len(players) > design.seats and layout == PARTY:
        message = f"The score sheet has room for {design.seats} players, not {len(players)}."
        raise UsageError(message, hint="Name fewer players, or give each a page: --layout one.")
    names = list(players) or [""] * (design.seats if layout == PARTY else 1)
    if layout == FOUR:
        names += [""] * (-len(names) % 4)
    if len(names) == 1 and layout == ONE:
        return [Player("", names[0])]
    return [Player(f"p{n}.", name) for n, name in enumerate(names, 1)]


def _id(design: ScoreDesign, layout: str, people: Sequence[Player]) -> str:
    """Eight characters that stand for the design, its layout and the set of its fields, whatever is filled in."""
    table = {**msgspec.to_builtins(design), "own": None}  # one key more than a design has, as in ids printed before
    known = msgspec.json.encode((table, layout, [player.prefix for player in people], FIELDS))
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in hashlib.sha256(known).digest()[:8])
