"""The headings of the rule note that prompts and events cite, and those whose wording an option may contradict."""

SEER = "The Seer"
SETTING_UP = "Setting Up"
NUMBER = "Number Round"
HERO = "Hero Round"
CROWN = "Crown Round"
OPEN_CROWNS = "Open Crowns"
END_OF_ROUND = "End of the Round"
FORFEIT = "Forfeit"
COMPETITIVE = "Competitive Play"

OF_OPTIONS = {
    "mode": SETTING_UP,
    "dealer": SETTING_UP,
    "min_players": SETTING_UP,
    "seer": SEER,
    "joker": SEER,
    "must_win": NUMBER,
    "low_tie": NUMBER,
    "hero_crowns": HERO,
    "hero_all_crowns": HERO,
    "hero_open_crown": HERO,
    "crown_duty": CROWN,
    "bidding": COMPETITIVE,
    "ghost_crowns": OPEN_CROWNS,
}
"""The heading under which a rule note says what an option changes; an option without one changes nothing there."""
