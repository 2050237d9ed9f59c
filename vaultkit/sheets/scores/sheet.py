"""Score sheets: one page for each player, to be filled in with a pen, or printed with the scores of a game."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from vaultkit.errors import UsageError
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.glyphs import Glyphs
from vaultkit.sheets.pdf.document import Document, PrintedFile
from vaultkit.sheets.scores import design as score_design
from vaultkit.sheets.scores.page import Entry, ScorePage
from vaultkit.sheets.theme import CLASSIC, Theme

Scores = Mapping[str, Mapping[str, int | str]]


def score_sheet(
    game_id: str,
    *,
    paper: str,
    out: Path,
    theme: Theme = CLASSIC,
    players: Sequence[str] = (),
    session: str = "",
    date: str = "",
    ticks: Mapping[str, str] | None = None,
    own_ticks: Mapping[str, Mapping[str, str]] | None = None,
    scores: Scores | None = None,
) -> PrintedFile:
    """Prints a blank sheet, or one for each of `players`.

    `scores` gives numbers by player and box (`{"Ysolde": {"swords.total": 17}}`), `ticks` what is ticked on all
    (`{"mode": "coop"}`), `own_ticks` what is ticked for one player (`{"Ysolde": {"forfeited": "no"}}`).
    `theme` holds the vault whose designs win. A box that the sheet lacks is a UsageError.
    """
    design = score_design.load(game_id, theme.vault)
    filled, own = scores or {}, own_ticks or {}
    _known({*filled, *own}, players, "player")
    for boxes in filled.values():
        _known(set(boxes), design.names, "box")
    common = ticks or {}
    ticked = {name: _ticked(design, {**common, **own.get(name, {})}) for name in [*players, ""]}
    glyphs = Glyphs(theme)
    title = f"{design.title}: {design.subtitle}" if design.subtitle else design.title
    document = Document(title, session or title, load_stock(theme.vault).paper(paper), glyphs)
    page = ScorePage(design, document)
    names = list(players) or [""]
    for number, player in enumerate(names, 1):
        texts = {"player": player, "session": session, "date": date}
        document.bookmark(player or design.title, f"sheet-{number}", 0)
        page.draw(Entry(texts, ticked[player], filled.get(player, {}), f"{number} / {len(names)}"))
        document.end_page()
    return document.save(out, tuple(player or title for player in names))


def _known(given: set[str], accepted: Sequence[str], what: str) -> None:
    unknown = sorted(given - set(accepted))
    if unknown:
        raise UsageError(f"The sheet has no {what} '{unknown[0]}'.", hint=f"Accepted: {', '.join(accepted) or 'none'}.")


def _ticked(design: score_design.ScoreDesign, ticks: Mapping[str, str]) -> frozenset[str]:
    groups = {group.id: group for group in design.ticks}
    _known(set(ticks), list(groups), "tick box")
    for group, option in ticks.items():
        _known({option} if option else set(), list(groups[group].options), f"choice under {group}")
    return frozenset(f"{group}.{option}" for group, option in ticks.items() if option)
