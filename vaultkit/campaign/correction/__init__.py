"""Corrections of logged games: their results are edited, taken out, and compared with what the rules make of them."""
