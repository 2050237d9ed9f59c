"""Rewards as one JSON document."""

from typing import Any

from vaultkit.campaign.rewards.pieces import spoken
from vaultkit.campaign.rewards.rolled import Rolled
from vaultkit.campaign.rewards.rolling import Reward, RolledResult
from vaultkit.campaign.rewards.sharing import Share


def as_document(rolled: Rolled) -> dict[str, Any]:
    """`{session, note, seed, rewards, rolls[]}`, and `shared[]` and `left` where all was shared out.

    Notes and tables are vault paths; coins are counted by their kinds. Without any result there is no seed.
    """
    shares = rolled.shares
    shared = (
        {"shared": list(map(_share, shares.shares)), "left": dict(shares.left)}
        if rolled.shared and rolled.has_results
        else {}
    )
    return {
        "session": rolled.game.session,
        "note": rolled.game.note,
        "seed": rolled.seed if rolled.has_results else None,
        "rewards": rolled.column,
        "rolls": list(map(_reward, rolled.rewards)),
        **shared,
    }


def _reward(reward: Reward) -> dict[str, Any]:
    earned = reward.earned
    table = reward.table.path if reward.table else None
    return {
        "player": earned.player.name,
        "for": earned.key,
        "score": earned.score,
        "row": earned.row.number,
        "table": table or reward.title or None,
        "count": int(reward.count) if reward.count.isdecimal() else reward.count,
        "due": reward.due or None,
        "results": list(map(_result, reward.results)),
    }


def _result(result: RolledResult) -> dict[str, Any]:
    first, *later = result.steps
    chain = [
        {"table": step.table.path if step.table else None, "roll": step.number, "text": spoken(step.found)}
        for step in later
    ]
    items = [{"text": text, "note": note} for text, note in result.items]
    return {"roll": first.number, "text": spoken(first.found), "items": items, "chain": chain}


def _share(share: Share) -> dict[str, Any]:
    return {"player": share.player.name, "things": list(map(spoken, share.things)), "coins": dict(share.coins)}
