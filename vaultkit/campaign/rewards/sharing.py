"""Rewards in one pool, dealt out evenly. The champion chooses first (DC-37)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.campaign.played import Participant
from vaultkit.campaign.rewards.pieces import Words, joined, split_coins
from vaultkit.campaign.rewards.rolling import Reward, RolledResult


@dataclass(frozen=True)
class Share:
    """What one player gets: things, and coins by their kinds."""

    player: Participant
    things: tuple[Words, ...]
    coins: Mapping[str, int]


@dataclass(frozen=True)
class Shared:
    """The shares in the order of choosing, and the coins that do not divide, which the party keeps together."""

    shares: tuple[Share, ...]
    left: Mapping[str, int]


def own_shares(players: Iterable[Participant], rewards: Sequence[Reward]) -> Shared:
    """What each player has rolled, word for word, without any sharing (DC-37)."""
    return Shared(tuple(_own(player, rewards) for player in players), {})


def share_out(players: Sequence[Participant], rewards: Iterable[Reward]) -> Shared:
    """Everything dealt out in turn among `players`, who choose in this order, and coins divided.

    Nobody gets more than one thing more than another; nobody gets more coins. What is told of coins, such as the sack
    that they are in, stays with the rolls.
    """
    things, coins = _pool(result for reward in rewards for result in reward.results)
    number = len(players)
    each = {unit: amount // number for unit, amount in coins.items()}
    shares = tuple(Share(player, things[turn::number], each) for turn, player in enumerate(players))
    return Shared(shares, {unit: amount % number for unit, amount in coins.items()})


def _own(player: Participant, rewards: Sequence[Reward]) -> Share:
    results = (result for reward in rewards if reward.earned.player is player for result in reward.results)
    return Share(player, tuple(result.found for result in results), {})


def _pool(results: Iterable[RolledResult]) -> tuple[tuple[Words, ...], Mapping[str, int]]:
    """Things, and coins added up."""
    things: list[Words] = []
    coins: Counter[str] = Counter()
    for result in results:
        split = [split_coins(step.found) for step in result.steps]
        for _, found in split:
            coins.update(found)
        kept = [rest for rest, _ in split if rest]
        if kept:
            things.append(joined(kept, " \u2192 "))
    return tuple(things), coins
