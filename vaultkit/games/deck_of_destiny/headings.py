"""The headings of the rule note that prompts and events cite, and those whose wording an option may contradict."""

PILES = "The Two Piles"
ENCOUNTERS = "Encounters"
PHASE_1 = "Phase 1: Setting Up"
PHASE_2 = "Phase 2: Weighing It Up"
PHASE_3 = "Phase 3: The Conclusion"
BEST_HAND = "The Best Hand"
HOW_IT_ENDS = "How It Ends"

OF_OPTIONS = {
    "deck": PILES,
    "inventory": PILES,
    "elsewhere": PILES,
    "requires": ENCOUNTERS,
    "strength": ENCOUNTERS,
    "pick_reveal": PHASE_1,
    "board_min": BEST_HAND,
    "own_min": BEST_HAND,
    "passive": BEST_HAND,
    "reward": HOW_IT_ENDS,
    "keep_on_win": HOW_IT_ENDS,
    "keep_on_retreat": HOW_IT_ENDS,
    "empty": HOW_IT_ENDS,
    "tie": HOW_IT_ENDS,
}
"""The heading under which a rule note says what an option changes; an option without one changes nothing there."""
