"""The headings of the rule note that prompts and events cite, and those whose wording an option may contradict."""

TEMPLES = "The Temples"
SETTING_UP = "Setting Up"
INTRODUCING = "Introducing a Citizen"
DRAWING = "Drawing a Fate"
YOUR_TURN = "Your Turn"
PLAYING = "Playing a Fate"
MOMENT = "Moment of Truth"
WILD_CROWN = "The Wild Crown"

OF_OPTIONS = {
    "temples": TEMPLES,
    "sailor": TEMPLES,
    "first": SETTING_UP,
    "introduce": INTRODUCING,
    "special_replace": INTRODUCING,
    "ace_discard": WILD_CROWN,
    "memory": YOUR_TURN,
}
"""The heading under which a rule note says what an option changes; an option without one changes nothing there."""
