"""A template's source, parsed: its purpose, its blocks, its parts, and the values that it takes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultkit.campaign.story_phrases import FOLDER, check_phrases, has_phrases, read_phrases
from vaultkit.campaign.template_rendering import SHIPPED, parse_template, where_of

if TYPE_CHECKING:
    from jinja2 import nodes


@dataclass(frozen=True, slots=True)
class TemplateSource:
    """One template. `blocks` can be overridden one by one; `parts` are templates that it extends, includes or imports.

    `needs` are the parts that must exist, and `takes` the values that it gets from outside, each with the line where it
    is first named. `values` are all words of its first comment, which documents the values.
    """

    text: str
    summary: str
    blocks: tuple[str, ...]
    parts: frozenset[str]
    needs: Mapping[str, int]
    takes: Mapping[str, int]
    values: frozenset[str]


def template_source(name: str, vault: Path | None) -> TemplateSource:
    """Return the source of the template `name`, the vault's own before ours.

    Raises InvalidError that names the template and the line.
    """
    from jinja2 import meta, nodes

    if is_phrases(name.removeprefix(SHIPPED)):
        return _phrases_source(name, vault)
    text, tree = parse_template(name, vault)
    comment = _first_comment(text)
    return TemplateSource(
        text,
        re.split(r"(?<=[.:!?])\s|\n\s*\n", comment, maxsplit=1)[0].rstrip(".:"),
        tuple(block.name for block in tree.find_all(nodes.Block)),
        frozenset(filter(None, meta.find_referenced_templates(tree))),
        _required_parts(tree),
        _required_values(tree),
        frozenset(re.findall(r"[A-Za-z_]\w*", comment)),
    )


def is_phrases(name: str) -> bool:
    """Return whether a template holds the phrases of stories, which are not Jinja2."""
    return name.startswith(f"{FOLDER}/") and name.endswith(".toml")


def _phrases_source(name: str, vault: Path | None) -> TemplateSource:
    plain_name = name.removeprefix(SHIPPED)
    text = read_phrases(plain_name, None if plain_name != name else vault)
    if vault is not None and has_phrases(plain_name.removeprefix(f"{FOLDER}/").removesuffix(".toml")):
        check_phrases(plain_name, text, where_of(plain_name, vault))
    summary = text.partition("\n")[0].removeprefix("#").strip().partition(":")[0]
    return TemplateSource(text, summary, (), frozenset(), {}, {}, frozenset())


def _first_comment(text: str) -> str:
    match = re.match(r"\s*\{#-?(.*?)-?#\}", text, re.DOTALL)
    return " \n".join(line.strip() for line in match[1].strip().split("\n")) if match else ""


def _required_parts(tree: "nodes.Template") -> dict[str, int]:
    """Return the names of templates that must exist, each with the line where it is first named."""
    from jinja2 import nodes

    lines: dict[str, int] = {}
    for node in tree.find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        template, missing = getattr(node, "template", None), getattr(node, "ignore_missing", False)
        if isinstance(template, nodes.Const) and isinstance(template.value, str) and not missing:
            lines.setdefault(template.value, node.lineno)
    return lines


def _required_values(tree: "nodes.Template") -> dict[str, int]:
    """Return the values that a template gets from outside, each with the line where it is first named.

    Values that the template tests for being defined, or has a default for, are left out.
    """
    from jinja2 import meta, nodes

    checks: Any = tree.find_all((nodes.Test, nodes.Filter))  # applied to the value itself, not to an attribute of it
    optional_names = {
        node.node.name for node in checks if node.name in _PRESENCE_CHECKS and isinstance(node.node, nodes.Name)
    }
    defined_names = {macro.name for macro in tree.find_all(nodes.Macro)}
    defined_names |= {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}  # also visible in blocks
    outside_names = meta.find_undeclared_variables(tree) - optional_names - defined_names
    lines: dict[str, int] = {}
    for name in tree.find_all(nodes.Name):
        if name.name in outside_names:
            lines[name.name] = min(name.lineno, lines.get(name.name, name.lineno))
    return lines


_PRESENCE_CHECKS = ("defined", "undefined", "default", "d")
