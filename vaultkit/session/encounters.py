"""A character's encounters one after the other, between bots: how long what it owns lasts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from vaultkit.bots.base import Bot
from vaultkit.errors import UsageError
from vaultkit.session.dealing import seeds
from vaultkit.session.playout import Lineup, play_out


@dataclass(frozen=True, slots=True)
class Course:
    """The encounters of one character: how many cards it owned after each, and how many were won.

    It ends early where it owns so many that too few are left for another encounter (DD-15).
    """

    owned: tuple[int, ...]
    won: int


def follow(lineup: Lineup, bots: tuple[Bot, ...], seed: int, encounters: int) -> Course:
    """The encounters of one character, each of which begins with what the one before has left."""
    owned, won = list[int](), 0
    known: Mapping[str, tuple[str, ...]] = {}
    for each in seeds(seed, encounters):
        try:
            played = play_out(lineup, bots, each, known)
        except UsageError:
            if not owned:
                raise
            break
        carried = lineup.game.carry(played.outcome)
        if carried is None:
            raise UsageError(
                f"In {lineup.game.title} nobody carries anything from one game to the next.",
                hint="Leave out --campaign.",
            )
        number, known = carried
        owned.append(number)
        won += bool(played.outcome.winners)
        lineup = replace(lineup, options={**lineup.options, "inventory": number})
    return Course(tuple(owned), won)


@dataclass(frozen=True, slots=True)
class Lasting:
    """How what characters own lasts: of each encounter, the share that still owns a card after it, and how many.

    `won` is how many encounters were won by each on average; `dry` are the characters without a card at the end.
    """

    characters: int
    encounters: int
    alive: tuple[float, ...]
    owned: tuple[float, ...]
    won: float
    dry: int

    @classmethod
    def of(cls, courses: Iterable[Course], encounters: int) -> "Lasting":
        """The report on one course or more; one that ended early counts with what was owned last."""
        known = list(courses)
        at = [[course.owned[min(number, len(course.owned) - 1)] for course in known] for number in range(encounters)]
        return cls(
            characters=len(known),
            encounters=encounters,
            alive=tuple(fmean(map(bool, owned)) for owned in at),
            owned=tuple(map(fmean, at)),
            won=fmean(course.won for course in known),
            dry=sum(not owned for owned in at[-1]),
        )

    def rows(self) -> list[tuple[str, str, str]]:
        """A few of the encounters from the first to the last, each with who still owns cards, and how many."""
        step = max(1, self.encounters // 10)
        numbers = sorted({0, *range(step - 1, self.encounters, step), self.encounters - 1})
        return [(str(one + 1), f"{100 * self.alive[one]:.0f} %", f"{self.owned[one]:.1f}") for one in numbers]

    def as_document(self) -> Mapping[str, object]:
        """The report as plain values; rates are shares of 1."""
        rows = zip(self.alive, self.owned, strict=True)
        return {
            "characters": self.characters,
            "encounters": self.encounters,
            "won": round(self.won, 2),
            "dry": self.dry,
            "after": [{"with_cards": round(alive, 4), "cards": round(owned, 2)} for alive, owned in rows],
        }
