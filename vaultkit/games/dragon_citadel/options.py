"""The house rules of Dragon Citadel, each with the ruling that it settles."""

from vaultkit.games.options import Option, SwitchOption

CROWN_NAMES = (
    "Seer",
    "Artifact",
    "Beast",
    "Broken One",
    "Darklord",
    "Donjon",
    "Executioner",
    "Ghost",
    "Horseman",
    "Innocent",
    "Marionette",
    "Mists",
    "Raven",
    "Tempter",
)

OPTIONS = (
    Option("mode", "DC-39", ("coop", "competitive"), "Play together against the dealer, or against each other."),
    Option("rewards", "DC-36", ("magic-items", "treasure"), "Which column of the reward table is on offer."),
    Option("dealer", "DC-2", ("top-card", "hand-of-5"), "The dealer turns the top card, or plays from five cards."),
    Option("min_players", "DC-3", (3, 2), "The fewest players that may sit down."),
    SwitchOption("must_win", "DC-7", ("no", "yes"), "Whether the party must play a winning card when it has one."),
    Option("low_tie", "DC-12", ("default", "replay-card", "random"), "How a tie for the lowest card is settled."),
    Option("hero_crowns", "DC-16", ("open", "discard"), "What becomes of Crowns played in a won hero round."),
    Option("hero_all_crowns", "DC-17", ("discard", "first-player"), "Who gets a hero answered with Crowns alone."),
    SwitchOption("hero_open_crown", "DC-19", ("yes", "no"), "Whether an open Crown saves a player in a hero round."),
    Option("crown_duty", "DC-23", ("hand", "none"), "Whether those who can must pay from hand in a Crown round."),
    Option("seer", "DC-25", ("truce", "party-wins", "dealer-wins"), "Who wins a co-op game ended by the Seer."),
    Option("joker", "DC-27", CROWN_NAMES, "Which card is the joker; the Seer is then an ordinary Crown."),
    Option("bidding", "DC-28", ("sealed", "ascending"), "Secret bids, or an auction from the dealer's left."),
    SwitchOption(
        "ghost_crowns", "DC-30", ("no", "yes"), "Whether the party may spend the Crowns of those who forfeited."
    ),
    Option("champion", "DC-32", ("sum", "sum+10*heroes+10*crowns"), "How the champion's score is reckoned."),
    Option("hero_only", "DC-34", ("none", "row1"), "What a hero earns in a suit with no total."),
)
