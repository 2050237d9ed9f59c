"""The headings of the rule note that prompts and events cite, and those whose wording an option may contradict."""

SETTING_UP = "Setting Up"
OPENING = "The Opening"
ROUNDS = "The Two Rounds"
PLAY = "Play"
RISK = "Risk"
EXECUTION = "The Execution"
REVEAL = "The Reveal"
TIES = "Ties"
HIGH_DECK = "High Deck Rules"

OF_OPTIONS = {
    "opening": SETTING_UP,
    "dealer": SETTING_UP,
    "master_number": OPENING,
    "master_rank": REVEAL,
    "four_card": REVEAL,
    "order": REVEAL,
    "tie_compare": REVEAL,
    "tie_from": TIES,
    "exhaust": PLAY,
    "donjon_execution": HIGH_DECK,
    "innocent": HIGH_DECK,
    "marionette": HIGH_DECK,
    "ghost": HIGH_DECK,
}
"""The heading under which a rule note says what an option changes; an option without one changes nothing there."""
