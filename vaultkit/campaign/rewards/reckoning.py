"""From the note of a game to its rewards: who takes part, what was earned, and the rolls."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from vaultkit.campaign.played import Participant, PlayedGame
from vaultkit.campaign.players import seats_called
from vaultkit.campaign.rewards.earning import Earned, earnings, standing
from vaultkit.campaign.rewards.rolling import Reward, roll_rewards
from vaultkit.campaign.rewards.scores import Scored, read_scores, unknown_players
from vaultkit.campaign.rewards.sharing import Shared, own_shares, share_out
from vaultkit.campaign.rewards.table import RewardTable, book_table, reward_table
from vaultkit.campaign.scoretable import otherwise
from vaultkit.compendium.tables.rolling import RollTables
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.tally import CitadelTally
from vaultkit.games.options import Options, Value
from vaultkit.games.tally import SeatTally, Tally
from vaultkit.session.options import settle
from vaultkit.vault import Note, Vault

_IT_COUNTS = {"DC-1": "They count.", "DC-33": "It counts.", "DC-35": "They count."}
"""The rulings on which cards there are, with what becomes of more than those: heroes, totals, Crowns."""


def doubts(game: PlayedGame, scores: Sequence[Scored], options: Options) -> Iterator[str]:
    """Sentences for the GM, each with the note and the line; `options` are complete."""
    for one in scores:
        where = f"{game.note}:{one.line}" if one.line else game.note
        for sentence in (*_impossible(one, options), *_otherwise(game, one)):
            yield f"{where}: {sentence}"


def _impossible(one: Scored, options: Options) -> Iterator[str]:
    """What the game itself doubts of one score sheet, as far as it is about the cards that there are."""
    tally = Tally(options, (SeatTally(one.parts),))
    for doubt in CitadelTally().doubts(tally):
        counts = next((_IT_COUNTS[ruling] for ruling in doubt.rulings if ruling in _IT_COUNTS), "")
        if counts:
            yield f"{doubt.sentence.speak(lambda _: one.player.name, str)} {counts}"


def _otherwise(game: PlayedGame, one: Scored) -> Iterator[str]:
    """A total in the table or a property of the note that is not what the row makes (DC-32)."""
    made = scoring.champion(one.parts, {"champion": game.options.get("champion", "sum")})
    if other := otherwise(one.player, one.total, made):
        yield (
            f"the row of {one.player.name} makes {made}, but {other}. "
            "Rewards go by the row, and statistics by the property."
        )


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


_KEYS = ("mode", "champion", "hero_only")


@dataclass(frozen=True)
class Reckoning:
    """A game's score sheets and what they earn on one column of the reward table, before any roll.

    `remarks` belong into the note, too; `doubts` are for the GM alone, each with the line that it is about.
    """

    game: PlayedGame
    options: Mapping[str, Value]
    table: RewardTable
    column: int
    scores: tuple[Scored, ...]
    earned: tuple[Earned, ...]
    remarks: tuple[str, ...]
    doubts: tuple[str, ...] = ()

    def roll(self, vault: Vault, seed: int, today: date, sharing: Sequence[str] | None) -> Rolled:
        """The rewards, the same for the same seed. `sharing` are names among whom all is shared, none for everybody.

        None shares nothing. Raises UsageError for a name that nobody here has.
        """
        order = tuple(one.player for one in standing(self.scores, self.options))
        among = order if not sharing else _chosen(order, sharing)
        rng = random.Random(f"{seed}:rewards")
        rewards = roll_rewards(self.earned, self.table, self.column, RollTables(vault), rng)
        shares: Shared
        if sharing is None:
            shares = own_shares((one.player for one in self.scores), rewards)
        else:
            shares = share_out(among, rewards)
        column = self.table.columns[self.column]
        is_shared = sharing is not None
        doubtful = (*self.doubts, *_unread(rewards, self.table))
        return Rolled(self.game, self.table, column, rewards, seed, today, shares, is_shared, self.remarks, doubtful)


def reckon(
    game: PlayedGame,
    vault: Vault,
    rules: Note | None,
    house_rules: Mapping[str, object],
    *,
    column: str = "",
    bots: bool = False,
) -> Reckoning:
    """What a game has earned; `rules` is the GM's rule note, `house_rules` what settings and that note say.

    The options of the game's own note come before those. Bots earn nothing unless `bots` says so. Raises InvalidError
    for a score sheet or reward table that cannot be read, UsageError for a `column` that the table has not.
    """
    options = _options(game, house_rules)
    table = reward_table(rules) if rules else None
    remarks = [] if table else [_no_table(rules)]
    table = table or book_table()
    read = read_scores(game, vault)
    scores = tuple(one for one in read if bots or not one.player.bot)
    wanted = column or str(game.options.get("rewards") or house_rules.get("rewards") or options["rewards"])
    earned = earnings(scores, table, str(options["hero_only"]))
    remarks += earned.remarks
    remarks += [
        f"{name} is in the score sheet, but not among the players of the note, and earns nothing."
        for name in unknown_players(game, vault)
    ]
    doubtful = (*doubts(game, scores, options), *table.doubts())
    return Reckoning(game, options, table, table.column(wanted), scores, earned.earned, tuple(remarks), doubtful)


def _unread(rewards: Iterable[Reward], table: RewardTable) -> Iterator[str]:
    """Words of cells that may have been a number."""
    said = {(one.earned.row.line, one.unread): None for one in rewards if one.unread}
    path = table.note.path if table.note else ""
    return (f"{path}:{line}: '{words}' has no number that can be read, so it is one roll." for line, words in said)


def _no_table(rules: Note | None) -> str:
    missing = f"{rules.path} has no reward table" if rules else "This vault has no rule note of Dragon Citadel"
    return f"{missing}, so that of the book was taken."


def _options(game: PlayedGame, house_rules: Mapping[str, object]) -> Mapping[str, Value]:
    """Raises InvalidError for an option of the game's note that is no value of its."""
    own = {key: value for key, value in game.options.items() if key in _KEYS}
    if game.mode:
        own["mode"] = game.mode
    given = {key: value for key, value in house_rules.items() if key in _KEYS}
    try:
        return settle(DragonCitadel(), {**given, **own})
    except UsageError as error:
        raise InvalidError(error.message, where=game.note, hint=error.hint) from error


def _chosen(players: Sequence[Participant], names: Sequence[str]) -> tuple[Participant, ...]:
    """The players of these names, in the order of the players."""
    known = [one.name for one in players]
    found = set[int]()
    for name in names:
        same = seats_called(known, name)
        if len(same) != 1:
            raise UsageError(f"No one player of this game is called '{name}'.", hint=f"There are: {', '.join(known)}.")
        found.update(same)
    return tuple(players[seat] for seat in sorted(found))
