"""Simulations of consecutive encounters of a character, played by bots, to measure how long its cards last."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from vaultkit.bots.registry import Bot
from vaultkit.errors import UsageError
from vaultkit.session.playout import Lineup, play_out
from vaultkit.session.seeded_choices import seeds


@dataclass(frozen=True, slots=True)
class EncounterSeries:
    """The results of the consecutive encounters of one character.

    `owned` contains the number of cards that it owned after each encounter, `won` is the number of encounters that it
    won. The series ends early if the character owns so many cards that too few are left for an encounter (DD-15).
    """

    owned: tuple[int, ...]
    won: int


def simulate_encounters(lineup: Lineup, bots: tuple[Bot, ...], seed: int, encounters: int) -> EncounterSeries:
    """Play up to `encounters` encounters of one character, and return their results.

    Each encounter begins with the cards left from the previous one. Raises UsageError if the first encounter cannot be
    played, or if the game carries nothing from one game to the next.
    """
    owned, won_count = list[int](), 0
    known_answers: Mapping[str, tuple[str, ...]] = {}
    for game_seed in seeds(seed, encounters):
        try:
            playout = play_out(lineup, bots, game_seed, known_answers)
        except UsageError:
            if not owned:
                raise
            break
        carried = lineup.game.carry(playout.outcome)
        if carried is None:
            raise UsageError(
                f"In {lineup.game.title} nobody carries anything from one game to the next.",
                hint="Leave out --campaign.",
            )
        card_count, known_answers = carried
        owned.append(card_count)
        won_count += bool(playout.outcome.winners)
        lineup = replace(lineup, options={**lineup.options, "inventory": card_count})
    return EncounterSeries(tuple(owned), won_count)


@dataclass(frozen=True, slots=True)
class SurvivalReport:
    """A report on how long the cards of characters last.

    `alive` contains the share of characters that own a card after each encounter, `owned` their mean number of cards.
    `won` is the mean number of encounters that a character won, `dry` the number of characters without a card at the
    end.
    """

    characters: int
    encounters: int
    alive: tuple[float, ...]
    owned: tuple[float, ...]
    won: float
    dry: int

    @classmethod
    def from_series(cls, series: Iterable[EncounterSeries], encounters: int) -> "SurvivalReport":
        """Return the report on the series of at least one character.

        If a series ended early, its last number of cards counts for all later encounters.
        """
        all_series = list(series)
        owned_by_encounter = [
            [one_series.owned[min(number, len(one_series.owned) - 1)] for one_series in all_series]
            for number in range(encounters)
        ]
        return cls(
            characters=len(all_series),
            encounters=encounters,
            alive=tuple(fmean(map(bool, owned)) for owned in owned_by_encounter),
            owned=tuple(map(fmean, owned_by_encounter)),
            won=fmean(one_series.won for one_series in all_series),
            dry=sum(not owned for owned in owned_by_encounter[-1]),
        )

    def rows(self) -> list[tuple[str, str, str]]:
        """Return about ten rows of a table, from the first encounter to the last.

        A row contains the number of the encounter, the share of characters that own a card after it, and the mean
        number of cards of all characters.
        """
        step = max(1, self.encounters // 10)
        indexes = sorted({0, *range(step - 1, self.encounters, step), self.encounters - 1})
        return [(str(index + 1), f"{100 * self.alive[index]:.0f} %", f"{self.owned[index]:.1f}") for index in indexes]

    def as_document(self) -> Mapping[str, object]:
        """Return the report as plain values for JSON. Rates are numbers from 0 to 1."""
        rows = zip(self.alive, self.owned, strict=True)
        return {
            "characters": self.characters,
            "encounters": self.encounters,
            "won": round(self.won, 2),
            "dry": self.dry,
            "after": [{"with_cards": round(alive, 4), "cards": round(owned, 2)} for alive, owned in rows],
        }
