"""Scores on the command line: `--score "Ysolde: swords=23/1, stars=7/0, forfeited"`."""

import re
from collections.abc import Iterable

from vaultkit.campaign.scoresheets.record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import UsageError

EXAMPLE = '--score "Ysolde: swords=23/1, stars=7/0, crowns=2"'
_KEY = re.compile(r"\s*([\w][\w.\- ]*?)\s*=(.*)", re.DOTALL)


def from_flags(scores: Iterable[str], outcome: str | None = None, example: str = EXAMPLE) -> PaperRecord:
    """The game that `--score` and `--outcome` tell of. A score without a name and a colon holds for all players.

    Raises UsageError for one that cannot be taken apart, with the `example` of the game.
    """
    common: dict[str, PaperWords] = {} if outcome is None else {"outcome": PaperWords(outcome)}
    seats = []
    for score in scores:
        name, colon, said = _named(score)
        if not colon:
            found = _pairs(said, score, example)
            if any(" " in key for key in found):
                raise UsageError(f"--score '{score}' has no colon behind the name.", hint=f"Write: {example}")
            common |= found
        elif not name.strip():
            raise UsageError(f"--score '{score}' names nobody.", hint=f"Write: {example}")
        else:
            seats.append(PaperSeat(name.strip(), _pairs(said, score, example)))
    return PaperRecord(common=common, seats=tuple(seats))


def _named(score: str) -> tuple[str, str, str]:
    """The name before the colon, the colon, and what is said.

    It is the last colon before the first value, so that a name may have some of its own, and so may a value.
    """
    name, colon, _ = score.partition("=")[0].rpartition(":")
    return name, colon, score[len(name + colon) :]


def _pairs(said: str, score: str, example: str) -> dict[str, PaperWords]:
    """Keys with their values; a key alone means yes."""
    pairs: dict[str, PaperWords] = {}
    for piece in filter(str.strip, re.split(r"[,;]", said)):
        match = _KEY.fullmatch(piece)
        key, value = (match[1], match[2].strip()) if match else (piece.strip(), "yes")
        if match is None and not re.fullmatch(r"[\w.\-]+", key):
            raise UsageError(f"'{key}' in --score '{score}' says nothing.", hint=f"Write: {example}")
        key = key.casefold()
        if key in pairs:
            raise UsageError(f"'{key}' is twice in --score '{score}'.", hint="Say it once.")
        pairs[key] = PaperWords(value)
    return pairs
