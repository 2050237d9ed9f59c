"""A template's source read: its purpose, its blocks, its parts, and the values that it takes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit.campaign.templating import parse_template

if TYPE_CHECKING:
    from jinja2 import nodes


@dataclass(frozen=True, slots=True)
class TemplateSource:
    """One template. `blocks` are what may be changed alone; `parts` the templates that it extends, includes or imports.

    `needs` are those of them that must be there, and `takes` the values from outside, each with the first line that
    names it. `values` are the words of its first remark, which tells what values there are.
    """

    text: str
    summary: str
    blocks: tuple[str, ...]
    parts: frozenset[str]
    needs: Mapping[str, int]
    takes: Mapping[str, int]
    values: frozenset[str]


def template_source(name: str, vault: Path | None) -> TemplateSource:
    """The template `name`, the vault's own before ours. Raises InvalidError naming template and line."""
    text, tree = parse_template(name, vault)
    remark = _first_remark(text)
    return TemplateSource(
        text,
        re.split(r"(?<=[.:!?])\s|\n\s*\n", remark, maxsplit=1)[0].rstrip(".:"),
        tuple(_blocks(tree)),
        frozenset(_parts(tree)),
        _needs(tree),
        _takes(tree),
        frozenset(re.findall(r"[A-Za-z_]\w*", remark)),
    )


def _first_remark(text: str) -> str:
    found = re.match(r"\s*\{#-?(.*?)-?#\}", text, re.DOTALL)
    return " \n".join(line.strip() for line in found[1].strip().split("\n")) if found else ""


def _blocks(tree: "nodes.Template") -> Iterator[str]:
    from jinja2 import nodes

    yield from (block.name for block in tree.find_all(nodes.Block))


def _parts(tree: "nodes.Template") -> Iterator[str]:
    from jinja2 import meta

    yield from (name for name in meta.find_referenced_templates(tree) if name)


def _needs(tree: "nodes.Template") -> dict[str, int]:
    from jinja2 import nodes

    lines: dict[str, int] = {}
    for node in tree.find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        template, missing = getattr(node, "template", None), getattr(node, "ignore_missing", False)
        if isinstance(template, nodes.Const) and isinstance(template.value, str) and not missing:
            lines.setdefault(template.value, node.lineno)
    return lines


def _takes(tree: "nodes.Template") -> dict[str, int]:
    """The values from outside with their lines; without those for which the template itself says what else will do."""
    from jinja2 import meta, nodes

    asked = {name.name for test in tree.find_all(nodes.Test) if test.name in _ASKING for name in _names(test)}
    asked |= {name.name for one in tree.find_all(nodes.Filter) if one.name in _FALLING_BACK for name in _names(one)}
    made = {macro.name for macro in tree.find_all(nodes.Macro)}
    made |= {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}  # seen in blocks, too
    free = meta.find_undeclared_variables(tree) - asked - made
    lines: dict[str, int] = {}
    for name in tree.find_all(nodes.Name):
        if name.name in free:
            lines[name.name] = min(name.lineno, lines.get(name.name, name.lineno))
    return lines


def _names(node: "nodes.Test | nodes.Filter") -> Iterator["nodes.Name"]:
    """The value that is asked about itself, not one that an attribute of it is asked of."""
    from jinja2 import nodes

    if isinstance(node.node, nodes.Name):
        yield node.node


_ASKING = ("defined", "undefined")
_FALLING_BACK = ("default", "d")
