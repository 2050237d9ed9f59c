"""A game as people have written it down, wherever they did, before anything is made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from vaultkit.errors import InvalidError, UsageError, VaultkitError


@dataclass(frozen=True, slots=True)
class PaperWords:
    """Somebody's words, and the file and line where they stand; "" for what was said on the command line."""

    text: str
    where: str = ""


@dataclass(frozen=True)
class PaperSeat:
    """One player's scores: `said` by the keys of questions (`swords.total`) or by rows (`swords`).

    `numbers` are those of a printed sheet by their boxes: what nobody asks for follows from others, and is compared.
    """

    name: str
    said: Mapping[str, PaperWords] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    where: str = ""


@dataclass(frozen=True)
class PaperRecord:
    """A game as it was written down. What was not said is empty; `common` is what holds for all players.

    `session` is what the sheets call the evening, or the id of the game that they were printed of. `labels` say what
    the boxes of printed sheets are, by their names. `remarks` are sentences for the GM.
    """

    game: str = ""
    date: PaperWords | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    common: Mapping[str, PaperWords] = field(default_factory=dict)
    seats: tuple[PaperSeat, ...] = ()
    note: str = ""
    session: str = ""
    where: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def printed(self) -> bool:
        """Whether it was read from printed sheets, which have boxes that nobody asks for."""
        return bool(self.labels)


NOTHING = PaperRecord()
"""The record of those who have written nothing down."""


def refusal(message: str, where: str, hint: str = "") -> VaultkitError:
    """The error for words that cannot be used: of the command line, or of the file `where` they stand."""
    return InvalidError(message, where=where, hint=hint) if where else UsageError(message, hint=hint)
