"""Everything that one run of `rewards` has found out, before it is written anywhere."""

from dataclasses import dataclass
from datetime import date

from vaultkit.campaign.played import PlayedGame
from vaultkit.campaign.rewards.rolling import Reward
from vaultkit.campaign.rewards.sharing import Shared
from vaultkit.campaign.rewards.table import RewardTable


@dataclass(frozen=True)
class Rolled:
    """The rewards of a game, rolled with `seed` on one column of the reward table.

    `shared` says whether all was shared out; `shares` are what each player gets in the end. `remarks` belong
    into the note, too; `doubts` are for the GM alone.
    """

    game: PlayedGame
    table: RewardTable
    column: str
    rewards: tuple[Reward, ...]
    seed: int
    date: date
    shares: Shared
    shared: bool
    remarks: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def has_results(self) -> bool:
        """Whether anything was rolled or given; else all of it is due elsewhere, or nothing."""
        return any(reward.results for reward in self.rewards)
