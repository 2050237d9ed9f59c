"""Dice in code, as Dice Roller reads them -> words: `dice: 2d6+3|avg` is no code to whom reads it on paper."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from vaultkit.vault.markdown import Node

_DICE = re.compile(r"dice(?:-mod)?:\s*(.+)", re.DOTALL)
_TABLE = re.compile(r"\[\[([^\]|#^]+)|\]\(([^)#]+)")
_OWN_WORDS = re.compile(r"text\((.*)\)")
_TERM = re.compile(r"([+-]?)(?:(\d*)d(\d+)|(\d+))")
_NEAR = 40
"""So many characters behind dice may say the same again."""


def spell_dice(nodes: Sequence[Node]) -> list[Node]:
    """The nodes of a line with dice as their formula, their own words, or their average where the formula follows."""
    if not any(node.kind == "Code" and _DICE.match(node.text) for node in nodes):
        return list(nodes)
    return [_spelt(node, nodes[number + 1 : number + 4]) for number, node in enumerate(nodes)]


def rolls_on_table(node: Node) -> bool:
    """Whether it is code that asks for a roll on the table of a note."""
    found = _dice_in(node)
    return found is not None and _TABLE.search(found[1]) is not None


def _dice_in(node: Node) -> re.Match[str] | None:
    return _DICE.fullmatch(node.text.strip()) if node.kind == "Code" else None


def _spelt(node: Node, after: Sequence[Node]) -> Node:
    found = _dice_in(node)
    if found is None:
        return node
    formula, *flags = (part.strip() for part in found[1].split("|"))
    own = next((match[1] for match in map(_OWN_WORDS.fullmatch, flags) if match), "")
    table = _TABLE.search(formula)
    if table:
        formula = f"roll on {PurePosixPath(unquote(table[1] or table[2])).name.removesuffix('.md')}"
    following = "".join(one.words() for one in after)[:_NEAR].replace(" ", "")
    again = "avg" in flags and formula.replace(" ", "") in following
    return Node("Text", own or (_average(formula) if again else "") or formula)


def _average(formula: str) -> str:
    """The average of dice, rounded down; "" for what is more than a sum of dice and numbers."""
    flat = formula.replace(" ", "").lower()
    terms = list(_TERM.finditer(flat))
    if "".join(term[0] for term in terms) != flat:
        return ""
    halves = sum((-1 if sign == "-" else 1) * _twice(*rest) for sign, *rest in (term.groups() for term in terms))
    return str(halves // 2)


def _twice(count: str | None, sides: str | None, number: str | None) -> int:
    """Twice the average of one term."""
    return 2 * int(number) if number else int(count or 1) * (int(sides or 0) + 1)
