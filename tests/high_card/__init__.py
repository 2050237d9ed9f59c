"""High Card: a game as small as one can be, written by docs/contributing.md alone, which proves that it is enough.

Each of two to four seats is dealt two cards and puts one down, face down; all are turned over, and the highest wins.
"""

from vaultkit.games.game_info import GameInfo

INFO = GameInfo(
    id="high-card",
    title="High Card",
    seats=(2, 4),
    deck="french52",
    game="tests.high_card.game:HighCard",
)
