"""What of a score sheet cannot be, and where the note says otherwise elsewhere. All of it counts as written."""

from collections.abc import Iterator, Sequence

from vaultkit.campaign.played import PlayedGame
from vaultkit.campaign.rewards.scores import Scored
from vaultkit.campaign.scoretable import otherwise
from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.options import Options
from vaultkit.games.tally import SeatTally, Tally

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
    for doubt in DragonCitadel().score_keeping().doubts(tally):
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
