"""Conversion of the plugin Dice Roller's inline code, such as `dice: 2d6+3|avg`, to printed words."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from vaultkit.errors import UsageError
from vaultkit.vault.markdown import Node

_DICE = re.compile(r"dice(?:-mod)?:\s*(.+)", re.DOTALL)
_TABLE_LINK = re.compile(r"\[\[([^\]|#^]+)|\]\(([^)#]+)")
_TEXT_FLAG = re.compile(r"text\((.*)\)")
_MAX_REPEAT_DISTANCE_CHARS = 40
"""The number of characters after dice in which their formula is searched."""


def spell_dice(nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes of a line, with code for dice replaced by text.

    The text is that of a `text(...)` flag, else the average if the code has the flag `avg` and the formula follows in
    the line, else the formula.
    """
    if not any(node.kind == "Code" and _DICE.match(node.text) for node in nodes):
        return list(nodes)
    return [_spell_node(node, nodes[number + 1 : number + 4]) for number, node in enumerate(nodes)]


def rolls_on_table(node: Node) -> bool:
    """Return whether a node is code for a roll on a table in a note."""
    match = _match_dice(node)
    return match is not None and _TABLE_LINK.search(match[1]) is not None


def _match_dice(node: Node) -> re.Match[str] | None:
    return _DICE.fullmatch(node.text.strip()) if node.kind == "Code" else None


def _spell_node(node: Node, following_nodes: Sequence[Node]) -> Node:
    dice_match = _match_dice(node)
    if dice_match is None:
        return node
    formula, *flags = (part.strip() for part in dice_match[1].split("|"))
    own_text = next((match[1] for match in map(_TEXT_FLAG.fullmatch, flags) if match), "")
    table = _TABLE_LINK.search(formula)
    if table:
        formula = f"roll on {PurePosixPath(unquote(table[1] or table[2])).name.removesuffix('.md')}"
    next_words = "".join(next_node.words() for next_node in following_nodes)
    following = next_words[:_MAX_REPEAT_DISTANCE_CHARS].replace(" ", "")
    formula_follows = "avg" in flags and formula.replace(" ", "") in following
    return Node("Text", own_text or (_average_text(formula) if formula_follows else "") or formula)


def _average_text(formula: str) -> str:
    """Return the average of a dice formula, rounded down, or "" for one that is not a sum of dice and numbers."""
    from vaultkit.compendium.tables.dice import Dice

    try:
        dice = Dice.parse(formula)
    except UsageError:
        return ""
    return "" if dice.tens_and_ones or any(term.keep for term in dice.terms) else str((dice.lowest + dice.highest) // 2)
