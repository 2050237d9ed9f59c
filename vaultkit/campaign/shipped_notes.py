"""The rule notes that ship with vaultkit, and how to get a missing one."""

from functools import cache

from vaultkit import resources
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.rule_note import GAME_PROPERTY, RuleNote
from vaultkit.games.game_info import GameInfo
from vaultkit.vault import Vault


@cache
def _example_compendium() -> Compendium:
    return Compendium(Vault(resources.shipped_folder("vault-example")))


def shipped_rule_note(info: GameInfo) -> RuleNote | None:
    """Return the rule note of a game in the example vault, None if there is none."""
    return _example_compendium().rule_note(info.id, (info.title, *info.aliases))


def way_to_rule_note(info: GameInfo) -> str:
    """Return a hint on how to get a game's rule note: copy the shipped one, or write one."""
    if shipped_rule_note(info):
        return f"Copy ours in with: vaultkit init --with {info.id}"
    return f"Write one of your own, with {GAME_PROPERTY}: {info.id} in its properties."
