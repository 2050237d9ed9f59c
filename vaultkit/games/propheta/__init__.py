"""Propheta, a game of foretelling tricks and making them come true: its metadata, without loading its rules."""

from vaultkit.games.info import GameInfo

INFO = GameInfo(
    id="propheta",
    title="Propheta",
    aliases=("Vates",),
    seats=(2, 4),
    deck="astromancy",
    game="vaultkit.games.propheta.game:Propheta",
    arranger="vaultkit.games.propheta.arranging:ARRANGER",
    prefix="VA",
    score_sheet="vaultkit.games.propheta.scoresheet:ProphetaSheet",
    ledger="vaultkit.games.propheta.ledger:ProphetaLedger",
    guide="vaultkit.bots.greedy_propheta:choose",
    tries=600,
    shortcut="vaultkit.bots.propheta_tricks:play_on",
    refereeing="vaultkit.session.refereeing:by_stand_ins",
)
