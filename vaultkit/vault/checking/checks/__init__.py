"""The checks of the vault layer, one module for each subject."""

from vaultkit.vault.checking.check import TOO_MANY_CODE, Check
from vaultkit.vault.checking.checks import (
    base_names,
    broken_links,
    inactive_markup,
    invalid_properties,
    link_syntax,
    mojibake,
    null_characters,
    unsafe_file_names,
)
from vaultkit.vault.walk import EVICTED_CODE, FOLDER_LINK_CODE

CHECKS = (
    Check("unreadable"),
    Check(TOO_MANY_CODE),
    Check("frontmatter"),
    Check("canvas"),
    Check(FOLDER_LINK_CODE, "warning"),
    Check(EVICTED_CODE, "warning"),
    *unsafe_file_names.CHECKS,
    mojibake.CHECK,
    null_characters.CHECK,
    invalid_properties.FRONTMATTER_PLACE,
    link_syntax.TABLE_PIPE,
    *broken_links.CHECKS,
    inactive_markup.FOOTNOTE,
    inactive_markup.HTML_HEADING,
    link_syntax.LINK_SPACE,
    link_syntax.PROPERTY_LINK,
    invalid_properties.PROPERTY_TAGS,
    invalid_properties.PROPERTY_TYPE,
    *base_names.CHECKS,
)
"""The checks in the order of their repairs: of several repairs at one place, that of the first check is made."""
