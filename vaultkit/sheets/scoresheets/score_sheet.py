"""Score sheets to be filled in with a pen or on a screen, or printed with the scores of a game."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from vaultkit.errors import InvalidError, UsageError
from vaultkit.look.design import NOTHING
from vaultkit.look.theme import CLASSIC, Theme
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets.design import FIELDS, FOUR, ONE, PARTY, PLAYER, Own, ScoreDesign, own_as_json
from vaultkit.sheets.scoresheets.page import ScorePages
from vaultkit.sheets.scoresheets.parts import ALL, Player
from vaultkit.sheets.scoresheets.reading import load_score_design

Scores = Mapping[str, Mapping[str, int | str]]
"""The values in the boxes, by player and box."""
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that could be taken for another."""


class Filled(NamedTuple):
    """All that is filled in from the start: session and date, and the boxes of the players by their names.

    `ticks` are ticked on all (`{"mode": "coop"}`), `own_ticks` for one player (`{"Ysolde": {"forfeited": "no"}}`),
    and so are `scores` (`{"Ysolde": {"swords.total": 17}}`).
    """

    session: str = ""
    date: str = ""
    ticks: Mapping[str, str] = NOTHING
    own_ticks: Mapping[str, Mapping[str, str]] = NOTHING
    scores: Scores = NOTHING

    def check(self, design: ScoreDesign, players: Sequence[str]) -> None:
        """Raises UsageError for a player, a box or a choice that the sheet lacks; it lists those that it has."""
        _known({*self.scores, *self.own_ticks}, players, "player")
        groups = {group.id: group.options for group in design.ticks}
        for ticks in (self.ticks, *self.own_ticks.values()):
            _known(ticks, groups, "tick box")
            for group, option in ticks.items():
                _known({option} - {""}, groups[group], f"choice under {group}")
        for boxes in self.scores.values():
            _known(boxes, design.names, "box")

    def values(self, people: Sequence[Player], *, shared: bool) -> dict[str, str]:
        """By the full names of the fields; with `shared`, session, date and ticks are there once for all players."""
        common = {"session": self.session, "date": self.date, **_ticked(self.ticks)}
        values: dict[str, str] = {}
        for player in [ALL] if shared else people:
            values |= {player.prefix + name: value for name, value in common.items()}
        for player in people:
            scores = {box: str(value) for box, value in self.scores.get(player.name, {}).items()}
            mine = {PLAYER: player.name, **_ticked(self.own_ticks.get(player.name, {})), **scores}
            values |= {player.prefix + name: value for name, value in mine.items()}
        return values


BLANK = Filled()


def _ticked(ticks: Mapping[str, str]) -> dict[str, str]:
    return {f"{group}.{option}": "yes" for group, option in ticks.items() if option}


def _known(given: Collection[str], accepted: Collection[str], what: str) -> None:
    unknown = sorted(name for name in given if name not in accepted)
    if unknown:
        raise UsageError(f"The sheet has no {what} '{unknown[0]}'.", hint=f"Accepted: {', '.join(accepted) or 'none'}.")


def print_scores(
    name: str,
    *,
    paper: str,
    out: Path,
    theme: Theme = CLASSIC,
    layout: str = "",
    players: Sequence[str] = (),
    usual: Sequence[str] = (),
    filled: Filled = BLANK,
    design: ScoreDesign | None = None,
    qr: bool = False,
    code: str = "",
) -> PrintedFile:
    """Prints the score sheet `name` (a game's id, or another design), or `design`, blank or for each of `players`.

    `layout` is `one`, `four` or `party`; without it the design's first. `usual` are the players of a table for all
    where none are named, if it has room for them. `theme` holds the vault whose designs win. With `qr` a code
    beside the title holds `code`, such as the address of a game's note, or the sheet's id.
    A layout or a box that the sheet lacks is a UsageError.
    """
    design = design or load_score_design(name, theme.vault)
    title = f"{design.title}: {design.subtitle}" if design.subtitle else design.title
    document = Document(title, filled.session or title, load_stock(theme.vault).paper(paper), theme)
    people = draw_scores(
        document, name, design, filled, layout=layout, players=players, usual=usual, qr=qr, code=code
    )  # fmt: skip
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
    """Draws score sheets as further pages of a document; for whom they are, in order."""
    layout = _layout(design, layout, large=document.glyphs.theme.large, qr=qr)
    if not players and layout == PARTY and len(usual) <= design.seats:
        players = usual
    people = _people(design, layout, players)
    (design.own or Own()).check()
    filled.check(design, players)
    marks = {"fields": FIELDS, "sheet": _id(design, layout, people), "game": design.game or name}
    marks |= {"own": own_as_json(design.own)} if design.own else {}
    leads = Code(code or marks["sheet"]) if qr else None
    values = filled.values(people, shared=layout == PARTY)
    try:
        ScorePages(design, layout, document, values, marks, leads).draw(people)
    except InvalidError as error:
        raise InvalidError(error.message, where=error.where or f"{name}-score.toml", hint=error.hint) from error
    return people


def _layout(design: ScoreDesign, layout: str, *, large: bool, qr: bool) -> str:
    if layout == FOUR and qr:
        raise UsageError("A quarter of a page has no room for a QR code.", hint="Leave out --layout four or --qr.")
    if layout == FOUR and large:
        raise UsageError("A quarter of a page has no room for large print.", hint="Leave out --layout four or --large.")
    if layout and layout not in design.layouts:
        hint = f"{design.refusal} Accepted: {', '.join(design.layouts)}.".strip()
        raise UsageError(f"The score sheet '{design.title}' has no layout '{layout}'.", hint=hint)
    return layout or design.layouts[0]


def _people(design: ScoreDesign, layout: str, players: Sequence[str]) -> list[Player]:
    """A sheet for each player; a number of unnamed ones where none are given. Alone, a sheet needs no prefix."""
    if len(players) > design.seats and layout == PARTY:
        message = f"The score sheet has room for {design.seats} players, not {len(players)}."
        raise UsageError(message, hint=_for_how_many(design))
    many: dict[str, int] = {ONE: 1, FOUR: 4, PARTY: design.seats}
    names = list(players) or [""] * many[layout]
    if layout == FOUR:
        names += [""] * (-len(names) % 4)
    if len(names) == 1 and layout == ONE:
        return [Player(name=names[0])]
    return [Player(f"p{n}.", f"{name or f'Player {n}'}: ", name) for n, name in enumerate(names, 1)]


def _for_how_many(design: ScoreDesign) -> str:
    """The advice for more players than a table for all of them has room for."""
    from vaultkit.games import registry

    if design.game not in registry.GAMES:
        return "Name fewer players, or give each a page: --layout one."
    fewest, most = registry.find(design.game).seats
    return f"{design.title} is a game for {fewest if fewest == most else f'{fewest} to {most}'} players."


def _id(design: ScoreDesign, layout: str, people: Sequence[Player]) -> str:
    """Eight characters that stand for the design, its layout and the set of its fields, whatever is filled in."""
    known = msgspec.json.encode((design, layout, [player.prefix for player in people], FIELDS))
    digest = hashlib.sha256(known).digest()
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:8])
