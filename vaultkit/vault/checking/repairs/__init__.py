"""Repairs that need no guess, each a splice of its own, each verified by a second reading before it is offered."""

from vaultkit.vault.checking.repairs.base import Names, Repair
from vaultkit.vault.checking.repairs.repairer import Repairer, repairs

__all__ = ["Names", "Repair", "Repairer", "repairs"]
