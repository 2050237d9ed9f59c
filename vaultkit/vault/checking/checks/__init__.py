"""The checks of the vault layer, one module for each check or for a few that share a function."""

from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.checks import (
    base_names,
    brackets,
    footnotes,
    lost_links,
    misplaced,
    mojibake,
    names,
    null_characters,
    property_tags,
    spaces,
    table_pipes,
    types,
)
from vaultkit.vault.walk import EVICTED_CODE, FOLDER_LINK_CODE

CHECKS = (
    Check("unreadable"),
    Check("frontmatter"),
    Check("canvas"),
    Check(FOLDER_LINK_CODE, "warning"),
    Check(EVICTED_CODE, "warning"),
    *names.CHECKS,
    mojibake.CHECK,
    null_characters.CHECK,
    misplaced.CHECK,
    table_pipes.CHECK,
    *lost_links.CHECKS,
    footnotes.CHECK,
    spaces.CHECK,
    brackets.CHECK,
    property_tags.CHECK,
    types.CHECK,
    *base_names.CHECKS,
)
"""The checks in the order in which repairs are asked for: the first rule that can repair a place does."""
