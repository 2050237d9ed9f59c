"""The headings of the rule note that prompts and events cite."""

SETTING_UP = "Setting Up"
PLAYING = "Playing a Trick"
WINNING = "Who Wins a Trick"
PROPHECIES = "Prophecies"
SCORING = "Scoring"
