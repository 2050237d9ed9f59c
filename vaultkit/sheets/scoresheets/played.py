"""The score sheet of a game that was played, with its scores filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from vaultkit.look.theme import Theme
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.scoresheets.design import ONE, ScoreDesign
from vaultkit.sheets.scoresheets.reading import load_score_design
from vaultkit.sheets.scoresheets.score_sheet import Filled, print_scores
from vaultkit.vault import Vault


@dataclass(frozen=True)
class Played:
    """A finished game, as its score sheets need it.

    `ticks` are what is ticked on every sheet (`{"mode": "coop"}`), `scores` the parts of each of `players`.
    """

    id: str
    session: str
    date: str
    ticks: Mapping[str, str]
    players: tuple[str, ...]
    scores: tuple[Mapping[str, int], ...]


def print_played_scores(game: Played, vault: Vault, *, paper: str, out: Path, code: str = "") -> PrintedFile:
    """The score sheet of a finished game, a page for each player, filled in; `survived` becomes a tick.

    With a `code`, such as the address of the game's note, a QR code leads there.
    """
    design = load_score_design(game.id, vault.root)
    scored = list(zip(game.players, game.scores, strict=True))
    boxes = {name: _boxes(design, parts) for name, parts in scored}
    return print_scores(
        game.id, paper=paper, out=out, theme=Theme(vault.root), layout=ONE, players=game.players, design=design,
        filled=Filled(game.session, game.date, game.ticks, _fates(design, scored), boxes), qr=bool(code), code=code,
    )  # fmt: skip


def _fates(design: ScoreDesign, scored: list[tuple[str, Mapping[str, int]]]) -> dict[str, dict[str, str]]:
    """Who survived and who forfeited, where the scores tell and the sheet asks."""
    if "forfeited" not in {group.id for group in design.ticks}:
        return {}
    return {name: {"forfeited": "no" if parts["survived"] else "yes"} for name, parts in scored if "survived" in parts}


def _boxes(design: ScoreDesign, parts: Mapping[str, int]) -> dict[str, int | str]:
    """Score parts as the sheet has them: rolls with their row, and 0 as an empty box, except for the total."""
    named = {
        part: design.played.get(part, part) for part, value in _one_deal(parts).items() if value or part == "total"
    }
    return {name: _in_words(design, name, part, parts) for part, name in named.items() if name in design.names}


def _one_deal(parts: Mapping[str, int]) -> Mapping[str, int]:
    """A match of several deals tells what each gave; its other parts are sums over all, for which there is no box."""
    if "deal.1" not in parts:
        return parts
    return {part: value for part, value in parts.items() if part.startswith("deal.") or part == "total"}


def _in_words(design: ScoreDesign, name: str, part: str, parts: Mapping[str, int]) -> int | str:
    group, _, last = part.rpartition(".")
    if last == "rolls":
        return f"{parts[part]} × row {parts[f'{group}.row']}"
    column = name.rpartition(".")[2]
    options = next((one.options for one in design.columns if one.id == column), ())
    return options[len(options) - parts[part]] if options else parts[part]
