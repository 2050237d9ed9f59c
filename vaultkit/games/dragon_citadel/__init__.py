"""Dragon Citadel: answer the dealer's cards together, or against each other, until the deck runs out."""

from vaultkit.games.game_info import GameInfo

INFO = GameInfo(
    id="dragon-citadel",
    title="Dragon Citadel",
    short="citadel",
    aliases=("The Dragon Citadel",),
    seats=(2, 7),
    deck="tarokka",
    game="vaultkit.games.dragon_citadel.game:DragonCitadel",
    arranger="vaultkit.games.dragon_citadel.game:ARRANGER",
    prefix="DC",
    score_sheet="vaultkit.games.dragon_citadel.scoresheet:CitadelSheet",
    ledger="vaultkit.games.dragon_citadel.ledger:CitadelLedger",
    guide="vaultkit.bots.dragon_citadel:choose",
    tries=150,
    refereeing="vaultkit.session.real_deck:by_open_hands",
    rewards="vaultkit.campaign.dragon_citadel.reward_calculation:reckon",
)
