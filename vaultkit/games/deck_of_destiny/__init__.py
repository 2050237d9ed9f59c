"""Deck of Destiny: one character stakes cards of an inventory on one encounter."""

from vaultkit.games.game_info import GameInfo

INFO = GameInfo(
    id="deck-of-destiny",
    title="Deck of Destiny",
    short="destiny",
    aliases=("The Deck of Destiny",),
    seats=(1, 1),
    deck="french52",
    game="vaultkit.games.deck_of_destiny.game:DeckOfDestiny",
    arranger="vaultkit.games.deck_of_destiny.game:ARRANGER",
    prefix="DD",
    score_sheet="vaultkit.games.deck_of_destiny.scoresheet:DestinySheet",
    ledger="vaultkit.games.deck_of_destiny.ledger:DestinyLedger",
    guide="vaultkit.bots.deck_of_destiny:choose",
    tries=100,
    refereeing="vaultkit.session.real_deck:by_the_end",
    characters="vaultkit.campaign.deck_of_destiny.inventory:stake",
)
