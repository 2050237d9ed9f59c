"""The check of logged games, and the repair that derives what follows from the scores in their notes."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import cache

from vaultkit.campaign.correction.logged import read_logged_game
from vaultkit.campaign.logged_game import PlayedGame, is_game
from vaultkit.campaign.property_names import SESSION
from vaultkit.campaign.score_checks.problems import GAME_SCORE, GameChecker, find_score_problems
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import Problem, VaultkitError
from vaultkit.session import checks
from vaultkit.vault import Note
from vaultkit.vault.checking.check import Check, Checks
from vaultkit.vault.checking.repair import Repair, RepairContext
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.writing.splice import smallest_splice
from vaultkit.vault.writing.text_merge import plan_merge


def _find_problems(selection: CheckScope) -> Iterator[Problem]:
    if SESSION not in selection.property_names:
        return
    checker = selection.get_shared(GameChecker)
    for note in selection.read_notes(facts for facts in selection.facts if is_game(facts)):
        game, contradictions = checker.read(note)
        yield from find_score_problems(note, game, contradictions, selection.vault)


def _find_repairs(note: Note, context: RepairContext) -> Iterator[Repair]:
    facts = context.vault.facts.get(note.path)
    if facts is None or not is_game(facts):
        return
    game, contradictions = context.get_shared(GameChecker).read(note)
    if not contradictions:
        return
    resolved = _rewrite_sentences(contradictions.resolve(note), game, context)
    if resolved.text != note.text:
        message = "totals, scores and winners that follow from the scores"
        splice, line = smallest_splice(note.text, resolved.text), contradictions.line(note)
        yield Repair(GAME_SCORE, line, 1, message, splice, derives=True)


def _rewrite_sentences(note: Note, game: PlayedGame, context: RepairContext) -> Note:
    """Return a note with the sentences about its scores, if its journal is kept and nobody has written into them."""
    with suppress(VaultkitError):
        workspace = Workspace(context.vault.root, cached=False).with_vault(
            context.vault.with_change(note.path, note.data)
        )
        logged = read_logged_game(workspace, game, datetime.min)
        splice = plan_merge(note, logged.pages.note, logged.pages_of(logged.result).note) if logged.paper else None
        return note.with_text(splice.apply(note.text)) if splice else note
    return note


CHECK = Check(GAME_SCORE, "warning", in_vault=_find_problems, concerns=is_game, repair=_find_repairs)


@cache
def every_check() -> Checks:
    """Return the checks of all layers, with that of logged games."""
    return (*checks.every_check(), CHECK)
