"""The values on a score sheet from the start, and whose sheets there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultkit.errors import UsageError
from vaultkit.sheets.scoresheets.design import ScoreDesign

Scores = Mapping[str, Mapping[str, int | str]]
"""The values in the boxes, by player and box."""


@dataclass(frozen=True)
class Player:
    """One player's sheet: what the fields' names begin with, and what a screen reader says before each."""

    prefix: str = ""
    who: str = ""
    name: str = ""


@dataclass(frozen=True)
class Filled:
    """Session and date, what is ticked on all sheets and on those of single players, and the scores."""

    session: str
    date: str
    ticks: Mapping[str, str]
    own_ticks: Mapping[str, Mapping[str, str]]
    scores: Scores

    def check(self, design: ScoreDesign, players: Sequence[str]) -> None:
        """Raises UsageError for a player, a box or a choice that the sheet lacks; it lists those that it has."""
        _known({*self.scores, *self.own_ticks}, players, "player")
        for ticks in (self.ticks, *self.own_ticks.values()):
            _check_ticks(design, ticks)
        for boxes in self.scores.values():
            _known(set(boxes), design.names, "box")

    def values(self, people: Sequence[Player], *, shared: bool) -> dict[str, str]:
        """By the full names of the fields; with `shared`, session, date and ticks are there once for all players."""
        values = self._common if shared else {}
        for player in people:
            own = _ticked(self.own_ticks.get(player.name, {}))
            boxes = {box: str(value) for box, value in self.scores.get(player.name, {}).items()}
            mine = {**({} if shared else self._common), "player": player.name, **own, **boxes}
            values |= {player.prefix + name: value for name, value in mine.items()}
        return values

    @property
    def _common(self) -> dict[str, str]:
        return {"session": self.session, "date": self.date, **_ticked(self.ticks)}


def _ticked(ticks: Mapping[str, str]) -> dict[str, str]:
    return {f"{group}.{option}": "yes" for group, option in ticks.items() if option}


def _known(given: set[str], accepted: Sequence[str], what: str) -> None:
    unknown = sorted(given - set(accepted))
    if unknown:
        raise UsageError(f"The sheet has no {what} '{unknown[0]}'.", hint=f"Accepted: {', '.join(accepted) or 'none'}.")


def _check_ticks(design: ScoreDesign, ticks: Mapping[str, str]) -> None:
    groups = {group.id: [option for option, _ in group.options] for group in design.ticks}
    _known(set(ticks), list(groups), "tick box")
    for group, option in ticks.items():
        _known({option} if option else set(), groups[group], f"choice under {group}")
