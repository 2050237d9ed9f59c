"""The templates of notes and lines: which there are, which of the vault's own are used, and a copy to edit."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path

from vaultkit import files, resources, trust
from vaultkit.campaign.phrases import FOLDER as FOLDER_OF_PHRASES
from vaultkit.campaign.template_samples import SAMPLES, try_template
from vaultkit.campaign.template_source import TemplateSource, is_phrases, template_source
from vaultkit.campaign.templating import SHIPPED, find_template
from vaultkit.errors import NothingFound, Problem, VaultkitError, WriteError
from vaultkit.spelling import did_you_mean, nearest
from vaultkit.vault import Vault
from vaultkit.vault.writing.write import Writer, carry_out

FOLDER = ".vaultkit/templates"
SUFFIX = ".md.j2"
PHRASES = ".toml"
"""The ending of the phrases of a story, which lie in a folder of their own."""


@dataclass(frozen=True)
class Template:
    """A template by its file name, such as `session-note.md.j2`.

    `ours` is the shipped one, None where there is none of this name; `own` the vault's, or None if that is
    `kept_out` for want of trust. `users` are the templates that take this one in as a part.
    """

    name: str
    ours: TemplateSource | None = None
    own: TemplateSource | None = None
    fault: VaultkitError | None = None
    users: tuple[str, ...] = ()
    kept_out: bool = False

    @property
    def makes(self) -> str:
        """Its purpose, in the words of the shipped one's first remark."""
        one = self.ours or self.own
        return one.summary if one else ""

    @property
    def path(self) -> str:
        """The vault path of the own one, "" without one."""
        return f"{FOLDER}/{self.name}" if self.own or self.fault else ""

    @property
    def is_used(self) -> bool:
        """Whether anything of vaultkit's, or a template that is used, asks for it."""
        return self.ours is not None or bool(self.users)

    @property
    def extends(self) -> bool:
        """Whether the own one changes only parts of ours, and so has the rest of what later versions bring."""
        return self.own is not None and f"{SHIPPED}{self.name}" in self.own.parts

    @property
    def standing(self) -> str:
        """Which of the two is used, in a few words."""
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
        """Every template; one that cannot be read is told, and hides no other."""
        names = {path for path in map(str, _names(None)) if path.endswith(".j2") or is_phrases(path)}
        own = [name for name in _names(self.root) if name not in names and not self._is_spelling(name, names)]
        return tuple(self._template(name) for name in (*sorted(names), *sorted(own)))

    @property
    def own(self) -> tuple[Template, ...]:
        """Those that the vault has a file for."""
        return tuple(template for template in self.templates if template.path)

    def problems(self) -> tuple[Problem, ...]:
        """The faults of the vault's own: lines that cannot be read, values that nothing gives, files that nothing uses.

        One without such a fault is filled in with sample values: what it makes must be as what it will make.
        """
        return tuple(problem for template in self.own for problem in self._problems(template))

    def _problems(self, template: Template) -> Iterator[Problem]:
        if template.fault:
            _, line = _path_and_line(template.fault.where)
            yield _problem(template, line, template.fault.message, template.fault.hint)
        elif not template.is_used:
            near = nearest(template.name, [one.name for one in self.templates if one.ours])
            hint = f"Is it meant to be {near}?" if near else "The names that are used: vaultkit templates"
            yield Problem(template.path, 0, 0, "template-unused", "Nothing uses it.", hint, "warning")
        elif template.own:
            own = template.own
            seen = [*_no_block(template, own), *self._missing(template, own), *self._unknown(template, own)]
            yield from seen or self._sample_problems(template)

    def _sample_problems(self, template: Template) -> Iterator[Problem]:
        """Yield what goes wrong in this template when it, or one that takes it in, is filled in with samples."""
        for name in (one for one in (template.name, *template.users) if one in SAMPLES):
            try:
                list(try_template(name, self.root))
            except VaultkitError as error:
                path, line = _path_and_line(error.where)
                if path == template.path:
                    found = _problem(template, line, error.message, error.hint)
                    yield replace(found, severity="warning") if _MISSING_ITEM in error.message else found
                    return

    def find(self, wanted: str) -> Template:
        """The shipped template of a name, with or without its ending. Raises NothingFound with a suggestion."""
        *folders, last = "-".join(wanted.strip().casefold().replace("\\", "/").split()).split("/")
        short = re.sub(r"(\.md)?(\.j2)?$|\.toml$", "", last)
        short = f"{FOLDER_OF_PHRASES}/{short}" if folders[-1:] == [FOLDER_OF_PHRASES] else short
        known = {short_name(one.name): one for one in self.templates if one.ours}
        if short in known:
            return known[short]
        own = next((one for one in self.own if short_name(one.name) == short), None)
        if own:
            raise NothingFound(f"vaultkit ships no template '{short}'.", hint=f"It is your own already: {own.path}")
        hint = did_you_mean(short, known, like=50) or f"There are: {', '.join(known)}."
        raise NothingFound(f"There is no template '{wanted}'.", hint=hint)

    def _template(self, name: str) -> Template:
        ours = _ours(name)
        if not self._is_own(name):
            return Template(name, ours, kept_out=resources.own_file("templates", name, self.root) is not None)
        try:
            return Template(name, ours, template_source(name, self.root), users=self._users(name))
        except VaultkitError as error:
            return Template(name, ours, fault=error, users=self._users(name))

    def _is_spelling(self, name: str, names: set[str]) -> bool:
        """Whether it is one of these in another case, as Windows and macOS take it."""
        folder, lower = self.root / FOLDER, name.lower()
        return lower in names and (folder / lower).is_file() and (folder / name).samefile(folder / lower)

    def _is_own(self, name: str) -> bool:
        file = resources.find("templates", name, self.root)
        return file is not None and file.is_relative_to(self.root / FOLDER)

    def _users(self, name: str) -> tuple[str, ...]:
        """The templates named like ours that take `name` in, over however many others."""
        return tuple(user for user, parts in self._parts_of_used.items() if name in parts)

    @cached_property
    def _parts_of_used(self) -> dict[str, set[str]]:
        parts: dict[str, set[str]] = {}
        for user in _names(self.root):
            if resources.find("templates", user):
                pending, seen = [user], set[str]()
                while pending:
                    for part in self._named_in(pending.pop()) - seen:
                        seen.add(part)
                        pending.append(part)
                parts[user] = seen
        return parts

    def _named_in(self, name: str) -> frozenset[str]:
        try:
            return template_source(name, self.root).parts if self._is_own(name) else frozenset()
        except VaultkitError:
            return frozenset()

    def _missing(self, template: Template, own: TemplateSource) -> Iterator[Problem]:
        """Parts that are nowhere."""
        hint = f"It would be looked for in {FOLDER}."
        for part, line in own.needs.items():
            if not find_template(part, self.root):
                yield _problem(template, line, f"There is no template '{part}'.", hint)

    def _unknown(self, template: Template, own: TemplateSource) -> Iterator[Problem]:
        """Values that the template takes and that neither ours nor its remark of what there is knows."""
        users = [one for one in self.templates if one.ours and one.name in {template.name, *template.users}]
        known = {name for user in users for name in self._given(user)}
        for name, line in sorted(own.takes.items(), key=itemgetter(1)):
            if name not in known:
                hint = did_you_mean(name, known) or "What there is stands in the remark of the shipped one."
                yield _problem(template, line, f"There is no value '{name}'.", hint)

    def _given(self, template: Template) -> Iterator[str]:
        """The values of a shipped template: its own, and those of the ones that its remark refers to."""
        ours = {one.name: one.ours for one in self.templates if one.ours}
        text = ours[template.name].text
        named = {name for name in ours if name in text} | {template.name}
        if len(named) == 1 and not ours[template.name].blocks:
            named = set(ours)  # a short one that tells of no values may have those of any other
        for name in named:
            yield from (*ours[name].takes, *ours[name].values)


def eject(vault: Vault, wanted: str, *, now: datetime, dry_run: bool) -> tuple[Template, str]:
    """Copy a shipped template to where the vault's own are; returns it, and the copy as a diff.

    Raises NothingFound for an unknown one, WriteError where there is a file already or nothing can be written.
    """
    (template, diff), _ = carry_out(vault, lambda fresh: _plan_copy(fresh, wanted, now), dry_run=dry_run)
    return template, diff


def _plan_copy(vault: Vault, wanted: str, now: datetime) -> tuple[tuple[Template, str], Writer]:
    template = Catalogue(vault.root).find(wanted)
    target = f"{FOLDER}/{template.name}"
    if vault.file(target).exists():
        raise WriteError(
            "This template is your own already, and stays as it is.",
            where=target,
            hint="Rename or delete it first to begin anew with the shipped one.",
        )
    assert template.ours, "only shipped ones are found by name"
    writer = Writer(vault, "templates", now)
    writer.create(target, template.ours.text)
    return (template, writer.diff()), writer


def short_name(name: str) -> str:
    """The name of a template as people say it: `log-line`, `story/propheta`."""
    return name.removesuffix(SUFFIX).removesuffix(PHRASES)


@cache
def _ours(name: str) -> TemplateSource | None:
    """The shipped template of this name, which stays as it is while we run; None if there is none."""
    return template_source(f"{SHIPPED}{name}", None) if resources.find("templates", name) else None


def _no_block(template: Template, own: TemplateSource) -> Iterator[Problem]:
    """The template of a line that does not end with its block id, as far as that is seen with nothing filled in."""
    text = re.sub(r"\{#.*?#\}", "", own.text, flags=re.DOTALL).rstrip()
    ends = "block" in own.takes and text.endswith(("}}", "%}"))
    if template.name.endswith(f"-line{SUFFIX}") and template.ours and not own.parts and not ends:
        line = text.count("\n") + 1
        yield _problem(template, line, "Its line does not end with its block id.", "Put ^{{ block }} at its end.")


def _names(vault: Path | None) -> list[str]:
    """The files of the shipped folder, or of the vault's own if it is trusted. What an editor leaves behind is none."""
    if vault is not None and not trust.is_trusted(vault):
        return []
    folder = resources.shipped("templates") if vault is None else vault / FOLDER
    found = (file.relative_to(folder).as_posix() for file in files.matching(folder, "**/*"))
    return sorted(name for name in found if not re.search(r"(^|/)\.|~$", name))


_MISSING_ITEM = "has no element"
"""The message of Jinja2 about an item such as `seats[7]`, which the samples lack and a game may have."""


def _path_and_line(where: str) -> tuple[str, int]:
    path, colon, line = where.rpartition(":")
    return (path, int(line)) if colon and line.isdecimal() else (where, 0)


def _problem(template: Template, line: int, message: str, hint: str) -> Problem:
    return Problem(template.path, line, 0, "template", message, hint)
