"""Head to head: who won when the other did not."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from vaultkit.campaign.played import Participant
from vaultkit.campaign.players import folded
from vaultkit.campaign.stats.sessions import Session, identity


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people in the same competitive games: `won` by the one alone, `lost` to the other alone, `level` otherwise.

    `notes` are vault paths, "" for guests.
    """

    names: tuple[str, str]
    notes: tuple[str, str]
    won: int
    lost: int
    level: int

    @property
    def games(self) -> int:
        return self.won + self.lost + self.level

    @property
    def identities(self) -> frozenset[str]:
        """What tells the two from all others (`sessions.identity`)."""
        return frozenset(note or folded(name) for name, note in zip(self.names, self.notes, strict=True))


def pairs_of(sessions: Sequence[Session]) -> tuple[Pair, ...]:
    """Every two people who played against each other, those who met most first.

    Who has won more of the two is named first. Co-operative games and bots do not count.
    """
    met: dict[tuple[str, str], list[tuple[Participant, Participant]]] = {}
    for session in sessions:
        if not session.game.together:
            seated = sorted(session.seated(bots=False), key=identity)
            for one, other in combinations(seated, 2):
                met.setdefault((identity(one), identity(other)), []).append((one, other))
    return tuple(sorted(map(_pair, met.values()), key=lambda pair: (-pair.games, *map(str.casefold, pair.names))))


def _pair(games: Sequence[tuple[Participant, Participant]]) -> Pair:
    won = sum(one.won and not other.won for one, other in games)
    lost = sum(other.won and not one.won for one, other in games)
    one, other = games[-1]
    pair = Pair((one.name, other.name), (one.note, other.note), won, lost, len(games) - won - lost)
    in_order = (-pair.won, pair.names[0].casefold()) <= (-pair.lost, pair.names[1].casefold())
    return pair if in_order else turned(pair)


def turned(pair: Pair) -> Pair:
    """The same as the other of the two tells it."""
    return Pair(pair.names[::-1], pair.notes[::-1], pair.lost, pair.won, pair.level)
