"""The headings of the rule note that prompts and events cite, and those whose wording an option may contradict."""

SETTING_UP = "Setting Up"
PLAYING = "Playing a Trick"
WINNING = "Who Wins a Trick"
PROPHECIES = "Prophecies"
SCORING = "Scoring"

OF_OPTIONS = {
    "first": SETTING_UP,
    "follow": PLAYING,
    "memory": PLAYING,
    "zero_tiebreak": WINNING,
    "reveal": PROPHECIES,
    "leak_guard": PROPHECIES,
    "tiebreak": SCORING,
    "target": SCORING,
}
"""The heading under which a rule note says what an option changes; an option without one changes nothing there."""
