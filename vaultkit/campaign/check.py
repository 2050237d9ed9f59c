"""All faults of a vault: of its notes and links, its decks and rule notes, and its settings."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from vaultkit.campaign import house_rules
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium.check import check as check_compendium
from vaultkit.compendium.rulecards import GameNames
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.vault.checking.check import Progress, Report
from vaultkit.vault.checking.check import check as check_links


def find_problems(workspace: Workspace, paths: Sequence[str] | None, progress: Progress) -> Report:
    """All that the vault's own check, that of the compendium and that of the settings find."""
    report = check_links(workspace.vault, paths, progress)
    problems = {*report.problems, *check_compendium(workspace.compendium, paths, map(_names, GAMES.values()))}
    if paths is None:
        problems |= {*house_rules.settings_problems(workspace)}
    return replace(report, problems=tuple(sorted(problems)))


def _names(info: GameInfo) -> GameNames:
    return GameNames(info.id, (info.title, *info.aliases), info.deck, partial(house_rules.option_refusal, info))
