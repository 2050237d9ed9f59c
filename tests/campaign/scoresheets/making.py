"""Games of Dragon Citadel recorded on paper."""

from datetime import date
from typing import Any

from tests.campaign.samples import NOW, SETTINGS
from vaultkit.campaign.scoresheets.input_formats import from_flags
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_log import PaperLog
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, build_tally
from vaultkit.campaign.workspace import Workspace
from vaultkit.games import registry
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import score_sheet
from vaultkit.settings import Settings
from vaultkit.vault import Vault

THREE = ("Ysolde: swords=17/1, stars=9, crowns=3", "Bram: coins=8+9, forfeited", "Ivo Guest: glyphs=3")

COMPETITIVE = {"mode": "competitive"}
DOUBTED: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("DC-33", ("A: swords=46", "B: crowns=0", "C: crowns=1"), {}),
    ("DC-33", ("A: swords=40", "B: swords=9", "C: crowns=1"), {}),
    ("whatever numbers", ("A: swords=1", "B: swords=1", "C: crowns=1"), {}),
    ("the 9 of Swords 2 times", ("A: swords=8+9", "B: swords=9+1", "C: crowns=1"), {}),
    ("the 4 of Swords 2 times", ("A: swords=4+4", "B: crowns=1", "C: crowns=1"), {}),
    ("a 12 of Swords", ("A: swords=12+1", "B: crowns=1", "C: crowns=1"), {}),
    ("DC-1", ("A: swords=17/1", "B: swords=9/1", "C: crowns=1"), {}),
    ("2 heroes", ("A: swords=17/2", "B: swords=9", "C: crowns=1"), {}),
    ("DC-34", ("A: swords=0/1", "B: swords=9", "C: crowns=1"), {}),
    ("DC-27", ("A: crowns=9", "B: crowns=9", "C: swords=1"), {}),
    ("DC-3", ("A: swords=1", "B: swords=2"), {}),
    ("DC-32", ("A: swords=1, score=2", "B: swords=2", "C: crowns=1"), {}),
    ("DC-5", ("A: swords=1", "B: swords=2", "C: crowns=1"), {"outcome": "dealer"}),
    ("DC-5", ("A: forfeited", "B: forfeited", "C: forfeited"), {"outcome": "party"}),
    ("DC-31", ("A: swords=1", "B: swords=2", "C: crowns=1"), {"outcome": "last-survivor", "options": COMPETITIVE}),
)
"""Doubtful score sheets: a part of the doubt's text, the scores, and other input."""


def paper_log(vault: Vault, settings: Settings = SETTINGS, *, dry_run: bool = False) -> PaperLog:
    """Return the paper log of a vault with these settings."""
    workspace = Workspace(vault.root)
    vars(workspace).update(vault=vault, settings=settings)
    return PaperLog(workspace, NOW, dry_run=dry_run)


def names_of(written: PaperRecord) -> tuple[str, ...]:
    return tuple(seat.name for seat in written.seats)


def citadel(*scores: str, game: str = "dragon-citadel", **more: Any) -> PaperGame:
    """Return the game given by these flags.

    `options` holds values that differ from the defaults, and `outcome` tells how the game ended. Without an outcome the
    party has won, unless the scores decide.
    """
    sheet, options = score_sheet(game), settle(registry.rules(game), more.pop("options", {}))
    decided = game != "dragon-citadel" or options["mode"] == "competitive" or all("forfeited" in one for one in scores)
    written = from_flags(scores or THREE, more.pop("outcome", None if decided and scores else "party"))
    day = more.pop("date", date(2026, 11, 3))
    tally = build_tally(written, sheet, options)
    return PaperGame(game, day, names_of(written), tally, sheet=sheet, **more)
