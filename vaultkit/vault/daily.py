"""Obsidian's daily notes: what they are called, where they lie, and what a new one says."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from vaultkit.errors import InvalidError
from vaultkit.vault.moment import written
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.names import checked

CORE = ".obsidian/daily-notes.json"
PERIODIC = ".obsidian/plugins/periodic-notes/data.json"
FORMAT = "YYYY-MM-DD"
TIME = "HH:mm"
_PLACEHOLDER = re.compile(r"\{\{\s*(date|time|title)\s*(?::([^{}]+))?\}\}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DailyNotes:
    """How the vault's daily notes are set up: `format` is Moment's, `folder` "" the vault's own, `template` a note.

    `date_format` and `time_format` are what `{{date}}` and `{{time}}` in a template stand for. `source` is the file
    that says so, a vault path, "" where there is none and Obsidian's defaults hold.
    """

    format: str = FORMAT
    folder: str = ""
    template: str = ""
    date_format: str = FORMAT
    time_format: str = TIME
    source: str = ""

    def path(self, when: datetime, vault: Vault) -> str:
        """The vault path of the note of that day, as an existing one spells it.

        Raises InvalidError if it would lie outside the vault, in a hidden folder, or if a system forbids its name (F4).
        """
        name = written(when, self.format)
        where = f"{self.source or 'daily notes'}: {name}"
        hint = "Change the format or the folder of daily notes in Obsidian's settings."
        parts = checked(name, where, hint)
        if not parts or name.endswith("/"):
            raise InvalidError("The format of daily notes makes an empty name.", where=where, hint=hint)
        path = "/".join((*checked(self.folder, where, hint), *parts)) + ".md"
        return vault.files.exact(path).path or path

    def text(self, path: str, when: datetime, vault: Vault) -> tuple[str, tuple[str, ...]]:
        """What Obsidian would write into a new note at `path`, and remarks on what it would do and we do not.

        Raises InvalidError if the template is not UTF-8.
        """
        if not self.template:
            return "", ()
        template = self._template(vault)
        if template is None:
            return "", (f"The template of daily notes, {self.template}, is not there; the note is made without it.",)
        text = vault.read(template).text
        title = path.rpartition("/")[2].removesuffix(".md")
        filled = _PLACEHOLDER.sub(lambda match: self._filled(match, title, when), text)
        commands = "<%" in filled and f"The commands of Templater in {path} (<% ... %>) are left as they are."
        return filled, (commands,) if commands else ()

    def _filled(self, match: re.Match[str], title: str, when: datetime) -> str:
        kind = match[1].lower()
        if kind == "title":
            return title
        return written(when, (match[2] or "").strip() or (self.date_format if kind == "date" else self.time_format))

    def _template(self, vault: Vault) -> str | None:
        name = self.template.strip().strip("/")
        return next(filter(None, (vault.files.exact(path).path for path in (f"{name}.md", name))), None)


def daily_notes(vault: Vault) -> DailyNotes:
    """The set-up of the core plugin, or of the plugin Periodic Notes where that one makes the daily notes instead."""
    path, found = CORE, _json(vault.root / CORE)
    if not _core_is_on(vault.root) and "periodic-notes" in _enabled_plugins(vault.root):
        daily = _json(vault.root / PERIODIC).get("daily")
        if isinstance(daily, dict) and daily.get("enabled"):
            path, found = PERIODIC, daily
    templates = _json(vault.root / ".obsidian/templates.json")
    return DailyNotes(
        format=_text(found, "format") or FORMAT,
        folder=_text(found, "folder"),
        template=_text(found, "template"),
        date_format=_text(templates, "dateFormat") or FORMAT,
        time_format=_text(templates, "timeFormat") or TIME,
        source=path if found else "",
    )


def _core_is_on(root: Path) -> bool:
    """Whether the core plugin is on; it is from the start. Older vaults list those that are on."""
    plugins = _load(root / ".obsidian/core-plugins.json")
    if isinstance(plugins, list):
        return "daily-notes" in plugins
    return not (isinstance(plugins, dict) and plugins.get("daily-notes") is False)


def _enabled_plugins(root: Path) -> list[object]:
    plugins = _load(root / ".obsidian/community-plugins.json")
    return plugins if isinstance(plugins, list) else []


def _json(file: Path) -> Mapping[str, object]:
    loaded = _load(file)
    return loaded if isinstance(loaded, dict) else {}


def _load(file: Path) -> object:
    """What a file of Obsidian's says; nothing if it is missing or unreadable, as Obsidian takes it."""
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None


def _text(found: Mapping[str, object], name: str) -> str:
    value = found.get(name)
    return value.strip() if isinstance(value, str) else ""
