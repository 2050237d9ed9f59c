"""The check that the notes of logged games agree with their scores, and the repair that computes the rest again."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import cache

from vaultkit import files
from vaultkit.campaign.logged_game import GAME_SCORE, PlayedGame, is_game, name_list
from vaultkit.campaign.players import Players, bare_name
from vaultkit.campaign.property_names import SESSION
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import Problem, VaultkitError
from vaultkit.session import checks
from vaultkit.settings import VAULT_CONFIG_PATH, load
from vaultkit.text import name_key
from vaultkit.vault import Note, Vault
from vaultkit.vault.checking.check import Check, Checks
from vaultkit.vault.checking.repair import Repair, RepairContext
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.links import parse_wikilink
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.writing.splice import smallest_splice
from vaultkit.vault.writing.text_merge import plan_merge

# The readers of scores are imported late: they take half the start of a check, and few vaults need them.


def _find_problems(scope: CheckScope) -> Iterator[Problem]:
    if SESSION not in scope.property_names:
        return
    from vaultkit.campaign.score_checks.contradictions import GameChecker, find_score_problems

    checker = scope.get_shared(GameChecker)
    for note in scope.read_notes(facts for facts in scope.facts if is_game(facts)):
        yield from find_score_problems(checker.read(note), scope.vault)


def _find_repairs(note: Note, context: RepairContext) -> Iterator[Repair]:
    facts = context.vault.facts.get(note.path)
    if facts is None or not is_game(facts):
        return
    from vaultkit.campaign.score_checks.contradictions import GameChecker

    contradictions = context.get_shared(GameChecker).read(note)
    if not contradictions:
        return
    resolved = _rewrite_sentences(contradictions.resolve(), contradictions.game, context)
    if resolved.text != note.text:
        message = "totals, scores and winners that follow from the scores"
        splice, line = smallest_splice(note.text, resolved.text), contradictions.line
        yield Repair(GAME_SCORE, line, 1, message, splice, derives=True)


def _rewrite_sentences(note: Note, game: PlayedGame, context: RepairContext) -> Note:
    """Return a note whose generated sentences agree with its scores.

    The note stays as it is if its journal is missing, or if people have changed those sentences.
    """
    from vaultkit.campaign.correction.logged import read_logged_game

    with suppress(VaultkitError):
        workspace = Workspace(context.vault.root, cached=False).with_vault(
            context.vault.with_change(note.path, note.data)
        )
        logged = read_logged_game(workspace, game, datetime.min)
        splice = plan_merge(note, logged.pages.note, logged.pages_of(logged.result).note) if logged.paper else None
        return note.with_text(splice.apply(note.text)) if splice else note
    return note


GAME_SCORE_CHECK = Check(GAME_SCORE, "warning", in_vault=_find_problems, concerns=is_game, repair=_find_repairs)


def _find_renamed_players(scope: CheckScope) -> Iterator[Problem]:
    """Yield a problem for each name in the settings' `players` that was the former name of a player's note.

    Such a name has no note, but links in notes of games show it for a note that now has another name.
    """
    vault = scope.vault
    config = vault.root / VAULT_CONFIG_PATH
    if scope.paths is not None or not config.is_file():
        return
    with suppress(VaultkitError):
        entries, players = load(vault.root).players, Players(vault, ())
        old_names = [entry for entry in entries if bare_name(entry) == entry and not players.note(entry)]
        notes = dict(_linked_names(vault)) if old_names else {}
        for entry in old_names:
            if note := notes.get(name_key(entry)):
                lines = files.read_state(config).decode().splitlines()
                line = next((number for number, text in enumerate(lines, 1) if entry in text), 0)
                message = f"The player '{entry}' has no note; {note} had that name once."
                hint = f"Write '{name_of(note)}' under 'players', or make '{entry}' an alias of that note."
                yield Problem(VAULT_CONFIG_PATH, line, min(line, 1), "player-renamed", message, hint, "warning")


def _linked_names(vault: Vault) -> Iterator[tuple[str, str]]:
    """Yield the texts of links to players in notes of games, each with the path of the player's note."""
    for facts in filter(is_game, vault.note_facts):
        for text in name_list(facts.property("players")):
            link = parse_wikilink(text)
            path = vault.files.resolve(link[1], facts.path).path if link else None
            if path and name_key(bare_name(text)) != name_key(name_of(path)):
                yield name_key(bare_name(text)), path


PLAYER_CHECK = Check("player-renamed", "warning", in_vault=_find_renamed_players)


@cache
def every_check() -> Checks:
    """Return the checks of all layers and the checks of logged games."""
    return (*checks.every_check(), GAME_SCORE_CHECK, PLAYER_CHECK)
