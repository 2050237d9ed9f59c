"""The catalogue of templates of notes and lines: which exist, which are the vault's own, and copies of them to edit.

A template's source is parsed for its purpose, its blocks, its parts, and the values that it takes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultkit import resources, trust
from vaultkit.campaign.story_phrases import FOLDER as FOLDER_OF_PHRASES
from vaultkit.campaign.story_phrases import check_phrases, check_story, has_phrases, read_phrases
from vaultkit.campaign.template_rendering import SHIPPED, find_template, parse_template, where_of
from vaultkit.campaign.template_samples import SAMPLES, try_template
from vaultkit.compendium.words import WORDS_FILE, parse_words
from vaultkit.errors import NothingFound, Problem, VaultkitError, WriteError, split_place
from vaultkit.spelling import did_you_mean, find_nearest
from vaultkit.vault import Vault
from vaultkit.vault.writing.write import Writer, plan_and_commit

if TYPE_CHECKING:
    from jinja2 import nodes

FOLDER = ".vaultkit/templates"
SUFFIX = ".md.j2"
PHRASES_SUFFIX = ".toml"
"""The suffix of the files with the phrases of a story, which are in a folder of their own."""


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
    """Return whether a template holds words or the phrases of stories, which are not Jinja2."""
    return name == WORDS_FILE or (name.startswith(f"{FOLDER_OF_PHRASES}/") and name.endswith(".toml"))


def _phrases_source(name: str, vault: Path | None) -> TemplateSource:
    plain_name = name.removeprefix(SHIPPED)
    text = read_phrases(plain_name, None if plain_name != name else vault)
    if vault is not None and plain_name == WORDS_FILE:
        check_story(parse_words(text, where_of(plain_name, vault)))
    elif vault is not None and has_phrases(plain_name.removeprefix(f"{FOLDER_OF_PHRASES}/").removesuffix(".toml")):
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


@dataclass(frozen=True)
class Template:
    """A template by its file name, such as `session-note.md.j2`.

    `ours` is the shipped one, None if none has this name; `own` is the vault's, None if it is missing or faulty, or if
    it is `kept_out` because the vault is not trusted. `fault` is the error in a faulty one. `users` are the templates
    that include this one as a part.
    """

    name: str
    ours: TemplateSource | None = None
    own: TemplateSource | None = None
    fault: VaultkitError | None = None
    users: tuple[str, ...] = ()
    kept_out: bool = False

    @property
    def makes(self) -> str:
        """The template's purpose, from the first comment of the shipped one."""
        source = self.ours or self.own
        return source.summary if source else ""

    @property
    def path(self) -> str:
        """The vault path of the vault's own template, "" without one."""
        return f"{FOLDER}/{self.name}" if self.own or self.fault else ""

    @property
    def is_used(self) -> bool:
        """Whether vaultkit, or a template that is used, uses it."""
        return self.ours is not None or bool(self.users)

    @property
    def extends(self) -> bool:
        """Whether the vault's own template changes only parts of ours, so that the rest follows later versions."""
        return self.own is not None and f"{SHIPPED}{self.name}" in self.own.parts

    @property
    def standing(self) -> str:
        """A few words on whether the shipped or the own template is used."""
        if not self.path:
            return "shipped; your own is not trusted" if self.kept_out else "shipped"
        if self.fault:
            return "own, faulty"
        if not self.is_used:
            return "own, nothing uses it"
        if self.ours is None:
            return f"own, part of {self.users[0].removesuffix(SUFFIX)}"
        return "own, extends the shipped one" if self.extends else "own"


@dataclass(frozen=True)
class Catalogue:
    """All templates of a vault, the shipped ones first, by name."""

    root: Path

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        """Every template; one that cannot be read has its error as `fault`, and hides no other."""
        names = {path for path in map(str, _list_names(None)) if path.endswith(".j2") or is_phrases(path)}
        own = [
            name for name in _list_names(self.root) if name not in names and not self._differs_only_in_case(name, names)
        ]
        return tuple(self._load_template(name) for name in (*sorted(names), *sorted(own)))

    @property
    def own(self) -> tuple[Template, ...]:
        """The templates that the vault has a file for."""
        return tuple(template for template in self.templates if template.path)

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems of the vault's own templates: syntax errors, unknown values and unused files.

        A template without a problem is rendered with sample values, and any error in that is reported.
        """
        return tuple(problem for template in self.own for problem in self._template_problems(template))

    def _template_problems(self, template: Template) -> Iterator[Problem]:
        """Yield the problems of one of the vault's own templates."""
        if template.fault:
            _, line = split_place(template.fault.where)
            yield _create_problem(template, line, template.fault.message, template.fault.hint)
        elif not template.is_used:
            nearest_name = find_nearest(template.name, [other.name for other in self.templates if other.ours])
            hint = f"Did you mean {nearest_name}?"
            hint = hint if nearest_name else "The names that are used: vaultkit templates"
            yield Problem(template.path, 0, 0, "template-unused", "Nothing uses it.", hint, "warning")
        elif template.own:
            own = template.own
            problems = [
                *_missing_block_problem(template, own),
                *self._missing_part_problems(template, own),
                *self._unknown_value_problems(template, own),
            ]
            yield from problems or self._sample_problems(template)

    def _sample_problems(self, template: Template) -> Iterator[Problem]:
        """Yield the error that occurs in this template when it, or one that includes it, is rendered with samples."""
        for name in (user for user in (template.name, *template.users) if user in SAMPLES):
            try:
                list(try_template(name, self.root))
            except VaultkitError as error:
                path, line = split_place(error.where)
                if path == template.path:
                    problem = _create_problem(template, line, error.message, error.hint)
                    yield replace(problem, severity="warning") if _MISSING_ITEM in error.message else problem
                    return

    def find(self, name: str) -> Template:
        """Return the shipped template of a name, with or without its suffix. Raises NothingFound with a suggestion."""
        *folders, file_name = "-".join(name.strip().casefold().replace("\\", "/").split()).split("/")
        short = re.sub(r"(\.md)?(\.j2)?$|\.toml$", "", file_name)
        short = f"{FOLDER_OF_PHRASES}/{short}" if folders[-1:] == [FOLDER_OF_PHRASES] else short
        templates_by_name = {short_name(template.name): template for template in self.templates if template.ours}
        if short in templates_by_name:
            return templates_by_name[short]
        own = next((template for template in self.own if short_name(template.name) == short), None)
        if own:
            raise NothingFound(f"vaultkit ships no template '{short}'.", hint=f"It is your own already: {own.path}")
        hint = did_you_mean(short, templates_by_name, min_score=50) or f"There are: {', '.join(templates_by_name)}."
        raise NothingFound(f"There is no template '{name}'.", hint=hint)

    def _load_template(self, name: str) -> Template:
        ours = _shipped_template(name)
        if not self._has_own(name):
            return Template(name, ours, kept_out=resources.vault_file("templates", name, self.root) is not None)
        users = tuple(user for user, parts in self._parts_of_used.items() if name in parts)
        try:
            return Template(name, ours, template_source(name, self.root), users=users)
        except VaultkitError as error:
            return Template(name, ours, fault=error, users=users)

    def _differs_only_in_case(self, name: str, names: set[str]) -> bool:
        """Return whether `name` differs from one of `names` only in case, and means the same file.

        The file systems of Windows and macOS ignore case.
        """
        folder, lower = self.root / FOLDER, name.lower()
        return lower in names and (folder / lower).is_file() and (folder / name).samefile(folder / lower)

    def _has_own(self, name: str) -> bool:
        file = resources.find("templates", name, self.root)
        return file is not None and file.is_relative_to(self.root / FOLDER)

    @cached_property
    def _parts_of_used(self) -> dict[str, set[str]]:
        """The templates that each of the vault's versions of a shipped template includes, directly or not."""
        parts: dict[str, set[str]] = {}
        for user in _list_names(self.root):
            if resources.find("templates", user):
                names = [user]
                for name in names:  # grows meanwhile
                    names += self._find_parts(name).difference(names)
                parts[user] = {*names[1:]}
        return parts

    def _find_parts(self, name: str) -> frozenset[str]:
        try:
            return template_source(name, self.root).parts if self._has_own(name) else frozenset()
        except VaultkitError:
            return frozenset()

    def _missing_part_problems(self, template: Template, own: TemplateSource) -> Iterator[Problem]:
        """Yield a problem for each required part that does not exist."""
        hint = f"It would be looked for in {FOLDER}."
        for part, line in own.needs.items():
            if not find_template(part, self.root):
                yield _create_problem(template, line, f"There is no template '{part}'.", hint)

    def _unknown_value_problems(self, template: Template, own: TemplateSource) -> Iterator[Problem]:
        """Yield a problem for each value that the template takes, and that ours neither takes nor documents."""
        users = [other for other in self.templates if other.ours and other.name in {template.name, *template.users}]
        value_names = {name for user in users for name in self._known_values(user)}
        for name, line in sorted(own.takes.items(), key=itemgetter(1)):
            if name not in value_names:
                hint = did_you_mean(name, value_names) or "The remark in the shipped one lists all values."
                yield _create_problem(template, line, f"There is no value '{name}'.", hint)

    def _known_values(self, template: Template) -> Iterator[str]:
        """Yield the values of a shipped template: its own, and the values of the templates that its comment names."""
        shipped_by_name = {other.name: other.ours for other in self.templates if other.ours}
        text = shipped_by_name[template.name].text
        names = {name for name in shipped_by_name if name in text} | {template.name}
        if len(names) == 1 and not shipped_by_name[template.name].blocks:
            names = set(shipped_by_name)  # a short template that documents no values may use those of any other
        for name in names:
            yield from (*shipped_by_name[name].takes, *shipped_by_name[name].values)


def copy_template(vault: Vault, name: str, *, now: datetime, dry_run: bool) -> tuple[Template, str]:
    """Copy a shipped template to the vault's own templates; return it and the diff.

    Raises NothingFound for an unknown template, WriteError if the file exists already or cannot be written.
    """
    (template, diff), _ = plan_and_commit(vault, lambda fresh: _plan_copy(fresh, name, now), dry_run=dry_run)
    return template, diff


def _plan_copy(vault: Vault, name: str, now: datetime) -> tuple[tuple[Template, str], Writer]:
    """Return a shipped template with the diff of its copy, and a Writer that creates the copy."""
    template = Catalogue(vault.root).find(name)
    target = f"{FOLDER}/{template.name}"
    if vault.file(target).exists():
        hint = "Rename or delete it first to start again from the shipped one."
        raise WriteError("This template is your own already, and stays as it is.", where=target, hint=hint)
    assert template.ours, "only shipped ones are found by name"
    writer = Writer(vault, "templates", now)
    writer.create(target, template.ours.text)
    return (template, writer.diff()), writer


def short_name(name: str) -> str:
    """Return the short name of a template: `log-line`, `story/propheta`."""
    return name.removesuffix(SUFFIX).removesuffix(PHRASES_SUFFIX)


@cache
def _shipped_template(name: str) -> TemplateSource | None:
    """Return the shipped template of a name, None if there is none; it cannot change while the program runs."""
    return template_source(f"{SHIPPED}{name}", None) if resources.find("templates", name) else None


def _missing_block_problem(template: Template, own: TemplateSource) -> Iterator[Problem]:
    """Yield a problem if the template of a log line does not end with its block id, as far as its source shows."""
    text = re.sub(r"\{#.*?#\}", "", own.text, flags=re.DOTALL).rstrip()
    ends_with_block = "block" in own.takes and text.endswith(("}}", "%}"))
    if template.name.endswith(f"-line{SUFFIX}") and template.ours and not own.parts and not ends_with_block:
        line = text.count("\n") + 1
        yield _create_problem(
            template, line, "Its line does not end with its block id.", "Put ^{{ block }} at its end."
        )


def _list_names(vault: Path | None) -> list[str]:
    """Return the files of the shipped folder, or of the vault's own if it is trusted."""
    if vault is not None and not trust.is_trusted(vault):
        return []
    folder = resources.shipped_folder("templates") if vault is None else vault / FOLDER
    return resources.list_names(folder)


_MISSING_ITEM = "has no element"
"""A part of Jinja2's message about an item such as `seats[7]`, which the samples lack and a game may have."""


def _create_problem(template: Template, line: int, message: str, hint: str) -> Problem:
    return Problem(template.path, line, 0, "template", message, hint)
