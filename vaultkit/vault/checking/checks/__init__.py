"""The checks of the vault layer, one module for each check or for a few that share a function."""

from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.checks import (
    base_names,
    broken_links,
    footnotes,
    html_headings,
    misplaced_properties,
    mojibake,
    null_characters,
    property_tags,
    property_type_mismatch,
    spaces_in_links,
    table_pipes,
    unquoted_links,
    unsafe_file_names,
)
from vaultkit.vault.walk import EVICTED_CODE, FOLDER_LINK_CODE

CHECKS = (
    Check("unreadable"),
    Check("frontmatter"),
    Check("canvas"),
    Check(FOLDER_LINK_CODE, "warning"),
    Check(EVICTED_CODE, "warning"),
    *unsafe_file_names.CHECKS,
    mojibake.CHECK,
    null_characters.CHECK,
    misplaced_properties.CHECK,
    table_pipes.CHECK,
    *broken_links.CHECKS,
    footnotes.CHECK,
    html_headings.CHECK,
    spaces_in_links.CHECK,
    unquoted_links.CHECK,
    property_tags.CHECK,
    property_type_mismatch.CHECK,
    *base_names.CHECKS,
)
"""The checks in the order of their repairs: of several repairs at one place, that of the first check is made."""
