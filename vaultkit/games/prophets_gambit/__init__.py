"""Prophet's Gambit, a game of hands with a shared Focus and a secret Fate: its metadata, without loading its rules."""

from vaultkit.games.game_info import GameInfo

INFO = GameInfo(
    id="prophets-gambit",
    title="Prophet's Gambit",
    short="gambit",
    seats=(3, 5),
    deck="tarokka",
    game="vaultkit.games.prophets_gambit.game:ProphetsGambit",
    arranger="vaultkit.games.prophets_gambit.game:ARRANGER",
    prefix="PG",
    score_sheet="vaultkit.games.prophets_gambit.scoresheet:GambitSheet",
    ledger="vaultkit.games.prophets_gambit.ledger:GambitLedger",
    guide="vaultkit.bots.prophets_gambit:choose",
    tries=150,
    likely="vaultkit.bots.prophets_gambit:deal_likely",
    refereeing="vaultkit.session.real_deck:by_typing",
)
