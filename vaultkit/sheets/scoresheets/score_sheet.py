"""Score sheets to be filled in with a pen or on a screen, or printed with the scores of a game."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vaultkit.errors import InvalidError, UsageError
from vaultkit.look.theme import CLASSIC, Theme
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets.design import FOUR, ONE, PARTY, Own, Row, ScoreDesign, own_as_json
from vaultkit.sheets.scoresheets.page import FIELDS, Identity, ScorePages
from vaultkit.sheets.scoresheets.reading import load_score_design
from vaultkit.sheets.scoresheets.values_given import Filled, Player, Scores

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that could be taken for another."""


def print_scores(
    name: str,
    *,
    paper: str,
    out: Path,
    theme: Theme = CLASSIC,
    layout: str = "",
    players: Sequence[str] = (),
    usual: Sequence[str] = (),
    session: str = "",
    date: str = "",
    ticks: Mapping[str, str] | None = None,
    own_ticks: Mapping[str, Mapping[str, str]] | None = None,
    scores: Scores | None = None,
    design: ScoreDesign | None = None,
    qr: bool = False,
    code: str = "",
) -> PrintedFile:
    """Prints the score sheet `name` (a game's id, or another design), or `design`, blank or for each of `players`.

    `layout` is `one`, `four` or `party`; without it the design's first. `usual` are the players of a table for all
    where none are named, if it has room for them. `scores` gives what is filled in by player and box
    (`{"Ysolde": {"swords.total": 17}}`), `ticks` what is ticked on all (`{"mode": "coop"}`), `own_ticks` what is ticked
    for one player (`{"Ysolde": {"forfeited": "no"}}`). `theme` holds the vault whose designs win. With `qr` a code
    beside the title holds `code`, such as the address of a game's note, or the sheet's id.
    A layout or a box that the sheet lacks is a UsageError.
    """
    design = design or load_score_design(name, theme.vault)
    filled = Filled(session, date, ticks or {}, own_ticks or {}, scores or {})
    title = f"{design.title}: {design.subtitle}" if design.subtitle else design.title
    document = Document(title, session or title, load_stock(theme.vault).paper(paper), theme)
    people = draw_scores(
        document, name, design, filled, layout=layout, players=players, usual=usual, qr=qr, code=code
    )  # fmt: skip
    return document.save(out, tuple(player.name or title for player in people))


def draw_scores(
    document: Document,
    name: str,
    design: ScoreDesign,
    filled: Filled,
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
    _check_names(design.own or Own())
    filled.check(design, players)
    identity = Identity(design.game or name, _id(design, layout, people), own_as_json(design.own))
    leads = Code(code or identity.sheet) if qr else None
    try:
        sheet = ScorePages(design, document, filled.values(people, shared=layout == PARTY), identity, leads)
        if layout == PARTY:
            sheet.party([player.who.removesuffix(": ") for player in people])
        else:
            {ONE: sheet.one, FOUR: sheet.four}[layout](people)
    except InvalidError as error:
        raise InvalidError(error.message, where=error.where or f"{name}-score.toml", hint=error.hint) from error
    return people


def adapted(
    design: ScoreDesign, *, title: str = "", rows: Sequence[str] = (), columns: Sequence[str] = ()
) -> ScoreDesign:
    """The design with a title, rows and columns of one's own; what is not given stays.

    Only a sheet of no game can have other rows and columns; else it is a UsageError.
    """
    if design.game and (rows or columns):
        hint = "Print a blank one with them: vaultkit print scores blank --rows ... --columns ..."
        raise UsageError(f"The rows and columns of '{design.title}' are those of its game.", hint=hint)
    if columns:
        base = design.columns[0]
        made = tuple(
            replace(base, id=f"{n}", title=words, how="", brief="", share=1) for n, words in enumerate(columns, 1)
        )
        cells = tuple(column.id for column in made)
        design = replace(design, columns=made, rows=tuple(replace(row, cells=cells) for row in design.rows), total=None)
    if rows:
        cells = tuple(column.id for column in design.columns)
        made_rows = tuple(Row(f"row-{n}", words, "", "", "", cells) for n, words in enumerate(rows, 1))
        design = replace(design, rows=made_rows, party=0)
    own = Own(title, tuple(rows), tuple(columns))
    return replace(design, title=title or design.title, own=own if own != Own() else design.own)


def _layout(design: ScoreDesign, layout: str, *, large: bool, qr: bool) -> str:
    if layout == FOUR and qr:
        raise UsageError("A quarter of a page has no room for a QR code.", hint="Leave out --layout four or --qr.")
    if layout == FOUR and large:
        raise UsageError("A quarter of a page has no room for large print.", hint="Leave out --layout four or --large.")
    if not layout:
        return design.layouts[0]
    if layout not in design.layouts:
        hint = f"{design.refusal} Accepted: {', '.join(design.layouts)}.".strip()
        raise UsageError(f"The score sheet '{design.title}' has no layout '{layout}'.", hint=hint)
    return layout


def _people(design: ScoreDesign, layout: str, players: Sequence[str]) -> list[Player]:
    """A sheet for each player; a number of unnamed ones where none are given. Alone, a sheet needs no prefix."""
    if len(players) > design.seats and layout == PARTY:
        message = f"The score sheet has room for {design.seats} players, not {len(players)}."
        raise UsageError(message, hint=_for_how_many(design))
    many = {ONE: 1, FOUR: 4, PARTY: design.seats}[layout]
    names = list(players) or [""] * many
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


def _check_names(own: Own) -> None:
    """Raises UsageError where two rows, or two columns, were asked for under one name: they would be one when read."""
    for what, names in (("rows", own.rows), ("columns", own.columns)):
        again = next((name for number, name in enumerate(names) if name in names[:number]), None)
        if again is not None:
            hint = f"Give each its own name, such as '{again} 1' and '{again} 2'."
            raise UsageError(f"Two of the {what} are called '{again}'.", hint=hint)


def _id(design: ScoreDesign, layout: str, people: Sequence[Player]) -> str:
    """Eight characters that stand for the design, its layout and the set of its fields, whatever is filled in."""
    known = repr((design, layout, [player.prefix for player in people], FIELDS))
    digest = hashlib.sha256(known.encode()).digest()
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:8])
