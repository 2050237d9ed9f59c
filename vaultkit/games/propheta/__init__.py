"""Propheta, a game of foretelling tricks and making them come true: its metadata, which loads no rules."""

from vaultkit.games.game_info import GameInfo

INFO = GameInfo(
    id="propheta",
    title="Propheta",
    aliases=("Vates",),
    seats=(2, 4),
    deck="astromancy",
    game="vaultkit.games.propheta.game:Propheta",
    arranger="vaultkit.games.propheta.game:ARRANGER",
    prefix="VA",
    score_sheet="vaultkit.games.propheta.scoresheet:ProphetaSheet",
    ledger="vaultkit.games.propheta.ledger:ProphetaLedger",
    guide="vaultkit.bots.propheta:choose",
    tries=600,
    shortcut="vaultkit.bots.propheta:play_on",
    refereeing="vaultkit.session.real_deck:by_stand_ins",
)
