"""The headings of the rule note that prompts and events cite."""

PILES = "The Two Piles"
ENCOUNTERS = "Encounters"
PHASE_1 = "Phase 1: Setting Up"
PHASE_2 = "Phase 2: Weighing It Up"
PHASE_3 = "Phase 3: The Conclusion"
BEST_HAND = "The Best Hand"
HOW_IT_ENDS = "How It Ends"
