"""Rewards computed from the note of a game: what each score earns, the rolls, and the players' shares."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from vaultkit.campaign.dragon_citadel.note_scores import (
    EarnedRolls,
    PlayerScoreSheet,
    find_earned_rolls,
    rank_players,
    read_scores,
)
from vaultkit.campaign.dragon_citadel.quoted_text import Words, join_words, split_coins
from vaultkit.campaign.dragon_citadel.reward_rolls import RolledReward, roll_rewards
from vaultkit.campaign.dragon_citadel.reward_table import RewardTable, printed_table, reward_table
from vaultkit.campaign.logged_game import Participant, PlayedGame
from vaultkit.campaign.players import find_seats
from vaultkit.campaign.score_table import describe_mismatch
from vaultkit.compendium.tables.roll_tables import RollTables
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games import registry
from vaultkit.games.dragon_citadel import rules
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import score_sheet
from vaultkit.vault import Note, Vault

_CARD_LIMIT_REMARKS = {"DC-1": "They count.", "DC-33": "It counts.", "DC-35": "They count."}
"""The rulings that limit the cards of a game (heroes, totals, Crowns), each with a remark on scores above the limit."""
_SCORING_OPTION_KEYS = ("mode", "champion", "hero_only")


@dataclass(frozen=True)
class PlayerShare:
    """One player's share of the rewards: things, and amounts of coins by unit."""

    player: Participant
    things: tuple[Words, ...]
    coins: Mapping[str, int]


@dataclass(frozen=True)
class LootShares:
    """The shares of all players, in the order in which they choose.

    `left` are the coins that do not divide evenly, by unit; they stay with the party.
    """

    shares: tuple[PlayerShare, ...]
    left: Mapping[str, int]


@dataclass(frozen=True)
class RewardCalculation:
    """A game's score sheets and what they earn on one column of the reward table, before any roll.

    `remarks` are also written into the note; `doubts` are for the GM only, each with its note and line.
    """

    game: PlayedGame
    options: Options
    table: RewardTable
    column: int
    scores: tuple[PlayerScoreSheet, ...]
    earned: tuple[EarnedRolls, ...]
    remarks: tuple[str, ...]
    doubts: tuple[str, ...] = ()

    def roll(self, vault: Vault, seed: int, today: date, sharing: Sequence[str] | None) -> "RolledRewards":
        """Roll the rewards and share them out; equal seeds give equal results.

        `sharing` names the players who share everything; an empty sequence means all players, None means that each
        player keeps their own rolls. Raises UsageError for a name that no player of the game has.
        """
        sharers = self.sharers(sharing)
        rng = random.Random(f"{seed}:rewards")
        rewards = roll_rewards(self.earned, self.table, self.column, RollTables(vault), rng)
        players = [player_score.player for player_score in self.scores]
        shares = own_shares(players, rewards) if sharing is None else share_out(sharers, rewards)
        return RolledRewards(self, rewards, seed, today, shares, sharing is not None)

    def sharers(self, names: Sequence[str] | None) -> tuple[Participant, ...]:
        """Return the players with the given names, or all without names, the champion first.

        Raises UsageError for a name that nobody here has.
        """
        order = rank_players(self.scores, self.options)
        return _players_by_name(order, names) if names else order


@dataclass(frozen=True)
class RolledRewards:
    """The rewards of a game, rolled with `seed`; with `shared`, the `shares` come from one common pool."""

    calculation: RewardCalculation
    rewards: tuple[RolledReward, ...]
    seed: int
    date: date
    shares: LootShares
    shared: bool

    @property
    def game(self) -> PlayedGame:
        return self.calculation.game

    @property
    def column(self) -> str:
        """The header of the reward table's column that was rolled on."""
        return self.calculation.table.columns[self.calculation.column]

    @property
    def has_results(self) -> bool:
        """Whether any roll or reward has a result; False if all rewards must be rolled by hand or there are none."""
        return any(reward.results for reward in self.rewards)

    @property
    def manual_count(self) -> int:
        """The number of rewards that must be rolled by hand."""
        return sum(bool(reward.manual_reason) for reward in self.rewards)


def reckon(
    game: PlayedGame,
    vault: Vault,
    rules: Note | None,
    house_rules: Mapping[str, object],
    *,
    column: str | None = None,
    bots: bool = False,
) -> RewardCalculation:
    """Return the score sheets of a game and what they earn, before any roll.

    `rules` is the GM's rule note; `house_rules` are the options from the settings and the rule note, which the options
    in the game's own note override. `column` names the column of the reward table; None means the one the game was
    played for. Bots earn nothing unless `bots` is true. Raises InvalidError for a score sheet or reward table that
    cannot be read, UsageError for an unknown column.
    """
    options = _options(game, house_rules)
    own_table = reward_table(rules) if rules else None
    table = own_table or printed_table()
    sheets, unknown_names = read_scores(game, vault)
    scores = tuple(item for item in sheets if bots or not item.player.bot)
    if column is None:
        column = str(game.options.get("rewards") or house_rules.get("rewards") or options["rewards"])
    results = [item for score in scores for item in find_earned_rolls(score, table, options)]
    missing = f"{rules.path} has no reward table" if rules else "This vault has no rule note of Dragon Citadel"
    remarks = [] if own_table else [f"{missing}, so the table of the book was used."]
    remarks += [item for item in results if isinstance(item, str)]
    for name in unknown_names:
        remarks.append(f"{name} is in the score sheet, but not among the players of the note, and earns nothing.")
    earned = tuple(item for item in results if isinstance(item, EarnedRolls))
    doubts = (*_doubts(game, scores, options), *table.doubts())
    return RewardCalculation(game, options, table, table.column(column), scores, earned, tuple(remarks), doubts)


def _options(game: PlayedGame, house_rules: Mapping[str, object]) -> Options:
    """Return the complete options for scoring a game.

    Raises InvalidError if the game's note has an invalid value for one of them.
    """
    values = {**house_rules, **game.options, **({"mode": game.mode} if game.mode else {})}
    scoring_values = {key: value for key, value in values.items() if key in _SCORING_OPTION_KEYS}
    try:
        return settle(registry.rules(game.game), scoring_values)
    except UsageError as error:
        raise InvalidError(error.message, where=game.note, hint=error.hint) from error


def _doubts(game: PlayedGame, scores: Sequence[PlayerScoreSheet], options: Options) -> Iterator[str]:
    """Yield doubts about the scores as sentences for the GM, each with its note and line."""
    for player_score in scores:
        where = f"{game.note}:{player_score.line}" if player_score.line else game.note
        for sentence in (*_card_limit_doubts(game, player_score, options), *_total_doubts(game, player_score)):
            yield f"{where}: {sentence}"


def _card_limit_doubts(game: PlayedGame, player_score: PlayerScoreSheet, options: Options) -> Iterator[str]:
    """Yield the score sheet's doubts about one player that concern the number of cards in the game."""
    tally = Tally(options, (SeatTally(player_score.parts),))
    for doubt in score_sheet(game.game).doubts(tally):
        remark = next((_CARD_LIMIT_REMARKS[ruling] for ruling in doubt.rulings if ruling in _CARD_LIMIT_REMARKS), "")
        if remark:
            yield f"{doubt.sentence.render(lambda _: player_score.player.name, str)} {remark}"


def _total_doubts(game: PlayedGame, player_score: PlayerScoreSheet) -> Iterator[str]:
    """Yield a doubt if the total in the table or in the note's property differs from the sum of the row (DC-32)."""
    row_total = rules.champion_score(player_score.parts, {"champion": game.options.get("champion", "sum")})
    if mismatch := describe_mismatch(player_score.player, player_score.total, row_total):
        yield (
            f"the row of {player_score.player.name} makes {row_total}, but {mismatch}. "
            "Rewards go by the row, and statistics by the property."
        )


def _players_by_name(players: Sequence[Participant], names: Sequence[str]) -> tuple[Participant, ...]:
    """Return the players with the given names, in the order of `players`.

    Raises UsageError for a name that fits no player, or several.
    """
    player_names = [player.name for player in players]
    seats = [find_seats(player_names, name) for name in names]
    if unclear_name := next((name for name, matches in zip(names, seats, strict=True) if len(matches) != 1), None):
        hint = f"There are: {', '.join(player_names)}."
        raise UsageError(f"No one player of this game is called '{unclear_name}'.", hint=hint)
    return tuple(players[seat] for seat in sorted({matches[0] for matches in seats}))


def own_shares(players: Iterable[Participant], rewards: Sequence[RolledReward]) -> LootShares:
    """Return shares in which each player keeps the results of their own rolls, word for word (DC-37)."""
    rolls = [(reward.earned.player, result.words) for reward in rewards for result in reward.results]
    shares = (PlayerShare(player, tuple(words for owner, words in rolls if owner is player), {}) for player in players)
    return LootShares(tuple(shares), {})


def share_out(players: Sequence[Participant], rewards: Iterable[RolledReward]) -> LootShares:
    """Deal all things out in turn to the `players`, in their order, and divide the coins equally (DC-37).

    The numbers of things differ by at most one between players; all players get equal amounts of coins. Words that
    describe coins, such as the sack that holds them, stay with the rolls.
    """
    things: list[Words] = []
    coins: Counter[str] = Counter()
    for result in (result for reward in rewards for result in reward.results):
        split_steps = [split_coins(step.words) for step in result.steps]
        for _, step_coins in split_steps:
            coins.update(step_coins)
        things += filter(None, [join_words([rest for rest, _ in split_steps if rest], " \u2192 ")])
    count = len(players)
    equal_coins = {unit: amount // count for unit, amount in coins.items()}
    shares = (PlayerShare(player, tuple(things[turn::count]), equal_coins) for turn, player in enumerate(players))
    return LootShares(tuple(shares), {unit: amount % count for unit, amount in coins.items()})
