"""The house rules of Turn of Fate, each with the ruling that it settles."""

from vaultkit.games.options import Option, SwitchOption

OPTIONS = (
    Option("temples", "TF-1", ("by-card", "chosen", "random"), "How Player 1 comes by a temple."),
    Option("first", "G-2", ("random", 0, 1, "winner-of-last"), "Who is Player 1 and turns up the first Citizen."),
    Option("sailor", "TF-1", ("leaves", "redraw", "choose"), "What the Sailor means as the first Citizen."),
    Option("ace_discard", "TF-18", ("bottom", "removed"), "Where the Ace goes that pays for a wild Crown."),
    Option("introduce", "TF-20", ("one", "refill-to-4", "optional"), "How many Citizens a turn introduces."),
    SwitchOption(
        "special_replace", "TF-21", ("no", "yes"), "Whether another Citizen follows the Bard or the Huntress."
    ),
    Option("tiebreak", "TF-27", ("shared", "temple-count", "underdog"), "Who wins when the scores are level."),
    Option("memory", "TF-28", ("open", "closed"), "Whether the table shows what lies in the Temple piles."),
)
