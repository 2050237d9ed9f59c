"""The house rules of Prophet's Gambit, each with the ruling that it settles."""

from vaultkit.games.options import Option

OPTIONS = (
    Option("opening", "PG-1", ("once", "each-round-deal-7"), "One opening from six cards, or one a round from seven."),
    Option("master_number", "PG-2", ("none", 10, 0), "The number of a Master, if it has one."),
    Option("master_rank", "PG-3", (10, "low", "none"), "Where a Master stands in a sequence, if it can stand in one."),
    Option("tie_from", "PG-6", ("left-of-dealer", "dealer"), "Where the count begins that settles every tie."),
    Option("tie_compare", "PG-7", ("ranks", "category-only"), "Whether hands of one category compare by their ranks."),
    Option("exhaust", "PG-11", ("reshuffle", "no-draw"), "What happens when the Common Deck is empty."),
    Option("donjon_execution", "PG-20", ("skip", "hold"), "Whether the Focus is judged after the Donjon."),
    Option("innocent", "PG-24", ("literal", "others-only"), "Whether the Innocent's own Risks leave them alone too."),
    Option("marionette", "PG-28", ("at-turn", "immediate"), "When a marionette plays the card it was told to play."),
    Option("ghost", "PG-30", ("any", "top"), "Which cards of the discard pile the Ghost can take."),
    Option("four_card", "PG-36", ("strict", "scaled"), "Whether four cards can be a Family, a Village or a Guild."),
    Option("order", "PG-37", ("seed", "rarity"), "The order of hands as written, or the rarer always higher."),
    Option("dealer", "PG-38", ("random", 0, 1, 2, 3, 4, "winner-of-last"), "Who deals: by lot, a seat, or the winner."),
)
