"""The rule notes that ship with vaultkit, and how a game gets one that it lacks."""

from functools import cache

from vaultkit import resources
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.rulenote import GAME, RuleNote
from vaultkit.games.info import GameInfo
from vaultkit.vault import Vault


@cache
def _shipped() -> Compendium:
    return Compendium(Vault(resources.shipped("vault-example")))


def shipped_rule_note(info: GameInfo) -> RuleNote | None:
    """The rule note of a game in the example vault."""
    return _shipped().rule_note(info.id, (info.title, *info.aliases))


def way_to_rule_note(info: GameInfo) -> str:
    """A hint for who has no rule note of a game: to copy ours, or to write one."""
    if shipped_rule_note(info):
        return f"Copy ours in with: vaultkit init --with {info.id}"
    return f"Write one of your own, with {GAME}: {info.id} in its properties."
