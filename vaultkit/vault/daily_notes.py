"""Obsidian's daily notes: their settings, paths and templates."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.vault.file_names import safe_parts
from vaultkit.vault.moment_format import format_date
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.obsidian import CORE_TEMPLATES, enabled_plugins, is_core_plugin_enabled, settings_of, text_setting
from vaultkit.vault.vault import Vault, not_downloaded_error

CORE_SETTINGS_FILE = "daily-notes.json"
PERIODIC_SETTINGS_FILE = "plugins/periodic-notes/data.json"
_SETTINGS_FILES = (
    CORE_SETTINGS_FILE,
    PERIODIC_SETTINGS_FILE,
    CORE_TEMPLATES,
    "core-plugins.json",
    "community-plugins.json",
)
DEFAULT_DATE_FORMAT = "YYYY-MM-DD"
DEFAULT_TIME_FORMAT = "HH:mm"
_PLACEHOLDER = re.compile(
    r"\{\{\s*(?:(title)|(yesterday|tomorrow)|(date|time)\s*(?:([+-]\d{1,4})([dw])\s*)?(?::([^{}]+))?)\s*\}\}",
    re.IGNORECASE,
)
"""Obsidian's template placeholders, and `yesterday` and `tomorrow` of the plugins Calendar and Periodic Notes."""


@dataclass(frozen=True, slots=True)
class DailyNotes:
    """The settings of daily notes: their name's Moment `format`, their `folder` ("" for the root), their `template`.

    `date_format` and `time_format` are the default formats of `{{date}}` and `{{time}}` in a template. `source` is the
    vault path of the settings file, "" if there is none and Obsidian's defaults apply.
    """

    format: str = DEFAULT_DATE_FORMAT
    folder: str = ""
    template: str = ""
    date_format: str = DEFAULT_DATE_FORMAT
    time_format: str = DEFAULT_TIME_FORMAT
    source: str = ""

    def path(self, when: datetime, vault: Vault) -> str:
        """Return the vault path of the daily note for a day, spelled like existing files and folders.

        Raises InvalidError if the path is outside the vault or in a hidden folder, if an operating system forbids the
        name (F4), or if a settings file of Obsidian is only in iCloud, so that the settings are unknown.
        """
        for settings_file in _SETTINGS_FILES:
            if files.is_evicted(vault.root / ".obsidian" / settings_file):
                raise not_downloaded_error(f".obsidian/{settings_file}")
        name = format_date(when, self.format)
        where = f"{self.source or 'daily notes'}: {name}"
        hint = "Change the format or the folder of daily notes in Obsidian's settings."
        parts = safe_parts(name, where, hint)
        if not parts or name.endswith("/"):
            raise InvalidError("The format of daily notes makes an empty name.", where=where, hint=hint)
        path = "/".join((*safe_parts(self.folder, where, hint), *parts)) + ".md"
        existing_path = vault.files.resolve_exact_path(path).path
        return existing_path or vault.file(vault.files.respell_folder(path)).relative_to(vault.root).as_posix()

    def text(self, path: str, when: datetime, vault: Vault) -> tuple[str, tuple[str, ...]]:
        """Return the text for a new daily note at `path`, filled in from the template, and remarks for the user.

        The remarks name a missing template and commands of Templater, which stay as they are. Raises InvalidError if
        the template cannot be read.
        """
        if not self.template:
            return "", ()
        template = self.template_path(vault)
        if template is None:
            return "", (f"The template of daily notes, {self.template}, is not there; the note is made without it.",)
        text = vault.read(template).text
        title = name_of(path)
        note_text = _PLACEHOLDER.sub(lambda match: self._fill_placeholder(match, title, when), text)
        remark = "<%" in note_text and f"The commands of Templater in {path} (<% ... %>) are left as they are."
        return note_text, (remark,) if remark else ()

    def _fill_placeholder(self, match: re.Match[str], title: str, when: datetime) -> str:
        title_keyword, day_keyword, kind, offset, unit, format_string = match.groups()
        if title_keyword:
            return title
        if day_keyword:
            days = 1 if day_keyword.lower() == "tomorrow" else -1
            return format_date(when + timedelta(days=days), self.format)
        if offset:
            when += timedelta(days=int(offset) * (7 if unit.lower() == "w" else 1))
        return format_date(
            when, (format_string or "").strip() or (self.date_format if kind.lower() == "date" else self.time_format)
        )

    def template_path(self, vault: Vault) -> str | None:
        """Return the vault path of the template, or None if that file does not exist."""
        name = self.template.strip().strip("/")
        return next(filter(None, (vault.files.resolve_exact_path(path).path for path in (f"{name}.md", name))), None)


def read_daily_notes_settings(vault: Vault) -> DailyNotes:
    """Return the settings of daily notes in a vault: of Periodic Notes if it replaces the core plugin, else of that."""
    path, settings = CORE_SETTINGS_FILE, settings_of(vault.root, CORE_SETTINGS_FILE)
    if not is_core_plugin_enabled(vault.root, "daily-notes") and "periodic-notes" in enabled_plugins(vault.root):
        periodic_settings = settings_of(vault.root, PERIODIC_SETTINGS_FILE).get("daily")
        if isinstance(periodic_settings, dict) and periodic_settings.get("enabled"):
            path, settings = PERIODIC_SETTINGS_FILE, periodic_settings
    templates = settings_of(vault.root, CORE_TEMPLATES)
    return DailyNotes(
        format=text_setting(settings, "format") or DEFAULT_DATE_FORMAT,
        folder=text_setting(settings, "folder"),
        template=text_setting(settings, "template"),
        date_format=text_setting(templates, "dateFormat") or DEFAULT_DATE_FORMAT,
        time_format=text_setting(templates, "timeFormat") or DEFAULT_TIME_FORMAT,
        source=f".obsidian/{path}" if settings else "",
    )
