"""Turn of Fate, a game of two rival temples: its metadata, which loads no rules."""

from vaultkit.games.game_info import GameInfo

INFO = GameInfo(
    id="turn-of-fate",
    title="Turn of Fate",
    seats=(2, 2),
    deck="decktet",
    game="vaultkit.games.turn_of_fate.game:TurnOfFate",
    arranger="vaultkit.games.turn_of_fate.game:ARRANGER",
    prefix="TF",
    score_sheet="vaultkit.games.turn_of_fate.scoresheet:FateSheet",
    ledger="vaultkit.games.turn_of_fate.ledger:FateLedger",
    guide="vaultkit.bots.turn_of_fate:choose",
    tries=150,
    refereeing="vaultkit.session.real_deck:by_typing",
)
