"""What each score sheet earns, row by row (DC-33 to DC-35)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vaultkit.campaign.played import Participant
from vaultkit.campaign.rewards.scores import CROWNS, Scored
from vaultkit.campaign.rewards.table import RewardRow, RewardTable
from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.options import Options


@dataclass(frozen=True)
class Earned:
    """`count` rolls on a row, and the score that earned them: `Swords 17 + 1 hero`, by its key `swords`."""

    player: Participant
    key: str
    score: str
    count: int
    row: RewardRow


@dataclass(frozen=True)
class Earnings:
    """All that was earned, in the order of seats; `remarks` tell of scores that no row has."""

    earned: tuple[Earned, ...]
    remarks: tuple[str, ...]


def earnings(scores: Sequence[Scored], table: RewardTable, hero_only: str) -> Earnings:
    """What each of the score sheets earns on `table`; `hero_only` is the option of DC-34."""
    found: list[Earned] = []
    remarks: list[str] = []
    for one in scores:
        for due, lost in _of(one, table, hero_only):
            if due:
                found.append(due)
            else:
                remarks.append(lost)
    return Earnings(tuple(found), tuple(remarks))


def standing(scores: Sequence[Scored], options: Options) -> tuple[Scored, ...]:
    """The players by their score sheets, the champion first (DC-32); in competitive play the winner before that."""

    def place(one: Scored) -> tuple[bool, int, int, int]:
        first = one.player.won and options.get("mode") == "competitive"
        return (first, scoring.champion(one.parts, options), scoring.heroes(one.parts), one.parts["crowns.count"])

    return tuple(sorted(scores, key=place, reverse=True))


def _of(one: Scored, table: RewardTable, hero_only: str) -> Iterator[tuple[Earned | None, str]]:
    for suit in scoring.SUITS:
        total, heroes = one.parts[f"{suit}.total"], one.parts[f"{suit}.heroes"]
        due = scoring.reward_rolls(min(total, scoring.ROWS[-1]), heroes, hero_only)
        if due.count:
            row = table.row_of(total) if total else table.row_of_crowns(due.row)
            yield _earned(one.player, suit, _score(suit, total, heroes), due.count, row)
    crowns = one.parts["crowns.count"]
    if scoring.crown_rolls(crowns).count:
        yield _earned(one.player, CROWNS, f"{crowns} Crown{'s' * (crowns > 1)}", 1, table.row_of_crowns(crowns))


def _earned(player: Participant, key: str, score: str, count: int, row: RewardRow | None) -> tuple[Earned | None, str]:
    if row is None:
        return None, f"{player.name} earns nothing for {score}: no row of the reward table has that score."
    return Earned(player, key, score, count, row), ""


def _score(suit: str, total: int, heroes: int) -> str:
    also = f" + {heroes} hero{'es' * (heroes > 1)}" if heroes else ""
    return f"{suit.capitalize()} {total}{also}"
