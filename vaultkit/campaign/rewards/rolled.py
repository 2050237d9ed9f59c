"""Everything that one run of `rewards` has found out, before it is written anywhere."""

from dataclasses import dataclass
from datetime import date

from vaultkit.campaign.played import Participant, PlayedGame
from vaultkit.campaign.rewards.rolling import Reward
from vaultkit.campaign.rewards.sharing import Shared
from vaultkit.campaign.rewards.table import RewardTable


@dataclass(frozen=True)
class Rolled:
    """The rewards of a game, rolled with `seed` on one column of the reward table.

    `shared` says whether all was shared out; `shares` are what each player gets in the end.
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

    @property
    def players(self) -> tuple[Participant, ...]:
        """Who gets something in the end."""
        return tuple(share.player for share in self.shares.shares if share.things or any(share.coins.values()))
